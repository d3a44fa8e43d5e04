"""Placements a second on large boards, beside plain Python loops: ``python -m tests.tools.bench.placing [--runs N]``.

Each board is a puzzle with any number of each piece of a set, and has about a million placements. Two steps are
measured: ``place``, from the puzzle to the fitting, and ``encode``, from there to the exact cover. Plain
loops do the same: over orientations and anchors with a dictionary of the cells, and over placements with a list of the
items. They make the same arrays, and both steps begin with the same objects.

All runs are in one warm process: puzzlec and the plain loops take turns. The output has medians of the processor time,
and the median of the ratios of the rounds.
"""

from __future__ import annotations

import argparse
import gc
import time
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from operator import add, sub
from statistics import median
from typing import NamedTuple

import puzzlec
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import encode, orientations, place

#: The boards by name: the text of a puzzle, with `{}` for the length of a side, and that length.
BOARDS = {
    "pentominoes in a square": ("lattice square\nlocations box {0}x{0}\npieces pentominoes x*", 130),
    "solid pentominoes in a cube": ("lattice cubic\nlocations box {0}x{0}x{0}\npieces solid-pentominoes x*", 19),
    "hexiamonds in a rhombus": ("lattice triangle\nlocations box {0}x{0}\npieces hexiamonds x*", 107),
}


class Cost(NamedTuple):
    """The seconds of each way to do a step, puzzlec last, and how many times as fast puzzlec is as each other way."""

    seconds: tuple[float, ...]
    ratios: tuple[float, ...]


class Line(NamedTuple):
    """The measurements on a board."""

    board: str
    placements: int
    place: Cost
    encode: Cost


def board(name: str, side: int = 0) -> Puzzle:
    """Return the puzzle on a board, of its usual size or of another one."""
    text, usual = BOARDS[name]
    puzzle = puzzlec.parse(text.format(side or usual))
    assert isinstance(puzzle, Puzzle)
    return puzzle


def plain_placements(puzzle: Puzzle) -> list[list[tuple[int, ...]]]:
    """Return the placements of each piece, found by trying every orientation at every anchor."""
    lattice = puzzle.lattice
    assert lattice is not None
    points = [lattice.point(location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    number = {point: index for index, point in enumerate(points)}
    found = []
    for piece in puzzle.pieces:
        own = []
        for orientation in orientations(piece, lattice):
            anchor = orientation[0][0]
            kind = lattice.class_of(anchor)
            steps = [tuple(map(sub, point, anchor)) for point, _ in orientation]
            for start in points:
                if len(lattice.kinds) > 1 and lattice.class_of(start) != kind:
                    continue
                reached = []
                for step in steps:
                    location = number.get(tuple(map(add, start, step)))
                    if location is None:
                        break
                    reached.append(location)
                else:
                    own.append(tuple(sorted(reached)))
        found.append(own)
    return found


def packed_placements(puzzle: Puzzle) -> list[list[tuple[int, ...]]]:
    """Return the same as :func:`plain_placements` from a faster loop.

    A point is one integer, with strides so wide that no piece crosses a side. Anchors are sorted by the kind of their
    cell first.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    points = [lattice.point(location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    stride = 4 * max(map(max, points)) + 100

    def key(point: Sequence[int]) -> int:
        return sum(value * stride**axis for axis, value in enumerate(point))

    number = {key(point): index for index, point in enumerate(points)}
    anchors: dict[int, list[int]] = {}
    for point in points:
        anchors.setdefault(lattice.class_of(point), []).append(key(point))
    found = []
    for piece in puzzle.pieces:
        own = []
        for orientation in orientations(piece, lattice):
            anchor = orientation[0][0]
            steps = [key(point) - key(anchor) for point, _ in orientation]
            for start in anchors[lattice.class_of(anchor)]:
                reached = []
                for step in steps:
                    location = number.get(start + step)
                    if location is None:
                        break
                    reached.append(location)
                else:
                    own.append(tuple(sorted(reached)))
        found.append(own)
    return found


def plain_options(fitting: Fitting) -> tuple[array[int], array[int]]:
    """Return the starts of the options and their items: the locations. Any number of each piece may be used."""
    item_of_location = list(range(fitting.locations))
    starts, items = array("i", [0]), array("i")
    for piece in fitting.pieces:
        for placement in piece.placements:
            items.extend([item_of_location[location] for location in placement])
            starts.append(len(items))
    return starts, items


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    before = time.process_time()
    work()
    return time.process_time() - before


def _compare(*ways: Callable[[], object], runs: int) -> Cost:
    """Return the costs of ways to do the same, run in turn. The first run of each is not counted."""
    rounds = [[_seconds(way) for way in ways] for _ in range(runs + 1)][1:]
    ratios = [[spent / seconds[-1] for spent in seconds[:-1]] for seconds in rounds]
    return Cost(*(tuple(median(column) for column in zip(*table, strict=True)) for table in (rounds, ratios)))


def measured(name: str, runs: int, side: int = 0) -> Line:
    """Return the costs of one board."""
    puzzle = board(name, side)
    fitting = place(puzzle)
    number = sum(len(piece.placements) for piece in fitting.pieces)
    placing = [partial(way, puzzle) for way in (plain_placements, packed_placements, place)]
    encoding = [partial(way, fitting) for way in (plain_options, encode)]
    return Line(
        f"{name}, side {side or BOARDS[name][1]}",
        number,
        _compare(*placing, runs=runs),
        _compare(*encoding, runs=runs),
    )


def row(board: str, placements: int, cost: Cost) -> str:
    """Return a line of a table: seconds of all ways, placements a second, ratios."""
    speed = placements / cost.seconds[-1] / 1e6
    cells = [*(f"{spent:.2f}" for spent in cost.seconds), f"{speed:.1f}", *(f"{ratio:.1f}" for ratio in cost.ratios)]
    return f"| {' | '.join([board, f'{placements:,}', *cells])} |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="of how many runs the medians are")
    runs = parser.parse_args().runs
    lines = [measured(name, runs) for name in BOARDS]
    ways = ["loop s", "packed loop s", "`place` s", "millions a second", "to loop", "to packed loop"]
    print(table(["board", "placements", *ways], [row(line.board, line.placements, line.place) for line in lines]))
    ways = ["loop s", "`encode` s", "millions a second", "to loop"]
    print(table(["board", "options", *ways], [row(line.board, line.placements, line.encode) for line in lines]))


def table(heads: Sequence[str], rows: Sequence[str]) -> str:
    """Return a table in Markdown, with an empty line at its end."""
    return "\n".join([f"| {' | '.join(heads)} |", f"|---|{'--:|' * (len(heads) - 1)}", *rows, ""])


if __name__ == "__main__":
    main()
