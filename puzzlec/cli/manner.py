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


#: The title of the options in a help that say how a command speaks.
PANEL = "What is told"

#: That of the command that runs now.
MANNER = Manner()


def begin() -> None:
    """Speak in the usual manner, whatever the command before was told: remarks of stages are for a terminal."""
    MANNER.quiet = MANNER.verbose = MANNER.json = False
    logging.getLogger("puzzlec").setLevel(logging.INFO if sys.stderr.isatty() else logging.WARNING)


def _note(name: str) -> Any:
    """Return what notes an option of all commands in the manner."""

    def callback(wanted: bool) -> None:
        setattr(MANNER, name, getattr(MANNER, name) or wanted)

    return callback


def _option(name: str, help: str) -> Any:
    words = (f"-{name[0]}", f"--{name}")
    return typer.Option(*words, help=help, expose_value=False, callback=_note(name), rich_help_panel=PANEL)


def _manners(
    quiet: Annotated[bool, _option("quiet", "Say nothing but results and errors.")] = False,
    verbose: Annotated[
        bool, _option("verbose", "Say more: versions, caches, the stages and their times, the search.")
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
