"""How each item is covered, said by options alone: for formats that have sums and "or", and need no other variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solvers.linear import groups, uses_of_items


class Use(NamedTuple):
    """An item is covered ``low`` to ``high`` times; ``high`` is None where there is no bound that matters.

    Each of ``alone``, variables of options, covers it once. So does each of ``shades``, those that give a secondary
    item one colour, however many of them are true.
    """

    item: int
    low: int
    high: int | None
    alone: Sequence[int]
    shades: Sequence[Sequence[int]] = ()


def uses(cover: ExactCover) -> Iterator[Use]:
    """Give the use of each item of a cover that not every set of options keeps, in their order.

    >>> cover = ExactCover.from_rows([[0], [0, (1, 2)], [0, (1, 2)], [0, (1, 3)]], primary=1, secondary=1)
    >>> for use in uses(cover):
    ...     print(use.item, use.low, use.high, list(use.alone), list(map(list, use.shades)))
    0 1 1 [1, 2, 3, 4] []
    1 0 1 [4] [[2, 3]]
    """
    for item, variables, colours in uses_of_items(cover):
        alone, shades = groups(variables, colours)
        low, high = (cover.low[item], cover.high[item]) if item < cover.primary else (0, 1)
        # A colour that one option has is like none.
        several = [members for _, members in shades if len(members) > 1]
        single = [members[0] for _, members in shades if len(members) == 1]
        kept = low == high or high < len(alone) + len(shades)
        if low or kept:
            yield Use(item, low, high if kept else None, sorted([*alone, *single]) if single else alone, several)
