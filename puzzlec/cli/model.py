"""``puzzlec model``: the pieces of a puzzle as meshes, to print and to hold."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec.cli.arguments import Palette, ShowsApart
from puzzlec.cli.candidates import paths
from puzzlec.cli.options import Given, Option
from puzzlec.cli.output import ending_in, format_of, new_file, refuse_existing, tell_written, write_file
from puzzlec.cli.picturing import Depicted
from puzzlec.cli.terminal import MODE, ExitStatus, say
from puzzlec.make import outputs as pictures
from puzzlec.make.choices import LAYOUTS, Cutting, Plate, Sizes
from puzzlec.make.model_files import files as made_files
from puzzlec.make.table import MESHES, OUTLINES, file_names, of_kind

if TYPE_CHECKING:
    from puzzlec.make.model_files import File
    from puzzlec.solving.subject import Subject

#: All formats that `model` writes, by the extension of a file.
FORMATS = (*of_kind(MESHES), *of_kind(OUTLINES))

#: The formats of `--preview`.
PREVIEWS = (".svg", ".png")


def write_outlines(
    subject: Subject,
    output: str,
    format: str,
    cutting: Cutting,
    force: bool,
) -> None:
    """Write the outlines of pieces, and print remarks about them."""
    remarks: list[str] = []
    text = pictures.cut(subject, format=format, cutting=cutting, remarks=remarks)
    for remark in remarks:
        say(remark)
    write_file(output, lambda: text, force)


Bed = Annotated[Plate | None, Option("Plate of the printer, or sheet, in mm.", "WxD", "--plate", parse=Plate.of)]
Tray = Annotated[bool, Option("Add a tray, or the walls as a box and a lid.", name="--tray")]


def picture_format(file: str) -> str:
    """Return the format of a picture by the extension of its file."""
    return Path(file).suffix.lower().removeprefix(".")


def write_preview(made: list[File], title: str, file: str, force: bool) -> None:
    """Write a picture of the plates."""
    from puzzlec.make.preview import preview

    picture = preview([part.items for part in made], title)
    written: str | bytes = picture
    if picture_format(file) == "png":
        from puzzlec.show.svg.files import png

        written = png(picture)
    write_file(file, lambda: written, force)


def model(
    depicted: Depicted,
    sizes: Annotated[Given, Sizes] = {},  # noqa: B006 - it is not changed
    layout: Annotated[
        str, Option("Arrange pieces in rows (plate), or as in the first solution (solution).", "LAYOUT", words=LAYOUTS)
    ] = "plate",
    plate: Bed = None,
    comes_apart: ShowsApart = None,
    tray: Tray = False,
    cutting: Annotated[Given, Cutting] = {},  # noqa: B006 - it is not changed
    separate: Annotated[bool, Option("Write a file for each piece.")] = False,
    preview: Annotated[
        str | None,
        Option("Draw the plates as SVG or PNG.", "FILE", offered=paths(*PREVIEWS), parse=ending_in(*PREVIEWS)),
    ] = None,
    to: Annotated[
        str | None, Option(f"Format: {', '.join(FORMATS)}. [default: from FILE]", "FORMAT", words=FORMATS)
    ] = None,
    palette: Palette = "standard",
) -> None:
    """Write the pieces for a 3D printer or a laser.

    The extension of FILE is the format: meshes to print, or outlines that a laser cuts out of a sheet.

    Examples:
        puzzlec model soma -o soma.3mf --gap 0.3
        puzzlec model pentominoes/6x10 -o six.dxf --tray

    """
    output, force = depicted.file("stl"), depicted.force
    format = format_of(to, output, FORMATS, "model")
    is_mesh = format in of_kind(MESHES)
    refuse_existing(preview or "-", force)
    if plate and layout == "solution" and is_mesh:
        raise typer.BadParameter("a solution has no plate", param_hint="--plate")
    of_meshes = Sizes(**sizes, palette=palette)
    of_meshes.verify()
    refuse_existing(output, separate or force)
    limit = 1 if layout == "solution" or depicted.solution is not None else 0
    with depicted.making():
        subject = depicted.subject(limit, comes_apart)
        if subject.choice:
            say(subject.choice)
        if layout == "solution" and subject.remark and not subject.shown:
            raise typer.Exit(ExitStatus.LIMIT if " found in " in subject.remark else ExitStatus.NO_SOLUTION)
        if not is_mesh:
            outlines = Cutting(replace(Sizes(gap=0.0), **sizes), **cutting, plate=plate, layout=layout, tray=tray)
            write_outlines(subject, output, format, outlines, force)
            files = [output]
        else:
            remarks: list[str] = []
            made = made_files(subject, format, of_meshes, layout, plate, separate, remarks, tray)
            files = write_meshes(made, remarks, output, separate, force)
            if preview is not None:
                write_preview(made, subject.title, preview, force)
                files.append(preview)
    for file in files if MODE.json else ():
        tell_written(file, picture_format(file) if file == preview else format)


def write_meshes(made: list[File], remarks: list[str], output: str, separate: bool, force: bool) -> list[str]:
    """Write meshes, and print remarks about them; return the names of the files."""
    targets = [] if output == "-" else file_names(output, [file.name for file in made])
    if output == "-":
        if len(made) > 1:
            raise typer.BadParameter(f"these are {len(made)} files: name one to write", param_hint="-o")
        write_file(output, lambda: made[0].data)
    else:
        with ExitStack() as all_or_none:
            for target, file in zip(targets, made, strict=True):
                all_or_none.enter_context(new_file(target, force)).write_bytes(file.data)
                if len(made) > 1 or separate:
                    say(f"{target}: {file.said}")
    for remark in remarks:
        say(remark)
    return targets
