"""Lines and words of a text with their places, for formats with an option on each line."""

from __future__ import annotations

import re
from collections.abc import Iterator


def lines(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield each line of a text without its end, with the place of its first character.

    >>> list(lines("ab\n\nc"))
    [(0, 'ab'), (3, ''), (4, 'c')]
    """
    at = 0
    length = len(text)
    while at < length:
        end = text.find("\n", at)
        if end < 0:
            end = length
        yield at, text[at:end]
        at = end + 1


def words(line: str, at: int = 0) -> Iterator[tuple[str, int]]:
    """Yield each word of a line with its place in the text, if the line begins at ``at``.

    >>> list(words(" a bc", 10))
    [('a', 11), ('bc', 13)]
    """
    return ((match.group(), at + match.start()) for match in re.finditer(r"\S+", line))
