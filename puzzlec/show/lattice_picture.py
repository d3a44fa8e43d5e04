"""Pictures of lattices as SVG, drawn as puzzles are, so new lattices have one.

A flat lattice is a patch with the coordinates of every cell written on it. Cells whose translations are zero are
tinted. A solid lattice with several kinds of cell has a picture for each kind: its cell among the edges of all others.
With one kind only, some cells are drawn apart, in four dimensions as sections.
"""

from __future__ import annotations

from itertools import combinations, product
from math import dist, inf

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import breadth
from puzzlec.geometry.lattice import cells_at
from puzzlec.ir.location import Location
from puzzlec.show.palette import EMPTY, INK
from puzzlec.show.scene import Scene, SceneBody
from puzzlec.show.svg import sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.ground import Ground
from puzzlec.show.svg.isometric import natural_solid_cell
from puzzlec.show.svg.solid import drawn, solid_figures

#: The least distance of the middles of cells in px, and that of edges, whose labels lie on lines.
_APART, _EDGES_APART = 46.0, 62.0
#: The size of labels, and the tint of the cells at the origin and of edges there.
_LABEL, _TINT, _EDGE_TINT, _EDGE = 12.0, "#fde3a7", "#e0a021", "#8794a1"
#: The size of a picture of a kind of solid cell, that of single cells, in px, and how far they are moved apart.
_FRAME, _SINGLE, _FAR = 110.0, 60.0, 1.8


def lattice_picture(lattice: Lattice) -> str:
    """Return a picture of a lattice as the text of an SVG file."""
    figure = _flat(lattice) if lattice.dimension < 3 else _kinds(lattice) if len(lattice.kinds) > 1 else _apart(lattice)
    return figure.svg(f"Cells of the lattice {lattice.name}", background="#ffffff")


def _patch(lattice: Lattice) -> list[Cell]:
    """Return the cells in a picture of a flat lattice."""
    kinds = len(lattice.kinds)
    sizes = ((8,), (4, 3) if kinds == 1 else (3, 2) if kinds < 6 else (2, 2))[lattice.dimension - 1]
    return cells_at(lattice, product(*map(range, sizes)))


def _flat(lattice: Lattice) -> Figure:
    """Draw a patch so large that no label touches another."""
    cells = _patch(lattice)
    unit = Ground(lattice, breadth(lattice))
    near = min(dist(unit.middle(a), unit.middle(b)) for a, b in combinations(cells, 2))
    ground = Ground(lattice, breadth(lattice) * (_EDGES_APART if lattice.of_edges else _APART) / near)
    figure = Figure()
    for cell in cells:
        is_first, corners = not any(cell[: lattice.dimension]), ground.corners(cell)
        if lattice.of_edges:
            figure.lines([corners], _EDGE_TINT if is_first else _EDGE, 4 if is_first else 2)
            figure.circles(corners, 3.5)
        else:
            figure.region([corners], _TINT if is_first else EMPTY, INK, 1)
    for cell in cells:
        at, text = ground.middle(cell), ",".join(map(str, cell))
        with figure.group(text):
            for colour, weight in (("#ffffff", 5.0), (INK, 1.0))[not lattice.of_edges :]:
                figure.text(at, text, _LABEL, colour=colour, weight=weight)
    return figure


def _kinds(lattice: Lattice) -> Figure:
    """Draw a picture for each kind of cell: its cell, among the edges of all kinds together."""
    cells = cells_at(lattice, [(0,) * lattice.dimension])
    board = {cell: Location(cell) for cell in cells}
    cell = natural_solid_cell(Scene("", lattice, board, ()), widest=_FRAME, largest=_FRAME)
    choices = Choices(cell=cell, labels="none")
    figures = [
        drawn(Scene("", lattice, board, (SceneBody(0, kind.name, "", 10, (cell,), (None,)),)), choices)
        for cell, kind in zip(cells, lattice.kinds, strict=True)
    ]
    captions = [f"{number}: {kind.name}" for number, kind in enumerate(lattice.kinds)]
    return sheet.grid(figures, captions, 6 if len(cells) > 4 else 4)


def _apart(lattice: Lattice) -> Figure:
    """Draw the cell at the origin and the next one along each coordinate, apart from each other, with their names."""
    steps = range(lattice.dimension)
    cells = [(0,) * lattice.dimension, *(tuple(int(i == j) for j in steps) for i in steps)]
    bodies = [SceneBody(0, ",".join(map(str, cell)), "", 10, (cell,), (None,)) for cell in cells]
    choices = Choices(cell=_SINGLE, labels="names", explode=_FAR)
    captions, figures = zip(*solid_figures(Scene("", lattice, {}, tuple(bodies)), choices), strict=True)
    return sheet.rows(figures, captions, inf)
