"""Drawings: cells typed as they lie on paper, and cells laid out as characters again.

A lattice names its rule in ``drawing``; one with the word ``cells`` has none, its cells are written as coordinates.
"""

from __future__ import annotations

from collections.abc import Collection

from puzzlec.geometry.drawing import hex, rows, sticks, triangle
from puzzlec.geometry.drawing.blanks import Uneven, indents, uneven
from puzzlec.geometry.drawing.rows import layout
from puzzlec.geometry.drawing.rule import BLANK, DrawingError, Mark, Rule, Spot, is_scattered, positioned, spread
from puzzlec.geometry.drawing.sticks import layout_sticks
from puzzlec.geometry.lattice import Cell, Lattice
from puzzlec.geometry.lattice_words import coordinates_text

#: The rules by the words that lattices have for them.
RULES: dict[str, Rule] = {
    "rows": rows.RULE,
    "sticks": sticks.RULE,
    "hex": hex.RULE,
    "triangle": triangle.RULE,
}


def rule_of(lattice: Lattice | None) -> Rule | None:
    """Return the drawing rule of a lattice, or None where there is none: its cells are written as coordinates."""
    rule = RULES.get(lattice.drawing) if lattice is not None else None
    return rule if rule is not None and lattice is not None and rule.suits(lattice) else None


def drawn_rule(lattice: Lattice | None, cells: Collection[Cell]) -> Rule | None:
    """Return the rule to draw some cells of a lattice by, or None where they are better listed.

    There may be no cell, no rule, or the cells may lie too far apart.
    """
    rule = rule_of(lattice)
    return None if rule is None or not cells or rule.is_scattered(cells) else rule


def marks(text: str, lattice: Lattice) -> list[Mark]:
    """Return the cells of a drawing in reading order: layer by layer, row by row.

    A ``/`` ends a row as a newline does, ``#`` starts a comment. Characters other than ``.`` are cells;
    what they mean is the caller's business. Raises DrawingError for a drawing that the lattice's rule cannot read,
    and on a lattice that has no rule.

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
            f"the lattice `{lattice.name}` has no drawings",
            0,
            len(text),
            help=f"list the cells by their coordinates: `cells {coordinates_text(lattice)} ...`",
        )
    return rule.marks(text, lattice)


__all__ = [
    "BLANK",
    "RULES",
    "DrawingError",
    "Mark",
    "Rule",
    "Spot",
    "Uneven",
    "drawn_rule",
    "indents",
    "is_scattered",
    "layout",
    "layout_sticks",
    "marks",
    "positioned",
    "rule_of",
    "spread",
    "uneven",
]
