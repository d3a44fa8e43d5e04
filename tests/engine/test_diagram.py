from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Limits, Search
from puzzlec.engine.diagram import SolutionSet
from puzzlec.engine.limits import UnfinishedError
from tests.engine.test_kernels import problems
from tests.engine.test_memo import busy_problem, dominoes

ORDERS = st.sampled_from(["auto", "mrv", "sweep"])


@given(problems(), ORDERS)
def test_a_set_has_the_covers_of_a_search(cover: ExactCover, order: Literal["auto", "mrv", "sweep"]) -> None:
    found = SolutionSet.of(cover, order=order)
    expected = sorted(Search(cover, kernel="python"))
    listed = list(found)
    assert sorted(listed) == expected
    assert found.count == len(found) == len(expected)
    assert bool(found) == bool(expected)
    assert [found[place] for place in range(found.count)] == listed == list(found)
    assert all(chosen in found for chosen in listed)


@given(problems(), st.sets(st.integers(0, 8)))
def test_a_set_contains_its_covers_and_nothing_else(cover: ExactCover, options: set[int]) -> None:
    found = SolutionSet.of(cover)
    assert found.contains(options) == (tuple(sorted(options)) in set(found))
    assert "no cover" not in found
    assert not found.contains([len(cover)])


@given(problems(), ORDERS)
def test_occurrences_count_the_covers_of_each_option(cover: ExactCover, order: Literal["auto", "mrv", "sweep"]) -> None:
    found = SolutionSet.of(cover, order=order)
    listed = list(found)
    assert found.occurrences() == [sum(option in chosen for chosen in listed) for option in range(len(cover))]


@given(problems(), st.data())
def test_a_filtered_set_is_the_filtered_list_in_the_same_order(cover: ExactCover, data: st.DataObject) -> None:
    found = SolutionSet.of(cover)
    listed = list(found)
    options = st.sets(st.integers(0, len(cover) - 1), max_size=4) if len(cover) else st.just(set[int]())
    required, forbidden, some = data.draw(options), data.draw(options), data.draw(options)
    restricted = found.restrict(required, forbidden)
    assert list(restricted) == [chosen for chosen in listed if required <= set(chosen) and not forbidden & set(chosen)]
    assert list(found.any_of(some)) == [chosen for chosen in listed if some & set(chosen)]
    low = data.draw(st.integers(0, 3))
    high = data.draw(st.none() | st.integers(low, 5))
    taking = found.taking(some, low, high)
    wanted = [chosen for chosen in listed if low <= len(some & set(chosen)) <= (9 if high is None else high)]
    assert list(taking) == wanted
    assert taking.count == len(wanted)
    assert all(taking.contains(chosen) == (chosen in wanted) for chosen in listed)
    for option in some:
        assert list(found.with_option(option)) == [chosen for chosen in listed if option in chosen]
        assert list(found.without_option(option)) == [chosen for chosen in listed if option not in chosen]
    assert list(found) == listed  # the set itself has not changed


@given(problems(), st.data())
def test_an_accepted_set_is_the_accepted_list_in_the_same_order(cover: ExactCover, data: st.DataObject) -> None:
    every = SolutionSet.of(cover)
    chosen = [found for found in every if data.draw(st.booleans())]
    left = every.accepted(set(chosen).__contains__)
    assert (list(left), left.count) == (chosen, len(chosen))
    assert all(left.contains(found) == (found in chosen) for found in every)
    assert left.occurrences() == [sum(option in found for found in chosen) for option in range(len(cover))]


def test_larger_sets_with_bounds_and_colours_are_filtered_and_counted_as_lists_are() -> None:
    for seed in range(60):
        cover = busy_problem(seed)
        found = SolutionSet.of(cover)
        listed = list(found)
        assert sorted(listed) == sorted(Search(cover, kernel="python"))
        assert found.occurrences() == [sum(option in chosen for chosen in listed) for option in range(len(cover))]
        some = {seed % len(cover), (seed * 7 + 3) % len(cover), (seed * 5 + 1) % len(cover)}
        assert list(found.taking(some, 1, 2)) == [chosen for chosen in listed if 1 <= len(some & set(chosen)) <= 2]


def test_the_covers_with_and_without_an_option_add_up_to_a_large_count() -> None:
    cover = dominoes(12, 12)
    found = SolutionSet.of(cover)
    assert found.count == 53060477521960000
    occurrences = found.occurrences()
    for option in (0, 1, 100, 263):
        assert found.with_option(option).count == occurrences[option]
        assert found.without_option(option).count == found.count - occurrences[option]
    # A tiling has 72 dominoes.
    assert sum(occurrences) == 72 * found.count
    assert found.with_option(0).nodes < found.nodes


