"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

PuzzleName = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE", help="A file, `-` for standard input, or the name of a puzzle that `puzzlec list` shows."
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="The format of the text, where its name does not tell."),
]
Board = Annotated[
    str | None,
    typer.Option(metavar="CxR", help="The board for formats that hold pieces only: columns x rows, or columns."),
]
Raw = Annotated[bool, typer.Option("--raw", help="All solutions, those that are turned or mirrored others, too.")]
Time = Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Stop searching after so many seconds.")]
Kernel = Annotated[str, typer.Option(metavar="KERNEL", help="The search kernel: auto, python, links or bits.")]
