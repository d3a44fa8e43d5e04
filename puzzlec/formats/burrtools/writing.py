"""A puzzle as one XMPuzzle problem of voxel shapes; plain XML, which BurrTools reads.

BurrTools rotates pieces by all rotations of a grid and never reflects them. A puzzle may allow other orientations. Only
the sets of locations that a piece can cover matter. If BurrTools reaches the same ones, the piece is written as it is.
If it reaches some of them, further shapes reach the others. This is exact if only the space on the board limits the
number of copies, because each copy may have either shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from puzzlec.diagnostics import Diagnostic, Report, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burrtools.document import MAX_COLOURS, MAX_COPIES, STILL_WEIGHT
from puzzlec.formats.burrtools.grids import LostColoursError, Voxel, as_turned, eighths, origin, voxel_of
from puzzlec.formats.burrtools.xmpuzzle import told_apart
from puzzlec.formats.plain import Unsupported, lattice_span
from puzzlec.formats.record import WriterChoices
from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Fitting, Location, Piece, Puzzle
from puzzlec.ir.fitting import Colours
from puzzlec.lower import place


class TargetGrid(NamedTuple):
    """The grid for a lattice, and the lattice of its cells there."""

    grid: int
    lattice: str


#: The target of each lattice that can be written.
TARGETS = {
    "line": TargetGrid(0, "cubic"),
    "square": TargetGrid(0, "cubic"),
    "cubic": TargetGrid(0, "cubic"),
    "triangle": TargetGrid(1, "prism"),
    "prism": TargetGrid(1, "prism"),
    "hex": TargetGrid(2, "fcc"),
    "fcc": TargetGrid(2, "fcc"),
    "rhombic": TargetGrid(3, "rhombic"),
    "octants": TargetGrid(4, "octants"),
    "tetoct": TargetGrid(4, "tetoct"),
}


def there(lattice: str, cell: Cell) -> Cell:
    """Return the position of a cell on the target lattice: flat ones in one layer.

    Hexagons are balls in a layer in which each touches six. All motions of flat pieces there are rotations of
    BurrTools.

    >>> there("line", (7,)), there("triangle", (1, 2, 1))
    ((7, 0, 0), (1, 2, 0, 1))
    """
    if lattice == "triangle":
        return (*cell[:2], 0, cell[2])
    if lattice == "hex":
        q, r = cell
        return find_lattice("fcc").cell((q, q + r, r)) or ()
    return (*cell, 0, 0)[:3] if TARGETS[lattice].grid == 0 else cell


def voxels(lattice: str, cell: Cell) -> tuple[Voxel, ...]:
    """Return the voxels of a cell of a lattice: one, or eight for an octahedron."""
    target = TARGETS[lattice]
    if target.lattice == "tetoct":
        return eighths(find_lattice("tetoct").point(cell))
    return (voxel_of(target.grid, there(lattice, cell)),)


#: A placement: the numbers of its locations, and its colours on them.
Lying = tuple[tuple[int, ...], Colours]


class PieceShapes:
    """The shapes for the pieces of a puzzle, each a piece on the target lattice."""

    def __init__(self, puzzle: Puzzle, report: Report) -> None:
        self.puzzle, self.report = puzzle, report
        self.lattice: Lattice = puzzle.geometry.lattice
        self.target = find_lattice(TARGETS[self.lattice.name].lattice)
        self.board = tuple(
            Location(there(self.lattice.name, location.at), location.colour)
            for location in puzzle.locations
            if isinstance(location.at, tuple)
        )

    def of(self, piece: Piece) -> list[Piece]:
        """Return the shapes for a piece; report a piece that BurrTools rotates in more or other ways."""
        try:
            return self.covering(piece)
        except LostColoursError as error:
            error.report(piece, self.report, self.puzzle.title)
            return []

    def covering(self, piece: Piece) -> list[Piece]:
        """Return the shapes that together have the placements of a piece; report it if there are none."""
        same = self.target is self.lattice and set(piece.turns) == set(self.lattice.turns(Freedom.ONE_SIDED))
        first, *others = self.shapes(piece)
        if same and self.as_turned(first).covers is None:
            return [first]
        placements = _lying(place(self.puzzle.alone(piece)))
        reached = self.placements(first)
        shapes = [first]
        if placements > reached and is_unbounded(piece, self.puzzle):
            for other in others:
                more = self.placements(other)
                if placements >= more and reached.isdisjoint(more) and more:
                    shapes.append(other)
                    reached |= more
        if placements != reached:
            self.refuse(piece, placements, reached)
        return shapes

    def shapes(self, piece: Piece) -> Iterator[Piece]:
        """Yield a shape for each orientation of a piece. BurrTools rotates each shape further."""
        for turn in piece.turns:
            kind = self.lattice.class_of(turned(turn, self.lattice.point(piece.cells[0])))
            cells = [self.lattice.cell(turned(turn, self.lattice.point(cell))) for cell in piece.cells]
            if kind < 0 or None in cells:
                continue  # a rotation about a point that is not a centre of the lattice
            yield replace(
                piece,
                cells=tuple(there(self.lattice.name, cell) for cell in cells if cell is not None),
                turns=self.target.turns(Freedom.ONE_SIDED),
            )

    def as_turned(self, shape: Piece) -> Piece:
        """Return a shape as BurrTools rotates it: unchanged or, if it is not connected, with listed placements."""
        return as_turned(shape, self.target, self.board, self.puzzle.colours.allowed) if self.target.of_balls else shape

    def placements(self, shape: Piece) -> set[Lying]:
        """Return the placements of a shape: numbers of locations, and its colours there."""
        shape = self.as_turned(shape)
        board = replace(self.puzzle.alone(shape), lattice=self.target, locations=self.board, pieces=(shape,), wraps=())
        return _lying(place(board))

    def refuse(self, piece: Piece, placements: set[Lying], reached: set[Lying]) -> None:
        """Report a piece that BurrTools rotates in other ways."""
        if reached - placements:
            message = f"BurrTools gives piece `{piece.name}` more orientations than this puzzle"
            more = counted(len(reached - placements), "more placement")
            note = f"it would have {more}: BurrTools rotates all pieces in space"
        else:
            message = f"BurrTools does not support reflections of piece `{piece.name}`"
            note = f"{len(placements - reached)} of its {counted(len(placements), 'placement')} would be missing"
        self.report.add("PZ501", message, piece.span, note=note, file=self.puzzle.title)


def _lying(fitting: Fitting) -> set[Lying]:
    """Return the placements of a fitting of one piece."""
    rows = fitting.pieces[0].placements
    return {(rows.row(index), fitting.shown_colours(0, index)) for index in range(len(rows))}


def is_unbounded(piece: Piece, puzzle: Puzzle) -> bool:
    """Whether only the room on the board limits the number of copies of a piece, which may also be unused."""
    return piece.low == 0 and piece.high >= len(puzzle.locations) // len(piece.cells)


#: Maximum number of voxels in the box around a shape.
MAX_BOX_VOXELS = 4_000_000

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})

#: Characters that XML does not allow.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


#: The name of the shape of walls.
WALL_NAME = "wall"

#: The weight of pieces that never move. BurrTools moves the part without the heaviest piece; its default is 1.
HEAVY_WEIGHT = 2


class VoxelForm(NamedTuple):
    """A shape to write: its voxels, each with its text. ``piece`` is the name of its piece, None for the walls."""

    name: str
    signs: dict[Voxel, str]
    size: int
    low: int = 0
    high: int = 0
    groups: str = ""
    weight: int = 1
    piece: str | None = None

    @property
    def hotspot(self) -> Voxel:
        """The ball nearest to (0,0,0): rotations are about it, so it must exist."""
        return min(self.signs, key=lambda voxel: (sum(value * value for value in voxel), voxel[::-1]))

    def from_origin(self, grid: int) -> VoxelForm:
        """Return the shape with its box at (0,0,0), as it is written."""
        x, y, z = origin(grid, self.signs)
        return self._replace(signs={(a - x, b - y, c - z): sign for (a, b, c), sign in self.signs.items()})


class Forms(NamedTuple):
    """The shapes of the pieces and of the walls, the shape of the board, and the number of each colour.

    Walls are one more piece. The locations that belong to the walls have the colour of the walls. All other locations
    have colours that the walls do not match, so the walls lie only in their position. Locations without a colour get
    one that all pieces match.
    """

    pieces: list[VoxelForm]
    board: VoxelForm
    numbers: dict[str, int]
    holes: int | None

    @property
    def more_colours(self) -> int:
        """The number of colours that walls add: one for the walls, and one for locations without a colour."""
        return 2 * any(piece.piece is None for piece in self.pieces)


def write_xmpuzzle(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield a puzzle as an XMPuzzle text in chunks, one for each shape.

    Raises PuzzleError with everything that BurrTools does not support. This includes other lattices, listed
    placements, rules, sides, wrap-around boards and more than 63 colours. A minimum number of empty locations and
    pieces with other orientations are also refused.
    """
    return _chunks(puzzle, forms_of(puzzle))


