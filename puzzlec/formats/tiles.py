"""Square tiles, a line for each: the colours of four sides, in the lists of Eternity II and its relatives.

The sides are top, right, bottom and left, unless a comment such as ``# sides: left top right bottom`` says otherwise.
The colour 0 is the border. If sides have signs, a meets -a.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import isqrt
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail, unless_errors
from puzzlec.diagnostics.source import lines
from puzzlec.formats.record import Format, Sign, first_words
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.geometry.regions import MAX_REGION_CELLS, box
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.language.given import Board, Given

SIDES = ("top", "right", "bottom", "left")

#: A comment that gives the order of the sides.
_ORDER = re.compile(r"^\s*(?:#|//)\s*sides:[ \t]*([^\n]*)", re.MULTILINE)


class _TileLine(NamedTuple):
    """The numbers of a line without leading zeros, and its position; ``named`` if a colon follows the first."""

    start: int
    end: int
    numbers: tuple[str, ...]
    named: bool = False


def read_tiles(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of tiles on the board of the first lines or of the options.

    A line may begin with the number of its tile. The first lines may contain the numbers of rows and columns, or the
    side of the board, the number of colours and the number of hints, a line each. A rotated copy of another tile
    becomes a copy of it. Raises PuzzleError (PZ229) for invalid lines.
    """
    rows = _rows(source, report)
    head = next((at for at, row in enumerate(rows) if len(row.numbers) > 2), len(rows))
    if head == 0 and len(rows) > 1 and len(rows[0].numbers) == 3 and all(row.named for row in rows[1:]):
        head = 1  # columns, rows, and whether the generator rotated the tiles
    tiles = rows[head:]
    hints = int(rows[2].numbers[0][:9]) if head == 3 and all(len(row.numbers) == 1 for row in rows[:3]) else 0
    if hints and hints < len(tiles):
        span = source.span(tiles[0].start, tiles[hints - 1].end)
        report.add("PZ230", f"ignoring {hints} hint{'s' * (hints > 1)}", span)
        tiles = tiles[hints:]
    report.stop_on_errors()
    if not tiles:
        raise fail("PZ229", "missing tiles", source.end, help="write four numbers on each line, such as `0 0 1 2`")
    numbered = _numbered(tiles)
    order = _order(source, report)
    pieces: dict[tuple[str, ...], Piece] = {}
    lattice = find_lattice("square")
    turns = lattice.turns(Freedom.ONE_SIDED)
    for at, row in enumerate(tiles):
        colours = row.numbers[1:] if numbered else row.numbers
        name = row.numbers[0] if numbered else str(at + 1)
        if len(colours) != 4:
            _refuse(source, report, row)
            continue
        sides = tuple(colours[order.index(side)] for side in SIDES)
        least = min(sides[turn:] + sides[:turn] for turn in range(4))
        span = source.span(row.start, row.end)
        twin = pieces.get(least)
        if twin:
            pieces[least] = replace(twin, low=twin.low + 1, high=twin.high + 1)
        else:
            pieces[least] = Piece(name, ((0, 0),), (None,), turns, sides=sides, span=span)
    report.stop_on_errors()
    board = given.board or _board(source, report, rows[:head], len(tiles))
    if min((max(axis) for axis in zip(*(location.at for location in board), strict=True)), default=1):
        _look_at_corners(report, list(pieces.values()))
    report.stop_on_errors()
    numbers = {int(side) for piece in pieces.values() for side in piece.sides}
    signed = min(numbers) < 0
    numbers |= {-number for number in numbers if signed}
    mates = tuple((str(number), str(-number)) for number in sorted(numbers) if signed and number)
    colours = tuple(map(str, sorted(numbers)))
    return Puzzle(
        PurePath(source.name).stem,
        lattice,
        board,
        tuple(pieces.values()),
        PuzzleColours(colours, mates=mates, frame=("0",) if "0" in colours else None),
    )


def _rows(source: Source, report: Report) -> list[_TileLine]:
    """Return the lines that are neither empty nor comments; report lines with words that are not numbers."""
    rows = []
    for start, line in lines(source.text):
        plain = line.strip()
        if not plain or plain.startswith(("#", "//")):
            continue
        at = start + line.index(plain)
        words = re.split(r"[\s,;:]+", plain.rstrip(",;"))
        strange = next((word for word in words if re.fullmatch(r"-?[0-9]{1,6}", word, re.ASCII) is None), None)
        if strange is not None:
            where = start + line.index(strange)
            span = source.span(where, where + max(1, len(strange)))
            report.add(
                "PZ229", f"expected the number of a colour, found `{strange[:40]}`", span, note="0 is the border"
            )
        else:
            named = re.match(r"[0-9]+\s*:", plain) is not None
            rows.append(_TileLine(at, at + len(plain), tuple(str(int(word)) for word in words), named))
    return rows


