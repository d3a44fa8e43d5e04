"""Pieces with the shape of another piece, or its mirror image."""

from __future__ import annotations

import itertools

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Piece
from puzzlec.language.editing.changes import edit
from puzzlec.language.editing.painting import EditError
from puzzlec.language.editing.reading import QuestionError
from puzzlec.language.editing.renaming import renamed
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.elaborate.alike import mirror_image, reflection_of
from puzzlec.language.fixing import applied
from puzzlec.language.formatter.layout import formatted
from puzzlec.language.puzzle_text import read_puzzle
from puzzlec.lower.board import orientations, tile_orientations

BOARD = "locations {x..x/x..x/xxxx}\n"


def said(text: str) -> list[str]:
    """Return the diagnostics of a text."""
    report = Report()
    try:
        read_puzzle(Source("t", text), report)
    except PuzzleError as error:
        return [str(diagnostic) for diagnostic in error.diagnostics]
    return [str(diagnostic) for diagnostic in report.diagnostics]


def aspects(piece: Piece, lattice: Lattice) -> set[tuple[tuple[int, ...], ...]]:
    """Return the orientations of a piece, each moved to the origin."""
    return {
        tuple(tuple(a - b for a, b in zip(point, aspect[0][0], strict=True)) for point, _ in aspect)
        for aspect in orientations(piece, lattice)
    }


@pytest.mark.parametrize(
    "text", ["piece L one-sided {xxx/x..}\npiece J = mirror L", "piece J = mirror L\npiece L one-sided {xxx/x..}"]
)
def test_a_mirror_image_counts_like_the_drawing_of_it(text: str) -> None:
    drawn = "piece L one-sided {xxx/x..}\npiece J one-sided {xxx/..x}"
    assert puzzlec.count(puzzlec.parse(BOARD + text)) == puzzlec.count(puzzlec.parse(BOARD + drawn)) > 0


def test_the_mirror_image_of_a_one_sided_tetromino_is_the_other_one() -> None:
    made = puzzlec.parse("locations box 4x7\npieces tetrominoes one-sided")
    lattice = find_lattice("square")
    text = "locations box 4x7\npieces tetrominoes one-sided except l\npiece l = mirror L"
    again = puzzlec.parse(text).piece_named["l"]
    assert aspects(again, lattice) == aspects(made.piece_named["l"], lattice)


def test_the_shape_has_the_freedom_of_the_other_piece_unless_it_says_another_one() -> None:
    puzzle = puzzlec.parse(BOARD + "piece A fixed x3 {xx/x.}\npiece B = A\npiece C free x2 = A")
    a, b, c = puzzle.pieces
    assert b.turns == a.turns
    assert len(c.turns) == 8
    assert [(piece.low, piece.high) for piece in puzzle.pieces] == [(3, 3), (1, 1), (2, 2)]
    assert a.cells == b.cells == c.cells


def test_colours_and_sides_follow_the_cells() -> None:
    text = "colours r g b w\nlocations box 3x2\npiece A fixed {rg/b.}\npiece B = mirror A\n"
    text += "piece T sides r g b w\npiece U = mirror T"
    puzzle = puzzlec.parse(text)
    b = puzzle.piece_named["B"]
    assert dict(zip(b.cells, b.colours, strict=True)) == {(1, 0): "r", (0, 0): "g", (1, 1): "b"}
    t, u = puzzle.piece_named["T"], puzzle.piece_named["U"]
    lattice = find_lattice("square")
    steps = lattice.kinds[0].neighbours
    shown = {turned(((-1, 0), (0, 1)), step): side for step, side in zip(steps, t.sides, strict=True)}
    assert u.sides == tuple(shown[step] for step in steps)
    assert u.sides not in {sides for _, sides in tile_orientations(t, lattice)}


def test_an_index_names_a_piece_of_a_loop() -> None:
    puzzle = puzzlec.parse(
        BOARD + "for i in 1..2 { piece A[i] one-sided = mirror B[i] }\nfor i in 1..2 { piece B[i] one-sided {xx./.xx} }"
    )
    assert [piece.name for piece in puzzle.pieces] == ["A[1]", "A[2]", "B[1]", "B[2]"]
    assert puzzle.pieces[0].cells == ((2, 0), (1, 0), (1, 1), (0, 1))


