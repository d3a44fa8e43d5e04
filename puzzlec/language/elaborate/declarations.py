"""Declarations: title, lattice, colours, parameters, and what holds for the whole puzzle."""

from __future__ import annotations

import re

from puzzlec.diagnostics import PuzzleError, Span
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.language.elaborate.context import RESERVED, Words
from puzzlec.language.expressions import Tree, variable
from puzzlec.language.lattice_file import is_lattice_file, lattice_beside, other_lattice


class Declarations(Words):
    """The statements that say something of the whole puzzle."""

    def _title(self, statement: Tree) -> None:
        if self.once(statement):
            self.title = self.name(statement.children[0])

    def _lattice(self, statement: Tree) -> None:
        if not self.once(statement):
            return
        name = self.name(statement.children[0])
        if name == "none":
            return
        if is_lattice_file(name):
            self._own_lattice(name, self.span(statement.children[0]))
            return
        if name not in lattice_names():
            self.lost.add("lattice")
            known = (*lattice_names(), "none")
            self.report.add(
                "PZ302",
                f"the lattice `{name}` is not known",
                self.span(statement.children[0]),
                note=f'lattices are {", ".join(known)}; one of your own is a file: `lattice "my.yaml"`',
                help=other_lattice(name, known),
            )
            self.report.stop_on_errors()
        self.lattice = find_lattice(name)

    def _own_lattice(self, name: str, span: Span) -> None:
        """Take the lattice of a file; its faults join those of the text."""
        try:
            self.lattice = lattice_beside(name, self.source, span)
        except PuzzleError as error:
            self.lost.add("lattice")
            for each in error.diagnostics:
                self.report.append(each)
            raise self.report.error() from None

    def _colours(self, statement: Tree) -> None:
        for token in statement.children:
            sign = str(token)
            if (len(sign) != 1 or sign in RESERVED) and not re.fullmatch("[1-9][0-9]{1,2}", sign, re.ASCII):
                self.report.add(
                    "PZ322",
                    f"`{sign[:40]}` cannot be a colour",
                    self.span(token),
                    note=f"a colour is one character or a number up to 999, and none of {' '.join(RESERVED)}",
                    help=_colour_help(sign),
                )
            elif sign in self.colours:
                self.report.add(
                    "PZ307",
                    f"the colour `{sign}` is declared twice",
                    self.span(token),
                    "second time",
                    others=[(self.colours[sign], "first time")],
                )
            else:
                self.colours[sign] = self.span(token)

    def _regions(self, statement: Tree) -> None:
        for token in statement.children:
            sign = str(token)
            others = [self.colours[sign]] if sign in self.colours else []
            others += [self.regions[sign]] if sign in self.regions else []
            if not re.fullmatch(r"[^\W\d_]", sign) or sign in RESERVED:
                self.report.add(
                    "PZ361",
                    f"`{sign[:40]}` cannot be a region",
                    self.span(token),
                    note="a region is one letter, and not `x`",
                    help="write spaces between the regions: " + " ".join(filter(str.isalpha, sign[:20]))
                    if len(sign) > 1 and sign.replace(",", "").isalpha()
                    else (),
                )
            elif others:
                self.report.add(
                    "PZ361",
                    f"`{sign}` is declared already",
                    self.span(token),
                    "second time",
                    others=[(others[0], "first time")],
                    help="choose another letter for the region",
                )
            else:
                self.regions[sign] = self.span(token)
                self.region_cells[sign] = []

    def _param(self, statement: Tree) -> None:
        token, value = statement.children
        name = variable(str(token))
        if name in self.globals:
            self.report.add("PZ330", f"the variable `{token}` has a value already", self.span(token))
            return
        given = self.parameters.get(str(token))
        self.expressions.parameters.pop(name, None)
        self.globals[name] = self.number(value) if given is None else given

    def _allow(self, statement: Tree) -> None:
        cell, *places = [self.declared(token) for token in statement.children]
        if cell is not None:
            self.allowed.update((cell, place) for place in places if place is not None)

    def _rim(self, statement: Tree) -> None:
        if self.once(statement):
            self.rim = tuple(sign for token in statement.children if (sign := self.declared(token)) is not None)

    def _crossing(self, statement: Tree) -> None:
        if self.once(statement):
            self.crossing = True
            if self.lattice is None or not self.lattice.crossings:
                self.report.add(
                    "PZ320",
                    "no pieces can cross on this lattice",
                    self.span(statement),
                    help="leave `crossing allowed` out",
                )

    def _match(self, statement: Tree) -> None:
        one, two = [self.declared(token) for token in statement.children]
        if one is None or two is None:
            return
        span = self.span(statement)
        for sign, mate in ((one, two), (two, one)):
            before, other = self.mates.setdefault(sign, (mate, span))
            if before != mate:
                self.report.add(
                    "PZ334", f"the colour `{sign}` is matched with two others", span, f"with `{mate}` here",
                    others=[(other, f"with `{before}` here")],
                )  # fmt: skip

    def _empty(self, statement: Tree) -> None:
        if self.once(statement):
            low, *high = self.numbers_in(statement.children[0])
            self.empty = self.range(low, high[0] if high else low, self.span(statement.children[0]))


def _colour_help(sign: str) -> str | tuple[str, ...]:
    """Return how to mend what cannot be a colour: a list with commas, a range, a word."""
    if "," in sign:
        return "write blanks between the colours, no commas"
    match = re.fullmatch(r"([0-9])\.\.([0-9])", sign)
    if match and match.group(1) < match.group(2):
        return "write them out: " + " ".join(map(str, range(int(match.group(1)), int(match.group(2)) + 1)))
    return f"write one character for each colour, such as `{sign[0]}`" if sign[0].isalnum() and len(sign) > 1 else ()
