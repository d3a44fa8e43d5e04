"""The output of ``explain`` and ``show`` for an exact cover from a file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec.engine.problem import ExactCover
from puzzlec.explaining.covers import show_cover
from puzzlec.explaining.understanding import explain
from puzzlec.ir import ANY
from tests.lower.test_raising import covers_by_hand, exact_covers

#: The example of Knuth's DLX3, with another item that no option has.
COLOURED = """A B 2:3|C | X Y Z
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
"""


def read(text: str, format: str = "dlx") -> ExactCover:
    cover = puzzlec.parse(text, format=format)
    assert isinstance(cover, ExactCover)
    return cover


def sections(cover: ExactCover, width: int = 80) -> dict[str, list[str]]:
    """Return the lines of an explanation by its heads."""
    found = {}
    for block in explain(cover, width=width).split("\n\n"):
        head, *lines = block.split("\n")
        found[head] = lines
    return found


def test_items_bounds_colours_and_options_are_printed_with_their_names() -> None:
    told = sections(read(COLOURED))
    assert told["exact cover"] == [
        "  items      3 primary, 3 secondary",
        "             covered 2 to 3 times: `C`",
        "             secondary, and covered by no option: `Z`",
        "  colours    0 and 1 of `X` and `Y`",
        "  options    5, with 14 entries; 2 to 4 items in each",
        "  redundant  item Z neither forbids nor demands anything",
    ]
    assert told["fewest options"] == [
        "  item  covered       options",
        "  A B   once                2",
        "  C     2 to 3 times        3",
    ]


def test_forced_options_are_printed_with_their_items() -> None:
    assert sections(read(COLOURED))["forced"] == [
        "  1: A C X:1 Y:1: nothing else covers item `A`",
        "  3: B X:1: nothing else covers item `B`",
        "  4: C Y:1: item `C` needs every option that is left",
        "  impossible: 2 of 5 options cannot be in any cover: 0: A B X:0 Y:0; 2: C X:0",
        "  no other option is left: this is the only cover",
    ]
    assert sections(read("0 Q\n1 R\n1,2 S\n", "numeric"))["forced"][0] == "  Q: 0: nothing else covers item `0`"


def test_the_title_comes_first_also_for_covers_that_could_be_raised() -> None:
    cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "b"})
    told = explain(cover)
    assert told.startswith("exact cover")
    assert "piece" not in told
    assert "location" not in told


def test_a_cover_without_items_has_words() -> None:
    told = sections(read("a b\n"))
    assert next(iter(told)) == "no cover"
    assert "  options    none" in told["exact cover"]
    assert told["no cover"] == ["  no cover: item `a` cannot be covered"]


@pytest.mark.parametrize(
    ("bounds", "words"),
    [((0, 0), "never"), ((0, ANY), "any number of times"), ((2, ANY), "at least 2 times"), ((0, 1), "at most once")],
)
def test_every_bound_has_its_words(bounds: tuple[int, int], words: str) -> None:
    cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "b"}, bounds={"a": bounds})
    assert f"covered {words}: `a`" in explain(cover)
    assert words in show_cover(cover)


def test_show_lists_all_items_and_the_first_options() -> None:
    lines = show_cover(read(COLOURED)).split("\n")
    assert "  A B   primary    once                 2  -" in lines
    assert "  X Y   secondary  by one colour" not in lines
    assert "  X     secondary  by one colour        4  0 1" in lines
    assert "  1: A C X:1 Y:1" in lines
    many = ExactCover.from_rows([[0]] * 40, 1)
    assert "  and 16 others: `puzzlec explain --stage cover` gives them all" in show_cover(many).split("\n")
    long = ExactCover.from_rows([range(60)], 60)
    assert "39 and 20 other items" in show_cover(long)


@settings(max_examples=100)
@given(exact_covers())
def test_every_cover_can_be_explained_and_the_facts_are_true(cover: ExactCover) -> None:
    told = explain(cover)
    assert all(len(line) <= 120 for line in told.split("\n"))
    assert str(cover) in show_cover(cover)
    covers = covers_by_hand(cover)
    if "this is the only cover" in told:
        assert len(covers) == 1
    if "no cover" in told.replace("cannot be in any cover", "") or "there is no cover" in told:
        assert not covers
