"""Messages about volumes, colours and pieces without a place: sentence, arithmetic, position and suggestion."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.diagnostics import Report
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY, Fitting, Placements, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import Encoding, encode, impossibility, place
from puzzlec.lower.impossibility import impossible
from puzzlec.lower.raising import encoded_cover

FILL = "add pieces, or write `optional` before `locations`, if some locations may stay empty"
LEAVE_OUT = "remove pieces, or add locations"
OPTIONAL = "write `piece A x0..1` for pieces that need not be used"


def told(what: Fitting | Encoding) -> list[tuple[str, ...]]:
    """Return each reason: its code, its position, the message, the remark there, the notes and suggestions."""
    report = Report()
    impossible(what, report)
    return [
        (
            diagnostic.code,
            str(diagnostic.span or ""),
            diagnostic.message,
            diagnostic.label.text if diagnostic.label else "",
            *diagnostic.notes,
            *diagnostic.helps,
        )
        for diagnostic in report.diagnostics
    ]


def fitting_of(text: str) -> Fitting:
    return puzzlec.compile(puzzlec.parse(text), stage="fitting")


def told_of(text: str) -> list[tuple[str, ...]]:
    return told(fitting_of(text))


def piece(*rows: list[int], low: int = 1, high: int = 1) -> FittingPiece:
    return FittingPiece(Placements(rows), low, high)


def test_a_range_of_copies_is_stated_as_bounds_of_what_they_cover() -> None:
    assert told_of("piece A x0..2 { xx }\nlocations box 5x1") == [
        ("PZ401", "<text>:2:1", "pieces do not fill the board", "5 locations",
         "pieces cover at most 4 locations, 1 fewer than must be covered", FILL)
    ]  # fmt: skip
    assert told_of("piece A x0..2 { xx }\noptional locations box 5x1\nempty 0") == [
        ("PZ401", "<text>:2:1", "pieces do not fill the board", "5 locations, 5 of which may stay empty",
         "pieces cover at most 4 locations, 1 fewer than must be covered", "add pieces, or write `empty 1`")
    ]  # fmt: skip
    assert told_of("piece A x3..9 { xx }\nlocations box 5x1") == [
        ("PZ401", "<text>:2:1", "pieces are larger than the board", "5 locations",
         "pieces cover at least 6 locations, 1 more than there are", LEAVE_OUT)
    ]  # fmt: skip
    assert told_of("piece A x0..2 { xx }\npiece B x0..1 { x }\nlocations box 5x1") == []


def test_a_piece_of_which_any_number_may_be_used_fills_every_board() -> None:
    assert told(Fitting(2, (piece([0], [1], low=0, high=ANY),))) == []
    assert [reason[4] for reason in told(Fitting(1, (piece([], low=0, high=ANY),)))] == [
        "pieces cover 0 locations, 1 fewer than must be covered"
    ]


def test_without_a_puzzle_a_piece_has_the_size_of_its_placements() -> None:
    # The placements have different sizes: two of the small ones fit.
    assert told(Fitting(2, (piece([0], [1], [0, 1], low=2, high=2),))) == []
    (reason,) = told(Fitting(4, (piece([0], [0, 1], [2]), piece([3]))))
    assert reason[4] == "pieces cover at most 3 locations, 1 fewer than must be covered"
    (reason,) = told(Fitting(2, (piece([0]), piece(low=0, high=3))))
    assert reason[4] == "pieces cover 1 location, 1 fewer than must be covered"
    # A piece without placements has no size: it is reported once, and adds nothing to the others.
    found = told(Fitting(1, (piece([0], low=2, high=2), piece())))
    assert [words[4:5] for words in found] == [("pieces cover 2 locations, 1 more than there are",), ()]
    assert told(Fitting(1, (piece([0]), piece()))) == [("PZ404", "", "piece `1` fits nowhere", "")]


def test_a_listed_piece_is_as_large_as_its_placements_say() -> None:
    start = "lattice none\nlocations names a b c d\n"
    assert told_of(start + "piece p covers {a} {a b}\npiece q covers {c d}") == []
    (reason,) = told_of(start + "piece p covers {a} {a b}\npiece q covers {c}")
    assert reason[4] == "pieces cover at most 3 locations, 1 fewer than must be covered"


def test_locations_that_may_stay_empty_are_room_that_need_not_be_filled() -> None:
    board = "locations { xx?? }\n"
    assert told_of(board + "piece A { xx }") == []
    assert told_of(board + "empty 0..2\npiece A { xx }") == []
    assert told_of(board + "empty 2\npiece A { xx }") == []
    assert told_of(board + "empty 0..9\npiece A { xx }") == []
    assert told_of(board + "empty 1..2\npiece A { xxx }") == []
    assert told_of(board + "empty 2\npiece A { xxx }") == [
        ("PZ401", "<text>:1:1", "pieces leave too few locations empty", "4 locations, 2 of which may stay empty",
         "pieces cover 3 locations, 1 more than may be covered", LEAVE_OUT, OPTIONAL)
    ]  # fmt: skip
    assert told_of(board + "empty 0..1\npiece A { xx }") == [
        ("PZ401", "<text>:1:1", "pieces do not fill the board", "4 locations, 2 of which may stay empty",
         "pieces cover 2 locations, 1 fewer than must be covered", "add pieces, or write `empty 2`")
    ]  # fmt: skip
    (reason,) = told_of(board + "piece A x5 { x }")
    assert reason[2:5] == (
        "pieces are larger than the board",
        "4 locations, 2 of which may stay empty",
        "pieces cover 5 locations, 1 more than there are",
    )


def test_no_more_locations_stay_empty_than_may() -> None:
    assert told_of("locations { xx? }\nempty 2\npiece A { x }") == [
        ("PZ401", "<text>:1:1", "at least 2 locations must stay empty, but only 1 may", "",
         "`empty` counts only optional locations",
         "add `optional locations ...`, or write `?` in a drawing")
    ]  # fmt: skip
    assert [reason[2] for reason in told(Fitting(2, (piece([0]),), optional=frozenset({1}), empty=(2, 2)))] == [
        "at least 2 locations must stay empty, but only 1 may"
    ]


@pytest.mark.parametrize(
    ("text", "helped"),
    [
        ("locations box 2x1\npiece A { xx }\npiece B { xx }", True),
        ("locations box 2x1\npiece A { xx }\npiece B x2 { xx }", False),
        ("locations box 2x1\npiece A x2 { xx }\npiece B x2..3 { xx }", False),
        ("lattice none\nlocations names a b\npiece A x2 covers {a b}", True),
    ],
)
def test_a_set_to_choose_from_gets_a_suggestion(text: str, helped: bool) -> None:
    (reason,) = told_of(text)
    assert reason[5:] == ((LEAVE_OUT, OPTIONAL) if helped else (LEAVE_OUT,))


def test_pieces_without_a_puzzle_get_no_suggestion_to_write_one() -> None:
    (reason,) = told(Fitting(1, (piece([0], low=2, high=2),)))
    assert reason[5:] == (LEAVE_OUT,)


def test_a_cover_of_a_puzzle_is_described_by_pieces_and_one_that_was_read_by_items() -> None:
    found = told(encode(Fitting(1, (piece([0], low=2, high=2),))))
    assert [reason[:3] for reason in found] == [("PZ401", "", "pieces are larger than the board")]
    cover = puzzlec.parse("a b\na\n", format="dlx")
    assert isinstance(cover, ExactCover)
    assert [reason[:3] for reason in told(encoded_cover(cover))] == [("PZ406", "", "no option covers item `b`")]


COLOURS = "colours r b g\n"


def colours_told(text: str) -> list[tuple[str, str]]:
    """Return messages and notes of the reasons about colours."""
    return [(reason[2], reason[4]) for reason in told_of(COLOURS + text) if reason[0] == "PZ402"]


def test_plain_locations_and_plain_cells_go_with_every_colour() -> None:
    assert colours_told("locations { xr }\npiece A { rr }") == []
    assert colours_told("locations { rb }\npiece A { xx }") == []
    assert colours_told("locations { xr }\npiece A { bb }") == [
        (
            "colour `b` has 1 location to lie on, but the pieces have 2 cells of it",
            "cells of colour `b` without a location: 1",
        ),
        (
            "colour `r` has 1 location, but the pieces have 0 cells of it",
            "locations of colour `r` that stay empty: 1",
        ),
    ]


def test_a_colour_that_is_allowed_on_another_has_room_there_but_not_the_other_way_round() -> None:
    assert colours_told("allow r on b\nlocations { rbb }\npiece A { rrr }") == []
    assert colours_told("allow r on b\nlocations { rrb }\npiece A { rbb }") == [
        ("colour `b` has 1 location, but the pieces have 2 cells of it", "cells of colour `b` without a location: 1"),
        (
            "colour `r` has 2 locations, but the pieces have 1 cell of it",
            "locations of colour `r` that stay empty: 1",
        ),
    ]
    assert colours_told("allow r on b\nlocations { bbb }\npiece A { rg }\npiece B { r }")[0] == (
        "colour `b` has 3 locations, but the pieces have 2 cells that may lie there",
        "locations of colour `b` that stay empty: 1",
    )


def test_locations_of_a_colour_that_may_stay_empty_are_room_and_demand_nothing() -> None:
    optional = "locations { r }\noptional locations { .rr }\n"
    assert colours_told(optional + "piece A { r }") == []
    assert colours_told(optional + "piece A { rrr }") == []
    assert colours_told(optional + "piece A x4 { r }") == [
        ("colour `r` has 3 locations, but the pieces have 4 cells of it", "cells of colour `r` without a location: 1")
    ]


def test_copies_count_as_often_as_they_are_used() -> None:
    assert colours_told("locations { rr }\npiece A x2 { r }") == []
    assert colours_told("locations { rr }\npiece A x3 { r }") == [
        ("colour `r` has 2 locations, but the pieces have 3 cells of it", "cells of colour `r` without a location: 1")
    ]


@pytest.mark.parametrize("last", ["piece B x0..1 { r }", "piece B covers {(0,0)} {(1,0)}"])
def test_colours_are_not_counted_if_a_piece_has_an_open_number_of_them(last: str) -> None:
    assert colours_told("locations { rrr }\npiece A { bb }")
    assert colours_told(f"locations {{ rrr }}\npiece A {{ bb }}\n{last}") == []


OTHER_COLOUR = "in every position a cell is on a location of another colour"
RIM = "each rotation shows a wrong colour on the border"
FORM = "no part of the board has its form"
BOARD = "locations box 3x3\npiece M x0..9 { x }\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            BOARD + "piece I { xxxx }",
            (3, "I", "its box is 4 x 1, the box of the locations 3 x 3"),
        ),
        (
            "locations box 3x2 at (5,7)\npiece M x0..9 { x }\npiece I fixed { x/x/x }",
            (3, "I", "its box is 1 x 3, the box of the locations 3 x 2"),
        ),
        (
            "lattice cubic\nlocations box 3x2x2\npiece M x0..12 { x }\npiece O { xxx/xxx/xxx }",
            (4, "O", "its box is 3 x 3 x 1, the box of the locations 3 x 2 x 2"),
        ),
        (
            "locations { xx./.xx }\npiece M x0..9 { x }\npiece I { xxx }",
            (3, "I", FORM),
        ),
        (
            # The box is as large as that of the locations, so it is not too large.
            "locations { xx/x. }\npiece M x0..9 { x }\npiece O x0..1 { xx/x. }\npiece Q fixed { x./xx }",
            (4, "Q", FORM),
        ),
        (
            "colours r b\nlocations { rbr }\npiece M x0..3 { x }\npiece R { rr }",
            (4, "R", OTHER_COLOUR),
        ),
        (
            "colours r b\nlocations { rbr }\npiece M x0..3 { x }\npiece R fixed { r/r }",
            (4, "R", "its box is 1 x 2, the box of the locations 3 x 1"),
        ),
        (
            BOARD + "piece I { xxx }\nplace I inside box 2x2",
            (3, "I", "`place I inside box 2x2` excludes all placements"),
        ),
        (
            BOARD + "piece I { xxxx }\nplace M inside box 2x2",
            (3, "I", "its box is 4 x 1, the box of the locations 3 x 3"),
        ),
        (
            "colours 0 1 2\nframe 0\nlocations box 2x1\npiece M x0..2 sides 0 0 0 0\npiece T sides 1 1 1 1",
            (5, "T", RIM),
        ),
        (
            BOARD + "piece p covers {(0,0)}\nplace p off box 3x3",
            (3, "p", "`place p off box 3x3` excludes all placements"),
        ),
        (BOARD + "piece I x0..1 { xxxx }", None),
    ],
)
def test_a_piece_that_fits_nowhere_gets_the_reason(text: str, reason: tuple[int, str, str] | None) -> None:
    expected = []
    if reason is not None:
        line, name, why = reason
        expected = [("PZ404", f"<text>:{line}:7", f"piece `{name}` fits nowhere", "", why)]
    assert told_of(text) == expected


@pytest.mark.parametrize(
    ("rules", "note"),
    [
        (
            "place I inside box 3x2\nplace I on corner\nplace I off box 3x1",
            "`place I inside box 3x2`, `place I on corner` and `place I off box 3x1` together exclude all placements",
        ),
        ("symmetric half-turn", "`symmetric half-turn` excludes all placements"),
        (
            "place I inside box 3x2\nplace M off box 1x1\nplace I off box 3x1\nplace I on box 3x1 at (0,2)",
            "`place I inside box 3x2` and `place I on box 3x1 at (0,2)` together exclude all placements",
        ),
    ],
)
def test_the_smallest_set_of_rules_that_excludes_a_piece_is_named(rules: str, note: str) -> None:
    text = f"locations box 3x4\npiece M x9 {{ x }}\npiece I {{ xxx }}\n{rules}"
    told = [reason for reason in told_of(text) if reason[0] == "PZ404"]
    assert [reason[-1] for reason in told] == [note] * bool(note)


def test_a_puzzle_with_many_rules_is_not_tried_without_each() -> None:
    rules = "\n".join(f"place I off cells ({x},{y})" for x in range(5) for y in range(5))
    ((_, _, _, _, note),) = [
        reason
        for reason in told_of(f"locations box 5x5\npiece M x22 {{ x }}\npiece I {{ xxx }}\n{rules}")
        if reason[0] == "PZ404"
    ]
    assert note == "rules exclude all placements"


def test_the_rules_of_a_large_puzzle_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "locations box 3x4\npiece M x9 { x }\npiece I { xxx }\nsymmetric half-turn"
    cells = 12 * sum(len(piece.turns) * len(piece.cells) for piece in puzzlec.parse(text).pieces)
    monkeypatch.setattr(impossibility, "MAX_CELLS_PLACED", 2 * cells)
    assert "`symmetric half-turn` excludes all placements" in str(told_of(text))
    monkeypatch.setattr(impossibility, "MAX_CELLS_PLACED", 2 * cells - 1)
    assert "'rules exclude all placements'" in str(told_of(text))


def test_rules_that_leave_a_location_without_placements_are_named() -> None:
    (reason,) = told_of("locations box 3x3\npiece V x3 { xx/x. }\ntouching all border\nplace V off box 1x1 at (1,1)")
    assert reason[0] == "PZ403"
    assert reason[-1] == "`place V off box 1x1 at (1,1)` excludes all placements there"


def test_pieces_of_one_statement_are_one_error() -> None:
    def nowhere(text: str) -> list[tuple[str, ...]]:
        return [reason[1:] for reason in told_of(text) if reason[0] == "PZ404"]

    assert [words[:2] for words in nowhere("locations box 2x2\npieces trominoes")] == [
        ("<text>:2:8", "piece `I` fits nowhere")
    ]
    assert [words[:2] for words in nowhere("locations box 2x1\npieces trominoes")] == [
        ("<text>:2:8", "pieces `I` and `V` fit nowhere")
    ]
    assert [words[:2] for words in nowhere("locations box 3x1\npiece V { xx/x. }\npieces tetrominoes")] == [
        ("<text>:2:7", "piece `V` fits nowhere"),
        ("<text>:3:8", "pieces `I`, `L`, `O`, `T` and `Z` fit nowhere"),
    ]
    assert [words[:2] for words in nowhere("locations box 5x2\npieces tetrominoes\nplace I off box 5x2")] == [
        ("<text>:2:8", "piece `I` fits nowhere")
    ]
    assert [words[1] for words in nowhere("locations box 2x2\npiece A { xxx }\npiece B { xxx }")] == [
        "piece `A` fits nowhere",
        "piece `B` fits nowhere",
    ]


def test_of_several_pieces_that_fit_nowhere_the_first_one_is_explained() -> None:
    (*_, found) = told_of("locations box 3x1\npieces tetrominoes")
    assert found[2:] == (
        "pieces `I`, `L`, `O`, `T` and `Z` fit nowhere",
        "",
        "`I`: its box is 4 x 1, the box of the locations 3 x 1",
    )
    (found,) = told(Fitting(1, (piece([0]), piece(), piece())))
    assert found[2:] == ("pieces `1` and `2` fit nowhere", "")


def test_a_piece_without_a_text_is_reported_at_its_puzzle() -> None:
    fitting = fitting_of("locations box 3x1\npiece M x0..3 { x }\npiece I { xxxx }")
    unread = replace(fitting, pieces=tuple(replace(part, span=None) for part in fitting.pieces))
    assert [reason[1] for reason in told(fitting) if reason[0] == "PZ404"] == ["<text>:3:7"]
    assert [reason[1] for reason in told(unread) if reason[0] == "PZ404"] == ["<text>:1:1"]
    assert [reason[1] for reason in told(replace(unread, puzzle=None)) if reason[0] == "PZ404"] == [""]


def test_listed_placements_and_missing_boards_give_no_remark_on_the_form_of_a_piece() -> None:
    assert told(Fitting(1, (piece([0]), piece()))) == [("PZ404", "", "piece `1` fits nowhere", "")]
    puzzle = puzzlec.parse("locations box 2x1\npiece A { xx }\npiece B x0..2 { x }")
    assert isinstance(puzzle, Puzzle)
    listed = replace(puzzle.pieces[0], cells=(), colours=(), turns=(), covers=())
    found = told(place(replace(puzzle, pieces=(listed, puzzle.pieces[1]))))
    assert found == [("PZ404", "<text>:2:7", "piece `A` fits nowhere", "")]
    found = told(place(replace(puzzle, locations=())))
    assert [reason[2:] for reason in found if reason[0] == "PZ404"] == [("piece `A` fits nowhere", "")]


def test_a_location_that_nothing_reaches_is_reported_at_its_place() -> None:
    note = "each location must be covered, or declared optional"
    assert told_of("locations { xx.x }\npiece A { xx }\npiece B x0..1 { xx }") == [
        ("PZ403", "<text>:1:16", "no placement covers location (3,0)", "", note)
    ]
    assert told_of("lattice none\nlocations names a b c\npiece p x1..3 covers {b}") == [
        ("PZ403", "<text>:2:17", "no placement covers location `a` and 1 other", "", note)
    ]
    fitting = Fitting(3, (piece([1], low=3, high=3),), names=("a", "b", "c"))
    assert told(fitting) == [("PZ403", "", "no placement covers location a and 1 other", "", note)]


def test_a_reason_without_a_place_names_its_text_or_its_title() -> None:
    def files(fitting: Fitting) -> list[str | None]:
        report = Report()
        impossible(fitting, report)
        return [diagnostic.file for diagnostic in report.diagnostics]

    fitting = fitting_of('puzzle "a title"\nlocations box 2x1\npiece A { x }')
    assert files(fitting) == ["<text>"]
    assert files(replace(fitting, pieces=tuple(replace(part, span=None) for part in fitting.pieces))) == ["<text>"]
    assert files(Fitting(2, (piece([0]),), title="a title")) == ["a title"]


def test_one_reason_of_a_kind_does_not_hide_those_of_the_other_kinds() -> None:
    codes = [reason[0] for reason in told_of("colours r b\nlocations { rr }\npiece A { bbb }")]
    assert codes == ["PZ401", "PZ402", "PZ402", "PZ404"]
    # Unreachable locations and parity are reported only if there is no other reason.
    assert [reason[0] for reason in told_of("locations { x.x }\npiece A { xx }")] == ["PZ404"]


def test_a_burr_by_its_sticks_has_no_locations_to_add() -> None:
    fitting = puzzlec.compile(puzzlec.parse("1 1 1 1 1 1", format="burr"), stage="fitting")
    helps = "choose smaller pieces, or change the locations: `puzzlec convert` writes a `.puzzle` file"
    assert [(reason[0], reason[2], reason[5]) for reason in told(fitting)] == [
        ("PZ401", "pieces are larger than the board", helps)
    ]
