from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlec
from puzzlec.solving.fewest_clues import FewestClues
from tests.commands import run

TRAY = """locations box 5x5
piece I { xxxxx }
piece L { xxxx/x... }
piece P { xx/xx/x. }
piece W { x../xx./.xx }
piece Y { xxxx/.x.. }
"""


def test_the_result_is_a_puzzle_with_one_solution() -> None:
    done = run("clues", "-", stdin=TRAY)
    assert done.returncode == 0
    assert puzzlec.count(puzzlec.parse(done.stdout)) == 1
    assert "1 clue leaves 1 distinct solution of 10, and fewer clues do not suffice" in done.stderr


def test_a_file_is_written_and_not_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "hint.puzzle"
    assert run("clues", "-", "-o", str(target), stdin=TRAY).stdout == ""
    text = target.read_text()
    assert puzzlec.count(puzzlec.parse(text)) == 1
    again = run("clues", "-", "-o", str(target), stdin=TRAY)
    assert (again.returncode, target.read_text()) == (1, text)
    assert "already exists" in again.stderr


def test_all_lists_each_least_set_of_clues() -> None:
    done = run("clues", "-", "--all", stdin=TRAY)
    assert [line.split(" at ")[0] for line in done.stdout.splitlines()] == ["fix P", "fix P", "fix W"]
    assert done.stderr.startswith("3 sets of clues up to symmetry; 1 clue leaves")


def test_json_has_a_line_for_each_set_and_one_for_all() -> None:
    *sets, last = map(json.loads, run("clues", "-", "--all", "--json", stdin=TRAY).stdout.splitlines())
    assert (len(sets), last["clues"], last["at_least"], last["proved"], last["before"]) == (3, 1, 1, True, 10)
    for found in sets:
        assert puzzlec.count(puzzlec.parse(found["puzzle"])) == 1
        assert [clue["kind"] for clue in found["clues"]] == ["fix"]


def test_other_kinds_and_targets() -> None:
    assert "colour cell" in run("clues", "-", "--colour", "--all", stdin=TRAY).stdout
    three = run("clues", "-", "--target", "3", stdin=TRAY)
    assert puzzlec.count(puzzlec.parse(three.stdout)) == 3
    one = run("clues", "-", "--forbid", "--symmetry", "none", stdin=TRAY)
    assert puzzlec.count(puzzlec.parse(one.stdout), symmetry="none") == 1


def test_puzzles_without_anything_to_do_have_a_clear_answer() -> None:
    done = run("clues", "polyaboloes/tangram-square")
    assert "the puzzle has exactly 1 distinct solution without clues" in done.stderr
    none = run("clues", "-", stdin="locations box 5x2\npieces pentominoes only X, W\n")
    assert (none.returncode, none.stdout) == (3, "")
    assert "no solution" in none.stderr
    few = run("clues", "-", "--target", "11", stdin=TRAY)
    assert few.returncode == 1
    assert "error[PZ368]" in few.stderr


def test_an_interrupted_search_prints_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FewestClues, "_extend", interrupted)
    done = run("clues", "-", "--forbid", stdin=TRAY)
    assert done.returncode == 130
    assert puzzlec.count(puzzlec.parse(done.stdout)) == 1
    assert "interrupted; " in done.stderr
    assert "at least 1 clue needed" in done.stderr


def test_a_limit_of_time_is_reported() -> None:
    done = run("clues", "soma", "--time-limit", "0.05")
    assert done.returncode == 4
    assert "limit of time" in done.stderr
