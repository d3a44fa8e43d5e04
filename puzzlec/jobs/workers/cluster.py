"""Turns on a Dask cluster: its scheduler hands them out, to workers on any number of machines.

Each turn is a task of its own, which ends after seconds. So workers may come and go: Dask gives the turns of a lost
one to others, and an adaptive cluster grows with the turns that wait. The problem goes to each worker once, by a plugin
that workers get when they join, too.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import math
import pickle
import re
import secrets
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import Any

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.diagnostics.extras import needs
from puzzlec.jobs.portion import Outcome, Portion, Work
from puzzlec.jobs.problem import Problem
from puzzlec.jobs.workers.protocol import TURN, Losses, Returned
from puzzlec.jobs.workers.threads import drain

#: A scheduler is asked for its workers so often (in seconds).
WATCH = 1.0

#: So many seconds turns have to end when they are asked to; what has not begun by then is called off.
GRACE = 5.0

#: With more workers than this, turns get longer.
MANY = 50

#: An adaptive cluster wants as many workers as clear the tasks that wait in so many seconds (Dask's default).
CLEARED = 5.0

#: Names of the plugins of our jobs begin so; the name of the client follows.
PREFIX = "puzzlec of "


class Cluster:
    """Workers of a Dask cluster; ``where`` is "local", the address of a scheduler, or the path of a scheduler file.

    ``processes`` is the number of workers of a local cluster, 0 for one each core.
    """

    def __init__(self, problem: Problem, where: str, processes: int = 0) -> None:
        needs("distributed", "cluster", "a search on a cluster")
        from puzzlec.jobs.workers import connecting, plugin

        self._plugin, self._lost_error = plugin, connecting.lost
        self._over: SimpleQueue[Returned] = SimpleQueue()
        self._losses = Losses()
        self._turns: Counter[bytes] = Counter()
        self._title, self._version = label(problem.name), problem.version
        self._local = where == "local"
        self._nthreads: dict[str, int] = {}
        self._futures: set[Any] = set()
        self._following: set[asyncio.Task[None]] = set()
        self._stopped = self._closed = self._lost = False
        with ExitStack() as ends:
            # Within the client's thread its methods return what is to be awaited.
            self._client: Any = connecting.connect(where, processes, ends)
            self.address: str = self._client.scheduler.address
            self._mine = PREFIX + self._client.id
            # Dask's names of tasks end with eight digits that nobody reads: they make the same turn of two jobs differ.
            self._token = secrets.token_hex(4)
            self._loop: asyncio.AbstractEventLoop = self._client.loop.asyncio_loop
            self._send(problem)
            ends.callback(self._take_away)
            self._task = plugin.turn()
            self._run(self._look())
            self._start(self._watch())
            self._ends = ends.pop_all()

    @property
    def name(self) -> str:
        """Which cluster it is, and how many workers it has now."""
        count = len(self._nthreads)
        return f"Dask {'local' if self._local else self.address}, {count} worker{'s' * (count != 1)}"

    def capacity(self) -> int:
        """Return how many threads all workers have now; one where there are none yet, so that some are asked for."""
        return max(1, self.at_hand())

    def at_hand(self) -> int:
        """Return how many threads all workers have now; 0 where there are no workers."""
        return sum(self._nthreads.values())

    def wanted(self) -> int:
        """Return how many turns should be under way or wait: so many that an adaptive cluster can double."""
        capacity = self.capacity()
        least = capacity + capacity // 4 + 1
        return least if self._local else max(least, math.ceil(2 * CLEARED * capacity / self.turn_seconds()) + 2)

    def turn_seconds(self) -> float:
        """Return how long turns should be: the scheduler handles 25 a second at most, with many workers."""
        return turn_seconds(self.capacity())

    def submit(self, work: Work) -> None:
        """Give out a turn, to the worker that had the portion before if it can take it."""
        if self._stopped:
            self._over.put(Returned(work.key, None))
        elif self._lost or self._client.status != "running":
            self._over.put(Returned(work.key, None, self._lost_error(self.address)))
        else:
            self._turns[work.key] += 1
            key = f"{self._title}-{Portion(work.key, 0, ()).name}-turn {self._turns[work.key]}-{self._token}"
            where: dict[str, Any] = {}
            if "://" in work.before:
                where = {"workers": [work.before], "allow_other_workers": True}
            future = self._client.submit(self._task, self._mine, pickle.dumps(work), key=key, pure=False, **where)
            self._futures.add(future)
            self._start(self._follow(work, future))

    def collect(self, wait: float) -> list[Returned]:
        """Return the turns that are over, waiting for the first of them at most so many seconds."""
        return drain(self._over, wait)

    def stop(self) -> None:
        """Ask the turns under way to end at once, and call off those that wait."""
        if not self._stopped:
            self._stopped = True
            self._start(self._end_turns())

    def close(self) -> None:
        """Take the problem away from the workers, end what is still under way, and leave the cluster."""
        if not self._closed:
            self._stopped = self._closed = True
            self._ends.close()

    def _send(self, problem: Problem) -> None:
        """Give the problem to all workers, and to those to come; raises PuzzleError (PZ625) where one cannot use it."""
        with suppress(Exception):  # a scheduler may refuse to run what others wrote
            for name in self._client.run_on_scheduler(self._plugin.forsaken(), PREFIX):
                self._client.unregister_worker_plugin(name)
        content = pickle.dumps(problem)
        try:
            self._register(self._plugin.plugin(content, problem.version, problem.tree))
            refusals = self._refusals()
            if refusals:
                raise _refused(problem.version, *refusals[0])
        except BaseException:
            self._unregister()
            raise

    def _register(self, mine: Any) -> None:
        """Register a plugin; again where a worker ends at this moment, since the others may have heard nothing then."""
        until = time.monotonic() + GRACE
        while True:
            try:
                self._client.register_plugin(mine, name=self._mine)
                return
            except OSError:
                if time.monotonic() > until:
                    raise self._lost_error(self.address) from None
                time.sleep(WATCH / 4)

    def _refusals(self) -> list[tuple[str, str]]:
        """Return the workers that cannot search, and why."""
        here = ".".join(map(str, sys.version_info[:2]))
        found = []
        for worker, versions in self._client.get_versions()["workers"].items():
            there = ".".join(str(versions["host"]["python"]).split(".")[:2])
            if there != here:
                found.append((worker, f"it runs Python {there}, and here it is {here}"))
        if not found:
            answers = self._client.run(self._plugin.refusals(), self._mine, on_error="ignore")
            found = [(worker, answer) for worker, answer in answers.items() if answer]
        return found

    def _unregister(self) -> None:
        async def end() -> None:
            await asyncio.wait_for(self._client.unregister_worker_plugin(self._mine), GRACE)

        with suppress(Exception):  # workers that end, or a scheduler that is gone
            if self._client.status == "running":
                self._run(end())

    def _take_away(self) -> None:
        """End what is under way here and there."""
        self._stopped = self._closed = True
        self._unregister()

        async def end() -> None:
            tasks = list(self._following)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        with suppress(Exception):
            self._run(end())

    async def _follow(self, work: Work, future: Any) -> None:
        """Wait for a turn, and put down what has come of it."""
        fault: BaseException | None = None
        try:
            answer = await future.result()
        except (asyncio.CancelledError, concurrent.futures.CancelledError):  # Dask has raised either
            if not self._closed:
                self._over.put(self._cancelled(work))
            return
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                self._over.put(self._losses.lost(work.key, " ".join(str(error).split())))
                return
            answer, fault = None, error
        finally:
            self._futures.discard(future)
        if isinstance(answer, str):
            fault = _refused(self._version, "one that has joined", answer)
        elif isinstance(answer, Outcome):
            self._losses.met(work.key)
        self._over.put(Returned(work.key, answer if isinstance(answer, Outcome) else None, fault))

    def _cancelled(self, work: Work) -> Returned:
        """Return what a turn has come to that was called off: by us, with the connection, or by other people."""
        if self._stopped and self._client.status == "running":
            return Returned(work.key, None)
        if self._lost or self._client.status != "running":
            self._lost = True
            return Returned(work.key, None, self._lost_error(self.address))
        return self._losses.lost(work.key, "the cluster was restarted")

    async def _look(self) -> None:
        """Ask how many threads each worker has."""
        self._nthreads = dict(await self._client.scheduler.ncores(workers=None))

    async def _watch(self) -> None:
        """Keep up with workers that come and go."""
        while not self._lost:
            await asyncio.sleep(WATCH)
            if self._client.status != "running":
                self._lost = True
                return
            with suppress(OSError):
                await self._look()

    async def _end_turns(self) -> None:
        """Tell all workers to end their turns, and call off what no worker has begun after a while."""
        with suppress(Exception):
            await self._client.run(self._plugin.stop(), self._mine, on_error="ignore")
        until = time.monotonic() + (GRACE if self._nthreads else 0)
        while time.monotonic() < until and self._futures:
            await asyncio.sleep(WATCH / 20)
        if self._futures and self._client.status == "running":
            with suppress(Exception):
                await self._client.cancel(list(self._futures))

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside all else, in the client's thread."""

        def begin() -> None:
            task = self._loop.create_task(coroutine)
            self._following.add(task)
            task.add_done_callback(self._following.discard)

        self._loop.call_soon_threadsafe(begin)

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the client's thread, and wait for it."""
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=2 * GRACE)


def turn_seconds(capacity: int) -> float:
    """Return how many seconds turns should take where so many run side by side.

    >>> turn_seconds(8), turn_seconds(1000)
    (2.0, 40.0)
    """
    return TURN * max(1.0, capacity / MANY)


def label(name: str) -> str:
    """Return a name as it may stand before the first hyphen of a task's key: Dask groups tasks by what stands there.

    >>> label("Y-pentominoes, 15x15 (1a2b3c4d)")
    'Y pentominoes 15x15 1a2b3c4d'
    """
    return " ".join(re.sub(r"[-,_'\"()<>]", " ", name)[:80].split()) or "puzzle"


def _refused(version: str, worker: str, why: str) -> PuzzleError:
    return fail(
        "PZ625",
        "a worker of the cluster has another version of puzzlec than the one here",
        note=(f"the worker {worker}: {why}", f"the one here is puzzlec {version}"),
        help="install the same one on the workers as here: `pip install 'puzzlec[cluster]'`, or the same image",
    )
