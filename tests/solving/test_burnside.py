from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from itertools import chain, combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.compiler import compile
from puzzlec.engine import Limits, Search
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.count_tasks import FrontierTooWideError
from puzzlec.engine.search.counting import Counted, count_covers
from puzzlec.engine.search.selection import KernelName
from puzzlec.ir import Puzzle
from puzzlec.lower import Symmetry, symmetry
from puzzlec.lower.covering import Encoding
from puzzlec.solving import burnside
from puzzlec.solving.burnside import Fixed, count_distinct, fixed, unweighted
from tests import brute
from tests.strategies import puzzles


def encoded(what: Puzzle | str) -> Encoding:
    return compile(what)


@given(puzzles())
def test_distinct_counts_are_those_of_brute_force(puzzle: Puzzle) -> None:
    encoding = encoded(puzzle)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == brute.orbits(puzzle)


@given(puzzles())
def test_what_an_element_fixes_is_counted_with_and_without_weights(puzzle: Puzzle) -> None:
    encoding = encoded(puzzle)
    group = symmetry(encoding)
    covers = list(Search(encoding.cover))
    for element in range(len(group)):
        same = fixed(encoding.cover, group, element)
        options = group.options[element]
        number = sum(tuple(sorted(options[o] for o in cover)) == cover for cover in covers)
        assert Search(unweighted(same)).count() == number
        if same.weights is not None:
            assert count_covers(same.cover, kernel="frontier", weights=same.weights).number == number


@st.composite
def weighted(draw: st.DrawFn) -> Fixed:
    """A random small problem. Options may cover a primary item several times."""
    primary, secondary = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 5))):
        own = draw(st.sets(st.integers(0, primary - 1), min_size=1))
        others = draw(st.sets(st.integers(primary, primary + secondary - 1))) if secondary else set()
        rows.append([*sorted(own), *((item, draw(st.integers(0, 2))) for item in sorted(others))])
    bounds = [draw(st.sampled_from([(1, 1), (2, 2), (0, 3), (1, 3)])) for _ in range(primary)]
    cover = ExactCover.from_rows(rows, primary, secondary, bounds)
    return Fixed(cover, array("i", [draw(st.integers(1, 3)) if item < primary else 1 for item in cover.items]))


def covers_with_weights(same: Fixed) -> int:
    """Count the covers by trying every set of options."""
    cover, weights = same.cover, same.weights
    assert weights is not None
    entries = [range(cover.starts[option], cover.starts[option + 1]) for option in range(len(cover))]
    found = 0
    for size in range(len(cover) + 1):
        for chosen in combinations(entries, size):
            there = list(chain.from_iterable(chosen))
            sums = [sum(weights[k] for k in there if cover.items[k] == item) for item in range(cover.primary)]
            met = [
                [cover.colours[k] for k in there if cover.items[k] == cover.primary + s] for s in range(cover.secondary)
            ]
            bounds = zip(cover.low, sums, cover.high, strict=True)
            found += all(low <= number <= high for low, number, high in bounds) and all(
                len(colours) < 2 or (0 not in colours and len(set(colours)) == 1) for colours in met
            )
    return found


@given(weighted())
def test_removing_weights_keeps_the_number_of_covers(same: Fixed) -> None:
    assert Search(unweighted(same)).count() == covers_with_weights(same)


def test_options_of_an_orbit_keep_the_items_that_they_share_with_others() -> None:
    # Option 0 covers item 0 once and item 1 twice; it shares item 2 in colour 1 with option 1, and option 2 has 2.
    rows: list[list[int | tuple[int, int]]] = [[0, 1, (2, 1)], [1, (2, 1)], [1, (2, 2)], [0, 2]]
    cover = ExactCover.from_rows(rows, 2, 1, [(1, 1), (3, 3)])
    same = Fixed(cover, array("i", [1, 2, 1, 1, 1, 1, 1, 1, 1]))
    assert [tuple(o for o in found if o < 4) for found in Search(unweighted(same))] == [(0, 1)]


