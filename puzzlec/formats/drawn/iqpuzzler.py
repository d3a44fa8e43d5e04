"""IQ Puzzler texts: rows, columns and number of pieces, the kind of board, and pieces drawn in their letters.

The first line is ``N M P``, the second one ``DEFAULT`` (a box), ``CUSTOM`` (N rows of ``X`` and ``.`` follow) or
``PYRAMID`` (balls in a square pyramid of N layers). A row with another letter begins the next piece.

In another form, the first line is ``N M``, and N rows of ``*`` and ``.`` are the board. Then the number of pieces
follows, and for each piece its rows and columns with its drawing.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines, words
from puzzlec.formats.drawn.drawings import DrawingRow, cells_of, signs_of
from puzzlec.formats.record import WEAK_RANK, Format, Sign
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.regions import MAX_REGION_CELLS, box
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Given

MODES = ("DEFAULT", "CUSTOM", "PYRAMID")


def read_iqpuzzler(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the puzzle of an IQ Puzzler text; each piece is used once, rotated and reflected.

    A second piece with the letter of another one is named ``A2``. Raises PuzzleError for an invalid head or board and
    for a number of pieces that differs from the head (PZ225), and for rows of two letters (PZ224).
    """
    reading = _IqPuzzlerReader(source, report)
    if reading.is_sized():
        return _read_sized(reading)
    sizes = reading.head()
    mode = reading.mode()
    lattice = find_lattice("fcc" if mode == "PYRAMID" else "square")
    board = reading.board(mode, *sizes[:2])
    pieces = reading.pieces()
    report.stop_on_errors()
    if len(pieces) != sizes[2]:
        what = f"expected {counted(sizes[2], 'piece')} as on the first line, found {len(pieces)}"
        more = pieces[sizes[2]][1] if len(pieces) > sizes[2] else pieces[-1][1] if pieces else reading.number
        note = "a row with another letter begins the next piece"
        others = [(more, "the next piece" if len(pieces) > sizes[2] else "the last piece")] if pieces else ()
        report.add("PZ225", what, reading.number, note=note, others=others)
        report.stop_on_errors()
    turns = lattice.turns(lattice.freedom)
    made: dict[str, Piece] = {}
    for letter, span, cells in pieces:
        name, again = letter, 1
        while name in made:
            again += 1
            name = f"{letter}{again}"
        solid = tuple((*cell, 0)[: lattice.dimension] for cell in cells)
        made[name] = Piece(name, solid, (None,) * len(solid), turns, span=span)
    return Puzzle(PurePath(source.name).stem, lattice, board, tuple(made.values()))


def _read_sized(reading: _IqPuzzlerReader) -> Puzzle:
    """Return the puzzle of a text with the size of each drawing before it."""
    lattice = find_lattice("square")
    rows, columns = reading.numbers(2, "the rows and columns of the board")
    board = tuple(Location(cell, span=span) for cell, span in reading.drawing(rows, columns, "the board", "*Xx"))
    count = reading.numbers(1, "the number of pieces")[0]
    pieces: dict[str, Piece] = {}
    for number in range(1, count + 1):
        what = f"piece {number} of {count}"
        sizes = reading.numbers(2, f"the rows and columns of {what}")
        at = reading.next
        cells = list(reading.drawing(sizes[0], sizes[1], what))
        line = reading.rows[at].text
        letter, again = (signs_of(reading.rows[at : reading.next]) or ["?"])[0], 1
        name = letter
        while name in pieces:
            again += 1
            name = f"{letter}{again}"
        span = reading.source.span(reading.rows[at].at, reading.rows[at].at + max(1, len(line)))
        shape = tuple(cell for cell, _ in cells)
        pieces[name] = Piece(name, shape, (None,) * len(shape), lattice.turns(lattice.freedom), span=span)
    reading.finish(count)
    return Puzzle(PurePath(reading.source.name).stem, lattice, board, tuple(pieces.values()))


