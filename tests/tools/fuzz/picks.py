"""Bytes as choices: bytes that a fuzzer changes become numbers and members of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")


class Picks:
    """Reads choices from bytes, one byte for each. After the last byte, each choice is the first one.

    So every input is a valid list of choices, and inputs that differ in one byte differ in one choice.
    """

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    @property
    def left(self) -> int:
        """The number of bytes that are left."""
        return len(self.content) - self.at

    def number(self, most: int) -> int:
        """Return a number from 0 to ``most``, which is below 256."""
        if self.at >= len(self.content):
            return 0
        self.at += 1
        return self.content[self.at - 1] % (most + 1)

    def among(self, things: Sequence[One]) -> One:
        """Choose one of at most 256 things."""
        return things[self.number(len(things) - 1)]

    def rarely(self) -> bool:
        """Return whether a rare event happens."""
        return self.number(7) == 7

    def some(self, things: Sequence[One], most: int) -> list[One]:
        """Return up to ``most`` different things of some, in any order; at least one if there is one."""
        left = list(things)
        number = min(len(left), 1 + self.number(most - 1))
        return [left.pop(self.number(min(255, len(left) - 1))) for _ in range(number)]

    def rest(self, most: int) -> bytes:
        """Return the next bytes, at most this many."""
        found = self.content[self.at : self.at + most]
        self.at += len(found)
        return found