def forms_of(puzzle: Puzzle) -> Forms:
    """Return the shapes to write for a puzzle; raise PuzzleError with everything that BurrTools does not support."""
    report = Unsupported("BurrTools", puzzle.title, puzzle.span)
    if puzzle.lattice is None or puzzle.lattice.name not in TARGETS:
        name = puzzle.lattice.name if puzzle.lattice else "none"
        note = f"supported lattices are {', '.join(TARGETS)}"
        report.part(f"the lattice `{name}`", lattice_span(puzzle), note=note, file=puzzle.title)
        raise report.error()
    _refuse(puzzle, report)
    report.stop_on_errors()
    numbers = {colour: number for number, colour in enumerate(_colours(puzzle), 1)}
    pieces = _pieces(puzzle, numbers, report)
    wall, free = len(numbers) + 1, len(numbers) + 2
    board = {
        voxel: _sign(numbers, location.colour, location.optional)
        for location in puzzle.locations
        if isinstance(location.at, tuple)
        for voxel in voxels(puzzle.lattice.name, location.at)
    }
    holes = _holes(puzzle, pieces, report)
    if puzzle.movement.walls:
        board = {voxel: sign if sign[1:] else f"{sign}{free}" for voxel, sign in board.items()}
        cells = {voxel: f"#{wall}" for cell in puzzle.movement.walls for voxel in voxels(puzzle.lattice.name, cell)}
        names = [*(piece.name for piece in pieces), WALL_NAME]
        name = told_apart([(name, number) for number, name in enumerate(names)])[-1]
        groups = _groups(puzzle, None, 1)
        pieces.append(VoxelForm(name, cells, len(puzzle.movement.walls), 1, 1, groups, _still_weight(puzzle)))
        board |= cells
    forms = Forms(pieces, VoxelForm("board", board, len(puzzle.locations)), numbers, holes)
    for shape in (*forms.pieces, forms.board):
        _refuse_wide(shape, report)
    report.stop_on_errors()
    return forms


