"""XMPuzzle, the format of BurrTools (Andreas Röver): shapes of voxels in one of five grids, and problems with them.

A shape is a box of voxels: empty, filled, or variable, which is filled or empty in a solution. The task of a problem is
to make one shape, the result, from other shapes. Each of these has a number of copies, and may be rotated in the grid
but never reflected. Colours restrict which voxels of the result a voxel of a piece may cover; colour 0 matches all
colours. The user's guide and the sources of BurrTools describe the format (https://github.com/burr-tools/burr-tools).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, counted
from puzzlec.formats.burrtools.document import (
    STILL_WEIGHT,
    BurrToolsProblem,
    Document,
    ProblemPart,
    VoxelShape,
    told_by_their_pieces,
)
from puzzlec.formats.burrtools.grids import GRIDS, LostColoursError, Voxel, as_turned, cell_at, eighths, whole
from puzzlec.formats.problems import chosen_problem
from puzzlec.geometry import Cell, Freedom, find_lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import MovementRules, PuzzleRules
from puzzlec.language.given import Given


def read_xmpuzzle(source: Source, report: Report, given: Given) -> Puzzle:
    """Return a problem of an XMPuzzle text as a puzzle: the one that ``given`` names, else the first.

    Variable voxels of the result are optional locations; ``maxHoles`` bounds how many stay empty. Pieces are one-sided,
    because BurrTools rotates them in space. A piece that is heavier than all others is immovable. All other content
    (stored assemblies, their separations, other weights) gets one warning. Raises PuzzleError with all errors of the
    text and of the problem.
    """
    document, problem = find_problem(source, report, given.problem)
    puzzle = ProblemMeaning(document, problem).puzzle(report)
    number = document.problems.index(problem.element) + 1
    document.left_out.tell(report, str(number) if number > 1 else "")
    return puzzle


def find_problem(
    source: Source, report: Report, choice: str | None, assemblies: bool = False, separations: bool = False
) -> tuple[Document, BurrToolsProblem]:
    """Return the content of a text and the chosen problem; raise PuzzleError with the errors of both.

    Stored assemblies and their separations are read only if ``assemblies`` and ``separations`` are true.
    """
    document = Document(source, report, assemblies, separations)
    if not document.problems:
        raise report.error()
    names = [" ".join(problem.attributes.get("name", "").split()) for problem in document.problems]
    spans = [problem.span for problem in document.problems]
    remarks = told_by_their_pieces(document) if len(names) > 1 else []
    index = chosen_problem(choice, names, spans, report, "problems", remarks)
    problem = document.problem(index)
    report.stop_on_errors()
    return document, problem


class ProblemMeaning:
    """A problem on a lattice: the cells of its voxels, and the names of its pieces."""

    def __init__(self, document: Document, problem: BurrToolsProblem) -> None:
        self.document, self.problem = document, problem
        self.result = document.shapes[problem.result]
        self.parts = [part for part in problem.parts if part.high]
        self.shapes = [document.shapes[part.shape] for part in self.parts]
        self.names = names_of(self.shapes)
        parts = _whole_parts(self.result) if document.grid == 4 else 0
        bounded = self.problem.holes is not None and self.result.variable and not self.fixed
        whole_ones = parts and all(map(_whole_parts, self.shapes)) and not (bounded and parts < 0)
        # The lattice of the grid, or `tetoct` if no octahedron is cut: then the eight voxels of an octahedron are one
        # cell.
        self.lattice = find_lattice("tetoct" if whole_ones else GRIDS[document.grid].lattice)
        # The number of voxels in each optional location.
        self.weight = parts if whole_ones and bounded else 1

    def cell(self, voxel: Voxel) -> Cell:
        """Return the cell that contains a voxel."""
        name = self.lattice.name
        home = self.lattice.cell(whole(voxel)) if name == "tetoct" else cell_at(self.document.grid, voxel)
        assert home is not None  # the document has checked it
        return home

    @property
    def fixed(self) -> bool:
        """Whether the number of copies is fixed for each piece."""
        return all(part.low == part.high for part in self.parts)

    @property
    def holes(self) -> tuple[int, int] | None:
        """The bounds on empty locations. BurrTools ignores them if the sizes of the pieces decide the number."""
        if self.problem.holes is None or self.fixed or not self.result.variable:
            return None
        return 0, min(self.problem.holes, len(self.result.variable)) // self.weight

    def puzzle(self, report: Report) -> Puzzle:
        """Return the puzzle; raise PuzzleError without pieces or locations, or for a piece with variable voxels."""
        missing = ["without pieces"] * (not self.parts) + ["with an empty result"] * (not self.result.colours)
        if missing:
            others = ("choose another problem with `--problem`",) * (len(self.document.problems) > 1)
            help = ("add them in BurrTools", *others)
            draft = f"this problem is a draft {' and '.join(missing)}"
            report.add("PZ357", draft, self.problem.element.span, help=help)
            report.stop_on_errors()
        for part, shape in zip(self.parts, self.shapes, strict=True):
            if not shape.colours:
                report.add("PZ314", "missing voxels of this piece", shape.element.span)
            elif shape.variable:
                self.refuse_variable(part, shape, report)
        report.stop_on_errors()
        self.look_at_the_holes()
        of_pieces, of_result = self.colour_names()
        locations = {}
        for voxel, colour in self.result.colours.items():
            cell = self.cell(voxel)
            optional = voxel in self.result.variable
            locations[cell] = Location(cell, of_result.get(colour), optional, self.result.element.span)
        board = tuple(locations.values())
        pairs = [(of_pieces.get(a), of_result.get(b)) for a, b in sorted(self.problem.pairs)]
        allowed = frozenset((a, b) for a, b in pairs if a is not None and b is not None and a != b)
        colours = [
            of[number]
            for number in range(1, self.document.colours + 1)
            for of in (of_pieces, of_result)
            if number in of
        ]
        pieces = [
            self.piece(part, shape, name, of_pieces)
            for part, shape, name in zip(self.parts, self.shapes, self.names, strict=True)
        ]
        if self.lattice.of_balls:
            pieces = [self.turned(piece, board, allowed, report) for piece in pieces]
            report.stop_on_errors()
        return Puzzle(
            self.problem.name or PurePath(self.problem.element.source.name).stem,
            self.lattice,
            board,
            tuple(pieces),
            PuzzleColours(tuple(dict.fromkeys(colours)), allowed),
            PuzzleRules(empty=self.holes),
            movement=MovementRules(self.together, immovable=self.immovable()),
            span=self.problem.element.span,
        )

    @property
    def together(self) -> tuple[tuple[tuple[str, int], ...], ...]:
        """The groups of pieces that may stay together, in the order of their numbers."""
        still = self.still_group
        return tuple([tuple(names.items()) for number, names in sorted(self.groups.items()) if number != still])

    @cached_property
    def groups(self) -> dict[int, dict[str, int]]:
        """The copies of each piece in each group, by the number of the group."""
        members: dict[int, dict[str, int]] = {}
        for part, name in zip(self.parts, self.names, strict=True):
            for group, copies in part.groups:
                members.setdefault(group, {})[name] = copies
        return members

    @cached_property
    def still_group(self) -> int | None:
        """The group of several pieces that never move.

        A file from puzzlec gives a special weight to these pieces only.
        """
        still = {
            name: part.high
            for part, shape, name in zip(self.parts, self.shapes, self.names, strict=True)
            if shape.weight == STILL_WEIGHT
        }
        numbers = [number for number, names in self.groups.items() if names == still]
        return max(numbers) if sum(still.values()) > 1 and numbers else None

    def immovable(self) -> tuple[str, ...]:
        """Return the pieces that never move.

        These are the pieces of ``still_group`` or, without such a group, the heaviest piece, which BurrTools never
        shows as moving. Weights with another meaning are noted. A single piece that never moves does not change the
        level. The count changes only if a symmetry swaps that piece with another piece of its size.
        """
        if self.still_group is not None:
            return tuple(self.groups[self.still_group])
        weights = [shape.weight for shape in self.shapes]
        if len(set(weights)) < 2:
            return ()
        heaviest = max(range(len(weights)), key=weights.__getitem__)
        sizes = [len(shape.colours) for shape in self.shapes]
        alone = weights.count(weights[heaviest]) == 1 and self.parts[heaviest].high == 1
        if alone and sizes.count(sizes[heaviest]) == 1:
            return (self.names[heaviest],)
        for shape in {shape.number: shape for shape in self.shapes}.values():
            if shape.weight != 1:
                self.document.left_out.add("weight", at=shape.element.span_of("weight"))
        return ()

    def turned(
        self, piece: Piece, board: Sequence[Location], allowed: frozenset[tuple[str, str]], report: Report
    ) -> Piece:
        """Return a piece of balls as BurrTools rotates it; report a piece whose colours would be lost."""
        try:
            return as_turned(piece, self.lattice, board, allowed)
        except LostColoursError as error:
            error.report(piece, report)
            return piece

    def refuse_variable(self, part: ProblemPart, shape: VoxelShape, report: Report) -> None:
        """Report a piece with variable voxels: only the result may have them."""
        at = shape.element.text.find("+")
        report.add(
            "PZ266",
            f"shape {shape.number} (numbered from 0) is a piece with {counted(len(shape.variable), 'variable voxel')}",
            shape.element.span_in_text(at),
            others=[(part.element.span, "used here")],
            help="fill them: only the result of a problem may have variable voxels",
        )

    def look_at_the_holes(self) -> None:
        """Ignore a bound on holes that is lower than the number that the pieces leave empty, as BurrTools does."""
        left = len(self.result.colours) - sum(
            len(shape.colours) * part.low for part, shape in zip(self.parts, self.shapes, strict=True)
        )
        bound = self.problem.holes
        if bound is not None and bound < left and self.fixed:
            note = f"the pieces leave {left} voxels empty whatever `maxHoles` is, and BurrTools ignores it"
            self.document.left_out.add("bound", "maxHoles", at=self.problem.element.span_of("maxHoles"), note=note)

    def colour_names(self) -> tuple[dict[int, str], dict[int, str]]:
        """Return the colours of voxels by number: those of the pieces, and those of the result.

        Equal colours always match in puzzlec, but not in BurrTools. A colour of the result that does not match itself
        gets another name.
        """
        used = {colour for shape in self.shapes for colour in shape.colours.values()} - {0}
        of_result = {
            colour: str(colour) + "'" * (colour in used and (colour, colour) not in self.problem.pairs)
            for colour in set(self.result.colours.values()) - {0}
        }
        return {colour: str(colour) for colour in used}, of_result

    def piece(self, part: ProblemPart, shape: VoxelShape, name: str, colours: dict[int, str]) -> Piece:
        """Return a shape as a piece with all rotations of the lattice and no reflections."""
        cells = {self.cell(voxel): colours.get(colour) for voxel, colour in shape.colours.items()}
        return Piece(
            name,
            tuple(cells),
            tuple(cells.values()),
            self.lattice.turns(Freedom.ONE_SIDED),
            low=part.low,
            high=part.high,
            span=shape.element.span,
        )


def _whole_parts(shape: VoxelShape) -> int:
    """Return the number of voxels in each variable cell of a shape of grid 4.

    The number is 1 or 8. It is 1 if no cell is variable, and -1 if cells differ in it.

    Returns 0 if an octahedron is cut, or has several colours or kinds.
    """
    lattice = find_lattice("tetoct")
    look = {(lattice.cell(whole(voxel)), colour, voxel in shape.variable) for voxel, colour in shape.colours.items()}
    parts = [(len(eighths(lattice.point(cell))), variable) for cell, _, variable in look if cell is not None]
    if sum(number for number, _ in parts) != len(shape.colours) or len({cell for cell, _, _ in look}) != len(look):
        return 0
    sizes = {number for number, variable in parts if variable} or {1}
    return sizes.pop() if len(sizes) == 1 else -1


def names_of(shapes: list[VoxelShape]) -> list[str]:
    """Return different names for the shapes of pieces."""
    return told_apart([(" ".join(shape.name.split()), shape.number) for shape in shapes])


def told_apart(shapes: Iterable[tuple[str, int]]) -> list[str]:
    """Return different names for shapes with names and numbers: missing and repeated ones get `S` and a number.

    >>> told_apart([("L", 0), ("", 1), ("L", 2)])
    ['L', 'S2', 'L-S3']
    """
    seen: set[str] = set()
    names = []
    for given, shape in shapes:
        number = f"S{shape + 1}"
        name = given or number
        while name in seen:
            name = f"{name}-{number}"
        seen.add(name)
        names.append(name)
    return names
