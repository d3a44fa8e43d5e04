"""A sheet of characters, each perhaps on the colour of a piece."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from puzzlec.render.style import Style, TooWideError, painted


class Canvas:
    """Characters by line and column, which may be negative; what is put later hides what was there."""

    def __init__(self) -> None:
        self.drawn: dict[tuple[int, int], tuple[str, int | None]] = {}

    def put(self, line: int, column: int, text: str, owner: int | None = None) -> None:
        """Write a text from a place on to the right, on the colour of the piece ``owner``."""
        for number, sign in enumerate(text):
            self.drawn[line, column + number] = sign, owner

    @property
    def width(self) -> int:
        """The number of columns from the first to the last character."""
        columns = [column for _, column in self.drawn]
        return max(columns) - min(columns) + 1 if columns else 0

    def lines(self, hues: Mapping[int, int], style: Style) -> list[str]:
        """Return the sheet as text, from its first line and column on; no blanks that say nothing end a line.

        Raises TooWideError where it is wider than the style has it.
        """
        if self.width > style.width:
            raise TooWideError(self.width)
        rows: dict[int, dict[int, tuple[str, int | None]]] = {}
        for (line, column), shown in self.drawn.items():
            if shown[0] != " " or _has_colour(shown[1]):
                rows.setdefault(line, {})[column] = shown
        if not rows:
            return []
        left = min(min(row) for row in rows.values())
        return [_line(rows.get(line, {}), left, hues, style) for line in range(min(rows), max(rows) + 1)]


def _has_colour(owner: int | None) -> bool:
    return owner is not None and owner >= 0


def _line(row: Mapping[int, tuple[str, int | None]], left: int, hues: Mapping[int, int], style: Style) -> str:
    """Return one line; neighbours on the same colour are painted at once."""
    signs = [row.get(column, (" ", None)) for column in range(left, max(row, default=left - 1) + 1)]
    parts = ["".join(sign for sign, _ in group) for _, group in groupby(signs, key=lambda each: each[1])]
    owners = [owner for owner, _ in groupby(owner for _, owner in signs)]
    text = "".join(painted(part, owner, hues, style) for part, owner in zip(parts, owners, strict=True))
    return text if style.colour else text.rstrip()
