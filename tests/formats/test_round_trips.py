from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.formats import catalogue
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.drawing import rule_of
from puzzlec.ir import Fitting, Location, Piece, Placements, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.puzzle import PuzzleColours
from tests.catalogue_share import share
from tests.strategies import puzzles


def fitting_of(what: AnyPuzzle) -> Fitting:
    return puzzlec.compile(what, stage="fitting")


@given(puzzles())
def test_a_puzzle_written_and_read_again_is_the_same_fitting(puzzle: Puzzle) -> None:
    text = puzzlec.convert(puzzle, "puzzle")
    again = puzzlec.parse(text)
    assert fitting_of(again) == fitting_of(puzzle), text
    assert puzzlec.convert(again, "puzzle").split("\n")[1:] == text.split("\n")[1:]


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize("name", lattice_names())
@pytest.mark.long
def test_a_puzzle_on_any_lattice_is_drawn_or_listed_and_read_again(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles((name,), most=8))
    rule = rule_of(find_lattice(name))
    if rule is None or not rule.signs:
        with suppress(puzzlec.PuzzleError):  # colours need drawings
            again = puzzlec.parse(puzzlec.convert(puzzle, "puzzle"))
            assert fitting_of(again) == fitting_of(puzzle)
        bare = tuple(replace(piece, colours=(None,) * len(piece.cells)) for piece in puzzle.pieces)
        places = tuple(replace(location, colour=None) for location in puzzle.locations)
        colours = replace(puzzle.colours, names=(), allowed=frozenset())
        puzzle = replace(puzzle, pieces=bare, locations=places, colours=colours)
    text = puzzlec.convert(puzzle, "puzzle")
    again = puzzlec.parse(text)
    assert fitting_of(again) == fitting_of(puzzle), text
    assert ("{" in text) == (rule is not None or "covers" in text)
    assert puzzlec.convert(again, "puzzle").split("\n")[1:] == text.split("\n")[1:]
    assert fitting_of(puzzlec.parse(puzzlec.compiler.fmt(text))) == fitting_of(puzzle)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("lattice hex\nlocations { r x/ x }\ncolours r\npiece A { x x }\n", "locations { r x/ x }"),
        ("lattice hex\nlocations { x x/ x } at (-3,2)\npiece A { x x }\n", "locations { x x/ x } at (-3,2)"),
        ("lattice triangle\nlocations { .xx } at (4,1)\npiece A { xx }\n", "locations { .xx } at (4,1)"),
        ("lattice triangle\nlocations box 3x2\npiece A { xx }\n", "locations box 3x2"),
        ("lattice triangle\nlocations box 1x1\npiece A { xx }\n", "locations box 1x1"),
        ("lattice sticks\nlocations { +-+ } at (2,2)\npiece A { +-+ }\n", "locations { +-+ } at (2,2)"),
        ("lattice trigs\nlocations box 2x2\npiece A cells (0,0,0) (0,0,1)\n", "piece A cells (0,0,0) (0,0,1)"),
        (
            "lattice fcc\nlocations { xx x/xx . }\npiece A { xx }\n".replace("x/xx .", "x./xx .."),
            "locations {\n  xx  x.\n  xx  ..\n}",
        ),
    ],
)
def test_boards_are_written_as_a_person_would_draw_them(text: str, written: str) -> None:
    assert written in puzzlec.convert(puzzlec.parse(text), "puzzle")


@given(puzzles())
def test_compact_stores_puzzles_exactly_or_refuses_them(puzzle: Puzzle) -> None:
    try:
        text = puzzlec.convert(puzzle, "compact")
    except puzzlec.PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= {"PZ501"}
        return
    again = puzzlec.parse(text, format="compact")
    assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none")
    assert fitting_of(again) == fitting_of(puzzle)
    assert puzzlec.convert(again, "compact") == text


@given(puzzles())
def test_puzzles_in_dpf_have_the_same_number_of_solutions(puzzle: Puzzle) -> None:
    with suppress(puzzlec.PuzzleError):
        text = puzzlec.convert(puzzle, "dpf")
        again = puzzlec.parse(text, format="dpf")
        assert puzzlec.convert(again, "dpf") == text
        assert puzzlec.count(again) == puzzlec.count(puzzle, symmetry="none")
        if all((piece.low, piece.high) == (1, 1) for piece in puzzle.pieces) and not fitting_of(puzzle).optional:
            own = fitting_of(puzzle)
            unpainted = tuple(replace(piece, colours=()) for piece in own.pieces)
            # Without optional locations, `empty 0` says nothing, and DPF does not store it.
            empty = None if own.empty == (0, 0) else own.empty
            assert fitting_of(again) == replace(own, pieces=unpainted, empty=empty)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("soma/soma-compact", 11520),
        ("pentominoes/15x4-f2", 368),
        ("dominoes/double-six-compact", 20160),
        ("morse/alphabet-compact", 8574),
    ],
)
def test_a_puzzle_in_compact_keeps_its_count_through_dpf(name: str, number: int) -> None:
    compact = puzzlec.load(name)
    dpf = puzzlec.parse(puzzlec.convert(compact, "dpf"), format="dpf")
    assert fitting_of(dpf) == fitting_of(compact)
    assert puzzlec.count(dpf) == puzzlec.count(compact, symmetry="none") == number


