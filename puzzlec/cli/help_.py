"""``puzzlec help``: the help of a command, for those who look for it as a command."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.commands import COMMANDS, made_command, summaries
from puzzlec.cli.terminal import out
from puzzlec.diagnostics import none_of


def help_command(
    context: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND", help="The command; without it, all commands are listed.", autocompletion=words(summaries)
        ),
    ] = None,
) -> None:
    """Show the help of a command, as its option --help does.

    Example: puzzlec help solve
    """
    if command is not None and command not in COMMANDS:
        raise typer.BadParameter(none_of(command, COMMANDS), param_hint="COMMAND")
    whole = context.find_root()
    if command is None:
        out(whole.get_help())
        return
    found = made_command(command)
    out(found.make_context(command, [], parent=whole, resilient_parsing=True).get_help())
