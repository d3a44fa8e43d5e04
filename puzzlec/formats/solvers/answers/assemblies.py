"""Answers about pieces and locations: notations of ``puzzlec solve``, assemblies of BurrTools, and others.

The others are figures in Soma notation, and solutions that Polyform Puzzler (David Goodger,
https://puzzler.sourceforge.io) prints, a line for each piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.polyform.solutions import lying, records
from puzzlec.formats.solutions.claims import Claim, Laid, known_piece, read_claims
from puzzlec.formats.solvers.answers.lines import SourceLines
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Event, Model, faults_of
from puzzlec.formats.soma_figure import SIGNS, SomaFigure, copies_of, figures, signs_of
from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Fitting
from puzzlec.ir.fitting import pieces_named


def fitting_of(meaning: AnswerMeaning, lines: SourceLines) -> Fitting:
    """Return the fitting of an answer about pieces; raise PuzzleError if there is none."""
    if meaning.fitting is None:
        raise fail(
            "PZ611",
            "this answer is about pieces, but the puzzle is an exact cover without pieces",
            file=lines.name,
            help="give an answer with options or variables",
        )
    return meaning.fitting


def _read(lines: SourceLines, meaning: AnswerMeaning, notation: str) -> Iterator[Event]:
    """Yield the claimed solutions of a text in a notation of ``puzzlec solve``."""
    fitting, source = fitting_of(meaning, lines), lines.whole()
    for claim in read_claims(source, fitting, notation):
        yield Model(claim.span, claim=claim, faults=claim.faults)


read_jsonl = partial(_read, notation="jsonl")
read_list = partial(_read, notation="list")
read_orientations = partial(_read, notation="orientations")
read_locations = partial(_read, notation="locations")
read_states = partial(_read, notation="states")


def read_burrtools(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the assemblies in an XMPuzzle file for the problem that the puzzle was read from.

    Raises PuzzleError for an invalid file, and for a file without assemblies.
    """
    from puzzlec.formats.burrtools.stored import stored_assemblies

    fitting = fitting_of(meaning, lines)
    source = lines.whole()
    places, pieces = _places(fitting, lines), pieces_named(fitting)
    report = Report()
    stored = stored_assemblies(source, meaning.problem, report)
    several = next((diagnostic for diagnostic in report.diagnostics if diagnostic.code == "PZ298"), None)
    if not stored:
        raise _nothing_stored(source, meaning.problem)
    note = ""
    if several is not None:
        note = f"these are the assemblies of the first of {_problems(source)} problems: add `--problem` for another"
    for assembly in stored:
        faults: list[Diagnostic] = []
        laid = []
        with faults_of(faults) as report:
            for placed in assembly.placed:
                number = known_piece(placed.piece, pieces, assembly.span, report)
                covered = _covered(placed.piece, placed.cells, places, assembly.span, report)
                if number and covered is not None:
                    laid.append(Laid(placed.piece, number, None, covered))
        claim = Claim(assembly.span, tuple(laid))
        yield Model(assembly.span, claim=claim, faults=_noted(tuple(faults), note), note=note)
        note = ""


def _noted(faults: tuple[Diagnostic, ...], note: str) -> tuple[Diagnostic, ...]:
    """Return errors, the first with a note."""
    if not faults or not note:
        return faults
    return (replace(faults[0], notes=(*faults[0].notes, note)), *faults[1:])


def _problems(source: Source) -> int:
    """Return the number of problems in an XMPuzzle text."""
    return len(re.findall(r"<problem\b", source.text))


def _nothing_stored(source: Source, problem: str | None) -> PuzzleError:
    """Return the error for a problem without assemblies, which lists the problems that have some."""
    from puzzlec.formats.burrtools.stored import stored_assemblies

    counts = {}
    for number in range(1, _problems(source) + 1):
        with suppress(PuzzleError):
            counts[number] = len(stored_assemblies(source, str(number)))
    others = [f"problem {number} has {many}" for number, many in counts.items() if many]
    what = f"for problem {problem or 1}" if len(counts) > 1 else "in this file"
    help = "add `--problem`" if others else "solve it in BurrTools first"
    return fail("PZ616", f"missing stored assemblies {what}", source.span(0), note="; ".join(others) or (), help=help)


