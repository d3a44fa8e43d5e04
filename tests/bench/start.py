"""What a start costs, as ratios to the import of the libraries alone.

    python tests/bench/start.py [rounds]

Whole processes take turns: ours, and the import that it is compared with. The first one of each is not counted, so
grammars, documents and kernels are in their caches. The output has medians of the processor time and of the wall time.
The ratio is the median of the ratios of the rounds.

Bytecode is written to a separate folder, as in an installation. With PYTHONDONTWRITEBYTECODE and a checkout, more than
half of a start would be Python's compiler.

Some commands do nothing but start: `--version`, `--help`, and the calls of a shell for a Tab.

At the end the first run ever: a search in an empty cache, and what it says of its compiling.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

LARK, NUMBA = "import lark, typer", "import numba, typer"


class Cost(NamedTuple):
    """What a process costs, in seconds: of the processor (itself and the system for it), and on the clock."""

    processor: float
    clock: float


def text() -> str:
    """A file of 200 lines with one statement that cannot be read, and a library that is not known."""
    pieces = [f"piece P{number} x0..1 {{ xx{'x' * (number % 3)}/x.{'.' * (number % 3)} }}" for number in range(196)]
    pieces.insert(150, "piece {")
    return "\n".join(['puzzle "Long"', "locations box 20x3", *pieces, "pieces pentominos"]) + "\n"


def run(arguments: list[str], environment: dict[str, str]) -> Cost:
    """Run Python with some arguments, and return what it costs."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def compare(ours: list[str], base: str, rounds: int, environment: dict[str, str], shell: str = "") -> str:
    """Return a line on a command of ours and an import, run in turn; with a ``shell``, words are completed for it."""
    mine = {**environment, "_PUZZLEC_COMPLETION": shell} if shell else environment
    pairs = [(run(["-c", base], environment), run(["-m", "puzzlec", *ours], mine)) for _ in range(rounds + 1)]
    pairs = pairs[1:]
    name = " ".join(ours) + " Tab" * bool(shell)
    shown = [f"{name[:28]:<28} {base:<20}"]
    for measure in range(len(Cost._fields)):
        lower, upper = (statistics.median(each[measure] for each in column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(mine[measure] / its[measure] for its, mine in pairs)
        shown.append(f"{lower:6.3f} {upper:6.3f} {ratio:5.2f}")
    return "   ".join(shown)


def first_run(environment: dict[str, str]) -> str:
    """Return how long a search takes that finds no kernel in the cache, and what it says on the way."""
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


#: The command line as at a terminal, where remarks on the way are shown.
FIRST = """
import sys
sys.stderr.isatty = lambda: True
from puzzlec.cli.app import main
main()
"""


def main(rounds: int = 15) -> None:
    """Print a line for each comparison, and the first run."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        path = Path(folder) / "long.puzzle"
        path.write_text(text(), encoding="utf-8")
        print(f"{'puzzlec':<28} {'beside':<20}   processor: its, ours, ratio   clock: its, ours, ratio")
        for words in ("--version", "--help", "list", "check soma", "show soma --json", "count soma"):
            print(compare(words.split(), LARK, rounds, environment), flush=True)
        for typed in ("so", "solve so", "solve soma --kernel b", "explain PZ3"):
            print(compare(typed.split(), LARK, rounds, environment, "zsh"), flush=True)
        commands = (["check", str(path)], LARK), (["solve", "soma"], LARK), (["count", "soma"], NUMBA)
        for ours, base in commands:
            print(compare(ours, base, rounds, environment), flush=True)
        kernels = ["count", "soma", "--kernel", "bits"]
        print(compare(kernels, NUMBA, rounds, environment), flush=True)
        print(first_run(environment))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
