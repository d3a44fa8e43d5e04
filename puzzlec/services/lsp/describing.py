"""Pieces, libraries, shapes and lattices in a few lines of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.diagnostics import counted
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.families import ShapesError, family_names, find_family, find_shapes
from puzzlec.ir import Fitting, Piece, Puzzle
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower import number_of_aspects
from puzzlec.services.lsp.language import link
from puzzlec.show import Style, draw_piece

#: A drawing is at most so wide; a box beside the text has not more room.
_WIDTH = 60

#: So many names are listed.
_LISTED = 40

#: A piece of more cells is not drawn.
_LARGEST = 500


def pieces(puzzle: Puzzle, fitting: Fitting | None, numbers: Sequence[int]) -> str:
    """Return what some pieces of a puzzle compile to, drawn where it is a single one; nothing where there is none."""
    if not numbers:
        return ""
    if len(numbers) > 1:
        names = [f"`{puzzle.pieces[at].name}`" for at in numbers]
        more = f" to {names[-1]}" if len(names) > 1 else ""
        told = f"{len(names)} pieces, {names[0]}{more}"
        return told + (f": {counted(_placements(fitting, numbers), 'placement')}" if fitting is not None else "")
    piece = puzzle.pieces[numbers[0]]
    parts = [] if piece.covers is not None else [counted(len(piece.cells), "cell"), _aspects(puzzle, piece)]
    if fitting is not None:
        placements = counted(_placements(fitting, numbers), "placement")
        parts.append(placements + (", listed" if piece.covers is not None else ""))
    copies = "" if (piece.low, piece.high) == (1, 1) else f" x{copies_text(piece.low, piece.high)}"
    head = f"piece `{piece.name}`{copies}: {', '.join(filter(None, parts))}"
    if piece.covers is not None or puzzle.lattice is None or len(piece.cells) > _LARGEST:
        return head
    return f"{head}\n\n```text\n{draw_piece(piece, puzzle.lattice, Style(width=_WIDTH))}\n```"


def _placements(fitting: Fitting | None, numbers: Sequence[int]) -> int:
    return sum(len(fitting.pieces[at].placements) for at in numbers) if fitting is not None else 0


def _aspects(puzzle: Puzzle, piece: Piece) -> str:
    lattice = puzzle.lattice
    if lattice is None or not piece.cells:
        return ""
    freedom = lattice.freedom_of(piece.turns)
    how = freedom.value if freedom else f"{len(piece.turns)} turns"
    return f"{counted(number_of_aspects(piece, lattice), 'aspect')} ({how})"


def library(name: str, size: int | None) -> str:
    """Return what a library holds, or a family in a size; of a family without one, what it is."""
    if size is None and name in family_names():
        family = find_family(name)
        more = link("Families", "language", "families-of-any-size")
        return f"family `{name}` on `lattice {family.lattice.name}`: {family.summary}.{more}"
    try:
        found = find_shapes(name, size)
    except ShapesError as error:
        return f"{error.message}: {error.note}" if error.note else error.message
    names = list(found.shapes)
    listed = ", ".join(f"`{each}`" for each in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    told = f"`{found.name}` on `lattice {found.lattice.name}`: {found.summary}"
    return f"{told}\n\n{counted(len(names), 'piece')}, {found.freedom.value}: {listed}{more}"


def shape(name: str, size: int | None, member: str) -> str:
    """Return a shape of a library with its drawing, nothing where there is none."""
    try:
        found = find_shapes(name, size)
    except ShapesError:
        return ""
    if member not in found.shapes:
        return ""
    cells = found.shapes[member].cells
    piece = Piece(member, cells, (None,) * len(cells), lattice=found.lattice)
    drawn = draw_piece(piece, found.lattice, Style(width=_WIDTH))
    return f"`{member}` of `{found.name}`: {counted(len(cells), 'cell')}\n\n```text\n{drawn}\n```"


def lattice(name: str) -> str:
    """Return what the cells of a lattice are, with a link to its picture; nothing where it is not one of ours."""
    if name == "none":
        return f"no geometry: locations have names.{link('The language', 'language', 'lattice')}"
    if name not in lattice_names():
        return ""
    return f"`lattice {name}`: {find_lattice(name).summary}.{link('Its picture', 'lattices', name)}"
