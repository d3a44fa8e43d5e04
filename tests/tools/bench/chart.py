"""The charts of docs/benchmarks.md and of the README, from the stored measurements.

`python -m tests.tools.bench.all --write` writes them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from tests.tools.bench.tables import ROOT, Table, number

PICTURE = ROOT / "docs" / "images" / "speed.svg"
ROW = "pentominoes 6x10 (9356)"
SHOWN = {
    "puzzlec-engine": "puzzlec",
    "polycube": "polycube (C++)",
    "ssxcc": "Knuth's SSXCC (C)",
    "xcover": "xcover (Python, C)",
    "pyxcc": "pyxcc (Python, C)",
    "dlx1": "Knuth's DLX1 (C)",
    "exact-covers": "exact-covers (Rust)",
    "dancing-links": "dancing-links (npm)",
    "exact-cover": "exact-cover (Python, C)",
}
"""The columns that the chart shows, and their names there."""

STYLE = """text { font: 14px system-ui, sans-serif; fill: #24292f } rect { fill: #aeb9c6 } .ours { fill: #1a7f5a }
.title { font-weight: 600 } @media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #57606a } .ours { fill: #3fb27f } }"""
TITLE = "All 9,356 tilings of 6x10 by the twelve pentominoes: CPU seconds, one thread"

DOTS = """text { font: 13px system-ui, sans-serif; fill: #24292f } .title { font-weight: 600 } line { stroke: #d0d7de }
path { stroke: none } .s0 { fill: #1a7f5a } .s1 { fill: #1f6feb } .s2 { fill: #bc4c00 } .o { fill: #aeb9c6 }
.bound { fill: none; stroke-width: 1.5; stroke: #aeb9c6 } @media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } line { stroke: #373e47 } .s0 { fill: #3fb27f } .s1 { fill: #58a6ff } .s2 { fill: #f0883e }
.o { fill: #57606a } .bound { stroke: #57606a } }"""

#: The marks of the series, so that colours are not needed to tell them apart: circle, square, triangle.
MARKS = ("m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "m-4-4h8v8h-8z", "m0-5l5 9h-10z")

LEFT, RIGHT, HEIGHT = 300, 730, 22
"""The ends of the axis, and the height of a row."""


def figures(table: Table) -> dict[str, tuple[float, bool]]:
    """Return seconds by column for the chart's row, and whether they are only a lower bound."""
    (row,) = [row for row in table.rows if row[0] == ROW]
    cells = {
        column: cell for column, cell in zip(table.columns, row, strict=True) if column in SHOWN.keys() - table.older
    }
    return {column: (float(cell.lstrip("> ")), cell.startswith(">")) for column, cell in cells.items()}


def draw(table: Table) -> str:
    """Return the chart of the README as SVG, the fastest bar first."""
    bars = sorted(figures(table).items(), key=lambda bar: (bar[1][1], bar[1][0]))
    longest = max(seconds for _, (seconds, _) in bars)
    height = 44 + 26 * len(bars)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" width="760" role="img">',
        f"<title>{TITLE}</title><style>{STYLE}</style>",
        f'<text class="title" x="8" y="22">{TITLE}</text>',
    ]
    for place, (column, (seconds, is_bound)) in enumerate(bars):
        top, width = 38 + 26 * place, 470 * seconds / longest
        ours = ' class="ours"' if column.startswith("puzzlec") else ""
        label = f"over {seconds:g}" if is_bound else f"{seconds:g}"
        parts.append(f'<rect{ours} x="190" y="{top}" width="{width:.1f}" height="18" rx="3"/>')
        parts.append(f'<text x="182" y="{top + 14}" text-anchor="end">{SHOWN[column]}</text>')
        parts.append(f'<text x="{198 + width:.1f}" y="{top + 14}">{label}</text>')
    return "\n".join([*parts, "</svg>\n"])


def described(table: Table) -> str:
    """Return the text of the chart of the README, for a page without the picture."""
    bars = figures(table)
    ours = next(seconds for column, (seconds, _) in bars.items() if column.startswith("puzzlec"))
    theirs = min(seconds for column, (seconds, _) in bars.items() if not column.startswith("puzzlec"))
    return (
        f"CPU seconds of {len(bars)} programs for the same count: puzzlec needs {ours:g}, the next program {theirs:g}"
    )


def with_description(text: str, table: Table) -> str:
    """Return a page with the text of the chart made again."""
    return re.sub(rf"!\[[^\]]*\]\(([\w./]*{PICTURE.name})\)", rf"![{described(table)}](\1)", text)


def dots(table: Table) -> str:
    """Return the chart of a table as SVG: a line for each row, and a mark for each of its figures.

    The axis is logarithmic. A hollow mark is a lower bound.
    """
    chart = table.chart
    others = [name for name in table.columns[1:] if chart.others and name not in chart.columns]
    labels = table.column(chart.label) if chart.label else [row[0] for row in table.rows]
    series = {name: table.column(name) for name in (*others, *chart.columns)}
    values = [value for cells in series.values() for cell in cells if (value := number(cell))]
    least, most = _ends(values)
    legend = [*chart.columns, *(["others"] if others else [])]
    top = 62
    bottom = top + HEIGHT * len(labels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 30}" width="760" role="img">',
        f"<title>{escape(chart.title)}</title><style>{DOTS}</style>",
        f'<text class="title" x="8" y="20">{escape(chart.title)}</text>',
        *_legend(legend, len(chart.columns)),
    ]

    def across(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * math.log(value / least) / math.log(most / least)

    for value, text in _ticks(least, most):
        x = across(value)
        parts.append(f'<line x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>')
    for place, label in enumerate(labels):
        y = top + HEIGHT * place + 8
        parts.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(_short(label))}</text>')
        for name, cells in series.items():
            value = number(cells[place])
            if value:
                parts.append(_mark(name, chart.columns, across(value), y, cells[place].startswith(">")))
    return "\n".join([*parts, "</svg>\n"])


