"""Pieces of an exact cover that was read, and messages for what pieces cannot express."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY, Placements
from puzzlec.lower import raising
from puzzlec.lower.raising import encoded_cover, raised_cover


@pytest.mark.parametrize(
    ("bounds", "often"),
    [((2, 2), "2 times"), ((0, 2), "0 to 2 times"), ((2, ANY), "2 times or more"), ((0, ANY), "0 times or more")],
)
def test_a_number_of_covers_that_no_location_has_is_reported(bounds: tuple[int, int], often: str) -> None:
    cover = ExactCover.from_sets({"a": "pq", "b": "pqr", "c": "p"}, bounds={"p": (1, 3), "q": bounds})
    with pytest.raises(PuzzleError) as caught:
        raised_cover(cover)
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [
        f"a location is covered once, but item `q` {often}"
    ]


def test_a_colour_that_pieces_cannot_have_is_reported_with_its_option_counted_from_1() -> None:
    cover = ExactCover.from_rows([[0, 1], [0], [0, (1, 2)]], 1, 1, item_names=["p", "x"])
    with pytest.raises(PuzzleError) as caught:
        raised_cover(cover)
    (found,) = caught.value.diagnostics
    assert found.message == "pieces and locations cannot express colours of items"
    assert found.notes == ("item `x` has one in option 3",)


@pytest.mark.parametrize("large", [0, 10**9])
def test_the_first_items_that_are_pieces_are_found(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "MIN_ENTRIES_OF_NUMPY", large)
    for rows, pieces in [
        ([[0, 2], [1, 3], [0, 3], [1, 2]], 2),
        ([[0, 4], [1, 3], [0, 2, 4], [1, 2]], 2),  # a secondary item is also a location
        ([[0], [1]], 2),  # a placement without locations
        ([[0, 2], [1, 3], [0, 1, 2]], 0),  # an option with both
        ([[0, 2], [1, 3], [0, 2]], 0),  # no piece has a placement twice
        ([[0, 1], [1, 2], [3]], 0),  # for any number of first items, some option has none of them, or two
        ([], 0),
    ]:
        cover = ExactCover.from_rows(rows, 4, 1)
        found = raised_cover(cover).fitting
        assert (found.locations, len(found.pieces)) == (5 - pieces, pieces or len(rows))
    # If every item were a piece, there would be no location left.
    assert raised_cover(ExactCover.from_rows([[0], [1]], 2)).fitting.locations == 2


def test_options_that_are_separate_pieces_are_named_by_numbers_and_have_no_items() -> None:
    cover = ExactCover.from_rows([[0, 1], [2, 1], [2, 0], [2, 3]], primary=3, secondary=1)
    encoding = raised_cover(cover)
    pieces = encoding.fitting.pieces
    assert [piece.name for piece in pieces] == ["0", "1", "2", "3"]
    assert [piece.placements for piece in pieces] == [Placements([row]) for row in [(0, 1), (1, 2), (0, 2), (2, 3)]]
    assert {(piece.low, piece.high) for piece in pieces} == {(0, 1)}
    assert encoding.fitting.optional == {3}
    assert encoding.item_of_piece == (-1, -1, -1, -1)
    assert encoding.item_of_location == (0, 1, 2, 3)


@pytest.mark.parametrize("large", [0, 10**9])
def test_the_order_of_items_in_an_option_does_not_matter(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "MIN_ENTRIES_OF_NUMPY", large)
    for rows, pieces in [
        ([[3, 0, 2], [1, 3], [4, 1], [2, 1]], [[(0, 1)], [(1,), (2,), (0,)]]),  # the first two are pieces
        ([[3, 0, 2], [1, 0], [4, 1]], [[(0, 2, 3)], [(0, 1)], [(1, 4)]]),
    ]:
        encoding = raised_cover(ExactCover.from_rows(rows, primary=4, secondary=1))
        assert [list(piece.placements) for piece in encoding.fitting.pieces] == pieces
    # With colours, item 1 is two locations, without a colour and with colour 1: numbers 1 and 2, and item 2 is 3 and 4.
    encoding = encoded_cover(ExactCover.from_rows([[(2, 1), (1, 1), 0], [2, (1, 1), 0]], primary=1, secondary=2))
    assert [list(piece.placements) for piece in encoding.fitting.pieces] == [[(0, 2, 4)], [(0, 2, 3)]]


def test_an_option_that_is_there_three_times_makes_three_pieces_of_many_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(raising, "MAX_UNNAMED_PIECES", 3)
    encoding = raised_cover(ExactCover.from_rows([[0, 1], [1], [0, 1], [1, 0]], primary=2))
    assert [list(piece.placements) for piece in encoding.fitting.pieces] == [[(0, 1), (1,)], [(0, 1)], [(0, 1)]]
    assert list(encoding.piece) == [0, 0, 1, 2]
    assert list(encoding.index) == [0, 1, 0, 0]


def test_what_pieces_cannot_express_is_reported_with_the_title() -> None:
    cover = ExactCover.from_rows([[0, (1, 1)]], 1, 1)
    for title, file in [("a title", "a title"), ("", None)]:
        with pytest.raises(PuzzleError) as caught:
            raised_cover(replace(cover, title=title))
        assert [diagnostic.file for diagnostic in caught.value.diagnostics] == [file]
