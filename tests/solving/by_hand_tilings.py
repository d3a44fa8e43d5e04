"""Tilings of rectangles by a program that shares nothing with puzzlec: properties and numbers of its solutions.

A piece is a set of cells (x, y). A tiling is a tuple with a piece number for each cell, row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

Cells = tuple[tuple[int, int], ...]
#: The owner of each cell, row by row: the number of the placed piece, from 0.
Tiling = tuple[int, ...]

#: The twelve pentominoes, by the rows of their drawings.
PENTOMINOES = (
    ".xx/xx./.x.", "xxxxx", "xxxx/x...", "xxx./..xx", "xxx/xx.", "xxx/.x./.x.",
    "x.x/xxx", "x../x../xxx", "x../xx./.xx", ".x./xxx/.x.", "xxxx/.x..", "xx./.x./.xx",
)  # fmt: skip


def shapes(drawing: str) -> list[Cells]:
    """Return all rotations and reflections of a drawing, each with its first cell (row by row) at the origin."""
    cells = [(x, y) for y, row in enumerate(drawing.split("/")) for x, sign in enumerate(row) if sign == "x"]
    found = set()
    for a, b, swapped in product((1, -1), (1, -1), (False, True)):
        image = [(a * (y if swapped else x), b * (x if swapped else y)) for x, y in cells]
        x0, y0 = min(image, key=lambda cell: (cell[1], cell[0]))
        found.add(tuple(sorted((x - x0, y - y0) for x, y in image)))
    return sorted(found)


def tilings(width: int, height: int, drawings: Sequence[str], *, once: bool = False) -> Iterator[Tiling]:
    """Yield all tilings; ``once``: each piece is used at most once. The first free cell is always filled next."""
    fits: list[list[tuple[int, int, Cells]]] = [[] for _ in range(width * height)]
    for (x, y), (piece, drawing) in product(product(range(width), range(height)), enumerate(drawings)):
        for shape in shapes(drawing):
            cells = tuple((x + i, y + j) for i, j in shape)
            if all(0 <= i < width and j < height for i, j in cells):
                mask = sum(1 << (j * width + i) for i, j in cells)
                fits[y * width + x].append((mask, 1 << piece if once else 0, cells))
    owners = [0] * (width * height)

    def fill(covered: int, used: int, number: int) -> Iterator[Tiling]:
        first = (~covered & covered + 1).bit_length() - 1
        if first >= width * height:
            yield tuple(owners)
            return
        for mask, piece, cells in fits[first]:
            if not (mask & covered or piece & used):
                for x, y in cells:
                    owners[y * width + x] = number
                yield from fill(covered | mask, used | piece, number + 1)

    return fill(0, 0, 0)


def has_no_fault(tiling: Tiling, width: int, *, only_upright: bool = False) -> bool:
    """Return whether a piece crosses each straight line that cuts the rectangle in two."""
    rows = [tiling[k : k + width] for k in range(0, len(tiling), width)]
    columns = list(zip(*rows, strict=True))
    ways = [columns] if only_upright else [columns, rows]
    return all(any(a == b for a, b in zip(*pair, strict=True)) for way in ways for pair in pairwise(way))


def up_to_symmetry(found: Sequence[Tiling], width: int) -> int:
    """Return the number of tilings of a rectangle that is no square, or of a square, up to its symmetries."""
    seen: set[Tiling] = set()
    number = 0
    for tiling in found:
        if (own := _renamed(tiling)) in seen:
            continue
        number += 1
        rows = [own[k : k + width] for k in range(0, len(own), width)]
        for turned in (rows, list(zip(*rows, strict=True))) if len(rows) == width else (rows,):
            for image in (turned, turned[::-1]):
                for last in (image, [row[::-1] for row in image]):
                    seen.add(_renamed(tuple(owner for row in last for owner in row)))
    return number


def _renamed(tiling: Tiling) -> Tiling:
    names: dict[int, int] = {}
    return tuple(names.setdefault(owner, len(names)) for owner in tiling)


def has_three_colours(tiling: Tiling, width: int) -> bool:
    """Return whether the pieces can have three colours, so that pieces that share a side differ."""
    near: dict[int, set[int]] = {owner: set() for owner in tiling}
    for k, owner in enumerate(tiling):
        others = [tiling[k + 1]] if (k + 1) % width else []
        others += [tiling[k + width]] if k + width < len(tiling) else []
        for other in others:
            if other != owner:
                near[owner].add(other)
                near[other].add(owner)
    order = sorted(near)
    colours: dict[int, int] = {}

    def paint(k: int) -> bool:
        if k == len(order):
            return True
        for colour in range(3):
            if all(colours.get(other) != colour for other in near[order[k]]):
                colours[order[k]] = colour
                if paint(k + 1):
                    return True
        colours.pop(order[k], None)
        return False

    return paint(0)
