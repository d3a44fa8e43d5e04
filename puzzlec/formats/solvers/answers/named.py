"""Files of solutions from integer-programming solvers: names of variables with their values.

Sources: HiGHS (https://ergo-code.github.io/HiGHS, "Solution file", raw and pretty) and Gurobi (https://docs.gurobi.com,
"Solution File Formats"). SCIP (https://www.scipopt.org, "reader_sol.h") and CBC (https://github.com/coin-or/Cbc). GLPK
(https://www.gnu.org/software/glpk, reference manual, "Routines for problem solution") has files to print (`glpsol -o`)
and to read (`glpsol -w`); HiGHS also writes these. CPLEX writes XML
(https://www.ibm.com/docs/en/icos/22.1.1?topic=cplex-sol-file-format-solution-files), one solution or a pool. An element
`CPLEXSolution` has a `header`, whose `solutionStatusString` is the status. Each `variable` has `name`, `index` (from 0)
and `value`. Missing variables are 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from puzzlec.diagnostics import Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solutions.claims import words_of
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said, Values, numbers_known


def statement(words: str) -> Ending | None:
    """Return the ending of a solver's status in words; None if there is a solution.

    >>> statement("Primal infeasible or unbounded"), statement("Optimal"), statement("Time limit reached")
    (<Ending.COMPLETE: 'complete'>, None, <Ending.UNKNOWN: 'unknown'>)
    """
    low = words.lower()
    if "intermediate" in low:  # GLPK has stopped at values that break a condition, which proves nothing
        return Ending.UNKNOWN
    if "infeasible" in low or "integer empty" in low:
        return Ending.COMPLETE
    if re.search(r"optimal|gap|solution limit|feasible|empty|objective (?:bound|target)", low):
        return None
    return Ending.UNKNOWN


class _Names:
    """Reads lines with the name of a variable and its value."""

    def __init__(self, lines: Lines, known: Known) -> None:
        self.lines, self.known = lines, known
        self.values: Values | None = None

    def take(self, line: Span, name: int, value: int, words: list[Span] | None = None) -> None:
        """Take a variable and its value, the words with these numbers. Default of ``words``: those of the line."""
        if self.values is None:
            self.begin(line)
        assert self.values is not None
        if words is None:
            if self.values.take_zero(line):
                return
            words = words_of(line)
        if len(words) <= value:
            self.values.report.add("PZ612", "expected the name of a variable and its value", line)
        else:
            self.values.value(words[name], words[value])

    def begin(self, line: Span) -> None:
        self.values = Values(self.known)
        self.values.span = line

    def model(self) -> Iterator[Model]:
        """Yield the current model, if there is one."""
        values, self.values = self.values, None
        if values is not None:
            assert values.span is not None
            yield values.model(values.span)

    def missing(self, at: Span | None, read: bool) -> Iterator[Model]:
        """Yield the error for a claimed solution that is missing."""
        if not read:
            values = Values(self.known)
            values.report.add("PZ616", "missing values of variables in this answer", at or self.lines.end)
            yield values.model(at or self.lines.end)


_CBC = re.compile(r"(.*?)\s+-\s+objective value\s+\S+\s*$", re.IGNORECASE)

#: A line of CBC: the number of a variable, after `**` if its value is out of bounds, its name, value and cost.
_NUMBERED = re.compile(r"(?:\*\*\s+)?[0-9]+\s")


def read_named(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solutions of a file of names and values, a line each, in the form of Gurobi, SCIP and CBC.

    Another solution begins at a comment of Gurobi with `Solution` or an objective, and at a status or an objective of
    SCIP or CBC.
    """
    names, skip, told = _Names(lines, known), False, False
    promised: Span | None = None
    for line in lines:
        text = line.text.strip()
        low = text.lower()
        status = _CBC.match(text) if "objective value" in low else None
        if text.startswith("#"):
            if re.match(r"#\s*(?:Solution|Objective value)", text):
                yield from names.model()
        elif status or low.startswith("solution status:"):
            yield from names.model()
            ending = statement(status[1] if status else text.partition(":")[2])
            if ending is not None:
                yield Said(ending, line)
            promised, told = None, told or status is not None or ending is not None
            # CBC stops with the best solution so far, or with values that are not a solution.
            skip = status is not None and (ending is Ending.COMPLETE or "no integer solution" in status[1])
            if status and not skip:
                names.begin(line)
        elif low.startswith("objective value:"):
            yield from names.model()
            names.begin(line)  # a solution of zeros has no lines
            promised, told = line, True
        elif low.startswith("no solution available"):
            told = True
        elif text and not skip and not text.startswith("=obj="):
            _take_line(names, line, text)
            told = True
    yield from names.model()
    yield from names.missing(promised, told)


