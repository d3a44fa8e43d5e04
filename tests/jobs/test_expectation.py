"""The rest of a job: expected nodes with an interval, for work units in any state and order."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.cli.texts.progress import line
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, Progress
from puzzlec.engine.search.estimating import MAX_NODES
from puzzlec.engine.search.forecast import further
from puzzlec.engine.search.survey import Survey
from puzzlec.jobs.expectation import NORMAL_QUANTILE, JobExpectation, UnitTally
from puzzlec.jobs.job import Job
from puzzlec.jobs.status import read_status
from puzzlec.jobs.work_unit import UnitState, WorkUnit
from puzzlec.jobs.workers.threads import Threads


def key(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def unit(
    *numbers: int, size: float, spread: float = 0.0, nodes: int = 0, state: UnitState = UnitState.OPEN
) -> WorkUnit:
    seconds = 1.0 if nodes else 0.0
    return WorkUnit(key(*numbers), 0, (), state=state, size=size, spread=spread, nodes=nodes, seconds=seconds)


def test_a_job_without_open_work_units_is_known_exactly() -> None:
    tally = UnitTally([unit(0, size=10, spread=5, nodes=7, state=UnitState.DONE)])
    assert tally.expected_nodes() == (7, 7, 7, 7)
    assert (JobExpectation(tally).progress().fraction, JobExpectation(UnitTally()).progress().fraction) == (1.0, 1.0)
    assert (JobExpectation(tally).progress().left, JobExpectation(tally).progress().left_between) == (0.0, (0.0, 0.0))


def test_a_sample_of_two_work_units_counts_by_its_unbiased_variance() -> None:
    # By hand: the ratio is 240/200, its residuals are 40 and -40, and the prior ratio is 1 with a variance of 0.02**2.
    # The variance of a mean of n is the sum of the squares over n (n - 1). So a prior of 4 weighs against 1600.
    sizes, nodes = np.array([100.0, 100.0, 1000.0]), np.array([160.0, 80.0, 0.0])
    settled, begun = np.array([True, True, False]), np.array([False, False, False])
    rest = Survey(sizes, np.full(3, 1e-9), nodes, settled, begun).rest()
    chance = (40**2 + 40**2) / (2 * 1) * 2 / 200**2 * 2
    assert chance == pytest.approx(0.16)
    assert rest.nodes == pytest.approx(1000 * (1 + 0.2 * 0.0004 / (0.0004 + chance)), rel=1e-9)


@pytest.mark.parametrize(
    ("nodes", "left"),
    [
        (1000, 50 * math.sqrt(2 / math.pi)),  # the mean of the upper half of a normal distribution
        (500, 500),
        (3000, 0.25 * 2000),  # a fraction of the excess
    ],
)
def test_an_estimate_without_an_error_is_trusted_to_a_twentieth(nodes: int, left: float) -> None:
    size, begun = np.array([1000.0]), np.array([True])
    rest = Survey(size, np.zeros(1), np.array([float(nodes)]), ~begun, begun).rest()
    assert rest.nodes == pytest.approx(left, rel=0.03)


def test_estimates_that_were_too_low_are_corrected_by_finished_work_units() -> None:
    rng = random.Random(1)
    tally = UnitTally(unit(k, size=100, spread=20) for k in range(1000))
    for k in range(500):
        tally.put(unit(k, size=100, spread=20, nodes=round(rng.gauss(300, 20)), state=UnitState.DONE))
    done, total, low, high = tally.expected_nodes()
    assert total == pytest.approx(300_000, rel=0.02)
    assert low is not None
    assert high is not None
    assert done < 298_000 < low < high < 303_000


def test_new_facts_replace_old_ones_in_any_order() -> None:
    final = [unit(k, size=50, spread=9, nodes=40 + k, state=UnitState.DONE) for k in range(20)]
    final += [unit(20 + k, size=50, spread=9) for k in range(20)]
    plain, stirred = UnitTally(final), UnitTally()
    again = [*final, *(unit(k, size=50, spread=9, nodes=3) for k in range(20)), *final]
    for fact in again:
        stirred.put(fact)
    assert stirred.expected_nodes() == pytest.approx(plain.expected_nodes())
    assert len(stirred) == len(plain) == 40


def test_a_split_work_unit_counts_with_its_parts() -> None:
    tally = UnitTally([unit(0, size=100, spread=10), unit(1, size=100, spread=10)])
    tally.put(unit(0, size=100, spread=10, nodes=500, state=UnitState.SPLIT))
    parts = [unit(0, k, size=200) for k in range(4)]
    for part in parts:
        tally.put(part)
    before = tally.expected_nodes()
    assert before.total > 500 + 4 * 200 + 100
    for k in range(4):
        tally.put(unit(0, k, size=200, nodes=200, state=UnitState.DONE))
    assert tally.expected_nodes().done == 1300
    assert tally.expected_nodes().total == pytest.approx(before.total)


def test_a_split_work_unit_counts_like_one_that_was_searched_whole() -> None:
    planned = [unit(k, size=100, spread=10) for k in range(20)]
    whole = UnitTally([unit(0, size=100, spread=10, nodes=900, state=UnitState.DONE), *planned[1:]])
    # More work units than the arrays of a new tally hold; one of the parts is split again.
    split = UnitTally([unit(0, size=100, spread=10, nodes=100, state=UnitState.SPLIT), *planned[1:]])
    split.put(unit(0, 0, size=200, nodes=50, state=UnitState.SPLIT))
    for k in range(150):
        split.put(unit(0, 0, k, size=1, nodes=1, state=UnitState.DONE))
    for k in range(1, 4):
        split.put(unit(0, k, size=200))
    assert split.expected_nodes().done == 300
    assert split.expected_nodes().total == pytest.approx(whole.expected_nodes().total)
    for k in range(1, 4):
        split.put(unit(0, k, size=200, nodes=200, state=UnitState.DONE))
    assert split.expected_nodes() == pytest.approx(whole.expected_nodes())


def test_a_job_has_the_solutions_of_the_last_record_of_each_work_unit() -> None:
    tally = UnitTally([replace(unit(0, size=10), number=5), replace(unit(1, size=10), number=7)])
    tally.put(replace(unit(0, size=10, nodes=10, state=UnitState.DONE), number=6))
    assert tally.number == 13
    assert JobExpectation(tally).progress().solutions == 13


def test_a_work_unit_with_a_position_has_begun_even_if_its_time_is_unknown() -> None:
    begun = unit(0, size=100, spread=60, nodes=5000)
    other = replace(begun, seconds=0.0, position=((0, 1),))
    assert UnitTally([other]).expected_nodes() == UnitTally([begun]).expected_nodes()
    assert UnitTally([replace(begun, seconds=0.0)]).expected_nodes() != UnitTally([begun]).expected_nodes()


def test_the_interval_is_that_of_a_logarithm_and_wider_above() -> None:
    tally = UnitTally([*(unit(k, size=100, spread=20, nodes=100, state=UnitState.DONE) for k in range(9)),
                   *(unit(k, size=100, spread=20) for k in range(9, 40))])  # fmt: skip
    done, total, low, high = tally.expected_nodes()
    assert low is not None
    assert high is not None
    error = math.log((total - done) / (low - done)) / NORMAL_QUANTILE
    assert 0.05 < error < 0.2
    assert math.log((high - done) / (total - done)) == pytest.approx(NORMAL_QUANTILE * error + error**2)


def test_one_uncertain_work_unit_hides_the_interval_only_if_much_of_the_job_depends_on_it() -> None:
    last = unit(20, size=1000, spread=300)
    small = [unit(k, size=10, spread=1, nodes=10, state=UnitState.DONE) for k in range(20)]
    assert UnitTally([*small, last]).expected_nodes().low is None
    large = [unit(k, size=10**6, spread=1, nodes=10**6, state=UnitState.DONE) for k in range(20)]
    assert UnitTally([*large, last]).expected_nodes().low is not None


def test_a_work_unit_that_turns_out_large_is_not_expected_to_end_at_once() -> None:
    tally = UnitTally(unit(k, size=100, spread=60, nodes=90 + k % 20, state=UnitState.DONE) for k in range(50))
    tally.put(unit(50, size=100, spread=60))
    tally.put(unit(50, size=100, spread=60, nodes=5000))
    done, total, _, _ = tally.expected_nodes()
    assert total - done > 1000
    assert further(100.0, 60.0, 5000.0) > further(100.0, 60.0, 500.0) > 0


def test_there_is_no_interval_if_one_work_unit_may_be_most_of_the_job() -> None:
    tally = UnitTally([*(unit(k, size=10, spread=1) for k in range(100)), unit(100, size=1e6, spread=1e6)])
    _, total, low, high = tally.expected_nodes()
    assert (low, high) == (None, None)
    assert total > 1e6
    assert JobExpectation(tally).progress().left_between is None


@pytest.mark.parametrize("size", [1e58, MAX_NODES / 2, MAX_NODES, 1e300])
def test_squares_of_very_large_sizes_do_not_overflow(size: float) -> None:
    tally = UnitTally([unit(k, size=size, spread=size) for k in range(50)])
    for k in range(10):
        tally.put(unit(k, size=size, spread=size, nodes=10**6, state=UnitState.DONE))
    told = JobExpectation(tally, clock=iter([0.0, 60.0]).__next__).progress()
    assert told.fraction < 1e-9


def test_huge_sizes_give_no_expectation_and_no_error() -> None:
    tally = UnitTally([unit(0, size=math.inf, spread=math.inf), unit(1, size=5)])
    assert tally.expected_nodes() == (0, math.inf, None, None)
    told = JobExpectation(tally, clock=iter([0.0, 60.0]).__next__).progress()
    assert (told.fraction, told.left, told.left_between) == (0.0, None, None)


@pytest.mark.parametrize("workers", [1, 8])
@pytest.mark.parametrize("skew", [0.3, 1.0])
def test_intervals_contain_the_true_number_in_most_cases(workers: int, skew: float) -> None:
    """Trees of lognormal sizes, estimated with lognormal errors: at least 80 of 100 intervals hold, at any time."""
    held = told = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        actual = np.maximum(1, rng.lognormal(6, 1, 300)).round()
        sizes = actual * rng.lognormal(-(skew**2) / 2, skew, 300)
        spreads = sizes * math.sqrt(math.exp(skew**2) - 1)
        tally = UnitTally(unit(k, size=sizes[k], spread=spreads[k]) for k in range(300))
        order = rng.permutation(300).tolist()
        for at, k in enumerate(order[:-workers]):
            tally.put(unit(k, size=sizes[k], spread=spreads[k], nodes=int(actual[k]), state=UnitState.DONE))
            if at in (10, 60, 150, 270):
                for other in order[at + 1 : at + workers]:
                    half = int(actual[other] * rng.random()) or 1
                    state = UnitState.DONE if half >= actual[other] else UnitState.OPEN
                    tally.put(unit(other, size=sizes[other], spread=spreads[other], nodes=half, state=state))
                _, _, low, high = tally.expected_nodes()
                if low is not None and high is not None:
                    told += 1
                    held += bool(low <= actual.sum() <= high)
    assert told > 25
    assert held >= 0.8 * told


SIZES = st.floats(0, 1e9)
TURNS = st.tuples(st.integers(0, 30), SIZES, SIZES, st.integers(0, 10**9), st.booleans(), st.floats(0, 100))


@given(st.lists(TURNS, max_size=40), st.booleans())
def test_the_progress_of_a_job_never_decreases(
    time_slices: list[tuple[int, float, float, int, bool, float]], in_order: bool
) -> None:
    now = 0.0
    tally = UnitTally((unit(k, size=100, spread=10) for k in range(31)), in_order)
    expectation, before = JobExpectation(tally, clock=lambda: now), 0.0
    met = [0] * 31
    for k, size, spread, nodes, done, seconds in time_slices:
        now += seconds
        met[k] = max(met[k], nodes)
        state = UnitState.DONE if done else UnitState.OPEN
        tally.put(unit(k, size=size, spread=spread, nodes=met[k], state=state))
        told = expectation.progress()
        assert before <= told.fraction <= MAX_UNFINISHED_FRACTION
        assert told.left is None or 0 <= told.left < math.inf
        if told.left_between is not None:
            assert 0 <= told.left_between[0] <= told.left_between[1]
        expected = tally.expected_nodes()
        assert expected.done <= expected.total
        if expected.low is not None and expected.high is not None:
            assert expected.done <= expected.low <= expected.high
        before = told.fraction


def test_the_rate_is_that_of_the_last_minute() -> None:
    now = 0.0
    tally = UnitTally(unit(k, size=1000) for k in range(1000))
    expectation = JobExpectation(tally, before=100.0, solutions=lambda: 42, clock=lambda: now)
    for k in range(200):
        now += 1.0
        tally.put(unit(k, size=1000, nodes=1000 if k < 100 else 500, state=UnitState.DONE))
        told = expectation.progress()
    assert told.rate == pytest.approx(500, rel=0.05)
    assert (told.solutions, told.seconds) == (42, 300.0)
    assert told.left_between is not None
    assert told.left is not None
    assert told.left_between[0] < told.left <= told.left_between[1]  # it was faster before


def test_after_a_resume_the_rate_of_earlier_runs_is_shown_for_some_seconds() -> None:
    now = 0.0
    units = [unit(k, size=1000, nodes=1000 if k < 100 else 0, state=UnitState.DONE if k < 100 else UnitState.OPEN)
                for k in range(1000)]  # fmt: skip
    tally = UnitTally(units)
    expectation = JobExpectation(tally, before=50.0, clock=lambda: now)
    for second in range(40):  # after 20 seconds a work unit ends each second: the first has 1 node, the others 1,000
        now = float(second)
        if second >= 20:
            k = 100 + second
            tally.put(unit(k, size=1000, nodes=1 if second == 20 else 1000, state=UnitState.DONE))
        told = expectation.progress()
        if second < 30:
            assert told.rate == 2000.0
            assert told.left == pytest.approx(450, rel=0.1)
    assert told.rate == pytest.approx(1000, rel=0.1)


def test_a_new_search_shows_no_rate_before_its_first_time_slice_ends() -> None:
    now = 0.0
    tally = UnitTally(unit(k, size=1000) for k in range(100))
    expectation = JobExpectation(tally, clock=lambda: now)
    now = 30.0
    assert (expectation.progress().rate, expectation.progress().left) == (0.0, None)


def test_the_rate_of_an_earlier_run_of_less_than_a_second_is_also_shown() -> None:
    tally = UnitTally([unit(0, size=100, nodes=100, state=UnitState.DONE), unit(1, size=100)])
    assert JobExpectation(tally, before=0.5).progress().rate == 200.0


class _Nobody(Threads):
    """Workers that report zero workers, like an empty cluster."""

    def at_hand(self) -> int:
        return 0


def test_a_job_shows_its_workers_or_that_it_waits_for_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def tell() -> None:
        seen.append((job.progress(), read_status(tmp_path / "job")))

    with Job.begin(tmp_path / "job", "soma", task="count") as job:
        assert job.at_hand is None
        monkeypatch.setattr("puzzlec.jobs.job.SAVE_SECONDS", 0.0)
        job.run(seconds=0.1, threads=2, told=tell)
        assert {progress.workers for progress, _ in seen} == {2}
        assert {status.workers for _, status in seen} == {"2 threads"}
        seen.clear()
        monkeypatch.setattr("puzzlec.jobs.job.start", lambda problem, *_: _Nobody(problem, 1))
        job.run(told=tell)
        waits = [progress for progress, _ in seen if progress.fraction < 1]
        assert all(
            (progress.workers, progress.doing, progress.left) == (0, "waiting for workers", None) for progress in waits
        )
        assert job.at_hand is None
    assert read_status(tmp_path / "job").workers == ""


def test_the_line_of_a_job_has_the_number_of_workers() -> None:
    now = Progress(0.5, 10, 2, 60.0, 1e5, None, None, "waiting for workers", 0)
    told = line(now, "solution", 100, unicode=False)
    assert told.endswith("2 solutions, 100 k nodes/s, 0 workers, 1:00 so far, waiting for workers")