def immovable_bodies(puzzle: Puzzle) -> int:
    """Return the number of bodies that never move: the copies of immovable pieces, and the walls as one body."""
    copies = [piece.high for piece in puzzle.pieces if piece.name in puzzle.movement.immovable]
    return sum(copies) + bool(puzzle.movement.walls)


def _still_weight(puzzle: Puzzle) -> int:
    """Return the weight of the pieces and walls that never move."""
    return STILL_WEIGHT if immovable_bodies(puzzle) > 1 else HEAVY_WEIGHT


def moving_otherwise(puzzle: Puzzle) -> Diagnostic | None:
    """Return the warning for a puzzle that BurrTools can take apart in more ways."""
    file = puzzle.title
    if immovable_bodies(puzzle) > 1:
        message = "BurrTools can move immovable pieces and walls relative to each other"
        note = "they are written as heavy pieces that may stay together"
    elif puzzle.movement.walls and puzzle.geometry.lattice.dimension < 3:
        message = "BurrTools can lift flat pieces out of their walls"
        note = "here flat pieces move within their plane"
    else:
        return None
    return fail("PZ714", message, puzzle.span, note=(note, "its levels may be lower"), file=file).diagnostics[0]


def _refuse(puzzle: Puzzle, report: Unsupported) -> None:
    """Report everything that the format does not support."""
    file = puzzle.title
    if puzzle.wraps:
        report.whole("wrap-around boards")
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.part(f"the listed placements of piece `{piece.name}`", piece.span, file=file)
        elif piece.sides:
            report.part(f"the coloured sides of piece `{piece.name}`", piece.span, file=file)
        elif piece.low > MAX_COPIES:
            _refuse_copies(piece, report)
    for rule in puzzle.rules.pieces:
        report.part(f"rules such as `{rule.kind.value}`", rule.span, file=file)
    if len(_colours(puzzle)) + 2 * bool(puzzle.movement.walls) > MAX_COLOURS:
        report.add("PZ501", f"too many colours for BurrTools (limit {MAX_COLOURS:,})", puzzle.span, file=file)


