"""The input of Knuth's programs polyomino-dlx, polyiamond-dlx and polycube-dlx: a box of cells, and pieces.

The programs are at <https://www-cs-faculty.stanford.edu/~knuth/programs.html>; their introductions define the form. A
cell is two digits (three in space). Each digit is one of 0 to 9, a to z, A to Z for 0 to 61, or several of them in
brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines, words
from puzzlec.formats.plain import Unsupported, lattice_span, refuse_listed, turns_as
from puzzlec.formats.record import Format, Sign, WriterChoices, first_words
from puzzlec.geometry import Cell, Lattice, Matrix, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import ANY, Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours, cells_of, copies_text
from puzzlec.language.given import Given
from puzzlec.lower.labels import words as label_words

#: The digits of coordinates, 0 to 61.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: Maximum number of cells in all pieces together, and of steps to place a piece of several shapes.
MAX_CELLS = 1_000_000
MAX_STEPS = 50_000_000

#: Colours of the layers of suffixes, first the layer of cells without one.
LAYERS = "abcdefghijk"

_SPEC = r"(?:\[[^\]\s]*\]|[0-9A-Za-z])"


@dataclass
class _PieceLines:
    """A piece as its lines define it: the first position of its name, its copies, and a shape for each line."""

    span: Span
    low: int
    high: int
    shapes: list[tuple[Cell, ...]] = field(default_factory=list)


def read_polycube(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the puzzle of a text: on squares if cells have two coordinates, else on cubes.

    Pieces may be rotated and reflected in the plane, and rotated in space. A line that repeats the name of a piece adds
    a shape to it. A cell of the plane may have a suffix: such cells are optional and lie in a separate layer, which is
    the third coordinate here. If the box has cells with the suffix ``'``, cells are triangles, and these cells point
    down. In Knuth's format y grows upwards, so it has the opposite sign here. Raises PuzzleError with all errors.
    """
    reader = _PolycubeReader(source, report)
    for start, line in lines(source.text):
        content = line.strip()
        if content and not content.startswith("|"):
            reader.read(line, start)
    if not reader.box:
        report.stop_on_errors()
        raise fail("PZ308", "missing box of cells", source.end)
    if not reader.pieces and not report.errors:
        raise fail("PZ309", "missing pieces", source.end)
    report.stop_on_errors()
    return reader.puzzle()


