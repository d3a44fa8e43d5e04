"""From the tree of a ``.puzzle`` text to the Puzzle that it means, with every fault of meaning reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.geometry import find_lattice
from puzzlec.ir import Puzzle
from puzzlec.language.elaborate.declarations import Declarations
from puzzlec.language.elaborate.locations import Locations
from puzzlec.language.elaborate.rules import Rules
from puzzlec.language.elaborate.wraps import Around
from puzzlec.language.expressions import Node, Scope, Tree, UnreadableError, spoken, variable


class _Statement(NamedTuple):
    """A statement in a round of the loops around it."""

    tree: Tree
    scope: Scope


#: So many statements are read at most, those of a block once for each round.
MOST_STATEMENTS = 200_000


def elaborate(
    tree: Tree,
    source: Source,
    report: Report,
    parameters: Mapping[str, int] | None = None,
    lost: Collection[str] = (),
) -> Puzzle:
    """Return the puzzle that a tree means; raise PuzzleError when the report holds an error then.

    ``parameters`` are values for `param` statements, in place of those in the text. ``lost`` are the kinds of
    statements (their first words) of which some could not be read: what they may have said is not missed.
    """
    return _Elaborator(source, report, parameters or {}, lost).puzzle(tree)


class _Elaborator(Declarations, Locations, Around, Rules):
    """One walk over the statements: declarations first, whatever their order, then what uses them."""

    def puzzle(self, tree: Tree) -> Puzzle:
        statements = [child for child in tree.children if isinstance(child, lark.Tree)]
        if statements and statements[0].data != "title":
            for statement in statements[1:]:
                if statement.data == "title":
                    self.report.add(
                        "PZ323",
                        "the title stands after other statements",
                        self.span(statement),
                        help="make `puzzle` the first statement",
                    )
        if not any(statement.data == "lattice" for statement in statements):
            self.lattice = find_lattice("square")
        self.expressions.parameters.update(
            (variable(str(each.children[0])), self.span(each)) for each in statements if each.data == "param"
        )
        self.run([_Statement(each, self.globals) for each in statements], ("title", "lattice", "colours", "param"))
        self.repetition.lattice = self.lattice
        self.refuse_parameters()
        flat = list(self.flattened(statements, self.globals))
        for names in (
            ("regions", "allow", "empty", "rim", "match", "crossing"),
            ("locations", "optional"),
            ("wrap",),
            ("piece", "pieces"),
            ("place", "fix", "forbid", "rule"),
        ):
            self.run(flat, names)
        self.warn_of_idle_loops()
        self.warn_of_idle_sides(flat)
        self.refuse_sides_that_meet_twice()
        where = next((self.span(each) for each in statements if each.data in ("locations", "optional")), None)
        if not self.locations and not self.lost:
            self.report.add(
                "PZ308",
                "this puzzle has no locations",
                where or self.source.end,
                "nothing is left of this region" if where else "",
                help=() if where else "say where the pieces go, such as `locations box 6x10`",
            )
        if not self.pieces and not self.report.errors and not self.lost:
            library = next((self.span(each) for each in statements if each.data == "pieces"), None)
            self.report.add(
                "PZ309",
                "this puzzle has no pieces",
                library or self.source.end,
                help="leave fewer out" if library else "say which pieces there are, such as `pieces pentominoes`",
            )
        self.report.stop_on_errors()
        return Puzzle(
            self.title,
            self.lattice,
            tuple(self.locations.values()),
            tuple(self.pieces.values()),
            tuple(self.colours),
            frozenset(self.allowed),
            self.empty,
            tuple(self.rules),
            self.rim,
            tuple((sign, mate) for sign, (mate, _) in self.mates.items()),
            self.crossing,
            self.wrapping.wraps if self.wrapping else (),
            tuple(self.region_rules),
            span=where,
        )

    def run(self, statements: list[_Statement], kinds: tuple[str, ...]) -> None:
        """Elaborate the statements of some kinds, each in its round; one that cannot be read is lost."""
        for each in statements:
            kind = str(each.tree.data)
            if kind in kinds:
                self.enter(each.scope)
                try:
                    getattr(self, f"_{kind}")(each.tree)
                except UnreadableError:
                    self.lost.add(kind)
                    self.expressions.forgiving |= kind == "param"
        self.enter(self.globals)

    def flattened(self, statements: Sequence[Node], scope: Scope) -> Iterator[_Statement]:
        """Give the statements in order, those of blocks once for each round; a block that cannot run is lost."""
        for number, statement in enumerate(self._flattened(statements, scope)):
            if number >= MOST_STATEMENTS:
                self.report.add(
                    "PZ329",
                    f"this text makes more than {MOST_STATEMENTS} statements",
                    self.span(statement.tree),
                    "stopped at this one",
                )
                self.report.stop_on_errors()
            yield statement

    def _flattened(self, statements: Sequence[Node], scope: Scope) -> Iterator[_Statement]:
        for statement in statements:
            if not isinstance(statement, lark.Tree):
                continue
            if statement.data != "repeat":
                yield _Statement(statement, scope)
                continue
            *loop, block = statement.children
            assert isinstance(block, lark.Tree)
            try:
                for found in self.repetition.each(loop, scope, self.header(statement)):
                    yield from self._flattened(block.children, found)
                    self.enter(scope)
            except UnreadableError:
                self.lost.update(_kinds_in(block))
        self.enter(self.globals)

    def header(self, repeat: Tree) -> Span:
        """Return where a block's `for` stands, up to its brace."""
        last = repeat.children[-2]
        return self.source.span(self.span(repeat).start, self.span(last).end)

    def refuse_parameters(self) -> None:
        """Report values given for parameters that the text does not have."""
        known = [spoken(name) for name in self.globals]
        for name in self.parameters:
            if variable(name) not in self.globals and not self.lost & {"param", "for"}:
                self.report.add(
                    "PZ331",
                    f"this puzzle has no parameter `{name}`",
                    note="its parameters are " + ", ".join(known) if known else "it has no `param` statement",
                    help=suggestion(name, known),
                    file=self.source.name,
                )

    def warn_of_idle_loops(self) -> None:
        """Warn of loops that never made a round: a range such as 1..0 is empty."""
        for (start, end), ran in self.repetition.ran.items():
            if not ran and not self.report.errors:
                given = ", ".join(f"{spoken(name)} = {value}" for name, value in self.globals.items())
                self.report.add(
                    "PZ332",
                    "this `for` makes no round",
                    self.source.span(start, end),
                    note=f"with {given}" if given else "a range whose end is below its start is empty",
                )

    def warn_of_idle_sides(self, statements: list[_Statement]) -> None:
        """Warn of `rim` and `match` where no piece has edges."""
        if any(piece.sides for piece in self.pieces.values()) or self.report.errors or self.lost:
            return
        for each in statements:
            if each.tree.data in ("rim", "match"):
                self.report.add("PZ335", f"`{each.tree.data}` says nothing: no piece has edges", self.span(each.tree))


def _kinds_in(block: Tree) -> set[str]:
    """Return the kinds of the statements in a block, and in the blocks in it."""
    return {str(each.data) for each in block.iter_subtrees()}
