"""Options without a primary item are left out with a warning, and the others keep their numbers."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from puzzlec.diagnostics import Report, Source
from puzzlec.engine import solve
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write
from tests.formats.test_npz import written

#: The items a, b, c and the secondary item s, with options of which number 1 and 4 have no primary item.
OPTIONS: list[list[int]] = [[0, 3], [3], [1], [2], [], [0, 1, 3]]

#: The same options as text of each format that has secondary items; in DLX, number 4 is also `s`.
TEXTS: dict[str, str] = {
    "dlx": "a b c | s\na s\ns\nb\nc\ns |0\na b s |0\n",
    "json": json.dumps({"puzzlec": 1, "level": "cover", "items": 3, "secondary": 1, "options": OPTIONS}),
    "rows": "4 1\n1100\n1000\n0010\n0001\n0000\n1110\n",
}


def reading(text: str | bytes, format: str) -> tuple[ExactCover, list[str]]:
    """Return the exact cover of a text, with the codes and messages of the warnings."""
    report = Report()
    source = Source(f"x.{format}", "", text) if isinstance(text, bytes) else Source(f"x.{format}", text)
    cover = read(source, format, report)
    assert isinstance(cover, ExactCover)
    cover.verify()
    return cover, [f"{diagnostic.code}: {diagnostic.message}" for diagnostic in report.diagnostics]


@pytest.mark.parametrize("format", TEXTS)
def test_options_without_a_primary_item_are_left_out_with_a_warning(format: str) -> None:
    cover, warnings = reading(TEXTS[format], format)
    kind = "rows" if format == "rows" else "options"
    assert warnings == [f"PZ285: ignoring 2 {kind} without a primary item"]
    assert set(solve(cover)) == {("0", "2", "3"), ("3", "5")}


@pytest.mark.parametrize("format", TEXTS)
def test_the_other_options_keep_their_numbers_in_the_file(format: str) -> None:
    cover, _ = reading(TEXTS[format], format)
    assert cover.option_names == ("0", "2", "3", "5")


def archive(rows: list[list[int]], primary: int, **more: list[int]) -> bytes:
    """Return an npz archive of options, as `scipy.sparse.save_npz` writes a matrix, with further arrays."""
    starts = np.cumsum([0, *map(len, rows)])
    out = io.BytesIO()
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([len(rows), 4]),
        "data": np.ones(int(starts[-1]), np.uint8),
        "indices": np.array([item for row in rows for item in row]),
        "indptr": starts,
        "primary": np.array(primary),
    }
    np.savez(out, **(arrays | {name: np.array(value) for name, value in more.items()}))
    return out.getvalue()


def test_options_of_an_archive_are_left_out_with_their_colours_and_costs() -> None:
    colours = [0, 1, 1, 0, 0, 0, 0, 2]
    cover, warnings = reading(archive(OPTIONS, 3, colours=colours, costs=[5, 6, 7, 8, 9, 10]), "npz")
    assert warnings == ["PZ285: ignoring 2 options without a primary item"]
    assert set(solve(cover)) == {("0", "2", "3"), ("3", "5")}
    assert (list(cover.costs), list(cover.colours)) == ([5, 7, 8, 10], [0, 1, 0, 0, 0, 0, 2])


def test_costs_and_names_of_options_that_are_left_out_do_not_move_to_others() -> None:
    text = "a b | s\n| option: A\na |1\n| option: S\ns |5\nb |3\na b s |4\n"
    cover, _ = reading(text, "dlx")
    assert (cover.option_names, list(cover.costs)) == (("A", "2", "3"), [1, 3, 4])
    options = [[0], {"name": "S", "items": [2]}, {"name": "B", "items": [1]}, [0, 1]]
    what = {"puzzlec": 1, "level": "cover", "items": 2, "secondary": 1, "options": options, "costs": [1, 2, 3, 4]}
    cover, _ = reading(json.dumps(what), "json")
    assert (cover.option_names, list(cover.costs)) == (("0", "B", "3"), [1, 3, 4])


@pytest.mark.parametrize("format", TEXTS)
def test_a_cover_without_the_options_that_were_left_out_is_written_and_read_without_a_warning(format: str) -> None:
    cover, _ = reading(TEXTS[format], format)
    again, warnings = reading(write(cover, "dlx"), "dlx")
    assert (again, again.option_names, warnings) == (cover, cover.option_names, [])
    assert reading(written(cover), "npz")[1] == []


def test_a_text_of_only_such_options_has_no_cover() -> None:
    for text, format in (("a | s\ns\n", "dlx"), ("000\n000\n", "rows")):
        cover, warnings = reading(text, format)
        assert len(warnings) == 1
        assert (len(cover), list(solve(cover))) == (0, [])


def test_python_refuses_an_option_without_a_primary_item() -> None:
    with pytest.raises(ValueError, match="option 1 has no primary item"):
        ExactCover.from_rows([[0], [1]], primary=1, secondary=1)
