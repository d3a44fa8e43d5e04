"""What blocks the turns of pieces that hold one another together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from math import degrees, hypot, radians
from typing import NamedTuple

import numpy as np

from puzzlec.geometry import Point
from puzzlec.geometry.lattice import identity
from puzzlec.motion.disassembly import Disassembly
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body, scaled_turn
from puzzlec.motion.rotation import Rotation, rotation_about
from puzzlec.motion.turn_steps import pivot_of
from puzzlec.motion.turning import Turn, Turning
from puzzlec.motion.turns import Turns, TurnState

#: How far before a collision the angle of a turn may end, and pieces that are met within this angle count as met.
ANGLE_PRECISION, MEETING_ANGLE = radians(0.01), radians(0.5)


class TurnBlock(NamedTuple):
    """The obstacles of a piece in its turns about the axes of one direction, one way.

    The ``turn`` is the one that goes farthest without a shift. It has no path. It goes for some ``degrees``, rounded
    down, and then the piece meets the pieces ``met``. If a whole turn is possible, also with a shift, it meets none.
    """

    piece: int
    turn: Rotation
    degrees: int
    met: tuple[int, ...]


def turn_blocks(disassembly: Disassembly, pieces: Sequence[int], turning: Turning) -> Iterator[TurnBlock]:
    """Yield what blocks the turns of some pieces at the start, if only they are there.

    Pieces that never move are left out. For each other piece there are two ways about the axes of each direction.
    """
    lattice, every, _ = disassembly.in_parts()
    gaps = Gaps(lattice)
    turns, bodies = Turns(gaps, turning.clearance), [every[number] for number in pieces]
    shapes, places = zip(*[gaps.shape_of(body.cells) for body in bodies], strict=True)
    for state, valid in turns.states(shapes, [place - places[0] for place in places]):
        for number, body in enumerate(bodies):
            for sense in (1, -1) if not body.fixed else ():
                pivot, angle, met = _farthest(state, number, sense, valid)
                turn = scaled_turn(_rotation(state, bodies, number, sense, pivot), disassembly.step)
                yield TurnBlock(pieces[number], turn, angle, tuple([pieces[other] for other in met]))


def _farthest(state: TurnState, piece: int, sense: int, valid: int) -> tuple[tuple[int, int], int, tuple[int, ...]]:
    """Return the pivot of the turn of a piece that goes farthest, its angle in degrees, and the pieces that it meets.

    A turn back is a turn of all others forth. Of turns that go equally far, the nearest one counts.
    """
    turns, window, plane = state.turns, state.window, state.turns.planes[state.number]
    others = [other for other in range(state.size) if other != piece]
    alone, rest = 1 << piece, ((1 << state.size) - 1) ^ 1 << piece
    inside, outside = (alone, rest) if sense > 0 else (rest, alone)
    middle = _middle(turns.box_of(state.shapes[piece]), plane.across, state.here[piece])
    bits = [bit for bit in range(valid.bit_length()) if valid >> bit & 1]
    bits.sort(key=lambda bit: hypot(*[p - window.scale * m for p, m in zip(window.pivot(bit), middle, strict=True)]))
    free, touching = state.free(inside, outside, valid)
    whole = next((bit for bit in bits if free >> bit & 1), None)
    if whole is None:
        whole = next(
            (bit for bit in bits
             if state.not_stuck(1 << bit, touching) and state.paths(inside, outside, [bit])[0]), None
        )  # fmt: skip
    if whole is not None:
        return window.pivot(whole), round(degrees(plane.angle)), ()
    pairs, owners = [], list[int]()
    for other in others:
        sides = [[(state.shapes[n], state.places[n])] for n in (piece, other)]
        between = list(turns.cells_between(state.number, *(sides if sense > 0 else sides[::-1])))
        pairs += between
        owners += [other] * len(between)
    pivots = [window.pivot(bit) for bit in bits]
    angles = turns.angles(pairs, np.array(pivots, float), ANGLE_PRECISION)
    reached = angles.min(axis=1)
    best = int(np.argmax(reached > reached.max() - ANGLE_PRECISION))
    near = angles[best] < reached[best] + MEETING_ANGLE
    return pivots[best], int(degrees(reached[best])), tuple(dict.fromkeys(compress(owners, near)))  # ascending


def _middle(box: tuple[Point, Point], across: Sequence[int], at: Sequence[int]) -> list[float]:
    """Return the middle of a piece in a plane."""
    return [(box[0][n] + box[1][n]) / 2 + a for n, a in zip(across, at, strict=True)]


def _rotation(state: TurnState, bodies: Sequence[Body], piece: int, sense: int, pivot: tuple[int, int]) -> Rotation:
    """Return a turn of a piece without a path."""
    plane, scale, here = state.turns.planes[state.number], state.window.scale, state.here[piece]
    relative = pivot[0] - scale * here[0], pivot[1] - scale * here[1]
    turn = Turn(1 << piece, state.number, sense, relative, piece)
    still = identity(len(state.turns.lattice.translations[0]))
    return rotation_about(plane, sense, pivot_of(state.turns, turn, min(bodies[piece].cells), still), ())
