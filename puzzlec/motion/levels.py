"""The level of a disassembly, as it is written: moves to the first separation, then to the next ones."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
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
_CONDITION = re.compile(r"\s*level\s*(>=|>|<=|<|!=|==?)\s*([0-9]{1,9}(?:\.[0-9]{1,9})*)\s*")
_MENTIONED = re.compile(r"\blevel\s*[<>=!]")


class LevelCondition(NamedTuple):
    """A condition on a level, such as ``level >= 5``: as many numbers are compared as the condition has."""

    relation: str
    numbers: Numbers

    def holds(self, level: Numbers) -> bool:
        """Return whether a level satisfies the condition.

        >>> [LevelCondition(">", (5,)).holds(level) for level in ((5, 4), (6,))]
        [False, True]
        """
        size = len(self.numbers)
        return _RELATIONS[self.relation]((level + (0,) * size)[:size], self.numbers)

    def __str__(self) -> str:
        return f"level {self.relation} {text(self.numbers)}"


def level_conditions(texts: Sequence[str]) -> tuple[list[LevelCondition], list[str]]:
    """Return the conditions on levels among some conditions, and the others.

    Raises PuzzleError (PZ639) for a condition on levels that is wrong, or that is a part of another one.

    >>> level_conditions(["level >= 5.4", "X on corner"])
    ([LevelCondition(relation='>=', numbers=(5, 4))], ['X on corner'])
    """
    found, others = [], []
    for text in texts:
        match = _CONDITION.fullmatch(text)
        if match is not None:
            relation = match[1].replace("==", "=")
            found.append(LevelCondition(relation, tuple(map(int, match[2].split(".")))))
        elif (mentioned := _MENTIONED.search(text)) is not None:
            span = Source("<condition>", text).span(mentioned.start(), mentioned.end())
            note = "a condition on the level is one comparison, such as `level >= 5` or `level < 5.4`"
            help = 'give each condition separately: `--where "level >= 5" --where "..."`'
            raise fail("PZ639", "cannot read the condition on `level`", span, note=note, help=help)
        else:
            others.append(text)
    return found, others


def level_words(conditions: Sequence[LevelCondition]) -> str:
    """Return conditions in words; without one, that a solution comes apart.

    >>> level_words([LevelCondition(">=", (5,))]), level_words([])
    ('level >= 5', 'it comes apart')
    """
    return " and ".join(map(str, conditions)) or "it comes apart"


def joined(first: int, larger: Numbers, smaller: Numbers, alike: bool) -> Numbers:
    """Return the level of a part from its moves to the first separation, and the levels of the two parts then.

    A part that comes apart by single moves is left out. The larger part comes first; if they are ``alike`` in size,
    the order with the lesser level does.

    >>> joined(98, (2, 4), (), False), joined(5, (1, 1), (1,), False)
    ((98, 2, 4), (5,))
    """
    one, two = (part if any(number > 1 for number in part) else () for part in (larger, smaller))
    return (first, *(min(one + two, two + one) if alike else one + two))


def text(numbers: Numbers) -> str:
    """Return a level as it is written.

    >>> text((98, 2, 4, 2))
    '98.2.4.2'
    """
    return ".".join(map(str, numbers)) or "0"