def _take_line(names: _Names, line: Span, text: str) -> None:
    """Take a line with a name and a value."""
    if _NUMBERED.match(text):
        words = words_of(line)
        names.take(line, 1, 2, words[1:] if words[0].text == "**" else words)
        return
    names.take(line, 0, 1)
    # SCIP writes `(obj:1)` after a value.
    if text.count(" ") > 1 and len(words := words_of(line)) > 2 and not words[2].text.startswith("(") and names.values:
        names.values.report.add("PZ612", f"unexpected `{words[2].text[:40]}` after a value", words[2])


def read_highs(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solution of a file of HiGHS, raw or pretty: the part about columns, and the status."""
    return _Highs(lines, known).events()


class _Highs(_Names):
    """Reads a file of HiGHS: the meaning of a line depends on the heading before it."""

    def events(self) -> Iterator[Event]:
        part, columns, read = "", [], False
        said: Said | None = None
        primal: str | None = None
        for line in self.lines:
            text = line.text.strip()
            status = re.match(r"Model status\s*:\s*(.*)", text)
            if not text:
                part = "" if part == "pretty" else part
            elif status or part == "status":
                ending = statement(status[1] if status else text)
                said, part = (None if ending is None else Said(ending, line)), ""
                read = True
            elif text == "Model status":
                part = "status"
            elif text.startswith("#"):
                part = self._section(line, text, primal)
            elif part == "primal":
                primal, part = text, "objective"
            elif part == "columns":
                self.take(line, 0, 1)
            elif text in ("Columns", "Rows"):
                part = text
            elif part == "Columns" and text.startswith("Index"):
                columns, part = [word.start - line.start for word in words_of(line)], "pretty"
                ends = {word.text: word.end - line.start for word in words_of(line)}
                if not {"Primal", "Name"} <= ends.keys():
                    values = Values(self.known)
                    values.report.add("PZ612", "missing columns `Primal` and `Name` of this table", line)
                    yield values.model(line)
                    return
            elif part == "pretty":
                self._row(line, ends, columns)
        if said is not None:
            yield said
        if self.values is not None and (said is None or said.ending is not Ending.COMPLETE):
            yield from self.model()
        elif said is None:
            yield from self.missing(self.lines.end if not read else None, False)

    def _section(self, line: Span, text: str, primal: str | None) -> str:
        """Return the part that a line of the raw form begins; columns count only if they are feasible."""
        words = text[1:].split()
        part = {"Primal": "primal", "Columns": "columns"}.get(words[0] if words else "", "")
        if part == "columns" and (primal or "Feasible") != "Feasible":
            return ""
        if part == "columns":
            self.begin(line)
        return part

    def _row(self, line: Span, ends: dict[str, int], columns: list[int]) -> None:
        """Take a row of the table.

        The primal value ends in the same column as its heading, and the name is the last word.
        """
        words = words_of(line)
        value = next((word for word in words if word.start < ends["Primal"] <= word.end), None)
        name = words[-1] if words and words[-1].start >= columns[-1] else None
        if name is not None and value is None:
            return  # there is no solution, as the status shows
        self.take(line, 0, 1, [] if name is None or value is None else [name, value])


#: The letters of a status: o and f (there is a solution), n (there is none), u and i (unknown: with i the values break
#: a condition, which proves nothing).
_LETTERS: dict[str, Ending | None] = {
    "o": None,
    "f": None,
    "n": Ending.COMPLETE,
    "i": Ending.UNKNOWN,
    "u": Ending.UNKNOWN,
}


def read_glpk(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solution of a file of GLPK. The raw form has only the numbers of columns."""
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
                values.report.add("PZ612", f"unknown status `{letter[:40]}` of a solution", words[4])
            said = _LETTERS.get(letter)
        elif kind == "j" and len(words) >= 3:
            _column(values, words, start)
        elif kind == "e":
            ended = True
        elif kind not in ("c", "i") or (kind == "i" and len(words) < 3):
            values.report.add("PZ612", "expected a line of a solution of GLPK", line)
        if said is not None and start is not None and not values.report.errors:
            yield Said(said, start)
            return
    yield _whole(values, lines, start, "line `s` with the status", None if ended else "`e o f`")


def _column(values: Values, words: list[Span], start: Span | None) -> None:
    """Take a line `j NUMBER VALUE` (of an LP `j NUMBER STATUS VALUE DUAL`)."""
    column, known = words[1].text, values.known
    if not re.fullmatch(r"[0-9]{1,9}", column) or int(column) < 1:
        values.report.add("PZ612", f"expected the number of a column, found `{column[:40]}`", words[1])
    elif int(column) <= known.options:
        values.set_number(int(column) - 1, words[1], words[3] if len(words) >= 5 else words[2])
    elif start is not None and _is_beyond(int(column), start):
        values.report.add("PZ613", f"unknown column {column}", words[1], note=numbers_known(known))


def _is_beyond(column: int, start: Span) -> bool:
    """Whether a column is above the number on the first line. Auxiliary columns may follow the options."""
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
        elif part == "Column" and wrapped is not None:  # a long name is on a separate line
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
    yield _whole(values, lines, start, "line `Status:`", None if ended else "`End of output`")


def _whole(values: Values, lines: Lines, start: Span | None, status: str, missing: str | None) -> Model:
    """Return the model of a file of GLPK, whose status and last line must be there."""
    if start is None:
        values.report.add("PZ616", f"missing {status}", lines.end)
    elif missing:
        values.report.add("PZ616", f"unexpected end of file: missing the last line {missing}", lines.end)
    return values.model(start or lines.end)


def _activity(values: Values, name: Span, words: list[Span], line: Span) -> None:
    """Take the value after a name: `*` marks an integer, two letters are the status in a basis."""
    while words and (words[0].text == "*" or re.fullmatch(r"B|NL|NU|NF|NS", words[0].text)):
        words = words[1:]
    if words:
        values.value(name, words[0])
    else:
        values.report.add("PZ612", "expected the value of a column", line)


#: Deepest nesting of elements.
DEEPEST = 50


class _Element(NamedTuple):
    name: str
    attributes: dict[str, str]
    offset: int
    opens: bool


def read_cplex(lines: Lines, known: Known) -> Iterator[Event]:
    """Yield the solutions of an XML text of CPLEX.

    Raises PuzzleError for XML that is not well-formed, or defines a document type.
    """
    source = lines.whole()
    values: Values | None = None
    seen = False
    for element in _elements(source):
        at = source.span(element.offset, element.offset + 1 + len(element.name))
        if element.name == "CPLEXSolution" and not element.opens:
            if values is not None:
                yield values.model(values.span or at)
            values = None
        elif not element.opens:
            continue
        elif element.name == "CPLEXSolution":
            values, seen = Values(known), True
            values.span = at
        elif element.name == "header":
            words = element.attributes.get("solutionStatusString", "")
            ending = statement(words) if words else None
            if ending is not None:
                yield Said(ending, at)
                values, seen = None, True
        elif element.name == "variable":
            if values is None and not seen:  # only a list of variables, which is a form that SCIP reads
                values, seen = Values(known), True
                values.span = at
            if values is not None:
                _variable(values, element, at)
    if values is not None:
        yield values.model(values.span or source.end)
    elif not seen:
        raise fail("PZ616", "missing solution in this XML", source.end)


def _variable(values: Values, element: _Element, at: Span) -> None:
    """Take an element `variable`. Its index replaces a missing name."""
    said, name, index = (element.attributes.get(attribute) for attribute in ("value", "name", "index"))
    if said is None or (name is None and index is None):
        missing = "value" if said is None else "name"
        values.report.add("PZ612", f"missing attribute `{missing}` of this variable", at)
        return
    option: int | None
    if name is not None:
        option = values.option(name, at)
    elif not re.fullmatch("[0-9]{1,9}", index or ""):
        values.report.add("PZ612", f"invalid index `{(index or '')[:40]}` of a variable", at)
        return
    else:
        option = int(index or 0) if int(index or 0) < values.known.options else None
    if option is not None:
        values.set_number(option, at, at, said)


def _elements(source: Source) -> Iterator[_Element]:
    """Yield the beginnings and ends of the elements of an XML text, in order."""
    found: list[_Element] = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = False
    content = re.sub(r"^\s*<\?xml[^>]*\?>", lambda match: " " * len(match[0]), source.text).encode()
    same = len(content) == len(source.text)
    depth = 0

    def offset() -> int:
        return parser.CurrentByteIndex if same else len(content[: parser.CurrentByteIndex].decode("utf-8", "replace"))

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise fail("PZ612", f"XML elements are nested too deeply (limit {DEEPEST:,})", source.span(offset()))
        found.append(_Element(name, attributes, offset(), True))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        found.append(_Element(name, {}, offset(), False))

    def refuse(*_: object) -> None:
        start = max(source.text.find("<!DOCTYPE"), 0)
        raise fail("PZ612", "XML with a document type or entities is not allowed", source.span(start, start + 2))

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        for first in range(0, len(content), 1 << 16):
            parser.Parse(content[first : first + (1 << 16)], first + (1 << 16) >= len(content))
            yield from found
            found.clear()
    except expat.ExpatError as error:
        at = source.span(min(offset(), len(source.text) - 1))
        why = expat.ErrorString(error.code)
        code = "PZ616" if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS] else "PZ612"
        raise fail(code, f"invalid XML: {why}", at) from None
