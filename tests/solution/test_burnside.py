from __future__ import annotations

from array import array
from dataclasses import replace

import pytest
from hypothesis import given

import puzzlec
from puzzlec.engine import Limits, Search
from puzzlec.engine.counting import Counted, TooWideError, count_covers
from puzzlec.ir import ExactCover, Puzzle
from puzzlec.lower import symmetry
from puzzlec.lower.covering import Encoding
from puzzlec.lower.symmetries import Symmetry
from puzzlec.pipeline import compile
from puzzlec.solution import burnside
from puzzlec.solution.burnside import count_distinct, fixed, unweighted
from tests import brute
from tests.strategies import puzzles


def encoded(what: Puzzle | str) -> Encoding:
    encoding = compile(what)
    assert isinstance(encoding, Encoding)
    return encoding


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
    [("soma", 240), ("polyominoes/trominoes-4x9", 10569), ("new/edges", 1), ("dominoes/aztec-diamond", 168)],
)
def test_puzzles_of_the_catalogue_have_the_numbers_that_are_known(name: str, number: int) -> None:
    encoding = encoded(name)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == number


@pytest.mark.parametrize("kernel", ["python", "bits", "frontier", "memo"])
def test_every_kernel_gives_the_same_number(kernel: str) -> None:
    encoding = dominoes(4)
    counted = count_distinct(encoding.cover, symmetry(encoding), kernel=kernel)
    assert counted is not None
    assert counted.number == 9


def test_weights_beyond_the_memory_of_a_frontier_are_counted_by_search(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = []

    def without_weights(cover: ExactCover, *arguments: object, **more: object) -> Counted:
        if len(arguments) == 4:
            refused.append(arguments[3])
            raise TooWideError
        return count_covers(cover)

    monkeypatch.setattr(burnside, "count_covers", without_weights)
    encoding = dominoes(6)
    counted = count_distinct(encoding.cover, symmetry(encoding))
    assert counted is not None
    assert counted.number == 930
    assert refused


def test_a_limit_of_time_says_that_nothing_is_known() -> None:
    encoding = dominoes(12)
    assert count_distinct(encoding.cover, symmetry(encoding), Limits(seconds=0.0)) is None
    with pytest.raises(ValueError, match="whole counts"):
        count_distinct(encoding.cover, symmetry(encoding), Limits(nodes=5))


def test_elements_that_do_the_same_to_all_options_count_once_each() -> None:
    cover = ExactCover.from_rows([[0], [0], [1]], 2)
    swap, keep = array("i", [1, 0, 2]), array("i", [0, 1, 2])
    items = array("i", [0, 1])
    group = Symmetry((keep, swap, swap, keep), (items,) * 4)
    counted = count_distinct(cover, group)
    assert counted is not None
    assert counted.number == 1


def test_colours_that_meet_themselves_are_allowed_and_others_are_not() -> None:
    # Two sides of a joint, swapped by a mirror: with one colour they agree, with two they do not.
    for colours, number in (((1, 1), 1), ((1, 2), 0), ((0, 0), 0)):
        rows: list[list[int | tuple[int, int]]] = [[side, (2, colour)] for side, colour in enumerate(colours)]
        cover = ExactCover.from_rows(rows, 2, 1)
        mirror = Symmetry((array("i", [0, 1]), array("i", [1, 0])), (array("i", [0, 1, 2]), array("i", [1, 0, 2])))
        assert Search(fixed(cover, mirror, 1).cover).count() == number


def test_permutations_that_are_no_symmetries_are_found_out() -> None:
    encoding = dominoes(4)
    group = symmetry(encoding)
    broken = replace(group, options=group.options[:5], items=group.items[:5])
    with pytest.raises((ValueError, KeyError)):
        count_distinct(encoding.cover, broken)
