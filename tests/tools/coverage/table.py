"""The measured lines and branches, as a table of the stages."""

from __future__ import annotations

from pathlib import Path

import coverage
from coverage.results import Numbers

#: Packages whose folders each have one row.
PACKAGE = Path("puzzlec")


def table(measured: coverage.Coverage) -> str:
    """Return the numbers of lines and branches of each stage, and the shares that run."""
    stages: dict[str, Numbers] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        stage = path.relative_to(PACKAGE).parts[0]
        name = "engine/kernels" if path.is_relative_to(PACKAGE / "engine" / "kernels") else stage
        numbers = measured._analyze(str(path)).numbers
        for row in (name, "all"):
            stages[row] = stages.get(row, Numbers()) + numbers
    rows = ["| package | lines | run | branches | taken |", "|---|--:|--:|--:|--:|"]
    return "\n".join(
        rows + [_row(name, stages[name]) for name in sorted(stages, key=lambda title: (title == "all", title))]
    )


def _row(name: str, numbers: Numbers) -> str:
    lines = numbers.n_executed / numbers.n_statements if numbers.n_statements else 1
    taken = f"{numbers.n_executed_branches / numbers.n_branches:.1%}" if numbers.n_branches else ""
    return f"| {name} | {numbers.n_statements} | {lines:.1%} | {numbers.n_branches} | {taken} |"


def missing(measured: coverage.Coverage, within: str) -> str:
    """Return the lines that do not run, and the branches not taken, in files with a text in their path."""
    told = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if within in str(path):
            analysis = measured._analyze(str(path))
            if analysis.numbers.n_missing or analysis.numbers.n_missing_branches:
                told.append(f"{path}: {analysis.missing_formatted(branches=True)}")
    return "\n".join(told)
