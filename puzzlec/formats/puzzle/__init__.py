"""The puzzle language as a format: read by `puzzlec.language`, written from a puzzle."""

from puzzlec.language.puzzle_text import read_given

__all__ = ["read_given"]
