"""Symmetries of large puzzles in numpy are the same as in plain Python."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given

import puzzlec
from puzzlec.geometry import lattice_names
from puzzlec.ir import Fitting, Placements, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import Encoding, Symmetry, encode, symmetries, symmetry
from puzzlec.lower import symmetries_numpy as many_pieces
from tests.strategies import puzzles


def both(encoding: Encoding, monkeypatch: pytest.MonkeyPatch) -> tuple[Symmetry, Symmetry]:
    slow = symmetry(encoding)
    monkeypatch.setattr(symmetries, "MAX_OPTIONS_COMPOSED_IN_PYTHON", 1)
    monkeypatch.setattr(many_pieces, "MIN_LOCATIONS_IN_NUMPY", 1)
    return slow, symmetry(encoding)


@given(puzzles(lattice_names(), wrapped=True, most=9))
def test_they_are_the_same_in_the_same_order(puzzle: Puzzle) -> None:
    encoding = puzzlec.compile(puzzle)
    with pytest.MonkeyPatch.context() as patch:
        slow, fast = both(encoding, patch)
    assert fast == slow


def test_chiral_pairs_change_places_and_copies_stay_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "lattice cubic\nlocations box 3x3x3\npieces soma"
    encoding = puzzlec.compile(puzzlec.parse(text))
    slow, fast = both(encoding, monkeypatch)
    assert len(fast) == 48
    assert fast == slow


#: Two equal pieces and two mirror images of them. The costs pair them crosswise.
PAIRED = """locations box 4x4
piece A1 one-sided { xx/x./x. }
piece A2 one-sided { xx/x./x. }
piece B1 one-sided { xx/.x/.x }
piece B2 one-sided { xx/.x/.x }
cost A1 = 1
cost A2 = 2
cost B1 = 2
cost B2 = 1
"""


def test_a_piece_goes_to_the_mirror_image_of_the_same_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = puzzlec.compile(puzzlec.parse(PAIRED))
    slow, fast = both(encoding, monkeypatch)
    assert len(fast) == 8
    assert fast == slow
    unequal = puzzlec.compile(puzzlec.parse(f"{PAIRED}cost B2 per cells (0,0) = 1"))
    slow, fast = both(unequal, monkeypatch)
    assert len(fast) == 1
    assert fast == slow


def test_a_piece_that_fits_nowhere_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = puzzlec.compile(puzzlec.parse("locations box 3x2\npiece D x* { xx }\npiece I x* { xxxxx }"))
    slow, fast = both(encoding, monkeypatch)
    assert len(fast) == 4
    assert fast == slow


@pytest.mark.parametrize(
    ("text", "suits"),
    [
        ("locations box 3x2\npiece D x3 { xx }", True),
        ("locations box 3x2\npiece D x* { xx }\npiece I x* { xxxxx }", True),  # a piece that fits nowhere
        ("locations box 3x2\nempty 2\npiece D x2 { xx }", True),  # here no location is optional
        ("locations { x?x }\nempty 1\npiece D { xx }", False),  # an option leaves a location empty
        ("lattice none\nlocations names 0..3\npiece A covers {0 1} {2}", False),  # two locations, or one
        ("lattice none\nlocations names 0..3\npiece A covers {0 1} {2} {1 2 3}", False),  # two on the average
        ("colours a b\nlocations box 2x2\npiece T x4 sides a b a b", False),  # tiles
    ],
)
def test_numpy_needs_pieces_that_always_cover_the_same_number_of_locations(
    text: str, suits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = puzzlec.compile(puzzlec.parse(text))
    monkeypatch.setattr(many_pieces, "MIN_LOCATIONS_IN_NUMPY", 1)
    assert many_pieces.suits(encoding) is suits


def test_a_small_puzzle_is_not_for_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = puzzlec.compile(puzzlec.parse("locations box 3x2\npiece D x3 { xx }"))
    for many, suits in [(14, True), (15, False)]:  # seven placements of two locations
        monkeypatch.setattr(many_pieces, "MIN_LOCATIONS_IN_NUMPY", many)
        assert many_pieces.suits(encoding) is suits


def test_a_piece_whose_placements_cover_nothing_is_not_for_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_pieces, "MIN_LOCATIONS_IN_NUMPY", 1)
    pieces = (FittingPiece(Placements([(0,), (1,)])), FittingPiece(Placements([()]), 0, 1))
    assert many_pieces.suits(encode(Fitting(2, pieces[:1])))
    assert not many_pieces.suits(encode(Fitting(2, pieces)))


def test_if_sums_agree_by_chance_the_locations_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ones:
        """Marks that distinguish nothing."""

        def integers(self, low: int, high: int, size: int, dtype: type) -> object:
            return np.ones(size, dtype)

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Ones())
    many = many_pieces.ManyPieces(encode(Fitting(4, (FittingPiece(Placements([(0, 1), (1, 2), (2, 3)])),))))
    assert many.carry((0, 1, 2, 3)) == ((0,), array("i", [0, 1, 2]))
    assert many.carry((1, 0, 2, 3)) is None
