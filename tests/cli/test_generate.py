from __future__ import annotations

import json
from pathlib import Path

import pytest

from puzzlec.generators.kind import GenerationEffort
from tests.commands import run

SMALL = ("generate", "dominosa", "--size", "2")


def test_a_puzzle_is_printed_and_counted() -> None:
    done = run(*SMALL, "--seed", "3")
    assert done.returncode == 0
    assert done.stderr.startswith("dominosa with seed 3: 1 solution; ")
    assert run("count", "-", "--raw", "-q", stdin=done.stdout).stdout == "1\n"


def test_the_remark_on_a_burr_says_that_an_assembly_comes_apart() -> None:
    done = run("generate", "burr", "--level", "1", "--seed", "1")
    assert done.stderr.startswith("burr with seed 1: 1 solution, which comes apart; 1 attempt, ")


def test_kinds_are_listed() -> None:
    assert run("generate").stdout.startswith("dominosa  numbers of a set of dominoes in a rectangle")
    assert json.loads(run("generate", "--json").stdout.splitlines()[0])["options"] == {"size": 6}


def test_several_puzzles_have_numbered_files_and_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*SMALL, "--number", "2").returncode == 2
    (tmp_path / "grid-2.puzzle").write_text("mine")
    kept = run(*SMALL, "--number", "2", "-o", "grid.puzzle")
    assert (kept.returncode, (tmp_path / "grid-2.puzzle").read_text()) == (1, "mine")
    assert "error[PZ005]" in kept.stderr
    assert not (tmp_path / "grid-1.puzzle").exists()
    done = run(*SMALL, "--number", "2", "-o", "grid.puzzle", "--force", "--json")
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == ["grid-1.puzzle", "grid-2.puzzle"]
    assert (tmp_path / "grid-1.puzzle").read_text() == run(*SMALL, "--seed", "0").stdout
    assert (tmp_path / "grid-2.puzzle").read_text() == run(*SMALL, "--seed", "1").stdout


def test_any_number_of_puzzles_begins_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    many = [*SMALL, "--number", "99999999999", "-o", "grid.puzzle"]
    done = run(*many, "--time-limit", "0")
    assert (done.returncode, list(tmp_path.iterdir())) == (4, [])
    for name in ("grid-0.puzzle", "grid-007.puzzle", "grid-100000000000.puzzle", "grid-7.txt", "other-7.puzzle"):
        (tmp_path / name).write_text("mine")
    assert run(*many, "--time-limit", "0").returncode == 4
    (tmp_path / "grid-99999999998.puzzle").write_text("mine")
    done = run(*many, "--time-limit", "0")
    assert (done.returncode, "grid-99999999998.puzzle" in done.stderr) == (1, True)


def test_a_limit_of_time_or_an_interruption_prints_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    late = run("generate", "dominosa", "--time-limit", "0")
    assert (late.returncode, late.stdout) == (4, "")
    assert late.stderr.startswith("stopped at the limit of time after ")
    late = run("generate", "calendar", "--weekday", "--time-limit", "0")
    assert late.stderr.endswith(": no calendar with weekdays; try a longer `--time-limit`\n")

    def interrupted(self: GenerationEffort) -> None:
        self.attempts, self.best = 3, "the best has 2 solutions"
        raise KeyboardInterrupt

    monkeypatch.setattr(GenerationEffort, "take", interrupted)
    done = run(*SMALL)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.endswith("3 attempts with seed 0: the best has 2 solutions\n")
