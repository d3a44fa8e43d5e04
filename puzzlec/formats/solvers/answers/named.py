"""Files of solutions that integer-programming solvers write, line by line: names of variables with their values.

HiGHS (https://ergo-code.github.io/HiGHS, "Solution file", raw and pretty), Gurobi
(https://docs.gurobi.com, "Solution File Formats"), SCIP (https://www.scipopt.org, "reader_sol.h") and CBC
(https://github.com/coin-or/Cbc). Variables that are not told are 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Span
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Ending, Event, Known, Model, Said, Values, words_of


def statement(words: str) -> Ending | None:
    """Return the ending that the status of a solver in words is; None where it has a solution.

    >>> statement("Primal infeasible or unbounded"), statement("Optimal"), statement("Time limit reached")
    (<Ending.COMPLETE: 'complete'>, None, <Ending.UNKNOWN: 'unknown'>)
    """
    low = words.lower()
    if "intermediate" in low:  # GLPK has stopped at values that break a condition: that says nothing
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
        """Take a variable and its value: the words of these numbers, which are those of the line if not given."""
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
        """Give the model that was read, if there is one."""
        values, self.values = self.values, None
        if values is not None:
            assert values.span is not None
            yield values.model(values.span)

    def missing(self, at: Span | None, read: bool) -> Iterator[Model]:
        """Give the fault that a solution was promised but is not told."""
        if not read:
            values = Values(self.known)
            values.report.add("PZ616", "there is no value of any variable in this answer", at or self.lines.end)
            yield values.model(at or self.lines.end)


_CBC = re.compile(r"(.*?)\s+-\s+objective value\s+\S+\s*$", re.IGNORECASE)

#: A line of CBC: the number of a variable, after `**` if its value is beyond its bounds, its name, value and cost.
_NUMBERED = re.compile(r"(?:\*\*\s+)?[0-9]+\s")


def read_named(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solutions of a file of names and values, a line each, as Gurobi, SCIP and CBC write it.

    Another solution begins at a remark of Gurobi with `Solution` or an objective, and at a status or an objective of
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
            # CBC stops with the best solution so far, or with values that are none.
            skip = status is not None and (ending is Ending.COMPLETE or "no integer solution" in status[1])
            if status and not skip:
                names.begin(line)
        elif low.startswith("objective value:"):
            yield from names.model()
            names.begin(line)  # a solution in which all is 0 has no line of its own
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
        names.values.report.add("PZ612", f"`{words[2].text[:40]}` stands behind a value", words[2])


def read_highs(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solution of a file of HiGHS, raw or pretty: the part about columns, and the status."""
    return _Highs(lines, known).events()


class _Highs(_Names):
    """Reads a file of HiGHS: what a line means depends on the heading before it."""

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
                words = text[1:].split()
                part = {"Primal": "primal", "Columns": "columns"}.get(words[0] if words else "", "")
                if part == "columns" and (primal or "Feasible") == "Feasible":
                    self.begin(line)
                elif part == "columns":
                    part = ""
            elif part == "primal":
                primal, part = text, "objective"
            elif part == "columns":
                self.take(line, 0, 1)
            elif text in ("Columns", "Rows"):
                part = text
            elif part == "Columns" and text.startswith("Index"):
                columns, part = [each.start - line.start for each in words_of(line)], "pretty"
                ends = {each.text: each.end - line.start for each in words_of(line)}
                if not {"Primal", "Name"} <= ends.keys():
                    values = Values(self.known)
                    values.report.add("PZ612", "this table has no columns `Primal` and `Name`", line)
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

    def _row(self, line: Span, ends: dict[str, int], columns: list[int]) -> None:
        """Take a row of the table: the primal value ends where its heading does, the name is the last word."""
        words = words_of(line)
        value = next((word for word in words if word.start < ends["Primal"] <= word.end), None)
        name = words[-1] if words and words[-1].start >= columns[-1] else None
        if name is not None and value is None:
            return  # there is no solution, and the status will say so
        self.take(line, 0, 1, [] if name is None or value is None else [name, value])
