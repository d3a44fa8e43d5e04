"""Files of solutions from integer-programming solvers: names of variables with their values.

Sources: HiGHS (https://ergo-code.github.io/HiGHS, "Solution file", raw and pretty) and Gurobi (https://docs.gurobi.com,
"Solution File Formats"). SCIP (https://www.scipopt.org, "reader_sol.h") and CBC (https://github.com/coin-or/Cbc). GLPK
(https://www.gnu.org/software/glpk, reference manual, "Routines for problem solution") has files to print (`glpsol -o`)
and to read (`glpsol -w`); HiGHS also writes these. CPLEX writes XML
(https://www.ibm.com/docs/en/icos/22.1.1?topic=cplex-sol-file-format-solution-files), one solution or a pool. An element
`CPLEXSolution` has a `header`, whose `solutionStatusString` is the status. Each `variable` has `name`, `index` (from 0)
and `value`. Missing variables are 0.

One loop reads the files with lines. What a line means is a :class:`LineForm` of a table for each form of file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial

from puzzlec.diagnostics import Diagnostic, PuzzleError, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import (
    AnswerMeaning,
    Ending,
    EndingClaim,
    Event,
    Model,
    Values,
    numbers_known,
)
from puzzlec.formats.xml_positions import XmlElement, read_xml


def statement(words: str) -> Ending | None:
    """Return the ending of a solver's status in words, or in a letter of GLPK; None if there is a solution.

    >>> statement("Primal infeasible or unbounded"), statement("Optimal"), statement("Time limit reached")
    (<Ending.COMPLETE: 'complete'>, None, <Ending.UNKNOWN: 'unknown'>)
    """
    low = words.lower()
    if "intermediate" in low:  # GLPK has stopped at values that break a condition, which proves nothing
        return Ending.UNKNOWN
    if low == "n" or "infeasible" in low or "integer empty" in low:
        return Ending.COMPLETE
    if re.search(r"optimal|gap|solution limit|feasible|empty|objective (?:bound|target)", low):
        return None
    return Ending.UNKNOWN


class LineMeaning(Enum):
    """The meaning of a line: it ends or begins a model, has a verdict on the only one, a value, or ends the file."""

    SKIPPED = 0
    END = 1
    BEGIN = 2
    VERDICT = 3
    VALUE = 4
    LAST = 5


class LineForm:
    """A form of a line without the spaces around it, the parts of a file that have it (None: all), and its meaning.

    Groups of the form are ``words`` of a status, ``name`` or ``column`` of a variable, its ``value``, and the number
    of columns, ``size``. The meaning may also be the message of an error, at the group ``at`` or on the whole line.
    ``then`` is the part that begins at this line.
    """

    def __init__(
        self, parts: str | None, form: str, meaning: LineMeaning | str = LineMeaning.SKIPPED, then: str | None = None
    ):
        self.parts = None if parts is None else parts.split(",")
        self.meaning, self.then = meaning, then
        self.match: Callable[[str], re.Match[str] | None] = re.compile(form).fullmatch


#: The part that follows a status without a solution, whose values mean nothing.
_OVER = "over"

_PAIR = r"(?P<name>\S+)\s+(?P<value>\S+)"
_EXPECTED = "expected the name of a variable and its value"
_NO_COLUMN = "expected the number of a column"
_COLUMN = r"(?P<column>0{0,8}[1-9][0-9]{0,8})"

#: Gurobi, SCIP and CBC, and any list of names and values. SCIP writes `(obj:1)` after a value. CBC writes the number of
#: a variable first, after `**` if its value is out of bounds, and the cost last.
_PLAIN = (
    LineForm(None, r"#\s*(?:Solution|Objective value).*", LineMeaning.END, ""),
    LineForm(None, r"#.*|=obj=.*|(?i:no solution available.*)|"),
    LineForm(None, r"(?i:(?P<words>.*no integer solution.*\S)\s+-\s+objective value\s+\S+)", LineMeaning.END, _OVER),
    LineForm(None, r"(?i:(?P<words>.*\S)\s+-\s+objective value\s+\S+)", LineMeaning.BEGIN, ""),
    LineForm(None, r"(?i:solution status:)\s*(?P<words>.*)", LineMeaning.END, ""),
    LineForm(None, r"(?i:objective value:.*)", LineMeaning.BEGIN, ""),
    LineForm("", rf"(?:\*\*\s+)?[0-9]+\s+{_PAIR}.*", LineMeaning.VALUE),
    LineForm("", r"(?:\*\*\s+)?[0-9]+\s.*", _EXPECTED),
    LineForm("", rf"{_PAIR}(?:\s+\(.*)?", LineMeaning.VALUE),
    LineForm("", rf"{_PAIR}\s+(?P<at>\S+).*", "unexpected text after a value"),
    LineForm("", ".+", _EXPECTED),
)

#: HiGHS, raw and pretty. The pretty form is a table: its value is missing if there is no solution.
_HIGHS = (
    LineForm("columns", rf"(?!#){_PAIR}.*", LineMeaning.VALUE),
    LineForm(
        "pretty",
        r"[0-9]+\s+(?:[A-Za-z]\S*\s+)?\S+\s+\S+\s+(?P<value>[-+.0-9]\S*)\s+(?:.*\s)?(?P<name>\S+)",
        LineMeaning.VALUE,
    ),
    LineForm("pretty", "", then=""),
    LineForm(None, r"Model status\s*:\s*(?P<words>.+)", LineMeaning.VERDICT, ""),
    LineForm(None, "Model status", then="status"),
    LineForm("status", "(?P<words>.+)", LineMeaning.VERDICT, ""),
    LineForm("values", "Feasible", then=""),
    LineForm("values", "(?!#).+", then=_OVER),
    LineForm(_OVER, "# Columns.*"),
    LineForm(None, "# Columns.*", LineMeaning.BEGIN, "columns"),
    LineForm(None, "# Primal.*", then="values"),
    LineForm(None, "#.*", then=""),
    LineForm(None, "Columns", then="heading"),
    LineForm(None, "Rows", then=""),
    LineForm("heading", r"Index\b.*\bPrimal\b.*\bName\b.*", then="pretty"),
    LineForm("heading", r"Index\b.*", "missing columns `Primal` and `Name` of this table", ""),
    LineForm("columns", ".+", _EXPECTED),
)

#: `glpsol -w`: `s bas ROWS COLUMNS PRIMAL DUAL VALUE` or `s mip ROWS COLUMNS STATUS VALUE`, and a line for each column,
#: `j NUMBER VALUE` (of an LP `j NUMBER STATUS VALUE DUAL`).
_GLPK_RAW = (
    LineForm("columns", rf"j\s+{_COLUMN}\s+\S+\s+(?P<value>\S+)\s+\S.*", LineMeaning.VALUE),
    LineForm("columns", rf"j\s+{_COLUMN}\s+(?P<value>\S+).*", LineMeaning.VALUE),
    LineForm("columns", r"j\s+(?P<at>\S+)\s+\S.*", _NO_COLUMN),
    LineForm(",columns", r"s\s+\S+\s+\S+\s+\S+\s+(?P<words>[niu])(?:\s.*)?", LineMeaning.END, _OVER),
    LineForm(",columns", r"s\s+\S+\s+\S+\s+(?P<size>\S+)\s+[of](?:\s.*)?", LineMeaning.BEGIN, "columns"),
    LineForm(",columns", r"s\s+\S+\s+\S+\s+\S+\s+(?P<at>\S+).*", "unknown status of a solution", "columns"),
    LineForm("columns", r"e(?:\s.*)?", LineMeaning.LAST),
    LineForm("columns", r"c(?:\s.*)?|i\s+\S+\s+\S.*|"),
    LineForm("columns", ".+", "expected a line of a solution of GLPK"),
)

#: `glpsol -o`: a table, in which a long name is on a separate line. `*` marks an integer, two letters are the status in
#: a basis.
_GLPK = (
    LineForm(None, r"Status:\s*(?:INTEGER )?(?:NON-)?(?:OPTIMAL|FEASIBLE)", LineMeaning.BEGIN, ""),
    LineForm(None, r"Status:\s*(?P<words>.*)", LineMeaning.END, _OVER),
    LineForm("", r"No\.\s+Column name.*", then="columns"),
    LineForm("columns", r"---.*"),
    LineForm("columns", "", then=""),
    LineForm(
        "columns", r"[0-9]+\s+(?P<name>\S+)\s+(?:(?:\*|B|NL|NU|NF|NS)\s+)?(?P<value>(?!(?:\*|B|NL|NU|NF|NS)$)\S+).*",
        LineMeaning.VALUE,
    ),
    LineForm("columns", r"[0-9]+\s+(?P<name>\S+)", LineMeaning.VALUE),
    LineForm("columns", r"(?:(?:\*|B|NL|NU|NF|NS)\s+)?(?P<value>[-+.0-9]\S*).*", LineMeaning.VALUE),
    LineForm("columns", ".+", "expected the number, the name and the value of a column"),
    LineForm("", "End of output", LineMeaning.LAST),
)  # fmt: skip


class _NamedReader:
    """Reads the lines of a file by a table. ``last`` is the last line, if a whole file must have it."""

    def __init__(self, meaning: AnswerMeaning, table: tuple[LineForm, ...], last: str = "") -> None:
        self.meaning, self.table, self.last = meaning, table, last
        self.values: Values | None = None
        self.name: Span | None = None
        self.size = str(meaning.options)

    def events(self, lines: SourceLines) -> Iterator[Event]:
        verdict, part, is_whole, follows = None, "", not self.last, False
        for line in lines:
            if follows and self.values is not None and self.values.take_zero(line):
                continue
            row, groups = self._row(part, line)
            if row is None:
                continue
            part = part if row.then is None else row.then
            follows = row.meaning is LineMeaning.VALUE and self.name is None
            said = statement(groups["words"].text) if "words" in groups else None
            match row.meaning:
                case LineMeaning.END | LineMeaning.BEGIN:
                    yield from self._model()
                    if said is not None:
                        yield EndingClaim(said, line)
                    if said is Ending.COMPLETE:
                        part = _OVER
                    elif row.meaning is LineMeaning.BEGIN:
                        self.values = Values(self.meaning, line)
                        self.size = groups["size"].text if "size" in groups else self.size
                case LineMeaning.VERDICT:
                    verdict = said and EndingClaim(said, line)
                case LineMeaning.LAST:
                    is_whole = True
                case LineMeaning.VALUE | str():
                    self._take(line, row.meaning, groups)
        if verdict is not None:
            yield verdict
            if verdict.ending is Ending.COMPLETE:
                return
        if self.values is not None and not is_whole:
            message = f"unexpected end of file: missing the last line `{self.last}`"
            self.values.report.add("PZ616", message, lines.end)
        yield from self._model()

    def _row(self, part: str, line: Span) -> tuple[LineForm | None, dict[str, Span]]:
        """Return the row of a line, None for a line without a meaning, and the groups of its form."""
        text = line.text.strip()
        for row in self.table:
            if (row.parts is None or part in row.parts) and (match := row.match(text)):
                start = line.start + len(line.text) - len(line.text.lstrip())
                return row, {
                    group: line.source.span(start + match.start(group), start + match.end(group))
                    for group, content in match.groupdict().items()
                    if content is not None
                }
        return None, {}

    def _model(self) -> Iterator[Model]:
        """Yield the current model, if there is one."""
        if self.values is not None:
            yield self.values.model()
        self.values = None

    def _take(self, line: Span, meaning: LineMeaning | str, groups: dict[str, Span]) -> None:
        """Take a variable and its value; of a name on a separate line, the value follows."""
        values = self.values = self.values or Values(self.meaning, line)
        column, value = groups.get("column"), groups.get("value")
        name, self.name = groups.get("name", self.name), None
        if isinstance(meaning, str):
            values.report.add("PZ612", meaning, groups.get("at", line))
        elif value is None:
            self.name = name
        elif column is None and name is not None:
            values.value(name, value)
        elif column is None:
            values.report.add("PZ612", _EXPECTED, line)
        elif int(column.text) <= self.meaning.options:
            values.set_number(int(column.text) - 1, column, value)
        elif not re.fullmatch(r"[0-9]{1,9}", self.size) or int(column.text) > int(self.size):
            # Auxiliary columns may follow the options.
            values.report.add("PZ613", f"unknown column {column.text}", column, note=numbers_known(self.meaning))


def _read(lines: SourceLines, meaning: AnswerMeaning, table: tuple[LineForm, ...]) -> Iterator[Event]:
    """Yield the solutions of a file of names and values, a line each, and its statuses."""
    return _NamedReader(meaning, table).events(lines)


read_named = partial(_read, table=_PLAIN)
read_highs = partial(_read, table=_HIGHS)


def read_glpk(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solution of a file of GLPK. The raw form has only the numbers of columns."""
    first = next((line.text.split()[0] for line in lines.peek(1000) if line.text.strip()), "")
    table, last = (_GLPK_RAW, "e o f") if first in ("c", "s") else (_GLPK, "End of output")
    return _NamedReader(meaning, table, last).events(lines)


