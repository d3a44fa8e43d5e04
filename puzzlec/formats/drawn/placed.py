"""Partly filled boards: each letter is a piece in its position, ``0`` or ``.`` is free.

The pieces are those of a set whose cells fill the board: Kanoodle (and Lonpos 101), IQ Puzzler Pro, or the twelve
pentominoes. The shape of a letter decides its piece, so any names are allowed.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.drawn.drawings import least_image
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import WEAK_RANK, Format, Sign
from puzzlec.geometry import Cell, find_lattice, find_library
from puzzlec.geometry.drawing import marks
from puzzlec.ir import Location, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.rules import PuzzleRules
from puzzlec.language.given import Given

#: Marks of a free cell: one of these in the whole text.
FREE_SIGNS = frozenset(".0_-")

#: Flat pieces of the games: the usual letter of each (the shape if there is none), its shape, and its drawing.
KANOODLE = (
    "A L4 xxx/x..  B P5 xxx/xx.  C L5 xxxx/x...  D Y5 xxxx/.x..  E N5 xx../.xxx  F V3 xx/x."
    "  G V5 xxx/x../x..  H W5 xx./.xx/..x  I U5 x.x/xxx  J I4 xxxx  K O4 xx/xx  L X5 .x./xxx/.x."
)
IQ_PUZZLER = (
    "V5 V5 xxx/x../x..  L5 L5 xxxx/x...  F5 F5 .x./xxx/x..  T4 T4 xxx/.x.  W5 W5 xx./.xx/..x  U5 U5 x.x/xxx"
    "  Y5 Y5 xxxx/.x..  N5 N5 xx../.xxx  P5 P5 xxx/xx.  S4 S4 xx./.xx  L4 L4 xxx/x..  V3 V3 xx/x."
)


class SetPiece(NamedTuple):
    """A piece of a set: its letter, its shape in words, and its cells."""

    letter: str
    shape: str
    cells: tuple[Cell, ...]


Image = frozenset[Cell]


def _sets() -> dict[str, dict[Image, SetPiece]]:
    """Return the sets of pieces by name, each piece by a form that all of its images share."""
    square = find_lattice("square")
    sets: dict[str, list[SetPiece]] = {}
    for name, text in (("kanoodle", KANOODLE), ("iq-puzzler-pro", IQ_PUZZLER)):
        fields = text.split()
        sets[name] = [
            SetPiece(letter, shape, tuple(mark.cell for mark in marks(drawing, square)))
            for letter, shape, drawing in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
        ]
    shapes = find_library("pentominoes").shapes
    sets["pentominoes"] = [SetPiece(name, f"{name}5", shape.cells) for name, shape in shapes.items()]
    return {
        name: {least_image(piece.cells, square.isometries): piece for piece in pieces} for name, pieces in sets.items()
    }


class _CellText(NamedTuple):
    """The text of a cell, and its position."""

    text: str
    at: int


def grid_of(text: str) -> list[list[_CellText]]:
    """Return the cells of each row of a board: its words if spaces divide them, else its characters."""
    rows = [(at, line) for at, line in lines(text) if line.strip()]
    divided = all(len(line.split()) > 1 for _, line in rows)
    pattern = re.compile(r"\S+" if divided else r"\S|\s(?=.*\S)")
    return [[_CellText(match.group(), at + match.start()) for match in pattern.finditer(line)] for at, line in rows]


def is_placed(source: Source) -> bool:
    r"""Whether a text is a rectangle of letters and free cells, with the number of cells of some set of pieces.

    >>> is_placed(Source("", "L..........\n" * 5)), is_placed(Source("", "L....\n" * 5))
    (True, False)
    """
    if len(source.text) > 1000:
        return False
    grid = grid_of(source.text)
    words = {word.text for row in grid for word in row}
    size = sum(map(len, grid))
    even = len({len(row) for row in grid}) == 1 and all(len(word) == 1 for word in words)
    letters = {word for word in words if word.isalpha()}
    free = words - letters
    return even and size in (55, 60) and len(free) == 1 and free <= FREE_SIGNS and bool(letters)


def read_placed(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of a partly filled board: all pieces of its set, and those with a letter fixed in place.

    ``given.problem`` names the set, if the board and its letters match several. Raises PuzzleError for text that is not
    a rectangle and for a letter that is not a piece of the set (PZ224), and for an unknown set (PZ223).
    """
    grid = grid_of(source.text)
    if not grid:
        raise fail("PZ308", "missing cells of this board", source.end)
    _verify(grid, source, report)
    report.stop_on_errors()
    letters: dict[str, list[tuple[Cell, Span]]] = {}
    for y, row in enumerate(grid):
        for x, word in enumerate(row):
            if word.text not in FREE_SIGNS:
                letters.setdefault(word.text, []).append(((x, y), _span(word, source)))
    square = find_lattice("square")
    images = {name: least_image(tuple(cell for cell, _ in cells), square.isometries) for name, cells in letters.items()}
    pieces = _set(images, sum(map(len, grid)), letters, source, given.problem)
    turns = square.turns(square.freedom)
    lettered = all(pieces[image].letter == name for name, image in images.items())
    names = {image: name for name, image in images.items()}
    made, rules = [], []
    for image, piece in pieces.items():
        name = names.get(image) or (piece.letter if lettered else piece.shape)
        if image not in names and name in letters:
            name = f"{name}'"
        cells = tuple(cell for cell, _ in letters[name]) if image in names else ()
        span = letters[name][0][1] if cells else None
        made.append(Piece(name, piece.cells, (None,) * len(piece.cells), turns, span=span))
        if cells:
            rules.append(Rule(RuleKind.FIX, name, cells, span=span))
    board = tuple(
        Location((x, y), span=_span(word, source)) for y, row in enumerate(grid) for x, word in enumerate(row)
    )
    return Puzzle(PurePath(source.name).stem, square, board, tuple(made), rules=PuzzleRules(tuple(rules)))


