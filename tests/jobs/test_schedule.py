"""The schedule of time slices: settled work units, and the end of dividing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine.progress import NodeBudget
from puzzlec.jobs import plan as schedule_module
from puzzlec.jobs.plan import SMALL_UNIT_NODES, UnitSchedule
from puzzlec.jobs.work_unit import SliceOutcome, UnitState, Work, WorkUnit


def unit(number: int, above: bytes = b"", size: float = 1.0) -> WorkUnit:
    return WorkUnit(above + number.to_bytes(4, "big"), 0, (((0, number),),), size=size)


def outcome(work: Work, nodes: int, left: bool, parts: tuple[WorkUnit, ...] = ()) -> SliceOutcome:
    state = UnitState.SPLIT if parts else UnitState.OPEN if left else UnitState.DONE
    paths = work.unit.paths if left else ()
    nodes, seconds = work.unit.nodes + nodes, work.unit.seconds + 1.0
    return SliceOutcome(replace(work.unit, paths=paths, state=state, nodes=nodes, seconds=seconds), b"", "", parts)


@given(st.integers(1, 9), st.booleans(), st.randoms(use_true_random=False))
def test_the_front_is_the_first_open_work_unit(number: int, in_order: bool, chance: random.Random) -> None:
    schedule = UnitSchedule([unit(at) for at in range(number)], in_order)
    left = {unit(at).key for at in range(number)}
    running: list[Work] = []
    for _ in range(40):
        assert schedule.front == min(left, default=None)
        if (work := schedule.next(1.0, 4)) is not None:
            running.append(work)
        if not running:
            break
        work = running.pop(chance.randrange(len(running)))
        what = chance.choice(("open", "done", "lost", "split"))
        if what == "lost":
            schedule.lost(work.key)
            continue
        parts = tuple(unit(part, work.key) for part in range(2)) if what == "split" else ()
        schedule.met(outcome(work, 1, what == "open", parts), work)
        if what != "open":
            left = left - {work.key} | {part.key for part in parts}


def test_dividing_ends_even_with_wrong_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule_module, "MIN_DIVIDED_FRACTION", 1 / 64)
    schedule = UnitSchedule([unit(at) for at in range(8)], in_order=False)
    divided = 0
    for _ in range(1000):  # an endless search with estimates of an early end
        work = schedule.next(2.0, 1)
        assert work is not None
        parts = tuple(unit(part, work.key) for part in range(8)) if work.divide else ()
        divided += bool(parts)
        schedule.met(outcome(work, 4_000_000, not parts, parts), work)
    assert 64 <= divided < 300


def large(number: int) -> WorkUnit:
    """A work unit that is worth dividing for idle workers."""
    return unit(number, size=4.0 * schedule_module.SMALL_UNIT_NODES)


@pytest.mark.parametrize("workers", range(1, 9))
@pytest.mark.parametrize("units", range(1, 5))
def test_a_work_unit_is_divided_only_for_workers_that_would_be_idle(units: int, workers: int) -> None:
    schedule = UnitSchedule(map(large, range(units)), in_order=True)
    for taken in range(1, units + 1):
        work = schedule.next(8.0, workers)
        assert work is not None
        # All work units have a worker: those that run, this one, and those that wait.
        idle = workers - units
        assert work.divide == (2 * idle + 2 if idle > 0 else 0)
        assert schedule.running == taken


@pytest.mark.parametrize(("nodes", "left"), [(0, 100.0), (10, 90.0), (90, 45.0), (100, 50.0), (300, 150.0)])
def test_the_rest_of_a_work_unit_is_at_least_half_of_what_is_searched(nodes: int, left: float) -> None:
    work = UnitSchedule([replace(unit(0, size=100.0), nodes=nodes)], in_order=True).next(8.0, 1)
    assert work is not None
    assert work.unit.rest == left


def test_a_time_slice_that_ended_early_does_not_raise_the_budget() -> None:
    pace = NodeBudget(2048)
    assert [pace.next(10) for _ in range(20)] == [2048] * 20
    assert pace.next(2048) in (2048, 4096)


@pytest.mark.parametrize(
    ("units", "slices", "seconds", "given"),
    [(3, 2, 20.0, 20.0), (2, 2, 20.0, 5.0), (1, 1, 4.0, 2.0), (1, 1, 2.0, 2.0), (1, 1, 0.5, 0.5)],
)
def test_time_slices_are_a_quarter_of_the_usual_ones_if_few_work_units_wait(
    units: int, slices: int, seconds: float, given: float
) -> None:
    schedule = UnitSchedule([WorkUnit(bytes([number]), 0, ()) for number in range(units)], in_order=True)
    work = schedule.next(seconds, slices)
    assert work is not None
    assert (work.seconds, work.divide) == (given, 0)


@pytest.mark.parametrize(
    ("size", "nodes", "before", "slices", "divide", "given"),
    [
        (SMALL_UNIT_NODES, 0, 0.0, 4, 0, 5.0),
        (SMALL_UNIT_NODES + 1, 0, 0.0, 4, 8, 0.0),  # two parts for each of three idle workers, and for this one
        (SMALL_UNIT_NODES + 1, 1, 0.0, 4, 0, 5.0),  # what is left counts
        (SMALL_UNIT_NODES + 1, 0, 0.0, 100, 64, 0.0),
        (SMALL_UNIT_NODES + 1, 0, 0.0, 1, 0, 5.0),  # no worker is idle
        (0, 0, 4.9, 4, 0, 5.0),
        (0, 0, 5.0, 4, 8, 0.0),  # it had a whole time slice
        (100, 400 + SMALL_UNIT_NODES, 0.0, 1, 0, 5.0),
        (100, 401 + SMALL_UNIT_NODES, 0.0, 1, 4, 5.0),  # much larger than its estimate
    ],
)
def test_a_work_unit_is_divided_for_idle_workers_or_if_its_estimate_was_far_too_low(
    size: float, nodes: int, before: float, slices: int, divide: int, given: float
) -> None:
    unit = WorkUnit(b"u", 0, (), size=size, nodes=nodes, seconds=before)
    work = UnitSchedule([unit], in_order=True).next(20.0, slices)
    assert work is not None
    assert (work.divide, work.seconds) == (divide, given)
