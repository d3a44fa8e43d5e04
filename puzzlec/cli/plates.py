"""What is typed of plates and trays, and the names of the files for several."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.make import Plate

Bed = Annotated[
    str | None,
    typer.Option("--plate", metavar="WxD", help="The plate of the printer, or the sheet, in mm, such as 200x200."),
]
Tray = Annotated[bool, typer.Option("--tray", help="A tray or a box for the board, too; to cut: a frame and a plate.")]
Wall = Annotated[
    float | None, typer.Option(metavar="MM", min=0, help="How thick the tray's walls are; 2 mm, to cut 8 or more.")
]


def plate_of(text: str | None) -> Plate | None:
    """Return the plate that a text such as 200x180 means; raise typer.BadParameter for what is none."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*[x×]\s*(\d{1,6}(?:\.\d{1,6})?)\s*", text)
    if match is None or not (float(match[1]) and float(match[2])):
        raise typer.BadParameter(f"`{text}` is no width and depth in mm such as 200x200", param_hint="--plate")
    return Plate(float(match[1]), float(match[2]))


def file_names(output: str, marks: list[str]) -> list[str]:
    """Return the names of files that are told apart by marks; signs that a name may not have become `_`.

    >>> file_names("a/b.stl", ["V", "v", "x/y", ""])
    ['a/b-V.stl', 'a/b-v-2.stl', 'a/b-x_y.stl', 'a/b.stl']
    """
    path, taken, found = Path(output), set[str](), []
    for mark in marks:
        plain = re.sub(r"[^\w+-]", "_", mark)
        name, number = plain, 1
        while name.lower() in taken:  # some systems do not tell large letters from small ones
            number += 1
            name = f"{plain}-{number}"
        taken.add(name.lower())
        found.append(str(path.with_name(f"{path.stem}-{name}{path.suffix}" if mark else path.name)))
    return found
