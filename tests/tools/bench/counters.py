"""All raw solutions counted as models of clauses: ``python -m tests.tools.bench.counters [NAME ...]``.

puzzlec counts the exact cover in a separate process, with its kernels in the cache. The model counter Ganak counts
the models of the clauses that `puzzlec convert --to cnf` writes, in which each model is one solution. Its Python
package `pyganak` is looked for beside the other programs, as `tests.tools.bench.build` says.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from puzzlec.compiler import compile
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.writing import write
from puzzlec.solving.solutions import Solutions
from tests.tools.bench.measuring import Measure, run
from tests.tools.bench.peers import seconds_text

#: Puzzles of the catalogue, from few solutions to many.
PUZZLES = (
    "pentominoes/lui-5x5", "queens/8", "pentominoes/3x20", "solid-pentominoes/2x5x6", "soma", "dominoes/8x8",
)  # fmt: skip

#: Counts the models of a file: prints the number, and the CPU seconds of the count without reading the file.
GANAK = """
import sys, time, pyganak
counter = pyganak.Counter()
for line in open(sys.argv[1]):
    if line[0] not in "cp\\n":
        counter.add_clause([int(literal) for literal in line.split()[:-1]])
begun = time.process_time()
print(counter.count(), time.process_time() - begun)
"""


def counted(name: str) -> tuple[int, float]:
    """Return the number of raw solutions of a puzzle, and the CPU seconds of the count."""
    solutions = Solutions(compile(name), symmetry="none")
    begun = time.process_time()
    return solutions.count(), time.process_time() - begun


def measured(command: Sequence[str], runs: int, limit: float) -> tuple[int | None, str]:
    """Return the number that a program prints, and the median of its seconds; None and the limit if it is late."""
    numbers, times = set[int](), list[float]()

    def read(text: str) -> int:
        number, seconds = text.split()[-2:]
        times.append(float(seconds))
        return int(number)

    for _ in range(runs):
        done: Measure = run(command, None, limit, read)
        if done.fault or done.count is None:
            return None, f"> {limit:g}"
        numbers.add(done.count)
    if len(numbers) != 1:
        raise ValueError(f"{command}: {numbers}")
    return numbers.pop(), seconds_text(statistics.median(times))


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.counters", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(PUZZLES)}")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median counts (3)")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run (60)")
    parser.add_argument("--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where Ganak is")
    parser.add_argument("--one", action="store_true", help="one puzzle in this process")
    asked = parser.parse_args(words)
    if asked.one:
        print(*counted(asked.names[0]))
        return
    python = sys.executable if asked.peers is None else str(asked.peers / "venv" / "bin" / "python")
    print("| puzzle | raw solutions | puzzlec | Ganak |\n|---|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cover.cnf")
        for name in asked.names or PUZZLES:
            file.write_text(write(compile(name).cover, "cnf", WriterChoices("pairwise")), encoding="utf-8")
            command = [sys.executable, "-m", "tests.tools.bench.counters", "--one", name]
            number, seconds = measured(command, asked.runs + 1, asked.limit)
            models, other = measured([python, "-c", GANAK, str(file)], asked.runs, asked.limit)
            if models not in (None, number):
                raise ValueError(f"{name}: {number} solutions and {models} models")
            print(f"| {name} | {number} | {seconds} | {other} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
