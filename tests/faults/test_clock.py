"""The system clock may jump by years in either direction: a job uses a monotonic clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import moments
from tests.faults.processes import WATCHED, run
from tests.faults.tried import Tried, Undisturbed, check, seen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]

#: Python imports this file first: each call for the time of day gets another random answer. (Dask is excluded: with
#: this clock, it drops workers that seem to have been silent for long.)
JUMPING = """
import random, time, datetime
_true, _true_ns, _choose = time.time, time.time_ns, random.Random()
def _jump():
    return _choose.uniform(-30.0, 60.0) * 365.25 * 86400
time.time = lambda: max(0.0, _true() + _jump())
time.time_ns = lambda: max(0, _true_ns() + int(_jump() * 1e9))
class datetime_(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls):
        return datetime.datetime.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
datetime_.__name__ = datetime_.__qualname__ = "datetime"
datetime.datetime = datetime_
"""


@pytest.fixture
def clock(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "clock"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(JUMPING)
    return {"PYTHONPATH": str(folder)}


def test_the_clock_jumps_in_a_child(clock: dict[str, str], tmp_path: Path) -> None:
    script = "import time; print(len({round(time.time() / 86400) for _ in range(9)}))"
    told = subprocess.run([sys.executable, "-c", script], env={**os.environ, **clock}, capture_output=True, check=True)
    assert int(told.stdout) > 2


@pytest.mark.parametrize("workers", [["--threads", "2"], ["--processes", "2"]], ids=" ".join)
def test_a_job_is_not_disturbed_by_a_clock_that_jumps(
    workers: list[str], truth: Undisturbed, clock: dict[str, str], tmp_path: Path
) -> None:
    with Tried(truth, tmp_path / "tried", clock) as tried:
        child = tried.start(workers)
        assert moments.found(1)(child, tried.job)
        before = seen(tried.job)
        child.strike()
        child.gone()
        assert check(tried.job, before, truth, write=True) is not None
        status, _, said = run(tmp_path, "job", "status", tried.job, more=clock)
        assert status == 0, said
        tried.finish(workers)
