"""Solutions: checked by code that did not find them, and counted up to symmetry."""

from puzzlec.solving.checker import WrongSolutionError, check
from puzzlec.solving.distinct import Representatives, representatives

__all__ = ["Representatives", "WrongSolutionError", "check", "representatives"]
