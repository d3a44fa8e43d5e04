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

# The names are looked up when they are used: a command pays for what it uses (docs/decisions/014). So this module
# imports nothing at first, and a command is soon ready for Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:  # one name is that of a stage, too
    from typing import Any

    from puzzlec.certificates.proving import Proof, check_certificate, write_certificate
    from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, Span, render  # type: ignore[no-redef]
    from puzzlec.disassembling import Taken, disassemble
    from puzzlec.engine import ExactCover, Limits, Search, Stop, UnfinishedError
    from puzzlec.engine.progress import Progress
    from puzzlec.ir import Fitting, Piece, Placement, Puzzle, Solution
    from puzzlec.jobs.job import Job
    from puzzlec.jobs.merging import Merged, merge
    from puzzlec.lower import Encoding, Symmetry
    from puzzlec.motion.disassembly import Body, Disassembly, Step
    from puzzlec.pictures import Shown, cut, draw, model, view
    from puzzlec.pipeline import (
        Compiled,
        check,
        check_solutions,
        compile,
        convert,
        emit,
        explain,
        lift,
        load,
        parse,
        reformat,
    )
    from puzzlec.readers.answers import Ending
    from puzzlec.readers.catalogue import Entry, entries
    from puzzlec.readers.formats import Level
    from puzzlec.render.model import Plate, Sizes
    from puzzlec.render.model.laser import Cutting
    from puzzlec.render.subject import Subject
    from puzzlec.render.svg.choices import Choices
    from puzzlec.solution.every import EverySolution
    from puzzlec.solution.judging import Verdict
    from puzzlec.solution.lifting import Back, Ended, Lifted
    from puzzlec.solution.own_symmetry import OwnSymmetry, own_symmetry
    from puzzlec.solutions import Solutions, count, every_solution, solve, solve_board
    from puzzlec.verifying import Outcome, Verified, verify

__version__ = "0.1.0"

__all__ = [
    "Back", "Body", "Choices", "Compiled", "Cutting", "Diagnostic", "Disassembly", "Encoding", "Ended", "Ending",
    "Entry", "EverySolution", "ExactCover", "Fitting", "Job", "Level", "Lifted", "Limits", "Merged", "Outcome",
    "OwnSymmetry", "Piece", "Placement", "Plate", "Progress", "Proof", "Puzzle", "PuzzleError", "Report", "Search",
    "Severity", "Shown", "Sizes", "Solution", "Solutions", "Span", "Step", "Stop", "Subject", "Symmetry", "Taken",
    "UnfinishedError", "Verdict", "Verified", "check", "check_certificate", "check_solutions", "compile", "convert",
    "count", "cut", "disassemble", "draw", "emit", "entries", "every_solution", "explain", "lift", "load", "merge",
    "model", "own_symmetry", "parse", "reformat", "render", "solve", "solve_board", "verify", "view",
    "write_certificate",
]  # fmt: skip

#: The modules that have the names; those that stand on no line are in `pipeline`.
_HOMES = {
    "certificates.proving": "Proof check_certificate write_certificate",
    "diagnostics": "Diagnostic PuzzleError Report Severity Span",
    "disassembling": "Taken disassemble",
    "motion.disassembly": "Body Disassembly Step",
    "engine": "ExactCover Limits Search Stop UnfinishedError", "engine.progress": "Progress",
    "ir": "Fitting Piece Placement Puzzle Solution", "jobs.job": "Job", "jobs.merging": "Merged merge",
    "lower": "Encoding Symmetry", "pictures": "Shown cut draw model view", "readers.answers": "Ending",
    "readers.catalogue": "Entry entries", "readers.formats": "Level", "render.model": "Plate Sizes",
    "render.model.laser": "Cutting", "render.subject": "Subject", "render.svg.choices": "Choices",
    "solution.every": "EverySolution", "solution.judging": "Verdict", "solution.lifting": "Back Ended Lifted",
    "solution.own_symmetry": "OwnSymmetry own_symmetry",
    "solutions": "Solutions count every_solution solve solve_board", "verifying": "Outcome Verified verify",
}  # fmt: skip


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "render":  # the stage of this name, which can be called as the function
        return import_module("puzzlec.render")
    home = next((home for home, names in _HOMES.items() if name in names.split()), "pipeline")
    return globals().setdefault(name, getattr(import_module(f"puzzlec.{home}"), name))


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
