"""Costs of pieces, colours and empty locations."""

from __future__ import annotations

import lark

from puzzlec.ir import Cost, Payer
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.colours import colour_of
from puzzlec.language.elaborate.context import Context, others_text
from puzzlec.language.elaborate.regions import plain, region_of
from puzzlec.language.elaborate.rules import is_piece
from puzzlec.language.expressions import Node, Tree


def cost(context: Context, statement: Tree) -> None:
    """Add a cost."""
    *parts, value = statement.children
    payer, name, known, rest = _payer(context, parts)
    where, region = "", tuple[Address, ...]()
    if rest:
        where, region = str(rest[0]), _region(context, str(rest[0]), rest[1])
        if payer is not Payer.PIECE and where != "on":
            context.report.add(
                "PZ101",
                f"expected `on`, found `{where}`",
                context.span(rest[0]),
                note="only pieces lie `in` a region or `off` it",
            )
            return
    number = context.number(value)
    if known:
        context.rules.costs.append(Cost(number, payer, name, where, region, context.span(statement)))


def _payer(context: Context, parts: list[Node]) -> tuple[Payer, str, bool, list[Node]]:
    """Return what pays, its name, whether it is known, and the other nodes."""
    if not parts or (isinstance(parts[0], lark.Token) and parts[0].type in ("IN", "OFF", "ON")):
        return Payer.PIECE, "", True, parts
    first = parts[0]
    if isinstance(first, lark.Tree) and first.data == "vacant":
        return Payer.EMPTY, "", True, parts[1:]
    if isinstance(first, lark.Tree):
        colour = colour_of(context, first.children[0])
        return Payer.COLOUR, colour or "", colour is not None, parts[1:]
    name, span, rest = context.headed(parts)
    return Payer.PIECE, name, is_piece(context, name, span), rest


def _region(context: Context, where: str, node: Node) -> tuple[Address, ...]:
    """Return the locations of a region; with `on`, report cells outside the board."""
    assert isinstance(node, lark.Tree)
    region = plain(context, region_of(context, node))
    unknown = [at for at in region.cells if at not in context.board.locations]
    if where == "on" and unknown and not context.broken:
        message = f"unknown location {address_text(unknown[0])}{others_text(unknown[1:])}"
        context.report.add("PZ311", message, region.span_of(unknown[0], context, node))
    return tuple(region.cells)
