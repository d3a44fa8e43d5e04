"""Regions with a letter, and rules about the values that pieces show on a region."""

from __future__ import annotations

import re

import lark

from puzzlec.diagnostics import suggestion
from puzzlec.ir import ANY, Condition, RegionRule
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.context import PLAIN, RESERVED, Context, others_text
from puzzlec.language.elaborate.regions import region_of
from puzzlec.language.expressions import Node, Tree


def regions(context: Context, statement: Tree) -> None:
    """Declare the letters of regions."""
    for token in statement.children:
        sign = str(token)
        others = [context.colours.declared[sign]] if sign in context.colours.declared else []
        others += [context.regions.places[sign]] if sign in context.regions.places else []
        if not re.fullmatch(r"[^\W\d_]", sign) or sign in RESERVED:
            context.report.add(
                "PZ361",
                f"invalid region `{sign[:40]}`",
                context.span(token),
                note="a region is one letter except `x`",
                help="write spaces between the regions: " + " ".join(filter(str.isalpha, sign[:20]))
                if len(sign) > 1 and sign.replace(",", "").isalpha()
                else (),
            )
        elif others:
            context.report.add(
                "PZ361",
                f"duplicate region `{sign}`",
                context.span(token),
                "second time",
                others=[(others[0], "first time")],
                help="choose another letter for the region",
            )
        else:
            context.regions.places[sign] = context.span(token)
            context.regions.cells[sign] = []


def rule(context: Context, statement: Tree) -> None:
    """Add a rule about the values that pieces show on a region."""
    where, demand = statement.children
    assert isinstance(demand, lark.Tree)
    cells = _lettered(context, where) if isinstance(where, lark.Token) else _described(context, where)
    bounds = _sum_bounds(context, demand) if demand.data == "summed" else (0, ANY)
    if not cells or bounds is None:
        return
    kind = Condition.SUM if demand.data == "summed" else Condition(str(demand.children[0]))
    name = context.name(where) if isinstance(where, lark.Token) else ""
    context.rules.regions.append(RegionRule(kind, tuple(cells), *bounds, name, context.span(statement)))


def _lettered(context: Context, token: lark.Token) -> list[Address]:
    """Return the locations of a region with a letter; report an unknown one."""
    name = context.name(token)
    if name not in context.regions.places:
        if "regions" not in context.lost:
            known = ", ".join(f"`{letter}`" for letter in context.regions.places)
            context.report.add(
                "PZ362",
                f"unknown region `{name}`",
                context.span(token),
                note=f"declared regions: {known}" if known else "declared regions: none",
                help=suggestion(name, context.regions.places)
                or (f"declare it: `regions {' '.join((*context.regions.places, name))}`" if len(name) == 1 else ()),
            )
        return []
    if not context.regions.cells[name] and not context.broken:
        context.report.add(
            "PZ363",
            f"region `{name}` has no location",
            context.span(token),
            others=[(context.regions.places[name], "declared here")],
            help=f"write `{name}` in the drawing of `locations`",
        )
    return context.regions.cells[name]


def _described(context: Context, where: Node) -> list[Address]:
    """Return the locations of a region in a rule; report an empty one, and cells outside the board."""
    assert isinstance(where, lark.Tree)
    before = context.report.errors
    region = region_of(context, where)
    for at, mark in region.marks.items():
        if mark.sign != PLAIN and at in region.cells:
            span = context.source.span(mark.offset)
            context.report.add("PZ315", "unexpected character in a region: expected `x` or `.`", span)
    if context.broken or context.report.errors > before:
        return []
    unknown = [at for at in region.cells if at not in context.board.locations]
    if unknown:
        message = f"unknown location {address_text(unknown[0])}{others_text(unknown[1:])}"
        context.report.add("PZ311", message, context.span(where))
    elif not region.cells:
        context.report.add("PZ363", "region of the rule has no location", context.span(where))
    return list(region.cells)


def _sum_bounds(context: Context, demand: Tree) -> tuple[int, int] | None:
    """Return the bounds of a sum; None if no numbers have such a sum."""
    relation, value = demand.children
    assert isinstance(value, lark.Tree)
    number = context.number(value)
    low, high = {
        "=": (number, number),
        "<": (0, number - 1),
        "<=": (0, number),
        ">": (number + 1, ANY),
        ">=": (number, ANY),
    }[str(relation)]
    if high < 0 or low >= ANY:
        context.report.add(
            "PZ364",
            "sum is too small" if high < 0 else "sum is too large",
            context.span(demand),
            note="numbers of cells are 0 to 9",
        )
        return None
    return max(low, 0), high
