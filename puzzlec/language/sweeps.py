"""The values of a sweep: texts such as ``n=3..6`` and ``m=1..n where m < n`` to all combinations of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.language.expressions import Expressions, Scope, UnreadableValueError, spoken, variable

#: Maximum number of combinations of values, including those that a condition refuses.
MAX_COMBINATIONS = 100_000

#: A name, its values, and perhaps a condition. A plain `-p n=12` also matches.
_TEXT = re.compile(r"\s*([^\W\d]\w*)\s*=(.*?)(?:\bwhere\b(.*))?", re.DOTALL)

#: An integer that needs no parser.
_PLAIN = re.compile(r"\s*-?[0-9]{1,9}\s*")


class _ExpressionText(NamedTuple):
    """An expression of a text, with the position of its first character."""

    text: str
    at: int

    def split(self, mark: str) -> list[_ExpressionText]:
        """Return the parts between the marks that are outside brackets."""
        depth, cuts = 0, [-len(mark)]
        for at, sign in enumerate(self.text):
            depth += (sign == "(") - (sign == ")")
            if not depth and self.text.startswith(mark, at):
                cuts.append(at)
        cuts.append(len(self.text))
        return [_ExpressionText(self.text[a + len(mark) : b], self.at + a + len(mark)) for a, b in pairwise(cuts)]


class _Parameter(NamedTuple):
    """A parameter with its values: each entry is a number or a range."""

    name: str
    span: Span
    values: list[list[_ExpressionText]]


def combinations(texts: Sequence[str], where: str = "") -> list[dict[str, int]]:
    """Return all combinations of the values in texts, where the values of the last text change fastest.

    A text is a name, ``=``, numbers and ranges separated by commas, and perhaps ``where`` with a condition. Numbers are
    expressions of the puzzle language, and may use the parameters before them. Conditions may use all parameters. The
    argument ``where`` is a further condition. Raises PuzzleError for a text that cannot be read, for too many
    combinations (PZ355), and for none (PZ359).

    >>> combinations(["n=3..5", "m=1..n where n % m == 0"])[:3]
    [{'n': 3, 'm': 1}, {'n': 3, 'm': 3}, {'n': 4, 'm': 1}]
    """
    return _Sweep([*texts, *([f"where {where}"] if where else [])]).combinations()


class _Sweep:
    """The parameters and the conditions of some texts, each text on a line of one source."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.source = Source("-p", "\n".join(" ".join(text.splitlines()) for text in texts))
        self.report = Report()
        self.expressions = Expressions(self.source, self.report)
        self.parameters: list[_Parameter] = []
        self.conditions: list[_ExpressionText] = []
        at = 0
        for line in self.source.text.split("\n"):
            self._read(line, at)
            at += len(line) + 1
        self.report.stop_on_errors()

    def _read(self, line: str, at: int) -> None:
        if line.startswith("where "):
            self.conditions.append(_ExpressionText(line[6:], at + 6))
            return
        match = _TEXT.fullmatch(line)
        if match is None:
            self.report.add(
                "PZ101", "expected a name, `=` and values", self.source.span(at, at + len(line)), help="write `n=3..6`"
            )
            return
        span = self.source.span(at + match.start(1), at + match.end(1))
        if any(variable(match[1]) == variable(parameter.name) for parameter in self.parameters):
            self.report.add(
                "PZ330", f"duplicate variable `{match[1]}`", span, help="write one list, such as `n=3,5..8`"
            )
        values = [part.split("..") for part in _ExpressionText(match[2], at + match.start(2)).split(",")]
        self.parameters.append(_Parameter(match[1], span, values))
        if match[3] is not None:
            self.conditions.append(_ExpressionText(match[3], at + match.start(3)))

    def combinations(self) -> list[dict[str, int]]:
        """Return the combinations that all conditions allow."""
        allowed, tried = [], 0
        try:
            for scope in self._scopes(0, {}):
                tried += 1
                self._bound(tried, self.parameters[-1].span)
                if all(self.expressions.truth_in(condition.text, condition.at, scope) for condition in self.conditions):
                    allowed.append({parameter.name: scope[variable(parameter.name)] for parameter in self.parameters})
        except UnreadableValueError:
            raise self.report.error() from None
        if not allowed:
            reason = "no combination of the values fulfils the condition" if tried else "a range ends below its start"
            backwards = re.fullmatch(r"(.*=)(-?[0-9]+)\.\.(-?[0-9]+)", self.source.text)
            help = f"write `{backwards[1]}{backwards[3]}..{backwards[2]}`" if backwards and not tried else ()
            whole = self.source.span(0, len(self.source.text))
            self.report.add("PZ359", "sweep has no values", whole, note=reason, help=help)
            self.report.stop_on_errors()
        return allowed

    def _scopes(self, depth: int, scope: Scope) -> Iterator[Scope]:
        if depth == len(self.parameters):
            yield scope
            return
        here = self.parameters[depth]
        for part in here.values:
            for value in self._values(part, here, scope):
                yield from self._scopes(depth + 1, {**scope, variable(here.name): value})

    def _values(self, ends: list[_ExpressionText], here: _Parameter, scope: Scope) -> range:
        """Return the values of a number or a range."""
        numbers = [self._number(end, scope) for end in ends]
        if len(numbers) > 2:
            self.report.add(
                "PZ101",
                "expected one `..` in a range",
                self.source.span(ends[2].at - 2, ends[2].at),
                help=f"for steps, write a condition: `{here.name}=1..9 where {here.name} % 2 == 1`",
            )
            raise UnreadableValueError
        self._bound(numbers[-1] - numbers[0] + 1, here.span)
        return range(numbers[0], numbers[-1] + 1)

    def _number(self, part: _ExpressionText, scope: Scope) -> int:
        if _PLAIN.fullmatch(part.text):
            return int(part.text)
        return self.expressions.number_in(f"{{{part.text}}}", part.at - 1, scope)

    def _bound(self, number: int, span: Span) -> None:
        if number > MAX_COMBINATIONS:
            name = spoken(variable(self.source.text[span.start : span.end]))
            self.report.add(
                "PZ355",
                f"too many values in a sweep (limit {MAX_COMBINATIONS:,})",
                span,
                note=f"`{name}` has {number} values"
                if number > MAX_COMBINATIONS + 1
                else "combinations that `where` excludes also count",
                help="divide the sweep into several",
            )
            raise UnreadableValueError
