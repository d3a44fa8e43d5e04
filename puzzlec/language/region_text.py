"""Read a region such as ``box 2x2 at (1,1)`` outside of a puzzle."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

import lark

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.geometry.board_shapes import BOARD_SHAPES
from puzzlec.ir import NamedRegion
from puzzlec.ir.location import Address
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.regions import plain, region_of, take_regions
from puzzlec.language.expressions import UnreadableValueError
from puzzlec.language.puzzle_text import syntax_tree

#: The beginning of a region: a word, a drawing, or brackets around one of them.
_BEGINNING = re.compile(rf"[(\s]*(?:(?:box|grid|edges|cells|names)\b|(?:{'|'.join(BOARD_SHAPES)})\s+\d|\{{)")


def is_region(text: str) -> bool:
    """Return whether a text is a region, not names of locations.

    >>> is_region("box 2x2"), is_region("({xx} at (1,1))"), is_region("edges of box 2x2")
    (True, True, True)
    >>> is_region("(0,0)"), is_region("boxes")
    (False, False)
    """
    return _BEGINNING.match(text) is not None


def read_region(text: str, lattice: Lattice | None, regions: Iterable[NamedRegion] = ()) -> tuple[Address, ...]:
    """Return the addresses of a region such as ``box 2x2 at (1,1)``, on a lattice or among named locations.

    It may use the names of the ``regions``.

    Raises PuzzleError with all errors; they show the text as a statement ``locations``.
    """
    source = Source("<region>", f"locations {text}")
    statements = [child for child in syntax_tree(source).children if isinstance(child, lark.Tree)]
    region = statements[0].children[0]
    if len(statements) > 1 or not (isinstance(region, lark.Tree) and region.data == "region"):
        raise fail("PZ101", "expected a region only", source.span(0, len(source.text)))
    report = Report()
    context = Context(source, report, {}, ())
    context.lattice = lattice
    context.board.complete = True
    take_regions(context, regions)
    cells: tuple[Address, ...] = ()
    with suppress(UnreadableValueError):  # the report has it
        cells = tuple(plain(context, region_of(context, region)).cells)
    report.stop_on_errors()
    return cells
