"""Numbers of a text that is being typed: values of parameters, sizes of regions, indices; silent about all faults."""

from __future__ import annotations

from contextlib import suppress

import lark

from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.ir import Puzzle
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.locations import named_locations
from puzzlec.language.elaborate.regions import region_of, term_of
from puzzlec.language.expressions import Tree, UnreadableError, variable
from puzzlec.services.lsp.syntax import Kind, Name, Syntax


class Reckoner:
    """Reckons what depends on parameters alone; what a variable of a `for` is needed for has no single value."""

    def __init__(self, syntax: Syntax, puzzle: Puzzle | None) -> None:
        self._syntax = syntax
        self._lattice = puzzle.lattice if puzzle is not None else _lattice_named(syntax)
        self._values: dict[str, int] = {}
        for each in syntax.statements():
            if each.data == "param":
                token, value = each.children
                with suppress(UnreadableError, PuzzleError):
                    self._values[variable(str(token))] = self._context().number(value)

    def _context(self) -> Context:
        """Return a context that knows the lattice and the parameters, with an empty report."""
        context = Context(self._syntax.source, Report(), {}, {"colours"})
        context.lattice = context.repetition.lattice = self._lattice
        context.parameters.values.update(self._values)
        return context

    def parameter(self, name: str) -> int | None:
        """Return the value of a parameter, None where it cannot be known."""
        return self._values.get(variable(name))

    def size(self, tree: Tree) -> int | None:
        """Return how many cells, or names, a tree means that is a region or a part of one; None where that varies."""
        context = self._context()
        try:
            if tree.data == "names":
                number = sum(1 for _ in named_locations(context, tree))
            else:
                number = len((region_of if tree.data == "region" else term_of)(context, tree).cells)
        except (UnreadableError, PuzzleError):
            return None
        return None if context.report.errors else number

    def indexed(self, name: Name) -> str:
        """Return a name with its indices as the puzzle has it; without them, where they vary."""
        path = self._syntax.path(name.start)
        node = next((each for each in reversed(path) if each.children and _begins(each, name)), None)
        if node is None:
            return name.word
        context = self._context()
        try:
            return context.headed(node.children)[0]
        except (UnreadableError, PuzzleError):
            return name.word


def _begins(tree: Tree, name: Name) -> bool:
    first = tree.children[0]
    return isinstance(first, lark.Token) and first.start_pos == name.start


def _lattice_named(syntax: Syntax) -> Lattice | None:
    """Return the lattice that a text names, if it is one of ours; None for `none`, and where it is not known."""
    named = next((each.word for each in syntax.names if each.kind is Kind.LATTICE), "square")
    return find_lattice(named) if named in lattice_names() else None
