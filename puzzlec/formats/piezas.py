"""PIEZAS XML: flat pieces as strings of 0 and 1 with their width and height."""

from __future__ import annotations

import re
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.xml_positions import Element, read_xml
from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Piece, Puzzle
from puzzlec.language.read_options import Given


def read_piezas(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of a PIEZAS text on a board given apart; the format holds no board.

    Raises PuzzleError for text that is not well-formed, XML that defines entities, and pieces whose
    attributes (Nombre, Ancho, Alto, Contenido) are missing or do not fit together.
    """
    root = read_xml(source)
    if root.tag != "PIEZAS":
        raise fail("PZ233", f"the root element is `{root.tag}`, not `PIEZAS`", root.span)
    pieces: dict[str, Piece] = {}
    for number, element in enumerate(root):
        if element.tag != "PIEZA":
            report.add("PZ233", f"the element `{element.tag}` is not known here", element.span)
            continue
        piece = _piece(element, number, report)
        if piece is None:
            continue
        if piece.name in pieces:
            report.add(
                "PZ301",
                f"piece `{piece.name}` is defined twice",
                element.span,
                "second definition",
                others=[(pieces[piece.name].span, "first defined here")],
            )
        pieces[piece.name] = piece
    if not pieces and not report.errors:
        raise fail("PZ309", "this text has no pieces", source.end)
    report.stop_on_errors()
    return Puzzle(PurePath(source.name).stem, find_lattice("square"), given.board, tuple(pieces.values()))


def _piece(element: Element, number: int, report: Report) -> Piece | None:
    missing = [key for key in ("Ancho", "Alto", "Contenido") if key not in element.attributes]
    if missing:
        report.add("PZ233", f"this piece has no attribute `{missing[0]}`", element.span)
        return None
    sizes = []
    for key in ("Ancho", "Alto"):
        size = element.attributes[key]
        if not re.fullmatch("[0-9]{1,4}", size, re.ASCII):
            what = "width" if key == "Ancho" else "height"
            report.add("PZ233", f"the {what} `{size[:20]}` is no number of four digits at most", element.span_of(key))
            return None
        sizes.append(int(size))
    width, height = sizes
    content, where = element.attributes["Contenido"].strip(), element.span_of("Contenido")
    if re.search("[^01]", content):
        report.add("PZ233", "the content is not written in 0 and 1", where)
        return None
    if len(content) != width * height:
        report.add(
            "PZ233",
            "the content does not fill the piece",
            where,
            note=f"{width} x {height} are {width * height} cells, the content has {len(content)}",
        )
        return None
    cells: list[Cell] = [divmod(at, width)[::-1] for at, sign in enumerate(content) if sign == "1"]
    if not cells:
        report.add("PZ314", "this piece has no cell", where)
        return None
    lattice = find_lattice("square")
    name = element.attributes.get("Nombre", "").strip() or str(number)
    return Piece(name, tuple(cells), (None,) * len(cells), lattice.turns(lattice.freedom), span=element.span)
