"""Small pieces of wording that messages share."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (number != 1)