class _PolycubeReader:
    """Reads the box, then pieces."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.dimension = 0
        self.triangles = False
        self.layers: dict[str, int] = {"": 0}
        self.box: set[Cell] = set()
        self.where = source.end
        self.pieces: dict[str, _PieceLines] = {}
        self.cells = 0

    def read(self, line: str, start: int) -> None:
        """Read a line: the first one is the box."""
        parts = list(words(line, start))
        if not self.dimension:
            # A third coordinate counts even if its bracket is never closed.
            solid = all(re.fullmatch(rf"{_SPEC * 2}(?:{_SPEC}|\[[^\]\s]*)", word, re.ASCII) for word, _ in parts)
            self.dimension = 3 if solid else 2
            self.triangles = any(re.fullmatch(_SPEC * 2 + "'", word, re.ASCII) for word, _ in parts)
            self.where = self.source.span(parts[0][1], start + len(line.rstrip()))
            errors = self.report.errors
            self.box = self._cells(parts)
            if not self.box and self.report.errors == errors:
                self.report.add("PZ288", "missing cells of the box", self.where)
            return
        name, at = parts[0]
        shapes = self._piece(name, at)
        errors = self.report.errors
        cells = self._cells(parts[1:])
        if cells and shapes:
            shapes.shapes.append(tuple(sorted(cells)))
        elif not cells and self.report.errors == errors:
            self.report.add("PZ289", f"missing cells of piece `{name}`", self.source.span(at, at + len(name)))
        self.cells += len(cells)
        if self.cells > MAX_CELLS:
            self.report.add("PZ288", f"the pieces have too many cells (limit {MAX_CELLS:,})", self.source.span(at))
            raise self.report.error()

    def _piece(self, word: str, at: int) -> _PieceLines | None:
        """Return the piece that the first word of a line names, with its copies; None after an error."""
        span = self.source.span(at, at + len(word))
        match = re.fullmatch(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9})\||([0-9A-Za-z])\*)?([^|:*]+)", word, re.ASCII)
        if match is None:
            self.report.add(
                "PZ289",
                f"invalid piece name `{word}`",
                span,
                note="a name cannot contain `|`, `:` or `*`; copies are written `12|name`, or `4*name` in space",
                help=f"write `{copies[1]}|{copies[2]}`"
                if (copies := re.fullmatch(r"([0-9]+):([^|:*]+)", word))
                else (),
            )
            return None
        low, high, digit, name = match.groups()
        most = DIGITS.index(digit) if digit else int(high or 1)
        least = int(low) if low else most
        if not least <= most or not 1 <= most < ANY:
            self.report.add("PZ289", f"invalid number of copies of piece `{name}`: {word[: match.start(4) - 1]}", span)
            return None
        earlier = self.pieces.setdefault(name, _PieceLines(span, least, most))
        if (earlier.low, earlier.high) != (least, most):
            self.report.add(
                "PZ289",
                f"the copies of piece `{name}` differ from those on an earlier line",
                span,
                others=[(earlier.span, "here")],
            )
        return earlier

    def _cells(self, parts: Iterable[tuple[str, int]]) -> set[Cell]:
        """Return the cells that words name, and report errors in them."""
        cells: set[Cell] = set()
        for word, at in parts:
            axes: list[list[int]] = []
            place = 0
            while len(axes) < self.dimension:
                spec = re.compile(r"\[([^\]\s]*)\]|[0-9A-Za-z]", re.ASCII).match(word, place)
                if spec is None:
                    self._wrong(word, at, place, len(axes))
                    break
                fault = "" if spec.group(1) is None else _fault(spec.group(1))
                if fault:
                    self.report.add("PZ288", fault, self.source.span(at + spec.start(), at + spec.end()))
                    break
                axes.append(_values(spec.group(1)) if spec.group(1) is not None else [DIGITS.index(spec.group())])
                place = spec.end()
            else:
                self._add(cells, axes, word[place:], self.source.span(at + place, at + len(word)))
        return cells

    def _wrong(self, word: str, at: int, place: int, axes: int) -> None:
        """Report a cell that is invalid from some position on."""
        if place >= len(word):
            self.report.add(
                "PZ288",
                f"expected {self.dimension} coordinates in cell `{word}`, found {axes}",
                self.source.span(at, at + len(word)),
            )
        elif word[place] == "[":
            self.report.add("PZ288", "missing `]`", self.source.span(at + place))
        else:
            self.report.add(
                "PZ288",
                f"invalid coordinate `{word[place]}`",
                self.source.span(at + place),
                note="coordinates are 0 to 9, a to z, A to Z, or several of them in brackets",
            )

    def _add(self, cells: set[Cell], axes: list[list[int]], suffix: str, span: Span) -> None:
        """Add the cells with these coordinates, in the layer of their suffix."""
        if self.dimension == 2 and re.search(r"[][]", suffix):
            if re.search(r"\[[^\]]*$", suffix):
                start = span.start + suffix.rindex("[")
                self.report.add("PZ288", "missing `]`", self.source.span(start, start + 1))
            else:
                note = "all cells have two coordinates, as on the first line, and a suffix has no brackets"
                self.report.add(
                    "PZ288", f"unexpected `{suffix}` after the two coordinates of a cell in the plane", span, note=note
                )
            return
        if suffix and self.dimension == 3:
            self.report.add("PZ288", f"unexpected `{suffix}` after the three coordinates of a cell in space", span)
            return
        if (suffix == "'" and not self.triangles) or (suffix not in ("", "'") and self.triangles):
            what = (
                f"unexpected suffix `{suffix}` of a triangle"
                if self.triangles
                else "unexpected triangle: the box has none"
            )
            self.report.add("PZ288", what, span, note="triangles that point down have the suffix `'`")
            return
        if self.triangles:
            cells.update((x, -y, int(bool(suffix))) for x, y in product(*axes))
            return
        if suffix not in self.layers and len(self.layers) == len(LAYERS):
            self.report.add("PZ288", f"too many suffixes (limit {len(LAYERS) - 1}): `{suffix}`", span)
            return
        layer = self.layers.setdefault(suffix, len(self.layers))
        cells.update(product(*axes) if self.dimension == 3 else product(*axes, [layer]))

    def puzzle(self) -> Puzzle:
        """Return the puzzle of the lines."""
        layered = self.dimension == 2 and len(self.layers) > 1
        flat = self.dimension == 2 and not layered and not self.triangles
        lattice = find_lattice("triangle" if self.triangles else "square" if flat else "cubic")
        if self.dimension == 3:
            turns = lattice.rotations
        elif layered:
            turns = tuple(turn for turn in lattice.isometries if turn[2] == (0, 0, 1))
        else:
            turns = lattice.isometries
        box = [cell[: lattice.coordinates] for cell in sorted(self.box)]

        def colour(cell: Cell) -> str | None:
            return LAYERS[cell[2]] if layered else None

        pieces = []
        for name, described in self.pieces.items():
            shapes = [tuple(cell[: lattice.coordinates] for cell in shape) for shape in described.shapes]
            if len(shapes) > 1:
                covers = self._covers(shapes, turns, box, lattice, described.span)
                pieces.append(Piece(name, covers=covers, low=described.low, high=described.high, span=described.span))
                continue
            colours = tuple(map(colour, shapes[0]))
            pieces.append(
                Piece(name, shapes[0], colours, turns, low=described.low, high=described.high, span=described.span)
            )
        return Puzzle(
            PurePath(self.source.name).stem,
            lattice,
            tuple(Location(cell, colour(cell), layered and cell[2] > 0, self.where) for cell in box),
            tuple(pieces),
            PuzzleColours(tuple(LAYERS[: len(self.layers)]) if layered else ()),
            span=self.where,
        )

    def _covers(
        self, shapes: list[tuple[Cell, ...]], turns: tuple[Matrix, ...], box: list[Cell], lattice: Lattice, span: Span
    ) -> tuple[tuple[Cell, ...], ...]:
        """Return the placements of a piece of several shapes, shape by shape. Layers stay as they are."""
        if sum(map(len, shapes)) * len(turns) * len(box) > MAX_STEPS:
            self.report.add("PZ325", "the shapes of this piece have too many placements", span)
            raise self.report.error()
        cell_at = {lattice.point(cell): cell for cell in box}
        layers = lattice.dimension == 3 and self.dimension == 2
        covers: dict[tuple[Cell, ...], None] = {}
        for shape in shapes:
            before = len(covers)
            points = [lattice.point(cell) for cell in shape]
            for form in dict.fromkeys(tuple(sorted(turned(turn, point) for point in points)) for turn in turns):
                for corner in cell_at:
                    vector = tuple(to - at for to, at in zip(corner, form[0], strict=True))
                    if (layers and vector[2]) or not lattice.is_translation(vector):
                        continue
                    moved = [tuple(at + step for at, step in zip(point, vector, strict=True)) for point in form]
                    if all(point in cell_at for point in moved):
                        covers[tuple(sorted(cell_at[point] for point in moved))] = None
            if len(covers) == before:
                self.report.add("PZ208", "this shape adds no placement to those of the other shapes", span)
        return tuple(covers)


def _fault(text: str) -> str:
    """Return the error in digits in brackets; empty if there is none."""
    strange = re.search(r"[^0-9A-Za-z-]", text)
    if strange:
        return f"invalid coordinate `{strange.group()}`"
    rest = re.sub(r"([0-9A-Za-z])-([0-9A-Za-z])", "", text)
    if "-" in rest:
        return f"missing end of the range in `[{text}]`"
    for first, last in re.findall(r"([0-9A-Za-z])-([0-9A-Za-z])", text):
        if DIGITS.index(first) > DIGITS.index(last):
            return f"the range `{first}-{last}` runs backwards"
    return ""


def _values(text: str) -> list[int]:
    """Return the values of digits in brackets in ascending order.

    >>> _values("7-942")
    [2, 4, 7, 8, 9]
    """
    values: set[int] = set()
    for first, last in re.findall(r"([0-9A-Za-z])(?:-([0-9A-Za-z]))?", text):
        low = DIGITS.index(first)
        values.update(range(low, (DIGITS.index(last) if last else low) + 1))
    return sorted(values)


def write_polycube(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of a puzzle on the lattice square or cubic: the box, then a line for each piece.

    The writer moves the box so that its least coordinates are 0. Raises PuzzleError with everything that these programs
    do not support: wrap-around boards, colours, optional locations, rules, listed placements, pieces without all
    rotations (and, in the plane, reflections), and coordinates above 61.
    """
    report = Unsupported("the format `polycube`", puzzle.title, puzzle.span)
    lattice = puzzle.geometry.lattice
    if lattice.name not in ("square", "cubic"):
        note, help = "its lattices are square and cubic", "convert to `puzzle`"
        report.part(f"the lattice `{lattice.name}`", lattice_span(puzzle), note=note, help=help, file=puzzle.title)
        raise report.error()
    _refuse(puzzle, report)
    turns = lattice.isometries if lattice.name == "square" else lattice.rotations
    for piece in puzzle.pieces:
        if piece.covers is None:
            _refuse_piece(piece, turns, lattice, report)
    for cells, span in (
        (cells_of(puzzle), puzzle.span),
        *((piece.cells, piece.span) for piece in puzzle.pieces if piece.cells),
    ):
        if any(max(axis) - min(axis) >= len(DIGITS) for axis in zip(*cells, strict=True)):
            report.part(f"coordinates above {len(DIGITS) - 1}", span, file=puzzle.title)
    report.stop_on_errors()
    names = label_words((piece.name for piece in puzzle.pieces), r"[\s|:*]")
    lines = [_cells_text(cells_of(puzzle))]
    for name, piece in zip(names, puzzle.pieces, strict=True):
        lines.append(f"{_copies(piece, lattice)}{name} {_cells_text(piece.cells)}")
    return iter(["\n".join(lines) + "\n"])


