"""Rules about how pieces meet, as rules on regions: points, lines, neighbours and images of locations.

- *No crossroads* counts the pieces at the locations around each point, at most three, or another number.
- *No faults* counts the pieces on both sides of each line, at least one.
- *Apart* counts, for each two neighbours, the pieces that cover one of them without the other, at most one.
- *Touching* and *symmetric* are rules on pairs: neighbours, and locations with their images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import gcd

from puzzlec.diagnostics import Report
from puzzlec.geometry import Lattice, Matrix, Point
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.lattice import multiply, turned
from puzzlec.geometry.solids import dot, minus, plus, solid
from puzzlec.geometry.wording import seen_on_paper
from puzzlec.ir import Condition, Cost, Meeting, MeetingKind, Puzzle, RegionRule
from puzzlec.ir.location import Address
from puzzlec.lower.board import orientations
from puzzlec.lower.movements import carried

#: The names of axes.
AXES = "xyz"

#: The names of rotations by their order.
_TURNS = {2: "half-turn", 3: "third-turn", 4: "quarter-turn", 6: "sixth-turn"}

#: Largest difference of a rounded coordinate on paper from an integer.
_MAX_ROUNDING = 0.01


def region_rules(puzzle: Puzzle, report: Report) -> Iterator[RegionRule[int]]:
    """Yield the rules on regions that follow from rules about how pieces meet; report those without a meaning."""
    for meeting in puzzle.rules.meetings:
        yield from _supported(puzzle, meeting, "no", report)


def placed_costs(puzzle: Puzzle, number: Mapping[Address, int], report: Report) -> Iterator[Cost[int]]:
    """Yield costs with the ``number`` of each location. Those of crossroads and faults become one for each place."""
    for cost in puzzle.costs:
        if cost.payer.is_meeting:
            kind = MeetingKind(cost.payer.value)
            meeting = Meeting(kind, motion=cost.name, where=cost.where, region=cost.region, span=cost.span)
            regions = [rule.region for rule in _supported(puzzle, meeting, "cost", report)]
            for region in regions or [()]:  # even if there is no such point, solutions have a cost
                yield Cost(cost.value, cost.payer, "", "at", region, cost.span)
        else:
            yield cost.on([number[at] for at in cost.region if at in number])


def _supported(puzzle: Puzzle, meeting: Meeting, first: str, report: Report) -> list[RegionRule[int]]:
    """Return the rules on regions of a statement with this first word; report it if it has no meaning."""
    why = against(puzzle, meeting)
    if first == "no" and meeting.kind is MeetingKind.FAULTS and not why and not meeting.motion and _is_strip(puzzle):
        why = "each side is alone on its line, so one piece must cover the board"
    rules = [] if why else rules_of(puzzle, meeting)
    if why or not (rules or meeting.kind is MeetingKind.CROSSROADS):
        report.add(
            "PZ373",
            f"this board does not support `{_words(meeting, first)}`",
            meeting.span,
            note=why or _NOTHING[meeting.kind],
            help=_instead(puzzle, meeting, first) if why else (),
            file=puzzle.title,
        )
    elif idle := _idle(puzzle, meeting, rules):
        message = f"`{_words(meeting, first)}` has no effect: {idle}"
        report.add("PZ386", message, meeting.span, help="remove the statement", file=puzzle.title)
    return rules


def _idle(puzzle: Puzzle, meeting: Meeting, rules: Sequence[RegionRule[int]]) -> str:
    """Return why no solution breaks a rule about crossroads or pieces that keep apart; empty if one can."""
    if meeting.kind is MeetingKind.CROSSROADS and not rules:
        where = f" {meeting.where} this region" * bool(meeting.where)
        return f"no point{where} has more than {meeting.high} locations around it"
    if meeting.kind is MeetingKind.APART and sum(puzzle.piece_named[name].high for name in meeting.pieces) == 1:
        return f"`{meeting.pieces[0]}` has only one copy"
    return ""


def _words(meeting: Meeting, first: str) -> str:
    """Return a rule in the words of the language; of a cost, with this ``first`` word."""
    return meeting.words.replace("no ", f"{first} ", 1) if first == "cost" else meeting.words


def _instead(puzzle: Puzzle, meeting: Meeting, first_word: str) -> tuple[str, ...]:
    """Return suggestions for a motion or an axis that the lattice does not have."""
    lattice = puzzle.lattice
    if lattice is None or not meeting.motion:
        return ()
    is_fault = meeting.kind is MeetingKind.FAULTS
    allowed = ["", *AXES[: lattice.dimension]] if is_fault else [*motion_words(lattice)]
    if meeting.motion in allowed:
        return ()
    spoken = {"horizontal": "mirror x", "vertical": "mirror y"}
    first, *_, last = meeting.motion.split() * 2
    near = [word for word in allowed if word in {spoken.get(last), *meeting.motion.split()}]
    near += [word for word in allowed if word.split()[:1] == [first]]
    near += [word for word in allowed if not word or (first.endswith("-turn") and word.startswith("half-turn"))]
    others = [replace(meeting, motion=word) for word in near]
    supported = [one for one in others if not against(puzzle, one) and rules_of(puzzle, one)]
    return tuple([f"write `{_words(one, first_word)}`" for one in supported[:1]])


def rules_of(puzzle: Puzzle, meeting: Meeting) -> list[RegionRule[int]]:
    """Return the rules on regions of one rule that has a meaning on the board."""
    return list(_MAKERS[meeting.kind](puzzle, meeting))


def unsupported(puzzle: Puzzle, meeting: Meeting) -> str:
    """Return why a lattice or a board that wraps around has no such rules; empty if it has them."""
    lattice = puzzle.lattice
    if lattice is None:
        return "the board has no geometry"
    kind, name = meeting.kind, lattice.name
    corners = kind is MeetingKind.CROSSROADS or meeting.corners
    if lattice.dimension > 3 and (corners or kind in (MeetingKind.FAULTS, MeetingKind.SYMMETRIC)):
        return f"lattice `{name}` has four dimensions"
    if (corners or kind is MeetingKind.FAULTS) and lattice.of_balls:
        return f"cells of lattice `{name}` are balls, without corners and sides"
    if kind is MeetingKind.FAULTS and lattice.of_edges:
        return f"cells of lattice `{name}` are edges, without sides"
    if kind in (MeetingKind.FAULTS, MeetingKind.SYMMETRIC) and puzzle.wraps:
        return "the board wraps around"
    return ""


def against(puzzle: Puzzle, meeting: Meeting) -> str:
    """Return why a rule about how pieces meet has no meaning on a board; empty if it has one."""
    lattice, kind = puzzle.lattice, meeting.kind
    if (why := unsupported(puzzle, meeting)) or lattice is None:
        return why
    name = lattice.name
    if kind is MeetingKind.TOUCHING and any(
        (piece.low, piece.high) != (1, 1) for piece in puzzle.pieces if piece.name in meeting.pieces
    ):
        return "a piece that touches another one must have exactly one copy"
    if kind is MeetingKind.CROSSROADS and all(
        len(steps) <= meeting.high for number in range(len(lattice.kinds)) for steps in _around(lattice, number, _edges)
    ):
        return f"at no point of lattice `{name}` can more than {meeting.high} pieces meet"
    if kind is MeetingKind.SYMMETRIC and meeting.motion not in motion_words(lattice):
        return f"motions of lattice `{name}` are {', '.join(motion_words(lattice))}"
    if kind is MeetingKind.FAULTS and meeting.motion not in ("", *AXES[: lattice.dimension]):
        return f"axes of lattice `{name}` are {', '.join(AXES[: lattice.dimension])}"
    if kind in (MeetingKind.TOUCHING, MeetingKind.SYMMETRIC) and any(piece.sides for piece in puzzle.pieces):
        return "pieces with coloured sides do not support it"
    return ""


def _is_strip(puzzle: Puzzle) -> bool:
    """Return whether a board is one part, each of its sides is alone on its line, and no piece covers the board."""
    size, sides = len(puzzle.locations), len(neighbours_of(puzzle))
    is_whole = any(piece.sizes[1] == size for piece in puzzle.pieces)
    # Without two sides on a line, no path of neighbours is closed, so one part has a side less than locations.
    return not is_whole and 0 < sides == len(lines_of(puzzle)) == size - 1


_NOTHING = {
    MeetingKind.FAULTS: "no straight line of the lattice cuts the board in two",
    MeetingKind.APART: "the board has no neighbours",
    MeetingKind.TOUCHING: "the board has no neighbours",
    MeetingKind.SYMMETRIC: "the board is not equal to its image",
}


@cache
def _corners(lattice: Lattice, kind: int) -> tuple[frozenset[Point], ...]:
    return tuple([frozenset([corner]) for corner in exact_outline(lattice, kind)])


@cache
def _edges(lattice: Lattice, kind: int) -> tuple[frozenset[Point], ...]:
    """Return the edges of a solid kind of cell, each as its two ends; of others the corners."""
    if lattice.dimension < 3 or lattice.of_edges:
        return _corners(lattice, kind)
    facets = solid(exact_outline(lattice, kind)).facets
    shared = [frozenset(one.corners) & frozenset(two.corners) for one, two in combinations(facets, 2)]
    return tuple(dict.fromkeys(ends for ends in shared if len(ends) == 2))


_Features = Callable[[Lattice, int], tuple[frozenset[Point], ...]]


@cache
def _around(lattice: Lattice, kind: int, features: _Features) -> tuple[tuple[Point, ...], ...]:
    """Return for each corner or edge of a kind of cell the steps to all cells with the same corner or edge."""
    scale, at = scale_of(lattice), lattice.kinds[kind].at
    around = []
    for feature in features(lattice, kind):
        steps = [(0,) * len(at)]
        for step in steps:  # it grows during the loop
            here = plus(at, step)
            for beside in lattice.kinds[lattice.class_of(here)].neighbours:
                there = plus(step, beside)
                number = lattice.class_of(plus(at, there))
                moved = frozenset(
                    tuple([p - scale * s for p, s in zip(corner, there, strict=False)]) for corner in feature
                )
                if there not in steps and number >= 0 and moved in features(lattice, number):
                    steps.append(there)
        around.append(tuple(steps))
    return tuple(around)


def points_of(puzzle: Puzzle, features: _Features = _edges) -> list[tuple[int, ...]]:
    """Return the locations around each point of the board (in space, around each edge), each set once."""
    lattice = puzzle.geometry.lattice
    points: dict[tuple[int, ...], None] = {}
    for point in puzzle.points:
        for steps in _around(lattice, lattice.class_of(point), features):
            near = {puzzle.geometry.location_at(plus(point, step)) for step in steps}
            points[tuple(sorted(near - {-1}))] = None
    return list(points)


def neighbours_of(puzzle: Puzzle, corners: bool = False) -> list[tuple[int, ...]]:
    """Return the pairs of different locations that are neighbours, or that share a corner; the lesser one first."""
    lattice = puzzle.geometry.lattice
    pairs: dict[tuple[int, ...], None] = {}
    for location, point in enumerate(puzzle.points):
        for step in lattice.kinds[lattice.class_of(point)].neighbours:
            other = puzzle.geometry.location_at(plus(point, step))
            if other >= 0 and other != location:
                pairs[min(location, other), max(location, other)] = None
    for near in points_of(puzzle, _corners) if corners else ():
        pairs.update(dict.fromkeys(combinations(near, 2)))
    return sorted(pairs)


def corners_of(puzzle: Puzzle) -> list[list[Point]]:
    """Return the corners of each location, in integers."""
    lattice = puzzle.geometry.lattice
    scale = scale_of(lattice)
    return [
        [
            tuple([scale * p + c for p, c in zip((*point, 0)[: len(corner)], corner, strict=True)])
            for corner in exact_outline(lattice, lattice.class_of(point))
        ]
        for point in puzzle.points
    ]


def lines_of(puzzle: Puzzle, axis: str = "") -> list[tuple[int, ...]]:
    """Return the locations on one side of each line (in space, plane) that runs along sides and cuts the board in two.

    If there is an ``axis``, its coordinate is constant on the lines.
    """
    lattice = puzzle.geometry.lattice
    cells = corners_of(puzzle)
    normals: dict[Point, set[int]] = {}
    for one, two in neighbours_of(puzzle):
        shared = sorted(set(cells[one]) & set(cells[two]))
        normal = normal_of(shared)
        if normal and (not axis or [bool(value) for value in normal[: lattice.dimension]] == _only(lattice, axis)):
            normals.setdefault(normal, set()).add(dot(normal, shared[0]))
    sides = []
    for normal, places in normals.items():
        spans = [
            (min(values), max(values)) for values in ([dot(normal, corner) for corner in corners] for corners in cells)
        ]
        sides += [
            tuple([number for number, (_, high) in enumerate(spans) if high <= place])
            for place in sorted(places)
            if not any(low < place < high for low, high in spans)
        ]
    return sides


def _only(lattice: Lattice, axis: str) -> list[bool]:
    return [AXES[number] == axis for number in range(lattice.dimension)]


def normal_of(corners: Sequence[Point]) -> Point:
    """Return the smallest normal of a side, with a positive first value; empty if the corners are no side."""
    first, *others = corners or [()]
    spokes = [minus(other, first) for other in others]
    normal: Point = ()
    if len(first) == 2 and spokes:
        normal = (spokes[0][1], -spokes[0][0])
    elif len(first) == 3:
        for (a, b, c), (d, e, f) in combinations(spokes, 2):
            if any(normal := (b * f - c * e, c * d - a * f, a * e - b * d)):
                break
    factor = gcd(*normal) if normal else 0
    if not factor:
        return ()
    sign = 1 if next(filter(None, normal)) > 0 else -1
    return tuple([sign * value // factor for value in normal])


def _crossroads(puzzle: Puzzle, meeting: Meeting) -> Iterator[RegionRule[int]]:
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    region = frozenset(number[at] for at in meeting.region if at in number)
    keeps = {"": lambda _: True, "inside": region.issuperset, "off": region.isdisjoint}.get(
        meeting.where, lambda near: not region.isdisjoint(near)
    )
    points = [near for near in points_of(puzzle) if len(near) > meeting.high and keeps(near)]
    for index, near in enumerate(points, 1):
        yield RegionRule(Condition.COUNT, near, 0, meeting.high, f"point {index}", meeting.span, meeting.words)


def _faults(puzzle: Puzzle, meeting: Meeting) -> Iterator[RegionRule[int]]:
    for index, side in enumerate(lines_of(puzzle, meeting.motion), 1):
        yield RegionRule(Condition.CROSSED, side, 1, name=f"line {index}", span=meeting.span, written=meeting.words)


def _apart(puzzle: Puzzle, meeting: Meeting) -> Iterator[RegionRule[int]]:
    for index, pair in enumerate(neighbours_of(puzzle, meeting.corners), 1):
        yield RegionRule(
            Condition.PARTED, pair, 0, 1, f"side {index}", meeting.span, meeting.words, pieces=meeting.pieces
        )


def _touching(puzzle: Puzzle, meeting: Meeting) -> Iterator[RegionRule[int]]:
    if pairs := tuple([(one, two) for one, two in neighbours_of(puzzle)]):
        yield _on_pairs(Condition.TOUCHING, pairs, meeting, meeting.pieces)


def _symmetric(puzzle: Puzzle, meeting: Meeting) -> Iterator[RegionRule[int]]:
    lattice = puzzle.geometry.lattice
    number = {point: index for index, point in enumerate(puzzle.points)}
    for isometry, images in carried(lattice, [motion_words(lattice)[meeting.motion]], puzzle.points, number):
        exchanged = _exchanged(puzzle, isometry.turn)
        yield _on_pairs(Condition.SYMMETRIC, tuple(enumerate(images)), meeting, exchanged)


def _on_pairs(
    kind: Condition, pairs: tuple[tuple[int, int], ...], meeting: Meeting, pieces: tuple[str, ...]
) -> RegionRule[int]:
    region = tuple(sorted({at for pair in pairs for at in pair}))
    return RegionRule(kind, region, name="", span=meeting.span, written=meeting.words, pieces=pieces, pairs=pairs)


_MAKERS = {
    MeetingKind.CROSSROADS: _crossroads,
    MeetingKind.FAULTS: _faults,
    MeetingKind.APART: _apart,
    MeetingKind.TOUCHING: _touching,
    MeetingKind.SYMMETRIC: _symmetric,
}


def _exchanged(puzzle: Puzzle, turn: Matrix) -> tuple[str, ...]:
    """Return the pieces whose images are other pieces, each followed by its image: a piece and its mirror image.

    Of several pieces of one shape, the first goes to the first one with the shape of the image, the second to the
    second one, and so on. Others go to themselves, so each piece is the image of one piece.
    """
    lattice = puzzle.geometry.lattice
    alike: dict[object, list[str]] = {}
    images: dict[object, object] = {}
    for piece in puzzle.pieces:
        if piece.covers is None:
            aspects = orientations(piece, lattice)
            moved = [[(turned(turn, point), colour) for point, colour in aspect] for aspect in aspects]
            shape_key, image = (frozenset([_form(lattice, each) for each in those]) for those in (aspects, moved))
            alike.setdefault((shape_key, piece.low, piece.high), []).append(piece.name)
            images[shape_key, piece.low, piece.high] = image, piece.low, piece.high
    pairs: list[str] = []
    for shape in alike:
        orbit = [shape]
        while (after := images[orbit[-1]]) in alike and after != shape:
            orbit.append(after)
        if after == shape and len(orbit) > 1:
            pairs += [name for names in zip(*[alike[each] for each in orbit], strict=False) for name in names[:2]]
    return tuple(pairs)


def _form(lattice: Lattice, aspect: Sequence[tuple[Point, str | None]]) -> object:
    """Return the cells of a piece with their colours, moved to the origin, and the kind of the first one."""
    anchor, _ = min(aspect, key=lambda cell: cell[0])
    return lattice.class_of(anchor), frozenset((minus(point, anchor), colour) for point, colour in aspect)


@cache
def motion_words(lattice: Lattice) -> dict[str, Matrix]:
    """Return the words for the motions of a lattice that keep an axis of the picture, with their matrices.

    A rotation and its inverse have the same meaning for a solution that is equal to its image.

    >>> from puzzlec.geometry import find_lattice
    >>> sorted(motion_words(find_lattice("square")))
    ['half-turn', 'mirror diagonal', 'mirror x', 'mirror y', 'quarter-turn']
    """
    motions: dict[str, Matrix] = {}
    for turn in lattice.isometries if lattice.dimension <= len(AXES) else ():
        order, power = 1, turn
        while power != lattice.isometries[0]:
            order, power = order + 1, multiply(turn, power)
        seen = seen_on_paper(turn, lattice.axes)
        images = [_image(seen, axis) for axis in range(lattice.dimension)]
        kept = [axis for axis, image in enumerate(images) if image == {axis: 1}]
        reversed_axes = [axis for axis, image in enumerate(images) if image == {axis: -1}]
        word = ""
        if turn in lattice.rotations and order in _TURNS and len(kept) == lattice.dimension - 2:
            word = " ".join([_TURNS[order], *(AXES[axis] for axis in kept)])
        elif len(reversed_axes) == 1 and len(kept) == lattice.dimension - 1:
            word = f"mirror {AXES[reversed_axes[0]]}"
        elif len(reversed_axes) == lattice.dimension:
            word = "inversion"
        elif images == [{1: 1}, {0: 1}]:
            word = "mirror diagonal"
        if word:
            motions.setdefault(word, turn)
    return motions


def _image(seen: Sequence[Sequence[float]], axis: int) -> dict[int, int]:
    """Return the image of the direction of an axis as integers by axis; empty if they are not integers.

    ``seen`` is the effect of the motion on paper.
    """
    place = [row[axis] for row in seen]
    if any(abs(value - round(value)) > _MAX_ROUNDING for value in place):
        return {}
    return {other: round(value) for other, value in enumerate(place) if round(value)}
