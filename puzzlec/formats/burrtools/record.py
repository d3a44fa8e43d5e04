"""The record of the format: its names, its sign, its reader and its writer."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.formats.burrtools.xmpuzzle import read_xmpuzzle
from puzzlec.formats.kind import MARKUP
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.ir import Puzzle


def _write(what: Puzzle, choices: WriterChoices) -> Iterator[str]:
    from puzzlec.formats.burrtools.writing import write_xmpuzzle

    return write_xmpuzzle(what, choices)


FORMAT = Format(
    "xmpuzzle",
    (".xmpuzzle",),
    "BurrTools XMPuzzle",
    read=read_xmpuzzle,
    write=_write,
    recognise=(Sign(50, rf"{MARKUP}<puzzle\b(?=[\s\S]{{0,2000}}?<(?:gridType|colors|shapes|voxel)\b)"),),
    aliases=("burrtools", "xmp"),
    place=60,
    traits=("problems",),
    answers=("burrtools",),
)
