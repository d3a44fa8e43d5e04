"""Solutions: counted up to symmetry, and checked by independent code."""

from puzzlec.solving.checker import WrongSolutionError, check
from puzzlec.solving.distinct import Representatives, representatives

__all__ = ["Representatives", "WrongSolutionError", "check", "representatives"]
