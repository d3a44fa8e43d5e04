"""``puzzlec job status``: the progress of a search, from its checkpoint alone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlec.cli.arguments import Folder
from puzzlec.cli.terminal import MODE, out, out_json
from puzzlec.diagnostics.figures import between, duration, percentage, short

if TYPE_CHECKING:
    from puzzlec.jobs.disassemblies import DisassemblyStatus
    from puzzlec.jobs.status import Status

#: Estimates above this many seconds are not shown: the rate of the first moments is unreliable.
MAX_SHOWN_SECONDS = 1e12


def status(
    folder: Folder,
) -> None:
    """Show the progress of a search with a checkpoint.

    Only reads the folder, so another process may work on it.

    Examples:
        puzzlec job status bedlam
        puzzlec job status bedlam --json

    """
    from puzzlec.jobs.disassemblies import is_of_disassemblies, read_disassembly_status
    from puzzlec.jobs.status import read_status

    now: Status | DisassemblyStatus
    if is_of_disassemblies(Path(folder)):
        now = read_disassembly_status(Path(folder))
        rows = rows_of_disassemblies(now)
    else:
        now = read_status(Path(folder))
        rows = rows_of_search(now)
    if MODE.json:
        out_json(now.as_data())
        return
    for name, value in rows:
        out(f"{name:<12}{value}")


def rows_of_search(status: Status) -> list[tuple[str, str]]:
    """Return the state of a search as names and values."""
    from puzzlec.solving.subject import counted_solutions

    header, limit, owner = status.header, status.limit, status.owner
    goal = "all" if limit is None else f"the first {limit}" if limit > 1 else "the first one"
    verb = "are kept" if header.task == "solutions" else "are counted"
    states = [(status.done, "done"), (status.begun, "begun"), (status.fresh, "to come")]
    all_workers = f"{duration(status.worker_seconds)} of all workers together"
    rows = [
        ("puzzle", header.title or "no title"),
        ("search", f"solutions {verb}: {goal}, --symmetry {header.symmetry}"),
        ("shard", "{} of {}".format(*header.shard) if header.shard else ""),
        ("units", ", ".join(f"{number} {what}" for number, what in states if number) or "none"),
        ("nodes", f"{status.nodes}" + (f", {short(status.rate)} a second" if status.rate else "")),
        ("solutions", counted_solutions(status.number, header.symmetry)),
        ("searched", _searched(status)),
        ("left", _left(status)),
        ("time", f"{duration(status.seconds)} of search, {all_workers}"),
        ("worker", f"{owner or 'none'}{f': {status.workers}' if owner and status.workers else ''}"),
        *_saved_rows(status),
    ]
    return [(name, value) for name, value in rows if value]


def rows_of_disassemblies(status: DisassemblyStatus) -> list[tuple[str, str]]:
    """Return the state of kept disassemblies as names and values."""
    turns = "slides and turns" if status.settings.get("turning") is not None else "slides"
    best = f", best level {status.best}" if status.best else ""
    return [
        ("search", f"assemblies are taken apart by {turns}"),
        ("shards", ", ".join(f"{name}: {number}" for name, number in status.shards.items())),
        ("assemblies", f"{status.number} done, {status.apart} come apart{best}"),
        ("worker", ", ".join(f"{owner} ({name})" for name, owner in status.owners.items()) or "none"),
        *_saved_rows(status),
    ]


def _searched(status: Status) -> str:
    if status.is_complete:
        return "all of it"
    enough = "; all requested solutions were found" if status.has_enough else ""
    return f"about {percentage(status.fraction)}{enough}"


def _left(status: Status) -> str:
    if status.is_complete or status.has_enough:
        return ""
    left, interval = status.left(), status.left_between
    if left is None or left >= MAX_SHOWN_SECONDS:
        return "unknown"
    if (interval[1] if interval else left) < 1:
        return "under a second"
    likely = f", 9 times of 10 {between(*interval)}" if interval else ""
    return f"about {duration(left)}{likely}"


def _saved_rows(status: Status | DisassemblyStatus) -> list[tuple[str, str]]:
    """Return the time of the last save, and the size of a checkpoint."""
    moment = datetime.fromtimestamp(status.saved).astimezone().isoformat(" ", "seconds")
    return [("saved", moment), ("size", f"{short(status.bytes)}B")]
