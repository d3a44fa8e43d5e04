"""Figures that several pages of the docs repeat: each has one source, and all pages agree with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlec.engine.search.selection import PATIENCE
from puzzlec.geometry import lattice_names
from tests.published.rows import every

ROOT = Path(__file__).resolve().parent.parent

#: The word or number of wrong published counts, as in a text.
NUMBERS = {9: "nine", 10: "ten", 8: "eight"}


def _lines_of_the_checker() -> str:
    lines = len((ROOT / "puzzlec/engine/certificate/checker.py").read_text(encoding="utf-8").splitlines())
    return str(-(-lines // 10) * 10)


def _wrong() -> str:
    return NUMBERS[sum(row.verdict == "published wrong" for row in every())]


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
        (lambda: str(len(lattice_names())), {"README.md": r"(\d+) \[lattices\]"}),
        (
            lambda: f"{PATIENCE:,}",
            {
                "docs/engine.md": r"for the first ([\d,]+) nodes, and without numba",
                "docs/how-it-works/kernels.md": r"for the first ([\d,]+) nodes, and without numba",
            },
        ),
        (
            lambda: _on_page("docs/benchmarks.md", r"It visited ([\d.]+) billion nodes"),
            {"docs/how-to/search-of-a-week.md": r"The true number was ([\d.]+) billion"},
        ),
    ],
    ids=["checker", "published", "wrong", "lattices", "patience", "nodes"],
)
def test_a_figure_on_several_pages_comes_from_one_source(source: Callable[[], str], places: dict[str, str]) -> None:
    assert {page: _on_page(page, pattern) for page, pattern in places.items()} == dict.fromkeys(places, source())
