"""Problems of a few hundred options: large enough for new stages, tallies and the hand-over to the bit sets."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Limits, Search
from puzzlec.engine.kernels import bits, buffered, lists
from puzzlec.engine.kernels.bits import BitsKernel
from puzzlec.engine.kernels.lists import ListsKernel
from puzzlec.engine.progress import fraction_done
from puzzlec.engine.search import selection
from tests.covers import lists_alone
from tests.docs_blocks import ROOT

NODES = 1500


def problem(seed: int) -> ExactCover:
    """A random problem, half of them with bounds, half with secondary items and colours."""
    chance = random.Random(seed)
    primary, secondary = chance.randint(8, 40), chance.choice([0, 0, 5, 20])
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(chance.randint(150, 400)):
        own: list[int | tuple[int, int]] = [*chance.sample(range(primary), min(primary, chance.randint(1, 4)))]
        if secondary:
            others = {chance.randrange(primary, primary + secondary): chance.randint(0, 3) for _ in range(2)}
            own += others.items()
        rows.append(own)
    bounds = [(1, 1)] * primary
    if chance.random() < 0.5:
        for item in chance.sample(range(primary), chance.randint(1, 3)):
            low = chance.choice([0, 0, 1, 2])
            bounds[item] = (low, low + chance.choice([0, 1, 3]))
    return ExactCover.from_rows(rows, primary, secondary, bounds)


@given(st.integers(0, 2**32), st.sampled_from([1, 7, 400]))
@settings(max_examples=15, deadline=None)
def test_stages_and_the_hand_over_change_nothing(seed: int, budget: int) -> None:
    cover = problem(seed)
    search = Search(cover, limits=Limits(nodes=NODES), kernel="python")
    wanted = list(search)
    for name in ("bits", "lists"):
        kernel = selection.make(cover, name)
        found = []
        while not kernel.finished and kernel.nodes_visited < NODES:
            found += kernel.covers(min(budget, NODES - kernel.nodes_visited))
        assert found == wanted
        assert kernel.nodes_visited == search.nodes
        assert sum(kernel.profile) == search.nodes


@pytest.mark.parametrize("seed", range(6))
def test_the_items_of_last_time_change_nothing(seed: int) -> None:
    chance = random.Random(seed)
    rows = [chance.sample(range(48), chance.randint(3, 7)) for _ in range(500)]
    cover = ExactCover.from_rows(rows, 48)
    wanted, kernel = (selection.make(cover, name) for name in ("python", "bits"))
    for budget in (1, 7, 100, 5000):
        assert kernel.covers(budget) == wanted.covers(budget)
    assert kernel.nodes_visited == wanted.nodes_visited
    assert kernel.profile == wanted.profile
    assert isinstance(kernel, BitsKernel)
    victims = kernel.tables.victims[: len(cover)]
    assert np.count_nonzero(victims) > 50
    assert kernel.tables.stages[0, bits.ITEM_BLOCKS] * kernel.tables.stages[0, bits.LENGTH] > bits.MIN_VECTORS_TO_GUESS


def sudoku(order: int, given: int, seed: int = 5) -> ExactCover:
    """A sudoku of a shifted grid, of which the first ``given`` cells of a shuffled list are given."""
    n = order * order
    chance = random.Random(seed)
    cells = [(r, c) for r in range(n) for c in range(n)]
    chance.shuffle(cells)
    known = {(r, c): (order * r + r // order + c) % n for r, c in cells[:given]}
    rows = []
    for r, c in sorted(cells):
        for v in range(n) if (r, c) not in known else [known[r, c]]:
            box = r // order * order + c // order
            rows.append([r * n + c, n * n + r * n + v, 2 * n * n + c * n + v, 3 * n * n + box * n + v])
    return ExactCover.from_rows(rows, 4 * n * n)


def test_many_items_with_few_conflicts_are_tallied_and_few_options_are_renumbered() -> None:
    cover = sudoku(4, 120)
    kernel = selection.make(cover, "bits")
    assert isinstance(kernel, BitsKernel)
    found = kernel.count(60_000)
    stages = kernel.tables.stages
    assert stages[0, bits.TALLIED]
    assert 0 < stages[1, bits.OPTIONS] < stages[0, bits.OPTIONS]
    again = selection.make(cover, "lists")
    assert (again.count(60_000), again.profile) == (found, kernel.profile)


def test_lists_hands_subtrees_over_and_learns_which_are_worth_it() -> None:
    cover = sudoku(4, 120)
    kernel = selection.make(cover, "lists")
    assert isinstance(kernel, ListsKernel)
    kernel.count(20_000)
    assert kernel.inside.inner[buffered.NODES] > 0
    board = [[8 * y + x, 8 * y + x + 1] for y in range(8) for x in range(7)]
    board += [[at, at + 8] for at in range(56)]
    chance = random.Random(5)
    long = [chance.sample(range(60), 15) for _ in range(2000)]
    assert learnt(ExactCover.from_rows(board, 64), 60) > 60  # dominoes: subtrees are large
    assert learnt(ExactCover.from_rows(long, 60), 600) < 600  # random long options: nearly all subtrees die at once


def learnt(cover: ExactCover, few: int) -> int:
    """Search with a limit of options for subtrees, and return what becomes of it."""
    kernel = selection.make(cover, "lists")
    assert isinstance(kernel, ListsKernel)
    kernel.state[lists.FEW] = few
    kernel.count(100_000)
    return int(kernel.state[lists.FEW])


@pytest.mark.parametrize("name", ["bits", "lists"])
def test_the_position_of_a_kernel_is_that_of_the_python_kernel(name: str) -> None:
    cover = sudoku(3, 26)
    one, two = selection.make(cover, "python"), selection.make(cover, name)
    for _ in range(12):
        one.count(37)
        two.count(37)
        assert two.nodes_visited == one.nodes_visited
        # One may be at the end of a level that the other has already left: the fraction is the same.
        assert fraction_done(two.position()) == pytest.approx(fraction_done(one.position()))


@pytest.mark.parametrize("seed", [105, 1002])
def test_tallies_survive_stages_that_work_with_planes(seed: int) -> None:
    # Here the first stage has tallies, the second planes, and there is a third. Each must leave the rows of the others.
    cover = sudoku(4, random.Random(seed).randint(60, 140), seed)
    search = Search(cover, kernel="python")
    number = search.count()
    for name in ("bits", "lists"):
        again = Search(cover, kernel=name)
        assert (again.count(), again.nodes, again.complete) == (number, search.nodes, True)


@given(st.integers(0, 2**32), st.integers(30, 250))
@settings(max_examples=15, deadline=None)
def test_many_hand_overs_in_one_search_change_nothing(seed: int, few: int) -> None:
    cover = problem(seed)
    search = Search(cover, limits=Limits(nodes=NODES), kernel="python")
    wanted = list(search)
    kernel = selection.make(cover, "lists")
    assert isinstance(kernel, ListsKernel)
    found = []
    while not kernel.finished and kernel.nodes_visited < NODES:
        kernel.state[lists.FEW] = few
        found += kernel.covers(min(100, NODES - kernel.nodes_visited))
    assert (found, kernel.nodes_visited, sum(kernel.profile)) == (wanted, search.nodes, search.nodes)


@pytest.mark.long
def test_more_items_than_entries_are_not_handed_over() -> None:
    # Once the shared item is covered, thousands of items without needs and options are left.
    number = 17_000
    cover = ExactCover.from_rows([[item, number] for item in range(number)], number, 1, [(0, 1)] * number)
    assert selection.choose(cover).kernel == "lists"
    kernel = selection.make(cover, "lists")
    assert kernel.count(40_000) >= 1


def test_an_item_without_options_ends_a_search_with_tallies_at_once() -> None:
    whole = sudoku(4, 120)
    cover = whole.subset([option for option in range(len(whole)) if 700 not in whole.row(option)])
    for name in ("python", "bits", "lists"):
        search = Search(cover, kernel=name)
        assert (search.count(), search.nodes) == (0, 0)


@given(st.integers(0, 2**32), st.sampled_from([3, 400]))
@settings(max_examples=15, deadline=None)
def test_lists_that_become_shorter_and_longer_again_change_nothing(seed: int, budget: int) -> None:
    cover = problem(seed)
    search = Search(cover, limits=Limits(nodes=NODES), kernel="python")
    wanted = list(search)
    kernel = lists_alone(cover)
    found = []
    while not kernel.finished and kernel.nodes_visited < NODES:
        found += kernel.covers(min(budget, NODES - kernel.nodes_visited))
    assert (found, kernel.nodes_visited, sum(kernel.profile)) == (wanted, search.nodes, search.nodes)


def test_a_level_that_passes_over_many_options_has_shorter_lists() -> None:
    # Three pieces of two cells on a line whose cells may stay empty: each has options everywhere.
    pieces, cells = 3, 20
    cover = ExactCover.from_rows(
        [[piece, pieces + cell, pieces + cell + 1] for piece in range(pieces) for cell in range(cells - 1)],
        pieces,
        cells,
    )
    kernel = lists_alone(cover)
    entries, used = len(cover.items), kernel.searched.lists
    covers = []
    while not kernel.finished:
        covers += kernel.covers(7)
    assert used.tops[1] < 3 * entries // 2
    assert used.tops[1] > entries
    assert used.progress[lists.SET] == 0
    assert covers == list(Search(cover, kernel="python"))


def test_a_search_in_the_tables_of_an_earlier_one_walks_the_same_tree() -> None:
    def walked(cover: ExactCover) -> tuple[BitsKernel, list[tuple[int, ...]], list[int]]:
        kernel = BitsKernel(cover.arrays)
        found = []
        while not kernel.finished and kernel.nodes_visited < NODES:
            found += kernel.covers(NODES - kernel.nodes_visited)
        return kernel, found, kernel.profile

    covers = [cover for cover in map(problem, range(40)) if all(high == 1 for high in cover.high)]
    bits.waiting.clear()
    alone = []
    for cover in covers:
        alone.append(walked(cover)[1:])
        bits.waiting.clear()
    again = []
    made = set()
    for cover in covers:
        kernel, found, profile = walked(cover)
        made.add(kernel.tables.compatible.ctypes.data)
        del kernel
        again.append((found, profile))
    assert again == alone
    assert len(made) < len(covers) / 2, "few tables serve all of them"


def test_two_searches_at_a_time_never_share_tables() -> None:
    cover = problem(0)
    BitsKernel(cover.arrays)
    first, second = BitsKernel(cover.arrays), BitsKernel(cover.arrays)
    assert first.tables.compatible is not second.tables.compatible
    assert first.levels.alive is not second.levels.alive


@pytest.mark.parametrize("shift", [0, 1 << 28])
def test_colours_have_the_same_rows_however_large_their_numbers_are(shift: int) -> None:
    chance = np.random.default_rng(3)
    items, colours = (chance.integers(0, most, 400, dtype=np.int32) for most in (20, 4))
    rows, item_of = bits.coloured_rows(20, items, np.where(colours > 0, colours + shift, 0).astype(np.int32))
    pairs = sorted({(item, colour) for item, colour in zip(items.tolist(), colours.tolist(), strict=True) if colour})
    wanted = [
        20 + pairs.index((item, colour)) if colour else item
        for item, colour in zip(items.tolist(), colours.tolist(), strict=True)
    ]
    assert rows.tolist() == wanted
    assert item_of.tolist() == [-1] * 20 + [item for item, _ in pairs]


def test_a_kernel_that_lives_until_python_ends_leaves_without_a_word() -> None:
    script = """
import puzzlec
import puzzlec.engine as holder
from puzzlec.engine.kernels.bits import BitsKernel

holder.kept = BitsKernel(puzzlec.compile("soma").cover.arrays)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
