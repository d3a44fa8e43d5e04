"""Assemblies of a puzzle and how they come apart, written into an XMPuzzle text.

An assembly has the position of the hot spot and the number of the rotation of each copy, in the order of the problem. A
separation is a tree: each part has the positions of its pieces after each move. BurrTools takes only bricks and
triangular prisms apart, so there are no separations on other grids.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from operator import add, sub
from typing import NamedTuple, Protocol

from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burrtools.grids import GRIDS, Voxel, matrices, origin
from puzzlec.formats.burrtools.stored import image
from puzzlec.formats.burrtools.writing import TARGETS, VoxelForm, forms_of, voxels, write_xmpuzzle
from puzzlec.formats.record import WriterChoices
from puzzlec.geometry import Cell, Matrix, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Puzzle

#: The greatest distance in voxels that is written for a piece that leaves the others.
MAX_LEAVING_VOXELS = 30_000

#: The grids with separations.
GRIDS_WITH_SEPARATIONS = (0, 1)


class DisassemblyMove(Protocol):
    """The properties of a move that are needed to write a disassembly."""

    @property
    def pieces(self) -> tuple[int, ...]:
        """The numbers of the bodies that slide."""

    @property
    def direction(self) -> Sequence[int]:
        """The vector of one step, in coordinates of cells."""

    @property
    def distance(self) -> int | Fraction:
        """The number of steps."""

    @property
    def separates(self) -> bool:
        """Whether the bodies leave the others."""

    @property
    def turn(self) -> object | None:
        """The turn, if the bodies turn instead of sliding."""


#: A piece by its name, None for the walls, with the colour that it shows on each cell.
Lying = tuple[str | None, Mapping[Cell, str | None]]


class BurrToolsAssembly(NamedTuple):
    """An assembly to write: its number, its bodies, and the moves that take it apart.

    A body is one piece. Only the body that never moves may have several pieces.
    """

    number: int
    bodies: Sequence[Sequence[Lying]]
    moves: Sequence[DisassemblyMove]


def write_assemblies(puzzle: Puzzle, assemblies: Sequence[BurrToolsAssembly], number: int) -> str:
    """Return a puzzle as an XMPuzzle text with assemblies and how they come apart, for BurrTools to show.

    Args:
        puzzle: The puzzle.
        assemblies: The assemblies that come apart.
        number: The number of all assemblies.

    Raises:
        PuzzleError: If BurrTools does not support the puzzle (PZ501).

    """
    text = "".join(write_xmpuzzle(puzzle, WriterChoices()))
    writer = _AssemblyWriter(puzzle)
    lines = ["      <solutions>\n"]
    for counted_as, assembly in enumerate(assemblies, 1):
        lines.append(f'        <solution asmNum="{assembly.number}" solNum="{counted_as}">\n')
        lines.extend(writer.solution(assembly))
        lines.append("        </solution>\n")
    lines.append("      </solutions>\n")
    head, end, rest = text.partition("    </problem>\n")
    solved = f' state="2" assemblies="{number}" solutions="{len(assemblies)}"'
    head = head.replace(' state="0"', solved, 1)
    return head + "".join(lines) + end + rest


def is_strange(move: DisassemblyMove) -> bool:
    """Return whether BurrTools has no such move: a turn, or half a step."""
    return move.turn is not None or (move.distance.denominator > 1 and not move.separates)


def moves_left_out(puzzle: Puzzle, *, strange: bool = False) -> Diagnostic | None:
    """Return the warning for a grid on which BurrTools stores no moves, or for moves that it does not store."""
    target = TARGETS.get(puzzle.lattice.name) if puzzle.lattice is not None else None
    if target is not None and target.grid not in GRIDS_WITH_SEPARATIONS:
        message = f"left out: the moves, because BurrTools takes nothing apart on its grid of {GRIDS[target.grid].name}"
    elif strange:
        message = "left out: the moves of plans with turns or half steps, which XMPuzzle cannot store"
    else:
        return None
    note = "the file has the assemblies"
    return fail("PZ715", message, puzzle.span, note=note, file=puzzle.title).diagnostics[0]


class _AssemblyWriter:
    """Writes assemblies of one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.lattice = puzzle.geometry.lattice.name
        self.grid = TARGETS[self.lattice].grid
        forms = forms_of(puzzle)
        self.numbers = forms.numbers
        self.forms = [form.from_origin(self.grid) for form in forms.pieces]
        self.corner = origin(self.grid, forms.board.signs)

    def solution(self, assembly: BurrToolsAssembly) -> Iterator[str]:
        """Yield the text of an assembly and of its separation."""
        left = [(body, piece) for body, pieces in enumerate(assembly.bodies) for piece in pieces]
        spots: list[str] = []
        places: dict[int, Voxel] = {}
        copies: dict[int, list[int]] = {body: [] for body, _ in left}
        for form in self.forms:
            before = len(spots)
            for placed in list(left):
                body, (name, cells) = placed
                spot = self.spot(form, cells) if name == form.piece and len(spots) < before + form.high else None
                if spot is not None:
                    left.remove(placed)
                    copies[body].append(len(spots))
                    places[len(spots)] = spot[0]
                    spots.append(" ".join(map(str, (*spot[0], spot[1]))))
            spots += ["x"] * (before + form.high - len(spots))
        if left:
            what = f"it does not turn piece `{left[0][1][0]}` this way"
            raise fail("PZ501", f"cannot write assemblies for BurrTools: {what}")
        yield f"          <assembly>{' '.join(spots)}</assembly>\n"
        if self.grid in GRIDS_WITH_SEPARATIONS and assembly.moves and not any(map(is_strange, assembly.moves)):
            yield from self.separation(copies, places, frozenset(copies), deque(assembly.moves), "", 5)

    def spot(self, form: VoxelForm, cells: Mapping[Cell, str | None]) -> tuple[Voxel, int] | None:
        """Return the position of the hot spot and the number of the rotation by which a shape covers cells."""
        target = {
            _minus(voxel, self.corner): "" if form.piece is None or colour is None else str(self.numbers[colour])
            for cell, colour in cells.items()
            for voxel in voxels(self.lattice, cell)
        }
        first, least = next(iter(form.signs)), min(target)
        hotspot = form.hotspot if self.grid == 2 else (0, 0, 0)
        for number, (matrix, _) in enumerate(matrices(self.grid)):
            images = {
                image(self.grid, number, voxel, first): "" if form.piece is None else sign[1:]
                for voxel, sign in form.signs.items()
            }
            shift = _minus(least, min(images))
            there = {tuple(map(add, voxel, shift)): sign for voxel, sign in images.items()}
            if there == target and _keeps_kinds(self.grid, matrix, shift):
                x, y, z = map(add, image(self.grid, number, hotspot, first), shift)
                return (x, y, z), number
        return None

    def separation(
        self,
        copies: Mapping[int, Sequence[int]],
        places: Mapping[int, Voxel],
        part: frozenset[int],
        moves: deque[DisassemblyMove],
        kind: str,
        depth: int,
    ) -> Iterator[str]:
        """Yield the text of the separation of a part, and of its parts in turn.

        Moves are removed from the front of ``moves`` when they are written.
        """
        indent = "  " * depth
        pieces = sorted(copy for body in part for copy in copies[body])
        yield f'{indent}<separation{kind}>\n{indent}  <pieces count="{len(pieces)}">'
        yield " ".join(map(str, pieces)) + "</pieces>\n"
        places = {copy: places[copy] for copy in pieces}
        yield from _state(places, indent)
        while True:
            move = moves.popleft()
            way = self.way(move)
            moved = {copy: _plus(places[copy], way) for body in move.pieces for copy in copies[body]}
            yield from _state(places | moved, indent)
            if move.separates:
                break
            places |= moved
        away = frozenset(move.pieces)
        sides = {' type="left"': part - away, ' type="removed"': away}
        texts: dict[str, list[str]] = {}
        while moves and (side := next((side for side in sides if sides[side].issuperset(moves[0].pieces)), "")):
            if side in texts:
                break
            texts[side] = list(self.separation(copies, places, sides[side], moves, side, depth + 1))
        for side in sides:
            yield from texts.get(side, ())
        yield f"{indent}</separation>\n"

    def way(self, move: DisassemblyMove) -> Voxel:
        """Return the vector of a move in voxels; a piece that leaves the others goes far away on the grid."""
        a, b, c = (*move.direction, 0, 0)[:3]
        step = (2 * a - b, b, c) if self.grid == 1 else (a, b, c)
        distance = MAX_LEAVING_VOXELS // max(map(abs, step)) if move.separates else int(move.distance)
        return step[0] * distance, step[1] * distance, step[2] * distance


