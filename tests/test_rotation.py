"""The rotating share of the large families of tests: no case is lost."""

from __future__ import annotations

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rotation import MIN_CASES_OF_FAMILY, SHARES, VARIABLE, choose, left_out

SUNDAY = date(2026, 11, 29)


def config(**fields: Any) -> Any:
    """Return the settings of a run of all tests, with other values of some fields."""
    usual = {"args_source": pytest.Config.ArgsSource.TESTPATHS, "keyword": "", "markexpr": "not slow", **fields}
    options = SimpleNamespace(keyword=usual["keyword"], markexpr=usual["markexpr"])
    return SimpleNamespace(args_source=usual["args_source"], option=options, getini=lambda _: ["-m", "not slow"])


def test_each_case_is_in_exactly_one_share_and_small_tests_are_in_all() -> None:
    family = [f"tests/a.py::test_a[{number}]" for number in range(MIN_CASES_OF_FAMILY)]
    long = ["tests/a.py::test_in_a_browser"]
    others = ["tests/a.py::test_b", *(f"tests/a.py::test_c[{number}]" for number in range(MIN_CASES_OF_FAMILY - 1))]
    names = family + long + others
    kept = [name for share in range(1, SHARES + 1) for name in set(names) - left_out(names, str(share), long)]
    assert sorted(kept) == sorted(family + long + others * SHARES)
    assert not left_out(names, "all", long)


def test_a_run_of_all_tests_has_another_share_each_day(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []
    for day in range(SHARES):
        monkeypatch.delenv(VARIABLE, raising=False)
        shares.append(choose(config(), SUNDAY + timedelta(day)))
    assert sorted(shares) == [str(number) for number in range(1, SHARES + 1)]


@pytest.mark.parametrize(
    "fields", [{"args_source": pytest.Config.ArgsSource.ARGS}, {"keyword": "soma"}, {"markexpr": "slow"}]
)
def test_named_tests_have_all_their_cases(fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert choose(config(**fields), SUNDAY) == "all"


def test_the_variable_decides_and_a_wrong_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "all")
    assert choose(config(), SUNDAY) == "all"
    monkeypatch.setenv(VARIABLE, "0")
    with pytest.raises(pytest.UsageError, match="`all` or a number from 1 to 7: `0`"):
        choose(config(), SUNDAY)
