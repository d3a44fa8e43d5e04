"""Rules: what placements a piece may take, and what pieces show on a region."""

from __future__ import annotations

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.ir import ANY, Condition, RegionRule, Rule, RuleKind
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.context import PLAIN, others_text
from puzzlec.language.elaborate.pieces import Pieces
from puzzlec.language.expressions import Node, Tree


class Rules(Pieces):
    """The statements that restrict placements."""

    def _restrict(self, kind: RuleKind, piece: str, named: Span, where: Node, sides: tuple[str, ...] = ()) -> None:
        assert isinstance(where, lark.Tree)
        if piece not in self.pieces:
            if not self.lost & {"piece", "pieces"}:
                self.report.add("PZ306", f"there is no piece `{piece}`", named, help=suggestion(piece, self.pieces))
            return
        region = self.region(where)
        unknown: list[tuple[Address, Span]] = []
        for at in region.cells:
            mark = region.marks.get(at)
            span = self.source.span(mark.offset) if mark else self.span(where)
            if mark and mark.sign != PLAIN:
                self.report.add("PZ315", "a region is drawn with `x` and `.` only", span)
            if kind in (RuleKind.FIX, RuleKind.FORBID) and at not in self.locations and not self.broken:
                unknown.append((at, span))
        if unknown:
            at, span = unknown[0]
            self.report.add("PZ311", f"there is no location {address_text(at)}{others_text(unknown[1:])}", span)
        if kind is RuleKind.FIX:
            self.once_fixed(piece, set(region.cells), self.span(where))
        self.rules.append(Rule(kind, piece, tuple(region.cells), sides, self.span(where)))

    def once_fixed(self, piece: str, cells: set[Address], span: Span) -> None:
        """Report a piece that is fixed to another placement already."""
        before, other = self.fixed.setdefault(piece, (span, cells))
        if other != cells and self.pieces[piece].high == 1:
            self.report.add(
                "PZ324",
                f"piece `{piece}` is fixed in two ways",
                span,
                "fixed here, too",
                others=[(before, "fixed here")],
                help="leave one of them out, or define a piece of its own for each",
            )

    def _place(self, statement: Tree) -> None:
        name, span, (side, region) = self.headed(statement.children)
        self._restrict(RuleKind.IN if str(side) == "in" else RuleKind.OFF, name, span, region)

    def _fix(self, statement: Tree) -> None:
        self._exactly(RuleKind.FIX, statement)

    def _forbid(self, statement: Tree) -> None:
        self._exactly(RuleKind.FORBID, statement)

    def _exactly(self, kind: RuleKind, statement: Tree) -> None:
        name, span, (*turned, region) = self.headed(statement.children)
        sides: tuple[str, ...] = ()
        if turned:
            shown = turned[0]
            assert isinstance(shown, lark.Tree)
            piece = self.pieces.get(name)
            if piece is not None and len(piece.sides) != len(shown.children):
                self.report.add(
                    "PZ336",
                    f"piece `{name}` has {counted(len(piece.sides), 'edge')}, this rule names {len(shown.children)}",
                    self.span(shown),
                )
                return
            sides = tuple(sign for token in shown.children if (sign := self.declared(token)) is not None)
        self._restrict(kind, name, span, region, sides)

    def _rule(self, statement: Tree) -> None:
        where, demand = statement.children
        assert isinstance(demand, lark.Tree)
        cells = self.lettered(where) if isinstance(where, lark.Token) else self.ruled(where)
        bounds = self.summed(demand) if demand.data == "summed" else (0, ANY)
        if not cells or bounds is None:
            return
        kind = Condition.SUM if demand.data == "summed" else Condition(str(demand.children[0]))
        name = self.name(where) if isinstance(where, lark.Token) else ""
        self.region_rules.append(RegionRule(kind, tuple(cells), *bounds, name, self.span(statement)))

    def lettered(self, token: lark.Token) -> list[Address]:
        """Return the locations of a region that is drawn with a letter; report one that there is not."""
        name = self.name(token)
        if name not in self.regions:
            if "regions" not in self.lost:
                known = ", ".join(f"`{each}`" for each in self.regions)
                self.report.add(
                    "PZ362",
                    f"unknown region `{name}`",
                    self.span(token),
                    note=f"declared are {known}" if known else "no regions are declared",
                    help=suggestion(name, self.regions)
                    or (f"declare it: `regions {' '.join((*self.regions, name))}`" if len(name) == 1 else ()),
                )
            return []
        if not self.region_cells[name] and not self.broken:
            self.report.add(
                "PZ363",
                f"region `{name}` has no location",
                self.span(token),
                others=[(self.regions[name], "declared here")],
                help=f"write `{name}` in the drawing of `locations`",
            )
        return self.region_cells[name]

    def ruled(self, where: Node) -> list[Address]:
        """Return the locations of a region that a rule describes; report one without any, and cells off the board."""
        assert isinstance(where, lark.Tree)
        before = self.report.errors
        region = self.region(where)
        for at, mark in region.marks.items():
            if mark.sign != PLAIN and at in region.cells:
                span = self.source.span(mark.offset)
                self.report.add("PZ315", "a region is drawn with `x` and `.` only", span)
        if self.broken or self.report.errors > before:
            return []
        unknown = [at for at in region.cells if at not in self.locations]
        if unknown:
            message = f"there is no location {address_text(unknown[0])}{others_text(unknown[1:])}"
            self.report.add("PZ311", message, self.span(where))
        elif not region.cells:
            self.report.add("PZ363", "the region of this rule has no location", self.span(where))
        return list(region.cells)

    def summed(self, demand: Tree) -> tuple[int, int] | None:
        """Return the bounds of a sum, None where no numbers have such a sum."""
        relation, value = demand.children
        assert isinstance(value, lark.Tree)
        number = self.number(value)
        low, high = {
            "=": (number, number),
            "<": (0, number - 1),
            "<=": (0, number),
            ">": (number + 1, ANY),
            ">=": (number, ANY),
        }[str(relation)]
        if high < 0 or low >= ANY:
            self.report.add(
                "PZ364",
                f"no sum is {'less than 0' if high < 0 else 'so large'}",
                self.span(demand),
                note="the numbers of cells are 0 to 9",
            )
            return None
        return max(low, 0), high
