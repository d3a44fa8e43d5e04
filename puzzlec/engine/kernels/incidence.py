"""The options of each item and the items of each option, as arrays, with the numbers that a search changes.

The random probes and the restarts both keep the number of options left of each item. Taking an option removes the
options that it excludes one by one, and each removal counts down its items. A node takes as many steps as entries
disappear, as with dancing links. The memory grows only with the entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.jit import inner, jit

Ints = npt.NDArray[np.int32]


class Incidence(NamedTuple):
    """The incidence of a problem, which no search changes. All arrays are int32.

    ``row_starts``, ``row_items`` and ``row_colours`` are the entries by option. ``item_starts``, ``item_options`` and
    ``item_colours`` are the same by item, options ascending.
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
    """The state of a problem at a node. All arrays are int32.

    - ``alive``: 1 for each option that can be taken
    - ``left``: number of alive options of each item
    - ``need``, ``room``: how many options of each item must and may still be taken (secondary items: 0 and 1 at first)
    - ``active``: primary items, ascending at the root
    """

    alive: Ints
    left: Ints
    need: Ints
    room: Ints
    active: Ints

    def copy(self) -> Remaining:
        """Return a copy, for a search to change."""
        return Remaining(self.alive.copy(), self.left.copy(), self.need.copy(), self.room.copy(), self.active.copy())


def incidence_of(arrays: Arrays, spare: int = 0) -> Incidence:
    """Return the incidence of a problem. Its entries by option are the arrays of the problem, not copies of them.

    ``spare`` is the number of unused elements after the entries by item.
    """
    count = arrays.primary + arrays.secondary
    row_starts = np.asarray(arrays.starts, dtype=np.int32)
    row_items = np.asarray(arrays.items, dtype=np.int32)
    row_colours = np.asarray(arrays.colours, dtype=np.int32)
    item_starts, item_options = np.zeros(count + 1, dtype=np.int32), np.empty(len(row_items) + spare, dtype=np.int32)
    item_colours = np.zeros(len(row_items) + spare, dtype=np.int32)
    coloured = bool(row_colours.any())
    transpose(row_starts, row_items, row_colours, item_starts, item_options, item_colours, coloured)
    return Incidence(arrays.primary, row_starts, row_items, row_colours, item_starts, item_options, item_colours)


@jit
def transpose(
    row_starts: Ints,
    row_items: Ints,
    row_colours: Ints,
    item_starts: Ints,
    item_options: Ints,
    item_colours: Ints,
    coloured: bool,
) -> None:
    """Fill the entries by item, the options ascending. ``item_starts`` and ``item_colours`` are 0 at first."""
    for j in range(len(row_items)):
        item_starts[row_items[j] + 1] += 1
    for item in range(len(item_starts) - 1):
        item_starts[item + 1] += item_starts[item]
    place = item_starts[:-1].copy()
    for option in range(len(row_starts) - 1):
        for j in range(row_starts[option], row_starts[option + 1]):
            item = row_items[j]
            k = place[item]
            place[item] += 1
            item_options[k] = option
            if coloured:
                item_colours[k] = row_colours[j]


def root_of(incidence: Incidence, arrays: Arrays) -> Remaining:
    """Return the state at the root, with as little room as suffices."""
    primary, secondary, count = arrays.primary, arrays.secondary, incidence.total
    lengths = np.diff(incidence.item_starts)
    lows = np.asarray(arrays.low, dtype=np.int64)
    # A cover cannot take more options than the item has.
    highs = np.minimum(np.asarray(arrays.high, dtype=np.int64), np.maximum(lengths[:primary], lows))
    need = np.concatenate((lows, np.zeros(secondary, dtype=np.int64))).astype(np.int32)
    room = np.concatenate((highs, np.ones(secondary, dtype=np.int64))).astype(np.int32)
    alive = np.ones(incidence.options, dtype=np.int32)
    left = lengths.astype(np.int32)
    closed = np.flatnonzero(highs == 0)  # no option may cover it: remove them before the search
    for item in closed:
        alive[incidence.item_options[incidence.item_starts[item] : incidence.item_starts[item + 1]]] = 0
    if len(closed):
        gone = np.repeat(alive == 0, np.diff(incidence.row_starts))
        left -= np.bincount(incidence.row_items[gone], minlength=count)[:count].astype(np.int32)
    return Remaining(alive, left, need, room, np.flatnonzero(highs > 0).astype(np.int32))


def moved(order: npt.NDArray[Any], starts: Ints) -> tuple[Ints, npt.NDArray[Any]]:
    """Return where lists end to end start in another order of the lists, and the old place of each member."""
    lengths = np.diff(starts)[order]
    after = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(lengths, dtype=np.int32)))
    return after, np.repeat(starts[order] - after[:-1], lengths) + np.arange(after[-1], dtype=np.int32)


def mixed(number: Any) -> Any:
    """Return a uint64 that looks random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


mix = inner(mixed)
