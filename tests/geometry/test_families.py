"""Families of polyforms: their numbers are the published ones, and the order of their names never changes."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from puzzlec.geometry import Freedom, ShapeSet, find_lattice, find_library, lattice_names
from puzzlec.geometry.families import (
    MOST_IMAGES,
    MOST_SHAPES,
    Published,
    ShapesError,
    family_names,
    find_family,
    find_shapes,
    generate,
    lattice_of,
    polyforms,
    sized_names,
)
from puzzlec.geometry.lattice import identity, multiply, turned
from tests.geometry.slow_polyforms import classes, fixed_forms, images, neighbours, normal

FREEDOMS = list(Freedom)


def sizes(name: str, least: int, most: int) -> list[int]:
    """The sizes of a family with at most this many fixed polyforms, which determine the time of generation."""
    return [
        size for size, count in enumerate(find_family(name).published[Freedom.FIXED].counts, 1) if least <= count < most
    ]


def compare(name: str, size: int) -> None:
    family = find_family(name)
    for freedom in FREEDOMS:
        assert len(polyforms(family.lattice, family.units, size, freedom)) == family.published[freedom].counts[size - 1]


@pytest.mark.parametrize("name", family_names())
def test_the_numbers_of_polyforms_agree_with_published_ones(name: str) -> None:
    assert len(sizes(name, 1, 3000)) >= 4
    for size in sizes(name, 1, 3000):
        compare(name, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_the_numbers_of_large_polyforms_agree_with_published_ones(name: str) -> None:
    for size in sizes(name, 3000, MOST_IMAGES)[-2:]:
        compare(name, size)


@pytest.mark.parametrize("name", [name for name in family_names() if name != "polyaboloes"])
def test_small_polyforms_agree_with_a_simple_method(name: str) -> None:
    family = find_family(name)
    assert all(len(unit) == 1 for unit in family.units)
    for size in sizes(name, 1, 400 if family.lattice.dimension < 4 else 60):
        slow = fixed_forms(family.lattice, size)
        assert len(slow) == family.published[Freedom.FIXED].counts[size - 1]
        for freedom in FREEDOMS:
            found = [
                images(form, family.lattice, freedom) for form in polyforms(family.lattice, family.units, size, freedom)
            ]
            assert set(found) == classes(slow, family.lattice, freedom)
            assert len(set(found)) == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["polytrigs", "polyprisms"])
def test_unpublished_numbers_of_fixed_polyforms_agree_with_a_simple_method(name: str) -> None:
    family = find_family(name)
    for size in sizes(name, 400, 100_000):
        assert len(fixed_forms(family.lattice, size)) == family.published[Freedom.FIXED].counts[size - 1]


@pytest.mark.parametrize("size", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_polyspheres_are_rigid_bodies(size: int) -> None:
    """A sixth of a turn in its hexagonal layer keeps a piece the same, although the lattice lacks this symmetry."""
    family = find_family("polyspheres")
    for freedom in (Freedom.ONE_SIDED, Freedom.FREE):
        left, number = fixed_forms(family.lattice, size), 0
        while left:
            left -= images(next(iter(left)), family.lattice, freedom)
            number += 1
        assert number == family.published[freedom].counts[size - 1]


def test_the_lattice_has_more_polyspheres_by_the_number_of_flat_ones_that_it_does_not_reflect() -> None:
    """OEIS A038172 counts pieces that differ by a sixth of a turn separately: it has six isometries only."""
    published = [1, 1, 5, 28, 225, 2274, 24955, 286143, 3367443, 40358811, 490598186]
    known = find_family("polyspheres").published[Freedom.ONE_SIDED].counts
    lattice = find_lattice("hex")
    # Third turns keep the packing. So do half turns about a row of balls, which reflect the layer along that row.
    kept = [
        turn
        for turn in lattice.isometries
        if multiply(turn, multiply(turn, turn)) == identity(2)
        or (turn not in lattice.rotations and any(turned(turn, step) == step for step in lattice.kinds[0].neighbours))
    ]
    assert len(kept) == 6
    for size in range(1, 8):
        more = 0
        for cells in polyforms(lattice, (((0, 0),),), size, Freedom.FREE):
            points = [lattice.point(cell) for cell in cells]
            counts = [
                len({normal([at for p in points if (at := lattice.cell(turned(turn, p)))], lattice) for turn in turns})
                for turns in (lattice.isometries, kept)
            ]
            more += counts[0] // counts[1] - 1
        assert known[size - 1] == published[size - 1] - more


def grown_polyaboloes(size: int) -> set[frozenset[tuple[tuple[int, int], str]]]:
    """Fixed polyaboloes by their corners: a half square is (square, the corner of its right angle).

    A full square is the same with either diagonal. Two half squares share a whole side if two corners of one are
    corners of the other.
    """
    square = {"nw": (0, 0), "ne": (1, 0), "se": (1, 1), "sw": (0, 1)}
    opposite = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}
    halves = [((x, y), corner) for x in range(-size, size + 1) for y in range(-size, size + 1) for corner in square]

    def corners(half: tuple[tuple[int, int], str]) -> frozenset[tuple[int, int]]:
        (x, y), right = half
        return frozenset((x + dx, y + dy) for name, (dx, dy) in square.items() if name != opposite[right])

    def normal(form: frozenset[tuple[tuple[int, int], str]]) -> frozenset[tuple[tuple[int, int], str]]:
        low = min(x for (x, _), _ in form), min(y for (_, y), _ in form)
        full = Counter(at for at, _ in form)
        moved = [((at[0] - low[0], at[1] - low[1]), ["nw", "se"] if full[at] == 2 else [corner]) for at, corner in form]
        return frozenset((at, corner) for at, those in moved for corner in those)

    beside = {
        half: [other for other in halves if abs(other[0][0] - half[0][0]) + abs(other[0][1] - half[0][1]) < 2
               and other != half and len(corners(half) & corners(other)) == 2
               and (other[0] != half[0] or other[1] == opposite[half[1]])]
        for half in halves
    }  # fmt: skip
    # A full square may be cut in two ways: both are tried.
    found = {normal(frozenset([((0, 0), corner)])) for corner in square}
    for _ in range(size - 1):
        larger = set()
        for form in found:
            full = {at for at, count in Counter(at for at, _ in form).items() if count == 2}
            inside = form | {(at, corner) for at in full for corner in square}
            taken = {at for at, _ in form}
            for half in inside:
                for new in beside[half]:
                    if new not in inside and (new[0] not in taken or ((new[0], opposite[new[1]]) in form)):
                        larger.add(normal(form | {new}))
        found = larger
    return found


def test_polyaboloes_grow_by_their_corners_to_the_same_number() -> None:
    counts = find_family("polyaboloes").published[Freedom.FIXED].counts
    assert [len(grown_polyaboloes(size)) for size in range(1, 7)] == list(counts[:6])


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tetrakis", ((1, 2, 2, 6, 8, 22, 42), (1, 2, 3, 8, 14, 36, 80), (4, 6, 12, 25, 56, 132, 320))),
        ("tetoct", ((2, 1, 4, 9, 44), None, None)),
    ],
)
def test_cells_of_other_lattices_make_the_published_numbers_of_polyforms(
    name: str, counts: tuple[tuple[int, ...] | None, ...]
) -> None:
    # OEIS A197465, A197466, A197467; A343909
    lattice = find_lattice(name)
    origin = (0,) * lattice.dimension
    units = tuple(((*origin, kind),) for kind in range(len(lattice.kinds)))
    for freedom, known in zip(FREEDOMS, counts, strict=True):
        for size, count in enumerate(known or (), 1):
            assert len(polyforms(lattice, units, size, freedom)) == count


@pytest.mark.parametrize("name", family_names())
def test_a_family_is_complete_data(name: str) -> None:
    family = find_family(name)
    assert family.summary
    assert family.lattice.name in lattice_names()
    assert set(family.published) == set(FREEDOMS)
    for known in family.published.values():
        assert known.source.startswith("https://oeis.org/A") or known.source == "counted by puzzlec"
    for unit in family.units:
        assert all(any(other in neighbours(cell, family.lattice) for other in unit) for cell in unit if len(unit) > 1)
    for freedom, names in family.sets.items():
        for size, sized in enumerate(names, 1):
            if sized:
                assert generate(name, size, freedom).shapes == find_library(sized).shapes
                assert find_library(sized).freedom is freedom
    assert not set(sized_names()) & {*family_names(), *(member for names in family.sets.values() for member in names)}


def test_more_freedom_makes_fewer_polyforms_of_which_all_others_are_images() -> None:
    for name, size in (("polyominoes", 6), ("polyspheres", 3), ("polydrafters", 4)):
        family = find_family(name)
        whole = [
            {
                form
                for cells in polyforms(family.lattice, family.units, size, freedom)
                for form in images(cells, family.lattice, freedom)
            }
            for freedom in FREEDOMS
        ]
        assert whole[0] == whole[1] == whole[2]


def digest(shapes: ShapeSet) -> str:
    return sha256(repr([(shape.name, shape.cells) for shape in shapes.shapes.values()]).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("name", "size", "freedom", "expected"),
    [
        ("polyominoes", 7, None, "a185d26d5485860e"),
        ("polyominoes", 7, Freedom.ONE_SIDED, "1a610b479a123a28"),
        ("polyominoes", 4, Freedom.FIXED, "516c6ffcea408ae7"),
        ("polyiamonds", 8, None, "224a4e76e2e8c130"),
        ("polyhexes", 6, None, "3517c6ba92f26c4f"),
        ("polysticks", 5, None, "acaab7a2b0813511"),
        ("polytrigs", 4, None, "5fac4b3cdeaf1bc8"),
        ("polytwigs", 6, None, "474d363ecf68b3e1"),
        ("polyaboloes", 4, None, "f4c2cc68a8211d5b"),
        ("polydrafters", 5, None, "4dc07ebcf52e272d"),
        ("polycubes", 6, None, "9dec26866f748379"),
        ("polyspheres", 4, None, "8f3c242aba80ff6d"),
        ("polyprisms", 4, None, "a5944b69edc32c86"),
        ("polytesseracts", 5, None, "9865e321fce17f90"),
    ],
)
def test_names_and_cells_do_not_change(name: str, size: int, freedom: Freedom | None, expected: str) -> None:
    # Puzzles name these pieces: another order would change their meaning.
    assert digest(generate(name, size, freedom)) == expected


def test_the_order_is_that_of_cells_in_reading_order() -> None:
    assert [shape.cells for shape in generate("polyominoes", 4, Freedom.FIXED).shapes.values()][:3] == [
        ((0, 0), (1, 0), (2, 0), (3, 0)),
        ((0, 0), (1, 0), (2, 0), (0, 1)),
        ((0, 0), (1, 0), (2, 0), (1, 1)),
    ]
    for name, size in (("polyominoes", 7), ("polyhexes", 6)):
        lists = []
        for shape in generate(name, size).shapes.values():
            reading = [tuple(reversed(cell)) for cell in shape.cells]
            assert reading == sorted(reading)
            lists.append([tuple(a - b for a, b in zip(cell, reading[0], strict=True)) for cell in reading])
        assert lists == sorted(lists)


def test_every_coefficient_begins_at_zero() -> None:
    for name, size in (("polyominoes", 7), ("polyaboloes", 3), ("polytesseracts", 4)):
        for shape in generate(name, size).shapes.values():
            assert {min(axis) for axis in list(zip(*shape.cells, strict=True))[: lattice_of(name).dimension]} == {0}


@pytest.mark.parametrize("name", family_names())
def test_sizes_with_too_many_polyforms_are_refused_with_their_number(name: str) -> None:
    family = find_family(name)
    for freedom in FREEDOMS:
        source, counts = family.published[freedom]
        images_of = family.published[Freedom.FIXED].counts
        first = next(
            size for size, count in enumerate(counts, 1)
            if count > MOST_SHAPES or size > len(images_of) or images_of[size - 1] > MOST_IMAGES
        )  # fmt: skip
        with pytest.raises(ShapesError) as caught:
            generate(name, first, freedom)
        assert caught.value.code == "PZ351"
        assert f"{counts[first - 1]:,} exist ({source})" in caught.value.note
        assert caught.value.note.endswith(f"is {first - 1}")
        with pytest.raises(ShapesError, match="too many"):
            generate(name, 10**12, freedom)


@pytest.mark.parametrize("size", [0, -1, -(10**9)])
def test_a_size_below_1_is_refused(size: int) -> None:
    with pytest.raises(ShapesError, match="at least 1"):
        generate("polyominoes", size)


def test_shapes_are_found_by_the_names_of_libraries_families_and_sizes() -> None:
    assert find_shapes("soma") is find_library("soma")
    assert len(find_shapes("heptominoes").shapes) == 108
    assert find_shapes("tetraboloes").name == "tetraboloes"
    assert find_shapes("polycubes", 4).freedom is Freedom.ONE_SIDED
    assert len(find_shapes("polycubes", 4, Freedom.FREE).shapes) == 7
    assert {lattice_of(name).name for name in ("polyhexes", "hexahexes", "meteor")} == {"hex"}


@pytest.mark.parametrize(
    ("name", "size", "code"),
    [("polyominoes", None, "PZ350"), ("polyominoes", 0, "PZ351"), ("soma", 3, "PZ352"), ("polyomino", 3, "PZ304")],
)
def test_a_missing_shape_has_its_code(name: str, size: int | None, code: str) -> None:
    with pytest.raises(ShapesError) as caught:
        find_shapes(name, size)
    assert caught.value.code == code


def test_the_published_numbers_of_a_family_rise_with_less_freedom() -> None:
    for name in family_names():
        published = [find_family(name).published[freedom] for freedom in FREEDOMS]
        assert all(isinstance(numbers, Published) for numbers in published)
        for free, one_sided, fixed in zip(*(numbers.counts for numbers in published), strict=False):
            assert free <= one_sided <= fixed
