"""puzzlec: a compiler for packing, tiling and exact-cover puzzles.

>>> import puzzlec
>>> puzzle = puzzlec.parse('''
... puzzle "Three dominoes"
... locations box 2x3
... piece D x3 { xx }
... ''')
>>> puzzlec.count(puzzle), puzzlec.count(puzzle, symmetry="none")
(2, 3)
"""

# Names are imported when they are used, so each command imports only what it needs (docs/decisions/014). This module
# imports nothing at first, and a command soon handles Ctrl-C.
from puzzlec import shown
from puzzlec.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puzzlec import engine as engine
    from puzzlec.building import Builder
    from puzzlec.certificates.proving import Proof, check_certificate, write_certificate
    from puzzlec.compiler import Compiled, PuzzleOrName, check, compile, convert, fmt, load, parse
    from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, Span, render
    from puzzlec.disassembling import disassemble, state_graph
    from puzzlec.engine import ExactCover, Limits, Stop, UnfinishedError
    from puzzlec.engine.progress import Progress
    from puzzlec.engine.search.estimating import Estimate
    from puzzlec.engine.search.grading import Grade
    from puzzlec.engine.search.selection import KernelName
    from puzzlec.explaining.understanding import explain
    from puzzlec.formats.catalogue import Entry, entries
    from puzzlec.formats.reading import AnyPuzzle
    from puzzlec.formats.record import Format
    from puzzlec.formats.registry import formats
    from puzzlec.formats.solvers.answers import Ending
    from puzzlec.generators.generating import Generated, generate
    from puzzlec.geometry import Lattice, Shape
    from puzzlec.geometry.families import shapes
    from puzzlec.geometry.lattice import lattices
    from puzzlec.ir import Fitting, Piece, Placement, Puzzle, Solution
    from puzzlec.jobs.job import Job
    from puzzlec.jobs.merging import Merged, merge
    from puzzlec.lower import Encoding, Symmetry
    from puzzlec.lower.symmetries import SymmetryKind
    from puzzlec.make.choices import Cutting, Plate, Sizes
    from puzzlec.make.outputs import Drawable, cut, draw, model, play, view
    from puzzlec.motion.disassembly import Disassembly
    from puzzlec.motion.graph import Move, StateGraph
    from puzzlec.motion.moves import Body, Step
    from puzzlec.motion.taken import Taken
    from puzzlec.pipeline import emit
    from puzzlec.questions import Row, best, clues, count, count_by_cost, estimate, every_solution, sets, solve, sweep
    from puzzlec.recount import Outcome, Verified, verify
    from puzzlec.show.svg.choices import Choices
    from puzzlec.solving.clues import Clue
    from puzzlec.solving.costs import BestSolutions, CostCount
    from puzzlec.solving.every import EverySolution
    from puzzlec.solving.grading import grade
    from puzzlec.solving.judging import Verdict, check_solutions
    from puzzlec.solving.lifting import Lifted, SolverEnd, lift
    from puzzlec.solving.own_symmetry import OwnSymmetry, own_symmetry
    from puzzlec.solving.piece_sets import PieceSet, PieceSets
    from puzzlec.solving.properties import Properties, properties
    from puzzlec.solving.solutions import SearchSettings, Solutions
    from puzzlec.solving.subject import Subject
    from puzzlec.solving.unique import Clued, Unique


__all__ = [
    "AnyPuzzle", "BestSolutions", "Body", "Builder", "Choices", "Clue", "Clued", "Compiled", "CostCount", "Cutting",
    "Diagnostic", "Disassembly", "Drawable", "Encoding", "Ending", "Entry", "Estimate", "EverySolution",
    "ExactCover", "Fitting", "Format", "Generated", "Grade", "Job", "KernelName", "Lattice",
    "Lifted", "Limits", "Merged", "Move", "Outcome", "OwnSymmetry", "Piece", "PieceSet",
    "PieceSets", "Placement", "Plate", "Progress", "Proof", "Properties", "Puzzle", "PuzzleError", "PuzzleOrName",
    "Report", "Row", "SearchSettings", "Severity", "Shape", "Sizes", "Solution", "Solutions", "SolverEnd",
    "Span", "StateGraph", "Step", "Stop", "Subject", "Symmetry", "SymmetryKind", "Taken", "UnfinishedError",
    "Unique", "Verdict", "Verified", "best", "check", "check_certificate", "check_solutions", "clues",
    "compile", "convert", "count", "count_by_cost", "cut", "disassemble", "draw", "emit", "entries", "estimate",
    "every_solution", "explain", "fmt", "formats", "generate", "grade", "lattices", "lift", "load", "merge",
    "model", "own_symmetry", "parse", "play", "properties", "render", "sets", "shapes", "solve", "state_graph", "sweep",
    "verify", "view", "write_certificate",
]  # fmt: skip

#: The modules of the names. Other names are in `compiler`.
_HOMES = {
    "certificates.proving": "Proof check_certificate write_certificate",
    "diagnostics": "Diagnostic PuzzleError Report Severity Span render",
    "disassembling": "disassemble state_graph", "motion.taken": "Taken", "motion.graph": "Move StateGraph",
    "motion.disassembly": "Disassembly", "motion.moves": "Body Step",
    "engine": "ExactCover Limits Stop UnfinishedError", "engine.progress": "Progress",
    "engine.search.grading": "Grade", "engine.search.selection": "KernelName", "solving.grading": "grade",
    "generators.generating": "Generated generate",
    "ir": "Fitting Piece Placement Puzzle Solution", "jobs.job": "Job", "jobs.merging": "Merged merge",
    "lower": "Encoding Symmetry", "lower.symmetries": "SymmetryKind",
    "make.outputs": "Drawable cut draw model play view",
    "formats.solvers.answers": "Ending",
    "formats.catalogue": "Entry entries", "formats.reading": "AnyPuzzle",
    "make.choices": "Cutting Plate Sizes", "solving.subject": "Subject", "show.svg.choices": "Choices",
    "solving.costs": "BestSolutions CostCount",
    "solving.every": "EverySolution", "explaining.understanding": "explain",
    "solving.judging": "Verdict check_solutions", "solving.lifting": "Lifted SolverEnd lift",
    "solving.own_symmetry": "OwnSymmetry own_symmetry", "solving.properties": "Properties properties",
    "solving.solutions": "SearchSettings Solutions",
    "solving.piece_sets": "PieceSet PieceSets", "solving.unique": "Clued Unique",
    "questions": "Row best clues count count_by_cost estimate every_solution sets solve sweep",
    "building": "Builder", "formats.record": "Format", "pipeline": "emit",
    "formats.registry": "formats", "geometry": "Lattice Shape", "geometry.families": "shapes",
    "geometry.lattice": "lattices", "engine.search.estimating": "Estimate",
    "solving.clues": "Clue", "recount": "Outcome Verified verify",
}  # fmt: skip


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in ("engine", "formats"):  # packages; `formats` is also a function
        return import_module(f"puzzlec.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names.split()), "compiler")
    return globals().setdefault(name, getattr(import_module(f"puzzlec.{home}"), name))


def __dir__() -> list[str]:
    return sorted({"engine", *__all__, *(name for name in globals() if name.startswith("__"))})


def _bundle(thing: object) -> "dict[str, Any]":
    from puzzlec.show.notebook import bundle

    return bundle(thing)


shown.renderer = _bundle
