"""Sudokus: grids of digits in a line, in rows, or drawn with bars. A text may have any number of them.

A grid has n rows of n cells, and boxes of n cells. Each value is a piece of one cell, and the values in a row, a column
and a box are different.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from math import isqrt
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.plain import Unsupported
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign, WriterChoices, plain_stem
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.ir import ANY, Condition, Fitting, Location, Piece, Puzzle, RegionRule, Rule, RuleKind
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.language.given import Given

#: The least and the greatest number of rows.
MIN_ROWS, MAX_ROWS = 4, 36

#: Marks of a free cell. ``0`` is another one, unless it is a value.
FREE_SIGNS = "._-*?"

_BAR = re.compile("[|\u2502\u2503\u2551]")
_RULE = re.compile(r"[\s|+=:\u2500-\u257f-]*")
_PUNCTUATION = str.maketrans(dict.fromkeys("[](){};\"'", " "))
_CELLS = re.compile(r"[0-9A-Za-z._*?-]+")
_CELL = re.compile(r"[0-9]{1,3}|[A-Za-z._*?-]")

#: A word that is a complete grid, and a line of numbers that may precede the grids.
_COMPLETE_GRID = re.compile(r"(?=[A-Za-z]*[0-9._*?-])[0-9A-Za-z._*?-]{16,}")
_HEAD = re.compile(r"[0-9]{1,7}(?:[\s,]+[0-9]{1,7})?", re.ASCII)

#: The rows of a box and the number of grids, as some texts begin.
_SIZES = re.compile(r"\s*([1-9][0-9]{0,2})\s+([1-9][0-9]{0,6})\s", re.ASCII)

#: The least length of a complete grid that may have other words on its line.
_MIN_COMPLETE_CELLS = 81

#: How much of a text is examined for sudokus, in characters and in grids.
_MAX_EXAMINED, _MAX_EXAMINED_GRIDS = 1 << 17, 20


class CellMark(NamedTuple):
    """The text of a cell, and its position."""

    text: str
    at: int


class SudokuRow(NamedTuple):
    """A line: its words, and the numbers of words and of characters before each bar.

    A line that cannot be a row of cells has no words. If it is drawn between rows, ``is_rule`` is set.
    """

    at: int
    text: str
    words: tuple[CellMark, ...] = ()
    bars: tuple[tuple[int, int], ...] = ()
    is_rule: bool = False

    @property
    def length(self) -> int:
        """Number of characters in cells."""
        return sum(len(word.text) for word in self.words)

    def cells(self, number: int) -> list[CellMark]:
        """Return this many cells: the words if there are as many, else the characters; nothing if neither matches."""
        if len(self.words) == number:
            return list(self.words)
        if self.length == number:
            return [CellMark(sign, word.at + at) for word in self.words for at, sign in enumerate(word.text)]
        return []

    def widths(self, number: int) -> list[int]:
        """Return the number of cells before each bar inside a row of this many cells."""
        which = 0 if len(self.words) == number else 1
        return [bar[which] for bar in self.bars if 0 < bar[which] < number]

    def span(self, source: Source) -> Span:
        """Return the position, without spaces around it."""
        start = self.at + len(self.text) - len(self.text.lstrip())
        return source.span(start, self.at + len(self.text.rstrip()))


class SudokuGrid(NamedTuple):
    """A grid: its lines, its number of rows, the rows and columns of a box (None: not drawn), its name and position."""

    lines: list[SudokuRow]
    size: int
    box: tuple[int, int] | None
    name: str
    span: Span

    @property
    def rows(self) -> list[list[CellMark]]:
        """Cells, row by row."""
        if len(self.lines) > 1:
            return [line.cells(self.size) for line in self.lines]
        cells = self.lines[0].cells(self.size**2)
        return [cells[start : start + self.size] for start in range(0, self.size**2, self.size)]


@dataclass
class _SudokuLines:
    """The rows of a text, and what else it has.

    ``names`` has the name of the grid that begins at a row; ``rules`` are numbers of rows before a drawn line. ``head``
    are numbers before the first row, and ``ignored`` are words after a grid.
    """

    rows: list[SudokuRow] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    rules: set[int] = field(default_factory=set)
    head: list[SudokuRow] = field(default_factory=list)
    ignored: list[Span] = field(default_factory=list)


def _words(part: str, at: int) -> Iterator[CellMark]:
    """Yield the words of a part of a line. If it has commas, nothing between two commas is a free cell."""
    if re.search(r",\s*,|^\s*,", part):
        start = 0
        for text in part.split(","):
            yield CellMark(text.strip() or ".", at + start + len(text) - len(text.lstrip()))
            start += len(text) + 1
    else:
        yield from (CellMark(word.group(), at + word.start()) for word in re.finditer(r"[^\s,]+", part))


def _row(at: int, line: str, dashes: bool) -> SudokuRow:
    """Return the row of a line. ``dashes`` means that ``-`` may be a free cell."""
    if _RULE.fullmatch(line) and not (dashes and "+" not in line and line.count("-") >= MIN_ROWS):
        return SudokuRow(at, line, is_rule=True)
    plain = line.strip()
    if plain.isalnum() and len(plain) >= MIN_ROWS and (plain.isdecimal() or len(plain) >= 10):  # the usual case
        return SudokuRow(at, line, (CellMark(plain, at + line.index(plain)),))
    words: list[CellMark] = []
    bars: list[tuple[int, int]] = []
    start = 0
    for part in _BAR.split(line.translate(_PUNCTUATION)):
        if start:
            bars.append((len(words), sum(len(word.text) for word in words)))
        words += _words(part, at + start)
        start += len(part) + 1
    if not all(_CELLS.fullmatch(word.text) for word in words):
        return SudokuRow(at, line)
    row = SudokuRow(at, line, tuple(words), tuple(bars))
    single = len(words) >= MIN_ROWS and all(_CELL.fullmatch(word.text) for word in words)
    grouped = len({len(word.text) for word in words}) == 1 and row.length >= MIN_ROWS
    titled = any(map(str.isalpha, line)) and row.length < 10
    return row if (single or grouped or bars) and not titled else SudokuRow(at, line)


def _complete(row: SudokuRow, source: Source) -> tuple[SudokuRow, str, Span | None] | None:
    """Return the row of the first word that is a complete grid, the text before it, and the position of text after it.

    Return None if there is no such word. A short one must be alone on its line.
    """
    if row.bars:
        return None
    for word in re.finditer(r"[^\s,;\"']+", row.text):
        size, text = len(word.group()), word.group()
        least = 16 if text == row.text.strip() else _MIN_COMPLETE_CELLS
        if size >= least and isqrt(size) ** 2 == size and _COMPLETE_GRID.fullmatch(text):
            start = row.at + word.start()
            after = row.text[word.end() :].strip(" \t,;\"'")
            rest = row.at + row.text.rfind(after) if after else 0
            span = source.span(rest, rest + len(after)) if after else None
            before = row.text[: word.start()].strip(" \t,;\"'")
            return SudokuRow(start, row.text[word.start() : word.end()], (CellMark(text, start),)), before, span
    return None


def _lines(source: Source) -> _SudokuLines:
    """Return the rows of a text; raise PuzzleError for a line that is neither a row nor a name."""
    text = _SudokuLines()
    name: SudokuRow | None = None
    every = [(at, line) for at, line in lines(source.text) if line.strip() and not re.match(r"\s*(?:#|//)", line)]
    dashes = any("-" in line and re.search("[1-9]", line) for _, line in every)
    for at, line in every:
        row = _row(at, line, dashes)
        complete = None if row.is_rule else _complete(row, source)
        if row.is_rule:
            text.rules.add(len(text.rows))
            continue
        if complete is None and not text.rows and name is None and _HEAD.fullmatch(line.strip()):
            text.head.append(row)
            continue
        if complete is None and not row.words:
            if name is not None or not re.search(r"[^\W\d_]", line):
                raise _no_row(name or row, source)
            name = row
            continue
        called = name.text.strip().rstrip(":") if name else ""
        if complete is not None:
            row, before, after = complete
            called = before or called
            text.ignored += [after] if after else []
        if called:
            text.names[len(text.rows)] = called
        text.rows.append(row)
        name = None
    if name is not None or not (text.rows or text.head):
        raise _no_row(name, source)
    return _with_head(text)


def _with_head(text: _SudokuLines) -> _SudokuLines:
    """Return the lines with the numbers at their start as rows, if the first other row is not longer."""
    longest = max((len(row.text.strip()) for row in text.head), default=0)
    if not text.head or (text.rows and len(text.rows[0].text.strip()) > longest + 1):
        return text
    moved = len(text.head)
    names = {number + moved: name for number, name in text.names.items()}
    return _SudokuLines([*text.head, *text.rows], names, {number + moved for number in text.rules}, [], text.ignored)


def _no_row(row: SudokuRow | None, source: Source) -> PuzzleError:
    if row is None:
        return fail("PZ236", "missing grid of a sudoku", source.end, help="write 81 digits, with `.` for a free cell")
    text = row.text.strip()
    return fail(
        "PZ236",
        f"expected a row of a sudoku, found `{text[:40]}`",
        row.span(source),
        note="a row has digits, and `.` or `0` for a free cell; `|` and lines of `-` may divide it",
    )


def grids(source: Source, report: Report) -> list[SudokuGrid]:
    """Return the grids of a text; raise PuzzleError (PZ236) for lines that form none. The report gets warnings."""
    if _has_large_grids(source.text):
        raise _too_large(source.span(0, source.text.find("\n")))
    text = _lines(source)
    choices = list(_grids(text, source))
    if text.ignored:
        report.add("PZ230", "ignoring the text after a grid on the same line", text.ignored[0])
    _verify_head(text.head, choices, source)
    return choices


def _grids(text: _SudokuLines, source: Source) -> Iterator[SudokuGrid]:
    """Yield the grids of some lines."""
    at = 0
    while at < len(text.rows):
        number, size = _next(text, at, source)
        if not size:
            raise _no_grid(text, at, source)
        yield _grid(text, at, number, size, source)
        at += number


def _next(text: _SudokuLines, at: int, source: Source) -> tuple[int, int]:
    """Return how many lines the next grid has, and its number of rows; (0, 0) if no grid begins here."""
    row = text.rows[at]
    for size in dict.fromkeys((len(row.words), row.length)):
        side = isqrt(size)
        square = side >= MIN_ROWS and side * side == size
        if size > MAX_ROWS and square and _is_small(row, size, side):
            break  # the line is a grid
        following = text.rows[at : at + min(size, MAX_ROWS)]
        named = any(number in text.names for number in range(at + 1, at + len(following)))
        if size < MIN_ROWS or len(following) < min(size, MAX_ROWS) or named:
            continue
        if not all(other.cells(size) for other in following):
            continue
        if size > MAX_ROWS:
            raise _too_large(row.span(source))
        if square and all(_is_small(other, size, side) for other in following):
            break  # each line is a grid
        return size, size
    groups = {len(word.text) for word in row.words}
    for cells in (len(row.words), row.length):
        size = isqrt(cells)
        if size >= MIN_ROWS and size * size == cells and (len(row.words) in (1, cells) or groups == {size}):
            return 1, size
    return 0, 0


def _has_large_grids(text: str) -> bool:
    """Whether a text begins with sizes, and has as many numbers as grids of these sizes with too many rows."""
    sizes = _SIZES.match(text)
    if sizes is None:
        return False
    side, number = map(int, sizes.groups())
    words = text[sizes.end() :].split() if side * side > MAX_ROWS else []
    return bool(words) and len(words) == number * side**4 and all(word.isdecimal() and len(word) < 6 for word in words)


def _too_large(span: Span) -> PuzzleError:
    return fail("PZ236", f"the grid is too large (limit {MAX_ROWS:,} rows)", span)


def _is_small(row: SudokuRow, cells: int, size: int) -> bool:
    """Whether no cell of a row has a value greater than a size, so that the row can be a complete grid of that size."""
    words = [word.text for word in row.words]
    signs = set(words) if len(words) == cells else set("".join(words))
    return bool(signs) and all(not sign.isalpha() and (not sign.isdecimal() or int(sign) <= size) for sign in signs)


def _no_grid(text: _SudokuLines, at: int, source: Source) -> PuzzleError:
    """Return the error for rows that form no grid, at the first row that differs from the row at ``at``."""
    row = text.rows[at]
    if row.length > MAX_ROWS and len(row.words) == 1:
        return _of_wrong_length(row, source)
    sizes = [size for size in (len(row.words), row.length) if size >= MIN_ROWS] or [row.length]
    for size in sizes:
        end = next((number for number in range(at + 1, at + size) if number in text.names), at + size)
        following = text.rows[at:end]
        wrong = next((other for other in following if not other.cells(size)), None)
        if wrong is not None:
            count = len(wrong.words) if len(row.words) == size else wrong.length
            what = f"expected {size} cells in this row of a sudoku, found {count}"
            number = source.position(row.at)[0]
            note = f"the first row of this grid is in line {number}"
            return fail("PZ236", what, wrong.span(source), note=note)
        if size >= MIN_ROWS:
            last = following[-1]
            what = f"expected {counted(size, 'row')} of {size} cells, found {len(following)}"
            return fail("PZ236", what, last.span(source), help="write `.` for a free cell")
    return _no_row(row, source)


def _of_wrong_length(row: SudokuRow, source: Source) -> PuzzleError:
    """Return the error for a line that is too long for a row, and whose number of cells is not a square."""
    cells = min((size * size for size in range(MIN_ROWS, MAX_ROWS + 1)), key=lambda size: abs(size - row.length))
    few = cells - row.length
    help = (
        f"remove {counted(-few, 'cell')}" if few < 0 else f"add {counted(few, 'cell')}, such as `{'.' * min(few, 9)}`"
    )
    what = f"expected {cells} cells in this line of a sudoku, found {row.length}"
    return fail("PZ236", what, row.span(source), help=help)


def _grid(text: _SudokuLines, at: int, number: int, size: int, source: Source) -> SudokuGrid:
    """Return the grid in this many lines from a line on."""
    following = text.rows[at : at + number]
    name = text.names.get(at, "")
    span = source.span(following[0].span(source).start, following[-1].span(source).end)
    if number == 1:
        return SudokuGrid(following, size, None, name, span)
    columns = _period(size, *(row.widths(size) for row in following))
    height = _period(size, sorted(rule - at for rule in text.rules if at < rule < at + size))
    if columns and not height:
        height = size // columns
    elif height and not columns:
        columns = size // height
    return SudokuGrid(following, size, (height, columns) if columns * height == size else None, name, span)


def _period(size: int, *marks: list[int]) -> int:
    """Return the distance between the bars of a grid; 0 if they divide it into unequal parts, or into single cells."""
    first = {mark for some in marks for mark in some}
    width = min(first, default=0)
    return width if width > 1 and size % width == 0 and first == set(range(width, size, width)) else 0


def _verify_head(head: list[SudokuRow], grids: list[SudokuGrid], source: Source) -> None:
    """Raise PuzzleError unless each number before the grids is a size, or the number of grids."""
    size = grids[0].size
    sizes = {size, isqrt(size), len(grids)} | {side for grid in grids for side in grid.box or ()}
    for row in head:
        for word in re.finditer("[0-9]+", row.text):
            if int(word.group()) not in sizes:
                at = row.at + word.start()
                raise fail(
                    "PZ236",
                    f"expected a size or the number of grids, found `{word.group()}`",
                    source.span(at, at + len(word.group())),
                    note=f"the text has {counted(len(grids), 'grid')} of {size} rows",
                )


def _box(grid: SudokuGrid, report: Report) -> tuple[int, int]:
    """Return the rows and columns of a box. Raise PuzzleError if a number of rows has no boxes but single lines."""
    size = grid.size
    if grid.box:
        return grid.box
    side = isqrt(size)
    if side * side == size:
        return side, side
    height = next(height for height in range(side, 0, -1) if size % height == 0)
    if height == 1:
        raise fail("PZ236", f"a grid of {size} rows has no boxes", grid.span, note=f"{size} is a prime number")
    report.add(
        "PZ230",
        f"boxes are not drawn: assuming {height} rows and {size // height} columns",
        grid.span,
        help="draw the boxes with `|` between columns and lines of `-` between rows",
    )
    return height, size // height


def _values(grid: SudokuGrid) -> tuple[list[list[int | None]], range]:
    """Return the value of each cell (None: free), and all values. Raise PuzzleError for a cell that is neither.

    ``0`` is a value if free cells have another mark and the greatest value does not occur. If the values are only
    letters, ``A`` is the first one, else it is ten.
    """
    size, marked = grid.size, grid.rows
    signs = {mark.text.upper() for mark in chain(*marked)}
    marks = {sign for sign in signs if sign in FREE_SIGNS}
    lettered = not any(sign.isdecimal() and int(sign) for sign in signs)
    base = ord("A") - (1 if lettered else 10)
    number = {sign: int(sign) if sign.isdecimal() else ord(sign) - base for sign in signs - marks}
    from_zero = size >= 10 and bool(marks) and "0" in signs and size not in number.values()
    values = range(size) if from_zero else range(1, size + 1)
    rows: list[list[int | None]] = []
    for row in marked:
        rows.append([])
        for mark in row:
            value = number.get(mark.text.upper())
            if value is not None and (value or from_zero) and value not in values:
                span = grid.span.source.span(mark.at, mark.at + len(mark.text))
                what = f"expected a value up to {values[-1]} or a free cell, found `{mark.text}`"
                raise fail("PZ236", what, span, note="free cells are `.` or `0`")
            rows[-1].append(value if value is not None and value in values else None)
    return rows, values


def _block(x: int, y: int, size: int, box: tuple[int, int]) -> int:
    """Return the number of the box of a cell."""
    height, width = box
    return x // width + size // width * (y // height)


def _report_conflicts(grid: SudokuGrid, rows: list[list[int | None]], box: tuple[int, int], report: Report) -> None:
    """Report each given value that its row, column or box already has."""
    first: dict[tuple[str, int, int], CellMark] = {}
    source, marked = grid.span.source, grid.rows
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            if value is None:
                continue
            mark = marked[y][x]
            for unit, number in (("row", y), ("column", x), ("box", _block(x, y, len(rows), box))):
                earlier = first.setdefault((unit, number, value), mark)
                if earlier is not mark:
                    report.add(
                        "PZ236",
                        f"duplicate `{mark.text}` in {unit} {number + 1}",
                        source.span(mark.at, mark.at + len(mark.text)),
                        others=[(source.span(earlier.at, earlier.at + len(earlier.text)), "first one")],
                    )
                    break


def read_sudoku(source: Source, report: Report, given: Given) -> Puzzle:
    """Return a sudoku of a text: a piece for each value, fixed where its value is given.

    Raises PuzzleError (PZ236) for text that is no grid, and for given values that contradict each other.
    """
    choices = grids(source, report)
    names = [grid.name for grid in choices]
    grid = choices[chosen_problem(given.problem, names, [grid.span for grid in choices], report, "sudokus")]
    size, marked = grid.size, grid.rows
    box = _box(grid, report)
    rows, values = _values(grid)
    _report_conflicts(grid, rows, box, report)
    report.stop_on_errors()
    lattice = find_lattice("square")
    turns = lattice.turns(Freedom.FIXED)
    signs = tuple(map(str, values))

    def given_value(x: int, y: int, value: int) -> Rule:
        mark = marked[y][x]
        return Rule(RuleKind.FIX, str(value), ((x, y),), span=source.span(mark.at, mark.at + len(mark.text)))

    return Puzzle(
        grid.name or plain_stem(source.name) or "Sudoku",
        lattice,
        tuple([Location((x, y)) for x in range(size) for y in range(size)]),
        tuple([Piece(sign, ((0, 0),), (sign,), turns, None, 0, ANY, span=grid.span) for sign in signs]),
        PuzzleColours(signs),
        PuzzleRules(
            tuple(
                [
                    given_value(x, y, value)
                    for y, row in enumerate(rows)
                    for x, value in enumerate(row)
                    if value is not None
                ]
            ),
            tuple(
                [
                    RegionRule(Condition.DIFFERENT, region, name=name, span=grid.span)
                    for name, region in _parts(size, box).items()
                ]
            ),
        ),
        span=grid.span,
    )


def _parts(size: int, box: tuple[int, int]) -> dict[str, tuple[Address, ...]]:
    """Return the rows, columns and boxes of a grid by their names in messages."""
    units: dict[str, list[Address]] = {
        f"{unit} {number + 1}": [] for unit in ("row", "column", "box") for number in range(size)
    }
    for y in range(size):
        for x in range(size):
            for unit, number in (("row", y), ("column", x), ("box", _block(x, y, size, box))):
                units[f"{unit} {number + 1}"].append((x, y))
    return {name: tuple(cells) for name, cells in units.items()}


def is_sudoku(source: Source) -> bool:
    r"""Whether a text has only grids of square boxes, or with drawn boxes, whose given values agree.

    Rows of 0 and 1 are no sudoku, and neither are four rows of four without bars. Empty grids need sizes before them.

    >>> is_sudoku(Source("", "1.3..2.." * 2 + "\n")), is_sudoku(Source("", "0 1 1\n1 0 1\n"))
    (False, False)
    """
    if not _may_be_sudoku(source):
        return False
    if _has_large_grids(source.text):
        return True
    try:
        if len(source.text) > _MAX_EXAMINED:
            part = Source(source.name, source.text[: source.text.rindex("\n", 0, _MAX_EXAMINED)])
            sample = list(islice(_grids(_lines(part), part), _MAX_EXAMINED_GRIDS))
        else:
            sample = grids(source, Report())
        every = [_given_values(grid) for grid in sample[:_MAX_EXAMINED_GRIDS]]
    except (PuzzleError, ValueError):
        return False
    is_empty = max(every) == 0 and _SIZES.match(source.text) is not None
    return max(every) > 2 or (max(every) == 2 and sample[0].size == MIN_ROWS) or is_empty


def _may_be_sudoku(source: Source) -> bool:
    """Whether one of the first lines is a row, or a complete grid."""
    first = (entry for entry in lines(source.text) if entry[1].strip())
    rows = (_row(at, line[: 4 * MAX_ROWS**2], dashes=True) for at, line in islice(first, 8))
    return any((row.words and row.length >= MIN_ROWS) or _complete(row, source) for row in rows)


def _given_values(grid: SudokuGrid) -> int:
    """Return how many different values are given. Raise PuzzleError for a grid that may be something else."""
    size, report = grid.size, Report()
    in_lines = "\n" in grid.span.text
    if grid.box is None and (isqrt(size) ** 2 != size or (in_lines and size == MIN_ROWS)):
        raise fail("PZ236", "boxes are not drawn", grid.span)
    rows, _ = _values(grid)
    _report_conflicts(grid, rows, _box(grid, report), report)
    report.stop_on_errors()
    return len({value for value in chain(*rows) if value is not None})


def write_sudoku(fitting: Fitting, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of a sudoku: its title, and its rows. Boxes are drawn unless they are square.

    Raises PuzzleError (PZ501) for other puzzles.
    """
    cells, box = _cells_of(fitting)
    size = isqrt(len(cells))
    width = len(str(size))
    space = " " if width > 1 else ""
    square = box[0] == box[1]

    def row(y: int) -> str:
        signs = [str(cells[x, y] or ".").rjust(width) for x in range(size)]
        parts = [space.join(signs[x : x + box[1]]) for x in range(0, size, box[1])]
        return f"{space}{'' if square else '|'}{space}".join(parts) if not square else space.join(signs)

    rows = [row(y) for y in range(size)]
    title = " ".join(fitting.title.split())
    if _is_name(title):
        yield f"{title}\n"
    for y, text in enumerate(rows):
        if y and y % box[0] == 0 and not square:
            yield "-" * len(text) + "\n"
        yield text + "\n"


