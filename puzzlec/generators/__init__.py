"""Puzzles with a promised property, made from a seed: one file for each kind, and the check of its promise."""