@pytest.mark.parametrize("name", [name for name in lattice_names() if name != "line"])
def test_on_every_lattice_a_reflected_piece_has_the_orientations_of_the_other_coset(name: str) -> None:
    lattice = find_lattice(name)
    matrix = reflection_of(lattice)
    assert matrix is not None
    size = lattice.dimension
    kinds = [()] if len(lattice.kinds) == 1 else [(kind,) for kind in range(len(lattice.kinds))]
    near = [(*at, *kind) for at in itertools.product(range(3), repeat=min(size, 3)) for kind in kinds]
    cells = tuple(
        (*cell[:3], *(0,) * (size - 3), *cell[3:]) if size > 3 else cell for cell in near[:: max(1, len(near) // 7)]
    )
    piece = Piece("P", cells, (None,) * len(cells), lattice.rotations)
    free = Piece("P", cells, (None,) * len(cells), lattice.isometries)
    there = mirror_image(piece, lattice, matrix)
    back = mirror_image(there, lattice, matrix)
    assert aspects(piece, lattice) | aspects(there, lattice) == aspects(free, lattice)
    assert aspects(back, lattice) == aspects(piece, lattice)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("piece A = A", "t:2:11: error[PZ380]: piece `A` has its own shape"),
        ("piece A = B\npiece B = mirror A", "t:2:11: error[PZ380]: piece `A` has its own shape, by `B`"),
        ("piece A = B\npiece D {xx}", "t:2:11: error[PZ306]: unknown piece `B`"),
        ("piece F = pentominoes", "t:2:11: error[PZ306]: unknown piece `pentominoes`"),
        ("piece A covers {(0,0)}\npiece B = mirror A",
         "t:3:18: error[PZ320]: a piece with listed placements has no mirror image"),
        ("piece A {xx}\npiece B = mirror A", "t:3:18: warning[PZ381]: `mirror` has no effect: piece `B` is free"),
        ("piece A {xx}\npiece A = A", "t:3:7: error[PZ301]: duplicate piece `A`"),
    ],
)  # fmt: skip
def test_a_shape_that_cannot_be_taken_is_reported_once(text: str, message: str) -> None:
    assert said(BOARD + text) == [message]


def test_an_unreadable_piece_may_be_the_other_one() -> None:
    assert said(BOARD + "piece A = B\npiece B {xx")[0].startswith("t:3:9: error[PZ103]")
    assert len(said(BOARD + "piece A = B\npiece B {xx")) == 1


def test_the_writer_draws_the_shape() -> None:
    text = puzzlec.convert(puzzlec.parse(BOARD + "piece L one-sided {xxx/x..}\npiece J = mirror L"), "puzzle")
    assert "mirror" not in text
    assert puzzlec.count(puzzlec.parse(text)) > 0


def test_the_canonical_form_keeps_the_words() -> None:
    assert formatted(Source("t", 'locations box 4x2\npiece  J  one-sided  =mirror   "L"\npiece L {xxx/x..}\n')) == (
        "locations box 4x2\npiece J one-sided = mirror L\npiece L { xxx/x.. }\n"
    )


ALIKE = "locations box 4x2\npiece L one-sided { xxx/x.. }\npiece J one-sided = mirror L\npiece K = L\n"


def test_the_other_piece_is_renamed_in_the_pieces_with_its_shape() -> None:
    syntax = syntax_of(Source("x.puzzle", ALIKE))
    name = next(named for named in syntax.names if named.word == "L")
    assert applied(ALIKE, renamed(syntax, name, "Z")) == ALIKE.replace("L", "Z")


def test_a_piece_whose_shape_another_one_has_is_not_removed() -> None:
    with pytest.raises(EditError, match="another piece has the shape of piece `L`"):
        edit(Source("x.puzzle", ALIKE), {"do": "remove", "piece": "L"})


def test_painting_the_shape_of_another_piece_asks_and_draws_it() -> None:
    change = {"do": "paint", "piece": "J", "cells": [[[1, 1], "x"]]}
    with pytest.raises(QuestionError, match="Another piece has the shape of piece `J`"):
        edit(Source("x.puzzle", ALIKE), change)
    after = applied(ALIKE, edit(Source("x.puzzle", ALIKE), {**change, "sure": True}).edits)
    assert after == ALIKE.replace("= mirror L", "{ xxx/.xx }")
