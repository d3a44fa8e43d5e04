"""Answers line by line: a long file of models is never in memory as a whole."""

from __future__ import annotations

import gzip
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from puzzlec.diagnostics import Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import GZIP, check_input, old_text, save_as_utf8, shown_name

#: Longest line in bytes: a model of ten million variables is shorter.
MAX_LINE_BYTES = 128 * 2**20

#: Largest answer that must be read as a whole (XML, JSON, S-expressions), in characters.
MAX_TEXT_CHARACTERS = 256 * 2**20


@dataclass(frozen=True)
class Excerpt(Source):
    """A line of a text, with the number of lines before it."""

    before: int = 0

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of a character in the whole text, both counted from 1."""
        line, column = super().position(offset)
        return line + self.before, column

    def line(self, number: int) -> str:
        """Return a line by its number in the whole text, without its end."""
        return super().line(number - self.before)


class SourceLines:
    """The lines of a text in order, each a span of a separate source. Lines can be examined before they are read."""

    def __init__(self, name: str, texts: Iterable[str]) -> None:
        self.name = name
        self._texts, self._number = iter(texts), 0
        self._ahead: deque[Span] = deque()
        # The last line that was read.
        self.last: Span | None = None

    def _next(self) -> Span | None:
        text = next(self._texts, None)
        if text is None:
            return None
        self._number += 1
        text = text.rstrip("\r\n")
        return Excerpt(self.name, text, before=self._number - 1).span(0, max(1, len(text)))

    def peek(self, number: int) -> list[Span]:
        """Return the next lines without reading them, at most ``number``."""
        while len(self._ahead) < number and (line := self._next()) is not None:
            self._ahead.append(line)
        return list(islice(self._ahead, number))

    def __iter__(self) -> Iterator[Span]:
        return self

    def __next__(self) -> Span:
        line = self._ahead.popleft() if self._ahead else self._next()
        if line is None:
            raise StopIteration
        self.last = line
        return line

    @property
    def end(self) -> Span:
        """The end of the text, once all lines are read: after the last visible character."""
        last = self.last
        return Source(self.name, "").span(0) if last is None else last.source.span(len(last.source.text.rstrip()))

    def whole(self) -> Source:
        """Return the rest as one source; raise PuzzleError if it is too large."""
        texts, size = [], 0
        for line in self:
            texts.append(line.source.text)
            size += len(texts[-1]) + 1
            if size > MAX_TEXT_CHARACTERS:
                raise fail(
                    "PZ007", f"this answer is too large (limit {MAX_TEXT_CHARACTERS // 2**20} MB)", file=self.name
                )
        return Source(self.name, "\n".join(texts) + "\n")


def lines_of(name: str) -> SourceLines:
    """Return the lines of a file, compressed by gzip or not, or of standard input (``-``).

    Raises PuzzleError for an unreadable or empty file, now or while the lines are read.
    """
    lines = SourceLines(shown_name(name), _texts(name))
    if not any(line.source.text.strip() for line in lines.peek(1000)):
        raise fail("PZ003", "this text is empty", file=lines.name)
    return lines


def _texts(name: str) -> Iterator[str]:
    """Yield the lines of a file as texts, with their ends."""
    label = shown_name(name)
    try:
        if name == "-":
            check_input()
            yield from _decoded(sys.stdin.buffer, label)
            return
        with Path(name).open("rb") as stream:
            if stream.peek(2)[:2] == GZIP:  # a pipe cannot be rewound
                with gzip.open(stream) as unpacked:
                    yield from _decoded(unpacked, label)  # type: ignore[arg-type]  # it reads as any other stream
            else:
                yield from _decoded(stream, label)
    except (OSError, EOFError) as error:
        reason = (getattr(error, "strerror", None) or str(error) or "error").lower()
        raise fail("PZ001", f"cannot read `{label}`: {reason}", file=label) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file with a null character in its name") from None


def _decoded(stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of a stream as texts; XML that is not UTF-8 is read as Windows-1252, as in whole files."""
    before, markup = 0, False
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise fail("PZ007", f"line {before + 1} is too long (limit {MAX_LINE_BYTES // 2**20} MB)", file=name)
        markup = markup or (not before and line.lstrip().startswith(b"<"))
        try:
            text = line.decode("utf-8-sig" if not before else "utf-8")
        except UnicodeDecodeError as error:
            if markup and b"\0" not in line:
                yield old_text(line)
                before += 1
                continue
            excerpt = Excerpt(name, line[: error.start].decode("utf-8", "replace") + "?", before=before)
            at = excerpt.span(len(excerpt.text) - 1)
            raise fail("PZ002", "file is not UTF-8 text", at, help=save_as_utf8(b"" if before else line)) from None
        if "\0" in text:
            at = Excerpt(name, text.replace("\0", "?"), before=before).span(text.find("\0"))
            raise fail("PZ002", "unexpected null character: this is not a text", at)
        yield text
        before += 1
