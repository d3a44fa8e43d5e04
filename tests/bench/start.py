"""How long it takes from Enter to the first diagnostic of a 200-line file, beside `import lark, typer` alone.

    python tests/bench/start.py [rounds]

Whole processes, cold start each time, in turn; medians and their ratio.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def text() -> str:
    """A file of 200 lines with one statement that cannot be read, and a library that is not known."""
    pieces = [f"piece P{number} x0..1 {{ xx{'x' * (number % 3)}/x.{'.' * (number % 3)} }}" for number in range(196)]
    pieces.insert(150, "piece {")
    return "\n".join(['puzzle "Long"', "locations box 20x3", *pieces, "pieces pentominos"]) + "\n"


def seconds(*command: str) -> float:
    """The time that a process takes, from its start to its end."""
    begun = time.perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    return time.perf_counter() - begun


def main(rounds: int = 15) -> None:
    """Print the medians and the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.puzzle"
        path.write_text(text(), encoding="utf-8")
        ours = [sys.executable, "-m", "puzzlec", "check", str(path)]
        base = [sys.executable, "-c", "import lark, typer"]
        seconds(*ours)
        pairs = [(seconds(*base), seconds(*ours)) for _ in range(rounds)]
    lower, upper = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"import lark, typer: {lower:.3f} s; puzzlec check: {upper:.3f} s; ratio {upper / lower:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
