"""Solutions: counted up to symmetry, and checked by independent code."""

from puzzlec.solving.checker import check
from puzzlec.solving.distinct import Representatives, representatives
from puzzlec.solving.faults import WrongSolutionError

__all__ = ["Representatives", "WrongSolutionError", "check", "representatives"]
