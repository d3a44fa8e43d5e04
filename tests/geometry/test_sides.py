"""Edges that are sides of cells, compared with a picture of both lattices; and the regions ``edges of``."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec import compiler
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import Cell, Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import faces_of
from puzzlec.geometry.proving import faults
from puzzlec.geometry.regions import box, grid, kinds_of
from puzzlec.geometry.sides import sides_of
from puzzlec.language.lattice_file import lattice_yaml, open_lattice

EDGES = [name for name in lattice_names() if find_lattice(name).of_edges]

#: The place of a point of a lattice of edges in the picture of its faces: the scale, and the offset.
PAPER = {"sticks": (2, 0.5), "trigs": (1, 0.0), "twigs": (1, 0.0)}

Ends = frozenset[tuple[float, ...]]


def ends(lattice: Lattice, cell: Cell, corners: tuple[tuple[float, ...], ...], scale: int, back: float) -> Ends:
    """The positions of some corners of a cell on paper, rounded."""
    point = lattice.point(cell)
    places = [lattice.on_paper([p + c for p, c in zip(point, corner, strict=True)]) for corner in corners]
    return frozenset(tuple(round(value / scale - back, 6) + 0.0 for value in place) for place in places)


def looked_up(name: str, faces: list[Cell]) -> set[Cell]:
    """All edges near the origin that are drawn on a side of one of these faces."""
    edges, lattice = find_lattice(name), faces_of(find_lattice(name))
    assert lattice is not None
    drawn: set[Ends] = set()
    for face in faces:
        corners = lattice.kinds[face[-1] if len(lattice.kinds) > 1 else 0].outline
        for side in zip(corners, (*corners[1:], corners[0]), strict=True):
            drawn.add(ends(lattice, face, side, 1, 0.0))
    near = product(range(-2, 6), range(-2, 6), range(len(edges.kinds)))
    return {cell for cell in near if ends(edges, cell, edges.kinds[cell[-1]].outline, *PAPER[name]) in drawn}


def test_every_lattice_of_edges_names_its_faces() -> None:
    assert {name: str(find_lattice(name).faces and faces_of(find_lattice(name)).name) for name in EDGES} == {  # type: ignore[union-attr]
        "sticks": "square",
        "trigs": "triangle",
        "twigs": "hex",
    }


@pytest.mark.parametrize("name", EDGES)
@given(data=st.data())
def test_sides_are_the_edges_that_are_drawn_where_the_sides_of_the_faces_are(name: str, data: st.DataObject) -> None:
    lattice = faces_of(find_lattice(name))
    assert lattice is not None
    places = list(box((4, 4)))
    known = list(kinds_of(places, len(lattice.kinds))) if len(lattice.kinds) > 1 else places
    faces = data.draw(st.lists(st.sampled_from(known), unique=True, max_size=8))
    assert set(sides_of(faces, find_lattice(name))) == looked_up(name, faces)


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (1, 1), (5, 5), (3, 2), (1, 7)])
def test_a_grid_is_the_sides_of_a_box_of_squares(columns: int, rows: int) -> None:
    sides = sides_of(box((columns, rows)), find_lattice("sticks"))
    assert set(sides) == (set(grid(columns, rows)) if columns and rows else set())
    for place in (f"grid {columns}x{rows}", f"edges of box {columns}x{rows}"):
        assert columns == 0 or set(locations("sticks", place)) == set(sides)


def test_faces_that_do_not_fit_are_refused_with_the_side_that_is_missing() -> None:
    sticks, twigs = find_lattice("sticks"), find_lattice("twigs")
    assert faults(sticks) == faults(twigs) == faults(find_lattice("trigs")) == []
    (fault,) = faults(replace(sticks, faces=("square", (0, 0))))
    assert fault.where == ("faces",)
    assert "a side of `square` leads from (-1,-1) to (1,-1), which has no edge" in fault.why
    (fault,) = faults(replace(sticks, faces=("triangle", (0, 0))))
    assert "a side of `triangle pointing up` leads from (0,0) to (2,2), which has no edge" in fault.why
    (fault,) = faults(replace(find_lattice("trigs"), faces=("square", (1, 1))))
    assert "`edge down to the right` is a side of 0 faces, expected 2" in fault.why
    for lattice in (
        replace(find_lattice("hex"), faces=("hex", (0, 0))),
        replace(sticks, faces=("cubic", (0, 0))),
        replace(sticks, faces=("trigs", (0, 0))),
    ):
        (fault,) = faults(lattice)
        assert "must be flat cells" in fault.why


def locations(lattice: str, region: str) -> list[object]:
    puzzle = puzzlec.parse(f"lattice {lattice}\nlocations {region}\npiece A x* cells (0,0,0)\n")
    assert isinstance(puzzle, puzzlec.Puzzle)
    return [location.at for location in puzzle.locations]


@pytest.mark.parametrize(
    ("lattice", "one", "other"),
    [
        ("twigs", "edges of cells (0,0)", "cells (0,0,0) (0,0,1) (0,0,2) (-1,0,1) (-1,1,0) (0,-1,2)"),
        ("trigs", "edges of cells (0,0,0)", "cells (0,0,1) (0,0,2) (0,1,0)"),
        ("trigs", "edges of { x }", "edges of cells (0,0,0)"),
        ("twigs", "edges of { x x/ x }", "edges of cells (0,0) (1,0) (0,1)"),
        ("sticks", "edges of box 2x2 at (3,1)", "edges of (box 2x2 at (3,1))"),
        ("sticks", "edges of (box 3x3 - box 1x1 at (1,1))", "grid 3x3"),
        (
            "sticks",
            "edges of { xx/x. } - edges of cells (0,0)",
            "cells (1,0,0) (1,1,0) (2,0,1) (0,1,1) (1,1,1) (0,2,0)",
        ),
        ("sticks", "edges of cells (i,0) for i in 0..2", "grid 3x1"),
        ("sticks", "(edges of box 1x1 + cells (1,1,0)) at (0,1)", "grid 1x1 at (0,1) + cells (1,2,0)"),
    ],
)
def test_sides_of_a_region_are_as_its_cells_are(lattice: str, one: str, other: str) -> None:
    assert set(locations(lattice, one)) == set(locations(lattice, other))


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("lattice hex\nlocations edges of box 2x2\n", "PZ320", "cells of lattice `hex` are not sides of other cells"),
        ("lattice none\nlocations edges of box 2x2\n", "PZ320", "named locations are not sides of other cells"),
        ("lattice sticks\nlocations edges of edges of box 2x2\n", "PZ320", "lattice `square` are not sides"),
        ("lattice sticks\nlocations edges of { x? }\n", "PZ315", "expected `x` or `.`"),
        ("lattice twigs\nlocations edges of box 2\n", "PZ312", "box has 1 size"),
        ("lattice trigs\nlocations edges of cells (0,0)\n", "PZ312", "cell has 2 coordinates"),
        ("lattice sticks\nlocations edges of box 800x800\n", "PZ321", "too many sides"),
        ("lattice sticks\nlocations edges box 2x2\n", "PZ101", "expected `of` after `edges`"),
    ],
)
@pytest.mark.long
def test_meaningless_sides_are_refused(text: str, code: str, words: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        puzzlec.parse(f"{text}piece A cells (0,0,0)\n")
    assert any(diagnostic.code == code and words in diagnostic.message for diagnostic in refused.value.diagnostics)


def test_the_lattice_is_named_whose_cells_are_the_sides() -> None:
    with pytest.raises(PuzzleError) as refused:
        puzzlec.parse("lattice triangle\nlocations edges of box 2x2\npiece A { x }\n")
    assert refused.value.diagnostics[0].helps == ("write `lattice trigs` instead of `lattice triangle`",)


@pytest.mark.parametrize(
    ("faces", "code", "words"),
    [
        ("{lattice: square, at: [1, 1]}", None, ""),
        ("{lattice: square, at: [1, 0]}", "PZ346", "a side of `square` leads from (0,-1) to (2,-1), which has no edge"),
        ("{lattice: sqare, at: [1, 1]}", "PZ344", "unknown lattice `sqare`"),
        ("{lattice: square, at: [1]}", "PZ345", "vector has 1 number"),
        ("{lattice: square}", "PZ343", "missing key `at`"),
        ("{lattice: square, at: [1, 1], of: 3}", "PZ341", "unknown key `of` in `faces`"),
        ("square", "PZ344", "expected `faces`"),
    ],
)
def test_faces_in_a_custom_file(tmp_path: Path, faces: str, code: str | None, words: str) -> None:
    text = lattice_yaml("sticks").replace("{lattice: square, at: [1, 1]}", faces)
    (tmp_path / "my.yaml").write_text(text, encoding="utf-8")
    if code is None:
        assert sides_of([(2, 3)], open_lattice(str(tmp_path / "my.yaml"))) == sides_of([(2, 3)], find_lattice("sticks"))
        return
    with pytest.raises(PuzzleError) as refused:
        open_lattice(str(tmp_path / "my.yaml"))
    (found,) = refused.value.diagnostics
    assert found.code == code
    assert words in found.message


def test_a_rule_and_a_location_of_that_name_still_work() -> None:
    puzzle = "lattice sticks\nlocations grid 2x1\npiece A { +-+/|/+-+ }\npiece B { +-+/|/+-+ }\n"
    assert puzzlec.count(puzzlec.parse(f"{puzzle}place A inside edges of box 1x1\n"), symmetry="none") == 0
    named = puzzlec.parse(
        "lattice none\nlocations names a sides of\npiece A covers {a sides} {a of}\npiece of covers {of}\n"
    )
    assert puzzlec.count(named) == 1


def test_fmt_keeps_the_position_of_cells_in_sides_of() -> None:
    text = "lattice twigs\nlocations sides   of {\n      x   x\n   x\n}\npiece A   cells (0,0,0)\n"
    done = compiler.fmt(text)
    assert done == "lattice twigs\nlocations edges of {\n     x   x\n  x\n}\npiece A cells (0,0,0)\n"
    assert compiler.fmt(done) == done