def read_figures(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of figures in Soma notation, wherever the figures are in space.

    Raises PuzzleError for a text without a figure.
    """
    fitting = fitting_of(meaning, lines)
    source = lines.whole()
    places, pieces = _places(fitting, lines), pieces_named(fitting)
    choices = figures(source)
    if not choices:
        raise fail("PZ616", "missing figure", source.end, help="begin each row of a figure with `/`")
    for figure in _meant(choices, meaning.problem):
        span = figure.span or source.span(0)
        faults: list[Diagnostic] = []
        names: list[str | None] = [None] * fitting.locations
        with faults_of(faults) as report:
            signs = signs_of(figure, source, report)
            shift = _shift(signs, places)
            for cell, (sign, at) in signs.items() if not report.errors else ():
                location = places.get(tuple(a + b for a, b in zip(cell, shift, strict=False)))
                if location is None or len(signs) != len(places):
                    note = f"it has {len(signs)} cells, the puzzle {len(places)} locations"
                    report.add("PZ619", "the figure and the puzzle have different shapes", span, note=note)
                    break
                if known_piece(SIGNS[sign], pieces, at, report):
                    names[location] = SIGNS[sign]
        reasons = () if faults else _slips(signs)
        yield Model(span, claim=Claim(span, None, tuple(names)), faults=tuple(faults), reasons=reasons)


def _meant(figures: list[SomaFigure], problem: str | None) -> list[SomaFigure]:
    """Return the figures that `--problem` selects, by number or name; without a match, all of them."""
    if problem is None or len({candidate.title for candidate in figures}) < 2:
        return figures
    low = problem.lower()
    called = [
        candidate
        for candidate in figures
        if low in (candidate.number.lower(), candidate.name.lower(), candidate.number[4:].lower())
    ]
    if not called and low.isascii() and low.isdecimal() and 1 <= int(low[:9]) <= len(figures):
        return [figures[int(low[:9]) - 1]]
    return called or figures


def _slips(signs: dict[Cell, tuple[str, Span]]) -> tuple[Diagnostic, ...]:
    """Return the reason why a figure is not a solution: the cells of a sign are not its piece."""
    slips, report = Report(), Report()
    with suppress(PuzzleError):
        copies_of(signs, find_lattice("cubic"), slips)
    if slips.diagnostics:
        first, *rest = slips.diagnostics
        others = [(other.span, other.message) for other in rest]
        message = f"not a solution: {first.message}"
        report.add("PZ617", message, first.span, others=others, note=first.notes, help=first.helps)
    return tuple(report.diagnostics)


def _shift(cells: dict[Cell, tuple[str, Span]], places: dict[Cell, int]) -> Sequence[int]:
    """Return the translation from the corner of a figure to that of the board; None for other dimensions."""
    if not cells or not places:
        return ()
    low, corner = map(min, zip(*places, strict=True)), map(min, zip(*cells, strict=True))
    return [to - at for to, at in zip(low, corner, strict=False)]


def _places(fitting: Fitting, lines: SourceLines) -> dict[Cell, int]:
    """Return the locations by their cells; raise PuzzleError if they have none."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise fail("PZ611", "this answer is about cells in space, but the puzzle has no lattice", file=lines.name)
    return {location.at: number for number, location in enumerate(puzzle.locations) if isinstance(location.at, tuple)}


def _covered(
    name: str, cells: Sequence[Cell], places: dict[Cell, int], at: Span, report: Report
) -> tuple[int, ...] | None:
    """Return the locations of cells; None after an error."""
    locations = [places.get(cell) for cell in cells]
    if None in locations:
        cell = ",".join(map(str, cells[locations.index(None)]))
        report.add("PZ604", f"unknown location {cell} of piece `{name}`", at)
        return None
    return tuple(sorted(candidate for candidate in locations if candidate is not None))


def read_records(lines: SourceLines, meaning: AnswerMeaning) -> Iterator[Event]:
    """Yield the solutions of a text, whose cells must be locations of the puzzle.

    Raises PuzzleError for a text without a solution, and for a puzzle without cells.
    """
    fitting, source = fitting_of(meaning, lines), lines.whole()
    places, pieces = _places(fitting, lines), pieces_named(fitting)
    solutions = records(source)
    if not solutions:
        raise fail("PZ616", "missing solutions in this text", source.end)
    for record in solutions:
        span = source.span(record.start, record.end)
        faults: list[Diagnostic] = []
        names: list[str | None] = [None] * fitting.locations
        with faults_of(faults) as report:
            for name, (cells, at) in lying(record, source, report)[1].items():
                if name not in pieces:
                    report.add("PZ603", f"unknown piece `{name}`", at)
                for cell, where in cells.items():
                    if cell in places:
                        names[places[cell]] = name
                    else:
                        report.add("PZ604", f"unknown location {','.join(map(str, cell))}", where)
        yield Model(span, claim=Claim(span, None, tuple(names)), faults=tuple(faults))
