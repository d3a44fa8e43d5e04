from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings

from puzzlec.engine import ExactCover, Limits, Stop
from puzzlec.engine.search.first_cover import solve_with_cpsat
from tests import brute
from tests.engine.test_kernels import problems


def test_without_or_tools_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(ValueError, match=r"pip install 'puzzlec\[cpsat\]'"):
        solve_with_cpsat(ExactCover.from_rows([[0]], 1))


def test_a_limit_of_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="a limit of nodes"):
        solve_with_cpsat(ExactCover.from_rows([[0]], 1), Limits(nodes=5))


@settings(max_examples=60)
@given(problems())
def test_cp_sat_finds_a_cover_exactly_when_brute_force_does(cover: ExactCover) -> None:
    pytest.importorskip("ortools")
    expected = brute.covers(cover)
    found = solve_with_cpsat(cover)
    assert found.proved == (not expected)
    assert found.options in expected if expected else found.options is None


def test_no_time_is_a_limit_that_is_told() -> None:
    pytest.importorskip("ortools")
    rows = [[r, 20 + c, 40 + r + c, 79 + 19 + r - c] for r in range(20) for c in range(20)]
    found = solve_with_cpsat(ExactCover.from_rows(rows, 40, 78), Limits(seconds=0.0))
    assert (found.options, found.stopped, found.proved) == (None, Stop.SECONDS, False)
