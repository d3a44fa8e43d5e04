"""Symmetries of large puzzles, found in numpy, are those that plain Python finds."""

from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.geometry import lattice_names
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, many_pieces, symmetries, symmetry
from tests.strategies import puzzles


def both(encoding: Encoding, monkeypatch: pytest.MonkeyPatch) -> tuple[symmetries.Symmetry, symmetries.Symmetry]:
    slow = symmetry(encoding)
    monkeypatch.setattr(symmetries, "MANY", 1)
    monkeypatch.setattr(many_pieces, "MANY", 1)
    return slow, symmetry(encoding)


@given(puzzles(lattice_names(), wrapped=True, most=9))
def test_they_are_the_same_in_the_same_order(puzzle: Puzzle) -> None:
    encoding = puzzlec.compile(puzzle)
    assert isinstance(encoding, Encoding)
    with pytest.MonkeyPatch.context() as patch:
        slow, fast = both(encoding, patch)
    assert fast == slow


def test_chiral_pairs_change_places_and_copies_stay_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "lattice cubic\nlocations box 3x3x3\npieces soma"
    encoding = puzzlec.compile(puzzlec.parse(text))
    assert isinstance(encoding, Encoding)
    slow, fast = both(encoding, monkeypatch)
    assert len(fast) == 48
    assert fast == slow
