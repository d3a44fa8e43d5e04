"""Time and memory against the number of options: ``python -m tests.bench.growth [--largest N] [--nodes N]``.

The family: rectangles, nearly square, to be packed with any number of each of the twelve pentominoes, rotated and
reflected. Each board has a separate process, which builds the exact cover and searches a fixed number of nodes. It
prints a table with the seconds of both steps and the largest memory, and writes the plot to ``docs/growth.svg``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from puzzlec.engine import ExactCover, Limits, Search
from tests.bench.measuring import run
from tests.bench.plotting import Axis, Panel, picture

PLOT = Path(__file__).parents[2] / "docs" / "growth.svg"

#: About how many options the boards have.
SIZES = (2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000)

#: The twelve pentominoes, row by row.
PENTOMINOES = (
    ".xx/xx./.x.", "xxxxx", "xxxx/x...", "xxx./..xx", "xxx/xx.", "xxx/.x./.x.",
    "x.x/xxx", "x../x../xxx", "x../xx./.xx", ".x./xxx/.x.", "xxxx/.x..", "xx./.x./.xx",
)  # fmt: skip

Shape = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Point:
    """What one size took: seconds to build the cover, seconds of the search, nodes, bytes at most."""

    options: int
    built: float
    searched: float
    nodes: int
    memory: int


def orientations() -> list[Shape]:
    """Return all ways to turn and mirror the twelve pieces, as cells about a corner: 63."""
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
    """Return the nearly square board, its height a multiple of five, that has just so many options or more."""
    extents = [extent(shape) for shape in orientations()]
    height = 5 * max(1, round(math.sqrt(options / len(extents)) / 5))
    width = 5
    while sum((width - wide + 1) * max(0, height - high + 1) for wide, high in extents) < options:
        width += 1
    return width, height


def measure(width: int, height: int, nodes: int) -> dict[str, float]:
    """Build one board, search it, and return what it took but the memory; loading the kernels is not counted."""
    begun = time.process_time()
    cover = ExactCover.from_rows(rows(width, height), primary=width * height)
    built = time.process_time()
    Search(cover, Limits(nodes=nodes)).count()
    warm = time.process_time()
    search = Search(cover, Limits(nodes=nodes))
    search.count()
    return {
        "options": len(cover),
        "built": built - begun,
        "searched": time.process_time() - warm,
        "nodes": search.nodes,
    }


def point(width: int, height: int, nodes: int, limit: float) -> Point | None:
    """Return the cost of a board in a separate process; None if that fails or takes too long."""
    told: list[dict[str, float]] = []

    def read(text: str) -> int:
        told.append(json.loads(text.strip().splitlines()[-1]))
        return 0

    words = [sys.executable, "-m", "tests.bench.growth", "--one", str(width), str(height), "--nodes", str(nodes)]
    done = run(words, None, limit, read)
    if done.fault or not told:
        return None
    found = told[0]
    return Point(int(found["options"]), found["built"], found["searched"], int(found["nodes"]), done.memory)


def svg(points: Sequence[Point]) -> str:
    """Return the plot of seconds and memory against the options; the same for the same points."""
    width, height, left, right, top, bottom = 720, 420, 70, 650, 30, 350
    across = Axis.around([each.options for each in points], left, right)
    curves = {
        "building, s": ("#1f6f8b", [max(each.built, 0.001) for each in points]),
        "search, s": ("#b5452c", [max(each.searched, 0.001) for each in points]),
        "memory, GB": ("#4a7c35", [each.memory / 1e9 for each in points]),
    }
    up = Axis.around([value for _, values in curves.values() for value in values], bottom, top)
    panel = Panel(across, up)
    lines = panel.grid()
    for number, (name, (colour, values)) in enumerate(curves.items()):
        lines += panel.curve([(each.options, value) for each, value in zip(points, values, strict=True)], colour)
        lines.append(f'<text x="{left + 12}" y="{top + 18 + 18 * number}" fill="{colour}">{name}</text>')
    lines.append(f'<text x="{(left + right) // 2}" y="{bottom + 45}" text-anchor="middle">options</text>')
    return picture(width, height, "Time and memory against the number of options", lines)


def main(words: Sequence[str]) -> None:
    """Measure each size, print the table and write the plot."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="about how many options at most")
    parser.add_argument("--nodes", type=int, default=20_000, help="how many nodes are searched")
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds of a size")
    parser.add_argument(
        "--one", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), help="measure one board in this process"
    )
    parser.add_argument("--output", type=Path, default=PLOT, help="where the plot goes")
    asked = parser.parse_args(words)
    if asked.one:
        print(json.dumps(measure(asked.one[0], asked.one[1], asked.nodes)))
        return
    points = []
    print(f"{'options':>10} {'board':>11} {'build s':>8} {'search s':>9} {'nodes':>9} {'us/node':>8} {'MB':>7}")
    for size in SIZES:
        if size > asked.largest:
            break
        width, height = board(size)
        found = point(width, height, asked.nodes, asked.limit)
        shown = f"{width}x{height}"
        if found is None:
            print(f"{size:10,} {shown:>11} not within {asked.limit:g} s")
            break
        points.append(found)
        each = 1e6 * found.searched / max(found.nodes, 1)
        print(
            f"{found.options:10,} {shown:>11} {found.built:8.2f} {found.searched:9.2f} {found.nodes:9} {each:8.2f} "
            f"{found.memory / 1e6:7.0f}",
            flush=True,
        )
    if len(points) > 1:
        asked.output.write_text(svg(points), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
