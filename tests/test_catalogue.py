"""Every puzzle of the catalogue has the number of solutions that the catalogue states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from _pytest.mark import ParameterSet

import puzzlec
from puzzlec import resources
from puzzlec.diagnostics import Report
from puzzlec.engine import ExactCover
from puzzlec.readers.catalogue import Entry, entries
from puzzlec.readers.formats import FORMATS

#: Puzzles whose distinct solutions are counted soon, while the search for all of them takes its time.
LONG = {
    "dominoes/double-six-many",
    "pentominoes/4x15",
    "pentominoes/5x12",
    "pentominoes/6x10",
    "pentominoes/8x8-four-holes",
    "pentominoes/8x8-hole",
    "pentominoes/8x8-scattered-holes",
    "pentominoes/diamond",
    "pentominoes/flower",
    "pentominoes/skewed-5x12",
    "pentominoes/tetromino-cross",
    "pentominoes/trapezoid",
    "polyiamonds/one-sided-hexagram-hexagon",
    "solid-pentominoes/2x3x10",
    "solid-pentominoes/cross-block",
    "solid-pentominoes/ohno-block",
    "solid-pentominoes/three-walls",
    "solid-pentominoes/tower",
}


#: Puzzles of which nobody knows how many solutions they have; their exact covers are large.
UNCOUNTED = {"eternity/eternity"}


def parameters(wanted: Callable[[Entry], bool] = lambda _: True, long: bool = False) -> list[ParameterSet]:
    """Return the entries wanted, the slow ones marked; ``long``: the test searches for all solutions."""
    slow = [pytest.mark.slow, pytest.mark.timeout(7200)]
    return [
        pytest.param(entry, id=entry.name, marks=slow if entry.slow or (long and entry.name in LONG) else [])
        for entry in entries()
        if wanted(entry)
    ]


@pytest.mark.parametrize("entry", [pytest.param(each, id=each.name) for each in entries()])
def test_a_puzzle_loads_without_warnings(entry: Entry) -> None:
    report = Report()
    puzzlec.load(str(entry.path), report=report)
    assert not report.diagnostics


@pytest.mark.parametrize("entry", [pytest.param(each, id=each.name) for each in entries()])
def test_a_puzzle_has_the_title_that_its_entry_states(entry: Entry) -> None:
    puzzle = puzzlec.load(str(entry.path))
    if entry.path.suffix == ".puzzle":
        assert isinstance(puzzle, puzzlec.Puzzle)
        assert puzzle.title == entry.title


@pytest.mark.parametrize("entry", parameters(lambda entry: entry.distinct is not None))
def test_the_distinct_solutions_are_as_many_as_stated(entry: Entry) -> None:
    assert puzzlec.count(str(entry.path)) == entry.distinct


@pytest.mark.parametrize("entry", parameters(lambda entry: entry.raw is not None, long=True))
def test_the_raw_solutions_are_as_many_as_stated(entry: Entry) -> None:
    assert puzzlec.count(str(entry.path), raw=True) == entry.raw


@pytest.mark.parametrize("entry", parameters(lambda entry: None not in (entry.distinct, entry.raw), long=True))
def test_the_raw_solutions_counted_without_symmetry_are_as_many(entry: Entry) -> None:
    assert puzzlec.Solutions(str(entry.path), raw=True, use_symmetry=False).count() == entry.raw


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.slow] if each.name in UNCOUNTED else [])
        for each in entries()
        if each.options is not None
    ],
)
def test_the_exact_cover_has_as_many_options_as_stated(entry: Entry) -> None:
    encoding = puzzlec.compile(str(entry.path))
    cover = getattr(encoding, "cover", None)
    assert isinstance(cover, ExactCover)
    assert len(cover) == entry.options


def test_every_puzzle_file_has_an_entry_and_every_entry_a_file() -> None:
    endings = {ending for each in FORMATS.values() for ending in each.endings}
    files = {path for path in resources.folder("puzzles").rglob("*") if path.suffix in endings}
    assert files == {entry.path for entry in entries()}


def test_the_name_of_an_entry_is_the_folder_and_stem_of_its_file() -> None:
    folder = resources.folder("puzzles")
    for entry in entries():
        assert entry.path.relative_to(folder).with_suffix("").as_posix() == entry.name


def test_every_entry_says_where_its_count_comes_from() -> None:
    for entry in entries():
        assert entry.source
        assert (entry.raw is None and entry.distinct is None) == (entry.name in UNCOUNTED)


def test_a_puzzle_without_geometry_states_no_distinct_count() -> None:
    for entry in entries():
        puzzle = puzzlec.load(str(entry.path))
        if not isinstance(puzzle, puzzlec.Puzzle) or puzzle.lattice is None:
            assert entry.distinct is None, entry.name
