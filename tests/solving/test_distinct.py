from __future__ import annotations

import time
from array import array
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.compiler import compile
from puzzlec.engine import Limits, Search, Stop
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION
from puzzlec.engine.search.run import Run
from puzzlec.ir import Puzzle
from puzzlec.lower import Symmetry, symmetry
from puzzlec.lower.automorphisms import cover_automorphisms
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.solving import solutions as module
from puzzlec.solving.distinct import NEARLY_BEST_FACTOR, Representatives, Shares, representatives
from puzzlec.solving.overview import Searches
from puzzlec.solving.solutions import SearchSettings, Solutions
from tests import brute
from tests.strategies import puzzles


@given(puzzles())
def test_raw_and_distinct_counts_are_those_of_brute_force(puzzle: Puzzle) -> None:
    raw = brute.solutions(puzzle)
    group = brute.symmetries(puzzle)
    # Solutions as puzzlec lists them, raw ones first
    listed = [brute.cells_of(solution, puzzle) for solution in Solutions(puzzle, symmetry="none")]
    assert len(set(listed)) == len(listed)
    assert set(listed) == raw
    assert Solutions(puzzle, symmetry="none").count() == len(raw)
    assert Solutions(puzzle, symmetry="none", settings=SearchSettings(False)).count() == len(raw)
    # Distinct: one of each orbit, and Burnside's lemma agrees
    orbits = brute.orbits(puzzle)
    fixed = sum(brute.image(solution, move, pieces) == solution for solution in raw for move, pieces in group)
    assert fixed == orbits * len(group)
    kept = [brute.cells_of(solution, puzzle) for solution in Solutions(puzzle)]
    assert len(kept) == Solutions(puzzle).count() == orbits
    assert {brute.image(solution, move, pieces) for solution in kept for move, pieces in group} == raw


def test_a_group_that_is_too_large_gets_the_suggestion_of_a_smaller_one() -> None:
    fitting, error = compile("soma", stage="fitting"), GroupTooLargeError(10**9, "pieces")
    for which, smaller in (("automorphisms", "all"), ("parts", "all"), ("all", "rotations"), ("rotations", "")):
        (help,) = module.too_many_symmetries(error, fitting, which).diagnostics[0].helps
        assert help.endswith(f"such as `--symmetry {smaller}`" if smaller else "`--symmetry none`")
        bare = module.too_many_symmetries(error, replace(fitting, puzzle=None), which)
        assert bare.diagnostics[0].helps[0].endswith("`--symmetry none`")


def test_symmetric_solutions_are_counted_once_with_the_right_weight() -> None:
    # Dominoes in a 4 x 4 square: 36 raw, 9 distinct (OEIS A004003 and A045694), many of them symmetric.
    puzzle = puzzlec.parse('puzzle "D"\nlocations box 4x4\npiece D x8 { xx }')
    assert (puzzlec.count(puzzle), puzzlec.count(puzzle, symmetry="none")) == (9, 36)


