"""The gallery shows every current puzzle of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from xml.etree import ElementTree

import pytest

from puzzlec import compiler
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.ir import Fitting, Puzzle
from tests.tools.gallery import (
    MAX_CHART_WIDTH,
    NUMBERS,
    PAGE,
    PICTURES,
    count_of,
    file_of,
    is_moving,
    moves,
    moves_of,
    numbers,
    page,
    picture,
    piece_bounds,
)

ROOT = PAGE.parents[1]


def is_quick(entry: Entry) -> bool:
    return entry.raw is not None and entry.raw < 10_000 and not entry.slow


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.long
def test_the_numbers_of_pieces_are_current() -> None:
    assert NUMBERS.read_text(encoding="utf-8") == numbers()


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("locations box 4x2\npiece A x* { xx }\n", (4, 4)),
        ("locations box 4x2\npiece A x1..3 { xx }\npiece B x0..9 { x }\n", (1, 12)),
        ("locations box 4x2\npiece A x* { xx }\npiece B x* { x }\n", (0, None)),
    ],
)
def test_copies_and_the_board_give_the_number_of_pieces(text: str, bounds: tuple[int, int | None]) -> None:
    what = compiler.parse(text)
    assert isinstance(what, Puzzle | Fitting)
    assert piece_bounds(what) == bounds


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


def test_every_burr_that_comes_apart_has_its_moves() -> None:
    burrs = [entry for entry in entries() if is_moving(entry)]
    assert set(PICTURES.glob("*.json")) == {NUMBERS, *map(moves_of, burrs)}
    assert len(burrs) > 20
    assert sum(moves_of(entry).stat().st_size for entry in burrs) < 100_000


@pytest.mark.parametrize("name", ["burrs/six-piece-2", "burrs/six-piece-12", "burrs/framed-sticks-level-7"])
def test_the_moves_of_a_burr_are_current(name: str) -> None:
    entry = next(entry for entry in entries() if entry.name == name)
    assert moves_of(entry).read_text(encoding="utf-8") == moves(entry)


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


def test_a_puzzle_without_a_solution_shows_its_board_and_its_pieces() -> None:
    shown = picture(next(entry for entry in entries() if entry.name == "soma/plus"))
    assert set(re.findall("<title>(.*?)</title>", shown)) >= {"V", "L", "T", "Z", "A", "B", "P"}
    # A picture of 209 pieces could not be read.
    entry = next(entry for entry in entries() if entry.name == "eternity/eternity")
    assert "pieces" not in file_of(entry).read_text(encoding="utf-8")


def test_a_wide_chart_shows_a_corner_that_can_be_read() -> None:
    entry = next(entry for entry in entries() if entry.name == "designs/nine-points")
    box = re.search(r'viewBox="\S+ \S+ (\d+) (\d+)" width="(\d+)"', picture(entry))
    assert box is not None
    assert (int(box[1]), int(box[3])) == (MAX_CHART_WIDTH, MAX_CHART_WIDTH)
