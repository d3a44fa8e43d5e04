"""Shards that are searched separately, killed sometimes, and merged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults import moments
from tests.faults.campaign import SEED, Campaign, tell
from tests.faults.processes import WATCHED, Child, puzzlec, run
from tests.faults.puzzles import called
from tests.faults.tried import Cover, Tried, Undisturbed, check, covers, seen, undisturbed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]

#: Kills of each shard, while it is searched.
KILLS = 5


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return undisturbed(called("shards"), tmp_path_factory.mktemp("truth"))


def test_killed_shards_add_up_to_the_whole_search(truth: Undisturbed, tmp_path: Path) -> None:
    number = truth.puzzle.shards
    folders = []
    for shard in range(1, number + 1):
        campaign = Campaign(truth, "threads", SEED + shard, tmp_path / "unused")
        with Tried(truth, tmp_path / f"shard-{shard}", words=["--shard", f"{shard}/{number}"]) as tried:
            campaign.disturb(tried, KILLS)
            if shard > 1 or seen(tried.job) is None:  # the first shard is not finished before the merge
                tried.end(["--threads", "2"])
            folders.append(tried.job)
        assert check(tried.job, None, truth, write=True) is not None
        campaign.report.resumes = tried.runs - 1
        tell(f"shard {shard} of {number}, threads", campaign.report)
    merged = merge_though_killed(folders, tmp_path, truth)
    campaign = Campaign(truth, "threads", SEED, tmp_path / "unused")
    with Tried(truth, tmp_path / "whole", job=merged) as tried:
        campaign.disturb(tried, 2)
        tried.finish(["--threads", "2"])
    campaign.report.resumes = tried.runs - 1
    tell("shards together, threads", campaign.report)


def merge_though_killed(folders: list[Path], folder: Path, truth: Undisturbed) -> Path:
    """Merge shards by a command that is killed several times; return the merged checkpoint."""
    merged = folder / "merged"
    choose = random.Random(SEED)
    for _ in range(KILLS):
        with Child(puzzlec("job", "merge", *folders, "--into", merged), folder) as child:
            if moments.after(choose.uniform(0.3, 1.5))(child, merged):
                child.strike()
            child.wait()
        if seen(merged) is not None:  # the merged checkpoint is complete or missing
            assert covers(merged) == sorted_covers(folders, truth)
            return merged
    status, number, said = run(folder, "job", "merge", *folders, "--into", merged)
    assert status in (0, 4), said
    assert int(number) == len(sorted_covers(folders, truth))
    assert covers(merged) == sorted_covers(folders, truth)
    return merged


def sorted_covers(folders: list[Path], truth: Undisturbed) -> list[Cover]:
    """Return the covers in shards, each once, in the order of the search."""
    there = [cover for folder in folders for cover in covers(folder)]
    assert len(set(there)) == len(there)
    assert truth.covers is not None
    held = set(there)
    return [cover for cover in truth.covers if cover in held]
