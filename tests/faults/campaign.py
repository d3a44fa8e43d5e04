"""Kills at random moments, one after the other: the victims, the moments, and the checks afterwards."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import moments
from tests.faults.cluster import Cluster
from tests.faults.processes import Child
from tests.faults.tried import ENDED, Seen, Tried, Undisturbed, any_write, check, seen

#: The victims for each kind of workers, with their relative frequencies. "main" is the process of the command, "all"
#: the command and all processes that it began, "twice" the command and the resumed one soon after, "worker" a process
#: that searches.
STRUCK = {
    "threads": {"main": 10, "all": 1, "twice": 2, "term": 2, "int": 2},
    "processes": {"main": 5, "all": 2, "twice": 1, "worker": 6, "term": 1, "int": 1},
    "local": {"main": 3, "all": 1, "worker": 4, "term": 1, "int": 1},
    "mixed": {"main": 5, "all": 1, "twice": 2, "term": 1, "int": 1},
    "tcp": {"main": 2, "worker": 3, "nanny": 2, "scheduler": 3, "int": 1},
}

#: The workers: words for the command; an address is added for "tcp".
WORKERS = {
    "threads": ["--threads", "2"],
    "processes": ["--processes", "2"],
    "local": ["--cluster", "local", "--processes", "2"],
    "tcp": ["--cluster"],
}

#: The kinds of workers if each run of a job chooses its workers at random.
MIXED = (["--threads", "1"], ["--threads", "2"], ["--threads", "3"], ["--processes", "2"], ["--processes", "3"])

#: Draws the victims and the moments.
SEED = int(os.environ.get("PUZZLEC_FAULTS_SEED", "8"))

#: The number of workers.
COUNT = 2

#: After this many kills, a job may run to its end.
MOST = 7

#: Signals that ask a job to end, and the possible exit statuses: that of the job, or that of the signal.
ASKED = {"term": (signal.SIGTERM, (143, -15)), "int": (signal.SIGINT, (130, -2))}


@dataclass
class Report:
    """The summary of a campaign: kills by victim and by moment, finished jobs, resumes."""

    kills: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    jobs: int = 0
    resumes: int = 0
    lost: list[float] = field(default_factory=list)  # for each kill of a command: its seconds without those saved
    seconds: float = 0.0

    @property
    def number(self) -> int:
        """The number of kills."""
        return self.kills.total()

    def line(self, name: str) -> str:
        """Return the summary in a line."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.kills.items()))
        when = ", ".join(f"{kind} {number}" for kind, number in sorted(self.moments.items()))
        lost = sorted(self.lost) or [0.0]
        return (
            f"{name}: {self.number} kills ({kinds}; {when}), {self.jobs} jobs, {self.resumes} resumes, "
            f"{self.seconds:.0f} s; lost by a kill, with its start: median {lost[len(lost) // 2]:.1f} s, "
            f"at most {lost[-1]:.1f} s"
        )


