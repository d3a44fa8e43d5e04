"""How the puzzle language spells names, addresses and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from puzzlec.diagnostics.error import fail
from puzzlec.ir import Puzzle
from puzzlec.ir.puzzle import Address

#: Characters for colours whose names are longer than one.
_SIGNS = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RESERVED = set("#.x?{}/")


#: Words that go on with a statement where another name of a list could be.
_WORDS = ("sum", "all")


def colour_signs(puzzle: Puzzle) -> dict[str, str]:
    """Return a character for each colour: its name where that is one, else one not yet taken.

    Raises PuzzleError for more colours than there are characters.
    """
    own = {colour for colour in puzzle.colours if len(colour) == 1 and colour not in _RESERVED}
    free = (sign for sign in _SIGNS if sign not in own)
    try:
        return {colour: colour if colour in own else next(free) for colour in puzzle.colours}
    except StopIteration:
        raise fail("PZ501", "the puzzle language has no characters for so many colours", puzzle.span) from None


def quoted(name: str) -> str:
    """Return a name as the language writes it: in double quotes unless it is one plain word.

    >>> quoted("F"), quoted("big L")
    ('F', '"big L"')
    """
    plain = re.fullmatch(r"\w[\w\-]*", name) and name not in _WORDS
    return name if plain else '"' + name.replace('"', "'") + '"'


def addresses(ats: Iterable[Address]) -> str:
    """Return addresses as the language writes them: names, or cells in brackets."""
    return " ".join(quoted(at) if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")" for at in ats)
