"""All solutions at once: the set agrees with a list of all solutions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Limits, UnfinishedError
from puzzlec.ir import Fitting, Placement, Puzzle, Solution
from puzzlec.lower import Encoding
from puzzlec.solving.conditions import UnknownNameError, numbers_of_locations
from puzzlec.solving.every import EverySolution
from tests.strategies import puzzles

GARDEN = """
puzzle "Beds and paths"
locations box 3x3
optional locations {xxx} at (0,3)
piece I x0..3 { xx }
piece L x1..4 { xx/x. }
"""


def listed(encoding: Encoding) -> list[Solution]:
    return list(puzzlec.Solutions(encoding, symmetry="none", kernel="python"))


def compiled(puzzle: Puzzle | str) -> Encoding:
    return puzzlec.compile(puzzle)


def placements(solutions: EverySolution | list[Solution]) -> list[tuple[Placement, ...]]:
    return sorted((solution.placements for solution in solutions), key=repr)


@st.composite
def loose_puzzles(draw: st.DrawFn, lattices: tuple[str, ...] = ("line", "square", "cubic")) -> Puzzle:
    """A random puzzle. Most have solutions, since locations may stay empty."""
    puzzle = draw(puzzles(lattices))
    if draw(st.integers(0, 3)) == 0:
        return puzzle
    kept = draw(st.sets(st.integers(0, len(puzzle.locations) - 1), max_size=2))
    locations = [replace(location, optional=number not in kept) for number, location in enumerate(puzzle.locations)]
    empty = draw(st.sampled_from([None, (0, len(locations)), (2, 6)]))
    return replace(puzzle, locations=tuple(locations), rules=replace(puzzle.rules, empty=empty))


@given(loose_puzzles(("line", "square", "cubic", "sticks")))
def test_a_set_has_the_solutions_of_a_search_and_their_frequencies(puzzle: Puzzle) -> None:
    encoding = compiled(puzzle)
    every = puzzlec.every_solution(encoding)
    assume(every.count <= 500)
    expected = listed(encoding)
    fitting = encoding.fitting
    assert placements(every) == placements(expected)
    assert every.count == len(every) == len(expected)
    assert bool(every) == bool(expected)
    assert all(solution in every for solution in expected)
    places = range(fitting.locations)
    for number, piece in enumerate(fitting.pieces):
        assert every.coverage[number] == tuple(
            sum(solution.pieces_on[k] == number for solution in expected) for k in places
        )
        assert every.occurrences[number] == tuple(
            sum(index in solution.orientations[number] for solution in expected)
            for index in range(len(piece.placements))
        )
    assert every.empty == tuple(sum(solution.pieces_on[place] is None for solution in expected) for place in places)


@given(loose_puzzles(), st.data())
def test_restrictions_leave_the_filtered_list(puzzle: Puzzle, data: st.DataObject) -> None:
    encoding = compiled(puzzle)
    every = puzzlec.every_solution(encoding)
    assume(every.count <= 500)
    expected = listed(encoding)
    fitting = encoding.fitting
    number = data.draw(st.integers(0, len(fitting.pieces) - 1))
    name = fitting.piece_name(number)
    region = data.draw(st.sets(st.integers(0, fitting.locations - 1), min_size=1, max_size=5))
    names = [fitting.location_name(place) for place in sorted(region)]

    def cells(solution: Solution) -> list[set[int]]:
        return [set(placement.locations) for placement in solution.placements if placement.number == number]

    def bare(solution: Solution) -> set[int]:
        return {place for place, on in enumerate(solution.pieces_on) if on is None}

    cases: list[tuple[EverySolution, Callable[[Solution], bool]]] = [
        (every.with_piece(name, names), lambda solution: any(region & one for one in cells(solution))),
        (every.without_piece(name, names), lambda solution: not any(region & one for one in cells(solution))),
        (every.inside(name, names), lambda solution: all(one <= region for one in cells(solution))),
        (every.with_piece(name), lambda solution: bool(cells(solution))),
        (every.without_piece(name), lambda solution: not cells(solution)),
        (every.leaving_empty(names), lambda solution: region <= bare(solution)),
        (every.covering(names), lambda solution: not region & bare(solution)),
    ]
    if fitting.pieces[number].placements:
        index = data.draw(st.integers(0, len(fitting.pieces[number].placements) - 1))
        cases += [
            (every.with_placement(name, index), lambda solution: index in solution.orientations[number]),
            (every.without_placement(name, index), lambda solution: index not in solution.orientations[number]),
        ]
    for left, keeps in cases:
        wanted = [solution for solution in expected if keeps(solution)]
        assert placements(left) == placements(wanted)
        assert left.count == len(wanted)


@pytest.mark.parametrize("name", ["soma", "new/queens", "new/copies"])
@pytest.mark.long
def test_a_set_of_a_puzzle_of_the_catalogue_has_all_raw_solutions(name: str) -> None:
    encoding = compiled(name)
    every = puzzlec.every_solution(encoding)
    expected = list(puzzlec.solve(encoding, symmetry="none"))
    assert every.count == len(expected)
    wanted = {solution.orientations for solution in expected}
    assert {solution.orientations for solution in every} == wanted
    corner = encoding.fitting.location_name(0)
    piece = encoding.fitting.piece_name(0)
    assert every.with_piece(piece, corner).count == sum(solution.pieces_on[0] == 0 for solution in expected)


def test_locations_are_given_by_names_by_cells_or_as_regions() -> None:
    every = puzzlec.every_solution(puzzlec.parse(GARDEN))
    fitting = every.fitting
    same = [
        "0,0 1,0",
        "(0,0) (1, 0)",
        "box 2x1",
        "{xx}",
        "cells (i,0) for i in 0..1",
        [(0, 0), (1, 0)],
        ["0,0", (1, 0)],
    ]
    assert [numbers_of_locations(fitting, place) for place in same] == [frozenset([0, 1])] * len(same)  # type: ignore[arg-type]
    assert numbers_of_locations(fitting, (2, 1)) == numbers_of_locations(fitting, "2,1") == frozenset([5])
    counts = {every.with_piece("L", place).count for place in same}  # type: ignore[arg-type]
    assert len(counts) == 1


def test_names_without_a_lattice_may_be_several_words() -> None:
    text = 'lattice none\nlocations names "a b" c d\npiece P covers {"a b" c} {c d}\npiece Q covers {d} {"a b"}'
    every = puzzlec.every_solution(puzzlec.parse(text))
    assert (every.count, every.with_piece("P", "a b").count, every.with_piece("Q", "d c").count) == (2, 1, 1)
    assert every.with_piece("P", 'names "a b" d').count == 2


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda every: every.with_piece("l", "0,0"), "unknown piece `l`; did you mean `L`?"),
        (lambda every: every.with_piece("W", "0,0"), "unknown piece `W`; there are I, L"),
        (lambda every: every.inside("L", "3,0"), "unknown location `3,0`; the cells go from 0,0 to 2,3"),
        (lambda every: every.covering("box 4x1"), "unknown location `3,0`"),
        (lambda every: every.leaving_empty([(0,)]), "unknown location `0`"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(
    ask: Callable[[EverySolution], EverySolution], said: str
) -> None:
    every = puzzlec.every_solution(puzzlec.parse(GARDEN))
    with pytest.raises(UnknownNameError) as caught:
        ask(every)
    assert str(caught.value).startswith(said)


def test_unknown_placements_and_invalid_regions_are_refused() -> None:
    every = puzzlec.every_solution(puzzlec.parse(GARDEN))
    with pytest.raises(ValueError, match="piece `L` has no placement 999"):
        every.with_placement("L", 999)
    with pytest.raises(ValueError, match="does not name a location"):
        every.with_piece("L", " ")
    with pytest.raises(ValueError, match="does not name a location"):
        every.with_piece("L", [])
    for region, code in (
        ("box 2x", "PZ101"), ("box 2x2x2", "PZ312"), ("{xr}", "PZ315"), ("cells (n,0)", "PZ326"),
        ("box 1x1\npiece X { x }", "PZ101"),
    ):  # fmt: skip
        with pytest.raises(PuzzleError, match=code):
            every.covering(region)


def test_a_sample_is_of_the_set_and_the_same_for_the_same_seed() -> None:
    every = puzzlec.every_solution("soma").without_piece("T", "box 3x3x2")
    assert every
    drawn = every.sample(5, seed=7)
    assert drawn == every.sample(5, seed=7) != every.sample(5, seed=8)
    assert all(solution in every for solution in drawn)
    assert every[every.count - 1] in every
    with pytest.raises(ValueError, match="no cover"):
        every.without_piece("T").sample(1, seed=0)


def test_a_solution_of_another_puzzle_or_of_none_is_not_in_the_set() -> None:
    every = puzzlec.every_solution(puzzlec.parse(GARDEN))
    first = every[0]
    assert first in every
    assert Solution(first.fitting, first.placements[1:]) not in every
    assert Solution(first.fitting, (Placement(0, 10**6, (), first.fitting), *first.placements)) not in every
    assert "first" not in every


def test_a_saved_set_is_read_again_and_only_for_its_own_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "garden.zdd"
    every = puzzlec.every_solution(puzzlec.parse(GARDEN)).with_piece("I", "box 3x1")
    every.save(path)
    again = puzzlec.every_solution(puzzlec.parse(GARDEN), saved=path)
    assert list(again) == list(every)
    with pytest.raises(ValueError, match="of another puzzle"):
        puzzlec.every_solution("soma", saved=path)
    with pytest.raises(ValueError, match="another puzzle"):
        EverySolution(compiled("soma"), every.found)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="damaged"):
        puzzlec.every_solution(puzzlec.parse(GARDEN), saved=path)
    with pytest.raises(FileNotFoundError):
        puzzlec.every_solution("soma", saved=tmp_path / "none.zdd")


@pytest.mark.long
def test_numbers_of_any_size_are_exact() -> None:
    every = puzzlec.every_solution(puzzlec.parse("locations box 14x14\npiece D x98 { xx }"))
    assert every.count == 112202208776036178000000  # dominoes on 14x14: Kasteleyn's formula, OEIS A004003
    assert every.coverage == ((every.count,) * 196,)
    corner = every.with_piece("D", "0,0").with_placement("D", 0)
    assert 2 * corner.count == every.count
    assert "raw solutions" in repr(every)


def test_limits_are_respected_and_a_missing_numba_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnfinishedError):
        puzzlec.every_solution("pentominoes/6x10", limits=Limits(memory=1 << 16))
    with pytest.raises(UnfinishedError):
        puzzlec.every_solution("pentominoes/6x10", seconds=0.0)
    seen: list[tuple[int, int]] = []
    puzzlec.every_solution("soma", progress=lambda visited, nodes: seen.append((visited, nodes)))
    assert seen
    monkeypatch.setattr("puzzlec.engine.search.selection.has_numba", lambda: False)
    with pytest.raises(RuntimeError, match="numba"):
        puzzlec.every_solution("soma")


def test_a_fitting_without_a_puzzle_has_its_numbers_as_names() -> None:
    fitting = puzzlec.parse("4 2 2 2 0 1 2 2 3 2 2 0 1 2 1 2\n", format="dpf")
    assert isinstance(fitting, Fitting)
    every = puzzlec.every_solution(fitting)
    assert every.count == len(list(puzzlec.solve(fitting, symmetry="none"))) == 1
    assert every.with_piece("0", "2 3").count == 1
    with pytest.raises(UnknownNameError, match="unknown location `4`; there are 0, 1, 2, 3"):
        every.with_piece("0", "4")
