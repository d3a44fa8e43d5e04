"""The waiting times of an editor: from a change to its diagnostics, and for answers about words, in a file of 200
lines.

    python -m tests.tools.bench.lsp [changes]

A server is started as an editor starts it. Each change types or deletes a character somewhere. The next change waits
for the diagnostics, as if each change were the last of a burst. The times include the pause in which the server waits
for more changes. The output has medians and ninth deciles of the wall time.
"""

from __future__ import annotations

import statistics
import sys
import time

from puzzlec.services.lsp.server import CheckLimits
from tests.services.lsp.editing import Editor

#: Requests that are measured, each at a position after these words.
ASKED = (("hover", "piece P50"), ("completion", "place P"), ("rename", "place P"), ("documentSymbol", ""))


def text() -> str:
    """Return a file of 200 lines: a board, many pieces, some of them used, and rules."""
    lines = ['puzzle "Two hundred lines"', "param n = 12", "locations box {n}x{n}", "piece I x36..48 { xxx }"]
    lines += [f"piece P{at} x0..1 {{ xx{'x' * (at % 3)}/x.{'.' * (at % 3)} }}" for at in range(96)]
    lines += [f"place P{at} inside box {{n-1}}x{{n}}  # a rule" for at in range(96)]
    lines += ["# remarks", "# to", "# the", "# end"]
    return "\n".join(lines) + "\n"


def quantiles(times: list[float]) -> str:
    """Return the median and the ninth decile of some times in milliseconds."""
    return f"{1000 * statistics.median(times):6.0f} ms {1000 * statistics.quantiles(times, n=10)[-1]:6.0f} ms"


def main() -> None:
    """Print a table of times."""
    changes = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    start = time.perf_counter()
    editor = Editor()
    document = editor.open(text(), "two-hundred.puzzle")
    assert document.diagnostics() == [], document.diagnostics()
    print(f"{'started, and the first diagnostics':38} {1000 * (time.perf_counter() - start):6.0f} ms")
    print(f"{'':38}    median  nine of ten  (the pause: {1000 * CheckLimits().pause:.0f} ms)")
    measured: dict[str, list[float]] = {}
    for at in range(changes):
        for old, new, what in (
            (f"P{at} in", f"P{at}z in", "a fault is typed"),
            (f"P{at}z in", f"P{at} in", "and taken back"),
        ):
            start = time.perf_counter()
            document.replace(old, new)
            found = document.diagnostics()
            measured.setdefault(f"{what}, {len(found)} diagnostics", []).append(time.perf_counter() - start)
        for request, before in ASKED:
            more = {"newName": f"Q{at}"} if request == "rename" else {}
            start = time.perf_counter()
            document.ask(request, before, **more)
            measured.setdefault(f"{request}, after a change", []).append(time.perf_counter() - start)
    for name, times in measured.items():
        print(f"{name:38} {quantiles(times)}")
    editor.end()


if __name__ == "__main__":
    main()
