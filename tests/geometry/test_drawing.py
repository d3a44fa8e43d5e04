from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.geometry import find_lattice
from puzzlec.geometry.drawing import DrawingError, layout, marks

CUBIC, SQUARE, LINE = (find_lattice(name) for name in ("cubic", "square", "line"))


def test_rows_run_down_characters_right_and_groups_back() -> None:
    assert [mark.cell for mark in marks("xx  x.\nx.  ..", CUBIC)] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_a_slash_ends_a_row_and_a_hash_starts_a_comment() -> None:
    assert [mark.cell for mark in marks("x./xx # not/xx a row", SQUARE)] == [(0, 0), (0, 1), (1, 1)]


def test_every_mark_knows_where_it_was_typed() -> None:
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
