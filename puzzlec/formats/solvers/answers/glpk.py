"""Files of solutions that GLPK writes: those to print (`glpsol -o`) and those to read (`glpsol -w`).

Described in the reference manual of GLPK, "Routines for problem solution" (https://www.gnu.org/software/glpk). HiGHS
writes them, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Span
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Said, Values, numbers_known, words_of
from puzzlec.formats.solvers.answers.named import statement

#: What a letter for the status of a solution says: o and f (there is one), n (there is none), u and i (not known:
#: with i the values break a condition, which is no proof).
_LETTERS: dict[str, Ending | None] = {
    "o": None,
    "f": None,
    "n": Ending.COMPLETE,
    "i": Ending.UNKNOWN,
    "u": Ending.UNKNOWN,
}


def read_glpk(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solution of a file of GLPK. The raw form tells columns by their numbers alone."""
    first = next((line.text.split()[:1] for line in lines.peek(1000) if line.text.strip()), [])
    return _raw(lines, known) if first and first[0] in ("c", "s") else _printed(lines, known)


def _raw(lines: Lines, known: Known) -> Iterator[Event]:
    values, ended = Values(known), False
    said: Ending | None = None
    start: Span | None = None
    for line in lines:
        words = words_of(line) if line.text.strip() else []
        kind = words[0].text if words else "c"
        if kind == "s" and len(words) >= 5:
            start = line
            # `s bas ROWS COLUMNS PRIMAL DUAL VALUE`, `s mip ROWS COLUMNS STATUS VALUE`
            letter = words[4].text
            if letter not in _LETTERS:
                values.report.add("PZ612", f"`{letter[:40]}` is no status of a solution", words[4])
            said = _LETTERS.get(letter)
        elif kind == "j" and len(words) >= 3:
            _column(values, words, start)
        elif kind == "e":
            ended = True
        elif kind not in ("c", "i") or (kind == "i" and len(words) < 3):
            values.report.add("PZ612", "no line of a solution of GLPK", line)
        if said is not None and start is not None and not values.report.errors:
            yield Said(said, start)
            return
    if start is None:
        values.report.add("PZ616", "there is no line `s` with the status", lines.end)
    elif not ended:
        values.report.add("PZ616", "this answer breaks off: its last line is not `e o f`", lines.end)
    yield values.model(start or lines.end)


def _column(values: Values, words: list[Span], start: Span | None) -> None:
    """Take a line `j NUMBER VALUE` (of an LP `j NUMBER STATUS VALUE DUAL`)."""
    column, known = words[1].text, values.known
    if not re.fullmatch(r"[0-9]{1,9}", column) or int(column) < 1:
        values.report.add("PZ612", f"`{column[:40]}` is no number of a column", words[1])
    elif int(column) <= known.options:
        values.set_number(int(column) - 1, words[1], words[3] if len(words) >= 5 else words[2])
    elif start is not None and _is_beyond(int(column), start):
        values.report.add("PZ613", f"there is no column {column}", words[1], note=numbers_known(known))


def _is_beyond(column: int, start: Span) -> bool:
    """Whether a column is none of those that the first line counts; there can be auxiliary ones behind the options."""
    counted = start.text.split()[3]
    return not re.fullmatch(r"[0-9]{1,9}", counted) or column > int(counted)


def _printed(lines: Lines, known: Known) -> Iterator[Event]:
    values, part, ended, wrapped = Values(known), "", False, None
    start: Span | None = None
    for line in lines:
        text = line.text.strip()
        if text.startswith("Status:"):
            start = line
            ending = statement(text.partition(":")[2])
            if text.endswith("UNDEFINED") or "UNBOUNDED" in text:
                ending = Ending.UNKNOWN
            if ending is not None:
                yield Said(ending, line)
                return
        elif re.match(r"No\.\s+(Row|Column) name", text):
            part = text.split()[1]
        elif text.startswith("---"):
            continue
        elif text == "End of output":
            ended = True
        elif not text:
            part = "" if part != "Row" and values.named else part
        elif part == "Column" and wrapped is not None:  # a long name stands on a line of its own
            words = words_of(line)
            _activity(values, wrapped, words, line)
            wrapped = None
        elif part == "Column":
            words = words_of(line)
            if not re.fullmatch("[0-9]+", words[0].text) or len(words) < 2:
                values.report.add("PZ612", "expected the number, the name and the value of a column", line)
            elif len(words) == 2:
                wrapped = words[1]
            else:
                _activity(values, words[1], words[2:], line)
    if start is None:
        values.report.add("PZ616", "there is no line `Status:`", lines.end)
    elif not ended:
        values.report.add("PZ616", "this answer breaks off: its last line is not `End of output`", lines.end)
    yield values.model(start or lines.end)


def _activity(values: Values, name: Span, words: list[Span], line: Span) -> None:
    """Take the value behind a name: `*` says that the variable is an integer, two letters how it stands in a basis."""
    while words and (words[0].text == "*" or re.fullmatch(r"B|NL|NU|NF|NS", words[0].text)):
        words = words[1:]
    if words:
        values.value(name, words[0])
    else:
        values.report.add("PZ612", "expected the value of a column", line)
