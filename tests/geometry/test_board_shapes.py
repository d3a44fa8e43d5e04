"""Board shapes: their numbers of cells have known formulas, and their cells the symmetries that the words promise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puzzlec.geometry import find_lattice
from puzzlec.geometry.board_shapes import BOARD_SHAPES, NoShapeError, board_shape
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.regions import RegionTooLargeError

#: The number of cells of size n: centred hexagonal numbers (A003215), centred octahedral numbers (A001845), square
#: pyramidal numbers (A000330), sums of odd squares (A000447) and tetrahedral numbers (A000292), among others.
NUMBERS: dict[tuple[str, str], Callable[[int], int]] = {
    ("hexagon", "hex"): lambda n: 3 * n * (n - 1) + 1,
    ("hexagon", "triangle"): lambda n: 6 * n * n,
    ("triangle", "triangle"): lambda n: n * n,
    ("triangle", "hex"): lambda n: n * (n + 1) // 2,
    ("diamond", "square"): lambda n: 2 * n * (n - 1) + 1,
    ("diamond", "cubic"): lambda n: (2 * n - 1) * (2 * n * n - 2 * n + 3) // 3,
    ("diamond", "hypercubic"): lambda n: (2 * n * (n - 1) * (n * n - n + 4)) // 3 + 1,  # A001846
    ("pyramid", "square"): lambda n: n * n,
    ("pyramid", "cubic"): lambda n: n * (4 * n * n - 1) // 3,
    ("pyramid", "fcc"): lambda n: n * (n + 1) * (2 * n + 1) // 6,
    ("tetrahedron", "fcc"): lambda n: n * (n + 1) * (n + 2) // 6,
}

#: The number of cells of length or side n and width w.
WIDE: dict[tuple[str, str], Callable[[int, int], int]] = {
    ("cross", "square"): lambda n, w: 2 * n * w - w * w,
    ("cross", "tetrakis"): lambda n, w: 4 * (2 * n * w - w * w),
    ("cross", "cubic"): lambda n, w: 3 * n * w * w - 2 * w**3,
    ("cross", "hypercubic"): lambda n, w: 4 * n * w**3 - 3 * w**4,
    ("ring", "hex"): lambda n, w: 3 * w * (2 * n - w - 1),
    ("ring", "triangle"): lambda n, w: 6 * w * (2 * n - w),
}

#: Shapes with the number of symmetries of their lattice's rotations and reflections around a point that keep each.
SYMMETRIES = {
    ("hexagon", "hex"): 12, ("hexagon", "triangle"): 12, ("triangle", "hex"): 6, ("triangle", "triangle"): 6,
    ("diamond", "square"): 8, ("diamond", "cubic"): 48, ("pyramid", "square"): 2, ("pyramid", "cubic"): 8,
    ("pyramid", "fcc"): 8, ("tetrahedron", "fcc"): 24, ("cross", "square"): 8, ("cross", "cubic"): 48,
    ("cross", "tetrakis"): 8, ("ring", "hex"): 12, ("ring", "triangle"): 12,
}  # fmt: skip


def normal(points: list[tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
    """Return points moved so that the least one is at the origin."""
    least = min(points)
    return frozenset(tuple(a - b for a, b in zip(point, least, strict=True)) for point in points)


def test_each_shape_on_each_lattice_has_a_formula_here() -> None:
    every = {(word, lattice) for word, lattices in BOARD_SHAPES.items() for lattice in lattices}
    prisms = {("hexagon", "prism"), ("triangle", "prism")}
    rings = {("ring", "square"), ("ring", "tetrakis")}
    assert every == {*NUMBERS, *WIDE, *prisms, *rings}


@pytest.mark.parametrize(("word", "lattice"), list(NUMBERS))
@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_a_shape_has_the_number_of_cells_of_its_formula(word: str, lattice: str, size: int) -> None:
    cells = board_shape(word, lattice, [size])
    assert len(cells) == NUMBERS[word, lattice](size)
    dimension = find_lattice(lattice).dimension
    assert [min(cell[axis] for cell in cells) for axis in range(dimension)] == [0] * dimension
    assert not board_shape(word, lattice, [0])


@pytest.mark.parametrize(("word", "lattice"), list(WIDE))
@pytest.mark.parametrize(("size", "width"), [(3, 1), (4, 2), (7, 3), (7, 5)])
def test_a_wide_shape_has_the_number_of_cells_of_its_formula(word: str, lattice: str, size: int, width: int) -> None:
    assert len(board_shape(word, lattice, [size], width)) == WIDE[word, lattice](size, width)


@pytest.mark.parametrize(("columns", "rows", "width"), [(3, 3, 1), (8, 6, 2), (5, 9, 1)])
def test_a_ring_is_a_box_without_a_box(columns: int, rows: int, width: int) -> None:
    inside = {(x, y) for x in range(width, columns - width) for y in range(width, rows - width)}
    box = {(x, y) for x in range(columns) for y in range(rows)}
    ring = board_shape("ring", "square", [columns, rows], width)
    assert set(ring) == box - inside
    quarters = board_shape("ring", "tetrakis", [columns, rows], width)
    assert set(quarters) == {(*cell, kind) for cell in ring for kind in range(4)}


@pytest.mark.parametrize("word", ["hexagon", "triangle"])
def test_a_prism_is_a_flat_shape_in_layers(word: str) -> None:
    flat = board_shape(word, "triangle", [3])
    assert set(board_shape(word, "prism", [3, 2])) == {(x, y, z, kind) for x, y, kind in flat for z in range(2)}


@pytest.mark.parametrize(("word", "lattice"), list(SYMMETRIES))
def test_a_shape_has_the_symmetries_of_its_word(word: str, lattice: str) -> None:
    found = find_lattice(lattice)
    points = [found.point(cell) for cell in board_shape(word, lattice, [5])]
    kept = [matrix for matrix in found.isometries if normal([turned(matrix, p) for p in points]) == normal(points)]
    assert len(kept) == SYMMETRIES[word, lattice]


@pytest.mark.parametrize(
    ("word", "lattice", "sizes", "width"),
    [
        ("cross", "square", [4], 1), ("cross", "cubic", [5], 2), ("cross", "square", [3], 5),
        ("cross", "square", [3], 0), ("ring", "square", [5, 4], 2), ("ring", "square", [2, 9], 1),
        ("ring", "hex", [3], 3), ("ring", "triangle", [1], 1), ("ring", "hex", [3], 0),
    ],
)  # fmt: skip
def test_impossible_sizes_are_refused_with_possible_ones(word: str, lattice: str, sizes: list[int], width: int) -> None:
    with pytest.raises(NoShapeError) as refused:
        board_shape(word, lattice, sizes, width)
    assert board_shape(word, lattice, refused.value.sizes, refused.value.width)


@pytest.mark.parametrize(
    ("word", "lattice"), [(word, lattice) for word in BOARD_SHAPES for lattice in BOARD_SHAPES[word]]
)
def test_a_huge_shape_is_refused_at_once(word: str, lattice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.geometry.board_shapes.MAX_REGION_CELLS", 1000)
    sizes = [10**30 + 1] * len(BOARD_SHAPES[word][lattice].sizes)
    with pytest.raises(RegionTooLargeError):
        board_shape(word, lattice, sizes)
