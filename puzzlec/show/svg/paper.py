"""Finished pictures: as large as they are, or fitted to a page of paper with lengths in mm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from puzzlec.diagnostics.error import fail
from puzzlec.show.svg import sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.page_sizes import MARGIN, PX, Paper, paper_of
from puzzlec.show.svg.sheet import CAPTION, GAP, even_width, rows, stacked
from puzzlec.solving.subject import Subject

#: The limits of scaling a picture: at smaller scales captions have letters below 1.2 mm.
_LARGER, _SMALLER = 2.0, 0.4
#: A page is rotated if the picture is this much larger on it then.
_TURNED = 1.2


def laid(paper: Paper, head: Figure, content: Figure, *, exact: bool) -> tuple[Figure, Paper]:
    """Return a page (its corner at (0, 0)) with a title at its top, and below it the picture, as large as possible.

    With ``exact`` the picture keeps its size. Raises PuzzleError (PZ504) if it would be larger than the page, or too
    small to read.
    """
    scale = _scale(paper, head, content)
    other = _scale(paper.turned, head, content) if paper.may_turn else 0.0
    if (scale < 1 <= other) if exact else other > _TURNED * scale:
        paper, scale = paper.turned, other
    box, room = content.box, paper.room
    if exact and scale < 0.9999:
        mm = [round(size / PX) for size in (box.width, box.height, room[0], room[1])]
        raise fail(
            "PZ504",
            f"the picture is too large for the paper: it needs {mm[0]} x {mm[1]} mm,"
            f" and the paper has room for {mm[2]} x {mm[3]} mm",
            note=f"{MARGIN:g} mm remain free on all sides, and the title needs room",
            help="choose a smaller `--cell` or a larger `--paper`, or remove `--cell`",
        )
    if scale < _SMALLER:
        raise fail(
            "PZ504",
            f"the picture is too small to read on this paper: {1 / scale:.1f} times smaller than on a screen",
            help="choose a larger `--paper`, show fewer solutions with `--limit`, or write a PDF",
        )
    scale = 1.0 if exact else min(scale, _LARGER)
    figure, left, top = Figure(), MARGIN * PX, MARGIN * PX
    start, smaller = (paper.width * PX - scale * box.width) / 2, _head_scale(paper, head)
    # A title begins at the left of the picture, unless it is too long.
    left = max(left, min(start, paper.width * PX - left - smaller * head.box.width))
    figure.add(head, left - smaller * head.box.left, top - smaller * head.box.top, scale=smaller)
    top += _high(paper, head)
    figure.add(content, start - scale * box.left, top - scale * box.top, scale=scale)
    return figure, paper


def _scale(paper: Paper, head: Figure, content: Figure) -> float:
    """Return the largest scale of a picture on the page."""
    wide, high = paper.room
    box = content.box
    return min(wide / max(box.width, 1), (high - _high(paper, head)) / max(box.height, 1))


def _high(paper: Paper, head: Figure) -> float:
    """Return the height of a title, in px."""
    return 0.0 if head.is_empty else head.box.height * _head_scale(paper, head) + 16


def _head_scale(paper: Paper, head: Figure) -> float:
    return min(1.0, paper.room[0] / max(head.box.width, 1))


def in_rows(
    paper: Paper,
    figures: Sequence[Figure],
    captions: Sequence[str],
    whole: Callable[[Figure], Figure] = lambda rows: rows,
) -> Figure:
    """Return pictures of different sizes in rows whose length makes them as large as possible on a page.

    ``whole`` returns the content of the page with these rows: other pictures may be above them.
    """
    wides = (paper.room[0] * part for part in (1.7, 1.3, 1.0, 0.8, 0.65, 0.5, 0.35, 0.25))  # few rows if equal
    several = [rows(figures, captions, even_width(figures, wide)) for wide in wides]
    return max(several, key=lambda arranged: round(min(_LARGER, _scale(paper, Figure(), whole(arranged))), 6))


def scale_on(paper: Paper, head: Figure, content: Figure) -> float:
    """Return the largest scale of a picture below a title on a page, which may be rotated."""
    return max(_scale(sheet, head, content) for sheet in (paper, *[paper.turned] * paper.may_turn))


def best_columns(paper: Paper, several: int, wide: float, high: float) -> int:
    """Return the number of pictures side by side with which they are as large as possible on a page.

    >>> best_columns(paper_of("a4"), 6, 100, 100), best_columns(paper_of("a4"), 6, 300, 100)
    (2, 1)
    """
    room, gap, below = paper.room, GAP, 1.5 * CAPTION

    def size(columns: int) -> float:
        rows = -(-several // columns)
        return min((room[0] / columns - gap) / wide, (room[1] / rows - gap - below) / high)

    return max(range(1, several + 1), key=lambda columns: (round(size(columns), 6), -columns))


def columns_for(choices: Choices, number: int, box: Box) -> int:
    """Return the number of pictures side by side: as chosen, or the best one for pictures of this extent."""
    if choices.columns is not None:
        return choices.columns
    if choices.paper is None:
        return sheet.best_columns(number, box.width, box.height)
    return best_columns(paper_of(choices.paper), number, box.width, box.height)


@dataclass(frozen=True)
class Picture:
    """A figure, and its description for screen readers."""

    figure: Figure
    title: str
    description: str
    page: tuple[float, float] | None = None  # width and height in mm, if it is on paper
    remarks: tuple[str, ...] = ()

    def svg(self, background: str = "#ffffff") -> str:
        """Return the picture as an SVG document."""
        return self.figure.svg(self.title, self.description, background=background, page=self.page)


def composed(
    parts: Sequence[tuple[str, Figure]], subject: Subject, choices: Choices, description: str, *, several: bool
) -> Picture:
    """Return the picture of parts below each other, on paper if chosen, under a title if there are ``several``.

    Raises PuzzleError (PZ504) if they do not fit the paper.
    """
    title, remark = _titled(subject, choices, several)
    name = choices.title or subject.title
    if choices.paper is not None:
        head, content = _on_paper(parts, title, remark)
        figure, on = laid(paper_of(choices.paper), head, content, exact=choices.cell is not None)
        return Picture(figure, name, description, (on.width, on.height))
    alone = len(parts) == 1 and not several and not title
    return Picture(parts[0][1] if alone else stacked(parts, title, remark), name, description)


def _titled(subject: Subject, choices: Choices, several: bool) -> tuple[str, str]:
    """Return the title and the remark above a picture."""
    if choices.title is not None:
        return choices.title, ""
    return (subject.title, subject.remark) if several else ("", "")


def _on_paper(parts: Sequence[tuple[str, Figure]], title: str, remark: str) -> tuple[Figure, Figure]:
    """Return the top of a page, and its content."""
    return stacked([], title, remark), parts[0][1] if len(parts) == 1 else stacked(parts)


def room_for(
    paper: Paper, parts: Sequence[tuple[str, Figure]], subject: Subject, choices: Choices, *, several: bool
) -> float:
    """Return the largest scale of parts on paper."""
    head, content = _on_paper(parts, *_titled(subject, choices, several))
    return scale_on(paper, head, content)


def no_solution(subject: Subject) -> Exception:
    """Return the error (PZ504) with the reason why no solution can be drawn."""
    return fail(
        "PZ504",
        "no solution to draw" + (f": {subject.remark}" if subject.remark else ""),
        subject.puzzle.span if subject.puzzle is not None else None,
        help="remove `--show solution` to draw the board and the pieces",
    )
