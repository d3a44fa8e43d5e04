"""What a job has on every worker of a Dask cluster: the problem, and the turns on it.

All of it is sent by value: the functions and the class below stand within functions, so that cloudpickle sends their
programs and not only their names. A scheduler need not have puzzlec so, and a worker that lacks it can say that. They
import what they need of puzzlec when it comes to a turn.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from distributed import WorkerPlugin

#: Searches that a worker keeps at hand: as many turns may wait for it.
AT_HAND = 16


def plugin(problem: bytes, version: str, tree: int) -> WorkerPlugin:
    """Return what each worker gets: a pickled :class:`~puzzlec.jobs.problem.Problem`, and the puzzlec that made it."""

    class Puzzlec(WorkerPlugin):
        """The problem of a job on a worker. ``stopped``: turns end at once, and none begins."""

        def __init__(self) -> None:
            self.problem, self.version, self.tree = problem, version, tree
            self.stopped = False

        def setup(self, worker: Any) -> None:
            self.address = worker.address
            self.lock = threading.Lock()
            self.turns: Any = None

        def teardown(self, worker: Any) -> None:  # noqa: ARG002
            self.stopped = True

        def refusal(self) -> str:
            """Say why this worker can have no turn; "" where it can."""
            try:
                from puzzlec.engine.search.splitting import TREE
                from puzzlec.jobs.turns import Turns  # noqa: F401
            except Exception as error:
                return f"it has none that can be used here ({error})"
            there = import_module("puzzlec").__version__
            if there != self.version:
                return f"it has puzzlec {there}"
            return "" if self.tree == TREE else f"its search trees are of version {TREE}, not {self.tree}"

        def take(self, work: bytes) -> Any:
            """Have a turn: return its outcome; None where it was to stop before; a text where it has no turns."""
            if self.stopped:
                return None
            with self.lock:
                if self.turns is None:
                    if refusal := self.refusal():
                        return refusal
                    from puzzlec.jobs.turns import Turns

                    self.turns = Turns(pickle.loads(self.problem), self.address, at_hand=AT_HAND)
            return self.turns.take(pickle.loads(work), lambda: self.stopped)

    return Puzzlec()


def turn() -> Callable[[str, bytes], Any]:
    """Return the task: a turn on the worker where it runs; see ``take`` above. The first argument names the plugin."""

    def take(name: str, work: bytes) -> Any:
        from distributed import get_worker

        mine: Any = get_worker().plugins.get(name)
        return mine.take(work) if mine is not None else "it has not got the puzzle"

    return take


def refusals() -> Callable[..., str]:
    """Return what is asked of all workers at the beginning: why they can have no turn."""

    def refusal(name: str, dask_worker: Any) -> str:
        mine = dask_worker.plugins.get(name)
        return mine.refusal() if mine is not None else ""

    return refusal


def stop() -> Callable[..., None]:
    """Return what tells a worker to end its turns at once."""

    def end(name: str, dask_worker: Any) -> None:
        mine = dask_worker.plugins.get(name)
        if mine is not None:
            mine.stopped = True

    return end


def forsaken() -> Callable[..., list[str]]:
    """Return what is asked of the scheduler: the plugins of jobs whose client is gone without taking them away."""

    def names(prefix: str, dask_scheduler: Any) -> list[str]:
        plugins, clients = dask_scheduler.worker_plugins, dask_scheduler.clients
        return [name for name in plugins if name.startswith(prefix) and name.removeprefix(prefix) not in clients]

    return names
