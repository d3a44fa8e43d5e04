"""The commands as a person calls them: what goes where, and the exit status."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlec
from puzzlec.formats import catalogue
from tests.commands import ENVIRONMENT, run

SMALL = 'puzzle "Two"\nlocations box 4x1\npiece D x2 { xx }\n'
IMPOSSIBLE = 'puzzle "Three"\nlocations box 5x1\npiece D x2 { xx }\n'
#: No sum says that this has no solution: only a search can tell.
UNSOLVABLE = 'puzzle "Squares"\nlocations box 3x3\npiece O x2 { xx/xx }\npiece M { x }\n'


def test_solve_draws_the_first_solution_and_says_nothing_else() -> None:
    done = run("solve", "-", stdin=SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout.splitlines() == ["┌───────┬───────┐", "│ A   A │ B   B │", "└───────┴───────┘"]
        or "D" in done.stdout
    )


def test_count_prints_one_integer_and_explains_on_standard_error() -> None:
    done = run("count", "soma")
    assert (done.returncode, done.stdout) == (0, "240\n")
    assert done.stderr.startswith("240 distinct solutions in ")
    assert run("count", "soma", "--raw").stdout == "11520\n"


def test_all_solutions_are_streamed_as_lines_of_json() -> None:
    # Nor does standard error say, in a pipe, that a kernel had to be compiled first.
    done = run("solve", "soma", "--all", "--to", "jsonl")
    solutions = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(solutions) == 240
    assert done.stderr == "240 distinct solutions (search complete)\n"
    assert [solution["solution"] for solution in solutions] == list(range(1, 241))
    for solution in solutions:
        covered = sorted(location for placement in solution["placements"] for location in placement["locations"])
        assert covered == list(range(27))
        for placement in solution["placements"]:
            assert {solution["locations"][location] for location in placement["locations"]} == {placement["piece"]}


def test_both_notations_of_dpf_are_at_hand() -> None:
    sticks = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
    assert run("solve", "-", "--all", "--to", "orientations", stdin=sticks).stdout == "0 0 2\n0 2 0\n1 0 1\n"
    assert run("solve", "-", "--all", "--to", "locations", stdin=sticks).stdout == "2 2 2 0 1\n2 1 1 0 2\n0 2 0 2 1\n"


def test_a_limit_has_the_same_status_in_count_and_solve() -> None:
    assert run("solve", "soma", "--limit", "2", "--to", "list").returncode == 4
    assert run("solve", "soma", "--to", "list").returncode == 0
    done = run("count", "soma", "--limit", "10")
    assert (done.returncode, done.stdout) == (4, "10\n")
    assert "at least 10" in done.stderr


def test_time_out_is_said_with_its_own_status() -> None:
    done = run("count", "polycubes/bedlam-cube", "--time-limit", "0.5")
    assert done.returncode == 4
    assert "stopped at the limit of time" in done.stderr


def test_no_solution_is_distinguished_from_errors() -> None:
    done = run("solve", "-", stdin=UNSOLVABLE)
    assert (done.returncode, done.stdout) == (3, "")
    assert "the search is complete" in done.stderr
    done = run("count", "-", stdin=UNSOLVABLE)
    assert (done.returncode, done.stdout) == (3, "0\n")


def test_an_impossible_puzzle_is_explained_and_counted_as_nothing() -> None:
    for command in ("solve", "check"):
        done = run(command, "-", stdin=IMPOSSIBLE)
        assert (done.returncode, done.stdout) == (3, "")
        assert "PZ401" in done.stderr
    done = run("count", "-", stdin=IMPOSSIBLE)
    assert (done.returncode, done.stdout) == (3, "0\n")
    assert "PZ401" in done.stderr


def test_the_misprinted_domino_board_is_explained_by_its_colours() -> None:
    path = Path(__file__).parents[1] / "golden" / "misprint.puzzle"
    done = run("check", str(path))
    assert done.returncode == 3
    assert "colour `4` has 9 locations, but the pieces have 8 cells of it" in done.stderr
    assert "colour `5` has 7 locations" in done.stderr
    assert run("count", str(path)).stdout == "0\n"


def test_check_of_several_files_reports_each_file(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.puzzle", tmp_path / "bad.puzzle"
    good.write_text(SMALL)
    bad.write_text("locations bax 4x1\npiece D x2 { xx }\n")
    done = run("check", str(good), str(bad), "soma")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{good}: no errors" in done.stderr
    assert "soma: no errors" in done.stderr
    assert f"{bad}:1:" in done.stderr


def test_convert_follows_the_names_of_files_and_writes_to_standard_output(tmp_path: Path) -> None:
    assert run("convert", "soma", "soma.compact", cwd=tmp_path).returncode == 0
    assert run("convert", "soma.compact", "soma.dpf", cwd=tmp_path).returncode == 0
    assert run("count", "soma.dpf", cwd=tmp_path).stdout == "11520\n"
    piped = run("convert", "-", "--from", "compact", "--to", "dpf", stdin=(tmp_path / "soma.compact").read_text())
    assert piped.stdout == (tmp_path / "soma.dpf").read_text()


def test_convert_never_overwrites_a_file_without_force(tmp_path: Path) -> None:
    target = tmp_path / "out.dpf"
    target.write_text("mine")
    done = run("convert", "soma", str(target))
    assert done.returncode == 1
    assert "already exists" in done.stderr
    assert target.read_text() == "mine"
    assert run("convert", "soma", str(target), "--force").returncode == 0
    assert target.read_text().startswith("27\n7\n")


def test_a_conversion_that_fails_leaves_no_file(tmp_path: Path) -> None:
    done = run("convert", "-", str(tmp_path / "out.dpf"), stdin=SMALL)
    assert done.returncode == 1
    assert "PZ501" in done.stderr
    assert not list(tmp_path.iterdir())


def test_show_prints_orientations_placements_and_the_size_of_the_matrix() -> None:
    done = run("explain", "soma")
    assert done.returncode == 0
    assert "688 placements in all" in done.stdout
    assert "symmetries of its locations and pieces: 48" in done.stdout
    assert "piece P: 4 cells, 8 orientations (one-sided), 64 placements" in done.stdout


@pytest.mark.long
def test_list_names_every_puzzle_and_each_name_works() -> None:
    done = run("list")
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert {name: catalogue.find(name) for name in names} == {entry.name: entry.path for entry in catalogue.entries()}
    of_each_family = {name.split("/")[0]: name for name in reversed(names)}
    some = list(of_each_family.values())[::4]
    checked = run("check", *some)
    assert {code[:3] for code in re.findall(r"error\[(PZ\d+)", checked.stderr)} <= {"PZ4"}, "except impossible ones"
    assert checked.stderr.count("no errors") + checked.stderr.count("error[PZ4") >= len(some)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["solve", "soms"], "soma"),
        (["check", "pentominos/6x10"], "pentominoes/6x10"),
        (["count", "tower-of-hanoi"], "puzzlec list"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(arguments: list[str], hint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 1
    assert "PZ006" in done.stderr
    assert hint in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["solve"],
        ["solve", "soma", "--all", "--limit", "3"],
        ["solve", "soma", "--to", "poem"],
        ["count", "soma", "--kernel", "abacus"],
        ["convert", "soma"],
    ],
)
def test_wrong_usage_has_a_separate_status(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_solve_draws_in_ascii_and_without_colour_when_asked_or_piped() -> None:
    assert run("solve", "soma", "--ascii").stdout.isascii()
    assert "\033" not in run("solve", "soma").stdout


@pytest.mark.long
def test_control_c_ends_a_search_within_moments_and_with_130() -> None:
    command = [sys.executable, "-m", "puzzlec", "count", "queens/8", "-p", "n=18", "--progress", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stderr is not None
        assert process.stderr.readline(), "the search has started"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors.decode()
    assert b"Traceback" not in errors


@pytest.mark.long
def test_a_reader_that_closes_the_pipe_gets_no_traceback() -> None:
    command = f"{sys.executable} -m puzzlec solve soma --all --to jsonl | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_the_version_is_printed_alone() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"puzzlec {puzzlec.__version__}\n", "")


def test_a_family_of_the_catalogue_does_not_name_a_puzzle_of_another_family() -> None:
    done = run("check", "dominoes")
    assert done.returncode == 1
    assert "`dominoes/4x4`" in done.stderr
