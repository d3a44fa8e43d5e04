"""Polyform Puzzler's texts: pieces as its Python files have them, or solutions as it prints them.

Pieces are ``piece_data = {'V': (((0,1), (1,0)), {}), ...}``: a text may hold several such tables, each in a class,
whose name tells the family; a board is given apart. Solutions have a header ``solution 1:`` and a line of coordinates
for each piece; their cells are the board. Described in the project's FAQ, section 3
(https://puzzler.sourceforge.io/docs/FAQ.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.polyform.pieces import read_pieces, tables
from puzzlec.formats.polyform.solutions import read_picture, read_solutions, records
from puzzlec.formats.record import Format, Sign
from puzzlec.formats.write_options import Choices
from puzzlec.ir import Puzzle
from puzzlec.language.read_options import Given


def read_polyform(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of a text of Polyform Puzzler.

    The pieces of a solution may be turned, so that it is one solution of the puzzle that it makes. ``given.problem``
    is the number of a solution, or the name of the class of the pieces. Raises PuzzleError for what cannot be read.
    """
    if records(source):
        return read_solutions(source, report, given)
    if tables(source):
        return read_pieces(source, report, given)
    if re.search(r"^[ \t]*(?:[\w.*]{1,4} +){2,}[\w.*]{1,4}[ \t]*$", source.text, re.MULTILINE):
        return read_picture(source, report)
    first = len(source.text) - len(source.text.lstrip())
    raise fail(
        "PZ294",
        "this text has neither pieces nor a solution of Polyform Puzzler",
        source.span(first, first + len(source.text[first:].split("\n")[0])),
        note="pieces are a table `piece_data = {...}`, a solution begins with `solution 1:`",
    )


def _write(what: Puzzle, choices: Choices) -> Iterator[str]:
    from puzzlec.formats.polyform.writing import write_polyform

    return write_polyform(what, choices)


#: The heading of a solution, or a table of pieces, in one of the first lines.
_BEGINNING = (
    r"(?:.*+\n){0,2000}?[ \t]*+"
    r"(?:(?:(?:at .*, )?solution \d+|solving \w+):[ \t]*$|(?:\w+\.)?piece_data\s*=\s*\{)"
)

FORMAT = Format(
    "polyform",
    (".polyform",),
    "Polyform Puzzler's pieces or solutions",
    read=read_polyform,
    write=_write,
    recognise=(Sign(80, _BEGINNING),),
    aliases=("puzzler", "polyforms", "polyform-puzzler"),
    place=140,
    traits=("pieces only", "solid", "problems"),
)
