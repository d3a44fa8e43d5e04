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
from puzzlec.formats.solvers.answers.lines import Excerpt, Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said, Values

#: Lines that end the output, and statuses of the stream of messages.
_ENDINGS = {
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

_VALUES = {"true": True, "false": False, "1": True, "0": False}


def read_minizinc(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solutions of an output of MiniZinc, and its final status."""
    block: list[Span] = []
    for line in lines:
        text = line.text.strip()
        if text in _ENDINGS or text == "----------":
            if text == "----------" or any(line.text.strip() for line in block):
                yield _model(block, line, known, closed=text == "----------")
            block = []
            if text != "----------":
                yield Said(_ENDINGS[text], line)
        elif text.startswith("%"):
            if "time limit" in text.lower():
                yield Said(Ending.UNKNOWN, line)
        elif text.startswith('{"type"'):
            yield from _message(line, known)
        elif text and not (not block and text.startswith("Warning:")):
            block.append(line)
    if block:
        yield _model(block, lines.end, known, closed=False)


def _model(block: list[Span], end: Span, known: Known, closed: bool) -> Model:
    """Return the solution of some lines."""
    values = Values(known)
    span = block[0] if block else end
    if not closed:
        values.report.add(
            "PZ616", "unexpected end of file: missing the line `----------` after this solution", block[-1]
        )
    elif block:
        _text(values, _together(block))
    return values.model(span)


def _together(block: list[Span]) -> Source:
    """Return some lines as one source; skipped lines between them are empty there."""
    first = before = block[0].source.position(0)[0] - 1
    texts: list[str] = []
    for line in block:
        number = line.source.position(0)[0]
        texts += [""] * (number - before - 1) + [line.source.text]
        before = number
    return Excerpt(block[0].source.name, "\n".join(texts), before=first)


def _text(values: Values, source: Source) -> None:
    """Take a solution in one of the three forms."""
    if source.text.lstrip().startswith("{"):
        _json(values, source)
        return
    statements = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*=\s*([^;]*)(;?)|([^\n]+))")
    at = 0
    while source.text[at:].strip():
        match = statements.match(source.text, at)
        assert match is not None
        at = match.end()
        if match[1] is None:
            line = match[4].strip()
            span = source.span(match.start(4), match.start(4) + len(line))
            option = values.option(line, span)
            if option is not None:
                values.set(option, True, span)
        elif not match[3]:
            span = source.span(match.start(1), match.end(1))
            values.report.add(
                "PZ616", f"unexpected end of file: missing `;` after the value of `{match[1][:40]}`", span
            )
        elif match[1] == "x":
            _array(values, source, match.start(2), match[2])
        elif not re.match(r"[sy_]|objective", match[1]):
            span = source.span(match.start(1), match.end(1))
            values.report.add("PZ613", f"unknown array `{match[1][:40]}`", span, note="options are the array `x`")


def _array(values: Values, source: Source, start: int, text: str) -> None:
    """Take the array of all options: `[false, true]`, or `array1d(1..2, [false, true])`."""
    match = re.fullmatch(r"\s*(?:array1d\(\s*[^,\[]*,\s*)?\[([^\]]*)\]\s*\)?\s*", text)
    if match is None:
        at = source.span(start, start + max(1, len(text.rstrip())))
        values.report.add("PZ612", "expected an array of Booleans", at)
        return
    words = list(re.finditer(r"[^\s,]+", match[1]))
    begin = start + match.start(1)
    for option, word in enumerate(words[: values.known.options]):
        at = source.span(begin + word.start(), begin + word.end())
        if word[0] not in _VALUES:
            values.report.add("PZ612", f"expected true or false, found `{word[0][:40]}`", at)
        else:
            values.set(option, _VALUES[word[0]], at)
    _count(values, len(words), source.span(start, start + max(1, len(text.rstrip()))))


def _count(values: Values, number: int, at: Span) -> None:
    if number != values.known.options:
        values.report.add("PZ619", f"expected {values.known.options} values, one for each option, found {number}", at)


def _json(values: Values, source: Source) -> None:
    """Take a solution in JSON: an object with the array `x`, or with our output as a text."""
    start = len(source.text) - len(source.text.lstrip())
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        values.report.add("PZ612", f"invalid JSON: {error.msg[:1].lower()}{error.msg[1:]}", source.span(error.pos))
        return
    except (RecursionError, ValueError):
        values.report.add("PZ612", "cannot read this JSON", source.span(start))
        return
    _data(values, data, source.span(start, start + 1))


def _data(values: Values, data: object, at: Span, inside: bool = False) -> None:
    said = data.get("x") if isinstance(data, dict) else None
    if isinstance(data, dict) and not inside and said is None:
        texts = [part for part in (data.get("_output"), data.get("default"), data.get("dzn")) if isinstance(part, str)]
        if texts:
            _inner(values, texts[0], at)
            return
        parts = [part for part in (data.get("_output"), data.get("json")) if isinstance(part, dict)]
        if parts:
            _data(values, parts[0], at, inside=True)
            return
    if not isinstance(said, list):
        values.report.add("PZ612", 'missing array `"x"` in this object', at)
        return
    for option, value in enumerate(said[: values.known.options]):
        if not isinstance(value, bool) and value not in (0, 1):
            values.report.add("PZ612", f"expected true or false in the array, found `{json.dumps(value)[:40]}`", at)
        else:
            values.set(option, bool(value), at)
    _count(values, len(said), at)


def _inner(values: Values, text: str, at: Span) -> None:
    """Take a text within a message. Its errors are reported at the message."""
    inner = Values(values.known)
    _text(inner, Source(at.source.name, text))
    for diagnostic in inner.report.diagnostics:
        values.report.add(diagnostic.code, diagnostic.message, at, note=diagnostic.notes, help=diagnostic.helps)
    if not inner.report.errors:
        for option in inner.model(at).options:
            values.set(option, True, at)


def _message(line: Span, known: Known) -> Iterator[Event]:
    """Take a line of the stream of messages."""
    values = Values(known)
    try:
        data = json.loads(line.text)
    except (RecursionError, ValueError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else "cannot read it"
        place = line.source.span(line.start + (error.pos if isinstance(error, json.JSONDecodeError) else 0))
        values.report.add("PZ612", f"invalid JSON: {what[:1].lower()}{what[1:]}", place)
        yield values.model(line)
        return
    kind = data.get("type")
    if kind == "solution":
        _data(values, data.get("output"), line)
        yield values.model(line)
    elif kind == "status":
        ending = _ENDINGS.get(str(data.get("status")))
        if ending is not None:
            yield Said(ending, line)
    elif kind == "error":
        values.report.add("PZ612", f"MiniZinc reports an error: {str(data.get('message'))[:100]}", line)
        yield values.model(line)
