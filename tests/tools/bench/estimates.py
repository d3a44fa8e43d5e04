"""How often the intervals of estimates contain the true number of solutions, for the puzzles of the catalogue.

    python -m tests.tools.bench.estimates [--seeds N] [--first SEED] [--probes N] [--options N] [NAME...]

Each puzzle with a stated number of raw or distinct solutions is estimated with each seed. Very large exact covers are
left out, and also searches so small that an estimate runs them. Estimates without an interval are counted separately.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import puzzlec
from puzzlec.engine.search.estimating import Estimate, estimate, probed
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.solving import representatives
from puzzlec.solving.distinct import Shares
from puzzlec.solving.solutions import Solutions


def estimates(entry: Entry, convention: str, seeds: range, options: int, probes: int) -> Iterator[Estimate]:
    """Yield the estimates of the raw or distinct solutions of a puzzle, one a seed; none if the search is small."""
    encoding = puzzlec.compile(str(entry.path))
    solutions = Solutions(encoding, symmetry="none" if convention == "raw" else "all")
    if len(encoding.cover) > options or solutions.convention != convention:
        return
    cover, weigh = encoding.cover, None
    if convention == "distinct":
        chosen = representatives(cover, solutions.group)
        cover, weigh = chosen.searched, Shares(chosen)
    if estimate(cover, probes=1, weigh=weigh).exact:
        return
    for seed in seeds:
        yield probed(cover, probes, seed, None, weigh)


def main() -> None:
    """Print a line for each estimate whose interval misses the truth, and the coverage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--probes", type=int, default=10_000)
    parser.add_argument("--options", type=int, default=5000)
    given = parser.parse_args()
    outcomes: Counter[str] = Counter()
    puzzles = set()
    for entry in entries():
        if given.names and entry.name not in given.names:
            continue
        for convention in ("raw", "distinct"):
            truth = getattr(entry, convention)
            if not truth:
                continue
            seeds = range(given.first, given.first + given.seeds)
            for estimated in estimates(entry, convention, seeds, given.options, given.probes):
                low, high = estimated.solutions_between
                if not estimated.solutions_known or estimated.solutions_heavy_tailed:
                    outcomes["without an interval"] += 1
                    continue
                puzzles.add(entry.name)
                outcome = "held" if low <= truth <= high else "too low" if high < truth else "too high"
                outcomes[outcome] += 1
                if outcome != "held":
                    print(entry.name, convention, truth, f"{low:.0f} to {high:.0f}", outcome, flush=True)
    total = sum(outcomes.values()) - outcomes["without an interval"]
    print(f"{total} intervals of {len(puzzles)} puzzles, {100 * outcomes['held'] / max(1, total):.1f} % hold the truth")
    print(dict(outcomes))


if __name__ == "__main__":
    main()