@pytest.mark.parametrize(
    ("name", "most"), [("MAX_COMPARED_SOLUTIONS_IF_FREE", 40), ("MAX_COMPARED_SOLUTIONS_IF_NARROW", 20)]
)
def test_many_solutions_are_all_counted_instead(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse("locations box 6x4\npiece I x12 { xx }\n")
    for limit in ("MAX_COMPARED_SOLUTIONS", "MAX_COMPARED_SOLUTIONS_IF_FREE", "MAX_COMPARED_SOLUTIONS_IF_NARROW"):
        monkeypatch.setattr(module, limit, 10**6)
    one_by_one = Solutions(puzzle)
    number = one_by_one.count()
    monkeypatch.setattr(module, name, most)
    all_at_once = Solutions(puzzle)
    assert all_at_once.count() == number > most
    assert all_at_once.choice is not None
    assert one_by_one.choice is not None
    assert all_at_once.choice.reason.startswith("all solutions were counted")
    assert not one_by_one.choice.reason.startswith("all solutions were counted")


def test_a_mirror_image_counts_as_the_same_only_when_the_pieces_allow_it() -> None:
    flat = 'puzzle "L"\nlocations box 2x4\npiece L x2{} {{ xxx/x.. }}'
    assert puzzlec.count(puzzlec.parse(flat.format(""))) == 1
    assert puzzlec.count(puzzlec.parse(flat.format("")), symmetry="none") == 2
    assert puzzlec.count(puzzlec.parse(flat.format(" one-sided"))) == 1
    assert puzzlec.count(puzzlec.parse(flat.format(" one-sided")), symmetry="none") == 1


def test_limits_of_solutions_hold_for_distinct_ones() -> None:
    soma = puzzlec.solve("soma", limits=puzzlec.Limits(solutions=5))
    assert len(list(soma)) == soma.number == 5
    assert soma.stopped is puzzlec.Stop.SOLUTIONS
    assert puzzlec.count("soma", limits=puzzlec.Limits(solutions=5)) == 5


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize(
    ("limits", "reason", "limit"),
    [(puzzlec.Limits(nodes=500), "nodes", "500 nodes"), (puzzlec.Limits(seconds=0), "time", "0 s")],
)
def test_a_count_that_a_limit_ends_raises_an_error(raw: bool, limits: puzzlec.Limits, reason: str, limit: str) -> None:
    with pytest.raises(puzzlec.UnfinishedError, match=f"^the count stopped after {limit}: ") as caught:
        puzzlec.count("soma", symmetry="none" if raw else "all", limits=limits)
    assert caught.value.reason == reason
    partial = puzzlec.solve("soma", symmetry="none" if raw else "all", limits=limits)
    number = partial.count()
    found = f"at least {partial.counted(number)}" if number else "no solution found so far"
    assert (number > 0) == (reason == "nodes")
    if reason == "nodes":  # a limit of nodes always ends the search at the same place
        assert str(caught.value).endswith(f": {found}")


def test_a_count_that_ends_within_its_limits_is_returned() -> None:
    assert puzzlec.count("soma", limits=puzzlec.Limits(seconds=600, nodes=10**9)) == 240


def test_all_kernels_give_the_same_distinct_solutions_in_the_same_order() -> None:
    first = [solution.placements for solution in puzzlec.solve("soma", kernel="python")]
    for kernel in ("lists", "bits", "auto"):
        assert [solution.placements for solution in puzzlec.solve("soma", kernel=kernel)] == first
    assert len(first) == 240


@st.composite
def covers(draw: st.DrawFn) -> ExactCover:
    """A random small problem, most often with symmetries: its rows are cyclic shifts of each other."""
    primary = draw(st.integers(2, 5))
    rows: set[tuple[int, ...]] = set()
    for _ in range(draw(st.integers(1, 2))):
        row = draw(st.sets(st.integers(0, primary - 1), min_size=1, max_size=2))
        shifts = draw(st.sampled_from([range(primary), range(1)]))
        rows |= {tuple(sorted((item + shift) % primary for item in row)) for shift in shifts}
    bounds = [(1, 1)] * (primary - 1) + [draw(st.sampled_from([(1, 1), (1, 1), (0, 2)]))]
    return ExactCover.from_rows(draw(st.permutations(sorted(rows))), primary, 0, bounds)


def orbits(cover: ExactCover, group: Symmetry) -> list[set[tuple[int, ...]]]:
    """Return the orbits of all covers under the group."""
    left = {tuple(sorted(one)) for one in Search(cover)}
    found = []
    while left:
        chosen = min(left)
        found.append({tuple(sorted(options[option] for option in chosen)) for options in group.options})
        left -= found[-1]
    return found


def assert_one_of_each_orbit(chosen: Representatives) -> None:
    """The search has one least cover of each orbit, and no other cover with quiet options."""
    every = orbits(chosen.cover, chosen.symmetry)
    kept = [option for option in range(len(chosen.cover)) if option in chosen.movers or option not in chosen.having]
    assert len(chosen.searched) == len(kept)
    admissible = [tuple(sorted(kept[option] for option in cover)) for cover in Search(chosen.searched)]
    least = [cover for cover in admissible if chosen.is_least(cover)]
    assert sorted(least) == sorted(min(orbit.intersection(admissible)) for orbit in every)
    assert sum(map(chosen.share, admissible)) == pytest.approx(len(every))
    assert sorted(map(chosen.orbit_size, least)) == sorted(map(len, every))
    assert sorted(chosen.quiet + chosen.noisy) == sorted(chosen.movers)
    assert all(cover in least for cover in admissible if not set(cover).isdisjoint(chosen.quiet))


@given(covers())
def test_the_least_searched_cover_is_one_of_each_orbit(cover: ExactCover) -> None:
    group = cover_automorphisms(cover)
    assert_one_of_each_orbit(representatives(cover, group))


@given(covers())
def test_no_item_keeps_a_smaller_part_of_its_options_than_the_held_one(cover: ExactCover) -> None:
    group = cover_automorphisms(cover)
    parts = {}
    for item in range(cover.primary):
        inside = [options for options, items in zip(group.options, group.items, strict=True) if items[item] == item]
        having = [option for option in range(len(cover)) if item in cover.row(option)]
        orbits = {frozenset(options[option] for options in inside) for option in having}
        if having and (cover.low[item], cover.high[item]) == (1, 1):
            parts[item] = len(orbits) / len(having), len(having)
    least = min((part for part, _ in parts.values()), default=1.0)
    near = [(size, item) for item, (part, size) in parts.items() if part <= NEARLY_BEST_FACTOR * least]
    assert representatives(cover, group).item == (min(near)[1] if least < 1 else -1)


def square() -> tuple[ExactCover, Symmetry]:
    """Dominoes on a square of 2x2: two covers, and one up to symmetry."""
    encoding = puzzlec.compile(puzzlec.parse('puzzle "S"\nlocations box 2x2\npiece D x2 { xx }'))
    return encoding.cover, symmetry(encoding)


def test_one_option_of_each_orbit_of_an_item_is_kept() -> None:
    cover, group = square()
    found = representatives(cover, group)
    # A location has two options, which a reflection in a diagonal swaps. The piece has two copies and is no choice.
    assert (len(found.having), len(found.movers), found.order) == (2, 1, 8)
    assert len(found.searched) == 3
    assert all(found.item in cover.row(option) for option in found.having)


def test_a_solution_is_compared_only_with_searched_images() -> None:
    # A ring: option 1 of the options 1 and 3 of item 0 is kept. The cover (0, 3) is less than (1, 2), but not searched.
    cover = ExactCover.from_rows([[1, 2], [0, 1], [2, 3], [0, 3]], 4)
    found = representatives(cover, cover_automorphisms(cover))
    assert (found.item, list(found.movers)) == (0, [1])
    assert found.is_least((1, 2))
    assert_one_of_each_orbit(found)


def test_among_nearly_equal_items_the_one_with_the_fewest_options_is_chosen() -> None:
    cover = ExactCover.from_rows([[0], [0], [0], [0], [1], [1]], 2)
    swap = array("i", [1, 0, 3, 2, 5, 4])
    group = Symmetry((array("i", range(6)), swap), (array("i", [0, 1]),) * 2)
    found = representatives(cover, group)
    assert (found.item, sorted(found.having), list(found.movers.items())) == (1, [4, 5], [(4, ())])
    assert_one_of_each_orbit(found)
    # An item with other bounds than 1..1 cannot be chosen, and a secondary item cannot either.
    shared = ExactCover.from_rows([[0], [0], [0], [0, 2], [1, 2], [1]], 2, 1)
    assert representatives(shared, replace(group, items=(array("i", [0, 1, 2]),) * 2)).item == 1
    loose = ExactCover.from_rows([[0], [0], [0], [0], [1], [1]], 2, 0, [(1, 1), (0, 2)])
    assert representatives(loose, group).item == 0
    neither = ExactCover.from_rows([[0], [0], [0], [0], [1], [1]], 2, 0, [(0, 1), (1, 2)])
    assert representatives(neither, group).item == -1


def test_an_item_is_not_chosen_for_few_options_if_symmetry_excludes_none_of_them() -> None:
    cover = ExactCover.from_rows([[0], [0], [1], [1], [1], [1]], 2)
    group = Symmetry((array("i", range(6)), array("i", [0, 1, 3, 2, 5, 4])), (array("i", [0, 1]),) * 2)
    found = representatives(cover, group)
    assert (found.item, list(found.movers)) == (1, [2, 4])


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("locations box 3x1\npiece D { xx }\npiece M { x }", "item D, 1 of its 2 options kept"),
        ("locations box 3x1 + box 1x1 at (0,1)\npiece D x2 { xx }", ""),  # an L, which no symmetry takes to itself
    ],
)
def test_an_item_is_held_only_if_a_symmetry_excludes_some_of_its_options(text: str, held: str) -> None:
    solutions = Solutions(puzzlec.parse(text))
    assert (solutions.count(), solutions.held) == (1, held)


