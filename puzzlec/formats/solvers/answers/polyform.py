"""Solutions that Polyform Puzzler (David Goodger, https://puzzler.sourceforge.io) prints: a line for each piece."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics.error import fail
from puzzlec.formats.polyform.solutions import lying, records
from puzzlec.formats.solutions.claims import Claim
from puzzlec.formats.solvers.answers.lines import Lines
from puzzlec.formats.solvers.answers.model import Event, Known, Model, faults_of
from puzzlec.formats.solvers.answers.notations import fitting_of


def read_records(lines: Lines, known: Known) -> Iterator[Event]:
    """Give the solutions of a text, whose cells must be locations of the puzzle, by the coordinates that they have.

    Raises PuzzleError where the text has no solution, or the puzzle no cells.
    """
    fitting, source = fitting_of(known, lines), lines.whole()
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise fail("PZ611", "this answer speaks of cells in space, but the puzzle has no lattice", file=lines.name)
    places = {each.at: number for number, each in enumerate(puzzle.locations)}
    pieces = {fitting.piece_name(number) for number in range(len(fitting.pieces))}
    found = records(source)
    if not found:
        raise fail("PZ616", "there is no solution in this text", source.end)
    for record in found:
        span = source.span(record.start, record.end)
        faults: list[Diagnostic] = []
        names: list[str | None] = [None] * fitting.locations
        with faults_of(faults) as report:
            for name, (cells, at) in lying(record, source, report)[1].items():
                if name not in pieces:
                    report.add("PZ603", f"the puzzle has no piece `{name}`", at)
                for cell, where in cells.items():
                    if cell in places:
                        names[places[cell]] = name
                    else:
                        report.add("PZ604", f"the puzzle has no location {','.join(map(str, cell))}", where)
        yield Model(span, claim=Claim(span, None, tuple(names)), faults=tuple(faults))
