"""Every format into every other format: a conversion is exact, or it is refused with a reason."""

from __future__ import annotations

import re
from functools import cache

import pytest

import puzzlec
from puzzlec.compiler import Compiled
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.diagnostics.files import source_of
from puzzlec.formats import catalogue
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write

#: Puzzles of the catalogue, each with a feature that some format lacks.
SAMPLES = (
    "soma",
    "pentominoes/3x20",
    "new/packing2d",
    "new/tiles",
    "new/copies",
    "new/cutting",
    "new/sticks",
    "new/balls",
    "new/hex",
    "new/sudoku",
    "cover/items",
    "dpf/sticks",
    "dominoes/4x4",
    "dominoes/with-monominoes",
    "queens/8",
    "langford/pairs",
    "tori/dominoes-torus-4x4",
)
BOTH = sorted(FORMATS.keys() & WRITERS.keys())


@cache
def sample(name: str) -> Compiled:
    """Return a puzzle of the catalogue, read once."""
    return puzzlec.load(name)


@cache
def solutions(name: str) -> int:
    """Return the number of raw solutions of a sample, None if a count takes too long."""
    return puzzlec.count(sample(name), symmetry="none")


def written(what: Compiled, format: str) -> bytes:
    """Return a puzzle in a format, or raise PuzzleError."""
    return write(what, format).encode()


def read_again(content: bytes, format: str, board: str | None = None) -> Compiled:
    """Return the written text, read again by the name of its format."""
    return read(source_of(content, f"again{FORMATS[format].endings[0]}"), format, Report(), board)


def names() -> list[str]:
    """Return the samples that the catalogue has."""
    return [name for name in SAMPLES if catalogue.find(name) is not None]


@pytest.mark.parametrize("format", sorted(WRITERS))
@pytest.mark.parametrize("name", names())
def test_a_puzzle_is_written_exactly_or_refused_by_name(name: str, format: str) -> None:
    try:
        content = written(sample(name), format)
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= {"PZ501", "PZ502"}, error
        assert all(diagnostic.message for diagnostic in error.diagnostics)
        return
    assert content == written(sample(name), format), "the same puzzle gives the same bytes"
    if format not in FORMATS:
        return
    told = re.search(rb"[Bb]oard is (\d+(?:x\d+)*)|--board (\d+(?:x\d+)*)", content)
    board = (told[1] or told[2]).decode() if FORMATS[format].pieces_only and told else None
    again = read_again(content, format, board)
    assert written(again, format) == content
    assert puzzlec.count(again, symmetry="none") == solutions(name)


@pytest.mark.parametrize("format", BOTH)
def test_a_written_text_is_recognised_by_its_content(format: str) -> None:
    for name in names():
        try:
            content = written(sample(name), format)
        except PuzzleError:
            continue
        try:
            found = guess_format(source_of(content, "-"))
        except PuzzleError as error:
            assert [diagnostic.code for diagnostic in error.diagnostics] == ["PZ004"], (
                "no answer is better than a wrong one"
            )
            continue
        assert found == format, name


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("1 i0\n1 i0\n1 i0\n", None),  # these are not options of the items 1 and i0
        ("0001 i3\n0001 i3\n", "rows"),
        ("a b\na\nb\n", "dlx"),
        ("0,1 a\n2 b\n", "numeric"),
        ("0,1 0,2\n", None),  # items without options, or a row with a name
        ("1 0\n1\n0\n", None),
    ],
)
def test_a_text_of_options_is_recognised_by_more_than_its_first_words(text: str, format: str | None) -> None:
    from puzzlec.formats.reading import recognised

    assert recognised(source_of(text.encode(), "-")) == format


def test_a_number_of_any_length_is_not_a_column() -> None:
    with pytest.raises(PuzzleError, match="PZ28"):
        read_again(b"9" * 5000 + b",0,0\n", "numeric")
    with pytest.raises(PuzzleError, match="PZ287"):
        read_again(b"10000000\n", "numeric")
