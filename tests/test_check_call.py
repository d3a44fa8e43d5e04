"""``puzzlec.check`` with and without a report."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlec

FULL = 'puzzle "Two"\nlocations box 4x1\npiece D x2 { xx }\n'
SMALL = 'puzzle "Small"\nlocations box 3x1\npiece D x2 { xx }\n'


def test_a_puzzle_without_faults_gives_its_fitting() -> None:
    assert puzzlec.check(puzzlec.parse(FULL)).locations == 4


def test_without_a_report_reasons_are_raised_and_with_one_they_are_in_it() -> None:
    with pytest.raises(puzzlec.PuzzleError) as raised:
        puzzlec.check(puzzlec.parse(SMALL))
    report = puzzlec.Report()
    assert puzzlec.check(puzzlec.parse(SMALL), report=report).locations == 3
    assert raised.value.diagnostics == tuple(report.diagnostics)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ401"]


def test_warnings_alone_are_not_raised(tmp_path: Path) -> None:
    file = tmp_path / "stairs.puzzle"
    file.write_text("optional locations box 4x4\npiece S x2 {\n   xx\n  xx\n}\n", encoding="utf-8")
    report = puzzlec.Report()
    assert puzzlec.check(str(file), report=report) == puzzlec.check(str(file))
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in report.diagnostics] == [
        ("PZ348", puzzlec.Severity.WARNING)
    ]
