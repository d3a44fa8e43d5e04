"""Arguments and options that several commands have."""

from __future__ import annotations

import re
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
Parameters = Annotated[
    list[str] | None,
    typer.Option("-p", "--param", metavar="NAME=VALUE", help="A value for a parameter of the puzzle, such as n=12."),
]
Raw = Annotated[bool, typer.Option("--raw", help="All solutions, those that are turned or mirrored others, too.")]
Time = Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Stop searching after so many seconds.")]
Nodes = Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop searching after so many nodes.")]
Threads = Annotated[int, typer.Option(metavar="N", min=0, help="Search in so many threads; 0: one for each processor.")]
Stats = Annotated[bool, typer.Option("--stats", help="Say at the end how the search went, level by level.")]
Kernel = Annotated[str, typer.Option(metavar="KERNEL", help="The search kernel: auto, python, links or bits.")]


def parameter_values(given: list[str] | None) -> dict[str, int]:
    """Return the values of ``-p n=12`` by their names; raise typer.BadParameter for what is none."""
    values: dict[str, int] = {}
    for each in given or ():
        match = re.fullmatch(r"\s*(\w+)\s*=\s*(-?[0-9]{1,9})\s*", each)
        if match is None:
            raise typer.BadParameter(f"`{each}` is not a name, `=` and a whole number", param_hint="-p")
        values[match.group(1)] = int(match.group(2))
    return values
