from __future__ import annotations

import json
import re
import subprocess

import pytest

from puzzlec.cli import estimate as module
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.estimate import LONG_SECONDS, worth_sharing
from puzzlec.cli.texts.estimates import ForecastText, duration
from puzzlec.diagnostics.figures import rounded
from puzzlec.engine.search.estimating import Estimate
from tests import commands
from tests.cli.test_manners_json import agrees


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return commands.run("estimate", *arguments, stdin=stdin)


def test_an_estimate_of_a_large_search_prints_nodes_time_and_profile() -> None:
    done = run("pentominoes/6x10", "--raw", "--probes", "500")
    assert (done.returncode, done.stderr) == (0, "")
    heads = [line.split()[0] for line in done.stdout.splitlines() if line]
    assert heads[:4] == ["placements", "search", "nodes", "solutions"]
    assert heads[4:6] == ["solve", "count"]
    assert done.stdout.startswith("placements 2056, of 12 pieces on 60 locations\n")
    assert "by 500 probes" in done.stdout
    assert re.search(r"\n    1 +32  ", done.stdout)


def test_a_small_search_is_counted_exactly() -> None:
    done = run("pentominoes/lui-5x5", "--raw", "--json")
    data = json.loads(done.stdout)
    assert (data["exact"], data["solutions"], data["probes"]) == (True, 66, 0)
    assert data["nodes_between"] == [data["nodes"]] * 2 == [sum(data["profile"])] * 2


def test_json_is_the_same_every_time_except_for_measurements() -> None:
    first, second = (json.loads(run("soma", "--json", "--seed", "3").stdout) for _ in range(2))
    assert first.pop("measured")["nodes_per_second"] > 0
    second.pop("measured")
    assert first == second
    assert first["search"] == "distinct"
    low, high = first["nodes_between"]
    assert low < first["nodes"] < high


@pytest.mark.long
def test_an_unreliable_interval_is_not_printed() -> None:
    few = run("pentominoes/3x20", "--probes", "500")
    assert "solutions  unknown: " in few.stdout
    assert "too few for an estimate" in few.stdout
    data = json.loads(run("pentominoes/3x20", "--probes", "500", "--json").stdout)
    assert data["hits"] < 10
    assert data["solutions"] is data["solutions_between"] is None
    wild = json.loads(run("soma", "--json").stdout)
    assert wild["solutions"] > 0
    assert wild["solutions_between"] is None
    told = run("soma").stdout
    assert "roughly: the probes differ too much for an interval" in told
    assert "remark     a few probes found most of the solutions: there may be many times as many" in told


@pytest.mark.long
def test_distinct_solutions_are_estimated_with_the_time_to_compare_them() -> None:
    text = "locations box 8x8\npiece D x32 { xx }\n"
    data = json.loads(run("-", "--json", stdin=text).stdout)
    assert data["solutions_between"][0] < 1_629_189 < data["solutions_between"][1]
    measured = data["measured"]
    assert measured["seconds"] > data["nodes"] / measured["nodes_per_second"]
    shared = measured["seconds_on_workers"]
    assert all(now < measured["seconds"] for now in shared.values())
    assert bool(shared) == (measured["seconds"] >= LONG_SECONDS)
    assert measured["counted"]  # by layers, without a search for all solutions
    told = run("-", "--probes", "500", stdin=text).stdout
    assert re.search(r"(?m)^solve +\S+ \S+ with `--all`, at .* nodes a second$", told)


def test_the_search_of_distinct_solutions_is_smaller_than_that_of_all() -> None:
    distinct, raw = (
        json.loads(run("soma", "--probes", "2000", "--json", *more).stdout)["nodes"] for more in ((), ("--raw",))
    )
    assert distinct < raw / 2


def test_an_impossible_puzzle_and_a_wrong_format_are_refused() -> None:
    done = run("-", stdin='puzzle "Three"\nlocations box 5x1\npiece D x2 { xx }\n')
    assert (done.returncode, done.stdout) == (3, "")
    assert "error" in done.stderr
    assert run("soma", "--to", "xml").returncode == 2


def test_numbers_are_written_in_words() -> None:
    assert [rounded(number) for number in (0.5, 7.0, 999.6, 1000.0, 254675.0, 3.64e6, 2e9)] == [
        "0.5", "7", "1000", "1,000", "255,000", "3.64 million", "2 billion",
    ]  # fmt: skip
    assert [duration(time) for time in (0.01, 5.0, 119.0, 120.0, 7200.0, 1e8)] == [
        "less than 0.1 s", "5 s", "119 s", "2 min", "2 h", "3.2 years",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "line"),
    [
        (599, None),
        (3000, "workers    10: 5.1 min; 100: 38 s"),  # a thousand would take longer
        (7 * 86400, "workers    10: 17 h; 100: 101 min; 1,000: 11 min"),
        (400 * 86400, "workers    10: 40 days; 100: 4 days; 1,000: 9.6 h; 10,000: 71 min"),
    ],
)
def test_an_estimate_of_a_long_search_has_the_time_on_several_workers(seconds: float, line: str | None) -> None:
    nodes = 1e6 * seconds
    result = Estimate(nodes, (nodes / 2, 2 * nodes), 1.0, (0.0, 2.0), (1.0,), 100, 1, heavy_tailed=False, rate=1e6)
    estimate = ForecastText(result, "distinct", "all", 0.0, None, counted=False, on_workers=[*worth_sharing(seconds)])
    assert "count      unknown" in list(estimate.lines(ascii=True))
    assert "count      5 s" in list(estimate._replace(count_seconds=5.0).lines(ascii=True))
    found = [printed for printed in estimate.lines(ascii=True) if printed.startswith("workers")]
    assert found == ([] if line is None else [line])


def test_a_limit_of_time_leaves_the_number_of_placements_and_names_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise OutOfTime("stopped at the limit of time after 9 s, before the search began", "looking for symmetries")

    monkeypatch.setattr(module, "searched", late)
    done = run("dominoes/8x8")
    assert (done.returncode, done.stdout) == (4, "placements 112, of 1 piece on 64 locations\n")
    assert done.stderr == "stopped at the limit of time after 9 s, before the search began\n"
    printed = json.loads(run("dominoes/8x8", "--json").stdout)
    assert printed == {"placements": 112, "stopped": "looking for symmetries"}
    agrees(printed, "begun")


def test_without_time_for_a_trial_a_count_takes_as_long_as_all_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIAL_SECONDS", 0.0)
    measured = json.loads(run("pentominoes/3x20", "--probes", "500", "--json").stdout)["measured"]
    assert (measured["count_seconds"], measured["counted"]) == (measured["seconds"], False)


def test_an_estimate_of_solutions_that_come_apart_counts_those_of_a_small_burr() -> None:
    data = json.loads(run("burrs/six-piece-2", "--comes-apart", "--json").stdout)
    assert (data["exact"], data["comes_apart"], data["solutions"]) == (True, True, 1)
    assert json.loads(run("burrs/six-piece-2", "--json").stdout)["solutions"] == 144
    assert "distinct solutions that come apart" in run("burrs/six-piece-2", "--comes-apart").stdout


def test_a_board_without_space_cannot_be_estimated_by_what_comes_apart() -> None:
    done = run("-", "--comes-apart", stdin="lattice none\nlocations names a b\npiece P covers {a b}\n")
    assert (done.returncode, "PZ701" in done.stderr) == (1, True)
