"""Recognition of a text by the signs of formats, and of texts that are not puzzles.

The record of a format has its signs. More specific formats have lower ranks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from puzzlec.diagnostics import Source
from puzzlec.formats.record import WEAK, plain_ending
from puzzlec.formats.registry import FORMATS, WRITERS, by_rank

#: The signs of formats that puzzlec reads, and of formats that it only writes.
_OF_READ = by_rank(FORMATS)
_OF_WRITTEN = by_rank({name: writer for name, writer in WRITERS.items() if name not in FORMATS})


def _begins(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: whether the text, without leading spaces, begins with a pattern."""
    compiled = re.compile(rf"\s*+(?:{pattern})")
    return lambda source: compiled.match(source.text) is not None


class Other(NamedTuple):
    """A text that is not a puzzle: its predicate ``tells``, then the code, the message and the suggestion.

    If ``anywhere`` is set, it is reported for any extension of the file. In the suggestion, FILE is its name.
    """

    tells: Callable[[Source], bool]
    code: str
    message: str
    help: str
    anywhere: bool = False


_MARKUP = r"(?:<\?xml[^>]*+>\s*+|<!DOCTYPE\s[^\[>]*+>\s*+|<!--(?:[^-]++|-(?!->))*+-->\s*+)*+"


def _is_puzzle(source: Source) -> bool:
    """Whether the first word outside comments begins a statement of the puzzle language."""
    return FORMATS["puzzle"].recognise[0].is_in(source)


def _is_strange(source: Source) -> bool:
    """Whether a text has no sign of a format except, perhaps, a `#` at its beginning."""
    return recognised(source) in (None, "puzzle") and not _is_puzzle(source)


#: Texts that users give by mistake, most of them made from a puzzle.
OTHERS = (
    Other(
        lambda source: source.text.startswith('{"certificate":'),
        "PZ640",
        "file is a certificate, not a puzzle",
        "`puzzlec check --certificate FILE`",
        anywhere=True,
    ),
    Other(
        _begins(rf"{_MARKUP}<(?:\w+:)?svg\b"),
        "PZ008",
        "this is a picture, not a puzzle",
        "give the puzzle that it was drawn from",
    ),
    Other(
        _begins(rf"(?i:{_MARKUP}<!doctype html|{_MARKUP}<html\b)"),
        "PZ008",
        "this is an HTML page, not a puzzle",
        "give the puzzle that it was made from, or open the page in a browser",
    ),
    Other(
        _begins(r"\{\\rtf[0-9]"),
        "PZ008",
        "this is a word processor document (RTF), not plain text",
        "save it as plain text",
        anywhere=True,
    ),
    Other(
        lambda source: plain_ending(source.name) == ".py" and _is_strange(source),
        "PZ004",
        "this Python file has no table `piece_data`; puzzlec reads only tables of Polyform Puzzler",
        "write the pieces as a `.puzzle` file: start with `puzzlec new`",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".yaml", ".yml") and _is_strange(source),
        "PZ004",
        "a YAML file contains a lattice, not a puzzle",
        "show the lattice with `puzzlec lattice FILE`",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".md", ".markdown", ".rst") and _is_strange(source),
        "PZ004",
        "this is a page of text, not a puzzle",
        "save the puzzle in this page as a separate file, such as `my.puzzle`",
    ),
)


def recognised_as_other(source: Source) -> Other | None:
    """Return the kind of a text that is not a puzzle, such as a picture of a puzzle; None if the kind is unknown."""
    return next((other for other in OTHERS if other.tells(source)), None)


def recognised_as_written(source: Source) -> str | None:
    """Return the write-only format whose sign a text has; None if it has no such sign."""
    return next((name for sign, name in _OF_WRITTEN if sign.is_in(source)), None)


def readings(source: Source) -> list[str]:
    """Return the names of the formats that a text may be in: several only if one of them is for drawings."""
    name = recognised(source)
    if name is not None and ("like a drawing" not in FORMATS[name].traits or _is_puzzle(source)):
        return [name]
    drawn = [other for sign, other in _OF_READ if sign.rank >= WEAK and sign.is_in(source)]
    remark = name == "puzzle" and drawn  # a drawing in `#` looks like comments without a puzzle
    return [*drawn, *([name] if name is not None and not remark else [])]


def recognised(source: Source) -> str | None:
    """Return the name of the format whose sign a text has; None if it has none."""
    return next((name for sign, name in _OF_READ if sign.rank < WEAK and sign.is_in(source)), None)
