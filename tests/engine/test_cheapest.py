"""Covers of best cost, compared with all sets of options tried one by one, in plain Python and compiled."""

from __future__ import annotations

from array import array
from itertools import combinations
from random import Random

import pytest

from puzzlec.engine import ExactCover, Limits, Stop
from puzzlec.engine.search import cheapest
from puzzlec.engine.search.cheapest import UNITS_PER_COST, Cheapest, Within


def random_problem(seed: int) -> ExactCover:
    """A small problem with bounds, colours, and costs of both signs."""
    random = Random(seed)
    primary, secondary = random.randint(1, 5), random.randint(0, 2)
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(random.randint(1, 10)):
        row: list[int | tuple[int, int]] = [item for item in range(primary) if random.random() < 0.4]
        row = row or [random.randrange(primary)]
        for item in range(primary, primary + secondary):
            if random.random() < 0.4:
                row.append((item, random.randint(1, 2)) if random.random() < 0.5 else item)
        rows.append(row)
    bounds = [random.choice([(1, 1), (1, 1), (0, 1), (1, 2), (0, 2), (2, 2)]) for _ in range(primary)]
    return ExactCover.from_rows(rows, primary, secondary, bounds).with_costs(random.choices(range(-5, 10), k=len(rows)))


def is_cover(problem: ExactCover, options: tuple[int, ...]) -> bool:
    """Whether options are a cover, by the definition."""
    entries = [entry for option in options for entry in problem.entries(option)]
    for item in range(problem.primary + problem.secondary):
        colours = [colour for own, colour in entries if own == item]
        if item < problem.primary:
            if not problem.low[item] <= len(colours) <= problem.high[item]:
                return False
        elif len(colours) > 1 and (0 in colours or len(set(colours)) > 1):
            return False
    return True


def all_costs(problem: ExactCover, but: list[tuple[int, ...]] | None = None) -> list[int]:
    """The costs of all covers, ascending, except some."""
    return sorted(
        sum(problem.costs[option] for option in options)
        for size in range(len(problem) + 1)
        for options in combinations(range(len(problem)), size)
        if is_cover(problem, options) and options not in (but or [])
    )


