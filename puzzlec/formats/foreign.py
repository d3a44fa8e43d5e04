"""Text of another kind where the puzzle language is expected, such as XML in a `.puzzle` file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from shlex import quote

from puzzlec.diagnostics import PuzzleError, Source, Span, near
from puzzlec.diagnostics.error import Label, fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.kind import is_marked, is_program, kind_of
from puzzlec.formats.record import plain_ending
from puzzlec.formats.registry import FORMATS

#: The first lines of a text that may contain a misspelt statement.
_LINES_COMPARED = 100

#: The first words of lines that other languages have also, and those that programs hardly have.
_SHARED_WORDS = ("for", "match")
_RARE_WORDS = ("lattice", "locations", "optional")

_FIRST_WORD = re.compile(r"[ \t]*+([a-z]++)[ \t]++[\w\"({]")

_COMMENT = re.compile(r"#(?!!|[ \t]*(?:include|define|ifn?def|if|pragma)\b)")


def foreign(source: Source, guess: Callable[[Source, bool], str | None]) -> PuzzleError | None:
    """Return the error for a text of another kind; None if the text may be meant as the puzzle language.

    Its only diagnostic is at the first line. ``guess`` returns the format of a text without a name, and takes whether
    the text certainly is not in the puzzle language.
    """
    sure = is_marked(source.text)
    program = is_program(source.text)
    if not sure and _has_statements(source, program):
        return None
    try:
        name = guess(replace(source, name=""), sure)
    except PuzzleError as error:
        (first, *_) = error.diagnostics
        if first.code == "PZ004" and not kind_of(source).sure:
            return None
        return PuzzleError([replace(first, file=None, label=Label(_first_line(source)))])
    if name is None or name == "puzzle":
        return None
    return fail(
        "PZ107",
        f"expected the puzzle language, found the format `{name}`",
        _first_line(source),
        note=f"`{name}`: {FORMATS[name].summary}",
        help=_ways(source, name),
    )


def _ways(source: Source, name: str) -> str:
    """Return the suggestion: another name of the file, or the option for the format."""
    if plain_ending(source.name) != ".puzzle":
        return f"add `--from {name}`"
    stem, _, packed = source.name.rpartition(".puzzle")
    return f"rename it to {quote(stem + FORMATS[name].endings[0] + packed)}, or add `--from {name}`"


def _has_statements(source: Source, program: bool) -> bool:
    """Whether a line begins with the word of a statement, or with a word near one.

    Lines of a program, and of the comments in it, begin with all but a few of these words.
    """
    from puzzlec.language.elaborate.statements import KEYWORDS

    words = _RARE_WORDS if program else [word for word in KEYWORDS if word not in _SHARED_WORDS]
    for number, (_, line) in enumerate(lines(source.text)):
        begins = _FIRST_WORD.match(line)
        if begins and (begins[1] in words or (number < _LINES_COMPARED and not program and near(begins[1], words))):
            return True
    return False


def _first_line(source: Source) -> Span:
    """Return the span of the first line with a word outside comments, or of the first line."""
    written = [(start, line) for start, line in lines(source.text) if line.strip()]
    start, line = next((pair for pair in written if not _COMMENT.match(pair[1].lstrip())), written[0])
    begins = start + len(line) - len(line.lstrip())
    return source.span(begins, start + len(line.rstrip()))
