"""Output of SMT solvers: `sat`, `unsat` or `unknown`, and models as S-expressions.

Described in "The SMT-LIB Standard" (https://smt-lib.org), sections 4.1.7 and 4.2.6: the answer to `get-model` is a list
of `(define-fun NAME () Bool VALUE)`, with `model` before them in older solvers. The answer to `get-value` is a list of
pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from puzzlec.diagnostics import Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Said, Values

#: Deepest nesting of expressions.
DEEPEST = 200

_TOKEN = re.compile(r'\s+|;[^\n]*|[()]|\|[^|]*\||"(?:[^"]|"")*"|[^\s()|";]+')

Expression: TypeAlias = "Span | _List"


class _List:
    """An expression in parentheses, and its start."""

    def __init__(self, at: Span) -> None:
        self.at, self.parts = at, list[Expression]()


def read_smtlib(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the models of an answer of an SMT solver, one for each `sat`, and its other statuses.

    Raises PuzzleError for unmatched parentheses.
    """
    source = lines.whole()
    values: Values | None = None
    promised: Span | None = None
    missing = "missing model after `sat`"
    for expression in _expressions(source):
        if isinstance(expression, Span):
            if values is not None:
                yield values.model(values.span or expression)
            elif promised is not None:
                yield _fault(known, "PZ616", missing, promised, help=_ASK)
            values = promised = None
            if expression.text == "sat":
                promised = expression
            elif expression.text in ("unsat", "unknown", "timeout", "timeout."):
                yield Said(Ending.COMPLETE if expression.text == "unsat" else Ending.UNKNOWN, expression)
            elif expression.text not in _PROSE:
                yield _fault(
                    known, "PZ612", f"unexpected `{expression.text[:40]}` in an answer of an SMT solver", expression
                )
            continue
        head = expression.parts[0] if expression.parts else None
        if isinstance(head, Span) and head.text == "error":
            if promised is not None and values is None:
                words = (
                    expression.parts[1].text
                    if len(expression.parts) > 1 and isinstance(expression.parts[1], Span)
                    else ""
                )
                yield _fault(
                    known, "PZ616", f"the solver reports an error instead of a model: {words[:80]}", expression.at
                )
                promised = None
            continue
        if values is None:
            values = Values(known)
            values.span = promised or expression.at
            promised = None
        word = head.text if isinstance(head, Span) else ""
        if word.startswith(("define-", "declare-")):  # Python prints a model without parentheses around it
            _take(values, [expression])
        else:
            _take(values, expression.parts[1:] if word == "model" else expression.parts)
    if values is not None:
        yield values.model(values.span or source.end)
    elif promised is not None:
        yield _fault(known, "PZ616", missing, promised, help=_ASK)


#: Words to skip, such as those of "cvc5 interrupted by timeout."
_PROSE = ("success", "unsupported", "cvc5", "interrupted", "by")

_ASK = "add `(get-model)` after `(check-sat)`"


def _fault(known: Known, code: str, message: str, at: Span, help: str = "") -> Event:
    values = Values(known)
    values.report.add(code, message, at, help=(help,) if help else ())
    return values.model(at)


def _take(values: Values, parts: list[Expression]) -> None:
    """Take definitions, or pairs of a name and a value."""
    for part in parts:
        if not isinstance(part, _List) or not part.parts:
            place = part if isinstance(part, Span) else part.at
            values.report.add("PZ612", "expected a definition, or a name and its value", place)
            continue
        head = part.parts[0]
        if isinstance(head, Span) and head.text in ("define-fun", "define-const", "define-fun-rec"):
            _pair(values, part.parts[1:2] + part.parts[-1:] if len(part.parts) >= 4 else [], part.at)
        elif isinstance(head, Span) and head.text in ("declare-fun", "declare-sort", "forall", "declare-datatypes"):
            continue
        else:
            _pair(values, part.parts if len(part.parts) == 2 else [], part.at)


def _pair(values: Values, pair: list[Expression], at: Span) -> None:
    """Take a name and its value; an auxiliary variable may have any value."""
    if not pair or not isinstance(pair[0], Span):
        values.report.add("PZ612", "expected a name and its value", at)
        return
    name, said = pair
    assert isinstance(name, Span)
    word = said.text if isinstance(said, Span) else "(...)"
    option = values.option(name.text.strip("|"), name, compare=word != "false")
    if option is None:
        return
    if word not in ("true", "false"):
        place = said if isinstance(said, Span) else said.at
        values.report.add(
            "PZ614", f"the value of variable {option + 1} must be true or false, found {word[:40]}", place
        )
        return
    values.set(option, word == "true", name)


def _expressions(source: Source) -> Iterator[Expression]:
    """Yield the expressions of a text one after the other."""
    open_: list[_List] = []
    at = 0
    text = source.text
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            what = "name in bars" if text[at] == "|" else "text in quotes" if text[at] == '"' else "word"
            raise fail("PZ616", f"unexpected end of file: missing the end of this {what}", source.span(at))
        token, place, at = match[0], source.span(at, match.end()), match.end()
        if token[0] in " \t\n\r\f\v;" or token.isspace():
            continue
        if token == "(":
            open_.append(_List(place))
            if len(open_) > DEEPEST:
                raise fail("PZ612", f"expressions are nested too deeply (limit {DEEPEST:,})", place)
        elif token == ")":
            if not open_:
                raise fail("PZ612", "unexpected `)`", place)
            done = open_.pop()
            if open_:
                open_[-1].parts.append(done)
            else:
                yield done
        elif open_:
            open_[-1].parts.append(place)
        else:
            yield place
    if open_:
        raise fail("PZ616", "unexpected end of file: missing `)` for this `(`", open_[0].at)
