"""A puzzle as one XMPuzzle problem of voxel shapes; plain XML, which BurrTools reads.

BurrTools rotates pieces by all rotations of a grid and never reflects them. A puzzle may allow other orientations. Only
the sets of locations that a piece can cover matter. If BurrTools reaches the same ones, the piece is written as it is.
If it reaches some of them, further shapes reach the others. That is exact if as many copies may be used as there is
room for, because each copy may have either shape.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, cast

from puzzlec.diagnostics import Report, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.burrtools.document import MOST_COLOURS, MOST_COPIES
from puzzlec.formats.burrtools.grids import LostColoursError, Voxel, as_turned, eighths, matrices, origin, voxel_of
from puzzlec.formats.burrtools.xmpuzzle import told_apart
from puzzlec.formats.compact import lattice_span
from puzzlec.formats.record import Choices
from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Fitting, Location, Piece, Puzzle
from puzzlec.ir.fitting import Colours
from puzzlec.lower import place


class Target(NamedTuple):
    """The grid for a lattice, and the lattice of its cells there."""

    grid: int
    lattice: str


#: The target of each lattice that can be written.
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
    """Return the place of a cell on the target lattice: flat ones in one layer.

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


class Shapes:
    """The shapes for the pieces of a puzzle, each a piece on the target lattice."""

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
        """Return the shapes for a piece; report one that BurrTools rotates in more or other ways."""
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
        """Yield a piece in each of its orientations, which BurrTools rotates further."""
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
        """Return a shape as BurrTools rotates it: itself, or, for separate balls, by its placements."""
        return as_turned(shape, self.target, self.board, self.puzzle.allowed) if self.target.of_balls else shape

    def placements(self, shape: Piece) -> set[Lying]:
        """Return the placements of a shape: numbers of locations, and its colours there."""
        shape = self.as_turned(shape)
        alone = replace(self.puzzle, lattice=self.target, locations=self.board, pieces=(shape,), rules=(), wraps=())
        return _lying(place(alone))

    def refuse(self, piece: Piece, wanted: set[Lying], reached: set[Lying]) -> None:
        """Report a piece that BurrTools rotates in other ways."""
        if reached - wanted:
            message = f"BurrTools gives piece `{piece.name}` more orientations than this puzzle"
            more = counted(len(reached - wanted), "more placement")
            note = f"it would have {more}: BurrTools rotates all pieces in space"
        else:
            message = f"BurrTools does not support reflections of piece `{piece.name}`"
            note = f"{len(wanted - reached)} of its {counted(len(wanted), 'placement')} would be missing"
        self.report.add("PZ501", message, piece.span, note=note, file=self.puzzle.title)


def _lying(fitting: Fitting) -> set[Lying]:
    """Return the placements of a fitting of one piece."""
    rows = fitting.pieces[0].placements
    return {(rows.row(index), fitting.shown_colours(0, index)) for index in range(len(rows))}


def is_unbounded(piece: Piece, puzzle: Puzzle) -> bool:
    """Whether a piece may be used as often as there is room for, or never."""
    return piece.low == 0 and piece.high >= len(puzzle.locations) // len(piece.cells)


#: Largest number of voxels in the box around a shape.
MOST_VOXELS = 4_000_000

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})

#: Characters that XML does not allow.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


#: How far a piece is written to go that leaves the others.
AWAY = 30_000


class _Shape(NamedTuple):
    """A shape to write: its voxels, each with its text."""

    name: str
    signs: dict[Voxel, str]
    size: int
    low: int = 0
    high: int = 0
    groups: str = ""