def _short(label: str) -> str:
    text = label.replace("`", "")
    return text if len(text) < 46 else text[:44] + "\N{HORIZONTAL ELLIPSIS}"


def _mark(name: str, columns: Sequence[str], x: float, y: float, is_bound: bool) -> str:
    place = columns.index(name) if name in columns else -1
    kind = "bound" if is_bound else "o" if place < 0 else f"s{place}"
    return f'<path class="{kind}" d="M{x:.1f} {y}{MARKS[max(place, 0)]}"><title>{escape(name)}</title></path>'


def _legend(names: Sequence[str], ours: int) -> list[str]:
    parts, x = [], 14
    for place, name in enumerate(names):
        kind, mark = (f"s{place}", MARKS[place]) if place < ours else ("o", MARKS[0])
        parts.append(f'<path class="{kind}" d="M{x} 38{mark}"/>')
        parts.append(f'<text x="{x + 10}" y="42">{escape(name.replace("`", ""))}</text>')
        x += 34 + 8 * len(name)
    return parts


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the axis: powers of ten, or a factor of two around values that are close."""
    least, most = min(values), max(values)
    if most / least < 10:
        return min(1.0, least) if least > 0.5 else least / 1.2, most * 1.2
    return 10.0 ** math.floor(math.log10(least)), 10.0 ** math.ceil(math.log10(most * 1.0001))


def _ticks(least: float, most: float) -> list[tuple[float, str]]:
    steps = (1.0,) if most / least > 1000 else (1.0, 2.0, 5.0)
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    values = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    return [(value, f"{value:,.10g}") for value in values if least * 0.999 <= value <= most * 1.001]


def pages(tables: dict[str, Table]) -> dict[Path, str]:
    """Return the pages that show the chart of the README, with its text made again."""
    shown = (ROOT / "README.md", ROOT / "docs" / "index.md")
    return {path: with_description(path.read_text("utf-8"), tables["counting"]) for path in shown}


def pictures(tables: dict[str, Table]) -> dict[Path, str]:
    """Return all charts by their paths, except those that the command of a table draws."""
    charts = {ROOT / "docs" / table.picture: dots(table) for table in tables.values() if not table.chart.picture}
    return {PICTURE: draw(tables["counting"]), **charts}
