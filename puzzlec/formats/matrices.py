r"""A matrix of 0 and 1 in brackets, as Python, numpy, JSON, C, C# and other programs print it.

Examples are ``[[0, 1], [1, 0]]``, ``[[0 1]\n [1 0]]`` and ``int[,] m = { {0, 1}, {1, 0} };``. Each innermost pair of
brackets is a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: An entry: a digit, perhaps with a fraction of zeros, or a truth value.
_ENTRY = r"(?:[01](?:\.0*)?|[Tt]rue|[Ff]alse)"

_ROW = re.compile(rf"[\[({{]\s*{_ENTRY}(?:(?:\s*+,\s*+|\s++){_ENTRY})*+\s*+,?\s*+[\])}}]")

#: What may precede the first row: a name or a declaration, names of functions and types, and brackets.
_BEFORE = re.compile(r"\s*+(?:[A-Za-z_][^={}\n]{0,80}=\s*+)?+(?:[A-Za-z_][\w.]*+|[\s,\[\](){}<>])*+")

#: What may be between rows, such as ``new[]`` of C#.
_BETWEEN = re.compile(r"[\s,;]*+(?:new\b[\s\w<>\[\]]*+)?+")

#: What may follow the last row, such as a type of numpy.
_AFTER = re.compile(r"[\s\])},;]*+(?:dtype\s*=\s*[\w.\"'<]+)?[\s\])};]*+")

#: A quick test for most other texts.
_BRACKET = re.compile(r"\s*+(?:[A-Za-z_][^={}\n]{0,80}=)?[\s\w.<]{0,80}[\[({]")


def is_bracketed(text: str) -> bool:
    """Whether a text is a matrix in brackets.

    >>> is_bracketed("[[0, 1], [1, 0]]"), is_bracketed("m = { {1, 0}, {0, 1} };"), is_bracketed("[[2, 0], [0, 1]]")
    (True, True, False)
    """
    if _BRACKET.match(text) is None:
        return False
    at, pattern = 0, _BEFORE
    for row in _ROW.finditer(text):
        if pattern.fullmatch(text, at, row.start()) is None:
            return False
        at, pattern = row.end(), _BETWEEN
    return at > 0 and _AFTER.fullmatch(text, at) is not None


def bracketed_rows(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the digits of each row of a matrix in brackets.

    >>> list(bracketed_rows("[[0, 1.0], [True, False]]"))
    [(1, 9, '01'), (11, 24, '10')]
    """
    for row in _ROW.finditer(text):
        entries = re.findall(_ENTRY, row.group())
        yield row.start(), row.end(), "".join("1" if entry[0] in "1Tt" else "0" for entry in entries)
