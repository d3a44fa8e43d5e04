from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.geometry import find_lattice
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, Symmetry, encode, movements, place, symmetries, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SymmetryKind
from tests import brute
from tests.strategies import puzzles


def encoded(text: str) -> Encoding:
    return puzzlec.compile(puzzlec.parse(text))


def group_of(text: str) -> Symmetry:
    return symmetry(encoded(text))


@given(puzzles())
def test_the_group_agrees_with_trying_every_isometry(puzzle: Puzzle) -> None:
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
        ("locations box 6x10\npieces pentominoes\nplace X inside box 3x5", 1),
        ("locations box 6x10\npieces pentominoes one-sided", 4),
        ("locations box 6x10\npieces pentominoes one-sided except f", 2),
        ("locations { xx./.xx }\npiece D x2 { xx }", 2),
        ("colours r\nlocations { rxx }\npiece I { xxx }", 1),
        ("lattice line\nlocations box 4\npiece A x2 { xx }", 2),
        ("lattice cubic\nlocations box 4x4x1\npiece D x8 { xx }", 8),
    ],
)
def test_known_puzzles_have_groups_of_the_known_order(text: str, order: int) -> None:
    assert len(group_of('puzzle "P"\n' + text)) == order


#: Puzzles whose exact covers have items of all kinds: pieces with copies, locations, empty ones, edges, crossings.
BOARDS = [
    "locations box 2x2\npiece D x2 { xx }",
    "lattice sticks\nlocations grid 2x2\npieces tetrasticks x0..1",
    "colours a b\nlocations box 3x1\npiece T sides a b a b\npiece D { xx }",
    "lattice triangle\ncolours a b\nlocations cells (0,0,0) (0,0,1)\npiece T x2 sides a a b",
    "locations { x?x/xxx }\npiece D x2 { xx }\npiece M x0..2 { x }",
    "locations box 4x2\nwrap x twisted\npiece D x4 { xx }",
    "locations box 2x2\npiece V x* { xx/x. }\npiece M x* { x }",  # without items for the pieces
    "locations { ?xx? }\nempty 0..1\npiece M x* { x }",  # the last item counts empty locations
]


@pytest.mark.parametrize("text", BOARDS)
def test_items_of_all_kinds_move_with_the_options(text: str) -> None:
    encoding = encoded(text)
    cover, group = encoding.cover, symmetry(encoding)
    assert len(group) > 1
    for options, items in zip(group.options, group.items, strict=True):
        assert sorted(options) == list(range(len(cover)))
        assert sorted(items) == list(range(cover.primary + cover.secondary))
        for option in range(len(cover)):
            assert {items[item] for item in cover.row(option)} == set(cover.row(options[option]))


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("which", ["rotations", "all"])
def test_elements_are_listed_with_their_isometries(text: str, which: SymmetryKind) -> None:
    encoding = encoded(text)
    group, puzzle = symmetry(encoding, which), encoding.fitting.puzzle
    assert puzzle is not None
    assert len(group.movements) == len(set(group.movements)) == len(group)
    assert group.turns == tuple(movement.turn for movement in group.movements)
    places = encoding.item_of_location
    for isometry, items in zip(group.movements, group.items, strict=True):
        images = [puzzle.geometry.location_at(isometry.image(point)) for point in puzzle.points]
        assert [items[places[at]] for at in range(len(images))] == [places[image] for image in images]
    assert (list(group.options[0]), list(group.items[0])) == (
        list(range(len(encoding.cover))),
        list(range(len(group.items[0]))),
    )


def test_separate_movements_of_parts_and_automorphisms_have_no_isometries() -> None:
    encoding = encoded("locations box 2x1 + box 2x1 at (0,5)\npiece D x2 { xx }")
    assert len(symmetry(encoding).movements) == 4
    for which in ("parts", "automorphisms"):
        group = symmetry(encoding, which)
        assert (group.movements, group.turns) == ((), ())
        assert len(group) > 1


@pytest.mark.parametrize("which", ["none", "rotations", "all", "parts"])
def test_without_geometry_there_are_no_rotations(which: SymmetryKind) -> None:
    listed = encoded("lattice none\nlocations names a[i] for i in 1..2\npiece P x2 covers { a[i] } for i in 1..2")
    bare = encode(place(Puzzle("no locations", find_lattice("square"), (), ())))
    for encoding in (listed, bare):
        group = symmetry(encoding, which)
        items = encoding.cover.primary + encoding.cover.secondary
        assert list(map(list, group.options)) == [list(range(len(encoding.cover)))]
        assert list(map(list, group.items)) == [list(range(items))]


def test_without_a_requested_symmetry_there_is_none_and_unknown_ones_are_refused() -> None:
    encoding = encoded("locations box 2x2\npiece D x2 { xx }")
    assert [len(symmetry(encoding, which)) for which in ("none", "rotations", "all")] == [1, 4, 8]
    with pytest.raises(ValueError, match="unknown symmetries 'some'"):
        symmetry(encoding, "some")


def test_a_group_is_refused_exactly_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    # Eight movements of four locations, and eight symmetries of four options.
    encoding = encoded("locations box 2x2\npiece D x2 { xx }")
    limits = (
        (movements, "MAX_INTEGERS_OF_MOVEMENTS", "4 locations"),
        (symmetries, "MAX_INTEGERS_OF_GROUP", "4 options"),
    )
    for module, limit, what in limits:
        monkeypatch.setattr(module, limit, 32)
        assert len(symmetry(encoding)) == 8
        monkeypatch.setattr(module, limit, 31)
        with pytest.raises(GroupTooLargeError, match=f"symmetries of {what} to list: at least 8") as caught:
            symmetry(encoding)
        assert caught.value.order == 8
        monkeypatch.undo()
