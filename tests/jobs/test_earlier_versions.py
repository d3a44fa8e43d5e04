"""Checkpoints of earlier versions still open: ``written`` is from November 2026, before the modules were rearranged.

Its puzzle is ten dominoes on a board of 5x4. One solution was asked for, so most of its work units are open.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.search.splitting import EARLIER_TREE_VERSION
from puzzlec.jobs import job as module
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


def test_a_checkpoint_whose_search_tree_has_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item that may have more options than it needs is searched later than in earlier versions."""
    board = "locations box 4x2\n"
    with monkeypatch.context() as earlier:
        earlier.setattr(module, "TREE_VERSION", EARLIER_TREE_VERSION)
        for name, pieces in (("same", "piece A x4 { xx }"), ("other", "piece A x2..4 { xx }\npiece B x0..4 { x }")):
            Job.begin(tmp_path / name, puzzlec.parse(f"{board}{pieces}\n"), wanted=2).close()
    with Job.open(tmp_path / "same") as job:
        job.run()
        assert (job.number, job.raw) == (4, 5)
    with pytest.raises(PuzzleError, match="which searched this puzzle differently") as error:
        Job.open(tmp_path / "other")
    assert error.value.diagnostics[0].code == "PZ623"
