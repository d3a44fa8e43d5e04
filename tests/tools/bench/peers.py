"""puzzlec beside the programs and libraries that do the same work: ``python -m tests.tools.bench.peers``.

    python -m tests.tools.bench.peers [--instances NAME ...] [--competitors NAME ...] [--peers DIR] [--runs N]
                                [--limit SECONDS] [--all] [--start] [--markdown] [--list]

All programs count all solutions of the same problems with one thread each. They take turns, so that other work on the
machine affects all in the same way. The table shows the median of the runs in CPU seconds. Programs are whole
processes; their row `empty problem` is the cost of starting one. Python libraries and puzzlec are calls in a warm
process. A wrong count is shown as WRONG, a run over the limit as a lower bound. ``docs/benchmarks.md`` says where the
script looks for the peers.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.tools.bench.competitors import COMPETITORS, Competitor, Program
from tests.tools.bench.instances import EMPTY, INSTANCES, Instance, find
from tests.tools.bench.measuring import Measure, Warm, run


def figure(measures: Sequence[Measure], solutions: int, limit: float) -> str:
    """Return the cell of the table for the runs of one competitor on one problem."""
    if not measures:
        return "-"
    if any(measure.fault == "time" for measure in measures):
        return f"> {limit:g}"
    if any(measure.fault for measure in measures):
        return "failed"
    wrong = [measure.count for measure in measures if measure.count != solutions]
    if wrong:
        return f"WRONG ({wrong[0]})"
    return seconds_text(statistics.median(measure.seconds for measure in measures))


def seconds_text(seconds: float) -> str:
    """Return seconds with two significant digits.

    >>> [seconds_text(each) for each in (0.00314, 0.0487, 0.996, 1.23, 12.34, 123.4)]
    ['0.0031', '0.049', '1.0', '1.2', '12', '123']
    """
    if seconds >= 99.5:
        return f"{seconds:.0f}"
    for digits, above in ((0, 9.95), (1, 0.995), (2, 0.0995), (3, 0.00995)):
        if seconds >= above:
            return f"{seconds:.{digits}f}"
    return f"{seconds:.4f}"


def table(columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], markdown: bool = False) -> str:
    """Return a table as text, or in Markdown."""
    if markdown:
        lines = ["| | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
        return "\n".join([*lines, *(f"| {head} | " + " | ".join(cells) + " |" for head, cells in rows)])
    first = max([len(head) for head, _ in rows], default=0)
    widths = [max([len(name), *(len(cells[k]) for _, cells in rows)]) for k, name in enumerate(columns)]
    lines = [" " * first + "".join("  " + name.rjust(width) for name, width in zip(columns, widths, strict=True))]
    for head, cells in rows:
        lines.append(
            head.ljust(first) + "".join("  " + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        )
    return "\n".join(lines)


class Bench:
    """The installed competitors, with their processes, and a folder for their problems."""

    def __init__(self, competitors: Sequence[Competitor], peers: Path | None, limit: float, folder: Path) -> None:
        self.peers, self.limit, self.folder = peers, limit, folder
        self.missing: dict[str, str] = {}
        self._warm: dict[str, Warm] = {}
        for competitor in competitors:
            if isinstance(competitor, Program):
                reason = competitor.missing(peers)
                if reason:
                    self.missing[competitor.name] = reason
            else:
                self._warm[competitor.name] = Warm(competitor.python(peers))
        self.competitors = [competitor for competitor in competitors if competitor.name not in self.missing]

    def measures(self, instance: Instance, runs: int) -> dict[str, list[Measure]]:
        """Return the measures of each competitor that supports the problem, in turn ``runs`` times."""
        works: dict[str, Callable[[], Measure]] = {}
        for competitor in self.competitors:
            work = self._work(competitor, instance)
            if work is not None:
                works[competitor.name] = work
        found: dict[str, list[Measure]] = {name: [] for name in works}
        for _ in range(runs):
            for name, work in works.items():
                if not any(measure.fault for measure in found[name]):  # once is enough
                    found[name].append(work())
        return found

    def _work(self, competitor: Competitor, instance: Instance) -> Callable[[], Measure] | None:
        text = None if competitor.name in self.missing else competitor.text(instance)
        if text is None or (instance is EMPTY and not isinstance(competitor, Program)):
            return None
        file = self.folder / f"{instance.name}.{competitor.name}"
        file.write_text(text, encoding="utf-8")
        if isinstance(competitor, Program):
            words = competitor.words(instance, file, self.peers)
            given, read = (None if competitor.by_name else file), competitor.read
            return lambda: run(words, given, self.limit, read, reserved=competitor.memory)
        problem = str(file) if text else instance.name

        def warm() -> Measure:
            process = self._warm[competitor.name]
            measure = process.measure(problem, self.limit)
            if process.missing:
                self.missing[competitor.name] = process.missing
            return measure

        return warm

    def close(self) -> None:
        """End all processes."""
        for warm in self._warm.values():
            warm.close()


def start_rows(runs: int, limit: float) -> list[tuple[str, list[str]]]:
    """Return the cost of starting: imports alone beside whole commands, and the very first run, which compiles."""
    python = sys.executable
    commands: dict[str, list[str]] = {
        "python -c 'import lark, typer'": [python, "-c", "import lark, typer"],
        "puzzlec solve soma": [python, "-m", "puzzlec", "solve", "soma"],
        "python -c 'import numba, typer'": [python, "-c", "import numba, typer"],
        "puzzlec count soma": [python, "-m", "puzzlec", "count", "soma"],
        "puzzlec count --raw pentominoes/6x10": [python, "-m", "puzzlec", "count", "--raw", "pentominoes/6x10"],
    }
    found: dict[str, list[float]] = {name: [] for name in commands}
    for words in commands.values():
        run(words, None, limit)  # the kernels are compiled, the files are in memory
    for _ in range(runs):
        for name, words in commands.items():
            found[name].append(run(words, None, limit).seconds)
    rows = [(name, [seconds_text(statistics.median(seconds))]) for name, seconds in found.items()]
    for name in ("puzzlec count soma", "puzzlec count --raw pentominoes/6x10"):
        with tempfile.TemporaryDirectory() as empty:
            measure = run(commands[name], None, limit, additions={"NUMBA_CACHE_DIR": empty})
        rows.append((f"{name}, first run ever (compiles)", [seconds_text(measure.seconds)]))
    return rows


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.peers", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--instances", nargs="+", metavar="NAME", help="only these problems")
    parser.add_argument("--competitors", nargs="+", metavar="NAME", help="only these columns")
    parser.add_argument("--peers", type=Path, default=os.environ.get("PUZZLEC_PEERS"), help="where the peers are")
    parser.add_argument("--runs", type=int, default=3, help="the median of so many (3)")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run (60)")
    parser.add_argument("--all", action="store_true", help="the slow problems and the extra ones too")
    parser.add_argument("--start", action="store_true", help="what starting takes, and nothing else")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    parser.add_argument("--list", action="store_true", help="name the problems and the competitors")
    return parser.parse_args(words)


def conditions(runs: int, limit: float) -> str:
    """Return a sentence about the machine and the method of the measurement."""
    processor = platform.processor() or platform.machine()
    return (
        f"CPU seconds, one thread, medians of {runs} interleaved runs, limit {limit:g} s; "
        f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}."
    )


def main(words: Sequence[str]) -> None:
    """Print the table."""
    asked = arguments(words)
    if asked.list:
        for instance in INSTANCES:
            print(f"{instance.name:16} {instance.solutions:>18}  {instance.title}{' (slow)' if instance.slow else ''}")
        print(*(competitor.name for competitor in COMPETITORS))
        return
    if asked.start:
        print(table(["seconds"], start_rows(asked.runs, asked.limit), asked.markdown))
        return
    instances = [find(name) for name in asked.instances or ()] or [
        instance for instance in INSTANCES if asked.all or not (instance.slow or instance.extra)
    ]
    unknown = set(asked.competitors or ()) - {competitor.name for competitor in COMPETITORS}
    if unknown:
        raise SystemExit(f"there is no competitor {', '.join(sorted(unknown))}")
    competitors = [
        competitor for competitor in COMPETITORS if not asked.competitors or competitor.name in asked.competitors
    ]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(competitors, asked.peers, asked.limit, Path(folder))
        try:
            rows = measured_rows(bench, [EMPTY, *instances], asked.runs)
        finally:
            bench.close()
    columns = [competitor.name for competitor in bench.competitors if competitor.name not in bench.missing]
    print(table(columns, [(head, [cells[name] for name in columns]) for head, cells in rows], asked.markdown))
    print(f"\n{conditions(asked.runs, asked.limit)}")
    for name, reason in bench.missing.items():
        print(f"{name} is left out: {reason}")


def measured_rows(bench: Bench, instances: Sequence[Instance], runs: int) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of the table. Each is printed on standard error as soon as it is known."""
    rows = []
    for instance in instances:
        measures = bench.measures(instance, runs)
        cells = {
            competitor.name: figure(measures.get(competitor.name, ()), instance.solutions, bench.limit)
            for competitor in bench.competitors
        }
        shown = " ".join(f"{name}={cell}" for name, cell in cells.items() if cell != "-")
        print(f"{instance.name}: {shown}", file=sys.stderr, flush=True)
        for name, several in measures.items():
            faults = {measure.fault for measure in several if measure.fault not in ("", "time")}
            if faults and name not in bench.missing:
                print(f"  {name}: {' '.join(sorted(faults))[:300]}", file=sys.stderr, flush=True)
        title = instance.title if instance is EMPTY else f"{instance.title} ({instance.solutions})"
        rows.append((title, cells))
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
