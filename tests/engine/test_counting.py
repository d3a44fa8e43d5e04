from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine.reduction.components import parts
from puzzlec.engine.search import count_tasks, counting, selection
from puzzlec.engine.search.count_tasks import Components, FrontierTooWideError, Instead, Layers, Reduced
from puzzlec.engine.search.counting import count_covers
from puzzlec.engine.search.race import Quick, Race, RaceOutcome, Schedule
from puzzlec.engine.search.selection import KernelChoice, KernelName
from puzzlec.engine.search.tree_search import TreeSearch
from tests import brute
from tests.engine.test_frontier import bars
from tests.engine.test_kernels import problems


def seats(n: int) -> ExactCover:
    """Ways to seat n people on n chairs: the factorial."""
    return ExactCover.from_rows([[a, n + b] for a in range(n) for b in range(n)], 2 * n)


def beside(one: ExactCover, two: ExactCover) -> ExactCover:
    """Two independent problems as one problem."""
    rows: list[list[int | tuple[int, int]]] = []
    for cover, first, second in ((one, 0, one.primary + two.primary), (two, one.primary, one.primary + two.primary)):
        skip = one.secondary if cover is two else 0
        for option in range(len(cover)):
            row: list[int | tuple[int, int]] = []
            for item, colour in cover.entries(option):
                row.append(first + item if item < cover.primary else (second + skip + item - cover.primary, colour))
            rows.append(row)
    bounds = [*zip(one.low, one.high, strict=True), *zip(two.low, two.high, strict=True)]
    return ExactCover.from_rows(rows, one.primary + two.primary, one.secondary + two.secondary, bounds)


@pytest.mark.parametrize("kernel", ["auto", "python", "lists", "bits", "frontier"])
def test_every_way_to_count_gives_the_number_of_brute_force(kernel: KernelName) -> None:
    @given(problems())
    def check(cover: ExactCover) -> None:
        counted = count_covers(cover, kernel=kernel)
        assert counted.number == len(brute.covers(cover))
        assert counted.stopped is None

    check()


@given(problems(), st.integers(0, 3))
def test_turns_give_the_same_number_as_a_search(cover: ExactCover, patience: int) -> None:
    # With little patience everything is counted after plain Python: by frontier, components and search.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "NODES_BEFORE_NUMBA", patience)
        patch.setattr(counting, "REDUCTION_NODES", 1)
        assert count_covers(cover).number == Search(cover, kernel="python").count()


@given(problems(), problems())
def test_components_have_the_product_of_their_numbers(one: ExactCover, two: ExactCover) -> None:
    both = beside(one, two)
    number = Search(one, kernel="python").count() * Search(two, kernel="python").count()
    assert count_covers(both, kernel="frontier").number == number
    apart = parts(both)
    product = 2**apart.free if apart.possible else 0
    for part in apart.covers:
        part.verify()
        product *= Search(part, kernel="python").count()
    assert product == number


def searching(cover: ExactCover) -> Race:
    return Race(TreeSearch(cover, "python", 1, exact=False), ())


def ended(task: Instead) -> RaceOutcome:
    """The outcome of a task, whose progress never falls and is below the whole before."""
    before = 0.0
    while task.outcome is None:
        task.advance(1)
        now = task.progress().fraction
        assert before <= now < 1
        before = now
    return task.outcome


@given(problems(), problems())
def test_only_a_problem_of_several_parts_is_counted_part_by_part(one: ExactCover, two: ExactCover) -> None:
    both = beside(one, two)
    apart = parts(both)
    several = len(apart.covers) != 1 or apart.free
    number = ended(Components(both, searching)).number
    assert number == (Search(both, kernel="python").count() if several else None)


@given(problems())
def test_a_reduced_problem_has_the_number_of_the_whole_one(cover: ExactCover) -> None:
    number = ended(Reduced(cover, searching)).number
    assert number in (None, Search(cover, kernel="python").count())


def test_only_a_much_smaller_problem_is_counted_instead() -> None:
    corner = ExactCover.from_rows([[0], [0, 1], [1, 2], [2], [2, 3], [1, 3]], 4)  # item 0 has one useful option
    assert ended(Reduced(corner, searching)).number == 2
    assert ended(Reduced(seats(4), searching)).number is None


def test_a_problem_of_many_boards_is_counted_at_once() -> None:
    board = bars(4, 4)
    whole = board
    for _ in range(49):
        whole = beside(whole, board)
    counted = count_covers(whole)
    assert counted.number == 36**50
    assert len(parts(whole).covers) == 50
    assert counted.states < 10000  # all options are equal, so only one was counted


def test_items_without_effect_do_not_connect_a_problem() -> None:
    board = bars(4, 4)
    rows = [[*board.row(option), 16] for option in range(len(board))]
    rows += [[16, 17 + k] for k in range(70)]
    cover = ExactCover.from_rows(rows, 87, 0, [(1, 1)] * 16 + [(0, len(rows))] + [(0, 1)] * 70)
    assert count_covers(cover).number == 36 << 70
    assert [part.primary for part in parts(cover).covers] == [16]
    assert parts(cover).free == 70


@pytest.mark.parametrize(("n", "number"), [(8, 12988816), (10, 258584046368), (14, 112202208776036178000000)])
def test_dominoes_are_counted_without_a_long_search(n: int, number: int) -> None:  # OEIS A004003
    counted = count_covers(bars(n, n))
    assert (counted.number, counted.method, counted.stopped) == (number, "frontier", None)
    assert counted.states > 0


