"""Text on a terminal: solutions with borders between pieces, puzzles and pieces as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import drawn_rule, is_scattered, rule_of
from puzzlec.ir import Location, Piece, Puzzle, Solution
from puzzlec.ir.solution import piece_signs
from puzzlec.lower import aspects
from puzzlec.render import boxes, edges, hexagons, mosaic, triangles
from puzzlec.render.layout import wrapped
from puzzlec.render.style import Board, Style

#: No picture is so wide.
_ANY = 10**9

#: How a board is drawn, by the drawing rule of its lattice; nothing where it does not fit the width.
_PICTURES: dict[str, Callable[[Board, Style], list[str]]] = {
    "rows": boxes.draw,
    "hex": hexagons.draw,
    "triangle": triangles.draw,
    "sticks": edges.draw,
}


def draw_solution(solution: Solution, style: Style | None = None) -> str:
    """Return a picture of a solution.

    A cell shows the piece on it. Where pieces have longer names than a character, it shows a sign of its
    own for each piece, and a legend follows; or else, on a flat board of three colours or more, the colour
    of the location (a domino board shows its pips). Without geometry, or where cells cannot be drawn, the picture is
    a line for each piece with the locations that it covers.
    """
    style = style or Style()
    puzzle = solution.fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        return solution.listing()
    board, legend = _board(solution, puzzle, puzzle.lattice)
    picture = _picture(board.lattice)
    if picture is None or not board.owners or _is_scattered(board):
        return solution.listing()
    if any(map(solution.sides, solution.placements)):
        tiles = boxes.draw_tiles(solution, style) if _has_square_tiles(board.lattice) else []
        return "\n".join([*tiles, *wrapped(legend, style.width)]) if tiles else solution.listing()
    lines = picture(board, style) or str(solution).split("\n")  # too wide for borders
    return "\n".join([*lines, *wrapped(legend, style.width)])


def _picture(lattice: Lattice) -> Callable[[Board, Style], list[str]] | None:
    """Return how a board of a lattice is drawn, None where it cannot be."""
    if rule_of(lattice) is not None:
        return _PICTURES[lattice.drawing]
    if edges.is_drawable(lattice):
        return edges.draw
    return mosaic.draw if mosaic.is_drawable(lattice) else None


def _is_scattered(board: Board) -> bool:
    rule = rule_of(board.lattice)
    return rule.is_scattered(board.owners) if rule is not None else is_scattered(board.owners)


def _has_square_tiles(lattice: Lattice) -> bool:
    return lattice.drawing == "rows" and lattice.dimension == 2 and len(lattice.kinds[0].neighbours) == 4


def _board(solution: Solution, puzzle: Puzzle, lattice: Lattice) -> tuple[Board, list[str]]:
    """Return which piece is on which cell, with its sign, and a legend of signs that are no names."""
    owners: dict[Cell, int] = {}
    signs: dict[Cell, str] = {}
    for location in puzzle.locations:
        assert isinstance(location.at, tuple)
        owners[location.at], signs[location.at] = -1, " "
    names = [solution.fitting.piece_name(placement.piece) for placement in solution.placements]
    legend: dict[str, None] = {}
    pip = _colour_signs(location.colour for location in puzzle.locations)
    show_pips = None not in pip and len(pip) > 2 and lattice.dimension < 3 and any(len(name) > 1 for name in names)
    for number, (placement, sign, name) in enumerate(zip(solution.placements, solution.signs(), names, strict=True)):
        if sign != name and not show_pips:
            legend[f"{sign} {name}"] = None
        for index in placement.locations:
            covered = puzzle.locations[index]
            assert isinstance(covered.at, tuple)
            owners[covered.at], signs[covered.at] = number, pip[covered.colour] if show_pips else sign
    return Board(lattice, owners, signs), list(legend)


def draw_puzzle(puzzle: Puzzle, style: Style | None = None) -> str:
    """Return a picture of the locations of a puzzle: colours by their signs, `?` for one that may stay empty."""
    sign = _colour_signs(location.colour for location in puzzle.locations)
    signs = {
        location.at: "?" if location.optional and location.colour is None else sign[location.colour]
        for location in puzzle.locations
        if isinstance(location.at, tuple)
    }
    width = (style or Style()).width
    lines = _cells(signs, puzzle.lattice, width) if puzzle.lattice is not None else []
    if not lines:
        lines = wrapped([_named(location) for location in puzzle.locations], width)
    return "\n".join(lines)


def draw_piece(piece: Piece, lattice: Lattice) -> str:
    """Return a drawing of a piece as the language would have it; a dash for one with listed placements."""
    if piece.covers is not None:
        return "-"
    if piece.sides:
        return "edges " + " ".join(piece.sides)
    sign = _colour_signs(piece.colours)
    cells = {cell: sign[colour] for cell, colour in zip(piece.cells, piece.colours, strict=True)}
    lines = _cells(cells, lattice, _ANY)
    return "\n".join(lines) or " ".join("(" + ",".join(map(str, cell)) + ")" for cell in piece.cells)


def _cells(signs: Mapping[Cell, str], lattice: Lattice, width: int) -> list[str]:
    """Return cells as the language has them, or else as a picture where one fits the width; else nothing."""
    rule = drawn_rule(lattice, signs)
    if not signs or (rule is None and is_scattered(signs)):
        return []
    if rule is not None and (rule.signs or set(signs.values()) == {"x"}):
        return rule.lines(signs)
    if edges.is_drawable(lattice):
        lines = edges.draw_strokes(signs, lattice)
        return lines if max(map(len, lines)) <= width else []
    if not mosaic.is_drawable(lattice):
        return []
    return mosaic.draw(Board(lattice, dict.fromkeys(signs, 0), dict(signs)), Style(width=width))


def draw_aspects(piece: Piece, lattice: Lattice, width: int = 80) -> str:
    """Return drawings of all aspects of a piece on a lattice, side by side as far as the width goes."""
    lines: list[str] = []
    row: list[str] = []
    for aspect in aspects(piece, lattice):
        cells = [lattice.cell(point) or point for point, _ in aspect]
        turned = replace(piece, cells=tuple(cells), colours=tuple(colour for _, colour in aspect))
        block = draw_piece(turned, lattice).split("\n")
        before = max(map(len, row), default=-4)
        if row and before + 4 + max(map(len, block)) > width:
            lines += [*row, ""]
            row, before = [], -4
        height = max(len(row), len(block))
        left = [line.ljust(before + 4) for line in [*row, *[""] * (height - len(row))]]
        row = [a + b for a, b in zip(left, [*block, *[""] * (height - len(block))], strict=True)]
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
