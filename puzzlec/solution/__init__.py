"""Solutions: checked by code that did not find them, and counted up to symmetry."""

from puzzlec.solution.checker import WrongSolutionError, check
from puzzlec.solution.distinct import Representatives, representatives

__all__ = ["Representatives", "WrongSolutionError", "check", "representatives"]
