"""Small pieces of wording that messages share."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.diagnostics.suggest import suggestion


def none_of(word: str, known: Iterable[str]) -> str:
    """Return that a word is not among the known ones, and which of them it may be a slip of.

    >>> none_of("rotation", ["none", "rotations"]), none_of("turns", ["none", "rotations"])
    ('`rotation` is none of `none`, `rotations`; did you mean `rotations`?', '`turns` is none of `none`, `rotations`')
    """
    words = list(known)
    meant = "".join(f"; {each}" for each in suggestion(word, words))
    return f"`{word}` is none of {', '.join(f'`{each}`' for each in words)}{meant}"


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (number != 1)
