"""puzzlec: a compiler for packing, tiling and exact-cover puzzles.

>>> import puzzlec
>>> puzzle = puzzlec.parse('''
... puzzle "Three dominoes"
... locations box 2x3
... piece D x3 { xx }
... ''')
>>> puzzlec.count(puzzle), puzzlec.count(puzzle, raw=True)
(2, 3)
"""

from puzzlec.diagnostics import Diagnostic, PuzzleError, render
from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.ir import Fitting, Piece, Placement, Puzzle, Solution
from puzzlec.pipeline import Solutions, check, compile, convert, count, emit, explain, load, parse, solve, solve_board

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "ExactCover",
    "Fitting",
    "Limits",
    "Piece",
    "Placement",
    "Puzzle",
    "PuzzleError",
    "Search",
    "Solution",
    "Solutions",
    "Stop",
    "check",
    "compile",
    "convert",
    "count",
    "emit",
    "explain",
    "load",
    "parse",
    "render",
    "solve",
    "solve_board",
]