def _span(word: _CellText, source: Source) -> Span:
    return source.span(word.at, word.at + len(word.text))


def _first_row(source: Source) -> Span:
    at = len(source.text) - len(source.text.lstrip())
    return source.span(at, at + len(source.text[at:].split("\n", 1)[0].rstrip()))


def _verify(grid: list[list[_CellText]], source: Source, report: Report) -> None:
    """Report rows of other lengths, and cells that are neither a letter nor free."""
    mark = next((word for word in chain(*grid) if word.text in FREE_SIGNS), None)
    for number, row in enumerate(grid, 1):
        if len(row) != len(grid[0]):
            span = source.span(row[0].at, row[-1].at + len(row[-1].text))
            what = f"row {number} has {counted(len(row), 'cell')}, the first row has {len(grid[0])}"
            report.add("PZ224", what, span, help="write `.` for a free cell")
        for word in row:
            if word.text in FREE_SIGNS and mark is not None and word.text != mark.text:
                what = f"free cells are `{mark.text}` and `{word.text}`: write one of them"
                report.add("PZ224", what, _span(word, source), others=[(_span(mark, source), "the first free cell")])
                return
            if word.text not in FREE_SIGNS and not word.text.isalnum():
                what = (
                    "unexpected space in a board"
                    if word.text.isspace()
                    else f"unexpected `{word.text[:40]}` in a board"
                )
                note = "a letter is a piece in its place, `0` or `.` is a free cell"
                report.add("PZ224", f"unexpected {what} in a board", _span(word, source), note=note)
                return


def _set(
    images: dict[str, Image],
    size: int,
    letters: dict[str, list[tuple[Cell, Span]]],
    source: Source,
    problem: str | None,
) -> dict[Image, SetPiece]:
    """Return the set of pieces that a board is for."""
    every = _sets()
    numbers = {name: sum(len(piece.cells) for piece in pieces.values()) for name, pieces in every.items()}
    if problem is not None:
        choice = list(every)[chosen_problem(problem, list(every), [source.end], Report(), "sets of pieces")]
        every = {choice: every[choice]}
    of_size = {name: pieces for name, pieces in every.items() if numbers[name] == size}
    if not of_size:
        cells = ", ".join(f"`{name}` has {number} cells" for name, number in numbers.items())
        which = f"the pieces of `{', '.join(every)}` do not fill" if problem else "no known set of pieces fills"
        raise fail("PZ224", f"{which} a board of {counted(size, 'cell')}", _first_row(source), note=cells)
    fitting = {name: shapes for name, shapes in of_size.items() if all(image in shapes for image in images.values())}
    if not fitting:
        nearest = max(of_size, key=lambda name: sum(image in of_size[name] for image in images.values()))
        wrong = next(name for name, image in images.items() if image not in of_size[nearest])
        spans = [span for _, span in letters[wrong]]
        have = ", ".join(f"{drawn.letter} ({drawn.shape})" for drawn in of_size[nearest].values())
        raise fail(
            "PZ224",
            f"the {counted(len(spans), 'cell')} of `{wrong}` match no piece of `{nearest}`",
            spans[0],
            note=f"its pieces are {have}",
        )
    return _chosen(fitting, images, letters, source)


def _chosen(
    fitting: dict[str, dict[Image, SetPiece]],
    images: dict[str, Image],
    letters: dict[str, list[tuple[Cell, Span]]],
    source: Source,
) -> dict[Image, SetPiece]:
    """Return the only set that matches; if the shapes match several sets, the letters decide."""
    seen: dict[Image, str] = {}
    for name, image in images.items():
        if image in seen:
            what = f"`{name}` has the same shape as `{seen[image]}`"
            raise fail("PZ224", what, letters[name][0][1], note="a set has each piece once")
        seen[image] = name
    by_letters = [
        name
        for name, pieces in fitting.items()
        if images and all(pieces[image].letter == letter for letter, image in images.items())
    ]
    names = by_letters if len(by_letters) == 1 else list(fitting)
    if len(names) > 1:
        raise fail(
            "PZ223",
            f"this board matches the pieces of {' and of '.join(f'`{name}`' for name in names)}",
            _first_row(source),
            help=tuple(f"choose with `--problem {name}`" for name in names),
        )
    return fitting[names[0]]


FORMAT = Format(
    "kanoodle",
    (".kanoodle",),
    "partly filled boards of Kanoodle and its like",
    read=read_placed,
    recognise=(Sign(WEAK_RANK + 20, is_placed),),
    aliases=("lonpos", "placed"),
    place=200,
    traits=("problems",),
)
