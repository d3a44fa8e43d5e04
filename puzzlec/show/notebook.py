"""Representations in a notebook: a picture, beside the printed text.

A notebook asks for one at the end of each cell, so it is quick and small. Searches end after a moment, and an object
too large for a picture is shown as text. Classes find this module by :mod:`puzzlec.shown`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from html import escape
from typing import Any, Protocol, runtime_checkable

from puzzlec.diagnostics import Diagnostic, PuzzleError, counted
from puzzlec.diagnostics.error import render
from puzzlec.geometry import Lattice
from puzzlec.geometry.shapes import ShapeSet
from puzzlec.ir import Fitting, Location, Piece, Placement, Puzzle, Solution
from puzzlec.solving.subject import Subject

#: Maximum number of cells of boards and pieces in a picture, pieces without a board, characters of SVG, and lines of
#: text.
MOST_CELLS, MOST_PIECES, MOST_CHARACTERS, MOST_LINES = 4_000, 100, 400_000, 200
#: Maximum number of solutions in a picture.
SAMPLE = 6
#: The size of cells of pieces without a board, in px.
_ALONE = 28.0
#: The longest page that is put into a notebook.
MOST_OF_A_PAGE = 3_000_000


@runtime_checkable
class _WithSubject(Protocol):
    """An object with a picture that needs no search, such as :class:`puzzlec.solving.solutions.Solutions`."""

    def subject(self) -> Subject:
        """Return the part that needs no search."""


def bundle(thing: object) -> dict[str, str]:
    """Return texts by their MIME types: plain text always, and a picture if there is one."""
    forms = {"text/plain": _shortened(_text(thing))}
    svg = None
    with suppress(PuzzleError, ValueError):  # the text is enough
        svg = _svg(thing)
    if svg is not None and len(svg) <= MOST_CHARACTERS:
        forms["image/svg+xml"] = svg
    return forms


def _text(thing: object) -> str:
    """Return the printed text. For a diagnostic, it includes the line and the help."""
    if isinstance(thing, Diagnostic):
        return render(thing)
    if isinstance(thing, PuzzleError):
        return "\n\n".join(map(render, thing.diagnostics))
    if isinstance(thing, Solution | Piece) and _size(thing) > MOST_CELLS:
        return f"{thing.__class__.__name__.lower()} of {_size(thing)} cells"
    if isinstance(thing, Piece) and thing.lattice is not None and thing.covers is None:
        from puzzlec.show.terminal.text import draw_piece

        return f"piece {thing.name}\n{draw_piece(thing, thing.lattice)}"
    if isinstance(thing, ShapeSet):
        return f"{thing.name}: {thing.summary} ({len(thing.shapes)} shapes on the lattice {thing.lattice.name})"
    return str(thing)


def _shortened(text: str) -> str:
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} more lines"]
    return "\n".join(line if len(line) <= 1000 else line[:1000] + " ..." for line in lines)


def _size(thing: Solution | Piece) -> int:
    return thing.fitting.locations if isinstance(thing, Solution) else len(thing.cells) or len(thing.covers or ())


def _svg(thing: object) -> str | None:
    """Return a picture, or None if there is none."""
    if isinstance(thing, Puzzle):
        return _drawn(Subject(_bare(thing)))
    if isinstance(thing, Fitting):
        return _drawn(Subject(thing))
    if isinstance(thing, Solution):
        return _drawn(Subject(thing.fitting, (thing,)))
    if isinstance(thing, _WithSubject):
        return _drawn(thing.subject())
    if isinstance(thing, Piece):
        return _pieces([thing], thing.lattice, "") if thing.lattice is not None else None
    if isinstance(thing, ShapeSet):
        several = [Piece(shape.name, shape.cells, (None,) * len(shape.cells)) for shape in thing.shapes.values()]
        return _pieces(several, thing.lattice, thing.name)
    if isinstance(thing, Placement):
        return _svg(Solution(thing.fitting, (thing,)))
    if isinstance(thing, Lattice):
        from puzzlec.show.lattice_picture import lattice_picture

        return lattice_picture(thing)
    from puzzlec.solving.every import EverySolution  # needs numpy, which pages in a browser lack

    if isinstance(thing, EverySolution):
        number = thing.count
        places = [index * number // SAMPLE for index in range(SAMPLE)] if number > SAMPLE else range(number)
        remark = counted(number, "raw solution") + (f", {SAMPLE} of them:" if number > SAMPLE else "")
        return _drawn(Subject(thing.fitting, tuple(thing[place] for place in places), remark))
    # A result is shown by its solution or its puzzle.
    part = getattr(thing, "solution", None) or getattr(thing, "puzzle", None)
    return _svg(part) if isinstance(part, Solution | Puzzle) else None


def _bare(puzzle: Puzzle) -> Fitting:
    """Return a fitting that replaces a puzzle in a picture; only puzzles without cells get placements."""
    if puzzle.lattice is not None:
        return Fitting(len(puzzle.locations), (), title=puzzle.title, puzzle=puzzle)
    if sum(len(piece.covers or ()) for piece in puzzle.pieces) > MOST_CELLS:
        raise ValueError("too many placements for a picture")
    from puzzlec.lower import place

    return place(puzzle)


def _drawn(subject: Subject) -> str | None:
    """Return the picture of a puzzle and its solutions; None if it is too large."""
    puzzle, show = subject.puzzle, None
    if subject.fitting.locations * max(1, len(subject.solutions)) > MOST_CELLS:
        if subject.fitting.locations > MOST_CELLS:
            return None
        subject = Subject(subject.fitting, (subject.shown,) if subject.shown else (), subject.remark, subject.number)
    if puzzle is None or puzzle.lattice is None:
        if not subject.solutions and sum(len(piece.placements) for piece in subject.fitting.pieces) > MOST_PIECES:
            return None
    elif not subject.solutions and (
        len(puzzle.pieces) > MOST_PIECES or sum(len(piece.cells) for piece in puzzle.pieces) > MOST_CELLS
    ):
        show = "board"
    return _picture(subject, show)


def _picture(subject: Subject, show: str | None, cell: float | None = None) -> str:
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.picture import picture

    return picture(subject, Choices(show=show, cell=cell)).svg()


def _pieces(pieces: Sequence[Piece], lattice: Lattice, title: str) -> str | None:
    """Return a picture of pieces without a board."""
    cells = dict.fromkeys(cell for piece in pieces for cell in piece.cells)
    if not cells or len(pieces) > MOST_PIECES or sum(len(piece.cells) for piece in pieces) > MOST_CELLS:
        return None
    turned = [replace(piece, turns=piece.turns or lattice.turns(lattice.freedom)) for piece in pieces]
    puzzle = Puzzle(title, lattice, tuple(map(Location, cells)), tuple(turned))
    return _picture(Subject(_bare(puzzle)), "pieces", _ALONE if lattice.dimension < 3 else None)


class _FormattedText(str):
    """A text that a notebook shows by its format, and not as a string."""

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Return a short description, since IPython would print everything."""
        printer.text(self._words())

    def _words(self) -> str:
        return f"{len(self)} characters"


