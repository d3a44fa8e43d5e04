"""Random puzzles on every lattice: raw, distinct and Burnside counts agree with brute force."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from puzzlec.compiler import compile
from puzzlec.geometry import lattice_names
from puzzlec.ir import Puzzle
from puzzlec.lower import symmetry
from puzzlec.solving.burnside import count_distinct
from puzzlec.solving.solutions import SearchSettings, Solutions
from tests import brute
from tests.strategies import puzzles

#: Random puzzles for each lattice: a few in every run, many in the slow one.
FEW, MANY = 8, 200


def agree(puzzle: Puzzle) -> None:
    raw = brute.solutions(puzzle)
    group = brute.symmetries(puzzle)
    orbits = len({frozenset(brute.image(solution, move, pieces) for move, pieces in group) for solution in raw})
    encoding = compile(puzzle)
    # The group, as it acts on the solutions
    own = symmetry(encoding)
    assert len(own) == len(group)
    # Every solution is listed once, and checked by the checker on the way
    listed = [brute.cells_of(solution, puzzle) for solution in Solutions(encoding, symmetry="none")]
    assert len(set(listed)) == len(listed)
    assert set(listed) == raw
    # One of each orbit
    kept = [brute.cells_of(solution, puzzle) for solution in Solutions(encoding)]
    assert len(kept) == orbits
    assert {brute.image(solution, move, pieces) for solution in kept for move, pieces in group} == raw
    # Counts: raw from representatives and without them, distinct ones searched and by Burnside's lemma
    assert Solutions(encoding, symmetry="none").count() == len(raw)
    assert Solutions(encoding, symmetry="none", settings=SearchSettings(False)).count() == len(raw)
    assert Solutions(encoding).count() == orbits
    counted = count_distinct(encoding.cover, own, kernel="python")
    assert counted is not None
    assert counted.number == orbits


@pytest.mark.parametrize("name", lattice_names())
@settings(max_examples=FEW, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_raw_distinct_and_burnside_agree_with_brute_force(name: str, data: st.DataObject) -> None:
    agree(data.draw(puzzles((name,), wrapped=True, most=9)))


@pytest.mark.slow
@pytest.mark.parametrize("name", lattice_names())
@settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_raw_distinct_and_burnside_agree_on_thousands_of_puzzles(name: str, data: st.DataObject) -> None:
    agree(data.draw(puzzles((name,), wrapped=True, most=9)))
