"""Which options have an item and which items an option has, as arrays, with the numbers that a search changes.

The dives and the restarts both keep, for each item, how many of its options are left. Taking an option
removes those that cannot stand beside it, one by one, and each counts down its own items. A node costs
as many steps as entries disappear, as with dancing links, and the memory grows with the entries only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import jit

Ints = npt.NDArray[np.int32]


class Incidence:
    """The incidence of a problem; all arrays are int32.

    ``row_starts``, ``row_items``, ``row_colours``: the entries by option; ``item_starts``,
    ``item_options``, ``item_colours``: the same by item, options ascending. ``low`` and ``high`` are the
    bounds, ``high`` no more than can be reached; secondary items have 0 and 1 there. At the root
    ``alive`` (a 1 an option that can be taken), ``left`` (of each item, how many of its options are
    alive), ``need`` and ``room`` (of each item, how many options must and may still be taken).
    ``active`` are the primary items that are not done, ascending.
    """

    def __init__(
        self,
        primary: int,
        low: Sequence[int],
        high: Sequence[int],
        secondary: int,
        starts: Sequence[int],
        items: Sequence[int],
        colours: Sequence[int],
    ) -> None:
        count = primary + secondary
        first = np.asarray(starts, dtype=np.int64)
        entries = np.asarray(items, dtype=np.int64)
        self.primary, self.options, self.count = primary, len(first) - 1, count
        self.row_starts = first.astype(np.int32)
        self.row_items = entries.astype(np.int32)
        self.row_colours = np.asarray(colours, dtype=np.int32)
        owner = np.repeat(np.arange(self.options), np.diff(first))
        order = np.argsort(entries, kind="stable")
        lengths = np.bincount(entries, minlength=count)[:count]
        self.item_starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
        self.item_options = owner[order].astype(np.int32)
        self.item_colours = self.row_colours[order]
        lows = np.asarray(low, dtype=np.int64)
        # More than the item's options plus what is needed cannot be taken.
        highs = np.minimum(np.asarray(high, dtype=np.int64), np.maximum(lengths[:primary], lows))
        self.need = np.concatenate((lows, np.zeros(secondary, dtype=np.int64))).astype(np.int32)
        self.room = np.concatenate((highs, np.ones(secondary, dtype=np.int64))).astype(np.int32)
        self.alive = np.ones(self.options, dtype=np.int32)
        for item in np.flatnonzero(highs == 0):  # nothing may be taken: gone before the search begins
            self.alive[self.item_options[self.item_starts[item] : self.item_starts[item + 1]]] = 0
        gone = self.alive[owner] == 0
        self.left = (lengths - np.bincount(entries[gone], minlength=count)[:count]).astype(np.int32)
        self.active = np.flatnonzero(highs > 0).astype(np.int32)

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
        """The arrays that a search does not change, in the order in which the jitted functions take them."""
        return (
            self.row_starts, self.row_items, self.row_colours, self.item_starts, self.item_options, self.item_colours
        )  # fmt: skip


def mixed(number: Any) -> Any:
    """Return a uint64 that looks random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


mix = jit(mixed)
