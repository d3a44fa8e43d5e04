"""Time slices on the work units of a plan find the solutions of a plain search, wherever they end."""

from __future__ import annotations

import pickle

import pytest

from puzzlec.compiler import compile, parse
from puzzlec.engine import Limits, Search
from puzzlec.jobs.blocks import unpack
from puzzlec.jobs.plan import digest, plan, shard_of, suitable
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import UnitState, Work, WorkUnit
from puzzlec.lower import Encoding, symmetry
from puzzlec.solving import representatives
from puzzlec.solving.orbits import OrbitComparison
from puzzlec.solving.solutions import Solutions

#: A work unit that is the whole search.
WHOLE = WorkUnit(bytes(4), 0, ((),))

#: Cheap puzzles of many kinds: flat and solid, with copies, with bounds, with tiles, with empty places, without
#: geometry.
NAMES = (
    "pentominoes/3x20", "soma", "dominoes/4x4", "dominoes/with-monominoes", "queens/8", "langford/pairs", "new/tiles",
    "polysticks/tetrasticks-4x4-crossing", "dpf/dominoes", "dominoes/mutilated-board", "hypercubes/dominoes-2x2x2x2",
)  # fmt: skip


def encoding_of(name: str) -> Encoding:
    return compile(name)


def problem_of(encoding: Encoding, task: str, raw: bool = False) -> JobProblem:
    group = symmetry(encoding, "none" if raw and task == "solutions" else "all")
    return JobProblem.of(encoding, group, task, raw)