def write_xmpuzzle(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Yield a puzzle as an XMPuzzle text in chunks, one for each shape.

    Raises PuzzleError with everything that BurrTools does not support. This includes other lattices, listed
    placements, rules, sides, wrap-around boards and more than 63 colours. A least number of empty locations and
    pieces with other orientations are also refused.
    """
    report = Report()
    if puzzle.lattice is None or puzzle.lattice.name not in TARGETS:
        name = puzzle.lattice.name if puzzle.lattice else "none"
        raise fail(
            "PZ501",
            f"BurrTools does not support the lattice `{name}`",
            lattice_span(puzzle),
            note=f"supported lattices are {', '.join(TARGETS)}",
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
    """Report everything that the format does not support."""
    file = puzzle.title
    if puzzle.wraps:
        report.add("PZ501", "BurrTools does not support wrap-around boards", puzzle.span, file=file)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add(
                "PZ501",
                f"BurrTools does not support the listed placements of piece `{piece.name}`",
                piece.span,
                file=file,
            )
        elif piece.sides:
            report.add(
                "PZ501", f"BurrTools does not support the coloured sides of piece `{piece.name}`", piece.span, file=file
            )
        elif piece.low > MOST_COPIES:
            report.add(
                "PZ501", f"too many copies of a piece for BurrTools (limit {MOST_COPIES})", piece.span, file=file
            )
    for rule in puzzle.rules:
        report.add("PZ501", f"BurrTools does not support rules such as `{rule.kind.value}`", rule.span, file=file)
    if len(_colours(puzzle)) > MOST_COLOURS:
        report.add("PZ501", f"too many colours for BurrTools (limit {MOST_COLOURS})", puzzle.span, file=file)


def _colours(puzzle: Puzzle) -> list[str]:
    """Return the colours of cells and locations, in the order of their declaration."""
    everywhere = [each.colour for each in puzzle.locations]
    everywhere += [colour for piece in puzzle.pieces for colour in piece.colours]
    used = {colour for colour in everywhere if colour is not None}
    return list(dict.fromkeys([*(each for each in puzzle.colours if each in used), *sorted(used)]))


def _sign(numbers: dict[str, int], colour: str | None, optional: bool = False) -> str:
    """Return the text of a voxel."""
    return "#+"[optional] + ("" if colour is None else str(numbers[colour]))


def _pieces(puzzle: Puzzle, numbers: dict[str, int], report: Report) -> list[_Shape]:
    """Return the shapes of the pieces; none for a piece that is never used."""
    forms = Shapes(puzzle, report)
    room = len(puzzle.locations)
    found = []
    for piece in puzzle.pieces:
        if not piece.high:
            continue
        high = piece.high if piece.high <= MOST_COPIES else max(piece.low, room // len(piece.cells))
        if high > MOST_COPIES:
            report.add(
                "PZ501",
                f"too many copies of a piece for BurrTools (limit {MOST_COPIES})",
                piece.span,
                file=puzzle.title,
            )
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
    """Report a shape whose box is nearly empty and too large."""
    box = 1
    for axis in zip(*shape.signs, strict=True):
        box *= max(axis) - min(axis) + 1
    if box > MOST_VOXELS:
        report.add(
            "PZ501",
            f"the box of `{shape.name}` has too many voxels: {box} (limit {MOST_VOXELS})",
            note="XMPuzzle has the whole box around the cells",
            file=shape.name,
        )


def _holes(puzzle: Puzzle, pieces: list[_Shape], report: Report) -> int | None:
    """Return the largest number of empty locations, None without a bound; report bounds that are not supported."""
    if puzzle.empty is None:
        return None
    low, high = puzzle.empty
    optional = sum(each.optional for each in puzzle.locations)
    room = len(puzzle.locations)
    least = max(room - sum(each.high * each.size for each in pieces), 0)
    most = max(room - sum(each.low * each.size for each in pieces), 0)
    fixed = all(each.low == each.high for each in pieces)
    if least < low:
        message = f"BurrTools does not support a minimum of {counted(low, 'empty location')}"
    elif fixed and least > high:
        message = f"BurrTools ignores that the pieces leave {counted(least, 'location')} empty"
    else:
        return high * _weight(puzzle, report) if high < optional and not fixed else None
    left = str(least) if least == most else f"{least} to {most}"
    report.add("PZ501", message, puzzle.span, note=f"the pieces leave {left} empty", file=puzzle.title)
    return None


def _weight(puzzle: Puzzle, report: Report) -> int:
    """Return the number of voxels of an optional location, because BurrTools counts voxels; report mixed numbers."""
    assert puzzle.lattice is not None
    name = puzzle.lattice.name
    sizes = {len(voxels(name, each.at)) for each in puzzle.locations if each.optional and isinstance(each.at, tuple)}
    if len(sizes) > 1:
        message = "BurrTools does not support a number of empty tetrahedra and octahedra together"
        note = "it counts eighths of octahedra"
        report.add("PZ501", message, puzzle.span, note=note, file=puzzle.title)
    return max(sizes)


def _clean(name: str) -> str:
    """Return a name without characters that XML does not allow, and with single spaces."""
    return " ".join(_FORBIDDEN.sub("?", name).split())


def _chunks(puzzle: Puzzle, shapes: list[_Shape], numbers: dict[str, int], holes: int | None) -> Iterator[str]:
    """Yield the text."""
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
    """Return the groups of a piece, each with its number of copies."""
    found = [(group, dict(names).get(name, 0)) for group, names in enumerate(puzzle.together, 1)]
    return "".join(f'<group group="{group}" count="{min(copies, high)}"/>' for group, copies in found if copies)


def _palette(number: int) -> str:
    """Yield different colours: red, green, yellow, blue and so on."""
    lines = []
    for each in range(1, number + 1):
        red, green, blue = (170 * (each >> part & 1) + 85 * (each >> part + 3 & 1) for part in range(3))
        lines.append(f'    <color red="{red}" green="{green}" blue="{blue}"/>\n')
    return f"  <colors>\n{''.join(lines)}  </colors>\n" if lines else "  <colors/>\n"


def _voxels(grid: int, shape: _Shape) -> Iterator[str]:
    """Yield the text of a shape: its box from the corner, with complete blocks of voxels."""
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
    """Return the attributes of the ball nearest to (0,0,0): rotations are about it, so it must exist."""
    nearest = min(signs, key=lambda voxel: (sum(value * value for value in voxel), voxel[::-1]))
    return "".join(f' h{axis}="{value}"' for axis, value in zip("xyz", nearest, strict=True) if value)


def _pairs(puzzle: Puzzle, numbers: dict[str, int]) -> list[tuple[int, int]]:
    """Return the matching pairs of colours, of a cell and a location, by their numbers."""
    cells = {colour for piece in puzzle.pieces if piece.high for colour in piece.colours if colour is not None}
    ats = {each.colour for each in puzzle.locations if each.colour is not None}
    return sorted((numbers[a], numbers[b]) for a in cells for b in ats if a == b or (a, b) in puzzle.allowed)


class Move(Protocol):
    """What is asked of a move of a disassembly."""

    @property
    def pieces(self) -> tuple[int, ...]:
        """The numbers of the pieces that slide."""

    @property
    def direction(self) -> Sequence[int]:
        """What one step adds to the coordinates of a cell."""

    @property
    def distance(self) -> int:
        """The number of steps."""

    @property
    def separates(self) -> bool:
        """Whether the pieces leave the others."""


class Assembly(NamedTuple):
    """An assembly to write: its number, its pieces by name with their cells, and the moves that take it apart."""

    number: int
    placed: Sequence[tuple[str, Sequence[Cell]]]
    moves: Sequence[Move]


def write_assemblies(puzzle: Puzzle, assemblies: Sequence[Assembly], number: int) -> str:
    """Return a puzzle as an XMPuzzle text with assemblies and how they come apart, for BurrTools to show.

    Args:
        puzzle: The puzzle, on `line`, `square` or `cubic`, in one colour and without walls.
        assemblies: The assemblies that come apart.
        number: The number of all assemblies.

    Raises:
        PuzzleError: If BurrTools cannot hold the puzzle (PZ501).

    """
    against = {
        "moves on this lattice": puzzle.lattice is None or TARGETS.get(puzzle.lattice.name, ("", ""))[0] != 0,
        "walls": bool(puzzle.walls),
        "several immovable pieces": len(puzzle.immovable) > 1,
        "turns of coloured pieces here": any(any(piece.colours) for piece in puzzle.pieces),
    }
    for what, wrong in against.items():
        if wrong:
            raise fail("PZ501", f"cannot write assemblies for BurrTools with {what}", puzzle.span, file=puzzle.title)
    text = "".join(write_xmpuzzle(puzzle, Choices()))
    report = Report()
    shapes = _pieces(puzzle, {}, report)
    report.stop_on_errors()
    assert puzzle.lattice is not None
    name = puzzle.lattice.name
    corner = origin(0, [voxel for each in puzzle.locations for voxel in voxels(name, cast("Cell", each.at))])
    lines = ["      <solutions>\n"]
    for counted_as, assembly in enumerate(assemblies, 1):
        lines.append(f'        <solution asmNum="{assembly.number}" solNum="{counted_as}">\n')
        lines.extend(_solution(name, shapes, corner, assembly))
        lines.append("        </solution>\n")
    lines.append("      </solutions>\n")
    head, end, rest = text.partition("    </problem>\n")
    solved = f' state="2" assemblies="{number}" solutions="{len(assemblies)}"'
    head = head.replace(' state="0"', solved, 1)
    return head + "".join(lines) + end + rest


def _solution(lattice: str, shapes: Sequence[_Shape], corner: Voxel, assembly: Assembly) -> Iterator[str]:
    """Give the text of an assembly and of its separation."""
    spots: list[str] = []
    places: dict[int, tuple[int, ...]] = {}
    copy_of: dict[int, int] = {}
    left = list(range(len(assembly.placed)))
    for shape in shapes:
        own = [number for number in left if assembly.placed[number][0] == shape.name]
        for number in own:
            cells = [voxels(lattice, cell)[0] for cell in assembly.placed[number][1]]
            *place, turn = _turned_to(shape, [_minus(cell, corner) for cell in cells])
            copy_of[number], places[number] = len(spots), tuple(place)
            spots.append(" ".join(map(str, (*place, turn))))
        spots += ["x"] * (shape.high - len(own))
        left = [number for number in left if number not in own]
    if left:
        raise fail("PZ501", "cannot write assemblies for BurrTools: a piece has several shapes there")
    yield f"          <assembly>{' '.join(spots)}</assembly>\n"
    moves = deque(assembly.moves)
    yield from _separation(lattice, copy_of, places, frozenset(copy_of), moves, "", 5)


def _turned_to(shape: _Shape, cells: Sequence[Voxel]) -> tuple[int, ...]:
    """Return where the corner of a shape is and the number of its turn, if it covers some voxels."""
    shift = origin(0, shape.signs)
    base = [_minus(voxel, shift) for voxel in shape.signs]
    wanted, low = set(cells), [min(axis) for axis in zip(*cells, strict=True)]
    for number, (matrix, _) in enumerate(matrices(0)):
        images = [turned(matrix, voxel) for voxel in base]
        at = [a - min(axis) for a, axis in zip(low, zip(*images, strict=True), strict=True)]
        if {tuple([a + b for a, b in zip(image, at, strict=True)]) for image in images} == wanted:
            return (*at, number)
    raise fail("PZ501", f"cannot write assemblies for BurrTools: it does not turn piece `{shape.name}` this way")


def _minus(one: Sequence[int], other: Sequence[int]) -> Voxel:
    x, y, z = (a - b for a, b in zip(one, other, strict=True))
    return x, y, z


def _separation(
    lattice: str,
    copy_of: dict[int, int],
    places: dict[int, tuple[int, ...]],
    part: frozenset[int],
    moves: deque[Move],
    kind: str,
    depth: int,
) -> Iterator[str]:
    """Give the text of how a part comes apart, and its parts after it; take its moves from the front."""
    indent = "  " * depth
    pieces = sorted(part, key=lambda number: copy_of[number])
    yield f'{indent}<separation{kind}>\n{indent}  <pieces count="{len(pieces)}">'
    yield " ".join(str(copy_of[number]) for number in pieces) + "</pieces>\n"
    places = {number: places[number] for number in pieces}
    yield from _state_text(places, indent)
    while True:
        move = moves.popleft()
        distance = AWAY if move.separates else move.distance
        way = there(lattice, tuple(move.direction))
        moved = {
            number: tuple([at + distance * step for at, step in zip(places[number], way, strict=True)])
            for number in move.pieces
        }
        yield from _state_text(places | moved, indent)
        if move.separates:
            break
        places |= moved
    away = frozenset(move.pieces)
    sides = {' type="left"': part - away, ' type="removed"': away}
    texts: dict[str, list[str]] = {}
    while moves and (sort := next((sort for sort in sides if sides[sort].issuperset(moves[0].pieces)), "")):
        if sort in texts:
            break
        texts[sort] = list(_separation(lattice, copy_of, places, sides[sort], moves, sort, depth + 1))
    for sort in sides:
        yield from texts.get(sort, ())
    yield f"{indent}</separation>\n"


def _state_text(places: dict[int, tuple[int, ...]], indent: str) -> Iterator[str]:
    yield f"{indent}  <state>\n"
    for name, axis in zip(("dx", "dy", "dz"), zip(*places.values(), strict=True), strict=True):
        yield f"{indent}    <{name}>{' '.join(map(str, axis))}</{name}>\n"
    yield f"{indent}  </state>\n"
