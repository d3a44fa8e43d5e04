"""Small pieces of wording that messages share."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.diagnostics.suggest import suggestion


def none_of(word: str, known: Iterable[str]) -> str:
    """Return that a word is not among the known ones, and which of them it may be a slip or the beginning of.

    >>> none_of("rot", ["none", "rotations"])
    '`rot` is none of `none`, `rotations`; did you mean `rotations`?'
    >>> none_of("rotation", ["none", "rotations"]), none_of("turns", ["none", "rotations"])
    ('`rotation` is none of `none`, `rotations`; did you mean `rotations`?', '`turns` is none of `none`, `rotations`')
    """
    words = list(known)
    begun = [each for each in words if len(word) > 1 and each.startswith(word.lower())]
    helps = suggestion(word, words) or ((f"did you mean `{begun[0]}`?",) if len(begun) == 1 else ())
    meant = "".join(f"; {each}" for each in helps)
    return f"`{word}` is none of {', '.join(f'`{each}`' for each in words)}{meant}"


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (number != 1)
