"""The one form of a ``.puzzle`` text: how it is laid out, never what it says; comments and drawings are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from puzzlec.diagnostics import Source
from puzzlec.language.formatter import drawn
from puzzlec.language.formatter.words import Word, Words, blanks, words_of

#: Comments are aligned up to this column.
WIDEST = 100

_STEP = 2  # blanks of indentation

_BETWEEN = re.compile(r"#[^\n]*|\n")


class ChangedMeaningError(Exception):
    """Formatting would have changed what a text says: a fault of puzzlec, found before anything was written."""


def formatted(source: Source) -> str:
    """Return a text in the canonical form; formatting that again changes nothing.

    Raises PuzzleError with all faults of form, ChangedMeaningError where the result would not say the same.
    """
    source = Source(source.name, source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    words = words_of(source)
    result = _Layout(words).text()
    if _meaning(words_of(Source(source.name, result))) != _meaning(words):
        raise ChangedMeaningError(f"formatting {source.name} would change its meaning")
    return result


def _meaning(words: Words) -> list[object]:
    """Return what counts of a text: words and their kinds, which of them begin statements, and all comments."""
    found: list[object] = []
    at = 0
    for word in words.words:
        found.extend(_comments(words.text[at : word.start]))
        if word.type == "DRAWING":
            found.append((word.first, drawn.meaning(word.text, words.grid)))
            found.extend(drawn.comments(word.text))
        else:
            found.append((word.first, word.type, word.text))
        at = word.end
    return found + _comments(words.text[at:])


def _comments(between: str) -> list[str]:
    return [match.rstrip() for match in _BETWEEN.findall(between) if match != "\n"]


@dataclass(slots=True)
class _Line:
    """A line of the result. ``opens``: a bracket is its last word."""

    indent: int
    code: str
    comment: str = ""
    opens: bool = False


@dataclass(slots=True)
class _Open:
    """An open bracket: how what closes it is indented, its line, whether it holds a block, and one over lines."""

    indent: int
    line: int
    block: bool
    broken: bool


class _Layout:
    """One walk over the words, with what stands between them: the lines of the result."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.lines: list[_Line] = []
        self.parts: list[str] = []  # of the line that is being written
        self.indent = 0
        self.comment = ""
        self.opened: list[_Open] = []
        self.gap = False  # whether an empty line is due
        self.opens = False  # whether the word written last is an opening bracket
        self.broken = {word.start for word in _broken_blocks(words)}

    def text(self) -> str:
        """Return the whole text."""
        at = 0
        before: Word | None = None
        for word in self.words.words:
            if not self.pulls(word) or "#" in self.words.text[at : word.start]:
                self.between(at, word.start)
            self.put(word, before)
            at, before = word.end, word
        self.between(at, len(self.words.text))
        self.end()
        return "".join(line + "\n" for line in _aligned(self.lines))

    @property
    def inside(self) -> int:
        """The indentation of a new line."""
        return self.opened[-1].indent + _STEP if self.opened else 0

    @property
    def base(self) -> int:
        """The indentation of what closes a bracket that opens now: that of the line, were it begun here."""
        if not self.opened:
            return 0
        last = self.opened[-1]
        return last.indent + _STEP * (last.line < len(self.lines))

    def goes_on(self, word: Word) -> bool:
        """Whether a word goes on with a statement, outside its brackets."""
        return not (word.first or word.closes) and (not self.opened or self.opened[-1].block)

    def pulls(self, word: Word) -> bool:
        """Whether a word is an opening brace, which stands in the line of what it belongs to."""
        return word.type in ("LBRACE", "DRAWING") and self.goes_on(word)

    def between(self, start: int, end: int) -> None:
        """Take over line ends and comments."""
        empty = False  # whether nothing stands in this line
        if end - start < 2 and self.words.text[start:end] in ("", " "):
            return
        for match in _BETWEEN.finditer(self.words.text, start, end):
            if match.group() == "\n":
                self.gap = self.gap or (empty and not self.parts)
                self.end()
                empty = True
            elif self.parts:
                self.comment = match.group().rstrip()
            else:
                self.begin(self.inside)
                self.comment = match.group().rstrip()
                self.end()
                empty = False

    def begin(self, indent: int, close: bool = False) -> None:
        """Begin a line, with an empty one before it where one is due and the line need not stand close."""
        if self.gap and self.lines and not close and not self.lines[-1].opens:
            self.lines.append(_Line(0, ""))
        self.gap = False
        self.indent = indent

    def end(self) -> None:
        """End the line that is being written, if there is one."""
        if self.parts or self.comment:
            self.lines.append(_Line(self.indent, "".join(self.parts), self.comment, bool(self.parts) and self.opens))
        self.parts, self.comment = [], ""

    def put(self, word: Word, before: Word | None) -> None:
        """Write a word, on a new line where one begins."""
        closing = word.closes and bool(self.opened)
        ends_block = closing and self.opened[-1].broken
        begins_block = word.first and bool(self.opened) and self.opened[-1].broken
        if ends_block or begins_block:
            self.end()
        if not self.parts:
            goes_on = self.goes_on(word)
            condition = goes_on and word.text in ("where", "and", "or")
            indent = self.inside + 2 * _STEP * condition  # further in than a block behind it
            self.begin(self.opened[-1].indent if closing else indent, closing or goes_on)
        else:
            self.parts.append(blanks(before, word))
        if closing:
            self.opened.pop()
        self.opens = word.opens
        if word.type == "DRAWING":
            self.draw(word.text)
            return
        if word.opens:
            # What a condition's line opens goes on further in than that line; not so the block behind it.
            base = self.base if word.block else max(self.base, self.indent)
            self.opened.append(_Open(base, len(self.lines), word.block, word.start in self.broken))
        self.parts.append(word.text)

    def draw(self, drawing: str) -> None:
        """Write a drawing."""
        if "\n" not in drawing:
            self.parts.append(drawn.flat(drawing, self.words.grid))
            return
        base = self.base
        found = drawn.lines(drawing, self.words.grid)
        if found is None:
            self.keep(drawing)
            return
        self.parts.append("{")
        self.comment, rows = found
        self.end()
        self.lines.extend(_Line(base + _STEP if row.code or row.comment else 0, row.code, row.comment) for row in rows)
        self.indent = base
        self.parts.append("}")

    def keep(self, drawing: str) -> None:
        """Write a drawing as it is, but for blanks at the ends of its lines."""
        first, *rows, last = drawing.split("\n")
        self.parts.append(first.rstrip())
        self.end()
        self.lines.extend(_Line(0, row.rstrip()) for row in rows)
        self.indent = 0
        self.parts.append(last)


def _broken_blocks(words: Words) -> list[Word]:
    """Return the opening braces of the blocks that go on over lines."""
    found, opened = [], []
    for word in words.words:
        if word.block and word.opens:
            opened.append(word)
        elif word.block and words.text.find("\n", (start := opened.pop()).start, word.end) >= 0:
            found.append(start)
    return found


def _aligned(lines: list[_Line]) -> list[str]:
    """Return lines as text, with comments in one column behind consecutive lines of one indentation.

    Where that would be too far out, each stands two blanks behind its line.
    """
    texts: list[str] = []
    run: list[_Line] = []
    for line, following in pairwise([*lines, _Line(0, "")]):
        if not (line.code and line.comment):
            texts.append(" " * line.indent + line.code + line.comment)
            continue
        run.append(line)
        if not (following.code and following.comment and following.indent == line.indent):
            widths = [each.indent + len(each.code) for each in run]
            column = max(widths) + 2
            for each, width in zip(run, widths, strict=True):
                blanks = (column if column < WIDEST else width + 2) - width
                texts.append(" " * each.indent + each.code + " " * blanks + each.comment)
            run = []
    return texts
