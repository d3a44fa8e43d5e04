from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import ExactCover
from puzzlec.engine.kernels.frontier import FrontierKernel
from tests import brute
from tests.engine.test_kernels import problems


def made(
    cover: ExactCover, order: list[int] | None = None, memory: int = 1 << 30, weights: list[int] | None = None
) -> FrontierKernel:
    return FrontierKernel(
        cover.arrays,
        order=order,
        memory=memory,
        weights=weights,
    )


def counted(kernel: FrontierKernel, budget: int = 1 << 40) -> int:
    while not kernel.finished:
        kernel.advance(budget)
        assert not kernel.too_wide
    return kernel.total()


def bars(rows: int, columns: int, lengths: tuple[int, ...] = (2,)) -> ExactCover:
    """Tilings of a rectangle by straight pieces of these lengths, any number of each."""
    options = []
    for row in range(rows):
        for column in range(columns):
            for length in lengths:
                if column + length <= columns:
                    options.append([row * columns + column + k for k in range(length)])
                if row + length <= rows and length > 1:
                    options.append([(row + k) * columns + column for k in range(length)])
    return ExactCover.from_rows(options, rows * columns)


def domino_tilings(rows: int, columns: int) -> int:
    """Domino tilings by the broken profile, written for dominoes alone."""
    layer = {0: 1}
    for cell in range(rows * columns):
        after: dict[int, int] = {}
        for profile, ways in layer.items():
            if profile & 1:
                choices = [profile >> 1]
            else:
                choices = [profile >> 1 | 1 << columns - 1]
                if (cell + 1) % columns and not profile & 2:
                    choices.append(profile >> 1 | 1)
            for choice in choices:
                after[choice] = after.get(choice, 0) + ways
        layer = after
    return layer.get(0, 0)


@given(problems(), st.randoms(use_true_random=False))
def test_the_frontier_counts_what_brute_force_finds_in_any_order(cover: ExactCover, random: object) -> None:
    number = len(brute.covers(cover))
    assert counted(made(cover)) == number
    order = list(range(cover.primary))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert counted(made(cover, order)) == number


@given(problems(), st.integers(0, 3))
def test_no_count_has_more_states_than_the_first_forecast(cover: ExactCover, begun: int) -> None:
    # In the first layers, a forecast is two to the power of the bits that live, layer by layer.
    kernel = made(cover)
    while not kernel.finished and kernel.progress[0] < begun:
        kernel.advance(1)
    expected, before = kernel.expected(), kernel.nodes_visited
    if not kernel.finished and kernel.progress[0] < 4:
        counted(kernel)
        assert kernel.nodes_visited - before <= expected


@given(problems(), st.integers(1, 3))
def test_a_count_in_small_slices_is_the_same(cover: ExactCover, budget: int) -> None:
    assert counted(made(cover), budget) == counted(made(cover))


@given(problems(), st.data())
def test_an_option_may_cover_an_item_several_times(cover: ExactCover, data: st.DataObject) -> None:
    weights = [data.draw(st.integers(1, 3)) if item < cover.primary else 1 for item in cover.items]
    number = 0
    loose = ExactCover.from_rows(
        [cover.entries(option) for option in range(len(cover))],
        cover.primary,
        cover.secondary,
        [(0, len(cover))] * cover.primary,
    )
    for chosen in brute.covers(loose):  # only secondary items and colours restrict these
        taken = [0] * cover.primary
        for option in chosen:
            for k in range(cover.starts[option], cover.starts[option + 1]):
                if cover.items[k] < cover.primary:
                    taken[cover.items[k]] += weights[k]
        number += all(a <= n <= b for n, a, b in zip(taken, cover.low, cover.high, strict=True))
    assert counted(made(cover, weights=weights)) == number


@pytest.mark.parametrize(
    ("n", "number"), [(4, 36), (6, 6728), (8, 12988816), (12, 53060477521960000), (16, 2444888770250892795802079170816)]
)
def test_dominoes_on_a_square_board_are_counted(n: int, number: int) -> None:  # OEIS A004003
    assert counted(made(bars(n, n))) == number


