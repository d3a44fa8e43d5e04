"""The cost of a start, as ratios to the import of the libraries alone.

    python -m tests.tools.bench.start [rounds] [--first]

Whole processes take turns: puzzlec, and the import to compare with. The first run of each is not counted, so grammars,
documents and kernels are in their caches. The output has medians of the processor time and of the wall time. The ratio
is the median of the ratios of the rounds.

Bytecode is written to a separate folder, as in an installation. With PYTHONDONTWRITEBYTECODE in a checkout, Python's
compiler would take more than half of a start.

Some commands do nothing but start: `--version`, `--help`, and the calls of a shell when you press Tab.

The last part is a first run: a search with an empty cache, and its remark on compiling. A table in Markdown has
the ratios of processor time. With ``--first``, the script only compares first runs of `puzzlec count pentominoes/6x10`
with later ones, with kernels from bitcode and compiled by numba.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.tools.bench import measuring

LARK, NUMBA = "import lark, typer", "import numba, typer"

#: Commands that do little, and words before a Tab.
PLAIN = ("--version", "--help", "list", "check soma", "show soma --json", "count soma", "solve soma")
TYPED = ("so", "solve so", "solve soma --kernel b", "explain PZ3")


class Cost(NamedTuple):
    """The cost of a process in seconds: processor time (user and system), and wall time."""

    processor: float
    clock: float


def text() -> str:
    """A file of 200 lines with one invalid statement and an unknown library."""
    pieces = [f"piece P{number} x0..1 {{ xx{'x' * (number % 3)}/x.{'.' * (number % 3)} }}" for number in range(196)]
    pieces.insert(150, "piece {")
    return "\n".join(['puzzle "Long"', "locations box 20x3", *pieces, "pieces pentominos"]) + "\n"


def run(arguments: list[str], environment: dict[str, str]) -> Cost:
    """Run Python with some arguments, and return its cost."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def compare(ours: list[str], base: str, rounds: int, environment: dict[str, str], shell: str = "") -> tuple[str, float]:
    """Return a line about a command of puzzlec and an import, run in turn, and the ratio of their processor times.

    With a ``shell``, words are completed for it.
    """
    mine = {**environment, "_PUZZLEC_COMPLETION": shell} if shell else environment
    pairs = [(run(["-c", base], environment), run(["-m", "puzzlec", *ours], mine)) for _ in range(rounds + 1)]
    pairs = pairs[1:]
    name = " ".join(ours) + " Tab" * bool(shell)
    shown = [f"{name[:28]:<28} {base:<20}"]
    for measure in range(len(Cost._fields)):
        lower, upper = (statistics.median(pair[measure] for pair in column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(mine[measure] / its[measure] for its, mine in pairs)
        shown.append(f"{lower:6.3f} {upper:6.3f} {ratio:5.2f}")
    ratio = statistics.median(mine.processor / its.processor for its, mine in pairs)
    return "   ".join(shown), ratio


def first_run(environment: dict[str, str]) -> str:
    """Return the time of a search that finds no kernel in the cache, and its remarks."""
    with tempfile.TemporaryDirectory() as empty:
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", FIRST, "count", "soma", "--kernel", "bits"],
            capture_output=True, text=True, check=False, env={**environment, "NUMBA_CACHE_DIR": empty},
        )  # fmt: skip
        clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [line for line in done.stderr.splitlines() if line.startswith("puzzlec:")]
    return f"first run ever, kernel bits: processor {processor:.1f} s, clock {clock:.1f} s; it says: {' '.join(said)}"


#: The command runs as in a terminal, which shows its remarks.
FIRST = """
import sys
sys.stderr.isatty = lambda: True
from puzzlec.cli.app import main
main()
"""


def first_and_later(rounds: int, environment: dict[str, str]) -> list[str]:
    """Return rows with the processor time of a count with an empty cache, and of later ones."""
    rows = []
    ways = {"from bitcode": "", "compiled by numba (`PUZZLEC_KERNELS=numba`)": "numba"}
    for name, kernels in ways.items():
        firsts, laters = [], []
        for _ in range(max(1, rounds // 5)):
            with tempfile.TemporaryDirectory() as empty:
                mine = {**environment, "PUZZLEC_CACHE": empty, "NUMBA_CACHE_DIR": f"{empty}/numba"}
                if kernels:
                    mine["PUZZLEC_KERNELS"] = kernels
                first, *later = (run(["-m", "puzzlec", "count", "pentominoes/6x10"], mine) for _ in range(3))
                firsts.append(first.processor)
                laters += [cost.processor for cost in later]
        rows.append(f"| {name} | {statistics.median(firsts):.2g} | {statistics.median(laters):.2g} |")
    return rows


def main(words: Sequence[str]) -> None:
    """Print a line for each comparison, the first run, and the ratios as a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.start")
    parser.add_argument("rounds", nargs="?", type=int, default=15)
    parser.add_argument("--first", action="store_true", help="first runs only")
    asked = parser.parse_args(words)
    environment = measuring.environment()
    with tempfile.TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        if asked.first:
            rows = first_and_later(asked.rounds, environment)
            print("\n".join(["| kernels | first run, s | later runs, s |", "|---|--:|--:|", *rows]))
            return
        path = Path(folder) / "long.puzzle"
        path.write_text(text(), encoding="utf-8")
        runs = [
            *((f"`puzzlec {words}`", words.split(), LARK, "") for words in PLAIN),
            *((f"Tab after `puzzlec {typed}`", typed.split(), LARK, "zsh") for typed in TYPED),
            ("`puzzlec check` of a file of 200 lines with errors", ["check", str(path)], LARK, ""),
            ("`puzzlec count soma`", ["count", "soma"], NUMBA, ""),
            ("`puzzlec count soma --kernel bits`", ["count", "soma", "--kernel", "bits"], NUMBA, ""),
        ]
        print(f"{'puzzlec':<28} {'beside':<20}   processor: its, ours, ratio   clock: its, ours, ratio")
        rows = []
        for name, ours, base, shell in runs:
            line, ratio = compare(ours, base, asked.rounds, environment, shell)
            print(line, flush=True)
            rows.append(f'| {name} | `python -c "{base}"` | {ratio:.1f} |')
        print(first_run(environment))
        print("\n".join(["| command | compared with | ratio |", "|---|---|--:|", *rows]))


if __name__ == "__main__":
    main(sys.argv[1:])
