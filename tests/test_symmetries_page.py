"""The table of symmetry groups in the documentation agrees with the puzzles of the catalogue.

``PUZZLEC_REGENERATE=1 pytest tests/test_symmetries_page.py`` writes it again.
"""

from __future__ import annotations

import os
import re
from functools import cache
from operator import itemgetter
from pathlib import Path

import pytest

import puzzlec
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.lower import encode, place
from puzzlec.lower.symmetries import symmetry

PAGE = Path(__file__).parents[1] / "docs" / "symmetries.md"

#: A short run compares one row of this many.
STRIDE = 12

HEAD = """\
| puzzle | lattice | locations | isometries of the lattice | `rotations` | `all` | distinct | raw |
|---|---|--:|--:|--:|--:|--:|--:|
"""


@cache
def geometric() -> dict[str, tuple[Entry, puzzlec.Puzzle]]:
    """Return the puzzles of the catalogue that have geometry, by lattice and name."""
    found = []
    for entry in entries():
        puzzle = puzzlec.load(str(entry.path))
        if isinstance(puzzle, puzzlec.Puzzle) and puzzle.lattice is not None:
            found.append((puzzle.lattice.name, entry.name, (entry, puzzle)))
    return {name: both for _, name, both in sorted(found, key=itemgetter(0, 1))}


def row(entry: Entry, puzzle: puzzlec.Puzzle) -> str:
    """Return the line of the table on a puzzle."""
    lattice = puzzle.lattice
    assert lattice is not None
    encoding = encode(place(puzzle))
    turns, every, parts = (len(symmetry(encoding, which)) for which in ("rotations", "all", "parts"))
    cells = [
        f"`{entry.name}`",
        f"`{lattice.name}`" + (", wraps around" if puzzle.wrapping else ""),
        f"{len(puzzle.locations):,}",
        str(len(lattice.isometries)),
        str(turns),
        str(every) if parts == every else f"{every}, `parts`: {parts}",
        *(f"{number:,}" if number is not None else "" for number in (entry.distinct, entry.raw)),
    ]
    return f"| {' | '.join(cells)} |"


def written() -> dict[str, str]:
    """Return the lines of the table on the page by the names of their puzzles."""
    lines = re.findall(r"^\| `.*$", PAGE.read_text(encoding="utf-8").partition(HEAD)[2], re.MULTILINE)
    return {line.split("`")[1]: line for line in lines}


@pytest.mark.timeout(600)
@pytest.mark.long
def test_the_table_has_the_puzzles_with_geometry_in_order_of_their_lattices() -> None:
    if os.environ.get("PUZZLEC_REGENERATE"):
        lines = [row(*both) for both in geometric().values()]
        before = PAGE.read_text(encoding="utf-8").partition(HEAD)[0]
        PAGE.write_text(f"{before}{HEAD}{chr(10).join(lines)}\n", encoding="utf-8", newline="\n")
    assert list(written()) == list(geometric())


def test_orders_and_numbers_of_solutions_are_consistent() -> None:
    for line in written().values():
        *_, turns, every, distinct, raw = (cell.split(",")[0] if "`" in cell else cell for cell in line.split(" | "))
        assert int(every) in (int(turns), 2 * int(turns)), line
        if distinct and raw.strip(" |"):
            one, all_of_them = (int(number.strip(" |").replace(",", "")) for number in (distinct, raw))
            assert one <= all_of_them <= one * int(every), line


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if number % STRIDE == 0 else [pytest.mark.slow, pytest.mark.timeout(600)])
        for number, name in enumerate(written())
    ],
)
def test_a_row_agrees_with_the_puzzle(name: str) -> None:
    assert written().get(name) == row(*geometric()[name])
