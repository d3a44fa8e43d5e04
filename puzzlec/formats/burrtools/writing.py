"""XMPuzzle, the format of BurrTools: a puzzle as one problem of voxel shapes; plain XML, which BurrTools reads as well.

See ``puzzlec/formats/xmpuzzle.py`` for what the format says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from puzzlec.diagnostics import Report, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burrtools.document import MOST_COLOURS, MOST_COPIES
from puzzlec.formats.burrtools.grids import LostColoursError, Voxel, as_turned, eighths, origin, voxel_of
from puzzlec.formats.burrtools.xmpuzzle import told_apart
from puzzlec.formats.compact import lattice_span
from puzzlec.formats.record import Choices
from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Fitting, Location, Piece, Puzzle
from puzzlec.ir.fitting import Colours
from puzzlec.lower import place


class Target(NamedTuple):
    """The grid that a lattice is written in, and the lattice that its cells are on there."""

    grid: int
    lattice: str


#: For each lattice that can be written: where it comes to lie.
TARGETS = {
    "line": Target(0, "cubic"),
    "square": Target(0, "cubic"),
    "cubic": Target(0, "cubic"),
    "triangle": Target(1, "prism"),
    "prism": Target(1, "prism"),
    "hex": Target(2, "fcc"),
    "fcc": Target(2, "fcc"),
    "rhombic": Target(3, "rhombic"),
    "octants": Target(4, "octants"),
    "tetoct": Target(4, "tetoct"),
}


def there(lattice: str, cell: Cell) -> Cell:
    """Return where a cell lies on the lattice that it is written on: flat ones in one layer.

    Hexagons are balls in a layer where each touches six; all motions of flat pieces there are turns of BurrTools.

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
    """Return the voxels that a cell of a lattice is written as: one, or eight for an octahedron."""
    target = TARGETS[lattice]
    if target.lattice == "tetoct":
        return eighths(find_lattice("tetoct").point(cell))
    return (voxel_of(target.grid, there(lattice, cell)),)


#: A placement: the numbers of its locations, and the colours that it shows on them.
Lying = tuple[tuple[int, ...], Colours]


class Shapes:
    """The shapes that the pieces of a puzzle are written as, each a piece on the lattice of the target."""

    def __init__(self, puzzle: Puzzle, report: Report) -> None:
        assert puzzle.lattice is not None
        self.puzzle, self.report = puzzle, report
        self.lattice: Lattice = puzzle.lattice
        self.target = find_lattice(TARGETS[self.lattice.name].lattice)
        self.board = tuple(
            Location(there(self.lattice.name, each.at), each.colour)
            for each in puzzle.locations
            if isinstance(each.at, tuple)
        )

    def of(self, piece: Piece) -> list[Piece]:
        """Return the shapes for a piece; report one that BurrTools turns in more or other ways."""
        try:
            return self.covering(piece)
        except LostColoursError as error:
            error.report(piece, self.report, self.puzzle.title)
            return []

    def covering(self, piece: Piece) -> list[Piece]:
        """Return the shapes that together can lie as a piece can; report it if there are none."""
        same = self.target is self.lattice and set(piece.turns) == set(self.lattice.turns(Freedom.ONE_SIDED))
        first, *others = self.shapes(piece)
        if same and self.as_turned(first).covers is None:
            return [first]
        wanted = _lying(place(replace(self.puzzle, pieces=(piece,), rules=())))
        reached = self.placements(first)
        found = [first]
        if wanted > reached and is_unbounded(piece, self.puzzle):
            for other in others:
                more = self.placements(other)
                if wanted >= more and reached.isdisjoint(more) and more:
                    found.append(other)
                    reached |= more
        if wanted != reached:
            self.refuse(piece, wanted, reached)
        return found

    def shapes(self, piece: Piece) -> Iterator[Piece]:
        """Give a piece as it may be turned, each time as BurrTools turns it further."""
        for turn in piece.turns:
            kind = self.lattice.class_of(turned(turn, self.lattice.point(piece.cells[0])))
            cells = [self.lattice.cell(turned(turn, self.lattice.point(cell))) for cell in piece.cells]
            if kind < 0 or None in cells:
                continue  # a turn about a point that is none of the lattice's centres
            yield replace(
                piece,
                cells=tuple(there(self.lattice.name, cell) for cell in cells if cell is not None),
                turns=self.target.turns(Freedom.ONE_SIDED),
            )

    def as_turned(self, shape: Piece) -> Piece:
        """Return a shape as BurrTools turns it: itself, or one of balls that is apart, by its placements."""
        return as_turned(shape, self.target, self.board, self.puzzle.allowed) if self.target.of_balls else shape

    def placements(self, shape: Piece) -> set[Lying]:
        """Return what a shape can cover, by the numbers of locations, and the colours that it shows there."""
        shape = self.as_turned(shape)
        alone = replace(self.puzzle, lattice=self.target, locations=self.board, pieces=(shape,), rules=(), wraps=())
        return _lying(place(alone))

    def refuse(self, piece: Piece, wanted: set[Lying], reached: set[Lying]) -> None:
        """Report a piece that BurrTools would turn otherwise."""
        if reached - wanted:
            message = f"BurrTools turns piece `{piece.name}` in ways that it may not be turned here"
            note = (
                f"it would have {counted(len(reached - wanted), 'more placement')}: BurrTools turns all pieces in space"
            )
        else:
            message = f"BurrTools does not mirror a solid, and piece `{piece.name}` may be mirrored"
            note = f"{len(wanted - reached)} of its {counted(len(wanted), 'placement')} would be missing"
        self.report.add("PZ501", message, piece.span, note=note, file=self.puzzle.title)


