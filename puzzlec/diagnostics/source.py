"""A text with a name, spans of it, and its lines and words with their positions."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Source:
    """A text to compile and the name that users know it by: a path, or ``<stdin>``."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> array[int]:
        starts = array("q", [0])
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        r"""Return the line and the column of a character, both counted from 1.

        >>> Source("x", "ab\ncd").position(4)
        (2, 2)
        """
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line, counted from 1, without its end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the span from ``start`` to ``end`` (exclusive; default: one character)."""
        last = max(start, len(self.text))  # no character is left at the end of a text
        return Span(self, start, min(last, start + 1 if end is None else end))

    @property
    def end(self) -> Span:
        """Position of the end of the text: after its last visible character."""
        return self.span(len(self.text.rstrip()))


@dataclass(frozen=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive) of a source.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.parse("piece A { xx }")
    ... except puzzlec.PuzzleError as error:
    ...     span = error.diagnostics[0].span
    >>> span and (span.start, span.source.position(span.start))
    (14, (1, 15))
    """

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """Characters of the span."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


def lines(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield each line of a text without its end, with the position of its first character.

    >>> list(lines("ab\n\nc"))
    [(0, 'ab'), (3, ''), (4, 'c')]
    """
    at = 0
    length = len(text)
    while at < length:
        end = text.find("\n", at)
        if end < 0:
            end = length
        yield at, text[at:end]
        at = end + 1


def words(line: str, at: int = 0) -> Iterator[tuple[str, int]]:
    """Yield each word of a line with its position in the text; the line begins at ``at``.

    >>> list(words(" a bc", 10))
    [('a', 11), ('bc', 13)]
    """
    return ((match.group(), at + match.start()) for match in re.finditer(r"\S+", line))
