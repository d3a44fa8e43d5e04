"""Texts that only commands print: lists, tables, estimates, progress, and solutions in formats of text."""