def _lying(fitting: Fitting) -> set[Lying]:
    """Return the placements of a fitting of one piece."""
    rows = fitting.pieces[0].placements
    return {(rows.row(index), fitting.shown_colours(0, index)) for index in range(len(rows))}


def is_unbounded(piece: Piece, puzzle: Puzzle) -> bool:
    """Whether so many copies of a piece may be used as there is room for, or none."""
    return piece.low == 0 and piece.high >= len(puzzle.locations) // len(piece.cells)


#: A shape may not be so far apart that the box around it has more voxels than that.
MOST_VOXELS = 4_000_000

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})

#: What XML has no way to say.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Shape(NamedTuple):
    """A shape that is written: its voxels, each with the text of it."""

    name: str
    signs: dict[Voxel, str]
    size: int
    low: int = 0
    high: int = 0
    groups: str = ""


def write_xmpuzzle(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return a puzzle as an XMPuzzle text in chunks, a shape each.

    Raises PuzzleError, naming each, for what BurrTools has no words for: other lattices, listed placements, rules,
    edges, boards that go around, more than 63 colours, a least number of empty locations, and pieces that it would turn
    otherwise (see ``xmpuzzle_forms``).
    """
    report = Report()
    if puzzle.lattice is None or puzzle.lattice.name not in TARGETS:
        name = puzzle.lattice.name if puzzle.lattice else "none"
        raise fail(
            "PZ501",
            f"BurrTools has no grid that is the lattice `{name}`",
            lattice_span(puzzle),
            note=f"lattices that it has are {', '.join(TARGETS)}",
            file=puzzle.title,
        )
    _refuse(puzzle, report)
    report.stop_on_errors()
    numbers = {colour: number for number, colour in enumerate(_colours(puzzle), 1)}
    pieces = _pieces(puzzle, numbers, report)
    board = {
        voxel: _sign(numbers, each.colour, each.optional)
        for each in puzzle.locations
        if isinstance(each.at, tuple)
        for voxel in voxels(puzzle.lattice.name, each.at)
    }
    shapes = [*pieces, _Shape("board", board, len(puzzle.locations))]
    for shape in shapes:
        _refuse_wide(shape, report)
    holes = _holes(puzzle, pieces, report)
    report.stop_on_errors()
    return _chunks(puzzle, shapes, numbers, holes)


def _refuse(puzzle: Puzzle, report: Report) -> None:
    """Report what the format cannot say at all."""
    file = puzzle.title
    if puzzle.wraps:
        report.add("PZ501", "BurrTools has no boards that go around", puzzle.span, file=file)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add(
                "PZ501", f"BurrTools has no listed placements, as piece `{piece.name}` has", piece.span, file=file
            )
        elif piece.sides:
            report.add(
                "PZ501", f"BurrTools has no edges with colours, as piece `{piece.name}` has", piece.span, file=file
            )
        elif piece.low > MOST_COPIES:
            report.add("PZ501", f"BurrTools has {MOST_COPIES} copies of a piece at most", piece.span, file=file)
    for rule in puzzle.rules:
        report.add("PZ501", f"BurrTools has no rules such as `{rule.kind.value}`", rule.span, file=file)
    if len(_colours(puzzle)) > MOST_COLOURS:
        report.add("PZ501", f"BurrTools has {MOST_COLOURS} colours at most", puzzle.span, file=file)


def _colours(puzzle: Puzzle) -> list[str]:
    """Return the colours of cells and locations, in the order in which they are declared."""
    everywhere = [each.colour for each in puzzle.locations]
    everywhere += [colour for piece in puzzle.pieces for colour in piece.colours]
    used = {colour for colour in everywhere if colour is not None}
    return list(dict.fromkeys([*(each for each in puzzle.colours if each in used), *sorted(used)]))


def _sign(numbers: dict[str, int], colour: str | None, optional: bool = False) -> str:
    """Return the text of a voxel."""
    return "#+"[optional] + ("" if colour is None else str(numbers[colour]))


def _pieces(puzzle: Puzzle, numbers: dict[str, int], report: Report) -> list[_Shape]:
    """Return the shapes of the pieces; of a piece that is never used, none."""
    forms = Shapes(puzzle, report)
    room = len(puzzle.locations)
    found = []
    for piece in puzzle.pieces:
        if not piece.high:
            continue
        high = piece.high if piece.high <= MOST_COPIES else max(piece.low, room // len(piece.cells))
        if high > MOST_COPIES:
            report.add("PZ501", f"BurrTools has {MOST_COPIES} copies of a piece at most", piece.span, file=puzzle.title)
        for form in forms.of(piece):
            signs = {
                voxel: _sign(numbers, colour)
                for cell, colour in zip(form.cells, form.colours, strict=True)
                for voxel in voxels(forms.target.name, cell)
            }
            groups = _groups(puzzle, piece.name, high)
            found.append(_Shape(_clean(piece.name), signs, len(piece.cells), piece.low, high, groups))
    names = told_apart((shape.name, number) for number, shape in enumerate(found))
    return [shape._replace(name=name) for shape, name in zip(found, names, strict=True)]


def _refuse_wide(shape: _Shape, report: Report) -> None:
    """Report a shape whose box is so large that hardly anything of it is filled."""
    box = 1
    for axis in zip(*shape.signs, strict=True):
        box *= max(axis) - min(axis) + 1
    if box > MOST_VOXELS:
        report.add(
            "PZ501",
            f"the cells of `{shape.name}` are so far apart that {box} voxels would have to be written",
            note=f"XMPuzzle writes the whole box around them; {MOST_VOXELS} voxels are the most here",
            file=shape.name,
        )


def _holes(puzzle: Puzzle, pieces: list[_Shape], report: Report) -> int | None:
    """Return how many locations may stay empty at most, None where nothing need be said; report what cannot be."""
    if puzzle.empty is None:
        return None
    low, high = puzzle.empty
    optional = sum(each.optional for each in puzzle.locations)
    room = len(puzzle.locations)
    least = max(room - sum(each.high * each.size for each in pieces), 0)
    most = max(room - sum(each.low * each.size for each in pieces), 0)
    fixed = all(each.low == each.high for each in pieces)
    if least < low:
        message = f"BurrTools cannot require at least {counted(low, 'location')} to stay empty"
    elif fixed and least > high:
        message = f"BurrTools does not mind that the pieces leave {counted(least, 'location')} empty"
    else:
        return high * _weight(puzzle, report) if high < optional and not fixed else None
    left = str(least) if least == most else f"{least} to {most}"
    report.add("PZ501", message, puzzle.span, note=f"the pieces leave {left} empty", file=puzzle.title)
    return None


def _weight(puzzle: Puzzle, report: Report) -> int:
    """Return how many voxels an optional location is, for BurrTools counts these; report where it varies."""
    assert puzzle.lattice is not None
    name = puzzle.lattice.name
    sizes = {len(voxels(name, each.at)) for each in puzzle.locations if each.optional and isinstance(each.at, tuple)}
    if len(sizes) > 1:
        message = "BurrTools cannot say how many of both tetrahedra and octahedra may stay empty"
        note = "it counts eighths of octahedra"
        report.add("PZ501", message, puzzle.span, note=note, file=puzzle.title)
    return max(sizes)


def _clean(name: str) -> str:
    """Return a name as XML can have it, with one blank for each white space."""
    return " ".join(_FORBIDDEN.sub("?", name).split())


def _chunks(puzzle: Puzzle, shapes: list[_Shape], numbers: dict[str, int], holes: int | None) -> Iterator[str]:
    """Give the text."""
    assert puzzle.lattice is not None
    grid = TARGETS[puzzle.lattice.name].grid
    yield f'<?xml version="1.0"?>\n<puzzle version="2">\n  <gridType type="{grid}"/>\n' + _palette(len(numbers))
    yield "  <shapes>\n"
    for shape in shapes:
        yield from _voxels(grid, shape)
    title = (_clean(puzzle.title) or "untitled").translate(_ESCAPES)
    bound = "" if holes is None else f' maxHoles="{holes}"'
    yield f'  </shapes>\n  <problems>\n    <problem name="{title}" state="0"{bound}>\n      <shapes>\n'
    for number, shape in enumerate(shapes[:-1]):
        copies = f'count="{shape.low}"' if shape.low == shape.high else f'min="{shape.low}" max="{shape.high}"'
        end = f">{shape.groups}</shape>" if shape.groups else "/>"
        yield f'        <shape id="{number}" {copies}{end}\n'
    yield f'      </shapes>\n      <result id="{len(shapes) - 1}"/>\n'
    pairs = "".join(f'        <pair piece="{a - 1}" result="{b - 1}"/>\n' for a, b in _pairs(puzzle, numbers))
    yield f"      <bitmap>\n{pairs}      </bitmap>\n" if pairs else "      <bitmap/>\n"
    yield "    </problem>\n  </problems>\n  <comment/>\n</puzzle>\n"


def _groups(puzzle: Puzzle, name: str, high: int) -> str:
    """Return the groups that a piece may be in, each with the copies that may be in it."""
    found = [(group, dict(names).get(name, 0)) for group, names in enumerate(puzzle.together, 1)]
    return "".join(f'<group group="{group}" count="{min(copies, high)}"/>' for group, copies in found if copies)


def _palette(number: int) -> str:
    """Return so many colours, all different: red, green, yellow, blue and so on."""
    lines = []
    for each in range(1, number + 1):
        red, green, blue = (170 * (each >> part & 1) + 85 * (each >> part + 3 & 1) for part in range(3))
        lines.append(f'    <color red="{red}" green="{green}" blue="{blue}"/>\n')
    return f"  <colors>\n{''.join(lines)}  </colors>\n" if lines else "  <colors/>\n"


def _voxels(grid: int, shape: _Shape) -> Iterator[str]:
    """Give the text of a shape: its box from the corner, whole blocks of voxels where the grid has such."""
    shift = origin(grid, shape.signs)
    signs = {tuple([a - b for a, b in zip(voxel, shift, strict=True)]): sign for voxel, sign in shape.signs.items()}
    block = {3: 5, 4: 3}.get(grid, 1)
    x, y, z = (-(-(max(axis) + 1) // block) * block for axis in zip(*signs, strict=True))
    name = shape.name.translate(_ESCAPES)
    yield f'    <voxel x="{x}" y="{y}" z="{z}"{_hotspot(signs) if grid == 2 else ""} name="{name}" type="0">'
    for k in range(z):
        yield "".join(signs.get((i, j, k), "_") for j in range(y) for i in range(x))
    yield "</voxel>\n"


def _hotspot(signs: dict[tuple[int, ...], str]) -> str:
    """Return the attributes that name the ball nearest to (0,0,0): turns are about it, and need one that is there."""
    nearest = min(signs, key=lambda voxel: (sum(value * value for value in voxel), voxel[::-1]))
    return "".join(f' h{axis}="{value}"' for axis, value in zip("xyz", nearest, strict=True) if value)


def _pairs(puzzle: Puzzle, numbers: dict[str, int]) -> list[tuple[int, int]]:
    """Return the pairs of colours, of a cell and a location, that go together, by their numbers."""
    cells = {colour for piece in puzzle.pieces if piece.high for colour in piece.colours if colour is not None}
    ats = {each.colour for each in puzzle.locations if each.colour is not None}
    return sorted((numbers[a], numbers[b]) for a in cells for b in ats if a == b or (a, b) in puzzle.allowed)
