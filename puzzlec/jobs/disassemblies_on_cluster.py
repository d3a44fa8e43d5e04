"""Assemblies that the workers of a Dask cluster take apart, a batch in each task.

A worker has the settings of the run (:mod:`puzzlec.jobs.workers.plugin`), and remembers gaps and parts between its
tasks. Dask gives the tasks of a lost worker to others. At the end of a run, also at Ctrl-C, its running tasks end at
once, and the waiting ones are cancelled.
"""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.disassembling import Manner
from puzzlec.ir import Puzzle
from puzzlec.jobs.workers.cluster import Crew
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds


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

    def __init__(self, where: str, puzzle: Puzzle, together: Sequence[Mapping[str, int]], manner: Manner) -> None:
        self._lattice = puzzle.geometry.lattice
        what = Puzzle("", self._lattice, (), (), movement=puzzle.movement.of(()))
        groups = [dict(group) for group in together]
        self._crew = Crew(where, partial(BatchDisassembler, what, groups, manner))

    def __enter__(self) -> ClusterDisassembler:
        return self

    def __exit__(self, *error: object) -> None:
        self._crew.close()

    @property
    def workers(self) -> int:
        """The number of threads of all workers now, at least one."""
        threads: dict[str, int] = self._crew.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, batch: Sequence[Sequence[Body]], bounds: Bounds) -> Callable[[], list[Disassembly]]:
        """Submit assemblies; return a function that waits for the results, with PuzzleError (PZ647) if a task fails."""
        left = None if bounds.deadline is None else bounds.deadline - time.monotonic()
        until = None if left is None else time.time() + left
        task = Batch([list(bodies) for bodies in batch], until, bounds.memory)
        future = self._crew.submit(task)

        def results() -> list[Disassembly]:
            try:
                disassemblies: list[Disassembly] = future.result()
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
                for disassembly, those in zip(disassemblies, batch, strict=True)
            ]

        return results


class Batch(NamedTuple):
    """A task: the bodies of some assemblies, the moment (seconds since 1970) at which it ends, and its memory."""

    assemblies: list[list[Body]]
    until: float | None
    memory: int


class BatchDisassembler:
    """Takes assemblies apart on a worker, in any of its threads."""

    def __init__(self, puzzle: Puzzle, together: Sequence[Mapping[str, int]], manner: Manner, name: str = "") -> None:
        self.name = name
        self._disassembler: Callable[[], Disassembler] = partial(manner.disassembler, puzzle, together)
        self._of_thread = threading.local()
        self._running: list[Bounds] = []
        self._stopped = False

    def take(self, task: Batch) -> list[Disassembly]:
        """Return how the assemblies of a task come apart, without their bodies."""
        if not hasattr(self._of_thread, "disassembler"):
            self._of_thread.disassembler = self._disassembler()
        deadline = None if task.until is None else time.monotonic() + task.until - time.time()
        bounds = Bounds(deadline, task.memory)
        self._running.append(bounds)
        if self._stopped:  # asked after the record, so that no stop is missed
            bounds.deadline = 0.0
        try:
            apart = self._of_thread.disassembler.take_apart
            return [replace(apart(bodies, bounds), bodies=()) for bodies in task.assemblies]
        finally:
            self._running.remove(bounds)

    def stop(self) -> None:
        """End the tasks that run, and those that come."""
        self._stopped = True
        for bounds in list(self._running):
            bounds.deadline = 0.0
