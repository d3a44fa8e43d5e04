"""What `model` does for meshes: how their files are called and written."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.output import new_file, written_to
from puzzlec.cli.plates import file_names
from puzzlec.cli.terminal import say
from puzzlec.make import Plate, Sizes

if TYPE_CHECKING:
    from puzzlec.solving.subject import Subject


def write_meshes(
    subject: Subject,
    output: str,
    format: str,
    sizes: Sizes,
    layout: str,
    plate: Plate | None,
    separate: bool,
    tray: bool,
    force: bool,
) -> list[str]:
    """Write meshes; return the files."""
    from puzzlec.make import files

    remarks: list[str] = []
    made = files(subject, format, sizes, layout, plate, separate, remarks, tray)
    targets = [] if output == "-" else file_names(output, [each.name for each in made])
    if output == "-":
        if len(made) > 1:
            raise typer.BadParameter(f"these are {len(made)} files: name one to write", param_hint="-o")
        with written_to("standard output", ""):
            sys.stdout.buffer.write(made[0].data)
            sys.stdout.flush()
    else:
        with ExitStack() as all_or_none:
            for target, each in zip(targets, made, strict=True):
                all_or_none.enter_context(new_file(target, force)).write_bytes(each.data)
                if len(made) > 1 or separate:
                    say(f"{target}: {each.said}")
    for remark in remarks:
        say(remark)
    return targets
