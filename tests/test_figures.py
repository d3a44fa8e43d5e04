"""Figures that several pages of the docs repeat: each has one source, and all pages agree with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isqrt
from pathlib import Path

import pytest

from puzzlec.engine.search.selection import MAX_BITS_SET_BYTES, NODES_BEFORE_NUMBA
from puzzlec.formats.catalogue import entries
from puzzlec.formats.registry import ALL
from puzzlec.geometry import lattice_names
from puzzlec.make.outputs import GAME_SOLUTIONS
from puzzlec.show.game.data import MOST_BYTES
from tests.published.rows import every

ROOT = Path(__file__).resolve().parent.parent

#: The word or number of wrong published counts, as in a text.
NUMBERS = {9: "nine", 10: "ten", 8: "eight"}


def _lines_of_the_checker() -> str:
    lines = len((ROOT / "puzzlec/engine/certificate/checker.py").read_text(encoding="utf-8").splitlines())
    return str(-(-lines // 10) * 10)


def _verdicts(verdict: str) -> str:
    return str(sum(row.verdict == verdict for row in every()))


def _wrong() -> str:
    return NUMBERS[int(_verdicts("published wrong"))]


def _on_page(page: str, pattern: str) -> str:
    found = re.search(pattern, _text(page))
    assert found, f"{page} has lost the figure"
    return found[1]


def _text(page: str) -> str:
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("source", "places"),
    [
        (
            _lines_of_the_checker,
            {
                "README.md": r"a checker of (\d+) lines",
                "docs/certificates.md": r"A program of (\d+) lines",
                "docs/how-to/my-count-differs.md": r"of (\d+) lines",
                "docs/how-it-works/certificates.md": r"you trust (\d+) lines",
            },
        ),
        (
            lambda: str(len(every())),
            {
                "README.md": r"Of (\d+) \[published counts\]",
                "docs/how-to/my-count-differs.md": r"compares (\d+) numbers",
                "docs/testing.md": r"published counts \| (\d+) numbers",
            },
        ),
        (
            _wrong,
            {
                "README.md": r"\[published counts\]\S+ (\w+) turned out to be wrong",
                "docs/how-to/my-count-differs.md": r"books and sites: (\w+) of them are wrong",
            },
        ),
        (
            lambda: str(sum(row.verdict != "not counted" for row in every())),
            {
                "docs/testing.md": r"numbers by others, (\d+) counted again",
                "docs/published-counts.md": r"(\d+) of them were counted again",
            },
        ),
        (lambda: _verdicts("published wrong"), {"docs/testing.md": r"counted again \| (\d+) are wrong"}),
        (lambda: _verdicts("convention"), {"docs/testing.md": r"are wrong, (\d+) count up to other symmetries"}),
        (lambda: _verdicts("ours wrong"), {"docs/testing.md": r"other symmetries, (\d+) of ours were wrong"}),
        (lambda: str(len(lattice_names())), {"README.md": r"(\d+) \[lattices\]"}),
        (
            lambda: str(len(entries()) // 100 * 100),
            {"README.md": r"over (\d+) puzzles", "CHANGELOG.md": r"over (\d+) puzzles"},
        ),
        (
            lambda: str(len(ALL) // 10 * 10),
            {
                "README.md": r"reads or writes \[more than (\d+) formats\]",
                "CHANGELOG.md": r"Read or write more than (\d+) formats",
            },
        ),
        (
            lambda: str(MOST_BYTES // 1000),
            {"docs/how-to/game.md": r"more than (\d+) kB", "docs/api.md": r"at most (\d+) kB of solutions"},
        ),
        (lambda: f"{GAME_SOLUTIONS:,}", {"docs/how-to/game.md": r"more than ([\d,]+) solutions"}),
        (
            lambda: f"{isqrt(8 * MAX_BITS_SET_BYTES):,}",
            {
                "docs/engine.md": r"after that, up to ([\d,]+) options .*? for more than \1 options",
                "docs/how-it-works/kernels.md": r"for longer searches of up to ([\d,]+) options",
            },
        ),
        (
            lambda: f"{NODES_BEFORE_NUMBA:,}",
            {
                "docs/engine.md": r"for the first ([\d,]+) nodes of small problems, and without numba",
                "docs/how-it-works/kernels.md": r"for the first ([\d,]+) nodes of small problems, and without numba",
            },
        ),
        (
            lambda: _on_page("docs/benchmarks.md", r"It visited ([\d.]+) billion nodes"),
            {"docs/how-to/search-of-a-week.md": r"The true number was ([\d.]+) billion"},
        ),
    ],
    ids=[
        "checker",
        "published",
        "wrong",
        "counted",
        "wrong as a number",
        "convention",
        "ours wrong",
        "lattices",
        "catalogue",
        "formats",
        "bytes of a game",
        "solutions of a game",
        "options of bits",
        "patience",
        "nodes",
    ],
)
def test_a_figure_on_several_pages_comes_from_one_source(source: Callable[[], str], places: dict[str, str]) -> None:
    assert {page: _on_page(page, pattern) for page, pattern in places.items()} == dict.fromkeys(places, source())
