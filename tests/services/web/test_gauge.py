"""The figures of a search: none decreases, and none is shown without a meaning."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine.progress import Progress
from puzzlec.services.web.solving import ENOUGH, SETTLED, Gauge, KnownCounts

STEP = 0.2


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 10**9), st.integers(0, 10**20)), max_size=60))
def test_no_figure_decreases(told: list[tuple[float, int, int]]) -> None:
    gauge, before = Gauge(), None
    for step, (fraction, nodes, solutions) in enumerate(told, 1):
        now = gauge.read(Progress(fraction, nodes, solutions), step * STEP)
        assert 0 <= now.fraction <= 1
        if before is not None:
            assert (now.fraction, now.nodes, now.solutions) >= (before.fraction, before.nodes, before.solutions)
            assert now.fraction >= before.fraction
            assert now.nodes >= before.nodes
            assert now.solutions >= before.solutions
        before = now


def test_a_search_that_starts_again_continues_the_bar() -> None:
    gauge = Gauge()
    assert gauge.read(Progress(0.5, 100), 1).fraction == 0.5
    assert gauge.read(Progress(0.1, 10), 2).fraction == 0.55
    assert gauge.read(Progress(1.0, 400), 3).fraction == 1.0


def test_a_longer_step_is_shown_and_does_not_change_the_rate() -> None:
    gauge = Gauge()
    for step in range(1, 11):
        moving = gauge.read(Progress(step / 100, step * 200_000), step * STEP)
    assert moving.quiet == 0
    assert round(moving.rate) == 1_000_000
    for step in range(11, 36):  # five seconds without a node
        still = gauge.read(Progress(0.1, 2_000_000), step * STEP)
    assert round(still.quiet, 6) == 5
    assert still.left is None
    assert still.rate > 600_000  # unchanged, except for the second until it was noticed
    again = gauge.read(Progress(0.11, 2_200_000), 36 * STEP)
    assert again.quiet == 0


def test_the_remaining_time_is_shown_smoothly_once_it_is_known() -> None:
    gauge, told = Gauge(), []
    chance = random.Random(7)
    for step in range(1, 200):
        seconds = step * STEP
        figures = gauge.read(Progress(min(1, seconds / 50 * chance.uniform(0.9, 1)), step), seconds)
        if figures.left is not None:
            told.append((seconds, figures.left))
        else:
            assert seconds < SETTLED
    assert all(abs(seconds + left - 50) < 10 for seconds, left in told)
    steps = [abs(after[1] - before[1]) for before, after in pairwise(told)]
    assert max(steps) < 2


def test_the_remaining_time_is_hidden_if_estimates_jump_or_little_is_done() -> None:
    gauge = Gauge()
    for step in range(1, 39):  # every two seconds, five times as much is done at once
        assert gauge.read(Progress(0.003 * 5 ** (step // 10), step), step * STEP).left is None
    gauge = Gauge()
    for step in range(1, 60):
        assert gauge.read(Progress(ENOUGH / 100 * step / 60, step), step * STEP).left is None


class Counting:
    """A search that has found solutions, while its account has none yet: the count has not ended."""

    number = 0

    def progress(self) -> Progress:
        return Progress(0.1, 4000, 54)

    def counted(self, number: int) -> str:
        return f"{number} distinct solutions"


def test_a_cancelled_count_keeps_the_figure_that_it_has_shown() -> None:
    known = KnownCounts(Counting())  # type: ignore[arg-type]
    assert known.as_data() == {"found": "54", "counted": "at least 54 distinct solutions"}
