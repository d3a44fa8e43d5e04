"""Exact covers as the texts that other programs read."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.engine import ExactCover
from puzzlec.ir import Fitting

#: Signs for short names: none of them has a meaning for the programs.
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def short_name(number: int) -> str:
    """Return a name of few letters; Knuth's programs allow eight.

    >>> [short_name(number) for number in (0, 61, 62)]
    ['0', 'Z', '10']
    """
    name = ""
    while not name or number:
        number, digit = divmod(number, len(SIGNS))
        name = SIGNS[digit] + name
    return name


def dlx_text(cover: ExactCover) -> str:
    """Return a problem in the format of Knuth's programs (DLX1, DLX2, SSXCC ...) and of MiniExact.

    >>> print(dlx_text(ExactCover.from_rows([[0, (2, 1)], [1, 3]], primary=2, secondary=2)), end="")
    i0 i1 | i2 i3
    i0 i2:1
    i1 i3
    """
    return "\n".join(_dlx_lines(cover)) + "\n"


def _dlx_lines(cover: ExactCover) -> Iterator[str]:
    names = ["i" + short_name(item) for item in range(cover.primary + cover.secondary)]
    yield " ".join(names[: cover.primary] + (["|", *names[cover.primary :]] if cover.secondary else []))
    for option in range(len(cover)):
        yield " ".join(
            names[item] + (f":{short_name(colour)}" if colour else "") for item, colour in cover.entries(option)
        )


def row_text(cover: ExactCover, sort: bool = False) -> str:
    """Return a problem as numbers: primary and secondary items in the first line, then the items of each option.

    A colour follows its item after ``:``. With ``sort`` the options go from the last primary item to the first.
    An item is then complete after the options of which it is the last. This keeps the frontier of a decision diagram
    narrow if the last items are the cells of a board.

    >>> print(row_text(ExactCover.from_rows([[0, 1], [0, 2], [1, (3, 1)]], primary=3, secondary=1), sort=True), end="")
    3 1
    0 2
    1 3:1
    0 1
    """
    options = list(range(len(cover)))
    if sort:
        descending = [sorted((i for i in cover.row(option) if i < cover.primary), reverse=True) for option in options]
        options.sort(key=lambda option: (-descending[option][0], descending[option]))
    lines = [f"{cover.primary} {cover.secondary}"]
    lines += [
        " ".join(f"{item}:{colour}" if colour else str(item) for item, colour in cover.entries(option))
        for option in options
    ]
    return "\n".join(lines) + "\n"


def read_rows(text: str) -> ExactCover:
    """Return the problem of a :func:`row_text`."""
    head, *lines = text.splitlines()
    primary, secondary = map(int, head.split())
    rows: list[list[int | tuple[int, int]]] = []
    for line in lines:
        pairs = [entry.partition(":") for entry in line.split()]
        rows.append([(int(item), int(colour)) if colour else int(item) for item, _, colour in pairs])
    return ExactCover.from_rows(rows, primary, secondary)


def polycube_text(fitting: Fitting) -> str:
    """Return a puzzle of squares or cubes in the format of Busche's polycube.

    The board is the box around the locations. A piece that cannot move covers the other cells of the box. If any number
    of a piece may be used, it is written as often as it fits. Raises ValueError for features that the program lacks.
    """
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or puzzle.lattice.name not in ("square", "cubic"):
        raise ValueError("polycube knows squares and cubes only")
    if fitting.optional or fitting.mates or puzzle.rules.pieces or any(piece.sides for piece in puzzle.pieces):
        raise ValueError("polycube knows neither optional locations nor rules nor tiles")
    cells = [_space(tuple(location.at)) for location in puzzle.locations]  # type: ignore[arg-type]
    least = [min(cell[axis] for cell in cells) for axis in range(3)]
    sizes = [max(cell[axis] for cell in cells) + 1 - least[axis] for axis in range(3)]
    inside = {tuple(cell[axis] - least[axis] for axis in range(3)) for cell in cells}
    lines = ["D:" + ":".join(f"{axis}Dim={size}" for axis, size in zip("xyz", sizes, strict=True))]
    box = [(x, y, z) for x in range(sizes[0]) for y in range(sizes[1]) for z in range(sizes[2])]
    outside = [cell for cell in box if cell not in inside]
    if outside:
        lines.append(f"C:name=outside:type=S:layout={_layout(outside)}")
    for piece in puzzle.pieces:
        number = piece.high if piece.low == piece.high else len(inside) // len(piece.cells)
        for copy in range(number):
            name = piece.name if number == 1 else f"{piece.name}{copy}"
            lines.append(f"C:name={name}:type=M:layout={_layout([_space(cell) for cell in piece.cells])}")
    return "\n".join([*lines, "~D"]) + "\n"


def _space(cell: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*cell, 0)[:3]
    return x, y, z


def _layout(cells: list[tuple[int, int, int]]) -> str:
    return ", ".join(" ".join(map(str, cell)) for cell in cells)
