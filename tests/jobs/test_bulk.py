"""Solutions of a checkpoint in bulk agree with a plain search: all, distinct, sampled or chosen by a condition."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Search
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.engine.cover_rows import Rows, RowsChecker, gathered, is_less, limited, rows_of, sampled, tuples
from puzzlec.engine.problem import ExactCover
from puzzlec.jobs.job import Job
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import StoredSolutions
from puzzlec.jobs.work_unit import WorkUnit
from puzzlec.lower import Encoding, Symmetry, symmetry
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.conditions import Formula, understood
from puzzlec.solving.orbits import Orbits
from tests.covers import brute_covers, covers
from tests.jobs.kept import GARDEN, compiled, given, save, searched
from tests.solving.formulas import holds

Cover = tuple[int, ...]


def listed(parts: object, nothing: int) -> list[Cover]:
    return [cover for rows in parts for cover in tuples(rows, nothing)]  # type: ignore[attr-defined]


def is_cover(cover: ExactCover, options: Cover) -> bool:
    try:
        check_cover(cover, options)
    except WrongCoverError:
        return False
    return list(options) == sorted(options)


@for_all(st.data(), covers())
def test_rows_are_right_when_each_cover_is(data: st.DataObject, cover: ExactCover) -> None:
    right = sorted(brute_covers(cover))
    numbers = st.integers(0, len(cover))
    strange = data.draw(st.lists(st.lists(numbers, max_size=5).map(tuple), max_size=4))
    checker = RowsChecker(cover)
    checker.check(rows_of(right, len(cover)))
    checker.check(rows_of([], len(cover)))
    for options in strange:
        bare = tuple(option for option in options if option < len(cover))
        if bare == options and is_cover(cover, options):
            checker.check(rows_of([*right, options], len(cover)))
        elif options != tuple(sorted(options)) or bare != options[: len(bare)] or not is_cover(cover, bare):
            with pytest.raises(WrongCoverError):
                checker.check(rows_of([*right, options], len(cover)))


def test_rows_with_unknown_options_are_refused() -> None:
    checker = RowsChecker(ExactCover.from_rows([[0], [1]], primary=2))
    checker.check(np.array([[0, 1]], dtype=np.int32))
    for row in ([0, 3], [-1, 1], [1, 0], [0, 2], [2, 0]):
        with pytest.raises(WrongCoverError):
            checker.check(np.array([row], dtype=np.int32))


@for_all(
    st.lists(st.lists(st.lists(st.integers(0, 8), max_size=3, unique=True).map(sorted)), max_size=6), st.integers(1, 5)
)
def test_parts_are_gathered_without_a_change(parts: list[list[list[int]]], many: int) -> None:
    rows = [rows_of(map(tuple, part), 9) for part in parts]
    found = list(gathered(rows, 9, many))
    assert listed(found, 9) == [tuple(cover) for part in parts for cover in part]
    assert all(0 < len(part) <= many for part in found)
    for number in (1, 3, 100):
        assert listed(limited(found, number), 9) == listed(found, 9)[:number]


def test_a_sample_depends_only_on_the_seed_and_all_choices_are_equally_likely() -> None:
    rows = np.arange(40_000, dtype=np.int32).reshape(-1, 1)
    whole = sampled([rows], 50, 3, 40_000)
    assert len(whole) == len(set(whole.ravel().tolist())) == 50
    assert (np.diff(whole.ravel()) > 0).all()
    for size in (1000, 7777):
        assert np.array_equal(whole, sampled(gathered([rows], 40_000, size), 50, 3, 40_000))
    assert not np.array_equal(whole, sampled([rows], 50, 4, 40_000))
    assert len(sampled([rows[:3]], 50, 3, 40_000)) == 3
    assert sampled([], 5, 0, 9).shape == (0, 0)
    # 600 choices of 2 of 4, the six of them equally likely: chi-squared with 5 degrees of freedom, below 1e-5 at 31.
    seen = Counter(tuple(sampled([rows[:4]], 2, seed, 9).ravel().tolist()) for seed in range(600))
    assert sum((seen[pair] - 100) ** 2 / 100 for pair in [(a, b) for a in range(4) for b in range(a + 1, 4)]) < 31


def images(group: Symmetry, cover: Cover) -> set[Cover]:
    return {tuple(sorted(options[option] for option in cover)) for options in group.options}


def raw_of(encoding: Encoding) -> list[Cover]:
    return list(Search(encoding.cover, kernel="python"))


PUZZLES = {
    "garden": GARDEN,
    "soma-like": "lattice cubic\nlocations box 2x2x2\npiece A x0..2 { xx/x. }\npiece B x0..8 { x }\n",
    "hexagons": "lattice hex\nlocations cells (1,1) (0,1) (2,1) (1,0) (1,2) (2,0) (0,2)\n"
    "piece D x0..3 cells (0,0) (1,0)\npiece M x0..7 { x }\n",
    "names": "lattice none\nlocations names a b c d\npiece P x0..2 covers {a b} {b c} {c d}\n"
    "piece Q x0..4 covers {a} {b} {c} {d}\n",
}


@pytest.mark.parametrize("kept", ["none", "rotations", "all"])
@pytest.mark.parametrize("name", list(PUZZLES))
def test_any_kind_of_symmetry_gives_one_of_each_orbit_of_any_search(tmp_path: Path, name: str, kept: str) -> None:
    encoding = compiled(PUZZLES[name])
    raw = raw_of(encoding)
    text = {
        "garden": "I on 0,0 or I on 1,3 and not L on border",
        "soma-like": "A on 0,0,0",
        "hexagons": "D on 2,0 and not M on 1,1",
        "names": "Q on a",
    }[name]
    formula = understood(text, encoding).formula
    with StoredSolutions.open(searched(tmp_path / "it", encoding, kept)) as stored:  # type: ignore[arg-type]
        assert stored.complete
        assert not stored.limited
        for which in ("none", "rotations", "all", "automorphisms"):
            _compare(stored, raw, which, None)
            _compare(stored, raw, which, formula)


def _compare(stored: StoredSolutions, raw: list[Cover], which: SymmetryKind, formula: Formula | None) -> None:
    """Compare the chosen solutions with the orbits of all raw solutions that have a wanted member."""
    encoding = stored.encoding
    wanted = [cover for cover in raw if formula is None or holds(formula, cover)]
    found = listed(stored.chosen(which, formula), stored.nothing)
    assert len(set(found)) == len(found)
    assert set(found) <= set(wanted)
    group = symmetry(encoding, which)
    orbits = {frozenset(images(group, cover)) for cover in wanted}
    assert sorted(map(sorted, orbits)) == sorted(sorted(images(group, cover)) for cover in found)


@pytest.mark.long
def test_solutions_come_in_the_order_of_the_search_and_as_stored(tmp_path: Path) -> None:
    encoding = compiled("soma")
    with StoredSolutions.open(searched(tmp_path / "raw", encoding, "none")) as stored:
        assert list(stored) == list(Search(encoding.cover))
        assert stored.number == 11520
    with StoredSolutions.open(searched(tmp_path / "some", encoding, "none", limit=100)) as stored:
        assert list(stored) == list(Search(encoding.cover))[:100]
        assert (stored.number, stored.limited, stored.complete) == (100, True, True)


def test_solutions_from_a_checkpoint_are_checked(tmp_path: Path) -> None:
    encoding = compiled(GARDEN)
    right = raw_of(encoding)
    with StoredSolutions.open(given(tmp_path / "right", encoding, [right[:5], right[5:]])) as stored:
        assert list(stored) == right
    wrong = [*right[:3], (*right[3][:-1], len(encoding.cover) - 1)]
    assert not is_cover(encoding.cover, wrong[-1])
    far: list[list[Cover]] = [[(0, len(encoding.cover) + 7)]]
    for name, blocks in {"wrong": [right[:2], wrong], "far": far}.items():
        with StoredSolutions.open(given(tmp_path / name, encoding, blocks)) as stored:
            with pytest.raises(PuzzleError, match="is damaged: a solution in it is wrong") as caught:
                list(stored)
            assert caught.value.diagnostics[0].code == "PZ622"


def test_a_checkpoint_of_counts_keeps_no_solutions(tmp_path: Path) -> None:
    folder = searched(tmp_path / "it", GARDEN, task="count")
    with pytest.raises(PuzzleError, match="contains no solutions: they were only counted") as caught:
        StoredSolutions.open(folder)
    assert caught.value.diagnostics[0].code == "PZ631"


def test_kinds_of_symmetry_that_do_not_contain_each_other_are_refused(tmp_path: Path) -> None:
    # A square and a separate bar: `parts` moves both separately, and swapping two pieces is an automorphism.
    text = "locations box 2x2 + box 3x1 at (5,0)\npiece A { x }\npiece B { x }\npiece C { xx/x. }\npiece D { xx }\n"
    encoding = compiled(text)
    folder = searched(tmp_path / "it", encoding, "parts")
    with StoredSolutions.open(folder) as stored:
        parts, whole = (set(map(bytes, symmetry(encoding, which).options)) for which in ("parts", "automorphisms"))
        if parts <= whole or whole <= parts:
            assert listed(stored.chosen("automorphisms"), stored.nothing)
        else:
            with pytest.raises(PuzzleError, match="cannot be compared under `automorphisms`"):
                list(stored.chosen("automorphisms"))


def test_a_reader_sees_the_solutions_at_its_start_during_a_search(tmp_path: Path) -> None:
    encoding = compiled(GARDEN)
    raw = raw_of(encoding)
    with Job.begin(tmp_path / "other", encoding, symmetry="none") as job:
        header = replace(job.header, planned=3)
    units = [WorkUnit(number.to_bytes(4, "big"), 0, ()) for number in range(3)]
    with Store.create(tmp_path / "it", header, units) as store:
        store.save([save(units[0], raw[:2]), save(units[1], raw[2:4])])
        with StoredSolutions.open(tmp_path / "it") as stored:
            assert (stored.number, stored.complete) == (4, False)
            parts = iter(stored)
            first = next(parts)
            store.save([save(units[2], raw[4:])])
            assert [first, *parts] == raw[:4]
            assert (stored.number, stored.complete) == (4, False)
    with StoredSolutions.open(tmp_path / "it") as stored:
        assert (stored.number, stored.complete, list(stored)) == (len(raw), True, raw)


@settings(max_examples=20)
@for_all(st.randoms(use_true_random=False))
def test_orbits_of_rows_are_those_of_covers(chance: random.Random) -> None:
    encoding = compiled(GARDEN)
    nothing = len(encoding.cover)
    some = chance.sample(raw_of(encoding), 6)
    rows: Rows = rows_of(some, nothing)
    orbits = Orbits(symmetry(encoding), nothing)
    own = [images(symmetry(encoding), cover) for cover in some]
    assert list(tuples(orbits.least(rows), nothing)) == [min(orbit) for orbit in own]
    assert orbits.are_least(rows).tolist() == [cover == min(orbit) for cover, orbit in zip(some, own, strict=True)]
    found = list(tuples(orbits.images(rows), nothing))
    assert len(found) == sum(map(len, own))
    assert Counter(found) == Counter(cover for orbit in own for cover in orbit)
    other = rows[::-1]
    assert is_less(rows, other).tolist() == [one < two for one, two in zip(rows.tolist(), other.tolist(), strict=True)]
