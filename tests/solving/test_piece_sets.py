"""Sets of pentominoes: the facts of a separate program, and published totals (5x5: 107, 5x6: 541, 3x10: 145)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, repeat

import pytest

import puzzlec
from puzzlec import ExactCover, Limits, PuzzleError, UnfinishedError
from puzzlec.engine import Stop
from puzzlec.ir.fitting import with_placements
from puzzlec.lower import raising
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.piece_sets import PieceSets
from puzzlec.solving.tally import Tally


def box(columns: int, rows: int, pieces: str = "pieces pentominoes x0..1") -> puzzlec.Puzzle:
    return puzzlec.parse(f"locations box {columns}x{rows}\n{pieces}\n")


@pytest.mark.parametrize(
    ("columns", "rows", "sets", "unique", "distinct"),
    [
        (5, 3, 7, 7, 7),
        (10, 3, 75, 53, 145),
        (15, 3, 39, 10, 201),
        (5, 4, 26, 9, 50),
        (5, 5, 45, 19, 107),
        (5, 6, 172, 68, 541),
        (5, 7, 245, 60, 1396),
        (5, 10, 65, 4, 6951),
        (15, 4, 1, 0, 368),
    ],
)
def test_rectangles_have_the_known_sets(columns: int, rows: int, sets: int, unique: int, distinct: int) -> None:
    found = puzzlec.sets(box(columns, rows))
    assert (len(found), sum(piece_set.distinct == 1 for piece_set in found)) == (sets, unique)
    assert sum(piece_set.distinct or 0 for piece_set in found) == distinct


#: Ranges up to two, one-sided pieces whose mirror images are other pieces, holes, and a wall of colours.
PUZZLES = (
    box(5, 4),
    box(5, 4, "pieces pentominoes x0..2"),
    box(4, 4, "pieces tetrominoes x0..3"),
    box(4, 3, "piece L one-sided x0..2 { xxx/x.. }\npiece J one-sided x0..2 { xxx/..x }\npiece I x0..1 { xxxx }"),
    box(
        4,
        5,
        "piece S one-sided x0..4 { .xx/xx. }\npiece Z one-sided x0..4 { xx./.xx }\npieces tetrominoes x* only L, O",
    ),
    puzzlec.parse("lattice cubic\nlocations box 3x2x2\npieces tetracubes x0..1\n"),
    puzzlec.parse("locations box 5x2\noptional locations box 5x1 at (0,2)\npieces pentominoes x0..2\n"),
)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=range(len(PUZZLES)))
def test_a_list_and_a_diagram_agree_with_all_solutions(puzzle: puzzlec.Puzzle) -> None:
    listed, drawn = (PieceSets(puzzle, way=way).find() for way in ("list", "diagram"))
    assert listed == drawn
    raw = Counter(
        tuple(sorted(Counter(placement.number for placement in solution.placements).items()))
        for solution in puzzlec.solve(puzzle, symmetry="none")
    )
    names = [piece.name for piece in puzzle.pieces]
    assert raw == {
        tuple(sorted((names.index(name), n) for name, n in piece_set.pieces.items())): piece_set.raw
        for piece_set in drawn
    }


def exactly(puzzle: puzzlec.Puzzle, piece_set: puzzlec.PieceSet) -> puzzlec.Puzzle:
    """Return the puzzle with exactly the pieces of a set."""
    return puzzle.with_pieces(
        replace(piece, low=piece_set.pieces[piece.name], high=piece_set.pieces[piece.name])
        for piece in puzzle.pieces
        if piece.name in piece_set.pieces
    )


@pytest.mark.parametrize("puzzle", PUZZLES, ids=range(len(PUZZLES)))
def test_each_set_has_the_solutions_of_a_puzzle_with_these_pieces_alone(puzzle: puzzlec.Puzzle) -> None:
    for piece_set in puzzlec.sets(puzzle):
        alone = exactly(puzzle, piece_set)
        assert (puzzlec.count(alone), puzzlec.count(alone, symmetry="none")) == (piece_set.distinct, piece_set.raw)


def test_mirror_images_are_two_sets() -> None:
    sets = puzzlec.sets(PUZZLES[3])
    found = {str(piece_set): (piece_set.distinct, piece_set.raw) for piece_set in sets}
    assert found["L x2 I"] == found["J x2 I"]


def test_without_symmetry_each_raw_solution_is_distinct() -> None:
    assert all(piece_set.distinct == piece_set.raw for piece_set in puzzlec.sets(box(5, 3), symmetry="none"))


def test_automorphisms_that_mix_the_placements_of_pieces_join_no_sets() -> None:
    pieces = "\n".join(f"piece {name} x0..2 covers {{ a b }} {{ c d }}" for name in "PQR")
    text = f"lattice none\nlocations names a b c d\n{pieces}"
    sets = puzzlec.sets(puzzlec.parse(text), symmetry="automorphisms")
    found = {str(piece_set): (piece_set.distinct, piece_set.raw) for piece_set in sets}
    assert found == dict.fromkeys(("P x2", "Q x2", "R x2"), (1, 1)) | dict.fromkeys(("P Q", "P R", "Q R"), (1, 2))


def counts(puzzle: puzzlec.Puzzle, symmetry: SymmetryKind = "all") -> dict[str, tuple[int, int]]:
    """Return the distinct and raw solutions of a count of exactly the pieces of each set; both ways must agree."""
    listed, drawn = (PieceSets(puzzle, symmetry=symmetry, way=way).find() for way in ("list", "diagram"))
    assert listed == drawn
    found = {}
    for piece_set in listed:
        alone = exactly(puzzle, piece_set)
        found[str(piece_set)] = puzzlec.count(alone, symmetry=symmetry), puzzlec.count(alone, symmetry="none")
    assert {str(piece_set): (piece_set.distinct, piece_set.raw) for piece_set in listed} == found
    return found


def test_a_chiral_piece_breaks_no_reflection_of_a_set_without_it() -> None:
    found = counts(puzzlec.parse("lattice cubic\nlocations box 4x2x2\npieces tetracubes x0..2 except A\n"))
    assert found["I x2 L x2"] == (1, 8)
    assert (len(found), sum(distinct == 1 for distinct, _ in found.values())) == (24, 15)


ON = "locations box 4x2\npiece D x0..4 { xx }\npiece L x0..2 { xx/x. }\npiece S x0..2 { x }\n"


@pytest.mark.parametrize(
    "broken",
    [
        ON + "place S inside cells (0,0)",
        ON + "forbid S at cells (0,0)",
        ON + "cost S per cells (0,0) = 1",
        ON + "piece J one-sided x0..1 { xxx/..x }",
        "colours r b\n" + ON + "piece R one-sided x0..1 { rb }\npiece T fixed x0..1 { rr/b. }",
    ],
    ids=("place", "forbid", "cost", "chirality", "colour"),
)
def test_what_breaks_a_symmetry_in_one_piece_alone_breaks_it_only_in_sets_with_this_piece(broken: str) -> None:
    puzzle = puzzlec.parse(broken)
    plain = {name: numbers for name, numbers in counts(puzzlec.parse(ON)).items() if set(name) <= set("DL x24")}
    found = counts(puzzle)
    assert plain == {name: found[name] for name in plain}
    assert len(plain) >= 2


def test_pieces_with_other_ranges_are_mirror_images_in_a_set_with_equal_copies() -> None:
    pieces = "piece L one-sided x0..1 { xxx/x.. }\npiece J one-sided x0..2 { xxx/..x }"
    found = counts(box(4, 3, f"{pieces}\npieces tetrominoes x0..1 only I, O, T"))
    assert found == {"L J O": (1, 2), "J x2 I": (1, 2), "J x2 O": (1, 2)}


def test_one_of_equal_pieces_may_stand_for_another_in_a_mirror_image() -> None:
    pieces = [f"piece {name} one-sided x0..1 {{ xxx/x.. }}" for name in "LMN"]
    pieces += [f"piece {name} one-sided x0..1 {{ xxx/..x }}" for name in "JKH"]
    found = counts(box(4, 4, "\n".join([*pieces, "pieces tetrominoes x0..2 only I, O"])))
    assert found["L J I O"] == found["M H I O"] == found["N K I O"]


def test_one_fixed_copy_of_several_keeps_the_symmetries_of_a_set() -> None:
    text = "locations { xx?xx }\npiece A x0..2 { x }\npiece D x0..2 { xx }\n"
    assert counts(puzzlec.parse(text + "fix A at cells (2,0)")) == {"A D x2": (1, 1)}
    found = counts(
        puzzlec.parse("locations box 4x2\npiece A x0..3 { x }\npieces trominoes x0..2\nfix A at cells (0,0)\n")
    )
    assert found == {"A x2 I V": (1, 1), "A x2 I x2": (2, 2), "A x2 V x2": (6, 6)}


def test_sums_are_rules_about_the_pieces_of_a_set() -> None:
    puzzle = puzzlec.parse(
        "colours 1 2\nlocations box 3x1\npiece A x0..3 { 1 }\npiece B x0..3 { 2 }\nrule box 3x1 sum < 5\n"
    )
    assert counts(puzzle) == {"A x3": (1, 1), "A x2 B": (2, 3)}
    uneven = puzzlec.parse(
        "colours 1 2\nlocations box 3x1\npiece A x0..3 { 1 }\npiece B x0..3 { 2 }\nrule cells (0,0) sum < 2\n"
    )
    assert counts(uneven)["A x2 B"] == (2, 2)


def test_a_rule_about_one_piece_breaks_a_symmetry_only_in_sets_with_this_piece() -> None:
    pieces = "piece A x0..3 { x }\npiece D x0..1 { xx }\npiece B x0..1 { x }"
    text = f"locations box 3x1\n{pieces}\nrule cells (0,0) exactly 0 B\n"
    assert counts(puzzlec.parse(text)) == {"A x3": (1, 1), "A D": (1, 2), "A x2 B": (2, 2), "D B": (1, 1)}


def test_an_exact_cover_has_the_sets_of_its_first_items() -> None:
    rows = [[0, 2, 3], [0, 4, 5], [1, 2, 3], [1, 4, 5], [0, 2, 4], [1, 3, 5]]
    cover = ExactCover.from_rows(rows, primary=6, bounds=[(0, 2), (0, 1), *[(1, 1)] * 4])
    sets = puzzlec.sets(cover, symmetry="automorphisms")
    exact = ExactCover.from_rows(rows, primary=6)
    assert puzzlec.count(exact) == 3
    assert {str(one): (one.distinct, one.raw) for one in sets} == {
        "0 x2": (1, 1),
        "0 1": (puzzlec.count(exact, symmetry="automorphisms"), 3),
    }
    painted = ExactCover.from_rows(
        [[0, (2, 1)], [1, (2, 1)], [0, (2, 2)], [1, (2, 2)]], primary=2, secondary=1, bounds=[(1, 1), (1, 1)]
    )
    sets = puzzlec.sets(painted, symmetry="automorphisms")
    assert [(one.distinct, one.raw) for one in sets] == [(1, 1), (1, 1)]


def test_options_without_names_are_one_piece_of_an_exact_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "MAX_UNNAMED_PIECES", 3)
    ways = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 1, 2, 3]]]
    cover = ExactCover.from_rows([row for rows in ways for row in rows], primary=4)
    sets = puzzlec.sets(cover, symmetry="automorphisms")
    assert sorted((one.distinct, one.raw) for one in sets) == [(1, 1), (1, 2)]


def test_a_fitting_that_was_changed_has_the_sets_of_its_placements() -> None:
    fitting = puzzlec.compile(box(3, 1, "piece A x0..3 { x }\npiece D x0..1 { xx }"), stage="fitting")
    one, two = fitting.pieces
    fitting = replace(fitting, pieces=(one, with_placements(two, [0])))
    for symmetry in ("all", "automorphisms"):
        sets = puzzlec.sets(fitting, symmetry=symmetry)
        assert {str(each): (each.distinct, each.raw) for each in sets} == {"A x3": (1, 1), "A D": (1, 1)}


def test_a_puzzle_without_ranges_is_refused() -> None:
    with pytest.raises(PuzzleError, match="PZ360"):
        puzzlec.sets("pentominoes/6x10")


@pytest.mark.long
def test_a_limit_ends_the_search_and_keeps_what_is_known() -> None:
    puzzle = box(10, 6, "pieces pentominoes x0..2")
    with pytest.raises(UnfinishedError):
        puzzlec.sets(puzzle, limits=Limits(seconds=0.5))
    search = PieceSets(puzzle, limits=Limits(seconds=1.0))
    known = search.find()
    assert search.stopped == "time"
    assert all(piece_set.distinct is None and piece_set.raw > 0 for piece_set in known)


def test_the_limit_also_ends_the_counts_of_single_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    lefts = chain([Limits()], repeat(Limits(seconds=0)))  # the list has time, the counts have none
    monkeypatch.setattr(Tally, "left", lambda _: next(lefts))
    pieces = "piece A x0..3 { 1 }\npiece B x0..3 { 2 }"
    search = PieceSets(puzzlec.parse(f"colours 1 2\nlocations box 3x1\n{pieces}\nrule box 3x1 sum < 5\n"))
    known = search.find()
    assert search.stopped is Stop.SECONDS
    assert [piece_set.distinct for piece_set in known] == [None] * len(known) != []
