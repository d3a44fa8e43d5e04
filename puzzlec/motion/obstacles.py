"""Why an assembly does not come apart: the least set of pieces that holds itself together, and what blocks each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from typing import NamedTuple

from puzzlec.geometry import Point
from puzzlec.motion.disassembly import Disassembly
from puzzlec.motion.gaps import ENDLESS_GAP, Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.rotation import integral
from puzzlec.motion.search import Bounds, First, SearchStoppedError, first_separations, gap_table
from puzzlec.motion.turning import Turning

#: This many sets of pieces of each size are tried. Afterwards, pieces are left out one by one.
MAX_SETS_OF_SIZE = 4000


class PieceObstacles(NamedTuple):
    """The obstacles of a piece in a direction: the steps that it can make, and the pieces that it then meets."""

    piece: int
    direction: Point
    steps: int | Fraction
    met: tuple[int, ...]


class Hold(NamedTuple):
    """Pieces that hold one another together, and what blocks the slides of each of them that can move.

    ``smallest`` says whether no smaller set does. Otherwise the set is only one from which no piece can be left out. If
    a search reached its limits, it is the whole part that stays together.
    """

    pieces: tuple[int, ...]
    smallest: bool
    blocks: tuple[PieceObstacles, ...]


def why_not(disassembly: Disassembly, bounds: Bounds | None = None) -> Hold | None:
    """Return the least set of pieces that keeps an assembly from coming apart; None if no part is held.

    If the pieces of the assembly turn, no turn of these pieces helps either, and
    :func:`puzzlec.motion.turn_obstacles.turn_blocks` has what blocks their turns.

    Args:
        disassembly: An assembly that does not come apart.
        bounds: Limits of time and memory of each search.

    """
    if len(disassembly.held) < 2:
        return None
    lattice, bodies, _ = disassembly.in_parts()
    gaps = Gaps(lattice)
    try:
        holds = _holding(gaps, bodies, disassembly.turning, bounds or Bounds())
        pieces, smallest = _least(holds, disassembly.held)
    except SearchStoppedError:
        pieces, smallest = tuple(disassembly.held), False
    blocks = [block._replace(steps=integral(block.steps * disassembly.step)) for block in _blocks(gaps, bodies, pieces)]
    return Hold(pieces, smallest, tuple(blocks))


def _least(holds: Callable[[Sequence[int]], bool], held: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """Return a least set of pieces without a separation, and whether it is known to be the least."""
    for size in range(2, len(held)):
        sets = list(islice(combinations(held, size), MAX_SETS_OF_SIZE + 1))
        if len(sets) > MAX_SETS_OF_SIZE:
            return _thinned(holds, held), False
        for pieces in sets:
            if holds(pieces):
                return pieces, True
    return tuple(held), True


def _thinned(holds: Callable[[Sequence[int]], bool], held: Sequence[int]) -> tuple[int, ...]:
    """Return a set of pieces without a separation from which none can be left out."""
    kept = tuple(held)
    for piece in held:
        fewer = tuple([other for other in kept if other != piece])
        if len(fewer) > 1 and holds(fewer):
            kept = fewer
    return kept


def _holding(
    gaps: Gaps, bodies: Sequence[Body], turning: Turning | None, bounds: Bounds
) -> Callable[[Sequence[int]], bool]:
    """Return the function that says whether pieces have no separation, by the moves of their assembly."""
    first: Callable[[Sequence[int], Sequence[int], Bounds], First] = partial(first_separations, gaps)
    if turning is not None:
        from puzzlec.motion.turn_search import TurnSearch  # it needs numpy

        first = TurnSearch(gaps, turning).first_separations

    def holds(pieces: Sequence[int]) -> bool:
        shapes, places = zip(*[gaps.shape_of(bodies[number].cells) for number in pieces], strict=True)
        return not first(shapes, places, bounds).goals

    return holds


def _blocks(gaps: Gaps, bodies: Sequence[Body], pieces: Sequence[int]) -> Iterator[PieceObstacles]:
    shapes, places = zip(*[gaps.shape_of(bodies[number].cells) for number in pieces], strict=True)
    table = gap_table(gaps, shapes, places)
    for number, piece in enumerate(pieces):
        for axis, rows in zip(gaps.axes, table, strict=True) if not bodies[piece].fixed else ():
            back = tuple([-value for value in axis])
            for direction, row in ((axis, rows[number]), (back, [row[number] for row in rows])):
                steps = min([gap for other, gap in enumerate(row) if other != number])
                if steps < ENDLESS_GAP:
                    met = tuple([pieces[other] for other, gap in enumerate(row) if gap == steps])
                    yield PieceObstacles(piece, direction, steps, met)
