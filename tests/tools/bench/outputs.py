"""The cost of writing many solutions: ``python -m tests.tools.bench.outputs [--solutions N]``.

The puzzle: 6x10 packed by four kinds of pentominoes, up to twelve of each. A process for each output finds and writes
the first solutions. The table has solutions per second of CPU time, the size of a million solutions and the memory.
Outputs with slow compression write at most a million.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.tools.bench.measuring import run

PUZZLE = """puzzle "Four kinds of pentominoes"
locations box 10x6
piece L x0..12 = pentominoes.L
piece N x0..12 = pentominoes.N
piece P x0..12 = pentominoes.P
piece Y x0..12 = pentominoes.Y
"""

#: The outputs: a name, and the maximum number of solutions.
OUTPUTS = (
    ("in the checkpoint", 10_000_000),
    ("x.parquet", 10_000_000),
    ("x.jsonl", 10_000_000),
    ("x.jsonl.zst", 10_000_000),
    ("x.jsonl.gz", 1_000_000),
    ("x.jsonl.xz", 1_000_000),
    ("x.jsonl.bz2", 1_000_000),
)


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.outputs", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--solutions", type=int, default=10_000_000, help="how many at most (10,000,000)")
    parser.add_argument("--limit", type=float, default=3600.0, help="CPU seconds of a process (3600)")
    asked = parser.parse_args(words)
    print("| solutions to | solutions per second | MB for a million solutions | memory, MB |")
    print("|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        puzzle = folder / "four.puzzle"
        puzzle.write_text(PUZZLE, encoding="utf-8")
        job = folder / "job"
        for output, most in OUTPUTS:
            print(line(output, puzzle, job, min(most, asked.solutions), asked.limit), flush=True)


def line(output: str, puzzle: Path, job: Path, most: int, limit: float) -> str:
    """Return a row: solutions a second, size and memory of an output.

    The checkpoint is made first, and the other outputs read it.
    """
    python = [sys.executable, "-m", "puzzlec"]
    if output.startswith("x."):
        path = job.parent / output
        done = run([*python, "solutions", str(job), "--limit", str(most), "-o", str(path)], None, limit)
        size = path.stat().st_size if path.exists() else 0
    else:
        command = [*python, "solve", str(puzzle), "--raw", "--limit", str(most), "--checkpoint", str(job), "-q"]
        done = run(command, None, limit)
        size = sum(file.stat().st_size for file in job.glob("*"))
    name = f"`-o {output}`" if output.startswith("x.") else output
    if done.fault or not size:
        return f"| {name} | - | - | - |"
    speed = float(f"{most / done.seconds:.2g}")
    return f"| {name} | {speed:,.0f} | {1e6 * size / most / 1e6:.0f} | {done.memory / 1e6:.0f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
