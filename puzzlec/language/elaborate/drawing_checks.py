"""Drawings that hang together at corners only: on triangles the sign of one that is shifted by a column."""

from __future__ import annotations

from collections.abc import Collection

import lark

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing.triangle import RULE, one_column_on
from puzzlec.geometry.parts import number_of_parts
from puzzlec.language.elaborate.context import Words
from puzzlec.language.expressions import Tree


class Together(Words):
    """A warning for drawings of triangles in which up and down are exchanged."""

    def warn_of_corners(self, drawing: lark.Token, cells: Collection[Cell]) -> None:
        """Warn of a drawing that is in fewer parts when it is moved by one column."""
        if self.lattice is None or self.lattice.drawing != "triangle" or not RULE.suits(self.lattice):
            return
        parts = number_of_parts(cells, self.lattice)
        if parts > 1 and number_of_parts(list(map(one_column_on, cells)), self.lattice) < parts:
            self.report.add(
                "PZ353",
                f"this drawing is in {parts} parts, which meet at corners or not at all",
                self.span(drawing),
                note="a triangle points up where its row and column make an even number, counted from 0",
                help="is it shifted by one column? begin each row with `.`",
            )

    @staticmethod
    def only_drawing(region: Tree) -> lark.Token | None:
        """Return the drawing that a region is, moved or not; None for another region."""
        found: lark.Tree[lark.Token] | lark.Token = region
        while isinstance(found, lark.Tree):
            if found.data == "region" and len(found.children) != 1:
                return None
            if found.data not in ("region", "drawing", "shifted", "group"):
                return None
            found = found.children[0]
        return found
