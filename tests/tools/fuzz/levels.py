"""Small puzzles, fittings and exact covers made of choices, lowered to the end; all conclusions must be true."""

from __future__ import annotations

from itertools import combinations

from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.dominance import redundant
from puzzlec.engine.reduction.reductions import reduce
from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.wrapping import Wrap
from puzzlec.ir import ANY, Fitting, Location, Piece, Placements, Puzzle, Rule, RuleKind
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.lower import Encoding, encode, place, symmetry
from puzzlec.lower.impossibility import impossible
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.raising import encoded_cover
from tests.tools.fuzz.picks import Picks
from tests.tools.fuzz.rules import Said

LATTICES = ("square", "line", "cubic", "hex", "triangle", "sticks", "fcc", "prism", "twigs", "tetrakis", "hypercubic")
COLOURS = ("r", "b")
BOUNDS = ((1, 1), (1, 1), (0, 1), (0, ANY), (2, 2), (1, 3), (0, 0), (2**30, ANY))

#: Number of options of which all sets are tried.
FEW = 9


def puzzle_of(picks: Picks) -> Puzzle:
    """Return a small puzzle: cells around a start, pieces grown cell by cell, colours, rules, wraps."""
    lattice = find_lattice(picks.among(LATTICES))
    board = _patch(picks, lattice, 1 + picks.number(9))
    colours = COLOURS[: picks.number(2)]
    paints = (None, *colours)
    locations = tuple(Location(cell, picks.among(paints), picks.rarely()) for cell in board)
    pieces = []
    for number in range(1 + picks.number(3)):
        cells = _patch(picks, lattice, 1 + picks.number(3))
        low, high = picks.among(BOUNDS)
        turns = lattice.turns(picks.among(list(Freedom)))
        paint = tuple(picks.among(paints) for _ in cells)
        covers = None
        if picks.rarely():
            covers = tuple(tuple(sorted(picks.some(board, 3))) for _ in range(1 + picks.number(2)))
            cells, paint, turns = [], (), ()
        pieces.append(Piece(f"p{number}", tuple(cells), paint, turns, covers, low, high))
    rules = tuple(
        Rule(picks.among(list(RuleKind)), picks.among(pieces).name, tuple(picks.some(board, 3)))
        for _ in range(picks.number(2) if picks.rarely() else 0)
    )
    wraps = []
    if picks.rarely():
        for _ in range(1 + picks.number(1)):
            vector = tuple(picks.among((0, 2, 1, 3, -2)) for _ in range(lattice.dimension))
            wraps.append(Wrap(vector, picks.rarely()))
    allowed = frozenset({("r", "b")}) if len(colours) == 2 and picks.rarely() else frozenset[tuple[str, str]]()
    empty = (picks.number(2), picks.number(3)) if picks.rarely() else None
    found = Puzzle(
        "t",
        lattice,
        locations,
        tuple(pieces),
        PuzzleColours(colours, allowed),
        PuzzleRules(rules, empty=empty, crossing=picks.rarely()),
        tuple(wraps),
    )
    assert found.wrapping is not None or not wraps
    return found


def _patch(picks: Picks, lattice: Lattice, most: int) -> list[Cell]:
    points = [picks.among(lattice.kinds).at]
    while len(points) < most:
        base = picks.among(points)
        step = picks.among(lattice.kinds[lattice.class_of(base)].neighbours)
        point = tuple(a + b for a, b in zip(base, step, strict=True))
        if point in points:
            most -= 1
        else:
            points.append(point)
    found = [cell for point in points if (cell := lattice.cell(point)) is not None]
    return list(dict.fromkeys(found))


def fitting_of(picks: Picks) -> Fitting:
    """Return a small fitting: copies, optional locations, crossings, tiles in a row."""
    size = 1 + picks.number(6)
    every = range(size)
    pieces = []
    for _ in range(picks.number(3)):
        rows = dict.fromkeys(tuple(sorted(picks.some(every, 4))) for _ in range(picks.number(3)))
        low, high = picks.among(BOUNDS)
        pieces.append(FittingPiece(Placements(rows), low, high, name=picks.among(("", "a", "b c", "é"))))
    optional = frozenset(picks.some(every, 3)) if picks.rarely() else frozenset[int]()
    empty = (picks.number(2), picks.number(3)) if picks.rarely() else None
    beyond: tuple[tuple[int, ...], ...] = ()
    mates: tuple[tuple[str, str], ...] = ()
    if picks.rarely():
        beyond = tuple((at - 1, at + 1 if at + 1 < size else -1) for at in every)
        mates = picks.among(((), (("r", "b"), ("b", "r"))))
        for _ in range(1 + picks.number(2)):
            lying = {(picks.among(every), picks.among(COLOURS), picks.among(COLOURS)) for _ in range(picks.number(3))}
            shown = tuple((left, right) for _, left, right in sorted(lying))
            pieces.append(FittingPiece(Placements([at] for at, *_ in sorted(lying)), 1, 1, shown))
    crossings: tuple[tuple[tuple[int, int], ...], ...] = ()
    if picks.rarely() and size > 3:
        crossings = (((picks.number(1), 2), (3, size - 1)),)
    return Fitting(size, tuple(pieces), optional, empty, beyond, mates, crossings)


