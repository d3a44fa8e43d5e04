r"""An exact cover as an integer program in the LP format of CPLEX, which most solvers read.

The text uses only what all of them accept: lines of less than 255 characters, one bound per row, at least one term in
the objective. Sources: https://www.ibm.com/docs/en/icos/22.1.2?topic=cplex-lp-file-format-algebraic-representation and
https://docs.gurobi.com/projects/optimizer/en/current/reference/fileformats/modelformats.html.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat

from puzzlec.formats.record import Format, Sign, WriterChoices, gathered
from puzzlec.formats.solvers.linear import (
    MAX_NAME_CHARACTERS,
    ZERO_COLUMN,
    Columns,
    Constraint,
    constraints,
    filled,
    in_one_line,
)
from puzzlec.lower.labels import Labelled

#: Width of lines, except those with two long names; 255 characters, the limit of some readers, always suffice.
_MAX_LINE_CHARACTERS = 120


def write_lp(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the text of an integer program whose solutions are the covers, one to one.

    The column ``x12_F_0.0_1.0`` is 1 if option 12, with this meaning, is used. A row ``c5_0.0`` bounds the uses of item
    5, in two rows if two bounds differ. A secondary item in a colour that several options give it is a column
    ``y70.red_0.0``, defined by separate rows. The objective is the sum of costs; without costs, there is nothing to
    minimise. The same cover gives the same text.
    """
    return gathered(f"{line}\n" for line in _lines(what))


def _lines(what: Labelled) -> Iterator[str]:
    cover, columns = what.cover, Columns(what)
    any_column = columns.name(1) if len(cover) else ZERO_COLUMN
    if title := in_one_line(what.title):
        yield f"\\ {title}"[:MAX_NAME_CHARACTERS]
    yield "\\ Which options cover each item as often as they must? A column of 1 is used."
    yield "Minimize"
    # All options in order: readers number their columns in this order, and know each of them before the rows.
    every = map(columns.name, range(1, len(cover) + 1)) if len(cover) else [ZERO_COLUMN]
    yield from filled(_objective(every, cover.costs or repeat(0)), _MAX_LINE_CHARACTERS, " obj: ", "  ")
    yield "Subject To"
    rows = 0
    for constraint in constraints(cover):
        yield from _rows(constraint, columns, any_column)
        rows += 1
    if not len(cover):
        yield f" {ZERO_COLUMN}: {ZERO_COLUMN} = 0"
    elif not rows:
        yield f" c0: {any_column} >= 0"  # some readers need at least one row
    yield "Binary"
    yield from (f" {name}" for name in (columns.every() if len(cover) else [ZERO_COLUMN]))
    yield "End"


def _rows(row: Constraint, columns: Columns, any_column: str) -> Iterator[str]:
    """Yield the lines of a constraint: a row, or one for each of two bounds."""
    if row.colour and len(row.plus) == len(row.minus) == 1:  # most rows, if there are colours
        line = f" {columns.row(row)}: {columns.name(row.plus[0])} - {columns.name(row.minus[0])} >= 0"
        if len(line) <= _MAX_LINE_CHARACTERS:
            yield line
            return
    bounds = [("", "=", row.low)]
    if row.low != row.high:
        both = row.low is not None and row.high is not None
        bounds = [("least" * both, ">=", row.low), ("most" * both, "<=", row.high)]
    for part, sign, bound in bounds:
        if bound is not None:
            terms = chain(_sum(map(columns.name, row.plus)), (f"- {columns.name(variable)}" for variable in row.minus))
            some = terms if row.plus or row.minus else (f"0 {any_column}",)
            yield from filled(some, _MAX_LINE_CHARACTERS, f" {columns.row(row, part)}: ", "  ", f" {sign} {bound}")


def _sum(names: Iterable[str]) -> Iterator[str]:
    """Yield the terms of a sum of columns."""
    sign = ""
    for name in names:
        yield f"{sign}{name}"
        sign = "+ "


def _objective(names: Iterable[str], costs: Iterable[int]) -> Iterator[str]:
    """Yield the terms of a sum of columns with factors."""
    sign = ""
    for name, cost in zip(names, costs, strict=False):
        yield f"{'- ' if cost < 0 else sign}{abs(cost)} {name}"
        sign = "+ "


FORMAT = Format(
    "lp",
    (".lp",),
    "integer program, CPLEX LP",
    stage="cover",
    write=write_lp,
    recognise=(Sign(340, r"\s*+(?:(?:\\[^\n]*+\s*+)*+(?i:minimi[sz]e|maximi[sz]e|minimum|maximum)[ \t]*\n)"),),
    aliases=("ilp", "mip", "cplex", "gurobi", "highs", "scip", "cbc"),
    place=240,
    traits=("costs",),
    answers=("gurobi", "highs", "scip", "cbc", "glpk", "cplex", "vector", "names"),
)
