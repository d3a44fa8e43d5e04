"""The meaning of a formula about covers, as a reference."""

from __future__ import annotations

from collections.abc import Collection

from puzzlec.solving.conditions import Every, Formula, Some, Without


def holds(formula: Formula, chosen: Collection[int]) -> bool:
    """Whether a formula holds for the options of a cover.

    >>> holds(Every((Some(frozenset({1, 2})), Without(Some(frozenset({5}))))), {0, 2, 4})
    True
    """
    if isinstance(formula, Some):
        return not formula.options.isdisjoint(chosen)
    if isinstance(formula, Without):
        return not holds(formula.of, chosen)
    if isinstance(formula, Every):
        return all(holds(part, chosen) for part in formula.parts)
    return any(holds(part, chosen) for part in formula.parts)
