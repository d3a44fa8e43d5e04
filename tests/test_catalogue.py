"""Every puzzle of the catalogue has the number of solutions that the catalogue states."""

from __future__ import annotations

import re

import pytest

import puzzlec
from puzzlec import resources
from puzzlec.diagnostics import Report
from puzzlec.formats.catalogue import Entry, entries, has_words, suggestions, tags
from puzzlec.formats.registry import FORMATS
from puzzlec.ir import Measure
from puzzlec.recount import APART_MEASURES, CONVENTIONS, Outcome, verify
from tests.catalogue_facts import MADE, lattice_of, made_tags
from tests.catalogue_share import share

#: Puzzles whose distinct solutions are counted quickly, although the search for all raw solutions takes long.
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


#: Puzzles with an unknown number of solutions. Their exact covers are large.
UNCOUNTED = {"eternity/eternity"}


SLOW = [pytest.mark.slow, pytest.mark.timeout(7200)]


def is_quick(entry: Entry) -> bool:
    """Return whether all solutions of a puzzle are counted in a second."""
    return not entry.slow and entry.name not in LONG and (entry.seconds or 0) < 1


#: Puzzles that are also counted without their symmetries in every run.
SOON = {case.id for case in share(lambda entry: entry.raw is not None and is_quick(entry), most=4) if not case.marks}

EVERY = [pytest.param(entry, id=entry.name) for entry in entries()]


@pytest.mark.parametrize("entry", EVERY)
def test_a_puzzle_loads_without_warnings_and_agrees_with_its_entry(entry: Entry) -> None:
    report = Report()
    puzzle = puzzlec.load(str(entry.path), report=report)
    assert not report.diagnostics
    if entry.path.suffix == ".puzzle":
        assert isinstance(puzzle, puzzlec.Puzzle)
        assert puzzle.title == entry.title
        assert puzzle.expected, "write `expect` with the number of solutions, or `expect unknown`"
        numbers = {promise.measure: promise.value for promise in puzzle.expected if promise.value is not None}
        fields = {Measure.COMES_APART: "apart"}
        read = {fields.get(measure, measure.value): number for measure, number in numbers.items()}
        costs = {Measure.MIN_COST.value, Measure.MAX_COST.value}
        stated = {key: getattr(entry, key) for key in (*CONVENTIONS, *APART_MEASURES) if key != "options"}
        assert {key: number for key, number in stated.items() if number is not None} == {
            key: number for key, number in read.items() if key not in costs
        }
    if lattice_of(puzzle) is None:
        assert entry.distinct is entry.rotations is entry.parts is None
    assert [tag for tag in entry.tags if tag in MADE] == made_tags(entry, puzzle)


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.name, marks=SLOW if entry.slow or entry.name in UNCOUNTED else [])
        for entry in entries()
    ],
)
def test_a_puzzle_has_as_many_solutions_as_stated(entry: Entry) -> None:
    soon = entry._replace(raw=None, seconds=None) if entry.name in LONG else entry._replace(seconds=None)
    for check in verify([soon]):
        assert check.outcome in (Outcome.AGREES, Outcome.OPEN), check


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.name, marks=[] if entry.name in SOON else SLOW)
        for entry in entries()
        if entry.raw is not None
    ],
)
def test_a_count_of_raw_solutions_without_symmetry_agrees(entry: Entry) -> None:
    assert (
        puzzlec.Solutions(str(entry.path), symmetry="none", settings=puzzlec.SearchSettings(False)).count() == entry.raw
    )


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.name) for entry in entries() if entry.name in LONG])
def test_the_raw_solutions_of_a_long_search_have_the_stated_number(entry: Entry) -> None:
    assert {check.outcome for check in verify([entry])} == {Outcome.AGREES}


def test_every_puzzle_file_has_an_entry_and_every_entry_a_file() -> None:
    endings = {ending for record in FORMATS.values() for ending in record.endings}
    files = {path for path in resources.folder("puzzles").rglob("*") if path.suffix in endings}
    assert files == {entry.path for entry in entries()}


def test_the_name_of_an_entry_is_the_folder_and_stem_of_its_file() -> None:
    folder = resources.folder("puzzles")
    for entry in entries():
        assert entry.path.relative_to(folder).with_suffix("").as_posix() == entry.name


def test_the_head_of_the_catalogue_explains_each_field() -> None:
    head = (resources.folder("puzzles") / "catalogue.yaml").read_text(encoding="utf-8").split("\n\n")[0]
    told = set(re.findall(r"(?m)^# (\w+) +\S", head)) - {"The"}
    assert told == set(Entry._fields) - {"name"}


def test_no_two_tags_mean_the_same() -> None:
    """Words are compared in the singular and in lower case; their order and empty words do not count."""
    said: dict[frozenset[str], str] = {}
    for tag in tags(entries()):
        words = frozenset(re.sub("e?s?$", "", word) for word in tag.lower().split()) - {"of", "it", "a"}
        assert said.setdefault(words, tag) == tag


def test_every_entry_has_the_source_of_its_count() -> None:
    for entry in entries():
        assert entry.source
        assert (entry.raw is None and entry.distinct is None) == (entry.name in UNCOUNTED)


def test_every_stated_count_has_its_time_and_its_effort_for_each_solution() -> None:
    for entry in entries():
        assert (entry.seconds is None) == (entry.name in UNCOUNTED), entry.name
        assert (entry.effort is None) == (not entry.raw), entry.name


def test_one_word_of_a_name_is_enough_for_a_suggestion() -> None:
    assert suggestions("bedlam") == ["polycubes/bedlam-cube"]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("4x4x4", "polycubes/bedlam-cube"),
        ("4x4x4", "interlocking/cube-4-three-level-4"),
        ("quatromino", "polycubes/bedlam-cube"),
        ("PIEZAS", "pentominoes/6x10"),
        ("chinese", "burrs/six-piece-1"),
        ("845", "polysticks/tetrasticks-4x4"),
    ],
)
def test_a_puzzle_has_the_words_by_which_people_know_it(word: str, name: str) -> None:
    assert name in {entry.name for entry in entries() if has_words(entry, [word])}


def test_there_are_puzzles_with_one_to_five_turns() -> None:
    assert {entry.turns for entry in entries() if "turns" in entry.tags} == {1, 2, 3, 4, 5}
