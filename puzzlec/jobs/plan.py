"""The plan of a job: its search tree cut into portions of about the same size, the same on every machine."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from heapq import heapreplace

from puzzlec.engine.search.sizes import EFFORT, Sizes
from puzzlec.engine.search.splitting import Path, Subproblem, Tree, remaining, split
from puzzlec.jobs.portion import Portion
from puzzlec.jobs.problem import Problem

#: A portion of so many nodes (a second or two of search) is small enough, if nobody asks for more portions.
NODES = 1 << 22

#: At least and at most so many portions are planned.
FEWEST, MOST = 32, 2048

#: For each shard so many portions are planned: their sizes are estimates, and sums of many are better ones. Of very
#: many shards each has at least a few.
FOR_SHARD, LEAST_FOR_SHARD = 16, 2

#: What has fewer nodes than this is not divided in a plan: a turn costs as much as some ten thousand nodes.
LEAST = 1 << 14

#: A step of estimating for so many nodes that are to be searched is worth it, up to so many steps: some ten seconds.
WORTH, MOST_EFFORT = 10, 200_000_000

#: So many steps are made to divide a portion on the way: half a second.
WAYSIDE = 10_000_000


def plan(problem: Problem, wanted: int | None = None, shards: int = 1) -> list[Portion]:
    """Return the portions of a search in its order: about ``wanted`` (None: as many as suit its size).

    Sizes are estimated by random dives that depend on the problem alone. ``shards`` is the number of parts that the
    portions are to be dealt out to.
    """
    trees = [Tree(problem.searched(number)) for number in range(len(problem.stages))]
    sizes = [Sizes(tree) for tree in trees]
    totals = [size((), tree.root, 1) for size, tree in zip(sizes, trees, strict=True)]
    total = math.fsum(totals)
    for size in sizes:
        # Of a search that is soon over, no more than half its time; more where it is dealt out, since that is for good.
        size.effort = min(EFFORT + total / WORTH, MOST_EFFORT, total / 2 if shards == 1 else 5 * total)
    for_shards = max(LEAST_FOR_SHARD * shards, min(FOR_SHARD * shards, 2 * MOST))
    number = max(for_shards if shards > 1 else 0, suitable(total)) if wanted is None else wanted
    least = LEAST if wanted is None and shards == 1 else 0.0
    parts = _split(trees, sizes, totals, number, least)
    more = suitable(_sum(parts))
    if wanted is None and more > 2 * number:  # the parts show that the whole was estimated too low
        parts = _split(trees, sizes, totals, more, least)
        number = more
    large = _sum(parts) / number
    portions: list[Portion] = []
    for stage, of_stage in enumerate(parts):
        portions += gathered(of_stage, sizes[stage], stage, large, len(portions))
    return portions


def _split(
    trees: Sequence[Tree], sizes: Sequence[Sizes], totals: Sequence[float], number: int, least: float
) -> list[list[Subproblem]]:
    """Return the subproblems of each stage: twice as many as portions, so that these can be made alike."""
    total = math.fsum(totals)
    shares = [each / total if 0 < total < math.inf else 1 / len(totals) for each in totals]
    return [
        split(tree, max(1, math.ceil(2 * number * share)), size, least)
        for tree, size, share in zip(trees, sizes, shares, strict=True)
    ]


def _sum(parts: Sequence[Sequence[Subproblem]]) -> float:
    return math.fsum(part.size for of_stage in parts for part in of_stage)


def suitable(nodes: float) -> int:
    """Return into how many portions a search of so many nodes is cut.

    >>> suitable(1000), suitable(1e9), suitable(1e15)
    (32, 239, 2048)
    """
    return int(min(max(FEWEST, math.ceil(min(nodes, 1e18) / NODES)), MOST))


def gathered(
    parts: Sequence[Subproblem], size: Sizes, stage: int, large: float, first: int, above: bytes = b""
) -> list[Portion]:
    """Return subproblems as portions: neighbours are put together while they are no larger than ``large`` nodes.

    ``first`` is the number of the first portion among those below the key ``above``.
    """
    runs: list[list[Subproblem]] = []
    room = 0.0
    for part in parts:
        if not runs or part.size > room:
            runs.append([])
            room = large
        runs[-1].append(part)
        room -= part.size
    return [
        Portion(
            above + number.to_bytes(4, "big"), stage, tuple(part.path for part in run),
            size=math.fsum(part.size for part in run),
            spread=math.hypot(*(_error(size, part.path) for part in run)),
            nodes=sum(part.visited for part in run),
        )
        for number, run in enumerate(runs, first)
    ]  # fmt: skip


def divided(portion: Portion, tree: Tree, wanted: int) -> list[Portion]:
    """Return what is left of a portion as about ``wanted`` portions of about the same size; fewer where it is small.

    Its ``size`` is what it is believed to have left. Fewer than two mean that nothing is left to be divided.
    """
    size = Sizes(tree, WAYSIDE, portion.size)
    first = Subproblem(portion.paths[0], 1.0, 0)
    parts = remaining(tree, first, portion.position) if portion.position else [first]
    parts += [Subproblem(path, 1.0, 0) for path in portion.paths[1:]]
    parts = split(tree, max(2 * wanted, len(parts) + 1), size, LEAST, parts)
    large = math.fsum(part.size for part in parts) / wanted
    return gathered(parts, size, portion.stage, large, 0, portion.key)


def digest(portions: Iterable[Portion]) -> str:
    """Return the sha256 of what portions there are: 64 hexadecimal digits. Estimates do not count."""
    found = hashlib.sha256()
    for portion in portions:
        found.update(json.dumps([portion.key.hex(), portion.stage, portion.paths], separators=(",", ":")).encode())
    return found.hexdigest()


def shard_of(portions: Sequence[Portion], number: int, shards: int) -> list[Portion]:
    """Return the portions of a shard (from 1 on), so that all shards are about as large: the largest are dealt first.

    The longest processing time first, each to whom has the least (R. L. Graham, SIAM Journal on Applied Mathematics
    17, 1969).
    """
    sums = [(0.0, each) for each in range(shards)]  # a heap
    mine = []
    for portion in sorted(portions, key=lambda each: (-each.size, each.key)):
        least, shard = sums[0]
        heapreplace(sums, (least + portion.size + 1, shard))
        if shard == number - 1:
            mine.append(portion)
    return sorted(mine, key=lambda each: each.key)


def _error(size: Sizes, path: Path) -> float:
    return size.known[path][1] if path in size.known else 0.0