def test_a_count_may_be_too_large_for_len_but_not_for_count() -> None:
    found = SolutionSet.of(dominoes(100, 2))
    assert found.count == 573147844013817084101 > 1 << 63
    with pytest.raises(OverflowError):
        len(found)
    assert found
    last = found[found.count - 1]
    assert last in found
    assert len(last) == 100


def test_equal_nodes_are_one() -> None:
    # Two ways to begin that leave the same to do: 5 choices of 2 options are 5 nodes, the last of them done
    cover = ExactCover.from_rows([[item] for item in range(4) for _ in range(2)], 4)
    assert (SolutionSet.of(cover).nodes, SolutionSet.of(cover).count) == (5, 16)
    # With secondary items that prove not to matter, the diagram is also made smaller.
    found = SolutionSet.of(busy_problem(3))
    arrays = found.starts.tolist(), found.branch_options.tolist(), found.branch_children.tolist()
    nodes = [
        tuple(zip(arrays[1][a:b], arrays[2][a:b], strict=True))
        for a, b in zip(arrays[0][2:-1], arrays[0][3:], strict=True)
    ]
    assert len(set(nodes)) == len(nodes)


def test_samples_are_covers_and_every_cover_turns_up_and_a_seed_repeats() -> None:
    found = SolutionSet.of(dominoes(4, 4))
    drawn = found.sample(2000, seed=1)
    assert set(drawn) == set(found)
    assert found.sample(2000, seed=1) == drawn
    assert found.sample(2000, seed=2) != drawn
    # Each of 36 is drawn about 56 times; far from that would not be an equal chance.
    assert all(20 < drawn.count(chosen) < 110 for chosen in found)
    assert found.sample(0, seed=1) == []


def test_nothing_is_drawn_from_no_covers() -> None:
    none = SolutionSet.of(ExactCover.from_rows([[0]], 2))
    assert (none.count, list(none), none.occurrences(), bool(none)) == (0, [], [0], False)
    with pytest.raises(ValueError, match="no covers to choose from"):
        none.sample(1, seed=0)
    with pytest.raises(IndexError):
        none[0]
    assert list(none.with_option(0)) == []


def test_the_cover_of_no_options_is_a_cover() -> None:
    found = SolutionSet.of(ExactCover.from_rows([], 0))
    assert (found.count, list(found), found.sample(1, seed=0), found[0]) == (1, [()], [()], ())
    assert () in found
    assert list(found.any_of([])) == []


def test_unknown_options_and_orders_are_refused() -> None:
    found = SolutionSet.of(dominoes(2, 2))
    with pytest.raises(ValueError, match="unknown option 4: options are numbered from 0 to 3"):
        found.with_option(4)
    with pytest.raises(ValueError, match="unknown option -1"):
        found.restrict(forbidden=[-1])
    with pytest.raises(ValueError, match="`low` must be from 0 to `high`, not 2"):
        found.taking([0], 2, 1)
    with pytest.raises(TypeError, match="a set of solutions needs an ExactCover, not a str"):
        SolutionSet.of("soma")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown order 'best'"):
        SolutionSet.of(dominoes(2, 2), order="best")  # type: ignore[arg-type]


def test_too_little_memory_or_time_is_reported() -> None:
    with pytest.raises(UnfinishedError, match="needs more than 1 MB") as memory:
        SolutionSet.of(dominoes(12, 12), limits=Limits(memory=1 << 20))
    assert memory.value.reason == "memory"
    with pytest.raises(UnfinishedError, match="incomplete after 0 s") as clock:
        SolutionSet.of(dominoes(12, 12), seconds=0)
    assert clock.value.reason == "time"


def test_if_half_of_the_memory_is_too_little_one_order_gets_all_of_it() -> None:
    cover = dominoes(10, 10)
    with pytest.raises(UnfinishedError):
        SolutionSet.of(cover, order="mrv", limits=Limits(memory=1 << 19))
    assert SolutionSet.of(cover, order="mrv", limits=Limits(memory=1 << 20)).count == 258584046368
    assert SolutionSet.of(cover, order="auto", limits=Limits(memory=1 << 20)).count == 258584046368


def test_progress_is_reported_and_grows() -> None:
    told: list[tuple[int, int]] = []
    SolutionSet.of(dominoes(10, 10), order="mrv", progress=lambda nodes, made: told.append((nodes, made)))
    assert told
    assert [nodes for nodes, _ in told] == sorted(nodes for nodes, _ in told)