def _is_name(title: str) -> bool:
    """Whether the reader takes a line for the name of a grid."""
    row = _row(0, title, dashes=True)
    plain = re.search(r"[^\W\d_]", title) and not title.startswith(("#", "//")) and title.isprintable()
    source = Source("", title)
    return bool(plain) and not row.words and not row.is_rule and not _complete(row, source) and title[-1] != ":"


def _cells_of(fitting: Fitting) -> tuple[dict[tuple[int, int], int], tuple[int, int]]:
    """Return the value of each cell (x, y) from 1 (0: free), and the rows and columns of a box."""
    report = Unsupported("the sudoku format", fitting.title, fitting.puzzle.span if fitting.puzzle else None)
    puzzle = fitting.puzzle
    size = isqrt(fitting.locations)
    at = [location.at for location in puzzle.locations] if puzzle else []
    plane = [cell for cell in at if not isinstance(cell, str) and len(cell) == 2]
    left, top = (min((cell[axis] for cell in plane), default=0) for axis in (0, 1))
    cells = [(cell[0] - left, cell[1] - top) for cell in plane]
    every = [(x, y) for y in range(size) for x in range(size)]
    regions = {
        frozenset(cells[number] for number in rule.region)
        for rule in fitting.region_rules
        if rule.kind is Condition.DIFFERENT and len(cells) == fitting.locations
    }
    box = next((box for box in _boxes(size) if _is_boxed(regions, size, box)), None)
    plain = not (fitting.optional or fitting.costs) and len(regions) == len(fitting.region_rules)
    if puzzle is None or not plain or box is None or set(cells) != set(every) or not _has_values(fitting, size):
        report.whole("puzzles other than sudokus")
        raise report.error()
    values: dict[tuple[int, int], int] = dict.fromkeys(every, 0)
    given = {rule.region[0] for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX}
    for number, piece in enumerate(fitting.pieces):
        for (location,) in piece.placements:
            if at[location] in given:
                values[cells[location]] = number + 1
    return values, box


