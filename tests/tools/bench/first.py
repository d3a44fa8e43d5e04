"""Times to a first solution: ``python -m tests.tools.bench.first [NAME ...]``.

Each program solves each problem several times, each time with the options in another order. The orders are the
same for all programs. The table has medians of CPU seconds. If a run reaches the limit, its time is the limit. If most
of its runs on a problem have reached the limit, a program has no more runs on it.

puzzlec, CP-SAT and CaDiCaL (through python-sat) run in a process that has loaded them. Their time begins with the exact
cover and includes their model. Knuth's programs are whole processes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations, product
from pathlib import Path

from puzzlec.compiler import compile, parse
from puzzlec.engine import ExactCover, Limits, Search
from puzzlec.engine.check import check_cover
from puzzlec.engine.search.first_cover import first_cover, solve_with_cpsat
from puzzlec.formats.writing import write
from puzzlec.solving.solutions import Solutions
from tests.tools.bench.competitors import after_altogether, find
from tests.tools.bench.instances import edge_matching, encoding, sudoku
from tests.tools.bench.measuring import run
from tests.tools.bench.peers import seconds_text
from tests.tools.bench.regret import I2, Y5, tiles
from tests.tools.bench.texts import dlx_text


def squares(order: int) -> ExactCover:
    """Return the partridge puzzle: n squares of n x n, for each n up to the order, in one square."""
    side = order * (order + 1) // 2
    rows = [
        [n - 1, *(order + (y + dy) * side + x + dx for dy in range(n) for dx in range(n))]
        for n in range(1, order + 1)
        for y in range(side - n + 1)
        for x in range(side - n + 1)
    ]
    bounds = [(n, n) for n in range(1, order + 1)] + [(1, 1)] * side**2
    return ExactCover.from_rows(rows, order + side**2, 0, bounds)


def blocks() -> ExactCover:
    """Return Hoffman's packing: 27 blocks of 4 x 5 x 6 in a cube of side 15, in which 135 cells remain empty."""
    rows = [
        [0, *(1 + 225 * (x + a) + 15 * (y + b) + z + c for a, b, c in product(*map(range, size)))]
        for size in permutations((4, 5, 6))
        for x, y, z in product(*(range(16 - length) for length in size))
    ]
    return ExactCover.from_rows(rows, 1, 15**3, [(27, 27)])


