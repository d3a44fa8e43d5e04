"""Proofs that a definition describes a lattice; they are generic and know no lattice by name.

A lattice is data, and users can define their own. Errors are reported as *faults*, each with its position in the YAML
document and a reason that contains the arithmetic.

After the proofs about the algebra come those about the outlines of cells, and about crossings and faces of edges.
Generators map outlines to each other, outlines tile, and neighbours share sides. Crossings list the ways through a
point that exclude each other. The sides of the faces that a lattice of edges names are exactly its edges.

All arithmetic is exact. Corners are read as the fractions nearest to their decimals (0.333333333333333 is a third),
and multiplied by a factor that makes them all integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, product
from math import ceil, factorial, floor, lcm, prod

from puzzlec.geometry import proving_algebra as algebra
from puzzlec.geometry.faces import exactly
from puzzlec.geometry.lattice import CellKind, Lattice, Point, determinant, faces_of, inverse, turned, written
from puzzlec.geometry.proving_algebra import GroupGenerator, LatticeFault, generators, negative
from puzzlec.geometry.sides import edge_between, outline_sides
from puzzlec.geometry.solids import Solid, apart, moved, plus, segments_meet, share_side, solid, touch, volume

#: Maximum number of cells around one cell. If there are more, its outline is too long, or the basis is too slanted.
MAX_NEARBY_CELLS = 20_000


def outline_faults(lattice: Lattice) -> Iterator[LatticeFault]:
    """Yield the faults of the outlines of a lattice with correct algebra."""
    scaled = _Scaled(lattice)
    faults = list(scaled.sizes()) or list(scaled.mapped())
    if not faults:
        faults = list(scaled.edges() if lattice.of_edges else scaled.tiling())
    if not faults and lattice.of_edges:
        faults = list(Crossings(lattice, scaled.outlines, scaled.scale).faults())
    yield from faults


class _Scaled:
    """The outlines of a lattice in integers: all points are multiplied by ``scale``."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        corners = [[tuple(map(exactly, corner)) for corner in kind.outline] for kind in lattice.kinds]
        self.scale = lcm(*[value.denominator for kind in corners for corner in kind for value in corner])
        self.outlines = [[tuple([int(value * self.scale) for value in corner]) for corner in kind] for kind in corners]
        self.solids: list[Solid] = []

    def sizes(self) -> Iterator[LatticeFault]:
        """Prove that all outlines are edges, or that all have an inside."""
        for number, (kind, corners) in enumerate(zip(self.lattice.kinds, self.outlines, strict=True)):
            where = ("kinds", number, "outline")
            if len(corners) == 2 and self.lattice.dimension > 1:
                if not self.lattice.of_edges:
                    yield LatticeFault(where, f"`{kind.name}` is an edge (two corners), but other cells have sides")
                elif corners[0] == corners[1]:
                    yield LatticeFault(where, f"edge `{kind.name}` has no length: its ends are the same")
                continue
            try:
                self.solids.append(solid(corners))
            except ValueError as error:
                yield LatticeFault(where, f"invalid outline of `{kind.name}`: {error}")

    def mapped(self) -> Iterator[LatticeFault]:
        """Prove that each generator takes outlines to outlines."""
        for _, name, matrix in generators(self.lattice):
            for number, kind in enumerate(self.lattice.kinds):
                image = self.lattice.class_of(turned(matrix, kind.at))
                moved_sides = {frozenset(turned(matrix, corner) for corner in side) for side in self.sides(number)}
                if moved_sides != self.sides(image):
                    lost = [turned(matrix, corner) for corner in self.outlines[number]]
                    corner = next((corner for corner in lost if corner not in self.outlines[image]), lost[0])
                    there = f"with a corner at {self.shown(corner)} from its point"
                    why = f"takes the outline of `{kind.name}` to one {there}"
                    other = self.lattice.kinds[image].name
                    yield LatticeFault(("kinds", image, "outline"), f"{name} {why}, unlike the outline of `{other}`")
                    return

    def sides(self, number: int) -> set[frozenset[Point]]:
        """Return the sides of an outline as sets of corners; the only side of an edge is itself."""
        if self.lattice.of_edges:
            return {frozenset(self.outlines[number])}
        return {frozenset(side.corners) for side in self.solids[number].facets}

    def shown(self, corner: Point) -> str:
        """Return a corner in the numbers of the file."""
        return written([Fraction(value, self.scale) for value in corner])

    def near(self, number: int) -> list[tuple[int, Point]] | None:
        """Return kinds and steps of all cells whose outlines may touch a cell's; None if they are too many."""
        ends = [self.box(outline) for outline in range(len(self.outlines))]
        low, high = ends[number]
        across, scale = inverse(tuple(zip(*self.lattice.translations, strict=True)))
        nearby = []
        for other, kind in enumerate(self.lattice.kinds):
            apart_by = [b - a for a, b in zip(self.lattice.kinds[number].at, kind.at, strict=True)]
            # least <= apart_by + combination of translations <= most, along each coordinate of points
            least = [Fraction(a - b, self.scale) - c for a, b, c in zip(low, ends[other][1], apart_by, strict=True)]
            most = [Fraction(a - b, self.scale) - c for a, b, c in zip(high, ends[other][0], apart_by, strict=True)]
            ranges = []
            for row in across:
                reach = [sorted((a * x, a * y)) for a, x, y in zip(row, least, most, strict=True)]
                first, last = (Fraction(sum(interval[end] for interval in reach), scale) for end in (0, 1))
                ranges.append(range(ceil(first), floor(last) + 1))
            if prod(map(len, ranges)) > MAX_NEARBY_CELLS:
                return None
            for counts in product(*ranges):
                step = tuple(
                    sum(c * v[axis] for c, v in zip(counts, self.lattice.translations, strict=True))
                    for axis in range(self.lattice.dimension)
                )
                if all(a <= s <= b for a, s, b in zip(least, step, most, strict=True)):
                    whole = tuple([s + c for s, c in zip(step, apart_by, strict=True)])
                    if any(whole):
                        nearby.append((other, whole))
        return nearby

    def box(self, number: int) -> tuple[list[int], list[int]]:
        """Return the least and the largest coordinates of an outline."""
        columns = list(zip(*self.outlines[number], strict=True))
        return [min(column) for column in columns], [max(column) for column in columns]

    def there(self, step: Point) -> Point:
        """Return a step in the numbers of the scaled outlines."""
        return tuple([self.scale * value for value in step])

    def tiling(self) -> Iterator[LatticeFault]:
        """Prove that outlines fill space without overlap, and that neighbours are the cells across the sides."""
        lattice = self.lattice
        unit = factorial(lattice.dimension) * self.scale**lattice.dimension
        filled = Fraction(sum(map(volume, self.solids)), unit)
        whole = abs(determinant(lattice.translations))
        if filled != whole:
            what = ["a length", "an area", "a volume"][min(lattice.dimension, 3) - 1]
            sizes = " + ".join(str(Fraction(volume(solid), unit)) for solid in self.solids)
            total = f"{sizes} = {filled}" if len(self.solids) > 1 else f"{filled}"
            why = f"outlines have {what} of {total}, but translations repeat {whole}"
            yield LatticeFault(("kinds", len(self.solids) - 1, "outline"), f"{why}: cells leave gaps or overlap")
            return
        for number, kind in enumerate(lattice.kinds):
            try:
                fault = self.around(number)
            except ValueError as error:
                fault = LatticeFault(
                    ("kinds", number, "outline"), f"cannot compare the cells around `{kind.name}`: {error}"
                )
            if fault:
                yield fault
                return

    def around(self, number: int) -> LatticeFault | None:
        """Return a fault of the cells around one cell."""
        kind, mine = self.lattice.kinds[number], self.solids[number]
        near = self.near(number)
        if near is None:
            return LatticeFault(("kinds", number, "outline"), f"`{kind.name}` is too long: too many cells are near it")
        beside: dict[Point, Solid] = {}
        for other, step in near:
            neighbour = moved(self.solids[other], self.there(step))
            if not apart(mine, neighbour):
                name = self.lattice.kinds[other].name
                why = f"`{kind.name}` at {written(kind.at)} and `{name}` at {written(plus(kind.at, step))} overlap"
                return LatticeFault(("kinds", other, "outline"), why)
            if share_side(mine, neighbour):
                beside[step] = neighbour
        return self.named(number, set(beside), "side") or self.in_order(kind, number, mine, beside)

    def named(self, number: int, beside: set[Point], what: str) -> LatticeFault | None:
        """Return a step to a wrong neighbour, or to a missing one that shares a side or an end."""
        kind = self.lattice.kinds[number]
        for place, step in enumerate(kind.neighbours):
            if step not in beside:
                why = f"`{kind.name}` and the cell at step {written(step)} do not share a {what}"
                return LatticeFault(("kinds", number, "neighbours", place), why)
        missing = sorted(beside - set(kind.neighbours))
        if missing:
            why = f"`{kind.name}` shares a {what} with the cell at step {written(missing[0])}"
            why += ", which is missing among its neighbours"
            return LatticeFault(("kinds", number, "neighbours"), why)
        return None

    def in_order(self, kind: CellKind, number: int, mine: Solid, beside: dict[Point, Solid]) -> LatticeFault | None:
        """Return the fault of a neighbour out of the order of a polygon's sides, if each side has one neighbour."""
        if self.lattice.dimension != 2 or len(kind.neighbours) != len(mine.facets):
            return None
        for place, (step, side) in enumerate(zip(kind.neighbours, mine.facets, strict=True)):
            if not any(touch(side, other) for other in beside[step].facets):
                corners = " to ".join(map(self.shown, side.corners))
                why = f"neighbours of `{kind.name}` are not in the order of its sides: {written(step)}"
                why += f" is not across side {place + 1}, from {corners}"
                return LatticeFault(("kinds", number, "neighbours", place), why)
        return None

    def edges(self) -> Iterator[LatticeFault]:
        """Prove that edges meet only at their ends, and that neighbours are the edges with a common end."""
        for number, kind in enumerate(self.lattice.kinds):
            near = self.near(number)
            if near is None:
                yield LatticeFault(
                    ("kinds", number, "outline"), f"`{kind.name}` is too long: too many cells are near it"
                )
                return
            beside = set()
            for other, step in near:
                moved_edge = [plus(corner, self.there(step)) for corner in self.outlines[other]]
                meeting = segments_meet(self.outlines[number], moved_edge)
                if meeting == "inside":
                    name, at = self.lattice.kinds[other].name, written(plus(kind.at, step))
                    why = f"edges `{kind.name}` at {written(kind.at)} and `{name}` at {at} overlap or meet inside"
                    yield LatticeFault(("kinds", other, "outline"), why)
                    return
                if meeting == "ends":
                    beside.add(step)
            fault = self.named(number, beside, "corner")
            if fault:
                yield fault
                return


