"""A sheet of characters, each with an optional piece as its background, and the units of its columns and lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import groupby

from puzzlec.show.terminal.style import Hue, Style, TooWideError, painted

#: Two strokes with a corner of a cell between them.
_CORNERS = ("/\\", "\\/", "╱╲", "╲╱")


class Canvas:
    """Characters by line and column, which may be negative; later ones hide earlier ones."""

    def __init__(self) -> None:
        self.drawn: dict[tuple[int, int], tuple[str, int | None]] = {}

    def put(self, line: int, column: int, text: str, owner: int | None = None) -> None:
        """Write a text to the right of a position, on the colour of the piece ``owner``."""
        for number, sign in enumerate(text):
            self.drawn[line, column + number] = sign, owner

    @property
    def width(self) -> int:
        """Number of columns from the first to the last character."""
        columns = [column for _, column in self.drawn]
        return max(columns) - min(columns) + 1 if columns else 0

    def lines(self, hues: Mapping[int, Hue], style: Style) -> list[str]:
        """Return the sheet as text, from its first line and column on, without trailing spaces.

        Raises TooWideError if it is wider than the style permits.
        """
        if self.width > style.width:
            raise TooWideError(self.width)
        rows: dict[int, dict[int, tuple[str, int | None]]] = {}
        for (line, column), sign in self.drawn.items():
            if sign[0] != " " or (sign[1] is not None and sign[1] >= 0):
                rows.setdefault(line, {})[column] = sign
        if not rows:
            return []
        left = min(map(min, rows.values()))
        return [_line(rows.get(line, {}), left, hues, style) for line in range(min(rows), max(rows) + 1)]

    def page(self, rows: int, columns: int, hues: Mapping[int, Hue], style: Style) -> list[str]:
        """Return a number of lines and columns from line 0 and column 0 on, padded with spaces."""
        signs_by_row: list[dict[int, tuple[str, int | None]]] = [{} for _ in range(rows)]
        for (line, column), sign in self.drawn.items():
            signs_by_row[line][column] = sign
        ends = (max(row, default=-1) + 1 for row in signs_by_row)
        return [_line(row, 0, hues, style) + " " * (columns - end) for row, end in zip(signs_by_row, ends, strict=True)]


def _line(row: Mapping[int, tuple[str, int | None]], left: int, hues: Mapping[int, Hue], style: Style) -> str:
    """Return one line; neighbours on the same colour are painted at once."""
    signs = [row.get(column, (" ", None)) for column in range(left, max(row, default=left - 1) + 1)]
    for number, beside in enumerate(zip(signs, signs[2:], strict=False), 1):
        # A background would stick out of the corner between two strokes.
        if signs[number][0] == " " and beside[0][0] + beside[1][0] in _CORNERS:
            signs[number] = " ", None
    parts = ["".join(sign for sign, _ in group) for _, group in groupby(signs, key=lambda sign: sign[1])]
    owners = [owner for owner, _ in groupby(owner for _, owner in signs)]
    text = "".join(painted(part, owner, hues, style) for part, owner in zip(parts, owners, strict=True))
    return text.rstrip()


#: Smaller than any length that matters.
NOTHING = 1e-6

#: The least part of the longest distance that counts as a unit.
_MIN_UNIT = 1 / 48


def common_lengths(places: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return the greatest units to the right and downwards in which some positions on paper are integers.

    If there are none, or only tiny ones, the result is a small part of the longest distance, and positions are rounded.

    >>> common_lengths([(4, 0), (6, 3)])
    (2, 3)
    """
    lengths_of = [[abs(length) for length in place[:2]] for place in places]
    wide, high = (max(reduce(divisor, lengths), _MIN_UNIT * max(lengths)) for lengths in zip(*lengths_of, strict=True))
    return wide, high


def divisor(one: float, two: float) -> float:
    """Return the greatest length that divides two others, by Euclid's algorithm.

    >>> divisor(1.5, 1.0)
    0.5
    """
    while two > NOTHING:
        rest = one % two
        one, two = two, rest if rest < two - NOTHING else 0.0
    return one
