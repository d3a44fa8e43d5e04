"""Time slices on a Dask cluster: its scheduler distributes them to workers on any number of machines.

Each time slice is a task that ends after seconds. Workers may therefore join and leave: Dask gives the time slices of a
lost worker to others, and an adaptive cluster grows with the waiting time slices. A plugin gives the problem to each
worker once, also to workers that join later.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib.util
import json
import logging
import math
import os
import pickle
import re
import secrets
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from puzzlec.diagnostics.error import PuzzleError, fail, needs
from puzzlec.engine.search.splitting import TREE_VERSION
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import SliceOutcome, Work
from puzzlec.jobs.workers.importing import MAIN_GUARD, no_interrupts
from puzzlec.jobs.workers.protocol import Returned, Workers, slice_seconds
from puzzlec.version import __version__

#: Seconds between two questions to the scheduler about its workers.
WATCH_SECONDS = 1.0

#: Seconds for time slices to end after a stop. Those that have not begun by then are cancelled.
STOP_SECONDS = 5.0

#: An adaptive cluster wants enough workers to clear the waiting tasks in this many seconds (Dask's default).
CLEARING_SECONDS = 5.0

#: Searches that a worker keeps in memory: this many time slices may wait for it.
CACHED_SEARCHES = 16

#: The names of our plugins begin with this text; the name of the client follows.
PLUGIN_PREFIX = "puzzlec of "


class Cluster(Workers):
    """Workers of a Dask cluster; ``where`` is "local", the address of a scheduler, or the path of a scheduler file.

    ``processes`` is the number of workers of a local cluster, 0 for one per core.
    """

    def __init__(self, problem: JobProblem, where: str, processes: int = 0) -> None:
        super().__init__(processes)
        self._local = where == "local"
        self._nthreads: dict[str, int] = {}
        self._futures: set[Any] = set()
        self._title = label(problem.name)
        self._slices: Counter[bytes] = Counter()  # of each work unit
        self._stopped = self._closed = self._lost = False
        performer = partial(TimeSlices, problem, at_hand=CACHED_SEARCHES)
        self._crew = Crew(where, performer, processes, problem.version, problem.tree)
        # Within the client's thread its methods return awaitables.
        self._client, self.address = self._crew.client, self._crew.address
        try:
            self._client.sync(self._look, callback_timeout=2 * STOP_SECONDS)
            self._crew.start(self._watch())
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise lost(self.address) from None
            raise

    def at_hand(self) -> int:
        """Return the number of threads of all workers now; 0 without workers."""
        return sum(self._nthreads.values())

    def wanted(self) -> int:
        """Return how many time slices should run or wait: enough for an adaptive cluster to double."""
        capacity = self.capacity()
        least = capacity + capacity // 4 + 1
        return (
            least if self._local else max(least, math.ceil(2 * CLEARING_SECONDS * capacity / self.slice_seconds()) + 2)
        )

    def slice_seconds(self) -> float:
        """Return the length of time slices: with many workers, the scheduler handles 25 a second at most."""
        return slice_seconds(self.capacity())

    def submit(self, work: Work) -> None:
        """Submit a time slice, preferably to the worker that had the work unit before."""
        if self._stopped:
            self._over.put(Returned(work.key, None))
        elif self._is_lost():
            self._over.put(Returned(work.key, None, lost(self.address)))
        else:
            self._slices[work.key] += 1
            # Dask's names of tasks end with eight random digits: they make the same time slice of two jobs differ.
            key = f"{self._title}-{work.unit.name}-slice {self._slices[work.key]}-{secrets.token_hex(4)}"
            where = {"workers": [work.before], "allow_other_workers": True} if "://" in work.before else {}
            future = self._crew.submit(work, key=key, **where)
            self._futures.add(future)
            self._crew.start(self._follow(work, future))

    def stop(self) -> None:
        """Ask the running time slices to end at once, and cancel the waiting ones."""
        if not self._stopped:
            self._stopped = True
            self._crew.start(self._end_slices())

    def close(self) -> None:
        """Remove the problem from the workers, end the running time slices, and leave the cluster."""
        self._stopped = self._closed = True
        self._crew.close()

    async def _follow(self, work: Work, future: Any) -> None:
        """Wait for a time slice, and record its result."""
        try:
            returned = self._returned(work, await future.result())
        except (asyncio.CancelledError, concurrent.futures.CancelledError):  # Dask may raise either
            if self._closed:
                return
            returned = self._cancelled(work)
        except Exception as error:
            returned, name = Returned(work.key, None, error), type(error).__name__
            if name == "KilledWorker":
                returned = self._losses.lost(work.key, " ".join(str(error).split()))
            elif name == "CommClosedError":  # the scheduler ended while it gave the result
                self._lost = True
                returned = self._cancelled(work)
        finally:
            self._futures.discard(future)
        self._over.put(returned)

    def _returned(self, work: Work, answer: SliceOutcome | str | None) -> Returned:
        """Return the result of a time slice; a text is the reason why the worker cannot have any."""
        if isinstance(answer, str):
            return Returned(work.key, None, refused(self._crew.version, "a new worker", answer))
        if answer is not None:
            self._losses.met(work.key)
        return Returned(work.key, answer)

    def _cancelled(self, work: Work) -> Returned:
        """Return the result of a cancelled time slice: cancelled by us, by a lost connection, or by others."""
        if self._is_lost():
            return Returned(work.key, None, lost(self.address))
        return Returned(work.key, None) if self._stopped else self._losses.lost(work.key, "the cluster was restarted")

    def _is_lost(self) -> bool:
        """Return whether the connection was ever lost. Dask may connect again, but has forgotten the time slices."""
        self._lost = self._lost or self._client.status != "running"
        return self._lost

    async def _look(self) -> None:
        """Ask for the number of threads of each worker, and renew the name."""
        self._nthreads = dict(await self._client.scheduler.ncores(workers=None))
        count = len(self._nthreads)
        self.name = f"Dask {'local' if self._local else self.address}, {count} worker{'s' * (count != 1)}"

    async def _watch(self) -> None:
        """Follow workers that join and leave."""
        while not self._is_lost():
            with suppress(OSError):
                await self._look()
            await asyncio.sleep(WATCH_SECONDS)

    async def _end_slices(self) -> None:
        """Ask all workers to end their time slices, and cancel those that have not begun after a while."""
        with suppress(Exception):
            await self._crew.stop()
        until = time.monotonic() + (STOP_SECONDS if self._nthreads else 0)
        while time.monotonic() < until and self._futures:
            await asyncio.sleep(WATCH_SECONDS / 20)
        if self._futures and self._client.status == "running":
            with suppress(Exception):
                await self._client.cancel(list(self._futures))


class Crew:
    """The workers of a cluster. On each, a plugin with a ``name`` has a performer for the submitted tasks.

    :func:`connect` describes ``where`` and ``processes``. The function that makes a performer is given to all workers,
    and to later ones. A performer has a method ``take``, which returns the result of a task, and ``stop``, which ends
    the tasks at once. Raises PuzzleError (PZ625) if a worker cannot use it.
    """

    def __init__(
        self,
        where: str,
        performer: Callable[..., object],
        processes: int = 0,
        version: str = __version__,
        tree: int = TREE_VERSION,
    ) -> None:
        with ExitStack() as ends:
            self.client: Any = connect(where, processes, ends)
            from puzzlec.jobs.workers import plugin  # needs Dask

            self._plugin, self._task, self.version = plugin, plugin.task(), version
            self._coroutines: set[concurrent.futures.Future[None]] = set()
            self.name, self.address = PLUGIN_PREFIX + self.client.id, str(self.client.scheduler.address)
            with suppress(Exception):  # a scheduler may refuse to run code from others
                for name in self.client.run_on_scheduler(plugin.forsaken(), PLUGIN_PREFIX):
                    self.client.unregister_worker_plugin(name)
            ends.callback(self._take_back)
            try:
                self._register(plugin.plugin(pickle.dumps(performer), version, tree))
                self._check_workers()
            except OSError:
                raise lost(self.address) from None
            self._ends = ends.pop_all()

    def submit(self, task: object, **more: Any) -> Any:
        """Return the future of a task; ``more`` are arguments of Dask."""
        return self.client.submit(self._task, self.name, pickle.dumps(task), pure=False, **more)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the client's thread until the end."""
        running = asyncio.run_coroutine_threadsafe(coroutine, self.client.loop.asyncio_loop)
        self._coroutines.add(running)
        running.add_done_callback(self._coroutines.discard)

    def close(self) -> None:
        """End all tasks, and leave the cluster."""
        self._ends.close()

    def _register(self, mine: Any) -> None:
        """Register a plugin; repeat it if a worker ends at this moment, since others may not have received it."""
        until = time.monotonic() + STOP_SECONDS
        while True:
            try:
                self.client.register_plugin(mine, name=self.name)
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(WATCH_SECONDS / 4)

    def _check_workers(self) -> None:
        """Raise PuzzleError if a worker cannot search."""
        here = ".".join(map(str, sys.version_info[:2]))
        for worker, versions in self.client.get_versions()["workers"].items():
            there = ".".join(str(versions["host"]["python"]).split(".")[:2])
            if there != here:
                raise refused(self.version, worker, f"it runs Python {there}, not {here} as here")
        for worker, answer in self.client.run(self._plugin.call("refusal"), self.name, on_error="ignore").items():
            if answer:
                raise refused(self.version, worker, answer)

    def _take_back(self) -> None:
        """End all tasks, and remove the performer from the workers, if they can be reached."""
        with suppress(Exception):  # workers that end, or a scheduler that is gone
            if self.client.status == "running":
                self.client.sync(self.client.unregister_worker_plugin, self.name, callback_timeout=STOP_SECONDS)
        for coroutine in list(self._coroutines):
            coroutine.cancel()

    async def stop(self) -> None:
        """Ask all workers to end their tasks."""
        await self.client.run(self._plugin.call("stop"), self.name, on_error="ignore")


