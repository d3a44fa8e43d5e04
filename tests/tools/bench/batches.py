"""Many small problems in one process that has loaded no kernel: microseconds of CPU for each.

python -m tests.tools.bench.batches     prints the table of docs/benchmarks.md
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable

from puzzlec.engine import ExactCover, count, first, is_unique
from tests.tools.bench.instances import SEVENTEEN, sudoku

#: The number of problems of each kind: enough that loading a kernel is a small part.
PROBLEMS = 2000

QUESTIONS: dict[str, Callable[[ExactCover], object]] = {"count": count, "first": first, "is_unique": is_unique}


def shuffled(clues: str, seed: int) -> str:
    """Return a sudoku with other digits, and with the rows and columns of each band in another order."""
    chance = random.Random(seed)
    rows, columns = (
        [3 * band + row for band in chance.sample(range(3), 3) for row in chance.sample(range(3), 3)] for _ in range(2)
    )
    digits = dict(zip("123456789", chance.sample("123456789", 9), strict=True))
    return "".join(digits.get(clues[9 * row + column], ".") for row in rows for column in columns)


def problems(kind: str) -> list[ExactCover]:
    """Return the problems of a kind."""
    if kind == "three options":
        return [ExactCover.from_rows([[0], [1], [0, 1]], primary=2) for _ in range(PROBLEMS)]
    return [sudoku(shuffled(SEVENTEEN, seed)) for seed in range(PROBLEMS)]


def measured(kind: str, question: str) -> float:
    """Return the microseconds of CPU for each problem. It is only right in a new process."""
    several, ask = problems(kind), QUESTIONS[question]
    begun = time.process_time()
    for cover in several:
        ask(cover)
    return 1e6 * (time.process_time() - begun) / len(several)


def main() -> None:
    """Print a row for each kind of problem; each cell is measured in a new process."""
    if len(sys.argv) > 1:
        print(measured(*sys.argv[1:]))
        return
    print("| problem | " + " | ".join(f"`{question}`" for question in QUESTIONS) + " |")
    print("|---|" + "--:|" * len(QUESTIONS))
    for kind in ("sudoku with 17 clues", "three options"):
        cells = []
        for question in QUESTIONS:
            command = [sys.executable, "-m", "tests.tools.bench.batches", kind, question]
            cells.append(f"{float(subprocess.run(command, capture_output=True, text=True, check=True).stdout):.0f}")
        print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
