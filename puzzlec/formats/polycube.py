"""What Knuth's programs polyomino-dlx, polyiamond-dlx and polycube-dlx read: a box of cells, and pieces.

The programs are at <https://www-cs-faculty.stanford.edu/~knuth/programs.html>; their introductions tell the form. A
cell is two digits (three, in space), each one of 0 to 9, a to z, A to Z for 0 to 61, or several in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.lines import lines, words
from puzzlec.geometry import Cell, Lattice, Matrix, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import ANY, Location, Piece, Puzzle
from puzzlec.language.read_options import Given

#: The digits of coordinates, 0 to 61.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: More cells than these, in all pieces together, are refused, and so are more steps to lay a piece of several shapes.
MOST_CELLS = 1_000_000
MOST_STEPS = 50_000_000

#: Colours of the layers of suffixes, that of cells without one first.
LAYERS = "abcdefghijk"

_SPEC = r"(?:\[[^\]\s]*\]|[0-9A-Za-z])"


@dataclass
class _Shapes:
    """A piece as its lines tell: where its name stands first, how often it is used, and a shape for each line."""

    span: Span
    low: int
    high: int
    shapes: list[tuple[Cell, ...]] = field(default_factory=list)


def read_polycube(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the puzzle that such a text describes: on squares where cells have two coordinates, else on cubes.

    Pieces may be turned and mirrored in the plane, turned in space. Lines with the name of a piece that was there add
    shapes to it. Behind a cell of the plane a suffix may stand: such cells are optional, and lie in a layer of their
    own, which is the third coordinate here. Where the box has cells with the suffix ``'``, cells are triangles, and
    these the ones that point down; y grows upwards, and has the other sign here. Raises PuzzleError with all faults.
    """
    reader = _Reader(source, report)
    for start, line in lines(source.text):
        content = line.strip()
        if content and not content.startswith("|"):
            reader.read(line, start)
    if not reader.box:
        report.stop_on_errors()
        raise fail("PZ308", "there is no box of cells", source.end)
    if not reader.pieces and not report.errors:
        raise fail("PZ309", "there are no pieces", source.end)
    report.stop_on_errors()
    return reader.puzzle()


