"""Polyform Puzzler's texts: pieces in the form of its Python files, or solutions in the form of its output.

Pieces are ``piece_data = {'V': (((0,1), (1,0)), {}), ...}``. A text may contain several such tables, each in a class.
The name of the class decides the family. The board is separate. Solutions have a header ``solution 1:`` and a line of
coordinates for each piece; their cells are the board. The project's FAQ describes this in section 3
(https://puzzler.sourceforge.io/docs/FAQ.html).
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.cells.nested import CELL, BracketGroup, CellLists, Item, NestedWord, statements
from puzzlec.formats.plain import Unsupported, box_sizes, in_quotes, plain_report, refuse_second, turns_as
from puzzlec.formats.polyform.families import FAMILIES, PolyformFamily, family_of, freedom_of, located
from puzzlec.formats.polyform.solutions import cell_at, read_picture, read_solutions, records
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Freedom, Matrix, written
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import cells_of
from puzzlec.language.given import Given

#: The orientations of a piece, as the options of its entry.
_OPTIONS = {
    Freedom.FREE: "{}",
    Freedom.ONE_SIDED: "{'flips': None}",
    Freedom.FIXED: "{'flips': None, 'rotations': None}",
}


def write_polyform(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the pieces of a puzzle as a class with ``piece_data``; all cells are listed, ``implied_0`` is false.

    The board must be a full box of columns and rows (and layers), and a comment gives its size. Raises PuzzleError
    (PZ501) for everything that the format does not support.
    """
    lattice, report = plain_report(puzzle, "a table of Polyform Puzzler", [family.lattice for family in FAMILIES])
    family = next(family for family in FAMILIES if family.lattice == lattice.name)
    sizes = _sizes(puzzle, family, report)
    entries = []
    for piece in puzzle.pieces:
        name, options = in_quotes(piece.name), _options(piece, lattice) if piece.covers is None else "{}"
        if name is None:
            report.part(f"the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        if options is None:
            report.part(f"the orientations of piece `{piece.name}`", piece.span)
        cells = ", ".join(written(family.original(cell)) for cell in piece.cells)
        entries.append(f"        {name}: (({cells},), {options}),\n")
    report.stop_on_errors()

    def text() -> Iterator[str]:
        yield f"# The board is {sizes}.\nclass Pieces({family.base}):\n\n    implied_0 = False\n\n    piece_data = {{\n"
        yield from entries
        yield "    }\n"

    return text()


def _options(piece: Piece, lattice: Lattice) -> str | None:
    """Return the options of a piece's entry, None if they do not express its orientations."""
    usual = lattice.freedom
    for freedom in (usual, Freedom.ONE_SIDED, Freedom.FIXED):
        if turns_as(piece, lattice.turns(freedom), lattice):
            return "{}" if freedom is usual else _OPTIONS[freedom]
    return None


def _sizes(puzzle: Puzzle, family: PolyformFamily, report: Unsupported) -> str:
    """Return the board as ``--board`` takes it; report any other board."""
    if not family.moves:
        return box_sizes(puzzle, report)
    places = cells_of(puzzle)
    if places and family.lattice in ("triangle", "sticks"):
        # The rows and columns of the box, from its first position on.
        x, y = (min(axis) for axis in list(zip(*places, strict=True))[:2])
        right, bottom = (max(axis) for axis in list(zip(*places, strict=True))[:2])
        columns, rows = right - x + (family.lattice == "triangle"), bottom - y + (family.lattice == "triangle")
        if columns > 0 and rows > 0 and columns * rows <= len(places):
            given = tuple(Location((a, b)) for b in range(rows) for a in range(columns))
            _, board = located(family, given)
            moved = {
                (location.at[0] + x, location.at[1] + y, location.at[2])
                for location in board
                if isinstance(location.at, tuple)
            }
            if moved == set(places):
                return f"{columns}x{rows}"
    report.add(
        "PZ501",
        f"{report.words} has no board, and this board is not a full box of columns and rows",
        puzzle.span,
        help="convert to `puzzle`",
        file=puzzle.title,
    )
    return ""


class PieceTable(NamedTuple):
    """A table of pieces in a text: its class, the bases of the class, its start, and whether ``implied_0``."""

    name: str
    bases: str
    start: int
    implied: bool


_TABLE = re.compile(r"^[ \t]*(?:\w+\.)?piece_data[ \t]*=\s*\{(?!\s*\})", re.MULTILINE)
_CLASS = re.compile(r"^class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?[ \t]*:", re.MULTILINE)
_ENTRY = re.compile(r"\s*+(?:#[^\n]*+\s*+)*+(?:\{\s*+(?:#[^\n]*+\s*+)*+)?(['\"])\w[^'\"\n]*+\1\s*+:\s*+\(")


def tables(source: Source) -> list[PieceTable]:
    """Return the tables of pieces of a text: those of its classes, or the text itself if it is a table."""
    text = source.text
    classes = list(_CLASS.finditer(text))
    starts = [kind.start() for kind in classes]
    piece_tables = []
    for match in _TABLE.finditer(text):
        number = bisect_right(starts, match.start())
        owner = classes[number - 1] if number else None
        start, end = owner.end() if owner else 0, starts[number] if number < len(starts) else len(text)
        name, bases = (owner.group(1), owner.group(2) or "") if owner else ("", "")
        implied = not re.search(r"^[ \t]*+implied_0\s*+=\s*+False", text[start:end], re.MULTILINE)
        piece_tables.append(PieceTable(name, bases.replace(",", " "), match.start(), implied))
    if not piece_tables and _ENTRY.match(text):
        piece_tables.append(PieceTable("", "", 0, implied=True))
    return piece_tables


def read_pieces(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of a table on a separate board.

    The name of the class decides the family, and whether pieces may be reflected (not in ``OneSided...``). Without a
    class, cells of two coordinates are squares, and those of three are cubes. The cell at the origin belongs to each
    piece. Raises PuzzleError for entries that are not cells (PZ291 to PZ293), and for rotations that are not all or
    none (PZ294).
    """
    choices = tables(source)
    spans = [source.span(piece.start, max(piece.start, source.text.find("{", piece.start)) + 1) for piece in choices]
    table = choices[chosen_problem(given.problem, [piece.name for piece in choices], spans, report, "tables of pieces")]
    reading = _Entries(source, report, table)
    entries = statements(source, table.start)
    for statement in entries:
        whole = statement.items[0]
        if isinstance(whole, BracketGroup) and (whole.keys or (not whole.items and source.text[whole.start] == "{")):
            reading.read(whole.items, whole.keys)
        else:
            reading.read(statement.items, {0: statement.name} if statement.name else {})
        if table.name or _TABLE.match(source.text, table.start):
            _warn_of_text(source, table, report)
            break  # Python code follows
    return reading.puzzle(given)


def _warn_of_text(source: Source, table: PieceTable, report: Report) -> None:
    """Warn about lines around a table that are not Python: code is ignored, but text may be pieces."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # about the user's text, which no Python will run
            ast.parse(textwrap.dedent(source.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        at = [at for at, _ in lines(source.text)][min(line, source.text.count("\n") + 1) - 1] if line else table.start
        report.add(
            "PZ230",
            "ignoring lines around the table that are not Python",
            source.span(at, at + len(source.text[at:].split("\n", 1)[0])),
            note="pieces are the entries of the table",
        )


class _Entries:
    """The pieces of a table."""

    def __init__(self, source: Source, report: Report, table: PieceTable) -> None:
        self.source, self.report, self.table = source, report, table
        self.lists = CellLists(source, report)
        self.pieces: dict[str, tuple[list[Cell], list[Span], Freedom | None, Span]] = {}

    def read(self, items: list[Item], names: dict[int, NestedWord]) -> None:
        """Read entries ``'V': (((0,1), (1,0)), {})``."""
        for number, item in enumerate(items):
            name, span = names.get(number), self.source.span(item.start, item.end)
            if name is None or not name.text or not isinstance(item, BracketGroup):
                self.report.add("PZ294", "expected a name and cells in brackets in a table of pieces", span)
                continue
            called = self.source.span(name.start, name.end)
            if name.text in self.pieces:
                refuse_second(name.text, called, self.pieces[name.text][3], self.report)
                continue
            self._entry(name.text, item, called)

    def _entry(self, name: str, item: BracketGroup, called: Span) -> None:
        last = item.items[-1] if item.items else None
        options = last if isinstance(last, BracketGroup) and self.source.text[last.start] == "{" else None
        listed = item.items[0] if options is not None and len(item.items) == 2 else item
        cells = listed.items if isinstance(listed, BracketGroup) else []
        wrong = next((cell for cell in cells if self.lists.depth(cell) != CELL or isinstance(cell, NestedWord)), None)
        if wrong is not None or not isinstance(listed, BracketGroup):
            at = wrong or item
            self.report.add("PZ291", "expected a cell such as `(0,1)`", self.source.span(at.start, at.end))
            return
        read = self.lists.cells(cells)
        spans = [self.source.span(cell.start, cell.end) for cell in cells]
        freedom = self._freedom(options) if options else None
        if read is not None:
            self.pieces[name] = (list(read), spans, freedom, called)

    def _freedom(self, options: BracketGroup) -> Freedom | None:
        """Return the freedom of a piece from its options; None for the usual one."""
        said: dict[str, str] = {}
        for number, item in enumerate(options.items):
            key = options.keys.get(number)
            said[key.text if key else ""] = item.text if isinstance(item, NestedWord) else "listed"
        if any(key not in ("flips", "rotations", "axes") or value != "None" for key, value in said.items()):
            self.report.add(
                "PZ294",
                "unsupported rotations or flips of a piece",
                self.source.span(options.start, options.end),
                note="in the plane, `'flips': None` means one-sided; with `'rotations': None` it means fixed",
            )
            return None
        if {"flips", "rotations"} <= set(said):
            return Freedom.FIXED
        if said and set(said) != {"flips"}:
            message = "pieces that may be reflected but not rotated are not supported"
            self.report.add("PZ294", message, self.source.span(options.start, options.end))
        return Freedom.ONE_SIDED if "flips" in said else None

    def puzzle(self, given: Given) -> Puzzle:
        """Return the puzzle with these pieces; raise PuzzleError with all errors."""
        if not self.pieces and not self.report.errors:
            raise fail("PZ309", "missing pieces", self.source.end)
        self.report.stop_on_errors()
        names = f"{self.table.name} {self.table.bases}"
        first = next((cells[0] for cells, *_ in self.pieces.values() if cells), None)
        family = family_of(names, 2 if first is None else len(first))
        assert family is not None
        if first is not None and family.coordinates != len(first):
            raise fail(
                "PZ292",
                f"expected {family.coordinates} coordinates in the cells of `{self.table.name}`, found {len(first)}",
                self.source.span(self.table.start, self.source.text.index("{", self.table.start) + 1),
            )
        lattice, board = located(family, given.board)
        pieces = []
        for name, (cells, spans, freedom, span) in self.pieces.items():
            lattice_cells = self._placed(cells, spans, family, span)
            if lattice.dimension == 3:
                lattice_cells = [(*cell, 0)[:3] for cell in lattice_cells]
            turns = self._turns(freedom, names, lattice, span)
            if lattice_cells:
                pieces.append(Piece(name, tuple(lattice_cells), (None,) * len(lattice_cells), turns, span=span))
        self.report.stop_on_errors()
        return Puzzle(self.table.name or PurePath(self.source.name).stem, lattice, board, tuple(pieces))

    def _placed(self, cells: list[Cell], spans: list[Span], family: PolyformFamily, span: Span) -> list[Cell]:
        """Return the cells on our lattice, the implied one first."""
        images = [cell_at(cell, place, family, self.report) for cell, place in zip(cells, spans, strict=True)]
        origin = (0,) * family.coordinates
        implied = [family.place(origin)] if family.implied and self.table.implied and origin not in cells else []
        lattice_cells = [*implied, *(cell for cell in images if cell is not None)]
        if not lattice_cells and not self.report.errors:
            self.report.add("PZ314", "missing cells of this piece", span)
        return lattice_cells

    def _turns(self, freedom: Freedom | None, names: str, lattice: Lattice, span: Span) -> tuple[Matrix, ...]:
        if freedom is Freedom.ONE_SIDED and lattice.dimension == 3:
            self.report.add("PZ294", "solid pieces that may not be turned over are not supported", span)
        return lattice.turns(freedom or freedom_of(names, lattice))


def read_polyform(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of a text of Polyform Puzzler.

    A solution is read as a puzzle of its pieces. They may be rotated, so the puzzle can have other solutions.
    ``given.problem`` is the number of a solution, or the name of the class of the pieces. Raises PuzzleError for
    invalid texts.
    """
    if records(source):
        return read_solutions(source, report, given)
    if tables(source):
        return read_pieces(source, report, given)
    if re.search(r"^[ \t]*(?:[\w.*]{1,4} +){2,}[\w.*]{1,4}[ \t]*$", source.text, re.MULTILINE):
        return read_picture(source, report)
    first = len(source.text) - len(source.text.lstrip())
    raise fail(
        "PZ294",
        "missing pieces or a solution of Polyform Puzzler",
        source.span(first, first + len(source.text[first:].split("\n")[0])),
        note="pieces are a table `piece_data = {...}`, a solution begins with `solution 1:`",
    )


#: The heading of a solution, or a table of pieces, in one of the first lines.
_BEGINNING = (
    r"(?:.*+\n){0,2000}?[ \t]*+"
    r"(?:(?:(?:at .*, )?solution \d+|solving \w+):[ \t]*$|(?:\w+\.)?piece_data\s*=\s*\{)"
)

FORMAT = Format(
    "polyform",
    (".polyform",),
    "Polyform Puzzler's pieces or solutions",
    read=read_polyform,
    write=write_polyform,
    recognise=(Sign(80, _BEGINNING),),
    aliases=("puzzler", "polyforms", "polyform-puzzler"),
    place=140,
    traits=("pieces only", "solid", "problems"),
)
