"""The symmetries of single solutions: orbits, stabilisers, and their names."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

import puzzlec
from puzzlec.engine import Search
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, symmetry
from puzzlec.solving.own_symmetry import OwnSymmetries, OwnSymmetry, own_symmetry
from puzzlec.solving.solutions import Solutions
from tests import brute
from tests.brute import cells_of
from tests.strategies import puzzles

DOMINOES = 'puzzle "D"\nlocations box 4x4\npiece D x8 { xx }'


def encoded(what: Puzzle | str) -> Encoding:
    return puzzlec.compile(what)


@given(puzzles())
def test_orbit_and_stabiliser_of_a_solution_multiply_to_the_order_of_the_group(puzzle: Puzzle) -> None:
    solutions = Solutions(puzzle)
    own = OwnSymmetries(solutions.encoding, solutions.group)
    group = brute.symmetries(puzzle)
    raw = 0
    for solution in solutions:
        found = own.of(solution)
        cells = cells_of(solution, puzzle)
        images = {brute.image(cells, move, pieces) for move, pieces in group}
        assert found.order * len(images) == len(group) == len(solutions.group)
        raw += len(solutions.group) // found.order
    assert raw == puzzlec.count(puzzle, symmetry="none")


def test_dominoes_on_a_square_have_many_symmetric_solutions() -> None:
    puzzle = puzzlec.parse(DOMINOES)
    told = Counter(str(own_symmetry(solution)) for solution in puzzlec.solve(puzzle))
    # 9 distinct ones, 36 raw ones: counted by hand from the pictures.
    assert told == {
        "no symmetry": 2,
        "this one is mirrored left to right": 2,
        "this one is mirrored top to bottom": 1,
        "this one has a quarter turn clockwise, a half turn and a quarter turn counterclockwise": 1,
        "this one has a half turn, and is mirrored left to right and mirrored top to bottom": 3,
    }


def test_no_pentominoes_in_a_rectangle_have_a_symmetry() -> None:
    # All twelve pieces differ, so a symmetry would have to fix each of them.
    assert not any(own_symmetry(solution).elements for solution in puzzlec.solve("pentominoes/3x20"))


def test_symmetries_of_solutions_belong_to_the_chosen_group() -> None:
    puzzle = puzzlec.parse(DOMINOES)
    for which, most in (("none", 1), ("rotations", 4), ("all", 4), ("automorphisms", 4)):
        orders = [own_symmetry(solution, symmetry=which).order for solution in puzzlec.solve(puzzle, symmetry="none")]  # type: ignore[arg-type]
        assert max(orders) == most
    symmetric = next(solution for solution in puzzlec.solve(puzzle) if own_symmetry(solution).order == 4)
    assert str(own_symmetry(symmetric, symmetry="automorphisms")) == (
        "this one has 3 symmetries: symmetry of order 2; symmetry of order 2; symmetry of order 2"
    )


def test_automorphisms_are_named_by_their_orders_and_isometries_by_their_names() -> None:
    # Queens on a list of squares have no rotations, so the eight symmetries are named by their orders.
    for which, words in (
        ("automorphisms", {"identity": 1, "symmetry of order 2": 5, "symmetry of order 4": 2}),
        ("rotations", {"identity": 1}),
    ):
        encoding = encoded("queens/8")
        group = symmetry(encoding, which)
        own = OwnSymmetries(encoding, group)
        assert Counter(str(own.name(element)) for element in range(len(group))) == words
        assert str(own.name(0)) == "identity"
    encoding = encoded(puzzlec.parse(DOMINOES))
    own = OwnSymmetries(encoding, symmetry(encoding))
    assert sorted(str(own.name(element)) for element in range(8)) == [
        "half turn",
        "identity",
        "mirrored in the diagonal /",
        "mirrored in the diagonal \\",
        "mirrored left to right",
        "mirrored top to bottom",
        "quarter turn clockwise",
        "quarter turn counterclockwise",
    ]


@pytest.mark.parametrize("rule", ["", "empty 0..2"])
def test_a_symmetry_of_a_solution_keeps_the_empty_locations(rule: str) -> None:
    puzzle = puzzlec.parse(f'puzzle "E"\nlocations {{ ?xx? }}\npiece D {{ xx }}\npiece M x0..2 {{ x }}\n{rule}')
    solutions = list(puzzlec.solve(puzzle))
    assert {len(solution.placements): own_symmetry(solution).order for solution in solutions} == {1: 2, 2: 1, 3: 2}
    # With a rule on empty locations, leaving one empty is also an option, and a cover has all of them.
    encoding = encoded(puzzle)
    own = OwnSymmetries(encoding, symmetry(encoding))
    covers = {tuple(sorted(cover)) for cover in Search(encoding.cover)}
    assert {own.options(solution) for solution in solutions} <= covers


def test_the_symmetries_of_a_full_cube_are_listed_by_kind() -> None:
    puzzle = puzzlec.parse(
        'puzzle "C"\nlattice cubic\nlocations box 3x3x3\npiece A { xxx xxx xxx/xxx x.x xxx/xxx xxx xxx }\npiece B { x }'
    )
    (solution,) = puzzlec.solve(puzzle)
    own = own_symmetry(solution)
    assert own.order == 48
    assert str(own).startswith("this one has 47 symmetries: ")
    assert {"half turn (9)", "third turn (8)", "quarter turn (6)", "mirrored through the centre"} <= set(
        str(own).split(": ")[1].split("; ")
    )


def test_a_shift_of_a_board_that_wraps_around_is_named() -> None:
    puzzle = puzzlec.parse('puzzle "T"\nlocations box 4x2\nwrap x\npiece D x4 fixed { xx }')
    words = {word for solution in puzzlec.solve(puzzle) for word in own_symmetry(solution).words}
    assert {"moved by 2,0", "half turn"} <= words


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "no symmetry"),
        (("half turn about z",), "this one has a half turn about z"),
        (("eighth turn clockwise",), "this one has an eighth turn clockwise"),
        (("moved by 2,0",), "this one has 1 symmetry: moved by 2,0"),
        (("mirrored along (1,1,0)",), "this one is mirrored along (1,1,0)"),
        (("half turn", "moved by 2,0"), "this one has 2 symmetries: half turn; moved by 2,0"),
        # Up to three are listed, four by their kinds.
        (("half turn", *["quarter turn"] * 2), "this one has a half turn, a quarter turn and a quarter turn"),
        (
            ("half turn", *["quarter turn"] * 3),
            "this one has 4 symmetries: half turn; quarter turn (3)",
        ),
        (
            ("quarter turn about z, mirrored along it",),
            "this one has 1 symmetry: quarter turn about z, mirrored along it",
        ),
    ],
)
def test_symmetries_of_a_solution_make_a_sentence(words: tuple[str, ...], text: str) -> None:
    assert str(OwnSymmetry(tuple(range(1, len(words) + 1)), words, words)) == text
