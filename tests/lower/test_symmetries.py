from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, Symmetry, encode, place, symmetry
from tests import brute
from tests.strategies import puzzles


def group_of(text: str) -> Symmetry:
    encoding = puzzlec.compile(puzzlec.parse(text))
    assert isinstance(encoding, Encoding)
    return symmetry(encoding)


@given(puzzles())
def test_the_group_is_what_trying_every_isometry_finds(puzzle: Puzzle) -> None:
    group = symmetry(encode(place(puzzle)))
    if any(len(piece.placements) for piece in place(puzzle).pieces):
        assert len(group) == len(brute.symmetries(puzzle))


@given(puzzles())
def test_every_element_permutes_the_options_as_it_permutes_their_items(puzzle: Puzzle) -> None:
    cover = encode(place(puzzle)).cover
    group = symmetry(encode(place(puzzle)))
    for options, items in zip(group.options, group.items, strict=True):
        assert sorted(options) == list(range(len(cover)))
        for option in range(len(cover)):
            assert {items[item] for item in cover.row(option)} == set(cover.row(options[option]))
    known = {tuple(options) for options in group.options}
    assert all(tuple(a[k] for k in b) in known for a in group.options for b in group.options)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("lattice cubic\nlocations box 3x3x3\npieces soma", 48),
        ("lattice cubic\nlocations box 3x3x3\npieces soma except A", 24),
        ("locations box 6x10\npieces pentominoes", 4),
        ("locations box 8x8 - box 2x2 at (3,3)\npieces pentominoes", 8),
        ("locations box 6x10\npieces pentominoes\nplace X in box 3x5", 1),
        ("locations box 6x10\npieces one-sided-pentominoes", 4),
        ("locations box 6x10\npieces one-sided-pentominoes except f", 2),
        ("locations { xx./.xx }\npiece D x2 { xx }", 2),
        ("colours r\nlocations { rxx }\npiece I { xxx }", 1),
        ("lattice line\nlocations box 4\npiece A x2 { xx }", 2),
        ("lattice cubic\nlocations box 4x4x1\npiece D x8 { xx }", 8),
    ],
)
def test_known_puzzles_have_groups_of_the_known_order(text: str, order: int) -> None:
    assert len(group_of('puzzle "P"\n' + text)) == order
