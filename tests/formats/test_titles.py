"""Titles of exact covers: if a format has no title, the name of the file is the title."""

from __future__ import annotations

import pytest

from puzzlec.diagnostics import Report, Source
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write

TEXTS = {"dlx": "a b\na b\na\nb\n", "rows": "110 x\n001 y\n", "numeric": "0,1\n2\n"}


def cover_of(name: str, text: str, format: str | None = None) -> ExactCover:
    found = read(Source(name, text), format, Report())
    assert isinstance(found, ExactCover)
    return found


@pytest.mark.parametrize("format", TEXTS)
def test_the_name_of_the_file_is_the_title_of_its_cover(format: str) -> None:
    assert cover_of(f"folder/my pairs.{format}", TEXTS[format]).title == "my pairs"
    assert cover_of(f"pairs.2.{format}.gz", TEXTS[format]).title == "pairs.2"
    assert cover_of("<stdin>", TEXTS[format], format).title == ""


@pytest.mark.parametrize("format", TEXTS)
def test_the_name_of_a_file_leaves_no_trace_if_a_format_has_no_title(format: str) -> None:
    text = write(cover_of("one", TEXTS[format], format), format)
    assert write(cover_of("two", text, format), format) == text


@pytest.mark.parametrize("name", ["pairs", "two words", "\u00e9\u00a0\u732b", ""])
def test_json_keeps_a_title_and_adds_none(name: str) -> None:
    cover = cover_of("<text>" if not name else f"{name.replace(chr(160), ' ')}.dlx", TEXTS["dlx"], "dlx")
    again = cover_of("other.json", write(cover, "json"))
    assert (again, again.title) == (cover, cover.title)
    assert write(again, "json") == write(cover, "json")
