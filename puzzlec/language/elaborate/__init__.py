"""What the statements of the puzzle language mean: from the syntax tree of a text to a Puzzle."""

from puzzlec.language.elaborate.elaboration import elaborate

__all__ = ["elaborate"]
