"""The table of formats that can be read, and how a text's format is known when nobody says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, Report, Source, suggestion
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.geometry.lattice import Cell
from puzzlec.geometry.regions import box
from puzzlec.ir import Fitting, Location, Piece, Puzzle

Board = tuple[Location, ...]


class Given(NamedTuple):
    """What is given beside a text: a board for formats that hold none, values for the parameters of a puzzle."""

    board: Board = ()
    parameters: Mapping[str, int] = MappingProxyType({})


class Format(NamedTuple):
    """A format that can be read: its endings, what it is, and its reader.

    ``pieces_only``: it needs a board. ``has_parameters``: it takes values for them.
    """

    name: str
    endings: tuple[str, ...]
    summary: str
    reader: Callable[[Source, Report, Given], Puzzle | Fitting]
    pieces_only: bool = False
    has_parameters: bool = False


# A reader is imported when a text of its format is read.


def _puzzle(source: Source, report: Report, given: Given) -> Puzzle:
    from puzzlec.readers.puzzle_text import read_puzzle

    return read_puzzle(source, report, given.parameters)


def _dpf(source: Source, report: Report, given: Given) -> Fitting:  # noqa: ARG001
    from puzzlec.readers.dpf import read_dpf

    return read_dpf(source, report)


def _compact(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    from puzzlec.readers.compact import read_compact

    return read_compact(source, report)


def _board_text(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    from puzzlec.readers.board import read_board

    return read_board(source, report)


def _piezas(source: Source, report: Report, given: Given) -> Puzzle:
    from puzzlec.readers.piezas import read_piezas

    return read_piezas(source, report, given.board)


def _offsets(source: Source, report: Report, given: Given) -> Puzzle:
    from puzzlec.readers.offsets import read_offsets

    return read_offsets(source, report, given.board)


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("puzzle", (".puzzle",), "the puzzle language", _puzzle, has_parameters=True),
        Format("dpf", (".dpf",), "Discrete Piece Fitting", _dpf),
        Format("compact", (".compact",), "compact geometric format", _compact),
        Format("board", (".board",), "a board of x and . for pentominoes", _board_text),
        Format("piezas", (".xml",), "PIEZAS XML: pieces only", _piezas, pieces_only=True),
        Format("offsets", (".offsets",), "offset shape arrays: pieces only", _offsets, pieces_only=True),
    )
}


def guess_format(source: Source) -> str:
    """Return the name of the format of a text: by the ending of its name, else by what it holds.

    Raises PuzzleError where neither tells.
    """
    ending = PurePath(source.name).suffix.lower()
    for each in FORMATS.values():
        if ending in each.endings:
            return each.name
    text = source.text
    start = text.lstrip()
    if start.startswith("<"):
        return "piezas"
    if re.fullmatch(r"[x.\s]+", text):
        return "board"
    from puzzlec.readers.puzzle_text import KEYWORDS

    if re.match(r"#|\b(?:" + "|".join(KEYWORDS) + r")\b", start):
        return "puzzle"
    if re.match(r"[\w\s\[\]]*=\s*[\[{]", start):
        return "offsets"
    if re.match(r"-?[0-9]|//", start):
        fitting = [name for name in ("dpf", "compact") if _reads(name, source)]
        if len(fitting) == 1:
            return fitting[0]
    raise fail(
        "PZ004",
        "cannot tell the format of this text",
        file=source.name,
        help="say it with `--from`: one of " + ", ".join(FORMATS),
    )


def _reads(name: str, source: Source) -> bool:
    try:
        FORMATS[name].reader(source, Report(), Given())
    except PuzzleError:
        return False
    return True


def read(
    source: Source,
    format: str | None,
    report: Report,
    board: str | None = None,
    parameters: Mapping[str, int] | None = None,
) -> Puzzle | Fitting:
    """Return what a text means, at the level of its format; warnings go into the report.

    ``board`` is the board for formats that hold pieces only: ``6x10`` for a box of six columns and ten
    rows, or one number n for n columns and as many rows as the pieces fill. ``parameters`` are values for
    the parameters of a puzzle, in place of those in the text. Raises PuzzleError with all faults found.
    """
    name = format or guess_format(source)
    if name not in FORMATS:
        raise fail(
            "PZ004",
            f"the format `{name}` is not known",
            note="formats are " + ", ".join(FORMATS),
            help=suggestion(name, FORMATS),
        )
    chosen = FORMATS[name]
    if parameters and not chosen.has_parameters:
        raise fail("PZ331", f"a text of the format `{name}` has no parameters", file=source.name)
    if not chosen.pieces_only:
        return chosen.reader(source, report, Given((), parameters or {}))
    if board is None:
        chosen.reader(source, report, Given())  # faults of the text come first
        raise fail(
            "PZ251",
            f"a text of the format `{name}` holds pieces only",
            file=source.name,
            help="give the board with `--board`, such as `--board 10x6`",
        )
    puzzle = chosen.reader(source, report, Given())
    assert isinstance(puzzle, Puzzle)
    return chosen.reader(source, Report(), Given(_board(board, puzzle.pieces)))


def _board(text: str, pieces: tuple[Piece, ...]) -> Board:
    """Return the locations of a board such as ``10x6``, or of n columns that hold just these pieces."""
    match = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", text, re.ASCII)
    volume = sum(len(piece.cells) for piece in pieces)
    if not match or int(match.group(1)) < 1:
        raise fail("PZ252", f"the board `{text}` is not known", help="write columns x rows, such as `10x6`")
    columns = int(match.group(1))
    if match.group(2) is None and volume % columns:
        raise fail("PZ252", f"the {volume} cells of the pieces do not fill whole rows of {columns}")
    rows = int(match.group(2)) if match.group(2) else volume // columns
    cells: dict[Cell, None] = box([columns, rows])
    return tuple(Location(cell) for cell in cells)
