"""Several pictures on a sheet: in a grid or in rows, with captions, under a title, above a legend."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import ceil, sqrt

from puzzlec.show.breaking import rows_of
from puzzlec.show.palette import INK
from puzzlec.show.svg import lettering
from puzzlec.show.svg.figure import Figure

#: The sizes of titles, headings and captions in px, the colour of less important text, and gaps.
TITLE, HEADING, CAPTION = 20.0, 15.0, 12.0
GREY = "#56616c"
GAP = 22.0
#: The intended ratio of width to height of a sheet.
_SHAPE = 1.4
#: A number of columns without gaps in the last row may differ from the best number by this fraction.
_NEAR = 0.2


def grid(figures: Sequence[Figure], captions: Sequence[str], columns: int) -> Figure:
    """Return pictures in a grid with a number of columns, each above its caption."""
    wide = max([*(figure.box.width for figure in figures), *_lengths(captions)], default=0)
    starts = range(0, len(figures), columns)
    numbers = [range(start, min(start + columns, len(figures))) for start in starts]
    return _in_rows(figures, captions, [wide] * len(figures), numbers)


def rows(figures: Sequence[Figure], captions: Sequence[str], widest: float) -> Figure:
    """Return pictures of different sizes side by side in rows of a limited width, each above its caption."""
    wides = [max(figure.box.width, long) for figure, long in zip(figures, _lengths(captions), strict=True)]
    return _in_rows(figures, captions, wides, rows_of(wides, widest, GAP))


def beside(figures: Sequence[Figure], gap: float, *, on_line: bool = False) -> Figure:
    """Return pictures side by side, each at its own height, or (``on_line``) all with their lower ends on one line."""
    if len(figures) == 1:
        return figures[0]
    whole, left = Figure(), 0.0
    for figure in figures:
        whole.add(figure, left - figure.box.left, -figure.box.bottom if on_line else 0)
        left += figure.box.width + gap
    return whole


def _lengths(captions: Iterable[str]) -> list[float]:
    return [lettering.length(lettering.shortened(caption), CAPTION) for caption in captions]


def even_width(figures: Sequence[Figure], widest: float) -> float:
    """Return the least width of rows of which pictures need no more than within ``widest``, so that rows are even."""
    wides = [figure.box.width for figure in figures]
    fewest_rows = len(rows_of(wides, widest, GAP))
    rooms = (widest * (21 - part) / 20 for part in range(20, 0, -1))
    return next(room for room in rooms if len(rows_of(wides, room, GAP)) <= fewest_rows)


def _in_rows(
    figures: Sequence[Figure], captions: Sequence[str], wides: Sequence[float], numbers: Iterable[range]
) -> Figure:
    """Return pictures above their captions in rows with these numbers; each has a width around its middle."""
    sheet, top = Figure(), 0.0
    captions = [lettering.shortened(caption) for caption in captions]
    for row in numbers:
        left, high = 0.0, max(figures[number].box.height for number in row)
        for number in row:
            figure, middle = figures[number], left + wides[number] / 2
            box = figure.box
            with sheet.group(captions[number]):
                sheet.add(figure, middle - (box.left + box.right) / 2, top + (high - box.height) / 2 - box.top)
                sheet.text((middle, top + high + CAPTION), captions[number], CAPTION, colour=GREY)
            left += wides[number] + GAP
        top += high + CAPTION * 1.5 * any(captions) + GAP
    return sheet


def key(entries: Iterable[tuple[Figure, str]], widest: float) -> Figure:
    """Return a legend: small pictures, each with its meaning to the right, in columns within a width."""
    entries = [(figure, lettering.shortened(text)) for figure, text in entries]
    sheet = Figure()
    if not entries:
        return sheet
    wide = max(figure.box.width + lettering.length(text, CAPTION) for figure, text in entries) + 8 + GAP
    high = max(CAPTION * 1.5, max(figure.box.height for figure, _ in entries)) + 8
    down = ceil(len(entries) / max(1, min(len(entries), int(widest / wide))))
    left = 0.0
    for start in range(0, len(entries), down):
        column = entries[start : start + down]
        picture = max(figure.box.width for figure, _ in column)
        for number, (figure, text) in enumerate(column):
            middle, box = (number + 0.5) * high, figure.box
            sheet.add(figure, left + (picture - box.left - box.right) / 2, middle - (box.top + box.bottom) / 2)
            sheet.text((left + picture + 8, middle), text, CAPTION, "start")
        left += picture + 8 + max(lettering.length(text, CAPTION) for _, text in column) + GAP
    return sheet


def paragraph(lines: Iterable[str], widest: float) -> Figure:
    """Return sentences below each other, each in lines of a limited width."""
    figure, top = Figure(), CAPTION / 2
    for text in lines:
        line = ""
        for word in (*re.split("(?<![<>=]) ", text), ""):  # a relation is on the line of its number
            longer = f"{line} {word}".strip()
            if line and (not word or lettering.length(longer, CAPTION) > widest):
                figure.text((0, top), line, CAPTION, "start", GREY)
                top += CAPTION * 1.5
                longer = word
            line = longer
    return figure


def stacked(parts: Iterable[tuple[str, Figure]], title: str = "", remark: str = "") -> Figure:
    """Return pictures below each other, each under its heading, all under a title with a remark."""
    sheet = Figure()
    top = 0.0
    if title:
        sheet.text((0, TITLE / 2), lettering.shortened(title, 100), TITLE, "start", weight=1.15)
        top = TITLE * 1.6
    if remark:
        sheet.text((0, top + CAPTION / 2), remark, CAPTION, "start", GREY)
        top += CAPTION * 1.6
    if top:
        top += 8
    for heading, figure in parts:
        if figure.is_empty:
            continue
        if heading:
            sheet.text((0, top + HEADING / 2), heading, HEADING, "start", INK)
            top += HEADING * 1.8
        box = figure.box
        sheet.add(figure, -box.left, top - box.top)
        top += box.height + 1.2 * GAP
    return sheet


def best_columns(number: int, wide: float, high: float) -> int:
    """Return the number of pictures of a size side by side on a sheet of a good shape.

    If a divisor of the number is near, it is taken, so that the last row is full.

    >>> best_columns(1, 10, 10), best_columns(12, 10, 10), best_columns(12, 60, 100)
    (1, 4, 6)
    """
    ideal = sqrt(number * _SHAPE * max(high, 1) / max(wide, 1))
    full = [columns for columns in range(1, number + 1) if number % columns == 0]
    near = min(full, key=lambda columns: abs(columns - ideal))
    best = near if abs(near - ideal) <= _NEAR * ideal else round(ideal)
    return max(1, min(number, best))
