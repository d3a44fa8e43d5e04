"""PIEZAS XML: flat pieces as strings of 0 and 1 with their width and height."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.kind import MARKUP
from puzzlec.formats.plain import box_sizes, by_rows, plain_report, refuse_other_turns, refuse_second
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.formats.xml_positions import XmlElement, read_xml
from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Piece, Puzzle
from puzzlec.language.given import Given


def read_piezas(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of a PIEZAS text on a separate board: the format has no board.

    Raises PuzzleError for text that is not well-formed, for XML that defines entities, and for pieces whose
    attributes (Nombre, Ancho, Alto, Contenido) are missing or contradict one another.
    """
    root = read_xml(source)
    if root.tag != "PIEZAS":
        help = "add `--from xmpuzzle`, the format of BurrTools" if root.tag == "puzzle" else ()
        raise fail("PZ233", f"expected the root element `PIEZAS`, found `{root.tag}`", root.span, help=help)
    pieces: dict[str, Piece] = {}
    for number, element in enumerate(root):
        if element.tag != "PIEZA":
            report.add("PZ233", f"unknown element `{element.tag}`", element.span)
            continue
        piece = _piece(element, number, report)
        if piece is None:
            continue
        if piece.name in pieces:
            refuse_second(piece.name, element.span, pieces[piece.name].span, report)
        pieces[piece.name] = piece
    if not pieces and not report.errors:
        raise fail("PZ309", "missing pieces", source.end)
    report.stop_on_errors()
    return Puzzle(PurePath(source.name).stem, find_lattice("square"), given.board, tuple(pieces.values()))


def _piece(element: XmlElement, number: int, report: Report) -> Piece | None:
    missing = [key for key in ("Ancho", "Alto", "Contenido") if key not in element.attributes]
    if missing:
        report.add("PZ233", f"missing attribute `{missing[0]}` of this piece", element.span)
        return None
    sizes = []
    for key in ("Ancho", "Alto"):
        size = element.attributes[key]
        if not re.fullmatch("[0-9]{1,4}", size, re.ASCII):
            what = "width" if key == "Ancho" else "height"
            report.add("PZ233", f"the {what} must have at most four digits, found `{size[:20]}`", element.span_of(key))
            return None
        sizes.append(int(size))
    width, height = sizes
    content, where = element.attributes["Contenido"].strip(), element.span_of("Contenido")
    if re.search("[^01]", content):
        report.add("PZ233", "expected only 0 and 1 in the content", where)
        return None
    if len(content) != width * height:
        report.add(
            "PZ233",
            "the content does not fill the piece",
            where,
            note=f"expected {width * height} cells for {width} x {height}, found {len(content)}",
        )
        return None
    cells: list[Cell] = [divmod(at, width)[::-1] for at, sign in enumerate(content) if sign == "1"]
    if not cells:
        report.add("PZ314", "missing cells of this piece", where)
        return None
    lattice = find_lattice("square")
    name = element.attributes.get("Nombre", "").strip() or str(number)
    return Piece(name, tuple(cells), (None,) * len(cells), lattice.turns(lattice.freedom), span=element.span)


def write_piezas(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the pieces of a puzzle as XML. The board must be a full box, and a comment gives its size.

    Raises PuzzleError (PZ501) for everything that the format does not support, and for names that XML cannot contain.
    """
    lattice, report = plain_report(puzzle, "PIEZAS XML", ("square",))
    refuse_other_turns(puzzle, lattice, report)
    sizes = box_sizes(puzzle, report)
    for piece in puzzle.pieces:
        if piece.name != piece.name.strip() or not piece.name.isprintable() or not piece.name:
            report.part(f"the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        if piece.covers is None and max(map(max, by_rows(piece.cells))) > 999:
            report.add("PZ501", f"piece `{piece.name}` is too large for {report.words}", piece.span)
    report.stop_on_errors()
    return _text(puzzle, sizes)


def _text(puzzle: Puzzle, sizes: str) -> Iterator[str]:
    yield f"<!-- The board is {sizes}. -->\n<PIEZAS>\n"
    for piece in puzzle.pieces:
        yield _element(piece)
    yield "</PIEZAS>\n"


def _element(piece: Piece) -> str:
    from xml.sax.saxutils import quoteattr  # it would import an HTTP client

    cells = by_rows(piece.cells)
    width, height = (max(axis) + 1 for axis in zip(*cells, strict=True))
    content = "".join("1" if (x, y) in cells else "0" for y in range(height) for x in range(width))
    name = quoteattr(piece.name, {'"': "&quot;"})
    return f'  <PIEZA Nombre={name} Ancho="{width}" Alto="{height}" Contenido="{content}"/>\n'


FORMAT = Format(
    "piezas",
    (".xml",),
    "PIEZAS XML: pieces only",
    read=read_piezas,
    write=write_piezas,
    recognise=(Sign(60, rf"{MARKUP}<(?i:PIEZAS)\b"),),
    aliases=("xml",),
    place=50,
    traits=("pieces only",),
)