def _refuse_copies(piece: Piece, report: Unsupported) -> None:
    message = f"too many copies of a piece for BurrTools (limit {MAX_COPIES:,})"
    report.add("PZ501", message, piece.span, file=report.title)


def _colours(puzzle: Puzzle) -> list[str]:
    """Return the colours of locations and of the pieces that are written, in the order of their declaration."""
    everywhere = [location.colour for location in puzzle.locations]
    everywhere += [colour for piece in puzzle.pieces if piece.high for colour in piece.colours]
    used = {colour for colour in everywhere if colour is not None}
    return list(dict.fromkeys([*(colour for colour in puzzle.colours.names if colour in used), *sorted(used)]))


def _sign(numbers: dict[str, int], colour: str | None, optional: bool = False) -> str:
    """Return the text of a voxel."""
    return "#+"[optional] + ("" if colour is None else str(numbers[colour]))


def _pieces(puzzle: Puzzle, numbers: dict[str, int], report: Unsupported) -> list[VoxelForm]:
    """Return the shapes of the pieces; none for a piece that is never used."""
    forms = PieceShapes(puzzle, report)
    room = len(puzzle.locations)
    shapes = []
    for piece in puzzle.pieces:
        if not piece.high:
            continue
        high = piece.high if piece.high <= MAX_COPIES else max(piece.low, room // len(piece.cells))
        if high > MAX_COPIES:
            _refuse_copies(piece, report)
        for form in forms.of(piece):
            signs = {
                voxel: _sign(numbers, colour)
                for cell, colour in zip(form.cells, form.colours, strict=True)
                for voxel in voxels(forms.target.name, cell)
            }
            groups = _groups(puzzle, piece.name, high)
            weight = _still_weight(puzzle) if piece.name in puzzle.movement.immovable else 1
            name = _clean(piece.name)
            shapes.append(VoxelForm(name, signs, len(piece.cells), piece.low, high, groups, weight, piece.name))
    names = told_apart((shape.name, number) for number, shape in enumerate(shapes))
    return [shape._replace(name=name) for shape, name in zip(shapes, names, strict=True)]


def _refuse_wide(shape: VoxelForm, report: Report) -> None:
    """Report a shape whose box is nearly empty and too large."""
    box = 1
    for axis in zip(*shape.signs, strict=True):
        box *= max(axis) - min(axis) + 1
    if box > MAX_BOX_VOXELS:
        report.add(
            "PZ501",
            f"the box of `{shape.name}` has too many voxels: {box} (limit {MAX_BOX_VOXELS:,})",
            note="XMPuzzle stores the whole box around the cells",
            file=shape.name,
        )


def _holes(puzzle: Puzzle, pieces: list[VoxelForm], report: Unsupported) -> int | None:
    """Return the maximum number of empty locations, or None without a bound; report bounds that the format lacks."""
    if puzzle.rules.empty is None:
        return None
    low, high = puzzle.rules.empty
    optional = sum(location.optional for location in puzzle.locations)
    room = len(puzzle.locations)
    least = max(room - sum(piece.high * piece.size for piece in pieces), 0)
    most = max(room - sum(piece.low * piece.size for piece in pieces), 0)
    fixed = all(piece.low == piece.high for piece in pieces)
    if least < low:
        message = f"BurrTools does not support a minimum of {counted(low, 'empty location')}"
    elif fixed and least > high:
        message = f"BurrTools ignores that the pieces leave {counted(least, 'location')} empty"
    else:
        return high * _weight(puzzle, report) if high < optional and not fixed else None
    left = str(least) if least == most else f"{least} to {most}"
    report.add("PZ501", message, puzzle.span, note=f"the pieces leave {left} empty", file=puzzle.title)
    return None


def _weight(puzzle: Puzzle, report: Unsupported) -> int:
    """Return the number of voxels of an optional location, because BurrTools counts voxels; report mixed numbers."""
    name = puzzle.geometry.lattice.name
    sizes = {
        len(voxels(name, location.at))
        for location in puzzle.locations
        if location.optional and isinstance(location.at, tuple)
    }
    if len(sizes) > 1:
        note = "it counts eighths of octahedra"
        report.whole("a number of empty tetrahedra and octahedra together", note=note)
    return max(sizes)


def _clean(name: str) -> str:
    """Return a name without characters that XML does not allow, and with single spaces."""
    return " ".join(_FORBIDDEN.sub("?", name).split())


def _chunks(puzzle: Puzzle, forms: Forms) -> Iterator[str]:
    """Yield the text."""
    grid = TARGETS[puzzle.geometry.lattice.name].grid
    palette = _palette(len(forms.numbers) + forms.more_colours)
    yield f'<?xml version="1.0"?>\n<puzzle version="2">\n  <gridType type="{grid}"/>\n{palette}'
    yield "  <shapes>\n"
    for shape in (*forms.pieces, forms.board):
        yield from _voxels(grid, shape)
    title = (_clean(puzzle.title) or "untitled").translate(_ESCAPES)
    bound = "" if forms.holes is None else f' maxHoles="{forms.holes}"'
    yield f'  </shapes>\n  <problems>\n    <problem name="{title}" state="0"{bound}>\n      <shapes>\n'
    for number, shape in enumerate(forms.pieces):
        copies = f'count="{shape.low}"' if shape.low == shape.high else f'min="{shape.low}" max="{shape.high}"'
        end = f">{shape.groups}</shape>" if shape.groups else "/>"
        yield f'        <shape id="{number}" {copies}{end}\n'
    yield f'      </shapes>\n      <result id="{len(forms.pieces)}"/>\n'
    pairs = _pairs(puzzle, forms)
    lines = "".join(f'        <pair piece="{a - 1}" result="{b - 1}"/>\n' for a, b in pairs)
    yield f"      <bitmap>\n{lines}      </bitmap>\n" if lines else "      <bitmap/>\n"
    yield "    </problem>\n  </problems>\n  <comment/>\n</puzzle>\n"


def _groups(puzzle: Puzzle, name: str | None, high: int) -> str:
    """Return the groups of a piece, or of the walls, each with its number of copies.

    Pieces and walls that never move are one more group, because they stay together at the end.
    """
    together = [dict(names).get(name, 0) if name is not None else 0 for names in puzzle.movement.together]
    if (name is None or name in puzzle.movement.immovable) and immovable_bodies(puzzle) > 1:
        together.append(high)
    return "".join(
        f'<group group="{group}" count="{min(copies, high)}"/>' for group, copies in enumerate(together, 1) if copies
    )


def _palette(number: int) -> str:
    """Yield different colours: red, green, yellow, blue and so on."""
    lines = []
    for colour in range(1, number + 1):
        red, green, blue = (170 * (colour >> part & 1) + 85 * (colour >> part + 3 & 1) for part in range(3))
        lines.append(f'    <color red="{red}" green="{green}" blue="{blue}"/>\n')
    return f"  <colors>\n{''.join(lines)}  </colors>\n" if lines else "  <colors/>\n"


def _voxels(grid: int, shape: VoxelForm) -> Iterator[str]:
    """Yield the text of a shape: its box from the corner, with complete blocks of voxels."""
    shape = shape.from_origin(grid)
    block = {3: 5, 4: 3}.get(grid, 1)
    x, y, z = (-(-(max(axis) + 1) // block) * block for axis in zip(*shape.signs, strict=True))
    name = shape.name.translate(_ESCAPES)
    more = _hotspot(shape) if grid == 2 else ""
    weight = "" if shape.weight == 1 else f' weight="{shape.weight}"'
    yield f'    <voxel x="{x}" y="{y}" z="{z}"{more} name="{name}"{weight} type="0">'
    for k in range(z):
        yield "".join(shape.signs.get((i, j, k), "_") for j in range(y) for i in range(x))
    yield "</voxel>\n"


def _hotspot(shape: VoxelForm) -> str:
    """Return the attributes of the hot spot of balls."""
    return "".join(f' h{axis}="{value}"' for axis, value in zip("xyz", shape.hotspot, strict=True) if value)


def _pairs(puzzle: Puzzle, forms: Forms) -> list[tuple[int, int]]:
    """Return the matching pairs of colours, of a cell and a location, by their numbers."""
    cells = {colour for piece in puzzle.pieces if piece.high for colour in piece.colours if colour is not None}
    ats = {location.colour for location in puzzle.locations if location.colour is not None}
    numbers = forms.numbers
    pairs = [(numbers[a], numbers[b]) for a in cells for b in ats if a == b or (a, b) in puzzle.colours.allowed]
    if forms.more_colours:
        wall, free = len(numbers) + 1, len(numbers) + 2
        pairs += [(wall, wall), *((numbers[colour], free) for colour in cells)]
    return sorted(pairs)
