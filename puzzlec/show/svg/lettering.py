"""Letters as strokes: a small sans-serif of puzzlec's own, so that pictures look alike where no font is installed.

A glyph is drawn on a grid with 10 units to the size of the font, y upwards from the base line: capitals are 7 high,
small letters 5, tails go 2 below. Its strokes are divided by ``;``. A stroke is points ``x,y`` in a line; a point with
``h`` or ``v`` before it is reached by a quarter of an oval that begins level (``h``) or upright (``v``); one with ``q``
is the control of a quadratic curve to the next point. One point alone is a dot. Letters with accents are composed of
the letter and its marks, as Unicode decomposes them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

#: How high capitals are and how thick strokes, in sizes of the font.
CAPITAL = 0.7
STROKE = 0.09

_UNITS = 10
#: What is left free between two glyphs, in units, from the middle of one stroke to that of the other.
_GAP = 2.0
#: How far a quarter of an oval goes in the direction that it begins with; 0.5523 makes a circle, more a fuller letter.
_FULLNESS = 0.58
#: How wide a character of the viewer's font is taken to be, in sizes: one that East Asia writes wide, and another.
_FOREIGN = {True: 1.0, False: 0.6}

_STROKES = {
    "A": "0,0 2.6,7 5.2,0;0.82,2.2 4.38,2.2",
    "B": "0,0 0,7 2.2,7 h4,5.35 v2.2,3.7 0,3.7;2.2,3.7 h4.4,1.85 v2.2,0 0,0",
    "C": "4.8,5.3 v2.6,7 h0,3.5 v2.6,0 h4.8,1.7",
    "D": "0,0 0,7 1.8,7 h4.8,3.5 v1.8,0 0,0",
    "E": "3.8,7 0,7 0,0 3.8,0;0,3.7 3.3,3.7",
    "F": "3.8,7 0,7 0,0;0,3.6 3.2,3.6",
    "G": "4.8,5.4 v2.6,7 h0,3.5 v2.6,0 h5,2.2 5,3.3 3,3.3",
    "H": "0,0 0,7;4.6,0 4.6,7;0,3.6 4.6,3.6",
    "I": "0,0 2.2,0;0,7 2.2,7;1.1,0 1.1,7",
    "J": "3.2,7 3.2,1.9 v1.6,0 h0,1.7",
    "K": "0,0 0,7;4.3,7 0,2.7;1.5,4.2 4.5,0",
    "L": "0,7 0,0 3.7,0",
    "M": "0,0 0,7 2.9,2 5.8,7 5.8,0",
    "N": "0,0 0,7 4.6,0 4.6,7",
    "O": "2.65,7 h5.3,3.5 v2.65,0 h0,3.5 v2.65,7",
    "P": "0,0 0,7 2.2,7 h4.2,5.1 v2.2,3.2 0,3.2",
    "Q": "2.65,7 h5.3,3.5 v2.65,0 h0,3.5 v2.65,7;3.3,1.8 5.2,-0.5",
    "R": "0,0 0,7 2.2,7 h4.2,5.15 v2.2,3.3 0,3.3;2.4,3.3 4.5,0",
    "S": "4.1,5.6 v2.15,7 h0.2,5.3 v2.15,3.6 h4.3,1.8 v2.15,0 h0,1.5",
    "T": "0,7 4.8,7;2.4,7 2.4,0",
    "U": "0,7 0,2.3 v2.3,0 h4.6,2.3 4.6,7",
    "V": "0,7 2.5,0 5,7",
    "W": "0,7 1.75,0 3.5,6 5.25,0 7,7",
    "X": "0,0 4.6,7;0,7 4.6,0",
    "Y": "0,7 2.4,3.4 4.8,7;2.4,3.4 2.4,0",
    "Z": "0,7 4.4,7 0,0 4.4,0",
    "a": "0.4,4.1 v2,5 h3.7,3.4 3.7,0;3.7,2.9 1.7,2.9 h0,1.45 v1.6,0 h3.7,1.6",
    "b": "0,7 0,0;0,2.5 v2,5 h3.9,2.5 v2,0 h0,2.5",
    "c": "3.5,3.8 v1.9,5 h0,2.5 v1.9,0 h3.5,1.2",
    "d": "3.9,7 3.9,0;3.9,2.5 v1.9,5 h0,2.5 v1.9,0 h3.9,2.5",
    "e": "0,2.7 3.8,2.7 v1.9,5 h0,2.5 v2,0 h3.6,1",
    "f": "2.7,7 2.4,7 h0.9,5.6 0.9,0;0,4.7 2.4,4.7",
    "g": "3.9,5 3.9,-0.3 v1.9,-2.1 h0.2,-1.2;3.9,2.5 v1.9,5 h0,2.5 v1.9,0 h3.9,2.5",
    "h": "0,7 0,0;0,3 v1.9,5 h3.6,3.2 3.6,0",
    "i": "0,0 0,5;0,6.9",
    "j": "1.2,5 1.2,-0.8 v0.1,-2.1 -0.1,-2.1;1.2,6.9",
    "k": "0,0 0,7;3.4,5 0,1.9;1.2,3 3.6,0",
    "l": "0,7 0,1.2 v1.1,0 1.3,0",
    "m": "0,0 0,5;0,3.2 v1.6,5 h3,3.4 3,0;3,3.2 v4.6,5 h6,3.4 6,0",
    "n": "0,0 0,5;0,3 v1.9,5 h3.6,3.2 3.6,0",
    "o": "1.95,5 h3.9,2.5 v1.95,0 h0,2.5 v1.95,5",
    "p": "0,5 0,-2.1;0,2.5 v2,5 h3.9,2.5 v2,0 h0,2.5",
    "q": "3.9,5 3.9,-2.1;3.9,2.5 v1.9,5 h0,2.5 v1.9,0 h3.9,2.5",
    "r": "0,0 0,5;0,3 v1.7,5 2.2,5",
    "s": "3.1,4.1 v1.6,5 h0.1,3.8 v1.6,2.6 h3.2,1.3 v1.6,0 h0,1",
    "t": "0.9,6.6 0.9,1.3 v2.1,0 2.5,0;0,5 2.4,5",
    "u": "0,5 0,1.8 v1.7,0 h3.6,2;3.6,5 3.6,0",
    "v": "0,5 1.85,0 3.7,5",
    "w": "0,5 1.4,0 2.8,4.4 4.2,0 5.6,5",
    "x": "0,0 3.5,5;0,5 3.5,0",
    "y": "0,5 1.95,0.1;3.9,5 1.2,-2.1",
    "z": "0,5 3.4,5 0,0 3.4,0",
    "0": "2,7 h4,3.5 v2,0 h0,3.5 v2,7",
    "1": "0.5,5.4 2.2,7 2.2,0;0.6,0 3.7,0",
    "2": "0.2,5.2 v2.05,7 h3.9,5.1 q3.9,3.6 0,0 4.1,0",
    "3": "0.3,5.8 v2,7 h3.8,5.35 v2,3.7 1.4,3.7;2,3.7 h4,1.85 v2,0 h0,1.4",
    "4": "3.1,0 3.1,7 0,2.1 4.2,2.1",
    "5": "3.7,7 0.6,7 0.35,3.7 q1,4.4 2,4.4 h4,2.2 v1.9,0 h0,1.2",
    "6": "3.7,6.1 v2.4,7 h0,2.15 v2,0 h4,2.15 v2,4.3 h0,2.15",
    "7": "0,7 4,7 1.4,0",
    "8": "2,3.75 h0.3,5.4 v2,7 h3.7,5.4 v2,3.75 h4,1.9 v2,0 h0,1.9 v2,3.75",
    "9": "0.3,0.9 v1.6,0 h4,4.85 v2,7 h0,4.85 v2,2.7 h4,4.85",
    "!": "0,7 0,2.3;0,0",
    '"': "0,7 0,5.2;1.6,7 1.6,5.2",
    "#": "1.2,0.4 2,6.6;3.2,0.4 4,6.6;0.3,4.7 5,4.7;0,2.4 4.7,2.4",
    "$": "4.1,5.4 v2.15,6.7 h0.2,5.1 v2.15,3.6 h4.3,1.9 v2.15,0.3 h0,1.7;2.15,7.8 2.15,-0.8",
    "%": "1.2,7 h2.4,5.5 v1.2,4 h0,5.5 v1.2,7;5.1,3 h6.3,1.5 v5.1,0 h3.9,1.5 v5.1,3;5,7 1.3,0",
    "&": "4.9,0 1.1,4.7 q0.7,5.3 0.7,5.8 v1.9,7 h3.1,5.8 q3.1,4.8 1.6,3.9 q0,3.1 0,1.8 v1.9,0 h4.7,3",
    "'": "0,7 0,5.2",
    "(": "1.6,7.9 q0,6 0,3.2 q0,0.4 1.6,-1.5",
    ")": "0,7.9 q1.6,6 1.6,3.2 q1.6,0.4 0,-1.5",
    "*": "1.6,7 1.6,3.8;0.2,6.2 3,4.6;0.2,4.6 3,6.2",
    "+": "0,3.3 4,3.3;2,5.3 2,1.3",
    ",": "0.5,0.2 0,-1.4",
    "-": "0,2.9 2.4,2.9",
    ".": "0,0",
    "/": "0,-0.8 3,7.8",
    ":": "0,0.3;0,4.4",
    ";": "0.5,0.2 0,-1.4;0.5,4.4",
    "<": "3.8,5.7 0,3.3 3.8,0.9",
    "=": "0,4.4 4,4.4;0,2.2 4,2.2",
    ">": "0,5.7 3.8,3.3 0,0.9",
    "?": "0,5.4 v1.8,7 h3.5,5.3 q3.5,4.3 2.6,3.7 q1.7,3.1 1.7,2.2;1.7,0",
    "@": "4.8,4.5 4.8,2.6 v5.7,1.4 h6.7,3.1 v3.4,6.5 h0,2.6 v3.4,-1.3 5,-1;3.2,4.6 h4.8,3 v3.2,1.4 h1.7,3 v3.2,4.6",
    "[": "1.5,7.9 0,7.9 0,-1.4 1.5,-1.4",
    "\\": "0,7.8 3,-0.8",
    "]": "0,7.9 1.5,7.9 1.5,-1.4 0,-1.4",
    "^": "0,4.6 1.6,7 3.2,4.6",
    "_": "0,-1.2 4,-1.2",
    "`": "0,7.4 1,6.2",
    "{": "2,7.9 h0.9,6.8 0.9,4.4 v0,3.25 h0.9,2.1 0.9,-0.3 v2,-1.4",
    "|": "0,7.9 0,-1.6",
    "}": "0,7.9 h1.1,6.8 1.1,4.4 v2,3.25 h1.1,2.1 1.1,-0.3 v0,-1.4",
    "~": "0,2.7 q0.9,4.3 2.1,3.3 q3.3,2.2 4.2,3.9",
    "ı": "0,0 0,5",
    "ȷ": "1.2,5 1.2,-0.8 v0.1,-2.1 -0.1,-2.1",
    "Æ": "0,0 3.2,7 7,7;3.6,7 3.6,0 7,0;3.6,3.7 6.6,3.7;1,2.2 3.6,2.2",
    "Ð": "0.6,0 0.6,7 2.3,7 h5.3,3.5 v2.3,0 0.6,0;-0.4,3.6 2.6,3.6",
    "Ø": "2.65,7 h5.3,3.5 v2.65,0 h0,3.5 v2.65,7;0.2,-0.5 5.1,7.5",
    "Þ": "0,0 0,7;0,5.6 2.2,5.6 h4.2,3.7 v2.2,1.8 0,1.8",
    "Œ": "7.2,7 2.6,7 h0,3.5 v2.6,0 7.2,0;3.9,7 3.9,0;3.9,3.7 6.8,3.7",
    "ß": "0,0 0,5.2 v1.8,7 h3.4,5.5 v2,3.9 h4,1.9 v2.2,0 1.5,0",
    "æ": (
        "0.3,4.1 v1.8,5 h3.4,3.4 3.4,1.6 v1.6,0 h0,1.4 v1.6,2.8 3.4,2.8;3.4,2.7 6.8,2.7 v5.1,5 h3.4,2.5 v5.2,0 h6.6,1"
    ),
    "ð": "0.8,6.6 q3.9,5.6 3.9,2.5 v1.95,0 h0,2.2 v1.95,4.4 h3.8,3;0.9,5.4 3,6.9",
    "ø": "1.95,5 h3.9,2.5 v1.95,0 h0,2.5 v1.95,5;0.1,-0.4 3.8,5.4",
    "þ": "0,7 0,-2.1;0,2.5 v2,5 h3.9,2.5 v2,0 h0,2.5",
    "œ": "3.5,2.5 v1.75,5 h0,2.5 v1.75,0 h3.5,2.5;3.5,2.7 7,2.7 v5.2,5 h3.5,2.5 v5.3,0 h6.8,1",
    "ł": "0.9,7 0.9,1.2 v2,0 2.2,0;0,3 2,4.4",
    "Ł": "0.7,7 0.7,0 4.4,0;-0.3,2.9 2.6,4.6",
    "×": "0.3,1.6 3.7,5;0.3,5 3.7,1.6",
    "÷": "0,3.3 4,3.3;2,5.3;2,1.3",
    "±": "0,4 4,4;2,6 2,2;0,0.4 4,0.4",
    "·": "0,3.3",
    "°": "1.2,7 h2.4,5.8 v1.2,4.6 h0,5.8 v1.2,7",
    "µ": "0,5 0,-2;0,1.8 v1.7,0 h3.6,2;3.6,5 3.6,0",
    "¿": "3.5,1.6 v1.7,0 h0,1.7 q0,2.7 0.9,3.3 q1.8,3.9 1.8,4.8;1.8,7",
    "¡": "0,0 0,4.7;0,7",
    "«": "1.6,4.7 0,2.8 1.6,0.9;3.6,4.7 2,2.8 3.6,0.9",
    "»": "0,4.7 1.6,2.8 0,0.9;2,4.7 3.6,2.8 2,0.9",
    "§": "3.2,6 v1.7,7 h0.2,5.8 q0.2,4.9 1.7,4.1 q3.4,3.2 3.4,2.3 q3.4,1.5 2.4,1.3;"
    "1,4.6 q0,4.2 0,3.5 q0,2.7 1.7,1.8 q3.2,1 3.2,0.1 v1.7,-1.1 h0.2,-0.1",
    "¬": "0,4.2 4,4.2 4,2",
    "¦": "0,7.9 0,4.2;0,2.1 0,-1.6",
    "£": "3.9,5.6 v2.4,7 h1,5.3 1,1.6 q1,0.4 0,0 4.1,0;0,3.4 3,3.4",
    "¥": "0,7 2.2,3.6 4.4,7;2.2,3.6 2.2,0;0.5,3.1 3.9,3.1;0.5,1.5 3.9,1.5",
    "¢": "3.5,3.8 v1.9,5 h0,2.5 v1.9,0 h3.5,1.2;1.9,6.2 1.9,-1.2",
    "\u2013": "0,2.9 4,2.9",
    "\u2014": "0,2.9 7,2.9",
    "\u2026": "0,0;2.2,0;4.4,0",
    "\u2018": "0,5.6 0.5,7",
    "\u2019": "0.5,7 0,5.6",
    "\u201c": "0,5.6 0.5,7;1.6,5.6 2.1,7",
    "\u201d": "0.5,7 0,5.6;2.1,7 1.6,5.6",
    "\u2212": "0,3.3 4,3.3",
}

#: Marks above and below letters: about x = 0, on a base line at the top of the letter (below: at its foot).
_MARKS = {
    "\u0300": "-0.7,2.3 0.5,1.2",
    "\u0301": "0.7,2.3 -0.5,1.2",
    "\u0302": "-1.1,1.2 0,2.3 1.1,1.2",
    "\u0303": "-1.4,1.3 q-0.7,2.6 0,1.8 q0.7,1 1.4,2.2",
    "\u0304": "-1.2,1.6 1.2,1.6",
    "\u0306": "-1.1,2.3 q0,0.4 1.1,2.3",
    "\u0307": "0,1.8",
    "\u0308": "-1,1.8;1,1.8",
    "\u030a": "0,2.7 h0.8,1.85 v0,1 h-0.8,1.85 v0,2.7",
    "\u030b": "-0.1,2.3 -0.9,1.2;1.4,2.3 0.6,1.2",
    "\u030c": "-1.1,2.3 0,1.2 1.1,2.3",
}
_BELOW = {"\u0327": "0,-0.2 0.1,-0.8 h0.7,-1.4 v-0.7,-2", "\u0328": "0.8,0 q-0.4,-1.6 1,-1.8"}
_DOTLESS = {"i": "ı", "j": "ȷ"}
_WIDE_DIGITS = frozenset("0123456789")


class _Move(NamedTuple):
    """A part of a stroke: the letter of an SVG path (M, L, Q or C) and its points, in units, y upwards."""

    letter: str
    points: tuple[tuple[float, float], ...]


class _Glyph(NamedTuple):
    width: float
    moves: tuple[_Move, ...]
    low: float
    high: float


def length(text: str, size: float) -> float:
    """Return how long a line of text is, in px, from the middle of its first stroke to that of its last.

    >>> length("II", 10), length("", 10)
    (6.4, 0)
    """
    advances = [_advance(character) for character in text]
    return max(0, round((sum(advances) - _GAP) * size / _UNITS, 4))


def shortened(text: str, most: int = 48) -> str:
    """Return a text of so many characters at most; what is left out of a longer one is an ellipsis.

    >>> shortened("parallelogram", 6)
    'paral…'
    """
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def reach(text: str, size: float) -> tuple[float, float]:
    """Return how far the strokes of a text go above its base line and below, in px."""
    glyphs = [glyph for character in text if (glyph := _glyph(character))]
    high = max([CAPITAL * _UNITS * any(_glyph(c) is None for c in text), *[glyph.high for glyph in glyphs]])
    low = min([-2.2 * any(_glyph(c) is None for c in text), *[glyph.low for glyph in glyphs]])
    return high * size / _UNITS, -low * size / _UNITS


def written(text: str, left: float, base: float, size: float) -> tuple[str, list[tuple[float, str]]]:
    """Return path data of a text (y downwards) that begins at ``left`` on a base line, in px.

    And the characters that have no strokes here, in runs, each with where it begins.
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


def _spelled(move: _Move, left: float, base: float, unit: float) -> str:
    points = [f"{_short(left + x * unit)} {_short(base - y * unit)}" for x, y in move.points]
    return move.letter + " ".join(points) if move.letter != "." else f"M{points[0]}h0"


def _short(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
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
    """Return the strokes of a character; None where it has none here, and some without strokes for a space."""
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


def _moves(drawing: str, dx: float, dy: float) -> Iterator[_Move]:
    """Read a drawing, moved by so much."""
    for stroke in drawing.split(";"):
        tokens = stroke.split(" ")
        if len(tokens) == 1:
            yield _Move(".", (_place(tokens[0], dx, dy),))
            continue
        at, control = _place(tokens[0], dx, dy), None
        yield _Move("M", (at,))
        for token in tokens[1:]:
            to = _place(token, dx, dy)
            if token[0] == "q":
                control = to
                continue
            if control is not None:
                yield _Move("Q", (control, to))
            elif token[0] in "hv":
                yield _Move("C", _quarter(at, to, level=token[0] == "h"))
            else:
                yield _Move("L", (to,))
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
