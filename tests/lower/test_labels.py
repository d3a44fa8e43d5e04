"""Names of items and options in formats for other programs."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.engine.problem import ExactCover
from puzzlec.lower.labels import Labelled, different, words
from puzzlec.lower.raising import encoded_cover


def labels_of(text: str) -> Labelled:
    encoding = puzzlec.compile(puzzlec.parse(text))
    return Labelled.of(encoding)


def test_an_option_is_named_by_its_piece_and_its_locations_or_by_its_empty_location() -> None:
    labelled = labels_of('puzzle "A row"\noptional locations box 3x1\nempty 1\npiece D { xx }')
    assert labelled.title == "A row"
    assert list(labelled.items) == ["D", "0,0", "1,0", "2,0", "empty"]
    assert list(labelled.labels()) == ["D 0,0 1,0", "D 1,0 2,0", "empty 0,0", "empty 1,0", "empty 2,0"]


def test_the_label_of_a_tile_has_the_order_of_its_sides() -> None:
    labelled = labels_of("colours a b c d\nlocations box 1x1\npiece T one-sided sides a b c d")
    assert list(labelled.labels()) == [f"T 0,0 sides {sides}" for sides in ("a b c d", "d a b c", "c d a b", "b c d a")]


def test_if_a_piece_has_the_name_of_a_location_all_pieces_are_marked_as_pieces() -> None:
    board = "lattice none\nlocations names {}\npiece A covers {{0}}\npiece B covers {{1}}"
    assert list(labels_of(board.format("0 1")).items) == ["A", "B", "0", "1"]
    named = "lattice none\nlocations names A C\npiece A covers {C}\npiece B covers {A}"
    assert list(labels_of(named).items) == ["piece-A", "piece-B", "A", "C"]
    without_item = board.format("0 1").replace("piece A", "piece A x*")
    assert list(labels_of(without_item).items) == ["B", "0", "1"]


def test_an_exact_cover_from_a_file_keeps_its_names() -> None:
    cover = ExactCover.from_names(["p", "q"], [["p", "x:red"], ["q", "x:red"], ["q", "x"]], ["x"])
    labelled = Labelled.of(encoded_cover(cover))
    assert labelled.encoding is None
    assert list(labelled.items) == ["p", "q", "x"]
    assert list(labelled.labels()) == ["p x:red", "q x:red", "q x"]


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_an_option_with_a_blank_name_is_named_by_its_number(blank: str) -> None:
    cover = ExactCover.from_rows([[0], [0]], 1, option_names=["first", blank])
    assert list(Labelled(cover).labels()) == ["first", "1"]


def test_names_are_in_one_line_and_items_of_one_name_get_different_names() -> None:
    cover = ExactCover.from_rows([[0, 1, 2]], 3, item_names=["a\tb", "a b", "\x1b"], option_names=[" o\r\np "])
    assert list(Labelled(cover).items) == ["a b", "a b'", " "]
    assert list(Labelled(cover).labels()) == ["o p"]


def test_a_name_with_a_sign_is_not_taken_from_the_one_that_has_it() -> None:
    assert list(different(["a", "a'", "a"])) == ["a", "a'", "a''"]
    assert list(words(["", "a b", "a\tb"])) == ["_", "a_b", "a_b'"]
