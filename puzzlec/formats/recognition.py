"""Recognition of a text by the signs of formats, and of texts that are no puzzle.

The record of a format holds its signs; those of the more particular formats have the lower ranks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from puzzlec.diagnostics import Source
from puzzlec.formats.record import WEAK, plain_ending
from puzzlec.formats.registry import FORMATS, WRITERS, by_rank

#: The signs of formats that can be read, and of those that are only written.
_OF_READ = by_rank(FORMATS)
_OF_WRITTEN = by_rank({name: each for name, each in WRITERS.items() if name not in FORMATS})


def _begins(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: does the text, without blanks in front, begin so."""
    compiled = re.compile(rf"\s*+(?:{pattern})")
    return lambda source: compiled.match(source.text) is not None


class Other(NamedTuple):
    """What is no puzzle: the code of the fault, what it is called, and the help; ``tells`` knows it.

    ``anywhere``: it is told whatever the ending of the file says.
    """

    tells: Callable[[Source], bool]
    code: str
    message: str
    help: str
    anywhere: bool = False


_MARKUP = r"(?:<\?xml[^>]*+>\s*+|<!DOCTYPE\s[^\[>]*+>\s*+|<!--(?:[^-]++|-(?!->))*+-->\s*+)*+"


def _is_puzzle(source: Source) -> bool:
    """Whether the first word that is no remark begins a statement of the puzzle language."""
    return FORMATS["puzzle"].recognise[0].is_in(source)


def _is_strange(source: Source) -> bool:
    """Whether nothing tells the format of a text but, at most, a `#` at its beginning."""
    return recognised(source) in (None, "puzzle") and not _is_puzzle(source)


#: Texts that people give where a puzzle is wanted, most of them made from one.
OTHERS = (
    Other(
        _begins(rf"{_MARKUP}<(?:\w+:)?svg\b"),
        "PZ008",
        "this is a picture, not a puzzle",
        "give the puzzle that it was drawn from",
    ),
    Other(
        _begins(rf"(?i:{_MARKUP}<!doctype html|{_MARKUP}<html\b)"),
        "PZ008",
        "this is a page for a browser, not a puzzle",
        "give the puzzle that it was made from, or open the page in a browser",
    ),
    Other(
        _begins(r"\{\\rtf[0-9]"),
        "PZ008",
        "this is a document of a word processor (RTF), not a text",
        "save it as plain text",
        anywhere=True,
    ),
    Other(
        lambda source: plain_ending(source.name) == ".py" and _is_strange(source),
        "PZ004",
        "this is a Python file; puzzlec reads the tables `piece_data` of Polyform Puzzler's, and runs nothing",
        "write the pieces as a `.puzzle` file: `puzzlec new` makes one to start with",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".yaml", ".yml") and _is_strange(source),
        "PZ004",
        "a YAML file holds a lattice, not a puzzle",
        "show the lattice with `puzzlec lattice FILE`",
    ),
    Other(
        lambda source: plain_ending(source.name) in (".md", ".markdown", ".rst") and _is_strange(source),
        "PZ004",
        "this is a page of text, not a puzzle",
        "save the puzzle that stands in it as a file of its own, such as `my.puzzle`",
    ),
)


def recognised_as_other(source: Source) -> Other | None:
    """Return what a text is that holds no puzzle, such as a picture of one; None where that is not known."""
    return next((other for other in OTHERS if other.tells(source)), None)


def recognised_as_written(source: Source) -> str | None:
    """Return the name of the format that is written only which a text seems to be in, None where it is in none."""
    return next((name for sign, name in _OF_WRITTEN if sign.is_in(source)), None)


def readings(source: Source) -> list[str]:
    """Return the names of the formats that a text seems to be in: several only if one of them is of drawings."""
    name = recognised(source)
    if name is not None and ("like a drawing" not in FORMATS[name].traits or _is_puzzle(source)):
        return [name]
    drawn = [other for sign, other in _OF_READ if sign.rank >= WEAK and sign.is_in(source)]
    remark = name == "puzzle" and drawn  # a drawing in `#` looks like remarks without a puzzle
    return [*drawn, *([name] if name is not None and not remark else [])]


def recognised(source: Source) -> str | None:
    """Return the name of the format that a text seems to be in, None where it has no sign of one."""
    return next((name for sign, name in _OF_READ if sign.rank < WEAK and sign.is_in(source)), None)
