"""``puzzlec model``: the pieces of a puzzle as meshes, to print and to hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    Board,
    From,
    Json,
    Parameters,
    Problem,
    PuzzleName,
    Raw,
    SymmetryName,
    chosen_symmetry,
)  # fmt: skip
from puzzlec.cli.candidates import words
from puzzlec.cli.cutting import FORMATS, OUTLINES, Engrave, Kerf, Radius, refuse_cutting, write_outlines
from puzzlec.cli.meshing import write_meshes
from puzzlec.cli.output import new_file, refuse_two_results, tell_written
from puzzlec.cli.picturing import Force, Output, Patience, SolutionFile, making, subject_of, wanted_file
from puzzlec.cli.plates import Bed, Tray, Wall, plate_of
from puzzlec.diagnostics import none_of
from puzzlec.make import LAYOUTS, MESHES, Sizes


def model(
    puzzle: PuzzleName,
    output: Output = None,
    cell: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="How long a cell's side is; 20 mm if not given.")
    ] = None,
    gap: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="The air between two pieces; 0.2 mm if not given.")
    ] = None,
    bevel: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="How broad edges are cut off; 0.5 mm if not given.")
    ] = None,
    height: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="How high flat pieces are; a quarter of a cell.")
    ] = None,
    width: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="How wide sticks are; a quarter of the shortest.")
    ] = None,
    neck: Annotated[
        float | None, typer.Option(metavar="MM", min=0, help="The radius of necks between balls; a quarter of a ball.")
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            "--in",
            metavar="LAYOUT",
            help="plate: in rows, to print. solution: as in the first solution.",
            autocompletion=words(LAYOUTS),
        ),
    ] = "plate",
    plate: Bed = None,
    separate: Annotated[
        bool, typer.Option("--separate", help="A file for each piece, with its name behind that of FILE.")
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="stl, 3mf, glb, svg or dxf, where the name of FILE does not tell.",
            autocompletion=words(FORMATS),
        ),
    ] = None,
    kerf: Kerf = None,
    radius: Radius = None,
    engrave: Engrave = None,
    tray: Tray = False,
    wall: Wall = None,
    solution: SolutionFile = None,
    time: Patience = None,
    raw: Raw = False,
    symmetry: SymmetryName = None,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make the pieces of a puzzle, to print or to cut.

    The name of FILE says the format: .stl, .3mf or .glb for meshes, .svg or .dxf for outlines that a laser cuts out of
    a sheet. Example: puzzlec model soma -o soma.3mf --gap 0.3
    """
    output = wanted_file(output, puzzle, "stl", "3mf")
    refuse_two_results(as_json, output)
    format = to or Path(output).suffix.lower().removeprefix(".")
    if not format:
        wanted = "say in which format: `--to stl`" if output == "-" else f"the name has no ending: `-o {output}.stl`"
        raise typer.BadParameter(wanted, param_hint="-o")
    if format not in (*MESHES, *OUTLINES):
        raise typer.BadParameter(none_of(format, [*MESHES, *OUTLINES]), param_hint="--to" if to else "-o")
    if layout not in LAYOUTS:
        raise typer.BadParameter(none_of(layout, list(LAYOUTS)), param_hint="--in")
    if format in MESHES:
        refuse_cutting(kerf, radius, engrave)
    if wall is not None and not tray:
        raise typer.BadParameter("it is for a tray: `--tray`", param_hint="--wall")
    if separate and format in OUTLINES:
        raise typer.BadParameter("it is for meshes: .stl, .3mf and .glb", param_hint="--separate")
    if separate and output == "-":
        raise typer.BadParameter("each piece is a file: name one to write", param_hint="-o")
    if separate and (layout == "solution" or plate):
        text = "pieces in files of their own lie on no plate and in no solution"
        raise typer.BadParameter(text, param_hint="--separate")
    if plate and layout == "solution" and format in MESHES:
        raise typer.BadParameter("pieces as in a solution lie on no plate", param_hint="--plate")
    chosen = {"cell": cell, "gap": gap, "bevel": bevel, "height": height, "width": width, "neck": neck, "wall": wall}
    sizes = Sizes(**{name: value for name, value in chosen.items() if value is not None})
    sizes.verify()
    bed = plate_of(plate)
    if output != "-" and not (separate or force) and os.path.lexists(output):
        with new_file(output):  # which is refused at once, not after a search
            pass
    limit = 1 if layout == "solution" or solution is not None else 0
    which = chosen_symmetry(raw, symmetry)
    with making(time):
        found = subject_of(puzzle, source, board, given, problem, solution, limit, time, which)
        if format in OUTLINES:
            cutting = (kerf, radius, engrave, tray)
            write_outlines(found, output, format, chosen, layout, bed, cutting, force)
            files = [output]
        else:
            files = write_meshes(found, output, format, sizes, layout, bed, separate, tray, force)
    for file in files if as_json else ():
        tell_written(file, format)
