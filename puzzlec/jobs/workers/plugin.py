"""The part of a run on every worker of a Dask cluster: an object that carries out its tasks.

All of it is sent by value: the functions and the class are nested in functions, so cloudpickle sends their code and not
only their names. A scheduler therefore does not need puzzlec, and a worker without it can report that. The functions
import puzzlec only for a task.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from distributed import WorkerPlugin


def plugin(content: bytes, version: str, tree: int) -> WorkerPlugin:
    """Return the plugin for each worker: a pickled function that makes the performer, and its puzzlec."""

    class Puzzlec(WorkerPlugin):
        """The performer of a run on a worker. ``stopped``: tasks end at once, and none begins."""

        def __init__(self) -> None:
            self.content, self.version, self.tree = content, version, tree
            self.stopped = False

        def setup(self, worker: Any) -> None:
            self.address = worker.address
            self.lock = threading.Lock()
            self.performer: Any = None

        def teardown(self, worker: Any) -> None:  # noqa: ARG002
            self.stop()

        def stop(self) -> None:
            """End the tasks at once."""
            self.stopped = True
            if self.performer is not None:
                self.performer.stop()

        def refusal(self) -> str:
            """Return why this worker cannot have tasks; "" if it can."""
            try:
                from puzzlec.engine.search.splitting import TREE_VERSION
                from puzzlec.jobs.time_slices import TimeSlices  # noqa: F401
            except Exception as error:
                return f"it has no usable puzzlec ({error})"
            there = import_module("puzzlec").__version__
            if there != self.version:
                return f"it has puzzlec {there}"
            return (
                "" if self.tree == TREE_VERSION else f"its search trees are of version {TREE_VERSION}, not {self.tree}"
            )

        def take(self, task: bytes) -> Any:
            """Return the result of a task; None if it was stopped before; a text if it is impossible here."""
            with self.lock:
                if self.stopped:
                    return None
                if self.performer is None:
                    if refusal := self.refusal():
                        return refusal
                    self.performer = pickle.loads(self.content)(name=self.address)
            return self.performer.take(pickle.loads(task))

    return Puzzlec()


def task() -> Callable[[str, bytes], Any]:
    """Return the task for a worker; see ``take`` above. The first argument names the plugin."""

    def take(name: str, content: bytes) -> Any:
        from distributed import get_worker

        mine: Any = get_worker().plugins.get(name)
        return mine.take(content) if mine is not None else "it did not receive the puzzle"

    return take


def call(method: str) -> Callable[..., Any]:
    """Return the function that calls a method of the plugin on a worker: ``refusal`` or ``stop``."""

    def answer(name: str, dask_worker: Any) -> Any:
        mine = dask_worker.plugins.get(name)
        return getattr(mine, method)() if mine is not None else None

    return answer


def forsaken() -> Callable[..., list[str]]:
    """Return a function for the scheduler: the plugins of jobs whose client is gone."""

    def names(prefix: str, dask_scheduler: Any) -> list[str]:
        plugins, clients = dask_scheduler.worker_plugins, dask_scheduler.clients
        return [name for name in plugins if name.startswith(prefix) and name.removeprefix(prefix) not in clients]

    return names
