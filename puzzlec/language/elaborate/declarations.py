"""Declarations: the title, the lattice, parameters, colours, and options of the whole board.

Other modules ask here whether a colour is declared. An undeclared one is reported once.
"""

from __future__ import annotations

import re

import lark

from puzzlec.diagnostics import PuzzleError, Span
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.drawing.rule import SEPARATORS, SEPARATORS_HELP
from puzzlec.language.elaborate.context import RESERVED, Context, bounds_of
from puzzlec.language.expressions import Node, Tree, variable
from puzzlec.language.lattice_file import is_lattice_file, lattice_beside, other_lattice
from puzzlec.language.parsing import strange_signs


def title(context: Context, statement: Tree) -> None:
    """Set the title."""
    context.title = context.name(statement.children[0])


def lattice(context: Context, statement: Tree) -> None:
    """Set the lattice, by its name or from a file."""
    name = context.name(statement.children[0])
    if name == "none":
        return
    if is_lattice_file(name):
        _lattice_of_file(context, name, context.span(statement.children[0]))
        return
    if name not in lattice_names():
        context.unread.add("lattice")
        names = (*lattice_names(), "none")
        context.report.add(
            "PZ302",
            f"unknown lattice `{name}`",
            context.span(statement.children[0]),
            note=f'lattices are {", ".join(names)}; a custom lattice is a file: `lattice "my.yaml"`',
            help=other_lattice(name, names),
        )
        context.report.stop_on_errors()
    context.lattice = find_lattice(name)


def _lattice_of_file(context: Context, name: str, span: Span) -> None:
    """Set the lattice from a file; its errors join those of the text."""
    try:
        context.lattice = lattice_beside(name, context.source, span)
    except PuzzleError as error:
        context.unread.add("lattice")
        for diagnostic in error.diagnostics:
            context.report.append(diagnostic)
        raise context.report.error() from None


def param(context: Context, statement: Tree) -> None:
    """Set a parameter to its given value, or to the value in the statement."""
    token, value = statement.children
    name = variable(str(token))
    if name in context.parameters.values:
        context.report.add("PZ330", f"duplicate variable `{token}`", context.span(token))
        return
    given = context.parameters.given.get(str(token))
    context.expressions.parameters.pop(name, None)
    context.parameters.values[name] = context.number(value) if given is None else given
    if given is not None and str(context.span(value).text) != str(given):
        context.parameters.changed = True


def colours(context: Context, statement: Tree) -> None:
    """Declare colours."""
    for token in statement.children:
        sign = str(token)
        if (len(sign) != 1 or sign in RESERVED) and not re.fullmatch("[1-9][0-9]{1,2}", sign, re.ASCII):
            context.report.add(
                "PZ322",
                f"invalid colour `{sign[:40]}`",
                context.span(token),
                note=f"a colour is one character except {' '.join(RESERVED)}, or a number up to 999",
                help=_colour_help(sign),
            )
            context.colours.unknown.add(sign[0])  # drawings that use the suggested character are right
        elif sign in context.colours.declared:
            context.report.add(
                "PZ307",
                f"duplicate colour `{sign}`",
                context.span(token),
                "second time",
                others=[(context.colours.declared[sign], "first time")],
            )
        else:
            context.colours.declared[sign] = context.span(token)


def _colour_help(sign: str) -> str | tuple[str, ...]:
    """Return the suggestion for an invalid colour: a range or a word."""
    match = re.fullmatch(r"([0-9])\.\.([0-9])", sign)
    if match and match.group(1) < match.group(2):
        return "write all of them: " + " ".join(map(str, range(int(match.group(1)), int(match.group(2)) + 1)))
    return f"write one character for each colour, such as `{sign[0]}`" if sign[0].isalnum() and len(sign) > 1 else ()


def allow(context: Context, statement: Tree) -> None:
    """Let cells of a colour lie on locations of other colours."""
    cell, *places = [colour_of(context, token) for token in statement.children]
    if cell is not None:
        context.colours.allowed.update((cell, place) for place in places if place is not None)


