from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.geometry import Cell, Lattice, find_lattice, lattice_names
from puzzlec.geometry.drawing import DrawingError, drawn_rule, layout, marks, rule_of, spread

CUBIC, SQUARE, LINE = (find_lattice(name) for name in ("cubic", "square", "line"))
HEX, TRIANGLE = find_lattice("hex"), find_lattice("triangle")

#: Every lattice with a drawing rule.
DRAWN = [lattice for lattice in map(find_lattice, lattice_names()) if rule_of(lattice) is not None]


@st.composite
def cells_of(draw: st.DrawFn, lattice: Lattice) -> set[Cell]:
    """Some cells of a lattice, near a place that may be far from the origin and on either side of it."""
    corner = [draw(st.integers(-9, 9)) for _ in range(lattice.dimension)]
    whole = st.tuples(*(st.integers(low, low + 4) for low in corner))
    kinds = len(lattice.kinds)
    return draw(
        st.sets(
            st.tuples(whole, st.integers(0, kinds - 1)).map(lambda c: (*c[0], c[1])[: lattice.coordinates]), min_size=1
        )
    )


def test_rows_run_down_characters_right_and_groups_back() -> None:
    assert [mark.cell for mark in marks("xx  x.\nx.  ..", CUBIC)] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_a_slash_ends_a_row_and_a_hash_starts_a_comment() -> None:
    assert [mark.cell for mark in marks("x./xx # not/xx a row", SQUARE)] == [(0, 0), (0, 1), (1, 1)]


def test_every_mark_has_its_position_in_the_text() -> None:
    text = "\n  r.b\n  .x.\n"
    assert [text[mark.offset] for mark in marks(text, SQUARE)] == ["r", "b", "x"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("...", "PZ314"), ("", "PZ314"), ("xx/x", "PZ313"), ("xx x./xx", "PZ313"), ("xx x./xx x", "PZ313")],
)
def test_a_drawing_that_does_not_fit_together_is_refused(text: str, code: str) -> None:
    with pytest.raises(DrawingError) as caught:
        marks(text, CUBIC)
    assert caught.value.code == code


def test_layers_on_a_flat_lattice_and_rows_on_a_line_are_refused() -> None:
    for text, lattice in (("xx xx", SQUARE), ("xx/xx", LINE)):
        with pytest.raises(DrawingError) as caught:
            marks(text, lattice)
        assert caught.value.code == "PZ313"


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 2)), min_size=1))
def test_a_layout_read_again_is_the_same_cells(cells: set[tuple[int, int, int]]) -> None:
    text = "/".join(" ".join(row) for row in layout(dict.fromkeys(cells, "x")))
    low = [min(axis) for axis in zip(*cells, strict=True)]
    moved = {tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in cells}
    assert {mark.cell for mark in marks(text, CUBIC)} == moved


@pytest.mark.parametrize("lattice", DRAWN, ids=lambda lattice: lattice.name)
@given(st.data())
def test_cells_laid_out_by_their_rule_are_read_again_moved(lattice: Lattice, data: st.DataObject) -> None:
    cells = data.draw(cells_of(lattice))
    rule = rule_of(lattice)
    assert rule is not None
    signs = {cell: data.draw(st.sampled_from("xrb0?-")) for cell in cells}
    lines = rule.lines(signs)
    indent = data.draw(st.sampled_from(["", "    "]))
    text = "\n" + "".join(f"{indent}{line}\n" for line in lines)
    found = marks(text, lattice)
    # A translation of the lattice moves the cells back: no cell changes its kind.
    least = min(found).cell
    vector = [a - b for a, b in zip(min(cells), least, strict=True)]
    assert not any(vector[lattice.dimension :])
    moved = {tuple(a + b for a, b in zip(mark.cell, vector, strict=True)): mark.sign for mark in found}
    assert moved == (signs if rule.signs else dict.fromkeys(signs, "x"))
    assert [mark.cell for mark in found] == sorted((mark.cell for mark in found), key=rule.spot)
    assert all(text[mark.offset] == mark.sign for mark in found if rule.signs)
    assert len({rule.spot(cell) for cell in cells}) == len(cells)
    if rule.spaced and not lines[0].startswith(" ") and not lattice.of_edges:
        assert [mark.cell for mark in marks(" " + "/".join(lines) + " ", lattice)] == [mark.cell for mark in found]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("x x x\n x x", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]),
        (" x\nx x", [(1, 0), (0, 1), (1, 1)]),  # as if a column preceded the first
        ("x.x/.x", [(0, 0), (1, 0), (0, 1)]),
        ("\n    x . x  # a comment\n     r\n", [(0, 0), (2, 0), (0, 1)]),
        ("x/ x/. x", [(0, 0), (0, 1), (0, 2)]),
    ],
)
def test_hexagons_are_in_every_second_column(text: str, cells: list[Cell]) -> None:
    assert [mark.cell for mark in marks(text, HEX)] == cells


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("xxx", [(0, 0, 0), (0, 0, 1), (1, 0, 0)]),
        (".x\nxxx", [(0, 0, 1), (0, 1, 1), (1, 1, 0), (1, 1, 1)]),
        ("\n    x\n   xxx\n", [(0, 0, 1), (0, 1, 1), (1, 1, 0), (1, 1, 1)]),
        ("x/x", [(0, 0, 0), (0, 1, 1)]),
        ("..x/ x", [(1, 0, 0), (1, 1, 0)]),
    ],
)
def test_triangles_point_up_if_row_plus_column_is_even(text: str, cells: list[Cell]) -> None:
    assert [mark.cell for mark in marks(text, TRIANGLE)] == cells


