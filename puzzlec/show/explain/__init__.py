"""The compiler's understanding of a puzzle, in words."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, place
from puzzlec.pipeline import Compiled, compile, load

if TYPE_CHECKING:
    from puzzlec.show.explain.findings import Findings


def explain(
    what: Compiled | str,
    report: Report | None = None,
    format: str | None = None,
    board: str | None = None,
    width: int = 80,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> str:
    """Return in words what the compiler understood of a puzzle, stage by stage, without a search.

    Warnings, errors of placing and reasons why there can be no solution go into the report. The text describes the
    stages before them. ``format``, ``board``, ``parameters`` and ``problem`` are as in :func:`load`, if ``what`` is a
    name. Raises PuzzleError if the text cannot be read.
    """
    return told(understood(what, report, format, board, parameters, problem), width)


def understood(
    what: Compiled | str,
    report: Report | None = None,
    format: str | None = None,
    board: str | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> Puzzle | Findings:
    """Return what :func:`explain` reports: the findings, or a puzzle whose placements cannot be listed."""
    from puzzlec.lower import impossible
    from puzzlec.show.explain.findings import found

    report = report if report is not None else Report()
    if isinstance(what, str):
        what = load(what, format, board, report, parameters, problem)
    known = compile(what, "cover") if isinstance(what, ExactCover) else what
    if isinstance(known, Encoding) and not known.raised:
        known = known.fitting
    assert not isinstance(known, ExactCover)
    refuted = False
    with suppress(PuzzleError):  # the report has the errors
        if isinstance(known, Puzzle):
            known = place(known, report)
        before = report.errors
        impossible(known, report)
        refuted = report.errors > before
    return known if isinstance(known, Puzzle) else found(known, refuted)


def told(known: Puzzle | Findings, width: int = 80) -> str:
    """Return in words what was understood."""
    if not isinstance(known, Puzzle) and known.encoding.raised:
        from puzzlec.show.explain.covers import explain_cover

        return explain_cover(known, width)
    from puzzlec.show.explain.explanation import explain as explained

    return explained(known, width)
