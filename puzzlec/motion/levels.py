"""The level of a disassembly, as it is written: moves to the first separation, then to the next ones."""

from __future__ import annotations

Numbers = tuple[int, ...]


def joined(first: int, larger: Numbers, smaller: Numbers, alike: bool) -> Numbers:
    """Return the level of a part from its moves to the first separation, and the levels of the two parts then.

    A part that comes apart by single moves is left out. The larger part comes first; if they are ``alike`` in size,
    the order with the lesser level does.

    >>> joined(98, (2, 4), (), False), joined(5, (1, 1), (1,), False)
    ((98, 2, 4), (5,))
    """
    one, two = [part if max(part, default=0) > 1 else () for part in (larger, smaller)]
    return (first, *(min(one + two, two + one) if alike else one + two))


def text(numbers: Numbers) -> str:
    """Return a level as it is written.

    >>> text((98, 2, 4, 2))
    '98.2.4.2'
    """
    return ".".join(map(str, numbers)) or "0"
