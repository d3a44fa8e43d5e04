"""Progress as lines of JSON: complete, in order, and with a last line after each end of the search."""

from __future__ import annotations

import io
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.cli.texts import progress
from puzzlec.cli.texts.progress import Lines, as_data, line
from puzzlec.diagnostics.figures import between
from puzzlec.engine.progress import Progress
from tests.commands import run

MEMBERS = ["elapsed", "fraction", "nodes", "solutions", "rate", "left", "left_between", "done"]


def test_a_count_prints_its_progress_to_other_programs() -> None:
    done = run("count", "soma", "--progress", "json")
    assert (done.returncode, done.stdout) == (0, "240\n")
    *lines, said = done.stderr.splitlines()
    assert said.startswith("240 distinct solutions in ")
    told = list(map(json.loads, lines))
    assert told
    assert all(list(report) == MEMBERS for report in told)
    last = told[-1]
    assert (last["fraction"], last["solutions"], last["left"], last["done"]) == (1.0, 240, 0.0, True)
    assert last["nodes"] > 1000


def test_a_search_that_a_limit_ends_is_not_done() -> None:
    done = run("solve", "soma", "--limit", "3", "--to", "list", "--progress", "json")
    assert done.returncode == 4
    last = json.loads(done.stderr.splitlines()[0])
    assert (last["solutions"], last["done"]) == (3, False)
    assert last["fraction"] < 1


def test_nothing_is_printed_unless_requested_and_a_misspelt_kind_is_refused() -> None:
    done = run("count", "soma", "--progress", "none")
    assert (done.stdout, done.stderr.count("\n")) == ("240\n", 1)
    slip = run("count", "soma", "--progress", "jsn")
    assert slip.returncode == 2
    assert "json" in slip.stderr


def test_lines_come_again_and_again_with_more_members_and_one_when_the_search_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "LINE_INTERVAL", 0.002)
    stream, foreseen = io.StringIO(), []
    nodes = iter(range(10**9))
    lines = Lines(
        lambda: Progress(0.5, next(nodes), left=2.0, left_between=(1.0, 3.0), doing="by layers"),
        foresee=lambda: foreseen.append(1), more=lambda: {"work_units": 7}, stream=stream,
    )  # fmt: skip

    def interrupted() -> None:
        with lines:
            while stream.getvalue().count("\n") < 4:
                with lines.hidden():
                    time.sleep(0.001)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    written = stream.getvalue()
    told = list(map(json.loads, written.splitlines()))
    assert written.endswith("\n")
    assert [report["nodes"] for report in told] == list(range(len(told)))
    assert all((report["work_units"], report["doing"], report["done"]) == (7, "by layers", False) for report in told)
    assert len(foreseen) >= len(told) - 1 >= 4
    time.sleep(0.02)
    assert stream.getvalue() == written  # no text follows the last line


def test_a_closed_pipe_does_not_stop_the_search() -> None:
    stream = io.StringIO()
    stream.close()
    with Lines(Progress, stream=stream):
        pass


NUMBERS = st.floats(0, 1e300) | st.sampled_from([float("inf"), float("nan")])


@given(st.floats(0, 1), st.integers(0), NUMBERS, st.none() | NUMBERS, st.none() | st.tuples(NUMBERS, NUMBERS))
def test_every_progress_is_valid_json(
    fraction: float, nodes: int, rate: float, left: float | None, interval: tuple[float, float] | None
) -> None:
    def refuse(word: str) -> float:
        raise AssertionError(word)

    data = as_data(Progress(fraction, nodes, 0, 0.0, rate, left, interval), 1.0)
    again = json.loads(json.dumps(data), parse_constant=refuse)
    assert list(again) == MEMBERS
    assert again["fraction"] == pytest.approx(fraction, rel=1e-5)


@given(
    st.floats(0, 1), st.integers(0, 10**6), st.floats(0, 1e9), st.floats(0, 1e10), st.floats(0, 1e9),
    st.integers(0, 160), st.booleans(), st.sampled_from(["", "by layers"]),
)  # fmt: skip
def test_the_line_with_an_interval_fits_the_terminal(
    fraction: float, solutions: int, seconds: float, rate: float, left: float, width: int, unicode: bool, doing: str
) -> None:
    now = Progress(fraction, 0, solutions, seconds, rate, left, (left / 2, left * 1.5), doing)
    text = line(now, "distinct solution", width, unicode)
    assert len(text) <= width
    assert "\n" not in text
    if width >= 140 and left >= 1:
        assert (doing or between(left / 2, left * 1.5)) in text


def test_intervals_have_one_unit() -> None:
    assert between(0, 59) == "0:00 to 0:59"
    assert between(3000, 7260) == "0:50 to 2:01 h"
