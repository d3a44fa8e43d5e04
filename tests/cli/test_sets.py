from __future__ import annotations

import json

import pytest

import puzzlec
from puzzlec.solving.piece_sets import PieceSets
from tests.commands import run

TRAY = "locations box 5x5\npieces pentominoes x0..1\n"


def test_the_sets_of_a_tray_are_a_table() -> None:
    done = run("sets", "-", stdin=TRAY)
    head, *rows = done.stdout.splitlines()
    assert (done.returncode, head.split(), len(rows)) == (0, ["distinct", "raw", "pieces"], 45)
    assert rows[0].split() == ["1", "8", "F", "L", "P", "U", "W"]
    numbers = [int(row.split()[0]) for row in rows]
    assert numbers == sorted(numbers)
    assert sum(numbers) == 107
    assert done.stderr.startswith("45 sets of pieces, 19 with exactly 1 distinct solution, in ")


def test_filters_and_counts_leave_some() -> None:
    assert run("sets", "-", "--exactly", "1", "--count", stdin=TRAY).stdout == "19\n"
    at_most = run("sets", "-", "--at-most", "2", stdin=TRAY).stdout.splitlines()[1:]
    assert {row.split()[0] for row in at_most} == {"1", "2"}
    none = run("sets", "-", "--exactly", "99", stdin=TRAY)
    assert (none.returncode, none.stdout) == (0, "")
    assert none.stderr.startswith("45 sets of pieces, 0 with exactly 99 distinct solutions, in ")
    assert run("sets", "-", "--at-most", "2", "--exactly", "1", stdin=TRAY).returncode == 2


def test_filters_use_the_symmetries_of_each_set() -> None:
    text = "lattice cubic\nlocations box 4x2x2\npieces tetracubes x0..2 except A\n"
    assert run("sets", "-", "--exactly", "1", "--count", stdin=text).stdout == "15\n"
    assert run("sets", "-", "--at-most", "2", "--count", stdin=text).stdout == "18\n"
    *sets, last = map(json.loads, run("sets", "-", "--json", stdin=text).stdout.splitlines())
    assert last["exactly_one"] == 15
    assert next(one["distinct"] for one in sets if one["pieces"] == {"I": 2, "L": 2}) == 1


def test_a_puzzle_with_a_sum_has_sets() -> None:
    text = "colours 1 2\nlocations box 3x1\npiece A x0..3 { 1 }\npiece B x0..3 { 2 }\nrule box 3x1 sum < 5\n"
    done = run("sets", "-", stdin=text)
    assert (done.returncode, [row.split() for row in done.stdout.splitlines()[1:]]) == (
        0,
        [["1", "1", "A", "x3"], ["2", "3", "A", "x2", "B"]],
    )


def test_json_has_a_line_for_each_set_and_one_for_all() -> None:
    *sets, last = map(json.loads, run("sets", "-", "--exactly", "1", "--json", stdin=TRAY).stdout.splitlines())
    alone = puzzlec.grade(puzzlec.parse("locations box 5x5\npieces pentominoes only F, L, P, U, W\n"))
    assert alone is not None
    grade = alone.as_dict()
    assert sets[0] == {"pieces": {"F": 1, "L": 1, "P": 1, "U": 1, "W": 1}, "distinct": 1, "raw": 8, "grade": grade}
    assert (last["sets"], last["shown"], last["exactly_one"], last["complete"]) == (45, 19, 19, True)
    assert len(sets) == 19


def test_a_puzzle_without_ranges_or_solutions_has_a_clear_answer() -> None:
    done = run("sets", "soma")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[PZ360]" in done.stderr
    empty = run("sets", "-", stdin="locations box 5x2\npieces pentominoes x0..2 only X, W\n")
    assert (empty.returncode, empty.stdout) == (3, "")
    assert empty.stderr.startswith("0 sets of pieces")


def test_an_interrupted_search_prints_the_sets_that_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: PieceSets) -> None:
        self._found[1] = 3
        raise KeyboardInterrupt

    monkeypatch.setattr(PieceSets, "find", interrupted)
    done = run("sets", "-", stdin=TRAY)
    assert (done.returncode, done.stdout.splitlines()[1].split()) == (130, ["unknown", ">=3", "F"])
    assert "at least 1 set of pieces; there may be more" in done.stderr
    last = json.loads(run("sets", "-", "--json", stdin=TRAY).stdout.splitlines()[-1])
    assert (last["complete"], last["exactly_one"]) == (False, None)


def test_a_limit_of_time_is_reported() -> None:
    done = run("sets", "-", "--time-limit", "0.4", stdin="locations box 10x6\npieces pentominoes x0..2\n")
    assert done.returncode == 4
    assert "limit of time" in done.stderr
