"""The exact cover of a fitting: its items, their names, and their options."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.ir import ANY, Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import Encoding, encode
from puzzlec.lower.covering import ways_of


def encoded(text: str) -> Encoding:
    return puzzlec.compile(puzzlec.parse(text))


def bounds(encoding: Encoding) -> dict[str, tuple[int, int]]:
    """Return the primary items, by name, with their bounds."""
    cover = encoding.cover
    return dict(zip(cover.item_names[: cover.primary], zip(cover.low, cover.high, strict=True), strict=True))


def test_pieces_come_first_then_locations_and_those_that_may_stay_empty_are_secondary() -> None:
    encoding = encoded("locations { x?x }\npiece A { x }\npiece D x0..1 { xx }\npiece E x1..3 { x }")
    assert bounds(encoding) == {"A": (1, 1), "D": (0, 1), "E": (1, 3), "0,0": (1, 1), "2,0": (1, 1)}
    assert encoding.cover.item_names[5:] == ("1,0",)
    assert encoding.item_of_piece == (0, 1, 2)
    assert encoding.item_of_location == (3, 5, 4)
    assert [encoding.cover.row(option) for option in (0, 1, 2, 3)] == [(0, 3), (0, 5), (0, 4), (1, 3, 5)]


def test_counted_empty_locations_are_primary_and_each_empty_one_counts() -> None:
    encoding = encoded("locations { x?x? }\nempty 1..2\npiece A { xxx }")
    assert bounds(encoding) == {"A": (1, 1), **{f"{x},0": (1, 1) for x in range(4)}, "empty": (1, 2)}
    assert [encoding.cover.row(option) for option in range(4)] == [(0, 1, 2, 3), (0, 2, 3, 4), (5, 2), (5, 4)]
    assert list(encoding.piece) == [0, 0, -1, -1]
    assert list(encoding.index) == [0, 1, 1, 3]


def test_the_number_of_empty_locations_is_an_item_if_it_has_an_effect() -> None:
    # At most one of two that may stay empty. If none may, only a number above 0 has an effect.
    assert bounds(encoded("locations { x?? }\nempty 0..1\npiece A { x }"))["empty"] == (0, 1)
    assert "empty" not in bounds(encoded("locations { xx }\nempty 0..1\npiece A { x }\npiece B { x }"))
    assert bounds(encoded("locations { xx }\nempty 1..2\npiece A { x }\npiece B { x }"))["empty"] == (1, 2)


@pytest.mark.parametrize(
    ("placements", "low", "high", "optional", "item"),
    [
        ([(0,), (1,)], 0, 2, (), False),
        ([(0,), (1,)], 0, 1, (), True),  # one of both
        ([(0,), (1,)], 1, 2, (), True),  # not none
        ([(0,), (1,)], 0, ANY, (0,), True),  # an option would have no primary item
        ([(0, 1)], 0, ANY, (0,), False),
        ([(0,), ()], 0, ANY, (), True),  # a placement that covers nothing would be an option without items
        ([], 0, 0, (0, 1), False),
    ],
)
def test_a_piece_of_which_any_number_may_be_used_needs_no_item(
    placements: list[tuple[int, ...]], low: int, high: int, optional: tuple[int, ...], item: bool
) -> None:
    piece = FittingPiece(Placements(placements), low, high, name="A")
    encoding = encode(Fitting(2, (piece,), frozenset(optional)))
    assert ("A" in encoding.cover.item_names) is item
    assert (encoding.item_of_piece == (0,)) is item
    encoding.cover.verify()


def test_a_piece_on_optional_locations_needs_no_item_if_empty_locations_are_counted() -> None:
    piece = FittingPiece(Placements([(0,), (1,)]), 0, 2, name="A")
    encoding = encode(Fitting(2, (piece,), frozenset((0, 1)), empty=(1, 1)))
    assert encoding.cover.item_names == ("0", "1", "empty")
    assert encoding.cover.row(0) == (0,)


def test_a_place_between_two_tiles_has_the_colour_of_the_lesser_location() -> None:
    # A side b at 0,0 and a side c at 1,0 are mates, so they are the same for the place between them.
    encoding = encoded("colours a b c\nmatch b c\nlocations box 2x2\npiece T x* fixed sides b b a c")
    cover = encoding.cover
    assert cover.item_names == ("0,0", "1,0", "0,1", "1,1", "0,0|1,0", "0,0|0,1", "1,0|1,1", "0,1|1,1")
    assert encoding.item_of_side == {(0, 1): 4, (0, 2): 5, (1, 3): 6, (2, 3): 7}
    assert cover.colour_names == ("a", "b", "c")
    words = [{cover.item_name(item): colour for item, colour in cover.entries(option)} for option in range(4)]
    assert words == [
        {"0,0": 0, "0,0|1,0": 2, "0,0|0,1": 1},
        {"1,0": 0, "0,0|1,0": 2, "1,0|1,1": 1},
        {"0,1": 0, "0,1|1,1": 2, "0,0|0,1": 3},
        {"1,1": 0, "0,1|1,1": 2, "1,0|1,1": 3},
    ]


def test_crossings_of_the_same_locations_have_different_names_and_an_option_has_its_crossings() -> None:
    crossings = (((0, 1), (2, 3)), ((3, 0), (1, 2)), ((4, 5), (6, 7)))
    piece = FittingPiece(Placements([(0, 1), (2, 3), (0, 1, 2, 3), (0, 2), (4, 6, 7)]), 0, 2, name="A")
    encoding = encode(Fitting(8, (piece,), frozenset(range(8)), crossings=crossings))
    cover = encoding.cover
    assert cover.item_names == ("A", *map(str, range(8)), "0+1+2+3", "0+1+2+3~2", "4+5+6+7")
    assert encoding.item_of_crossing == {ways_of(pairs): 9 + number for number, pairs in enumerate(crossings)}
    through = [[item - 8 for item in cover.row(option) if item > 8] for option in range(len(cover))]
    assert list(map(sorted, through)) == [[1], [1], [1, 2], [], [3]]
    assert list(map(len, through)) == [1, 1, 2, 0, 1], "an option that uses both ways has the crossing once"


def test_a_cover_means_its_pieces_in_order_with_any_empty_locations() -> None:
    encoding = encoded("locations { x?xx }\nempty 1\npiece A { x }\npiece D { xx }")
    options = [
        option
        for option in range(len(encoding.cover))
        if (encoding.piece[option], encoding.index[option]) in {(-1, 1), (0, 0), (1, 2)}
    ]
    solution = encoding.lift(reversed(options))
    assert [(placement.number, placement.index, placement.locations) for placement in solution.placements] == [
        (0, 0, (0,)),
        (1, 2, (2, 3)),
    ]
