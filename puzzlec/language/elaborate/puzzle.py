"""The puzzle that a syntax tree means: the statements in phases, those of a loop once for each iteration."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.geometry import find_lattice
from puzzlec.ir import ANY, NamedRegion, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import MovementRules, PuzzleRules
from puzzlec.language.elaborate.alike import take_shapes
from puzzlec.language.elaborate.context import Context, FileUses
from puzzlec.language.elaborate.deciding import DEFAULT_LATTICE, decision_of
from puzzlec.language.elaborate.locations import refuse_sides_that_meet_twice
from puzzlec.language.elaborate.regions import define_all
from puzzlec.language.elaborate.statements import BY_KIND, Phase, Statement
from puzzlec.language.expressions import Node, Scope, Tree, UnreadableValueError, spoken, variable


class _Round(NamedTuple):
    """A statement in an iteration of the loops around it."""

    tree: Tree
    scope: Scope


#: Maximum number of statements. Those of a block count once for each iteration.
MOST_STATEMENTS = 200_000


def elaborate(
    tree: Tree,
    source: Source,
    report: Report,
    parameters: Mapping[str, int] | None = None,
    unread: Collection[str] = (),
    uses: FileUses | None = None,
) -> Puzzle:
    """Return the puzzle that a tree means; raise PuzzleError if the report then has errors.

    ``parameters`` are values for `param` statements, which replace those in the text. ``unread`` are the kinds (first
    words) of unreadable statements: names that such statements may define are not reported as unknown. ``uses`` are the
    files around a text whose pieces another one uses; it needs no board.
    """
    context = Context(source, report, parameters or {}, unread)
    context.pieces.uses = uses
    statements = [child for child in tree.children if isinstance(child, lark.Tree)]
    _refuse_late_titles(context, statements)
    if not any(statement.data == "lattice" for statement in statements):
        _decide_lattice(context, statements)
    context.expressions.parameters.update(
        (variable(str(tree.children[0])), context.span(tree)) for tree in statements if tree.data == "param"
    )
    outside = context.parameters.values
    _run(context, [_Round(statement, outside) for statement in statements], Phase.HEAD)
    context.repetition.lattice = context.lattice
    _refuse_parameters(context)
    unrolled = list(_unrolled(context, statements, outside))
    for phase in Phase:
        if phase is not Phase.HEAD:
            _run(context, unrolled, phase)
        if phase is Phase.PIECES:
            take_shapes(context)
        context.board.complete |= phase is Phase.LOCATIONS
    define_all(context)
    _warn_of_idle_loops(context)
    _warn_of_idle_sides(context, unrolled)
    refuse_sides_that_meet_twice(context)
    where = next((context.span(tree) for tree in statements if tree.data in ("locations", "optional")), None)
    if uses is None or not uses.around:
        _refuse_nothing(context, statements, where)
    report.stop_on_errors()
    _say_lattice(context)
    board, colours = context.board, context.colours
    return Puzzle(
        title=context.title,
        lattice=context.lattice,
        locations=tuple(board.locations.values()),
        pieces=tuple(context.pieces.defined.values()),
        colours=PuzzleColours(
            tuple(colours.declared),
            frozenset(colours.allowed),
            tuple((sign, mate) for sign, (mate, _) in colours.mates.items()),
            colours.frame,
        ),
        rules=PuzzleRules(
            pieces=tuple(context.rules.pieces),
            regions=tuple(context.rules.regions),
            meetings=tuple(context.rules.meetings),
            empty=_empty(context),
            crossing=board.crossing,
        ),
        wraps=board.wrapping.wraps if board.wrapping else (),
        movement=MovementRules(
            together=tuple(context.rules.together),
            walls=tuple(context.rules.walls),
            immovable=tuple(context.rules.immovable),
            turns_allowed=context.rules.turns_allowed,
        ),
        costs=tuple(context.rules.costs),
        expected=tuple(context.rules.expected),
        regions=tuple(_regions(context)),
        span=where,
    )


def _decide_lattice(context: Context, statements: Sequence[Tree]) -> None:
    """Set the lattice of a text without a `lattice` statement, and note what decides it."""
    decision = decision_of(statements)
    context.lattice = find_lattice(decision.lattice if decision else DEFAULT_LATTICE)
    if decision is not None:
        context.board.decided = (
            context.span(decision.part),
            f"this {decision.kind} decides `lattice {decision.lattice}`",
        )


def _say_lattice(context: Context) -> None:
    """Note the lattice of a text that does not state it, if it is not the default."""
    if context.board.decided is not None and context.lattice is not None and context.lattice.name != DEFAULT_LATTICE:
        context.report.add(
            "PZ384",
            f"lattice is `{context.lattice.name}`",
            *context.board.decided,
            help=f"add `lattice {context.lattice.name}`",
        )


def _empty(context: Context) -> tuple[int, int] | None:
    """Return the bounds of `empty`; an open range ends at the number of optional locations."""
    if context.board.empty is None or context.board.empty[1] < ANY:
        return context.board.empty
    low = context.board.empty[0]
    return low, max(low, sum(location.optional for location in context.board.locations.values()))


def _refuse_late_titles(context: Context, statements: Sequence[Tree]) -> None:
    """Report titles that follow other statements."""
    if statements and statements[0].data != "title":
        for statement in statements[1:]:
            if statement.data == "title":
                context.report.add(
                    "PZ323",
                    "title is not the first statement",
                    context.span(statement),
                    help="move `puzzle` to the first line",
                )


def _regions(context: Context) -> Iterator[NamedRegion]:
    """Yield the regions with names; on a board that wraps around, cells are the locations where they are."""
    named = {name: list(cells) for name, cells in context.regions.cells.items()}
    named |= {name: list(definition.cells) for name, definition in context.regions.defined.items()}
    for name, cells in named.items():
        places = [context.board.location_of(at, context.lattice) for at in cells]
        if places:
            yield NamedRegion(name, tuple(dict.fromkeys(places)))


def _refuse_nothing(context: Context, statements: Sequence[Tree], where: Span | None) -> None:
    """Report a puzzle without locations or pieces; ``where`` is the first statement with locations."""
    if not context.board.locations and not context.unread:
        context.report.add(
            "PZ308",
            "puzzle has no locations",
            where or context.source.end,
            "region is empty" if where else "",
            help=() if where else "add locations, such as `locations box 6x10`",
        )
    if not context.pieces.defined and not context.report.errors and not context.unread:
        library = next((context.span(tree) for tree in statements if tree.data == "pieces"), None)
        context.report.add(
            "PZ309",
            "puzzle has no pieces",
            library or context.source.end,
            help="leave out fewer pieces" if library else "add pieces, such as `pieces pentominoes`",
        )


def _run(context: Context, rounds: Sequence[_Round], phase: Phase) -> None:
    """Elaborate the statements of a phase, each with the variables of its iteration; skip unreadable ones."""
    for tree, scope in rounds:
        statement = BY_KIND[str(tree.data)]
        if statement.elaborate is None or statement.phase is not phase:
            continue
        context.enter(scope)
        if statement.once and not _is_first(context, statement, tree):
            continue
        try:
            statement.elaborate(context, tree)
        except UnreadableValueError:
            context.unread.add(statement.kind)
            context.expressions.forgiving |= statement.kind == "param"
    context.enter(context.parameters.values)


def _is_first(context: Context, statement: Statement, tree: Tree) -> bool:
    """Return whether this is the first statement of its kind; report a second one."""
    if statement.word in context.seen:
        context.report.add(
            "PZ307",
            f"duplicate statement `{statement.word}`",
            context.span(tree),
            "second statement",
            others=[(context.seen[statement.word], "first statement")],
            help="remove the second one",
        )
        return False
    context.seen[statement.word] = context.span(tree)
    return True


def _unrolled(context: Context, statements: Sequence[Node], scope: Scope) -> Iterator[_Round]:
    """Yield the statements in order, those of a block once for each iteration; skip blocks that cannot run."""
    for number, statement in enumerate(_each_round(context, statements, scope)):
        if number >= MOST_STATEMENTS:
            context.report.add(
                "PZ329",
                f"too many statements (limit {MOST_STATEMENTS:,})",
                context.span(statement.tree),
                "stopped here",
            )
            context.report.stop_on_errors()
        yield statement


def _each_round(context: Context, statements: Sequence[Node], scope: Scope) -> Iterator[_Round]:
    for statement in statements:
        if not isinstance(statement, lark.Tree):
            continue
        if statement.data != "repeat":
            yield _Round(statement, scope)
            continue
        *loop, block = statement.children
        assert isinstance(block, lark.Tree)
        try:
            for inner in context.repetition.each(loop, scope, _header(context, statement)):
                yield from _each_round(context, block.children, inner)
                context.enter(scope)
        except UnreadableValueError:
            context.unread.update(str(tree.data) for tree in block.iter_subtrees())
    context.enter(context.parameters.values)


def _header(context: Context, repeat: Tree) -> Span:
    """Return the span of a block's `for`, up to its brace."""
    last = repeat.children[-2]
    return context.source.span(context.span(repeat).start, context.span(last).end)


