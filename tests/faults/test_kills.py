"""A few kills at carefully chosen moments; test_campaign.py has many at random."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlec import Solutions
from puzzlec.show.terminal.style import Style
from tests.faults import moments
from tests.faults.processes import WATCHED, kill
from tests.faults.puzzles import SMALL
from tests.faults.tried import Tried, Undisturbed, check, seen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]


@pytest.fixture
def truth() -> Undisturbed:
    """The result of the small puzzle, found in this process."""
    from puzzlec.cli.texts.solutions import formatted

    assert isinstance(SMALL.source, str)
    found = enumerate(Solutions(SMALL.source), 1)
    lines = [formatted(solution, number, "jsonl", Style()) for number, solution in found]
    assert len(lines) == SMALL.number
    return Undisturbed(SMALL, "".join(f"{line}\n" for line in lines).encode())


def test_a_job_whose_worker_and_process_are_killed_finds_the_same(truth: Undisturbed, tmp_path: Path) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        child = tried.start(["--processes", "2"])
        assert moments.made(0.0)(child, tried.job)
        child.strike()
        child.gone()
        check(tried.job, None, truth, write=True)
        child = tried.start(["--processes", "2"])
        assert moments.at_work(0.3)(child, tried.job)
        assert kill(next(pid for pid, words in child.others().items() if "spawn_main" in words))
        assert moments.saving(1, 0.0)(child, tried.job)
        before = seen(tried.job)
        child.strike()
        child.gone()
        assert check(tried.job, before, truth, write=True) is not None
        tried.finish(["--threads", "2"], quiet=False)


def test_processes_that_are_killed_as_soon_as_they_begin_are_replaced(truth: Undisturbed, tmp_path: Path) -> None:
    # Their task is larger than the buffer of a pipe, and they have not read any of it yet.
    with Tried(truth, tmp_path / "tried") as tried:
        child = tried.start(["--processes", "2"])
        killed: set[int] = set()
        for _ in range(4):
            if not moments.at_work(0.0, killed)(child, tried.job):
                break
            new = {pid for pid, words in child.others().items() if "spawn_main" in words} - killed
            killed |= {pid for pid in new if kill(pid)}
        assert len(killed) >= 2
        child.wait(60)
        assert child.status == 0 or "PZ626" in child.said, child.said
        tried.finish(["--processes", "2"])
