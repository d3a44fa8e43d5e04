"""The status of a job: its figures, and their words for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from puzzlec.cli.status import rows_of_search
from puzzlec.jobs.expectation import Expected
from puzzlec.jobs.locking import Owner
from puzzlec.jobs.status import Status, read_status
from puzzlec.jobs.store import Store
from tests.jobs.checkpoints import header, planned, split, time_slice


@pytest.fixture
def status(tmp_path: Path) -> Status:
    """Return the status of a job with 4 of 10 work units done or begun, after 30 seconds."""
    with Store.create(tmp_path / "job", header(10), planned(10)) as store:
        units = planned(10)
        store.save([time_slice(units[0], 5, done=True), time_slice(units[1], 6)])
        again, block, parts = split(units[2], 3)
        store.save([(again, block, parts), time_slice(parts[1], 7, done=True)])
        store.note_run(30.0, "2 threads")
    return read_status(tmp_path / "job")


def test_work_units_are_done_begun_or_to_come_and_split_ones_do_not_count(status: Status) -> None:
    assert (status.done, status.begun, status.fresh) == (2, 1, 9)
    assert (status.number, status.kept, status.raw) == (18, 18, 72)
    assert (status.nodes, status.seconds, status.worker_seconds) == (1503, 30.0, 0.75)
    assert (status.owner, status.workers) == (None, "")
    assert (status.is_complete, status.has_enough) == (False, False)
    assert replace(status, begun=0, fresh=0).is_complete
    assert not replace(status, begun=0).is_complete
    assert not replace(status, fresh=0).is_complete


def test_the_rate_is_that_of_all_runs_and_unknown_before_the_first(status: Status) -> None:
    assert status.rate == 1503 / 30
    assert replace(status, seconds=0.0).rate == 1503 / 0.75
    new = replace(status, seconds=0.0, worker_seconds=0.0, nodes=0)
    assert (new.rate, new.left(), new.left_between) == (0.0, None, None)
    assert dict(rows_of_search(new))["left"] == "unknown"
    assert "a second" not in dict(rows_of_search(new))["nodes"]


def test_the_time_that_is_left_follows_from_the_rate(status: Status) -> None:
    known = replace(status, nodes=1000, seconds=10.0, expected=Expected(1000, 4000.0, 3000.0, 8000.0))
    assert (known.fraction, known.left(), known.left(2000), known.left(500)) == (0.25, 30.0, 10.0, 0.0)
    assert known.left_between == (20.0, 70.0)
    assert dict(rows_of_search(known))["left"].startswith("about 0:30, 9 times of 10 ")
    assert replace(known, expected=Expected(1000, 4000.0, None, None)).left_between is None
    assert dict(rows_of_search(replace(known, expected=Expected(1000, 1e19, None, None))))["left"] == "unknown"
    assert dict(rows_of_search(replace(known, expected=Expected(1000, 1050.0, None, None))))["left"] == "under a second"
    over = replace(known, begun=0, fresh=0)
    assert (over.fraction, over.left(), dict(rows_of_search(over))["searched"]) == (1.0, 0.0, "all of it")
    assert "left" not in dict(rows_of_search(over))


def test_a_job_that_is_almost_done_is_not_shown_as_done(status: Status) -> None:
    assert replace(status, expected=Expected(10**9, 10.0**9, None, None)).fraction == 0.9999
    assert replace(status, expected=Expected(0, 0.0, None, None)).fraction == 0.0


def test_a_job_has_enough_at_its_limit_when_its_process_has_ended(status: Status) -> None:
    enough = replace(status, limit=18)
    assert enough.has_enough
    assert not replace(enough, limit=19).has_enough
    assert not replace(enough, owner=Owner(7, "here", "now")).has_enough
    assert dict(rows_of_search(enough))["searched"].endswith("; all requested solutions were found")
    assert "left" not in dict(rows_of_search(enough))


def test_the_goal_is_in_words(status: Status) -> None:
    goals = [dict(rows_of_search(replace(status, limit=limit)))["search"].split(": ")[1] for limit in (None, 1, 2)]
    assert [goal.split(",")[0] for goal in goals] == ["all", "the first one", "the first 2"]
    assert dict(rows_of_search(status))["units"] == "2 done, 1 begun, 9 to come"
    assert dict(rows_of_search(replace(status, done=0, begun=0, fresh=0)))["units"] == "none"


def test_the_worker_is_the_process_that_has_the_lock(status: Status) -> None:
    owner = Owner(7, "here", "now")
    workers = [
        replace(status, owner=who, workers=kind) for who, kind in ((owner, "2 threads"), (owner, ""), (None, "x"))
    ]
    assert [dict(rows_of_search(one))["worker"] for one in workers] == [
        "process 7 on here, since now: 2 threads", "process 7 on here, since now", "none",
    ]  # fmt: skip
    assert str(Owner(0, "", "")) == "a process"
