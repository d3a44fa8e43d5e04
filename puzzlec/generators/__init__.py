"""Puzzles with a promised property, made from a seed: one file for each kind, and a table of the kinds."""
