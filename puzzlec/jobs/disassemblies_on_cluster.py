"""Assemblies that the workers of a Dask cluster take apart, a batch in each task.

A task has the settings of the run, the bodies of some assemblies, and the moment at which it ends. A worker remembers
gaps and parts between its tasks. Each worker has puzzlec of the same version. Dask gives the tasks of a lost worker to
others. At the end of a run, also at Ctrl-C, its running tasks end at once, and the waiting ones are cancelled.
"""

from __future__ import annotations

import concurrent.futures
import pickle
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

from puzzlec.diagnostics.error import fail, needs
from puzzlec.disassembling import Manner
from puzzlec.ir import Puzzle
from puzzlec.jobs.workers.cluster import connect, refused
from puzzlec.motion.disassembly import Disassembly
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds
from puzzlec.version import __version__

#: Seconds for the workers to report their versions, and to end their tasks.
WORKER_WAIT_SECONDS = 10.0


class ClusterDisassembler:
    """Takes assemblies of one lattice apart on a cluster; a context manager.

    Args:
        where: "local", the address of a scheduler, or the path of a scheduler file.
        puzzle: The puzzle, which has the lattice of all cells and says whether pieces turn.
        together: Groups of pieces that may stay together.
        manner: How assemblies are taken apart.

    Raises:
        PuzzleError: PZ505 (Dask is not installed), PZ624 (the cluster cannot be reached), PZ625 (its workers have
            another version of puzzlec).

    """

    def __init__(
        self, where: str, puzzle: Puzzle, together: Sequence[Mapping[str, int]] = (), manner: Manner | None = None
    ) -> None:
        needs("distributed", "cluster", "a search on a cluster")
        assert puzzle.lattice is not None
        self._lattice = puzzle.lattice
        what = Puzzle("", puzzle.lattice, (), (), turns_allowed=puzzle.turns_allowed)
        self._settings = pickle.dumps((what, [dict(group) for group in together], manner or Manner()))
        self._run = secrets.token_hex(8)
        with ExitStack() as ends:
            self._client: Any = connect(where, 0, ends)
            for worker, version in self._client.run(_version_there()).items():
                if version != __version__:
                    raise refused(__version__, worker, f"it has {version}")
            ends.callback(self._stop)
            self._ends = ends.pop_all()

    def __enter__(self) -> ClusterDisassembler:
        return self

    def __exit__(self, *error: object) -> None:
        self._ends.close()

    @property
    def workers(self) -> int:
        """The number of threads of all workers now, at least one."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, batch: Sequence[Sequence[Body]], bounds: Bounds) -> Callable[[], list[Disassembly]]:
        """Submit assemblies; return a function that waits for the results, with PuzzleError (PZ647) if a task fails."""
        left = None if bounds.deadline is None else bounds.deadline - time.monotonic()
        until = None if left is None else time.time() + left
        task = (self._run, self._settings, [list(bodies) for bodies in batch], until, bounds.memory)
        future = self._client.submit(_there("taken_there"), pickle.dumps(task), pure=False)

        def results() -> list[Disassembly]:
            try:
                found: list[Disassembly] = future.result()
            except (KeyboardInterrupt, concurrent.futures.CancelledError):
                raise
            except Exception as error:  # of Dask, or of a worker without puzzlec
                reason = " ".join(str(error).split()) or type(error).__name__
                raise fail(
                    "PZ647",
                    "the cluster did not take an assembly apart",
                    note=reason,
                    help="`--checkpoint DIR` keeps the results so far, and a later run continues there",
                ) from None
            return [
                replace(disassembly, lattice=self._lattice, bodies=tuple(those))
                for disassembly, those in zip(found, batch, strict=True)
            ]

        return results

    def _stop(self) -> None:
        """End the tasks of this run that run on the workers; those that wait go with the client."""
        with suppress(Exception):  # workers that end, or a scheduler that is gone
            if self._client.status == "running":
                self._client.run(_there("stop"), self._run, on_error="ignore")


def _version_there() -> Callable[[], str]:
    """Return a function for a worker: its version of puzzlec. It is sent by value, because puzzlec may be missing."""

    def version() -> str:
        try:
            from importlib import import_module

            return str(import_module("puzzlec").__version__)
        except Exception as error:
            return f"no usable puzzlec ({error})"

    return version


def _there(name: str) -> Callable[[Any], Any]:
    """Return a function of this module for a worker. A worker that cannot import puzzlec then reports that."""

    def call(argument: Any) -> Any:
        from importlib import import_module

        return getattr(import_module("puzzlec.jobs.disassemblies_on_cluster"), name)(argument)

    return call


_local = threading.local()
#: The limits of the tasks on this worker, by run; and the runs that have ended.
_running: dict[str, list[Bounds]] = {}
_ended: set[str] = set()


def taken_there(task: bytes) -> list[Disassembly]:
    """Carry out a task on its worker: return how its assemblies come apart, without their bodies."""
    run, settings, batch, until, memory = pickle.loads(task)
    if getattr(_local, "settings", None) != settings:
        puzzle, together, manner = pickle.loads(settings)
        _local.settings = settings
        _local.known = manner.disassembler(puzzle, together)
    deadline = None if until is None else time.monotonic() + until - time.time()
    bounds = Bounds(0.0 if run in _ended else deadline, memory)
    _running.setdefault(run, []).append(bounds)
    try:
        return [replace(_local.known.take_apart(bodies, bounds), bodies=()) for bodies in batch]
    finally:
        _running[run].remove(bounds)


def stop(run: str) -> None:
    """End the tasks of a run on this worker."""
    _ended.add(run)
    for bounds in _running.get(run, ()):
        bounds.deadline = 0.0
