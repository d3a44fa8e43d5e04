"""Many small problems in one process, and the ways to a first cover."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from puzzlec.engine import (
    ExactCover,
    Limits,
    Search,
    Stop,
    UnfinishedError,
    count,
    count_each,
    first,
    first_cover,
    is_unique,
)
from puzzlec.engine.search import first_cover as first_cover_module
from puzzlec.engine.search import selection
from puzzlec.solving.solutions import Solutions
from tests.engine.test_counting import queens
from tests.engine.test_kernels import problems

TINY = ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}])


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has searched nothing yet."""
    monkeypatch.setattr(selection, "experience", selection.Experience())


@pytest.mark.usefixtures("fresh")
@pytest.mark.skipif(not selection.has_numba(), reason="there is no compiled kernel")
def test_many_small_searches_change_to_a_compiled_kernel_as_one_long_search_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection, "PROCESS_NODES", 300)
    kernels = []
    for _ in range(12):
        search = Search(queens(6))
        assert search.count() == 4
        kernels.append(search.choice.kernel)
    assert kernels[0] == "python"
    assert kernels[-1] == "bits"
    assert kernels == sorted(kernels, key=lambda kernel: kernel != "python"), "it never changes back"


@pytest.mark.usefixtures("fresh")
def test_a_search_with_another_kernel_leaves_the_count_of_nodes_alone() -> None:
    Search(queens(6), kernel="python").count()
    assert selection.experience.python_nodes == 0
    search = Search(queens(6))
    search.count()
    assert selection.experience.python_nodes == search.nodes


@pytest.mark.usefixtures("fresh")
def test_a_tiny_problem_stays_in_plain_python_when_a_kernel_is_ready() -> None:
    selection.experience.kernels.add("bits")
    search = Search(TINY)
    assert (search.count(), search.choice.kernel) == (2, "python")
    assert not selection.begins_in_python(queens(6)) or not selection.has_numba()


def test_few_entries_with_many_covers_are_counted_by_the_other_ways() -> None:
    cover = ExactCover.from_rows([[item] for item in range(21) for _ in range(3)], primary=21)
    assert selection.is_tiny(cover)
    assert count(cover) == 3**21


@given(problems())
def test_a_tiny_problem_has_the_answers_of_a_search(cover: ExactCover) -> None:
    found = list(Search(cover))
    assert count(cover) == len(found)
    assert [count(cover, limit=limit) for limit in (0, 1, 2)] == [min(limit, len(found)) for limit in (0, 1, 2)]
    assert is_unique(cover) == (len(found) == 1)
    assert first(cover) == (found[0] if found else None)


def test_counts_of_several_problems_come_one_by_one() -> None:
    asked = []

    def several() -> Iterator[ExactCover]:
        for size in (4, 5, 6):
            asked.append(size)
            yield queens(size)

    numbers = count_each(several())
    assert (next(numbers), asked) == (2, [4])
    assert list(numbers) == [10, 4]
    assert list(count_each([queens(5), TINY], limit=2)) == [2, 2]
    with pytest.raises(UnfinishedError) as caught:
        list(count_each([queens(12)], seconds=0))
    assert caught.value.reason is Stop.SECONDS


@pytest.mark.skipif(not selection.has_numba(), reason="random searches take long")
def test_all_three_ways_to_a_first_cover_share_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_cover_module, "FIRST_TURN_NODES", 1)
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 1)
    cover = queens(20)
    in_order = next(iter(Search(cover)))
    found = first_cover(cover)
    assert found.options not in (None, in_order), "random searches found another cover before"
    assert first(cover) == found.options
    solutions = Solutions(cover, limits=Limits(solutions=1), symmetry="none")
    assert len(list(solutions)) == 1
    assert solutions.choice is not None
    assert solutions.choice.kernel == "restarts"


def test_a_first_cover_that_a_limit_prevents_is_an_error_and_not_none() -> None:
    assert first_cover(queens(12), seconds=0).stopped is Stop.SECONDS
    for ask in (lambda: first(queens(12), seconds=0), lambda: is_unique(queens(12), seconds=0)):
        with pytest.raises(UnfinishedError, match=r"^stopped at the limit of time"):
            ask()
    assert first(ExactCover.from_rows([[0]], primary=2)) is None
    assert first_cover(ExactCover.from_rows([[0]], primary=2)).proved


def test_the_same_limit_given_twice_and_a_limit_that_means_nothing_are_errors() -> None:
    with pytest.raises(ValueError, match=r"^duplicate limit: `limit` is also in `limits`$"):
        count(TINY, limits=Limits(solutions=1), limit=2)
    with pytest.raises(ValueError, match=r"^cannot limit `solutions` here: the limits are seconds, nodes$"):
        first_cover(TINY, limits=Limits(solutions=1))
    with pytest.raises(TypeError, match=r"^`limits` must be of type Limits, not int: use `limit=5`$"):
        count(TINY, limits=5)  # type: ignore[arg-type]
