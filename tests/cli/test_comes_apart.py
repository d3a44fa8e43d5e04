"""Filters by how solutions come apart: `count --comes-apart`, `solve --comes-apart`, and conditions on levels."""

import json
from pathlib import Path

import pytest

from puzzlec import PuzzleError, parse
from puzzlec.disassembling import ComesApart
from puzzlec.engine import Limits, Stop
from puzzlec.formats.catalogue import find_entries
from puzzlec.motion.levels import LevelCondition, level_conditions
from puzzlec.recount import Outcome, verify
from tests.commands import run

#: A burr with two assemblies. One of them comes apart, with level 6.4.
BURR = "burrs/six-piece-6"
LOOSE = "locations { x.x.x.x/......./x.x.x.x/......./x.x.x.x/......./x.x.x.x }\npiece dot x16 { x }\n"


def test_count_and_solve_take_only_solutions_that_come_apart() -> None:
    assert run("count", BURR).stdout == "2\n"
    counted = run("count", BURR, "--comes-apart")
    assert (counted.returncode, counted.stdout) == (0, "1\n")
    assert "1 distinct solution that comes apart" in counted.stderr
    assert json.loads(run("count", BURR, "--comes-apart", "--json").stdout)["solutions"] == 1
    solved = run("solve", BURR, "--comes-apart", "--all", "--json")
    assert len(solved.stdout.splitlines()) == 1
    assert "no more" in solved.stderr


def test_without_a_solution_that_comes_apart_there_is_no_solution(tmp_path: Path) -> None:
    path = tmp_path / "ring.puzzle"
    path.write_text("locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }")
    solved, counted = run("solve", str(path), "--comes-apart"), run("count", str(path), "--comes-apart")
    assert (solved.returncode, solved.stdout) == (3, "")
    assert "no solution that comes apart" in solved.stderr
    assert (counted.returncode, counted.stdout) == (3, "0\n")


def test_apart_is_counted_up_to_symmetries_and_to_a_limit() -> None:
    tray = parse("locations box 2x2\npiece D x2 { xx }\nwall { xxxx\nx..x\nx...\nxxxx } at (-1,-1)")
    assert ComesApart(tray).count() == ComesApart(tray, symmetry="none").count() == 1
    soma = ComesApart("soma/soma", limits=Limits(3))
    assert (soma.count(), soma.stopped, soma.assemblies) == (3, Stop.SOLUTIONS, 3)
    assert len(list(ComesApart("soma/castle"))) == 5


@pytest.mark.parametrize(
    "words",
    [("--kernel", "memo"), ("--certificate", "c"), ("--checkpoint", "d"), ("--processes", "2"), ("--shard", "1/2")],
)
def test_options_that_contradict_apart_are_refused(words: tuple[str, str], tmp_path: Path) -> None:
    refused = run("count", BURR, "--comes-apart", *words, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert words[0] in refused.stderr


def test_an_error_is_reported_if_a_limit_leaves_open_whether_a_solution_comes_apart(tmp_path: Path) -> None:
    path = tmp_path / "loose.puzzle"
    path.write_text(LOOSE + "wall box 9x9 at (-1,-1) - box 7x7")
    counted = run("count", str(path), "--comes-apart")
    assert (counted.returncode, counted.stdout) == (1, "")
    assert "error[PZ709]" in counted.stderr


def test_solutions_are_chosen_by_their_levels() -> None:
    for condition, number in {"level >= 6": 12, "level = 6": 12, "level > 6.4": 0, "level < 6.5": 12}.items():
        assert run("solutions", BURR, "--where", condition).stdout == f"{number}\n"
    shown = run("solutions", BURR, "--where", "level >= 6.4", "--where", "992 used", "--limit", "2", "--json")
    assert len(shown.stdout.splitlines()) == 2
    assert "where level >= 6.4" in shown.stderr


def test_solutions_of_a_checkpoint_are_chosen_by_their_levels(tmp_path: Path) -> None:
    run("solve", BURR, "--all", "--quiet", "--checkpoint", str(tmp_path / "kept"))
    assert run("solutions", str(tmp_path / "kept"), "--where", "level >= 6").stdout == "1\n"
    assert run("solutions", str(tmp_path / "kept"), "--where", "level < 6").stdout == "0\n"


@pytest.mark.parametrize("wrong", ["level >= x", "level >= 5 and 992 used", "not level = 5", "level >= 5."])
def test_a_condition_on_levels_that_makes_no_sense_is_refused(wrong: str) -> None:
    with pytest.raises(PuzzleError, match="PZ639"):
        level_conditions([wrong])


def test_a_condition_compares_as_many_numbers_as_it_has() -> None:
    (found,), others = level_conditions(["level>=5.3", "level used"])
    assert found == LevelCondition(">=", (5, 3))
    assert others == ["level used"]
    assert [found.holds(level) for level in ((5,), (5, 2, 9), (5, 3), (6,))] == [False, False, True, True]


def test_the_catalogue_states_levels_and_verify_checks_them() -> None:
    (entry,) = find_entries(BURR)
    assert (entry.apart, entry.level) == (1, "6.4")
    outcomes = {check.convention: check.outcome for check in verify([entry])}
    assert outcomes["apart"] is outcomes["level"] is Outcome.AGREES
    for wrong in (entry._replace(level="6.5"), entry._replace(apart=2)):
        assert [check.outcome for check in verify([wrong])].count(Outcome.DIFFERS) == 1
    listed = run("list", "--tag", "comes apart", "six-piece-6").stdout
    assert "apart  level" in listed
    assert "6.4" in listed
    assert "1 distinct assembly, best level 6.4" in run("show", BURR).stdout
    assert "1 distinct assembly, best level 6.4" in run("explain", BURR).stdout
