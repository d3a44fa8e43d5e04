"""Boards in separate parts, each of which may be rotated separately."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.lower import Encoding, movements, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.solving.solutions import Solutions
from tests import brute

TWO = "locations box {0} + box {0} at (7,0)\npieces {1}"


def encoded(text: str) -> Encoding:
    return puzzlec.compile(puzzlec.parse(text))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        # Two rectangles: each has 4 movements, and they may change places.
        (TWO.format("5x6", "pentominoes"), (4, 32)),
        # Two squares have 8 each.
        ("locations box 2x2 + box 2x2 at (5,0)\npiece D x4 { xx }", (4, 2 * 8 * 8)),
        # Parts that differ do not change places.
        ("locations box 2x2 + box 2x3 at (5,0)\npiece D x5 { xx }", (1, 8 * 4)),
        # One-sided pieces: no part is reflected unless its pieces are.
        ("locations box 4x2 + box 4x2 at (5,0)\npiece L x4 one-sided { xxx/x.. }", (2, 2 * 2 * 2)),
        # A board in one part is moved as a whole.
        ("locations box 3x4\npiece D x6 { xx }", (4, 4)),
        # Layers of a solid that do not touch.
        ("lattice cubic\nlocations box 2x2x1 + box 2x2x1 at (0,0,2)\npiece D x4 { xx }", (16, 128)),
        # Single cells: a rotation in place has no effect.
        ("locations cells (0,0) (2,0) (4,0) (6,0) (8,0)\npiece M x5 { x }", (2, 120)),
        # A fixed piece fixes its part; the other part stays free.
        ("locations box 2x2 + box 2x2 at (5,0)\npiece D x4 { xx }\nfix D at cells (0,0) (1,0)", (2, 4 * 8)),
    ],
)
def test_the_group_of_parts_is_the_product_of_theirs_with_changes_of_place(text: str, orders: tuple[int, int]) -> None:
    encoding = encoded(text)
    assert (len(symmetry(encoding)), len(symmetry(encoding, "parts"))) == orders


def test_pentominoes_in_two_boxes_are_two_solutions_if_each_box_rotates_separately() -> None:
    encoding = encoded(TWO.format("5x6", "pentominoes"))
    assert [Solutions(encoding, symmetry=which).count() for which in ("none", "rotations", "all", "parts")] == [
        64,
        32,
        16,
        2,
    ]


@given(st.data())
def test_solutions_distinct_in_each_part_are_those_of_brute_force(data: st.DataObject) -> None:
    cells = [(x, y) for x in range(3) for y in range(2)]
    left = data.draw(st.sets(st.sampled_from(cells), min_size=2))
    right = data.draw(st.one_of(st.just(left), st.sets(st.sampled_from(cells), min_size=2)))
    locations = [*sorted(left), *((x + 5, y) for x, y in sorted(right))]
    freedom = data.draw(st.sampled_from(("free", "one-sided", "fixed")))
    places = " ".join(f"({x},{y})" for x, y in locations)
    text = f"locations cells {places}\npiece M x* {{ x }}\npiece V x0..2 {freedom} {{ xx/x. }}\npiece D x0..1 {{ xx }}"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, puzzlec.Puzzle)
    raw = brute.solutions(puzzle)
    group = list(parts_moved(puzzle))
    orbits = len({frozenset(brute.image(solution, move, [0, 1, 2]) for move in group) for solution in raw})
    assert Solutions(puzzle, symmetry="parts").count() == orbits
    assert len(list(Solutions(puzzle, symmetry="parts"))) == orbits


def parts_moved(puzzle: puzzlec.Puzzle) -> list[dict[tuple[int, ...], tuple[int, ...]]]:
    """Every way to map connected parts to parts that keeps the placements of every piece, by trying all."""
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    parts: list[set[tuple[int, ...]]] = []
    for cell in cells:
        touching = [part for part in parts if any(abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y in part)]
        parts = [part for part in parts if part not in touching] + [{cell}.union(*touching)]
    assert puzzle.lattice is not None
    found = []
    sets = [brute.placements(puzzle, number) for number in range(len(puzzle.pieces))]
    for goals in permutations(parts):
        ways: list[list[dict[tuple[int, ...], tuple[int, ...]]]] = []
        for part, goal in zip(parts, goals, strict=True):
            ways.append([])
            for turn, (x, y) in product(puzzle.lattice.isometries, goal):
                start = min(part)
                a, b = brute.apply(turn, start)
                images = {
                    cell: tuple(map(sum, zip(brute.apply(turn, cell), (x - a, y - b), strict=True))) for cell in part
                }
                if set(images.values()) == goal and images not in ways[-1]:
                    ways[-1].append(images)
        for chosen in product(*ways):
            move = {old: new for images in chosen for old, new in images.items()}
            if all({frozenset(move[cell] for cell in part) for part in own} == own for own in sets):
                found.append(move)
    return found


def test_too_many_parts_are_counted_and_not_listed() -> None:
    boxes = " + ".join(f"box 2x2 at ({3 * k},0)" for k in range(8))
    encoding = encoded(f"locations {boxes}\npiece D x16 {{ xx }}")
    with pytest.raises(GroupTooLargeError) as caught:
        symmetry(encoding, "parts")
    assert caught.value.order == 40320 * 8**8


def test_movements_of_parts_are_listed_up_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = encoded("locations box 2x2 + box 2x2 at (5,0)\npiece D x4 { xx }")
    monkeypatch.setattr(movements, "MOST_MOVEMENTS", 128)
    assert len(symmetry(encoding, "parts")) == 128
    monkeypatch.setattr(movements, "MOST_MOVEMENTS", 127)
    with pytest.raises(GroupTooLargeError, match="symmetries of 2 parts of the board to list: at least 128"):
        symmetry(encoding, "parts")


def test_parts_of_different_colours_are_not_congruent() -> None:
    text = "colours r g\nlocations { rr/../gg/../rr }\npiece D x3 { xx }"
    assert len(symmetry(encoded(text), "parts")) == 2 * 2 * 2 * 2  # each is rotated, and the red parts change places