class Page(_FormattedText):
    """A page as text; a notebook shows it in a frame, where it works as in a browser."""

    __slots__ = ()

    def _words(self) -> str:
        too_long = len(self) > MOST_OF_A_PAGE
        return f"a page of {len(self)} characters" + ", too many for a notebook: write it to a file" * too_long

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        forms = {"text/plain": self._words()}
        if len(self) <= MOST_OF_A_PAGE:
            # In a sandbox the page cannot access the notebook.
            frame = 'sandbox="allow-scripts allow-downloads" allowfullscreen'
            style = "width:100%;height:520px;border:1px solid #ccc"
            forms["text/html"] = f'<iframe {frame} style="{style}" srcdoc="{escape(self)}"></iframe>'
        return forms


class Drawing(_FormattedText):
    """A picture in SVG as text, which a notebook shows."""

    __slots__ = ()

    def _words(self) -> str:
        return f"a picture of {len(self)} characters of SVG"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        return {"text/plain": self._words(), "image/svg+xml": str(self)}


class Outlines(Drawing):
    """Outlines to cut, in SVG. A notebook shows their hairlines with a width that is visible at any scale."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        forms = super()._repr_mimebundle_(include, exclude)
        wide = re.sub(r"<(path|rect) ", r'<\1 vector-effect="non-scaling-stroke" ', str(self))
        return {**forms, "image/svg+xml": re.sub(r'stroke-width="[\d.]+"', 'stroke-width="1.5"', wide)}