class Campaign:
    """Jobs on one puzzle with one kind of workers, each disturbed several times, until there were enough kills."""

    def __init__(self, truth: Undisturbed, workers: str, seed: int, folder: Path) -> None:
        self.truth, self.workers, self.folder = truth, workers, folder
        self.choose = random.Random(f"{seed} {truth.puzzle.name} {workers}")
        self.report = Report()
        self._cluster: Cluster | None = None
        self._felled = False  # whether the command itself was killed, not a worker

    def run(self, kills: int) -> Report:
        """Disturb jobs until there were this many kills; each job is finished, and compared with the truth."""
        begun = time.monotonic()
        with self._dask():
            while self.report.number < kills:
                place = self.folder / f"job-{self.report.jobs}"
                with Tried(self.truth, place) as tried:
                    self.disturb(tried, min(MOST, kills - self.report.number))
                    self._revive()
                    tried.finish(self._words(), self.choose.random() < 0.7)
                    self.report.jobs += 1
                    self.report.resumes += tried.runs - 1
        self.report.seconds = time.monotonic() - begun
        return self.report

    @contextmanager
    def _dask(self) -> Iterator[None]:
        if self.workers != "tcp":
            yield
            return
        with Cluster(self.folder / "dask") as self._cluster:
            yield

    def _revive(self) -> None:
        """Restart the cluster if its scheduler has ended."""
        if self._cluster is not None and self._cluster.scheduler.status is not None:
            self._cluster.restart()

    def _words(self) -> list[str]:
        if self.workers == "mixed":
            return self.choose.choice(MIXED)
        words = WORKERS[self.workers]
        return [*words, self._cluster.address] if self._cluster is not None else words

    def disturb(self, tried: Tried, kills: int) -> None:
        """Kill the workers of a job this many times, unless it ends earlier. A worker may still run afterwards."""
        most = self.report.number + kills
        while self.report.number < most:
            self._revive()
            child, struck = tried.child, self._struck()
            if child is not None and child.status is not None and self._is_done(child):
                return
            if child is None or child.status is not None:
                name, moment = self._next() if tried.runs else self._first()
                child = tried.start(self._words())
            else:
                name, moment = "later", moments.later(moments.logarithmic(self.choose, 0.01, self.truth.seconds / 2))
            if struck == "worker" and self._cluster is None:
                # There are none in the first second.
                name, moment = "at work", moments.at_work(moments.logarithmic(self.choose, 0.001, 2.0))
            if not moment(child, tried.job):
                continue
            before = seen(tried.job)
            tried.ran = time.monotonic() - child.begun
            if not self._strike(tried, struck):
                continue
            self.report.kills[struck] += 1
            self.report.moments[name] += 1
            self._look(tried, before)

    def _is_done(self, child: Child) -> bool:
        """Whether the child has ended because the job is done. Any other unrequested end is a bug."""
        if child.status in ENDED:
            return True
        # Three consecutive workers may have been killed at the same work unit, or one of a local cluster that just
        # began.
        told = ("PZ626", "PZ624") if self.workers == "local" else ("PZ626",)
        assert self._felled or any(words in child.said for words in told), (
            f"{child.words}: {child.status}\n{child.said}"
        )
        return False

    def _first(self) -> tuple[str, moments.Moment]:
        """Return a moment for a job that begins, often while it makes its checkpoint."""
        if self.choose.random() < 0.4:
            return "creation", moments.made(self.choose.choice([0.0, moments.logarithmic(self.choose, 1e-4, 0.1)]))
        return self._next()

    def _next(self) -> tuple[str, moments.Moment]:
        return moments.at_any_time(self.choose, self.truth.seconds)

    def _struck(self) -> str:
        weights = STRUCK[self.workers]
        return self.choose.choices(list(weights), list(weights.values()))[0]

    def _strike(self, tried: Tried, struck: str) -> bool:
        """Kill, and return whether this had an effect: a process may have ended before."""
        child = tried.child
        assert child is not None
        if child.status is not None:
            return False
        self._felled = struck not in ("worker", "nanny")
        if struck == "worker":
            if self._cluster is None:
                return child.strike_other(self.choose, "spawn_main")
            self._cluster.strike_worker(self.choose, "worker")
        elif struck == "nanny":
            assert self._cluster is not None
            self._cluster.strike_worker(self.choose, "nanny")
        elif struck == "scheduler":
            assert self._cluster is not None
            self._cluster.strike_scheduler()
            status = child.wait()
            assert status in (1, *ENDED), f"{status}: {child.said}"
            assert status in ENDED or "PZ624" in child.said, child.said
        elif struck in ASKED:
            number, statuses = ASKED[struck]
            runs = tried.works()  # before that, Python itself may not have begun yet
            child.strike(number)
            status = child.wait()
            # Before, a worker of a local cluster that just began may have been killed: see `_is_done`.
            is_lost = self.workers == "local" and "PZ624" in child.said
            assert status in (*statuses, *ENDED) or not runs or is_lost, f"{status}: {child.said}"
            assert "Traceback" not in child.said or not runs, child.said
        else:
            (child.strike_all if struck == "all" else child.strike)()
            child.wait()
            if struck == "twice":
                self._again(tried)
        return True

    def _again(self, tried: Tried) -> None:
        """Also kill the resumed job, before or while it verifies its checkpoint."""
        assert tried.child is not None
        tried.child.gone()
        child = tried.start(self._words())
        if moments.after(moments.logarithmic(self.choose, 0.001, 1.5))(child, tried.job):
            child.strike()
            self.report.kills["twice"] += 1
            self.report.moments["resume"] += 1

    def _look(self, tried: Tried, before: Seen | None) -> None:
        """Make sure after a kill that no unwanted process is alive, and that the checkpoint is valid."""
        child = tried.child
        assert child is not None
        if child.status is None:
            # It continues. A job that is killed three times at the same work unit may end with that error.
            assert check(tried.job, before, self.truth, write=False) is not None or before is None
            return
        child.gone()
        now = check(tried.job, before, self.truth, any_write(self.choose))
        if now is not None and child.status == -signal.SIGKILL:
            self.report.lost.append(tried.ran - (now.seconds - tried.at_start) / COUNT)


def tell(name: str, report: Report) -> None:
    """Add a line to the file of reports, if there is one."""
    if file := os.environ.get("PUZZLEC_FAULTS_REPORT"):
        with Path(file).open("a") as lines:
            lines.write(report.line(name) + "\n")
