"""``puzzlec model``: the pieces of a puzzle as meshes, to print and to hold."""

from __future__ import annotations

import os
import re
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec.cli.arguments import (
    Force,
    Json,
    Output,
    PuzzleName,
    Reading,
    ShowsApart,
    Symmetry,
)  # fmt: skip
from puzzlec.cli.candidates import check_word, paths, words
from puzzlec.cli.output import new_file, refuse_two_results, tell_written, written_to
from puzzlec.cli.picturing import Palette, Patience, SolutionFile, known_palette, making, subject_of, wanted_file
from puzzlec.cli.terminal import say
from puzzlec.make import LAYOUTS, Plate, Sizes
from puzzlec.make import files as made_files
from puzzlec.make import outputs as pictures
from puzzlec.make.table import MESHES, OUTLINES, endings, of_kind

if TYPE_CHECKING:
    from puzzlec.make import File
    from puzzlec.solving.subject import Subject

#: All formats that `model` writes, by the extension of a file.
FORMATS = (*of_kind(MESHES), *of_kind(OUTLINES))

#: The formats of `--preview`.
PREVIEWS = ("svg", "png")

#: The values of `--engrave`.
ENGRAVED = ("labels", "cells", "none")

Kerf = Annotated[float | None, typer.Option(metavar="MM", min=0, help="Outlines: width of the beam. [default: 0]")]
Radius = Annotated[
    float | None, typer.Option(metavar="MM", min=0, help="Outlines: radius of outer corners.", hidden=True)
]
Engrave = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="Outlines: engrave labels (default), cells or none.",
        autocompletion=words(ENGRAVED),
    ),
]


def refuse_cutting(kerf: float | None, radius: float | None, engrave: str | None) -> None:
    """Raise typer.BadParameter for options of outlines with a format of meshes."""
    given = {"--kerf": kerf is not None, "--radius": radius is not None, "--engrave": engrave is not None}
    for name, there in given.items():
        if there:
            raise typer.BadParameter(f"it is for outlines that are cut: {endings(OUTLINES)}", param_hint=name)


def write_outlines(
    subject: Subject,
    output: str,
    format: str,
    sizes: dict[str, float | None],
    layout: str,
    plate: Plate | None,
    cutting: tuple[float | None, float | None, str | None, bool],
    force: bool,
) -> None:
    """Write the outlines of pieces, and print remarks about them.

    ``sizes`` are those that are given, ``cutting`` the kerf, the radius, what is engraved, and whether there is a tray.
    """
    from puzzlec.make.laser import Cutting

    for name in ("bevel", "height", "neck"):
        if sizes.get(name) is not None:
            raise typer.BadParameter(f"it is for meshes: {endings(MESHES)}", param_hint=f"--{name}")
    kerf, radius, engrave, tray = cutting
    chosen = Cutting(
        replace(Sizes(gap=0.0), **{name: value for name, value in sizes.items() if value is not None}),  # type: ignore[arg-type]
        kerf or 0.0,
        radius or 0.0,
        plate,
        engraved(engrave),
        layout,
        tray,
    )
    remarks: list[str] = []
    text = pictures.cut(subject, format=format, cutting=chosen, remarks=remarks)
    for remark in remarks:
        say(remark)
    if output == "-":
        with written_to("standard output", ""):
            sys.stdout.write(text)
            sys.stdout.flush()
        return
    with new_file(output, force) as path:
        path.write_text(text, encoding="utf-8", newline="\n")


def engraved(text: str | None) -> tuple[str, ...]:
    """Return the parts of a text such as labels,cells; raise typer.BadParameter for an unknown part.

    >>> engraved("cells,labels"), engraved("none"), engraved(None)
    (('cells', 'labels'), (), ('labels',))
    """
    words = ["labels"] if text is None else [word.strip() for word in text.split(",")]
    for word in words:
        check_word(word, ENGRAVED, "--engrave")
    if "none" in words and len(words) > 1:
        raise typer.BadParameter("use `none` alone", param_hint="--engrave")
    return tuple(dict.fromkeys(word for word in words if word != "none"))


