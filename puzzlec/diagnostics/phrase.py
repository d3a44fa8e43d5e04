"""Phrases: words with values, which another program can translate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Phrase(NamedTuple):
    """English words with names of values in braces. Translations are found by the words: they are always the same.

    >>> some = say("{n} {cells}", n=2, cells="dark cells")
    >>> str(say("the pieces cover {amount}", amount=some))
    'the pieces cover 2 dark cells'
    """

    text: str
    values: Mapping[str, Phrase | str | int]

    def __str__(self) -> str:
        return self.text.format_map(self.values)


def say(text: str, **values: Phrase | str | int) -> Phrase:
    """Return words with values."""
    return Phrase(text, values)
