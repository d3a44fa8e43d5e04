"""Locations: the statements that make them, from regions or by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lark

from puzzlec.diagnostics import Span
from puzzlec.geometry import Cell
from puzzlec.geometry.regions import LARGEST_REGION
from puzzlec.ir import Location
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.context import MAYBE, PLAIN, others_text
from puzzlec.language.elaborate.regions import Regions
from puzzlec.language.expressions import Tree


class Locations(Regions):
    """The statements that make locations."""

    def _locations(self, statement: Tree, optional: bool = False) -> None:
        before = self.report.errors
        (where,) = statement.children
        assert isinstance(where, lark.Tree)
        twice: dict[Span, list[Location]] = {}
        cells: list[Cell] = []
        before_this = len(self.locations)
        listed = 0
        for at, sign, span in self.places(where):
            if not isinstance(at, str):
                cells.append(at)
            listed += 1
            colour = None
            if sign in self.regions:
                self.region_cells[sign].append(at)
            elif sign not in (PLAIN, MAYBE):
                if not self.colour(sign, span):
                    continue
                colour = sign
            old = self.locations.get(at)
            if old is not None:
                twice.setdefault(span, []).append(old)
                continue
            self.locations[at] = Location(at, colour, optional or sign == MAYBE, span)
        whole = listed == before_this == sum(map(len, twice.values()))
        for span, (first, *more) in twice.items():
            self.report.add(
                "PZ310",
                f"the location {address_text(first.at)}{others_text(more)} {'are' if more else 'is'} listed twice",
                span,
                "second time",
                others=[(first.span, "first time")] if first.span != span else (),
                help=self.once_help(whole) if any(each.optional != optional for each in (first, *more)) else (),
            )
        if self.report.errors > before:
            self.lost.add("locations")
        elif (drawing := self.only_drawing(where)) is not None:
            self.warn_of_corners(drawing, cells)

    def once_help(self, whole: bool) -> str:
        """Return the help for locations that may stay empty in one statement and not in another.

        ``whole``: the two list the same locations.
        """
        if whole:
            return "write one of the two lines only: `optional locations ...`"
        how = ": `locations ... - ...` leaves some out" if self.lattice else ""
        return f"list each location in one of the two lines only{how}"

    def _optional(self, statement: Tree) -> None:
        self._locations(statement, optional=True)

    def places(self, where: Tree) -> Iterator[tuple[Address, str, Span]]:
        """Give the locations of a statement: the address, the character drawn there, and its place."""
        if where.data == "names":
            yield from self.named(where)
            return
        region = self.region(where)
        for at in region.cells:
            mark = region.marks.get(at)
            yield at, mark.sign if mark else PLAIN, self.source.span(mark.offset) if mark else self.span(where)

    def named(self, names: Tree) -> Iterator[tuple[Address, str, Span]]:
        """Give locations without a lattice, as `places` does."""
        first = names.children[0]
        assert isinstance(first, lark.Tree)
        alone = str(first.children[0]) if len(names.children) == len(first.children) == 1 else ""
        if self.lattice is not None:
            self.report.add(
                "PZ320",
                f"locations on the lattice `{self.lattice.name}` are cells, not names",
                self.span(first),
                help=f"write `box {alone}`"
                if re.fullmatch(r"\d+(x\d+)*", alone)
                else "draw them, or write a region such as `box 6x10`; `lattice none` is for named locations",
            )
        elif re.fullmatch(r"[0-9]+", alone):
            if _integer(alone) > LARGEST_REGION:
                self.report.add("PZ321", "these are more than a million locations", self.span(first))
                return
            yield from ((str(number), PLAIN, self.span(first)) for number in range(_integer(alone)))
        else:
            for thing in names.children:
                assert isinstance(thing, lark.Tree)
                span = self.span(thing)
                yield from ((at, PLAIN, span) for at in self.addresses(thing))


def _integer(digits: str) -> int:
    """Return the number that digits mean; one too large for any puzzle may come out smaller."""
    return int(digits[:15])
