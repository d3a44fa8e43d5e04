"""A job under test: started, disturbed, inspected, resumed, and finally compared with an undisturbed one."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from puzzlec.diagnostics import PuzzleError
from puzzlec.jobs.blocks import unpack
from puzzlec.jobs.records import JobTotals
from puzzlec.jobs.store import Store
from tests.faults.processes import Child, puzzlec, run
from tests.faults.puzzles import Puzzle

#: Exit statuses of a finished job: with solutions, and without any.
ENDED = (0, 3)

Cover = tuple[int, ...]


@dataclass(frozen=True)
class Undisturbed:
    """The result of a puzzle without faults and without a checkpoint.

    ``solutions`` are the bytes of all solutions as lines of JSON, or of their number if they are counted. ``covers``,
    ``nodes`` and ``raw`` are the covers in the order of the search, the nodes and the raw solutions of an undisturbed
    job, if there was one. ``seconds`` is its time with one thread.
    """

    puzzle: Puzzle
    solutions: bytes
    covers: tuple[Cover, ...] | None = None
    nodes: int | None = None
    raw: int | None = None
    seconds: float = 0.0


@dataclass
class Seen:
    """Contents of a checkpoint, as a reader sees them."""

    nodes: int
    number: int
    raw: int
    kept: int
    seconds: float


def undisturbed(puzzle: Puzzle, folder: Path) -> Undisturbed:
    """Solve a puzzle without a checkpoint, and with an undisturbed one; make sure that both agree."""
    folder.mkdir(parents=True, exist_ok=True)
    words = puzzle.command(folder)
    plain = [*words, "--to", "jsonl"] if puzzle.task == "solve" else words
    status, solutions, said = run(folder, *plain)
    assert status in ENDED, said
    number = solutions.count(b"\n") if puzzle.task == "solve" else int(solutions)
    assert number == puzzle.number
    job = folder / "job"
    begun = time.monotonic()
    with Child(puzzlec(*begin(words, job)), folder) as child:
        assert child.wait() in ENDED, child.said
    seconds = time.monotonic() - begun
    assert result(puzzle, job, folder) == solutions
    with Store.open(job, write=False) as store:
        totals = store.totals()
    return Undisturbed(puzzle, solutions, tuple(covers(job)), totals.nodes, totals.raw, seconds)


def begin(words: Sequence[str], job: Path, workers: Sequence[str] = ()) -> list[str]:
    """Return the words of the command that begins a job."""
    quiet = ["--quiet"] if words[0] == "solve" else []
    return [*words, *quiet, "--checkpoint", str(job), *workers]


def resume(job: Path, workers: Sequence[str] = (), quiet: bool = True) -> list[str]:
    """Return the words of the command that resumes a job. It prints all solutions unless ``quiet``."""
    return ["job", "resume", str(job), *(["--quiet"] if quiet else ["--to", "jsonl"]), *workers]


def result(puzzle: Puzzle, job: Path, folder: Path) -> bytes:
    """Return the results of a complete job, as the commands print them."""
    if puzzle.task == "count":
        status, text, said = run(folder, "job", "status", job, "--json")
        assert status in ENDED, said
        known = json.loads(text)
        return f"{known['solutions']}\n".encode()
    status, solutions, said = run(folder, "solutions", job, "--to", "jsonl")
    assert status in ENDED, said
    return solutions


def covers(job: Path) -> list[Cover]:
    """Return the covers that a checkpoint contains, in the order of the search."""
    with Store.open(job, write=False) as store:
        return [cover for block in store.blocks() for cover in unpack(block.data)]


def seen(job: Path) -> Seen | None:
    """Return the content of a checkpoint while another process writes it; None if there is no checkpoint yet."""
    try:
        with Store.open(job, write=False) as store:
            return _seen(store.totals())
    except PuzzleError:
        return None


def _seen(totals: JobTotals) -> Seen:
    return Seen(totals.nodes, totals.number, totals.raw, totals.kept, totals.seconds)


def check(job: Path, before: Seen | None, truth: Undisturbed, write: bool) -> Seen | None:
    """Make sure that a checkpoint is valid after a fault, and return its content; None if there was no checkpoint yet.

    It opens, and its content is verified (with ``write``: as for resuming, which verifies everything). Its content from
    ``before`` the fault is complete. It has no repeated and no wrong solution, and all are in order.
    """
    if not job.exists() or (before is None and seen(job) is None):
        assert before is None
        return None
    with Store.open(job, write=write) as store:
        now = _seen(store.totals())
        found = [cover for block in store.blocks() for cover in unpack(block.data)]
    if before is not None:
        assert now.nodes >= before.nodes
        assert now.number >= before.number
        assert now.raw >= before.raw
        assert now.kept >= before.kept
    assert truth.nodes is None or now.nodes <= truth.nodes
    assert truth.raw is None or now.raw <= truth.raw
    if truth.puzzle.task == "solve":
        assert len(found) == now.kept == now.number
        assert len(set(found)) == len(found)
        left = iter(truth.covers if truth.covers is not None else found)
        assert all(cover in left for cover in found), "a wrong solution, or one in a wrong place"
    return now


class Tried:
    """A job in a folder, with the child that works on it now.

    ``more`` are variables of its environment, ``words`` are added to the command that begins it. ``job`` is its
    checkpoint, if it already exists.
    """

    def __init__(
        self,
        truth: Undisturbed,
        folder: Path,
        more: Mapping[str, str] | None = None,
        words: Sequence[str] = (),
        job: Path | None = None,
    ) -> None:
        self.truth, self.folder, self.more = truth, folder, more
        folder.mkdir(parents=True)
        self.place = folder / "jobs"
        self.place.mkdir()
        self.job = job or self.place / "job"
        self.words = [*truth.puzzle.command(folder), *words]
        self.child: Child | None = None
        self.runs = 0
        self.at_start = 0.0  # seconds of time slices in the checkpoint when the child began
        self.ran = 0.0  # seconds from its start to the kill

    def start(self, workers: Sequence[str], before: Callable[[], None] | None = None, quiet: bool = True) -> Child:
        """Begin the job, or resume it if it has a checkpoint. A resumed job prints its solutions unless ``quiet``."""
        self.close()
        known = seen(self.job)
        self.at_start = known.seconds if known is not None else 0.0
        words = begin(self.words, self.job, workers) if known is None else resume(self.job, workers, quiet)
        self.child = Child(puzzlec(*words), self.folder / "said", self.more, before)
        self.runs += 1
        return self.child

    def finish(self, workers: Sequence[str], quiet: bool = True) -> None:
        """Run the job to its end, and compare its results and its output with the truth."""
        child = self.end(workers, quiet)
        self.compare()
        if "jsonl" in child.words or self.truth.puzzle.task == "count":
            assert child.output.read_bytes() == self.truth.solutions

    def end(self, workers: Sequence[str], quiet: bool = True) -> Child:
        """Let the job finish, and return the last child."""
        child = self.child
        if child is None or child.wait() not in ENDED:
            child = self.start(workers, quiet=quiet)
        status = child.wait()
        child.gone()
        assert status in ENDED, f"{child.words}: {status}\n{child.said}"
        return child

    def compare(self) -> None:
        """Compare the results of a complete job with the truth, byte for byte."""
        assert result(self.truth.puzzle, self.job, self.folder / "said") == self.truth.solutions
        now = check(self.job, None, self.truth, write=True)
        assert now is not None
        # Time slices of any length, work units divided in any way: all walk the same tree, each node of it once.
        assert self.truth.nodes in (None, now.nodes)
        assert self.truth.raw in (None, now.raw)

    def works(self) -> bool:
        """Return whether the child has begun to work on the checkpoint: its id is in it."""
        try:
            return (
                self.child is not None and f'"pid": {self.child.process.pid},' in (self.job / "owner.json").read_text()
            )
        except OSError:
            return False

    def close(self) -> None:
        """End all processes that still run."""
        if self.child is not None:
            self.child.close()
            self.child = None

    def __enter__(self) -> Tried:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


def any_write(choose: random.Random) -> bool:
    """Return whether to verify a checkpoint as for resuming, or to leave that to the next run."""
    return choose.random() < 0.5
