"""The visible parts of flat faces in space, from one side: exact hidden-surface removal.

Everything is projected along a vector of integers, so that the corners of all faces become points of integers in the
plane. The faces in front of a face are cut away from it, one convex polygon after the other, and the rest is visible.
Every new corner is the intersection of two lines of integers, kept exactly in homogeneous coordinates, so coinciding
borders are known exactly. The visible parts of one plane of one owner are joined without a seam. Every line of the
picture is found once, with the areas on both sides. This is object-space visibility as in K. Weiler and P. Atherton
(Hidden surface removal using polygon area sorting, 1977).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple, TypeVar

from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import dot

#: A spot in the plane as (x, y, w): the point (x/w, y/w), w above 0 and all three without a common divisor.
Spot = tuple[int, int, int]
#: A line (a, b, c) of the spots with ax + by + cw = 0; to its left the sum is above zero.
Line = tuple[int, int, int]

_Key = TypeVar("_Key")

#: Depths that differ by less are equal: depths are compared as decimals, the rest is exact.
_NOTHING = 1e-9


class Side(NamedTuple):
    """A convex face in space: its owner (a body, a cell), its corners and its outward normal, in integers."""

    owner: int
    cell: int
    corners: tuple[Point, ...]
    normal: Point
    reach: int


class Area(NamedTuple):
    """The visible part of one plane of one owner: rings of spots, filled by the even-odd rule."""

    owner: int
    normal: Point
    reach: int
    rings: tuple[tuple[Spot, ...], ...]


class Stroke(NamedTuple):
    """A line of the picture. ``rank`` is 2 between owners, 1 at an edge of one owner, 0 between its cells."""

    start: Spot
    end: Spot
    rank: int
    owners: tuple[int, ...]


class View(NamedTuple):
    """The visible areas and lines, and for each owner and cell the visible polygons of its faces."""

    areas: tuple[Area, ...]
    strokes: tuple[Stroke, ...]
    polygons: dict[tuple[int, int], list[tuple[Point, list[Spot]]]]


class _Polygon:
    """A convex polygon: corners counterclockwise, and for each the line to the next one; a line has two corners.

    The box about a line is larger than the line, so that it overlaps those of polygons that the line only touches.
    """

    __slots__ = ("box", "corners", "lines")

    def __init__(self, corners: list[Spot], lines: list[Line]) -> None:
        self.corners, self.lines = corners, lines
        xs, ys = [x / w for x, _, w in corners], [y / w for _, y, w in corners]
        slack = float(len(corners) == 2)
        self.box = min(xs) - slack, min(ys) - slack, max(xs) + slack, max(ys) + slack


class _Front(NamedTuple):
    """A side that faces the viewer: in the plane, and its depth as a linear form (a, b, c) over a divisor.

    ``far`` and ``near`` are the depths of its farthest and its nearest corner.
    """

    side: Side
    polygon: _Polygon
    depth: tuple[int, int, int]
    over: int
    far: float
    near: float


class Projection:
    """Projection of points along an integer vector to the viewer."""

    def __init__(self, eye: Point) -> None:
        self.eye = eye
        self.axis = max(range(3), key=lambda axis: abs(eye[axis]))
        self.first, self.second = (axis for axis in range(3) if axis != self.axis)

    def spot(self, point: Sequence[int]) -> tuple[int, int]:
        """Return the position of a point in the plane."""
        along, at = self.eye[self.axis], point[self.axis]
        return along * point[self.first] - self.eye[self.first] * at, along * point[self.second] - self.eye[
            self.second
        ] * at

    def back(self, x: float, y: float) -> tuple[float, ...]:
        """Return a point that appears at a position in the plane."""
        point = [0.0, 0.0, 0.0]
        point[self.first], point[self.second] = x / self.eye[self.axis], y / self.eye[self.axis]
        return tuple(point)


def seen(sides: Iterable[Side], eye: Point, *, crossing: bool = False) -> View:
    """Return the visible parts of faces, from far away in the direction of a vector.

    ``crossing``: solids of several owners may intersect, so that sides of two may coincide. Otherwise such sides are
    not looked for.
    """
    projection = Projection(eye)
    fronts = [front for side in sides if dot(side.normal, eye) > 0 and (front := _front(side, projection))]
    left = [_uncovered(fronts, number, near, crossing) for number, near in enumerate(_near(fronts))]
    return _joined(fronts, left)


def seen_lines(sides: Iterable[Side], lines: Iterable[tuple[Point, Point]], eye: Point) -> list[tuple[Spot, Spot]]:
    """Return the visible parts of lines, seen as by :func:`seen`.

    A face does not hide lines on it. A line directly behind its border is hidden. A line is a face with two corners, in
    the plane through it that faces the viewer most.
    """
    projection = Projection(eye)
    fronts = [front for side in sides if dot(side.normal, eye) > 0 and (front := _front(side, projection))]
    covers = len(fronts)
    for start, end in lines:
        along = tuple([b - a for a, b in zip(start, end, strict=True)])
        normal = tuple([dot(along, along) * e - dot(along, eye) * a for e, a in zip(eye, along, strict=True)])
        if any(normal):  # otherwise the line looks like a point
            fronts.append(_turned(Side(-1, 0, (start, end), normal, dot(normal, start)), projection))
    visible: list[tuple[Spot, Spot]] = []
    for number, near in enumerate(_near(fronts)[covers:], covers):
        parts = _uncovered(fronts, number, [other for other in near if other < covers], crossing=False)
        visible += _in_order(fronts[number].polygon.corners, parts)
    return visible


def _in_order(line: Sequence[Spot], parts: Sequence[_Polygon]) -> Iterator[tuple[Spot, Spot]]:
    """Yield the parts of a line from its start to its end, joined if they touch."""
    (x, y, _), (to_x, to_y, _) = line

    def place(part: _Polygon) -> _Ratio:
        a, b, over = part.corners[0]
        return _Ratio(a * (to_x - x) + b * (to_y - y), over)

    for start, end, _ in _runs((part.corners[0], part.corners[1], None) for part in sorted(parts, key=place)):
        yield start, end


def _runs(parts: Iterable[tuple[Spot, Spot, _Key]]) -> Iterator[tuple[Spot, Spot, _Key]]:
    """Yield parts of a line, joined where one begins at the end of the one before and has the same key."""
    before: tuple[Spot, Spot, _Key] | None = None
    for start, end, key in parts:
        if before is not None and before[1:] == (start, key):
            before = before[0], end, key
            continue
        if before is not None:
            yield before
        before = start, end, key
    if before is not None:
        yield before


def _front(side: Side, projection: Projection) -> _Front | None:
    """Return a side that faces the viewer; None for one that looks like a line."""
    spots = [projection.spot(corner) for corner in side.corners]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(spots, [*spots[1:], spots[0]], strict=True))
    if area == 0:
        return None
    return _turned(side if area > 0 else side._replace(corners=side.corners[::-1]), projection)


def _turned(side: Side, projection: Projection) -> _Front:
    spots = [(*projection.spot(corner), 1) for corner in side.corners]
    lines = [_through(a, b) for a, b in zip(spots, [*spots[1:], spots[0]], strict=True)]
    eye, normal, axis = projection.eye, side.normal, projection.axis
    along = eye[axis]
    # The ray meets the plane n.x = r at t = (r e - n1 x - n2 y) / (e n.eye) times the eye, before the picture plane.
    over = along * dot(normal, eye)
    depth = (-normal[projection.first], -normal[projection.second], side.reach * along)
    if over < 0:
        over, depth = -over, (-depth[0], -depth[1], -depth[2])
    depths = [sum(f * c for f, c in zip(depth, spot, strict=True)) / over for spot in spots]
    return _Front(side, _Polygon(spots, lines), depth, over, min(depths), max(depths))


def _through(a: Spot, b: Spot) -> Line:
    """Return the line from one spot to another, in its simplest numbers."""
    line = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    common = gcd(*line)
    return line[0] // common, line[1] // common, line[2] // common


def _meet(one: Line, two: Line) -> Spot:
    """Return the intersection of two lines."""
    x = one[1] * two[2] - one[2] * two[1]
    y = one[2] * two[0] - one[0] * two[2]
    w = one[0] * two[1] - one[1] * two[0]
    common = gcd(x, y, w) if w > 0 else -gcd(x, y, w)
    return x // common, y // common, w // common


def _height(line: Line, spot: Spot) -> int:
    return line[0] * spot[0] + line[1] * spot[1] + line[2] * spot[2]


def _split(polygon: _Polygon, line: Line) -> tuple[_Polygon | None, _Polygon | None]:
    """Return the parts of a polygon to the left of a line and to its right."""
    heights = [_height(line, corner) for corner in polygon.corners]
    if min(heights) >= 0:
        return polygon, None
    if max(heights) <= 0:
        return None, polygon
    against = (-line[0], -line[1], -line[2])
    parts: dict[bool, tuple[list[Spot], list[Line]]] = {True: ([], []), False: ([], [])}
    for number, (corner, height) in enumerate(zip(polygon.corners, heights, strict=True)):
        edge, after = polygon.lines[number], heights[(number + 1) % len(heights)]
        for is_left, way in ((True, 1), (False, -1)):
            corners, lines = parts[is_left]
            if way * height > 0 or (height == 0 and way * after > 0):
                corners.append(corner)
                lines.append(edge)
                if way * after < 0:
                    corners.append(_meet(edge, line))
                    lines.append(line if is_left else against)
            elif height == 0:
                corners.append(corner)
                lines.append(line if is_left else against)
            elif way * after > 0:
                corners.append(_meet(edge, line))
                lines.append(edge)
    return _Polygon(*_without_points(*parts[True])), _Polygon(*_without_points(*parts[False]))


def _without_points(corners: list[Spot], lines: list[Line]) -> tuple[list[Spot], list[Line]]:
    """Return a polygon without sides of length 0: of two equal corners, the first is removed with its line."""
    kept = [number for number, corner in enumerate(corners) if corner != corners[(number + 1) % len(corners)]]
    return [corners[number] for number in kept], [lines[number] for number in kept]


def _near(fronts: Sequence[_Front]) -> list[list[int]]:
    """Return for each front side the numbers of sides whose boxes in the plane overlap its box."""
    if not fronts:
        return []
    boxes = [front.polygon.box for front in fronts]
    size = max(1e-9, sum(max(box[2] - box[0], box[3] - box[1]) for box in boxes) / len(boxes))
    bins: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, box in enumerate(boxes):
        for x in range(int(box[0] // size), int(box[2] // size) + 1):
            for y in range(int(box[1] // size), int(box[3] // size) + 1):
                bins[x, y].append(number)
    near: list[set[int]] = [set() for _ in fronts]
    for those in bins.values():
        for place, one in enumerate(those):
            a = boxes[one]
            for two in those[:place]:
                b = boxes[two]
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                    near[one].add(two)
                    near[two].add(one)
    # The nearest first: a completely hidden side is finished early.
    depths = [front.near + front.far for front in fronts]
    return [sorted(numbers, key=lambda number: (-depths[number], number)) for numbers in near]


def _uncovered(fronts: Sequence[_Front], number: int, near: Sequence[int], crossing: bool) -> list[_Polygon]:
    """Return the rest of a side without the sides in front of it; of two in one plane, the later one is in front."""
    this = fronts[number]
    left = [this.polygon]
    for other in near:
        front = fronts[other]
        if crossing and (this.side.normal, this.side.reach) == (front.side.normal, front.side.reach):
            cover = front.polygon if other < number and this.side.owner != front.side.owner else None
        elif front.near <= this.far or not _overlap(left, front.polygon.box):
            continue
        else:
            cover = _before(this, front)
        if cover is not None:
            left = [part for piece in left for part in _minus(piece, cover)]
            if not left:
                break
    return left


def _overlap(left: Iterable[_Polygon], box: tuple[float, float, float, float]) -> bool:
    """Whether a box overlaps the box about any of some polygons."""
    a, b, c, d = box
    return any(
        polygon.box[0] < c and a < polygon.box[2] and polygon.box[1] < d and b < polygon.box[3] for polygon in left
    )


def _before(this: _Front, other: _Front) -> _Polygon | None:
    """Return the part of another side in front of this one; None if there is none in the overlap."""
    if other.far >= this.near + _NOTHING * max(1.0, abs(this.near)):
        return other.polygon
    if all(dot(this.side.normal, corner) <= this.side.reach for corner in other.side.corners):
        return None  # the other side is behind this plane
    if all(dot(other.side.normal, corner) >= other.side.reach for corner in this.side.corners):
        return None  # this one is in front of the other plane
    both = this.polygon
    for line in other.polygon.lines:
        part = _split(both, line)[0]
        if part is None:
            return None
        both = part
    # The nearness of the other side, as a linear form.
    form = [a * this.over - b * other.over for a, b in zip(other.depth, this.depth, strict=True)]
    heights = [sum(f * c for f, c in zip(form, corner, strict=True)) / corner[2] for corner in both.corners]
    least, most = min(heights), max(heights)
    slight = _NOTHING * max(1.0, abs(least), abs(most))
    if most <= slight:
        return None
    if least >= -slight:
        return other.polygon
    common = gcd(*form)  # the sides cross: only one side of their common line is in front
    return _split(other.polygon, (form[0] // common, form[1] // common, form[2] // common))[0]


def _minus(polygon: _Polygon, cover: _Polygon) -> list[_Polygon]:
    """Return a polygon without the area of another one, as convex parts."""
    a, b = polygon.box, cover.box
    if a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]:
        return [polygon]
    outer: list[_Polygon] = []
    rest = polygon
    for line in cover.lines:
        inside, outside = _split(rest, line)
        if outside is not None:
            outer.append(outside)
        if inside is None:
            return [polygon]
        rest = inside
    return outer


_Plane = tuple[int, Point, int]  # owner, normal, reach
_Region = tuple[int, Point, int, int]  # the same, and the cell


def _joined(fronts: Sequence[_Front], left: Sequence[Sequence[_Polygon]]) -> View:
    """Join the visible parts of sides to areas, and find the lines between these."""
    events: dict[Line, list[tuple[Spot, Spot, bool, _Region]]] = defaultdict(list)
    polygons: dict[tuple[int, int], list[tuple[Point, list[Spot]]]] = defaultdict(list)
    for front, pieces in zip(fronts, left, strict=True):
        side = front.side
        region = side.owner, side.normal, side.reach, side.cell
        for piece in pieces:
            polygons[side.owner, side.cell].append((side.normal, piece.corners))
            for number, line in enumerate(piece.lines):
                start, end = piece.corners[number], piece.corners[(number + 1) % len(piece.corners)]
                forward = line > (0, 0, 0)
                events[line if forward else (-line[0], -line[1], -line[2])].append((start, end, forward, region))
    borders: dict[_Plane, list[tuple[Spot, Spot]]] = defaultdict(list)
    strokes: list[Stroke] = []
    for line in sorted(events):
        parts = list(_along(line, events[line]))
        strokes += _strokes(parts)
        for plane, start, end in _borders(parts):
            borders[plane].append((start, end))
    areas = [Area(*plane, tuple(_rings(those))) for plane, those in sorted(borders.items())]
    return View(tuple(areas), tuple(strokes), dict(polygons))


class _Part(NamedTuple):
    """A part of a line with constant regions to its left and to its right."""

    start: Spot
    end: Spot
    left: _Region | None
    right: _Region | None


def _along(line: Line, events: Sequence[tuple[Spot, Spot, bool, _Region]]) -> Iterator[_Part]:
    """Yield the parts of a line, along its direction."""
    a, b, _ = line

    def key(spot: Spot) -> tuple[int, int]:
        return b * spot[0] - a * spot[1], spot[2]

    changes: dict[Spot, list[tuple[bool, int, _Region]]] = defaultdict(list)
    for start, end, forward, region in events:
        changes[start].append((forward, 1 if forward else -1, region))
        changes[end].append((forward, -1 if forward else 1, region))
    spots = sorted(changes, key=lambda spot: _Ratio(*key(spot)))
    here: dict[bool, dict[_Region, int]] = {True: {}, False: {}}
    for spot, after in pairwise(spots):
        for forward, change, region in changes[spot]:
            side = here[forward]
            side[region] = side.get(region, 0) + change
            if not side[region]:
                del side[region]
        left, right = (next(iter(sorted(here[side])), None) for side in (True, False))
        if left != right:
            yield _Part(spot, after, left, right)


class _Ratio:
    """A fraction with a positive divisor, for comparisons."""

    __slots__ = ("over", "value")

    def __init__(self, value: int, over: int) -> None:
        self.value, self.over = value, over

    def __lt__(self, other: _Ratio) -> bool:
        return self.value * other.over < other.value * self.over


def _strokes(parts: Sequence[_Part]) -> Iterator[Stroke]:
    """Yield the strokes along a line, joined if nothing changes."""
    runs = _runs(
        (part.start, part.end, (_rank(part), tuple(sorted({side[0] for side in part[2:] if side is not None}))))
        for part in parts
    )
    for start, end, (rank, owners) in runs:
        yield Stroke(start, end, rank, owners)


def _rank(part: _Part) -> int:
    if part.left is None or part.right is None or part.left[0] != part.right[0]:
        return 2
    return 1 if part.left[:3] != part.right[:3] else 0


def _borders(parts: Sequence[_Part]) -> Iterator[tuple[_Plane, Spot, Spot]]:
    """Yield the borders of areas along a line, joined if possible; the area is to the left of its border."""
    for is_left in (True, False):
        both = [(part.left, part.right) if is_left else (part.right, part.left) for part in parts]
        planes = [None if one is None or (two is not None and one[:3] == two[:3]) else one[:3] for one, two in both]
        for start, end, plane in _runs(
            (part.start, part.end, plane) for part, plane in zip(parts, planes, strict=True)
        ):
            if plane is not None:
                yield (plane, start, end) if is_left else (plane, end, start)


def _rings(borders: Iterable[tuple[Spot, Spot]]) -> Iterator[tuple[Spot, ...]]:
    """Yield closed rings of borders: any way through them is one, since the even-odd rule fills them."""
    onwards: dict[Spot, list[Spot]] = defaultdict(list)
    for start, end in borders:
        onwards[start].append(end)
    for first in sorted(onwards):
        while onwards[first]:
            ring, here = [first], onwards[first].pop()
            while here != first:
                ring.append(here)
                here = onwards[here].pop()
            yield tuple(ring)
