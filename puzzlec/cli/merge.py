"""``puzzlec job merge``: the sum of the shards of a search."""

from __future__ import annotations

from typing import Annotated

from puzzlec.cli.candidates import folders as offered_folders
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.terminal import end, out_result, say, status_after


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
    for line in merged.lines():
        say(line)
    if into is not None:
        rest = "" if merged.is_complete else f"; `puzzlec job resume {into}` searches the rest"
        say(f"all shards are in {into}{rest}")
    end(status_after(not merged.is_complete, merged.number))
