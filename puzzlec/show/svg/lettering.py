"""Letters as strokes: a small sans-serif, so that pictures look the same without installed fonts.

The strokes are in ``glyphs.json``, on a grid with 10 units to the size of the font, y upwards from the base line.
Capitals are 7 high, small letters 5, tails go 2 below. ``;`` divides the strokes of a glyph. A stroke is a line of
points ``x,y``. A point after ``h`` or ``v`` is reached by a quarter of an oval that begins level (``h``) or upright
(``v``). A point after ``q`` is the control of a quadratic curve to the next point. A single point is a dot. Letters
with accents are composed of the letter and its marks, as Unicode decomposes them.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

#: The height of capitals and the thickness of strokes, in sizes of the font.
CAPITAL = 0.7
STROKE = 0.09

_UNITS = 10
#: The gap between two glyphs, in units, from the middle of one stroke to that of the other.
_GAP = 2.0
#: The reach of a quarter of an oval in its first direction; 0.5523 makes a circle, more a fuller letter.
_FULLNESS = 0.58
#: The assumed width of a character of the viewer's font, in sizes: of wide East Asian ones, and of others.
_FOREIGN = {True: 1.0, False: 0.6}

_GLYPHS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("glyphs.json").read_text(encoding="utf-8"))
_STROKES = _GLYPHS["letters"]
#: Marks above and below letters: about x = 0, on a base line at the top of the letter (below: at its foot).
_MARKS, _BELOW = _GLYPHS["above"], _GLYPHS["below"]
_DOTLESS = {"i": "ı", "j": "ȷ"}
_WIDE_DIGITS = frozenset("0123456789")


class _StrokePart(NamedTuple):
    """A part of a stroke: the letter of an SVG path (M, L, Q or C) and its points, in units, y upwards."""

    letter: str
    points: tuple[tuple[float, float], ...]


class _Glyph(NamedTuple):
    width: float
    moves: tuple[_StrokePart, ...]
    low: float
    high: float


def length(text: str, size: float) -> float:
    """Return the length of a line of text in px, from the middle of its first stroke to that of its last.

    >>> length("II", 10), length("", 10)
    (6.4, 0)
    """
    advances = [_advance(character) for character in text]
    return max(0, round((sum(advances) - _GAP) * size / _UNITS, 4))


def shortened(text: str, most: int = 48) -> str:
    """Return a text with at most this many characters; an ellipsis replaces the rest of a longer one.

    >>> shortened("parallelogram", 6)
    'paral…'
    """
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def reach(text: str, size: float) -> tuple[float, float]:
    """Return the extent of the strokes of a text above and below its base line, in px."""
    glyphs = [glyph for character in text if (glyph := _glyph(character))]
    high = max([CAPITAL * _UNITS * any(_glyph(c) is None for c in text), *[glyph.high for glyph in glyphs]])
    low = min([-2.2 * any(_glyph(c) is None for c in text), *[glyph.low for glyph in glyphs]])
    return high * size / _UNITS, -low * size / _UNITS


def written(text: str, left: float, base: float, size: float) -> tuple[str, list[tuple[float, str]]]:
    """Return path data of a text (y downwards) that begins at ``left`` on a base line, in px.

    Also return runs of characters without strokes, each with its start.
    """
    unit = size / _UNITS
    data: list[str] = []
    foreign: list[tuple[float, str]] = []
    at, apart = left, True
    for character in text:
        glyph = _glyph(character)
        if glyph is not None:
            data += [_spelled(move, at, base, unit) for move in glyph.moves]
        elif foreign and not apart:
            foreign[-1] = (foreign[-1][0], foreign[-1][1] + character)
        else:
            foreign.append((at, character))
        apart = glyph is not None
        at += _advance(character) * unit
    return "".join(data), foreign


def _spelled(move: _StrokePart, left: float, base: float, unit: float) -> str:
    points = [f"{number(left + x * unit)} {number(base - y * unit)}" for x, y in move.points]
    return move.letter + " ".join(points) if move.letter != "." else f"M{points[0]}h0"


def number(value: float, decimals: int = 2) -> str:
    """Return a number with at most so many decimals.

    >>> number(2.0), number(-0.001), number(1 / 3)
    ('2', '0', '0.33')
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _advance(character: str) -> float:
    if character.isspace():
        return 3.4
    glyph = _glyph(character)
    if glyph is None:
        if unicodedata.combining(character):
            return 0
        return _FOREIGN[unicodedata.east_asian_width(character) in "WF"] * _UNITS
    return glyph.width + _GAP


@cache
def _glyph(character: str) -> _Glyph | None:
    """Return the strokes of a character; None if it has none, and an empty list for a space."""
    if character.isspace():
        return _Glyph(0, (), 0, 0)
    spelled = unicodedata.normalize("NFD", character)
    base, marks = spelled[0], spelled[1:]
    if any(mark not in _MARKS and mark not in _BELOW for mark in marks):
        return None
    above = any(mark in _MARKS for mark in marks)
    drawing = _STROKES.get(_DOTLESS.get(base, base) if above else base)
    if drawing is None:
        return None
    moves = list(_moves(drawing, 0, 0))
    xs = [x for move in moves for x, _ in move.points]
    top = max(y for move in moves for _, y in move.points)
    middle = (min(xs) + max(xs)) / 2
    for mark in marks:
        moves += _moves(_MARKS[mark], middle, top) if mark in _MARKS else _moves(_BELOW[mark], middle, 0)
    ys = [y for move in moves for _, y in move.points]
    width = 4.0 if character in _WIDE_DIGITS else max(xs)
    return _Glyph(width, tuple(moves), min(0, *ys, 0), max(ys))


def _moves(drawing: str, dx: float, dy: float) -> Iterator[_StrokePart]:
    """Read a drawing, moved by an offset."""
    for stroke in drawing.split(";"):
        tokens = stroke.split(" ")
        if len(tokens) == 1:
            yield _StrokePart(".", (_place(tokens[0], dx, dy),))
            continue
        at, control = _place(tokens[0], dx, dy), None
        yield _StrokePart("M", (at,))
        for token in tokens[1:]:
            to = _place(token, dx, dy)
            if token[0] == "q":
                control = to
                continue
            if control is not None:
                yield _StrokePart("Q", (control, to))
            elif token[0] in "hv":
                yield _StrokePart("C", _quarter(at, to, level=token[0] == "h"))
            else:
                yield _StrokePart("L", (to,))
            at, control = to, None


def _place(token: str, dx: float, dy: float) -> tuple[float, float]:
    x, y = token.lstrip("hvq").split(",")
    return float(x) + dx, float(y) + dy


def _quarter(
    start: tuple[float, float], end: tuple[float, float], *, level: bool
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Return the two controls and the end of a quarter of an oval."""
    (x, y), (to_x, to_y) = start, end
    if level:
        return (x + _FULLNESS * (to_x - x), y), (to_x, to_y - _FULLNESS * (to_y - y)), end
    return (x, y + _FULLNESS * (to_y - y)), (to_x - _FULLNESS * (to_x - x), to_y), end