def frame(context: Context, statement: Tree) -> None:
    """Set the colours that sides on the border may show."""
    signs = [colour_of(context, token) for token in statement.children]
    context.colours.frame = tuple(sign for sign in signs if sign is not None)


def match(context: Context, statement: Tree) -> None:
    """Let two colours of sides meet each other."""
    one, two = [colour_of(context, token) for token in statement.children]
    if one is None or two is None:
        return
    span = context.span(statement)
    for sign, mate in ((one, two), (two, one)):
        before, other = context.colours.mates.setdefault(sign, (mate, span))
        if before != mate:
            context.report.add(
                "PZ334", f"colour `{sign}` is matched with two others", span, f"with `{mate}` here",
                others=[(other, f"with `{before}` here")],
            )  # fmt: skip


def crossing(context: Context, statement: Tree) -> None:
    """Let pieces cross each other."""
    context.board.crossing = True
    if context.lattice is None or not context.lattice.crossings:
        context.report.add(
            "PZ320",
            "pieces cannot cross on this lattice",
            context.span(statement),
            help="remove `crossing`",
        )


def empty(context: Context, statement: Tree) -> None:
    """Set the number of optional locations that stay empty."""
    (range_tree,) = statement.children
    assert isinstance(range_tree, lark.Tree)
    low, high = context.range_in(range_tree)
    context.board.empty = bounds_of(context, low, high, context.span(range_tree))


def colour_of(context: Context, token: Node) -> str | None:
    """Return the colour that a token means; report an undeclared one and return None."""
    sign, span = context.sign(token), context.span(token)
    if str(token)[0] == "{" and sign not in context.colours.declared and "colours" not in context.unread:
        refuse_value(context, sign, span)
        return None
    if sign not in context.colours.declared and len(sign) > 1 and set(sign) <= context.colours.declared.keys():
        context.report.add(
            "PZ322", f"invalid colour `{sign[:40]}`", span, note="a colour is one character or a number up to 999",
            help=f"write spaces between: `{' '.join(sign[:20])}`",
        )  # fmt: skip
        return None
    return sign if is_declared(context, sign, span, drawn=False) else None


def is_declared(context: Context, sign: str, span: Span, drawn: bool = True) -> bool:
    """Return whether a colour is declared; report the first use of an undeclared one.

    ``drawn`` says whether it is in a drawing, where it may be meant as a plain cell.
    """
    if sign not in context.colours.declared and sign not in context.colours.unknown and "colours" not in context.unread:
        context.colours.unknown.add(sign)
        declared = ", ".join(f"`{sign}`" for sign in context.colours.declared)
        context.report.add(
            "PZ303",
            f"undeclared colour `{sign[:40]}`",
            span,
            note=strange_signs(sign) or (f"declared colours: {declared}" if declared else ()),
            help=_declaring(context, sign, drawn),
        )
    return sign in context.colours.declared


def _declaring(context: Context, sign: str, drawn: bool = True) -> tuple[str, ...]:
    """Return suggestions for an undeclared colour: it may be meant as a plain cell, or as a colour."""
    plain = (
        ("write `x` for a plain cell, `.` for an empty place",)
        if drawn and sign in "X*@o+1-_" and not context.colours.declared
        else ()
    )
    if drawn and sign in SEPARATORS:
        plain = (SEPARATORS_HELP,)
    declare = f"declare it: `colours {' '.join((*context.colours.declared, sign))}`"
    if sign in RESERVED:
        return (f"choose another character: `{sign}` is reserved in drawings",)
    return (*plain, *([("or " if plain else "") + declare] if len(sign) == 1 else []))


def refuse_value(context: Context, value: str, span: Span) -> None:
    """Report a value that does not name a colour."""
    declared = ", ".join(f"`{sign}`" for sign in context.colours.declared)
    context.report.add(
        "PZ333",
        f"value {value} is not a colour",
        span,
        note=(f"declared colours: {declared}" if declared else "declared colours: none")
        + ("; a value can only name a colour that is a number" if not value.isdecimal() else ""),
    )
