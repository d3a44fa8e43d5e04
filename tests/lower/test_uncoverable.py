"""Reasons why an exact cover that was read as such has no cover, in words of items and options."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec import pipeline
from puzzlec.diagnostics import Diagnostic, Report
from puzzlec.ir import ExactCover
from puzzlec.lower.uncoverable import usable_options
from tests.lower.test_raising import covers_by_hand, exact_covers

PIECES = ("piece", "location", "board", "placement")


def reasons(cover: ExactCover) -> list[Diagnostic]:
    report = Report()
    pipeline.check(cover, report)
    return list(report.diagnostics)


def told(text: str, format: str = "dlx") -> tuple[str, str]:
    """Return the code of the one reason for a text, and all of its words."""
    cover = puzzlec.parse(text, format)
    assert isinstance(cover, ExactCover)
    (reason,) = reasons(cover)
    return reason.code, "\n".join([reason.message, *reason.notes, *reason.helps])


@settings(max_examples=300)
@given(exact_covers())
def test_a_reason_is_given_only_where_there_is_no_cover_and_speaks_of_items(cover: ExactCover) -> None:
    found = reasons(cover)
    if found:
        assert not covers_by_hand(cover)
    for reason in found:
        words = " ".join([reason.message, *reason.notes, *reason.helps])
        assert not [word for word in PIECES if word in words]


@given(exact_covers())
def test_an_item_with_fewer_options_than_it_needs_is_always_told(cover: ExactCover) -> None:
    usable = usable_options(cover)
    never = {item for item in range(cover.primary) if cover.high[item] == 0}
    by_hand = [
        sum(item in cover.row(option) and never.isdisjoint(cover.row(option)) for option in range(len(cover)))
        for item in range(cover.primary + cover.secondary)
    ]
    assert usable == by_hand
    short = any(cover.low[item] > usable[item] for item in range(cover.primary))
    assert ("PZ406" in [each.code for each in reasons(cover)]) is short


def test_a_file_of_items_without_options_is_told_so() -> None:
    code, words = told("a b c\n")
    assert code == "PZ406"
    assert words.startswith("there are no options, and 3 items must be covered")


def test_items_that_no_option_covers_are_one_error() -> None:
    code, words = told("a b c\nb\n")
    assert (code, words.split("\n")[0]) == ("PZ406", "no option covers items `a` or `c`")
    assert told("0 x\n2 y\n", "numeric")[1].startswith("no option covers item `1`")
    many = " ".join(f"i{number}" for number in range(20))
    assert "`i8` or 11 others" in told(f"{many}\ni0\n")[1]


def test_options_with_an_item_that_is_never_covered_do_not_count() -> None:
    cover = ExactCover.from_sets({"x": "ab", "y": "b"}, bounds={"a": 0, "b": (2, 3)})
    (reason,) = reasons(cover)
    assert reason.message == "item `b` must be covered at least 2 times, but only 1 of its 2 options can be chosen"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "p q a b c d e\np a b\np c e\nq c d\nq d e\n",
            "the options cover at most 4 of the other items, and 5 must be",
        ),
        ("p q a b c\np a b\np c b\nq a b\nq a c\n", "the options cover at least 4 of the other items, and there are 3"),
        ("3|p a b\np a\np b\np a b\n", "the options cover at least 3 of the other items, and there are 2"),
    ],
)
def test_sums_that_cannot_match_are_told(text: str, message: str) -> None:
    code, words = told(text)
    assert code == "PZ407"
    assert message in words


def test_secondary_items_are_room_for_options_but_demand_none() -> None:
    cover = puzzlec.parse("p q a | x y\np a x\nq y\np x\n", "dlx")
    assert isinstance(cover, ExactCover)
    assert not reasons(cover)


def test_weights_of_items_that_prove_it_are_told_of_options() -> None:
    code, words = told("a b c d e\na b\nb c\nc d\nd e\na c\n")
    assert code == "PZ405"
    assert words.startswith("no cover: the options cover an even number of items, but there are 5\neach option covers")
    code, words = told("p q a b c d\np a b\np c d\np a d\np b c\nq a c\n")
    assert code == "PZ405"
    assert "each option with `p` covers 1 marked item, each option with `q` 2" in words


def test_a_count_of_nothing_gives_the_reason_for_covers_with_colours_too() -> None:
    solutions = puzzlec.solve(puzzlec.parse("a b | x\na x:1\na x:2\n", "dlx"))
    assert solutions.count() == 0
    assert [each.message for each in solutions.reasons] == ["no option covers item `b`"]