def _numbered(tiles: list[_TileLine]) -> bool:
    """Whether each line has five numbers, the first of them the name of the tile.

    Without a colon after them, the names are the numbers from 0 or 1.
    """
    names = [row.numbers[0] for row in tiles]
    counted = [[str(at + first) for at in range(len(tiles))] for first in (0, 1)]
    named = all(row.named for row in tiles) and len(set(names)) == len(names)
    return all(len(row.numbers) == 5 for row in tiles) and (named or names in counted)


def _refuse(source: Source, report: Report, row: _TileLine) -> None:
    """Report a line that is not a tile."""
    many = len(row.numbers)
    report.add(
        "PZ229",
        f"expected 4 numbers, found {many}",
        source.span(row.start, row.end),
        note="each line has the colours of the top, right, bottom and left side",
        help="number the tiles from 1 in the first column of every line" if many == 5 else (),
    )


def _order(source: Source, report: Report) -> tuple[str, ...]:
    """Return the sides in the order of the lists."""
    match = _ORDER.search(source.text)
    if match is None:
        return SIDES
    order = tuple(re.split(r"[\s,]+", match.group(1).strip().lower()))
    if sorted(order) != sorted(SIDES):
        span = source.span(*match.span(1))
        report.add("PZ229", "expected the four sides of a tile", span, help=f"write `# sides: {' '.join(SIDES)}`")
        report.stop_on_errors()
    return order


def _board(source: Source, report: Report, head: list[_TileLine], tiles: int) -> Board:
    """Return the board of the first lines; None without one."""
    numbers = [tuple(int(number) for number in row.numbers) for row in head]
    if not head:
        return ()
    sizes: tuple[int, int] | None = None
    if len(head) == 1 and len(numbers[0]) == 2:
        sizes = numbers[0][1], numbers[0][0]
    elif len(head) == 1 and len(numbers[0]) == 3:
        sizes = numbers[0][0], numbers[0][1]
    elif all(len(number) == 1 for number in numbers) and len(head) in (1, 3):
        if len(head) == 1 and numbers[0][0] == tiles > 1:
            return ()  # the number of tiles
        sizes = numbers[0][0], numbers[0][0]
    span = source.span(head[0].start, head[-1].end)
    if sizes is None or sizes[0] * sizes[1] != tiles:
        if sizes is not None and sizes[0] * sizes[1] > 0:
            message = f"the first lines state a board of {sizes[1]} rows and {sizes[0]} columns, found {tiles} tiles"
        else:
            message = "invalid first lines"
        report.add(
            "PZ229", message, span, help="write the numbers of rows and columns on the first line, such as `4 4`"
        )
    sizes = unless_errors(report, sizes)
    if tiles > MAX_REGION_CELLS:
        raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", span)
    return tuple(Location(cell) for cell in box(sizes))


def _look_at_corners(report: Report, pieces: list[Piece]) -> None:
    """Report a tile with the border on two opposite sides: it fits nowhere, so the sides have another order."""
    for piece in pieces:
        opposite = piece.sides[0] == piece.sides[2] == "0" or piece.sides[1] == piece.sides[3] == "0"
        if opposite and piece.span is not None:
            report.add(
                "PZ229",
                "this tile has the border on opposite sides",
                piece.span,
                note="the sides are top, right, bottom and left unless a comment says otherwise",
                help="give the order of the sides on the first line: `# sides: top bottom left right`",
            )
            return


def square(puzzle: Puzzle) -> str | None:
    """Return the size of the square board that the tiles of a puzzle fill; None if they fill none."""
    tiles = sum(piece.low for piece in puzzle.pieces)
    side = isqrt(tiles)
    return f"{side}x{side}" if side * side == tiles else None


def is_tiles(source: Source) -> bool:
    r"""Whether the lines of a text after a comment contain four or five numbers, with fewer on the first lines.

    >>> is_tiles(Source("", "# two\n2 1\n0 0 1 2\n0 0 2 1\n")), is_tiles(Source("", "# rows\n0 1 1 0\n"))
    (True, False)
    """
    rows = [re.split(r"[\s,;:]+", " ".join(words).rstrip(",;")) for words in first_words(source, "#", "//")]
    numbers = [word for row in rows for word in row]
    if not (
        numbers
        and source.text.lstrip().startswith("#")
        and all(re.fullmatch("[0-9]{1,6}", number) for number in numbers)
    ):
        return False
    lengths = {len(row) for row in rows}
    return lengths <= {1, 2, 4, 5} and bool(lengths & {4, 5}) and any(int(number) > 1 for number in numbers)


FORMAT = Format(
    "tiles",
    (".tiles",),
    "square tiles by the colours of their sides",
    read=read_tiles,
    recognise=(Sign(180, is_tiles),),
    aliases=("eternity2", "eternityii", "eternity-ii", "edge-matching"),
    place=160,
    traits=("pieces only", "numbers"),
    board=square,
)