def label(name: str) -> str:
    """Return a name for the first part of a task's key, without hyphens: Dask groups tasks by this name.

    >>> label("Y-pentominoes, 15x15 (1a2b3c4d)")
    'Y pentominoes 15x15 1a2b3c4d'
    """
    return " ".join(re.sub(r"[-,_'\"()<>]", " ", name)[:80].split()) or "puzzle"


def refused(version: str, worker: str, why: str) -> PuzzleError:
    """Return the error for a worker with another version of puzzlec."""
    return fail(
        "PZ625",
        "a worker of the cluster has another version of puzzlec",
        note=(f"the worker {worker}: {why}", f"this is puzzlec {version}"),
        help="install the same version on the workers: `python -m pip install 'puzzlec[cluster]'`, or the same image",
    )


#: Seconds for a scheduler to answer.
SCHEDULER_WAIT_SECONDS = 10.0

#: A level of logging above that of all records of Dask.
_SILENT_LEVEL = logging.CRITICAL + 1


def connect(cluster: str, workers: int, ends: ExitStack) -> Any:
    """Return a client of a cluster; ``ends`` collects the actions at the end.

    ``cluster`` is "local", an address, or the path of a scheduler file. A local cluster has this many ``workers``, or
    one for each core if that is 0. Raises PuzzleError (PZ624) if there is no answer.
    """
    dask = needs("distributed", "cluster", "a search on a cluster")
    ends.enter_context(_quiet())
    is_local = cluster == "local"
    what = f"cannot start a Dask cluster on this machine; {MAIN_GUARD}"
    help = "`--processes` searches on this machine without Dask"
    if not is_local:
        cluster = _address(cluster)
        what = f"no Dask scheduler answers at {cluster}"
        help = "`dask scheduler` prints its address when it starts, such as tcp://10.0.0.1:8786"
    try:
        with warnings.catch_warnings(), ExitStack() as start:
            warnings.simplefilter("ignore")  # about other versions of Dask (puzzlec compares its own), or a port in use
            where = _local(dask, workers, start, ends) if is_local else cluster
            client = dask.Client(where, timeout=SCHEDULER_WAIT_SECONDS, set_as_default=False, name="puzzlec")
    except Exception as error:  # of the system, of the name, of the certificates: Dask raises any error
        reason = " ".join(str(error).split()) or type(error).__name__
        raise fail("PZ624", what, note=reason, help=help) from None
    ends.callback(client.close, timeout=SCHEDULER_WAIT_SECONDS)
    return client


