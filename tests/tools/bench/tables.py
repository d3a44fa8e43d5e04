"""The stored measurements of docs/benchmarks.md, and the parts of the page that are made from them.

``measured/tables.json`` has a table for each name. All figures of the page are there, and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "benchmarks.md"
DATA = Path(__file__).parent / "measured" / "tables.json"
BEGIN, END = "<!-- generated: {} -->", "<!-- end of what is generated -->"

#: Competitors that are libraries of Python, for the ratios.
PYTHON = ("exact-cover", "exact-cover-py", "xcover", "pyxcc", "dxz", "dlx-cython", "algorithm-x")


@dataclass(frozen=True)
class Chart:
    """How a table is drawn: ``columns`` are its series. ``others`` draws the other columns in grey.

    ``label`` is the column that names the rows (empty: the first). A ``picture`` is drawn by the command of the table.
    """

    title: str
    columns: tuple[str, ...] = ()
    others: bool = False
    label: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Table:
    """A table: the words after ``python -m tests.tools.bench.`` that measure it, its day, its conditions and its cells.

    ``missing`` names what was not measured, and ``older`` the columns that are from an earlier day.
    """

    name: str
    command: str
    date: str
    remark: str
    missing: str
    chart: Chart
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    older: Mapping[str, str] = field(default_factory=dict)

    def column(self, name: str) -> list[str]:
        """Return the cells of a column. Raise ValueError if there is none."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def markdown(self) -> str:
        """Return the table in Markdown. Columns of numbers are on the right."""
        right = [all(number(row[place]) is not None or row[place] == "-" for row in self.rows) for place in self.places]
        rule = "|".join("--:" if is_right else "---" for is_right in right)
        lines = (self.columns, *(map(_grouped, row) for row in self.rows))
        head, *rows = ("| " + " | ".join(line) + " |" for line in lines)
        return "\n".join([head, f"|{rule}|", *rows]).replace("|  |", "| |")

    @property
    def places(self) -> range:
        """The numbers of the columns."""
        return range(len(self.columns))

    @property
    def conditions(self) -> str:
        """Sentences about the measurement: how, when, and what is missing."""
        days = [f"`{name}` was measured on {_day(day)}. " for name, day in self.older.items()]
        return (
            f"{self.remark} These figures were measured on {_day(self.date)} by "
            f"`python -m tests.tools.bench.{self.command}`. {''.join(days)}"
            f"Not measured: {self.missing}"
        )

    @property
    def picture(self) -> str:
        """The path of the chart, from the page."""
        return self.chart.picture or f"images/benchmark-{self.name}.svg"


def _grouped(cell: str) -> str:
    """Return a cell with commas in the integers of four and more digits, except in names such as A269664.

    >>> _grouped("Soma 3x3x3 (11520)"), _grouped("> 3600"), _grouped("OEIS A269664")
    ('Soma 3x3x3 (11,520)', '> 3,600', 'OEIS A269664')
    """
    return re.sub(r"(?<![\w.,])\d{4,}(?![\w.,])", lambda found: f"{int(found[0]):,}", cell)


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"


def number(cell: str) -> float | None:
    """Return the number of a cell, None if it has none. The sign ``>`` of a lower bound is dropped, and bold type.

    >>> number("> 8"), number("1,008"), number("99.9%"), number("**0.3**"), number("-"), number("bits")
    (8.0, 1008.0, 99.9, 0.3, None, None)
    """
    found = re.fullmatch(r"(?:> )?(\d[\d,]*(?:\.\d+)?)%?", cell.strip("*"))
    return float(found[1].replace(",", "")) if found else None


def read(path: Path = DATA) -> dict[str, Table]:
    """Return the stored tables by their names, with those that are computed from others."""
    tables = {}
    for name, stored in json.loads(path.read_text(encoding="utf-8")).items():
        chart = Chart(**{**stored["chart"], "columns": tuple(stored["chart"].get("columns", ()))})
        rows = tuple(tuple(row) for row in stored["rows"])
        tables[name] = Table(name, **{**stored, "chart": chart, "columns": tuple(stored["columns"]), "rows": rows})
    return tables


