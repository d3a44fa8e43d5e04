"""Kernels side by side, and the savings by symmetry: ``python -m tests.tools.bench.kernels``.

For each puzzle, it prints the nodes of the raw search and of the search on representatives. The medians of several runs
of each kernel are ratios, because these depend less on the machine.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from puzzlec import Solutions
from puzzlec.compiler import compile
from puzzlec.engine import Search
from puzzlec.lower import encode, symmetry
from puzzlec.solving import representatives

PUZZLES = ("soma", "pentominoes/3x20", "pentominoes/8x8-hole", "queens/8", "latin/order-4")


def median(work: Callable[[], object], runs: int) -> float:
    """Return the median of the seconds that some work takes; the first run is not counted."""
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times[1:])


def main(names: tuple[str, ...], runs: int = 3) -> None:
    """Print a line for each puzzle."""
    print(f"{'puzzle':28} {'raw':>8} {'nodes':>10} {'with symmetry':>14} {'python/lists':>13} {'raw/distinct':>13}")
    for name in names:
        encoding = compile(name)
        raw = Search(encoding.cover, kernel="lists")
        number = raw.count()
        choice = representatives(encoding.cover, symmetry(encoding))
        kept = encoding.cover if choice.item < 0 else encoding.cover.subset(choice.options(choice.movers))
        fewer = Search(kept, kernel="lists")
        fewer.count()
        slow = median(lambda cover=encoding.cover: Search(cover, kernel="python").count(), runs)  # type: ignore[misc]
        fast = median(lambda cover=encoding.cover: Search(cover, kernel="lists").count(), runs)  # type: ignore[misc]
        distinct = median(lambda fitting=encoding.fitting: Solutions(encode(fitting), kernel="lists").count(), runs)  # type: ignore[misc]
        print(
            f"{name:28} {number:8} {raw.nodes:10} {fewer.nodes / raw.nodes:14.3f} {slow / fast:13.1f} "
            f"{fast / distinct:13.2f}"
        )


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or PUZZLES)
