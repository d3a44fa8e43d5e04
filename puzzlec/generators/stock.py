"""The pieces of a generated puzzle: names of libraries, with names of their pieces or how many to choose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from puzzlec.diagnostics import none_of
from puzzlec.generators.kind import Value, wrong
from puzzlec.geometry.lattice import Cell, Lattice
from puzzlec.geometry.shapes import find_library, library_names


class Stock(NamedTuple):
    """Pieces of the library ``library``: ``copies`` of the shape ``shape``."""

    library: str
    shape: str
    copies: int = 1

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the shape."""
        return find_library(self.library).shape(self.shape).cells

    @property
    def lattice(self) -> Lattice:
        """The lattice of the library."""
        return find_library(self.library).lattice


def pieces_in(text: Value, random: Random) -> list[Stock]:
    """Return the pieces of a text such as ``pentominoes F I, tetrominoes L x2`` or ``pentominoes 5``.

    A library alone means all its pieces; ``tricubes x2`` means two copies of each. A number after a library
    means that many of its pieces at random. Raises PuzzleError (PZ226) for another text, or an unknown name.
    """
    found: list[Stock] = []
    for part in str(text).split(","):
        library, *words = re.sub(r"\s+x(?=[0-9]+\b)", "*", part).split() or [""]
        library, _, copies = library.partition("*")
        if library not in library_names():
            raise wrong(none_of(library, _likely(library)), "`puzzlec shapes` lists the libraries")
        found += [
            piece._replace(copies=piece.copies * int(copies[:4] or 1)) for piece in _members(library, words, random)
        ]
    if len({piece.lattice.name for piece in found}) > 1:
        raise wrong("the pieces belong to different lattices")
    if not 1 <= sum(piece.copies for piece in found) <= 100:
        raise wrong("the number of pieces must be from 1 to 100")
    return merged(found)


def _likely(library: str) -> list[str]:
    names = [name for name in library_names() if name[:2] == library[:2]]
    return names or ["pentominoes", "tetrominoes", "tetracubes"]


def _members(library: str, words: Sequence[str], random: Random) -> list[Stock]:
    names = list(find_library(library).shapes)
    if not words:
        return [Stock(library, name) for name in names]
    if len(words) == 1 and words[0].isdecimal() and words[0] not in names:
        number = int(words[0])
        if not 1 <= number <= len(names):
            raise wrong(f"`{library}` has {len(names)} pieces: found `{number}`")
        random.shuffle(names)
        return [Stock(library, name) for name in sorted(names[:number])]
    found = []
    for word in words:
        name, _, copies = word.partition("*")
        if name not in names:
            raise wrong(none_of(name, names[:40]), f"`puzzlec shapes {library}` draws the pieces")
        found.append(Stock(library, name, int(copies[:4] or 1)))
    return found


def merged(pieces: Sequence[Stock]) -> list[Stock]:
    """Return the pieces with the copies of equal ones added up."""
    copies: dict[tuple[str, str], int] = {}
    for piece in pieces:
        copies[piece.library, piece.shape] = copies.get((piece.library, piece.shape), 0) + piece.copies
    return [Stock(library, shape, number) for (library, shape), number in copies.items() if number]


def statements(pieces: Sequence[Stock], choose: bool = False) -> list[str]:
    """Return a statement for each piece; with ``choose``, each copy may be left out."""
    shapes = [piece.shape for piece in pieces]
    lines = []
    for piece in pieces:
        name = piece.shape if shapes.count(piece.shape) == 1 else f"{piece.library}-{piece.shape}"
        copies = f" x0..{piece.copies}" if choose else f" x{piece.copies}" if piece.copies > 1 else ""
        lines.append(f"piece {name}{copies} = {piece.library}.{piece.shape}")
    return lines