def _refuse(puzzle: Puzzle, report: Unsupported) -> None:
    """Report everything that the format does not support."""
    if puzzle.wraps:
        report.whole("wrap-around boards")
    if puzzle.colours.names or any(location.colour for location in puzzle.locations):
        report.whole("colours")
    if any(location.optional for location in puzzle.locations):
        report.whole("optional locations")
    for rule in puzzle.rules.pieces:
        report.part(f"rules such as `{rule.kind.value}`", rule.span)
    for piece in puzzle.pieces:
        refuse_listed(piece, report)


def _refuse_piece(piece: Piece, turns: tuple[Matrix, ...], lattice: Lattice, report: Unsupported) -> None:
    """Report a piece whose orientations or copies the programs do not support."""
    if not turns_as(piece, turns, lattice):
        how = "rotated and reflected" if lattice.name == "square" else "rotated, and not reflected"
        report.part(f"the orientations of piece `{piece.name}`", piece.span, note=f"its pieces may be {how}")
    solid = lattice.name == "cubic"
    if piece.high == 0 or (solid and (piece.low != piece.high or piece.high >= len(DIGITS))) or piece.high >= 10**9:
        copies = f"{copies_text(piece.low, piece.high)} copies of `{piece.name}`"
        note = "for a solid, it supports a fixed number of copies, 1 to 61" if solid else ()
        report.part(copies, piece.span, note=note)


