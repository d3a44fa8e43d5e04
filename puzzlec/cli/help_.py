"""``puzzlec help``: the help of a command, for those who look for it as a command."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec.cli.terminal import out
from puzzlec.diagnostics import none_of


def help_command(
    command: Annotated[
        str | None, typer.Argument(metavar="COMMAND", help="The command; without it, all commands are listed.")
    ] = None,
) -> None:
    """Show the help of a command, as its option --help does.

    Example: puzzlec help solve
    """
    from puzzlec.cli.app import app
    from puzzlec.cli.commands import COMMANDS

    if command is not None and command not in COMMANDS:
        raise typer.BadParameter(none_of(command, COMMANDS), param_hint="COMMAND")
    group = typer.main.get_command(app)
    whole = group.make_context("puzzlec", ["--"], resilient_parsing=True)
    if command is None:
        out(whole.get_help())
        return
    found = group.get_command(whole, command)  # type: ignore[attr-defined]  # a group it is
    out(found.make_context(command, [], parent=whole, resilient_parsing=True).get_help())
