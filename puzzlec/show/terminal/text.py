"""Text on a terminal: solutions with borders between pieces, puzzles and pieces as they are typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.drawing import drawn_rule, is_scattered, rule_of
from puzzlec.geometry.drawing.rule import DrawingSpot
from puzzlec.geometry.layers import layer_of
from puzzlec.ir import Piece, Puzzle, Solution
from puzzlec.ir.location import address_name
from puzzlec.ir.solution import SIGNS, piece_signs
from puzzlec.lower import orientations
from puzzlec.show.scene import solution_scene
from puzzlec.show.terminal import boxes, edges, mosaic, slices
from puzzlec.show.terminal.layout import hanging, rows_of_blocks, wrapped
from puzzlec.show.terminal.style import WALL, BoardOfSigns, Hue, Style, TooWideError, painted

if TYPE_CHECKING:
    from puzzlec.solving.grids import Grid

#: Wider than any picture.
_ANY = Style(width=10**9)

#: The sign of cells that never move.
WALL_SIGN = "#"

#: In a solid, up to this many copies of a piece all have different signs; if there are more, only copies that touch.
_FEW_COPIES = 12

#: The drawings of boards by the drawing rule of their lattice; they raise TooWideError.
_PICTURES: dict[str, Callable[[BoardOfSigns, Style], list[str]]] = {
    "rows": boxes.draw,
    "hex": mosaic.draw_hexagons,
    "triangle": mosaic.draw,
    "sticks": edges.draw,
}


def draw_solution(solution: Solution, style: Style | None = None) -> str:
    """Return a picture of a solution.

    A cell shows the piece on it, followed by its colour there if a piece has several. If the names of pieces are longer
    than a character, each piece has a sign, and a legend follows. On a flat board of three colours or more, cells show
    the colour of the location instead (a domino board shows its pips). On edges and in solids no border divides copies
    or layers, so copies that touch have different signs; a few copies in a solid all differ. Without geometry, or if
    cells cannot be drawn, the picture has a line for each piece with its locations.
    """
    style = style or Style()
    puzzle = solution.fitting.puzzle
    if puzzle is None or puzzle.lattice is None or puzzle.rules.regions:
        from puzzlec.solving.grids import grid_board

        if text := draw_grid(grid_board(solution), style):
            return text
    if puzzle is None or puzzle.lattice is None:
        return "\n".join(listed(solution, style.width))
    board, legend = _board(solution, puzzle, puzzle.lattice, style=style)
    picture, tiles = _picture(board.lattice), any(map(solution.sides, solution.placements))
    is_listed = not board.owners or _is_scattered(board) or (tiles and not _has_square_tiles(board.lattice))
    if picture is None or is_listed:
        return "\n".join(listed(solution, style.width))
    try:
        lines = boxes.draw_tiles(solution, style) if tiles else picture(board, style)
    except TooWideError as error:
        spot = None if tiles else _spot(board.lattice)
        if spot is None:
            return "\n".join([_too_wide(error, style.width), *listed(solution, style.width)])
        board, legend = _board(solution, puzzle, puzzle.lattice, divided=False, style=style)
        lines = boxes.draw_letters(board, style, spot)  # letters need less room than borders
        return "\n".join([*lines, *wrapped(legend, style.width), *_painted(solution)])
    painted = [] if picture is boxes.draw else _painted(solution)
    return "\n".join([*lines, *wrapped(legend, style.width), *painted])


def draw_grid(grid: Grid | None, style: Style) -> str:
    """Return a grid with borders between its areas, ``.`` for no sign; "" if there is none, or no room for it."""
    if grid is None:
        return ""
    signs = {cell: sign or "." for cell, sign in grid.signs.items()}
    try:
        return "\n".join(boxes.draw(BoardOfSigns(find_lattice("square"), grid.areas, signs), style))
    except TooWideError:
        return ""


def _painted(solution: Solution) -> list[str]:
    """Return a line for each piece of several colours, for a picture without room for them."""
    painted = tuple(filter(solution.colours, solution.placements))
    return Solution(solution.fitting, painted).listing().splitlines() if painted else []


def _spot(lattice: Lattice) -> Callable[[Cell], DrawingSpot] | None:
    """Return the position of each cell of a lattice as a letter, None if letters would not show the arrangement."""
    rule = rule_of(lattice)
    if lattice.drawing == "rows" or boxes.is_drawable(lattice):
        return boxes.spot_of_cube
    return None if rule is None or lattice.of_edges else rule.spot


def _too_wide(error: TooWideError, width: int) -> str:
    return f"the picture needs {error.columns} columns, there are {width}"


def _picture(lattice: Lattice) -> Callable[[BoardOfSigns, Style], list[str]] | None:
    """Return the drawing of boards of a lattice, None if there is none."""
    if rule_of(lattice) is not None:
        return _PICTURES[lattice.drawing]
    if edges.is_drawable(lattice):
        return edges.draw
    if boxes.is_drawable(lattice):
        return boxes.draw
    flat = layer_of(lattice)
    drawn = _picture(flat) if flat is not None else None
    if flat is not None and drawn is not None:
        return partial(slices.draw_layers, flat=flat, drawn=drawn)
    if slices.is_of_polyhedra(lattice):
        return slices.draw_cuts
    return mosaic.draw if mosaic.is_drawable(lattice) else None


def _is_scattered(board: BoardOfSigns) -> bool:
    rule = rule_of(board.lattice)
    return rule.is_scattered(board.owners) if rule is not None else is_scattered(board.owners)


def _has_square_tiles(lattice: Lattice) -> bool:
    return lattice.drawing == "rows" and lattice.dimension == 2 and len(lattice.kinds[0].neighbours) == 4


def _board(
    solution: Solution, puzzle: Puzzle, lattice: Lattice, divided: bool = True, style: Style | None = None
) -> tuple[BoardOfSigns, list[str]]:
    """Return the piece and the sign on each cell, and a legend of signs that are not names.

    ``divided``: the picture has borders between pieces, except between edges and between layers of a solid.
    """
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    owners, signs = dict.fromkeys(cells, -1), dict.fromkeys(cells, " ")
    names = [solution.fitting.piece_name(placement.number) for placement in solution.placements]
    pip = _colour_signs(location.colour for location in puzzle.locations)
    painted = any(map(solution.colours, solution.placements))
    show_pips = None not in pip and len(pip) > 2 and lattice.dimension < 3 and any(len(name) > 1 for name in names)
    show_pips = show_pips and not painted
    in_boxes = painted and divided and _picture(lattice) is boxes.draw
    for number, placement in enumerate(solution.placements):
        owners |= dict.fromkeys([cells[index] for index in placement.locations], number)
    scene = solution_scene(solution) if style is not None and style.colour else None
    hues = {number: body.shown_hue for number, body in enumerate(scene.bodies)} if scene else None
    owners |= dict.fromkeys(puzzle.movement.walls, WALL)
    signs |= dict.fromkeys(puzzle.movement.walls, WALL_SIGN)
    board = BoardOfSigns(lattice, owners, signs, puzzle.wrapping, hues)
    signs_of_placements: Sequence[str] = solution.signs()
    if lattice.of_edges or lattice.dimension > 2 or not divided:
        near = _confused(board, solution) if lattice.dimension > 2 else board.near()
        signs_of_placements = signs_of_copies(
            near, [placement.number for placement in solution.placements], signs_of_placements
        )
    for placement, sign in zip(solution.placements, signs_of_placements, strict=True):
        colours = solution.colours(placement) if in_boxes else ()
        for index, own_colour in zip_longest(placement.locations, colours):
            colour = puzzle.locations[index].colour
            signs[cells[index]] = pip[colour] if show_pips else f"{sign}{own_colour or ''}"
    walls = [f"{WALL_SIGN} wall"] * bool(puzzle.movement.walls)
    return board, walls if show_pips else [*_legend(names, signs_of_placements), *walls]


def _confused(board: BoardOfSigns, solution: Solution) -> dict[int, Collection[int]]:
    """Return for each placement in a solid the copies that could look like parts of it in other layers.

    A few copies all differ, so that layers can be read one by one. If there are more, only copies that touch differ. A
    single cell is in one layer only.
    """
    of_piece: dict[int, list[int]] = {}
    for number, placement in enumerate(solution.placements):
        of_piece.setdefault(placement.number, []).append(number)
    near = board.near()
    confused: dict[int, Collection[int]] = {}
    for number, placement in enumerate(solution.placements):
        copies = of_piece[placement.number]
        confused[number] = copies if len(copies) <= _FEW_COPIES else near[number]
        if len(placement.locations) == 1:
            confused[number] = ()
    return confused


def _legend(names: Iterable[str], signs: Iterable[str]) -> list[str]:
    """Return the meaning of signs that are not names, those of a piece together."""
    signs_of: dict[str, dict[str, None]] = {}
    for name, sign in zip(names, signs, strict=True):
        signs_of.setdefault(name, {})[sign] = None
    return [
        f"{' '.join(several)}: copies of {name}" if len(several) > 1 else f"{next(iter(several))} {name}"
        for name, several in signs_of.items()
        if list(several) != [name]
    ]


def draw_puzzle(puzzle: Puzzle, style: Style | None = None) -> str:
    """Return a picture of the locations of a puzzle: colours by their signs, `?` for one that may stay empty.

    Walls are `#`.
    """
    sign = _colour_signs(location.colour for location in puzzle.locations)
    signs = {
        location.at: "?" if location.optional and location.colour is None else sign[location.colour]
        for location in puzzle.locations
        if isinstance(location.at, tuple)
    } | dict.fromkeys(puzzle.movement.walls, WALL_SIGN)
    style = style or Style()
    if puzzle.lattice is None:
        return "\n".join(_listed(puzzle, style))
    try:
        lines = _cells(signs, puzzle.lattice, style._replace(colour=False))
        spot = _spot(puzzle.lattice)
        if spot is not None and max(map(len, lines), default=0) > style.width:
            lines = boxes.draw_letters(_all_alike(signs, puzzle.lattice), style._replace(colour=False), spot)
    except TooWideError as error:
        lines = [_too_wide(error, style.width)]
        return "\n".join([*lines, *_listed(puzzle, style)])
    return "\n".join(lines or _listed(puzzle, style))


def _listed(puzzle: Puzzle, style: Style) -> list[str]:
    return wrapped([address_name(place.at) + "?" * place.optional for place in puzzle.locations], style.width)


def _all_alike(signs: Mapping[Cell, str], lattice: Lattice, hue: Hue = 0) -> BoardOfSigns:
    """Return a board without borders between cells."""
    return BoardOfSigns(lattice, dict.fromkeys(signs, 0), dict(signs), own={0: hue})


def draw_piece(piece: Piece, lattice: Lattice, style: Style | None = None, hue: Hue | None = None) -> str:
    """Return a drawing of a piece as in the language, with an outline if it has slanted sides, or else its cells.

    A piece with listed placements is a dash. Without a style the width is unlimited. With a ``hue`` and a style with
    colours, the cells have that colour.
    """
    if piece.covers is not None:
        return "-"
    if piece.sides:
        return "sides " + " ".join(piece.sides)
    sign = _colour_signs(piece.colours)
    cells = {cell: sign[colour] for cell, colour in zip(piece.cells, piece.colours, strict=True)}
    try:
        style = style or _ANY
        lines = _cells(cells, lattice, style._replace(colour=style.colour and hue is not None), hue or 0)
    except TooWideError:
        lines = []
    return "\n".join(lines) or " ".join("(" + ",".join(map(str, cell)) + ")" for cell in piece.cells)


def _cells(signs: Mapping[Cell, str], lattice: Lattice, style: Style, hue: Hue = 0) -> list[str]:
    """Return cells as the language writes them, or as a picture if they are hexagons or triangles, or nothing.

    Hexagons and triangles without room for their outline are written. Raises TooWideError if a picture is too wide.
    """
    rule = drawn_rule(lattice, signs)
    if not signs or (rule is None and is_scattered(signs)):
        return []
    if rule is not None and lattice.drawing in ("hex", "triangle"):
        with suppress(TooWideError):
            return _PICTURES[lattice.drawing](_all_alike(signs, lattice, hue), style)
    if rule is not None and (rule.signs or set(signs.values()) == {"x"}):
        return [_painted_cells(line, hue, style) for line in rule.lines(signs)]
    if edges.is_drawable(lattice):
        return edges.draw_strokes(signs, lattice, style)
    picture = _picture(lattice)
    return picture(_all_alike(signs, lattice, hue), style) if picture is not None else []


def _painted_cells(line: str, hue: Hue, style: Style) -> str:
    """Return a line of a drawing with its cells on a colour: all signs except dots and spaces."""
    return re.sub(r"[^. ]+", lambda cells: painted(cells.group(), 0, {0: hue}, style), line) if style.colour else line


def draw_orientations(piece: Piece, lattice: Lattice, style: Style | None = None, hue: Hue | None = None) -> str:
    """Return drawings of all orientations of a piece on a lattice, side by side as far as the width permits."""
    style = style or Style()
    blocks = []
    for orientation in orientations(piece, lattice):
        cells = [lattice.cell(point) or point for point, _ in orientation]
        turned = replace(piece, cells=tuple(cells), colours=tuple(colour for _, colour in orientation))
        blocks.append(draw_piece(turned, lattice, style, hue).split("\n"))
    return "\n".join(rows_of_blocks(blocks, style.width, _APART))


def _colour_signs(colours: Iterable[str | None]) -> dict[str | None, str]:
    """Return a character for each colour, `x` for none."""
    everything = dict.fromkeys(colours)
    named = [colour for colour in everything if colour is not None]
    signs: dict[str | None, str] = {**dict(zip(named, piece_signs(named), strict=True))}
    if None in everything:
        signs[None] = "x"
    return signs


def signs_of_copies(near: Mapping[int, Collection[int]], pieces: Sequence[int], signs: Sequence[str]) -> list[str]:
    """Return a sign for each placement, so that copies of a piece that touch have different ones (greedily).

    ``near`` are the placements that touch each, ``pieces`` and ``signs`` the piece of each and its sign, which its
    first copy keeps. Other copies get the same letter in the other case, unless a piece has this letter. Then they get
    a free sign.

    >>> signs_of_copies({0: [1], 1: [0, 2], 2: [1]}, [0, 0, 0], ["D", "D", "D"])
    ['D', 'd', 'D']
    """
    used_signs = dict.fromkeys(signs)
    signs_of = {piece: [sign] for piece, sign in zip(pieces, signs, strict=True)}
    shades: list[int] = []
    for number, piece in enumerate(pieces):
        used = {shades[other] for other in near.get(number, ()) if 0 <= other < number and pieces[other] == piece}
        shades.append(next(shade for shade in range(len(pieces)) if shade not in used))
        if shades[-1] == len(signs_of[piece]):
            sign = next(_free(signs_of[piece][0], used_signs), "*")
            signs_of[piece].append(sign)
            used_signs[sign] = None
    return [signs_of[piece][shade] for piece, shade in zip(pieces, shades, strict=True)]


def _free(sign: str, used: Collection[str]) -> Iterator[str]:
    """Yield the free signs, the most similar one to ``sign`` first."""
    yield from (letter for letter in (sign.swapcase(), *SIGNS) if len(letter) == 1 and letter not in used)


#: More lines than this are set in columns, if there is room.
MOST_LINES = 16

#: Spaces between two columns.
_APART = 4


def listed(solution: Solution, width: int) -> list[str]:
    """Return the locations of each piece: many short lines in columns; long lines continue indented.

    ``Solution.listing`` is the same without a layout.
    """
    lines = solution.listing().split("\n") if solution.placements else []
    if len(lines) > MOST_LINES:
        return in_columns(lines, width)
    return [row for line in lines for row in hanging(line, width)]


def in_columns(lines: Sequence[str], width: int) -> list[str]:
    """Return lines in columns, down and then to the right; long lines continue indented.

    >>> in_columns(["a: 1", "b: 2", "c: 3"], 12)
    ['a: 1    c: 3', 'b: 2']
    """
    wide = max(map(len, lines), default=0)
    columns = min(len(lines), (width + _APART) // (wide + _APART))
    if columns < 2:
        return [row for line in lines for row in hanging(line, width)]
    high = -(-len(lines) // columns)
    apart = " " * _APART
    return [apart.join(line.ljust(wide) for line in lines[row::high]).rstrip() for row in range(high)]
