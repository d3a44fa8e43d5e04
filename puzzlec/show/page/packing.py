"""Integers for a page: listed where they are few, else as base64 of their bytes, the least one first."""

from __future__ import annotations

import sys
from array import array
from base64 import b64encode
from collections.abc import Sequence

#: So many numbers are listed in JSON, where a person can read them; more are packed.
FEW = 64

#: The ways to pack: a name for the page, the type code of an array, bytes for a number, least and greatest number.
_WAYS = (
    ("u8", "B", 1, 0, 2**8 - 1),
    ("i16", "h", 2, -(2**15), 2**15 - 1),
    ("u16", "H", 2, 0, 2**16 - 1),
    ("i32", "i", 4, -(2**31), 2**31 - 1),
)

Packed = list[int] | dict[str, str]


def width(least: int, greatest: int) -> int:
    """Return how many bytes each of some numbers takes when they are packed.

    >>> width(0, 255), width(-1, 255), width(0, 40000)
    (1, 2, 2)
    """
    return _way(least, greatest)[2]


def packed(numbers: Sequence[int]) -> Packed:
    """Return numbers as the page reads them. Raises OverflowError for one of more than 32 bits.

    >>> packed([1, 2, 3])
    [1, 2, 3]
    >>> packed([7] * 66)["u8"][:8]
    'BwcHBwcH'
    """
    if len(numbers) <= FEW:
        return list(numbers)
    name, code, *_ = _way(min(numbers), max(numbers))
    found = array(code, numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return {name: b64encode(found.tobytes()).decode("ascii")}


def _way(least: int, greatest: int) -> tuple[str, str, int, int, int]:
    for way in _WAYS:
        if way[3] <= least and greatest <= way[4]:
            return way
    raise OverflowError("a number for the page has more than 32 bits")
