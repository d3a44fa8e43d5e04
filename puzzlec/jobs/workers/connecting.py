"""The way to a Dask cluster: the address of its scheduler, or a cluster of this machine."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import dask

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.diagnostics.extras import needs
from puzzlec.jobs.workers.importing import GUARD
from puzzlec.jobs.workers.interrupts import no_interrupts

#: So many seconds a scheduler may take to answer.
PATIENCE = 10.0

#: No record of Dask's is as severe as that.
_SILENT = logging.CRITICAL + 1


def connect(cluster: str, workers: int, ends: ExitStack) -> Any:
    """Return a client of a cluster; ``ends`` gets what is to be done at the end.

    ``cluster`` is "local", an address, or the path of a scheduler file. A local one has so many ``workers``, or one for
    each core if that is 0. Raises PuzzleError (PZ624) where nobody answers.
    """
    ends.enter_context(_quiet())
    if cluster == "local":
        return _local(workers, ends)
    address = _address(cluster)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions of Dask that differ; ours are compared
            client = _dask().Client(address, timeout=PATIENCE, set_as_default=False, name="puzzlec")
    except Exception as error:  # of the system, of the name, of the certificates: Dask raises what it met
        reason = " ".join(str(error).split()) or type(error).__name__
        raise fail(
            "PZ624",
            f"there is no Dask scheduler that answers at {address}",
            note=reason,
            help="`dask scheduler` tells its address when it begins, such as tcp://10.0.0.1:8786",
        ) from None
    ends.callback(client.close, timeout=PATIENCE)
    return client


def _local(workers: int, ends: ExitStack) -> Any:
    # The dashboard is a page of bokeh's; Dask would warn where it is not installed.
    page = "localhost:8787" if importlib.util.find_spec("bokeh") else None
    # Worker processes write to the same terminal: what they are told before they begin is heard.
    before = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    environment = {**before, "DASK_LOGGING__DISTRIBUTED": "critical"}
    with (
        warnings.catch_warnings(),
        dask.config.set({"distributed.nanny.pre-spawn-environ": environment}),
        no_interrupts(),
    ):
        warnings.simplefilter("ignore")  # of a port that is taken, where another one is found
        dask_ = _dask()
        try:
            cluster = ends.enter_context(
                dask_.LocalCluster(
                    n_workers=workers or os.cpu_count() or 1,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=page,
                    silence_logs=_SILENT,
                )
            )
            client = dask_.Client(cluster, timeout=PATIENCE, set_as_default=False, name="puzzlec")
        except Exception as error:  # its processes do not come up, or cannot be reached
            raise fail(
                "PZ624",
                f"no Dask cluster begins on this machine; {GUARD}",
                note=" ".join(str(error).split()) or type(error).__name__,
                help="`--processes` searches on this machine without Dask",
            ) from None
    ends.callback(client.close, timeout=PATIENCE)
    return client


def _dask() -> Any:
    return needs("distributed", "cluster", "a search on a cluster")


def _address(cluster: str) -> str:
    """Return the address that is meant: a scheduler file holds it."""
    if ":" not in cluster and not cluster.endswith(".json") and not os.path.isfile(cluster):  # noqa: PTH113
        raise fail(
            "PZ624",
            f"`{cluster}` is no cluster",
            help="`local` is one on this machine; else give the address of a scheduler, such as tcp://10.0.0.1:8786, "
            "or the file that `dask scheduler --scheduler-file FILE` writes",
        )
    if "://" in cluster or not (cluster.endswith(".json") or os.path.isfile(cluster)):  # noqa: PTH113
        return cluster
    try:
        return str(json.loads(Path(cluster).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(
            "PZ624",
            "the scheduler file tells no address",
            note="there is no such file" if isinstance(error, FileNotFoundError) else " ".join(str(error).split()),
            help="`dask scheduler --scheduler-file FILE` writes one, for as long as the scheduler runs",
            file=cluster,
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own records off the terminal: what a worker's end means for the job, the job says."""
    names = ["distributed", "tornado", "bokeh"]
    names += [each for each in logging.root.manager.loggerDict if each.split(".")[0] in names]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        if levels[name] or "." not in name:
            logging.getLogger(name).setLevel(_SILENT)
    loops = logging.getLogger("asyncio")  # tells what Dask leaves behind in its loop; the user may have one, too
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
        note="all that was searched is saved, but for the last turns",
        help="`puzzlec resume` goes on, with this cluster or without it",
    )
