"""The assemblies in a file of BurrTools, as the cells that each copy of each piece covers.

An assembly lists the copies of each piece in the order of the problem. Each has the position of its hot spot and the
number of its rotation; `x` is an unused copy. The grid defines the numbers of rotations (see :mod:`.grids`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import gcd
from operator import add, sub
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.formats.burrtools.document import VoxelShape
from puzzlec.formats.burrtools.grids import GRIDS, Voxel, cell_at, matrices, voxel_of
from puzzlec.formats.burrtools.xmpuzzle import ProblemMeaning, find_problem
from puzzlec.formats.xml_positions import XmlElement
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.lattice import turned

#: A piece that moves farther than this at once leaves the others.
MAX_MOVE_VOXELS = 5_000


class Placed(NamedTuple):
    """A copy of a piece, by its name in the puzzle, and the cells that it covers."""

    piece: str
    cells: tuple[Cell, ...]


class StoredAssembly(NamedTuple):
    """A stored assembly: its number from 1, its copies, and its position in the text."""

    number: int
    placed: tuple[Placed, ...]
    span: Span


def stored_assemblies(source: Source, problem: str | None = None, report: Report | None = None) -> list[StoredAssembly]:
    """Return the assemblies in an XMPuzzle text for a problem: by number from 1 or name, else the first.

    Cells are those of the puzzle from :func:`.xmpuzzle.read_xmpuzzle`. They may be outside of its board, because
    BurrTools keeps assemblies when a puzzle is changed. Raises PuzzleError for an invalid text, and for assemblies that
    do not match the pieces.
    """
    report = report if report is not None else Report()
    document, definition = find_problem(source, report, problem, assemblies=True)
    reading = _AssemblyReader(ProblemMeaning(document, definition))
    elements = [
        assembly
        for solutions in definition.element.all("solutions")
        for solution in solutions.all("solution")
        for assembly in solution.all("assembly")
    ]
    assemblies = []
    for number, element in enumerate(elements, 1):
        try:
            assemblies.append(StoredAssembly(number, tuple(reading.placed(element)), element.span))
        except _UnreadableAssemblyError as error:
            report.add("PZ267", f"assembly {number}: {error}", element.span)
    report.stop_on_errors()
    return assemblies


class StoredMove(NamedTuple):
    """A move of a stored separation.

    ``pieces`` are the pieces that slide, by their numbers in the assembly.
    """

    pieces: tuple[int, ...]
    direction: tuple[int, ...]
    distance: int
    separates: bool

    @property
    def turn(self) -> None:
        """No turn: the files of BurrTools have slides only."""
        return


class StoredSeparation(NamedTuple):
    """How a stored assembly comes apart: the number of the assembly, its pieces, and the moves."""

    number: int
    placed: tuple[Placed, ...]
    moves: tuple[StoredMove, ...]


class CountedAssembly(NamedTuple):
    """A stored assembly with the numbers of its moves, but not the moves.

    ``counts`` is a binary tree in preorder: the number of moves of each separation, then the two parts after it. A
    part that stays together is None.
    """

    number: int
    placed: tuple[Placed, ...]
    counts: tuple[int | None, ...]


class Stored(NamedTuple):
    """How stored assemblies come apart: those with moves, those with numbers of moves, and the number of all."""

    separations: list[StoredSeparation]
    counted: list[CountedAssembly]
    assemblies: int


def stored_separations(source: Source, problem: str | None = None) -> Stored:
    """Return how the assemblies that are stored for a problem come apart, as far as the text says.

    Raises PuzzleError for a text, an assembly or a separation that cannot be read.
    """
    report = Report()
    document, definition = find_problem(source, report, problem, assemblies=True, separations=True)
    reading = _AssemblyReader(ProblemMeaning(document, definition))
    elements = [solution for solutions in definition.element.all("solutions") for solution in solutions.all("solution")]
    stored = Stored([], [], sum(element.first("assembly") is not None for element in elements))
    for number, element in enumerate(elements, 1):
        assembly, separation, info = map(element.first, ("assembly", "separation", "separationInfo"))
        try:
            if assembly is not None and separation is not None:
                placed = tuple(reading.placed(assembly))
                used = [index for index, spot in enumerate(_spots(assembly.text)) if spot is not None]
                places = {copy: place for place, copy in enumerate(used)}
                span = sum(max(axis) - min(axis) + 1 for piece in placed for axis in zip(*piece.cells, strict=True))
                moves = tuple(_moves(separation, places, document.grid, span + 2))
                stored.separations.append(StoredSeparation(number, placed, moves))
            elif assembly is not None and info is not None:
                counts = tuple(_counts(_integers(info.text)))
                stored.counted.append(CountedAssembly(number, tuple(reading.placed(assembly)), counts))
        except _UnreadableAssemblyError as error:
            report.add("PZ267", f"solution {number}: {error}", element.span)
    report.stop_on_errors()
    return stored


def _counts(numbers: Sequence[int]) -> Iterator[int | None]:
    """Yield the numbers of moves in a `separationInfo`: it has numbers of states, and 0 for a part without a move."""
    parts = 1
    for number in numbers:
        if number < 0 or number == 1 or not parts:
            break
        parts += 1 if number else -1
        yield number - 1 if number else None
    else:
        if len(numbers) > 1 and not parts:
            return
    raise _UnreadableAssemblyError("the numbers in its `separationInfo` are not a tree of separations")


def _moves(separation: XmlElement, places: dict[int, int], grid: int, past: int) -> Iterator[StoredMove]:
    """Yield the moves of a separation and of the parts after it; a piece that leaves goes ``past`` all others."""
    if grid > 1:
        raise _UnreadableAssemblyError("moves are read on bricks and triangular prisms only")
    copies = separation.first("pieces")
    pieces = [] if copies is None else _integers(copies.text)
    if not set(pieces) <= set(places):
        raise _UnreadableAssemblyError("the separation has a piece that the assembly does not have")
    states = [_state(state, len(pieces)) for state in separation.all("state")]
    for before, after in pairwise(states):
        shifts = [tuple(map(sub, b, a)) for a, b in zip(before, after, strict=True)]
        moved = [(places[piece], shift) for piece, shift in zip(pieces, shifts, strict=True) if any(shift)]
        if not moved or any(shift != moved[0][1] for _, shift in moved):
            raise _UnreadableAssemblyError(
                "a move of the separation takes pieces in different directions, or moves none"
            )
        x, y, z = moved[0][1]
        if grid == 1 and (x + y) % 2:
            raise _UnreadableAssemblyError("a move of the separation moves prisms by half a step")
        shift = ((x + y) // 2, y, z) if grid == 1 else (x, y, z)
        distance = gcd(*shift)
        direction = tuple(value // distance for value in shift)
        away = max(map(abs, shift)) > MAX_MOVE_VOXELS
        yield StoredMove(tuple(sorted(place for place, _ in moved)), direction, past if away else distance, away)
    for part in separation.all("separation"):
        yield from _moves(part, places, grid, past)


def _state(state: XmlElement, pieces: int) -> list[tuple[int, ...]]:
    """Return where each piece of a state is."""
    axes = [_integers(axis.text) for name in ("dx", "dy", "dz") for axis in state.all(name)]
    if len(axes) != 3 or any(len(axis) != pieces for axis in axes):
        raise _UnreadableAssemblyError("a state of the separation does not have three numbers for each piece")
    return list(zip(*axes, strict=True))


def _integers(text: str) -> list[int]:
    words = text.split()
    if not all(re.fullmatch(r"-?[0-9]{1,6}", word, re.ASCII) for word in words):
        raise _UnreadableAssemblyError("the separation has a word that is not an integer")
    return list(map(int, words))


class _UnreadableAssemblyError(ValueError):
    """An assembly does not match the pieces; the message gives the reason."""


class _AssemblyReader:
    """Reads assemblies of one problem. Rotated shapes and cells of voxels are cached."""

    def __init__(self, meaning: ProblemMeaning) -> None:
        self.meaning = meaning
        self.grid = meaning.document.grid
        self.copies = sum(part.high for part in meaning.parts)
        self.images: dict[tuple[int, int], tuple[tuple[int, ...], list[tuple[int, ...]]]] = {}
        self.cell_of: dict[Voxel, Cell | None] = {}

    def placed(self, element: XmlElement) -> Iterator[Placed]:
        """Yield the copies that an assembly places."""
        spots = list(_spots(element.text))
        if len(spots) != self.copies:
            raise _UnreadableAssemblyError(
                f"it places {counted(len(spots), 'piece')}, but the problem has {self.copies}"
            )
        at = 0
        for part, shape, name in zip(self.meaning.parts, self.meaning.shapes, self.meaning.names, strict=True):
            for spot in spots[at : at + part.high]:
                if spot is not None:
                    yield Placed(name, self.cells(shape, spot))
            at += part.high

    def cells(self, shape: VoxelShape, spot: tuple[int, ...]) -> tuple[Cell, ...]:
        """Return the cells of a shape with its hot spot at a position, rotated; each once."""
        *place, number = spot
        if not 0 <= number < len(matrices(self.grid)):
            raise _UnreadableAssemblyError(f"unknown rotation {number}: this grid has {len(matrices(self.grid))}")
        if not shape.colours:
            raise _UnreadableAssemblyError(f"shape {shape.number} (numbered from 0) has no voxel")
        hotspot, images = self.turned(shape, number)
        shift = tuple(map(sub, place, hotspot))
        places = [self.cell(tuple(map(add, image, shift))) for image in images]
        if None in places or (self.grid == 1 and (shift[0] + shift[1]) % 2):
            raise _UnreadableAssemblyError(f"shape {shape.number} (numbered from 0) is outside the grid")
        return tuple(dict.fromkeys(cell for cell in places if cell is not None))

    def turned(self, shape: VoxelShape, number: int) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        """Return the images of the hot spot and of the voxels of a shape under a rotation."""
        key = shape.number, number
        if key not in self.images:
            first = next(iter(shape.colours))
            images = [image(self.grid, number, voxel, first) for voxel in shape.colours]
            self.images[key] = image(self.grid, number, shape.hotspot, first), images
        return self.images[key]

    def cell(self, at: tuple[int, ...]) -> Cell | None:
        """Return the cell that contains a voxel, or None if there is none."""
        voxel = (at[0], at[1], at[2])
        if voxel not in self.cell_of:
            self.cell_of[voxel] = None if cell_at(self.grid, voxel) is None else self.meaning.cell(voxel)
        return self.cell_of[voxel]


def _spots(text: str) -> Iterator[tuple[int, ...] | None]:
    """Yield the four numbers of each copy, None for an unused copy."""
    words = iter(text.split())
    for word in words:
        if word == "x":
            yield None
            continue
        four = (word, next(words, ""), next(words, ""), next(words, ""))
        if not all(re.fullmatch(r"-?[0-9]{1,6}", number, re.ASCII) for number in four):
            raise _UnreadableAssemblyError(f"expected four numbers, found `{' '.join(four).strip()}`")
        yield tuple(map(int, four))


def image(grid: int, number: int, voxel: Voxel, first: Voxel) -> tuple[int, ...]:
    """Return the image of a voxel under a rotation, up to a translation that all voxels of a shape share.

    Prisms rotate about (0,0,0), by their middles. Balls rotate about the first ball of a shape, because that keeps its
    other balls at positions of balls. A hot spot may leave these positions, and is rounded.
    """
    matrix, divisor = matrices(grid)[number]
    if grid == 1:
        lattice = find_lattice(GRIDS[1].lattice)
        cell = lattice.cell_at(turned(matrix, lattice.point(cell_at(1, voxel) or ())))
        return voxel_of(1, cell)
    if grid == 2:
        return tuple((2 * value + divisor) // (2 * divisor) for value in turned(matrix, tuple(map(sub, voxel, first))))
    return turned(matrix, voxel)