def read_cplex(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of an XML text of CPLEX, or of a list of variables, which is a form that SCIP reads.

    Raises PuzzleError for XML that is not well-formed, or defines a document type.
    """
    source = lines.whole()
    try:
        root = read_xml(source, limit=MAX_XML_ELEMENTS, depth=MAX_XML_DEPTH)
    except PuzzleError as error:
        raise _invalid(source, error.diagnostics[0]) from None
    elements = list(root.walk())
    solutions = [element for element in elements if element.tag == "CPLEXSolution"]
    if not solutions and any(element.tag == "variable" for element in elements):
        solutions = [root]
    if not solutions:
        raise fail("PZ616", "missing solution in this XML", source.end)
    for solution in solutions:
        values = Values(meaning, solution.span)
        for element in solution.walk():
            words = element.attributes.get("solutionStatusString", "") if element.tag == "header" else ""
            if words and (ending := statement(words)) is not None:
                yield EndingClaim(ending, element.span)
                break
            if element.tag == "variable":
                _variable(values, element)
        else:
            yield values.model()


#: An answer of 256 MB has fewer.
MAX_XML_ELEMENTS = 8_000_000

#: Deepest nesting of elements.
MAX_XML_DEPTH = 50


def _invalid(source: Source, fault: Diagnostic) -> PuzzleError:
    """Return the error of an answer for an error of XML: a text that ends after a tag is incomplete."""
    if fault.span is None or fault.code not in ("PZ231", "PZ232"):
        return PuzzleError([fault])
    text = source.text.rstrip()
    cut = fault.span.start >= len(text) and text.endswith(">")
    return fail("PZ616" if cut else "PZ612", fault.message, source.span(min(fault.span.start, len(text))))


def _variable(values: Values, element: XmlElement) -> None:
    """Take an element `variable`. Its index replaces a missing name."""
    said, name, index = (element.attributes.get(attribute) for attribute in ("value", "name", "index"))
    if said is None or (name is None and index is None):
        missing = "value" if said is None else "name"
        values.report.add("PZ612", f"missing attribute `{missing}` of this variable", element.span)
    elif name is not None:
        option = values.option(name, element.span)
        if option is not None:
            values.set_number(option, element.span, element.span, said)
    elif index is None or not re.fullmatch("[0-9]{1,9}", index):
        values.report.add("PZ612", f"invalid index `{(index or '')[:40]}` of a variable", element.span)
    elif int(index) < values.meaning.options:
        values.set_number(int(index), element.span, element.span, said)
