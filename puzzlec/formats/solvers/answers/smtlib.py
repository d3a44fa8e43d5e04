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
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Ending, EndingClaim, Event, Model, Values, refused

#: Deepest nesting of expressions.
MAX_DEPTH = 200

_TOKEN = re.compile(r'\s+|;[^\n]*|[()]|\|[^|]*\||"(?:[^"]|"")*"|[^\s()|";]+')

#: A word, or a list in parentheses, which begins with its opening parenthesis.
Expression: TypeAlias = "Span | list[Expression]"

#: Statuses without a model.
_ENDINGS = {
    "unsat": Ending.COMPLETE,
    "unknown": Ending.UNKNOWN,
    "timeout": Ending.UNKNOWN,
    "timeout.": Ending.UNKNOWN,
}

#: Words to skip, such as those of "cvc5 interrupted by timeout."
_PROSE = ("success", "unsupported", "cvc5", "interrupted", "by")


def read_smtlib(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the models of an answer of an SMT solver, one for each `sat`, and its other statuses.

    Raises PuzzleError for unmatched parentheses.
    """
    values: Values | None = None
    promised = False  # by `sat`, and no list has come
    for expression in _expressions(lines.whole()):
        word = _word(expression)
        if isinstance(expression, Span):
            yield from _model(values, promised)
            promised = word == "sat"
            values = Values(meaning, expression) if promised else None
            if word in _ENDINGS:
                yield EndingClaim(_ENDINGS[word], expression)
            elif not promised and word not in _PROSE:
                yield refused(expression, "PZ612", f"unexpected `{word[:40]}` in an answer of an SMT solver")
            continue
        parts = expression[1:]
        head = _word(parts[0]) if parts else ""
        if head == "error":
            if values is not None and promised:
                message = f"the solver reports an error instead of a model: {''.join(map(_word, parts[1:2]))[:80]}"
                values.report.add("PZ616", message, _start(expression))
            continue
        values, promised = values or Values(meaning, _start(expression)), False
        # Python prints a model without parentheses around it.
        whole = head.startswith(("define-", "declare-"))
        for part in [expression] if whole else parts[1:] if head == "model" else parts:
            _take(values, part)
    yield from _model(values, promised)


def _model(values: Values | None, promised: bool) -> Iterator[Model]:
    """Yield the model that ends, if there is one."""
    if values is None:
        return
    if promised and not values.report.errors:
        help = "add `(get-model)` after `(check-sat)`"
        values.report.add("PZ616", "missing model after `sat`", values.span, help=help)
    yield values.model()


def _word(expression: Expression) -> str:
    return expression.text if isinstance(expression, Span) else ""


def _start(expression: Expression) -> Span:
    return expression if isinstance(expression, Span) else _start(expression[0])


def _take(values: Values, part: Expression) -> None:
    """Take a definition, or a pair of a name and a value; an auxiliary variable may have any value."""
    parts = [] if isinstance(part, Span) else part[1:]
    head = _word(parts[0]) if parts else ""
    if head in ("declare-fun", "declare-sort", "forall", "declare-datatypes"):
        return
    if head in ("define-fun", "define-const", "define-fun-rec"):
        parts = [parts[1], parts[-1]] if len(parts) >= 4 else []
    if len(parts) != 2 or not isinstance(parts[0], Span):
        values.report.add("PZ612", "expected a definition, or a name and its value", _start(part))
        return
    name, word = parts[0], _word(parts[1]) or "(...)"
    option = values.option(name.text.strip("|"), name, compare=word != "false")
    if option is not None and word not in ("true", "false"):
        message = f"the value of variable {option + 1} must be true or false, found {word[:40]}"
        values.report.add("PZ614", message, _start(parts[1]))
    elif option is not None:
        values.set(option, word == "true", name)


def _expressions(source: Source) -> Iterator[Expression]:
    """Yield the expressions of a text one after the other."""
    open_: list[list[Expression]] = []
    at, text = 0, source.text
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            what = "name in bars" if text[at] == "|" else "text in quotes" if text[at] == '"' else "word"
            raise fail("PZ616", f"unexpected end of file: missing the end of this {what}", source.span(at))
        token, place, at = match[0], source.span(at, match.end()), match.end()
        if token.isspace() or token[0] == ";":
            continue
        done: Expression = place
        if token == "(":
            open_.append([place])
            if len(open_) > MAX_DEPTH:
                raise fail("PZ612", f"expressions are nested too deeply (limit {MAX_DEPTH:,})", place)
            continue
        if token == ")":
            if not open_:
                raise fail("PZ612", "unexpected `)`", place)
            done = open_.pop()
        if open_:
            open_[-1].append(done)
        else:
            yield done
    if open_:
        raise fail("PZ616", "unexpected end of file: missing `)` for this `(`", _start(open_[0]))
