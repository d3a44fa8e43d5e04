"""Drawings: their marks with the values of expressions in them, and warnings about unconnected ones."""

from __future__ import annotations

import re
from collections.abc import Collection

import lark

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import STAND_INS, DrawingError, DrawingMark, marks, rule_of
from puzzlec.geometry.drawing.triangle import RULE, one_column_on
from puzzlec.geometry.lattice import connected_parts
from puzzlec.geometry.regions import MAX_REGION_CELLS
from puzzlec.language.drawing_errors import refuse_drawing, warn_of_uneven_rows
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.declarations import refuse_value
from puzzlec.language.expressions import Node, Tree, UnreadableValueError


def marks_of(context: Context, token: Node) -> list[DrawingMark]:
    """Return the marks of a drawing; report an unreadable one."""
    assert isinstance(token, lark.Token)
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "missing lattice for a drawing",
            context.span(token),
            help=("remove `lattice none`", "or name the locations"),
        )
        return []
    base = context.span(token).start + 1
    text, places, values = _interpolated(context, str(token)[1:-1], base)
    if len(token) > MAX_REGION_CELLS and len(re.sub(r"[\s./]", "", str(token))) > MAX_REGION_CELLS:
        context.report.add("PZ321", "drawing is too large (limit 1,000,000 cells)", context.source.span(base - 1))
        return []
    try:
        drawn = marks(text, context.lattice)
        if (rule := rule_of(context.lattice)) and not rule.spaced:
            warn_of_uneven_rows(context.report, context.source, text, base, places)
        if not places:
            return drawn
        return [mark._replace(sign=values.get(mark.sign, mark.sign), offset=places[mark.offset]) for mark in drawn]
    except DrawingError as error:
        start, end = (places[error.start], places[error.end]) if places else (error.start, error.end)
        written = str.maketrans({sign: f"{{{value}}}" for sign, value in values.items() if len(value) > 1})
        helps = error.help if isinstance(error.help, tuple) else (error.help,)
        error.help = tuple([help.translate(written) for help in helps if help])
        wrong = context.source.span(base + start, base + end)
        others = context.deciding if error.code in ("PZ315", "PZ320") else ()
        refuse_drawing(context.report, context.source, error, token, wrong, others)
        return []


def _interpolated(context: Context, text: str, base: int) -> tuple[str, list[int], dict[str, str]]:
    """Return a drawing with a character for each `{expression}`, and the position of each character.

    The positions are empty if the drawing is unchanged. The character is the colour that the value names, or stands for
    it: the last result has the colours of such characters.
    """
    if "{" not in text:
        return text, [], {}
    signs: list[str] = []
    places: list[int] = []
    values: dict[str, str] = {}
    at = 0
    for match in re.finditer(r"#[^\n]*|\{[^{}]*\}", text):
        if match.group()[0] == "#":
            continue
        signs.extend(text[at : match.start()])
        places.extend(range(at, match.start()))
        value = str(context.expressions.number_in(match.group(), base + match.start(), context.scope))
        if value not in context.colours.declared:
            if "colours" not in context.unread:
                refuse_value(context, value, context.source.span(base + match.start(), base + match.end()))
            raise UnreadableValueError
        sign = value if len(value) == 1 else chr(STAND_INS + int(value))
        values[sign] = value
        signs.append(sign)
        places.append(match.start())
        at = match.end()
    signs.extend(text[at:])
    places.extend(range(at, len(text) + 1))
    return "".join(signs), places, values


def warn_of_corners(context: Context, drawing: lark.Token, cells: Collection[Cell]) -> None:
    """Warn of a drawing that has fewer parts when it is moved by one column."""
    if context.lattice is None or context.lattice.drawing != "triangle" or not RULE.suits(context.lattice):
        return
    parts = len(connected_parts(cells, context.lattice))
    if parts > 1 and len(connected_parts(map(one_column_on, cells), context.lattice)) < parts:
        context.report.add(
            "PZ353",
            f"drawing has {parts} parts that meet only at corners or not at all",
            context.span(drawing),
            note="a triangle points up if its row plus its column is even, counted from 0",
            help="write `.` at the beginning of each row if the drawing is shifted by one column",
        )


def only_drawing(region: Tree) -> lark.Token | None:
    """Return the drawing of a region that is only a drawing, moved or not; None for another region."""
    part: Node = region
    while isinstance(part, lark.Tree):
        if part.data == "region" and len(part.children) != 1:
            return None
        if part.data not in ("region", "drawing", "shifted", "group"):
            return None
        part = part.children[0]
    return part
