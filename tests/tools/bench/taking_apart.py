"""Times to take puzzles apart: ``python -m tests.tools.bench.taking_apart [NAME ...]``.

The puzzles are the examples of BurrTools that both programs take apart, some on lattices that BurrTools cannot take
apart, and random cubes. All assemblies up to rotations and reflections are found and taken apart.

`BurrTools`, `first` and `later` are whole processes: BurrTools without its window, and `puzzlec disassemble` with an
empty cache and with a full one. `warm` is a later call in one process, which has read the puzzle.
`python -m tests.tools.bench.build DIR burrTxt` builds BurrTools. Its examples are in its sources.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from puzzlec.compiler import load
from puzzlec.disassembling import disassemble
from puzzlec.geometry import find_lattice
from puzzlec.ir import Puzzle
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds
from puzzlec.motion.turning import Turning
from puzzlec.motion.turns import Turns
from tests.motion.plain_turns import random_cube
from tests.tools.bench.competitors import find
from tests.tools.bench.measuring import Measure, run
from tests.tools.bench.peers import seconds_text

#: The examples of BurrTools that it takes apart, and puzzles of the catalogue that it cannot take apart.
EXAMPLES = (
    "SolidSixPieceBurrs", "PelikanBurr", "DraculasDentalDesaster", "DemoPieceGenerator", "CubeInCage", "AlPackino",
    "Bermuda", "Prisgon", "DemoMirrorParadox",
)  # fmt: skip
OTHERS = ("rhombic/diagonal-cube", "rhombic/twelve-piece-separation", "rhombic/hexsticks")

#: Random cubes: whether their pieces turn.
CUBES = {"4x4x4 of 4 pieces, slides": False, "4x4x4 of 4 pieces, turns": True}

#: Rows about one test of a turn, in the states of random cubes at the start: whether it tries shifts also.
TESTS = {"one test of a turn without a shift": False, "one test of a turn with shifts": True}

COLUMNS = ("puzzle", "come apart", "BurrTools s", "first s", "later s", "warm s", "faster process", "faster when warm")

#: A search of a random cube ends after this time.
PATIENCE = 10.0

#: Calls in a warm process are repeated for this time, since some are shorter than the steps of the clock.
MEASURED_SECONDS = 0.2


def taken(puzzle: Puzzle) -> tuple[int, int]:
    """Return the number of assemblies that come apart, and of all."""
    found = [each.disassembly.apart for each in disassemble(puzzle)]
    return sum(found), len(found)


def warm(name: str) -> tuple[float, int, int]:
    """Return the mean CPU seconds of later calls in this process, and the assemblies that come apart, and all."""
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    taken(puzzle)
    begun, spent, rounds = time.process_time(), 0.0, 0
    while spent < MEASURED_SECONDS:
        numbers, rounds = taken(puzzle), rounds + 1
        spent = time.process_time() - begun
    return spent / rounds, *numbers


def cubes(turning: bool, number: int) -> tuple[float, int, int]:
    """Return the mean CPU seconds to take a random cube apart, and the cubes that come apart, and all."""
    searching = Disassembler(find_lattice("cubic"), turning=Turning() if turning else None)
    apart, spent = 0, 0.0
    for seed in (number, *range(number)):  # the first one loads the kernel
        bodies = [Body(str(name), cells) for name, cells in enumerate(random_cube(seed, 4, 4))]
        begun = time.process_time()
        found = searching.take_apart(bodies, Bounds(time.monotonic() + PATIENCE))
        if seed < number:
            spent += time.process_time() - begun
            apart += found.apart
    return spent / number, apart, number


@cache
def turn_tests(number: int) -> dict[bool, tuple[float, int]]:
    """Return the mean CPU seconds of a test of a turn in random cubes, and how many there are.

    The keys say whether a test tries shifts. Each set of pieces is tested about each pivot, and with shifts if it
    collides without one, and if no two of its cells prevent the turn. What is kept for each pair of shapes is known
    before, because a search meets the same pairs again and again.
    """
    gaps = Gaps(find_lattice("cubic"))
    turns, spent, tests = Turns(gaps), dict.fromkeys(TESTS.values(), 0.0), dict.fromkeys(TESTS.values(), 0)
    for seed in (number, *range(number)):  # the first one loads the kernel
        known = [gaps.shape_of(cells) for cells in random_cube(seed, 4, 4)]
        shapes, places = [shape for shape, _ in known], [place - known[0][1] for _, place in known]
        for state, valid in turns.states(shapes, places):
            for inside, outside, pivots in state.sets(valid):
                free, touching = state.free(inside, outside, pivots)
                state.not_stuck(pivots & ~free, touching)
            begun = time.process_time()
            sets = [(*those, *state.free(*those)) for those in state.sets(valid)]
            halfway = time.process_time()
            for inside, outside, pivots, free, touching in sets:
                left = state.not_stuck(pivots & ~free, touching)
                state.paths(inside, outside, [bit for bit in range(left.bit_length()) if left >> bit & 1])
                tests[True] += left.bit_count() if seed < number else 0
            if seed < number:
                spent[False] += halfway - begun
                spent[True] += time.process_time() - halfway
                tests[False] += (2 ** len(shapes) - 2) * valid.bit_count()
    return {shifts: (spent[shifts] / max(1, tests[shifts]), tests[shifts]) for shifts in spent}


def counted(text: str) -> int:
    """Return the number of assemblies that come apart, from the output of BurrTools or puzzlec.

    >>> counted("84 assemblies and 1 solutions found"), counted("all 928 assemblies come apart, best level 1")
    (1, 928)
    >>> counted("the only assembly comes apart, best level 1"), counted("none of 12 assemblies comes apart")
    (1, 0)
    """
    for pattern in (r"and (\d+) solutions found", r"(?m)^(?:all )?([\d,]+) (?:of [\d,]+ )?assembl"):
        if found := re.search(pattern, text):
            return int(found[1].replace(",", ""))
    if "the only assembly comes apart" in text:
        return 1
    if re.search(r"(?m)^none of|does not come apart", text):
        return 0
    raise ValueError("no number of assemblies")


def faster(theirs: float | None, ours: float) -> str:
    """Return which program is faster and how many times; in bold if it is not puzzlec.

    >>> faster(None, 1.0), faster(6.0, 1.2), faster(0.09, 0.75)
    ('puzzlec alone', 'puzzlec, 5.0 times', '**BurrTools, 8.3 times**')
    """
    if theirs is None:
        return "puzzlec alone"
    if ours <= theirs:
        return f"puzzlec, {theirs / ours:.1f} times"
    return f"**BurrTools, {ours / theirs:.1f} times**"


def _median(measures: Sequence[Measure], name: str) -> float:
    for each in measures:
        if each.fault:
            raise ValueError(f"{name}: {each.fault}")
    return statistics.median(each.seconds for each in measures)


def row(name: str, file: str, burrtools: Path | None, runs: int, limit: float) -> list[str]:
    """Return the cells of a puzzle, from runs in turn."""
    command = [str(Path(sys.executable).with_name("puzzlec")), "disassemble", file]
    one = [sys.executable, "-m", "tests.tools.bench.taking_apart", "--one", file]
    theirs, first, later, inside = list[Measure](), list[Measure](), list[Measure](), list[float]()
    apart = number = 0

    def read(text: str) -> int:
        nonlocal apart, number
        seconds, apart, number = json.loads(text.strip().splitlines()[-1])
        inside.append(seconds)
        return int(apart)

    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            place = {"XDG_CACHE_HOME": cache}
            first.append(run(command, None, limit, counted, place))
            later.append(run(command, None, limit, counted, place))
        if done := run(one, None, limit, read).fault:
            raise ValueError(f"{name}: {done}")
        if burrtools is not None:
            theirs.append(run([str(burrtools), "-d", "-q", file], None, limit, counted))
    counts = {each.count for each in (*first, *later)} | {apart}
    if len(counts) != 1:
        raise ValueError(f"{name}: {counts} assemblies come apart")
    other = _median(theirs, "BurrTools") if theirs else None
    seconds = [_median(first, name), _median(later, name), statistics.median(inside)]
    cells = [f"{apart} of {number}", "-" if other is None else seconds_text(other), *map(seconds_text, seconds)]
    return [name, *cells, faster(other, seconds[1]), faster(other, seconds[2])]


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.taking_apart", description=(__doc__ or "").split("\n")[0]
    )
    known = (*EXAMPLES, *OTHERS, *CUBES, *TESTS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(known)}")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median counts (3)")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run (60)")
    parser.add_argument("--cubes", type=int, default=1000, help="the number of random cubes (1000)")
    parser.add_argument("--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where BurrTools is")
    parser.add_argument("--one", metavar="PUZZLE", help="one puzzle in this process")
    asked = parser.parse_args(words)
    if asked.one:
        print(json.dumps(warm(asked.one)))
        return
    burrtools = find("burrTxt", asked.peers)
    examples = None if asked.peers is None else asked.peers / "src" / "burr-tools" / "examples"
    if burrtools is None or examples is None or not examples.is_dir():
        print("without BurrTools or its examples, their rows are left out: see `--peers`", file=sys.stderr)
        examples = None
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'--:|' * 5}---|---|", flush=True)
    for name in asked.names or known:
        if name in CUBES:
            seconds, apart, number = cubes(CUBES[name], asked.cubes)
            cells = [f"a random cube {name}", f"{apart} of {number}", "-", "-", "-", seconds_text(seconds), "-", "-"]
        elif name in TESTS:
            seconds, number = turn_tests(max(1, asked.cubes // 20))[TESTS[name]]
            cells = [name, f"{number} tests", "-", "-", "-", f"{seconds_text(1e6 * seconds)} us", "-", "-"]
        elif name in OTHERS:
            cells = row(name, name, None, asked.runs, asked.limit)
        elif examples is not None:
            cells = row(name, str(examples / f"{name}.xmpuzzle"), burrtools, asked.runs, asked.limit)
        else:
            continue
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
