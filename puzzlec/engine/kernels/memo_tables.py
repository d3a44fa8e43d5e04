"""The tables of the kernel ``memo``: solved subproblems, sets of excluded options, and the diagram being made."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.diagram import DEAD, same_branches, scramble, scrambled_branches
from puzzlec.engine.kernels.jit import inner, jit

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

# The fields of ``state`` (int64). The last two: whether the order is a sweep, and whether a diagram is made
LEVEL, PHASE, NODES, FINISHED, NEED, ENTRIES, SETS, STORED, BRANCHES, TOP, FULL, SETS_FULL = range(12)
SWEEP, MAKING = 12, 13

# Where the search continues: at a fresh node, at the next branch, with all branches done, or with a result
ENTER, TRY, CLOSE, RESULT = range(4)

# Reasons to stop: nothing, or the table that must grow first
NOTHING, TABLE, LIMBS, SET_TABLE, PENDING, DIAGRAM_NODES, DIAGRAM_BRANCHES = range(7)

#: Number of neighbouring slots among which a full table replaces an entry.
SLOTS_OF_WINDOW = 8


class SubproblemTable(NamedTuple):
    """Solved subproblems, by open addressing: ``keys`` (slots, key words), ``values`` (slots, limbs).

    ``works`` (uint8) is 0 for an empty slot, else 1 + the logarithm of the nodes that the entry saves.
    """

    keys: Words
    values: Words
    works: npt.NDArray[np.uint8]


class Sets(NamedTuple):
    """Sets of excluded options: ``rows`` (sets, words), and the numbers of the rows by open addressing."""

    rows: Words
    slots: Ints


class DiagramNodes(NamedTuple):
    """Nodes with their branches; see ``kernels.diagram``. ``slots`` finds a node by its branches.

    ``pending_options`` and ``pending_children`` are the branches of unfinished levels.
    """

    starts: Longs
    options: Ints
    children: Ints
    slots: Ints
    pending_options: Ints
    pending_children: Ints


class CoverSums(NamedTuple):
    """The results of a search.

    ``sums`` (levels, limbs) are the covers found below each level. ``result`` (limbs) is the number of covers of the
    last finished subproblem, or its node if a diagram is made.
    """

    sums: Words
    result: Words


@inner
def find(keys: Words, works: npt.NDArray[np.uint8], searched: Words, row: int) -> int:
    """Return the slot of the key in a row, or -1 - the empty slot for it."""
    mask = keys.shape[0] - 1
    slot = int(np.int64(scramble(searched, row) & np.uint64(mask)))
    while works[slot] != 0:
        same = True
        for w in range(keys.shape[1]):
            if keys[slot, w] != searched[row, w]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask
    return -1 - slot


@jit
def move(old: SubproblemTable, new: SubproblemTable) -> None:
    """Copy all entries into a larger table, whose values may have more limbs."""
    for slot in range(old.keys.shape[0]):
        if old.works[slot] != 0:
            goal = -1 - find(new.keys, new.works, old.keys, slot)
            new.works[goal] = old.works[slot]
            for w in range(old.keys.shape[1]):
                new.keys[goal, w] = old.keys[slot, w]
            for w in range(old.values.shape[1]):
                new.values[goal, w] = old.values[slot, w]


@inner
def store(table: SubproblemTable, searched: Words, row: int, value: Words, work: int, full: bool) -> int:
    """Store a new key. Return the number of additional entries (1 or 0).

    In a full table the entry of the least work within some slots is replaced, unless its work exceeds that of the new
    one. Then the work of the old entry is lowered.
    """
    mask = table.keys.shape[0] - 1
    slot = int(np.int64(scramble(searched, row) & np.uint64(mask)))
    grown = 0
    if full:
        weakest = -1
        for _ in range(SLOTS_OF_WINDOW):
            if table.works[slot] == 0:
                break
            if weakest < 0 or table.works[slot] < table.works[weakest]:
                weakest = slot
            slot = (slot + 1) & mask
        if weakest < 0:
            return 0  # the slot is empty, but the table must keep some empty slots
        if table.works[weakest] > work:
            table.works[weakest] -= np.uint8(1)
            return 0
        slot = weakest
    else:
        while table.works[slot] != 0:
            slot = (slot + 1) & mask
        grown = 1
    table.works[slot] = np.uint8(work)
    for w in range(searched.shape[1]):
        table.keys[slot, w] = searched[row, w]
    for w in range(value.shape[0]):
        table.values[slot, w] = value[w]
    return grown


@inner
def number_of_set(sets: Sets, searched: Words, row: int, used: int) -> int:
    """Return the number of the set of options in a row. A new set is stored, with the number ``used``."""
    mask = sets.slots.shape[0] - 1
    slot = int(np.int64(scramble(searched, row) & np.uint64(mask)))
    while sets.slots[slot] >= 0:
        number = int(sets.slots[slot])
        same = True
        for w in range(searched.shape[1]):
            if sets.rows[number, w] != searched[row, w]:
                same = False
                break
        if same:
            return number
        slot = (slot + 1) & mask
    sets.slots[slot] = used
    for w in range(searched.shape[1]):
        sets.rows[used, w] = searched[row, w]
    return used


@jit
def fill_slots(sets: Sets, used: int) -> None:
    """Enter the rows of a table of sets into its slots, which are empty."""
    mask = sets.slots.shape[0] - 1
    for number in range(used):
        slot = int(np.int64(scramble(sets.rows, number) & np.uint64(mask)))
        while sets.slots[slot] >= 0:
            slot = (slot + 1) & mask
        sets.slots[slot] = number


@jit
def fill_node_slots(diagram: DiagramNodes, used: int) -> None:
    """Enter the nodes of a diagram into its slots, which are empty."""
    mask = diagram.slots.shape[0] - 1
    for node in range(2, used):
        slot = scrambled_branches(
            diagram.options, diagram.children, diagram.starts[node], diagram.starts[node + 1]
        ) & np.uint64(mask)
        while diagram.slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & np.uint64(mask)
        diagram.slots[slot] = node


@inner
def node_of(diagram: DiagramNodes, first: int, top: int, state: Longs, share: bool) -> int:
    """Return the node of the pending branches from ``first`` on, or -1 - the table that must grow."""
    size = top - first
    if size == 0:
        return DEAD
    if size == 1 and diagram.pending_options[first] < 0:
        return int(diagram.pending_children[first])
    node, end = state[STORED], state[BRANCHES]
    if node + 2 > diagram.starts.shape[0]:
        return -1 - DIAGRAM_NODES
    if end + size > diagram.options.shape[0]:
        return -1 - DIAGRAM_BRANCHES
    for j in range(size):
        diagram.options[end + j] = diagram.pending_options[first + j]
        diagram.children[end + j] = diagram.pending_children[first + j]
    if share:
        mask = np.uint64(diagram.slots.shape[0] - 1)
        slot = scrambled_branches(diagram.options, diagram.children, end, end + size) & mask
        while diagram.slots[slot] >= 0:
            other = int(diagram.slots[slot])
            if same_branches(
                diagram.options, diagram.children, diagram.starts[other], diagram.starts[other + 1], end, end + size
            ):
                return other
            slot = (slot + np.uint64(1)) & mask
        diagram.slots[slot] = node
    state[STORED] = node + 1
    state[BRANCHES] = end + size
    diagram.starts[node + 1] = end + size
    return int(node)
