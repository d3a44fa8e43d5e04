"""Automorphisms of exact covers, against all permutations of items tried one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.engine import Search
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.symmetry import graph_group
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, Symmetry, automorphisms, encode, place, symmetry
from puzzlec.lower.automorphisms import TooManyAutomorphismsError, cover_automorphisms, large_number
from puzzlec.solving.burnside import count_distinct
from puzzlec.solving.solutions import Solutions
from tests.strategies import puzzles


@st.composite
def problems(draw: st.DrawFn) -> ExactCover:
    """A random small problem: bounds, secondary items, colours, options that repeat others."""
    primary = draw(st.integers(1, 4))
    secondary = draw(st.integers(0, 5 - primary))
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 6))):
        own = draw(st.sets(st.integers(0, primary - 1), min_size=1))
        others = draw(st.sets(st.integers(primary, primary + secondary - 1))) if secondary else set()
        rows.append([*sorted(own), *((item, draw(st.integers(0, 2))) for item in sorted(others))])
    bounds = [draw(st.sampled_from([(1, 1), (1, 1), (0, 2)])) for _ in range(primary)]
    return ExactCover.from_rows(rows, primary, secondary, bounds)


def tried(cover: ExactCover) -> set[tuple[int, ...]]:
    """Every permutation of options that some permutation of items allows."""
    number = cover.primary + cover.secondary
    colour = [dict(cover.entries(option)) for option in range(len(cover))]
    kind = [(cover.low[item], cover.high[item]) if item < cover.primary else None for item in range(number)]

    def agree(item: int, one: int, two: int) -> bool:
        return colour[one][item] != 0 and colour[one][item] == colour[two][item]

    def extended(image: tuple[int, ...], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        option = len(chosen)
        if option == len(cover):
            yield chosen
            return
        for other in set(range(len(cover))).difference(chosen):
            if cover.cost([option]) != cover.cost([other]):
                continue
            if {image[item] for item in colour[option]} == colour[other].keys() and all(
                agree(item, option, before) == agree(image[item], other, chosen[before])
                for before in range(option)
                for item in colour[option].keys() & colour[before].keys()
            ):
                yield from extended(image, (*chosen, other))

    return {
        found
        for image in permutations(range(number))
        if all(kind[item] == kind[other] for item, other in enumerate(image))
        for found in extended(image, ())
    }


@settings(max_examples=300)
@given(problems())
def test_the_group_agrees_with_trying_every_permutation_of_items(cover: ExactCover) -> None:
    group = cover_automorphisms(cover)
    found = {tuple(options) for options in group.options}
    assert len(found) == len(group)  # no two elements do the same to all options
    assert found == tried(cover)


def test_options_that_agree_in_a_colour_are_not_options_without_one() -> None:
    # Options 0 and 1 exclude each other on item 4; 2 and 3 share it. No automorphism maps the first pair to the second.
    cover = ExactCover.from_rows([[0, 4], [1, 4], [2, (4, 1)], [3, (4, 1)]], primary=4, secondary=1)
    group = cover_automorphisms(cover)
    assert {tuple(options) for options in group.options} == tried(cover)
    assert len(group) == 4


def test_a_colour_of_only_one_option_means_the_same_as_none() -> None:
    cover = ExactCover.from_rows([[0, (2, 1)], [1, 2]], primary=2, secondary=1)
    assert len(cover_automorphisms(cover)) == len(tried(cover)) == 2


def test_equal_items_map_to_equal_ones_with_their_bounds() -> None:
    # Items 0 and 1 have the same option, and so have 2 and 3; it does not matter which may stay uncovered.
    bounds = [(1, 1), (0, 2), (0, 2), (1, 1)]
    cover = ExactCover.from_rows([[0, 1], [2, 3]], 4, 0, bounds)
    group = cover_automorphisms(cover)
    assert [(list(options), list(items)) for options, items in zip(group.options, group.items, strict=True)] == [
        ([0, 1], [0, 1, 2, 3]),
        ([1, 0], [3, 2, 1, 0]),
    ]
    # With bounds that no other item has, they stay.
    other = ExactCover.from_rows([[0, 1], [2, 3]], 4, 0, [*bounds[:3], (1, 2)])
    assert len(cover_automorphisms(other)) == 1


def test_primary_items_do_not_become_secondary_ones() -> None:
    assert len(cover_automorphisms(ExactCover.from_rows([[0, 1], [0, 2]], 3))) == 2
    assert len(cover_automorphisms(ExactCover.from_rows([[0, 1], [0, 2]], 2, 1))) == 1


@pytest.mark.parametrize(("number", "order"), [(0, 1), (1, 1), (3, 6)])
def test_a_group_is_listed_up_to_a_limit_of_numbers(number: int, order: int) -> None:
    cover = ExactCover.from_rows([[item] for item in range(number)], number + 1)
    largest = order * max(1, number)  # elements times options
    assert len(cover_automorphisms(cover, largest)) == order
    with pytest.raises(TooManyAutomorphismsError) as caught:
        cover_automorphisms(cover, largest - 1)
    assert (caught.value.order, caught.value.exact, caught.value.options) == (order, True, number)


def test_an_abandoned_search_reports_its_end_and_the_known_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automorphisms, "EDGE_VISITS", 0)
    monkeypatch.setattr(automorphisms, "VISITS_FOR_EACH_EDGE", 0)
    with pytest.raises(TooManyAutomorphismsError, match="cannot find the automorphisms of 3 options"):
        cover_automorphisms(ExactCover.from_rows([[0], [1], [2]], 3))
    # Equal options are seen at once.
    with pytest.raises(
        TooManyAutomorphismsError, match=r"^too many automorphisms to list: at least 87178291200, of 14 options"
    ) as caught:
        cover_automorphisms(ExactCover.from_rows([[0]] * 14, 1))
    assert (caught.value.order, caught.value.exact) == (math.factorial(14), False)
    # The budget of the search grows with the entries of the cover.
    monkeypatch.setattr(automorphisms, "VISITS_FOR_EACH_EDGE", 50)
    assert len(cover_automorphisms(ExactCover.from_rows([[0], [1], [2]], 3))) == 6


@given(problems())
def test_every_element_does_to_options_what_it_does_to_their_items(cover: ExactCover) -> None:
    group = cover_automorphisms(cover)
    number = cover.primary + cover.secondary
    assert (list(group.options[0]), list(group.items[0])) == (list(range(len(cover))), list(range(number)))
    for options, items in zip(group.options, group.items, strict=True):
        assert sorted(items) == list(range(number))
        for option in range(len(cover)):
            assert {items[item] for item in cover.row(option)} == set(cover.row(options[option]))
        for item, other in enumerate(items):
            assert (item < cover.primary) == (other < cover.primary)
            assert item >= cover.primary or (cover.low[item], cover.high[item]) == (cover.low[other], cover.high[other])


@given(problems())
def test_covers_become_covers_and_burnside_counts_their_orbits(cover: ExactCover) -> None:
    group = cover_automorphisms(cover)
    covers = set(Search(cover))
    left, orbits = set(covers), 0
    while left:
        chosen = left.pop()
        images = {tuple(sorted(options[option] for option in chosen)) for options in group.options}
        assert images <= covers
        left -= images
        orbits += 1
    counted = count_distinct(cover, group)
    assert counted is not None
    assert counted.number == orbits


@given(puzzles())
def test_listing_and_counting_up_to_automorphisms_agree_and_geometry_has_no_more(puzzle: Puzzle) -> None:
    encoding = encode(place(puzzle))
    try:
        group = symmetry(encoding, "automorphisms")
    except TooManyAutomorphismsError as error:
        assert error.order * error.options > 60_000_000 or not error.exact
        return
    if len(group) > 2000:
        return
    by_geometry = {tuple(options) for options in symmetry(encoding, "all").options}
    assert by_geometry <= {tuple(options) for options in group.options}
    listed = list(Solutions(encoding, symmetry="automorphisms"))
    assert len(listed) == Solutions(encoding, symmetry="automorphisms").count()
    counted = count_distinct(encoding.cover, group)
    assert counted is not None
    assert counted.number == len(listed)


def latin(n: int) -> ExactCover:
    square = [(row, column, value) for row in range(n) for column in range(n) for value in range(n)]
    return ExactCover.from_rows(
        [[r * n + c, n * n + r * n + v, 2 * n * n + c * n + v] for r, c, v in square], 3 * n * n
    )


def sudoku(n: int) -> ExactCover:
    size = n * n
    square = [(row, column, value) for row in range(size) for column in range(size) for value in range(size)]
    return ExactCover.from_rows(
        [
            [
                r * size + c,
                size**2 + r * size + v,
                2 * size**2 + c * size + v,
                3 * size**2 + (r // n * n + c // n) * size + v,
            ]
            for r, c, v in square
        ],
        4 * size**2,
    )


def orbits(cover: ExactCover, group: Symmetry) -> int:
    counted = count_distinct(cover, group)
    assert counted is not None
    return counted.number


@pytest.mark.parametrize(
    ("n", "main_classes"),  # OEIS A003090
    [(2, 1), (3, 1), pytest.param(4, 2, marks=pytest.mark.slow)],
)
def test_latin_squares_up_to_automorphisms_are_main_classes(n: int, main_classes: int) -> None:
    group = cover_automorphisms(latin(n))
    if n > 2:  # rows, columns and values permute, each kind among themselves, and change roles
        assert len(group) == math.factorial(n) ** 3 * 6
    assert orbits(latin(n), group) == main_classes


def test_small_sudokus_have_two_classes() -> None:
    # OEIS A107739 and A109741; 4! relabellings and 128 moves of the grid.
    group = cover_automorphisms(sudoku(2))
    assert len(group) == 3072
    assert len(list(Search(sudoku(2)))) == 288
    assert orbits(sudoku(2), group) == 2


def test_the_order_of_a_very_large_group_is_found_without_listing_it() -> None:
    with pytest.raises(TooManyAutomorphismsError) as caught:
        cover_automorphisms(sudoku(3))
    # 9! relabellings and 3359232 moves of the grid (E. Russell and F. Jarvis, 2006).
    assert (caught.value.order, caught.value.exact) == (math.factorial(9) * 3359232, True)
    with pytest.raises(TooManyAutomorphismsError, match="too many automorphisms to list: 10368000, of 125 options"):
        cover_automorphisms(latin(5))


@pytest.mark.parametrize(
    ("cover", "order"),
    [
        (ExactCover.from_rows([[0]] * 500, 1), math.factorial(500)),  # equal options
        (ExactCover.from_rows([[item] for item in range(200)], 200), math.factorial(200)),  # interchangeable items
        (
            ExactCover.from_rows([[item] for item in range(20) for _ in range(3)], 20),
            math.factorial(20) * 6**20,
        ),
    ],
)
def test_very_large_groups_are_refused_with_their_order(cover: ExactCover, order: int) -> None:
    with pytest.raises(TooManyAutomorphismsError, match=r"to list: about \d\.\de\+\d+") as caught:
        cover_automorphisms(cover)
    assert caught.value.order == order


def test_a_search_with_too_much_work_ends_with_a_subgroup() -> None:
    ring = [[(vertex - 1) % 90, (vertex + 1) % 90] for vertex in range(90)]
    whole = graph_group(ring, [0] * 90, 10**6)
    assert (whole.order, whole.complete) == (180, True)
    orders = {graph_group(ring, [0] * 90, work).order for work in range(0, 5000, 250)}
    assert all(180 % order == 0 for order in orders)
    assert not graph_group(ring, [0] * 90, 100).complete


def test_generators_and_transversals_make_the_group_of_the_petersen_graph() -> None:
    pairs = [(a, b) for a in range(5) for b in range(a)]
    beside = [[k for k, other in enumerate(pairs) if not set(pair) & set(other)] for pair in pairs]
    group = graph_group(beside, [0] * 10, 10**6)
    assert group.order == 120  # the symmetric group of five things
    elements = [list(range(10))]
    for takers in group.transversals():
        elements = [[taker[vertex] for vertex in before] for taker in takers.values() for before in elements]
    assert len(set(map(tuple, elements))) == 120
    for element in elements:
        assert all(sorted(element[v] for v in row) == sorted(beside[element[u]]) for u, row in enumerate(beside))


def encoded(what: Puzzle | Fitting | str) -> Encoding:
    return puzzlec.compile(what)


@pytest.mark.long
def test_puzzles_without_geometry_have_the_same_distinct_solutions_as_with_it() -> None:
    assert len(symmetry(encoded("queens/8"), "automorphisms")) == 8
    assert puzzlec.count("queens/8", symmetry="automorphisms") == 12  # OEIS A002562
    assert puzzlec.count("queens/8") == 92
    plain = puzzlec.parse(puzzlec.convert("pentominoes/6x10", "dpf"), format="dpf")
    assert puzzlec.count(plain, symmetry="automorphisms") == 2339
    assert puzzlec.count(plain) == 9356


@pytest.mark.parametrize(
    "name", ["new/tiles", "tiles/macmahon-squares", "polysticks/tetrasticks-5x5", "soma", "dominoes/with-monominoes"]
)
def test_isometries_are_automorphisms_of_covers_with_sides_and_crossings(name: str) -> None:
    encoding = encoded(name)
    everything = {options.tobytes() for options in symmetry(encoding, "automorphisms").options}
    for which in ("all", "parts", "rotations"):
        known = {options.tobytes() for options in symmetry(encoding, which).options}
        assert known <= everything


def test_an_unknown_kind_of_symmetry_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown symmetry 'some'"):
        Solutions("soma", symmetry="some")  # type: ignore[arg-type]


def test_a_group_that_cannot_be_listed_is_a_diagnostic_in_solving() -> None:
    boxes = puzzlec.parse(
        'puzzle "B"\nlattice none\nlocations names a[i] for i in 1..9\n'
        "for k in 1..9 {\n  piece p[k] covers { a[i] } for i in 1..9\n}"
    )
    with pytest.raises(puzzlec.PuzzleError, match="PZ253"):
        puzzlec.count(boxes, symmetry="automorphisms")
    assert puzzlec.count(boxes, symmetry="none") == math.factorial(9)


def test_large_numbers_are_readable() -> None:
    assert large_number(10**15 - 1) == "999999999999999"
    assert large_number(10**15) == "about 1.0e+15"
    assert large_number(math.factorial(3000)).startswith("about 4.1e+9130")
