"""An exact cover from a file: the features that pieces and locations can express, and the others."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import encode, raising
from puzzlec.lower.raising import encoded_cover, raised_cover
from puzzlec.solving.solutions import Solutions
from tests.strategies import puzzles


def covers_by_hand(cover: ExactCover) -> set[tuple[int, ...]]:
    """Return all covers, found by trying every set of options."""
    found = set()
    for size in range(len(cover) + 1):
        for chosen in combinations(range(len(cover)), size):
            entries = [entry for option in chosen for entry in cover.entries(option)]
            often = [0] * (cover.primary + cover.secondary)
            colours: dict[int, set[int]] = {}
            for item, colour in entries:
                often[item] += 1
                colours.setdefault(item, set()).add(colour)
            primary = all(cover.low[i] <= often[i] <= cover.high[i] for i in range(cover.primary))
            shared = all(
                often[i] <= 1 or colours[i] in ({colour} for colour in range(1, 9))
                for i in range(cover.primary, len(often))
            )
            if primary and shared:
                found.add(chosen)
    return found


@st.composite
def exact_covers(draw: st.DrawFn, bounded: bool = True, coloured: bool = True) -> ExactCover:
    """A small exact cover: with bounds and colours, if wanted."""
    primary, secondary = draw(st.integers(1, 4)), draw(st.integers(0, 2))
    rows = []
    for _ in range(draw(st.integers(0, 7))):
        row: list[int | tuple[int, int]] = list(draw(st.sets(st.integers(0, primary - 1), min_size=1)))
        row += [
            (item, draw(st.integers(0, 2)) if coloured else 0)
            for item in range(primary, primary + secondary)
            if draw(st.booleans())
        ]
        rows.append(row)
    bounds = [(1, 1)] * primary
    if bounded:
        lows = [draw(st.integers(0, 2)) for _ in range(primary)]
        bounds = [(low, draw(st.integers(low, 3))) for low in lows]
    return ExactCover.from_rows(rows, primary, secondary, bounds)


@given(exact_covers())
def test_the_search_finds_all_covers_whether_raised_or_not(cover: ExactCover) -> None:
    encoding = encoded_cover(cover)
    assert encoding.cover is cover
    solutions = Solutions(encoding, symmetry="none")
    found = {
        tuple(sorted(o for o in range(len(cover)) if (encoding.piece[o], encoding.index[o]) in laid))
        for laid in (
            {(placement.number, placement.index) for placement in solution.placements} for solution in solutions
        )
    }
    assert found == covers_by_hand(cover)
    assert puzzlec.count(cover) == len(found)


@given(exact_covers())
def test_raising_and_parts_of_a_problem_keep_the_title(cover: ExactCover) -> None:
    named = replace(cover, title="a title")
    assert named == cover, "it is a remark"
    assert encoded_cover(named).fitting.title == "a title"
    assert named.subset(range(len(named) // 2)).title == "a title"
    items = range(named.primary + named.secondary)
    assert named.with_items(items, named.primary, named.low, named.high).title == "a title"


@given(exact_covers(bounded=False, coloured=False))
def test_a_cover_without_colours_and_bounds_can_always_be_raised(cover: ExactCover) -> None:
    encoding = raised_cover(cover)
    encoding.fitting.verify()
    assert encoding.faithful
    assert puzzlec.count(encoding.fitting, symmetry="none") == len(covers_by_hand(cover))
    assert puzzlec.count(puzzlec.parse(puzzlec.convert(cover, "dpf"), format="dpf"), symmetry="none") == len(
        covers_by_hand(cover)
    )


@settings(max_examples=30)
@given(puzzles(("square",), most=8))
def test_the_raised_cover_of_a_puzzle_has_the_same_number_of_solutions(puzzle: puzzlec.Puzzle) -> None:
    encoding = puzzlec.compile(puzzle)
    try:
        raised = raised_cover(encoding.cover)
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ502"}
        return
    assert puzzlec.count(raised.fitting, symmetry="none") == puzzlec.count(puzzle, symmetry="none")


def test_the_soma_cube_is_raised_with_its_pieces_and_names() -> None:
    encoding = puzzlec.compile("soma")
    raised = raised_cover(encoding.cover).fitting
    assert raised == encoding.fitting
    assert [raised.piece_name(number) for number in range(7)] == list("VLTZABP")
    assert raised.location_name(26) == "2,2,2"


def test_options_without_pieces_keep_their_names() -> None:
    cover = ExactCover.from_sets({"Q": {"a"}, "R": {"a", "b"}, "S": {"c"}, "T": ["c", "d"], "P": "bd"})
    texts = {str(solution) for solution in puzzlec.solve(cover)}
    assert texts == {"Q: a\nS: c\nP: b d", "R: a b\nT: c d"}


def test_many_options_without_names_are_placements_of_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "MAX_UNNAMED_PIECES", 3)
    cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    fitting = raised_cover(cover).fitting
    assert len(fitting.pieces) == 1
    assert puzzlec.count(fitting) == puzzlec.count(cover) == 2
    assert encode(fitting).cover == cover


@given(exact_covers())
def test_a_large_cover_is_raised_in_numpy_as_a_small_one_is(cover: ExactCover) -> None:
    small = encoded_cover(cover)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raising, "MIN_ENTRIES_OF_NUMPY", 0)
        large = encoded_cover(cover)
    assert large == small
    assert large.fitting.names == small.fitting.names


@given(exact_covers())
def test_many_options_are_placements_of_as_few_pieces_as_there_are_repeats(cover: ExactCover) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raising, "MAX_UNNAMED_PIECES", 0)
        encoding = encoded_cover(cover)
    encoding.fitting.verify()
    apart = encoded_cover(cover)
    for option in range(len(cover)):
        row = encoding.fitting.pieces[encoding.piece[option]].placements.row(encoding.index[option])
        assert row == apart.fitting.pieces[apart.piece[option]].placements.row(apart.index[option])
    assert all(len(set(piece.placements)) == len(piece.placements) for piece in encoding.fitting.pieces)
    if encoding.faithful:
        assert puzzlec.count(encoding.fitting, symmetry="none") == len(covers_by_hand(cover))


def test_features_that_pieces_lack_are_named() -> None:
    coloured = ExactCover.from_names(["p", "q"], {"a": ["p", "x:red"], "b": ["q", "x:red"]}, ["x"])
    with pytest.raises(PuzzleError, match="colours"):
        puzzlec.compile(coloured, stage="fitting")
    often = ExactCover.from_sets({"a": "pq", "b": "pr", "c": "p"}, bounds={"p": (1, 3), "q": (0, 1)})
    with pytest.raises(PuzzleError, match="item `q` 0 to 1 times"):
        puzzlec.convert(often, "dpf")
    assert puzzlec.count(coloured) == 1
    assert list(map(str, puzzlec.solve(coloured))) == ["a: p x:red\nb: q x:red"]


def test_copies_are_raised_as_copies() -> None:
    fitting = puzzlec.compile(puzzlec.parse("locations box 4x3\npiece D x6 { xx }"), stage="fitting")
    raised = raised_cover(encode(fitting).cover).fitting
    assert [(piece.low, piece.high) for piece in raised.pieces] == [(6, 6)]
    assert puzzlec.count(raised) == 11


def test_the_catalogue_has_no_exact_covers_without_a_way_up() -> None:
    names = [entry.name for entry in catalogue.entries() if entry.name.startswith(("langford", "queens", "cover"))]
    assert names
    for name in names[:6]:
        encoding = puzzlec.compile(name)
        if len(encoding.cover) < 500 and not any(encoding.cover.colours):
            assert puzzlec.count(raised_cover(encoding.cover).fitting, symmetry="none") == puzzlec.count(
                name, symmetry="none"
            )


def test_options_of_one_name_get_different_names() -> None:
    cover = ExactCover.from_rows([[0], [0]], 1, option_names=["x", "x"])
    assert [piece.name for piece in raised_cover(cover).fitting.pieces] == ["x", "x'"]
    assert puzzlec.count(puzzlec.parse(puzzlec.convert(cover, "puzzle"))) == 2


def test_a_nameless_option_differs_from_one_named_like_its_number() -> None:
    cover = ExactCover.from_rows([[0], [0]], 1, option_names=["", "0"])
    names = [piece.name for piece in raised_cover(cover).fitting.pieces]
    assert len(set(names)) == 2
    assert puzzlec.count(puzzlec.parse(puzzlec.convert(cover, "puzzle"))) == 2
    twice = Fitting(1, tuple(FittingPiece(Placements([[0]]), 0, 1, name=name) for name in ("", "0")))
    assert puzzlec.count(puzzlec.parse(puzzlec.convert(twice, "puzzle"))) == 2