def test_the_same_problem_gives_the_same_diagram() -> None:
    assert SolutionSet.of(dominoes(8, 8)) == SolutionSet.of(dominoes(8, 8))
    assert SolutionSet.of(dominoes(8, 8)) != SolutionSet.of(dominoes(8, 7))
    assert SolutionSet.of(dominoes(8, 8)) != SolutionSet.of(dominoes(8, 8)).without_option(0)


@given(problems())
def test_a_set_is_the_same_when_it_is_read_again(tmp_path_factory: pytest.TempPathFactory, cover: ExactCover) -> None:
    path = tmp_path_factory.mktemp("sets") / "solutions.npz"
    found = SolutionSet.of(cover)
    found.save(path)
    assert SolutionSet.load(path) == SolutionSet.load(path, cover) == found
    assert list(SolutionSet.load(path)) == list(found)


def test_the_file_of_a_set_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        SolutionSet.of(dominoes(6, 6)).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_solutions_of_another_problem_are_refused(tmp_path: Path) -> None:
    SolutionSet.of(dominoes(4, 4)).save(tmp_path / "set.npz")
    with pytest.raises(ValueError, match="another problem"):
        SolutionSet.load(tmp_path / "set.npz", dominoes(4, 5))


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    SolutionSet.of(dominoes(4, 4)).save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 13):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"set\.npz: not a set of solutions, or damaged"):
            SolutionSet.load(path)


def test_a_file_with_a_byte_changed_gives_the_same_set_or_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    found = SolutionSet.of(dominoes(4, 4))
    found.save(path)
    whole = path.read_bytes()
    refused = 0
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            assert SolutionSet.load(path) == found  # a byte without meaning, such as a date
        except ValueError:
            refused += 1
    assert refused > len(whole) // 6


def test_another_file_is_refused_and_a_missing_one_is_an_error_of_the_system(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_text("piece I { xxx }")
    with pytest.raises(ValueError, match="not a set of solutions"):
        SolutionSet.load(path)
    with path.open("wb") as file:
        np.savez(file, starts=np.arange(3))
    with pytest.raises(ValueError, match="not a set of solutions"):
        SolutionSet.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("format.npy", "1")
    with pytest.raises(ValueError, match="not a set of solutions"):
        SolutionSet.load(path)
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(ValueError, match="not a set of solutions"):
        SolutionSet.load(path)
    with pytest.raises(FileNotFoundError):
        SolutionSet.load(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("field", "place", "value", "message"),
    [
        ("branch_children", -1, 10**6, "a child does not come before its parent"),
        ("branch_children", 0, 0, "a child does not come before its parent"),
        ("branch_options", 0, 24, "an option is out of range"),
        ("branch_options", 0, -2, "an option is out of range"),
        ("starts", 1, 1, "the arrays do not fit together"),
        ("starts", -1, 3, "the arrays do not fit together"),
        ("starts", 4, 10**12, "a node has no branches"),
        ("numbers", 1, 3, "the root is not the last node"),
        ("format", (), 2, "unknown format"),
    ],
)
def test_a_well_formed_file_with_a_wrong_diagram_is_refused(
    tmp_path: Path, field: str, place: int, value: int, message: str
) -> None:
    from puzzlec.engine import diagram_file as solution_file

    path = tmp_path / "set.npz"
    SolutionSet.of(dominoes(4, 4)).save(path)
    with np.load(path) as archive:
        arrays = {name: archive[name].copy() for name in archive.files if name != "digest"}
    arrays[field][place] = value
    np.savez(path, digest=solution_file._digest(arrays), **arrays)
    with pytest.raises(ValueError, match=message):
        SolutionSet.load(path)


def test_filters_take_names_of_options(tmp_path: Path) -> None:
    cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "bd", "S": "c", "T": "cd"})
    found = SolutionSet.of(cover)
    assert list(found.with_option("R")) == list(found.without_option("Q")) == [(1, 4)]
    assert list(found.restrict(required=["Q"], forbidden=["R"]).with_option("P")) == [(0, 2, 3)]
    assert found.contains(("S", "Q", "P"))
    assert ("Q", "P", "S") in found
    assert not found.contains(("Q", "P"))
    assert not found.contains(("Q", "P", "S", "X"))
    found.save(tmp_path / "found.npz")
    assert list(SolutionSet.load(tmp_path / "found.npz", cover).any_of(["T"])) == [(1, 4)]
    for unknown in (found, SolutionSet.load(tmp_path / "found.npz")):
        with pytest.raises(ValueError, match="unknown option 'X': the "):
            unknown.with_option("X")
