"""Two processes at one checkpoint: one works, the other is refused, and readers are always allowed."""

from __future__ import annotations

import json
import signal
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


def test_a_second_process_on_a_checkpoint_is_refused_and_the_first_continues(
    unfinished: Undisturbed, tmp_path: Path
) -> None:
    with Tried(unfinished, tmp_path / "tried") as tried:
        child = tried.start(["--threads", "1"])
        assert moments.found(1)(child, tried.job)
        child.strike(signal.SIGSTOP)
        before = seen(tried.job)
        assert before is not None
        for words in (["job", "resume", str(tried.job)], [*tried.words, "--quiet", "--checkpoint", str(tried.job)]):
            status, output, said = run(tmp_path, *words)
            assert (status, output) == (1, b""), said
            assert "error[PZ621]" in said, said
            assert f"process {child.process.pid} " in said, said
        status, text, said = run(tmp_path, "job", "status", tried.job, "--json")
        assert json.loads(text)["worker"]["process"] == child.process.pid, said
        child.strike(signal.SIGCONT)
        assert moments.found(before.number + 1)(child, tried.job)
        child.strike()
        child.gone()
        assert check(tried.job, before, unfinished, write=True) is not None


def test_a_reader_never_waits_and_never_disturbs(truth: Undisturbed, tmp_path: Path) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        child = tried.start(["--threads", "1"])
        assert moments.found(1)(child, tried.job)
        number = 0
        while child.status is None and number < 5:
            status, text, said = run(tmp_path, "job", "status", tried.job, "--json")
            assert status == 0, said
            json.loads(text)
            status, text, said = run(tmp_path, "solutions", tried.job, "--to", "jsonl")
            assert text.endswith(b"\n"), said
            lines = text.splitlines()
            assert len(set(lines)) == len(lines)
            assert [json.loads(line) for line in lines[:3] + lines[-3:]]
            number += 1
        tried.finish([])
        assert tried.runs == 1


def test_the_lock_of_a_killed_process_blocks_no_other(truth: Undisturbed, tmp_path: Path) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        child = tried.start(["--processes", "2"])
        assert moments.found(1)(child, tried.job)
        before = seen(tried.job)
        child.strike()
        child.process.wait()
        # At once, while its workers may still be there.
        assert check(tried.job, before, truth, write=True) is not None
        child.gone()
        tried.finish([])
