"""What is wrong with a drawing: it cannot be read, its rows are uneven, or a comment hides its cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

import lark

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.geometry.drawing import DrawingError, uneven

#: A comment that looks like cells, as in ``{ ##/#. }``.
_CELLS = re.compile(r"#[#.x/ \t]*(?=\}|\n|$)")

#: A brace whose partner stands in a comment.
_HIDDEN = re.compile(r"\{(?:[^{}#]++|#[^\n}]*+\n)*+#[^\n}]*\}")


def hash_slip(text: str, at: int = 0) -> tuple[str, str] | None:
    r"""Return the note and the help for what opens with a brace at ``at`` and has comments where cells were meant.

    None where no ``}`` stands in a comment and no comment looks like cells.

    >>> hash_slip("piece D { ## }", 8)
    ('`#` begins a comment, so this `}` is part of one', 'write `x` for a cell')
    >>> hash_slip("{ xx  # two cells }")[1]
    'write `}` before the comment, or on the next line'
    >>> hash_slip("{ ..  # nothing\n}")
    """
    hidden = _HIDDEN.match(text, at)
    within = hidden.group() if hidden else text[at:]
    drawn = _CELLS.search(within)
    if hidden:
        mend = "write `x` for a cell" if drawn else "write `}` before the comment, or on the next line"
        return "`#` begins a comment, so this `}` is part of one", mend
    return ("`#` begins a comment", "write `x` for a cell") if drawn else None


def refuse_drawing(report: Report, source: Source, error: DrawingError, drawing: lark.Token, wrong: Span) -> None:
    """Report a drawing that cannot be read, with the characters that are wrong; one without cells as a whole."""
    whole = source.span(drawing.start_pos or 0, drawing.end_pos)
    span = whole if error.code in ("PZ314", "PZ320") else wrong
    note, help = (hash_slip(drawing) if error.code == "PZ314" else None) or (error.note, error.help)
    report.add(error.code, error.message, span, note=note or (), help=help or ())


def warn_of_uneven_rows(report: Report, source: Source, text: str, base: int, places: Sequence[int] = ()) -> None:
    """Warn of a drawing whose rows begin in different columns, if white space is not position.

    ``base`` is where its text begins in the source; ``places``: where each character was, if some were replaced.
    """
    found = uneven(text)
    if found is None:
        return
    start, end = (places[found.start], places[found.end]) if places else (found.start, found.end)
    report.add(
        "PZ348",
        "the rows of this drawing begin in different columns",
        source.span(base + start, base + end),
        "begins further right than others",
        note="blanks before a row are not cells",
        help="write `.` for a place without a cell" + (f": `{found.mended}`" if found.mended else ""),
    )
