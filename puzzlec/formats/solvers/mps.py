"""An exact cover as an integer program in free MPS format, column by column.

See https://docs.gurobi.com/projects/optimizer/en/current/reference/fileformats/modelformats.html: fields are separated
by spaces, and names have none.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice

from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import (
    MAX_NAME_CHARACTERS,
    ZERO_COLUMN,
    Columns,
    Constraint,
    constraints,
    groups,
    in_one_line,
    uses_of_items,
)
from puzzlec.lower.labels import Labelled


def write_mps(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of an integer program whose solutions are the covers, one to one.

    Columns and rows are those of :func:`.lp.write_lp`, with the same names, except that two different bounds of a row
    are one row with a range. The row ``obj`` to be minimised has the costs. The same cover gives the same text.
    """
    return gathered(f"{line}\n" for line in _lines(what))


def _lines(what: Labelled) -> Iterator[str]:
    columns = Columns(what)
    counted: list[Constraint] = []  # those that bound the uses of an item
    if title := in_one_line(what.title):
        yield f"* {title}"[:MAX_NAME_CHARACTERS]
    yield "* Which options cover each item as often as they must? A column of 1 is used."
    yield "NAME puzzlec FREE"
    yield "ROWS"
    yield " N obj"
    none = array("i")
    for row in constraints(what.cover):
        if not row.colour:
            counted.append(row._replace(plus=none, minus=none))
        yield f" {_sense(row)} {columns.row(row)}"
    yield "COLUMNS"
    yield " MARKER 'MARKER' 'INTORG'"
    yield from _options(what, columns, counted)
    yield from _auxiliaries(what, columns)
    if not len(what.cover):
        yield from _column(ZERO_COLUMN, [])
    yield " MARKER 'MARKER' 'INTEND'"
    yield "RHS"
    for row in counted:
        if bound := row.high if row.low is None else row.low:
            yield f" RHS {columns.row(row)} {bound}"
    ranges = [
        f" RANGE {columns.row(row)} {row.high - row.low}"
        for row in counted
        if _sense(row) == "G" and row.low is not None and row.high is not None
    ]
    if ranges:
        yield "RANGES"
    yield from ranges
    yield "BOUNDS"
    yield from (f" BV BOUND {name}" for name in columns.every())
    if not len(what.cover):
        yield f" FX BOUND {ZERO_COLUMN} 0"
    yield "ENDATA"


def _sense(row: Constraint) -> str:
    """Return the sense of a row: equal, at least, or at most; a range begins at the lower bound."""
    return "L" if row.low is None else "E" if row.low == row.high else "G"


def _options(what: Labelled, columns: Columns, counted: Iterable[Constraint]) -> Iterator[str]:
    """Yield the columns of the options: an entry in the row of each item, or in those of its colour."""
    cover = what.cover
    rows = {row.item: f" {columns.row(row)} 1" for row in counted}
    for option in range(len(cover)):
        entries = [f" obj {cover.costs[option]}"] if cover.costs and cover.costs[option] else []
        for item, colour in cover.entries(option):
            if colour and (item, colour) in columns.number:
                entries.append(f" {columns.row_of(item, colour)} 1")
                entries.append(f" {columns.row_of(item, colour, option + 1)} -1")
            elif item in rows:
                entries.append(rows[item])
        yield from _column(columns.name(option + 1), entries)


def _auxiliaries(what: Labelled, columns: Columns) -> Iterator[str]:
    """Yield a column for each colour of an item. It has entries in the row of the item and the rows of its colour."""
    if not columns.number:
        return
    for item, variables, colours in uses_of_items(what.cover):
        for colour, members in groups(variables, colours)[1]:
            if (item, colour) in columns.number:
                entries = [f" {columns.row_of(item)} 1", f" {columns.row_of(item, colour)} -1"]
                entries.extend(f" {columns.row_of(item, colour, member)} 1" for member in members)
                yield from _column(columns.name(columns.number[item, colour]), entries)


def _column(name: str, entries: list[str]) -> Iterator[str]:
    """Yield the lines of a column, two entries a line; one without rows is in the objective, with factor 0."""
    pairs = iter(entries or [" obj 0"])
    while pair := "".join(islice(pairs, 2)):
        yield f" {name}{pair}"


FORMAT = Format(
    "mps",
    (".mps",),
    "integer program, free MPS",
    stage="cover",
    write=write_mps,
    recognise=(Sign(350, r"\s*+(?:(?:\*[^\n]*+\s*+)*+NAME\b[^\n]*+\n(?:\*[^\n]*+\n)*+(?:ROWS|OBJSENSE)\b)"),),
    aliases=("glpk",),
    place=250,
    traits=("costs",),
    answers=("gurobi", "highs", "scip", "cbc", "glpk", "cplex", "vector", "names"),
)
