"""The solutions that a checkpoint keeps, printed or written to a file as they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from puzzlec.cli.formatting import what_is_lost
from puzzlec.cli.manner import MANNER
from puzzlec.cli.output import new_file, tell_written
from puzzlec.cli.terminal import out, say
from puzzlec.cli.wishes import Wish

if TYPE_CHECKING:
    from puzzlec.engine.cover_rows import Rows
    from puzzlec.jobs.bulk import StoredSolutions


def show(stored: StoredSolutions, parts: Iterable[Rows], wish: Wish, symmetry: str) -> None:
    """Print solutions, or write them to a file."""
    if lost := what_is_lost(stored.fitting, wish.form.format):
        say(lost)
    if wish.output is not None:
        from puzzlec.formats.solutions.files import writer

        about, number = stored.about(symmetry), 0
        with (
            new_file(wish.output, wish.force) as path,
            writer(path, wish.form, stored.encoding, wish.drawn, about) as file,
        ):
            for rows in parts:
                file.write_options(rows)
                number += len(rows)
        if MANNER.json:
            tell_written(wish.output, wish.form.format, solutions=number)
        return
    from puzzlec.formats.solutions.lines import Lines

    lines, number = Lines(stored.encoding, wish.form.format, wish.drawn), 1
    for rows in parts:
        # A blank line stands between pictures; shorter forms are printed many at a time.
        if wish.form.format == "text":
            for at, text in enumerate(lines.texts(rows, number), number):
                out("\n" * (at > 1) + text)
        elif len(rows):
            out("\n".join(lines.texts(rows, number)))
        number += len(rows)