@pytest.mark.parametrize("compiled", [False, True])
def test_the_best_covers_are_those_of_all_covers(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    if compiled:
        pytest.importorskip("numba")
        monkeypatch.setattr(cheapest, "PYTHON_ENTRIES", 0)
    for seed in range(60):
        problem = random_problem(seed)
        costs = all_costs(problem)
        for number in (1, 3, 99):
            for greatest, wanted in ((False, costs), (True, costs[::-1])):
                search = Cheapest(problem, number, greatest)
                found = search.find()
                assert search.stopped is None
                assert len(set(found)) == len(found)
                assert [problem.cost(options) for options in found] == wanted[:number], seed
                assert all(is_cover(problem, options) for options in found)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_covers_within_a_range_of_costs_are_those_of_all_covers(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    if compiled:
        pytest.importorskip("numba")
        monkeypatch.setattr(cheapest, "PYTHON_ENTRIES", 0)
    for seed in range(60):
        problem = random_problem(seed)
        costs = all_costs(problem)
        for low, high in (
            (None, None),
            (None, 3),
            (3, None),
            (2, 6),
            (4, 4),
            (5, 3),
            (None, -(1 << 80)),
            (1 << 80, None),
        ):
            search = Within(problem, low, high)
            found = list(search)
            wanted = [cost for cost in costs if (low is None or cost >= low) and (high is None or cost <= high)]
            assert search.stopped is None
            assert len(set(found)) == len(found)
            assert sorted(map(problem.cost, found)) == wanted, (seed, low, high)


def test_taxes_and_prices_of_colours_keep_the_cost_of_every_cover() -> None:
    moved = 0
    for seed in range(30):
        random = Random(seed)
        cells, rows = 4, list[list[int | tuple[int, int]]]()
        for cell in range(cells):  # a row of tiles: neighbours share a colour
            for _ in range(5):
                sides = [cells + side for side in (cell - 1, cell) if 0 <= side < cells - 1]
                rows.append([cell, *[(side, random.randint(1, 2)) for side in sides]])
        problem = ExactCover.from_rows(rows, cells, cells - 1).with_costs(random.choices(range(-5, 50), k=len(rows)))
        covers = Within(problem, None, None)
        found = cheapest.better_taxes(problem, array("q", problem.costs), 50)
        assert min(found.net) >= 0
        for options in covers:
            assert problem.cost(options) == found.base + sum(found.net[option] for option in options)
        moved += found.base > cheapest.taxes(problem, array("q", problem.costs)).base
    assert moved > 15


def test_moved_shares_of_costs_give_a_greater_bound_in_most_problems() -> None:
    greater = 0
    for seed in range(60):
        random = Random(seed)
        rows = [*(random.sample(range(6), random.choice((1, 2, 3))) for _ in range(18)), *([item] for item in range(6))]
        problem = ExactCover.from_rows(rows, 6).with_costs([UNITS_PER_COST * random.randint(1, 30) for _ in rows])
        still, moved = (cheapest.better_taxes(problem, array("q", problem.costs), rounds).base for rounds in (0, 50))
        assert moved >= still, seed
        greater += moved > still
    assert greater > 30


@pytest.mark.long
def test_no_other_cover_is_better_than_the_bound_of_a_stopped_search_which_is_near() -> None:
    stopped = reached = 0
    for seed in range(60):
        problem = random_problem(seed)
        for number, nodes in ((1, 1), (1, 4), (2, 2), (9, 6)):
            for greatest in (False, True):
                search = Cheapest(problem, number, greatest, Limits(nodes=nodes))
                found = search.find()
                others = all_costs(problem, found)
                if search.stopped is not None and others and search.bound is not None:
                    stopped += 1
                    assert search.stopped is Stop.NODES
                    assert others[-1] <= search.bound if greatest else others[0] >= search.bound, seed
                    reached += others[-1 if greatest else 0] == search.bound
    assert stopped > 40
    assert reached > 100


@pytest.mark.parametrize(
    ("costs", "number", "nodes", "kept", "bound"),
    [
        ([1, 3, 5, 7], 2, 2, [1, 3], 3),  # those of cost 5 would not be among the best
        ([1, 3, 5, 7], 3, 2, [1, 3], 5),  # the open branches, after those that were taken
        ([1, 3, 5, 7], 1, 0, [], 1),
        ([-7, -5, -1], 2, 1, [-7], -5),
    ],
)
def test_the_bound_is_the_best_cost_of_an_open_branch_or_the_worst_that_is_kept(
    costs: list[int], number: int, nodes: int, kept: list[int], bound: int
) -> None:
    problem = ExactCover.from_rows([[0]] * len(costs), primary=1).with_costs(costs)
    search = Cheapest(problem, number, limits=Limits(nodes=nodes))
    assert [problem.cost(options) for options in search.find()] == kept
    assert (search.stopped, search.bound) == (Stop.NODES, bound)


def test_costs_beyond_64_bits_are_refused() -> None:
    problem = ExactCover.from_rows([[0], [0]], primary=1)
    for costs in ([1 << 70, 1], [1 << 61, 1 << 61], [1]):
        with pytest.raises(ValueError, match="cost"):
            problem.with_costs(costs)
    assert Cheapest(problem.with_costs([1 << 40, -(1 << 40)])).find() == [(1,)]


@pytest.mark.parametrize("compiled", [False, True])
def test_lists_that_need_more_room_get_it(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    if compiled:
        pytest.importorskip("numba")
        monkeypatch.setattr(cheapest, "PYTHON_ENTRIES", 0)
    options = 60  # of one item, that takes any number: the list of each level has one option less
    cover = ExactCover.from_rows([[0]] * options, primary=1, bounds=[(0, options)]).with_costs([-1] * options)
    search = Cheapest(cover)
    room = len(search._walk.path.live)
    assert search.find() == [tuple(range(options))]
    assert len(search._walk.path.live) > room


def test_subsets_keep_the_costs_of_their_options() -> None:
    problem = random_problem(3)
    last = len(problem) - 1
    assert list(problem.subset([last, 0]).costs) == [problem.costs[last], problem.costs[0]]
    assert problem != problem.with_costs([])
