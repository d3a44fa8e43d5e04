"""The cost of each format on a large puzzle: ``python -m tests.tools.bench.formats [--side N] [--formats NAME ...]``.

The puzzle is that of :mod:`tests.tools.bench.placing`: a square to be packed with any number of each pentomino. It has
a million options at a side of 130. Each format has a separate process, which makes the exact cover, writes it to a
file, and reads it again if possible. It prints the size of the file, the seconds of each step, and the additional
memory of the step, as a table or, with ``--json``, as lines of JSON.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec import compiler
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write_chunks
from puzzlec.lower import Encoding, encode, place
from tests.tools.bench.measuring import run
from tests.tools.bench.placing import board

#: A row of 0 and 1 has a sign for each of 16,900 items: the file would have 17 GB.
HUGE = ("rows",)


class Line(NamedTuple):
    """The cost of a format: bytes of the file, seconds and memory to write and to read (None: not possible)."""

    format: str
    size: int
    written: float
    writing: int
    read: float | None = None
    reading: int | None = None
    fault: str = ""


def peak() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(format: str, encoding: Encoding, folder: Path) -> Line:
    """Write an exact cover in a format, and read it again if it can be read."""
    path = folder / f"large{WRITERS[format].endings[0]}"
    before, begun = peak(), time.perf_counter()
    try:
        with path.open("wb") as stream:
            for chunk in write_chunks(encoding, format):
                stream.write(chunk.encode())
    except PuzzleError as error:
        return Line(format, 0, 0, 0, fault=error.diagnostics[0].message)
    written, writing, size = time.perf_counter() - begun, peak() - before, path.stat().st_size
    if format not in FORMATS:
        return Line(format, size, written, writing)
    before, begun = peak(), time.perf_counter()
    again = compiler.load(str(path), format=format)
    read, reading = time.perf_counter() - begun, peak() - before
    fault = (
        "" if not isinstance(again, ExactCover) or again == encoding.cover else "it is another cover when it is read"
    )
    return Line(format, size, written, writing, read, reading, fault)


def table(lines: Sequence[Line]) -> str:
    """Return the lines as a table in Markdown."""
    rows = [
        "| format | MB | written, s | memory to write, MB | read, s | memory to read, MB |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for line in lines:
        if line.fault:
            rows.append(f"| {line.format} | {line.fault} | | | | |")
            continue
        reading = f"{line.read:.1f} | {(line.reading or 0) / 1e6:.0f}" if line.read is not None else "- | -"
        size, writing = line.size / 1e6, line.writing / 1e6
        rows.append(f"| {line.format} | {size:.0f} | {line.written:.1f} | {writing:.0f} | {reading} |")
    return "\n".join(rows)


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--side", type=int, default=130, help="of the square")
    known = [n for n, writer in WRITERS.items() if writer.stage in ("cover", "any") and n not in HUGE]
    parser.add_argument("--formats", nargs="*", default=known)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if given.one:
        with tempfile.TemporaryDirectory() as folder:
            print(
                json.dumps(
                    measured(given.one, encode(place(board("pentominoes in a square", given.side))), Path(folder))
                )
            )
        return
    found = []
    for name in given.formats:
        command = [sys.executable, "-m", "tests.tools.bench.formats", "--side", str(given.side), "--one", name]
        printed: list[list[Any]] = []

        def read(text: str, kept: list[list[Any]] = printed) -> int:
            kept.append(json.loads(text.strip().splitlines()[-1]))  # ValueError: it failed
            return 0

        done = run(command, limit=600, read=read)
        line = Line(*printed[-1]) if printed and not done.fault else Line(name, 0, 0, 0, fault=done.fault)
        found.append(line)
        if given.json:
            print(json.dumps(line._asdict()), flush=True)
    if not given.json:
        print(table(found))


if __name__ == "__main__":
    main()