def large_sudoku(clues: int) -> ExactCover:
    """Return a sudoku of 25 rows: some cells of a grid whose rows, columns and digits are in an order by chance."""
    chance, signs = random.Random(25), "123456789ABCDEFGHIJKLMNOP"
    rows, columns = (
        [5 * band + line for band in chance.sample(range(5), 5) for line in chance.sample(range(5), 5)]
        for _ in range(2)
    )
    digits = chance.sample(signs, 25)
    given = set(chance.sample(range(625), clues))
    grid = [digits[(5 * (row % 5) + row // 5 + column) % 25] for row in rows for column in columns]
    return sudoku("".join(digit if cell in given else "." for cell, digit in enumerate(grid)))


def pieces(names: str, board: str) -> ExactCover:
    """Return the problem of pieces of the language on a board, each once."""
    made = compile(parse(f'puzzle "pieces"\nlocations {board}\npieces {names}\n'))
    return made.cover


PROBLEMS: dict[str, tuple[str, Callable[[], ExactCover]]] = {
    "Y": ("Y pentominoes 30x30", lambda: tiles(30, 30, Y5)),
    "Y-20": ("Y pentominoes 20x20", lambda: tiles(20, 20, Y5)),
    "Y-25": ("Y pentominoes 25x25", lambda: tiles(25, 25, Y5)),
    "partridge": ("partridge puzzle of order 9", lambda: squares(9)),
    "partridge-8": ("partridge puzzle of order 8", lambda: squares(8)),
    "heptominoes": ("107 heptominoes 7x107", lambda: pieces("polyominoes 7 except 7-57", "box 107x7")),
    "hexominoes": ("60 one-sided hexominoes 15x24", lambda: pieces("hexominoes one-sided", "box 24x15")),
    "blocks": ("Hoffman's packing, 27 blocks 4x5x6", blocks),
    "conway": ("Conway's packing, 18 blocks in a cube of side 5", lambda: encoding("polycubes/conway").cover),
    "pentacubes": ("Y pentacubes 5x5x5", lambda: encoding("polycubes/y-pentacubes").cover),
    "sudoku-25": ("sudoku 25x25 with 300 clues", lambda: large_sudoku(300)),
    "edges-7": ("edge matching 7x7, 6 colours", lambda: edge_matching(7, 6, 5)),
    "edges-8": ("edge matching 8x8, 6 colours", lambda: edge_matching(8, 6, 11)),
}

#: The library that a program needs, apart from puzzlec.
LIBRARIES = {"CP-SAT": "ortools", "CaDiCaL": "pysat"}

#: Knuth's programs. They have no bounds.
KNUTH = {"DLX2": "dlx2", "SSXCC": "ssxcc"}

COLUMNS = ("puzzlec", "CP-SAT", "CaDiCaL", *KNUTH)

#: Whether a program finds some cover of a problem. The cover is checked.
Way = Callable[[ExactCover], bool]


def by_puzzlec(cover: ExactCover) -> bool:
    """Find a cover as `puzzlec solve` does."""
    return len(list(Solutions(cover, limits=Limits(solutions=1)))) == 1


def by_cpsat(cover: ExactCover) -> bool:
    """Find a cover by CP-SAT with one worker."""
    options = solve_with_cpsat(cover).options
    if options is not None:
        check_cover(cover, options)
    return options is not None


def by_cadical(cover: ExactCover) -> bool:
    """Find a cover by CaDiCaL, from the clauses that puzzlec writes."""
    solvers = import_module("pysat.solvers")
    lines = write(cover, "cnf").splitlines()
    with solvers.Cadical195([list(map(int, line.split()[:-1])) for line in lines if line[:1] not in "cp"]) as solver:
        if not solver.solve():
            return False
        true = {literal for literal in solver.get_model() if literal > 0}
    check_cover(cover, tuple(option for option in range(len(cover)) if option + 1 in true))
    return True


WAYS: dict[str, Way] = {"puzzlec": by_puzzlec, "CP-SAT": by_cpsat, "CaDiCaL": by_cadical}


def shuffled(name: str, seed: int) -> ExactCover:
    """Return a problem with its options in another order."""
    cover = PROBLEMS[name][1]()
    order = list(range(len(cover)))
    random.Random(seed).shuffle(order)
    return cover.subset(order)


def load(column: str) -> None:
    """Load a program and its kernels, so that the time of a run does not include this."""
    if column == "puzzlec":
        for kernel in ("bits", "lists"):
            Search(tiles(4, 4, I2), kernel=kernel).count()
        first_cover(tiles(20, 20, Y5), limits=Limits(nodes=200_000))
        if find_spec(LIBRARIES["CP-SAT"]):  # puzzlec gives it turns
            load("CP-SAT")
    WAYS[column](tiles(4, 4, I2))


def inside(column: str, name: str, seed: int) -> None:
    """Find a cover in this process, check it, and print the CPU seconds; null if there was none."""
    way, cover = WAYS[column], shuffled(name, seed)
    load(column)
    begun = time.process_time()
    found = way(cover)
    seconds = time.process_time() - begun
    print(json.dumps(seconds if found else None))


def last_line(text: str) -> str:
    """Return the last line of an output, empty if there is none."""
    return text.strip().splitlines()[-1] if text.strip() else ""


def measure(column: str, name: str, seed: int, limit: float, peers: Path | None) -> float:
    """Return the CPU seconds of a run, the limit if they do not suffice. Raise ValueError for a wrong result."""
    printed: list[float | None] = []

    def read(text: str) -> int:
        printed.append(json.loads(last_line(text)))
        return 1

    if column in WAYS:
        words = [sys.executable, "-m", "tests.tools.bench.first", name, "--one", column, str(seed)]
        done = run(words, None, limit + 3, read)
        seconds = printed[0] if printed and not done.fault else None
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "problem.dlx"
            file.write_text(dlx_text(shuffled(name, seed)), "utf-8")
            done = run([str(find(KNUTH[column], peers)), "t1"], file, limit, after_altogether)
        seconds = done.seconds if not done.fault and done.count == 1 else None
    if seconds is None and done.fault not in ("", "time"):
        raise ValueError(f"{column}, {name}: {done.fault}")
    return limit if seconds is None else min(seconds, limit)


def cell(column: str, name: str, seeds: int, limit: float, peers: Path | None) -> str:
    """Return the median of the seconds for a cell of the table."""
    cover = PROBLEMS[name][1]()
    if column in LIBRARIES and find_spec(LIBRARIES[column]) is None:
        return "-"
    if column in KNUTH:
        bounded = any((low, high) != (1, 1) for low, high in zip(cover.low, cover.high, strict=True))
        if bounded or find(KNUTH[column], peers) is None:
            return "-"
    taken: list[float] = []
    for seed in range(seeds):
        taken.append(measure(column, name, seed, limit, peers))
        if 2 * sum(seconds >= limit for seconds in taken) > seeds:
            return f"> {limit:g}"
    print(f"{name}, {column}: {', '.join(f'{seconds:.2f}' for seconds in taken)}", file=sys.stderr, flush=True)
    return seconds_text(statistics.median(taken))


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.first", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(PROBLEMS)}")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run (60)")
    parser.add_argument("--seeds", type=int, default=10, help="the number of orders (10)")
    parser.add_argument(
        "--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where Knuth's programs are"
    )
    parser.add_argument("--one", nargs=2, metavar=("PROGRAM", "SEED"), help="one run in this process")
    asked = parser.parse_args(words)
    if asked.one:
        inside(asked.one[0], asked.names[0], int(asked.one[1]))
        return
    print(f"| {' | '.join(['problem', *COLUMNS])} |\n|---|{'--:|' * len(COLUMNS)}", flush=True)
    for name in asked.names or PROBLEMS:
        title, _ = PROBLEMS[name]
        cells = [cell(column, name, asked.seeds, asked.limit, asked.peers) for column in COLUMNS]
        print(f"| {' | '.join([title, *cells])} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