class Crossings:
    """The crossings of a lattice of edges, with its outlines in integers: corners times ``scale``."""

    def __init__(self, lattice: Lattice, outlines: Sequence[Sequence[Point]], scale: int) -> None:
        self.lattice, self.outlines, self.scale = lattice, outlines, scale

    def faults(self) -> Iterator[LatticeFault]:
        """Prove that crossings list exactly the ways that cross at a point where edges end.

        Two pieces cross at a point if they alternate around it. Ways that share an edge may also be listed together,
        since no two pieces take both. Generators must take the ways of a crossing to those of a crossing.
        """
        listed = [frozenset(map(frozenset, ways)) for ways in self.lattice.crossings]
        for number, ways in enumerate(self.lattice.crossings):
            fault = self.unlike(number, ways)
            if fault:
                yield fault
                continue
            for name, image in self.images(ways, generators(self.lattice)):
                if image not in listed:
                    ways_there = " and ".join(sorted(f"{written(min(way))} to {written(max(way))}" for way in image))
                    yield LatticeFault(("crossings", number), f"{name} takes it to {ways_there}, which is not listed")
                    break
            else:
                missing = self.missing(ways[0][0], listed) if self.lattice.dimension == 2 else None
                if missing:
                    one, two = (f"from {written(way[0])} to {written(way[1])}" for way in missing)
                    yield LatticeFault(
                        ("crossings", number), f"ways {one} and {two} cross there, but no crossing lists both"
                    )

    def images(
        self, ways: tuple[tuple[Point, Point], ...], given: list[GroupGenerator]
    ) -> Iterator[tuple[str, frozenset[frozenset[Point]]]]:
        """Yield the images of the ways of a crossing under generators."""
        for _, name, matrix in given:
            yield name, frozenset(frozenset(turned(matrix, point) for point in way) for way in ways)

    def unlike(self, number: int, ways: tuple[tuple[Point, Point], ...]) -> LatticeFault | None:
        """Return the fault of a single crossing: a way that leads nowhere, or two ways that do not cross."""
        place = self.meeting(ways)
        if place is not None:
            way = ways[place]
            why = f"from {written(way[0])} to {written(way[1])} is not a way through a point where edges end"
            return LatticeFault(("crossings", number, place), why)
        around = self.rays(ways[0][0]) if self.lattice.dimension == 2 else []
        for second, two in enumerate(ways):
            for one in ways[:second]:
                if around and not set(one) & set(two) and not alternate(around, one, two):
                    texts = [f"from {written(way[0])} to {written(way[1])}" for way in (one, two)]
                    return LatticeFault(("crossings", number, second), f"ways {texts[0]} and {texts[1]} do not cross")
        return None

    def missing(
        self, first: Point, listed: list[frozenset[frozenset[Point]]]
    ) -> tuple[tuple[Point, Point], tuple[Point, Point]] | None:
        """Return two ways that cross at a point although no crossing lists both, or None."""
        around = self.rays(first)
        for one in combinations(around, 2):
            for two in combinations(around, 2):
                if one < two and alternate(around, one, two):
                    both = {frozenset(one), frozenset(two)}
                    if not any(both <= ways for ways in listed):
                        return one, two
        return None

    def meeting(self, ways: tuple[tuple[Point, Point], ...]) -> int | None:
        """Return the first way whose edges do not both end at the common point; None if all do."""
        best = 0
        for kind in self.lattice.kinds:
            here = plus(kind.at, negative(ways[0][0]))
            meet = [way[0] != way[1] and all(self.far_end(here, step) for step in way) for way in ways]
            if all(meet):
                return None
            best = max(best, meet.index(False))
        return best

    def far_end(self, here: Point, step: Point) -> Point | None:
        """Return the other end of the edge at a step from a point, or None if it does not end there."""
        number = self.lattice.class_of(plus(here, step))
        if number < 0:
            return None
        far = [end for corner in self.outlines[number] if any(end := plus(corner, self.scaled(step)))]
        return far[0] if len(far) == 1 else None

    def rays(self, first: Point) -> list[Point]:
        """Return the steps from a point to all edges that end there, in their order around it.

        An edge at the step ``first`` from the point ends there.
        """
        ends: dict[Point, Point] = {}
        kind = next(kind for kind in self.lattice.kinds if self.far_end(plus(kind.at, negative(first)), first))
        here = plus(kind.at, negative(first))
        for number, corners in enumerate(self.outlines):
            for corner in corners:
                # The cell of this kind with this corner at the point, if there is one.
                step = tuple([-value // self.scale for value in corner])
                end = self.far_end(here, step)
                if end and self.lattice.class_of(plus(here, step)) == number:
                    ends[step] = end
        upper = {step: end[1] > 0 or (end[1] == 0 and end[0] > 0) for step, end in ends.items()}

        def turned_from(one: Point, two: Point) -> int:
            if upper[one] != upper[two]:
                return -1 if upper[one] else 1
            across = ends[one][0] * ends[two][1] - ends[one][1] * ends[two][0]
            return -1 if across > 0 else int(across < 0)

        return sorted(ends, key=cmp_to_key(turned_from))

    def scaled(self, step: Point) -> Point:
        """Return a step in the numbers of the scaled outlines."""
        return tuple([self.scale * value for value in step])


def alternate(around: list[Point], one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Return whether two ways cross at a point: their edges, given in order around it, alternate."""
    at = sorted((around.index(step), way) for way, steps in enumerate((one, two)) for step in steps)
    return not set(one) & set(two) and [way for _, way in at] in ([0, 1, 0, 1], [1, 0, 1, 0])


FACES_PATH = ("faces",)


def face_faults(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that each side of a face is an edge, and that each edge is a side of two faces.

    Both lattices repeat by the same translations, so one face of each kind is enough.
    """
    faces = faces_of(lattice)
    if faces is None:
        return
    if not lattice.of_edges or faces.of_edges or (lattice.dimension, faces.dimension) != (2, 2):
        yield LatticeFault(FACES_PATH, f"`{faces.name}` must be flat cells and `{lattice.name}` their edges")
        return
    times = dict.fromkeys(range(len(lattice.kinds)), 0)
    for number, face in enumerate(faces.kinds):
        for one, other in outline_sides(lattice, number):
            edge = edge_between(lattice, one, other)
            if edge is None:
                why = f"a side of `{face.name}` leads from {written(one)} to {written(other)}, which has no edge"
                yield LatticeFault(FACES_PATH, why)
                return
            times[edge[-1] if len(lattice.kinds) > 1 else 0] += 1
    for number, sides in times.items():
        if sides != 2:
            yield LatticeFault(FACES_PATH, f"`{lattice.kinds[number].name}` is a side of {sides} faces, expected 2")


__all__ = ["LatticeFault", "faults"]

#: The proofs in groups: each group relies on the proofs of the groups before it.
_PROOFS: tuple[tuple[Callable[[Lattice], Iterator[LatticeFault]], ...], ...] = (
    (algebra.basis, algebra.determinants, algebra.words),
    (algebra.finite,),
    (algebra.rotations, algebra.places, algebra.kept),
    (algebra.neighbours,),
    (outline_faults,),
    (face_faults,),
)


#: Proofs that no other proof needs. Their faults are listed with those of the groups of proofs from this index on.
_BESIDE, _FROM = algebra.lengths, 3


def faults(lattice: Lattice) -> list[LatticeFault]:
    """Return the faults of a lattice; [] if all proofs succeed.

    Its vectors and matrices must have the lattice's dimension.

    >>> from puzzlec.geometry import find_lattice
    >>> faults(find_lattice("hex"))
    []
    """
    beside: list[LatticeFault] = []
    for number, proofs in enumerate(_PROOFS):
        if number == _FROM:
            beside = list(_BESIDE(lattice))
        errors = [fault for proof in proofs for fault in proof(lattice)]
        if errors:
            return [*errors, *beside]
    return beside
