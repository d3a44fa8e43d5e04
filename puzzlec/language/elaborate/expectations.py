"""Numbers that the author of a puzzle promises."""

from __future__ import annotations

import lark

from puzzlec.diagnostics import Span
from puzzlec.ir.puzzle import MAX_DIGITS, Expectation, Measure
from puzzlec.language.elaborate.context import Context
from puzzlec.language.expressions import Tree


def expect(context: Context, statement: Tree) -> None:
    """Add a promise that holds for these values of the parameters."""
    promise, *conditions = statement.children
    assert isinstance(promise, lark.Tree)
    if conditions:
        condition = conditions[0].children[0]  # type: ignore[union-attr]
        assert isinstance(condition, lark.Tree)
        holds = context.expressions.truth(condition, context.scope)
    else:
        holds = not context.parameters.changed
    made = _expectation(context, promise, context.span(promise if promise.children else statement))
    if made is None or not holds:
        return
    before = next((other for other in context.rules.expected if other.measure is made.measure), None)
    if before is not None:
        context.report.add(
            "PZ307",
            f"duplicate `expect` for the {TITLES[made.measure]}",
            made.span,
            "second promise",
            others=[(before.span, "first promise")],
            help="remove the second one",
        )
        return
    context.rules.expected.append(made)


#: The numbers in words.
TITLES = {
    Measure.DISTINCT: "number of distinct solutions",
    Measure.RAW: "number of raw solutions",
    Measure.ROTATIONS: "number of solutions up to rotations",
    Measure.PARTS: "number of solutions up to symmetries of parts",
    Measure.COMES_APART: "number of assemblies that come apart",
    Measure.MIN_COST: "lowest cost",
    Measure.MAX_COST: "highest cost",
    Measure.LEVEL: "best level",
    Measure.TURNS: "number of turns",
}


def _expectation(context: Context, promise: Tree, span: Span) -> Expectation | None:
    """Return the promise of a statement; report an impossible number."""
    tokens = {token.type: str(token) for token in promise.children if isinstance(token, lark.Token)}
    if promise.data == "open":
        return Expectation(None, span=span)
    if promise.data == "level":
        return Expectation(tokens["LEVEL"], Measure.LEVEL, span=span)
    measure = Measure(tokens.get("MEASURE", "distinct"))
    digits = tokens["INTEGER"]
    if len(digits) > MAX_DIGITS:
        context.report.add("PZ319", f"number is too large (limit {MAX_DIGITS} digits)", span)
        return None
    value = int(digits)
    if value < 0 and measure not in (Measure.MIN_COST, Measure.MAX_COST):
        context.report.add("PZ319", f"number must be at least 0, found {value}", span)
        return None
    return Expectation(value, measure, any(isinstance(child, lark.Tree) for child in promise.children), span)
