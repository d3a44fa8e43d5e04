"""Reasons without a search why a puzzle has no solution: volumes, colours, locations that no piece reaches."""

from __future__ import annotations

import puzzlec
from puzzlec.diagnostics import Report
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower.impossibility import impossible


def piece(*rows: list[int], copies: int = 1) -> FittingPiece:
    return FittingPiece(Placements(rows), copies, copies)


def reasons(fitting: Fitting) -> list[str]:
    """Return why a fitting has no solution: each message with its notes."""
    report = Report()
    impossible(fitting, report)
    return ["; ".join([diagnostic.message, *diagnostic.notes]) for diagnostic in report.diagnostics]


def fitting_of(text: str) -> Fitting:
    return puzzlec.compile(puzzlec.parse('puzzle "P"\n' + text), stage="fitting")


def test_locations_may_stay_empty_up_to_the_greatest_number() -> None:
    fitting = Fitting(3, (piece([0]),), optional=frozenset({0, 1, 2}), empty=(0, 2))
    assert reasons(fitting) == []


def test_pieces_that_fill_too_little_or_too_much_are_reported_with_the_difference() -> None:
    assert reasons(Fitting(3, (piece([0], [1], [2]),))) == [
        "pieces do not fill the board; pieces cover 1 location, 2 fewer than must be covered"
    ]
    assert reasons(Fitting(1, (piece([0], copies=2),))) == [
        "pieces are larger than the board; pieces cover 2 locations, 1 more than there are"
    ]


def test_unreachable_locations_are_counted() -> None:
    (reason,) = reasons(Fitting(4, (piece([0], copies=4),)))
    assert reason.startswith("no placement covers location 1 and 2 others")
    (reason,) = reasons(Fitting(2, (piece([0], copies=2),)))
    assert reason.startswith("no placement covers location 1")


def test_locations_that_may_stay_empty_need_not_be_reached() -> None:
    assert reasons(Fitting(2, (piece([0]),), optional=frozenset({1}))) == []


def test_a_colour_needs_a_location_for_each_cell_of_the_pieces() -> None:
    start = "colours r b\npiece A x2 { rr }\n"
    assert reasons(fitting_of(start + "locations { rr/rr }")) == []
    found = reasons(fitting_of(start + "locations { rr/rb }"))
    assert found[:2] == [
        "colour `b` has 1 location, but the pieces have 0 cells of it; locations of colour `b` that stay empty: 1",
        "colour `r` has 3 locations, but the pieces have 4 cells of it; cells of colour `r` without a location: 1",
    ]


def test_rules_about_other_pieces_do_not_hide_why_a_piece_fits_nowhere() -> None:
    text = "locations box 3x3\npiece A { xxxx }\npiece B { xx/xx }\npiece C { x }\n"
    (reason, *_) = reasons(fitting_of(f"{text}together B C\nimmovable C\ncost B = 3\n"))
    assert "its box is 4 x 1, the box of the locations 3 x 3" in reason
