"""Small pieces of wording that messages share."""

from __future__ import annotations

from collections.abc import Iterable


def none_of(word: str, known: Iterable[str]) -> str:
    """Return that a word is not among the known ones.

    >>> none_of("rotation", ["none", "rotations"])
    '`rotation` is none of `none`, `rotations`'
    """
    return f"`{word}` is none of {', '.join(f'`{each}`' for each in known)}"


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (number != 1)
