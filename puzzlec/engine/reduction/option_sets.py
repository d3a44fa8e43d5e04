"""Sets of options as integers: option ``o`` is bit ``o``. Thousands of options intersect in a microsecond."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.engine.problem import ExactCover


def options_of_items(cover: ExactCover) -> list[int]:
    """Return the set of the options of each item.

    >>> options_of_items(ExactCover.from_rows([[0, 1], [1], [0]], primary=2))
    [5, 3]
    """
    # Bytes come first, since an integer is copied each time that it grows.
    sets = [bytearray((len(cover) + 7) // 8) for _ in range(cover.primary + cover.secondary)]
    items, first = cover.items, 0
    for option, last in enumerate(cover.starts[1:]):
        byte, bit = option >> 3, 1 << (option & 7)
        for item in items[first:last]:
            sets[item][byte] |= bit
        first = last
    return [int.from_bytes(options, "little") for options in sets]


def agreeing_options(cover: ExactCover) -> dict[tuple[int, int], int]:
    """Return for each pair (secondary item, colour) the set of the options that give the item this colour."""
    giving: dict[tuple[int, int], bytearray] = {}
    if any(cover.colours):
        first, length = 0, (len(cover) + 7) // 8
        for option, last in enumerate(cover.starts[1:]):
            for entry in zip(cover.items[first:last], cover.colours[first:last], strict=True):
                if entry[1]:
                    if entry not in giving:
                        giving[entry] = bytearray(length)
                    giving[entry][option >> 3] |= 1 << (option & 7)
            first = last
    return {entry: int.from_bytes(options, "little") for entry, options in giving.items()}


def members(options: int) -> Iterator[int]:
    """Yield the members of a set, ascending."""
    text = bin(options)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)
