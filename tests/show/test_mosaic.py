"""Pictures of tilings: every outline has its sides, and each cell room for its sign."""

from __future__ import annotations

from itertools import product

import pytest

import puzzlec
from puzzlec.geometry import Lattice, find_lattice
from puzzlec.geometry.faces import on_sheet
from puzzlec.geometry.lattice import from_document
from puzzlec.show.terminal import mosaic
from puzzlec.show.terminal.style import BoardOfSigns, Style

#: Hexagons and triangles in turn around each corner: 3.6.3.6.
TRIHEXAGONAL = from_document(
    "trihexagonal",
    {
        "summary": "hexagons and triangles",
        "dimension": 2,
        "axes": [[0.5, 0], [0.25, 0.4330127018922193]],
        "translations": [[6, 0], [0, 6]],
        "kinds": [
            {
                "name": "hexagon",
                "at": [0, 0],
                "outline": [[3, 0], [0, 3], [-3, 3], [-3, 0], [0, -3], [3, -3]],
                "neighbours": [[2, 2], [-2, 4], [-4, 2], [-2, -2], [2, -4], [4, -2]],
            },
            {
                "name": "triangle pointing up",
                "at": [2, 2],
                "outline": [[1, -2], [1, 1], [-2, 1]],
                "neighbours": [[4, -2], [-2, 4], [-2, -2]],
            },
            {
                "name": "triangle pointing down",
                "at": [4, -2],
                "outline": [[-1, -1], [2, -1], [-1, 2]],
                "neighbours": [[2, -4], [2, 2], [-4, 2]],
            },
        ],
        "rotations": [[[0, -1], [1, 1]]],
        "reflections": [[[-1, -1], [0, 1]]],
        "freedom": "free",
        "drawing": "cells",
    },
)


def apart(lattice: Lattice) -> BoardOfSigns:
    """Each cell of a patch is a piece."""
    cells = [(x, y, kind) for x in range(2) for y in range(2) for kind in range(len(lattice.kinds))]
    return BoardOfSigns(
        lattice, {cell: number for number, cell in enumerate(cells)}, {cell: str(cell[2]) for cell in cells}
    )


def test_the_trihexagonal_tiling_shows_all_its_sides() -> None:
    assert mosaic.draw(apart(TRIHEXAGONAL), Style(ascii=True)) == [
        "   ________________________",
        "  /      \\    /      \\    /",
        " /        \\2 /        \\2 /",
        "/    0     \\/    0     \\/",
        "\\          /\\          /\\",
        " \\        /1 \\        /1 \\",
        "  \\______/____\\______/____\\______",
        "        /      \\    /      \\    /",
        "       /        \\2 /        \\2 /",
        "      /    0     \\/    0     \\/",
        "      \\          /\\          /\\",
        "       \\        /1 \\        /1 \\",
        "        \\______/____\\______/____\\",
    ]


def test_gentle_slopes_continue_at_the_foot_of_lines_so_that_outlines_have_no_gaps() -> None:
    puzzle = next(iter(puzzlec.solve("lattices/nine-cubes"))).fitting.puzzle
    assert puzzle is not None
    assert puzzle.lattice is not None
    cube = BoardOfSigns(
        puzzle.lattice, {(0, 0, kind): kind for kind in range(3)}, {(0, 0, kind): "LRB"[kind] for kind in range(3)}
    )
    assert mosaic.draw(cube, Style(ascii=True)) == [
        "  ___/|___",
        "__/   |  \\__",
        "| L   | R   |",
        "|  __/\\__   |",
        "|__/ B  \\___|",
        "\\___    ___/",
        "   \\____/",
    ]


@pytest.mark.parametrize("name", ["tetrakis", "drafter"])
def test_every_cell_of_a_lattice_of_puzzlec_has_its_sign(name: str) -> None:
    lattice = find_lattice(name)
    drawn = "".join(mosaic.draw(apart(lattice), Style(ascii=True)))
    cells = 4 * len(lattice.kinds)
    assert sum(map(str.isdigit, drawn)) in (cells, cells + 8)  # kinds 10 and 11 have two digits


def test_the_scale_is_the_least_at_which_everything_is_visible() -> None:
    lattice = find_lattice("tetrakis")
    columns, lines = mosaic._scale(lattice)
    assert (round(columns, 2), round(lines, 2)) == (2.67, 1.33)
    places = [(x, y, kind) for x, y in product((0, 1, -1), repeat=2) for kind in range(4)]
    patch = [on_sheet(lattice, place) for place in places]
    assert mosaic._is_clear(patch, 4, (columns, lines))
    assert not mosaic._is_clear(patch, 4, (columns / 2, lines / 2))
