"""Redundant parts of an exact cover: items that demand nothing or repeat another one, options that are equal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from puzzlec.engine.problem import ExactCover

_Key = TypeVar("_Key")


@dataclass(frozen=True)
class Redundancy:
    """Parts of an exact cover that could be left out. One member of each group must stay.

    ``idle`` are items that forbid and demand nothing. ``items`` are groups of primary items with the same options and
    bounds. ``options`` are groups of options with the same entries.
    """

    idle: tuple[int, ...]
    items: tuple[tuple[int, ...], ...]
    options: tuple[tuple[int, ...], ...]


def redundant(cover: ExactCover) -> Redundancy:
    """Return what is redundant in an exact cover.

    >>> redundant(ExactCover.from_rows([[0, 1], [2], [2], [0, 1, 3]], primary=3, secondary=1))
    Redundancy(idle=(3,), items=((0, 1),), options=((1, 2),))
    """
    options_of = cover.options_of_items()
    idle = tuple(
        item
        for item, options in enumerate(options_of)
        if (len(options) <= 1 if item >= cover.primary else cover.low[item] == 0 and cover.high[item] >= len(options))
    )
    primary = (item for item in range(cover.primary) if len(options_of[item]))
    # Equal sequences of options have equal bytes: all arrays are of one kind.
    keyed = ((item, (memoryview(options_of[item]).tobytes(), cover.low[item], cover.high[item])) for item in primary)  # type: ignore[arg-type]
    return Redundancy(
        idle,
        _groups(keyed),
        _groups((option, tuple(sorted(cover.entries(option)))) for option in cover.suspects()),
    )


def _groups(keyed: Iterable[tuple[int, _Key]]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of two or more numbers with equal keys."""
    found: dict[_Key, list[int]] = {}
    for number, key in keyed:
        found.setdefault(key, []).append(number)
    return tuple(tuple(group) for group in found.values() if len(group) > 1)