@pytest.mark.parametrize(
    "entry",
    share(lambda entry: entry.raw is not None or entry.distinct is not None),
)
def test_every_puzzle_of_the_catalogue_survives_every_format_that_can_store_it(entry: catalogue.Entry) -> None:
    puzzle = puzzlec.load(str(entry.path))
    formats = []
    for format in ("puzzle", "compact", "dpf"):
        with suppress(puzzlec.PuzzleError):
            text = puzzlec.convert(puzzle, format)
            formats.append(format)
            again = puzzlec.parse(text, format=format)
            expanded = format == "dpf" and fitting_of(again) != fitting_of(puzzle)
            assert not expanded or fitting_of(puzzle).optional or any(p.low == 0 for p in fitting_of(puzzle).pieces)
            assert expanded or fitting_of(again) == fitting_of(puzzle)
            assert puzzlec.convert(again, format).split("\n")[1:] == text.split("\n")[1:]
    assert "puzzle" in formats


def test_a_dpf_puzzle_can_be_written_in_the_language() -> None:
    text = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
    dpf = puzzlec.parse(text, format="dpf")
    language = puzzlec.convert(dpf, "puzzle")
    assert "locations names 0..4" in language
    assert "piece 0 covers {3} {0 2}" in language
    assert fitting_of(puzzlec.parse(language)) == dpf
    assert puzzlec.count(puzzlec.parse(language)) == 3


def test_a_piece_with_two_orientations_survives_as_listed_placements() -> None:
    flat = puzzlec.parse("2 0  6  0 0 1 0 2 0 0 1 1 1 2 1  1  3 2  0 0 1 0 1 1", format="compact")
    assert isinstance(flat, Puzzle)
    language = puzzlec.convert(flat, "puzzle")
    assert "covers" in language
    assert fitting_of(puzzlec.parse(language)) == fitting_of(flat)


def test_copies_are_refused_by_dpf_and_named() -> None:
    puzzle = puzzlec.parse('puzzle "D"\nlocations box 4x1\npiece D x2 { xx }')
    with pytest.raises(puzzlec.PuzzleError, match="several of piece `D`"):
        puzzlec.convert(puzzle, "dpf")


def test_optional_locations_and_pieces_that_may_be_left_out_are_expanded_in_dpf() -> None:
    puzzle = puzzlec.parse('puzzle "O"\nlocations { xx?x }\npiece D x0..1 { xx }\npiece M { x }\npiece N x0..1 { x }')
    assert (
        puzzlec.count(puzzlec.parse(puzzlec.convert(puzzle, "dpf"), format="dpf"))
        == puzzlec.count(puzzle, symmetry="none")
        > 0
    )


def test_a_drawing_with_a_coloured_optional_location_does_not_make_it_a_needed_one() -> None:
    # It has no sign, so it is in a separate drawing, anywhere in the row.
    square = find_lattice("square")
    piece = Piece("p", ((0, 0),), (None,), square.isometries)
    for signs in ("?x?R", "R?x?", "?Rx?", "x?Rx", "?x?r", "RxR?"):
        locations = tuple(Location((x, 0), "r" if sign in "Rr" else None, sign in "?R") for x, sign in enumerate(signs))
        puzzle = Puzzle("t", square, locations, (piece,), PuzzleColours(("r",)))
        assert fitting_of(puzzlec.parse(puzzlec.convert(puzzle, "puzzle"))).optional == fitting_of(puzzle).optional


def test_names_with_quotes_and_ends_of_lines_are_written_so_that_they_are_read() -> None:
    names = ['a"', "a'", "b\nc", "", "d\re", "\ufefff"]
    fitting = Fitting(6, tuple(FittingPiece(Placements([[k]]), name=name) for k, name in enumerate(names)))
    again = fitting_of(puzzlec.parse(puzzlec.convert(fitting, "puzzle")))
    assert again == fitting
    assert [again.piece_name(k) for k in range(6)] == ["a'", "a''", "b'c", "3", "d'e", "'f"]


@pytest.mark.parametrize("format", ["puzzle", "compact"])
def test_an_empty_puzzle_is_refused_if_it_could_not_be_read_again(format: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match=r"PZ50[12]"):
        puzzlec.convert(Fitting(0, ()), format)