def test_the_search_without_comparisons_is_a_part_of_the_progress_of_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    # The monomino is held. Only the identity keeps 2 of its 6 placements, and the searches count as their placements.
    solutions = Solutions(puzzlec.parse("locations box 3x5\npiece D x7 { xx }\npiece M { x }"))
    end, fractions = Searches.end, list[float]()

    def noted(searches: Searches, search: Run) -> None:
        end(searches, search)
        fractions.append(solutions.progress().fraction)

    monkeypatch.setattr(Searches, "end", noted)
    assert solutions.count() == 28
    assert fractions == [pytest.approx(2 / 6), MAX_UNFINISHED_FRACTION]


def test_the_time_for_comparing_solutions_is_that_of_the_comparisons() -> None:
    encoding = compile("soma")
    choice = representatives(encoding.cover, Solutions(encoding).group)
    shares, begun = Shares(choice), time.perf_counter()
    shares(next(iter(Search(choice.searched))))
    assert 0 < shares.seconds <= time.perf_counter() - begun


def test_without_symmetry_the_whole_problem_is_searched() -> None:
    cover, group = square()
    alone = Symmetry(group.options[:1], group.items[:1])
    found = representatives(cover, alone)
    assert (found.item, found.movers, found.order) == (-1, {}, 1)
    assert found.searched is cover
    # If no item helps, each solution is compared with all its images.
    swap = ExactCover.from_rows([[0], [1], [2], [3]], 4)
    none = representatives(swap, cover_automorphisms(swap))
    assert (none.item, none.order) == (-1, 24)
    assert none.is_least((0, 1, 2, 3))
    items, options = [array("i", [0, 1]), array("i", [1, 0])], [array("i", range(4)), array("i", [2, 3, 0, 1])]
    exchanged = Symmetry(tuple(options), tuple(items))  # two swapped items: only the identity maps an item to itself
    pairs = representatives(ExactCover.from_rows([[0], [0], [1], [1]], 2), exchanged)
    assert pairs.item == -1
    assert_one_of_each_orbit(pairs)


