"""The rules by which lattices are drawn, and the rule of a lattice.

A lattice names its rule in ``drawing``. The word ``cells`` means no rule: its cells are written as coordinates.
"""

from __future__ import annotations

from collections.abc import Collection

from puzzlec.geometry.drawing import hex, rows, sticks, triangle
from puzzlec.geometry.drawing.rule import DrawingError, DrawingMark, DrawingRule
from puzzlec.geometry.lattice import Cell, Lattice

#: The drawing rules by name.
RULES: dict[str, DrawingRule] = {
    "rows": rows.RULE,
    "sticks": sticks.RULE,
    "hex": hex.RULE,
    "triangle": triangle.RULE,
}


def rule_of(lattice: Lattice | None) -> DrawingRule | None:
    """Return the drawing rule of a lattice; None if its cells are written as coordinates."""
    rule = RULES.get(lattice.drawing) if lattice is not None else None
    return rule if rule is not None and lattice is not None and rule.suits(lattice) else None


def drawn_rule(lattice: Lattice | None, cells: Collection[Cell]) -> DrawingRule | None:
    """Return the rule for drawing some cells of a lattice; None if a list is better.

    A list is better if there are no cells, if there is no rule, or if the cells lie far apart.
    """
    rule = rule_of(lattice)
    return None if rule is None or not cells or rule.is_scattered(cells) else rule


def marks(text: str, lattice: Lattice) -> list[DrawingMark]:
    """Return the cells of a drawing in reading order: layer by layer, row by row.

    A ``/`` ends a row like a newline, ``#`` starts a comment. Characters other than ``.`` are cells; the caller knows
    their meaning. Raises DrawingError for an unreadable drawing, and on a lattice without a rule.

    >>> from puzzlec.geometry import find_lattice
    >>> [mark.cell for mark in marks("xx/x.", find_lattice("square"))]
    [(0, 0), (1, 0), (0, 1)]
    >>> [mark.cell for mark in marks("x x/ x", find_lattice("hex"))]
    [(0, 0), (1, 0), (0, 1)]
    """
    rule = rule_of(lattice)
    if rule is None:
        raise DrawingError(
            "PZ320",
            f"cannot draw on lattice `{lattice.name}`",
            0,
            len(text),
            help=f"list the cells by their coordinates, such as `cells ({','.join('0' * lattice.coordinates)})`",
        )
    return rule.marks(text, lattice)
