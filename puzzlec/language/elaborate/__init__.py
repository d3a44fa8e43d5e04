"""Elaboration: from the syntax tree of a text in the puzzle language to a Puzzle."""

from puzzlec.language.elaborate.elaboration import elaborate
from puzzlec.language.elaborate.statements import BY_KIND, KEYWORDS, STATEMENTS, WORDS

__all__ = ["BY_KIND", "KEYWORDS", "STATEMENTS", "WORDS", "elaborate"]
