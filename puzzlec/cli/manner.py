"""How a command speaks: with few words or many, and to people or to other programs."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import typer


@dataclass
class Manner:
    """How the command that runs now speaks.

    ``quiet``: nothing but results and errors. ``verbose``: versions, caches, and stages with their times, too.
    ``json``: what is said on the way and what is wrong are lines of JSON, as results are.
    """

    quiet: bool = False
    verbose: bool = False
    json: bool = False


#: That of the command that runs now.
MANNER = Manner()


def begin() -> None:
    """Speak in the usual manner, whatever the command before was told: remarks of stages are for a terminal."""
    MANNER.quiet = MANNER.verbose = MANNER.json = False
    logging.getLogger("puzzlec").setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)


def _be_quiet(wanted: bool) -> bool:
    MANNER.quiet = MANNER.quiet or wanted
    return wanted


def _be_verbose(wanted: bool) -> bool:
    MANNER.verbose = MANNER.verbose or wanted
    return wanted


def _manners(
    quiet: Annotated[
        bool,
        typer.Option(
            "-q", "--quiet", help="Say nothing but results and errors.", expose_value=False, callback=_be_quiet
        ),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "-v",
            "--verbose",
            help="Say more: versions, caches, the stages and their times, the search.",
            expose_value=False,
            callback=_be_verbose,
        ),
    ] = False,
) -> None:
    """Have the options of all commands."""


def options() -> list[Any]:
    """Return the options that every command has, as Typer makes them; they note what they are told by themselves."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command()(_manners)
    return [each for each in typer.main.get_command(alone).params if each.name in ("quiet", "verbose")]


def adopt(context: Any) -> None:
    """Speak as the options of a command say that has read them; its own are in its ``context``, which is Typer's.

    Raises typer.BadParameter for `--quiet` and `--verbose` together.
    """
    MANNER.quiet = MANNER.quiet or bool(context.params.get("quiet"))
    if MANNER.quiet and MANNER.verbose:
        raise typer.BadParameter("give --quiet or --verbose, not both", ctx=context, param_hint="--verbose")
    if MANNER.verbose or MANNER.quiet:
        logging.getLogger("puzzlec").setLevel(logging.DEBUG if MANNER.verbose else logging.ERROR)
