"""The gallery shows every current puzzle of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from xml.etree import ElementTree

import pytest

from puzzlec.formats.catalogue import Entry, entries
from tests.tools.gallery import PAGE, PICTURES, count_of, file_of, page, picture

ROOT = PAGE.parents[1]


def is_quick(entry: Entry) -> bool:
    return entry.raw is not None and entry.raw < 10_000 and not entry.slow


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def words_of(lines: Iterable[str]) -> dict[str, str]:
    """Return the words of lines such as `a, b: words`, by name."""
    parts = [line.split(": ", 1) for line in lines]
    return {name: words for names, words in parts for name in names.split(", ")}


def test_the_page_has_the_note_and_the_source_of_every_puzzle() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    notes = words_of(
        re.sub(r"<(https?:[^>]*)>", r"\1", line.removeprefix("- ")) for line in lines if line.startswith("- `")
    )
    sources = words_of(unescape(re.sub(r"<[^>]*>", "", line)) for line in lines if line.startswith("<li>"))
    assert sources == {entry.name: entry.source.replace("`", "") for entry in entries()}
    assert notes == {f"`{entry.name}`": entry.notes for entry in entries() if entry.notes}


def test_every_puzzle_has_a_picture_and_every_picture_has_a_puzzle() -> None:
    assert set(PICTURES.glob("*.svg")) == {file_of(entry) for entry in entries()}


def test_every_picture_is_well_formed_and_small() -> None:
    for entry in entries():
        text = file_of(entry).read_bytes()
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert len(text) < 200_000, entry.name


@pytest.mark.parametrize("entry", [entry for entry in entries() if is_quick(entry)][::16], ids=lambda entry: entry.name)
def test_a_picture_is_current(entry: Entry) -> None:
    assert file_of(entry).read_text(encoding="utf-8") == picture(entry)


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_all_pictures_are_current(entry: Entry) -> None:
    assert file_of(entry).read_text(encoding="utf-8") == picture(entry)


def test_counts_in_words() -> None:
    known = {entry.name: count_of(entry) for entry in entries()}
    assert known["soma/soma"] == "240 solutions"
    assert known["soma/w-wall"] == "no solution"
    assert known["pentominoes/6x10"] == "2,339 solutions"
    assert known["queens/8"] == "92 raw solutions"


def test_every_picture_is_a_link_to_the_puzzle() -> None:
    links = re.findall(r'<a href="\.\./([^"]*)"><img src="([^"]*)"', PAGE.read_text(encoding="utf-8"))
    assert {ROOT / puzzle: PAGE.parent / image for puzzle, image in links} == {
        entry.path: file_of(entry) for entry in entries()
    }
