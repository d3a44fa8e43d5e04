"""Nested lists in the forms of many languages: names, numbers and groups in any brackets, with positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell

#: Deepest nesting of brackets: anything deeper is a mistake or an attack.
MAX_BRACKET_DEPTH = 8

#: Maximum number of words and signs in a text, because its lists are in memory.
MAX_TOKENS = 2_000_000

OPENING = {"(": ")", "[": "]", "{": "}"}


class NestedWord(NamedTuple):
    """A name or a number; ``quoted`` without its quotes."""

    text: str
    start: int
    end: int
    quoted: bool = False

    @property
    def is_number(self) -> bool:
        """Whether this is an integer."""
        return not self.quoted and re.fullmatch(r"-?[0-9]+", self.text) is not None


class Tuple(NamedTuple):
    """Numbers joined by commas without spaces, such as ``0,1,0``; only outside of brackets."""

    words: tuple[NestedWord, ...]
    start: int
    end: int


@dataclass
class BracketGroup:
    """The content of a pair of brackets; ``keys`` are the names of items that have one (``"V": ...``)."""

    start: int
    end: int = 0
    items: list[Item] = field(default_factory=list)
    keys: dict[int, NestedWord] = field(default_factory=dict)


Item: TypeAlias = NestedWord | Tuple | BracketGroup


@dataclass
class NestedStatement:
    """Text outside of brackets up to the end of a line or a ``;``: a name, if there is one, and items."""

    name: NestedWord | None = None
    items: list[Item] = field(default_factory=list)


_BLANK = r"[ \t\r\f\v]+|(?P<comment>#[^\n]*|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
#: A type of C++: it has no cells, and signs that are not allowed elsewhere.
_TYPE = r"(?:\w+::)*\w+[ \t]*<[^;={}()\n]*>[&*]?|(?:\w+::)+\w+"
_TOKEN = re.compile(
    rf"(?P<blank>{_BLANK}|{_TYPE})|(?P<line>\n)|(?P<sign>[][(){{}},;:=])"
    r"|(?P<quoted>\"[^\"\n]*\"|'[^'\n]*')|(?P<word>-?\w[\w.+*'-]*)"
)
#: The number of a line in a numbered list: `1.` or `1)`.
_NUMBERING = re.compile(r"[ \t]*([0-9]{1,4})[.)][ \t]+(?=\S)")
#: A line of words that ends in a colon, such as `Here are the pieces:`. The second of two words may be a name if the
#: next line also begins with a name.
_HEADING = re.compile(
    r"[ \t]*[^\W\d][^\s0-9=;:()\[\]{}#/]*(?:(?:[ \t]+[^\s0-9=;:()\[\]{}#/]+){2,}[ \t]*:[ \t\r]*(?=\n|\Z)"
    r"|[ \t]+[^\s0-9=;:()\[\]{}#/]{2,}[ \t]*:[ \t\r]*(?=\n\s*(?:[^\s:=]+[ \t]*[:=]|[0-9]{1,4}[.)][ \t]|[^\W\d]\w*\s)))"
)
_COMMAS = re.compile(r"-?[0-9]+(?:,-?[0-9]+)+")


def statements(source: Source, start: int = 0) -> Iterator[NestedStatement]:
    """Yield the statements of a text from a position. Comments are ``# ...``, ``// ...`` and ``/* ... */``.

    Raises PuzzleError (PZ291) for unmatched brackets, for unexpected signs, and for texts that are too long or too
    deep.
    """
    return _NestedReader(source, start).statements()


def _column(rows: list[BracketGroup]) -> list[Item]:
    """Return the numbers of a matrix of one column, such as ``[0; 1; 0]``; None for others, and for complete cells."""
    words = [row.items[0] for row in rows if len(row.items) == 1]
    alone = [word for word in words if isinstance(word, NestedWord) and word.is_number]
    is_cell = len(alone) == len(rows) and any(len(word.text.lstrip("-")) == 1 for word in alone)
    return list(alone) if is_cell else []


class _NestedReader:
    """One pass over a text; ``groups`` are the open brackets."""

    def __init__(self, source: Source, start: int) -> None:
        self.source, self.at, self.count = source, start, 0
        self.groups: list[BracketGroup] = []
        self.statement = NestedStatement()
        self.number: NestedWord | None = None  # the number of the line, in a numbered list
        # For each open bracket: whether a comma may follow, and where the rows of `[1 2; 3 4]` began.
        self.separated: list[bool] = []
        self.rows: list[list[BracketGroup]] = []
        self.key: list[NestedWord | None] = []

    def statements(self) -> Iterator[NestedStatement]:
        text = self.source.text
        self._line_begins()
        while self.at < len(text):
            commas = None if self.groups else _COMMAS.match(text, self.at)
            if commas:
                numbers = re.finditer(r"-?[0-9]+", commas.group())
                words = (
                    NestedWord(number.group(), self.at + number.start(), self.at + number.end()) for number in numbers
                )
                self._add(Tuple(tuple(words), self.at, commas.end()))
                self.at = commas.end()
                continue
            token = _TOKEN.match(text, self.at)
            if token is None:
                raise self._strange()
            self.at = token.end()
            sign = token.group("sign")
            if token.lastgroup == "line" or (sign == ";" and not self.groups):
                waits = sign is None and self.statement.name is not None and not self.statement.items
                if not self.groups and not waits:
                    yield from self._finished()
                    if sign is None:
                        self._line_begins()
            elif sign:
                self._sign(sign, token.start())
            elif token.group("quoted"):
                self._add(NestedWord(token.group()[1:-1], token.start(), token.end(), quoted=True))
            elif token.group("word"):
                self._add(NestedWord(token.group(), token.start(), token.end()))
        if self.groups:
            opened = self.groups[-1].start
            raise self._fault(f"missing `{OPENING[text[opened]]}` for this `{text[opened]}`", opened, opened + 1)
        yield from self._finished()

    def _line_begins(self) -> None:
        """Skip a heading. A number at the start of a line is the name of that line, unless it has another name."""
        heading = _HEADING.match(self.source.text, self.at)
        if heading:
            self.at = heading.end()
            return
        number = _NUMBERING.match(self.source.text, self.at)
        if number:
            self.at = number.end()
            self.number = NestedWord(number.group(1), number.start(1), number.end(1))

    def _finished(self) -> Iterator[NestedStatement]:
        done, self.statement = self.statement, NestedStatement()
        number, self.number = self.number, None
        if done.name is not None and not done.items:
            raise self._fault(f"missing list after the name `{done.name.text}`", done.name.start, done.name.end)
        if done.items:
            done.name = done.name or number
            yield done

    def _add(self, item: Item) -> None:
        self.count += 1
        if self.count > MAX_TOKENS:
            raise self._fault("too many numbers", item.start, item.end)
        if not self.groups:
            self.statement.items.append(item)
            return
        group = self.groups[-1]
        key = self.key[-1]
        if key is not None:
            group.keys[len(group.items)] = key
            self.key[-1] = None
        group.items.append(item)
        self.separated[-1] = False

    def _sign(self, sign: str, at: int) -> None:
        if sign in OPENING:
            if len(self.groups) == MAX_BRACKET_DEPTH:
                raise self._fault(f"brackets are nested too deeply (limit {MAX_BRACKET_DEPTH:,})", at, at + 1)
            self.groups.append(BracketGroup(at))
            self.separated.append(True)
            self.rows.append([])
            self.key.append(None)
        elif sign in OPENING.values():
            self._close(sign, at)
        elif sign == "," or (sign == ";" and self.source.text[self.groups[-1].start] == "("):
            if self.groups and self.separated[-1]:
                what = "comma" if sign == "," else "`;`"
                raise self._fault(f"missing value before this {what}", at, at + 1)
            if self.groups:
                self.separated[-1] = True
        elif sign == ";":
            self._row(at)
        else:
            self._name(sign, at)

    def _close(self, sign: str, at: int) -> None:
        if not self.groups:
            raise self._fault(f"unexpected `{sign}`: no bracket is open", at, at + 1)
        opened = self.source.text[self.groups[-1].start]
        if OPENING[opened] != sign:
            raise self._fault(
                f"expected `{OPENING[opened]}` for `{opened}`, found `{sign}`",
                at,
                at + 1,
                help=f"write `{OPENING[opened]}`",
            )
        if self.key[-1] is not None:
            raise self._fault(f"missing value after the name `{self.key[-1].text}`", at, at + 1)
        if self.rows[-1]:
            self._row(at)
        group, rows = self.groups.pop(), self.rows.pop()
        self.separated.pop()
        self.key.pop()
        group.end = at + 1
        if rows:
            group.items = _column(rows) or list(rows)
        self._add(group)

    def _row(self, at: int) -> None:
        """End a row of a matrix such as ``[0 0 0; 1 0 0]``."""
        group = self.groups[-1]
        if group.items:
            self.rows[-1].append(BracketGroup(group.items[0].start, group.items[-1].end, group.items, group.keys))
        group.items, group.keys, self.separated[-1] = [], {}, True
        if not self.rows[-1]:
            raise self._fault("missing value before this `;`", at, at + 1)

    def _name(self, sign: str, at: int) -> None:
        """Use the text before ``:`` or ``=`` as the name of what follows."""
        if self.groups:
            group = self.groups[-1]
            last = group.items[-1] if group.items else None
            if not isinstance(last, NestedWord) or self.separated[-1]:
                raise self._fault(f"missing name before this `{sign}`", at, at + 1)
            group.items.pop()
            group.keys.pop(len(group.items), None)
            self.key[-1] = last
            return
        before, self.statement.items = self.statement.items, []
        words = [part for part in before if isinstance(part, NestedWord)]
        # `int V[4][3] =`: the sizes of an array follow its name.
        sizes = all(isinstance(part, NestedWord) or len(getattr(part, "items", "xx")) <= 1 for part in before)
        if not words or self.statement.name is not None or not sizes:
            raise self._fault(f"missing name before this `{sign}`", at, at + 1)
        self.statement.name = words[-1]

    def _strange(self) -> PuzzleError:
        text = self.source.text
        if text.startswith("/*", self.at):
            return self._fault("missing `*/` for this comment", self.at, self.at + 2)
        sign = text[self.at]
        if sign in "\"'":
            return self._fault("missing end of this quote", self.at, self.at + 1)
        return self._fault(f"unexpected `{sign}` in a list of cells", self.at, self.at + 1)

    def _fault(self, message: str, start: int, end: int, help: str = "") -> PuzzleError:
        return fail("PZ291", message, self.source.span(start, end), help=(help,) if help else ())


#: Largest coordinate: no board is larger.
MAX_COORDINATE = 2**20

CELL, PIECE, PIECES = 1, 2, 3


class CellLists:
    """Reads cells out of nested lists; errors go into the report (PZ291, PZ292, PZ293)."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        # The first cell: all others must have the same number of coordinates.
        self.first: tuple[Cell, Item] | None = None

    def depth(self, item: Item) -> int:
        """Return the depth of lists in an item: CELL, PIECE, PIECES, more, or 0 for anything else."""
        if isinstance(item, Tuple):
            return CELL
        if isinstance(item, NestedWord):
            return CELL if is_digits(item) else 0
        if not item.items:
            return 0
        numbers = [item.text for item in item.items if isinstance(item, NestedWord) and item.is_number]
        if len(numbers) == len(item.items):
            # `[000, 100]` lists cells of digits, `[10, 0]` is a cell.
            return PIECE if any(re.match("0[0-9]", number) for number in numbers) else CELL
        inner = {self.depth(item) for item in item.items}
        return 0 if len(inner) > 1 or 0 in inner else inner.pop() + 1

    def cell(self, item: Item) -> Cell | None:
        """Return the cell of an item of depth CELL; None for an invalid cell or another number of coordinates."""
        if (
            isinstance(item, NestedWord) and not item.text.isdecimal()
        ):  # `-1` next to `01`, which is a cell of two digits
            self.report.add("PZ291", f"invalid cell `{item.text[:40]}`", self.source.span(item.start, item.end))
            return None
        if isinstance(item, NestedWord):
            numbers: Sequence[NestedWord] = [NestedWord(digit, item.start, item.end) for digit in item.text[:9]]
        else:
            numbers = [
                word for word in (item.words if isinstance(item, Tuple) else item.items) if isinstance(word, NestedWord)
            ]
        span = self.source.span(item.start, item.end)
        if len(numbers) not in (2, 3):
            self.report.add(
                "PZ292",
                f"expected two or three coordinates in a cell, found {len(numbers) if len(numbers) < 9 else 'many'}",
                span,
                help=("write `(10,0,0)` for a cell with a coordinate of two digits",)
                if isinstance(item, NestedWord)
                else (),
            )
            return None
        # Only the digits that an error message needs: Python refuses to read a very long number.
        cell = tuple(int(number.text[:15]) for number in numbers)
        if any(abs(coordinate) > MAX_COORDINATE for coordinate in cell):
            self.report.add("PZ321", "coordinate is too large", span)
            return None
        if self.first is None:
            self.first = (cell, item)
        elif len(cell) != len(self.first[0]):
            self.report.add(
                "PZ292",
                f"this cell has {len(cell)} coordinates, the first cell has {len(self.first[0])}",
                span,
                others=[(self.source.span(self.first[1].start, self.first[1].end), "the first cell")],
            )
            return None
        return cell

    def cells(self, items: Sequence[Item]) -> tuple[Cell, ...] | None:
        """Return the cells of a piece, or None after an error in one of them; report duplicate cells."""
        places: dict[Cell, Item] = {}
        faults = self.report.errors
        for item in items:
            cell = self.cell(item)
            if cell is not None and cell in places:
                self.report.add(
                    "PZ293",
                    f"duplicate cell {','.join(map(str, cell))} in a piece",
                    self.source.span(item.start, item.end),
                    others=[(self.source.span(places[cell].start, places[cell].end), "first listed here")],
                    help="list each cell once",
                )
            elif cell is not None:
                places[cell] = item
        return tuple(places) if self.report.errors == faults else None


def is_digits(word: NestedWord) -> bool:
    """Whether a word is a cell of digits without separators, such as ``010``."""
    return word.text.isdecimal() and word.text.isascii() and len(word.text) > 1
