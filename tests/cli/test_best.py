"""``puzzlec solve --min-cost``, ``--max-cost`` and ``--best``, and ``puzzlec count --cost``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puzzlec.solving.costs import CountByCost
from tests.commands import command

TEXT = """locations box 3x1
piece D { xx }
piece M { x }
cost M per cells (0,0) = 4
cost D = -1
"""


@pytest.fixture
def strip(tmp_path: Path) -> str:
    """A puzzle with two solutions, of costs -1 and 3."""
    path = tmp_path / "strip.puzzle"
    path.write_text(TEXT)
    return str(path)


def test_the_best_solutions_come_in_the_order_of_their_costs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    for options, costs in (
        (["--min-cost"], [-1]),
        (["--max-cost"], [3]),
        (["--best", "9"], [-1, 3]),
        (["--best", "2", "--max-cost"], [3, -1]),
    ):
        code, shown, said = command(capsys, monkeypatch, "solve", strip, "--json", *options)
        assert code == 0
        assert [json.loads(line)["cost"] for line in shown.splitlines()] == costs
        end = json.loads(said.splitlines()[-1])
        assert (end["best"], end["bound"], end["complete"]) == (costs[0], None, True)
    code, shown, said = command(capsys, monkeypatch, "solve", strip, "--min-cost")
    assert "cost -1" in shown
    assert said.startswith("the lowest cost is -1: the search is complete")


def test_a_stopped_search_prints_the_best_so_far_and_a_bound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    code, shown, said = command(capsys, monkeypatch, "solve", strip, "--best", "2", "--nodes", "1")
    assert code == 4
    assert said.startswith("stopped after")
    assert "no solution costs less than -1" in said
    assert shown.count("cost") <= 1


def test_a_stopped_search_with_a_solution_says_that_no_other_one_beats_the_bound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tiles = "".join(
        f"piece {name} x0..1 {{ x }}\ncost {name} = {cost}\n" for name, cost in zip("ABCD", (1, 3, 5, 7), strict=True)
    )
    file = tmp_path / "tiles.puzzle"
    file.write_text(f"locations box 1x1\n{tiles}", encoding="utf-8")
    _, _, said = command(capsys, monkeypatch, "solve", str(file), "--best", "3", "--nodes", "2")
    assert "the lowest cost found is 1, and no other solution costs less than 5" in said


def test_contradictions_and_missing_costs_are_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    for options in (
        ["--min-cost", "--max-cost"],
        ["--min-cost", "--all"],
        ["--best", "2", "--limit", "3"],
        ["--best", "0"],
    ):
        code, _, said = command(capsys, monkeypatch, "solve", strip, *options)
        assert code == 2, said
    code, _, said = command(capsys, monkeypatch, "solve", "soma", "--min-cost")
    assert code == 1
    assert "error[PZ719]: puzzle has no costs" in said


@pytest.mark.parametrize("cover", ["a b c\n", "a b c\na b\nc\n"])
def test_a_cover_without_costs_shows_how_to_write_costs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cover: str
) -> None:
    file = tmp_path / "cover.dlx"
    file.write_text(cover, encoding="utf-8")
    code, _, said = command(capsys, monkeypatch, "solve", str(file), "--min-cost")
    assert code == 1
    assert "help: in a DLX file, end an option with its cost, such as `|3`" in said


def test_a_format_without_costs_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str, tmp_path: Path
) -> None:
    held = ("lp", "mps", "opb", "mzn", "wcnf", "json", "puzzle")
    lost = "left out: costs, which the format"
    for format, message in (
        ("cnf", lost),
        ("smt2", lost),
        ("dlx", "negative cost -1"),
        *((format, "") for format in held),
    ):
        _, _, said = command(capsys, monkeypatch, "convert", strip, str(tmp_path / f"out.{format}"))
        assert (f"warning[PZ718]: {message}" in said) if message else "warning" not in said, format
    large = tmp_path / "large.dlx"
    large.write_text(f"a\na |{1 << 54}\n")
    _, _, said = command(capsys, monkeypatch, "convert", str(large), str(tmp_path / "out.lp"))
    assert "most solvers round numbers above 9007199254740992" in said


def test_a_list_of_options_has_no_costs_as_a_puzzle(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "two.dlx"
    path.write_text("a b\na |3\nb\na b |2 |2\n")
    assert "cost 3" in command(capsys, monkeypatch, "solve", str(path), "--min-cost")[1]
    _, _, said = command(capsys, monkeypatch, "convert", str(path), str(tmp_path / "two.puzzle"))
    assert "warning[PZ718]: left out: costs" in said


def test_lifted_solutions_have_their_costs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str, tmp_path: Path
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("x1 D 0,0 1,0\nx5 M 2,0\n----------\n==========\n")
    code, shown, said = command(capsys, monkeypatch, "check", "--to", "text", strip, str(answer))
    assert code == 0
    assert shown.endswith("cost -1\n")
    assert "the answer claims that no solution costs less" in said
    answer.write_text("c of a MaxSAT solver\no 1\ns OPTIMUM FOUND\nv 01100\n")
    code, shown, said = command(
        capsys, monkeypatch, "check", "--to", "text", strip, str(answer), "--solutions-from", "wcnf"
    )
    assert (code, shown.splitlines()[-1]) == (0, "cost 3"), said
    answer.write_text("D: 0,0 1,0\nM: 2,0\n")
    code, _, said = command(capsys, monkeypatch, "check", strip, str(answer))
    assert code == 0, said
    options = tmp_path / "options.dlx"
    options.write_text("a b\na |3\nb\na b |2\n")
    answer.write_text("a\nb\n")
    code, shown, said = command(capsys, monkeypatch, "check", "--to", "text", str(options), str(answer))
    assert (code, shown.splitlines()[-1]) == (0, "cost 3"), said


def test_the_cost_of_an_empty_location_has_no_inside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    Path(strip).write_text(TEXT + "cost empty inside box 1x1 = 2\n")
    code, _, said = command(capsys, monkeypatch, "check", strip)
    assert code == 1
    assert "expected `per`, found `inside`" in said


@pytest.mark.parametrize(
    ("cost", "rows"), [("all", [-1, 3]), ("..", [-1, 3]), ("-1", [-1]), ("0..3", [3]), ("..-1", [-1]), ("3..", [3])]
)
def test_a_count_has_a_row_for_each_cost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str, cost: str, rows: list[int]
) -> None:
    code, shown, said = command(capsys, monkeypatch, "count", strip, "--cost", cost)
    head, *lines = map(str.split, shown.splitlines())
    assert (code, head) == (0, ["cost", "distinct", "raw"])
    assert [list(map(int, line)) for line in lines] == [[row, 1, 1] for row in rows]
    many = "1 distinct solution with 1 cost" if len(rows) == 1 else "2 distinct solutions with 2 different costs"
    assert said.startswith(many)
    *counts, end = map(
        json.loads, command(capsys, monkeypatch, "count", strip, f"--cost={cost}", "--json")[1].splitlines()
    )
    assert counts == [{"cost": row, "raw": 1, "distinct": 1} for row in rows]
    assert (end["solutions"], end["complete"]) == (len(rows), True)


def test_a_range_without_solutions_or_costs_has_a_clear_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    code, shown, said = command(capsys, monkeypatch, "count", strip, "--cost", f"{1 << 90}..")
    assert (code, shown) == (3, "")
    assert said.startswith("no solution in this range of costs")
    for options, message in (
        (["5..3"], "the range `5..3` is empty: did you mean `3..5`?"),
        (["cheap"], "expected a range such as 3..5, found `cheap`"),
        (["..", "--limit", "3"], "not available with --cost"),
    ):
        code, _, said = command(capsys, monkeypatch, "count", strip, "--cost", *options)
        assert code == 2
        assert message in said
    code, _, said = command(capsys, monkeypatch, "count", "soma", "--cost", "all")
    assert code == 1
    assert "error[PZ719]: puzzle has no costs" in said


def test_an_unfinished_count_by_cost_prints_lower_bounds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, strip: str
) -> None:
    def interrupted(self: CountByCost) -> None:
        self._tally.raw[7] = 2
        raise KeyboardInterrupt

    monkeypatch.setattr(CountByCost, "find", interrupted)
    code, shown, said = command(capsys, monkeypatch, "count", strip, "--cost", "all")
    assert (code, shown.split()) == (130, ["cost", "raw", "7", ">=2"])
    assert "at least 2 raw solutions; there may be more" in said


def test_very_large_costs_are_compared_or_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, large = tmp_path / "huge.dlx", 2**60 - 1
    path.write_text(f"a b c d\na b |{large}\nc d |-{large}\na c |{large}\nb d |-{large}\n")
    for options in (
        ["count", "--cost", "0..5"],
        ["count", "--cost", "all"],
        ["solve", "--max-cost"],
        ["solve", "--min-cost"],
    ):
        status, printed, told = command(capsys, monkeypatch, options[0], str(path), *options[1:])
        if status:
            assert (status, printed) == (1, "")
            assert "error[PZ717]: costs are too large for a search" in told
        elif options[0] == "count":
            assert printed.split() == ["cost", "raw", "0", "2"]
        else:
            assert "cost 0" in printed
    assert status == 1, "the bounds of the last search do not fit into 64 bits"