def test_what_covers_each_item_once_needs_no_weights() -> None:
    pair, single = array("i", [1, 0]), array("i", [0])
    # Two options that a half turn swaps, on two locations: the orbit covers one location of each orbit once ...
    cover = ExactCover.from_rows([[0], [1]], 2)
    half_turn = Symmetry((array("i", [0, 1]), pair), (array("i", [0, 1]), pair))
    same = fixed(cover, half_turn, 1)
    assert (same.weights, same.cover.primary, len(same.cover)) == (None, 1, 1)
    # ... and twice the item that counts the copies of a piece.
    copies = ExactCover.from_rows([[0, 2], [1, 2]], 3, 0, [(1, 1), (1, 1), (2, 2)])
    swap = array("i", [1, 0, 2])
    weights = fixed(copies, replace(half_turn, items=(array("i", [0, 1, 2]), swap)), 1).weights
    assert weights is not None
    assert sorted(weights) == [1, 2]
    nothing = Symmetry((array("i"), array("i")), (single, single))
    assert fixed(ExactCover.from_rows([], 1), nothing, 1).weights is None


def dominoes(n: int) -> Encoding:
    puzzle = puzzlec.parse(f'puzzle "D"\nlocations box {n}x{n}\npiece D x{n * n // 2} {{ xx }}')
    assert isinstance(puzzle, Puzzle)
    return encoded(puzzle)


@pytest.mark.parametrize(
    ("n", "number"),
    [(2, 1), (4, 9), (6, 930), (8, 1629189), (10, 32324350352), (12, 6632560613086062)],  # OEIS A045694's even terms
)
def test_dominoes_are_counted_without_a_search(n: int, number: int) -> None:
    encoding = dominoes(n)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == number


@pytest.mark.parametrize(
    ("name", "number"),
    [("soma", 240), ("polyominoes/trominoes-4x9", 10569), ("new/tiles", 1), ("dominoes/aztec-diamond", 168)],
)
def test_puzzles_of_the_catalogue_have_their_known_numbers(name: str, number: int) -> None:
    encoding = encoded(name)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == number


@pytest.mark.parametrize("kernel", ["python", "bits", "frontier"])
def test_every_kernel_gives_the_same_number(kernel: KernelName) -> None:
    encoding = dominoes(4)
    counted = count_distinct(encoding.cover, symmetry(encoding), kernel=kernel)
    assert counted is not None
    assert counted.number == 9


def test_weights_beyond_the_memory_of_a_frontier_are_counted_by_search(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = []

    def without_weights(cover: ExactCover, weights: object = None, **more: object) -> Counted:
        if weights is not None:
            refused.append(weights)
            raise FrontierTooWideError
        return count_covers(cover)

    monkeypatch.setattr(burnside, "count_covers", without_weights)
    encoding = dominoes(6)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == 930
    assert refused


def test_a_limit_of_time_gives_no_number() -> None:
    encoding = dominoes(12)
    assert count_distinct(encoding.cover, symmetry(encoding), Limits(seconds=0.0)) is None
    with pytest.raises(ValueError, match="complete counts"):
        count_distinct(encoding.cover, symmetry(encoding), Limits(nodes=5))


@dataclass(frozen=True)
class Asked:
    """A count for Burnside's lemma: its seconds, its method, and its result."""

    seconds: float | None
    kernel: KernelName
    weighted: bool
    found: Counted


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """All counts."""
    every: list[Asked] = []

    def noted(cover: ExactCover, *, limits: Limits, kernel: KernelName, weights: array[int] | None = None) -> Counted:
        found = count_covers(cover, limits=Limits(memory=limits.memory), kernel=kernel, weights=weights)
        every.append(Asked(limits.seconds, kernel, weights is not None, found))
        return found

    monkeypatch.setattr(burnside, "count_covers", noted)
    return every


def test_the_time_limit_is_shared_by_all_counts(asked: list[Asked], monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100))
    monkeypatch.setattr(burnside, "time", SimpleNamespace(monotonic=lambda: float(next(now))))
    encoding = dominoes(4)
    counted = count_distinct(encoding.cover, symmetry(encoding), Limits(seconds=3.0))
    assert counted is not None
    # Each reading moves the clock by a second.
    assert [term.seconds for term in asked] == [2.0, 1.0, 0.0, 0.0, 0.0]
    assert counted.seconds == 1.0 + len(asked)


