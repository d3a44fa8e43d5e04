"""Shards that are searched apart, killed now and then, and put together."""

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


def test_shards_that_were_killed_are_together_what_the_whole_search_is(truth: Undisturbed, tmp_path: Path) -> None:
    number = truth.puzzle.shards
    folders = []
    for shard in range(1, number + 1):
        campaign = Campaign(truth, "threads", SEED + shard, tmp_path / "unused")
        with Tried(truth, tmp_path / f"shard-{shard}", words=["--shard", f"{shard}/{number}"]) as tried:
            campaign.disturb(tried, KILLS)
            if shard > 1 or seen(tried.job) is None:  # the first one is not finished before they are put together
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
    """Put shards together by a command that is killed some times; return the checkpoint of the whole."""
    merged = folder / "merged"
    choose = random.Random(SEED)
    for _ in range(KILLS):
        with Child(puzzlec("merge", *folders, "--into", merged), folder) as child:
            if moments.after(choose.uniform(0.3, 1.5))(child, merged):
                child.strike()
            child.wait()
        if seen(merged) is not None:  # there is all of it, or nothing
            assert covers(merged) == sorted_covers(folders, truth)
            return merged
    status, number, said = run(folder, "merge", *folders, "--into", merged)
    assert status in (0, 4), said
    assert int(number) == len(sorted_covers(folders, truth))
    assert covers(merged) == sorted_covers(folders, truth)
    return merged


def sorted_covers(folders: list[Path], truth: Undisturbed) -> list[Cover]:
    """Return the covers that shards hold, each once, in the order of the search."""
    there = [cover for each in folders for cover in covers(each)]
    assert len(set(there)) == len(there)
    assert truth.covers is not None
    held = set(there)
    return [cover for cover in truth.covers if cover in held]
