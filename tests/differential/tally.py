"""The sum of many comparisons: the number of each kind, and the disagreements, in a log that stays after the run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.differential.comparing import Outcome, compare
from tests.differential.problem import problem
from tests.differential.smaller import smallest, text

#: The seeds of run ``n`` begin at ``n`` times this.
RUN = 1_000_000

Tally = dict[str, Counter[str]]


def tally(seeds: Iterable[int], light: bool = False) -> tuple[Tally, list[str]]:
    """Compare the problems of some seeds; return their numbers, and a report of each disagreement."""
    found: Tally = {"families": Counter(), "solutions": Counter(), "comparisons": Counter(), "refused": Counter()}
    faults = []
    for seed in seeds:
        outcome = compare(problem(seed), light)
        if outcome.refused:
            found["refused"][outcome.refused] += 1
            faults += [report(outcome)] if outcome.fault else []
            continue
        found["families"][outcome.problem.kind] += 1
        found["solutions"]["none" if not outcome.problem.expected else "some"] += 1
        found["comparisons"].update(outcome.made)
        if outcome.fault:
            faults.append(report(outcome))
    return found, faults


def report(outcome: Outcome) -> str:
    """Return the disagreement of a problem, its seed, and the smallest problem with the same disagreement."""
    small = smallest(outcome)
    return (
        f"seed {outcome.problem.seed} ({outcome.problem.kind}): {outcome.fault}: {outcome.told}\n"
        f"the same in a smaller problem: {small.fault}: {small.told}\n{text(small.problem.what)}"
    )


def run(first: int, last: int, log: Path, block: int = 250) -> Iterator[str]:
    """Compare seeds in blocks. Each finished block is a line of JSON in the log; yield a line about each."""
    for start in range(first, last, block):
        end = min(start + block, last)
        found, faults = tally(range(start, end))
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"from": start, "to": end, "faults": faults, **found}, ensure_ascii=False) + "\n")
        made = sum(found["comparisons"].values())
        yield f"seeds {start} to {end - 1}: {made} comparisons, {len(faults)} disagreements"
        yield from faults


def summary(log: Path) -> str:
    """Return a table of the content of a log, each seed once."""
    blocks: dict[int, dict[str, Any]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        block = json.loads(line)
        blocks[block["from"]] = block
    lines, compared = [], 0
    for part in ("families", "solutions", "refused", "comparisons"):
        total: Counter[str] = Counter()
        for block in blocks.values():
            total.update(block[part])
        compared += sum(total.values()) if part == "families" else 0
        lines += ["", f"{part}: {sum(total.values())}", *[f"  {name:44} {n:9}" for name, n in sorted(total.items())]]
    faults = [fault for block in blocks.values() for fault in block["faults"]]
    return "\n".join([f"{compared} problems compared, {len(faults)} disagreements", *lines, "", *faults])
