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

# The names are looked up when somebody asks for one: a command pays for what it uses (docs/decisions/014).
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlec.diagnostics import Diagnostic, PuzzleError, render  # type: ignore[no-redef]  # a stage has this name
    from puzzlec.engine import ExactCover, Limits, Search, Stop
    from puzzlec.ir import Fitting, Piece, Placement, Puzzle, Solution
    from puzzlec.jobs.job import Job
    from puzzlec.jobs.merging import merge
    from puzzlec.pictures import cut, draw, model, view
    from puzzlec.pipeline import check, compile, convert, emit, explain, lift, load, parse
    from puzzlec.solutions import Solutions, count, every_solution, solve, solve_board
    from puzzlec.verifying import verify

__version__ = "0.1.0"

__all__ = [
    "Diagnostic", "ExactCover", "Fitting", "Job", "Limits", "Piece", "Placement", "Puzzle", "PuzzleError", "Search",
    "Solution", "Solutions", "Stop", "check", "compile", "convert", "count", "cut", "draw", "emit",
    "every_solution", "explain", "lift", "load", "merge", "model", "parse", "render", "solve", "solve_board", "verify",
    "view",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "render":  # the stage of this name, which can be called as the function
        return import_module("puzzlec.render")
    homes = {"diagnostics": "Diagnostic PuzzleError", "engine": "ExactCover Limits Search Stop",
             "pictures": "cut draw model view", "ir": "Fitting Piece Placement Puzzle Solution",
             "jobs.job": "Job", "jobs.merging": "merge", "verifying": "verify",
             "solutions": "Solutions count every_solution solve solve_board"}  # fmt: skip
    home = next((home for home, names in homes.items() if name in names.split()), "pipeline")
    return globals().setdefault(name, getattr(import_module(f"puzzlec.{home}"), name))


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
