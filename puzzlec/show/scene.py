"""The content of a picture for any renderer: a board, and pieces as bodies on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.lattice import identity, neighbours
from puzzlec.geometry.wrapping import Wrap, Wrapping
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.location import Location
from puzzlec.ir.paints import paint_of
from puzzlec.ir.solution import piece_signs, signs_of_pieces
from puzzlec.show.palette import COLOURS, body_hues, fill_of, pools

if TYPE_CHECKING:
    from puzzlec.show.ruling import Ruled


class SceneBody(NamedTuple):
    """A piece in its position: its cells, their colours (None: plain), and the colours of its sides if it is a tile.

    ``piece`` is its number in the puzzle, ``label`` a short sign for it, ``hue`` a number in the palette. ``paint`` is
    the colour that the puzzle gives it instead.
    """

    piece: int
    name: str
    label: str
    hue: int
    cells: tuple[Cell, ...]
    colours: tuple[str | None, ...]
    sides: tuple[str, ...] = ()
    paint: str = ""

    def part(self, cells: Iterable[bool]) -> SceneBody:
        """Return some cells of the body: those that are marked."""
        marks = list(cells)
        return self._replace(cells=tuple(compress(self.cells, marks)), colours=tuple(compress(self.colours, marks)))

    @property
    def shown_hue(self) -> int | str:
        """The hue, or `#rrggbb` if the puzzle gives the piece a colour."""
        return paint_of(self.paint) or self.hue

    def fill(self, palette: str = "standard") -> str:
        """Return the colour of the piece as `#rrggbb`."""
        return fill_of(self.hue, self.paint, palette)


@dataclass(frozen=True)
class Scene:
    """A board (all its locations by their cells) and the bodies on it, which share no cells.

    A piece that is shown alone has no board. ``wrapping`` is the wrapping of the board, if any, ``regions`` have rules,
    and ``walls`` are drawn as a ghost.
    """

    title: str
    lattice: Lattice
    board: Mapping[Cell, Location]
    bodies: tuple[SceneBody, ...]
    wrapping: Wrapping | None = None
    regions: tuple[Ruled, ...] = ()
    walls: tuple[Cell, ...] = ()

    @cached_property
    def owner(self) -> dict[Cell, int]:
        """Number of the body on each covered cell."""
        return {cell: number for number, body in enumerate(self.bodies) for cell in body.cells}

    @property
    def empty(self) -> tuple[Cell, ...]:
        """Cells of the board without a body."""
        return tuple([cell for cell in self.board if cell not in self.owner])

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All visible cells: those of the board, and those of bodies beside it."""
        return tuple(dict.fromkeys((*self.board, *self.owner)))

    @property
    def extent(self) -> tuple[Cell, ...]:
        """The cells that a picture has room for: all visible ones, and the walls."""
        return (*self.cells, *self.walls)

    def colour(self, cell: Cell, body: SceneBody | None = None) -> str | None:
        """Return the visible colour of a cell: that of the body on it, or else of the location.

        A body of several colours shows its plain cells as plain, whatever the location.
        """
        painted = body.colours[body.cells.index(cell)] if body is not None and body.colours else None
        if body is not None and (painted is not None or len(set(body.colours)) > 1):
            return painted
        location = self.board.get(cell)
        return location.colour if location is not None else None

    @property
    def colours(self) -> list[str]:
        """Colours of locations and of bodies, in order."""
        all_colours = {location.colour for location in self.board.values()}
        all_colours |= {colour for body in self.bodies for colour in body.colours}
        return sorted(colour for colour in all_colours if colour is not None)

    @property
    def has_plain_cells(self) -> bool:
        """Whether a body of several colours has plain cells, which must look different from all colours."""
        return any(None in body.colours and len(set(body.colours)) > 1 for body in self.bodies)

    def body_on(self, cell: Cell) -> int | None:
        """Return the number of the body on a cell, also across a seam."""
        if cell in self.board or self.wrapping is None:
            return self.owner.get(cell)
        location = self.wrapping.location(self.lattice.point(cell))
        return self.owner.get(self._in_order[location]) if location >= 0 else None

    def at(self, places: Mapping[Cell, Cell], lattice: Lattice | None = None) -> Scene:
        """Return the cells that have places there: a layer, a section, or a line folded into rows."""

        def moved(cells: Iterable[Cell]) -> tuple[Cell, ...]:
            return tuple([places[cell] for cell in cells if cell in places])

        bodies = [body.part(cell in places for cell in body.cells) for body in self.bodies]
        return replace(
            self,
            lattice=lattice or self.lattice,
            board={places[cell]: location for cell, location in self.board.items() if cell in places},
            bodies=tuple([body._replace(cells=moved(body.cells)) for body in bodies if body.cells]),
            wrapping=None,
            regions=tuple([
                region._replace(cells=cells, top=places.get(region.top) if region.top else None)
                for region in self.regions
                if (cells := moved(region.cells))
            ]),
            walls=moved(self.walls),
        )  # fmt: skip

    @cached_property
    def _in_order(self) -> tuple[Cell, ...]:
        return tuple(self.board)


def puzzle_scene(puzzle: Puzzle) -> Scene | None:
    """Return the empty board of a puzzle; None without geometry."""
    board = _board(puzzle)
    if puzzle.lattice is None or not board:
        return None
    return Scene(puzzle.title, puzzle.lattice, board, (), puzzle.wrapping, _regions(puzzle))


