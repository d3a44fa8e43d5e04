"""``puzzlec job status``: the progress of a search, from its checkpoint alone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlec.cli.arguments import Folder
from puzzlec.cli.terminal import MODE, out, out_json
from puzzlec.show.terminal.figures import between, duration, percentage, short

if TYPE_CHECKING:
    from puzzlec.jobs.disassembly_status import DisassemblyStatus
    from puzzlec.jobs.status import Owner, Status

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
    from puzzlec.jobs.disassembly_status import is_of_disassemblies, read_disassembly_status
    from puzzlec.jobs.status import read_status

    now: Status | DisassemblyStatus
    if is_of_disassemblies(Path(folder)):
        now = read_disassembly_status(Path(folder))
        rows = disassembly_lines(now)
    else:
        now = read_status(Path(folder))
        rows = lines(now)
    if MODE.json:
        out_json(now.as_data())
        return
    for name, value in rows:
        out(f"{name:<12}{value}")


def disassembly_lines(now: DisassemblyStatus) -> list[tuple[str, str]]:
    """Return the state of the results of `disassemble`, as names and values for people."""
    turns = "slides and turns" if now.settings.get("turning") is not None else "slides"
    best = f", best level {now.best}" if now.best else ""
    owners = [f"{_owner(owner)} ({name})" for name, owner in now.owners.items()]
    return [
        ("search", f"assemblies are taken apart by {turns}"),
        ("shards", ", ".join(f"{name}: {number}" for name, number in now.shards.items())),
        ("assemblies", f"{now.number} done, {now.apart} come apart{best}"),
        ("worker", ", ".join(owners) or "none"),
        ("saved", _moment(now.saved)),
        ("size", f"{short(now.bytes)}B"),
    ]


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
        ("saved", _moment(now.saved)),
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
    return f"{_owner(owner)}: {now.workers}" if now.workers else _owner(owner)


def _owner(owner: Owner) -> str:
    return f"process {owner.process} on {owner.host}, since {owner.begun}" if owner.process else "a process"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "seconds")
