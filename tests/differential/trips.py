"""Round trips: a problem has the same number of solutions after a format has written and read it."""

from __future__ import annotations

import re
from collections import Counter

from puzzlec.compiler import Compiled, compile
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.diagnostics.files import source_of
from puzzlec.engine import Search
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write_chunks
from puzzlec.ir import Puzzle
from puzzlec.solving.solutions import Solutions
from tests.differential.case import Case
from tests.differential.searches import Compared

BOTH = sorted(FORMATS.keys() & WRITERS.keys())
#: Formats for most problems, which are tried more often than the others.
OFTEN = ("puzzle", "puzzle", "json", "json", "dlx", "dpf", "xmpuzzle", "compact")
#: Formats that keep walls and costs, and so the symmetries of a puzzle.
EXACT = ("puzzle", "json")
#: Codes with which a writer may refuse a problem that the format cannot store, such as colours of separate balls.
CANNOT = {"PZ354", "PZ501", "PZ502"}


def there_and_back(case: Case) -> Compared:
    """Check a few formats, each at a level that the problem has."""
    for name in dict.fromkeys(case.chance.choice((*OFTEN, *BOTH)) for _ in range(2)):
        yield from trip(case, name)


def levels(case: Case) -> list[Compiled]:
    """Return the problem at each level that it has."""
    what = case.problem.what
    if isinstance(what, ExactCover):
        return [what]
    if isinstance(what, Puzzle):
        return [what, case.encoding.fitting, case.encoding]
    return [what, case.encoding]


def trip(case: Case, name: str) -> Compared:
    """Write a problem in a format, read and count it, and write it again: the texts must be equal."""
    what = case.chance.choice(levels(case))
    try:
        content = written(what, name)
    except PuzzleError as error:
        yield f"{name} cannot say it", {diagnostic.code for diagnostic in error.diagnostics} <= CANNOT, True
        return
    try:
        again = read_again(content, name)
    except PuzzleError as error:  # the reader of the language sees that two fixed pieces overlap
        codes = {diagnostic.code for diagnostic in error.diagnostics}
        yield f"{name} has no solution", (codes, len(case.expected)), ({"PZ370"}, 0)
        return
    encoding = compile(again)
    level = type(what).__name__.lower()
    yield f"{name} of a {level}", Search(encoding.cover, kernel="bits").count(), len(case.expected)
    if not named_otherwise(what, again, name):
        yield f"{name} of a {level} written again", written(again, name) == content, True
    keeps = "costs" in FORMATS[name].traits and not (FORMATS[name].stage == "puzzle" and isinstance(what, ExactCover))
    if case.problem.prices and keeps and case.problem.what.costs:
        costs = Counter(encoding.cover.cost(options) for options in Search(encoding.cover))
        yield f"costs after {name}", costs, Counter(case.problem.prices.values())
    moving = isinstance(what, Puzzle) and (what.movement.walls or what.costs) and name not in EXACT
    if case.has_geometry and isinstance(what, Puzzle) and isinstance(again, Puzzle) and not moving:
        yield f"distinct after {name}", Solutions(encoding).count(), len(case.problem.orbits("all"))


def named_otherwise(what: Compiled, again: Compiled, name: str) -> bool:
    """Whether a problem that was read is written in other words, although it has the same solutions."""
    if name != "xmpuzzle" or not isinstance(again, Puzzle):
        return False
    # BurrTools rotates unconnected balls in ways that are not motions: such a piece is read as its placements. Walls
    # are a piece with a weight, which is read as a piece.
    return "wall" in again.piece_named or any(piece.covers is not None for piece in again.pieces)


def written(what: Compiled, name: str) -> bytes:
    """Return a problem in a format; raise PuzzleError if the format cannot store it."""
    return "".join(write_chunks(what, name)).encode()


def read_again(content: bytes, name: str) -> Compiled:
    """Return the written text, read under the name of its format."""
    return read(source_of(content, f"again{FORMATS[name].endings[0]}"), name, Report(), board_told(content, name))


def board_told(content: bytes, name: str) -> str | None:
    """Return the board in the comment of a text of pieces."""
    told = re.search(rb"[Bb]oard is (\d+(?:x\d+)*)|--board (\d+(?:x\d+)*)", content)
    return (told[1] or told[2]).decode() if FORMATS[name].pieces_only and told else None
