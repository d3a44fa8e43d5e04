from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Limits, Stop
from puzzlec.engine.check import check_cover
from puzzlec.engine.search import first_cover as first_cover_module
from puzzlec.engine.search import first_cover as restarts
from puzzlec.engine.search import selection
from puzzlec.engine.search.first_cover import (
    LONG_OPTION_ITEMS,
    Beside,
    FirstCover,
    Learning,
    first_cover,
    other_ways,
    solve_with_cpsat,
)
from puzzlec.engine.search.race import NO_ANSWER, RaceOutcome
from puzzlec.solving import solutions
from tests import brute
from tests.engine.test_kernels import problems

if TYPE_CHECKING:
    from puzzlec.engine.kernels.randomized_dfs import RandomizedRun


def untimed(found: FirstCover) -> FirstCover:
    return found._replace(seconds=0.0)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is searched in plain Python."""
    monkeypatch.setattr(selection, "begins_in_python", lambda cover, name="auto": False)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "has_numba", lambda: False)
    monkeypatch.setitem(sys.modules, "puzzlec.engine.kernels.randomized_dfs", None)


def y_pentominoes(rows: int, columns: int) -> ExactCover:
    """Y pentominoes in a rectangle, in four rotations, reflected or not."""
    shapes = set()
    cells = [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)]
    for turn in range(8):
        cells = [(-y, x) for x, y in cells] if turn != 4 else [(-x, y) for x, y in cells]
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        shapes.add(frozenset((x - left, y - top) for x, y in cells))
    options = [
        [(y + dy) * columns + x + dx for dx, dy in shape]
        for shape in sorted(shapes, key=sorted)
        for y in range(rows - max(dy for _, dy in shape))
        for x in range(columns - max(dx for dx, _ in shape))
    ]
    return ExactCover.from_rows(options, rows * columns)


def squares(order: int) -> ExactCover:
    """The partridge puzzle: n squares of n x n, n up to the order, in one square."""
    side = order * (order + 1) // 2
    options = [
        [n - 1, *(order + (y + dy) * side + x + dx for dy in range(n) for dx in range(n))]
        for n in range(1, order + 1)
        for y in range(side - n + 1)
        for x in range(side - n + 1)
    ]
    bounds = [(n, n) for n in range(1, order + 1)] + [(1, 1)] * side**2
    return ExactCover.from_rows(options, order + side**2, 0, bounds)


def is_cover(cover: ExactCover, options: tuple[int, ...] | None) -> bool:
    assert options is not None
    taken = [item for option in options for item in cover.row(option)]
    return all(
        low <= taken.count(item) <= high for item, (low, high) in enumerate(zip(cover.low, cover.high, strict=True))
    )


@given(problems(), st.integers(0, 9))
def test_a_cover_is_found_exactly_when_brute_force_finds_one(cover: ExactCover, seed: int) -> None:
    expected = brute.covers(cover)
    found = first_cover(cover, seed=seed)
    assert found.proved == (not expected)
    assert found.stopped is None
    assert found.options in expected if expected else found.options is None


def runs(cover: ExactCover, seed: int) -> Iterator[RandomizedRun]:
    from puzzlec.engine.kernels.fixed_order_dfs import FixedOrderDfs
    from puzzlec.engine.kernels.incidence import incidence_of, root_of
    from puzzlec.engine.kernels.randomized_dfs import LEAST, SWEEP, WEIGHTED, RandomizedDfs

    incidence = incidence_of(cover.arrays)
    root = root_of(incidence, cover.arrays)
    randomized = RandomizedDfs(incidence, root)
    for rule in (LEAST, WEIGHTED, SWEEP):
        for shuffled, long_first in ((False, False), (True, False), (False, True)):
            randomized.begin(seed, rule, shuffled, long_first)
            yield randomized
    if FixedOrderDfs.suits(incidence, root):
        fixed = FixedOrderDfs(incidence, root)
        fixed.begin(seed)
        yield fixed


@settings(max_examples=200)
@given(problems(), st.integers(0, 99), st.integers(1, 3))
def test_every_way_of_searching_is_complete_and_can_be_interrupted_at_any_node(
    cover: ExactCover, seed: int, budget: int
) -> None:
    expected = brute.covers(cover)
    for run in runs(cover, seed):
        while not (status := run.advance(budget)):
            pass
        assert (status == restarts.COVER_STATUS) == bool(expected)
        if expected:
            assert tuple(sorted(run.taken)) in expected


@settings(max_examples=60)
@given(problems(), st.integers(0, 9))
def test_the_compiled_search_alone_is_right(cover: ExactCover, seed: int) -> None:
    expected = brute.covers(cover)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "is_large", lambda cover: True)
        found = first_cover(cover, seed=seed)
    assert found.proved == (not expected)
    assert found.options in expected if found.options is not None else not expected


@pytest.mark.usefixtures("uncompiled")
@settings(max_examples=50)
@given(cover=problems(), seed=st.integers(0, 9))
def test_without_numba_the_search_is_also_right(cover: ExactCover, seed: int) -> None:
    found = first_cover(cover, seed=seed)
    assert found.options in brute.covers(cover) if found.options is not None else found.proved


@pytest.mark.usefixtures("uncompiled")
def test_without_numba_runs_are_given_up_and_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts, "MIN_PYTHON_RUN_NODES", 5)
    cover = y_pentominoes(5, 10)
    found = first_cover(cover, seed=0)
    assert is_cover(cover, found.options)
    assert found.restarts > 0
    limited = first_cover(cover, seed=0, limits=Limits(nodes=12))
    assert (limited.options, limited.nodes, limited.stopped) == (None, 12, Stop.NODES)
    assert limited.nodes < found.nodes


@pytest.mark.usefixtures("compiled")
def test_the_same_seed_gives_the_same_cover_and_another_one_another() -> None:
    cover = y_pentominoes(10, 10)
    found = first_cover(cover, seed=1)
    assert is_cover(cover, found.options)
    assert untimed(first_cover(cover, seed=1)) == untimed(found)
    assert len({first_cover(cover, seed=seed).options for seed in range(5)}) > 1


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_y_pentominoes_fill_a_square_of_twenty() -> None:
    cover = y_pentominoes(20, 20)
    assert is_cover(cover, first_cover(cover, seed=0).options)


@pytest.mark.usefixtures("compiled")
def test_a_problem_without_covers_is_proved_to_have_none() -> None:
    found = first_cover(y_pentominoes(5, 5), seed=0)
    assert (found.options, found.proved, found.stopped) == (None, True, None)
    assert first_cover(squares(3), seed=0).proved


@pytest.mark.usefixtures("compiled")
def test_limits_are_kept_and_reported() -> None:
    cover = y_pentominoes(20, 20)
    found = first_cover(cover, seed=0, limits=Limits(nodes=1000))
    assert (found.options, found.nodes, found.stopped, found.proved) == (None, 1000, Stop.NODES, False)
    assert first_cover(cover, seed=0, limits=Limits(seconds=0)).stopped is Stop.SECONDS


def test_the_first_nodes_are_searched_in_python_and_obey_the_limit() -> None:
    found = first_cover(y_pentominoes(15, 15), seed=0, limits=Limits(nodes=300))
    assert (found.nodes, found.stopped) == (300, Stop.NODES)


def test_without_or_tools_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(ValueError, match=r"pip install 'puzzlec\[cpsat\]'"):
        solve_with_cpsat(ExactCover.from_rows([[0]], 1))


def test_cpsat_needs_a_worker() -> None:
    with pytest.raises(ValueError, match="at least one worker"):
        solve_with_cpsat(ExactCover.from_rows([[0]], 1), workers=0)


def test_a_limit_of_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="a limit of nodes"):
        solve_with_cpsat(ExactCover.from_rows([[0]], 1), Limits(nodes=5))


@settings(max_examples=60)
@given(problems())
def test_cp_sat_finds_a_cover_exactly_when_brute_force_does(cover: ExactCover) -> None:
    pytest.importorskip("ortools")
    expected = brute.covers(cover)
    found = solve_with_cpsat(cover)
    assert found.proved == (not expected)
    assert found.options in expected if expected else found.options is None


def test_no_solutions_are_a_limit_that_needs_no_search() -> None:
    found = solve_with_cpsat(ExactCover.from_rows([[0]], 1), Limits(solutions=0))
    assert found == FirstCover(None, restarts=0, nodes=0, seconds=0.0, stopped=Stop.SOLUTIONS, proved=False)


def test_no_time_is_a_limit_and_is_reported() -> None:
    pytest.importorskip("ortools")
    rows = [[r, 20 + c, 40 + r + c, 79 + 19 + r - c] for r in range(20) for c in range(20)]
    found = solve_with_cpsat(ExactCover.from_rows(rows, 40, 78), Limits(seconds=0.0))
    assert (found.options, found.stopped, found.proved) == (None, Stop.SECONDS, False)


def dominoes(width: int, height: int, gone: tuple[int, ...] = ()) -> ExactCover:
    """Dominoes on a rectangle without some of its cells."""
    rows = [[width * y + x, width * y + x + 1] for y in range(height) for x in range(width - 1)]
    rows += [[at, at + width] for at in range(width * (height - 1))]
    left = sorted(set(range(width * height)) - set(gone))
    number = {cell: item for item, cell in enumerate(left)}
    return ExactCover.from_rows([[number[at] for at in row] for row in rows if not set(row) & set(gone)], len(left))


def learned(cover: ExactCover, budget: int = 10**10, left: float | None = None) -> Learning:
    pytest.importorskip("ortools")
    task = Learning(cover, 1, lambda: left)
    task.advance(budget)
    assert task.outcome is NO_ANSWER or task.used == budget
    return task


def test_a_turn_of_cpsat_finds_a_cover_or_proves_that_there_is_none() -> None:
    cover = dominoes(8, 8)
    found = learned(cover).outcome
    assert found is not None
    assert found.cover is not None
    check_cover(cover, found.cover)
    assert learned(dominoes(4, 4, (0, 15))).outcome == RaceOutcome(0)


def test_a_turn_of_cpsat_ends_after_its_work() -> None:
    assert learned(dominoes(40, 40, (0, 1599)), budget=10).outcome is None


def test_a_turn_of_cpsat_has_the_time_that_is_left() -> None:
    for left, ends in ((60.0, True), (0.0, False), (-1.0, False)):
        assert (learned(dominoes(8, 8), left=left).outcome is not None) == ends, left


def test_cpsat_begins_early_if_many_items_have_one_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Learning, "is_possible", lambda cover: True)
    latin = list(product(range(9), repeat=3))
    clued = [(row, column, digit) for row, column, digit in latin if (9 * row + column) % 5 or digit == column]
    turns = []
    for some in (latin, clued):
        rows = [[9 * row + column, 81 + 9 * row + digit, 162 + 9 * column + digit] for row, column, digit in some]
        beside, learning = other_ways(ExactCover.from_rows(rows, 243), lambda: None)
        turns.append(learning.schedule.first / beside.schedule.first)
    assert turns == [4, 1 / 4]


def test_random_searches_begin_earlier_if_options_are_long_but_not_at_once() -> None:
    long, short = (
        other_ways(ExactCover.from_rows([range(size)] * 2, size), lambda: None)[0]
        for size in (LONG_OPTION_ITEMS, LONG_OPTION_ITEMS - 1)
    )
    assert 1 < long.schedule.first < short.schedule.first


def test_a_piece_with_many_copies_may_be_an_item() -> None:
    board = dominoes(8, 8)
    rows = [[*(item for item, _ in board.entries(option)), 64] for option in range(len(board))]
    for high, answers in ((40, True), (9, False)):
        cover = ExactCover.from_rows(rows, 65, bounds=[*[(1, 1)] * 64, (0, high)])
        assert (learned(cover).outcome is not NO_ANSWER) == answers


def test_cpsat_has_no_turn_for_problems_that_search_solves_sooner() -> None:
    pieces = ExactCover.from_rows([[0, cell] for cell in range(1, 9)], 9)
    colours = ExactCover.from_rows([[0, (1, 1)], [0, (1, 2)]], 1, 1)
    bounded = ExactCover.from_rows([[0], [0]], 1, bounds=[(0, 2)])
    for cover in (pieces, colours, bounded):
        assert learned(cover).outcome is NO_ANSWER


@pytest.mark.long
def test_cpsat_helps_a_search_that_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    monkeypatch.setattr(first_cover_module, "FIRST_TURN_NODES", 1)  # its first turn comes at once, and is long
    monkeypatch.setattr(restarts, "CP_SAT_UNIT_WORK", 1)
    monkeypatch.setattr(Beside, "advance", lambda task, budget: setattr(task, "_spent", task.used + budget))
    found = solutions.Solutions(y_pentominoes(20, 20), limits=Limits(solutions=1))  # it checks its solutions
    assert len(list(found)) == 1
    assert found.choice is not None
    assert found.choice.kernel == "cpsat"


def test_an_interruption_stops_cpsat(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("concurrent.futures.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):  # the solver alone would take minutes
        solve_with_cpsat(y_pentominoes(35, 35))
