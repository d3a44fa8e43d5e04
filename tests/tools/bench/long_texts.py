"""The time to read long texts of the puzzle language in a warm process, by kind of line.

    python -m tests.tools.bench.long_texts [lines]

A line of the output has the lines that are parsed, and that are read to a puzzle, in a second of CPU time: the best of
three rounds.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator

from puzzlec.diagnostics import Source
from puzzlec.language.line_forms import parse_statements
from puzzlec.language.puzzle_text import read_puzzle

_SQUARE = "locations box 100x100\nempty 0..10000\n"
_NAMED = "lattice none\nlocations names " + " ".join(f"i{number}" for number in range(500)) + "\n"


def _cells(lines: int) -> Iterator[str]:
    """Yield pieces with a list of five cells."""
    for number in range(lines):
        cells = [(0, 0)]
        for _ in range(4):
            cells.append((cells[-1][0] + random.randrange(2), cells[-1][1] + 1))
        yield f"piece p{number} cells {' '.join(f'({x},{y})' for x, y in cells)}"


def _drawings(lines: int) -> Iterator[str]:
    """Yield pieces with a drawing."""
    for number in range(lines):
        width = random.randrange(3, 8)
        yield f"piece p{number} x0..1 {{ {'x' * width} / x{'.' * (width - 1)} }}"


def _rules(lines: int) -> Iterator[str]:
    """Yield pieces, each with a rule or a cost."""
    for number in range(lines // 2):
        at = f"({random.randrange(90)},{random.randrange(90)})"
        yield f"piece p{number} {{ xx / x. }}"
        yield (
            f"place p{number} on box 3x3 at {at}",
            f"forbid p{number} at cells {at}",
            f"cost p{number} = {random.randrange(90)}",
        )[number % 3]


def _covers(lines: int) -> Iterator[str]:
    """Yield pieces with one placement on named locations."""
    for number in range(lines):
        yield f"piece o{number} covers {{ {' '.join(f'i{item}' for item in random.sample(range(500), 5))} }}"


#: Kinds of text: the lines at the beginning, and what yields the others.
KINDS: dict[str, tuple[str, Callable[[int], Iterator[str]]]] = {
    "pieces with five cells": (_SQUARE, _cells),
    "pieces with drawings": (_SQUARE, _drawings),
    "pieces and rules": (_SQUARE, _rules),
    "covers of five locations": (_NAMED, _covers),
}


def text_of(kind: str, lines: int) -> str:
    """Return a text of a kind with this many lines after its beginning; it is the same each time."""
    random.seed(kind)
    head, of = KINDS[kind]
    return head + "\n".join(of(lines)) + "\n"


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print a table of speeds."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{'':26} {'parsed':>10} {'read':>10}  lines per second")
    for kind in KINDS:
        text = text_of(kind, lines)
        parsed, read = [
            lines / min(_seconds(work) for _ in range(3))
            for work in (lambda: parse_statements(text), lambda: read_puzzle(Source("long.puzzle", text)))  # noqa: B023
        ]
        print(f"{kind:26} {parsed:10,.0f} {read:10,.0f}", flush=True)


if __name__ == "__main__":
    main()
