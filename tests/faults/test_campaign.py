"""More than two hundred kills at random moments: every job ends with the same solutions.

They take about fifteen minutes: `pytest -m faults`. Set PUZZLEC_FAULTS_REPORT to a file for a report, and
PUZZLEC_FAULTS_SEED to a number for other moments.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.campaign import SEED, Campaign, tell
from tests.faults.processes import WATCHED
from tests.faults.puzzles import called
from tests.faults.tried import Undisturbed, undisturbed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]

#: Kills of jobs on each puzzle with each kind of workers.
PLANNED = [
    ("flat", "threads", 24),
    ("flat", "processes", 16),
    ("flat", "tcp", 14),
    ("solid", "threads", 12),
    ("solid", "processes", 14),
    ("solid", "local", 7),
    ("copies", "threads", 14),
    ("copies", "mixed", 14),
    ("colours", "threads", 12),
    ("colours", "tcp", 12),
    ("options", "threads", 12),
    ("options", "local", 7),
    ("sticks", "processes", 14),
    ("count", "threads", 12),
    ("count", "processes", 12),
    ("none", "threads", 12),
    ("none", "processes", 10),
]

_truths: dict[str, Undisturbed] = {}


@pytest.fixture
def truth(puzzle: str, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The result of a puzzle without a fault."""
    if puzzle not in _truths:
        _truths[puzzle] = undisturbed(called(puzzle), tmp_path_factory.mktemp(puzzle))
    return _truths[puzzle]


def test_the_campaign_has_two_hundred_kills_of_all_kinds() -> None:
    assert sum(kills for _, _, kills in PLANNED) >= 200
    assert len({puzzle for puzzle, _, _ in PLANNED}) >= 6
    assert {workers for _, workers, _ in PLANNED} == {"threads", "processes", "mixed", "local", "tcp"}


@pytest.mark.parametrize(("puzzle", "workers", "kills"), PLANNED)
def test_a_job_that_is_killed_again_and_again_finds_the_same(
    puzzle: str, workers: str, kills: int, truth: Undisturbed, tmp_path: Path
) -> None:
    if workers in ("local", "tcp"):
        pytest.importorskip("distributed")
    report = Campaign(truth, workers, SEED, tmp_path).run(kills)
    tell(f"{puzzle}, {workers}", report)
    assert report.number >= kills
