"""What `model` needs for outlines that a laser cuts: their options, and how the file is written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.output import new_file, written_to
from puzzlec.cli.terminal import say
from puzzlec.diagnostics import none_of
from puzzlec.make import Plate, Sizes
from puzzlec.make import outputs as pictures

if TYPE_CHECKING:
    from puzzlec.solving.subject import Subject

#: The formats of outlines, and what each is good for.
OUTLINES = {"svg": "outlines in mm, to cut", "dxf": "outlines in mm, on layers"}

#: All that `model` writes, by the ending of a file.
FORMATS = ("stl", "3mf", "glb", *OUTLINES)

#: What `--engrave` may say.
ENGRAVED = ("labels", "cells", "none")

Kerf = Annotated[
    float | None, typer.Option(metavar="MM", min=0, help="Outlines to cut: how wide the beam is; 0 if not given.")
]
Radius = Annotated[float | None, typer.Option(metavar="MM", min=0, help="Outlines to cut: round outer corners.")]
Engrave = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="Outlines to cut: engrave labels, cells, both with a comma, or none.",
        autocompletion=words(ENGRAVED),
    ),
]


def refuse_cutting(kerf: float | None, radius: float | None, engrave: str | None) -> None:
    """Raise typer.BadParameter for options of outlines, where meshes are asked for."""
    given = {"--kerf": kerf is not None, "--radius": radius is not None, "--engrave": engrave is not None}
    for name, there in given.items():
        if there:
            raise typer.BadParameter("it is for outlines that are cut: .svg and .dxf", param_hint=name)


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
    """Write the outlines of pieces, and say what is to be known about them.

    ``sizes`` are those that are given, ``cutting`` the kerf, the radius, what is engraved, and whether there is a tray.
    """
    from puzzlec.make.laser import Cutting

    for name in ("bevel", "height", "neck"):
        if sizes.get(name) is not None:
            raise typer.BadParameter("it is for meshes: .stl, .3mf and .glb", param_hint=f"--{name}")
    kerf, radius, engrave, tray = cutting
    chosen = Cutting(
        Sizes(**{"gap": 0.0, **{name: value for name, value in sizes.items() if value is not None}}),
        kerf or 0.0,
        radius or 0.0,
        plate,
        engraved(engrave),
        layout,
        tray,
    )
    remarks: list[str] = []
    text = pictures.cut(subject, format, chosen, remarks)
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
    """Return what a text such as labels,cells means; raise typer.BadParameter for what cannot be engraved.

    >>> engraved("cells,labels"), engraved("none"), engraved(None)
    (('cells', 'labels'), (), ('labels',))
    """
    words = ["labels"] if text is None else [word.strip() for word in text.split(",")]
    for word in words:
        if word not in ENGRAVED:
            raise typer.BadParameter(none_of(word, list(ENGRAVED)), param_hint="--engrave")
    if "none" in words and len(words) > 1:
        raise typer.BadParameter("`none` stands alone", param_hint="--engrave")
    return tuple(dict.fromkeys(word for word in words if word != "none"))
