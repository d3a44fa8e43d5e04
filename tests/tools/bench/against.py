"""This checkout compared with another one: ``python -m tests.tools.bench.against OLD [--rows ROW ...]``.

Each row is a problem, counted in one of three ways as in the table of peers. Warm processes of both checkouts count it
in turn, after one round that is not measured. A row shows the medians of their CPU seconds, and the ratio of the
medians.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

from tests.tools.bench.instances import INSTANCES
from tests.tools.bench.measuring import ROOT, Warm

#: The ways to count; see docs/benchmarks.md.
FIGURES = ("engine", "count", "puzzle")

#: The seconds of CPU time for one count.
LIMIT = 60.0


def rows() -> list[tuple[str, str]]:
    """Return the names of all problems, each with the ways to count it."""
    return [
        (instance.name, figure)
        for instance in INSTANCES
        for figure in FIGURES
        if (instance.puzzle or figure != "puzzle") and not (instance.countable and figure == "engine")
    ]


def compared(old: Path, figure: str, name: str, rounds: int) -> tuple[float, float]:
    """Return the seconds of both checkouts, medians of some rounds. Raise ValueError if a count is wrong."""
    command = [sys.executable, "-m", "tests.tools.bench.inside", f"puzzlec-{figure}"]
    both = [Warm(command, root=root) for root in (old, ROOT)]
    times: tuple[list[float], list[float]] = ([], [])
    try:
        for turn in range(rounds + 1):
            found = [(process.measure(name, LIMIT), seconds) for process, seconds in zip(both, times, strict=True)]
            if found[0][0].fault or found[1][0].fault or found[0][0].count != found[1][0].count:
                raise ValueError(f"{name}, {figure}: {found[0][0]}, {found[1][0]}")
            for measure, seconds in found if turn else ():
                seconds.append(measure.seconds)
    finally:
        for process in both:
            process.close()
    return median(times[0]), median(times[1])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="another checkout")
    parser.add_argument("--rows", nargs="*", help="names of problems")
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    sys.stdout.write("| problem | counted by | before, s | now, s | ratio |\n|---|---|--:|--:|--:|\n")
    for name, figure in rows():
        if asked.rows and name not in asked.rows:
            continue
        before, now = compared(asked.old, figure, name, asked.rounds)
        sys.stdout.write(f"| {name} | {figure} | {before:.4f} | {now:.4f} | {now / before:.2f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
