"""Output of MiniZinc: solutions with a line `----------` after each, and `==========` when there are no more.

A solution has the form of the `output` item that puzzlec writes (a line `x12 F 0,0 1,0` for each option), the default
one (`x = [false, true];`), or JSON. With `--json-stream`, each line is a message. Described in the handbook of
MiniZinc, "FlatZinc and solver output" and "Machine-readable output" (https://docs.minizinc.dev).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from puzzlec.diagnostics import Source, Span
from puzzlec.formats.solvers.answers.lines import Excerpt, SourceLines
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Ending, EndingClaim, Event, Values

#: Lines after a solution (None) or at the end of the output, and statuses of the stream of messages.
_ENDINGS = {
    "----------": None,
    "==========": Ending.COMPLETE,
    "=====UNSATISFIABLE=====": Ending.COMPLETE,
    "=====UNKNOWN=====": Ending.UNKNOWN,
    "=====ERROR=====": Ending.UNKNOWN,
    "=====UNBOUNDED=====": Ending.UNKNOWN,
    "=====UNSATorUNBOUNDED=====": Ending.UNKNOWN,
    "ALL_SOLUTIONS": Ending.COMPLETE,
    "OPTIMAL_SOLUTION": Ending.COMPLETE,
    "UNSATISFIABLE": Ending.COMPLETE,
    "UNKNOWN": Ending.UNKNOWN,
    "ERROR": Ending.UNKNOWN,
    "UNBOUNDED": Ending.UNKNOWN,
    "UNSAT_OR_UNBOUNDED": Ending.UNKNOWN,
}

_STATEMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>[^;]*)(?P<end>;?)|(?P<line>\S[^\n]*)")

#: `[false, true]`, or `array1d(1..2, [false, true])`
_ARRAY = re.compile(r"(?:array1d\(\s*[^,\[]*,\s*)?\[([^\]]*)\]\s*\)?\s*")


def read_minizinc(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of an output of MiniZinc, and its final status."""
    block: list[Span] = []
    for line in lines:
        text = line.text.strip()
        if text in _ENDINGS:
            ending = _ENDINGS[text]
            if block or ending is None:
                yield from _block(block, line, meaning, closed=ending is None)
            block = []
            if ending is not None:
                yield EndingClaim(ending, line)
        elif text.startswith("%"):
            if "time limit" in text.lower():
                yield EndingClaim(Ending.UNKNOWN, line)
        elif text.startswith('{"type"'):
            yield from _message(line, meaning)
        elif text and (block or not text.startswith("Warning:")):
            block.append(line)
    if block:
        yield from _block(block, block[0], meaning, closed=False)


def _block(block: list[Span], end: Span, meaning: AnswerMeaning, closed: bool) -> Iterator[Event]:
    """Yield the solution of some lines; skipped lines between them are empty in its source."""
    values = Values(meaning, block[0] if block else end)
    if not closed:
        message = "unexpected end of file: missing the line `----------` after this solution"
        values.report.add("PZ616", message, block[-1])
    elif block:
        numbers = [line.source.position(0)[0] for line in block]
        texts = dict(zip(numbers, (line.source.text for line in block), strict=True))
        whole = "\n".join(texts.get(number, "") for number in range(numbers[0], numbers[-1] + 1))
        source = Excerpt(block[0].source.name, whole, before=numbers[0] - 1)
        if whole.lstrip().startswith("{"):
            _data(values, _json(values, source), block[0].source.span(len(whole) - len(whole.lstrip())))
        else:
            _statements(values, source)
    yield values.model()


def _statements(values: Values, source: Source, inside: Span | None = None) -> None:
    """Take the lines or the array of a solution. Errors in a text within a message are reported at the message."""
    for match in _STATEMENT.finditer(source.text):
        group = "line" if match["line"] else "name"
        word = match[group].rstrip()
        at = inside or source.span(match.start(group), match.start(group) + len(word))
        if match["line"]:
            option = values.option(word, at)
            if option is not None:
                values.set(option, True, at)
        elif not match["end"]:
            message = f"unexpected end of file: missing `;` after the value of `{word[:40]}`"
            values.report.add("PZ616", message, at)
        elif word == "x":
            start, array = match.start("value"), _ARRAY.fullmatch(match["value"])
            at = inside or source.span(start, start + max(1, len(match["value"].rstrip())))
            if array is None:
                values.report.add("PZ612", "expected an array of Booleans", at)
                continue
            start += array.start(1)
            parts = re.finditer(r"[^\s,]+", array[1])
            words = [(part[0], inside or source.span(start + part.start(), start + part.end())) for part in parts]
            values.array(words, at, exact=True)
        elif not re.match(r"[sy_]|objective", word):
            values.report.add("PZ613", f"unknown array `{word[:40]}`", at, note="options are the array `x`")


def _json(values: Values, source: Source) -> object:
    """Return the data of a text in JSON, None after an error."""
    try:
        return json.loads(source.text)
    except (RecursionError, ValueError) as error:
        what, at = "cannot read it", 0
        if isinstance(error, json.JSONDecodeError):
            what, at = error.msg[:1].lower() + error.msg[1:], error.pos
        values.report.add("PZ612", f"invalid JSON: {what}", source.span(at))
    return None


def _data(values: Values, data: object, at: Span) -> None:
    """Take a solution in JSON: an object with the array `x`, or with our output as a text."""
    if values.report.errors:
        return
    if isinstance(data, dict) and not isinstance(data.get("x"), list):
        parts = (data.get(name) for name in ("_output", "default", "dzn", "json"))
        data = next((part for part in parts if isinstance(part, str | dict)), None)
        if isinstance(data, str):
            _statements(values, Source(at.source.name, data), at)
            return
    array = data.get("x") if isinstance(data, dict) else None
    if isinstance(array, list):
        values.array([(json.dumps(value), at) for value in array], at, exact=True)
    else:
        values.report.add("PZ612", 'missing array `"x"` in this object', at)


def _message(line: Span, meaning: AnswerMeaning) -> Iterator[Event]:
    """Take a line of the stream of messages."""
    values = Values(meaning, line)
    data = _json(values, line.source)
    kind = data.get("type") if isinstance(data, dict) else None
    if isinstance(data, dict) and kind == "status":
        ending = _ENDINGS.get(str(data.get("status")))
        if ending is not None:
            yield EndingClaim(ending, line)
        return
    if isinstance(data, dict) and kind == "solution":
        _data(values, data.get("output"), line)
    elif isinstance(data, dict) and kind == "error":
        values.report.add("PZ612", f"MiniZinc reports an error: {str(data.get('message'))[:100]}", line)
    if kind == "solution" or values.report.errors:
        yield values.model()
