"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Parameters
from puzzlec.cli.input import read_only
from puzzlec.cli.output import write_file
from puzzlec.cli.terminal import say
from puzzlec.ir import Fitting, Puzzle
from puzzlec.readers.lattice_file import is_lattice_file
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
    format = to or _format_of(target)
    what = read_only(puzzle, source, board, given)
    moved = with_lattice_from(what, puzzle, target) if target != "-" and format == "puzzle" else what
    text = pipeline.convert(moved, format)
    if target == "-":
        sys.stdout.write(text)
        return
    write_file(target, text, force)
    if isinstance(moved, Puzzle) and moved is not what and moved.lattice is not None:
        say(f'its lattice is named as `lattice "{moved.lattice.name}"`, the way to the file from there')


def with_lattice_from(what: Puzzle | Fitting, name: str, target: str) -> Puzzle | Fitting:
    """Return a puzzle of the file ``name`` with its own lattice, if it has one, named as from the file ``target``."""
    if not isinstance(what, Puzzle) or what.lattice is None or not is_lattice_file(what.lattice.name):
        return what
    path = (Path(name).parent if Path(name).is_file() else Path()) / what.lattice.name
    if Path(what.lattice.name).is_absolute() or not path.is_file():
        return what
    try:
        found = Path(os.path.relpath(path, Path(target).parent)).as_posix()
    except ValueError:  # there is no way from one drive to another
        found = path.resolve().as_posix()
    known = PurePath(what.lattice.name).as_posix()
    return what if found == known else replace(what, lattice=replace(what.lattice, name=found))


def _format_of(target: str) -> str:
    """Return the format that the ending of a file name says."""
    ending = PurePath(target).suffix.lower()
    for name, (endings, _) in WRITERS.items():
        if ending in endings:
            return name
    raise typer.BadParameter(
        f"cannot tell the format to write from `{target}`; say one of {', '.join(WRITERS)}", param_hint="--to"
    )
