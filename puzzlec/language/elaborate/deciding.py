"""The lattice of a text without a `lattice` statement: it follows from the parts that cannot lie on squares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import lark

from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.board_shapes import BOARD_SHAPES
from puzzlec.geometry.families import ShapesError, lattice_of
from puzzlec.geometry.lattice_words import lattice_of_boxes
from puzzlec.language.elaborate.pieces import lies_in, parted
from puzzlec.language.elaborate.regions import lattices_of_sides
from puzzlec.language.expressions import Node, Tree

#: The lattice of a puzzle in which nothing decides another one.
DEFAULT_LATTICE = "square"

#: The statements with parts that decide, and blocks. Other statements name locations that exist already.
DECIDING_STATEMENTS = ("locations", "optional", "named_region", "piece", "pieces", "repeat", "block")


class Decision(NamedTuple):
    """The lattice of a text, and the part of the text that decides it: its kind in words, and its tree."""

    lattice: str
    kind: str
    part: Tree


@cache
def _of_sizes(count: int) -> tuple[str, ...]:
    """Return the lattices that have boxes with so many sizes, the lattice of plain boxes first."""
    plain = lattice_of_boxes(count)
    others = [name for name in lattice_names() if find_lattice(name).dimension == count and name != plain]
    return () if plain is None or count < 2 else (plain, *others)


def _count(tree: Tree) -> int:
    """Return the number of sizes or coordinates of a part."""
    first = tree.children[0]
    return len(re.sub(r"\{[^{}]*\}", "0", first).split("x")) if isinstance(first, lark.Token) else len(tree.children)


def _of_box(tree: Tree) -> tuple[str, ...]:
    return _of_sizes(_count(tree))


def _of_cell(tree: Tree) -> tuple[str, ...]:
    """Return the lattice of plain boxes with so many coordinates, from three on: two of many lattices have two."""
    plain = lattice_of_boxes(_count(tree)) if _count(tree) > 2 else None
    return (plain,) if plain else ()


def _of_grid(tree: Tree) -> tuple[str, ...]:
    return ("sticks",) if _count(tree) == 2 else ()


def _of_edges(tree: Tree) -> tuple[str, ...]:
    """Return the lattice whose cells are sides of the cells after `edges of`."""
    within = decision_of(tree.children, ())
    sides = lattices_of_sides().get(within.lattice if within else DEFAULT_LATTICE)
    return () if sides is None else (sides,)


def _of_shape(tree: Tree) -> tuple[str, ...]:
    """Return the lattices that have a board shape, only those with as many sizes if there are some."""
    on = BOARD_SHAPES[str(tree.data)]
    if DEFAULT_LATTICE in on:  # a wrong number of sizes is an error there
        return tuple(on)
    return tuple(name for name, shape in on.items() if len(shape.sizes) == _count(tree)) or tuple(on)


def _of_library(tree: Tree) -> tuple[str, ...]:
    """Return the lattice of a library or family, and those that have it as a layer."""
    (name, *_), _others = parted(tree.children)
    try:
        home = lattice_of(str(name).strip('"')).name
    except ShapesError:
        return ()
    return home, *(other for other in lattice_names() if other != home and lies_in(home, other))


#: Parts that allow only some lattices: their kind in words, and the lattices, best first, by the kind of their tree.
_DECIDING: Mapping[str, tuple[str, Callable[[Tree], tuple[str, ...]]]] = MappingProxyType(
    {
        "box": ("box", _of_box),
        "cell": ("cell", _of_cell),
        "grid": ("grid", _of_grid),
        "edges": ("region", _of_edges),
        **dict.fromkeys(BOARD_SHAPES, ("board shape", _of_shape)),
        "pieces": ("shape library", _of_library),
        "taken": ("shape", _of_library),
        "reflected": ("shape", _of_library),
    }
)


def decision_of(nodes: Iterable[Node], statements: tuple[str, ...] = DECIDING_STATEMENTS) -> Decision | None:
    """Return the part of a text that decides its lattice, and the lattice; None if nothing decides another.

    Each part allows some lattices. Those that all parts allow remain, in the order of the text. A part that allows none
    of them contradicts the parts before it, and it and the rest of the text decide nothing. Then a part before it
    decides, even for the default lattice.

    Args:
        nodes: The statements, or the parts of one.
        statements: The kinds of statements that decide; empty if the nodes are parts.

    """
    remaining: tuple[str, ...] = ()
    decision: Decision | None = None
    first: Decision | None = None
    waiting = [node for node in nodes if not statements or getattr(node, "data", "") in statements][::-1]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, lark.Tree):
            continue
        if node.data in _DECIDING:
            kind, allow = _DECIDING[str(node.data)]
            allowed = allow(node)
            both = tuple(name for name in remaining or allowed if name in allowed)
            if allowed and not both:
                return decision or first
            remaining = both or remaining
            if remaining and first is None:
                first = Decision(DEFAULT_LATTICE, kind, node)
            if (
                remaining
                and DEFAULT_LATTICE not in remaining
                and (decision is None or decision.lattice != remaining[0])
            ):
                decision = Decision(remaining[0], kind, node)
        if node.data in ("repeat", "block"):
            waiting.extend(part for part in reversed(node.children) if getattr(part, "data", "") in statements)
        elif node.data != "edges":
            waiting.extend(reversed(node.children))
    return decision


__all__ = ["DECIDING_STATEMENTS", "DEFAULT_LATTICE", "Decision", "decision_of"]