Bed = Annotated[
    str | None,
    typer.Option("--plate", metavar="WxD", help="Plate of the printer, or sheet, in mm."),
]
Tray = Annotated[bool, typer.Option("--tray", help="Add a tray, or the walls as a box and a lid.")]
Wall = Annotated[
    float | None,
    typer.Option(metavar="MM", min=0, help="Thickness of the tray's walls. [default: 2; laser: 8]", hidden=True),
]


def plate_of(text: str | None) -> Plate | None:
    """Return the plate of a text such as 200x180; raise typer.BadParameter for another text."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*[x×]\s*(\d{1,6}(?:\.\d{1,6})?)\s*", text)
    if match is None or not (float(match[1]) and float(match[2])):
        raise typer.BadParameter(f"`{text}` is not a width and depth in mm, such as 200x200", param_hint="--plate")
    return Plate(float(match[1]), float(match[2]))


def file_names(output: str, marks: list[str]) -> list[str]:
    """Return file names with marks. Characters that are not allowed in a file name become `_`.

    >>> file_names("a/b.stl", ["V", "v", "x/y", ""])
    ['a/b-V.stl', 'a/b-v-2.stl', 'a/b-x_y.stl', 'a/b.stl']
    """
    path, taken, found = Path(output), set[str](), []
    for mark in marks:
        plain = re.sub(r"[^\w+-]", "_", mark)
        name, number = plain, 1
        while name.lower() in taken:  # some systems ignore the case of letters
            number += 1
            name = f"{plain}-{number}"
        taken.add(name.lower())
        found.append(str(path.with_name(f"{path.stem}-{name}{path.suffix}" if mark else path.name)))
    return found


def picture_format(file: str) -> str:
    """Return the format of a picture by the extension of its file: svg or png, or another word."""
    return Path(file).suffix.lower().removeprefix(".")


def refuse_preview(file: str, is_mesh: bool, force: bool) -> None:
    """Raise typer.BadParameter if a file cannot be a picture of meshes; also if it exists, unless ``force``."""
    if not is_mesh:
        raise typer.BadParameter("it is for meshes: a file of outlines is a picture", param_hint="--preview")
    if picture_format(file) not in PREVIEWS:
        wanted = " or ".join(f"`{Path(file).stem}.{format}`" for format in PREVIEWS)
        raise typer.BadParameter(f"expected {wanted}, found `{file}`", param_hint="--preview")
    if not force and os.path.lexists(file):
        with new_file(file):
            pass


def write_preview(made: list[File], title: str, file: str, force: bool) -> None:
    """Write a picture of the plates."""
    from puzzlec.make.preview import preview

    shown = preview([part.items for part in made], title)
    written: bytes = shown.encode()
    if picture_format(file) == "png":
        from puzzlec.show.svg.files import png

        written = png(shown)
    with new_file(file, force) as path:
        path.write_bytes(written)


def model(
    puzzle: PuzzleName,
    output: Output = None,
    cell: Annotated[float | None, typer.Option(metavar="MM", min=0, help="Side of a cell. [default: 20]")] = None,
    gap: Annotated[float | None, typer.Option(metavar="MM", min=0, help="Gap between pieces. [default: 0.2]")] = None,
    bevel: Annotated[float | None, typer.Option(metavar="MM", min=0, help="Bevel of edges. [default: 0.5]")] = None,
    height: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="Height of flat pieces. [default: a quarter of a cell]")
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            "--layout",
            metavar="LAYOUT",
            help="Arrange pieces in rows (plate), or as in the first solution (solution).",
            autocompletion=words(LAYOUTS),
        ),
    ] = "plate",
    plate: Bed = None,
    comes_apart: ShowsApart = None,
    tray: Tray = False,
    kerf: Kerf = None,
    engrave: Engrave = None,
    separate: Annotated[bool, typer.Option("--separate", help="Write a file for each piece.")] = False,
    preview: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the plates as SVG or PNG.", autocompletion=paths(".svg", ".png")),
    ] = None,
    width: Annotated[
        float | None,
        typer.Option(metavar="MM", min=0, help="Width of sticks. [default: a quarter of the shortest]", hidden=True),
    ] = None,
    neck: Annotated[
        float | None,
        typer.Option(metavar="MM", min=0, help="Radius of necks between balls.", hidden=True),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help=f"Format: {', '.join(FORMATS)}. [default: from FILE]",
            autocompletion=words(FORMATS),
        ),
    ] = None,
    radius: Radius = None,
    wall: Wall = None,
    palette: Palette = "standard",
    solution: SolutionFile = None,
    time: Patience = None,
    symmetry: Symmetry = Symmetry(),
    reading: Reading = Reading(),
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write the pieces for a 3D printer or a laser.

    The extension of FILE is the format: meshes to print, or outlines that a laser cuts out of a sheet.

    Examples:
        puzzlec model soma -o soma.3mf --gap 0.3
        puzzlec model pentominoes/6x10 -o six.dxf --tray

    """
    output = wanted_file(output, puzzle, "stl")
    refuse_two_results(as_json, output)
    format = to or Path(output).suffix.lower().removeprefix(".")
    if not format:
        wanted = "name a format: `--to stl`" if output == "-" else f"the name has no extension: `-o {output}.stl`"
        raise typer.BadParameter(wanted, param_hint="-o")
    check_word(format, FORMATS, "--to" if to else "-o")
    check_word(layout, LAYOUTS, "--layout")
    is_mesh = format in of_kind(MESHES)
    if is_mesh:
        refuse_cutting(kerf, radius, engrave)
    if preview is not None:
        refuse_preview(preview, is_mesh, force)
    if separate and not is_mesh:
        raise typer.BadParameter(f"it is for meshes: {endings(MESHES)}", param_hint="--separate")
    if separate and output == "-":
        raise typer.BadParameter("each piece is a file: name one to write", param_hint="-o")
    if plate and layout == "solution" and is_mesh:
        raise typer.BadParameter("a solution has no plate", param_hint="--plate")
    chosen = {"cell": cell, "gap": gap, "bevel": bevel, "height": height, "width": width, "neck": neck, "wall": wall}
    known_palette(palette)
    sizes = Sizes(**{name: value for name, value in chosen.items() if value is not None}, palette=palette)
    sizes.verify()
    bed = plate_of(plate)
    if output != "-" and not (separate or force) and os.path.lexists(output):
        with new_file(output):  # a wrong value is refused at once, not after a search
            pass
    limit = 1 if layout == "solution" or solution is not None else 0
    which = symmetry.which
    with making(time):
        subject = subject_of(reading.of(puzzle), solution, limit, time, which, comes_apart)
        if subject.choice:
            say(subject.choice)
        if not is_mesh:
            cutting = (kerf, radius, engrave, tray)
            write_outlines(subject, output, format, chosen, layout, bed, cutting, force)
            files = [output]
        else:
            remarks: list[str] = []
            made = made_files(subject, format, sizes, layout, bed, separate, remarks, tray)
            files = write_meshes(made, remarks, output, separate, force)
            if preview is not None:
                write_preview(made, subject.title, preview, force)
                files.append(preview)
    for file in files if as_json else ():
        tell_written(file, picture_format(file) if file == preview else format)


def write_meshes(made: list[File], remarks: list[str], output: str, separate: bool, force: bool) -> list[str]:
    """Write meshes, and print remarks about them; return the names of the files."""
    targets = [] if output == "-" else file_names(output, [file.name for file in made])
    if output == "-":
        if len(made) > 1:
            raise typer.BadParameter(f"these are {len(made)} files: name one to write", param_hint="-o")
        with written_to("standard output", ""):
            sys.stdout.buffer.write(made[0].data)
            sys.stdout.flush()
    else:
        with ExitStack() as all_or_none:
            for target, file in zip(targets, made, strict=True):
                all_or_none.enter_context(new_file(target, force)).write_bytes(file.data)
                if len(made) > 1 or separate:
                    say(f"{target}: {file.said}")
    for remark in remarks:
        say(remark)
    return targets
