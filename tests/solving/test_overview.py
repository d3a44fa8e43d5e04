"""The sums of several searches for one puzzle, and their progress, computed by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from puzzlec.engine import ExactCover
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, Progress
from puzzlec.engine.search.forecast import Forecast
from puzzlec.engine.search.selection import KernelChoice
from puzzlec.solving.overview import Searches

#: A search that has done a quarter in 10 seconds.
NOW = Progress(0.25, 400, 5, 10.0, 40.0, 30.0, (20.0, 45.0))


def search_at(now: Progress, profile: list[int] | None = None) -> Any:
    """A search with a fixed progress, whose forecast is known."""
    return SimpleNamespace(
        progress=lambda: now,
        foresee=lambda: True,
        nodes=now.nodes,
        seconds=now.seconds,
        choice=KernelChoice("bits", "it was asked for"),
        profile=profile or [],
    )


def test_the_only_search_has_its_own_progress() -> None:
    searches = Searches()
    searches.search, searches.weight = search_at(NOW), 1
    assert searches.progress(0, complete=False) == NOW


def test_later_searches_take_as_long_as_this_one_for_their_parts_of_the_whole() -> None:
    # This search needs 40 seconds for a fifth of the whole, and three fifths follow: 30 + 3 * 40 seconds are left.
    searches = Searches()
    searches.search, searches.span = search_at(NOW), (0.2, 0.2)
    now = searches.progress(3, complete=False)
    assert now.fraction == pytest.approx(0.2 + 0.2 / 4)
    assert now.left == pytest.approx(30 + 3 * 40)
    assert (now.solutions, now.left_between) == (3, None)


def test_a_cover_counts_as_several_solutions() -> None:
    searches = Searches()
    searches.search, searches.weight = search_at(NOW), 4
    assert searches.progress(7, complete=False).solutions == 7 + 4 * 5


def test_sums_are_those_of_all_ended_searches_and_the_current_one() -> None:
    searches = Searches()
    searches.search, searches.span = search_at(NOW), (0.0, 0.5)
    searches.end(search_at(NOW._replace(fraction=1.0), [1, 2]))
    assert searches.span == (0.5, 0.5)
    between = searches.progress(1, complete=False)
    assert (between.fraction, between.nodes, between.seconds, between.rate) == (0.5, 400, 10.0, 40.0)
    searches.search = search_at(NOW)
    now = searches.progress(1, complete=False)
    assert (now.fraction, now.nodes, now.seconds) == (0.625, 800, 20.0)
    searches.end(search_at(NOW, [1, 1, 1]))
    assert (searches.nodes, searches.seconds, searches.profile) == (800, 20.0, [2, 3, 1])


def test_a_search_without_a_forecast_leaves_the_progress_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Forecast, "of", lambda _: Forecast(1000.0, 0.1))
    searches = Searches()
    searches.search, searches.span, searches.to_come = search_at(NOW), (0.0, 0.5), [0]
    before = searches.progress(0, complete=False)
    searches.search.foresee = lambda: False  # type: ignore[method-assign]
    searches.foresee(ExactCover.from_rows([[0]], 1))
    assert searches.progress(0, complete=False) == before


def test_the_forecast_of_the_next_search_adds_its_nodes_at_the_rate_of_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 30 seconds and 1000 nodes are left, at 40 nodes a second: 400 of 400 + 1200 + 1000 nodes are done.
    monkeypatch.setattr(Forecast, "of", lambda _: Forecast(1000.0, 0.1))
    searches = Searches()
    searches.search, searches.span, searches.to_come = search_at(NOW), (0.0, 0.5), [0]
    searches.foresee(ExactCover.from_rows([[0]], 1))
    now = searches.progress(0, complete=False)
    assert now.left == pytest.approx(30 + 1000 / 40, rel=1e-3)
    assert now.fraction == pytest.approx(400 / 2600, rel=1e-3)
    assert now.left_between is not None
    assert now.left_between[0] == pytest.approx(20 + 800 / 40, rel=0.05)
    assert now.left_between[1] == pytest.approx(45 + 1220 / 40, rel=0.05)


def test_only_a_complete_count_has_done_the_whole() -> None:
    searches = Searches()
    searches.search = search_at(NOW._replace(fraction=1.0, doing="by layers"))
    assert searches.progress(1, complete=False).fraction == MAX_UNFINISHED_FRACTION
    now = searches.progress(1, complete=True)
    assert (now.fraction, now.left, now.left_between, now.doing) == (1.0, 0.0, (0.0, 0.0), "")
