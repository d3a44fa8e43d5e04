"""Symmetries of exact covers: refinement and automorphism groups of their graphs."""
