"""``puzzlec job status``: the progress of a search, from its checkpoint alone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlec.cli.arguments import Folder
from puzzlec.cli.terminal import MODE, out, out_json
from puzzlec.show.terminal.figures import between, duration, percentage, short

if TYPE_CHECKING:
    from puzzlec.jobs.status import Status

#: Estimates above this many seconds are not shown: the rate of the first moments is unreliable.
NEVER = 1e12


def status(
    folder: Folder,
) -> None:
    """Show the progress of a search with a checkpoint.

    Only reads the folder, so another process may work on it.

    Examples:
        puzzlec job status bedlam
        puzzlec job status bedlam --json

    """
    from puzzlec.jobs.status import read_status

    now = read_status(Path(folder))
    if MODE.json:
        out_json(status_data(now))
        return
    for name, value in lines(now):
        out(f"{name:<12}{value}")


def lines(now: Status) -> list[tuple[str, str]]:
    """Return the state of a job, as names and values for people."""
    from puzzlec.solving.subject import counted_solutions

    header = now.header
    wanted = "all" if now.limit is None else f"the first {now.limit}" if now.limit > 1 else "the first one"
    verb = "are kept" if header.task == "solutions" else "are counted"
    states = [(now.done, "done"), (now.begun, "begun"), (now.fresh, "to come")]
    found = [
        ("puzzle", header.title or "no title"),
        ("search", f"solutions {verb}: {wanted}, --symmetry {header.symmetry}"),
        ("shard", "{} of {}".format(*header.shard) if header.shard else ""),
        ("units", ", ".join(f"{number} {what}" for number, what in states if number) or "none"),
        ("nodes", f"{now.nodes}" + (f", {short(now.rate)} a second" if now.rate else "")),
        ("solutions", counted_solutions(now.number, header.symmetry)),
        ("searched", _searched(now)),
        ("left", _left(now)),
        ("time", f"{duration(now.seconds)} of search, {duration(now.worker_seconds)} of all workers together"),
        ("worker", _worker(now)),
        ("saved", datetime.fromtimestamp(now.saved).astimezone().isoformat(" ", "seconds")),
        ("size", f"{short(now.bytes)}B"),
    ]
    return [(name, value) for name, value in found if value]


def _searched(now: Status) -> str:
    if now.is_complete:
        return "all of it"
    enough = "; all requested solutions were found" if now.has_enough else ""
    return f"about {percentage(now.fraction)}{enough}"


def _left(now: Status) -> str:
    if now.is_complete or now.has_enough:
        return ""
    left, interval = now.left(), now.left_between
    if left is None or left >= NEVER:
        return "unknown"
    if (interval[1] if interval else left) < 1:
        return "under a second"
    told = f", 9 times of 10 {between(*interval)}" if interval else ""
    return f"about {duration(left)}{told}"


def _worker(now: Status) -> str:
    owner = now.owner
    if owner is None:
        return "none"
    told = f"process {owner.process} on {owner.host}, since {owner.begun}" if owner.process else "a process"
    return f"{told}: {now.workers}" if now.workers else told


def status_data(now: Status) -> dict[str, Any]:
    """Return the state of a job, for programs: times in seconds, nothing rounded, null for unknown values."""
    header, expected, owner = now.header, now.expected, now.owner
    return {
        "title": header.title,
        "task": header.task,
        "symmetry": header.symmetry,
        "limit": now.limit,
        "shard": list(header.shard) if header.shard else None,
        "version": header.version,
        "complete": now.is_complete,
        "limit_reached": now.has_enough,
        "work_units": {"done": now.done, "begun": now.begun, "fresh": now.fresh},
        "solutions": now.number,
        "raw": now.raw,
        "kept": now.kept,
        "nodes": now.nodes,
        "expected_nodes": expected.total,
        "expected_nodes_between": None if expected.low is None else [expected.low, expected.high],
        "fraction": now.fraction,
        "nodes_per_second": now.rate,
        "left": now.left(),
        "left_between": list(now.left_between) if now.left_between else None,
        "seconds": now.seconds,
        "worker_seconds": now.worker_seconds,
        "worker": {"process": owner.process, "host": owner.host, "begun": owner.begun} if owner else None,
        "workers": now.workers or None,
        "saved": now.saved,
        "bytes": now.bytes,
    }
