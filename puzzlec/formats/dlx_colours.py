"""The colours of secondary items in Knuth's texts: a character for each, where an exact cover has numbers from 1.

Every character that his programs take for a colour has its number, so that such a text keeps its colours when it is
read and written again. Numbers beyond them are written in decimal digits, which his programs do not take.
"""

from __future__ import annotations

from collections.abc import Collection

#: The characters of the colours 1, 2, 3 and so on: digits, letters, then what else can be printed but ``:`` and ``|``.
CHARACTERS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0!\"#$%&'()*+,-./;<=>?@[\\]^_`{}~"

#: Colours up to this number are what their decimal digits say; other words get numbers that are free.
MOST = 1_000_000

_NUMBER = {character: number for number, character in enumerate(CHARACTERS, 1)}


def number_of(word: str) -> int | None:
    """Return the colour that a word always means; None for a word that means any colour that is free.

    >>> number_of("1"), number_of("b"), number_of("200"), number_of("red"), number_of("12")
    (1, 11, 200, None, None)
    """
    if len(word) == 1:
        return _NUMBER.get(word)
    if word.isdecimal() and word.isascii() and word[0] != "0" and len(word) <= len(str(MOST)):
        number = int(word)
        return number if len(CHARACTERS) < number <= MOST else None
    return None


def word_of(number: int) -> str:
    """Return the word of a colour from 1 to :data:`MOST`, which :func:`number_of` takes back."""
    return CHARACTERS[number - 1] if number <= len(CHARACTERS) else str(number)


def free_numbers(count: int, taken: Collection[int]) -> list[int]:
    """Return the lowest ``count`` colours that are not taken.

    >>> free_numbers(3, {1, 3})
    [2, 4, 5]
    """
    found: list[int] = []
    number = 1
    while len(found) < count:
        if number not in taken:
            found.append(number)
        number += 1
    return found
