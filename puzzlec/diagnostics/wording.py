"""Wording that messages share."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.diagnostics.suggest import suggestion


def none_of(word: str, known: Iterable[str]) -> str:
    """Return a message for a word that is not among the known ones, with the word that may be meant.

    >>> none_of("rot", ["none", "rotations"])
    'expected `none` or `rotations`, found `rot`; did you mean `rotations`?'
    >>> none_of("rotation", ["none", "rotations"])
    'expected `none` or `rotations`, found `rotation`; did you mean `rotations`?'
    """
    words = list(known)
    begun = [each for each in words if len(word) > 1 and each.startswith(word.lower())]
    helps = suggestion(word, words) or ((f"did you mean `{begun[0]}`?",) if len(begun) == 1 else ())
    meant = "".join(f"; {each}" for each in helps)
    return f"expected {either(f'`{known_word}`' for known_word in words)}, found `{word}`{meant}"


def either(choices: Iterable[str]) -> str:
    """Return a list of choices in words.

    >>> either(["a", "b", "c"]), either(["a"])
    ('a, b or c', 'a')
    """
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last


def counted(number: int, what: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (number != 1)
