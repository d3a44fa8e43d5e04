"""The share of the large families of tests that a default run has: another one each day, all of them in `.ci/run`.

The families are functions with many cases, the tests marked `long`, and those in a browser. The share applies to a run
of all tests only: if you name files, marks or words, all cases run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from datetime import date

import pytest

#: A function with this many cases or more is a family.
MIN_CASES_OF_FAMILY = 6

#: Each day of the week, one case of this many runs.
SHARES = 7

#: The environment variable with the share: a number from 1, or `all`.
VARIABLE = "PUZZLEC_SHARE"


def choose(config: pytest.Config, today: date) -> str:
    """Return the share of a run, and set the variable, which the processes of `-n` inherit."""
    if not hasattr(config, "workerinput") and VARIABLE not in os.environ:
        is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
        is_usual = config.option.markexpr in config.getini("addopts")
        os.environ[VARIABLE] = str(today.toordinal() % SHARES + 1) if is_whole and is_usual else "all"
    share = os.environ[VARIABLE]
    if share not in (*map(str, range(1, SHARES + 1)), "all"):
        raise pytest.UsageError(f"{VARIABLE} must be `all` or a number from 1 to {SHARES}: `{share}`")
    return share


def left_out(names: Collection[str], share: str, long: Collection[str] = ()) -> set[str]:
    """Return the names of the tests that a share leaves out: six sevenths of those of families, and of long ones.

    >>> cases = [f"test[{number}]" for number in range(70)]
    >>> [len(left_out([*cases, "test_alone"], share)) for share in ("1", "2", "7", "all")]
    [60, 60, 60, 0]
    """
    if share == "all":
        return set()
    cases = Counter(name.partition("[")[0] for name in names)
    divided = [name for name in names if cases[name.partition("[")[0]] >= MIN_CASES_OF_FAMILY or name in long]
    return set(divided) - set(divided[int(share) - 1 :: SHARES])


def is_long(item: pytest.Item) -> bool:
    """Return whether a test is marked `long`, or needs a browser."""
    return item.get_closest_marker("long") is not None or "chromium" in getattr(item, "fixturenames", ())