def _keeps_kinds(grid: int, matrix: Matrix, shift: Voxel) -> bool:
    """Whether a rotation of voxels and then a shift take voxels to voxels of the right kinds.

    The position of a voxel is not the point of its cell, so a shift between points is not the shift between voxels.
    """
    if grid == 1:
        return (shift[0] + shift[1]) % 2 == 0
    if grid in (0, 2):
        return True
    times, past = {3: (1, -2), 4: (2, 1)}[grid]
    turned_past = turned(matrix, (past,) * 3)
    lattice = find_lattice(GRIDS[grid].lattice)
    at = lattice.kinds[0].at
    there = [a + times * s + past - t for a, s, t in zip(at, shift, turned_past, strict=True)]
    return lattice.class_of(tuple(there)) == 0


def _plus(one: Sequence[int], other: Sequence[int]) -> Voxel:
    x, y, z = map(add, one, other)
    return x, y, z


def _minus(one: Sequence[int], other: Sequence[int]) -> Voxel:
    x, y, z = map(sub, one, other)
    return x, y, z


def _state(places: Mapping[int, Voxel], indent: str) -> Iterator[str]:
    yield f"{indent}  <state>\n"
    for name, axis in zip(("dx", "dy", "dz"), zip(*places.values(), strict=True), strict=True):
        yield f"{indent}    <{name}>{' '.join(map(str, axis))}</{name}>\n"
    yield f"{indent}  </state>\n"
