from __future__ import annotations

import threading
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.compiler import compile
from puzzlec.engine import ExactCover, Search
from puzzlec.engine.kernels.scan import AHEAD, FIRST_LISTED_OPTIONS, MAX_CELLS_REACHED, ScanKernel
from puzzlec.engine.search.count_tasks import Scan
from puzzlec.engine.search.counting import Counting, count_covers
from puzzlec.engine.search.race import Race, Schedule
from puzzlec.engine.search.shared_scan import SharedScan
from puzzlec.solving.solutions import Solutions
from tests import brute
from tests.engine.test_kernels import problems
from tests.tools.bench.regret import I3, L3, L4, O4, S4, T4, tiles


def scanned(cover: ExactCover, budget: int = 1 << 40) -> int | None:
    """The number of covers by a scan that stops after each ``budget`` nodes; None if it is no such board."""
    kernel = ScanKernel.of(cover.arrays)
    if kernel is None:
        return None
    last = 0.0
    while not kernel.finished:
        before = kernel.nodes_visited
        kernel.advance(budget)
        assert kernel.nodes_visited <= before + budget
        assert last <= kernel.fraction <= 1.0
        last = kernel.fraction
    assert last == 1.0
    return kernel.found


@given(problems(), st.integers(1, 5))
def test_a_scan_counts_like_brute_force(cover: ExactCover, budget: int) -> None:
    assert scanned(cover, budget) in (None, len(brute.covers(cover)))


def pieces(width: int, height: int, shapes: list[object], bounds: list[tuple[int, int]], late: bool) -> ExactCover:
    """Tilings of a rectangle by pieces with bounds. The pieces are the first or the last primary items."""
    cells, rows = width * height, []
    for number, shape in enumerate(shapes):
        single = tiles(width, height, shape)  # type: ignore[arg-type]
        for option in range(len(single)):
            places = [item for item, _ in single.entries(option)]
            rows.append([*places, cells + number] if late else [number, *(len(shapes) + place for place in places)])
    once = [(1, 1)] * cells
    return ExactCover.from_rows(rows, cells + len(shapes), bounds=[*once, *bounds] if late else [*bounds, *once])


BOUNDS = st.tuples(st.integers(0, 2), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    st.tuples(st.integers(2, 5), st.integers(3, 6)),
    st.lists(st.tuples(st.sampled_from([I3, L3, L4, O4, S4, T4]), BOUNDS), min_size=1, max_size=4),
    st.booleans(),
)
def test_copies_of_pieces_have_counters(
    size: tuple[int, int], some: list[tuple[object, tuple[int, int]]], late: bool
) -> None:
    shapes, bounds = [shape for shape, _ in some], [bound for _, bound in some]
    cover = pieces(*size, shapes, bounds, late)
    if len(cover):
        assert scanned(cover) == Search(cover, kernel="bits").count()


@pytest.mark.parametrize(
    ("name", "raw"),
    [("pentominoes/3x20", 8), ("pentominoes/5x12", 4040), ("pentominoes/4x15", 1472)],
)
def test_boards_of_different_pieces_have_the_published_counts(name: str, raw: int) -> None:
    assert scanned(compile(name).cover) == raw
    assert scanned(compile(name).cover, 100_003) == raw


def test_lists_that_outgrow_their_room_are_kept() -> None:
    kernel = ScanKernel.of(compile("pentominoes/6x10").cover.arrays)
    assert kernel is not None
    kernel.advance(1 << 40)
    assert len(kernel.lists.masks) > FIRST_LISTED_OPTIONS
    assert kernel.found == 9356


@pytest.mark.parametrize(("name", "raw"), [("pentominoes/6x10", 9356), ("pentominoes/4x15", 1472)])
def test_a_scan_wins_the_count_of_a_flat_board(name: str, raw: int) -> None:
    counting = Counting(compile(name).cover)
    assert counting.count() == raw
    assert counting.choice.kernel == "scan"


@pytest.mark.parametrize(("threads", "budget"), [(2, 1), (2, 7001), (3, 100_003), (5, 1 << 40), (40, 1 << 14)])
def test_threads_visit_the_nodes_of_one_thread(threads: int, budget: int) -> None:
    board = tiles(5, 4, I3, L4, T4, S4) if budget == 1 else compile("pentominoes/4x15").cover
    alone = ScanKernel.of(board.arrays)
    assert alone is not None
    shared = SharedScan(alone.board, threads)
    alone.advance(1 << 40)
    last = 0.0
    try:
        while not shared.finished:
            before = shared.nodes_visited
            shared.advance(budget)
            assert before < shared.nodes_visited <= before + budget
            assert last <= shared.fraction + 1e-9 <= 1.0 + 1e-9
            last = shared.fraction
        assert (shared.found, shared.nodes_visited) == (alone.found, alone.nodes_visited)
    finally:
        shared.close()


