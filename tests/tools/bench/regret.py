"""The regret of the default: its CPU time for a count, divided by that of the best single method, on 67 problems.

``python -m tests.tools.bench.regret`` prints a table, worst first. Each method counts in one warm process, in turn, and
the median of the rounds is taken. A method that reaches the limit, takes four times as long as the default, or runs out
of memory, has no time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise, product
from statistics import median

from puzzlec.engine import ExactCover
from puzzlec.engine.limits import Limits
from puzzlec.engine.search.count_tasks import FrontierTooWideError
from puzzlec.engine.search.counting import Counting
from tests.tools.bench import instances
from tests.tools.bench.instances import langford, queens, sudoku

#: The default, and the single methods.
METHODS = ("auto", "bits", "frontier")

#: Times below this many seconds count as this many: smaller times are lost in the noise.
LEAST = 0.02

Cells = Iterable[tuple[int, int]]

I2, I3, L3 = [(0, 0), (1, 0)], [(0, 0), (1, 0), (2, 0)], [(0, 0), (1, 0), (0, 1)]
I4, L4, T4 = [(k, 0) for k in range(4)], [(0, 0), (1, 0), (2, 0), (0, 1)], [(0, 0), (1, 0), (2, 0), (1, 1)]
O4, S4 = list(product(range(2), range(2))), [(0, 0), (1, 0), (1, 1), (2, 1)]
Y5, P5 = [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)], [*O4, (0, 2)]
L5, I5 = [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)], [(k, 0) for k in range(5)]


def turned(piece: Cells) -> set[tuple[tuple[int, int], ...]]:
    """Return the orientations of a piece, each from its least cell on."""
    found = set()
    cells = list(piece)
    for _ in range(4):
        cells = [(-y, x) for x, y in cells]
        for shape in (cells, [(-x, y) for x, y in cells]):
            x0, y0 = min(shape, key=lambda cell: (cell[1], cell[0]))
            found.add(tuple(sorted((x - x0, y - y0) for x, y in shape)))
    return found


def tiles(width: int, height: int, *pieces: Cells, holes: Cells = ()) -> ExactCover:
    """Return the problem of tiling a rectangle with copies of some pieces."""
    gone = set(holes)
    cells = [cell for cell in product(range(width), range(height)) if cell not in gone]
    number = {(x, y): at for at, (x, y) in enumerate(sorted(cells, key=lambda cell: (cell[1], cell[0])))}
    rows = []
    for piece in pieces:
        for shape, (x, y) in product(sorted(turned(piece)), number):
            row = [number.get((x + dx, y + dy), -1) for dx, dy in shape]
            if min(row) >= 0:
                rows.append(row)
    return ExactCover.from_rows(rows, primary=len(number))


def latin(order: int, fixed: int = 1) -> ExactCover:
    """Return the problem of Latin squares. The first row and column are sorted if ``fixed`` is 1."""
    rows = []
    for r, c, value in product(range(order), repeat=3):
        if (value == c if r == 0 else value == r) if fixed and (r == 0 or c == 0) else True:
            rows.append([order * r + c, order * (order + r) + value, order * (2 * order + c) + value])
    return ExactCover.from_rows(rows, primary=3 * order * order)


def matching(size: int, degree: int, seed: int) -> ExactCover:
    """Return the perfect matchings of a random bipartite graph."""
    chance = random.Random(seed)
    rows = [[left, size + right] for left in range(size) for right in chance.sample(range(size), degree)]
    return ExactCover.from_rows(rows, primary=2 * size)


def band(size: int, reach: int, seed: int, number: int) -> ExactCover:
    """Return random options within a short reach of a line of items, and those of one cover."""
    chance = random.Random(seed)
    rows = [list(range(at, min(at + 3, size))) for at in range(0, size, 3)]
    for _ in range(number):
        begin = chance.randrange(size - reach)
        rows.append(sorted(chance.sample(range(begin, begin + reach), chance.randint(2, 4))))
    return ExactCover.from_rows(rows, primary=size)


def planted(size: int, seed: int, number: int) -> ExactCover:
    """Return random options of three or four items, and those of one cover."""
    chance = random.Random(seed)
    order = list(range(size))
    chance.shuffle(order)
    rows = [order[at : at + 3] for at in range(0, size, 3)]
    rows += [chance.sample(range(size), chance.randint(3, 4)) for _ in range(number)]
    return ExactCover.from_rows(rows, primary=size)


def mixed(size: int, most: int, seed: int, number: int) -> ExactCover:
    """Return random options of at most some items, and those of six covers."""
    chance = random.Random(seed)
    order, rows = list(range(size)), set()
    for _ in range(6):
        chance.shuffle(order)
        begin = 0
        while begin < size:
            end = begin + chance.randint(1, most)
            rows.add(tuple(sorted(order[begin:end])))
            begin = end
    for _ in range(number):
        rows.add(tuple(sorted(chance.sample(range(size), chance.randint(1, most)))))
    return ExactCover.from_rows([list(row) for row in sorted(rows)], primary=size)


def twice(cover: ExactCover) -> ExactCover:
    """Return two copies of a problem side by side: its components."""
    starts, items = cover.starts, cover.items
    rows = [list(items[begin:end]) for begin, end in pairwise(starts)]
    return ExactCover.from_rows(
        rows + [[item + cover.primary for item in row] for row in rows], primary=2 * cover.primary
    )


def known(name: str) -> Callable[[], ExactCover]:
    """Return the function that builds a problem of the table of peers."""
    return instances.find(name).build


Build = Callable[[], ExactCover]


def builders(title: str, build: Callable[..., ExactCover], *arguments: tuple[object, ...]) -> dict[str, Build]:
    """Return the functions that build some problems of a kind, by their names."""
    return {f"{title} {'x'.join(map(str, given))}": partial(build, *given) for given in arguments}


def dominoes(width: int, height: int) -> ExactCover:
    """Return the problem of domino tilings."""
    return tiles(width, height, I2)


PROBLEMS: dict[str, Build] = {
    **{name: known(name) for name in ("soma", "3x20", "8x8", "6x10", "6x10-held", "sudoku", "sudoku-16")},
    **{name: known(name) for name in ("tetrasticks", "Y-10x16", "edges", "dominoes-8x8", "dominoes-12x12")},
    **builders("langford", langford, (7,), (8,), (11,), (12,)),
    **builders("queens", queens, (8,), (10,), (12,)),
    **builders("latin", latin, (4,), (5,), (6,)),
    "all latin 6": partial(latin, 6, 0),
    **{f"triples {points}": partial(instances.design, points, 3, 2) for points in (7, 9)},
    "S(5,6,12)": known("steiner-5-6-12"),
    **builders("dominoes", dominoes, (2, 60), (4, 30), (7, 8), (10, 10), (16, 16)),
    "mutilated 8x8": partial(tiles, 8, 8, I2, holes=[(0, 0), (7, 7)]),
    "mutilated 12x12": partial(tiles, 12, 12, I2, holes=[(0, 0), (11, 11)]),
    "dominoes with holes": partial(tiles, 9, 9, I2, holes=[(1, 1), (4, 4), (7, 5)]),
    **{f"trominoes {n}x{m}": partial(tiles, n, m, I3, L3) for n, m in ((6, 6), (9, 9), (5, 30), (12, 9))},
    "L trominoes 9x10": partial(tiles, 9, 10, L3),
    "T tetrominoes 8x8": partial(tiles, 8, 8, T4),
    "T tetrominoes 10x10": partial(tiles, 10, 10, T4),
    "L tetrominoes 8x8": partial(tiles, 8, 8, L4),
    "tetrominoes 6x8": partial(tiles, 6, 8, I4, L4, T4, O4, S4),
    "tetrominoes 4x20": partial(tiles, 4, 20, I4, L4, T4, O4, S4),
    "Y pentominoes 10x10": partial(tiles, 10, 10, Y5),
    "Y pentominoes 10x14": partial(tiles, 10, 14, Y5),
    "Y pentominoes 5x40": partial(tiles, 5, 40, Y5),
    "L pentominoes 7x10": partial(tiles, 7, 10, L5),
    "P pentominoes 10x10": partial(tiles, 10, 10, P5),
    "P and I pentominoes 8x10": partial(tiles, 8, 10, P5, I5),
    **builders("matching", matching, (14, 4, 1), (20, 3, 1), (16, 5, 1)),
    **builders("band", band, (48, 9, 48, 192), (90, 9, 90, 360), (150, 9, 150, 600), (72, 24, 1, 300)),
    **builders("planted", planted, (30, 2, 200), (45, 2, 400), (54, 2, 700), (60, 2, 600)),
    **builders("mixed", mixed, (24, 4, 77, 150), (30, 5, 78, 250), (36, 3, 79, 120)),
    "two langford 7": lambda: twice(langford(7)),
    "two boards 6x6": lambda: twice(tiles(6, 6, I3, L3)),
    "two latin 4": lambda: twice(latin(4)),
    "sudoku 4x4": partial(sudoku, "." * 16),
}


def timed(cover: ExactCover, method: str, limit: float) -> tuple[float | None, int | None, str]:
    """Count by a method. Return its CPU seconds, the number, and the method that won; None after the limit."""
    counting = Counting(cover, Limits(seconds=limit), kernel=method)  # type: ignore[arg-type]
    begun = time.process_time()
    try:
        number = counting.count()
    except (FrontierTooWideError, MemoryError, ValueError):
        return None, None, ""
    seconds = time.process_time() - begun
    return (seconds, number, counting.choice.kernel) if counting.complete else (None, None, "")


def measured(cover: ExactCover, runs: int, limit: float) -> tuple[dict[str, float | None], str]:
    """Return the CPU seconds of each method, medians of interleaved runs, and the winner of the default."""
    times: dict[str, list[float]] = {method: [] for method in METHODS}
    winner, numbers, out = "", set(), set()
    patience = limit
    for _, method in product(range(runs), METHODS):
        if method in out:
            continue
        begun = time.monotonic()
        seconds, number, how = timed(cover, method, limit if method == "auto" else patience)
        if method == "auto" and seconds is not None:
            # Limits are in real time. On a busy machine, the same work can take much longer the next time.
            patience = min(limit, 2.0 + 4 * (time.monotonic() - begun))
        if seconds is None:
            out.add(method)
            continue
        times[method].append(seconds)
        numbers.add(number)
        winner = how if method == "auto" else winner
    assert len(numbers) <= 1, numbers
    return {
        method: median(several) if several and method not in out else None for method, several in times.items()
    }, winner


def regret(times: dict[str, float | None]) -> float | None:
    """Return the time of the default divided by that of the best method, None if no method has ended."""
    best = min((seconds for method, seconds in times.items() if method != "auto" and seconds is not None), default=None)
    if best is None:
        return None
    mine = times["auto"]
    return float("inf") if mine is None else max(mine, LEAST) / max(best, LEAST)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--problems", nargs="*", default=list(PROBLEMS))
    asked = parser.parse_args()
    warm = PROBLEMS["langford 7"]()
    for method in METHODS:
        timed(warm, method, 600.0)
    rows = []
    for name in asked.problems:
        times, winner = measured(PROBLEMS[name](), asked.runs, asked.limit)
        rows.append((regret(times), name, times, winner))
        sys.stderr.write(f"{name}: {rows[-1][0]} {times} {winner}\n")
    rows.sort(key=lambda row: -(row[0] or 0))
    heads = "problem", "best method alone", "its s", "default s", "regret", "won by"
    out = ["| " + " | ".join([*heads, *METHODS[1:]]) + " |", "|---|---|--:|--:|--:|---|" + "--:|" * (len(METHODS) - 1)]
    for share, name, times, winner in rows:
        shown = {method: "-" if seconds is None else f"{seconds:.3f}" for method, seconds in times.items()}
        alone = [method for method in METHODS[1:] if times[method] is not None]
        best = min(alone, key=lambda method: times[method] or 0.0, default="")
        cells = [name, f"`{best}`" if best else "-", shown.get(best, "-"), shown["auto"]]
        cells += ["-" if share is None else f"{share:.2f}", winner, *(shown[method] for method in METHODS[1:])]
        out.append(f"| {' | '.join(cells)} |")
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
