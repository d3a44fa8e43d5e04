"""Conditions that compare a number of a solution, such as ``level >= 5.4`` or ``crossroads = 0``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.error import fail

Numbers = tuple[int, ...]

#: The relations of a condition, with what each compares.
_RELATIONS: dict[str, Callable[[Numbers, Numbers], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "!=": operator.ne,
    "=": operator.eq,
}
_CONDITION = re.compile(r"\s*(\w+)\s*(>=|>|<=|<|!=|==?)\s*([0-9]{1,9}(?:\.[0-9]{1,9})*)\s*")


class Comparison(NamedTuple):
    """A condition on a number, such as ``level >= 5``: as many parts are compared as the condition has."""

    name: str
    relation: str
    numbers: Numbers

    def holds(self, value: Numbers) -> bool:
        """Return whether a value satisfies the condition.

        >>> [Comparison("level", ">", (5,)).holds(level) for level in ((5, 4), (6,))]
        [False, True]
        """
        size = len(self.numbers)
        return _RELATIONS[self.relation]((value + (0,) * size)[:size], self.numbers)

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {'.'.join(map(str, self.numbers))}"


def comparisons(texts: Iterable[str], names: Sequence[str]) -> tuple[list[Comparison], list[str]]:
    """Return the conditions on some numbers among conditions, and the others.

    Raises PuzzleError (PZ639) for such a condition that is wrong, or that is a part of another one.

    >>> comparisons(["level >= 5.4", "X on corner"], ["level"])
    ([Comparison(name='level', relation='>=', numbers=(5, 4))], ['X on corner'])
    """
    found, others = [], []
    for text in texts:
        match, mentioned = _CONDITION.fullmatch(text), re.search(rf"\b({'|'.join(names)})\s*[<>=!]", text)
        if mentioned is None:
            others.append(text)
            continue
        name = mentioned[1]
        if match is None:
            span = Source("<condition>", text).span(mentioned.start(), mentioned.end())
            help = f'give each condition separately: `--where "{name} >= 5" --where "..."`'
            note = f"this condition is one comparison, such as `{name} >= 5`"
            raise fail("PZ639", f"cannot read the condition on `{name}`", span, note=note, help=help)
        found.append(Comparison(name, match[2].replace("==", "="), tuple(map(int, match[3].split(".")))))
    return found, others


def words_of(conditions: Sequence[Comparison]) -> str:
    """Return conditions in words."""
    return " and ".join(map(str, conditions))