class _Reader:
    """Reads the box, then pieces."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.dimension = 0
        self.triangles = False
        self.layers: dict[str, int] = {"": 0}
        self.box: set[Cell] = set()
        self.where = source.end
        self.pieces: dict[str, _Shapes] = {}
        self.cells = 0

    def read(self, line: str, start: int) -> None:
        """Read a line: the first one is the box."""
        found = list(words(line, start))
        if not self.dimension:
            # A third coordinate is one also where its bracket is never closed.
            solid = all(re.fullmatch(rf"{_SPEC * 2}(?:{_SPEC}|\[[^\]\s]*)", word, re.ASCII) for word, _ in found)
            self.dimension = 3 if solid else 2
            self.triangles = any(re.fullmatch(_SPEC * 2 + "'", word, re.ASCII) for word, _ in found)
            self.where = self.source.span(found[0][1], start + len(line.rstrip()))
            errors = self.report.errors
            self.box = self._cells(found)
            if not self.box and self.report.errors == errors:
                self.report.add("PZ288", "the box has no cell", self.where)
            return
        name, at = found[0]
        shapes = self._piece(name, at)
        errors = self.report.errors
        cells = self._cells(found[1:])
        if cells and shapes:
            shapes.shapes.append(tuple(sorted(cells)))
        elif not cells and self.report.errors == errors:
            self.report.add("PZ289", f"the piece `{name}` has no cell", self.source.span(at, at + len(name)))
        self.cells += len(cells)
        if self.cells > MOST_CELLS:
            self.report.add("PZ288", f"the pieces have more than {MOST_CELLS} cells", self.source.span(at))
            raise self.report.error()

    def _piece(self, word: str, at: int) -> _Shapes | None:
        """Return the piece that the first word of a line names, with a number of copies; None where it is wrong."""
        span = self.source.span(at, at + len(word))
        match = re.fullmatch(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9})\||([0-9A-Za-z])\*)?([^|:*]+)", word, re.ASCII)
        if match is None:
            self.report.add(
                "PZ289",
                f"`{word}` is no name of a piece",
                span,
                note="a name has no `|`, `:` or `*`; copies are written `12|name`, or `4*name` in space",
            )
            return None
        low, high, digit, name = match.groups()
        most = DIGITS.index(digit) if digit else int(high or 1)
        least = int(low) if low else most
        if not least <= most or not 1 <= most < ANY:
            self.report.add("PZ289", f"the piece `{name}` cannot be used {word[: match.start(4) - 1]} times", span)
            return None
        earlier = self.pieces.setdefault(name, _Shapes(span, least, most))
        if (earlier.low, earlier.high) != (least, most):
            self.report.add(
                "PZ289",
                f"the copies of piece `{name}` differ from those on an earlier line",
                span,
                others=[(earlier.span, "here")],
            )
        return earlier

    def _cells(self, found: Iterable[tuple[str, int]]) -> set[Cell]:
        """Return the cells that words name; what is wrong with them is reported."""
        cells: set[Cell] = set()
        for word, at in found:
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
        """Report a cell that breaks off at a place."""
        if place >= len(word):
            self.report.add(
                "PZ288",
                f"the cell `{word}` has {axes} coordinate{'s' * (axes != 1)}, not {self.dimension}",
                self.source.span(at, at + len(word)),
            )
        elif word[place] == "[":
            self.report.add("PZ288", "this bracket is never closed", self.source.span(at + place))
        else:
            self.report.add(
                "PZ288",
                f"`{word[place]}` is no coordinate",
                self.source.span(at + place),
                note="coordinates are 0 to 9, a to z, A to Z, or several of them in brackets",
            )

    def _add(self, cells: set[Cell], axes: list[list[int]], suffix: str, span: Span) -> None:
        """Add the cells of these coordinates, in the layer of their suffix."""
        if self.dimension == 2 and re.search(r"[][]", suffix):
            if re.search(r"\[[^\]]*$", suffix):
                start = span.start + suffix.rindex("[")
                self.report.add("PZ288", "this bracket is never closed", self.source.span(start, start + 1))
            else:
                note = "the first line has cells of two coordinates, so all have; a suffix has no brackets"
                self.report.add(
                    "PZ288", f"a cell in the plane has two coordinates: `{suffix}` is too much", span, note=note
                )
            return
        if suffix and self.dimension == 3:
            self.report.add("PZ288", f"a cell in space has three coordinates: `{suffix}` is too much", span)
            return
        if (suffix == "'" and not self.triangles) or (suffix not in ("", "'") and self.triangles):
            what = f"a triangle has no suffix `{suffix}`" if self.triangles else "the box has no triangles"
            self.report.add("PZ288", what, span, note="triangles that point down have the suffix `'`")
            return
        if self.triangles:
            cells.update((x, -y, int(bool(suffix))) for x, y in product(*axes))
            return
        if suffix not in self.layers and len(self.layers) == len(LAYERS):
            self.report.add("PZ288", f"`{suffix}` is one suffix too many: there can be {len(LAYERS) - 1}", span)
            return
        layer = self.layers.setdefault(suffix, len(self.layers))
        cells.update(product(*axes) if self.dimension == 3 else product(*axes, [layer]))

    def puzzle(self) -> Puzzle:
        """Return the puzzle of what was read."""
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
        for name, each in self.pieces.items():
            shapes = [tuple(cell[: lattice.coordinates] for cell in shape) for shape in each.shapes]
            if len(shapes) > 1:
                covers = self._covers(shapes, turns, box, lattice, each.span)
                pieces.append(Piece(name, covers=covers, low=each.low, high=each.high, span=each.span))
                continue
            colours = tuple(map(colour, shapes[0]))
            pieces.append(Piece(name, shapes[0], colours, turns, low=each.low, high=each.high, span=each.span))
        return Puzzle(
            PurePath(self.source.name).stem,
            lattice,
            tuple(Location(cell, colour(cell), layered and cell[2] > 0, self.where) for cell in box),
            tuple(pieces),
            tuple(LAYERS[: len(self.layers)]) if layered else (),
            span=self.where,
        )

    def _covers(
        self, shapes: list[tuple[Cell, ...]], turns: tuple[Matrix, ...], box: list[Cell], lattice: Lattice, span: Span
    ) -> tuple[tuple[Cell, ...], ...]:
        """Return the placements of a piece of several shapes, those of each shape in turn; layers stay."""
        if sum(map(len, shapes)) * len(turns) * len(box) > MOST_STEPS:
            self.report.add("PZ325", "the shapes of this piece have too many placements", span)
            raise self.report.error()
        cell_at = {lattice.point(cell): cell for cell in box}
        layers = lattice.dimension == 3 and self.dimension == 2
        found: dict[tuple[Cell, ...], None] = {}
        for shape in shapes:
            before = len(found)
            points = [lattice.point(cell) for cell in shape]
            for form in dict.fromkeys(tuple(sorted(turned(turn, point) for point in points)) for turn in turns):
                for corner in cell_at:
                    vector = tuple(to - at for to, at in zip(corner, form[0], strict=True))
                    if (layers and vector[2]) or not lattice.is_translation(vector):
                        continue
                    moved = [tuple(at + step for at, step in zip(point, vector, strict=True)) for point in form]
                    if all(point in cell_at for point in moved):
                        found[tuple(sorted(cell_at[point] for point in moved))] = None
            if len(found) == before:
                self.report.add("PZ208", "a shape of this piece adds no placement to those of the others", span)
        return tuple(found)


def _fault(text: str) -> str:
    """Return what is wrong with digits in brackets, nothing where they are right."""
    strange = re.search(r"[^0-9A-Za-z-]", text)
    if strange:
        return f"`{strange.group()}` is no coordinate"
    rest = re.sub(r"([0-9A-Za-z])-([0-9A-Za-z])", "", text)
    if "-" in rest:
        return f"the range in `[{text}]` has no beginning or no end"
    for first, last in re.findall(r"([0-9A-Za-z])-([0-9A-Za-z])", text):
        if DIGITS.index(first) > DIGITS.index(last):
            return f"the range `{first}-{last}` runs backwards"
    return ""


def _values(text: str) -> list[int]:
    """Return the values of digits in brackets, ascending.

    >>> _values("7-942")
    [2, 4, 7, 8, 9]
    """
    found: set[int] = set()
    for first, last in re.findall(r"([0-9A-Za-z])(?:-([0-9A-Za-z]))?", text):
        low = DIGITS.index(first)
        found.update(range(low, (DIGITS.index(last) if last else low) + 1))
    return sorted(found)
