"""Counts too large to enumerate, by the layers of a frontier: ``python -m tests.tools.bench.far [NAME ...]``.

Each problem is counted in a separate process, and the count is compared with a known one. The table has CPU
seconds without the start, the states of all layers and of the widest one, and the memory of the process. TdZDD counts
the same problems if ``--peers`` has it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from puzzlec.engine import ExactCover
from puzzlec.engine.kernels.frontier import FrontierKernel
from tests.tools.bench.competitors import PROGRAMS, find, last_number
from tests.tools.bench.growth import rows
from tests.tools.bench.measuring import run
from tests.tools.bench.peers import seconds_text
from tests.tools.bench.regret import I2, I3, L3, tiles
from tests.tools.bench.texts import row_text


@dataclass(frozen=True)
class Far:
    """A problem with its known count, the source of that, and the GiB of its tables."""

    title: str
    build: Callable[[], ExactCover]
    count: int
    source: str
    memory: float = 1.0


def pentominoes(width: int, height: int) -> ExactCover:
    """Return the problem of packing a rectangle with any number of each pentomino."""
    return ExactCover.from_rows(rows(width, height), primary=width * height)


PROBLEMS = {
    "trominoes": Far("trominoes 12x12", lambda: tiles(12, 12, I3, L3), 17_735_061_025_562_799_941_630, "OEIS A269664"),
    # Sequence A028420 of the OEIS has this count, but only its first terms were at hand. A separate program with broken
    # profiles, modulo 13 primes, found the same number.
    "monomino-dimer": Far(
        "monominoes and dominoes 20x20",
        lambda: tiles(20, 20, I2, [(0, 0)]),
        int(
            "19478600557353110233522483460151519831499212942923222279949450828627169865552544664189208324046148975664925"
            "677335"
        ),
        "a count modulo primes",
    ),
    # A004003(12) is the product of 2^12 and the square of A065072(12).
    "dominoes": Far(
        "dominoes 24x24",
        lambda: tiles(24, 24, I2),
        2**12 * 1_347_358_497_824_862_447_450_096_142_795_629**2,
        "OEIS A004003",
    ),
    "pentominoes": Far(
        "pentominoes 10x10, any number of each",
        lambda: pentominoes(10, 10),
        729_748_655_181_974_778,
        "OEIS A233427",
        memory=2.0,
    ),
}


def measure(name: str, memory: int, limit: float = math.inf) -> dict[str, float]:
    """Count a problem. Return the seconds and the states of all layers and of the widest one; raise for a wrong count.

    At the limit of CPU seconds or memory, the result also has the ``layer`` that is not finished, of ``layers``.
    """
    problem = PROBLEMS[name]
    cover = problem.build()
    FrontierKernel(tiles(2, 2, I2).arrays).advance(1)  # loads the kernel
    begun = time.process_time()
    kernel = FrontierKernel(cover.arrays, memory=memory)
    while not kernel.finished and not kernel.too_wide and time.process_time() - begun < limit:
        kernel.advance(1 << 20)
    seconds = time.process_time() - begun
    found: dict[str, float] = {"seconds": seconds, "states": kernel.nodes_visited, "widest": kernel.widest}
    if not kernel.finished:
        layer, layers = kernel.progress
        return {**found, "layer": layer + 1, "layers": layers}
    if kernel.total() != problem.count:
        raise AssertionError(f"{problem.title}: {kernel.total()}, known {problem.count}")
    return found


def by_tdzdd(problem: Far, peers: Path | None, limit: float) -> tuple[str, str]:
    """Return the CPU seconds and the MB that TdZDD needs; two dashes if it is not there."""
    (tdzdd,) = (program for program in PROGRAMS if program.name == "tdzdd")
    path = find(tdzdd.command[0], peers)
    if path is None:
        return "-", "-"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows"
        file.write_text(row_text(problem.build(), sort=True), encoding="utf-8")
        done = run([str(path)], file, limit, last_number)
    if done.fault:
        return (f"> {limit:g}" if done.fault == "time" else "no memory"), f"{done.memory / 1e6:.0f}"
    return (seconds_text(done.seconds) if done.count == problem.count else "WRONG"), f"{done.memory / 1e6:.0f}"


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.far", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(PROBLEMS)}")
    parser.add_argument("--limit", type=float, default=900.0, help="CPU seconds of a problem (900)")
    parser.add_argument("--memory", type=float, help="GiB of the tables (1, for pentominoes 2)")
    parser.add_argument("--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where TdZDD is")
    parser.add_argument("--one", choices=PROBLEMS, help="count one problem in this process")
    asked = parser.parse_args(words)
    if asked.one:
        size = asked.memory or PROBLEMS[asked.one].memory
        print(json.dumps(measure(asked.one, int(size * (1 << 30)), asked.limit)))
        return
    heads = "problem", "digits of the count", "compared with", "s", "million states", "widest layer, million", "MB"
    print(f"| {' | '.join([*heads, 'TdZDD, s', 'TdZDD, MB'])} |\n|---|--:|---|{'--:|' * 6}")
    for name in asked.names or PROBLEMS:
        problem = PROBLEMS[name]
        printed: list[dict[str, float]] = []

        def read(text: str, kept: list[dict[str, float]] = printed) -> int:
            kept.append(json.loads(text.strip().splitlines()[-1]))
            return 0

        command = [sys.executable, "-m", "tests.tools.bench.far", "--one", name, "--limit", str(asked.limit)]
        command += [] if asked.memory is None else ["--memory", str(asked.memory)]
        done = run(command, None, asked.limit + 10, read)
        cells = [problem.title, str(len(str(problem.count))), problem.source]
        if printed and not done.fault:
            (found,) = printed
            figures = [f"{found['seconds']:.1f}", f"{found['states'] / 1e6:.1f}", f"{found['widest'] / 1e6:.2f}"]
            figures.append(f"{done.memory / 1e6:.0f}")
            if "layer" in found:
                print(f"{name}: stopped in layer {found['layer']} of {found['layers']}", file=sys.stderr)
            cells += [f"> {cell}" if "layer" in found else cell for cell in figures]
        else:
            print(f"{name}: {done.fault}", file=sys.stderr)
            cells += ["-"] * 4
        cells += by_tdzdd(problem, asked.peers, asked.limit)
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
