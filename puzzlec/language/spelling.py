"""Spelling of the puzzle language: names, addresses, and statements with drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.board_shapes import BOARD_SHAPES
from puzzlec.geometry.drawing import STAND_INS, DrawingRule, layout, marks
from puzzlec.ir.location import Address

#: Words that continue a statement where another name of a list is possible.
_WORDS = ("sum", "all", "at", "for")

#: Words that begin a region. A region with such a name is written in double quotes.
REGION_WORDS = ("box", "grid", "edges", "cells", "names", *BOARD_SHAPES)

#: Longest drawing on one line.
_MAX_INLINE_CHARACTERS = 24


def quoted(name: str) -> str:
    """Return a name as the language writes it: in double quotes unless it is a plain word.

    >>> quoted("F"), quoted("big L")
    ('F', '"big L"')
    """
    plain = re.fullmatch(r"\w[\w\-]*", name) and name not in _WORDS
    return name if plain else '"' + name.replace('"', "'") + '"'


def region_text(name: str) -> str:
    """Return the name of a region as the language writes it.

    >>> region_text("core"), region_text("ring")
    ('core', '"ring"')
    """
    return f'"{name}"' if name in REGION_WORDS else quoted(name)


def taken_shape(library: str, shape: str) -> str:
    """Return a shape of a library, or of a family with its size.

    >>> taken_shape("pentominoes", "F"), taken_shape("polyominoes 7", "7-12")
    ('pentominoes.F', 'polyominoes 7 "7-12"')
    """
    if " " not in library:
        return f"{library}.{quoted(shape)}"
    return f"{library} {quoted(shape)}" if not shape[:1].isdecimal() else f'{library} "{shape}"'


def addresses(ats: Iterable[Address]) -> str:
    """Return addresses as the language writes them: names, or cells in brackets."""
    return " ".join(quoted(at) if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")" for at in ats)


def listed(ats: Sequence[Address]) -> str:
    """Return a region that lists addresses: cells, or names.

    >>> listed(["0", "1", "2"]), listed(["a", "big b"]), listed([(0, 0), (1, 0)])
    ('names 0..2', 'names a "big b"', 'cells (0,0) (1,0)')
    """
    if not any(isinstance(at, str) for at in ats):
        return f"cells {addresses(ats)}"
    if len(ats) > 2 and list(ats) == list(map(str, range(len(ats)))):
        return f"names 0..{len(ats) - 1}"
    return f"names {addresses(ats)}"


def drawing(
    head: str, signs: Mapping[Cell, str], lattice: Lattice, rule: DrawingRule, place: bool = False
) -> Iterator[str]:
    """Yield a statement with a drawing, on one line if it is small, and with ``at`` if it has a position.

    A sign is a character, or an expression such as ``{12}``.
    """
    expressions = {sign for sign in signs.values() if len(sign) > 1}
    stand_ins = {sign: chr(STAND_INS + number) for number, sign in enumerate(sorted(expressions))}
    signs = {cell: stand_ins.get(sign, sign) for cell, sign in signs.items()}
    rows = rule.lines(signs) if rule.spaced else ["  ".join(row) for row in layout(signs)]
    at = _place(signs, rows, lattice) if place else ""
    rows = [row.translate({ord(character): sign for sign, character in stand_ins.items()}) for row in rows]
    short = "/".join(rows)
    # White space divides layers or is position, so the spaces after the brace are not part of the first row.
    on_one = len(rows) < 3 and not rows[0].startswith(" ") if rule.spaced else len(rows) == 1 or " " not in short
    if len(short) <= _MAX_INLINE_CHARACTERS and on_one and (rule.signs or len(rows) == 1):
        yield f"{head} {{ {short} }}{at}"
        return
    yield f"{head} {{"
    yield from (f"  {row}" for row in rows)
    yield f"}}{at}"


def _place(signs: Mapping[Cell, str], rows: list[str], lattice: Lattice) -> str:
    """Return the translation that moves the cells of a drawing to their positions."""
    read = min(mark.cell for mark in marks("\n".join(rows), lattice))
    vector = [a - b for a, b in zip(min(signs), read, strict=True)][: lattice.dimension]
    return f" at ({','.join(map(str, vector))})" if any(vector) else ""