class _IqPuzzlerReader:
    """The lines of a text, one after another."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.rows = [DrawingRow(at, line.rstrip()) for at, line in lines(source.text)]
        self.next = 0
        self.number = source.end

    def _line(self, content: str) -> DrawingRow:
        """Return the next line that is not empty; ``content`` is its expected content."""
        while self.next < len(self.rows) and not self.rows[self.next].text:
            self.next += 1
        if self.next == len(self.rows):
            raise fail("PZ225", f"unexpected end of file: missing {content}", self.source.end)
        self.next += 1
        return self.rows[self.next - 1]

    def is_sized(self) -> bool:
        """Whether the text has the size of each drawing before it: two numbers, and no kind of board after them."""
        first, second, *_ = [*(row.text for row in self.rows if row.text), "", ""]
        return bool(re.fullmatch(r"\s*[0-9]+\s+[0-9]+", first, re.ASCII) and re.match(r"\s*[*.]|\s*[Xx]+\b", second))

    def numbers(self, count: int, content: str) -> list[int]:
        """Return the numbers of the next line, each of them at least 1."""
        line = self._line(content)
        words = line.text.split()
        if len(words) != count or not all(re.fullmatch("0*[1-9][0-9]{0,6}", word, re.ASCII) for word in words):
            span = self.source.span(line.at, line.at + len(line.text))
            raise fail("PZ225", f"expected {content}, found `{line.text.strip()[:40]}`", span)
        if count == 2 and int(words[0]) * int(words[1]) > MAX_REGION_CELLS:
            span = self.source.span(line.at, line.at + len(line.text))
            raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", span)
        return [int(word) for word in words]

    def drawing(self, rows: int, columns: int, what: str, signs: str = "") -> list[tuple[Cell, Span]]:
        """Return the cells of the next rows of a drawing. Its cells have one character, or one of ``signs``."""
        cells: list[tuple[Cell, Span]] = []
        first = ""
        for y in range(rows):
            if self.next == len(self.rows):
                raise fail("PZ225", f"unexpected end of file: missing row {y + 1} of {what}", self.source.end)
            line = self.rows[self.next]
            self.next += 1
            if len(line.text) > columns:
                span = self.source.span(line.at, line.at + len(line.text))
                message = f"row {y + 1} of {what} has {counted(len(line.text), 'character')}, expected {columns}"
                raise fail("PZ225", message, span)
            for x, sign in enumerate(line.text):
                if sign in " .":
                    continue
                span = self.source.span(line.at + x)
                first = first or sign
                if sign != first or (signs and sign not in signs) or sign == "\t":
                    raise fail("PZ224", f"unexpected `{sign}` in {what}" if sign != "\t" else "unexpected tab", span)
                cells.append(((x, y), span))
        if not cells:
            raise fail("PZ225", f"missing cells of {what}", self.source.span(self.rows[self.next - 1].at))
        return cells

    def finish(self, count: int) -> None:
        """Raise PuzzleError for text after the last piece."""
        for row in self.rows[self.next :]:
            if row.text.strip():
                span = self.source.span(row.at, row.at + len(row.text))
                raise fail("PZ225", f"unexpected text after {counted(count, 'piece')}", span)

    def head(self) -> tuple[int, int, int]:
        """Return the rows, the columns and the number of pieces."""
        line = self._line("the rows, columns and number of pieces")
        fields = list(words(line.text, line.at))
        span = self.source.span(fields[0][1], line.at + len(line.text))
        if len(fields) != 3 or not all(re.fullmatch("[0-9]{1,7}", word, re.ASCII) for word, _ in fields):
            raise fail(
                "PZ225",
                f"expected three numbers, found `{line.text.strip()[:40]}`",
                span,
                note="the first line is `N M P`: rows, columns and number of pieces",
            )
        self.number = self.source.span(fields[2][1], fields[2][1] + len(fields[2][0]))
        rows, columns, pieces = (int(word) for word, _ in fields)
        if not rows * columns * pieces:
            raise fail("PZ225", "rows, columns and number of pieces must be at least 1", span)
        if rows * columns > MAX_REGION_CELLS:
            raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", span)
        return rows, columns, pieces

    def mode(self) -> str:
        """Return the kind of board."""
        line = self._line("`DEFAULT`, `CUSTOM` or `PYRAMID`")
        word = line.text.strip()
        if word.upper() not in MODES:
            start = line.at + len(line.text) - len(line.text.lstrip())
            raise fail(
                "PZ225",
                f"expected `DEFAULT`, `CUSTOM` or `PYRAMID`, found `{word[:40]}`",
                self.source.span(start, line.at + len(line.text)),
                help="add the line `DEFAULT` after the first one for a board without gaps",
            )
        return word.upper()

    def board(self, mode: str, rows: int, columns: int) -> tuple[Location, ...]:
        """Return the locations of the board."""
        if mode == "DEFAULT":
            return tuple(map(Location, box((columns, rows))))
        if mode == "PYRAMID":
            if rows != columns:
                raise fail("PZ225", f"expected a square pyramid, found {rows} rows and {columns} columns", self.number)
            if rows**3 > 3 * MAX_REGION_CELLS:
                raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", self.number)
            return tuple(Location((x, y, z)) for z in range(rows) for x, y in box((rows - z, rows - z)))
        locations = []
        for y in range(rows):
            line = self._line(f"row {y + 1} of {rows} of the board")
            strange = re.search(r"[^Xx.]", line.text)
            if strange or len(line.text) != columns:
                raise fail(
                    "PZ225",
                    f"expected row {y + 1} of {rows} of the board, found `{line.text.strip()[:40]}`",
                    self.source.span(line.at, line.at + len(line.text)),
                    note=f"a row has {counted(columns, 'character')}, `X` for a cell and `.` for a gap",
                )
            cells = ((x, sign) for x, sign in enumerate(line.text) if sign != ".")
            locations += [Location((x, y), span=self.source.span(line.at + x)) for x, _ in cells]
        if not locations:
            raise fail(
                "PZ308", "missing `X`: the board has no cell to fill", self.source.span(self.rows[self.next - 1].at)
            )
        return tuple(locations)

    def pieces(self) -> list[tuple[str, Span, tuple[Cell, ...]]]:
        """Return the letter, the position and the cells of each piece."""
        runs: list[tuple[str, list[DrawingRow]]] = []
        gap = False
        for row in self.rows[self.next :]:
            if not row.text:
                gap = True
                continue
            signs = signs_of([row])
            if len(signs) != 1 or "\t" in row.text:
                wrong = next((x for x, sign in enumerate(row.text) if sign == "\t" or sign in signs[1:]), 0)
                what = f"unexpected `{signs[1]}` in a row of `{signs[0]}`" if len(signs) > 1 else "unexpected row"
                what = "unexpected tab in a drawing" if "\t" in row.text else what
                note = "a row of a piece has the letter of the piece and spaces"
                self.report.add("PZ224", what, self.source.span(row.at + wrong), note=note)
            elif not runs or runs[-1][0] != signs[0]:
                runs.append((signs[0], [row]))
            elif gap:
                what = f"unexpected empty line in piece `{signs[0]}`"
                self.report.add("PZ224", what, self.source.span(row.at, row.at + len(row.text)))
            else:
                runs[-1][1].append(row)
            gap = False
        return [
            (
                letter,
                self.source.span(rows[0].at, rows[-1].at + len(rows[-1].text)),
                tuple(cell for cell, _ in cells_of(rows, letter, spaced=False)),
            )
            for letter, rows in runs
        ]


def is_iqpuzzler(source: Source) -> bool:
    r"""Whether a text begins with a line of two to four numbers, and lines without digits follow.

    >>> is_iqpuzzler(Source("", "2 2 1\nDEFAULT\nAA\nAA\n")), is_iqpuzzler(Source("", "6 3\n2 2 0 1\n"))
    (True, False)
    """
    lines = [line for line in source.text[:10_000].split("\n") if line.strip()]
    head = re.fullmatch(r"\s*[0-9]+(?:\s+[0-9]+){1,3}\s*", lines[0], re.ASCII) if lines else None
    if lines and re.fullmatch(r"\s*[0-9]+\s+[0-9]+\s*", lines[0], re.ASCII):
        rows = int(lines[0].split()[0][:4])
        if len(lines) > rows + 2 and re.fullmatch(r"\s*[0-9]+\s*", lines[rows + 1], re.ASCII):
            return all(re.fullmatch(r"[\s.]*[*Xx][*Xx.\s]*", line) for line in lines[1 : rows + 1])
    return head is not None and len(lines) > 1 and not any(re.search(r"[0-9,{}\[\]()|:]", line) for line in lines[1:])


FORMAT = Format(
    "iqpuzzler",
    (".iqpuzzler",),
    "IQ Puzzler texts",
    read=read_iqpuzzler,
    recognise=(Sign(WEAK_RANK + 10, is_iqpuzzler),),
    aliases=("iq", "iq-puzzler", "tucil"),
    place=190,
)
