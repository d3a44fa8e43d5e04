"""``puzzlec help``: the help of a command."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.commands import COMMANDS, made_command, summaries
from puzzlec.cli.terminal import out
from puzzlec.diagnostics import none_of


def _known(command: str | None) -> str | None:
    """Return the name of a command, or None; raise BadParameter for another word."""
    if command is not None and command not in COMMANDS:
        raise typer.BadParameter(none_of(command, COMMANDS), param_hint="COMMAND")
    return command


def help_command(
    context: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND", help="Command. [default: all commands]", autocompletion=words(summaries), callback=_known
        ),
    ] = None,
) -> None:
    """Show the help of a command.

    Examples:
        puzzlec help solve
        puzzlec help

    """
    root = context.find_root()
    found = root if command is None else made_command(command).make_context(command, [], root, resilient_parsing=True)
    out(found.get_help())
