"""The pieces of a model, and the number of copies of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.paints import PAINTS
from puzzlec.show.palette import COLOURS
from puzzlec.show.scene import Scene, SceneBody, piece_scene, solution_scene
from puzzlec.solving.subject import Subject

#: A model has at most this many pieces, and this many cells of different pieces.
MOST_PIECES, MOST_CELLS = 5_000, 50_000
#: A model has at most this many balls (1500 triangles each), and this many cells that are neither squares nor cubes:
#: these take a minute or two.
MOST_BALLS, MAX_OTHER_CELLS = 1_000, 5_000


def puzzle_of(subject: Subject) -> Puzzle:
    """Return the puzzle; raise PuzzleError (PZ504) if it has no geometry."""
    puzzle = subject.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise fail(
            "PZ504",
            "cannot make a model of a puzzle without geometry",
            note="its locations have names, but no positions",
        )
    return puzzle


def colours_of(puzzle: Puzzle) -> dict[str, str]:
    """Return the colour of each name, for cells and for sides."""
    sides = (side for piece in puzzle.pieces for side in piece.sides)
    return paints([*puzzle.colours.names, *sorted(set(sides) - set(puzzle.colours.names))])


def assembled(subject: Subject) -> Scene:
    """Return the pieces of the solution to show; raise PuzzleError (PZ506) if there is none."""
    puzzle_of(subject)
    scene = solution_scene(subject.shown) if subject.shown else None
    if scene is None:
        raise fail(
            "PZ506",
            "no solution for the layout of the pieces",
            note=subject.remark or "puzzlec did not search for one",
            help="`--layout plate` lays them out on a plate",
        )
    _refuse_many(len(scene.bodies), sum(len(body.cells) for body in scene.bodies), MOST_CELLS)
    return scene


def single(subject: Subject) -> list[tuple[SceneBody, int]]:
    """Return every piece alone, as it is listed, and its number of copies.

    If the puzzle leaves the number of copies open, it is the number in the solution. Without a solution it is the upper
    bound, or one if there is no bound. Raises PuzzleError (PZ506) for too many pieces.
    """
    puzzle = puzzle_of(subject)
    solution = subject.shown
    used = Counter(placement.number for placement in solution.placements) if solution is not None else None
    pairs = [(body, _copies(puzzle, body.piece, used)) for body in _bodies(puzzle, solution)]
    _refuse_many(sum(copies for _, copies in pairs), sum(len(body.cells) for body, _ in pairs), MOST_CELLS)
    return [(body, copies) for body, copies in pairs if copies]


def _bodies(puzzle: Puzzle, solution: Solution | None) -> Iterator[SceneBody]:
    """Yield a body for each piece: its shape, or for listed placements the one in the solution, or the first."""
    scene = solution_scene(solution) if solution is not None else None
    placed = {body.piece: body for body in reversed(scene.bodies)} if scene is not None else {}
    for number, piece in enumerate(puzzle.pieces):
        alone = piece_scene(puzzle, number)
        if alone is not None:
            yield from alone.bodies
        elif number in placed:
            yield placed[number]
        elif piece.covers:
            cells = tuple([at for at in piece.covers[0] if not isinstance(at, str)])
            yield SceneBody(
                number, piece.name, piece.name[:1], number % len(COLOURS), cells, (None,) * len(cells), (), piece.paint
            )


def _copies(puzzle: Puzzle, number: int, used: Counter[int] | None) -> int:
    piece = puzzle.pieces[number]
    if piece.low == piece.high:
        return piece.low
    if used is not None:
        return used[number]
    return piece.high if piece.high <= len(puzzle.locations) else max(piece.low, 1)


def refuse_slow(lattice: Lattice, cells: int, quick: bool) -> None:
    """Raise PuzzleError (PZ506) if there are too many cells to make a mesh in reasonable time.

    ``quick``: they are squares or cubes with a gap between pieces.
    """
    _refuse_many(0, cells, MOST_CELLS if quick else MOST_BALLS if lattice.of_balls else MAX_OTHER_CELLS)


def _refuse_many(pieces: int, cells: int, most_cells: int) -> None:
    """Raise PuzzleError for more than one model can hold."""
    for number, most, what in ((pieces, MOST_PIECES, "pieces"), (cells, most_cells, "cells")):
        if number > most:
            raise fail("PZ506", f"too many {what} for a model: {number} (limit {most:,})")


def paints(names: Iterable[str]) -> dict[str, str]:
    """Return a colour as `#rrggbb` for each name: a known colour, or the next one of the palette.

    >>> paints(["white", "a"]) == {"white": PAINTS["white"], "a": COLOURS[0]}
    True
    """
    colours: dict[str, str] = {}
    free = 0
    for name in names:
        if name in colours:
            continue
        paint = PAINTS.get(name.lower())
        colours[name] = paint or COLOURS[free % len(COLOURS)]
        free += paint is None
    return colours
