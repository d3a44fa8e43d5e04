"""Offset shape arrays: each orientation of a piece as (dx, dy) pairs from its origin cell, listed one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import box_sizes, plain_report, refuse_second
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.geometry import Cell, Lattice, Matrix, find_lattice
from puzzlec.geometry.lattice import at_origin, turned
from puzzlec.ir import Piece, Puzzle
from puzzlec.language.given import Given
from puzzlec.language.parsing import parse
from puzzlec.lower import orientations
from puzzlec.lower.labels import different


def read_offsets(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of shape arrays on a separate board: the format has no board.

    The origin (0, 0) belongs to every orientation and is not listed. A piece has exactly the listed orientations.
    Raises PuzzleError for invalid arrays, and for orientations in one array that are not rotations or reflections of
    the same piece.
    """
    lattice = find_lattice("square")
    pieces: dict[str, Piece] = {}
    for declaration in parse("offsets", source).children:
        assert isinstance(declaration, lark.Tree)
        name, arrays = declaration.children[0], declaration.children[-1]
        assert isinstance(name, lark.Token)
        assert isinstance(arrays, lark.Tree)
        span = source.span(name.start_pos or 0, name.end_pos)
        listed = [_orientation(child, source, report) for child in arrays.children if isinstance(child, lark.Tree)]
        if str(name) in pieces:
            refuse_second(str(name), span, pieces[str(name)].span, report)
        elif all(orientation is not None for orientation, _ in listed):
            shapes = [(orientation, place) for orientation, place in listed if orientation is not None]
            turns = _turns(shapes, str(name), lattice, report)
            cells = shapes[0][0]
            pieces[str(name)] = Piece(str(name), cells, (None,) * len(cells), turns, span=span)
    if not pieces and not report.errors:
        raise fail("PZ309", "missing shape array", source.end)
    report.stop_on_errors()
    return Puzzle(PurePath(source.name).stem, lattice, given.board, tuple(pieces.values()))


def _orientation(tree: lark.Tree[lark.Token], source: Source, report: Report) -> tuple[tuple[Cell, ...] | None, Span]:
    """Return the cells of one orientation, the origin first, or None after an error."""
    span = source.span(tree.meta.start_pos, tree.meta.end_pos)
    # As many digits as an error message needs: Python refuses to read a very long number.
    numbers = [int(str(token)[:15]) for token in tree.children]
    if len(numbers) % 2:
        report.add("PZ241", f"expected pairs of numbers in an orientation, found {len(numbers)} numbers", span)
        return None, span
    cells = ((0, 0), *zip(numbers[::2], numbers[1::2], strict=True))
    if len(set(cells)) != len(cells):
        report.add(
            "PZ241",
            "duplicate cell in an orientation",
            span,
            note="the origin 0,0 belongs to every orientation and is not listed",
        )
        return None, span
    if any(abs(number) > 2**20 for number in numbers):
        report.add("PZ241", "a number in an orientation is too large", span)
        return None, span
    return cells, span


def _turns(
    shapes: list[tuple[tuple[Cell, ...], Span]], name: str, lattice: Lattice, report: Report
) -> tuple[Matrix, ...]:
    """Return the rotations and reflections that take the first orientation to the listed ones.

    If all different orientations are listed, the result is all of them: then the piece is free.
    """
    first = shapes[0][0]
    images: dict[frozenset[Cell], list[Matrix]] = {}
    for turn in lattice.isometries:
        images.setdefault(at_origin([turned(turn, cell) for cell in first]), []).append(turn)
    listed: dict[frozenset[Cell], None] = {}
    for cells, span in shapes:
        normal = at_origin(cells)
        if normal not in images:
            report.add(
                "PZ242",
                f"orientation is not a rotation or reflection of the first one of `{name}`",
                span,
                others=[(shapes[0][1], "the first orientation")],
            )
        elif normal in listed:
            report.add("PZ208", f"duplicate orientation of piece `{name}`, which is merged", span)
        listed[normal] = None
    if set(listed) == set(images):
        return lattice.isometries
    turns = {images[normal][0] for normal in listed if normal in images}
    return tuple(turn for turn in lattice.isometries if turn in turns)


#: Keywords of a declaration, which are not names.
_DECLARATION_KEYWORDS = {"public", "private", "protected", "static", "final", "const", "int"}


def write_offsets(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the pieces of a puzzle as arrays. The board must be a full box, and a comment gives its size.

    Names become identifiers: ``0`` becomes ``_0``. The origin of an orientation is its first cell, row by row. Raises
    PuzzleError (PZ501) for everything that the format does not support.
    """
    lattice, report = plain_report(puzzle, "an offset shape array", ("square",))
    sizes = box_sizes(puzzle, report)
    report.stop_on_errors()
    names = different((_identifier(piece.name) for piece in puzzle.pieces), "_")
    return _text(puzzle, sizes, list(names), lattice)


def _text(puzzle: Puzzle, sizes: str, names: list[str], lattice: Lattice) -> Iterator[str]:
    yield f"// The board is {sizes}.\n"
    for name, piece in zip(names, puzzle.pieces, strict=True):
        yield f"int[][] {name} = {{\n" + ",\n".join(_offset_rows(piece, lattice)) + "\n};\n"


def _identifier(name: str) -> str:
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return word if re.match("[A-Za-z_]", word) and word not in _DECLARATION_KEYWORDS else f"_{word}"


def _offset_rows(piece: Piece, lattice: Lattice) -> Iterator[str]:
    forms = set()
    for orientation in orientations(piece, lattice):
        cells = sorted((point for point, _ in orientation), key=lambda point: point[::-1])
        forms.add(tuple(tuple(c - o for c, o in zip(cell, cells[0], strict=True)) for cell in cells[1:]))
    for form in sorted(forms):
        yield "  {" + ",".join(str(offset) for cell in form for offset in cell) + "}"


FORMAT = Format(
    "offsets",
    (".offsets",),
    "offset shape arrays: pieces only",
    read=read_offsets,
    write=write_offsets,
    recognise=(Sign(170, r"\s*+(?://[^\n]*+\n\s*+)*+[\w\s\[\]]*+=\s*[\[{]\s*[\[{]\s*-?[0-9]+\s*,\s*-?[0-9]"),),
    aliases=("shapes", "arrays"),
    place=70,
    traits=("pieces only",),
)
