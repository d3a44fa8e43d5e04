"""The connection to a Dask cluster: the address of its scheduler, or a cluster of this machine."""

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

from puzzlec.diagnostics.error import PuzzleError, fail, needs
from puzzlec.jobs.workers.importing import GUARD, no_interrupts

#: Seconds for a scheduler to answer.
PATIENCE = 10.0

#: Above the level of all records of Dask.
_SILENT = logging.CRITICAL + 1


def connect(cluster: str, workers: int, ends: ExitStack) -> Any:
    """Return a client of a cluster; ``ends`` collects the actions at the end.

    ``cluster`` is "local", an address, or the path of a scheduler file. A local cluster has this many ``workers``, or
    one for each core if that is 0. Raises PuzzleError (PZ624) if there is no answer.
    """
    ends.enter_context(_quiet())
    if cluster == "local":
        return _local(workers, ends)
    address = _address(cluster)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about different versions of Dask; puzzlec compares its own
            client = _dask().Client(address, timeout=PATIENCE, set_as_default=False, name="puzzlec")
    except Exception as error:  # of the system, of the name, of the certificates: Dask raises any error
        reason = " ".join(str(error).split()) or type(error).__name__
        raise fail(
            "PZ624",
            f"no Dask scheduler answers at {address}",
            note=reason,
            help="`dask scheduler` prints its address when it starts, such as tcp://10.0.0.1:8786",
        ) from None
    ends.callback(client.close, timeout=PATIENCE)
    return client


def _local(workers: int, ends: ExitStack) -> Any:
    # The dashboard needs bokeh; Dask would warn if it is not installed.
    page = "localhost:8787" if importlib.util.find_spec("bokeh") else None
    # Worker processes write to the same terminal, so this must be set before they begin.
    before = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    environment = {**before, "DASK_LOGGING__DISTRIBUTED": "critical"}
    with (
        warnings.catch_warnings(),
        dask.config.set({"distributed.nanny.pre-spawn-environ": environment}),
        no_interrupts(),
    ):
        warnings.simplefilter("ignore")  # about a port in use; another one is found
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
        except Exception as error:  # its processes do not start, or cannot be reached
            raise fail(
                "PZ624",
                f"cannot start a Dask cluster on this machine; {GUARD}",
                note=" ".join(str(error).split()) or type(error).__name__,
                help="`--processes` searches on this machine without Dask",
            ) from None
    ends.callback(client.close, timeout=PATIENCE)
    return client


def _dask() -> Any:
    return needs("distributed", "cluster", "a search on a cluster")


def _address(cluster: str) -> str:
    """Return the address, perhaps from a scheduler file."""
    if ":" not in cluster and not cluster.endswith(".json") and not os.path.isfile(cluster):  # noqa: PTH113
        raise fail(
            "PZ624",
            f"`{cluster}` is not a cluster",
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
            "the scheduler file has no address",
            note="the file does not exist" if isinstance(error, FileNotFoundError) else " ".join(str(error).split()),
            help="`dask scheduler --scheduler-file FILE` writes one, for as long as the scheduler runs",
            file=cluster,
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's records off the terminal: the job reports lost workers."""
    names = ["distributed", "tornado", "bokeh"]
    names += [each for each in logging.root.manager.loggerDict if each.split(".")[0] in names]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        if levels[name] or "." not in name:
            logging.getLogger(name).setLevel(_SILENT)
    loops = logging.getLogger("asyncio")  # reports Dask's remains in its loop; the user may have set one
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
        help="`puzzlec resume` continues, with or without a cluster",
    )
