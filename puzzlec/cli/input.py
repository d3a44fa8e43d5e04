"""Reading a puzzle for a command: its warnings are shown, its errors end the command."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from puzzlec.cli.arguments import parameter_values
from puzzlec.cli.terminal import report_all
from puzzlec.diagnostics import Report
from puzzlec.formats.reading import Level
from puzzlec.ir import Fitting
from puzzlec.lower import Encoding
from puzzlec.pipeline import compile, load


class Named(NamedTuple):
    """A puzzle as it is given on the command line, with what is said of how to read it."""

    name: str
    format: str | None = None
    board: str | None = None
    given: list[str] | None = None
    problem: str | None = None


def opened(
    name: str,
    format: str | None = None,
    board: str | None = None,
    given: list[str] | None = None,
    problem: str | None = None,
) -> Fitting:
    """Return the fitting of a puzzle given on the command line; print its warnings."""
    report = Report()
    what = load(name, format, board, report, parameter_values(given), problem)
    fitting = compile(what, "fitting", report)
    assert isinstance(fitting, Fitting)
    report_all(report.diagnostics)
    return fitting


def encoded(
    name: str,
    format: str | None = None,
    board: str | None = None,
    given: list[str] | None = None,
    problem: str | None = None,
    unsaid: Collection[str] = (),
) -> Encoding:
    """Return the exact cover of a puzzle given on the command line, with its meaning.

    Its warnings are printed, but for those whose codes are ``unsaid``.
    """
    report = Report()
    what = load(name, format, board, report, parameter_values(given), problem)
    encoding = compile(what, "cover", report)
    assert isinstance(encoding, Encoding)
    report_all([each for each in report.diagnostics if each.code not in unsaid])
    return encoding


def read_only(
    name: str,
    format: str | None = None,
    board: str | None = None,
    given: list[str] | None = None,
    problem: str | None = None,
    pieces_alone: bool = False,
) -> Level:
    """Return a puzzle given on the command line at the level of its format; print its warnings.

    With ``pieces_alone`` a file of pieces without a board is a puzzle without locations.
    """
    report = Report()
    what = load(name, format, board, report, parameter_values(given), problem, pieces_alone)
    report_all(report.diagnostics)
    return what
