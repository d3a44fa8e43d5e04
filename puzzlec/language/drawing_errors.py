"""Errors in drawings: unreadable characters, uneven rows, comments that hide cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

import lark

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.geometry.drawing import DrawingError, uneven

#: A comment that looks like cells, as in ``{ ##/#. }``.
_CELLS = re.compile(r"#[#.x/ \t]*(?=\}|\n|$)")

#: An opening brace whose partner is in a comment.
_HIDDEN = re.compile(r"\{(?:[^{}#]++|#[^\n}]*+\n)*+#[^\n}]*\}")


def hash_slip(text: str, at: int = 0) -> tuple[str, str] | None:
    r"""Return the note and the suggestion for a drawing that opens at ``at`` and has comments instead of cells.

    Return None if no ``}`` is in a comment and no comment looks like cells.

    >>> hash_slip("piece D { ## }", 8)
    ('`#` begins a comment, so `}` is part of it', 'write `x` for a cell')
    >>> hash_slip("{ xx  # two cells }")[1]
    'write `}` before the comment, or on the next line'
    >>> hash_slip("{ ..  # nothing\n}")
    """
    hidden = _HIDDEN.match(text, at)
    within = hidden.group() if hidden else text[at:]
    drawn = _CELLS.search(within)
    if hidden:
        advice = "write `x` for a cell" if drawn else "write `}` before the comment, or on the next line"
        return "`#` begins a comment, so `}` is part of it", advice
    return ("`#` begins a comment", "write `x` for a cell") if drawn else None


def refuse_drawing(
    report: Report,
    source: Source,
    error: DrawingError,
    drawing: lark.Token,
    wrong: Span,
    others: Sequence[tuple[Span, str]] = (),
) -> None:
    """Report the wrong characters of a drawing, or the whole drawing if it has no cells, and mark ``others``."""
    whole = source.span(drawing.start_pos or 0, drawing.end_pos)
    span = whole if error.code in ("PZ314", "PZ320") else wrong
    note, help = (hash_slip(drawing) if error.code == "PZ314" else None) or (error.note, error.help)
    report.add(error.code, error.message, span, note=note or (), help=help or (), others=others)


def warn_of_uneven_rows(report: Report, source: Source, text: str, base: int, places: Sequence[int] = ()) -> None:
    """Warn of a drawing whose rows begin in different columns, unless white space has a meaning in it.

    ``base`` is the offset of the drawing in the source. ``positions`` has the offset of each character in the drawing
    as written, if some characters were replaced.
    """
    uneven_row = uneven(text)
    if uneven_row is None:
        return
    start, end = (places[uneven_row.start], places[uneven_row.end]) if places else (uneven_row.start, uneven_row.end)
    report.add(
        "PZ348",
        "rows of the drawing begin in different columns",
        source.span(base + start, base + end),
        "begins further to the right",
        note="spaces before a row are not cells",
        help="write `.` for an empty position" + (f": `{uneven_row.fixed}`" if uneven_row.fixed else ""),
    )
