"""``puzzlec job merge``: the sum of the shards of a search."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from puzzlec.cli.candidates import folders as offered_folders
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import end, out_result, say, status_after
from puzzlec.diagnostics import counted
from puzzlec.show.terminal.figures import percentage

if TYPE_CHECKING:
    from puzzlec.jobs.merging import Merged

#: Maximum number of runs of numbers, or of shards, that are listed.
TOLD = 12


def merge(
    folders: Annotated[list[str], Argument("Folders of checkpoints.", "DIR", offered=offered_folders)],
    into: Annotated[
        str | None, Option("Write all shards to the new checkpoint DIR.", "DIR", offered=offered_folders)
    ] = None,
) -> None:
    """Add up the shards of a search.

    Prints the number of solutions in all shards, and lists missing shards.

    Examples:
        puzzlec job merge shard-1 shard-2
        puzzlec job merge shard-1 shard-2 --into all

    """
    from puzzlec.jobs import merging
    from puzzlec.solving.subject import counted_solutions

    merged = merging.merge(folders, into=into)
    out_result({**merged.as_data(), "into": into}, merged.number)
    found = counted_solutions(merged.number, merged.header.symmetry)
    shards = f"{len(merged.shards)} of {counted(merged.of, 'shard')}"
    if merged.is_complete:
        say(f"{found} in {counted(merged.of, 'shard')}: all are complete")
    else:
        say(f"at least {found} in {shards}")
        _say_what_is_left(merged)
    if into is not None:
        rest = "" if merged.is_complete else f"; `puzzlec job resume {into}` searches the rest"
        say(f"all shards are in {into}{rest}")
    end(status_after(not merged.is_complete, merged.number))


def _say_what_is_left(merged: Merged) -> None:
    from puzzlec.jobs.merging import which

    if merged.missing:
        say(f"missing: {_runs(merged.missing)}")
    for shard in merged.unfinished[:TOLD]:
        every = "" if shard.limit is None else " --all"  # the limit of the shard would stop the merged search at once
        goes_on = f"`puzzlec job resume {quote(str(shard.folder))}{every}`"
        say(f"not finished: {which(shard)}, {percentage(shard.fraction)} searched: {goes_on}")
    if len(merged.unfinished) > TOLD:
        say(f"not finished: {_runs(map(which, merged.unfinished[TOLD:]))}")


def _runs(numbers: Iterable[int]) -> str:
    """Return ascending numbers in words, neighbours together.

    >>> _runs([1, 2, 3, 7, 9, 10])
    '1 to 3, 7, 9 to 10'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:TOLD]]
    more = sum(map(len, runs[TOLD:]))
    return ", ".join(words) + f" and {more} more" * (more > 0)
