"""Common words for lattices and their cells, as data in ``lattice_words.yaml``, for suggestions in messages."""

from __future__ import annotations

from functools import cache
from typing import Any

from puzzlec import resources
from puzzlec.geometry.lattice import Cell, Lattice, lattice_names

#: Up to this number of kinds of cell, a message names all of them.
MAX_KINDS_NAMED = 4

#: The minimum number of letters of a word that may be the beginning of a longer word.
MIN_WORD_LETTERS = 3


@cache
def _words() -> dict[str, Any]:
    document: dict[str, Any] = resources.yaml_document(resources.folder("lattices").parent / "lattice_words.yaml")
    return document


def lattice_meant(word: str) -> str | None:
    """Return the lattice that a word, or the beginning of one, may mean; None if unclear.

    >>> lattice_meant("hexagons"), lattice_meant("Half-squares"), lattice_meant("4D"), lattice_meant("sqare")
    ('hex', 'tetrakis', 'hypercubic', None)
    """
    plain = "".join(sign for sign in word.lower() if sign.isalnum())
    names = {name: name for name in lattice_names()}
    names |= {other: name for name, others in _words()["names"].items() for other in others}
    for text in (plain, plain.removesuffix("s")):
        if text in names:
            return names[text]
    if len(plain) < MIN_WORD_LETTERS:
        return None
    longer = {name for other, name in names.items() if other.startswith(plain)}
    if len(longer) != 1:
        longer = {
            name for other, name in names.items() if len(other) >= MIN_WORD_LETTERS and plain == other + "lattice"
        }
    return longer.pop() if len(longer) == 1 else None


def lattice_of_boxes(dimension: int) -> str | None:
    """Return the lattice of plain boxes of a dimension, None if there is none.

    >>> lattice_of_boxes(2), lattice_of_boxes(4), lattice_of_boxes(5)
    ('square', 'hypercubic', None)
    """
    names: list[str] = _words()["boxes"]
    return names[dimension - 1] if 0 < dimension <= len(names) else None


def is_of_boxes(lattice: Lattice) -> bool:
    """Return whether a lattice is one of plain boxes, which users often confuse."""
    return lattice.name in _words()["boxes"]


def coordinates_text(lattice: Lattice) -> str:
    """Return the letters of a cell's coordinates.

    >>> from puzzlec.geometry import find_lattice
    >>> coordinates_text(find_lattice("triangle"))
    '(x,y,k)'
    """
    letters = ["x", "y", "z", "w", "u", "v"]
    axes = letters[: lattice.dimension] + [f"x{n}" for n in range(len(letters) + 1, lattice.dimension + 1)]
    return f"({','.join(axes + ['k'] * (len(lattice.kinds) > 1))})"


def cell_text(lattice: Lattice) -> str:
    """Return the form of a cell in words: its coordinates, and the meaning of the number of its kind.

    >>> from puzzlec.geometry import find_lattice
    >>> cell_text(find_lattice("triangle"))
    'a cell here is (x,y,k): k = 0 triangle pointing up, k = 1 triangle pointing down'
    >>> cell_text(find_lattice("drafter"))
    'a cell here is (x,y,k): k from 0 to 11'
    """
    text = f"a cell here is {coordinates_text(lattice)}"
    kinds = [kind.name for kind in lattice.kinds]
    if len(kinds) == 1:
        return text
    if len(kinds) > MAX_KINDS_NAMED:
        return f"{text}: k from 0 to {len(kinds) - 1}"
    return f"{text}: " + ", ".join(f"k = {number} {name}" for number, name in enumerate(kinds))


def cells_beside(lattice: Lattice) -> list[Cell]:
    """Return the cells across the sides of the first cell at the origin, in the order of the sides of a tile.

    >>> from puzzlec.geometry import find_lattice
    >>> cells_beside(find_lattice("square"))
    [(0, -1), (1, 0), (0, 1), (-1, 0)]
    """
    first = lattice.kinds[0]
    points = [tuple(at + step for at, step in zip(first.at, steps, strict=True)) for steps in first.neighbours]
    return [cell for point in points if (cell := lattice.cell(point)) is not None]
