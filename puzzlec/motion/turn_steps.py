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
from puzzlec.motion.turns import Pairs, Turns


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
            sides = [here[n].cells for n in sorted(away)], [here[n].cells for n in sorted(stay)]
            rotation, path = _turn(turns, move, here[order[move.anchor]].cells, sides, frame)
            plane, sense = plane_of(lattice, rotation)
            pivot = _pivot(turns, move, here[order[move.anchor]].cells, frame)
            if back:
                path, sense = reversed_path(path, sense * plane.angle, plane.paper), -sense
                frames[whole] = multiply(plane.turn if sense > 0 else plane.turn_back, frame)
            step = Step(numbers, zero, 0, False, rotation_about(plane, sense, pivot, corners_only(path)))
            assert step.turn is not None
            for number in moving:
                body = here[number]
                here[number] = body._replace(cells=tuple([step.turn.image(lattice, cell) for cell in body.cells]))
        else:
            way = turned(frame, shift(lattice, spans.axes[move.axis]))
            direction = _coordinates(lattice.translations, tuple([-value for value in way]) if back else way)
            distance = move.distance
            if not distance:
                sides_ = [(here[n], zero) for n in moving], [(here[n], zero) for n in resting]
                if direction in spans.axes:
                    distance = spans.past(spans.axes.index(direction), *sides_)
                else:
                    opposite = tuple([-value for value in direction])
                    distance = spans.past(spans.axes.index(opposite), *sides_[::-1])
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
    found = [lattice.cell(turned(back, lattice.point(cell))) for cell in cells]
    return [cell for cell in found if cell is not None]


def _inverse(rotation: Matrix) -> Matrix:
    matrix, scale = inverse(rotation)
    return tuple([tuple([value // scale for value in row]) for row in matrix])


def _pivot(turns: Turns, move: Turn, anchor: Sequence[Cell], frame: Matrix) -> tuple[Fraction, ...]:
    """Return the pivot of a turn as a point of the puzzle."""
    lattice, plane = turns.lattice, turns.planes[move.plane]
    first = min(_in_frame(turns, anchor, frame))
    coordinates = [Fraction(value) for value in first[: lattice.dimension]]
    for row, value in zip(plane.across, move.pivot, strict=True):
        coordinates[row] += Fraction(value, plane.scale)
    point = [
        sum((c * vector[k] for c, vector in zip(coordinates, lattice.translations, strict=True)), Fraction(0))
        for k in range(len(lattice.translations[0]))
    ]
    return tuple([sum((value * p for value, p in zip(row, point, strict=True)), Fraction(0)) for row in frame])


def _turn(
    turns: Turns, move: Turn, anchor: Sequence[Cell], sides: tuple[list[tuple[Cell, ...]], ...], frame: Matrix
) -> tuple[Matrix, list[Corner]]:
    """Return the rotation of the pieces of a move in the puzzle, and its path there.

    The search turns the first or the second side forth. So the path is searched for that side, and then for the other.
    """
    lattice, plane = turns.lattice, turns.planes[move.plane]
    first = min(_in_frame(turns, anchor, frame))
    one, other = plane.across
    pivot = [plane.scale * first[n] + p for n, p in zip((one, other), move.pivot, strict=True)]
    movers, others = sides if move.sense > 0 else sides[::-1]
    pairs: Pairs = [
        ((a[one], a[other]), a[-1] if several else 0, (b[one], b[other]), b[-1] if several else 0)
        for several in [len(lattice.kinds) > 1]
        for body in movers
        for a in _in_frame(turns, body, frame)
        for those in others
        for b in _in_frame(turns, those, frame)
        if plane.along is None or a[plane.along] == b[plane.along]
    ]
    flat = turns.path(pairs, pivot) if pairs else [(0.0, (0.0, 0.0)), (plane.angle, (0.0, 0.0))]
    path: list[Corner] = []
    for angle, (x, y) in flat:
        vector = [0.0] * lattice.dimension
        vector[plane.paper[0]], vector[plane.paper[1]] = x, y
        path.append((angle, tuple(vector)))
    if move.sense < 0:
        path = reversed_path(path, plane.angle, plane.paper)
    rotation = multiply(multiply(frame, plane.turn if move.sense > 0 else plane.turn_back), _inverse(frame))
    return rotation, [(angle, _on_paper(turns, frame, vector)) for angle, vector in path]


def _on_paper(turns: Turns, frame: Matrix, vector: Sequence[float]) -> tuple[float, ...]:
    """Return a vector on paper, rotated by a frame."""
    lattice = turns.lattice
    if not lattice.axes:
        return tuple([sum(value * v for value, v in zip(row, vector, strict=True)) for row in frame])
    # The rotation of vectors on paper: the image of each unit vector, as a combination of the directions on paper.
    import numpy as np

    axes = np.array(lattice.axes, float)
    return tuple((np.array(vector) @ np.linalg.inv(axes) @ np.array(frame, float).T @ axes).tolist())
