"""A Dask cluster of processes on this machine, started by Dask's commands. Its parts can be killed."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from tests.faults.processes import Child, wait_until

#: Dask waits long for workers that may come back. Here all are near, and lost workers do not come back.
SETTINGS = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
    "DASK_DISTRIBUTED__WORKER__LIFETIME__DURATION": "null",
}


class Cluster:
    """A scheduler and some workers, each with its nanny, as `dask scheduler` and `dask worker` start them.

    Close it after use.
    """

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder, self.wanted = folder, workers
        self.workers: list[Child] = []
        self._number = 0
        self._begin()

    def _begin(self) -> None:
        self._number += 1
        file = self.folder / f"scheduler-{self._number}.json"
        self.scheduler = Child(
            [*dask("scheduler"), "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)],
            self.folder,
            SETTINGS,
        )
        assert wait_until(lambda: _is_whole(file), 30), self.scheduler.said
        self.address: str = json.loads(file.read_text())["address"]
        for _ in range(self.wanted):
            self.add_worker()

    def add_worker(self) -> None:
        """Begin one more worker."""
        words = [*dask("worker"), self.address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
        place = ["--local-directory", str(self.folder / "spill"), "--death-timeout", "10"]
        self.workers.append(Child([*words, *place], self.folder, SETTINGS))

    def strike_worker(self, choose: random.Random, kind: str) -> None:
        """Kill a worker. Its nanny replaces it; if the nanny is killed, a new worker begins."""
        which = choose.choice(self.workers)
        if kind == "nanny":
            which.strike()
            which.gone()
            self.workers.remove(which)
            self.add_worker()
        else:
            which.strike_other(choose, "spawn_main")

    def strike_scheduler(self) -> None:
        """Kill the scheduler."""
        self.scheduler.strike()
        self.scheduler.wait()

    def restart(self) -> None:
        """Restart it at another address."""
        self.close()
        self._begin()

    def close(self) -> None:
        """End all processes."""
        for process in [*self.workers, self.scheduler]:
            process.close()
        self.workers = []

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


def dask(command: str) -> list[str]:
    """Return the command line of one of Dask's commands."""
    return [sys.executable, "-m", "distributed.cli.dask_" + command]


def _is_whole(file: Path) -> bool:
    try:
        return "address" in json.loads(file.read_text())
    except (OSError, ValueError):
        return False
