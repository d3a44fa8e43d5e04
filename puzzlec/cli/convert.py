"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Parameters
from puzzlec.cli.input import read_only
from puzzlec.cli.output import write_file
from puzzlec.writers import WRITERS


def convert(
    puzzle: Annotated[str, typer.Argument(metavar="IN", help="A file, `-`, or the name of a puzzle of the catalogue.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, `-` for standard output.")] = "-",
    to: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"The format to write: {', '.join(WRITERS)}.")
    ] = None,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Convert a puzzle into another format.

    Example: puzzlec convert soma.compact soma.dpf
    """
    text = pipeline.convert(read_only(puzzle, source, board, given), to or _format_of(target))
    if target == "-":
        sys.stdout.write(text)
        return
    write_file(target, text, force)


def _format_of(target: str) -> str:
    """Return the format that the ending of a file name says."""
    ending = PurePath(target).suffix.lower()
    for name, (endings, _) in WRITERS.items():
        if ending in endings:
            return name
    raise typer.BadParameter(
        f"cannot tell the format to write from `{target}`; say one of {', '.join(WRITERS)}", param_hint="--to"
    )
