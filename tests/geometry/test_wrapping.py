from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.geometry import find_lattice
from puzzlec.geometry.lattice import Point
from puzzlec.geometry.regions import box, kinds_of
from puzzlec.geometry.wrapping import Isometry, Wrap, WrapError, Wrapping, carried_around


def wrapped(name: str, size: tuple[int, ...], *wraps: Wrap) -> tuple[Wrapping, list[Point]]:
    lattice = find_lattice(name)
    cells = kinds_of(box(size), len(lattice.kinds)) if len(lattice.kinds) > 1 else box(size)
    points = [lattice.point(cell) for cell in cells]
    return Wrapping(lattice, wraps, points), points


#: Boards with the orders of their groups: products of shifts and rotations that keep the shape of the torus.
GROUPS = [
    ("line", (7,), [Wrap((7,))], 14),
    ("square", (5, 3), [Wrap((5, 0))], 20),
    ("square", (5, 3), [Wrap((5, 0)), Wrap((0, 3))], 60),
    ("square", (5, 5), [Wrap((5, 0)), Wrap((0, 5))], 200),
    ("square", (5, 2), [Wrap((5, 0)), Wrap((1, 2))], 20),
    ("square", (5, 3), [Wrap((5, 0), True)], 20),
    ("square", (5, 3), [Wrap((5, 0), True), Wrap((0, 3))], 20),
    ("hex", (4, 4), [Wrap((4, 0)), Wrap((0, 4))], 16 * 12),
    ("triangle", (4, 4), [Wrap((4, 0)), Wrap((0, 4))], 16 * 12),
    ("sticks", (4, 4), [Wrap((4, 0)), Wrap((0, 4))], 16 * 8),
    ("cubic", (3, 3, 3), [Wrap((3, 0, 0)), Wrap((0, 3, 0)), Wrap((0, 0, 3))], 27 * 48),
]


@pytest.mark.parametrize(("name", "size", "wraps", "order"), GROUPS)
def test_a_wrap_around_board_has_its_shifts_and_the_rotations_that_keep_them(
    name: str, size: tuple[int, ...], wraps: list[Wrap], order: int
) -> None:
    wrapping, points = wrapped(name, size, *wraps)
    found = {permutation for _, permutation in carried_around(wrapping, points, points)}
    assert len(found) == order
    assert all(tuple([a[number] for number in b]) in found for a in list(found)[:5] for b in list(found)[:20])


@given(st.integers(-30, 30), st.integers(-30, 30))
def test_points_that_a_wrap_joins_are_one_location(x: int, y: int) -> None:
    for wraps in ([Wrap((4, 1)), Wrap((1, 3))], [Wrap((4, 0), True)], [Wrap((4, 0), True), Wrap((0, 3), True)]):
        wrapping, _ = wrapped("square", (4, 3) if wraps[0].twisted else (3, 3), *wraps)
        for generator in wrapping.generators:
            assert wrapping.location(generator.image((x, y))) == wrapping.location((x, y))
            assert wrapping.contains(generator)


def test_every_place_of_a_torus_is_a_location_and_beyond_the_border_of_a_cylinder_there_is_none() -> None:
    torus, _ = wrapped("square", (4, 3), Wrap((4, 0)), Wrap((0, 3)))
    assert [torus.location((x, -1)) for x in range(-1, 5)] == [11, 8, 9, 10, 11, 8]
    cylinder, _ = wrapped("square", (4, 3), Wrap((4, 0)))
    assert [cylinder.location((x, -1)) for x in range(5)] == [-1] * 5
    strip, _ = wrapped("square", (4, 3), Wrap((4, 0), True))
    assert [strip.location((4, y)) for y in range(-1, 4)] == [-1, 8, 4, 0, -1]


def test_an_inverse_undoes_an_isometry() -> None:
    for turn in find_lattice("hex").isometries:
        one = Isometry(turn, (3, -6))
        assert one.after(one.inverse()) == one.inverse().after(one) == Isometry(((1, 0), (0, 1)), (0, 0))


@pytest.mark.parametrize(
    ("name", "size", "wraps", "number", "why"),
    [
        ("square", (4, 3), [Wrap((0, 0))], 0, "zero"),
        ("square", (4, 3), [Wrap((4, 0)), Wrap((8, 0))], 1, "depend"),
        ("square", (4, 3), [Wrap((3, 0))], 0, r"\(0,0\) and \(3,0\) would be one location"),
        ("square", (4, 3), [Wrap((4, 3), True)], 0, "no reflection"),
        ("cubic", (2, 2, 2), [Wrap((2, 0, 0), True)], 0, "flat"),
        ("triangle", (4, 1), [Wrap((4, 0), True)], 0, "does not lie on the lattice"),
    ],
)
def test_impossible_wraps_are_refused_with_the_reason(
    name: str, size: tuple[int, ...], wraps: list[Wrap], number: int, why: str
) -> None:
    with pytest.raises(WrapError, match=why) as caught:
        wrapped(name, size, *wraps)
    assert caught.value.number == number
