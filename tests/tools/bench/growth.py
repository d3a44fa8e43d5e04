"""Time and memory against the number of options: ``python -m tests.tools.bench.growth [--largest N] [--nodes N]``.

The family: rectangles, nearly square, to be packed with any number of each of the twelve pentominoes, rotated and
reflected. Each board has two processes. One makes the exact cover from arrays and searches a fixed number of nodes. The
other makes the exact cover from the text of a puzzle. It prints a table with the seconds of all steps and the largest
memory, and writes the plot to ``docs/growth.svg``.

A second table compares the same boards in DLX1 and SSXCC, if ``--peers`` has them. They can stop after a number of
accesses to memory ("mems"), and print the nodes until then. A run that stops at once has only the set-up.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path

import numpy as np

import puzzlec
from puzzlec.engine import ExactCover
from puzzlec.engine.search import selection
from puzzlec.ir import Puzzle
from puzzlec.lower import encode, place
from tests.tools.bench.competitors import find
from tests.tools.bench.measuring import run
from tests.tools.bench.peers import seconds_text
from tests.tools.bench.plotting import Axis, Panel, picture
from tests.tools.bench.tables import times
from tests.tools.bench.texts import dlx_text

PLOT = Path(__file__).parents[3] / "docs" / "growth.svg"

#: About how many options the boards have.
SIZES = (2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000)

#: The twelve pentominoes, row by row.
PENTOMINOES = (
    ".xx/xx./.x.", "xxxxx", "xxxx/x...", "xxx./..xx", "xxx/xx.", "xxx/.x./.x.",
    "x.x/xxx", "x../x../xxx", "x../xx./.xx", ".x./xxx/.x.", "xxxx/.x..", "xx./.x./.xx",
)  # fmt: skip

Shape = tuple[tuple[int, int], ...]


#: Number of nodes of the first descent, which are measured separately.
FIRST = 1000

#: CPU seconds of rounds for one board: the clock of some systems counts hundredths of a second.
SPELL = 1.0


@dataclass(frozen=True)
class Point:
    """The cost of one size: seconds of the steps, nodes, and peak memory in bytes.

    ``compiled`` is the time from the text of a puzzle to the cover, ``built`` from arrays to the cover, ``begun`` from
    the cover to the kernel. ``first`` is for the :data:`FIRST` nodes, ``searched`` for all.
    """

    options: int
    nodes: int
    built: float
    begun: float
    first: float
    searched: float
    memory: int
    compiled: float
    compiled_memory: int


def orientations() -> list[Shape]:
    """Return all 63 orientations of the twelve pieces, as cells around a corner."""
    found: set[Shape] = set()
    for drawing in PENTOMINOES:
        cells = [(x, y) for y, row in enumerate(drawing.split("/")) for x, sign in enumerate(row) if sign == "x"]
        for flip, turns in product((1, -1), range(4)):
            turned = [(flip * x, y) for x, y in cells]
            for _ in range(turns):
                turned = [(-y, x) for x, y in turned]
            left, top = min(x for x, _ in turned), min(y for _, y in turned)
            found.add(tuple(sorted((x - left, y - top) for x, y in turned)))
    return sorted(found)


def rows(width: int, height: int) -> Iterator[tuple[int, ...]]:
    """Return the placements of all orientations on a board, each as its cells."""
    for shape in orientations():
        wide, high = extent(shape)
        for y, x in product(range(height - high + 1), range(width - wide + 1)):
            yield tuple((y + down) * width + x + right for right, down in shape)


def extent(shape: Shape) -> tuple[int, int]:
    """Return the width and the height of a shape."""
    return max(x for x, _ in shape) + 1, max(y for _, y in shape) + 1


def board(options: int) -> tuple[int, int]:
    """Return the smallest nearly square board with at least this many options; its height is a multiple of five."""
    extents = [extent(shape) for shape in orientations()]
    height = 5 * max(1, round(math.sqrt(options / len(extents)) / 5))
    width = 5
    while sum((width - wide + 1) * max(0, height - high + 1) for wide, high in extents) < options:
        width += 1
    return width, height


def measure(width: int, height: int, nodes: int) -> dict[str, float]:
    """Make and search one board. Return the cost without the memory; loading the kernels is not counted."""
    small = ExactCover.from_rows(rows(*board(SIZES[0])), primary=math.prod(board(SIZES[0])))
    for name in ("bits", "lists"):
        selection.make(small, name).count(nodes)
    entries = np.fromiter(chain.from_iterable(rows(width, height)), np.int32)
    starts = np.arange(0, len(entries) + 1, 5, dtype=np.int32)
    spent, visited = [0.0] * 4, 0

    def round_() -> int:
        nonlocal visited
        cover = ExactCover.from_arrays(starts, entries, primary=width * height)
        times = [time.process_time()]
        kernel = selection.make(cover, selection.choose(cover).kernel)
        times.append(time.process_time())
        kernel.count(min(FIRST, nodes))
        times.append(time.process_time())
        kernel.count(nodes - kernel.nodes_visited)
        times.append(time.process_time())
        for step in range(3):
            spent[step + 1] += times[step + 1] - times[step]
        visited = kernel.nodes_visited
        return len(cover)

    rounds, seconds, options = repeated(round_)
    built, begun, first, rest = (total / rounds for total in [seconds - sum(spent), *spent[1:]])
    return {
        "options": options,
        "nodes": visited,
        "built": built,
        "begun": begun,
        "first": first,
        "searched": first + rest,
    }


def compiled(width: int, height: int) -> dict[str, float]:
    """Compile the puzzle of one board. Return the seconds; loading the language is not counted."""
    options_of_text(5, 5)
    rounds, seconds, _ = repeated(lambda: options_of_text(width, height))
    return {"compiled": seconds / rounds}


def options_of_text(width: int, height: int) -> int:
    """Make the cover of a board from the text of its puzzle. Return the number of options."""
    puzzle = puzzlec.parse(f"lattice square\nlocations box {width}x{height}\npieces pentominoes x*")
    assert isinstance(puzzle, Puzzle)
    return len(encode(place(puzzle)).cover)


def repeated(action: Callable[[], int]) -> tuple[int, float, int]:
    """Repeat an action for :data:`SPELL`. Return the number of rounds, the CPU seconds of all, and a result."""
    begun, rounds = time.process_time(), 0
    while True:
        result, rounds = action(), rounds + 1
        if time.process_time() - begun > SPELL:
            return rounds, time.process_time() - begun, result


def point(width: int, height: int, nodes: int, limit: float) -> Point | None:
    """Return the cost of a board in separate processes; None if one fails or takes too long."""
    words = [sys.executable, "-m", "tests.tools.bench.growth", "--one", str(width), str(height), "--nodes", str(nodes)]
    told: list[dict[str, float]] = []

    def read(text: str) -> int:
        told.append(json.loads(text.strip().splitlines()[-1]))
        return 0

    searching, compiling = run(words, None, limit, read), run([*words, "--text"], None, limit, read)
    if searching.fault or compiling.fault or len(told) < 2:
        return None
    found = told[0]
    return Point(
        int(found["options"]),
        int(found["nodes"]),
        found["built"],
        found["begun"],
        found["first"],
        found["searched"],
        searching.memory,
        told[1]["compiled"],
        compiling.memory,
    )


#: Knuth's programs of the second table, by their columns.
KNUTH = {"DLX1": "dlx1", "SSXCC": "ssxcc"}

#: The mems of the first run with nodes, and how many times as many the next one has.
MEMS, MORE = 10**8, 4


@dataclass(frozen=True)
class Descent:
    """The CPU seconds of a program: for the set-up, and for the first nodes."""

    begun: float
    searched: float

    @property
    def whole(self) -> float:
        """Seconds of both."""
        return self.begun + self.searched

    def cells(self) -> list[str]:
        """Return its cells of the second table."""
        return [seconds_text(self.begun), seconds_text(self.searched)]


def nodes_of(printed: str) -> int:
    """Return the nodes that one of Knuth's programs has printed. Raise ValueError if they are not there.

    >>> nodes_of("TIMEOUT!\\nAltogether 0 solutions, 138+19 mems, 1 updates, 276 bytes, 2 nodes, ccost 37%.\\n")
    2
    """
    found = re.findall(r"\bAltogether .* (\d+) nodes", printed)
    if not found:
        raise ValueError("the program printed no nodes")
    return int(found[-1])


def by_knuth(path: Path, width: int, height: int, nodes: int, limit: float) -> Descent | None:
    """Return the seconds of one of Knuth's programs on a board; None if it stops or reaches the limit.

    The second run has at least ``nodes`` nodes. Its time is divided among them.
    """
    cover = ExactCover.from_rows(rows(width, height), primary=width * height)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.dlx"
        file.write_text(dlx_text(cover), encoding="utf-8")
        setup = min((run([str(path), "T1"], file, limit, nodes_of) for _ in range(3)), key=lambda done: done.seconds)
        mems = MEMS
        while not setup.fault:
            done = run([str(path), f"T{mems}"], file, limit, nodes_of)
            if done.fault:
                break
            if done.count is not None and done.count >= nodes:
                return Descent(setup.seconds, max(0.0, done.seconds - setup.seconds) * nodes / done.count)
            mems *= MORE
    return None


def beside(point: Point, others: dict[str, Descent | None]) -> str:
    """Return a row of the second table."""
    ours = Descent(point.compiled + point.begun, point.searched)
    cells = [f"{point.options:,}", *ours.cells()]
    for descent in others.values():
        cells += ["-", "-"] if descent is None else descent.cells()
    best = min((descent.whole for descent in others.values() if descent is not None), default=None)
    cells.append("-" if best is None else times(str(best), ours.whole))
    return f"| {' | '.join(cells)} |"


def svg(points: Sequence[Point]) -> str:
    """Return the plot of seconds and memory against the options; the same for the same points."""
    width, height, left, right, top, bottom = 720, 420, 70, 650, 30, 350
    across = Axis.around([measured.options for measured in points], left, right)
    curves = {
        "set-up, s": ("#1f6f8b", [max(measured.built + measured.begun, 0.001) for measured in points]),
        "search, s": ("#b5452c", [max(measured.searched, 0.001) for measured in points]),
        "memory, GB": ("#4a7c35", [measured.memory / 1e9 for measured in points]),
    }
    up = Axis.around([value for _, values in curves.values() for value in values], bottom, top)
    panel = Panel(across, up)
    lines = panel.grid()
    for number, (name, (colour, values)) in enumerate(curves.items()):
        lines += panel.curve(
            [(measured.options, value) for measured, value in zip(points, values, strict=True)], colour
        )
        lines.append(f'<text x="{left + 12}" y="{top + 18 + 18 * number}" fill="{colour}">{name}</text>')
    lines.append(f'<text x="{(left + right) // 2}" y="{bottom + 45}" text-anchor="middle">options</text>')
    return picture(width, height, "Time and memory against the number of options", lines)


def main(words: Sequence[str]) -> None:
    """Measure each size, print the table and write the plot."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.growth")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="about how many options at most")
    parser.add_argument("--nodes", type=int, default=20_000, help="how many nodes are searched")
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds of a size")
    parser.add_argument(
        "--one", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), help="measure one board in this process"
    )
    parser.add_argument(
        "--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where Knuth's programs are"
    )
    parser.add_argument("--patience", type=float, default=300.0, help="CPU seconds of a run of Knuth's programs (300)")
    parser.add_argument("--output", type=Path, default=PLOT, help="where the plot goes")
    parser.add_argument("--text", action="store_true", help="with --one: compile its text")
    asked = parser.parse_args(words)
    if asked.one:
        width, height = asked.one
        print(json.dumps(compiled(width, height) if asked.text else measure(width, height, asked.nodes)))
        return
    points = []
    names = ["text to cover s", "text MB", "arrays to cover s", "kernel s", "first us/node", "all nodes s", "MB"]
    print(f"| options | board | {' | '.join(names)} |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for size in SIZES:
        if size > asked.largest:
            break
        width, height = board(size)
        found = point(width, height, asked.nodes, asked.limit)
        shown = f"{width}x{height}"
        if found is None:
            print(f"{size:,} {shown}: not within {asked.limit:g} s")
            break
        points.append(found)
        print(
            f"| {found.options:,} | {shown} | {found.compiled:.3f} | {found.compiled_memory / 1e6:.0f} "
            f"| {found.built:.3f} | {found.begun:.3f} | {1e6 * found.first / FIRST:.2f} | {found.searched:.3f} "
            f"| {found.memory / 1e6:.0f} |",
            flush=True,
        )
    compare(points, asked.nodes, asked.peers, asked.patience)
    if len(points) > 1:
        asked.output.write_text(svg(points), encoding="utf-8")


def compare(points: Sequence[Point], nodes: int, peers: Path | None, limit: float) -> None:
    """Print the table of the boards in Knuth's programs, as far as they are there."""
    paths = {name: path for name, program in KNUTH.items() if (path := find(program, peers)) is not None}
    columns = [f"{name}: {part}" for name in ("puzzlec", *paths) for part in ("set-up s", "nodes s")]
    if not paths:
        return
    print(f"\n| options | {' | '.join(columns)} | times as fast |\n|{'--:|' * (len(columns) + 2)}", flush=True)
    late: set[str] = set()  # larger boards take them longer
    for measured in points:
        size = board(measured.options)
        others = {name: None if name in late else by_knuth(paths[name], *size, nodes, limit) for name in paths}
        late = {name for name, found in others.items() if found is None}
        print(beside(measured, others), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
