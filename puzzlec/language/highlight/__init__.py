"""Descriptions of the puzzle language for editors and highlighters, made from its grammar."""
