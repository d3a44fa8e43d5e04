"""Why an assembly does not come apart: the least set of pieces that holds itself together, and what blocks each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from puzzlec.geometry import Point
from puzzlec.motion.disassembly import Body, Disassembly
from puzzlec.motion.gaps import NEVER, Gaps
from puzzlec.motion.search import Bounds, StoppedError, first_separations, gap_table

#: This many sets of pieces of each size are tried. Afterwards, pieces are left out one by one.
MOST_SETS = 4000


class Block(NamedTuple):
    """The obstacles of a piece in a direction: the steps that it can make, and the pieces that it then meets."""

    piece: int
    direction: Point
    steps: int
    met: tuple[int, ...]


class Hold(NamedTuple):
    """Pieces that hold one another together, and what blocks each of them in each direction.

    ``smallest`` says whether no smaller set does. Otherwise the set is only one from which no piece can be left out. If
    a search reached its limits, it is the whole part that stays together.
    """

    pieces: tuple[int, ...]
    smallest: bool
    blocks: tuple[Block, ...]


def why_not(disassembly: Disassembly, bounds: Bounds | None = None) -> Hold | None:
    """Return the least set of pieces that keeps an assembly from coming apart; None if no part is held.

    Args:
        disassembly: An assembly that does not come apart.
        bounds: Limits of time and memory of each search.

    """
    if len(disassembly.held) < 2:
        return None
    gaps = Gaps(disassembly.lattice)
    try:
        pieces, smallest = _least(gaps, disassembly.bodies, disassembly.held, bounds or Bounds())
    except StoppedError:
        pieces, smallest = tuple(disassembly.held), False
    return Hold(pieces, smallest, tuple(_blocks(gaps, disassembly.bodies, pieces)))


def _least(gaps: Gaps, bodies: Sequence[Body], held: Sequence[int], bounds: Bounds) -> tuple[tuple[int, ...], bool]:
    """Return a least set of pieces without a separation, and whether it is known to be the least."""
    for size in range(2, len(held)):
        sets = list(islice(combinations(held, size), MOST_SETS + 1))
        if len(sets) > MOST_SETS:
            return _thinned(gaps, bodies, held, bounds), False
        for pieces in sets:
            if _holds(gaps, bodies, pieces, bounds):
                return pieces, True
    return tuple(held), True


def _thinned(gaps: Gaps, bodies: Sequence[Body], held: Sequence[int], bounds: Bounds) -> tuple[int, ...]:
    """Return a set of pieces without a separation from which none can be left out."""
    kept = tuple(held)
    for piece in held:
        fewer = tuple([other for other in kept if other != piece])
        if len(fewer) > 1 and _holds(gaps, bodies, fewer, bounds):
            kept = fewer
    return kept


def _holds(gaps: Gaps, bodies: Sequence[Body], pieces: Sequence[int], bounds: Bounds) -> bool:
    shapes, places = zip(*[gaps.shape_of(bodies[number].cells) for number in pieces], strict=True)
    return not first_separations(gaps, shapes, places, bounds).goals


def _blocks(gaps: Gaps, bodies: Sequence[Body], pieces: Sequence[int]) -> Iterator[Block]:
    shapes, places = zip(*[gaps.shape_of(bodies[number].cells) for number in pieces], strict=True)
    table = gap_table(gaps, shapes, places)
    for number, piece in enumerate(pieces):
        for axis, rows in zip(gaps.axes, table, strict=True):
            back = tuple([-value for value in axis])
            for direction, row in ((axis, rows[number]), (back, [row[number] for row in rows])):
                steps = min([gap for other, gap in enumerate(row) if other != number])
                if steps < NEVER:
                    met = tuple([pieces[other] for other, gap in enumerate(row) if gap == steps])
                    yield Block(piece, direction, steps, met)
