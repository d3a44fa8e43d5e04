"""What the compiler understood of a puzzle, and its words stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from puzzlec.compiler import PuzzleOrName, compile, load
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.engine.problem import ExactCover
from puzzlec.explaining.findings import Findings, found
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, place


def explain(
    what: PuzzleOrName,
    *,
    report: Report | None = None,
    format: str | None = None,
    board: str | Path | None = None,
    width: int = 80,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> str:
    r"""Return in words what the compiler understood of a puzzle, stage by stage, without a search.

    Warnings, errors of placing and reasons why there can be no solution go into the report. The text describes the
    stages before them. ``format``, ``board``, ``parameters`` and ``problem`` are as in :func:`load`, if ``what`` is a
    name.

    Raises:
        PuzzleError: If the text cannot be read.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> print(puzzlec.explain(puzzle).splitlines()[2].strip())
    locations  6, all to be covered

    """
    return told(
        understood(what, report=report, format=format, board=board, parameters=parameters, problem=problem), width
    )


def understood(
    what: PuzzleOrName,
    *,
    report: Report | None = None,
    format: str | None = None,
    board: str | Path | None = None,
    parameters: Mapping[str, int] | None = None,
    problem: str | None = None,
) -> Puzzle | Findings:
    """Return what :func:`explain` reports: the findings, or a puzzle whose placements cannot be listed."""
    from puzzlec.lower.impossibility import impossible

    report = report if report is not None else Report()
    if isinstance(what, (str, Path)):
        what = load(what, format=format, board=board, report=report, parameters=parameters, problem=problem)
    subject = compile(what) if isinstance(what, ExactCover) else what
    if isinstance(subject, Encoding) and not subject.raised:
        subject = subject.fitting
    assert not isinstance(subject, ExactCover)
    refuted = False
    with suppress(PuzzleError):  # the report has the errors
        if isinstance(subject, Puzzle):
            subject = place(subject, report)
        before = report.errors
        impossible(subject, report)
        refuted = report.errors > before
    return subject if isinstance(subject, Puzzle) else found(subject, refuted)


def told(subject: Puzzle | Findings, width: int = 80) -> str:
    """Return in words what was understood."""
    if not isinstance(subject, Puzzle) and subject.encoding.raised:
        from puzzlec.explaining.covers import explain_cover

        return explain_cover(subject, width)
    from puzzlec.explaining.explanation import explain as explained

    return explained(subject, width)


def sections(text: str) -> list[dict[str, Any]]:
    r"""Return the stages of an explanation: the title of each, and its lines.

    >>> sections("pieces\n  I\n  L\n\nforced\n  nothing")
    [{'title': 'pieces', 'lines': ['I', 'L']}, {'title': 'forced', 'lines': ['nothing']}]
    """
    blocks = [block.split("\n") for block in text.split("\n\n")]
    return [{"title": title, "lines": [line.removeprefix("  ") for line in lines]} for title, *lines in blocks]