def solution_scene(solution: Solution, fewest_colours: bool = False) -> Scene | None:
    """Return the pieces of a solution on their board; None without geometry.

    Hues are those of :func:`puzzlec.show.palette.body_hues`, or the fewest with which pieces that touch differ.
    """
    puzzle = solution.fitting.puzzle
    board = _board(puzzle) if puzzle is not None else {}
    if puzzle is None or puzzle.lattice is None or not board:
        return None
    cells = tuple(board)
    signs = signs_of_pieces(solution.fitting)
    bodies = []
    for placement in solution.placements:
        piece, covered = puzzle.pieces[placement.number], tuple([cells[location] for location in placement.locations])
        colours = solution.fitting.shown_colours(placement.number, placement.index)
        sides = solution.sides(placement)
        bodies.append(
            SceneBody(placement.number, piece.name, signs[placement.number], -1, covered, colours, sides, piece.paint)
        )
    scene = Scene(puzzle.title, puzzle.lattice, board, tuple(bodies), puzzle.wrapping, _regions(puzzle))
    scene = _coloured(scene, puzzle)
    if not fewest_colours:
        return scene
    from puzzlec.geometry.colouring import few_colours  # few pictures need it
    from puzzlec.solving.properties import properties

    fewest = properties(solution).colouring or few_colours(near(scene), len(COLOURS)).values()
    return replace(
        scene, bodies=tuple([body._replace(hue=hue, paint="") for body, hue in zip(bodies, fewest, strict=True)])
    )


def piece_scene(puzzle: Puzzle, number: int) -> Scene | None:
    """Return a piece alone, as its cells are listed; None without a shape."""
    piece = puzzle.pieces[number]
    if puzzle.lattice is None or piece.covers is not None:
        return None
    label = piece_signs([piece.name for piece in puzzle.pieces])[number]
    body = SceneBody(
        number, piece.name, label, number % len(COLOURS), piece.cells, piece.colours, piece.sides, piece.paint
    )
    return Scene(piece.name, puzzle.lattice, {}, (body,))


def piece_pools(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Return the hues of each piece and its copies in every solution of a puzzle."""
    return pools([min(piece.high, len(puzzle.locations)) for piece in puzzle.pieces])


def near(scene: Scene) -> dict[int, set[int]]:
    """Return the neighbours of each body."""
    return touching(scene.owner, scene.body_on, scene.lattice)


def touching(owners: Mapping[Cell, int], owner: Callable[[Cell], int | None], lattice: Lattice) -> dict[int, set[int]]:
    """Return the neighbours of each owner of cells; ``owner`` is that of any cell, also across a seam."""
    near_of: dict[int, set[int]] = {number: set() for number in owners.values()}
    for cell, number in owners.items():
        for other in map(owner, neighbours(cell, lattice)):
            if other is not None and other != number:
                near_of[number].add(other)
                near_of[other].add(number)
    return near_of


def _coloured(scene: Scene, puzzle: Puzzle) -> Scene:
    """Give every body its colour."""
    pieces, flat = [body.piece for body in scene.bodies], scene.lattice.dimension < 3
    hues = body_hues(pieces, piece_pools(puzzle), lambda: near(scene), flat)
    bodies = tuple([body._replace(hue=hue) for body, hue in zip(scene.bodies, hues, strict=True)])
    return replace(scene, bodies=bodies)


def _board(puzzle: Puzzle) -> dict[Cell, Location]:
    return {location.at: location for location in puzzle.locations if not isinstance(location.at, str)}


def _regions(puzzle: Puzzle) -> tuple[Ruled, ...]:
    if not puzzle.rules.regions:
        return ()
    from puzzlec.show.ruling import ruling  # most puzzles have no rules: they start sooner

    return ruling(puzzle).regions


def sections(scene: Scene) -> list[tuple[str, Scene]]:
    """Return a scene of four dimensions as solids, each with a caption such as `w=0`; another scene unchanged.

    >>> from puzzlec import load
    >>> [caption for caption, _ in sections(puzzle_scene(load("hypercubes/dominoes-2x2x2x2")))]
    ['w=0', 'w=1']

    Raises ValueError if the cells are not cubes: only cubes have sections.
    """
    if scene.lattice.dimension < 4:
        return [("", scene)]
    if scene.lattice.dimension > 4 or len(scene.lattice.kinds) > 1 or scene.lattice.translations != identity(4):
        raise ValueError("cannot draw these cells: they have more than three dimensions")
    return [
        (f"w={w}", scene.at({cell: cell[:3] for cell in scene.extent if cell[3] == w}, find_lattice("cubic")))
        for w in sorted({cell[3] for cell in scene.cells})
    ]


#: The names of coordinates; in more dimensions they have numbers.
_NAMES = "xyzw"


def around_text(wraps: Iterable[Wrap]) -> str:
    """Return in words how a board wraps around.

    >>> around_text([Wrap((4, 0)), Wrap((0, 5), True)])
    'x after 4, y after 5 with a twist'
    >>> around_text([Wrap((3, 5))])
    '(3,5)'
    """
    return ", ".join(_way(wrap.vector) + " with a twist" * wrap.twisted for wrap in wraps)


def _way(vector: tuple[int, ...]) -> str:
    along = [axis for axis, value in enumerate(vector) if value]
    if len(along) == 1 and len(vector) <= len(_NAMES):
        return f"{_NAMES[along[0]]} after {abs(vector[along[0]])}"
    return "(" + ",".join(map(str, vector)) + ")"
