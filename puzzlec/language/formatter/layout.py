"""Canonical form of a ``.puzzle`` text: only the layout changes. Comments and drawings are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from puzzlec.diagnostics import Source
from puzzlec.language.formatter import drawn
from puzzlec.language.formatter.words import TextWord, TextWords, blanks, words_of

#: Comments are aligned up to this column.
MAX_COMMENT_COLUMN = 100

_INDENT_SPACES = 2  # spaces of indentation

_BETWEEN = re.compile(r"#[^\n]*|\n")


class ChangedMeaningError(Exception):
    """Formatting would change the meaning of a text: a bug of puzzlec, found before anything is written."""


def formatted(source: Source) -> str:
    """Return a text in the canonical form; formatting the result again changes nothing.

    Raises PuzzleError with all errors of form, ChangedMeaningError if the result would have another meaning.
    """
    source = Source(source.name, source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    words = words_of(source)
    result = _TextLayout(words).text()
    if result != source.text and _meaning(words_of(Source(source.name, result))) != _meaning(words):
        raise ChangedMeaningError(f"formatting {source.name} would change its meaning")
    return result


def _meaning(words: TextWords) -> list[object]:
    """Return the meaning of a text: its words with their kinds, those that begin statements, and all comments."""
    meaning: list[object] = []
    at = 0
    for word in words.words:
        meaning.extend(_comments(words.text[at : word.start]))
        if word.type == "DRAWING":
            meaning.append((word.first, drawn.meaning(word.text, words.grid)))
            meaning.extend(drawn.comments(word.text))
        else:
            meaning.append((word.first, word.type, word.text))
        at = word.end
    return meaning + _comments(words.text[at:])


def _comments(between: str) -> list[str]:
    return [match.rstrip() for match in _BETWEEN.findall(between) if match != "\n"]


@dataclass(slots=True)
class _CodeLine:
    """A line of the result. ``opens``: its last word is a bracket."""

    indent: int
    code: str
    comment: str = ""
    opens: bool = False


@dataclass(slots=True)
class _Open:
    """An open bracket: the indentation of its partner, its line, and whether it has a block or several lines."""

    indent: int
    line: int
    block: bool
    broken: bool


class _TextLayout:
    """One walk over the words and the text between them, which collects the lines of the result."""

    def __init__(self, words: TextWords) -> None:
        self.words = words
        self.lines: list[_CodeLine] = []
        self.parts: list[str] = []  # of the current line
        self.indent = 0
        self.comment = ""
        self.opened: list[_Open] = []
        self.gap = False  # whether an empty line follows
        self.opens = False  # whether the last word is an opening bracket
        self.broken = {word.start for word in _broken_blocks(words)}

    def text(self) -> str:
        """Return the whole text."""
        at = 0
        before: TextWord | None = None
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
        """Indentation of a new line."""
        return self.opened[-1].indent + _INDENT_SPACES if self.opened else 0

    @property
    def base(self) -> int:
        """Indentation of the partner of a bracket that opens now: that of its line."""
        if not self.opened:
            return 0
        last = self.opened[-1]
        return last.indent + _INDENT_SPACES * (last.line < len(self.lines))

    def goes_on(self, word: TextWord) -> bool:
        """Return whether a word continues a statement, outside its brackets."""
        return not (word.first or word.closes) and (not self.opened or self.opened[-1].block)

    def pulls(self, word: TextWord) -> bool:
        """Return whether a word is an opening brace on the same line as its statement."""
        return word.type in ("LBRACE", "DRAWING") and self.goes_on(word)

    def between(self, start: int, end: int) -> None:
        """Copy line ends and comments."""
        empty = False  # whether this line is empty
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
        """Begin a line, with an empty line before it if one is due and the line may be apart."""
        if self.gap and self.lines and not close and not self.lines[-1].opens:
            self.lines.append(_CodeLine(0, ""))
        self.gap = False
        self.indent = indent

    def end(self) -> None:
        """End the current line, if there is one."""
        if self.parts or self.comment:
            self.lines.append(
                _CodeLine(self.indent, "".join(self.parts), self.comment, bool(self.parts) and self.opens)
            )
        self.parts, self.comment = [], ""

    def put(self, word: TextWord, before: TextWord | None) -> None:
        """Write a word, on a new line if one begins here."""
        closing = word.closes and bool(self.opened)
        ends_block = closing and self.opened[-1].broken
        begins_block = word.first and bool(self.opened) and self.opened[-1].broken
        if ends_block or begins_block:
            self.end()
        if not self.parts:
            goes_on = self.goes_on(word)
            condition = goes_on and word.text in ("where", "and", "or")
            indent = self.inside + 2 * _INDENT_SPACES * condition  # further in than a block after it
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
            # Text in brackets that a condition opens is further in than its line, unless it is a block.
            base = self.base if word.block else max(self.base, self.indent)
            self.opened.append(_Open(base, len(self.lines), word.block, word.start in self.broken))
        self.parts.append(word.text)

    def draw(self, drawing: str) -> None:
        """Write a drawing."""
        if "\n" not in drawing:
            self.parts.append(drawn.flat(drawing, self.words.grid))
            return
        base = self.base
        layout = drawn.lines(drawing, self.words.grid)
        if layout is None:
            self.keep(drawing)
            return
        self.parts.append("{")
        self.comment, rows = layout
        self.end()
        self.lines.extend(
            _CodeLine(base + _INDENT_SPACES if row.code or row.comment else 0, row.code, row.comment) for row in rows
        )
        self.indent = base
        self.parts.append("}")

    def keep(self, drawing: str) -> None:
        """Write a drawing unchanged, except for spaces at the ends of its lines."""
        first, *rows, last = drawing.split("\n")
        self.parts.append(first.rstrip())
        self.end()
        self.lines.extend(_CodeLine(0, row.rstrip()) for row in rows)
        self.indent = 0
        self.parts.append(last)


def _broken_blocks(words: TextWords) -> list[TextWord]:
    """Return the opening braces of blocks that continue over lines."""
    broken, opened = [], []
    for word in words.words:
        if word.block and word.opens:
            opened.append(word)
        elif word.block and words.text.find("\n", (start := opened.pop()).start, word.end) >= 0:
            broken.append(start)
    return broken


def _aligned(lines: list[_CodeLine]) -> list[str]:
    """Return lines as text, with comments after consecutive lines of one indentation in one column.

    If that column would be too far right, each comment is two spaces after its line.
    """
    texts: list[str] = []
    run: list[_CodeLine] = []
    for line, following in pairwise([*lines, _CodeLine(0, "")]):
        if not (line.code and line.comment):
            texts.append(" " * line.indent + line.code + line.comment)
            continue
        run.append(line)
        if not (following.code and following.comment and following.indent == line.indent):
            widths = [line.indent + len(line.code) for line in run]
            column = max(widths) + 2
            for commented, width in zip(run, widths, strict=True):
                blanks = (column if column < MAX_COMMENT_COLUMN else width + 2) - width
                texts.append(" " * commented.indent + commented.code + " " * blanks + commented.comment)
            run = []
    return texts
