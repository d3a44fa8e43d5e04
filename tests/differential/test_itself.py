"""The comparison finds bugs: after each of these changes to the code, some of a few random puzzles disagree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from puzzlec import lower
from puzzlec.compiler import Compiled
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import selection
from puzzlec.ir import ANY, Fitting, Placements, Puzzle, RuleKind
from puzzlec.lower import Symmetry, covering
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving import solutions
from tests.differential import comparing, trips
from tests.differential.comparing import compare
from tests.differential.problem import problem
from tests.differential.smaller import smallest, text

Patch = pytest.MonkeyPatch


def a_kernel_forgets_an_option(patch: Patch) -> None:
    make = selection.make

    def forgetful(cover: ExactCover, name: str) -> selection.Kernel:
        return make(cover.subset(range(len(cover) - 1)) if name == "lists" and len(cover) else cover, name)

    patch.setattr(selection, "make", forgetful)


def a_piece_is_never_placed_last(patch: Patch) -> None:
    def hasty(puzzle: Puzzle, report: object = None) -> Fitting:
        fitting = lower.place(puzzle)
        first = fitting.pieces[0]
        shorter = replace(first, placements=Placements(list(first.placements)[:-1]), sides=first.sides[:-1])
        return replace(fitting, pieces=(shorter, *fitting.pieces[1:]))

    patch.setattr("puzzlec.compiler.place", hasty)


def copies_are_not_bounded(patch: Patch) -> None:
    def generous(fitting: Fitting) -> lower.Encoding:
        found = lower.encode(fitting)
        pieces = [item for item in found.item_of_piece if item >= 0]
        high = type(found.cover.high)("i", [ANY if k in pieces else n for k, n in enumerate(found.cover.high)])
        return replace(found, cover=replace(found.cover, high=high))

    patch.setattr("puzzlec.compiler.encode", generous)


def symmetries_are_overlooked(patch: Patch) -> None:
    def blind(encoding: lower.Encoding, which: SymmetryKind = "all") -> Symmetry:
        return lower.symmetry(encoding, "none")

    patch.setattr(solutions, "symmetry_group", blind)


def walls_are_overlooked(patch: Patch) -> None:
    patch.setattr(Puzzle, "wall_points", ())


def every_piece_lies_on_its_region(patch: Patch) -> None:
    def careless(puzzle: Puzzle, report: object = None) -> Fitting:
        kept = tuple(rule for rule in puzzle.rules.pieces if rule.kind is not RuleKind.ON)
        return lower.place(replace(puzzle, rules=replace(puzzle.rules, pieces=kept)))

    patch.setattr("puzzlec.compiler.place", careless)


def sums_are_not_bounded_above(patch: Patch) -> None:
    def generous(puzzle: Puzzle, report: object = None) -> Fitting:
        unbounded = tuple(replace(one, high=ANY) for one in puzzle.rules.regions)
        return lower.place(replace(puzzle, rules=replace(puzzle.rules, regions=unbounded)))

    patch.setattr("puzzlec.compiler.place", generous)


def a_copy_on_a_region_costs_nothing(patch: Patch) -> None:
    patch.setattr(covering, "_is_related", lambda locations, relation, region: relation == "at")


def a_text_loses_its_last_line(patch: Patch) -> None:
    written = trips.written

    def careless(what: Compiled, name: str) -> bytes:
        content = written(what, name)
        return b"".join(content.splitlines(keepends=True)[:-1]) if name == "dlx" else content

    patch.setattr(trips, "written", careless)


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (a_kernel_forgets_an_option, "counts"),
        (a_piece_is_never_placed_last, "counts"),
        (copies_are_not_bounded, "counts"),
        (symmetries_are_overlooked, "counted"),
        (walls_are_overlooked, "counted"),
        (every_piece_lies_on_its_region, "counts"),
        (sums_are_not_bounded_above, "counts"),
        (a_copy_on_a_region_costs_nothing, "prices"),
        (a_text_loses_its_last_line, "there_and_back"),
    ],
)
def test_a_bug_is_found_and_shown_in_a_small_puzzle(
    fault: Callable[[Patch], None], check: str, monkeypatch: Patch
) -> None:
    assert not any(compare(problem(seed), only=check).fault for seed in range(6))
    fault(monkeypatch)
    found = next(outcome for seed in range(400) if (outcome := compare(problem(seed), only=check)).fault)
    small = smallest(found, tries=60)
    assert (small.check, small.problem.seed) == (check, found.problem.seed)
    assert small.fault
    assert len(text(small.problem.what)) <= len(text(found.problem.what))


def test_a_seed_gives_the_same_problem_and_the_same_comparisons_again() -> None:
    for seed in range(3):
        one, two = compare(problem(seed)), compare(problem(seed))
        assert one.problem.what == two.problem.what
        assert one.made == two.made


def test_every_run_includes_every_check() -> None:
    assert all(0 < light <= whole <= 1 for whole, light in comparing.SHARES.values())