def test_all_phases_of_a_count_share_the_limit_of_nodes() -> None:
    puzzle = puzzlec.parse("locations box 5x5\npieces pentominoes x0..1\n")
    whole = Solutions(puzzle)
    choice = representatives(whole.encoding.cover, whole.group)
    assert choice.quiet
    assert choice.noisy
    cover = whole.encoding.cover
    first, second = (
        Search(cover.subset(choice.options(choice.quiet))),
        Search(cover.subset(choice.options(choice.noisy))),
    )
    first.count()
    second.count()
    for more in (1, second.nodes // 2, second.nodes - 1):
        stopped = Solutions(puzzle, limits=Limits(nodes=first.nodes + more))
        stopped.count()
        assert (stopped.stopped, stopped.nodes) == (Stop.NODES, first.nodes + more)
    ended = Solutions(puzzle, limits=Limits(nodes=first.nodes + second.nodes))
    assert (ended.count(), ended.stopped, ended.nodes) == (107, None, first.nodes + second.nodes)


@pytest.mark.parametrize("passed", [0, 3])
def test_a_few_distinct_solutions_come_before_the_least_of_their_orbits(
    passed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = puzzlec.parse("locations box 6x4\npiece I x12 { xx }\n")
    every = {brute.cells_of(solution, puzzle) for solution in Solutions(puzzle)}
    monkeypatch.setattr(module, "MAX_IMAGES_PASSED", passed)
    for wanted in (1, 2, 7, len(every), len(every) + 1):
        found = Solutions(puzzle, limits=Limits(solutions=wanted))
        some = [brute.cells_of(solution, puzzle) for solution in found]
        assert len(set(some)) == len(some) == min(wanted, len(every))
        assert every >= set(some)


def test_an_empty_sudoku_has_a_solution_at_once() -> None:
    puzzle = puzzlec.parse("9\n1\n" + "0 0 0 0 0 0 0 0 0\n" * 9, format="sudoku")
    assert isinstance(puzzle, Puzzle)
    assert Solutions(puzzle, limits=Limits(nodes=1_000_000, solutions=2)).count() == 2
