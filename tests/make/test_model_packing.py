"""Rectangles on plates: none overlaps another, all fit, and rotations save plates."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.make.packing import Position, Size, packed

LENGTHS = st.integers(1, 60).map(float)


def box(position: Position, size: Size) -> tuple[float, float, float, float]:
    wide, deep = size[::-1] if position.turned else size
    return position.x, position.y, position.x + wide, position.y + deep


@given(st.lists(st.tuples(LENGTHS, LENGTHS), min_size=1, max_size=25), st.sampled_from([(60, 60), (60, 90), (200, 61)]))
@settings(max_examples=40)
def test_nothing_overlaps_and_all_fit_with_room_between(sizes: list[Size], plate: tuple[int, int]) -> None:
    found = packed(sizes, *plate, 2.0)
    assert found == packed(sizes, *plate, 2.0)
    boxes = [(place.plate, box(place, size)) for place, size in zip(found, sizes, strict=True)]
    assert {number for number, _ in boxes} == set(range(max(number for number, _ in boxes) + 1))
    for _, (left, front, right, back) in boxes:
        assert left >= 0
        assert front >= 0
        assert right <= plate[0]
        assert back <= plate[1]
    for (one, (a, b, c, d)), (other, (e, f, g, h)) in combinations(boxes, 2):
        assert one != other or max(e - c, a - g, f - d, b - h) >= 2 - 1e-9


@pytest.mark.parametrize(
    ("sizes", "plate", "plates"),
    [
        ([(60, 40)] * 6, (100, 80), 3),  # two beside each other, upright
        ([(60, 40)] * 6, (80, 100), 3),
        ([(166, 106), (166, 106)], (110, 170), 2),  # fits only rotated
        ([(100, 10)] * 9 + [(10, 100)], (100, 136), 1),
        ([(1, 1)] * 100, (1, 1), 100),
    ],
)
def test_rotations_save_plates(sizes: list[Size], plate: tuple[float, float], plates: int) -> None:
    assert max(place.plate for place in packed(sizes, *plate, 4.0)) + 1 == plates


def test_nothing_is_rotated_without_need() -> None:
    found = packed([(30, 40), (20, 10), (50, 20)], 120, 100, 4.0)
    assert not any(place.turned for place in found)


def test_a_rectangle_that_cannot_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="larger than the plate"):
        packed([(10, 10), (50, 20)], 40, 40, 1.0)


def test_thousands_of_rectangles_are_packed_at_once() -> None:
    # The last rectangle fits beside or behind none of the others.
    sizes = [(60.0, 40.0)] * 2500 + [(20.0, 20.0)]
    assert max(place.plate for place in packed(sizes, 100, 80, 4.0)) + 1 == 1251
