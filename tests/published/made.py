"""Make docs/published-counts.md, which compares published numbers of solutions with those of puzzlec.

``python -m tests.published.made`` writes the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.published.rows import FILES, VERDICTS, Row, every, rows

PAGE = Path(__file__).parents[2] / "docs" / "published-counts.md"

_HEAD = (Path(__file__).parent / "head.md").read_text(encoding="utf-8")

_TABLES = """\

## All numbers

The column *puzzle* has the name in the catalogue, *text* for a text in the files of the tests, or *file* for a file of
the source. The column *ours* is empty if it equals the published number, and a dash if we have not counted.
"""


#: Titles of the remarks on single numbers, by verdict.
TITLES = {
    "convention": "The source counts up to other symmetries",
    "published wrong": "The published number is wrong",
    "ours wrong": "Our number was wrong",
    "not counted": "Not counted here",
    "agrees": "Both agree, with a remark",
}


def number(count: int | None) -> str:
    """Return a number with separators, a dash for none."""
    return "-" if count is None else f"{count:,}"


def source(row: Row) -> str:
    """Return a source in a few words, with a link if it has an address."""
    text = row.source
    if found := re.match(r"https://github\.com/tiwo/puzzler \S+ class (\w+)", text):
        return f"Polyform Puzzler, `{found.group(1)}`"
    if found := re.match(r"https://github\.com/thanks4opensource/yass figures/(\S+)\.soma", text):
        return f"yass, `{found.group(1)}`"
    if found := re.match(
        r"https://github\.com/(\S+) .*/(.+\.xmpuzzle)$|https://github\.com/(\S+) (.+\.xmpuzzle)$", text
    ):
        place, file = [part for part in found.groups() if part]
        return f"{place}, `{file}`"
    text = re.sub(r"https://oeis\.org/(A\d{6})", r"[\1](https://oeis.org/\1)", text)
    return text.replace("|", "/")


def puzzle(row: Row) -> str:
    """Return the place of the puzzle of a row."""
    if row.puzzle:
        extra = "".join(f" `{name}={value}`" for name, value in (row.parameters or {}).items())
        return f"`{row.puzzle}`{extra}"
    return "text" if row.text else "file" if row.ours and "file" in row.ours["how"] else ""


def named(row: Row) -> str:
    """Return the title of a row with its source and both numbers."""
    ours = "" if row.own in (row.count, None) else f", ours {row.own:,}"
    return f"**{row.title}** ({source(row)}): published {row.count:,}{ours}"


def table(some: tuple[Row, ...]) -> Iterator[str]:
    """Yield the lines of a table of rows."""
    yield "| title | published | ours | convention | puzzle | source |"
    yield "|---|--:|--:|---|---|---|"
    for row in some:
        ours = "" if row.own == row.count else number(row.own)
        yield f"| {row.title} | {row.count:,} | {ours} | {row.convention} | {puzzle(row)} | {source(row)} |"


def page() -> str:
    """Return the text of the page."""
    found = every()
    tally = Counter(row.verdict for row in found)
    totals = "\n".join(f"| {words} | {tally[name]} |" for name, words in VERDICTS.items())
    lines = [
        _HEAD.format(
            total=len(found),
            again=sum(row.verdict != "not counted" for row in found),
            totals=totals,
            catalogued=sum(bool(row.puzzle) and not row.parameters for row in found),
            sized=sum(bool(row.parameters) for row in found),
            texts=sum(puzzle(row) == "text" for row in found),
            files=sum(puzzle(row) == "file" for row in found),
            others=sum(puzzle(row) == "" for row in found),
        )
    ]
    for verdict in TITLES:
        told = [row for row in found if row.verdict == verdict and (row.outcome or row.unchecked)]
        if not told:
            continue
        lines += [f"### {TITLES[verdict]}", ""]
        for text in dict.fromkeys(row.outcome or row.unchecked for row in told):
            names = [named(row) for row in told if (row.outcome or row.unchecked) == text]
            one = len(names) == 1
            lines += [f"{names[0]}. {text}", ""] if one else [*(f"- {name}" for name in names), "", text, ""]
    lines[-1] = _TABLES
    for name, title in FILES.items():
        lines += [f"### {title}", "", *table(rows()[name]), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