def _copies(piece: Piece, lattice: Lattice) -> str:
    """Return the prefix of the name of a piece that is not used exactly once."""
    if piece.low == piece.high == 1:
        return ""
    if lattice.name == "cubic":
        return f"{DIGITS[piece.high]}*"
    return f"{piece.high}|" if piece.low == piece.high else f"{piece.low}:{piece.high}|"


def _cells_text(cells: Iterable[Cell]) -> str:
    """Return cells in few words, moved so that the least coordinates are 0.

    >>> _cells_text([(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 5)])
    '[01][0-2] 24'
    """
    listed = list(cells)
    least = [min(axis) for axis in zip(*listed, strict=True)]
    moved = {tuple(value - low for value, low in zip(cell, least, strict=True)) for cell in listed}
    return " ".join(_boxes(frozenset(moved)))


def _boxes(cells: frozenset[Cell]) -> list[str]:
    """Return words for cells. Equal sets of cells after different first coordinates share a word."""
    if not any(cells):
        return [""]
    behind: dict[int, set[Cell]] = {}
    for cell in cells:
        behind.setdefault(cell[0], set()).add(cell[1:])
    together: dict[frozenset[Cell], list[int]] = {}
    for first in sorted(behind):
        together.setdefault(frozenset(behind[first]), []).append(first)
    return [_digits(firsts) + word for rest, firsts in together.items() for word in _boxes(rest)]


def _digits(values: list[int]) -> str:
    """Return ascending coordinates as one digit, or as several in brackets. Three or more in a row become a range."""
    if len(values) == 1:
        return DIGITS[values[0]]
    text = ""
    at = 0
    while at < len(values):
        end = at
        while end + 1 < len(values) and values[end + 1] == values[end] + 1:
            end += 1
        if end - at >= 2:
            text += f"{DIGITS[values[at]]}-{DIGITS[values[end]]}"
        else:
            text += "".join(DIGITS[value] for value in values[at : end + 1])
        at = end + 1
    return f"[{text}]"


_CELL = re.compile(r"(?:\[[0-9A-Za-z-]+\]|[0-9A-Za-z]){2,3}(?![0-9A-Za-z\[])\S{0,6}", re.ASCII)


def is_polycube(source: Source) -> bool:
    r"""Whether the first line of a text lists cells in Knuth's form, and pieces of such cells follow.

    The cells of a board are near 0. Without a digit they are words.

    >>> is_polycube(Source("", "[0-5][0-9]\nP 00 01 02 10 11\n")), is_polycube(Source("", "10 11\n0 1 10\n"))
    (True, False)
    """
    first = first_words(source, "|")
    letters = any(re.search("[A-Za-z]", words[0]) for words in first[1:]) and bool(re.search("[0-9]", str(first[0])))
    cells = [*first[:1], *(words[1:] for words in first[1:])]
    return len(first) > 1 and letters and all(words and all(map(_CELL.fullmatch, words)) for words in cells)


FORMAT = Format(
    "polycube",
    (".polycube",),
    "Knuth's polyominoes and polycubes",
    read=read_polycube,
    write=write_polycube,
    recognise=(Sign(110, is_polycube),),
    aliases=("knuth-polycube",),
    place=110,
)
