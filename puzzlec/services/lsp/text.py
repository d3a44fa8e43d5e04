r"""The text of a document in the editor: lines, positions and edits, in the editor's units.

The protocol counts lines from 0. They end with ``\n``, ``\r\n`` or ``\r`` only. Columns count units of an encoding,
by default of UTF-16 (Language Server Protocol 3.17, "Position").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from puzzlec.diagnostics import Source

_END = re.compile(r"\r\n|\r|\n")
_HALF = re.compile("[\ud800-\udfff]")

#: A line and a column, both counted from 0.
Place = tuple[int, int]


def units(text: str, encoding: str) -> int:
    r"""Return the length of a text in units of an encoding (``utf-8``, ``utf-16``, ``utf-32``).

    >>> units("a\U0001f600", "utf-16"), units("a\u00e9", "utf-8"), units("a\U0001f600", "utf-32")
    (3, 3, 2)
    """
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


class EditorText:
    r"""A text from the editor, and the same text as puzzlec reads it. It never changes: an edit returns a new text.

    The plain text has ``\n`` at the end of each line, no byte-order mark and no surrogates. Its lines are the lines of
    the editor's text, and its characters are the same except for the mark.
    """

    def __init__(self, raw: str, encoding: str = "utf-16") -> None:
        if _HALF.search(raw):  # two surrogates that were typed one after the other are one character
            raw = raw.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        self.raw = raw
        self.encoding = encoding
        self._mark = int(raw.startswith("\ufeff"))

    @cached_property
    def plain(self) -> str:
        """The text as puzzlec reads it."""
        return _HALF.sub("\ufffd", _END.sub("\n", self.raw[self._mark :]))

    @cached_property
    def _starts(self) -> list[int]:
        """The start of each line of the raw text."""
        return [0, *(match.end() for match in _END.finditer(self.raw))]

    @cached_property
    def _plain_starts(self) -> list[int]:
        """The start of each line of the plain text."""
        return [0, *(match.end() for match in re.finditer("\n", self.plain))]

    @property
    def lines(self) -> int:
        """The number of lines. A final line end is followed by one more line, which is empty."""
        return len(self._plain_starts)

    def source(self, name: str) -> Source:
        """Return the plain text as a source."""
        return Source(name, self.plain)

    def place(self, offset: int) -> Place:
        r"""Return the position of an offset in the plain text. An offset beyond the text means its end.

        >>> EditorText("x\r\n\U0001f600b").place(3)
        (1, 2)
        """
        offset = min(max(offset, 0), len(self.plain))
        line = bisect_right(self._plain_starts, offset) - 1
        before = self.plain[self._plain_starts[line] : offset]
        mark = units("\ufeff", self.encoding) * (self._mark and line == 0)
        return line, units(before, self.encoding) + mark

    def offset(self, line: int, column: int) -> int:
        r"""Return the offset in the plain text of a position; a position beyond a line means its end.

        >>> EditorText("x\r\n\U0001f600b").offset(1, 2)
        3
        """
        if line >= self.lines:
            return len(self.plain)
        if line < 0:
            return 0
        start = self._plain_starts[line]
        end = self._plain_starts[line + 1] - 1 if line + 1 < self.lines else len(self.plain)
        if self._mark and line == 0:
            column -= units("\ufeff", self.encoding)
        return start + _reached(self.plain[start:end], column, self.encoding)

    def edited(self, start: Place, end: Place, new: str) -> EditorText:
        """Return the text after an edit of the editor."""
        first, last = self._raw_offset(*start), self._raw_offset(*end)
        return EditorText(self.raw[:first] + new + self.raw[max(first, last) :], self.encoding)

    def _raw_offset(self, line: int, column: int) -> int:
        if line >= len(self._starts):
            return len(self.raw)
        if line < 0:
            return 0
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.raw)
        return start + _reached(_END.sub("", self.raw[start:end]), column, self.encoding)

    @property
    def line_end(self) -> str:
        """The line end of this text: that of its first line."""
        match = _END.search(self.raw)
        return match.group() if match else "\n"


def _reached(line: str, column: int, encoding: str) -> int:
    """Return the number of characters before a column of a line. A column inside a character means its start."""
    if column <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(column, len(line))
    for number, character in enumerate(line):
        column -= units(character, encoding)
        if column < 0:
            return number
    return len(line)