def _local(distributed: Any, workers: int, start: ExitStack, ends: ExitStack) -> Any:
    """Return a cluster of this machine; ``start`` ends what holds while its client starts."""
    import dask

    # Worker processes write to the same terminal, so this must be set before they begin.
    before = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    environment = {**before, "DASK_LOGGING__DISTRIBUTED": "critical"}
    start.enter_context(dask.config.set({"distributed.nanny.pre-spawn-environ": environment}))
    start.enter_context(no_interrupts())
    # The dashboard needs bokeh; Dask would warn if it is not installed.
    page = "localhost:8787" if importlib.util.find_spec("bokeh") else None
    cluster = distributed.LocalCluster(
        n_workers=workers or os.cpu_count() or 1, threads_per_worker=1, processes=True, dashboard_address=page,
        silence_logs=_SILENT_LEVEL,
    )  # fmt: skip
    return ends.enter_context(cluster)


def _address(cluster: str) -> str:
    """Return the address, perhaps from a scheduler file."""
    if "://" in cluster or not (cluster.endswith(".json") or os.path.isfile(cluster)):  # noqa: PTH113
        if ":" in cluster:
            return cluster
        raise fail(
            "PZ624",
            f"`{cluster}` is not a cluster",
            help="`local` is one on this machine; otherwise give the address of a scheduler, "
            "such as tcp://10.0.0.1:8786, or the file that `dask scheduler --scheduler-file FILE` writes",
        )
    try:
        return str(json.loads(Path(cluster).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(
            "PZ624",
            "the scheduler file has no address",
            note="the file does not exist" if isinstance(error, FileNotFoundError) else " ".join(str(error).split()),
            help="`dask scheduler --scheduler-file FILE` writes one, which exists while the scheduler runs",
            file=cluster,
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's records off the terminal: the job reports lost workers."""
    names = ["distributed", "tornado", "bokeh"]
    names += [logger for logger in logging.root.manager.loggerDict if logger.split(".")[0] in names]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        if levels[name] or "." not in name:
            logging.getLogger(name).setLevel(_SILENT_LEVEL)
    loops = logging.getLogger("asyncio")  # reports leftovers of Dask in its loop; the user may have set one
    loops.addFilter(_is_not_of_dask)
    try:
        yield
    finally:
        loops.removeFilter(_is_not_of_dask)
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _is_not_of_dask(record: logging.LogRecord) -> bool:
    return record.threadName != "IO loop" and "distributed" not in record.getMessage()


def lost(what: str) -> PuzzleError:
    """Return the error for a cluster that is lost while the job runs."""
    return fail(
        "PZ624",
        f"the connection to the Dask scheduler {what} was lost",
        note="the search is saved, except the last time slices",
        help="`puzzlec job resume` continues, with or without a cluster",
    )
