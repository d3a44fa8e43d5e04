"""Figures of the Soma cube in the notation of Thorleif Bundgaard's pages: their cells, with a solution in letters.

A figure is a header such as ``/SOMA002``, a line ``;name``, and rows from the back to the front. A row has a ``/``
before each of its layers, the top one first. ``.`` and ``-`` are empty. Every other character is a piece: ``V L T Z A B
P`` or ``1 2 3 4 5 6 7``, and ``D I Q S`` or ``0 8 9 $`` of SOMA+plus. Lines that begin with ``|`` are further
solutions, other lines are prose. Sources: https://www.fam-bundgaard.dk/SOMA/NOTATION.HTM, /SOMA/FIGURES/D001025.HTM and
/SOMA/NEWS/N111114.HTM there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign
from puzzlec.geometry import Cell, Lattice, find_lattice, find_library
from puzzlec.geometry.lattice import at_origin, connected_parts, turned
from puzzlec.geometry.regions import MAX_REGION_CELLS
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Given

#: The pieces that SOMA+plus adds to those of the Soma cube.
PLUS: dict[str, tuple[Cell, ...]] = {
    "D": ((0, 0, 0), (1, 0, 0)),
    "I": ((0, 0, 0), (1, 0, 0), (2, 0, 0)),
    "Q": ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)),
    "S": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)),
}

#: The piece of each sign.
SIGNS = dict(zip("0123456789$", "DVLTZABPIQS", strict=True)) | {letter: letter for letter in "DVLTZABPIQS"}

_HEADER = re.compile(r"/(SOMA[ \t]*\w+|SP[ \t]*[0-9]{2,}\w*)[ \t]*(?:;[ \t]*(.*\S))?[ \t]*", re.IGNORECASE)
_ROW = re.compile(r"[/.\w$-]+")


@dataclass
class SomaFigure:
    """A figure of a text: its number, its name, and its rows, each with its start."""

    number: str = ""
    name: str = ""
    span: Span | None = None
    rows: list[tuple[str, int]] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The number and the name of the figure, or one of them, or nothing."""
        return " ".join(f"{self.number} {self.name}".split())


def figures(source: Source) -> list[SomaFigure]:
    """Return the figures of a text that have a row.

    A line that looks like a row but does not begin with ``/`` is prose, unless a row is directly above it. Raises
    PuzzleError (PZ296) for that.
    """
    sections = [SomaFigure()]
    at, within = 0, False
    for line in source.text.split("\n"):
        row = re.split("[;<]", line)[0].rstrip()
        indent = len(line) - len(line.lstrip())
        line, row, at = line[indent:], row.lstrip(), at + indent
        header = _HEADER.fullmatch(line.rstrip())
        if header:
            sections.append(SomaFigure(header.group(1), header.group(2) or "", source.span(at, at + header.end(1))))
        elif row.startswith("/"):
            if not within and sections[-1].rows:
                sections.append(SomaFigure())
            sections[-1].rows.append((row, at))
            sections[-1].span = sections[-1].span or source.span(at, at + len(row))
        elif line.startswith(";") and not sections[-1].rows and not sections[-1].name:
            sections[-1].name = line[1:].strip()
        elif within and "/" in row and _ROW.fullmatch(row):
            raise fail("PZ296", "missing `/` at the beginning of a row", source.span(at, at + len(row)))
        within = row.startswith("/") and not header
        at += len(line) + 1
    return [figure for figure in sections if figure.rows]


