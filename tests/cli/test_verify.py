"""``puzzlec check --catalogue`` and ``puzzlec list`` as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlec import recount as verifying
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.recount import Outcome, verify
from tests.commands import command

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda *words: command(capsys, monkeypatch, *words)


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> Entry:
    """An entry of the catalogue with a wrong number."""
    (entry,) = catalogue.find_entries("soma/screw")
    changed = entry._replace(distinct=15)
    monkeypatch.setattr(catalogue, "entries", lambda: (changed,))
    return changed


def test_every_stated_number_has_a_row(run: Run) -> None:
    status, output, remark = run("check", "--catalogue", "prisms", "--time-limit", "100")
    rows = [line.split() for line in output.splitlines()[1:]]
    stated = [
        [entry.name, name, str(number), str(number), "agrees"]
        for entry in catalogue.find_entries("prisms")
        for name in (*verifying.CONVENTIONS, *verifying.APART_MEASURES)
        if (number := getattr(entry, name)) is not None
    ]
    assert status == 0
    assert [[*row[:4], row[5]] for row in rows] == stated
    assert remark.startswith(f"{len(stated)} numbers of {len(catalogue.find_entries('balls'))} puzzles in ")
    assert remark.rstrip().endswith(f": {len(stated)} agree, 0 differ")


def test_a_number_that_differs_is_reported_as_an_error(run: Run, wrong: Entry) -> None:
    status, output, remark = run("check", "--catalogue", "--json")
    rows = [json.loads(line) for line in output.splitlines()]
    assert status == 1
    assert [(row["convention"], row["stated"], row["counted"], row["outcome"]) for row in rows] == [
        ("distinct", 15, 14, "differs"),
        ("raw", 14, 14, "agrees"),
    ]
    assert "1 agree, 1 differ" in remark


def test_puzzles_with_longer_known_times_are_left_out(run: Run) -> None:
    status, output, remark = run("check", "--catalogue", "soma/screw", "--time-limit", "0")
    assert status == 0
    assert output.count("left out") == 2
    assert "2 skipped: they take longer than 0 s (--time-limit)" in remark


def test_a_count_over_the_limit_is_not_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = catalogue.find_entries("pentominoes/6x10")
    monkeypatch.setattr(catalogue, "entries", lambda: (entry._replace(seconds=None),))
    status, output, remark = run("check", "--catalogue", "--time-limit", "0")
    assert status == 4
    assert "unfinished" in output
    assert "not finished in 0 s" in remark


def test_a_puzzle_without_a_known_number_is_open() -> None:
    assert [(check.outcome, check.stated) for check in verify("eternity/eternity", seconds=0)] == [(Outcome.OPEN, None)]


def test_another_kernel_counts_the_same(run: Run) -> None:
    assert run("check", "--catalogue", "designs", "--kernel", "lists")[0] == 0
    assert run("check", "--catalogue", "designs", "--kernel", "hinges")[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--catalogue", "somma"], "did you mean `soma`?"),
        (["check", "--catalogue", "balsl"], "did you mean `balls`?"),
        (["check", "--catalogue", "soma", "--tag", "flat"], "no puzzle of the catalogue matches"),
        (["check", "--catalogue", "--tag", "solidd"], "did you mean `solid`?"),
        (["list", "--tag", "sold"], "did you mean `solid`?"),
        (["list", "--search", "tower hanoi"], "`tower` and `hanoi`"),
    ],
)
def test_an_unknown_name_is_reported_with_similar_names(run: Run, words: list[str], said: str) -> None:
    status, output, remark = run(*words)
    assert (status, output) == (1, "")
    assert said in remark


def test_a_search_looks_into_sources_and_notes(run: Run) -> None:
    assert run("list", "haselgrove")[0] == 1
    _, output, _ = run("list", "--search", "HASELGROVE Eureka")
    assert [line.split()[0] for line in output.splitlines()[1:]] == ["pentominoes/6x10", "pentominoes/rectangles"]


def test_tags_are_listed_with_their_puzzles_and_each_finds_as_many(run: Run) -> None:
    numbers = [line.split(maxsplit=1) for line in run("list", "--list-tags")[1].splitlines()]
    assert {"flat", "solid", "colour", "easy", "hard", "open"} <= {tag for _, tag in numbers}
    for number, tag in numbers[:8]:
        assert len(run("list", "--tag", tag, "--json")[1].splitlines()) == int(number)


def test_a_line_of_json_has_the_facts_of_the_catalogue(run: Run) -> None:
    found = json.loads(run("list", "soma/castle", "--json")[1])
    assert (found["name"], found["distinct"], found["raw"], found["parts"]) == ("soma/castle", 5, 20, None)
    assert found["seconds"] > 0
    assert "solid" in found["tags"]
    assert found["notes"].startswith("Polyform Puzzler states 10")
    assert json.loads(run("list", "soma/screw", "--json")[1])["notes"] is None
    assert json.loads(run("explain", "castle", "--json")[1])["catalogue"] == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("explain", "soma/castle"),
            ["10 distinct under rotations, 20 raw", "notes Polyform", "tags solid, easy, soma"],
        ),
        (("explain", "cover/items"), ["2 raw", "worked out by hand", "no geometry, easy"]),
        (("explain", "queens/8"), ["92 raw", "s of processor time", "of a plain search for each raw solution"]),
    ],
)
def test_a_puzzle_of_the_catalogue_is_shown_with_its_facts(run: Run, words: list[str], told: list[str]) -> None:
    _, output, _ = run(*words)
    known = " ".join(output.partition("in the catalogue\n")[2].split())
    for sentence in told:
        assert sentence in known


def test_nothing_is_reported_of_a_puzzle_outside_the_catalogue(run: Run, tmp_path: Path) -> None:
    entry = catalogue.entry_of("soma/castle")
    assert entry
    (tmp_path / "castle.puzzle").write_bytes(entry.path.read_bytes())
    for words in (["queens/8", "-p", "n=5"], [str(tmp_path / "castle.puzzle")]):
        assert "in the catalogue" not in run("explain", *words)[1]
        assert json.loads(run("explain", *words, "--json")[1])["catalogue"] is None
    assert "soma/castle" in run("explain", str(entry.path))[1]
