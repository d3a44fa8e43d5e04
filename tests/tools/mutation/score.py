"""The share of found bugs, with its interval, and the surviving bugs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

#: Bugs that change no promised behaviour, by name, with the reason.
SAME = Path(__file__).with_name("same.yaml")

#: The quantile of the normal distribution for intervals of 95%.
POINT = 1.96

Outcomes = Mapping[str, Mapping[str, Any]]


def read(log: Path) -> dict[str, dict[str, Any]]:
    """Return the outcomes in a log; the last outcome of each bug counts."""
    if not log.exists():
        return {}
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {line["fault"]: line for line in lines}


def interval(seen: int, of: int) -> tuple[float, float]:
    """Return the interval of 95% for the true share (E. B. Wilson, 1927).

    >>> [round(each, 3) for each in interval(90, 100)]
    [0.826, 0.945]
    """
    share, extra = seen / of, POINT**2 / of
    middle = (share + extra / 2) / (1 + extra)
    half = POINT / (1 + extra) * (share * (1 - share) / of + extra / 4 / of) ** 0.5
    return middle - half, middle + half


def same() -> dict[str, str]:
    """Return the bugs that change no promised behaviour, with the reasons."""
    return {
        fault: reason
        for reason, faults in (yaml.safe_load(SAME.read_text(encoding="utf-8")) or {}).items()
        for fault in faults
    }


def summary(found: Outcomes) -> str:
    """Return a table of the bugs tried and found, and the share, for each file and in all."""
    rows = ["| file | faults | seen | change nothing | share seen |", "|---|--:|--:|--:|--:|"]
    files = sorted({outcome["file"] for outcome in found.values()})
    rows += [_row(file, [outcome for outcome in found.values() if outcome["file"] == file]) for file in files]
    rows.append(_row("all", list(found.values())))
    seen, of, _ = _numbers(list(found.values()))
    low, high = interval(seen, of) if of else (0.0, 1.0)
    return "\n".join(rows) + f"\n\n{seen} of {of} are seen: {low:.1%} to {high:.1%} of all, at 95 %"


def listed(found: Outcomes) -> str:
    """Return the bugs that no test found, except those that change no promised behaviour."""
    known = same()
    return "\n".join(
        f"line {outcome['line']}, {outcome['tests']} tests: {fault}"
        for fault, outcome in found.items()
        if not outcome["by"] and fault not in known
    )


def _row(name: str, outcomes: list[Mapping[str, Any]]) -> str:
    seen, of, nothing = _numbers(outcomes)
    share = f"{seen / of:.0%}" if of else ""
    return f"| {name.removeprefix('puzzlec/')} | {len(outcomes)} | {seen} | {nothing} | {share} |"


def _numbers(outcomes: list[Mapping[str, Any]]) -> tuple[int, int, int]:
    """Return the number of found bugs, of bugs with an effect, and of bugs without one."""
    known = same()
    seen = sum(bool(outcome["by"]) for outcome in outcomes)
    nothing = sum(not outcome["by"] and outcome["fault"] in known for outcome in outcomes)
    return seen, len(outcomes) - nothing, nothing