def write(tables: dict[str, Table], path: Path = DATA) -> None:
    """Store tables, a row a line."""
    texts = []
    for name, table in tables.items():
        chart = {key: value for key, value in asdict(table.chart).items() if value}
        head: dict[str, object] = {"command": table.command, "date": table.date, "remark": table.remark}
        head |= {"missing": table.missing} | ({"older": dict(table.older)} if table.older else {})
        lines = [f"  {_json(key)}: {_json(value)}," for key, value in head.items()]
        lines += [f'  "chart": {_json(chart)},', f'  "columns": {_json(table.columns)},', '  "rows": [']
        rows = ",\n".join(f"   {_json(row)}" for row in table.rows)
        texts.append(f" {_json(name)}: {{\n" + "\n".join(lines) + f"\n{rows}\n  ]\n }}")
    path.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def ratios(tables: dict[str, Table]) -> Table:
    """Return how many times as fast puzzlec is as the others, from the tables of seconds.

    A bound of seconds makes a bound of the ratio. A problem that only puzzlec can count has no row. Columns of an
    earlier day do not count, because the machine was not as busy, or busier. A ratio of the best way is bold if
    another program or library is faster.
    """
    rows = []
    sources = [tables[name] for name in ("counting", "slow", "designs") if name in tables]
    for table in sources:
        for row in table.rows:
            cells = dict(zip(table.columns[1:], row[1:], strict=True))
            ours = {name: number(cells[f"puzzlec-{name}"]) for name in ("engine", "count", "puzzle")}
            engine = ours["engine"] or ours["count"]
            if engine is None:
                continue
            best = min(figure for figure in (ours["count"], ours["puzzle"], engine) if figure is not None)
            others = {name: cell for name, cell in cells.items() if name not in table.older}
            theirs = {name: cell for name, cell in others.items() if not name.startswith("puzzlec") and number(cell)}
            program = fastest({name: cell for name, cell in theirs.items() if name not in PYTHON})
            library = fastest({name: cell for name, cell in theirs.items() if name in PYTHON})
            shown = [row[0].partition(" (")[0], program[0], times(program[1], engine), marked(times(program[1], best))]
            rows.append((*shown, library[0], times(library[1], engine), marked(times(library[1], best))))
    columns = ("problem", "fastest program", "engine", "best way", "fastest library", "engine, to it", "best, to it")
    chart = Chart("Times as fast as the fastest other program", ("engine", "best way"))
    remark = "Computed from the tables of seconds. `best way` is the fastest of the three columns of puzzlec."
    missing = "what those tables leave out, and columns of an earlier day."
    later = max(table.date for table in sources)
    return Table("ratios", "all ratios", later, remark, missing, chart, columns, tuple(rows))


def fastest(cells: dict[str, str]) -> tuple[str, str]:
    """Return the name and the cell with the least seconds; two dashes if there is none.

    >>> fastest({"a": "> 8", "b": "9.1"}), fastest({})
    (('a', '> 8'), ('-', '-'))
    """
    return min(cells.items(), key=lambda item: number(item[1]) or 0.0, default=("-", "-"))


def times(cell: str, ours: float) -> str:
    """Return the seconds of a cell as a multiple of others, in two digits.

    >>> times("> 8", 0.5), times("1.0", 0.86), times("0.0052", 2.2), times("-", 1.0)
    ('> 16', '1.2', '0.0024', '-')
    """
    seconds = number(cell)
    if seconds is None:
        return "-"
    ratio = seconds / ours
    return ("> " if cell.startswith(">") else "") + (
        f"{ratio:.2g}" if ratio < 0.95 else f"{ratio:.1f}" if ratio < 9.95 else f"{float(f'{ratio:.2g}'):,.0f}"
    )


def marked(ratio: str) -> str:
    """Return a ratio in bold if it is below 1.

    >>> marked("0.35"), marked("1.0"), marked("> 16")
    ('**0.35**', '1.0', '> 16')
    """
    figure = number(ratio)
    return f"**{ratio}**" if figure is not None and figure < 1 and not ratio.startswith(">") else ratio


def block(table: Table) -> str:
    """Return the part of the page for a table."""
    return "\n\n".join([table.markdown(), table.conditions, f"![{table.chart.title}]({table.picture})"])


def page(text: str, tables: dict[str, Table]) -> str:
    """Return the page with its generated parts made again. Raise KeyError for a part without a table."""

    def made(found: re.Match[str]) -> str:
        return f"{BEGIN.format(found[1])}\n\n{block(tables[found[1]])}\n\n{END}"

    return re.sub(f"{BEGIN.format('([a-z-]+)')}\n.*?{END}", made, text, flags=re.DOTALL)


def shown(text: str) -> list[str]:
    """Return the names of the tables of a page, in their order."""
    return re.findall(BEGIN.format("([a-z-]+)"), text)


def printed(output: str) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Return the Markdown tables in the output of a command: columns and rows.

    >>> printed("noise\\n| a | b |\\n|---|--:|\\n| x | 1 |\\n\\nend")
    [(('a', 'b'), [('x', '1')])]
    """
    found = []
    for part in re.findall(r"(?:^\|.*\n?)+", output, re.MULTILINE):
        lines = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in part.splitlines()]
        if len(lines) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in lines[1]):
            found.append((lines[0], lines[2:]))
    return found


def renewed(table: Table, output: str, today: str, machine: str) -> Table:
    """Return a table with the rows that its command printed.

    Columns that the page does not have are dropped, except those of more competitors. Old columns of competitors that
    were not measured again stay, with their day, if the rows are the same. Raise ValueError if no table of the output
    has all columns but those of competitors.
    """
    needed = {name for name in table.columns if not table.chart.others or name in table.chart.columns}
    for columns, rows in printed(output):
        if not needed <= {*columns, ""}:
            continue
        kept = [name for name in columns if table.chart.others or name in table.columns]
        cells = [tuple(dict(zip(columns, row, strict=True))[name] or "-" for name in kept) for row in rows]
        remark = re.sub(r"x86_64.*?Linux|on \S+, \d+ cores.*$", machine, table.remark)
        older: dict[str, str] = {}
        if [row[0] for row in rows] == [row[0] for row in table.rows]:
            older = {name: table.older.get(name, table.date) for name in table.columns if name not in columns}
            old = [tuple(dict(zip(table.columns, row, strict=True))[name] for name in older) for row in table.rows]
            cells = [row + more for row, more in zip(cells, old, strict=True)]
        made = (today, remark, table.missing, table.chart, (*kept, *older), tuple(cells), older)
        return Table(table.name, table.command, *made)
    raise ValueError(f"the command of {table.name} printed no table with the columns {', '.join(sorted(needed))}")
