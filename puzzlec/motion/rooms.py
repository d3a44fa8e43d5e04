"""Arrays that the kernel works on, which grow: tables of states and of gaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlec.motion import kernel

#: Room for states at the start.
FIRST = 256


class States:
    """States of some pieces, with room for more.

    ``arrays`` are for the kernel: the states, their hashes, the table of states, how each was reached, and the weights
    of the hash. ``goals`` says whether a separation is possible in each state.
    """

    def __init__(self, weights: np.ndarray) -> None:
        states, came = np.empty((FIRST, len(weights)), np.int64), np.empty((FIRST, 4), np.int64)
        hashes, table = np.empty(FIRST, np.int64), np.empty(2 * FIRST, np.int32)
        self._all, self._goals = (states, hashes, table, came, weights), np.empty(FIRST, np.int64)

    def clear(self, most: int | None = None) -> None:
        """Forget all states. From now on, there is room for at most a number of them."""
        states, hashes, table, came, weights = self._all
        table.fill(-1)
        self._goals.fill(0)
        self.arrays, self.goals = self._all, self._goals
        if most is not None and most < len(states):
            self.arrays = states[:most], hashes[:most], table, came[:most], weights
            self.goals = self._goals[:most]

    def begin(self, state: Sequence[int]) -> None:
        """Add the first state."""
        states, hashes, table, _, _ = self.arrays
        states[0] = state
        hashes[0] = table[0] = 0

    def widen(self, count: int, most: int) -> bool:
        """Make room for more states; return whether there is more room. The larger arrays are not kept."""
        states, hashes, table, came, weights = self.arrays
        room = min(4 * len(states), most)
        if room <= len(states):
            return False
        table = np.full(1 << (2 * room - 1).bit_length(), -1, np.int32)
        kernel.rehash_states(hashes, count, table)
        self.arrays = longer(states, room), longer(hashes, room), table, longer(came, room), weights
        self.goals = longer(self.goals, room)
        return True

    def keep(self) -> None:
        """Use the arrays that are there now for the next search also."""
        self._all, self._goals = self.arrays, self.goals


class GapTable:
    """The gaps that a thread knows, in a hash table for the kernel.

    ``arrays`` are offsets, pairs of shapes, and the gaps; ``known`` is the number of entries.
    """

    def __init__(self, room: int, axes: int) -> None:
        self._axes, self.known = axes, 0
        self.arrays = np.zeros(room, np.int64), np.full(room, -1, np.int64), np.zeros((room, 2 * axes + 2), np.int32)

    def copy(self) -> GapTable:
        """Return a table with the same gaps."""
        found = GapTable(0, self._axes)
        keys, pairs, values = self.arrays
        found.known, found.arrays = self.known, (keys.copy(), pairs.copy(), values.copy())
        return found

    def widen(self, size: int) -> None:
        """Make the table larger: enough for one more state of some pieces."""
        room = 4 * len(self.arrays[0])
        while 2 * (self.known + size * size) > room:
            room *= 2
        wide = GapTable(room, self._axes).arrays
        kernel.rehash(*self.arrays, *wide)
        self.arrays = wide


def longer(array: np.ndarray, room: int) -> np.ndarray:
    """Return an array with more rows."""
    found = np.zeros((room, *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found
