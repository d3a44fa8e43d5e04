"""Conditions on how pieces meet and move: comparisons such as ``level >= 5.4``, and pairs such as ``touching A B``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import Source, Span, suggestion
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


class NumberComparison(NamedTuple):
    """A condition on a number, such as ``level >= 5``: as many parts are compared as the condition has."""

    name: str
    relation: str
    numbers: Numbers

    def holds(self, value: Numbers) -> bool:
        """Return whether a value satisfies the condition.

        >>> [NumberComparison("level", ">", (5,)).holds(level) for level in ((5, 4), (6,))]
        [False, True]
        """
        size = len(self.numbers)
        return _RELATIONS[self.relation]((value + (0,) * size)[:size], self.numbers)

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {'.'.join(map(str, self.numbers))}"


class Touch(NamedTuple):
    """A condition on pieces, as in a puzzle: two are ``touching``, or all of them, with their copies, are ``apart``."""

    name: str
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]

    def holds(self, pairs: Iterable[tuple[str, str]]) -> bool:
        """Return whether the condition holds if these pairs of pieces touch."""
        if self.name == "apart":
            return not any({*pair}.issubset(self.pieces) for pair in pairs)
        return any(sorted(pair) == sorted(self.pieces) for pair in pairs)

    def __str__(self) -> str:
        return f"{self.name} {' '.join(span.text for span in self.spans)}"


#: A condition on a number of a solution, or on pieces that touch.
SolutionCondition: TypeAlias = NumberComparison | Touch

_NAME = r'(?:"[^"]+"|(?!(?:inside|on|off|at|used|empty|covered|not|and|or|with)\b)[^\s"(){},=<>!]+)'
_TOUCH = re.compile(rf"\s*(?:touching\s+{_NAME}\s*,?\s*{_NAME}|apart\s+{_NAME}(?:\s*,?\s*{_NAME})*)\s*")


def comparisons(texts: Iterable[str], names: Sequence[str]) -> tuple[list[SolutionCondition], list[str]]:
    """Return the conditions on some numbers and on pieces that touch, among conditions, and the others.

    Raises PuzzleError (PZ639) for such a condition that is wrong, or that is a part of another one.

    >>> comparisons(["level >= 5.4", "X on corner"], ["level"])
    ([NumberComparison(name='level', relation='>=', numbers=(5, 4))], ['X on corner'])
    """
    compared: list[SolutionCondition] = []
    others = []
    for text in texts:
        condition = _touch(text) if _TOUCH.fullmatch(text) else _comparison(text, names)
        if condition is None:
            others.append(text)
        else:
            compared.append(condition)
    return compared, others


def _touch(text: str) -> Touch:
    """Return the condition on pieces that a text of this form is."""
    source = Source("<condition>", text)
    word, *pieces = [source.span(each.start(), each.end()) for each in re.finditer(r'"[^"]+"|[^\s,"]+', text)]
    return Touch(word.text, tuple([span.text.strip('"') for span in pieces]), tuple(pieces))


def _comparison(text: str, names: Sequence[str]) -> NumberComparison | None:
    """Return the comparison that a text is; None if it is a condition of another form."""
    source, match = Source("<condition>", text), _CONDITION.fullmatch(text)
    mentioned = re.search(rf"\b({'|'.join(names)})\s*[<>=!]", text)
    if match is None:
        if mentioned is None:
            return None
        name = mentioned[1]
        parts = text.split(" and ")
        parts = parts if '"' not in text and parts[1:] else [f"{name} >= 5", "..."]
        separately = " ".join([f'--where "{part.strip()}"' for part in parts])
        help = f"give each condition separately: `{separately}`"
        note = f"this condition is one comparison, such as `{name} >= 5`"
        span = source.span(mentioned.start(), mentioned.end())
        raise fail("PZ639", f"cannot read the condition on `{name}`", span, note=note, help=help)
    if mentioned is None:
        note = f"numbers of a solution are {', '.join(names)}"
        near = suggestion(match[1], names)
        raise fail("PZ639", f"unknown number `{match[1]}`", source.span(*match.span(1)), note=note, help=near)
    return NumberComparison(match[1], match[2].replace("==", "="), tuple(map(int, match[3].split("."))))


def words_of(conditions: Sequence[SolutionCondition]) -> str:
    """Return conditions in words."""
    return " and ".join(map(str, conditions))
