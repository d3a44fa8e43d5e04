"""The puzzle language as a format: read by `puzzlec.language`, written from a puzzle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Source
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import read_given

#: The first line of many programs in C.
_PREPROCESSOR = re.compile(r"\s*+#[ \t]*(?:include|define|ifn?def|if|pragma)\b")


def is_puzzle(source: Source) -> bool:
    """Whether the first word outside comments begins a statement of the puzzle language."""
    from puzzlec.language.elaborate.statements import KEYWORDS

    return re.match(r"(?:\s|#[^\n]*)*+(?:" + "|".join(KEYWORDS) + r")(?=[\s{(])", source.text) is not None


def _is_capitalised(source: Source) -> bool:
    """Whether the first word begins a statement except for its case; the reader then names the right word."""
    from puzzlec.language.elaborate.statements import KEYWORDS

    return re.match(r"(?i:(?:\s|#[^\n]*)*+(?:" + "|".join(KEYWORDS) + r"))(?=[ \t]+[^\s=])", source.text) is not None


def _begins_with_comment(source: Source) -> bool:
    """Whether a text begins with a comment, and some line begins with a statement, or there are only comments."""
    from puzzlec.language.elaborate.statements import KEYWORDS

    statement = re.compile(r"(?im)^[ \t]*(?:" + "|".join(KEYWORDS) + r")(?=[\s{(])")
    if source.text.lstrip()[:1] != "#" or _PREPROCESSOR.match(source.text):
        return False
    return statement.search(source.text) is not None or re.fullmatch(r"(?:\s|#[^\n]*)*+", source.text) is not None


def _write(what: Puzzle, choices: WriterChoices) -> Iterator[str]:
    from puzzlec.formats.puzzle.writing import write_puzzle_text

    return write_puzzle_text(what, choices)


FORMAT = Format(
    "puzzle",
    (".puzzle",),
    "the puzzle language",
    read=read_given,
    write=_write,
    recognise=(Sign(130, is_puzzle), Sign(160, _is_capitalised), Sign(190, _begins_with_comment)),
    aliases=("puzzlec", "text", "txt"),
    place=10,
    traits=("parameters", "like a drawing", "costs"),
)
