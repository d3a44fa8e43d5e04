"""A finished picture: its parts below each other, under a title, as large as they are or fitted to a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlec.diagnostics.error import fail
from puzzlec.show.svg import paper, sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.solving.subject import Subject


@dataclass(frozen=True)
class Picture:
    """A figure, and what is said of it to those who cannot see it."""

    figure: Figure
    title: str
    description: str
    page: tuple[float, float] | None = None  # its width and height in mm, if it is on paper
    remarks: tuple[str, ...] = ()

    def svg(self, background: str = "#ffffff") -> str:
        """Return the picture as an SVG document."""
        return self.figure.svg(self.title, self.description, background=background, page=self.page)


def composed(
    parts: Sequence[tuple[str, Figure]], subject: Subject, choices: Choices, description: str, *, several: bool
) -> Picture:
    """Return the picture of parts below each other, on paper if there is any, under a title if there are ``several``.

    Raises PuzzleError (PZ504) where they do not suit the paper.
    """
    title, remark = _titled(subject, choices, several)
    name = choices.title or subject.title
    if choices.paper is not None:
        head, content = _on_paper(parts, title, remark)
        figure, on = paper.laid(paper.paper_of(choices.paper), head, content, exact=choices.cell is not None)
        return Picture(figure, name, description, (on.width, on.height))
    alone = len(parts) == 1 and not several and not title
    return Picture(parts[0][1] if alone else sheet.stacked(parts, title, remark), name, description)


def _titled(subject: Subject, choices: Choices, several: bool) -> tuple[str, str]:
    """Return the title and the remark above a picture."""
    if choices.title is not None:
        return choices.title, ""
    return (subject.title, subject.remark) if several else ("", "")


def _on_paper(parts: Sequence[tuple[str, Figure]], title: str, remark: str) -> tuple[Figure, Figure]:
    """Return what is at the top of a page, and what is below it."""
    return sheet.stacked([], title, remark), parts[0][1] if len(parts) == 1 else sheet.stacked(parts)


def room_for(parts: Sequence[tuple[str, Figure]], subject: Subject, choices: Choices, *, several: bool) -> float:
    """Return how many times larger parts could be on their paper."""
    assert choices.paper is not None
    head, content = _on_paper(parts, *_titled(subject, choices, several))
    return paper.scale_on(paper.paper_of(choices.paper), head, content)


def no_solution(subject: Subject) -> Exception:
    """Return the error (PZ504) that says why there is no solution to draw."""
    return fail(
        "PZ504",
        "there is no solution to draw" + (f": {subject.remark}" if subject.remark else ""),
        subject.puzzle.span if subject.puzzle is not None else None,
        help="leave `--what solution` out to draw the board and the pieces",
    )
