"""The bodies of solutions: pieces in their positions, and one body of everything that never moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from puzzlec.diagnostics.error import fail
from puzzlec.ir import Fitting, Placement, Puzzle, Solution
from puzzlec.motion.gaps import MAX_EXTENT, MAX_EXTENT_IN_FOUR
from puzzlec.motion.moves import Body

#: The name of the body that never moves.
WALL = "wall"


def movable(fitting: Fitting) -> Puzzle:
    """Return the puzzle of a fitting if its pieces can be moved; raise PuzzleError (PZ701) otherwise."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        span = None if puzzle is None else puzzle.span
        raise fail("PZ701", "cannot take the puzzle apart: it has no geometry", span, help="name its lattice")
    if puzzle.wraps:
        note = "on a board that wraps around, no piece can move away"
        raise fail("PZ701", "cannot take the puzzle apart: its board wraps around", puzzle.span, note=note)
    if puzzle.rules.crossing:
        note = "crossing pieces take the same place in space"
        raise fail("PZ701", "cannot take the puzzle apart: its pieces may cross", puzzle.span, note=note)
    return puzzle


class Bodies:
    """Makes the bodies of solutions of one puzzle; a placement that many solutions have is one body.

    Walls and immovable pieces are one body, the first.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self._still = puzzle, frozenset(puzzle.movement.immovable)
        self._known: dict[tuple[int, int], Body] = {}
        self._walls: dict[tuple[int, ...], Body] = {}

    def of(self, solution: Solution) -> tuple[Body, ...]:
        """Return the pieces of a solution in their positions."""
        pieces = [self._body(solution, placement) for placement in solution.placements]
        still = [body for body in pieces if body.name in self._still]
        if not self.puzzle.movement.walls and not still:
            return tuple(pieces)
        key = tuple(map(id, still))
        wall = self._walls.get(key)
        if wall is None:
            cells = [cell for body in still for cell in body.cells]
            wall = self._walls[key] = Body(WALL, (*self.puzzle.movement.walls, *cells), True)
        return wall, *(body for body in pieces if body.name not in self._still)

    def _body(self, solution: Solution, placement: Placement) -> Body:
        key = placement.number, placement.index
        body = self._known.get(key)
        if body is None:
            at = self.puzzle.locations
            cells = tuple([cell for location in placement.locations if not isinstance(cell := at[location].at, str)])
            body = self._known[key] = Body(solution.fitting.piece_name(placement.number), cells)
        return body


def check_size(puzzle: Puzzle, step: Fraction | int = 1) -> None:
    """Raise PuzzleError (PZ703) for a board that is longer than moves of this step can be computed for."""
    dimension = puzzle.geometry.lattice.dimension
    most = int(step * (MAX_EXTENT_IN_FOUR if dimension > 3 else MAX_EXTENT))
    cells = [*puzzle.movement.walls, *puzzle.geometry.cells]
    for column in list(zip(*cells, strict=True))[:dimension]:
        if max(column) - min(column) >= most:
            long = f"it is {max(column) - min(column) + 1} cells long"
            raise fail("PZ703", f"the board is too large to take it apart: {long} (limit {most:,})", puzzle.span)


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Return unique names: copies have numbers from 1 after a dot.

    >>> numbered(["A", "B", "A"])
    ('A.1', 'B', 'A.2')
    """
    several, seen, labels = Counter(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        labels.append(f"{name}.{seen[name]}" if several[name] > 1 else name)
    return tuple(labels)
