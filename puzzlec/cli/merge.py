"""``puzzlec job merge``: the sum of the shards of a search."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from puzzlec.cli.candidates import folders as offered_folders
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import end, out_result, say, status_after
from puzzlec.diagnostics import counted
from puzzlec.diagnostics.figures import percentage

if TYPE_CHECKING:
    from puzzlec.jobs.merging import Merged

#: Maximum number of runs of numbers, or of shards, that are listed.
MAX_LISTED_RUNS = 12


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

    merged = merging.merge(folders, into=into)
    out_result({**merged.as_data(), "into": into}, merged.number)
    for line in _lines(merged):
        say(line)
    if into is not None:
        rest = "" if merged.is_complete else f"; `puzzlec job resume {into}` searches the rest"
        say(f"all shards are in {into}{rest}")
    end(status_after(not merged.is_complete, merged.number))


def _lines(merged: Merged) -> list[str]:
    """Return the results and what is left to do."""
    from puzzlec.jobs.merging import which
    from puzzlec.solving.subject import counted_solutions

    solutions, shards = counted_solutions(merged.number, merged.header.symmetry), counted(merged.of, "shard")
    if merged.is_complete:
        return [f"{solutions} in {shards}: all are complete"]
    lines = [f"at least {solutions} in {len(merged.shards)} of {shards}"]
    if merged.missing:
        lines.append(f"missing: {runs(merged.missing)}")
    for shard in merged.unfinished[:MAX_LISTED_RUNS]:
        # The limit of the shard would stop the merged search at once.
        every = "" if shard.limit is None else " --all"
        resuming = f"`puzzlec job resume {quote(str(shard.folder))}{every}`"
        lines.append(f"not finished: {which(shard)}, {percentage(shard.fraction)} searched: {resuming}")
    if len(merged.unfinished) > MAX_LISTED_RUNS:
        lines.append(f"not finished: {runs(map(which, merged.unfinished[MAX_LISTED_RUNS:]))}")
    return lines


def runs(numbers: Iterable[int]) -> str:
    """Return ascending numbers in words, neighbours together.

    >>> runs([1, 2, 3, 7, 9, 10])
    '1 to 3, 7, 9 to 10'
    """
    pairs: list[list[int]] = []
    for number in numbers:
        if pairs and number == pairs[-1][-1] + 1:
            pairs[-1].append(number)
        else:
            pairs.append([number])
    words = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in pairs[:MAX_LISTED_RUNS]]
    more = sum(map(len, pairs[MAX_LISTED_RUNS:]))
    return ", ".join(words) + f" and {more} more" * (more > 0)
