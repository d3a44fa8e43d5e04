"""``puzzlec explain``: how puzzlec understands a puzzle, one stage of it, or the meaning of a code."""

from __future__ import annotations

import os
import re
import sys
from typing import Annotated, cast

import typer

from puzzlec import compiler, pipeline
from puzzlec.cli.arguments import Ascii, Named, ReadingOptions
from puzzlec.cli.candidates import Words, puzzles_and_files
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import (
    MODE,
    end,
    out,
    out_json,
    out_result,
    report_all,
    status_of,
    style,
    styled,
    width_of_prose,
)
from puzzlec.cli.texts.catalogue import entry_data, entry_lines
from puzzlec.cli.texts.overview import overview
from puzzlec.diagnostics import CODES, PuzzleError, Report
from puzzlec.engine.problem import ExactCover
from puzzlec.explaining.codes import error_page, is_code, rendered
from puzzlec.explaining.data import fitting_data
from puzzlec.explaining.explanation_data import explanation_data
from puzzlec.explaining.understanding import sections, understood
from puzzlec.explaining.understanding import told as told_text
from puzzlec.formats import catalogue
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.ir import Fitting
from puzzlec.show.terminal.style import Style

#: Wider than any line: lines for other programs are not broken.
UNBROKEN_COLUMNS = 10**6


def _puzzles_and_codes(incomplete: str) -> Words:
    """Return puzzles, and the codes of diagnostics if the beginning of one is typed."""
    is_code = incomplete and "PZ".startswith(incomplete[:2].upper())
    return [*((code, about.title) for code, about in CODES.items() if is_code), *puzzles_and_files(incomplete)]


def explain(
    puzzle: Annotated[
        str | None,
        Argument("File, `-`, name in the catalogue, or code such as PZ301.", "PUZZLE|CODE", offered=_puzzles_and_codes),
    ] = None,
    stage: Annotated[
        str | None,
        Option(f"Print this stage only: {', '.join(pipeline.EMITTED_STAGES)}.", "STAGE", words=pipeline.EMITTED_STAGES),
    ] = None,
    orientations: Annotated[bool, Option("Draw every orientation of every piece.")] = False,
    ascii: Ascii = False,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Describe a puzzle, or an error by its code.

    Draws the board and the pieces, and shows how puzzlec understands the puzzle, stage by stage, without solving it. A
    puzzle of the catalogue also has its counts, source, notes and tags. Without an argument, lists all codes.

    Examples:
        puzzlec explain soma
        puzzlec explain PZ301

    """
    if puzzle is not None and f"PZ{puzzle}" in CODES and not os.path.exists(puzzle):  # noqa: PTH110
        puzzle = f"PZ{puzzle}"
    if puzzle is None or is_code(puzzle):
        if stage is not None:
            raise typer.BadParameter("name a puzzle", param_hint="PUZZLE|CODE")
        _list_codes() if puzzle is None else _print_code(puzzle)
        return
    report, named = Report(), reading.of(puzzle)
    if stage is not None:
        text = pipeline.emit(
            puzzle,
            cast("pipeline.EmittedStage", stage),
            report=report,
            format=reading.source,
            board=reading.board,
            parameters=reading.given,
            problem=reading.problem,
        )
        out_json({"stage": stage, "text": text}) if MODE.json else sys.stdout.write(text)
    else:
        _describe(named, report, orientations, style(ascii))
    sys.stdout.flush()  # warnings come last in a pipe also
    if stage is not None or not report.errors:
        report_all(report.diagnostics)
    end(status_of(report.diagnostics))


def _describe(named: Named, report: Report, orientations: bool, look: Style) -> None:
    """Print the drawings of a puzzle, how it is understood, and its entry in the catalogue."""
    what = named.load(report, pieces_alone=True)
    # Another value of a parameter makes another puzzle, with other counts.
    entry = None if named.given or named.board or named.problem else catalogue.entry_of(named.puzzle)
    in_catalogue = {"catalogue": entry_data(entry) if entry else None}
    fitting = _drawable(what)
    if fitting is not None and not fitting.locations:
        out_json({**fitting_data(fitting), **in_catalogue}) if MODE.json else out(overview(fitting, look, orientations))
        return
    explanation = understood(what, report=report)
    text = told_text(explanation, UNBROKEN_COLUMNS if MODE.json else width_of_prose())
    if report.errors:  # the reason why there is no solution comes before the rest
        report_all(report.diagnostics)
    if MODE.json:
        out_json({**explanation_data(explanation), **in_catalogue, "sections": sections(text)})
        return
    if isinstance(what, ExactCover):
        from puzzlec.explaining.covers import show_cover

        out(show_cover(what) + "\n")
    if fitting is not None:
        out(overview(fitting, look, orientations) + "\n")
    out(re.sub(r"(?m)^\S.*$", lambda title: styled(title[0]), text))
    if entry is not None:
        out("\n" + "\n".join(entry_lines(entry, width_of_prose())))


def _drawable(what: AnyPuzzle) -> Fitting | None:
    """Return the puzzle to draw, None for an exact cover, and for a puzzle whose placements cannot be listed."""
    if isinstance(what, ExactCover):
        return None
    try:
        return compiler.compile(what, stage="fitting")
    except PuzzleError:
        return None  # the explanation has the errors


def _print_code(name: str) -> None:
    """Print the page of a code."""
    page = error_page(name)
    if MODE.json:
        code = name.upper()
        out_json({"code": code, **CODES[code]._asdict(), "severity": CODES[code].severity.value, "page": page})
    else:
        out(rendered(page, width_of_prose(), style().colour))


def _list_codes() -> None:
    """Print the meaning of each code."""
    for code, entry in CODES.items():
        data = {"code": code, **entry._asdict(), "severity": entry.severity.value}
        out_result(data, f"{code}  {entry.severity.value:<7}  {entry.title}")
