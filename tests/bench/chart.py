"""A bar chart of one row of the first table in docs/benchmarks.md: `python -m tests.bench.chart` writes it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
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
"""The columns that the chart shows, and what it calls them."""

STYLE = """text { font: 14px system-ui, sans-serif; fill: #24292f } rect { fill: #aeb9c6 } .ours { fill: #1a7f5a }
.title { font-weight: 600 } @media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #57606a } .ours { fill: #3fb27f } }"""
TITLE = "All 9,356 tilings of 6x10 by the twelve pentominoes: CPU seconds, one thread"


def figures(page: str) -> dict[str, tuple[float, bool]]:
    """Return seconds by column for the chart's row, and whether they are only a lower bound."""
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")
    ]
    (row,) = [cells for cells in lines if cells[0] == ROW]
    head = next(cells for cells in lines if cells[:2] == ["", "puzzlec-engine"])
    shown = [(column, text) for column, text in zip(head, row, strict=True) if column in SHOWN]
    return {column: (float(text.lstrip("> ")), text.startswith(">")) for column, text in shown}


def draw(page: str) -> str:
    """Return the chart as SVG, the fastest bar first."""
    bars = sorted(figures(page).items(), key=lambda bar: (bar[1][1], bar[1][0]))
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


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(PAGE.read_text("utf-8")), "utf-8")
