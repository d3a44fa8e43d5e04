"""Options of the commands whose search is a job: kept in a folder, spread over processes and machines, in shards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from puzzlec.cli.candidates import folders, words
from puzzlec.cli.command import JOBS
from puzzlec.cli.progress import KINDS
from puzzlec.cli.terminal import say
from puzzlec.diagnostics import none_of
from puzzlec.diagnostics.error import fail, needs

Folder = Annotated[str, typer.Argument(metavar="DIR", help="Folder of a checkpoint.", autocompletion=folders)]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Keep the search in DIR, to resume it at any time.",
        autocompletion=folders,
        rich_help_panel=JOBS,
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Search in N processes; 0: one per core.", hidden=True),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="Search on a Dask cluster: `local`, or tcp://host:8786.",
        autocompletion=words(("local",)),
        rich_help_panel=JOBS,
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        metavar="K/N",
        help="Search part K of N, for `puzzlec merge`.",
        rich_help_panel=JOBS,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "-q",
        "--quiet",
        help="Print no solutions that a checkpoint keeps, and no remarks.",
        rich_help_panel=JOBS,
    ),
]


class Hands(NamedTuple):
    """Who is to search: so many threads, or processes (0: none), or a cluster."""

    threads: int = 1
    processes: int = 0
    cluster: str | None = None


class JobOptions(NamedTuple):
    """What the options of a command say of its job; ``folder`` None: one for the time of the command.

    ``quiet``: solutions are in the folder, and are not printed. ``progress`` is one of
    :data:`puzzlec.cli.progress.KINDS`. ``keep_limit``: nobody has said how many solutions are
    wanted; all of them, or as many as before where the search goes on.
    """

    folder: Path | None
    hands: Hands
    shard: tuple[int, int] | None = None
    quiet: bool = False
    progress: str = "bar"
    keep_limit: bool = False

    @property
    def place(self) -> str | None:
        """The folder as the user names it."""
        return None if self.folder is None else str(self.folder)


def chosen_job(
    checkpoint: str | None,
    processes: int | None,
    cluster: str | None,
    shard: str | None,
    quiet: bool,
    threads: int,
    progress: str,
    others: Mapping[str, object],
) -> JobOptions | None:
    """Return what the options say together; None where no job is asked for.

    ``others`` are options of the command that a job does not know, with what is said of them; they must not be given.
    Raises typer.BadParameter for what makes no sense together, PuzzleError (PZ629) for a wrong shard and (PZ505) for a
    cluster where Dask is missing.
    """
    if progress not in KINDS:
        raise typer.BadParameter(none_of(progress, KINDS), param_hint="--progress")
    if checkpoint == "":
        raise typer.BadParameter("the name of a folder is empty", param_hint="--checkpoint")
    part = shard_of(shard) if shard is not None else None
    if part is not None and checkpoint is None:
        raise typer.BadParameter("give `--checkpoint DIR`, too: what is found is kept there", param_hint="--shard")
    if checkpoint is None and processes is None and cluster is None:
        return None
    for name, value in others.items():
        if value not in (None, False):
            asked = next(
                word
                for word, here in (("--checkpoint", checkpoint), ("--processes", processes), ("--cluster", cluster))
                if here is not None
            )
            raise typer.BadParameter(f"it cannot be had together with {asked}", param_hint=name)
    folder = None if checkpoint is None else Path(checkpoint)
    return JobOptions(folder, hands(threads, processes, cluster), part, quiet and folder is not None, progress)


def hands(threads: int, processes: int | None, cluster: str | None) -> Hands:
    """Return who is to search; raise typer.BadParameter where several are named, PuzzleError where Dask is missing."""
    from puzzlec.engine.search.tree_search import MOST_PER_CORE, cores, most_workers

    named = [("--threads", threads != 1), ("--processes", processes is not None), ("--cluster", cluster is not None)]
    given = [name for name, is_given in named if is_given]
    if len(given) > 1 and (given != ["--processes", "--cluster"] or cluster != "local"):
        if given == ["--processes", "--cluster"]:
            why = "the workers of a cluster are there already; `--processes` goes with `--cluster local` only"
            raise typer.BadParameter(why, param_hint="--processes")
        raise typer.BadParameter(f"give {given[0]} or {given[1]}, not both", param_hint=given[1])
    if cluster is not None:
        needs("distributed", "cluster", "a search on a cluster")
    if processes is not None and processes > most_workers() and cluster in (None, "local"):
        say(f"searching in {most_workers()} processes: more than {MOST_PER_CORE} for each processor only cost time")
        processes = most_workers()
    return Hands(threads or cores(), 0 if processes is None else processes or cores(), cluster)


def shard_of(text: str) -> tuple[int, int]:
    """Return a shard by its text: which one, from 1 on, and of how many. Raises PuzzleError for what is none.

    >>> shard_of("3/100")
    (3, 100)
    """
    from puzzlec.jobs.records import MOST_SHARDS

    match = re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*", text)
    help = "`--shard 3/100` is the third of a hundred parts"
    if match is None:
        raise fail("PZ629", f"`{text}` is no shard: two whole numbers with `/` between them are one", help=help)
    number, of = int(match[1]), int(match[2])
    if not 1 <= of <= MOST_SHARDS:
        raise fail("PZ629", f"there cannot be {of} shards", note=f"from 1 to {MOST_SHARDS} are possible", help=help)
    if not 1 <= number <= of:
        raise fail("PZ629", f"there is no shard {number} of {of}", note=f"the first is 1, the last {of}", help=help)
    return number, of
