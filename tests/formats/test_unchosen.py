"""Options without a primary item are left out with a warning, and the others keep their numbers."""

from __future__ import annotations

import json

import pytest

from puzzlec.diagnostics import Report, Source
from puzzlec.engine import solve
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write

#: The items a, b, c and the secondary item s, with options of which number 1 and 4 have no primary item.
OPTIONS: list[list[int]] = [[0, 3], [3], [1], [2], [], [0, 1, 3]]

#: The same options as text of each format that has secondary items; in DLX, number 4 is also `s`.
TEXTS: dict[str, str] = {
    "dlx": "a b c | s\na s\ns\nb\nc\ns |0\na b s |0\n",
    "json": json.dumps({"puzzlec": 1, "stage": "cover", "items": 3, "secondary": 1, "options": OPTIONS}),
    "rows": "4 1\n1100\n1000\n0010\n0001\n0000\n1110\n",
}


def reading(text: str, format: str) -> tuple[ExactCover, list[str]]:
    """Return the exact cover of a text, with the codes and messages of the warnings."""
    report = Report()
    cover = read(Source(f"x.{format}", text), format, report)
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


def test_costs_and_names_of_options_that_are_left_out_do_not_move_to_others() -> None:
    text = "a b | s\n| option: A\na |1\n| option: S\ns |5\nb |3\na b s |4\n"
    cover, _ = reading(text, "dlx")
    assert (cover.option_names, list(cover.costs)) == (("A", "2", "3"), [1, 3, 4])
    options = [[0], {"name": "S", "items": [2]}, {"name": "B", "items": [1]}, [0, 1]]
    what = {"puzzlec": 1, "stage": "cover", "items": 2, "secondary": 1, "options": options, "costs": [1, 2, 3, 4]}
    cover, _ = reading(json.dumps(what), "json")
    assert (cover.option_names, list(cover.costs)) == (("0", "B", "3"), [1, 3, 4])


@pytest.mark.parametrize("format", TEXTS)
def test_a_cover_without_the_options_that_were_left_out_is_written_and_read_without_a_warning(format: str) -> None:
    cover, _ = reading(TEXTS[format], format)
    again, warnings = reading(write(cover, "dlx"), "dlx")
    assert (again, again.option_names, warnings) == (cover, cover.option_names, [])


def test_a_text_of_only_such_options_has_no_cover() -> None:
    for text, format in (("a | s\ns\n", "dlx"), ("000\n000\n", "rows")):
        cover, warnings = reading(text, format)
        assert len(warnings) == 1
        assert (len(cover), list(solve(cover))) == (0, [])


def test_python_refuses_an_option_without_a_primary_item() -> None:
    with pytest.raises(ValueError, match="option 1 has no primary item"):
        ExactCover.from_rows([[0], [1]], primary=1, secondary=1)
