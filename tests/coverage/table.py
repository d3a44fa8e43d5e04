"""What was measured, as a table of the stages."""

from __future__ import annotations

from pathlib import Path

import coverage
from coverage.results import Numbers

#: Of these all files in a folder are one row.
PACKAGE = Path("puzzlec")


def table(measured: coverage.Coverage) -> str:
    """Return for each stage how many lines and branches it has, and the shares that are run."""
    stages: dict[str, Numbers] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        stage = path.relative_to(PACKAGE).parts[0]
        name = "engine/kernels" if path.is_relative_to(PACKAGE / "engine" / "kernels") else stage
        numbers = measured._analyze(str(path)).numbers
        for row in (name, "all"):
            stages[row] = stages.get(row, Numbers()) + numbers
    rows = ["| package | lines | run | branches | taken |", "|---|--:|--:|--:|--:|"]
    return "\n".join(
        rows + [_row(name, stages[name]) for name in sorted(stages, key=lambda each: (each == "all", each))]
    )


def _row(name: str, numbers: Numbers) -> str:
    lines = numbers.n_executed / numbers.n_statements if numbers.n_statements else 1
    taken = f"{numbers.n_executed_branches / numbers.n_branches:.1%}" if numbers.n_branches else ""
    return f"| {name} | {numbers.n_statements} | {lines:.1%} | {numbers.n_branches} | {taken} |"


def missing(measured: coverage.Coverage, within: str) -> str:
    """Return the lines that are not run, and the branches not taken, of the files with a text in their path."""
    told = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if within in str(path):
            analysis = measured._analyze(str(path))
            if analysis.numbers.n_missing or analysis.numbers.n_missing_branches:
                told.append(f"{path}: {analysis.missing_formatted(branches=True)}")
    return "\n".join(told)
