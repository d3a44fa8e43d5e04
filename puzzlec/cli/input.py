"""Reading a puzzle for a command: its warnings are shown, its errors end the command."""

from __future__ import annotations

from puzzlec.cli.arguments import parameter_values
from puzzlec.cli.terminal import report_all
from puzzlec.diagnostics import Report
from puzzlec.ir import Fitting, Puzzle
from puzzlec.pipeline import compile, load


def opened(name: str, format: str | None = None, board: str | None = None, given: list[str] | None = None) -> Fitting:
    """Return the fitting of a puzzle given on the command line; print its warnings."""
    report = Report()
    what = load(name, format, board, report, parameter_values(given))
    fitting = compile(what, "fitting", report)
    assert isinstance(fitting, Fitting)
    report_all(report.diagnostics)
    return fitting


def read_only(
    name: str, format: str | None = None, board: str | None = None, given: list[str] | None = None
) -> Puzzle | Fitting:
    """Return a puzzle given on the command line at the level of its format; print its warnings."""
    report = Report()
    what = load(name, format, board, report, parameter_values(given))
    report_all(report.diagnostics)
    return what
