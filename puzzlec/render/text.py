"""Text on a terminal: borders between pieces, colours that differ between neighbours, layers side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import is_scattered, layout, layout_sticks
from puzzlec.ir import Location, Piece, Puzzle, Solution
from puzzlec.ir.solution import piece_signs
from puzzlec.lower import aspects
from puzzlec.render.layout import wrapped

#: Backgrounds of the 256-colour palette, to be told apart by colour-blind people, too (after Okabe and Ito).
PALETTE = (222, 117, 79, 229, 75, 209, 182, 250)

#: Border characters by the arms they have: up 1, right 2, down 4, left 8.
_BORDERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ASCII = " |-+||++-+-+++++"


@dataclass(frozen=True)
class Style:
    """How to draw: with colours or without, in Unicode or in ASCII, within so many columns."""

    colour: bool = False
    ascii: bool = False
    width: int = 80


def draw_solution(solution: Solution, style: Style | None = None) -> str:
    """Return a picture of a solution.

    A cell shows the piece on it. Where pieces have longer names than a character, it shows a sign of its
    own for each piece, and a legend follows; or else, on a flat board of three colours or more, the colour
    of the location (a domino board shows its pips). Without geometry the picture is a line for each piece with
    the locations that it covers.
    """
    style = style or Style()
    puzzle = solution.fitting.puzzle
    if puzzle is not None and puzzle.lattice is not None and puzzle.lattice.drawing == "sticks":
        return _sticks(solution, style)
    if puzzle is None or puzzle.lattice is None or puzzle.lattice.drawing != "rows":
        return solution.listing()
    owners: dict[Cell, int] = {}
    signs: dict[Cell, str] = {}
    for location in puzzle.locations:
        assert isinstance(location.at, tuple)
        owners[location.at], signs[location.at] = -1, " "
    names = [solution.fitting.piece_name(placement.piece) for placement in solution.placements]
    legend: dict[str, None] = {}
    pip = _colour_signs(location.colour for location in puzzle.locations)
    show_pips = None not in pip and len(pip) > 2 and puzzle.lattice.dimension < 3 and any(len(n) > 1 for n in names)
    for number, (placement, sign, name) in enumerate(zip(solution.placements, solution.signs(), names, strict=True)):
        if sign != name and not show_pips:
            legend[f"{sign} {name}"] = None
        for index in placement.locations:
            covered = puzzle.locations[index]
            assert isinstance(covered.at, tuple)
            owners[covered.at], signs[covered.at] = number, pip[covered.colour] if show_pips else sign
    if is_scattered(owners):
        return solution.listing()
    if any(map(solution.sides, solution.placements)):
        tiles = _tiles(solution, style) if puzzle.lattice.dimension == 2 else []
        return "\n".join([*tiles, *wrapped(list(legend), style.width)]) if tiles else solution.listing()
    lines = _boxes(signs, owners, style)
    columns = [cell[0] for cell in owners]
    if (max(columns) - min(columns) + 1) * 2 + 1 > style.width:
        lines = str(solution).split("\n")  # too wide for borders
    return "\n".join([*lines, *wrapped(list(legend), style.width)])


def _sticks(solution: Solution, style: Style) -> str:
    """Return sticks as a grid of points with the sign of its piece on each edge, and a legend where signs need one."""
    named = {
        f"{sign} {name}": None
        for placement, sign in zip(solution.placements, solution.signs(), strict=True)
        if (name := solution.fitting.piece_name(placement.piece)) != sign
    }
    drawn = str(solution)
    if not style.colour:
        return "\n".join([drawn, *wrapped(list(named), style.width)])
    hue = {sign: PALETTE[number % len(PALETTE)] for number, sign in enumerate(dict.fromkeys(solution.signs()))}
    painted = "".join(f"\033[38;5;16;48;5;{hue[each]}m{each}\033[0m" if each in hue else each for each in drawn)
    return "\n".join([painted, *wrapped(list(named), style.width)])


def _tiles(solution: Solution, style: Style) -> list[str]:
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


def draw_puzzle(puzzle: Puzzle, style: Style | None = None) -> str:
    """Return a picture of the locations of a puzzle: colours by their signs, `?` for one that may stay empty."""
    if puzzle.lattice is not None and puzzle.lattice.drawing == "sticks":
        edges = {each.at: each.optional for each in puzzle.locations if not isinstance(each.at, str)}
        return "\n".join(layout_sticks({at: "?" if may else "-|"[at[2]] for at, may in edges.items()}))
    if puzzle.lattice is None or puzzle.lattice.drawing != "rows":
        return "\n".join(wrapped([_named(location) for location in puzzle.locations], (style or Style()).width))
    sign = _colour_signs(location.colour for location in puzzle.locations)
    signs = {
        location.at: "?" if location.optional and location.colour is None else sign[location.colour]
        for location in puzzle.locations
        if isinstance(location.at, tuple)
    }
    if is_scattered(signs):
        return "\n".join(wrapped([_named(location) for location in puzzle.locations], (style or Style()).width))
    return "\n".join(" ".join(row) for row in layout(signs))


def draw_piece(piece: Piece, sticks: bool = False) -> str:
    """Return a drawing of a piece as the language would have it; a dash for one with listed placements.

    ``sticks``: its cells are edges of the square grid.
    """
    if piece.covers is not None:
        return "-"
    if sticks:
        return "\n".join(layout_sticks({cell: "-|"[cell[2]] for cell in piece.cells}))
    if piece.sides:
        return "edges " + " ".join(piece.sides)
    sign = _colour_signs(piece.colours)
    cells = {cell: sign[colour] for cell, colour in zip(piece.cells, piece.colours, strict=True)}
    if len(piece.cells[0]) > 3 or is_scattered(piece.cells):
        return " ".join("(" + ",".join(map(str, cell)) + ")" for cell in piece.cells)
    return "\n".join(" ".join(row) for row in layout(cells))


def draw_aspects(piece: Piece, lattice: Lattice, width: int = 80) -> str:
    """Return drawings of all aspects of a piece on a lattice, side by side as far as the width goes."""
    lines: list[str] = []
    row: list[str] = []
    sticks = lattice.drawing == "sticks"
    for aspect in aspects(piece, lattice):
        cells = [lattice.cell(point) or point for point, _ in aspect]
        drawn = draw_piece(replace(piece, cells=tuple(cells), colours=tuple(colour for _, colour in aspect)), sticks)
        block = drawn.split("\n")
        if row and len(row[0]) + 4 + len(block[0]) > width:
            lines += [*row, ""]
            row = []
        before = max(map(len, row), default=-4)
        height = max(len(row), len(block))
        left = [line.ljust(before) for line in [*row, *[""] * (height - len(row))]] if row else [""] * height
        row = [
            a + " " * (4 * bool(row)) + b for a, b in zip(left, [*block, *[""] * (height - len(block))], strict=True)
        ]
    return "\n".join(line.rstrip() for line in [*lines, *row])


def _colour_signs(colours: Iterable[str | None]) -> dict[str | None, str]:
    """Return a character for each colour, `x` for none."""
    everything = dict.fromkeys(colours)
    named = [colour for colour in everything if colour is not None]
    signs: dict[str | None, str] = {**dict(zip(named, piece_signs(named), strict=True))}
    if None in everything:
        signs[None] = "x"
    return signs


def _named(location: Location) -> str:
    name = location.at if isinstance(location.at, str) else ",".join(map(str, location.at))
    return name + "?" * location.optional


def _boxes(signs: Mapping[Cell, str], owners: Mapping[Cell, int], style: Style) -> list[str]:
    """Return the layers as boxes, side by side as far as the width goes."""
    whole = {(*cell, 0, 0, 0)[:3]: owner for cell, owner in owners.items()}
    letters = {(*cell, 0, 0, 0)[:3]: sign for cell, sign in signs.items()}
    low = [min(cell[axis] for cell in whole) for axis in range(3)]
    high = [max(cell[axis] for cell in whole) for axis in range(3)]
    hues = _hues(whole)
    columns, layers = high[0] - low[0] + 1, high[2] - low[2] + 1
    # A cell is three characters wide; two or one where the board would not fit otherwise.
    inner = next((w for w in (3, 2, 1) if columns * (w + 1) + 1 <= style.width), 1)
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
            edge.append(_painted(borders[arms], same, hues, style))
            body.append(_painted(borders[5] if left != here else " ", here if left == here else None, hues, style))
            if x <= high[0]:
                line = borders[10] if above != here else " "
                edge.append(_painted(line * inner, here if above == here else None, hues, style))
                sign = letters.get((x, y, z), " ")
                body.append(_painted(f"{sign:^{inner}}", here, hues, style))
        yield "".join(edge)
        if y <= high[1]:
            yield "".join(body)


def _painted(text: str, owner: int | None, hues: Mapping[int, int], style: Style) -> str:
    """Return text on the colour of a piece, where there is one and colours are wanted."""
    if not style.colour or owner is None or owner < 0:
        return text
    return f"\033[38;5;16;48;5;{PALETTE[hues[owner]]}m{text}\033[0m"


def _hues(owners: Mapping[Cell, int]) -> dict[int, int]:
    """Return a colour for each piece, different from its neighbours' as far as the palette goes (greedy)."""
    near: dict[int, set[int]] = {owner: set() for owner in owners.values()}
    for (x, y, z), owner in owners.items():
        for other in (owners.get((x + 1, y, z)), owners.get((x, y + 1, z)), owners.get((x, y, z + 1))):
            if other is not None and other != owner:
                near[owner].add(other)
                near[other].add(owner)
    hues: dict[int, int] = {}
    for owner in sorted(near):
        taken = {hues[other] for other in near[owner] if other in hues}
        hues[owner] = next((hue for hue in range(len(PALETTE)) if hue not in taken), owner % len(PALETTE))
    return hues
