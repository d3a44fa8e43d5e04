"""The start of the workers of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlec.engine.search.tree_search import most_workers
from puzzlec.jobs.workers.importing import end_if_importing, is_importing
from puzzlec.jobs.workers.protocol import Workers

if TYPE_CHECKING:
    from puzzlec.jobs.problem import JobProblem


def start(problem: JobProblem, threads: int = 1, processes: int = 0, cluster: str | None = None) -> Workers:
    """Return workers for a job, ready for time slices; the caller must :meth:`~Workers.close` them.

    ``cluster`` is "local" for a Dask cluster on this machine. It then has ``processes`` workers, or one for each core.
    Otherwise it is the address of a scheduler such as "tcp://host:8786", or the path of a scheduler file. Without a
    cluster, the workers are ``processes``, if any, else ``threads``, at most
    :func:`puzzlec.engine.search.tree_search.most_workers`.

    Raises:
        PuzzleError: PZ505 (Dask is not installed), PZ624 (the cluster cannot be reached), PZ625 (its workers have
            another version of puzzlec), PZ638 (the system has no room for the workers).
        RuntimeError: In a process that only imports the program that began it: it would begin processes without end.

    """
    end_if_importing()
    threads, processes = min(threads, most_workers()), min(processes, most_workers())
    if (processes or cluster == "local") and is_importing():
        raise RuntimeError(
            'start processes only within `if __name__ == "__main__":`, because each process imports this program'
        )
    if cluster is not None:
        from puzzlec.jobs.workers.cluster import Cluster

        return Cluster(problem, cluster, processes)
    if processes:
        from puzzlec.jobs.workers.processes import Processes

        return Processes(problem, processes)
    from puzzlec.jobs.workers.threads import Threads

    return Threads(problem, threads)
