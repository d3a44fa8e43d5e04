"""Repetition in the puzzle language: the iterations of a ``for``, each with the values of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import lark

from puzzlec.diagnostics import Span
from puzzlec.geometry import Lattice, find_lattice
from puzzlec.geometry.drawing import DrawingError, marks, rule_of
from puzzlec.language.drawing_errors import refuse_drawing, warn_of_uneven_rows
from puzzlec.language.expressions import (
    LOOP_VARIABLES,
    Expressions,
    Node,
    Scope,
    Tree,
    UnreadableValueError,
    spoken,
    variable,
)

#: Maximum number of iterations of all loops of a text together; they take a few seconds.
MAX_ITERATIONS = 500_000

#: Maximum number of ranges in one `for`.
MAX_RANGES = 50

#: Yields the scope of each iteration of one range of a loop, within the scope of the ranges before it.
_Range: TypeAlias = Callable[[Scope], Iterator[Scope]]

#: The condition of a loop, if it has one, and its ranges.
_Parts: TypeAlias = tuple[Tree | None, list[_Range]]


@dataclass
class Repetition:
    """Runs the loops of one text and counts their iterations."""

    expressions: Expressions
    #: The lattice of the puzzle. Its drawing rule reads drawings of digits that have as many coordinates as its cells.
    lattice: Lattice | None = None
    rounds: int = 0
    #: Iterations of loops in which another loop of the same `for` runs.
    outer: int = 0
    #: Loops with at least one iteration, by position; others are reported at the end.
    ran: dict[tuple[int, int], bool] = field(default_factory=dict)
    #: The parts of each loop, by the identity of its first tree.
    parts: dict[int, _Parts] = field(default_factory=dict)

    def each(self, loop: Sequence[Node], scope: Scope, span: Span) -> Iterator[Scope]:
        """Yield the scope of each iteration of a loop: ``loop`` has its `round` trees, and perhaps a `condition`.

        Raises UnreadableValueError if the loop cannot be computed, after reporting the reason.
        """
        condition, ranges = self._parts(loop, scope, span)
        place = span.start, span.end
        self.ran.setdefault(place, False)
        for inner in self._nested(ranges, scope, span):
            self.rounds += 1
            self._bound(self.rounds, span)
            if condition is None or self.expressions.truth(condition, inner):
                self.ran[place] = True
                yield inner

    def _parts(self, loop: Sequence[Node], scope: Scope, span: Span) -> _Parts:
        """Return the parts of a loop. It is checked once, however often it runs."""
        parts = self.parts.get(id(loop[0]))
        if parts is None:
            trees = [child for child in loop if isinstance(child, lark.Tree)]
            condition = next((tree.children[0] for tree in trees if tree.data == "condition"), None)
            assert not isinstance(condition, lark.Token)
            rounds = [tree for tree in trees if tree.data in ("round", "traced")]
            self._refuse_many(rounds, span)
            self._refuse_twice(rounds, scope)
            parts = self.parts[id(loop[0])] = condition, [self._range(tree, span) for tree in rounds]
        return parts

    def _refuse_many(self, rounds: list[Tree], span: Span) -> None:
        if len(rounds) > MAX_RANGES:
            self.expressions.report.add("PZ329", f"too many ranges in a `for` (limit {MAX_RANGES:,})", span)
            raise UnreadableValueError

    def _refuse_twice(self, rounds: list[Tree], scope: Scope) -> None:
        seen: set[str] = set()
        for loop_round in rounds:
            for token in loop_round.children:
                if isinstance(token, lark.Token) and token.type in LOOP_VARIABLES:
                    name = variable(token)
                    if name in scope or name in seen:
                        self.expressions.report.add(
                            "PZ330",
                            f"duplicate variable `{token}`",
                            self.expressions.span(token),
                            help="rename one of them",
                        )
                        raise UnreadableValueError
                    seen.add(name)

    def _nested(self, ranges: list[_Range], scope: Scope, span: Span) -> Iterator[Scope]:
        """Yield the scope of each iteration of nested loops."""
        running = [iter((scope,))]
        while running:
            inner = next(running[-1], None)
            if inner is None:
                running.pop()
            elif len(running) > len(ranges):
                yield inner
            else:
                if len(running) > 1:
                    # Without an iteration of the innermost loop these would not be counted.
                    self.outer += 1
                    self._bound(self.outer, span)
                running.append(ranges[len(running) - 1](inner))

    def _bound(self, rounds: int, span: Span) -> None:
        """Report too many iterations and stop."""
        if rounds > MAX_ITERATIONS:
            self.expressions.report.add(
                "PZ329",
                f"loops of the text have more than {MAX_ITERATIONS} iterations",
                span,
                "stopped here",
            )
            self.expressions.report.stop_on_errors()

    def _range(self, tree: Tree, span: Span) -> _Range:
        """Return the function that runs one range of a loop. What needs no scope is computed here, once."""
        if tree.data == "traced":
            return partial(self._traced, tree)
        token, values = tree.children
        assert isinstance(values, lark.Tree)
        name, number = variable(str(token)), self.expressions.number
        first, *last = [child for child in values.children if isinstance(child, lark.Tree)]

        def ranged(scope: Scope) -> Iterator[Scope]:
            low, high = number(first, scope), number(last[0], scope)
            self._bound(high - low + 1, span)  # before the first iteration, not after millions
            for value in range(low, high + 1):
                yield {**scope, name: value}

        def listed(scope: Scope) -> Iterator[Scope]:
            for child in first.children:
                yield {**scope, name: number(child, scope)}  # type: ignore[arg-type]

        def refused(_: Scope) -> Iterator[Scope]:
            place = self.expressions.span(first)
            lists = f"write a range such as `1..{place.text}`, or a list such as `({place.text})`"
            self.expressions.report.add("PZ328", "expected a range, found a number", place, help=lists)
            raise UnreadableValueError

        return ranged if last else listed if first.data == "bracketed" else refused

    def _traced(self, tree: Tree, scope: Scope) -> Iterator[Scope]:
        """Yield the digits of a drawing, each with its coordinates."""
        *tokens, drawing = tree.children
        assert isinstance(drawing, lark.Token)
        sign, *axes = [variable(str(token)) for token in tokens]
        if len(axes) > 3:
            self.expressions.report.add(
                "PZ312", "too many coordinates of a drawing (limit 3)", self.expressions.span(tokens[4])
            )
            raise UnreadableValueError
        base = (drawing.start_pos or 0) + 1
        try:
            text, lattice = str(drawing)[1:-1], self._drawn_on(len(axes))
            digits = marks(text, lattice)
            if (rule := rule_of(lattice)) and not rule.spaced:
                warn_of_uneven_rows(self.expressions.report, self.expressions.source, text, base)
        except DrawingError as error:
            wrong = self.expressions.source.span(base + error.start, base + error.end)
            refuse_drawing(self.expressions.report, self.expressions.source, error, drawing, wrong)
            raise UnreadableValueError from None
        for mark in digits:
            if not (mark.sign.isascii() and mark.sign.isdecimal()):
                self.expressions.report.add(
                    "PZ315",
                    f"unexpected character `{mark.sign}`: expected a digit or `.`",
                    self.expressions.source.span(base + mark.offset),
                    help="write a digit for a value, and `.` for no value",
                )
                raise UnreadableValueError
            yield {**scope, sign: int(mark.sign), **dict(zip(axes, mark.cell, strict=True))}

    def _drawn_on(self, coordinates: int) -> Lattice:
        """Return the lattice of a drawing of digits: the puzzle's own, or else squares or cubes."""
        rule = rule_of(self.lattice)
        if self.lattice is not None and rule is not None and rule.signs and self.lattice.coordinates == coordinates:
            return self.lattice
        return find_lattice(("line", "square", "cubic")[coordinates - 1])


def values_text(scope: Scope, outer: Scope) -> str:
    """Return the values of the variables in an iteration for a note: ``i = 1, j = 2``; "" outside of all loops.

    >>> values_text({"v_n": 8, "v_i": 1}, {"v_n": 8})
    'i = 1'
    """
    return ", ".join(f"{spoken(name)} = {value}" for name, value in scope.items() if name not in outer)
