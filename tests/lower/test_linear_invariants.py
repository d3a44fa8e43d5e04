"""Weights: the groups of pieces with the same weight, the proofs by weights, and the elimination that finds them."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import linear_invariants as weighing
from puzzlec.lower.linear_invariants import (
    EMPTY,
    Lot,
    annihilator,
    holds,
    judge,
    lots,
    number_of_empty,
    plain,
    proofs,
    screen,
    sparse,
    void_locations,
    weighed,
)
from puzzlec.lower.parity import find_proof


def piece(*rows: list[int], low: int = 1, high: int = 1) -> FittingPiece:
    return FittingPiece(Placements(rows), low, high)


def copies(fitting: Fitting) -> list[int | None]:
    return [lot.copies for lot in lots(fitting)]


def test_pieces_with_the_same_placements_are_one_group_and_unusable_pieces_are_in_none() -> None:
    pieces = (
        piece([0, 1], [1, 2]),
        piece([0, 1]),
        piece([0, 1], [1, 2], low=2, high=2),
        piece([3], low=0, high=0),
        piece(low=0, high=4),
    )
    assert lots(Fitting(8, pieces)) == (Lot((0, 2), ((0, 1), (1, 2)), 3), Lot((1,), ((0, 1),), 1))


def test_the_volume_gives_the_copies_of_the_only_open_lot() -> None:
    domino, single = [[0, 1], [2, 3]], [[0], [1]]
    assert copies(Fitting(7, (piece(*domino, low=0, high=9), piece(*single, low=3, high=3)))) == [2, 3]
    # Not if the rest is not a multiple of its size, if two are open, if sizes differ, or if there is too little room.
    assert copies(Fitting(8, (piece(*domino, low=0, high=9), piece(*single, low=3, high=3)))) == [None, 3]
    assert copies(Fitting(8, (piece(*domino, low=0, high=9), piece(*single, low=0, high=3)))) == [None, None]
    assert copies(Fitting(8, (piece(*domino, [4], low=0, high=9),))) == [None]
    assert copies(Fitting(8, (piece(*domino, low=0, high=9), piece([4], [5, 6]), piece([7])))) == [None, 1, 1]
    assert copies(Fitting(4, (piece(*domino, low=3, high=9),))) == [None]
    assert copies(Fitting(6, (piece(*domino, low=3, high=9),))) == [3]
    assert copies(Fitting(2, (piece(*domino[:1], low=0, high=9), piece(*single, low=2, high=2)))) == [0, 2]
    assert copies(Fitting(2, (piece([], low=0, high=9),))) == [None]
    # Equal pieces, one of them open: together they are open.
    assert copies(Fitting(8, (piece(*domino, low=0, high=9), piece(*domino, low=2, high=2)))) == [4]


def test_empty_locations_are_a_group_if_their_number_is_given() -> None:
    domino = piece([0, 1], [2, 3], low=0, high=9)

    def fitting(empty: tuple[int, int] | None) -> Fitting:
        return Fitting(6, (domino,), optional=frozenset({5, 4}), empty=empty)

    assert [number_of_empty(fitting(empty)) for empty in (None, (0, 1), (0, 0), (2, 2))] == [None, None, 0, 2]
    assert number_of_empty(Fitting(6, (domino,))) == 0
    assert [sorted(void_locations(fitting(empty))) for empty in (None, (0, 1), (2, 2))] == [[4, 5], [4, 5], []]
    assert copies(fitting(None)) == copies(fitting((1, 2))) == [None]
    assert copies(fitting((0, 0))) == [3]
    found = lots(fitting((2, 2)))
    assert [lot.copies for lot in found] == [2, 2]
    assert found[1] == Lot((EMPTY,), ((4,), (5,)), 2)
    assert [lot.is_empty for lot in found] == [False, True]


def test_open_groups_add_nothing_to_the_sum_of_weights() -> None:
    assert weighed([(Lot((0,), (), 3), 2), (Lot((1,), (), None), 5), (Lot((2,), (), 1), -1)]) == 5


def test_weights_prove_something_exactly_if_each_piece_has_one_weight() -> None:
    fitting = Fitting(4, (piece([0, 1], [0, 3], [1, 2], [2, 3], low=2, high=2),))
    assert judge(lots(fitting), [1, 0, 1, 0]) is None  # everything is valid
    short = Fitting(4, (piece([0, 1], [0, 3], low=2, high=2),))
    witness = judge(lots(short), [1, 0, 0, 0])
    assert witness is not None
    assert (witness.modulus, witness.values, witness.together, witness.there) == (0, (1,), 2, 1)


def test_weights_prove_something_modulo_the_least_divisor_of_the_differences_that_shows_it() -> None:
    # Placements weigh 0 or 12; together 0 modulo 12, and the locations 18: not modulo 2, nor 3, but modulo 4.
    fitting = Fitting(3, (piece([0], [1], [0, 1], low=0, high=9), piece([2], low=0, high=9)))
    witness = judge(lots(fitting), [12, 0, 6])
    assert witness is None  # 6 is the weight of the second piece, and divides all
    once = Fitting(3, (piece([0], [1], [0, 1], low=0, high=9), piece([2])))
    witness = judge(lots(once), [12, 0, 18])
    assert witness is None
    rest = Fitting(3, (piece([0], [1], [0, 1], low=0, high=9),))
    witness = judge(lots(rest), [12, 0, 18])
    assert witness is not None
    assert (witness.modulus, witness.values, witness.together, witness.there) == (4, (0,), 0, 30)
    two = Fitting(4, (piece([0], [1]), piece([2], [3])))
    witness = judge(lots(two), [3, 5, 6, 2])
    assert witness is not None
    assert (witness.modulus, witness.values, witness.together, witness.there) == (2, (1, 0), 1, 16)


@pytest.mark.parametrize("seed", range(6))
def test_many_weightings_judged_together_agree_with_single_judgements(seed: int) -> None:
    chance = random.Random(seed)
    size = 10
    rows = [sorted(chance.sample(range(size), chance.choice((2, 2, 4)))) for _ in range(40)]
    if seed < 4:  # each has as many even locations as odd ones, so that some weighings prove something
        rows = [row for row in rows if sum(number % 2 for number in row) * 2 == len(row)]
    rows = list(map(list, sorted(set(map(tuple, rows)))))
    half = len(rows) // 2
    pieces = (piece(*rows[:half], low=0, high=9), piece(*rows[half:], low=seed % 3, high=2))
    parts = lots(Fitting(size + seed % 2, pieces))
    alternating = [1, -1] * 5
    many = [[chance.choice((-1, 0, 1)) for _ in range(size + seed % 2)] for _ in range(20)]
    many += [[*alternating, 1][: size + seed % 2], [*alternating, 0][: size + seed % 2], [1] * (size + seed % 2)]
    one_by_one = {number: judge(parts, weights) for number, weights in enumerate(many)}
    assert dict(screen(parts, many)) == {
        number: judgement for number, judgement in one_by_one.items() if judgement is not None
    }
    if seed == 1:
        assert one_by_one[20] is not None


def test_a_weighting_is_judged_by_all_placements_not_only_by_the_first_ones() -> None:
    rows = [[number, number + 1] for number in range(0, 58, 2)]
    weights = [[1, -1] * 30]
    assert dict(screen(lots(Fitting(61, (piece(*rows, low=0, high=40),))), [[*weights[0], 1]]))
    # One of many placements has another weight, and is not among those that are examined first.
    rows.insert(15, [0])
    assert not dict(screen(lots(Fitting(61, (piece(*rows, low=0, high=40),))), [[*weights[0], 1]]))


def test_without_options_all_weights_are_valid() -> None:
    assert annihilator([], [0, 0], 2, 2) == []
    assert annihilator([], [1, 2], 3, 3) == [[1, 0, 1], [0, 1, 2]]
    assert annihilator([(0,)], [1, 2], 3, 3) == [[0, 1, 2]]
    assert annihilator([(0,), (1,)], [1, 2], 3, 3) == []


@pytest.mark.parametrize(
    ("modulus", "others", "found"), [(7, 294, True), (7, 300, False), (2, 256, True), (2, 257, False)]
)
def test_sums_of_weights_beyond_a_byte_are_right(modulus: int, others: int, found: bool) -> None:
    # All others have equal weights, whose sum is 0 if their number is a multiple of the modulus.
    pairs = [(number, others) for number in range(others)]
    generators = annihilator([*pairs, tuple(range(others))], [1, *[0] * others], modulus, modulus)
    assert bool(generators) is found
    for generator in generators:
        assert len(set(generator[:others])) == 1
        assert (generator[0] + generator[others]) % modulus == 0
        assert generator[-1] == generator[0]


def test_a_proof_is_made_sparser_by_adding_others_as_long_as_that_helps() -> None:
    assert sparse(2, [[1, 1, 1, 1, 1], [0, 1, 1, 1, 0]]) == [1, 0, 0, 0, 1]
    assert sparse(2, [[1, 1, 1, 1, 1], [0, 1, 1, 0, 0], [0, 0, 0, 1, 0]]) == [1, 0, 0, 0, 1]
    assert sparse(3, [[1, 1, 1, 2], [0, 2, 2, 0]]) == [1, 0, 0, 2]
    # Weights that prove nothing are not a result, even if they are sparse; nor is a sum that proves nothing.
    assert sparse(3, [[0, 0, 1, 0], [1, 1, 0, 1]]) == [1, 1, 0, 1]
    assert sparse(2, [[1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1]]) == [1, 1, 0, 1]
    assert sparse(5, [[1, 2, 0, 0, 4], [1, 2, 3, 0, 1]]) == [0, 0, 2, 0, 3]


@pytest.mark.parametrize(
    ("modulus", "weights", "smallest"),
    [
        (2, [1, 0, 1], [1, 0, 1]),
        (3, [2, 2, 0], [1, 1, 0]),
        (3, [2, 1, 1], [-1, 1, 1]),
        (4, [2, 0, 2], [2, 0, 2]),
        (4, [3, 2, 1, 3], [1, 2, -1, 1]),
        (8, [4, 3, 6], [4, 1, 2]),
        (9, [4, 8, 3], [1, 2, 3]),
        (5, [2, 3, 2], [1, -1, 1]),
    ],
)
def test_weights_are_shown_as_the_smallest_multiple_with_more_positive_ones(
    modulus: int, weights: list[int], smallest: list[int]
) -> None:
    assert plain(modulus, weights) == smallest


@pytest.mark.parametrize(
    ("size", "locations", "modulus"),
    [(2, 3, 2), (3, 4, 3), (5, 6, 5), (7, 8, 7), (4, 6, 4), (8, 12, 8), (9, 12, 9), (6, 9, 2), (6, 8, 3), (2, 4, 0)],
)
def test_the_modulus_of_a_proof_is_the_least_of_the_first_family_that_has_one(
    size: int, locations: int, modulus: int
) -> None:
    # If every set of this size is a placement, all locations weigh the same.
    rows = map(list, combinations(range(locations), size))
    fitting = Fitting(locations, (piece(*rows, low=0, high=99),))
    found = proofs(fitting, lots(fitting)[:1])
    assert found is not None
    assert found[0] == modulus
    assert bool(found[1]) == bool(modulus)
    for generator in found[1]:
        assert len(set(generator[:locations])) == 1
        assert size * generator[0] % modulus == 0


def test_too_many_items_or_entries_end_the_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    fitting = Fitting(5, (piece([0, 1], [1, 2], [2, 3], [3, 4], low=0, high=9), piece([0, 2], low=0, high=3)))
    parts = lots(fitting)
    assert proofs(fitting, parts) is not None
    monkeypatch.setattr(weighing, "MOST_ITEMS", 5)
    monkeypatch.setattr(weighing, "MOST_ENTRIES", 15)
    assert proofs(fitting, parts) is not None  # five locations, five placements of two
    monkeypatch.setattr(weighing, "MOST_ITEMS", 4)
    assert proofs(fitting, parts) is None
    monkeypatch.setattr(weighing, "MOST_ITEMS", 5)
    monkeypatch.setattr(weighing, "MOST_ENTRIES", 14)
    assert proofs(fitting, parts) is None
    # A lot whose copies are known is also an item.
    known = Fitting(5, (piece([0, 1], [1, 2], [2, 3]), piece([3, 4, 0])))
    monkeypatch.setattr(weighing, "MOST_ENTRIES", 100)
    monkeypatch.setattr(weighing, "MOST_ITEMS", 6)
    assert proofs(known, lots(known)) is None


def test_locations_that_may_stay_empty_weigh_nothing() -> None:
    # A triangle has an odd number of corners. If one of them may stay empty, there is no contradiction.
    rows = ([0, 1], [1, 2], [0, 2])
    pieces = (piece(*rows, low=0, high=9),)
    assert find_proof(Fitting(3, pieces)) is not None
    assert find_proof(Fitting(3, pieces, optional=frozenset({0}), empty=(0, 1))) is None
    assert find_proof(Fitting(3, pieces, optional=frozenset({0}))) is None
    assert find_proof(Fitting(3, pieces, optional=frozenset({0}), empty=(0, 0))) is not None
    assert find_proof(Fitting(3, pieces, optional=frozenset({0}), empty=(1, 1))) is None
    # With a fourth location that must also stay empty, one corner too many is left.
    four = Fitting(4, (piece(*rows, [3], low=0, high=9),), optional=frozenset({0, 1, 2}), empty=(0, 2))
    assert find_proof(four) is None


def test_locations_that_must_all_be_covered_may_have_any_weights() -> None:
    # They may stay empty, but none does: then two of different weights do not matter.
    rows = ([0, 2], [0, 3], [1, 2], [1, 3], [4, 2], [4, 3])
    fitting = Fitting(5, (piece(*rows, low=0, high=9), piece([0])), optional=frozenset({0, 2}), empty=(0, 0))
    assert find_proof(fitting) is None
    fitting = Fitting(5, (piece(*rows, low=2, high=2), piece([2], [3])), optional=frozenset({0, 2}), empty=(0, 0))
    assert find_proof(fitting) is not None


def test_weights_prove_nothing_if_the_volume_counts_no_copies() -> None:
    # The first piece covers one location or two, with weight 1: so the second occurs twice, or once.
    sizes = piece([0], [1, 2])
    single = piece([0], [1], [3], low=0, high=4)
    assert not holds(Fitting(4, (sizes, single)), [1, 1, 0, 1], 0)
    assert not holds(Fitting(4, (single, sizes)), [1, 1, 0, 1], 0)
    # The pieces need more room than there is.
    assert not holds(Fitting(2, (piece([0], [1], low=3, high=4),)), [1, 1], 0)
    assert not holds(Fitting(2, (piece([0, 1], low=2, high=2), piece([0], [1], low=0, high=4))), [1, 1], 0)
    # Dominoes cannot fill three locations.
    assert not holds(Fitting(3, (piece([0, 1], [1, 2], low=0, high=9),)), [1, 0, 1], 0)
    # One location may stay empty, or not.
    fitting = Fitting(3, (piece([0], [1], low=0, high=4),), optional=frozenset({2}), empty=(0, 1))
    assert not holds(fitting, [1, 1, 0], 0)


def test_weights_of_locations_that_may_stay_empty_or_not_prove_nothing_unless_they_are_0() -> None:
    optional = frozenset({1})
    assert not holds(Fitting(2, (piece([0], [1], low=2, high=2),), optional), [1, 1], 0)
    assert not holds(Fitting(2, (piece([0]),), optional), [1, 1], 0)
    assert holds(Fitting(2, (piece([0], low=2, high=2),), optional), [1, 0], 0)
    assert holds(Fitting(2, (piece([0], low=2, high=2),), optional), [1, 3], 3)
    # The first corner of the triangle may join a location that may stay empty: then nothing is odd.
    rows = ([0, 1], [1, 2], [0, 2], [0, 3])
    fitting = Fitting(4, (piece(*rows, low=0, high=9),), frozenset({3}))
    assert proofs(fitting, lots(fitting)) == (0, [])


def test_a_piece_with_a_weight_counts_with_its_copies_by_the_volume() -> None:
    dominoes = piece([0, 1], [2, 3], low=0, high=4)
    assert not holds(Fitting(4, (dominoes,)), [1, 1, 1, 1], 0)
    assert not holds(Fitting(4, (dominoes,)), [3, 0, 2, 1], 0)


def test_a_known_number_of_empty_locations_is_taken_from_the_volume_and_from_the_sum() -> None:
    # Two of five locations stay empty; they have equal weights.
    fitting = Fitting(5, (piece([0], [1], [2], low=0, high=4),), optional=frozenset({3, 4}), empty=(2, 2))
    assert not holds(fitting, [1, 1, 1, 0, 0], 0)
    assert not holds(fitting, [1, 1, 1, 5, 5], 0)
    fitting = Fitting(5, (piece([0], [1], low=0, high=4),), optional=frozenset({3, 4}), empty=(2, 2))
    assert holds(fitting, [1, 1, 0, 0, 0], 0)
    assert holds(fitting, [1, 1, 0, 7, 7], 0)
    assert holds(fitting, [1, 1, 0, 7, 4], 3)
    assert not holds(fitting, [1, 1, 0, 7, 5], 3)
    # None stays empty, so they may differ.
    fitting = Fitting(2, (piece([0], low=1, high=1),), optional=frozenset({0, 1}), empty=(0, 0))
    assert holds(fitting, [0, 1], 0)


def test_pieces_that_cannot_be_used_weigh_nothing() -> None:
    fitting = Fitting(2, (piece([0]), piece([0], [1], low=0, high=0)))
    assert holds(fitting, [0, 1], 0)
    assert holds(Fitting(2, (piece([0]), piece(low=0, high=3))), [0, 1], 0)
