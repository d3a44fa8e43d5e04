"""``puzzlec man``: the manual page of puzzlec or of one of its commands, for man(1)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.commands import COMMANDS, summaries
from puzzlec.cli.man_page import command_page, whole_page
from puzzlec.diagnostics import none_of


def man(
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND", help="The command; without it, the page of all of them.", autocompletion=words(summaries)
        ),
    ] = None,
) -> None:
    """Show the manual page of puzzlec, or of a command.

    On a terminal man(1) shows it, where there is one. Elsewhere its source is printed, for a file in a folder `man1`.

    Example: puzzlec man solve
    """
    if command is not None and command not in COMMANDS:
        raise typer.BadParameter(none_of(command, COMMANDS), param_hint="COMMAND")
    page = whole_page() if command is None else command_page(command)
    if sys.stdout.isatty() and (reader := shutil.which("man")) is not None:
        shown = subprocess.run([reader, "-l", "-"], input=page.encode(), check=False)
        if shown.returncode == 0:
            return
    sys.stdout.write(page)
