"""PIEZAS XML: flat pieces as strings of 0 and 1 with their width and height."""

from __future__ import annotations

import re
from pathlib import PurePath
from xml.etree.ElementTree import Element, ParseError

from puzzlec.diagnostics import PuzzleError, Report, Source, Span
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Location, Piece, Puzzle


def read_piezas(source: Source, report: Report, board: tuple[Location, ...]) -> Puzzle:
    """Return the puzzle with the pieces of a PIEZAS text on a board given apart; the format holds no board.

    Raises PuzzleError for text that is not well-formed, XML that defines entities, and pieces whose
    attributes (Nombre, Ancho, Alto, Contenido) are missing or do not fit together.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(source.text, forbid_dtd=True)
    except DefusedXmlException:
        at = max(source.text.find("<!"), 0)
        raise fail(
            "PZ232", "XML that defines a document type or entities is refused", source.span(at, at + 2)
        ) from None
    except ParseError as error:
        raise _broken(error, source) from None
    except ValueError as error:
        raise fail("PZ231", f"this is not well-formed XML: {error}", source.span(0)) from None
    if root.tag != "PIEZAS":
        raise fail("PZ233", f"the root element is `{root.tag}`, not `PIEZAS`", _places(source, root.tag)[0])
    places = _places(source, "PIEZA")
    elements = list(root)
    pieces: dict[str, Piece] = {}
    for number, element in enumerate(elements):
        span = places[number] if len(places) == len(elements) else source.span(0)
        if element.tag != "PIEZA":
            report.add("PZ233", f"the element `{element.tag}` is not known here", _places(source, element.tag)[0])
            continue
        piece = _piece(element, number, span, report)
        if piece is None:
            continue
        if piece.name in pieces:
            report.add(
                "PZ301",
                f"piece `{piece.name}` is defined twice",
                span,
                "second definition",
                others=[(pieces[piece.name].span, "first defined here")],
            )
        pieces[piece.name] = piece
    if not pieces and not report.errors:
        raise fail("PZ309", "this text has no pieces", source.end)
    report.stop_on_errors()
    return Puzzle(PurePath(source.name).stem, find_lattice("square"), board, tuple(pieces.values()))


def _piece(element: Element, number: int, span: Span, report: Report) -> Piece | None:
    missing = [key for key in ("Ancho", "Alto", "Contenido") if key not in element.attrib]
    if missing:
        report.add("PZ233", f"this piece has no attribute `{missing[0]}`", span)
        return None
    width, height, content = element.attrib["Ancho"], element.attrib["Alto"], element.attrib["Contenido"].strip()
    if not re.fullmatch("[0-9]{1,4}", width, re.ASCII) or not re.fullmatch("[0-9]{1,4}", height, re.ASCII):
        report.add("PZ233", f"width `{width[:20]}` and height `{height[:20]}` are not both numbers", span)
        return None
    if re.search("[^01]", content):
        report.add("PZ233", "the content is not written in 0 and 1", span)
        return None
    if len(content) != int(width) * int(height):
        report.add(
            "PZ233",
            "the content does not fill the piece",
            span,
            note=f"{width} x {height} are {int(width) * int(height)} cells, the content has {len(content)}",
        )
        return None
    cells: list[Cell] = [divmod(at, int(width))[::-1] for at, sign in enumerate(content) if sign == "1"]
    if not cells:
        report.add("PZ314", "this piece has no cell", span)
        return None
    lattice = find_lattice("square")
    name = element.attrib.get("Nombre", "").strip() or str(number)
    return Piece(name, tuple(cells), (None,) * len(cells), lattice.turns(lattice.freedom), span=span)


def _places(source: Source, tag: str) -> list[Span]:
    """Return where the elements of this tag begin, or the start of the text."""
    found = [source.span(each.start(), each.end()) for each in re.finditer(rf"<{re.escape(tag)}\b", source.text)]
    return found or [source.span(0)]


def _broken(error: ParseError, source: Source) -> PuzzleError:
    line, column = error.position
    lines = source.text.split("\n")
    offset = min(sum(len(each) + 1 for each in lines[: line - 1]) + column, len(source.text))
    reason = str(error).split(":")[0]
    return fail("PZ231", f"this is not well-formed XML: {reason}", source.span(offset))
