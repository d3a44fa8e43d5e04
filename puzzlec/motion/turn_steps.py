"""The moves of a plan with turns, in the coordinates of the puzzle.

The search describes a state as it looks if the first piece of a part rests. So a part has a *frame*: the rotation from
the coordinates of its search to those of the puzzle. It changes when the first piece turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from puzzlec.geometry import Cell, Point
from puzzlec.geometry.lattice import Matrix, identity, inverse, multiply, turned
from puzzlec.motion.gaps import shift
from puzzlec.motion.moves import Body, Spans, Step, weight
from puzzlec.motion.rotation import Corner, corners_only, plane_of, reversed_path, rotation_about
from puzzlec.motion.search import Shift, members
from puzzlec.motion.turning import Turn
from puzzlec.motion.turns import Turns


def steps_with_turns(
    turns: Turns, spans: Spans, bodies: Sequence[Body], order: Sequence[int], moves: Sequence[Shift | Turn]
) -> Iterator[Step]:
    """Yield the moves of a plan in terms of the bodies; what is fixed rests, otherwise the larger side does."""
    lattice = turns.lattice
    everything = frozenset(range(len(bodies)))
    still, zero = identity(len(lattice.translations[0])), (0,) * lattice.dimension
    part_of, frames = dict.fromkeys(everything, everything), {everything: still}
    here = dict(enumerate(bodies))
    for move in moves:
        away = frozenset(order[number] for number in members(move.pieces))
        whole = part_of[min(away)]
        stay, frame = whole - away, frames[whole]
        back = weight(bodies, away) > weight(bodies, stay)
        moving, resting = (stay, away) if back else (away, stay)
        numbers = tuple(sorted(moving))
        if isinstance(move, Turn):
            first = min(_in_frame(turns, here[order[move.anchor]].cells, frame))
            sides = [[here[number] for number in sorted(side)] for side in (away, stay)]
            path, pivot = _path(turns, move, first, sides, frame), pivot_of(turns, move, first, frame)
            rotation = turns.planes[move.plane].rotation(move.sense)
            plane, sense = plane_of(lattice, multiply(multiply(frame, rotation), _inverse(frame)))
            if back:
                path, sense = reversed_path(path, sense * plane.angle, plane.across), -sense
                frames[whole] = multiply(plane.rotation(sense), frame)
            turn = rotation_about(plane, sense, pivot, corners_only(path))
            step = Step(numbers, zero, 0, False, turn)
            for number in moving:
                body = here[number]
                here[number] = body._replace(cells=tuple([turn.image(lattice, cell) for cell in body.cells]))
        else:
            way = turned(frame, shift(lattice, spans.axes[move.axis]))
            direction = _coordinates(lattice.translations, tuple([-value for value in way]) if back else way)
            distance = move.distance
            if not distance:
                ahead, behind = [(here[n], zero) for n in moving], [(here[n], zero) for n in resting]
                axis = direction
                if axis not in spans.axes:  # one of two opposite directions is an axis
                    axis, ahead, behind = tuple([-value for value in axis]), behind, ahead
                distance = spans.past(spans.axes.index(axis), ahead, behind)
            step = Step(numbers, direction, distance, move.distance == 0)
            for number in moving:
                body = here[number]
                gone = [distance * value for value in direction]
                cells = [
                    (*[a + b for a, b in zip(cell, gone, strict=False)], *cell[len(gone) :]) for cell in body.cells
                ]
                here[number] = body._replace(cells=tuple(cells))
        yield step
        if step.separates:
            part_of |= dict.fromkeys(away, away) | dict.fromkeys(stay, stay)
            frames[away] = frames[stay] = frames[whole]


def _coordinates(translations: Sequence[Point], vector: Point) -> Point:
    """Return a vector between points as a combination of the translations."""
    across, scale = inverse(tuple(zip(*translations, strict=True)))
    return tuple([value // scale for value in turned(across, vector)])


def _in_frame(turns: Turns, cells: Sequence[Cell], frame: Matrix) -> list[Cell]:
    """Return cells in the coordinates of the search, rotated about the origin."""
    lattice = turns.lattice
    back = _inverse(frame)
    rotated = [lattice.cell(turned(back, lattice.point(cell))) for cell in cells]
    return [cell for cell in rotated if cell is not None]


def _inverse(rotation: Matrix) -> Matrix:
    matrix, scale = inverse(rotation)
    return tuple([tuple([value // scale for value in row]) for row in matrix])


def pivot_of(turns: Turns, move: Turn, first: Cell, frame: Matrix) -> tuple[Fraction, ...]:
    """Return the pivot of a turn as a point of the puzzle; ``first`` is the first cell of its anchor in the frame."""
    lattice, plane = turns.lattice, turns.planes[move.plane]
    coordinates = [Fraction(value) for value in first[: lattice.dimension]]
    for row, value in zip(plane.across, move.pivot, strict=True):
        coordinates[row] += Fraction(value, plane.scale)
    point = [
        sum((c * vector[k] for c, vector in zip(coordinates, lattice.translations, strict=True)), Fraction(0))
        for k in range(len(lattice.translations[0]))
    ]
    return tuple([sum((value * p for value, p in zip(row, point, strict=True)), Fraction(0)) for row in frame])


def _path(turns: Turns, move: Turn, first: Cell, sides: Sequence[list[Body]], frame: Matrix) -> list[Corner]:
    """Return the path of the first side of a turn on the paper of the puzzle.

    The search turns the first or the second side forth. So the path is searched for that side, and then for the other.
    """
    lattice, plane = turns.lattice, turns.planes[move.plane]
    movers, others = (
        [turns.gaps.shape_of(_in_frame(turns, body.cells, frame)) for body in side]
        for side in (sides if move.sense > 0 else sides[::-1])
    )
    pivot = [plane.scale * first[row] + p for row, p in zip(plane.across, move.pivot, strict=True)]
    path: list[Corner] = []
    for angle, (x, y) in turns.path(list(turns.cells_between(move.plane, movers, others)), pivot):
        vector = [0.0] * lattice.dimension
        vector[plane.across[0]], vector[plane.across[1]] = x, y
        path.append((angle, tuple(vector)))
    if move.sense < 0:
        path = reversed_path(path, plane.angle, plane.across)
    return [(angle, _on_paper(turns, frame, vector)) for angle, vector in path]


def _on_paper(turns: Turns, frame: Matrix, vector: Sequence[float]) -> tuple[float, ...]:
    """Return a vector on paper, rotated by a frame."""
    lattice = turns.lattice
    if not lattice.axes:
        return tuple([sum(value * v for value, v in zip(row, vector, strict=True)) for row in frame])
    # The rotation of vectors on paper: the image of each unit vector, as a combination of the directions on paper.
    import numpy as np

    axes = np.array(lattice.axes, float)
    return tuple((np.array(vector) @ np.linalg.inv(axes) @ np.array(frame, float).T @ axes).tolist())