def _refuse_parameters(context: Context) -> None:
    """Report values given for unknown parameters."""
    names = [spoken(name) for name in context.parameters.values]
    for name, value in context.parameters.given.items():
        if variable(name) not in context.parameters.values and not context.unread & {"param", "for"}:
            context.report.add(
                "PZ331",
                f"unknown parameter `{name}`",
                note="parameters are " + ", ".join(names) if names else "the puzzle has no `param` statement",
                help=suggestion(name, names)
                or (
                    f"write `{names[0]}={value}` instead of `{name}={value}`"
                    if names
                    else f"leave out the parameter `{name}`"
                ),
                file=context.source.name,
            )


def _warn_of_idle_loops(context: Context) -> None:
    """Warn of loops without an iteration: a range such as 1..0 is empty."""
    for (start, end), ran in context.repetition.ran.items():
        if not ran and not context.report.errors:
            given = ", ".join(f"{spoken(name)} = {value}" for name, value in context.parameters.values.items())
            context.report.add(
                "PZ332",
                "loop has no iterations",
                context.source.span(start, end),
                note=f"with {given}" if given else "a range is empty if its end is below its start",
                help=_swapped(context.source.text[start:end]),
            )


def _swapped(loop: str) -> tuple[str, ...]:
    """Return the suggestion for a loop over one range that ends below its start.

    A range such as ``1..n-1`` runs the right way for other parameters, so it gets none.
    """
    ranges = re.findall(r"([\w*/+() -]+?)\.\.([\w*/+() -]*[\w)])", loop.partition(" in ")[2].partition(" where ")[0])
    if len(ranges) != 1:
        return ()
    first, last = ranges[0]
    if first.isdecimal() and not last.isdecimal():
        return ()
    return (f"write `{last}..{first}` instead of `{first}..{last}`",)


def _warn_of_idle_sides(context: Context, rounds: Sequence[_Round]) -> None:
    """Warn of `frame` and `match` in a puzzle without tiles."""
    if any(piece.sides for piece in context.pieces.defined.values()) or context.report.errors or context.unread:
        return
    for tree, _ in rounds:
        if tree.data in ("frame", "match"):
            message = f"`{tree.data}` has no effect: no piece has coloured sides"
            context.report.add("PZ335", message, context.span(tree), help="remove the statement")
