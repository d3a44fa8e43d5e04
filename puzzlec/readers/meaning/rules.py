"""Rules: what placements a piece may take."""

from __future__ import annotations

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.ir import Rule, RuleKind
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.readers.expressions import Node, Tree
from puzzlec.readers.meaning.pieces import Pieces
from puzzlec.readers.meaning.words import PLAIN, others_text


class Rules(Pieces):
    """The statements that restrict placements."""

    def _rule(self, kind: RuleKind, piece: str, named: Span, where: Node, sides: tuple[str, ...] = ()) -> None:
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
        self._rule(RuleKind.IN if str(side) == "in" else RuleKind.OFF, name, span, region)

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
        self._rule(kind, name, span, region, sides)
