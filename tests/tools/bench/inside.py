"""A process that solves problems with one Python library and reports the seconds: it is warm after the first problem.

    python tests/tools/bench/inside.py LIBRARY

Each line of standard input is a limit of CPU seconds and a file (see ``row_text`` in ``texts.py``), or for puzzlec
the name of an instance. The answer is a line of JSON with the count and the CPU seconds. The time is that of the
library, from the rows in Python to the count, without reading the file. A problem over the limit ends the process. A
short problem is solved several times, and the answer gives the mean.

This file imports nothing of the project at the top, because it also runs in the environment of the library.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

#: No process may take more memory than this many bytes.
MEMORY = 8 << 30

#: Short work is repeated until it has taken this many seconds in all, because clocks of CPU time can be coarse ...
ENOUGH = 0.2

#: ... or this many times.
OFTEN = 1000

#: The example of Knuth's paper with two covers, to warm up; its options are the rows.
WARM = "4 0\n0\n0 1\n1 3\n2\n2 3\n"


@dataclass(frozen=True)
class Rows:
    """An exact cover in Python's lists: the items of each option, and the colours of the coloured ones."""

    primary: int
    secondary: int
    options: list[list[int]]
    colours: list[dict[int, str]]

    @property
    def total(self) -> int:
        """The number of items."""
        return self.primary + self.secondary

    def matrix(self, dtype: str) -> Any:
        """Return the options as rows of a numpy array of 0 and 1."""
        numpy = import_module("numpy")
        matrix = numpy.zeros((len(self.options), self.total), dtype=dtype)
        for number, option in enumerate(self.options):
            matrix[number, option] = 1
        return matrix


def parse(text: str) -> Rows:
    """Return the problem in a text of rows."""
    head, *lines = text.splitlines()
    primary, secondary = map(int, head.split())
    options, colours = [], []
    for line in lines:
        entries = [entry.partition(":") for entry in line.split()]
        options.append([int(item) for item, _, _ in entries])
        colours.append({int(item): colour for item, _, colour in entries if colour})
    return Rows(primary, secondary, options, colours)


def _exact_cover(rows: Rows) -> int:
    matrix = rows.matrix("int32")
    return int(import_module("exact_cover").get_solution_count(matrix))


def _exact_cover_py(rows: Rows) -> int:
    return sum(1 for _ in import_module("exact_cover_py").exact_covers(rows.matrix("uint8")))


def _xcover(rows: Rows) -> int:
    return sum(1 for _ in import_module("xcover").covers(*_named(rows)))


def _xcover_zdd(rows: Rows) -> int:
    counts = {0: 0, 1: 1}
    last = 1  # without a node, the empty set is the one cover
    for node, _, low, high in import_module("xcover").covers_zdd(*_named(rows), use_memo_cache=True):
        counts[node] = counts[low] + counts[high]
        last = node
    return counts[last]


def _named(rows: Rows) -> tuple[list[list[str]], list[str], list[str], bool]:
    names = [f"i{item}" for item in range(rows.total)]
    options = [
        [names[item] + (f":{colours[item]}" if item in colours else "") for item in option]
        for option, colours in zip(rows.options, rows.colours, strict=True)
    ]
    return options, names[: rows.primary], names[rows.primary :], any(rows.colours)


def _algorithm_x(rows: Rows) -> int:
    solver = import_module("algorithm_x").AlgorithmX(rows.total)
    for number, option in enumerate(rows.options):
        solver.appendRow(option, number)
    return sum(1 for _ in solver.solve())


def _dlx_cython(rows: Rows) -> int:
    return len(import_module("dlxsolver").DLXSolver(rows.matrix("int32")).solve())


def _dxz(rows: Rows) -> int:
    matrix = rows.matrix("int32").ravel().tolist()
    return int(import_module("dxz").dxz_count(len(rows.options), rows.total, matrix))


def _pyxcc(rows: Rows) -> int:
    library = import_module("pyxcc")
    options = [
        library.Option(
            str(number),
            [f"i{item}" for item in option if item < rows.primary],
            [(f"i{item}", colours.get(item, "")) for item in option if item >= rows.primary],
        )
        for number, (option, colours) in enumerate(zip(rows.options, rows.colours, strict=True))
    ]
    names = [f"i{item}" for item in range(rows.total)]
    return int(library.solve(library.Problem(names[: rows.primary], names[rows.primary :], options), True).count())


#: The libraries: the name in the table, and how to count with it.
LIBRARIES: dict[str, Callable[[Rows], int]] = {
    "exact-cover": _exact_cover,
    "exact-cover-py": _exact_cover_py,
    "xcover": _xcover,
    "xcover-zdd": _xcover_zdd,
    "algorithm-x": _algorithm_x,
    "dlx-cython": _dlx_cython,
    "dxz": _dxz,
    "pyxcc": _pyxcc,
}


def ours(figure: str, name: str) -> Callable[[], int]:
    """Return the function that counts an instance: ``engine`` from the exact cover, ``puzzle`` with the symmetries of
    the puzzle.

    The cover and the encoding are made before. This time is not measured, as reading a file is not for the others.
    """
    from puzzlec.engine import Search, count_covers
    from puzzlec.solving.solutions import Solutions
    from tests.tools.bench.instances import find

    instance = find(name)
    if figure == "puzzle":
        encoding = instance.encoding
        assert encoding is not None
        return lambda: Solutions(encoding, symmetry="all" if instance.held else "none").count()
    cover = instance.cover
    if figure == "engine":
        return lambda: Search(cover).count()
    if figure == "count":  # by any method, without visiting the covers
        return lambda: count_covers(cover).number
    kernel = figure
    return lambda: Search(cover, kernel=kernel).count()  # type: ignore[arg-type]


def prepared(library: str, problem: str) -> Callable[[], int]:
    """Return the function that counts a problem with a library.

    ``problem`` is a file of rows, or for puzzlec an instance.
    """
    if library.startswith("puzzlec-"):
        return ours(library.removeprefix("puzzlec-"), problem)
    count = LIBRARIES[library]
    rows = parse(Path(problem).read_text(encoding="utf-8"))
    return lambda: count(rows)


def warm(library: str) -> None:
    """Load a library and let it compile its code; raise ImportError if it is missing."""
    if library in LIBRARIES:
        if LIBRARIES[library](parse(WARM)) != 2:
            raise ValueError(f"{library} does not find the two covers of the example")
        return
    # An easy problem compiles or loads each kernel first. The measured problem itself runs twice.
    ours(library.removeprefix("puzzlec-"), "soma")()
    # Small problems stay in plain Python if no compiled kernel is loaded; a warm process has one.
    from puzzlec.engine import Search
    from tests.tools.bench.instances import find

    Search(find("soma").cover, kernel="bits").count()


def main(library: str) -> None:
    """Answer one line for each line of standard input."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        warm(library)
    except (ImportError, ValueError, AttributeError) as error:
        print(json.dumps({"missing": str(error)}), flush=True)
        return
    print(json.dumps({"ready": library}), flush=True)
    for line in sys.stdin:
        limit, problem = line.rstrip("\n").split(" ", 1)
        work = prepared(library, problem)
        begun = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(begun + float(limit)) + 1, resource.RLIM_INFINITY))
        times = 0
        try:
            while not times or (time.process_time() - begun < ENOUGH and times < OFTEN):
                count = work()
                times += 1
        except (MemoryError, ValueError, TypeError, OverflowError) as error:
            print(json.dumps({"failed": f"{type(error).__name__}: {error}"}), flush=True)
            continue
        print(json.dumps({"count": count, "seconds": (time.process_time() - begun) / times}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