def read_soma(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of a figure: its cells, and the pieces that its letters name.

    A piece that appears several times gets copies, with one sign or two (two sets are often written as 1 and V). The
    letters are one solution, not a constraint: if the cells of a letter are not its piece, there is a warning (PZ297).
    Raises PuzzleError (PZ296) for rows that do not match, for unknown signs, and for a number of cells that the pieces
    of a sign cannot have.
    """
    figure = _chosen(source, report, given)
    letters = signs_of(figure, source, report)
    report.stop_on_errors()
    lattice = find_lattice("cubic")
    copies = copies_of(letters, lattice, report)
    report.stop_on_errors()
    pieces = []
    for name in "VLTZABPDIQS":
        if name in copies:
            shape = _shape(name)
            turns, number = lattice.turns(lattice.freedom), copies[name]
            pieces.append(Piece(name, shape, (None,) * len(shape), turns, low=number, high=number, span=figure.span))
    locations = tuple(
        Location(cell, span=span) for cell, (_, span) in sorted(letters.items(), key=lambda entry: entry[0][::-1])
    )
    return Puzzle(figure.title or PurePath(source.name).stem, lattice, locations, tuple(pieces), span=figure.span)


def _warn_of_prose(figures: list[SomaFigure], source: Source, report: Report) -> None:
    """Warn once about lines that are not figures, comments (``;``) or further solutions (``|``)."""
    rows = {at for figure in figures for _, at in figure.rows}
    prose = [
        (start, line)
        for start, line in ((at + len(line) - len(line.lstrip()), line.strip()) for at, line in lines(source.text))
        if line and start not in rows and line[0] not in ";|<" and not _HEADER.fullmatch(line)
    ]
    if prose:
        start, line = prose[0]
        span = source.span(start, start + len(line))
        report.add("PZ230", f"ignoring {_counted(len(prose), 'line')} outside the figures", span)


def _chosen(source: Source, report: Report, given: Given) -> SomaFigure:
    choices = figures(source)
    if not choices:
        raise fail("PZ309", "missing figure", source.end, note="a row begins with `/`")
    _warn_of_prose(choices, source, report)
    spans = [figure.span for figure in choices if figure.span]
    names = [figure.number or figure.name for figure in choices]
    sizes = [sum(sign in SIGNS for row, _ in figure.rows for sign in row) for figure in choices]
    remarks = [_counted(size, "cell") for size in sizes]
    also = [figure.name for figure in choices]
    return choices[chosen_problem(given.problem, names, spans, report, "figures", remarks, also)]


def signs_of(figure: SomaFigure, source: Source, report: Report) -> dict[Cell, tuple[str, Span]]:
    """Return the sign on each cell of a figure and its position: x to the right, y to the front, z downwards."""
    first, at = figure.rows[0]
    layers = first[1:].split("/")
    width = len(layers[0])
    signs: dict[Cell, tuple[str, Span]] = {}
    unknown: set[str] = set()
    for y, (row, start) in enumerate(figure.rows):
        parts = row[1:].split("/")
        if len(parts) != len(layers):
            report.add(
                "PZ296",
                f"this row has {_counted(len(parts), 'layer')}, the first row has {len(layers)}",
                source.span(start, start + len(row)),
                others=[(source.span(at, at + len(first)), "the first row")],
            )
            continue
        start += 1
        for z, part in enumerate(parts):
            if len(part) != width:
                report.add(
                    "PZ296",
                    f"this row of a layer has {_counted(len(part), 'cell')}, the first row has {width}",
                    source.span(start, start + max(len(part), 1)),
                    help="write `.` for an empty cell",
                )
            for x, sign in enumerate(part):
                if sign in SIGNS:
                    signs[x, y, z] = (sign, source.span(start + x))
                elif sign not in ".-" and sign not in unknown:  # each is reported once
                    unknown.add(sign)
                    _unknown(sign, source.span(start + x), report)
            start += len(part) + 1
        if len(signs) > MAX_REGION_CELLS:
            raise fail("PZ321", "the figure is too large (limit 1,000,000 cells)", source.span(at, at + len(first)))
    if not signs and not report.errors:
        raise fail("PZ308", "missing cells of this figure", figure.span)
    return signs


def copies_of(letters: dict[Cell, tuple[str, Span]], lattice: Lattice, report: Report) -> dict[str, int]:
    """Return the copies of each piece in a figure, by the signs on its cells; report cells that are not the piece."""
    copies: dict[str, int] = {}
    for sign, cells in _by_sign(letters).items():
        copies[SIGNS[sign]] = copies.get(SIGNS[sign], 0) + _copies(sign, cells, letters, lattice, report)
    return copies


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _unknown(sign: str, span: Span, report: Report) -> None:
    capital = sign.upper() in SIGNS
    report.add(
        "PZ296",
        "unexpected space in a row of a figure" if sign.isspace() else f"unknown sign `{sign}`",
        span,
        note="signs are V L T Z A B P or 1 2 3 4 5 6 7, and D I Q S or 0 8 9 $",
        help=f"write `{sign.upper()}`" if capital else "write `.` for an empty cell" if sign in " _o" else (),
    )


def _by_sign(letters: dict[Cell, tuple[str, Span]]) -> dict[str, list[Cell]]:
    cells: dict[str, list[Cell]] = {}
    for cell, (sign, _) in letters.items():
        cells.setdefault(sign, []).append(cell)
    return cells


def _shape(name: str) -> tuple[Cell, ...]:
    return PLUS[name] if name in PLUS else find_library("soma").shapes[name].cells


def _copies(
    sign: str, cells: list[Cell], letters: dict[Cell, tuple[str, Span]], lattice: Lattice, report: Report
) -> int:
    """Return the copies of the piece of a sign, from the number of its cells; warn if the cells are not that piece.

    If every connected part of the cells has the size of the piece, each part must be the piece.
    """
    shape = _shape(SIGNS[sign])
    count, rest = divmod(len(cells), len(shape))
    if rest:
        report.add(
            "PZ296",
            f"the sign `{sign}` is on {_counted(len(cells), 'cell')}",
            letters[cells[0]][1],
            note=f"piece {SIGNS[sign]} has {len(shape)} cells",
            help="write `.` for an empty cell" if sign == "0" else (),
        )
        return 1
    orientations = {at_origin([turned(turn, cell) for cell in shape]) for turn in lattice.turns(lattice.freedom)}
    for part in connected_parts(cells, lattice):
        if len(part) % len(shape) or (len(part) == len(shape) and at_origin(part) not in orientations):
            report.add("PZ297", f"the cells of the sign `{sign}` are not the piece {SIGNS[sign]}", letters[part[0]][1])
            break
    return count


#: The layers of a row, which have the same length. Paths of files are of several lengths.
_LAYERS = "|".join(rf"[.\w$-]{{{length}}}(?:/[.\w$-]{{{length}}})+" for length in range(1, 13))

FORMAT = Format(
    "soma",
    (".soma",),
    "figures in Thorleif Bundgaard's Soma notation",
    read=read_soma,
    recognise=(Sign(90, rf"(?:.*+\n){{0,2000}}?[ \t]*+(?:/SOMA\s?\d|/(?:{_LAYERS})[ \t]*(?:;|$))"),),
    aliases=("somasite", "bundgaard"),
    place=150,
    traits=("problems",),
)
