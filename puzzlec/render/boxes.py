"""Squares and cubes on a terminal: borders between pieces, layers side by side; and tiles with their sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from puzzlec.geometry import Cell
from puzzlec.ir import Solution
from puzzlec.render.style import Board, Style, painted

#: Border characters by the arms they have: up 1, right 2, down 4, left 8.
_BORDERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ASCII = " |-+||++-+-+++++"


def draw(board: Board, style: Style) -> list[str]:
    """Return the layers as boxes, side by side as far as the width goes; nothing where one does not fit."""
    whole = {(*cell, 0, 0, 0)[:3]: owner for cell, owner in board.owners.items()}
    letters = {(*cell, 0, 0, 0)[:3]: sign for cell, sign in board.signs.items()}
    low = [min(cell[axis] for cell in whole) for axis in range(3)]
    high = [max(cell[axis] for cell in whole) for axis in range(3)]
    hues = board.hues()
    columns, layers = high[0] - low[0] + 1, high[2] - low[2] + 1
    if columns * 2 + 1 > style.width:
        return []
    # A cell is three characters wide; two or one where the board would not fit otherwise.
    inner = next(w for w in (3, 2, 1) if columns * (w + 1) + 1 <= style.width)
    one = columns * (inner + 1) + 1
    together = max(1, (style.width + 2) // (one + 2))
    pages = [list(_box(whole, letters, hues, low, high, z, inner, style)) for z in range(low[2], high[2] + 1)]
    lines: list[str] = []
    for start in range(0, layers, together):
        if start:
            lines.append("")
        lines += ["  ".join(row).rstrip() for row in zip(*pages[start : start + together], strict=True)]
    return lines


def _box(
    owners: Mapping[Cell, int],
    letters: Mapping[Cell, str],
    hues: Mapping[int, int],
    low: list[int],
    high: list[int],
    z: int,
    inner: int,
    style: Style,
) -> Iterator[str]:
    """Give the lines of one layer: a border wherever two neighbouring cells belong to different pieces."""

    def owner(x: int, y: int) -> int | None:
        return owners.get((x, y, z))

    borders = _ASCII if style.ascii else _BORDERS
    for y in range(low[1], high[1] + 2):
        edge, body = [], []
        for x in range(low[0], high[0] + 2):
            here, left, above, corner = owner(x, y), owner(x - 1, y), owner(x, y - 1), owner(x - 1, y - 1)
            arms = (corner != above) + 2 * (above != here) + 4 * (left != here) + 8 * (corner != left)
            same = here if here == left == above == corner else None
            edge.append(painted(borders[arms], same, hues, style))
            body.append(painted(borders[5] if left != here else " ", here if left == here else None, hues, style))
            if x <= high[0]:
                line = borders[10] if above != here else " "
                edge.append(painted(line * inner, here if above == here else None, hues, style))
                sign = letters.get((x, y, z), " ")
                body.append(painted(f"{sign:^{inner}}", here, hues, style))
        yield "".join(edge)
        if y <= high[1]:
            yield "".join(body)


def draw_tiles(solution: Solution, style: Style) -> list[str]:
    """Return tiles with the colours of their sides and the sign of the piece in the middle; nothing where too wide."""
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    inside: dict[Cell, tuple[str, ...]] = {}
    for placement, sign in zip(solution.placements, solution.signs(), strict=True):
        top, right, bottom, left = solution.sides(placement) or (" ",) * 4
        for location in placement.locations:
            at = puzzle.locations[location].at
            assert isinstance(at, tuple)
            inside[at] = (f"   {top}   ", f" {left} {sign} {right} ", f"   {bottom}   ")
    cells = [each.at for each in puzzle.locations if not isinstance(each.at, str)]
    low, high = [min(axis) for axis in zip(*cells, strict=True)], [max(axis) for axis in zip(*cells, strict=True)]
    if (high[0] - low[0] + 1) * 8 + 1 > style.width:
        return []
    borders, there = _ASCII if style.ascii else _BORDERS, set(cells)
    blank = (" " * 7,) * 3
    lines: list[str] = []
    for y in range(low[1], high[1] + 2):
        rows = ["", "", "", ""]
        for x in range(low[0], high[0] + 2):
            here, before, above, corner = (each in there for each in ((x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)))
            arms = (corner or above) + 2 * (above or here) + 4 * (before or here) + 8 * (corner or before)
            rows[0] += borders[arms] + borders[10 if above or here else 0] * 7
            for number, text in enumerate(inside.get((x, y), blank), 1):
                rows[number] += borders[5 if before or here else 0] + text
        lines += [row.rstrip() for row in (rows if y <= high[1] else rows[:1])]
    # The border behind the last column reached one cell too far.
    return [line[: (high[0] - low[0] + 1) * 8 + 1].rstrip() for line in lines]
