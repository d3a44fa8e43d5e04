"""Board shapes in the language: wherever a region can be, in conditions, in other formats and in messages."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import find_lattice
from puzzlec.ir import Puzzle
from puzzlec.solving.conditions import numbers_of_locations, understood
from tests.language.test_named_regions import LINES, facts, parsed

#: The cells of `diamond 2 at (1,0)`.
DIAMOND = "cells (2,0) (1,1) (2,1) (3,1) (2,2)"


@pytest.mark.parametrize("line", LINES)
def test_a_board_shape_means_its_cells_everywhere(line: str) -> None:
    text = line.replace("piece A { xx/xx }", "piece A { .x./xxx/.x. }") + "\npiece M x* { x }\n"
    shape, cells = (parsed(text.replace("{}", region)) for region in ("(diamond 2 at (1,0))", f"({DIAMOND})"))
    assert facts(shape) == facts(cells)


@pytest.mark.parametrize(
    ("lattice", "region", "cells"),
    [
        ("hex", "hexagon 2", 7), ("hex", "hexagon {n}", 19), ("hex", "hexagon {n+1}", 37), ("triangle", "ring {n}", 30),
        ("square", "ring {n}x{n} width 1", 8), ("square", "cross 5 width {n}", 21), ("cubic", "cross 5 width {n}", 81),
        ("prism", "hexagon 2x{n}", 72), ("trigs", "edges of hexagon 1", 12),
        ("twigs", "edges of triangle 3", 27), ("square", "(pyramid {n}) at (1,1)", 9), ("fcc", "tetrahedron {n}", 10),
    ],
)  # fmt: skip
def test_sizes_are_numbers_variables_and_expressions(lattice: str, region: str, cells: int) -> None:
    puzzle = parsed(f"lattice {lattice}\nparam n = 3\noptional locations {region}\npiece M x* cells {_one(lattice)}\n")
    assert len(puzzle.locations) == cells


def _one(lattice: str) -> str:
    """Return one cell of a lattice."""
    found = find_lattice(lattice)
    return str((0,) * found.coordinates).replace(",)", ")")


def test_conditions_know_board_shapes() -> None:
    puzzle = parsed("locations box 6x6\npiece M x36 { x }\n")
    encoding = compile(puzzle, stage="cover")
    for region, cells in (("diamond 2", 5), ("ring 6x6 width 2", 32), ("ring 4x4 + diamond 1 at (1,1)", 13)):
        assert len(numbers_of_locations(encoding.fitting, region)) == cells
        assert understood(f"M inside {region}", encoding)


def test_a_region_may_have_the_word_of_a_shape_in_quotes() -> None:
    text = (
        'region "ring" = ring 3x3\nlocations box 3x3\npiece M x* { x }\ncost M per "ring" = 1\nrule "ring" sum <= 9\n'
    )
    puzzle = parsed(text)
    written = puzzlec.convert(puzzle, to="puzzle")
    assert 'rule "ring" sum' in written
    assert facts(parsed(written)) == facts(puzzle)
    assert isinstance(puzzlec.parse(puzzlec.convert(puzzle, to="json"), format="json"), Puzzle)
    assert '"ring"' in puzzlec.fmt(text)
    assert 'region "ring"' in puzzlec.fmt(text)


@pytest.mark.parametrize(
    ("text", "code", "message", "help"),
    [
        ("lattice square\nlocations hexagon 3", "PZ320", "unknown board shape `hexagon` on the lattice `square`",
         "write `lattice hex` instead of `lattice square`"),
        ("lattice hex\nlocations diamond 3", "PZ320", "unknown board shape `diamond` on the lattice `hex`",
         "write `lattice square` instead of `lattice hex`"),
        ("lattice sticks\nlocations cross 3", "PZ320", "unknown board shape `cross` on the lattice `sticks`",
         "write `edges of cross 3`"),
        ("lattice none\nlocations cross 3", "PZ320", "unknown board shape `cross` on `lattice none`",
         "write `lattice square` instead of `lattice none`"),
        ("locations ring 4", "PZ312", "`ring` takes 2 sizes, columns and rows", "write `ring 4x4`"),
        ("locations diamond 4x5", "PZ312", "`diamond` takes 1 size, side", "write `diamond 4`"),
        ("locations ring 5x5 width 1x2", "PZ312", "`ring` takes one width", "write `ring 5x5 width 1`"),
        ("locations ring 5x4 width 2", "PZ312", "ring 5x4 of width 2 has no hole", "write `ring 5x4 width 1`"),
        ("locations cross 4", "PZ312", "arms of length 4 and width 1 have no common middle", "write `cross 4 width 2`"),
        ("param n = 3\nlocations diamond {n-5}", "PZ319", "size must be at least 1, found -2", ""),
        ("locations diamond 999", "PZ321", "diamond is too large (limit 1,000,000 cells)", ""),
        ("region ring = box 2x2\nlocations box 2x2", "PZ371", "`ring` is a word for regions",
         "choose another name for the region"),
        ("locations diamond 3 width 2", "PZ101", "expected the end of the line, `&`, `+`, `-` or `at` after `3`, "
         "found `width`", "write `locations diamond 3`"),
    ],
)  # fmt: skip
@pytest.mark.long
def test_a_mistake_in_a_board_shape_gets_the_right_form(text: str, code: str, message: str, help: str) -> None:
    with pytest.raises(PuzzleError) as error:
        puzzlec.parse(f"{text}\npiece M x* {{ x }}\n")
    first = error.value.diagnostics[0]
    assert (first.code, first.message, first.helps[:1]) == (code, message, (help,) if help else ())
