"""Declarations: the title, the lattice, parameters, and options of the whole board."""

from __future__ import annotations

from puzzlec.diagnostics import PuzzleError, Span
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.language.elaborate.context import Context, bounds_of
from puzzlec.language.expressions import Tree, variable
from puzzlec.language.lattice_file import is_lattice_file, lattice_beside, other_lattice


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
        context.lost.add("lattice")
        known = (*lattice_names(), "none")
        context.report.add(
            "PZ302",
            f"unknown lattice `{name}`",
            context.span(statement.children[0]),
            note=f'lattices are {", ".join(known)}; a custom lattice is a file: `lattice "my.yaml"`',
            help=other_lattice(name, known),
        )
        context.report.stop_on_errors()
    context.lattice = find_lattice(name)


def _lattice_of_file(context: Context, name: str, span: Span) -> None:
    """Set the lattice from a file; its errors join those of the text."""
    try:
        context.lattice = lattice_beside(name, context.source, span)
    except PuzzleError as error:
        context.lost.add("lattice")
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


def crossing(context: Context, statement: Tree) -> None:
    """Let pieces cross each other."""
    context.board.crossing = True
    if context.lattice is None or not context.lattice.crossings:
        context.report.add(
            "PZ320",
            "pieces cannot cross on this lattice",
            context.span(statement),
            help="remove `crossing allowed`",
        )


def empty(context: Context, statement: Tree) -> None:
    """Set the number of optional locations that stay empty."""
    low, *high = context.numbers_in(statement.children[0])
    context.board.empty = bounds_of(context, low, high[0] if high else low, context.span(statement.children[0]))
