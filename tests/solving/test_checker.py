from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

import puzzlec
from puzzlec.ir import Fitting, Placement, Placements, Puzzle, Solution
from puzzlec.ir.fitting import FittingPiece
from puzzlec.solving import WrongSolutionError, check
from puzzlec.solving.checker import around, bodies
from puzzlec.solving.faults import FaultKind


@pytest.fixture
def solution() -> Solution:
    return next(iter(puzzlec.solve("soma")))


def test_a_solution_of_the_engine_passes(solution: Solution) -> None:
    check(solution)


def test_a_piece_left_out_is_found(solution: Solution) -> None:
    with pytest.raises(WrongSolutionError, match="used 0 times"):
        check(replace(solution, placements=solution.placements[1:]))


def test_a_location_covered_twice_is_found(solution: Solution) -> None:
    first, *rest = solution.placements
    other = next(index for index, row in enumerate(solution.fitting.pieces[0].placements) if row != first.locations)
    moved = replace(first, index=other, locations=solution.fitting.pieces[0].placements.row(other))
    with pytest.raises(WrongSolutionError, match="covered twice"):
        check(replace(solution, placements=(moved, *rest)))


def test_a_bare_location_is_found() -> None:
    puzzle = puzzlec.parse('puzzle "D"\nlocations box 3x1\npiece D { xx }')
    fitting = puzzlec.compile(puzzle, stage="fitting")
    with pytest.raises(WrongSolutionError, match="not covered"):
        check(Solution(fitting, (Placement(0, 0, (0, 1), fitting),)))


def test_an_error_has_its_kind_and_the_places_that_its_sentence_leaves_open(solution: Solution) -> None:
    first, *rest = solution.placements
    twice = rest[0].locations[0]
    moved = replace(first, locations=(twice, *first.locations[1:]))
    with pytest.raises(WrongSolutionError) as caught:
        check(replace(solution, placements=(moved, *rest)))
    assert caught.value.kind is FaultKind.COVERED_TWICE
    assert (caught.value.locations, caught.value.placements) == ([twice], [moved, rest[0]])


@pytest.mark.parametrize(
    ("text", "wrong", "reason"),
    [
        ("locations box 2x2\npiece I x2 { xx }", [(0, 3), (1, 2)], "piece I does not fit on "),
        ("colours r b\nlocations { rb }\npiece R { r }\npiece B { b }", [(1,)], "piece R does not fit on "),
        ("lattice line\nlocations box 3\npiece A fixed { x.x }\npiece B { x }", [(0, 1)], "piece A does not fit on "),
        ("locations box 4x1\npiece D x2 { xx }\nplace D inside box 2x1", [(2, 3), (0, 1)], "breaks the rule"),
        ("locations box 4x1\npiece D x2 { xx }\nforbid D at box 2x1", [(0, 1), (2, 3)], "breaks the rule"),
    ],
)
def test_a_placement_that_the_lowering_got_wrong_is_found(text: str, wrong: list[tuple[int, ...]], reason: str) -> None:
    puzzle = puzzlec.parse('puzzle "P"\n' + text)
    assert isinstance(puzzle, Puzzle)
    fitting = puzzlec.compile(puzzle, stage="fitting")
    # A lowering with a bug: the first piece gets wrong placements.
    broken = replace(fitting.pieces[0], placements=Placements(wrong))
    faulty = replace(fitting, pieces=(broken, *fitting.pieces[1:]))
    placements = [Placement(0, index, row, faulty) for index, row in enumerate(wrong)]
    rest = set(range(fitting.locations)).difference(*wrong)
    placements += [
        Placement(1, index, row, faulty)
        for index, row in enumerate(faulty.pieces[-1].placements)
        if len(faulty.pieces) > 1 and set(row) == rest
    ]
    if len(faulty.pieces) > 1 and len(placements) == len(wrong):  # colours: the other piece must be placed
        other = FittingPiece(Placements([tuple(sorted(rest))]), name="B")
        faulty = replace(faulty, pieces=(broken, other))
        placements.append(Placement(1, 0, tuple(sorted(rest)), faulty))
    with pytest.raises(WrongSolutionError, match=reason):
        check(Solution(faulty, tuple(placements)))


DOMINOES = "colours 0 1\nlocations box 3x2\npiece A { 01 }\npiece B { 11 }\npiece C { 00 }\nrule box 3x2 sum = 3\n"
NAMED = "regions A B\nlocations { AAx/BBx }\noptional locations cells (0,2) (1,2) (2,2)\n"
MEETING = "locations box 4x3\npiece I { xx }\npiece J { xx }\npiece O x8 { x }\n"
NUMBERS = f"colours 0 1 2 3\n{NAMED}piece a {{ 12 }}\npiece b x2 {{ 03 }}\npiece c x0..1 {{ 11 }}\nrule A sum >= 0\n"


