"""Pieces as they lie in a solution: a line that two of them have in common is cut once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, dist, pi
from typing import Any

from puzzlec.geometry.faces import Place
from puzzlec.make.laser.cuts import Line, grown, lines_within, rings
from puzzlec.make.laser.flat import GRID, library

_Node = tuple[float, float]


def cut_once(shapes: Sequence[Any], kerf: float) -> tuple[Line, ...]:
    """Return the lines that cut shapes apart that lie side by side, none of them twice, in mm.

    Lines within come first, as long as they go straight on; then holes, then what is around everything. The beam takes
    half of its width from both sides of a line within, so that is the play of the pieces; the outline lies half a kerf
    outside, and lines that end there go on as far.
    """
    shapely = library()
    board = shapely.unary_union(list(shapes), grid_size=GRID).simplify(GRID / 2)
    everything = shapely.unary_union([shape.boundary for shape in shapes], grid_size=GRID)
    within = shapely.difference(everything, board.boundary, grid_size=GRID)
    lines = strokes(_segments(within))
    outline = grown(board, kerf / 2)
    if kerf:
        reach = [shapely.LineString(_prolonged(line, board.boundary, kerf)) for line in lines]
        lines = [Line(tuple(each.coords)) for each in lines_within(reach, outline)]
    return (*sorted(lines, key=lambda line: [(y, x) for x, y in line.places]), *rings(outline))


def strokes(segments: Iterable[tuple[_Node, _Node]]) -> list[Line]:
    """Return lines made of segments, each of which goes on straight where it can, or where nothing else goes on.

    >>> [line.places for line in strokes([((0, 0), (1, 0)), ((1, 0), (2, 0)), ((1, 0), (1, 1))])]
    [((0, 0), (2, 0)), ((1, 0), (1, 1))]
    """
    beside: dict[_Node, list[_Node]] = defaultdict(list)
    for a, b in sorted({(min(pair), max(pair)) for pair in segments}):
        beside[a].append(b)
        beside[b].append(a)
    onward = {node: _pairs(node, others) for node, others in beside.items()}
    used: set[tuple[_Node, _Node]] = set()
    # Lines with ends first, from their ends; what is left are closed ones.
    ends = [(node, other) for node in sorted(beside) for other in beside[node] if other not in onward[node]]
    found = []
    for start, then in [*ends, *((a, b) for a in sorted(beside) for b in beside[a])]:
        if (start, then) not in used:
            places = list(_followed(start, then, onward, used))
            closed = places[0] == places[-1] and len(places) > 3
            found.append(Line(tuple(_corners(places[:-1] if closed else places, closed)), closed))
    return found


def _followed(
    start: _Node, then: _Node, onward: dict[_Node, dict[_Node, _Node]], used: set[tuple[_Node, _Node]]
) -> Iterator[_Node]:
    before, here = start, then
    yield start
    while (before, here) not in used:
        used |= {(before, here), (here, before)}
        yield here
        if before not in onward[here]:
            return
        before, here = here, onward[here][before]


def _pairs(node: _Node, others: Sequence[_Node]) -> dict[_Node, _Node]:
    """Return which segments at a node are one line: two that lie straight, or the only two."""
    if len(others) == 2:
        return {others[0]: others[1], others[1]: others[0]}
    found: dict[_Node, _Node] = {}
    angles = {other: atan2(other[1] - node[1], other[0] - node[0]) for other in others}
    for one in others:
        for other in others:
            if one not in found and other not in found and abs(abs(angles[one] - angles[other]) - pi) < 1e-3:
                found |= {one: other, other: one}
    return found


def _corners(places: Sequence[_Node], closed: bool) -> list[_Node]:
    """Return places without those in the middle of a straight line."""
    kept = []
    for number, here in enumerate(places):
        at_end = not closed and number in (0, len(places) - 1)
        before, after = places[number - 1], places[(number + 1) % len(places)]
        bend = abs((here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0]))
        if at_end or bend > 1e-3 * dist(before, after):
            kept.append(here)
    return kept


def _segments(lines: Any) -> Iterator[tuple[_Node, _Node]]:
    for line in getattr(lines, "geoms", [lines]):
        places = [(x, y) for x, y, *_ in line.coords]
        yield from pairwise(places)


def _prolonged(line: Line, rim: Any, by: float) -> list[Place]:
    """Return the places of a line, ends on the rim moved on straight by so much; a closed one with its start again."""
    places: list[Place] = list(line.places)
    if line.closed:
        return [*places, places[0]]
    point = library().Point
    for end, next_ in ((0, 1), (-1, -2)):
        if rim.distance(point(places[end])) < 10 * GRID:
            (x, y), (u, v) = places[end][:2], places[next_][:2]
            long = dist((x, y), (u, v))
            further = (x + by * (x - u) / long, y + by * (y - v) / long)
            # Where the rim goes on in the same direction, its own line opens the end.
            if rim.distance(point(further)) > 10 * GRID:
                places[end] = further
    return places