def queens(n: int) -> ExactCover:
    rows = [[r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1] for r in range(n) for c in range(n)]
    return ExactCover.from_rows(rows, 2 * n, 4 * n - 2)


@pytest.mark.parametrize(("n", "number", "memory"), [(10, 724, 1 << 15), (12, 14200, 1 << 18)])
def test_a_frontier_that_does_not_fit_gives_way_to_a_search(
    n: int, number: int, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 10)
    monkeypatch.setattr(counting, "REDUCTION_NODES", 1000)
    monkeypatch.setattr(counting, "REDUCTION_END_FRACTION", 1.1)
    monkeypatch.setattr(counting, "FRONTIER_TURNS", counting.FRONTIER_TURNS._replace(worth=1.0))
    counted = count_covers(queens(n), limits=Limits(memory=memory))  # OEIS A000170
    assert counted.number == number
    assert counted.method in ("bits", "lists")
    assert counted.states > 0
    with pytest.raises(FrontierTooWideError, match=rf"layer \d+ of {n} has more than .* {memory:,} bytes"):
        count_covers(queens(n), limits=Limits(memory=memory), kernel="frontier")


@pytest.mark.long
def test_an_incomplete_count_says_that_its_layers_needed_more_memory(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 10)
    assert count_covers(seats(20), limits=Limits(seconds=3.0, memory=1 << 15)).stopped is Stop.SECONDS
    assert "limit of memory: layer" in caplog.text
    caplog.clear()
    assert count_covers(seats(6), limits=Limits(memory=1 << 15)).number == 720
    assert count_covers(seats(20), limits=Limits(solutions=5, memory=1 << 15)).stopped is Stop.SOLUTIONS
    assert not caplog.text


def test_numbers_beyond_two_and_four_words_are_exact() -> None:
    assert count_covers(seats(16)).number == math.factorial(16)
    assert count_covers(bars(8, 40)).number == 43778578308070520454643930160388065413
    assert count_covers(bars(4, 300)).number > 1 << 256


@given(problems(), st.integers(0, 30))
def test_a_limit_of_nodes_stops_as_a_search_does(cover: ExactCover, nodes: int) -> None:
    search = Search(cover, limits=Limits(nodes=nodes))
    number = search.count()
    counted = count_covers(cover, limits=Limits(nodes=nodes))
    assert (counted.number, counted.nodes, counted.stopped) == (number, search.nodes, search.stopped)


def test_limits_of_solutions_and_time_hold() -> None:
    counted = count_covers(bars(8, 8), limits=Limits(solutions=1000))
    assert (counted.number, counted.stopped) == (1000, Stop.SOLUTIONS)
    counted = count_covers(bars(24, 24), limits=Limits(seconds=0.3))
    assert counted.stopped is Stop.SECONDS
    with pytest.raises(ValueError, match="no limit of solutions or nodes"):
        count_covers(bars(2, 2), limits=Limits(nodes=3), kernel="frontier")


def test_a_kernel_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kernel 'abacus'"):
        count_covers(bars(2, 2), kernel="abacus")  # type: ignore[arg-type]


def test_the_same_problem_is_counted_in_the_same_way_each_time() -> None:
    _, one, two = (count_covers(bars(9, 10)) for _ in range(3))  # the first one may load a kernel
    assert (one.number, one.method, one.nodes, one.states) == (two.number, two.method, two.nodes, two.states)


def test_the_reason_for_a_choice_estimates_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "experience", used := selection.Experience())
    used.kernels.add("bits")
    # 6,728 tilings of 6x6 with dominoes; the frontier of 10x10 soon ends, and the search has hardly begun.
    for size, method in ((6, "bits"), (10, "frontier")):
        board = bars(size, size)
        count = counting.Counting(board)
        count.count()
        assert count.choice.kernel == method
        assert ("; the search would need about " in count.choice.reason) is (method == "frontier")
        if method == "frontier":
            assert count.choice.reason.endswith(f"the frontier needed {count_tasks.about(count.states)} states")


@pytest.mark.parametrize(
    ("left", "words"), [(math.inf, "too many states"), (3000.0, "about 8,000 states"), (95.0, "about 5,100 states")]
)
def test_a_search_that_won_reports_the_needs_of_the_frontier(left: float, words: str) -> None:
    class Far(Quick):
        states = 5000

        def expected(self) -> float:
            return left

    leader = TreeSearch(bars(2, 2), "python", 1, exact=False)
    leader.before = 1.0
    race = Race(leader, [(Far(RaceOutcome), Schedule())])
    found = count_tasks.with_estimate(KernelChoice("bits", "it was asked for"), race)
    assert found == KernelChoice("bits", f"it was asked for; the frontier would need {words}")


def test_layers_expect_an_end_once_they_have_begun() -> None:
    pytest.importorskip("numba")
    layers = Layers(seats(7), 2**20, None, KernelChoice("frontier", "it was asked for"))
    assert (layers.expected(), layers.used) == (math.inf, 0)
    done = [layers.progress().fraction]
    while layers.outcome is None:
        layers.advance(1)
        assert layers.expected() < math.inf
        now = layers.progress()
        assert now.solutions == 0  # no state is a solution before the last layer
        done.append(now.fraction)
    assert layers.outcome.number == math.factorial(7)
    assert done == sorted(done)
    assert 0 == done[0] < done[-2] < 1