@pytest.mark.parametrize(("rows", "columns", "bits"), [(40, 8, 120), (60, 6, 100), (300, 6, 500)])
def test_numbers_of_more_than_a_word_are_exact(rows: int, columns: int, bits: int) -> None:
    number = counted(made(bars(rows, columns)))
    assert number == domino_tilings(rows, columns)
    assert number >> bits


def test_powers_of_two_and_factorials_are_exact_around_the_ends_of_words() -> None:
    for n in (62, 63, 64, 65, 127, 128, 129):
        assert counted(made(ExactCover.from_rows([[item] for item in range(n) for _ in range(2)], n))) == 2**n
    for n in (5, 9, 11):  # ways to seat n people on n chairs
        cover = ExactCover.from_rows([[a, n + b] for a in range(n) for b in range(n)], 2 * n)
        assert counted(made(cover)) == math.factorial(n)


def test_trominoes_and_repeated_bars_agree_with_each_order() -> None:
    cover = bars(5, 6, (1, 2, 3))
    number = counted(made(cover))
    assert number == counted(made(cover, order=list(range(30)))) == counted(made(cover, order=list(range(30))[::-1]))


@pytest.mark.parametrize(("n", "number"), [(4, 2), (6, 4), (8, 92)])
def test_queens_are_counted_with_secondary_diagonals(n: int, number: int) -> None:
    rows = [[r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1] for r in range(n) for c in range(n)]
    assert counted(made(ExactCover.from_rows(rows, 2 * n, 4 * n - 2))) == number


def test_colours_join_items_that_meet() -> None:
    # A chain of links with an end in one of three colours each: closed walks of length 40 in the triangle with loops.
    n, colours = 40, 3
    rows: list[list[int | tuple[int, int]]] = [
        [k, (n + k, 1 + a), (n + (k + 1) % n, 1 + b)] for k in range(n) for a in range(colours) for b in range(colours)
    ]
    assert counted(made(ExactCover.from_rows(rows, n, n))) == colours**n


def test_a_layer_that_does_not_fit_stops_the_count_until_there_is_more_memory() -> None:
    n = 12
    kernel = made(ExactCover.from_rows([[a, n + b] for a in range(n) for b in range(n)], 2 * n), memory=1 << 15)
    kernel.advance(1 << 40)
    assert kernel.too_wide
    assert not kernel.finished
    with pytest.raises(ValueError, match="not finished"):
        kernel.total()
    kernel.memory = 1 << 30
    assert counted(kernel) == math.factorial(n)


def test_a_count_that_needs_more_memory_first_drops_the_states_that_are_done() -> None:
    n = 12
    rows = [[n * y + x, n * y + x + 1] for y in range(n) for x in range(n - 1)]
    rows += [[at, at + n] for at in range(n * (n - 1))]
    cover = ExactCover.from_rows(rows, n * n)
    finished = []
    for size in range(48, 90, 2):  # with all states of both layers, it would need more than 72 kB
        kernel = made(cover, memory=size << 10)
        kernel.advance(1 << 40)
        assert kernel.finished != kernel.too_wide
        if kernel.finished:
            assert kernel.total() == 53_060_477_521_960_000
            finished.append(size)
    assert finished[0] <= 66
    assert finished[-1] == 88


def test_memory_bounds_the_tables() -> None:
    n = 16
    kernel = made(ExactCover.from_rows([[a, n + b] for a in range(n) for b in range(n)], 2 * n), memory=1 << 19)
    kernel.advance(1 << 40)
    assert kernel.too_wide
    assert kernel.bytes <= 1 << 19


def test_a_problem_without_items_has_one_cover_and_an_impossible_one_none() -> None:
    assert counted(made(ExactCover.from_rows([], 0))) == 1
    assert counted(made(ExactCover.from_rows([[0]], 2))) == 0


def test_an_incomplete_order_is_refused() -> None:
    with pytest.raises(ValueError, match="every primary item once"):
        made(bars(2, 2), order=[0, 1, 2])