@pytest.mark.parametrize(
    ("board", "rule", "words"),
    [
        (DOMINOES, "rule box 3x1 sum = 2", "a region shows"),
        (DOMINOES, "rule box 3x1 sum > 2", "not `sum > 2`"),
        (DOMINOES, "rule box 3x1 sum < 2", "not `sum < 2`"),
        (DOMINOES, "rule box 2x1 all equal", "not `all equal`"),
        (DOMINOES, "rule box 2x1 all different", "not `all different`"),
        (DOMINOES, "rule box 3x1 at most 2", "a region"),
        (DOMINOES, "rule box 2x1 exactly 1 A", "a region"),
        (DOMINOES, "rule box 3x2 at most 3\nrule box 2x1 all equal", "not `all equal`"),
        (MEETING, "touching I J", "touching I J"),
        (MEETING, "symmetric mirror x", "symmetric mirror x"),
        (NUMBERS, "rule B all different", "region B shows"),
        (NUMBERS, "rule cells (0,2) (1,2) all equal", "not `all equal`"),
        (NUMBERS, "rule cells (2,0) (2,1) (2,2) sum <= 4", "a region shows"),
    ],
)
def test_a_broken_rule_on_a_region_is_found(board: str, rule: str, words: str) -> None:
    plain, puzzle = puzzlec.compile(puzzlec.parse(board), stage="fitting"), puzzlec.parse(board + rule)
    rules = puzzlec.compile(puzzle, stage="fitting").region_rules
    solutions = list(puzzlec.solve(plain, symmetry="none"))
    for ruled in (replace(plain, puzzle=puzzle), replace(plain, puzzle=None, region_rules=rules)):
        refused = 0
        for solution in solutions:
            placements = [replace(placement, fitting=ruled) for placement in solution.placements]
            try:
                check(Solution(ruled, tuple(placements)))
            except WrongSolutionError as error:
                assert error.kind is FaultKind.RULE
                assert words in str(error)
                refused += 1
        assert 0 < refused < len(solutions)
        assert len(solutions) - refused == puzzlec.count(puzzle, symmetry="none")


def test_a_rule_on_colours_needs_pieces_that_show_them() -> None:
    ruled = puzzlec.compile(puzzlec.parse(DOMINOES), stage="fitting")
    solution = next(puzzlec.solve(ruled))
    bare = replace(ruled, pieces=tuple(replace(piece, colours=()) for piece in ruled.pieces))
    with pytest.raises(WrongSolutionError, match="cells without colours"):
        check(Solution(bare, tuple(replace(placement, fitting=bare) for placement in solution.placements)))


def test_a_body_of_balls_keeps_all_its_distances() -> None:
    """Three balls in a row point in one of the twelve directions of the face-centred cubic lattice."""
    row = [(0, 0, 0), (1, 1, 0), (2, 2, 0)]
    reached = list(bodies(row, row[0], around, proper=False))
    assert len(reached) == 12
    assert all(last == tuple(2 * value for value in middle) for _, middle, last in reached)


def test_crossings_on_a_torus_are_those_that_the_exact_cover_excludes() -> None:
    # The torus is closed: two sticks begin at each of its six points, so pieces cross at each of them.
    sticks = " ".join(f"({x},{y},{kind})" for x in range(3) for y in range(2) for kind in range(2))
    free = puzzlec.parse(
        f"lattice sticks\ncrossing\nlocations cells {sticks}\nwrap (3,0), (0,2)\npieces disticks x0..6\n"
    )
    assert isinstance(free, Puzzle)
    bound = replace(free, rules=replace(free.rules, crossing=False))
    fitting = replace(puzzlec.compile(free, stage="fitting"), puzzle=bound)
    correct = 0
    for found in puzzlec.solve(free, symmetry="none"):
        with suppress(WrongSolutionError):
            check(replace(found, fitting=fitting))
            correct += 1
    assert correct == puzzlec.count(bound, symmetry="none") < puzzlec.count(free, symmetry="none")


def arrangements(fitting: Fitting) -> Iterator[tuple[Placement, ...]]:
    """Yield each set of placements that share no locations, whole or not."""
    choices = [
        Placement(number, index, row, fitting)
        for number, piece in enumerate(fitting.pieces)
        for index, row in enumerate(piece.placements)
    ]

    def after(start: int, chosen: tuple[Placement, ...], covered: frozenset[int]) -> Iterator[tuple[Placement, ...]]:
        yield chosen
        for place in range(start, len(choices)):
            if covered.isdisjoint(choices[place].locations):
                yield from after(place + 1, (*chosen, choices[place]), covered | set(choices[place].locations))

    return after(0, (), frozenset())


TILES = "colours a b\nlocations box 3x1\npiece A sides a b a a\npiece B sides a b a b\npiece C sides a a a b\n"
STICKS = "lattice sticks\nlocations grid 2x2\npieces disticks x0..6\n"


@pytest.mark.parametrize(
    ("free", "rule", "kinds"),
    [
        (TILES, "", {FaultKind.SIDES}),
        (TILES, "wrap x\n", {FaultKind.SIDES}),
        (TILES, "frame a\n", {FaultKind.SIDES}),
        (TILES, "match a b\n", {FaultKind.SIDES}),
        (f"{STICKS}crossing\n", "", set()),
        (STICKS, "", {FaultKind.CROSSING}),
        ("locations box 2x2\npiece I x2 { xx }\n", "fix I at box 2x1\n", {FaultKind.RULE}),
        ("optional locations box 3x2\npiece I x0..3 { xx }\npiece O x0..1 { x }\n", "empty 1..2\n", {FaultKind.EMPTY}),
    ],
)
def test_the_checker_accepts_the_arrangements_that_the_search_finds(
    free: str, rule: str, kinds: set[FaultKind]
) -> None:
    """The pieces have all their placements on a board without the rule, so that the checker alone keeps it."""
    bound = puzzlec.parse(free + rule)
    assert isinstance(bound, Puzzle)
    empty = puzzlec.compile(bound, stage="fitting").empty
    fitting = replace(puzzlec.compile(puzzlec.parse(free), stage="fitting"), puzzle=bound, empty=empty)
    accepted, refused = 0, set()
    for placements in arrangements(fitting):
        try:
            check(Solution(fitting, placements))
            accepted += 1
        except WrongSolutionError as error:
            refused.add(error.kind)
    assert accepted == puzzlec.count(bound, symmetry="none") > 0
    assert refused - {FaultKind.USE, FaultKind.UNCOVERED} == kinds
