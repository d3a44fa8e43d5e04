"""A job on up to 10,000 workers, simulated: ``python -m tests.tools.bench.simulation [--largest N] [--output FILE]``.

:mod:`tests.tools.bench.replay` describes the real and the simulated parts. The script prints a table and writes the
plot to ``docs/simulation.svg``: the speed of many workers as a multiple of one, their use over time, and the tail.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.tools.bench.plotting import Axis, Panel, Straight, picture
from tests.tools.bench.replay import Replay, Replayed, Setting
from tests.tools.bench.shapes import MeasuredTree, Shape

PLOT = Path(__file__).parents[3] / "docs" / "simulation.svg"

WORKERS = (1, 10, 100, 1000, 10_000)

#: Few workers have longer time slices, otherwise there would be a million of them. The cost of a time slice matters
#: little then.
FEW, LONG = 10, 20.0

#: Seconds of time slices on work units that are never divided: no planning is needed.
HOUR = 3600.0

#: Number of workers whose use over time is shown.
MANY = 1000


@dataclass(frozen=True)
class Way:
    """A way to share a search: its tree, its planning, whether work units are divided, its days of one core, and the
    numbers of workers to simulate.
    """

    name: str
    instance: str
    by: str
    divides: bool
    colour: str
    days: float = 20.0
    workers: tuple[int, ...] = WORKERS

    def setting(self, workers: int) -> Setting:
        """Return the settings for this many workers."""
        # Without division, there must be more work units than workers. Otherwise most workers would be idle.
        units = None if self.divides else min(max(16 * workers, 2048), 30_000)
        time_slice = (LONG if workers <= FEW else Setting.time_slice) if self.divides else HOUR
        return replace(
            Setting(workers), days=self.days, time_slice=time_slice, by=self.by, divides=self.divides, units=units
        )


WAYS = (
    Way("3x4x5, divided", "3x4x5", "estimate", True, "#1f6f8b"),
    Way("3x4x5 of 400 days, divided", "3x4x5", "estimate", True, "#7a4fa3", 400.0, (1000, 10_000)),
    Way("Y 15x15, divided", "Y-15x15", "estimate", True, "#4a7c35"),
    Way("3x4x5, never divided", "3x4x5", "estimate", False, "#b5452c"),
    Way("3x4x5, equal shares, never divided", "3x4x5", "shares", False, "#c98a1b"),
)

Results = dict[tuple[str, int], Replayed]


def simulated(largest: int, ways: Sequence[Way] = WAYS) -> Results:
    """Simulate each way with each number of workers, and print a line for each."""
    trees = {name: MeasuredTree(Shape.named(name)) for name in {way.instance for way in ways}}
    print(
        "| simulated | workers | time slice, s | hours | speed-up | utilisation | tail, s | work units | slices lost "
        "| coordinator |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    results: Results = {}
    for way in ways:
        for workers in way.workers:
            if workers <= largest:
                results[way.name, workers] = Replay(trees[way.instance], way.setting(workers)).run()
                print(row(way.name, results[way.name, workers]), flush=True)
    return results


def row(name: str, replayed: Replayed) -> str:
    """Return a line of the table."""
    setting = replayed.setting
    time_slice = f"{setting.slice_seconds if setting.divides else setting.time_slice:g}"
    return (
        f"| {name} | {setting.workers:,} | {time_slice} | {replayed.end / 3600:.2f} | {replayed.speed_up:,.1f} | "
        f"{100 * replayed.utilisation:.1f}% | {replayed.tail:,.0f} | {replayed.units:,} | {replayed.lost:,} | "
        f"{100 * replayed.busy / replayed.end:.0f}% |"
    )


def svg(results: Results, ways: Sequence[Way] = WAYS) -> str:
    """Return the plot of the results; the same for the same results."""
    top, bottom = 60, 330
    workers = sorted({number for _, number in results})
    speeds = [max(result.speed_up, 1.0) for result in results.values()]
    tails = [max(result.tail, 1.0) for result in results.values()]
    faster = Panel(Axis.around(workers, 70, 350), Axis.around([*workers, *speeds], bottom, top))
    used = Panel(Straight(130, 25, 420, 700), Straight(100, 25, bottom, top))
    ends = Panel(Axis.around(workers, 790, 1070), Axis.around(tails, bottom, top))
    lines = [
        '<text x="560" y="22" text-anchor="middle" font-weight="bold">'
        "Simulation: 20 or 400 days of one core, replayed</text>"
    ]
    titles = ("speed-up", f"% of {min(MANY, max(workers)):,} workers at work", "tail, s")
    below = ("workers", "% of the ideal time", "workers")
    for panel, title, under in zip((faster, used, ends), titles, below, strict=True):
        lines += panel.grid()
        middle = (panel.across.start + panel.across.end) / 2
        lines.append(f'<text x="{panel.across.start:g}" y="{top - 14}">{title}</text>')
        lines.append(f'<text x="{middle:g}" y="{bottom + 42}" text-anchor="middle">{under}</text>')
    lines += faster.curve([(1, 1), (workers[-1], workers[-1])], "#999", dots=False, dashes="3 4")
    for number, way in enumerate(ways):
        mine = {count: results[way.name, count] for count in workers if (way.name, count) in results}
        lines += faster.curve([(count, max(result.speed_up, 1.0)) for count, result in mine.items()], way.colour)
        lines += ends.curve([(count, max(result.tail, 1.0)) for count, result in mine.items()], way.colour)
        if mine:
            lines += used.curve(over_time(mine[min(MANY, max(mine))]), way.colour, dots=False)
        x, y = 70 + 340 * (number % 3), bottom + 74 + 22 * (number // 3)
        lines += [
            f'<rect x="{x}" y="{y - 9}" width="22" height="4" fill="{way.colour}"/>',
            f'<text x="{x + 30}" y="{y}">{way.name}</text>',
        ]
    x, y = 70 + 340 * (len(ways) % 3), bottom + 74 + 22 * (len(ways) // 3)
    lines.append(
        f'<line x1="{x}" y1="{y - 7}" x2="{x + 22}" y2="{y - 7}" stroke="#999" stroke-width="2" '
        'stroke-dasharray="3 4"/>'
    )
    lines.append(f'<text x="{x + 30}" y="{y}">each worker as fast as one alone</text>')
    return picture(1120, bottom + 120, "Simulation of a job on many workers", lines)


def over_time(replayed: Replayed) -> list[tuple[float, float]]:
    """Return the share of working workers in %, against the time in % of the ideal time, up to 130."""
    ideal = replayed.work / replayed.setting.workers
    return [(k + 0.5, min(100.0, 100 * part)) for k, part in enumerate(replayed.curve(ideal / 100)[:130])]


def main(words: Sequence[str]) -> None:
    """Simulate, print the table and write the plot."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.simulation")
    parser.add_argument("--largest", type=int, default=WORKERS[-1], help="how many workers at most")
    parser.add_argument("--output", type=Path, default=PLOT, help="where the plot goes")
    asked = parser.parse_args(words)
    asked.output.write_text(svg(simulated(asked.largest)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