@pytest.mark.parametrize(
    ("lattice", "text", "down"), [(HEX, "x x x/ x x x/x x x", 0), (TRIANGLE, "xxxx/xxxx/xxxx", 1 / 6)]
)
def test_a_cell_is_where_its_character_is(lattice: Lattice, text: str, down: float) -> None:
    # A column is half a step to the right; a row has the height of a triangle. The centre of a triangle is a sixth of
    # this height below or above the middle of its row.
    for mark in marks(text, lattice):
        before = text[: mark.offset].split("/")
        row, column = len(before) - 1, len(before[-1])
        x, y = lattice.on_paper(lattice.point(mark.cell))
        first_x, first_y = lattice.on_paper(lattice.point(marks(text, lattice)[0].cell))
        assert x - first_x == pytest.approx(column / 2)
        lower = down * 2 * ((row + column) % 2)
        assert y - first_y == pytest.approx((row - lower) * 3**0.5 / 2)


@pytest.mark.parametrize(
    ("lattice", "text", "code", "at"),
    [
        (HEX, "x x\nx x", "PZ315", 4),
        (HEX, "xx", "PZ315", 1),
        (HEX, "x x/ x xx", "PZ315", 8),
        (HEX, "x\tx", "PZ315", 1),
        (HEX, ". .", "PZ314", 0),
        (TRIANGLE, "x\tx", "PZ315", 1),
        (TRIANGLE, "\n..\n", "PZ314", 0),
        (TRIANGLE, "x\u00a0x", "PZ315", 1),
        (find_lattice("trigs"), "x x", "PZ320", 0),
    ],
)
def test_a_drawing_that_its_rule_cannot_read_is_refused_at_the_character(
    lattice: Lattice, text: str, code: str, at: int
) -> None:
    with pytest.raises(DrawingError) as caught:
        marks(text, lattice)
    assert (caught.value.code, caught.value.start) == (code, at)


def test_layers_of_balls_are_side_by_side() -> None:
    balls = find_lattice("fcc")
    assert [mark.cell for mark in marks("xx x.\nxx ..", balls)] == [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (1, 1, 0),
        (0, 0, 1),
    ]


def test_a_rule_draws_only_lattices_that_suit_it() -> None:
    # A lattice of two kinds in rows of squares would have two cells in one place.
    assert rule_of(replace(TRIANGLE, drawing="rows")) is None
    assert rule_of(replace(SQUARE, drawing="cells")) is None
    assert rule_of(None) is None
    assert drawn_rule(HEX, [(0, 0), (10**6, 0)]) is None
    assert drawn_rule(HEX, []) is None
    # On paper these are one below the other, at any distance of their coordinates.
    assert drawn_rule(HEX, [(-k, 2 * k) for k in range(200)]) is not None


def test_texts_of_some_width_are_at_their_cells() -> None:
    hexagons, squares = rule_of(HEX), rule_of(SQUARE)
    assert hexagons is not None
    assert squares is not None
    assert spread({(0, 0): " 7", (1, 0): " 8", (0, 1): "12"}, hexagons) == [[" 7 8"], [" 12"]]
    assert spread({(0, 0): " 7", (2, 1): "12"}, squares, ".") == [[" 7 . ."], [" . .12"]]
