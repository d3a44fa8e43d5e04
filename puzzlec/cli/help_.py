"""``puzzlec help``: the help of a command."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.commands import PROGRAM, SUMMARIES
from puzzlec.cli.terminal import out


def help_command(
    context: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(metavar="COMMAND", help="Command. [default: all commands]", autocompletion=words(SUMMARIES)),
    ] = None,
) -> None:
    """Show the help of a command.

    Examples:
        puzzlec help solve
        puzzlec help

    """
    found = context.find_root()
    if command is not None:
        made = PROGRAM.resolve_command(found, [command])[1]
        found = made.make_context(command, [], found, resilient_parsing=True)
    out(found.get_help())
