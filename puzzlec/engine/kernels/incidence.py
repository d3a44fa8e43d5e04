"""Which options have an item and which items an option has, as arrays, with the numbers that a search changes.

The random probes and the restarts both keep, for each item, how many of its options are left. Taking an option
removes the options that it excludes, one by one, and each counts down its own items. A node costs
as many steps as entries disappear, as with dancing links, and the memory grows with the entries only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.jit import jit

Ints = npt.NDArray[np.int32]


class Incidence(NamedTuple):
    """The incidence of a problem, which no search changes; all arrays are int32.

    ``row_starts``, ``row_items``, ``row_colours``: the entries by option; ``item_starts``,
    ``item_options``, ``item_colours``: the same by item, options ascending.
    """

    primary: int
    row_starts: Ints
    row_items: Ints
    row_colours: Ints
    item_starts: Ints
    item_options: Ints
    item_colours: Ints

    @property
    def options(self) -> int:
        """Number of options."""
        return len(self.row_starts) - 1

    @property
    def total(self) -> int:
        """Number of items, primary and secondary."""
        return len(self.item_starts) - 1


class Remaining(NamedTuple):
    """What is left of a problem at a node; all arrays are int32.

    ``alive`` (a 1 for each option that can be taken), ``left`` (how many options of each item are
    alive), ``need`` and ``room`` (how many options of each item must and may still be taken; for secondary items 0
    and 1 at the root), and the ``active`` primary items, ascending at the root.
    """

    alive: Ints
    left: Ints
    need: Ints
    room: Ints
    active: Ints

    def copy(self) -> Remaining:
        """Return a copy, for a search to change."""
        return Remaining(self.alive.copy(), self.left.copy(), self.need.copy(), self.room.copy(), self.active.copy())


def incidence_of(arrays: Arrays) -> tuple[Incidence, Remaining]:
    """Return the incidence of a problem, and what is left at the root: no more room than can be used."""
    primary, low, high, secondary = arrays.primary, arrays.low, arrays.high, arrays.secondary
    count = primary + secondary
    first = np.asarray(arrays.starts, dtype=np.int64)
    entries = np.asarray(arrays.items, dtype=np.int64)
    colours = np.asarray(arrays.colours, dtype=np.int32)
    options = len(first) - 1
    owner = np.repeat(np.arange(options), np.diff(first))
    order = np.argsort(entries, kind="stable")
    lengths = np.bincount(entries, minlength=count)[:count]
    item_starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    item_options = owner[order].astype(np.int32)
    incidence = Incidence(
        primary,
        first.astype(np.int32),
        entries.astype(np.int32),
        colours,
        item_starts,
        item_options,
        colours[order],
    )
    lows = np.asarray(low, dtype=np.int64)
    # More than the item's options plus what is needed cannot be taken.
    highs = np.minimum(np.asarray(high, dtype=np.int64), np.maximum(lengths[:primary], lows))
    need = np.concatenate((lows, np.zeros(secondary, dtype=np.int64))).astype(np.int32)
    room = np.concatenate((highs, np.ones(secondary, dtype=np.int64))).astype(np.int32)
    alive = np.ones(options, dtype=np.int32)
    for item in np.flatnonzero(highs == 0):  # nothing may be taken: gone before the search begins
        alive[item_options[item_starts[item] : item_starts[item + 1]]] = 0
    gone = alive[owner] == 0
    left = (lengths - np.bincount(entries[gone], minlength=count)[:count]).astype(np.int32)
    return incidence, Remaining(alive, left, need, room, np.flatnonzero(highs > 0).astype(np.int32))


def mixed(number: Any) -> Any:
    """Return a uint64 that looks random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


mix = jit(mixed)