def test_an_error_in_a_thread_of_a_scan_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = ScanKernel.of(compile("pentominoes/4x15").cover.arrays)
    assert alone is not None
    shared = SharedScan(alone.board, 2)
    here, advance = threading.current_thread(), ScanKernel.advance

    def failing(kernel: ScanKernel, budget: int) -> None:
        if threading.current_thread() is not here:
            raise MemoryError
        advance(kernel, budget)

    monkeypatch.setattr(ScanKernel, "advance", failing)
    with pytest.raises(MemoryError):
        shared.advance(1 << 20)
    shared.close()


@given(problems(), st.integers(2, 4))
def test_a_scan_in_threads_counts_like_brute_force(cover: ExactCover, threads: int) -> None:
    alone = ScanKernel.of(cover.arrays)
    if alone is None:
        return
    shared = SharedScan(alone.board, threads)
    try:
        while not shared.finished:
            shared.advance(1 << 20)
        assert shared.found == len(brute.covers(cover))
    finally:
        shared.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_scan_ends_its_threads(threads: int) -> None:
    before = threading.active_count()
    counting = Counting(compile("pentominoes/5x12").cover, threads=threads)
    assert counting.count() == 4040
    assert counting.choice.kernel == "scan"
    assert threading.active_count() == before


def test_a_scan_counts_one_solution_of_each_orbit() -> None:
    assert Solutions(compile("pentominoes/6x10")).count() == 2339


def test_other_problems_are_no_boards() -> None:
    far = [list(range(0, MAX_CELLS_REACHED + 9, 8)), *([k] for k in range(MAX_CELLS_REACHED + 9))]
    for cover in (
        ExactCover.from_rows([[(0, 0), (1, 1)], [(0, 0), (1, 2)]], 1, 1),  # colours
        ExactCover.from_rows([[0]], 1, bounds=[(0, 2)]),  # an option without a cell
        ExactCover.from_rows(far, MAX_CELLS_REACHED + 9),  # an option that reaches too far, and not at the root
        ExactCover.from_rows([[0, k + 1] for k in range(70)], 1, 70, bounds=[(1, 1)]),  # too many counters
        ExactCover.from_rows([], 1),
    ):
        assert ScanKernel.of(cover.arrays) is None


def test_a_window_holds_the_longest_options_and_the_root() -> None:
    """A run of covered cells that is longer than the window, from a root that covers many of them."""
    cells = 3 * (MAX_CELLS_REACHED + AHEAD)
    rows = [list(range(1, cells - 1)), [0], [0], [cells - 1], [cells - 1]]
    cover = ExactCover.from_rows(rows, cells)
    assert scanned(cover) == 4


@pytest.mark.parametrize("width", range(1, 12))
def test_a_scan_counts_tilings_of_any_width(width: int) -> None:
    for height, shapes in product((2, 3, 4), ((I3, L3), (L4, O4), (T4,))):
        cover = tiles(width, height, *shapes)
        if len(cover):
            assert scanned(cover) == count_covers(cover, kernel="frontier").number


def test_a_cube_is_no_flat_board() -> None:
    task = Scan(compile("soma").cover)
    task.advance(1)
    assert task.outcome is not None
    assert (task.outcome.number, task.used) == (None, 0)


def test_the_progress_of_a_scan_grows_and_stays_below_the_whole() -> None:
    task, done = Scan(tiles(6, 6, I3, L3)), [0.0]
    while task.outcome is None:
        done.append(task.progress().fraction)
        task.advance(500)
    assert done == sorted(done)
    assert done[1] == 0 < done[-1] <= task.progress().fraction < 1


def test_a_problem_that_is_no_board_ends_the_turns_of_a_scan() -> None:
    cover = ExactCover.from_rows([[0]], 1, bounds=[(0, 2)])
    task = Scan(cover)
    task.advance(1)
    assert task.outcome is not None
    assert task.outcome.number is None
    assert task.used == 0
    race = Race(Scan(tiles(6, 6, I3, L3)), [(task, Schedule())])
    while race.advance():
        pass
    assert race.outcome is not None
    assert race.outcome.number == count_covers(tiles(6, 6, I3, L3), kernel="frontier").number
