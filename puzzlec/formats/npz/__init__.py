"""An archive of numpy arrays: an exact cover, with the puzzle or fitting that it was made from."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.formats.npz.reading import read_npz
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower.labels import Labelled


def _write(what: Puzzle | Fitting | Labelled, choices: Choices) -> Iterator[bytes]:
    from puzzlec.formats.npz.writing import write_npz

    return write_npz(what, choices)


FORMAT = Format(
    "npz",
    (".npz",),
    "a sparse matrix of scipy, with names",
    level="any",
    read=read_npz,
    write=_write,
    recognise=(Sign(10, "PK", binary=True),),
    aliases=("numpy", "scipy"),
    place=230,
    traits=("binary", "costs"),
    largest=2**29,
)
