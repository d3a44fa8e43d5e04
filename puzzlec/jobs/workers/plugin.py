"""The part of a job on every worker of a Dask cluster: the problem, and its time slices.

All of it is sent by value: the functions and the class are nested in functions, so cloudpickle sends their code and not
only their names. A scheduler therefore does not need puzzlec, and a worker without it can report that. The functions
import puzzlec only for a time slice.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from distributed import WorkerPlugin

#: Searches that a worker keeps in memory: this many time slices may wait for it.
AT_HAND = 16


def plugin(problem: bytes, version: str, tree: int) -> WorkerPlugin:
    """Return the plugin for each worker: a pickled :class:`~puzzlec.jobs.problem.Problem`, and its puzzlec."""

    class Puzzlec(WorkerPlugin):
        """The problem of a job on a worker. ``stopped``: time slices end at once, and none begins."""

        def __init__(self) -> None:
            self.problem, self.version, self.tree = problem, version, tree
            self.stopped = False

        def setup(self, worker: Any) -> None:
            self.address = worker.address
            self.lock = threading.Lock()
            self.time_slices: Any = None

        def teardown(self, worker: Any) -> None:  # noqa: ARG002
            self.stopped = True

        def refusal(self) -> str:
            """Return why this worker cannot have time slices; "" if it can."""
            try:
                from puzzlec.engine.search.splitting import TREE
                from puzzlec.jobs.time_slices import TimeSlices  # noqa: F401
            except Exception as error:
                return f"it has no usable puzzlec ({error})"
            there = import_module("puzzlec").__version__
            if there != self.version:
                return f"it has puzzlec {there}"
            return "" if self.tree == TREE else f"its search trees are of version {TREE}, not {self.tree}"

        def take(self, work: bytes) -> Any:
            """Return the outcome of a time slice; None if it was stopped before; a text if it is impossible here."""
            if self.stopped:
                return None
            with self.lock:
                if self.time_slices is None:
                    if refusal := self.refusal():
                        return refusal
                    from puzzlec.jobs.time_slices import TimeSlices

                    self.time_slices = TimeSlices(pickle.loads(self.problem), self.address, at_hand=AT_HAND)
            return self.time_slices.take(pickle.loads(work), lambda: self.stopped)

    return Puzzlec()


def time_slice() -> Callable[[str, bytes], Any]:
    """Return the task: a time slice on its worker; see ``take`` above. The first argument names the plugin."""

    def take(name: str, work: bytes) -> Any:
        from distributed import get_worker

        mine: Any = get_worker().plugins.get(name)
        return mine.take(work) if mine is not None else "it did not receive the puzzle"

    return take


def refusals() -> Callable[..., str]:
    """Return the function that all workers call first: why they cannot have time slices."""

    def refusal(name: str, dask_worker: Any) -> str:
        mine = dask_worker.plugins.get(name)
        return mine.refusal() if mine is not None else ""

    return refusal


def stop() -> Callable[..., None]:
    """Return the function that ends the time slices of a worker at once."""

    def end(name: str, dask_worker: Any) -> None:
        mine = dask_worker.plugins.get(name)
        if mine is not None:
            mine.stopped = True

    return end


def forsaken() -> Callable[..., list[str]]:
    """Return a function for the scheduler: the plugins of jobs whose client is gone."""

    def names(prefix: str, dask_scheduler: Any) -> list[str]:
        plugins, clients = dask_scheduler.worker_plugins, dask_scheduler.clients
        return [name for name in plugins if name.startswith(prefix) and name.removeprefix(prefix) not in clients]

    return names
