"""How the format of a text is known when nobody says it: by what stands in it.

Each format has a cheap predicate; the first one that is true tells. A new format that can be told from others gets a
line in the list, the more particular ones before the more general ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from puzzlec.diagnostics import Source
from puzzlec.formats.beginnings import is_dlx, is_numeric, is_polycube, is_rows, is_tiles
from puzzlec.formats.burr import is_burr
from puzzlec.formats.names import plain_ending


def _begins(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: does the text, without blanks in front, begin so."""
    compiled = re.compile(rf"\s*+(?:{pattern})")
    return lambda source: compiled.match(source.text) is not None


def _is_puzzle(source: Source) -> bool:
    """Whether the first word that is no remark begins a statement of the puzzle language."""
    from puzzlec.language.elaborate import KEYWORDS

    return re.match(r"(?:\s|#[^\n]*)*+(?:" + "|".join(KEYWORDS) + r")(?=[\s{(])", source.text) is not None


def _is_capitalised(source: Source) -> bool:
    """Whether the first word begins a statement except for its case; the reader then names the right word."""
    from puzzlec.language.elaborate import KEYWORDS

    return re.match(r"(?i:(?:\s|#[^\n]*)*+(?:" + "|".join(KEYWORDS) + r"))(?=[ \t]+[^\s=])", source.text) is not None


def _has_line(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: is one of the first lines such."""
    compiled = re.compile(rf"^[ \t]*(?:{pattern})", re.MULTILINE)
    return lambda source: compiled.search(source.text, 0, 100_000) is not None


#: Remarks, then ``V: 000 100 010`` (one of these words with 0 in front), or the first cell in brackets.
_CELLS = re.compile(
    r"(?:\s++|#[^\n]*+\n|//[^\n]*+\n)*+"
    r"(?:(?:[\"']?\w[\w .-]{0,40}[\"']?\s*[:=]\s*)?"
    r"(?:(?=[0-9 \t]*\b0)[0-9]{3}(?:[ \t]+[0-9]{3})+[ \t]*(?:[;\n]|\Z)"
    r"|[\[({][\[({\s]*-?[0-9]+\s*,\s*-?[0-9]+\s*,\s*-?[0-9]+\s*[])}])"
    r"|(?:[\"']?\w[\w .-]{0,40}[\"']?\s*:\s*)?"
    r"(?:(?=[0-9 \t]*\b0)[0-9]{2}(?:[ \t]+[0-9]{2}){2,}[ \t]*(?:[;\n]|\Z)"
    r"|[\[({][\[({\s]*-?[0-9]+\s*,\s*-?[0-9]+\s*[])}]))"
)


def _is_cells(source: Source) -> bool:
    return _CELLS.match(source.text) is not None


#: The beginning of an object whose keys are those of a Pips file, or of a board of one.
_PIPS = re.compile(r'\s*\{\s*"(?:printDate|editor|easy|medium|hard|id|backendId|constructors|dominoes|regions)"\s*:')


def _is_pips(source: Source) -> bool:
    return _PIPS.match(source.text) is not None and '"dominoes"' in source.text


#: Formats with what tells them, in the order in which they are tried.
PREDICATES: list[tuple[str, Callable[[Source], bool]]] = [
    ("npz", lambda source: source.content.startswith(b"PK")),
    ("burr", is_burr),
    ("pips", _is_pips),
    ("json", _begins(r'\{\s*"')),
    ("xmpuzzle", lambda source: re.search(r"<puzzle\b", source.text[:2000]) is not None),
    ("piezas", _begins("<")),
    ("board", lambda source: re.fullmatch(r"(?:[x.]*+[^\S\n]*+\n)*+[x.]*+\s*+", source.text) is not None),
    ("polyform", _has_line(r"(?:(?:at .*, )?solution \d+|solving \w+):[ \t]*$|(?:\w+\.)?piece_data\s*=\s*\{")),
    ("soma", _has_line(r"/SOMA\s?\d|/[.\w$-]+/[.\w$/-]+[ \t]*(?:;|$)")),
    ("dlx", is_dlx),
    ("polycube", is_polycube),
    ("cells", _is_cells),
    ("puzzle", _is_puzzle),
    ("rows", is_rows),
    ("numeric", is_numeric),
    ("puzzle", _is_capitalised),
    ("offsets", _begins(r"(?://[^\n]*+\n\s*+)*+[\w\s\[\]]*+=\s*[\[{]")),
    ("tiles", is_tiles),
    ("puzzle", _begins("#")),  # with a slip in its first statement
]


_FIRST = r"(?:%[^\n]*+\s*+)*+(?:int\s*:|array\s*\[[^\]\n]*\]\s*of|(?:var|constraint)\s+\w[^\n]*;|include\s*\")"

#: Formats that are written only, with what tells them: the files of other solvers.
WRITTEN: list[tuple[str, Callable[[Source], bool]]] = [
    ("cnf", _begins(r"(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p w?cnf ")),
    ("col", _begins(r"(?:c(?:[ \t][^\n]*+)?+\n\s*+)*+p (?:edge|col) ")),
    ("opb", _begins(r"\* #variable=")),
    ("lp", _begins(r"(?:\\[^\n]*+\s*+)*+(?i:minimi[sz]e|maximi[sz]e|minimum|maximum)[ \t]*\n")),
    ("mps", _begins(r"(?:\*[^\n]*+\s*+)*+NAME\b[^\n]*+\n(?:\*[^\n]*+\n)*+(?:ROWS|OBJSENSE)\b")),
    ("mzn", _begins(_FIRST)),
    ("smt2", _begins(r"(?:;[^\n]*+\s*+)*+\((?:set-(?:info|option|logic)|declare-|define-|assert\b)")),
    ("graphml", lambda source: re.search(r"<graphml\b", source.text[:2000]) is not None),
    ("graph", _begins(r"(?:#[^\n]*+\n)?+# [0-9]+ placements? of [0-9]+ pieces? on [0-9]+ locations?\n")),
]


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
    return next((name for name, predicate in WRITTEN if predicate(source)), None)


def readings(source: Source) -> list[str]:
    """Return the names of the formats that a text seems to be in: several only if one of them is of drawings."""
    from puzzlec.formats.drawn.recognising import drawn_readings

    other = recognised(source)
    if other not in (None, "board", "puzzle", "dlx") or _is_puzzle(source):
        return [other] if other is not None else []
    drawn = drawn_readings(source)
    remark = other == "puzzle" and drawn  # a drawing in `#` looks like remarks without a puzzle
    return [*drawn, *([other] if other is not None and not remark else [])]


def recognised(source: Source) -> str | None:
    """Return the name of the format that a text seems to be in, None where nothing tells."""
    return next((name for name, predicate in PREDICATES if predicate(source)), None)