def cover_of(picks: Picks) -> ExactCover:
    """Return a small exact cover: bounds, secondary items, colours."""
    primary, secondary = 1 + picks.number(4), picks.number(3)
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(picks.number(8)):
        row: list[int | tuple[int, int]] = list(picks.some(range(primary), 3))
        if secondary and picks.number(1):
            others = picks.some(range(primary, primary + secondary), 3)
            row += [(item, picks.among((0, 1, 2, 2**31 - 1))) for item in others]
        rows.append(row)
    bounds = [picks.among(BOUNDS) for _ in range(primary)] if picks.number(1) else None
    return ExactCover.from_rows(rows, primary, secondary, bounds)


def try_puzzle(content: bytes) -> Said:
    """Lower a puzzle made of choices."""
    picks = Picks(content)
    try:
        puzzle = puzzle_of(picks)
    except ValueError:  # the IR refuses impossible copies and boards
        return False, ()
    report = Report()
    try:
        fitting = place(puzzle, report)
    except PuzzleError as error:
        return False, error.diagnostics
    lowered(fitting, report)
    return True, report.diagnostics


def try_fitting(content: bytes) -> Said:
    """Lower a fitting made of choices."""
    report = Report()
    try:
        fitting = fitting_of(Picks(content))
    except ValueError:
        return False, ()
    lowered(fitting, report)
    return True, report.diagnostics


def try_cover(content: bytes) -> Said:
    """Reduce and raise an exact cover made of choices."""
    report = Report()
    cover = cover_of(Picks(content))
    encoding = encoded_cover(cover)
    impossible(encoding, report)
    _holds(encoding, report)
    if encoding.faithful:
        again = encode(encoding.fitting).cover
        if len(cover) <= FEW >= len(again):
            assert len(covers(again)) == len(covers(cover)), "a raised cover has other solutions"
    return True, report.diagnostics


def lowered(fitting: Fitting, report: Report) -> Encoding:
    """Encode a fitting, find symmetries and reasons why it has no solution, and check them."""
    fitting.verify()
    encoding = encode(fitting)
    impossible(fitting, report)
    _holds(encoding, report)
    return encoding


def _holds(encoding: Encoding, report: Report) -> None:
    cover = encoding.cover
    cover.verify()
    assert len(cover) == len(encoding.piece) == len(encoding.index), "an option without a meaning"
    redundant(cover)
    try:
        found = symmetry(encoding)
        for options in found.options:
            assert sorted(options) == list(range(len(cover))), "a symmetry is not a permutation"
    except GroupTooLargeError:
        found = None
    smaller = reduce(cover, compiled=False)
    smaller.cover.verify()
    if len(cover) > FEW:
        return
    solutions = covers(cover)
    assert set(smaller.lift(covers(smaller.cover))) == solutions, "a reduction has other solutions"
    if report.errors:
        assert not solutions, f"{report.diagnostics[-1].code}, and there is a solution"
    for options in found.options if found is not None else ():
        assert {tuple(sorted(options[option] for option in chosen)) for chosen in solutions} == solutions, (
            "a symmetry maps a solution to something else"
        )


def covers(cover: ExactCover) -> set[tuple[int, ...]]:
    """Return all covers, by trying every set of options."""
    found = set()
    entries = [cover.entries(option) for option in range(len(cover))]
    for size in range(len(cover) + 1):
        for chosen in combinations(range(len(cover)), size):
            times = [0] * cover.primary
            shown: dict[int, int] = {}
            fits = True
            for option in chosen:
                for item, colour in entries[option]:
                    if item < cover.primary:
                        times[item] += 1
                    elif shown.setdefault(item, colour or -option - 1) != (colour or -option - 1):
                        fits = False
            if fits and all(map(_within, times, cover.low, cover.high)):
                found.add(chosen)
    return found


def _within(times: int, low: int, high: int) -> bool:
    return low <= times <= high
