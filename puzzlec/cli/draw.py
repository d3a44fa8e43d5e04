"""``puzzlec draw``: a puzzle and its solutions as a picture."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

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
from puzzlec.cli.candidates import check_word, words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.output import new_file, refuse_two_results, tell_written, written_to
from puzzlec.cli.picturing import Limit, Palette, Patience, SolutionFile, making, subject_of, wanted_file
from puzzlec.cli.terminal import out, say
from puzzlec.make import outputs as pictures
from puzzlec.make.table import PICTURES, endings, of_kind
from puzzlec.show.palette import PALETTES
from puzzlec.show.svg.choices import LABELS, SHOWN, VIEWS, WORKSHEET, Choices
from puzzlec.show.svg.paper import SIZES, paper_of
from puzzlec.solving.subject import MAX_COMPARED, Subject

FORMATS = tuple(of_kind(PICTURES))
_COLOUR = re.compile(r"none|#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}")


def draw(
    puzzle: PuzzleName,
    output: Output = None,
    what: Annotated[
        str | None,
        typer.Option(
            "--show",
            metavar="WHAT",
            help="solution (default), board, pieces or all.",
            autocompletion=words(SHOWN),
        ),
    ] = None,
    limit: Limit = None,
    solution: SolutionFile = None,
    title: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Title above. [default for several pictures: the puzzle's]"),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Fit the page: a3, a4, a5, letter, legal, or WxD in mm.", autocompletion=words(SIZES)
        ),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Draw in black and white.")] = False,
    worksheet: Annotated[
        bool, typer.Option("--worksheet", help="PDF for a class: board, pieces to cut out, solutions.")
    ] = False,
    labels: Annotated[
        str,
        typer.Option(
            metavar="WHICH", help="Labels on pieces: auto, names, signs or none.", autocompletion=words(LABELS)
        ),
    ] = "auto",
    view: Annotated[
        str | None,
        typer.Option(metavar="VIEW", help="Solids: isometric, layers or both.", autocompletion=words(VIEWS)),
    ] = None,
    explode: Annotated[
        float, typer.Option(metavar="N", min=0, max=10, help="Solids: move the pieces apart by N cells.")
    ] = 0,
    cell: Annotated[
        float | None,
        typer.Option(metavar="PX", min=1, max=1000, help="Size of a cell in px, with --paper in mm.", hidden=True),
    ] = None,
    columns: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Number of pictures side by side.", hidden=True),
    ] = None,
    legend: Annotated[
        bool | None, typer.Option("--legend/--no-legend", help="Add the names of pieces and colours below.")
    ] = None,
    background: Annotated[
        str, typer.Option(metavar="COLOUR", help="Background: #ffffff or none.", hidden=True)
    ] = "#ffffff",
    steps: Annotated[bool, typer.Option("--steps", help="One picture for each step of the assembly.")] = False,
    animate: Annotated[
        bool, typer.Option("--animate", help="SVG: animate how the solution comes apart, like .webp and .gif.")
    ] = False,
    rotate: Annotated[bool, typer.Option("--rotate", help="Rotate a flat board 90° clockwise.")] = False,
    comes_apart: ShowsApart = None,
    palette: Palette = "standard",
    scale: Annotated[
        float | None,
        typer.Option(metavar="N", min=0.01, max=100, help="PNG: pixels for each px. [default: 2]", hidden=True),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help=f"Format: {', '.join(FORMATS)}. [default: from FILE]",
            autocompletion=words(FORMATS),
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    time: Patience = None,
    symmetry: Symmetry = Symmetry(),
    reading: Reading = Reading(),
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draw a puzzle or its solutions as a picture.

    The extension of FILE is the format: .svg, .png or .pdf. With .webp or .gif an animation shows how the solution
    comes apart. For a puzzle without a solution, the picture shows the board and the pieces.

    Examples:
        puzzlec draw pentominoes/6x10 -o six.svg --limit 12
        puzzlec draw soma -o pieces.svg --show pieces

    """
    terminal = "" if worksheet or puzzle == "-" else f". `puzzlec solve {puzzle}` draws in the terminal"
    output = wanted_file(output, puzzle, "pdf" if worksheet else "svg", terminal)
    refuse_two_results(as_json, output)
    format = to or ("svg" if output == "-" else Path(output).suffix.lower().removeprefix("."))
    if not format:
        raise typer.BadParameter(f"the name of the file must end in {endings(PICTURES, last='or')}", param_hint="-o")
    check_word(format, FORMATS, "--to" if to else "-o")
    for name, value, known in (
        ("--show", what, SHOWN),
        ("--labels", labels, LABELS),
        ("--view", view, VIEWS),
        ("--palette", palette, tuple(PALETTES)),
    ):
        check_word(value, known, name)
    if worksheet and (format != "pdf" or what is not None):
        stem = Path(output or puzzle).stem.strip("-") or "sheet"
        raise typer.BadParameter(
            f"a worksheet is a PDF with all parts: write `-o {stem}.pdf`, without `--show`", param_hint="--worksheet"
        )
    if animate and format not in ("svg", "webp", "gif"):
        raise typer.BadParameter(f"{format} has no animation: write .svg, .webp or .gif", param_hint="--animate")
    if not _COLOUR.fullmatch(background):
        raise typer.BadParameter("expected a colour such as #ffffff, or none", param_hint="--background")
    if paper is not None:
        try:
            paper_of(paper)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--paper") from None
    show = WORKSHEET if worksheet else what
    choices = Choices(
        show=show,
        cell=cell,
        columns=columns,
        labels=labels,
        legend=legend,
        plain=plain,
        background=background,
        view=view,
        explode=explode,
        steps=steps,
        animate=animate,
        title=title,
        paper=paper,
        turn=rotate,
        palette=palette,
    )
    moving = animate or format in ("webp", "gif")
    number = 0 if what in ("board", "pieces") else limit if limit is not None or solution is not None else 1

    def picture() -> bytes:
        remarks: list[str] = []
        which = symmetry.which
        named = reading.of(puzzle)

        def found(apart: bool | None, at_most: int | None) -> Subject:
            apart = False if apart is None and not moving and number != 1 else apart
            return subject_of(named, solution, number, time, which, apart, at_most, moving)

        def drawn(subject: Subject) -> str | bytes:
            return pictures.draw(subject, format=format, choices=choices, scale=scale, remarks=remarks)

        with making(time):
            if moving and solution is None:
                made = pictures.first_apart(found, drawn, comes_apart)
            else:
                made = drawn(found(comes_apart, MAX_COMPARED))
        for remark in remarks:
            say(remark)
        return made.encode() if isinstance(made, str) else made

    _write(picture, output, format, force)
    if as_json and output != "-":
        tell_written(output, format)


def _write(picture: Callable[[], bytes], output: str, format: str, force: bool) -> None:
    """Write a picture to a file or to standard output."""
    if output != "-":
        with new_file(output, force) as path:
            path.write_bytes(picture())
    elif format == "svg":
        out(picture().decode().rstrip("\n"))
    else:
        with written_to("standard output", ""):
            sys.stdout.buffer.write(picture())
            sys.stdout.flush()
