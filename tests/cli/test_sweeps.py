"""Counts of pentominoes in rectangles: Haselgrove (1960); of queens: OEIS A000170."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from puzzlec import Stop, sweep
from puzzlec.cli.commands import COMMANDS, made_command
from tests.commands import run

LAB = """
puzzle "Pentomino Lab Report"
param n = 6
locations box {60//n}x{n}
pieces pentominoes
"""

#: Three columns of three cells, and m dominoes: a sweep with several parameters and an error.
DOMINOES = "param n = 2\nparam m = 3\nlocations box {n}x{m}\npiece D x{n*m//2} { xx }\n"

#: Two cells with a domino; with n = 1 there is no room.
TRAY = "locations box {n}x{m-1}\npiece D { xx }\n"


def lines(done: subprocess.CompletedProcess[str]) -> list[list[str]]:
    return [line.split() for line in done.stdout.splitlines()]


def test_count_prints_a_row_for_each_value() -> None:
    done = run("count", "-", "-p", "n=3..6", stdin=LAB)
    assert (done.returncode, lines(done)) == (
        0,
        [["n", "distinct"], ["3", "2"], ["4", "368"], ["5", "1010"], ["6", "2339"]],
    )
    assert done.stderr.startswith("4 rows in ")


def test_rows_in_json_have_their_parameters() -> None:
    done = run("count", "queens/8", "-p", "n=5,8,4", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["parameters"], row["solutions"]) for row in rows] == [({"n": 5}, 10), ({"n": 8}, 92), ({"n": 4}, 2)]
    assert json.loads(done.stderr)["done"] == 3


def test_threads_count_the_same() -> None:
    one, two = (run("count", "queens/8", "-p", "n=6..9", "--threads", number).stdout for number in ("1", "2"))
    assert one == two
    assert [line.split()[1] for line in one.splitlines()[1:]] == ["4", "40", "92", "352"]


def test_columns_of_several_parameters_are_aligned() -> None:
    # Dominoes in a rectangle: Kasteleyn's numbers, OEIS A099390.
    done = run("count", "-", "--raw", "-p", "n=2..4", "-p", "m=n..10 where m % 5 == 0", stdin=DOMINOES)
    assert done.stdout.splitlines() == [
        "n  m   raw",
        "2  5   8",
        "2  10  89",
        "3  5   0",
        "3  10  571",
        "4  5   95",
        "4  10  18061",
    ]


def test_an_error_in_a_row_does_not_end_the_sweep() -> None:
    done = run("count", "-", "-p", "n=0..2", "-p", "m=2", stdin=DOMINOES)
    assert done.returncode == 1
    assert lines(done) == [["n", "m", "solutions"], ["0", "2", "error"], ["1", "2", "1"], ["2", "2", "1"]]
    assert "note: with n = 0, m = 2\n" in done.stderr
    failed = json.loads(run("count", "-", "-p", "n=0..2", "--json", stdin=DOMINOES).stdout.splitlines()[0])
    assert failed == {"parameters": {"n": 0}, "failed": "error"}


def test_an_error_of_all_rows_is_printed_once() -> None:
    for words in (("queens/8", "-p", "k=1..3"), ("no-such-puzzle", "-p", "n=1..3")):
        done = run("count", *words)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("error[") == 1


def test_a_warning_of_all_rows_is_printed_once() -> None:
    text = LAB + "forbid X at cells (0,0) (0,1) (0,2)\n"
    done = run("count", "-", "-p", "n=4..6", stdin=text)
    assert done.stderr.count("warning[PZ317]") == 1
    assert [row[1] for row in lines(done)] == ["distinct", "368", "1010", "2339"]


def test_a_limit_of_nodes_ends_a_row_and_a_limit_of_time_the_sweep() -> None:
    done = run("count", "-", "-p", "n=4..6", "--nodes", "100", stdin=LAB)
    assert (done.returncode, len(lines(done))) == (4, 4)
    assert [row[1:3] for row in lines(done)[1:]] == [["at", "least"]] * 3
    late = run("count", "-", "-p", "n=4..6", "--time-limit", "0", stdin=LAB)
    assert (late.returncode, len(lines(late))) == (4, 2)
    assert "0 of 3 rows done" in late.stderr


def test_finished_rows_stay_if_the_sweep_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlec.solving.solutions import Solutions

    count, calls = Solutions.count, []

    def interrupted(self: Solutions) -> int:
        calls.append(self)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return count(self)

    monkeypatch.setattr(Solutions, "count", interrupted)
    done = run("count", "queens/8", "-p", "n=6..9")
    assert (done.returncode, done.stdout) == (130, "n  raw\n6  4\n7  40\n8  at least 0\n")
    assert "interrupted after" in done.stderr
    assert done.stderr.endswith("2 of 4 rows done\n")


def test_each_row_has_its_checkpoint(tmp_path: Path) -> None:
    words = ("count", "queens/8", "-p", "n=5..7", "--checkpoint", str(tmp_path / "kept"))
    first, again = run(*words), run(*words)
    assert first.stdout == again.stdout == "n  raw\n5  10\n6  4\n7  40\n"
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["n=5", "n=6", "n=7"]
    assert "n=5" in run("job", "status", str(tmp_path / "kept")).stderr


def test_solve_draws_each_row_after_its_heading() -> None:
    done = run("solve", "-", "-p", "n=3..4", stdin=LAB)
    first, second = done.stdout.split("\n\n")
    assert (first.splitlines()[0], second.splitlines()[0]) == ("n = 3", "n = 4")
    solutions = run("solve", "-", "-p", "n=3..4", "--limit", "2", "--to", "jsonl", stdin=LAB).stdout.splitlines()
    assert [json.loads(line)["parameters"]["n"] for line in solutions] == [3, 3, 4, 4]


def test_check_estimate_and_explain_sweep_also() -> None:
    done = run("check", "-", "-p", "n=5..7", stdin=LAB)
    assert (done.returncode, done.stdout) == (0, "n  result\n5  no errors\n6  no errors\n7  1 error\n")
    assert done.stderr.count("error[PZ401]") == 1
    estimated = lines(run("estimate", "queens/8", "-p", "n=4..5"))
    assert [(row[0], row[2]) for row in estimated] == [("n", "solutions"), ("4", "2"), ("5", "10")]
    told = run("explain", "-", "-p", "n=5..6", "--json", stdin=LAB).stdout.splitlines()
    assert [json.loads(record)["parameters"] for record in told] == [{"n": 5}, {"n": 6}]


def test_a_row_of_an_estimate_without_a_solution_has_the_columns_of_the_others() -> None:
    done = run("estimate", "-", "-p", "n=1..2", "-p", "m=2", stdin="param n = 2\nparam m = 2\n" + TRAY)
    assert done.returncode == 0
    head, first, second = done.stdout.splitlines()
    assert head.split() == ["n", "m", "nodes", "solutions", "solve", "count"]
    assert (first.split()[2:], second.split()[2:4]) == (["no", "solution", "-", "-", "-"], ["1", "1"])


def test_options_for_one_puzzle_are_refused() -> None:
    for words in (("count", "queens/8", "--certificate", "a"), ("check", "queens/8", "a", "--solutions-from", "sat")):
        done = run(*words, "-p", "n=5..7")
        assert (done.returncode, done.stdout) == (2, "")
        assert "a sweep" in done.stderr
    assert "take several values" in run("sets", "queens/8", "-p", "n=5..7").stderr


def test_the_days_of_a_calendar_have_the_solutions_of_their_separate_counts() -> None:
    days = "day=1,15,31 where day < 31 or month != 2"
    swept = lines(run("count", "calendar/a-puzzle-a-day", "-p", "month=1..2", "-p", days))[1:]
    for month, day, number in swept:
        alone = run("count", "calendar/a-puzzle-a-day", "-p", f"month={month}", "-p", f"day={day}")
        assert alone.stdout == f"{number}\n"
    assert len(swept) == 5


def test_python_yields_the_same_rows() -> None:
    rows = list(sweep("queens/8", {"n": range(4, 7)}))
    assert [(row.parameters, row.solutions, row.stopped) for row in rows] == [
        ({"n": 4}, 2, None),
        ({"n": 5}, 10, None),
        ({"n": 6}, 4, None),
    ]
    assert [row.parameters for row in sweep("queens/8", {"n": "5..9"}, where="n % 2 == 0")] == [{"n": 6}, {"n": 8}]
    from puzzlec import Limits

    assert next(sweep("queens/8", {"n": [8]}, limits=Limits(solutions=5))).stopped is Stop.SOLUTIONS


def _says_sweep(name: str) -> bool:
    return any("a sweep" in (getattr(parameter, "help", None) or "") for parameter in made_command(name).params)


def test_help_page_and_message_name_exactly_the_commands_that_sweep() -> None:
    said = {name for name in COMMANDS if _says_sweep(name)}
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")
    (sentence,) = re.findall(r"`-p n=3\.\.6` runs (.*?) for several values", page)
    assert set(re.findall(r"`(\w+)`", sentence)) == said
    for name in said:
        done = run(name, "queens/8", "-p", "n=4..5")
        assert (done.returncode, "5" in done.stdout) == (0, True), name
    for name in ("sets", "clues", "solutions", "disassemble"):
        refused = run(name, "queens/8", "-p", "n=4..5").stderr
        (words,) = re.findall(r": ([a-z, ]+) take several values", refused)
        assert set(re.split(", | and ", words)) == said


def test_a_row_without_a_solution_has_its_reason_in_one_line() -> None:
    done = run("count", "langford/pairs", "-p", "n=2..7", "--raw")
    assert done.stdout == "n  raw\n2  0\n3  2\n4  2\n5  0\n6  0\n7  52\n"
    assert done.returncode == 0
    assert "error" not in done.stderr
    first, *_ = done.stderr.splitlines()
    assert first == "no solution with n = 2: the pieces cover 3 of certain locations, but there are 2"
    assert done.stderr.count("no solution with n = ") == 3
    solved = run("solve", "langford/pairs", "-p", "n=2..3")
    assert solved.returncode == 0
    assert solved.stderr.startswith(first)
    assert run("count", "langford/pairs", "-p", "n=5..6", "--raw").returncode == 3


def test_a_count_of_one_puzzle_prints_the_whole_reason() -> None:
    done = run("count", "langford/pairs", "-p", "n=2", "--raw")
    assert (done.returncode, done.stdout) == (3, "0\n")
    assert "error[PZ405]: no solution: the pieces cover 3 of certain locations" in done.stderr
    assert "note: mark locations" in done.stderr


def test_rows_in_json_have_the_whole_reason() -> None:
    done = run("count", "langford/pairs", "-p", "n=2..3", "--raw", "--json")
    (reason,) = [record for record in map(json.loads, done.stderr.splitlines()) if "code" in record]
    assert (reason["code"], reason["parameters"], len(reason["notes"])) == ("PZ405", {"n": 2}, 4)


def test_the_warning_of_a_row_names_its_parameters_once() -> None:
    done = run("count", "langford/pairs", "-p", "n=1..2", "--raw")
    assert (done.stderr.count("loop has no iterations"), done.stderr.count("note: with n = 1\n")) == (1, 1)
