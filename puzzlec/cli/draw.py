"""``puzzlec draw``: a puzzle and its solutions as a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from puzzlec.cli.arguments import ShowsApart
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import Option
from puzzlec.cli.output import format_of, tell_written, write_file
from puzzlec.cli.picturing import Depicted, Limit
from puzzlec.cli.terminal import MODE, say
from puzzlec.make import outputs as pictures
from puzzlec.make.table import PICTURES, of_kind
from puzzlec.show.svg.choices import WORKSHEET, Choices
from puzzlec.solving.subject import MAX_COMPARED_ASSEMBLIES, Subject

FORMATS = tuple(of_kind(PICTURES))


def draw(
    depicted: Depicted,
    limit: Limit = None,
    worksheet: Annotated[bool, Option("PDF for a class: board, pieces to cut out, solutions.")] = False,
    choices: Choices = Choices(),
    comes_apart: ShowsApart = None,
    scale: Annotated[
        float | None, Option("PNG: pixels for each px. [default: 2]", "N", least=0.01, most=100, hidden=True)
    ] = None,
    to: Annotated[
        str | None, Option(f"Format: {', '.join(FORMATS)}. [default: from FILE]", "FORMAT", words=FORMATS, panel=OUTPUT)
    ] = None,
) -> None:
    """Draw a puzzle or its solutions as a picture.

    The extension of FILE is the format: .svg, .png or .pdf. With .webp or .gif an animation shows how the solution
    comes apart. For a puzzle without a solution, the picture shows the board and the pieces.

    Examples:
        puzzlec draw pentominoes/6x10 -o six.svg --limit 12
        puzzlec draw soma -o pieces.svg --show pieces

    """
    terminal = (
        "" if worksheet or depicted.puzzle == "-" else f". `puzzlec solve {depicted.puzzle}` draws in the terminal"
    )
    output = depicted.file("pdf" if worksheet else "svg", terminal)
    format = format_of(to or ("svg" if output == "-" else None), output, FORMATS, "draw")
    what = choices.show
    choices = replace(choices, show=WORKSHEET) if worksheet else choices
    moving = choices.animate or format in ("webp", "gif")
    number = 0 if what in ("board", "pieces") else limit if limit is not None or depicted.solution is not None else 1

    def picture() -> str | bytes:
        remarks: list[str] = []

        def subject_of(apart: bool | None, at_most: int | None) -> Subject:
            apart = False if apart is None and not moving and number != 1 else apart
            return depicted.subject(number, apart, at_most, moving)

        def drawn(subject: Subject) -> str | bytes:
            return pictures.draw(subject, format=format, choices=choices, scale=scale, remarks=remarks)

        with depicted.making():
            if moving and depicted.solution is None:
                made = pictures.first_apart(subject_of, drawn, comes_apart)
            else:
                made = drawn(subject_of(comes_apart, MAX_COMPARED_ASSEMBLIES))
        for remark in remarks:
            say(remark)
        return made

    write_file(output, picture, depicted.force)
    if MODE.json and output != "-":
        tell_written(output, format)