def taken(
    problem: JobProblem, units: list[WorkUnit], room: int = 1 << 20, divide: int = 0
) -> tuple[list[WorkUnit], list[tuple[int, ...]]]:
    """Run time slices of one step on work units until all are done; return them, and the stored solutions."""
    time_slices = TimeSlices(problem)
    done: list[WorkUnit] = []
    kept: dict[bytes, list[tuple[int, ...]]] = {}
    waiting = list(units)
    while waiting:
        unit = waiting.pop()
        work = Work(unit, 0.0, room, "", divide)
        outcome = time_slices.take(work)
        kept.setdefault(unit.key, []).extend(unpack(outcome.block) if outcome.block else [])
        now = outcome.unit
        assert len(unpack(outcome.block) if outcome.block else []) == now.kept - unit.kept
        waiting += outcome.parts
        if now.state is UnitState.OPEN:
            waiting.append(now)
        else:
            done.append(now)
    return done, [cover for key in sorted(kept) for cover in kept[key]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("divide", [0, 3])
def test_time_slices_find_the_solutions_of_a_plain_search_in_its_order(name: str, divide: int) -> None:
    encoding = encoding_of(name)
    solutions = Solutions(encoding)
    plain = [solution.orientations for solution in solutions]
    problem = problem_of(encoding, "solutions", solutions.convention == "raw")
    done, kept = taken(problem, plan(problem, 7), divide=divide)
    assert [encoding.lift(cover).orientations for cover in kept] == plain
    assert sum(unit.number for unit in done) == len(plain)
    assert sum(unit.raw for unit in done) == Solutions(encoding, symmetry="none").count()
    assert sum(unit.nodes for unit in done) == solutions.nodes


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_time_slices_count_all_solutions(name: str, raw: bool) -> None:
    encoding = encoding_of(name)
    solutions = Solutions(encoding, symmetry="none" if raw else "all")
    problem = problem_of(encoding, "count", solutions.convention == "raw")
    done, kept = taken(problem, plan(problem, 5), divide=2)
    assert sum(unit.number for unit in done) == solutions.count()
    assert sum(unit.raw for unit in done) == Solutions(encoding, symmetry="none").count()
    assert kept == []


def test_a_time_slice_ends_if_its_memory_is_full_and_the_next_one_continues() -> None:
    problem = problem_of(encoding_of("pentominoes/6x10"), "solutions")
    outcome = TimeSlices(problem).take(Work(WHOLE, 60.0, 100))
    assert outcome.unit.paths
    assert 100 // 13 <= outcome.unit.kept < 9356
    again = TimeSlices(problem).take(Work(outcome.unit, 60.0, 1 << 20))
    assert again.unit.state is UnitState.DONE
    assert again.unit.kept == 2339


def test_a_stopped_time_slice_has_made_a_step() -> None:
    problem = problem_of(encoding_of("soma"), "count")
    outcome = TimeSlices(problem).take(Work(WHOLE, 60.0, 100), stopped=lambda: True)
    assert outcome.unit.nodes > 0


def test_a_cached_search_continues_only_from_its_place() -> None:
    problem = problem_of(encoding_of("pentominoes/5x12"), "solutions")
    time_slices = TimeSlices(problem)
    first = time_slices.take(Work(WHOLE, 0.0, 1))
    time_slices.take(Work(first.unit, 0.0, 1))  # that outcome was lost
    again = time_slices.take(Work(first.unit, 60.0, 1 << 20))
    assert again.unit.kept == 1010


def test_a_problem_is_the_same_after_sending() -> None:
    problem = problem_of(encoding_of("soma"), "solutions")
    sent = pickle.loads(pickle.dumps(problem))
    assert sent == problem
    assert digest(plan(sent, 9)) == digest(plan(problem, 9))


def test_an_invalid_task_is_refused() -> None:
    with pytest.raises(ValueError, match="no task"):
        problem_of(encoding_of("soma"), "sort")


@pytest.mark.parametrize("name", NAMES[:6])
@pytest.mark.parametrize("shards", [1, 7, 50])
def test_shards_together_are_the_plan(name: str, shards: int) -> None:
    units = plan(problem_of(encoding_of(name), "count"), None, shards)
    dealt = [shard_of(units, number + 1, shards) for number in range(shards)]
    assert sorted([unit for mine in dealt for unit in mine], key=lambda unit: unit.key) == units
    assert [unit.key for unit in units] == [number.to_bytes(4, "big") for number in range(len(units))]


def test_shards_are_about_equally_large() -> None:
    units = plan(problem_of(encoding_of("pentominoes/6x10"), "count"), None, 4)
    sums = [sum(unit.size for unit in shard_of(units, number, 4)) for number in (1, 2, 3, 4)]
    assert max(sums) < 1.2 * min(sums)


def test_a_work_unit_is_divided_into_about_equal_parts_below_its_key() -> None:
    problem = problem_of(encoding_of("solid-pentominoes/3x4x5"), "solutions")
    time_slices = TimeSlices(problem)
    outcome = time_slices.take(Work(WHOLE, 0.0, 1 << 20, divide=8))
    assert (outcome.unit.paths, outcome.unit.state) == ((), UnitState.SPLIT)
    assert 4 <= len(outcome.parts) <= 20
    assert [part.name for part in outcome.parts] == [f"0.{number}" for number in range(len(outcome.parts))]
    assert max(part.size for part in outcome.parts) < 0.5 * sum(part.size for part in outcome.parts)


def test_a_finished_work_unit_cannot_be_divided() -> None:
    problem = problem_of(encoding_of("dominoes/mutilated-board"), "count")
    outcome = TimeSlices(problem).take(Work(WHOLE, 60.0, 1 << 20, divide=8))
    assert (outcome.parts, outcome.unit.paths, outcome.unit.number) == ((), (), 0)


@pytest.mark.parametrize(
    "name", ["soma", "pentominoes/3x20", "pentominoes/5x12", "dominoes/4x4", "dominoes/with-monominoes"]
)
def test_many_covers_at_once_are_compared_as_one_by_one(name: str) -> None:
    encoding = encoding_of(name)
    choice = representatives(encoding.cover, symmetry(encoding, "all"))
    options = choice.options(choice.movers) if choice.item >= 0 else range(len(encoding.cover))
    searched = choice.searched
    covers = [tuple(options[option] for option in cover) for cover in Search(searched, limits=Limits(300))]
    least = [cover for cover in covers if choice.is_least(cover)]
    assert OrbitComparison(choice).least(covers) == (least, sum(map(choice.orbit_size, least)))


def test_the_number_of_work_units_grows_with_the_search_and_has_an_end() -> None:
    numbers = [suitable(10.0**power) for power in range(0, 40, 2)]
    assert numbers == sorted(numbers)
    assert suitable(float("inf")) == numbers[-1]


def test_a_puzzle_without_options_has_a_plan_that_ends() -> None:
    encoding = compile(parse("| nothing\na b\n", format="dlx"))
    problem = problem_of(encoding, "solutions", raw=True)
    done, kept = taken(problem, plan(problem))
    assert (kept, sum(unit.number for unit in done)) == ([], 0)
