"""Checkpoints of earlier versions still open: ``written`` is from November 2026, before the modules were rearranged.

Its puzzle is ten dominoes on a board of 5x4. One solution was asked for, so most of its work units are open.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from puzzlec.jobs.job import Job
from puzzlec.jobs.status import read_status

WRITTEN = Path(__file__).with_name("written")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a writable copy of the checkpoint."""
    return Path(shutil.copytree(WRITTEN, tmp_path / "job"))


def test_the_status_of_an_earlier_checkpoint_is_read(folder: Path) -> None:
    status = read_status(folder)
    assert (status.number, status.limit, status.is_complete) == (9, 1, False)
    assert status.fresh + status.begun > 0
    assert status.kept >= 1


def test_an_earlier_checkpoint_is_resumed_to_its_end(folder: Path) -> None:
    with Job.open(folder) as job:
        job.limit = None
        job.run()
        assert job.complete
        assert (job.number, job.raw) == (33, 95)
        assert len(list(job.solutions())) == 33
