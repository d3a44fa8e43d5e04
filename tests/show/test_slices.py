"""Cuts through solids of polyhedra: polygons side by side, and borders where pieces meet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

import puzzlec
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.ir import Puzzle
from puzzlec.show.terminal import slices
from puzzlec.show.terminal.style import BoardOfSigns, Style, TooWideError
from puzzlec.show.terminal.text import draw_puzzle, draw_solution

SOLIDS = ("tetoct", "octants", "rhombic")


def area(ring: list[tuple[float, float]]) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in around(ring)) / 2


def around(ring: list[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return list(zip(ring, [*ring[1:], *ring[:1]], strict=True))


@pytest.mark.parametrize("name", SOLIDS)
def test_the_polygons_of_a_cut_lie_side_by_side_without_a_gap(name: str) -> None:
    lattice = find_lattice(name)
    kinds = range(len(lattice.kinds))
    moved = [(*place, kind) for place in product(range(-2, 3), repeat=3) for kind in kinds]
    for height, through in slices.cut_cells(lattice, [(0, 0, 0, kind) for kind in kinds]):
        cut = slices.polygons(lattice, moved, height)
        assert set(through) <= set(cut)
        assert all(area(ring) > 0 for ring in cut.values())
        sides = Counter(
            (round(one[0], 3), round(one[1], 3), round(two[0], 3), round(two[1], 3))
            for ring in cut.values()
            for one, two in around(ring)
        )
        assert set(sides.values()) == {1}
        inner = [ring for cell, ring in cut.items() if not any(cell[:3])]
        assert inner
        # Beyond each side there is a cell whose side runs the other way.
        for ring in inner:
            for one, two in around(ring):
                assert (round(two[0], 3), round(two[1], 3), round(one[0], 3), round(one[1], 3)) in sides


@pytest.mark.parametrize("name", SOLIDS)
def test_two_polygons_with_a_common_side_belong_to_neighbours(name: str) -> None:
    lattice = find_lattice(name)
    cells = [(*place, kind) for place in product(range(2), repeat=3) for kind in range(len(lattice.kinds))]
    board = dict.fromkeys(cells, 0)
    near = {
        (a, b) for a in cells for step in lattice.kinds[a[3]].neighbours if (b := moved(lattice.point(a), step, name))
    }
    met = set()
    for height, through in slices.cut_cells(lattice, board):
        sides: dict[tuple[float, ...], list[Cell]] = {}
        for cell, ring in slices.polygons(lattice, through, height).items():
            for one, two in around(ring):
                sides.setdefault(tuple(round(a + b, 3) for a, b in zip(one, two, strict=True)), []).append(cell)
        for owners in sides.values():
            assert len(owners) <= 2
            met |= {(a, b) for a, b in combinations(owners, 2)} | {(b, a) for a, b in combinations(owners, 2)}
    assert met <= near
    # Neighbours that are never met share a horizontal face.
    for cell, other in near - met:
        if other in board:
            corners = [places(lattice, touching) for touching in (cell, other)]
            assert len({round(corner[2], 6) for corner in corners[0] & corners[1]}) == 1


def places(lattice: Lattice, cell: Cell) -> set[tuple[float, ...]]:
    point = lattice.point(cell)
    return {
        tuple(round(a + b, 6) for a, b in zip(point, corner, strict=True))
        for corner in lattice.kinds[lattice.class_of(point)].outline
    }


def moved(point: tuple[int, ...], step: tuple[int, ...], name: str) -> Cell | None:
    return find_lattice(name).cell(tuple(a + b for a, b in zip(point, step, strict=True)))


def test_an_octahedron_and_tetrahedra_are_cut_into_squares() -> None:
    board = "lattice tetoct\nlocations cells (0,0,0,0) (0,0,0,2) (0,0,0,1)"
    text = board + "\npiece A cells (0,0,0,0)\npiece B cells (0,0,0,2) (0,0,0,1)"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    drawn = draw_puzzle(puzzle, Style(ascii=True)).split("\n")
    assert drawn == [
        "cut 1        cut 2",
        "  / \\          / \\",
        "/ x   \\      / x   \\",
        "\\       \\    \\       \\",
        "  \\   x   \\    \\   x   \\",
        "    \\     /      \\     /",
        "      \\ /          \\ /",
    ]
    solution = next(iter(puzzlec.solve(puzzle)))
    assert draw_solution(solution, Style(ascii=True)).split("\n")[2:4] == [
        "/ A   \\      / B   \\",
        "\\     / \\    \\       \\",
    ]


def test_cuts_continue_below_at_the_end_of_the_width_and_too_wide_ones_get_a_remark() -> None:
    solution = next(iter(puzzlec.solve("tetoct/dumbbells-tetrahedron")))
    wide = draw_solution(solution, Style(width=200)).split("\n")
    assert wide[0].split() == ["cut", "1", "cut", "2", "cut", "3", "cut", "4"]
    narrow = draw_solution(solution, Style(width=40)).split("\n")
    assert [line for line in narrow if line.startswith("cut")] == ["cut 1", "cut 2", "cut 3", "cut 4"]
    assert all(len(line) <= 40 for line in narrow)
    assert all(line == line.rstrip() for line in [*wide, *narrow])
    lines = draw_solution(solution, Style(width=30)).split("\n")
    assert lines[0] == "the picture needs 31 columns, there are 30"
    assert lines[1].startswith("dumbbell: ")


@pytest.mark.parametrize("name", SOLIDS)
def test_every_side_of_a_cut_is_visible_if_each_cell_is_a_piece(name: str) -> None:
    lattice = find_lattice(name)
    cells: list[Cell] = [(0, 0, 0, kind) for kind in range(len(lattice.kinds))]
    board = BoardOfSigns(lattice, {cell: k for k, cell in enumerate(cells)}, {c: chr(65 + c[3]) for c in cells})
    drawn = "".join(slices.draw_cuts(board, Style(ascii=True, width=200)))
    assert all(chr(65 + kind) in drawn for kind in range(len(cells)))
    with pytest.raises(TooWideError):
        slices.draw_cuts(board, Style(width=3))