def _has_values(fitting: Fitting, size: int) -> bool:
    """Whether the pieces are values, each with room for the copies that a grid of this size has."""
    puzzle = fitting.origin
    return len(puzzle.pieces) == size and all(
        piece.colours == (piece.name,) and piece.low <= size <= piece.high for piece in puzzle.pieces
    )


def _boxes(size: int) -> list[tuple[int, int]]:
    """Return the rows and columns of boxes of a grid, squares first."""
    boxes = [(height, size // height) for height in range(2, size) if size % height == 0]
    return sorted(boxes, key=lambda box: abs(box[0] - box[1]))


def _is_boxed(regions: set[frozenset[tuple[int, int]]], size: int, box: tuple[int, int]) -> bool:
    """Whether regions are the rows, columns and boxes of a grid."""
    return regions == {
        frozenset((cell[0], cell[1]) for cell in cells if not isinstance(cell, str))
        for cells in _parts(size, box).values()
    }


FORMAT = Format(
    "sudoku",
    (".sudoku", ".sdk"),
    "sudokus as digits, in a line or in rows",
    stage="fitting",
    read=read_sudoku,
    write=write_sudoku,
    recognise=(Sign(95, is_sudoku),),
    aliases=("sudokus", "sdk", "sdm"),
    place=155,
    traits=("problems", "rules on regions"),
)
