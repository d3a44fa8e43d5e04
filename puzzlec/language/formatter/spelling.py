"""Spelling of names, addresses and colours in the puzzle language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from puzzlec.diagnostics.error import fail
from puzzlec.ir import Puzzle
from puzzlec.ir.puzzle import Address

#: Characters for colours whose names have several characters.
_SIGNS = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RESERVED = set("#.x?{}/")


#: Words that continue a statement where another name of a list is possible.
_WORDS = ("sum", "all")


def colour_signs(puzzle: Puzzle) -> dict[str, str]:
    """Return a character for each colour: its name if that is one character, else an unused one.

    Raises PuzzleError if there are more colours than characters.
    """
    own = {colour for colour in puzzle.colours if len(colour) == 1 and colour not in _RESERVED}
    free = (sign for sign in _SIGNS if sign not in own)
    try:
        return {colour: colour if colour in own else next(free) for colour in puzzle.colours}
    except StopIteration:
        raise fail("PZ501", "too many colours for the characters of the puzzle language", puzzle.span) from None


def quoted(name: str) -> str:
    """Return a name as the language writes it: in double quotes unless it is a plain word.

    >>> quoted("F"), quoted("big L")
    ('F', '"big L"')
    """
    plain = re.fullmatch(r"\w[\w\-]*", name) and name not in _WORDS
    return name if plain else '"' + name.replace('"', "'") + '"'


def addresses(ats: Iterable[Address]) -> str:
    """Return addresses as the language writes them: names, or cells in brackets."""
    return " ".join(quoted(at) if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")" for at in ats)
