"""Reasons why an exact cover from a file has no cover, in words of items and options."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec import compiler
from puzzlec.diagnostics import Diagnostic, Report
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY
from puzzlec.lower.impossibility import usable_options
from tests.lower.test_raising import covers_by_hand, exact_covers

PIECES = ("piece", "location", "board", "placement")


def reasons(cover: ExactCover) -> list[Diagnostic]:
    report = Report()
    compiler.check(cover, report=report)
    return list(report.diagnostics)


def told(text: str, format: str = "dlx") -> tuple[str, str]:
    """Return the code of the only reason for a text, and all of its words."""
    cover = puzzlec.parse(text, format=format)
    assert isinstance(cover, ExactCover)
    (reason,) = reasons(cover)
    return reason.code, "\n".join([reason.message, *reason.notes, *reason.helps])


@settings(max_examples=300)
@given(exact_covers())
@pytest.mark.long
def test_a_reason_is_given_only_without_a_cover_and_names_items(cover: ExactCover) -> None:
    found = reasons(cover)
    if found:
        assert not covers_by_hand(cover)
    for reason in found:
        words = " ".join([reason.message, *reason.notes, *reason.helps])
        assert not [word for word in PIECES if word in words]


@given(exact_covers())
def test_an_item_with_fewer_options_than_it_needs_is_always_reported(cover: ExactCover) -> None:
    usable = usable_options(cover)
    never = {item for item in range(cover.primary) if cover.high[item] == 0}
    by_hand = [
        sum(item in cover.row(option) and never.isdisjoint(cover.row(option)) for option in range(len(cover)))
        for item in range(cover.primary + cover.secondary)
    ]
    assert usable == by_hand
    short = any(cover.low[item] > usable[item] for item in range(cover.primary))
    assert ("PZ406" in [diagnostic.code for diagnostic in reasons(cover)]) is short


def test_a_file_of_items_without_options_is_reported() -> None:
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


def words(cover: ExactCover) -> list[tuple[str, ...]]:
    """Return the message, notes and suggestions of each reason."""
    return [(diagnostic.message, *diagnostic.notes, *diagnostic.helps) for diagnostic in reasons(cover)]


def test_the_note_on_an_item_without_options_mentions_bounds_if_there_are_any() -> None:
    plain = "each primary item must be covered"
    bounds = "each primary item must be covered within its bounds"
    rows, once = [[2]], (1, 1)
    assert words(ExactCover.from_rows(rows, 3, bounds=[once, (0, 9), once])) == [
        ("no option covers item `0`", plain, "add options for it")
    ]
    assert words(ExactCover.from_rows(rows, 3, bounds=[once, (1, 2), once])) == [
        ("no option covers items `0` or `1`", plain, "add options for them")
    ]
    assert words(ExactCover.from_rows(rows, 3, bounds=[once, (2, 3), once])) == [
        ("no option covers items `0` or `1`", bounds, "add options for them")
    ]
    assert words(ExactCover.from_rows([], 1)) == [
        (
            "there are no options, and 1 item must be covered",
            "add options, each with the items that it covers",
        )
    ]


@pytest.mark.parametrize(
    ("number", "ends"), [(1, "item `0`"), (8, "`6` or `7`"), (9, "`7` or `8`"), (10, "`7` or 2 others")]
)
def test_of_ten_items_and_more_eight_are_named(number: int, ends: str) -> None:
    ((message, *_),) = words(ExactCover.from_rows([[number]], number + 1))
    assert message.startswith("no option covers item")
    assert message.endswith(ends)


@pytest.mark.parametrize(
    ("number", "last"),
    [(8, ()), (9, ("1 more item has too few options",)), (10, ("2 more items have too few options",))],
)
def test_eight_of_many_items_with_too_few_options_are_listed(number: int, last: tuple[str, ...]) -> None:
    found = words(ExactCover.from_rows([range(number)], number, bounds=[(2, 2)] * number))
    told_each = [f"item `{item}` must be covered 2 times, but it has 1 option" for item in range(8)]
    assert [message[0] for message in found] == [*told_each, *last]


def test_a_reason_states_how_many_options_an_item_has_and_how_many_can_be_chosen() -> None:
    never, twice = (0, 0), (2, 2)
    assert words(ExactCover.from_rows([[1], [0, 1]], 2, bounds=[never, twice])) == [
        (
            "item `1` must be covered 2 times, but only 1 of its 2 options can be chosen",
            "the others have an item that is never covered",
        )
    ]
    assert words(ExactCover.from_rows([[0, 1]], 2, bounds=[never, (1, 1)])) == [
        (
            "item `1` must be covered 1 time, but only none of its 1 options can be chosen",
            "the others have an item that is never covered",
        )
    ]
    assert words(ExactCover.from_rows([[0]], 1, bounds=[(2, 3)])) == [
        ("item `0` must be covered at least 2 times, but it has 1 option",)
    ]


@pytest.mark.parametrize(
    ("rows", "bounds", "message", "note"),
    [
        (
            [[0, 2, 3], [0, 4, 6], [1, 4, 5], [1, 5, 6]],
            [(1, 1)] * 2,
            "at most 4 of the other items, and 5 must be covered",
            "each option has just one of the first 2 items, so 2 options are chosen",
        ),
        (
            [[0, 1], [0, 2], [0, 3]],
            [(1, 1)],
            "at most 1 of the other items, and 3 must be covered",
            "each option has the item `0`, so 1 option is chosen",
        ),
        (
            [[0, 1], [0, 2], [0, 3]],
            [(0, 1)],
            "at most 1 of the other items, and 3 must be covered",
            "each option has the item `0`, so at most 1 option is chosen",
        ),
        (
            [[0, 1], [0, 2], [0, 1, 2]],
            [(3, 4)],
            "at least 3 of the other items, and there are 2",
            "each option has the item `0`, so at least 3 options are chosen",
        ),
        (
            # Nothing covers item 0, so nothing is chosen for it.
            [[1, 2], [1, 3], [1, 4, 5]],
            [(0, 3), (1, 1)],
            "at most 2 of the other items, and 4 must be covered",
            "each option has just one of the first 2 items, so 1 option is chosen",
        ),
        (
            # An open number of copies proves nothing.
            [[0], [1, 2], [1, 3]],
            [(0, ANY), (1, 1)],
            "at most 1 of the other items, and 2 must be covered",
            "each option has just one of the first 2 items",
        ),
    ],
)
def test_sums_are_stated_with_the_number_of_chosen_options(
    rows: list[list[int]], bounds: list[tuple[int, int]], message: str, note: str
) -> None:
    items = max(map(max, rows)) + 1
    cover = ExactCover.from_rows(rows, items, bounds=[*bounds, *[(1, 1)] * (items - len(bounds))])
    assert words(cover) == [(f"no cover: the options cover {message}", note)]


@pytest.mark.parametrize(
    ("rows", "bounds"),
    [
        ([[0, 1], [0, 2], [0, 1, 2]], [(1, 2)]),
        ([[0, 1, 2], [0, 1], [0, 2]], [(2, 2)]),
        ([[0, 1], [0, 1, 2]], [(0, ANY)]),
    ],
)
def test_sums_that_can_match_are_no_reason(rows: list[list[int]], bounds: list[tuple[int, int]]) -> None:
    assert not words(ExactCover.from_rows(rows, 3, bounds=[*bounds, (1, 1), (1, 1)]))


def test_options_that_are_placements_of_one_piece_are_called_options(monkeypatch: pytest.MonkeyPatch) -> None:
    # As where there are very many of them: all options share one item, and there is room for two.
    monkeypatch.setattr("puzzlec.lower.raising.MAX_UNNAMED_PIECES", 1)
    (found,) = words(ExactCover.from_rows([[0, 2], [1, 2], [2, 3]], 4))
    assert found == (
        "no cover: the options cover 2 of certain items, but there is 1",
        "mark item `2`: 1 of 4 items",
        "each option covers 1 marked item",
        "to cover all items, it takes 2 options",
        "together: 2 x 1 = 2",
    )


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
def test_sums_that_cannot_match_are_reported(text: str, message: str) -> None:
    code, words = told(text)
    assert code == "PZ407"
    assert message in words


def test_secondary_items_are_room_for_options_but_demand_none() -> None:
    cover = puzzlec.parse("p q a | x y\np a x\nq y\np x\n", format="dlx")
    assert isinstance(cover, ExactCover)
    assert not reasons(cover)


def test_weights_of_items_that_prove_it_are_stated_for_options() -> None:
    code, words = told("a b c d e\na b\nb c\nc d\nd e\na c\n")
    assert code == "PZ405"
    assert words.startswith("no cover: the options cover an even number of items, but there are 5\neach option covers")
    code, words = told("p q a b c d\np a b\np c d\np a d\np b c\nq a c\n")
    assert code == "PZ405"
    assert "each option with `p` covers 1 marked item, each option with `q` 2" in words


def test_a_count_of_0_gives_the_reason_for_covers_with_colours() -> None:
    solutions = puzzlec.solve(puzzlec.parse("a b | x\na x:1\na x:2\n", format="dlx"))
    assert solutions.count() == 0
    assert [reason.message for reason in solutions.reasons] == ["no option covers item `b`"]
