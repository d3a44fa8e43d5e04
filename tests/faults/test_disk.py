"""Full disks, read-only folders, and deleted folders."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import moments
from tests.faults.processes import WATCHED, run
from tests.faults.tried import ENDED, Tried, Undisturbed, check, seen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(not WATCHED, reason="processes can be watched where there is /proc"),
]

THREADS = ["--threads", "2"]


@pytest.fixture
def mounted() -> Iterator[Callable[[Path, str], None]]:
    """A function that mounts a small disk in memory at a folder; only root can do this, if the machine allows it."""
    made: list[Path] = []

    def mount(place: Path, options: str) -> None:
        place.mkdir(parents=True, exist_ok=True)
        words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        if place in made:
            words = ["mount", "-o", f"remount,{options}", str(place)]
        try:
            done = subprocess.run(words, capture_output=True)
        except FileNotFoundError:
            pytest.skip("there is no `mount`")
        if done.returncode and place not in made:
            pytest.skip(f"no disk can be mounted: {done.stderr.decode(errors='replace').strip()}")
        assert not done.returncode, done.stderr
        made.append(place)

    yield mount
    for place in dict.fromkeys(made):
        subprocess.run(["umount", "-l", str(place)], check=False)


def refused(status: int, said: str) -> None:
    """Make sure that a command ended with a diagnostic, and not with a traceback."""
    assert status == 1, said
    assert "error[PZ" in said, said
    assert "Traceback" not in said, said


@pytest.mark.parametrize("size", [1 << 14, 1 << 16, 1 << 17])
def test_a_job_at_the_limit_of_file_sizes_ends_with_a_diagnostic_and_can_be_resumed(
    size: int, truth: Undisturbed, tmp_path: Path
) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        child = tried.start(THREADS, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        status = child.wait()
        child.gone()
        refused(status, child.said)
        check(tried.job, None, truth, write=True)
        tried.finish(THREADS)


@pytest.mark.parametrize("workers", [THREADS, ["--processes", "2"]], ids=" ".join)
def test_a_job_on_a_full_disk_ends_with_a_diagnostic_and_can_be_resumed_later(
    workers: list[str], truth: Undisturbed, mounted: Callable[[Path, str], None], tmp_path: Path
) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        mounted(tried.place, "size=160k")
        child = tried.start(workers)
        status = child.wait()
        child.gone()
        refused(status, child.said)
        before = seen(tried.job)
        # Once more, with no room at all: nothing gets worse.
        filled = tried.place / "filled"
        with filled.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 12)):
                    pass
            except OSError:
                pass
        status, _, said = run(tmp_path, "job", "resume", tried.job, *workers)
        refused(status, said)
        status, _, said = run(tmp_path, "job", "status", tried.job)
        assert status == 0 or before is None, said
        filled.unlink()
        mounted(tried.place, "size=64m")
        check(tried.job, before, truth, write=True)
        tried.finish(workers)


def test_a_folder_that_became_read_only_can_only_be_read(
    truth: Undisturbed, mounted: Callable[[Path, str], None], tmp_path: Path
) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        mounted(tried.place, "size=64m")
        child = tried.start(THREADS)
        assert moments.found(1)(child, tried.job)
        before = seen(tried.job)
        child.strike()
        child.gone()
        mounted(tried.place, "ro")
        # The last changes may be only in the log, which cannot be merged now: they must be read from the log.
        assert check(tried.job, before, truth, write=False) is not None
        status, _, said = run(tmp_path, "job", "status", tried.job)
        assert status == 0, said
        status, text, said = run(tmp_path, "solutions", tried.job, "--to", "jsonl")
        assert text.count(b"\n") >= 1, said
        refused(*_without_output(run(tmp_path, "job", "resume", tried.job)))
        refused(*_without_output(run(tmp_path, *tried.words, "--checkpoint", tried.place / "other")))
        mounted(tried.place, "rw")
        check(tried.job, before, truth, write=True)
        tried.finish(THREADS)


def test_a_complete_job_can_be_read_on_a_read_only_disk(
    truth: Undisturbed, mounted: Callable[[Path, str], None], tmp_path: Path
) -> None:
    with Tried(truth, tmp_path / "tried") as tried:
        mounted(tried.place, "size=64m")
        tried.start(THREADS)
        tried.finish(THREADS)
        mounted(tried.place, "ro")
        status, text, said = run(tmp_path, "solutions", tried.job, "--to", "jsonl")
        assert (status, text) == (0, truth.solutions), said
        status, _, said = run(tmp_path, "job", "status", tried.job)
        assert status == 0, said


def test_a_job_whose_folder_is_deleted_does_not_pretend_to_be_saved(unfinished: Undisturbed, tmp_path: Path) -> None:
    with Tried(unfinished, tmp_path / "tried") as tried:
        child = tried.start(THREADS)
        assert moments.found(1)(child, tried.job)
        shutil.rmtree(tried.job)
        status = child.wait()
        child.gone()
        assert status not in ENDED, child.said
        refused(status, child.said)
        assert not tried.job.exists()


def _without_output(told: tuple[int, bytes, str]) -> tuple[int, str]:
    return told[0], told[2]
