"""What somebody wants to see of some solutions: how many, which, in what form and where."""

from __future__ import annotations

from typing import NamedTuple

import typer

from puzzlec.cli.formatting import FORMATS, formatted
from puzzlec.cli.terminal import style
from puzzlec.diagnostics import none_of
from puzzlec.formats.solutions.streams import Form, form_of
from puzzlec.ir import Solution
from puzzlec.show import Style

#: The format that only a file can have.
_FILE_ONLY = "parquet"


class Wish(NamedTuple):
    """What is to be shown; ``every`` says that all solutions are, as a format or a file was named and no number.

    ``form`` is what they are written in. Of ``limit`` and ``sample`` one is given at most.
    """

    limit: int | None
    sample: int | None
    seed: int
    often: bool
    every: bool
    form: Form
    output: str | None
    force: bool = False
    ascii: bool = False

    @property
    def shows(self) -> bool:
        """Whether solutions are to be shown, not only counted."""
        return self.every or self.limit is not None or self.sample is not None

    def told(self, shown: int, number: int) -> str:
        """Say behind a number of solutions how many of them were shown; nothing where none was to be."""
        if not self.shows:
            return ""
        which = "all" if shown >= number else f"the first {shown}" if self.sample is None else f"{shown}"
        return f", {which} of them {'printed' if self.output is None else 'written'}" if number else ""

    def drawn(self, solution: Solution, number: int) -> str:
        """Return a solution as it is printed or written."""
        look = style(self.ascii) if self.output is None else Style(ascii=self.ascii, width=100)
        return formatted(solution, number, self.form.format, look)


def wish_of(
    limit: int | None,
    sample: int | None,
    seed: int,
    often: bool,
    format: str | None,
    output: str | None,
) -> Wish:
    """Return what options ask for together; raise typer.BadParameter for what makes no sense."""
    if format is not None and format not in (*FORMATS, _FILE_ONLY):
        raise typer.BadParameter(none_of(format, (*FORMATS, _FILE_ONLY)), param_hint="--to")
    if seed and sample is None:
        raise typer.BadParameter("it is for the choice of `--sample`", param_hint="--seed")
    if (limit is not None) + (sample is not None) + often > 1:
        raise typer.BadParameter("give one of --limit, --sample and --frequency")
    if output is not None and often:
        raise typer.BadParameter("solutions are written to a file, numbers are printed", param_hint="--output")
    form = Form(format or "text") if output is None else form_of(output, format)
    if form is None:
        fault = "the name does not tell the format: give `--to`"
        if output == "-":
            fault = "without `-o` they are printed: give `--to` alone"
        raise typer.BadParameter(fault, param_hint="--output")
    if output is not None and (told := form_of(output, None)) is not None and told.format != form.format:
        raise typer.BadParameter(f"the name says {told.format}, and --to {form.format}", param_hint="--output")
    if form.format == _FILE_ONLY and (output is None or form.compressed):
        fault = "give `-o FILE`: it cannot be printed" if output is None else "Parquet files are compressed within"
        raise typer.BadParameter(fault, param_hint="--to" if output is None else "--output")
    every = (format is not None or output is not None) and not (often or limit or sample)
    return Wish(limit, sample, seed, often, every, form, output)