@pytest.mark.parametrize("kernel", ["python", "frontier"])
def test_the_result_has_the_work_of_all_counts_and_the_method_of_the_identity(
    kernel: KernelName, asked: list[Asked]
) -> None:
    encoding = dominoes(4)
    counted = count_distinct(encoding.cover, symmetry(encoding), kernel=kernel)
    assert counted is not None
    every = [term.found for term in asked]
    assert (counted.nodes, counted.states) == (sum(term.nodes for term in every), sum(term.states for term in every))
    assert (counted.method, every[-1].number) == (every[-1].method, 36)  # all covers, by the identity: it comes last


@pytest.mark.parametrize(("kernel", "weighted"), [("auto", True), ("frontier", True), ("bits", False)])
def test_weights_need_a_frontier_and_other_counts_use_the_chosen_kernel(
    kernel: KernelName, weighted: bool, asked: list[Asked]
) -> None:
    encoding = dominoes(4)
    assert count_distinct(encoding.cover, symmetry(encoding), kernel=kernel) is not None
    # All elements except the identity take two or more dominoes at once, which count twice as copies.
    assert [term.weighted for term in asked] == [weighted] * 4 + [False]
    assert [term.kernel for term in asked] == ["frontier" if weighted else kernel] * 4 + [kernel]


@pytest.mark.parametrize(
    ("beads", "mirrored", "number", "counts"),
    [
        # OEIS A000031: necklaces; one count for each subgroup, so for each divisor.
        (1, False, 2, 1),
        (6, False, 14, 4),
        (7, False, 20, 2),
        (12, False, 352, 6),
        # OEIS A000029: bracelets; reflections through beads and between beads are different classes.
        (5, True, 8, 3),
        (6, True, 13, 6),
        (12, True, 224, 8),
    ],
)
def test_necklaces_are_counted_by_one_element_of_each_class(
    beads: int, mirrored: bool, number: int, counts: int, asked: list[Asked]
) -> None:
    cover = ExactCover.from_rows([[bead] for bead in range(beads) for _ in range(2)], beads)
    turns = [[(bead + shift) % beads for bead in range(beads)] for shift in range(beads)]
    moves = turns + [[beads - 1 - bead for bead in turn] for turn in turns] * mirrored
    group = Symmetry(
        tuple(array("i", [2 * bead + colour for bead in move for colour in range(2)]) for move in moves),
        tuple(array("i", move) for move in moves),
    )
    counted = count_distinct(cover, group)
    assert counted is not None
    assert (counted.number, len(asked)) == (number, counts)


def test_elements_with_the_same_effect_count_separately() -> None:
    cover = ExactCover.from_rows([[0], [0], [1]], 2)
    swap, keep = array("i", [1, 0, 2]), array("i", [0, 1, 2])
    items = array("i", [0, 1])
    group = Symmetry((keep, swap, swap, keep), (items,) * 4)
    counted = count_distinct(cover, group)
    assert counted is not None
    assert counted.number == 1


def test_colours_that_meet_themselves_are_allowed_and_others_are_not() -> None:
    # Two sides of an edge, swapped by a mirror: with one colour they agree, with two they do not.
    for colours, number in (((1, 1), 1), ((1, 2), 0), ((0, 0), 0)):
        rows: list[list[int | tuple[int, int]]] = [[side, (2, colour)] for side, colour in enumerate(colours)]
        cover = ExactCover.from_rows(rows, 2, 1)
        mirror = Symmetry((array("i", [0, 1]), array("i", [1, 0])), (array("i", [0, 1, 2]), array("i", [1, 0, 2])))
        assert Search(fixed(cover, mirror, 1).cover).count() == number


def test_permutations_that_are_not_symmetries_are_refused() -> None:
    encoding = dominoes(4)
    group = symmetry(encoding)
    broken = replace(group, options=group.options[:5], items=group.items[:5])
    with pytest.raises((ValueError, KeyError)):
        count_distinct(encoding.cover, broken)
    # One cover, and a group that does not map it to itself: the mean would be half a cover.
    swap = Symmetry((array("i", [0, 1]), array("i", [1, 0])), (array("i", [0, 1]),) * 2)
    with pytest.raises(ValueError, match="not a group of symmetries of this problem"):
        count_distinct(ExactCover.from_rows([[0, 1], [0]], 2), swap)
