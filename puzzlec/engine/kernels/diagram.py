"""Decision diagrams of covers, as arrays. Counting and restricting them needs no search.

Node 0 is dead (no cover), node 1 is done (one cover, without options). Node ``n`` has the branches
``starts[n] .. starts[n + 1] - 1`` of ``options`` (int32, -1 for none) and ``children`` (int32, below ``n``). Each path
from a node down to node 1 is a set of options, and the node represents these sets. No two paths have the same set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inner, jit

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

#: The two nodes without branches.
DEAD, DONE = 0, 1


class Branches(NamedTuple):
    """The branches of the nodes of a diagram; see the module."""

    starts: Longs
    options: Ints
    children: Ints


@inner
def scramble(table: Words, row: int) -> np.uint64:
    """Return a hash of the words in a row: multiplications with mixing, as in splitmix64."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for w in range(table.shape[1]):
        mixed = (mixed ^ table[row, w]) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(29)
    return mixed


@inner
def scrambled_branches(options: Ints, children: Ints, first: int, last: int) -> np.uint64:
    """Return a hash of the branches ``first .. last - 1``."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for j in range(first, last):
        mixed ^= (np.uint64(options[j] + 1) << np.uint64(32)) | np.uint64(children[j])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(29))


@inner
def same_branches(options: Ints, children: Ints, first: int, last: int, other: int, end: int) -> bool:
    """Return whether the branches ``first .. last - 1`` equal those from ``other`` to ``end - 1``."""
    if last - first != end - other:
        return False
    for j in range(last - first):
        if options[first + j] != options[other + j] or children[first + j] != children[other + j]:
            return False
    return True


@jit
def restrict(
    old: Branches, marked: npt.NDArray[np.uint8], low: int, last: int, more: bool, images: Ints, slots: Ints,
    new: Branches,
) -> int:  # fmt: skip
    """Make the nodes for the covers with at least ``low`` marked options. Return their number.

    ``images`` (nodes, ``last`` + 1) receives the new node of each node, by the number of marked options taken above it.
    If ``more`` is true, numbers above ``last`` count as ``last``. Otherwise they are too large. Equal nodes are made
    once. ``slots`` finds them (int32, all -1, its length a power of 2 above the number of new nodes). The new arrays
    must have room for ``last`` + 1 copies of the old ones.
    """
    starts, options, children = old
    new_starts, new_options, new_children = new
    mask = np.uint64(slots.shape[0] - 1)
    node, end = 2, 0
    new_starts[0] = new_starts[1] = new_starts[2] = 0
    for count in range(last + 1):
        images[0, count] = 0
        images[1, count] = 1 if count >= low else 0
    for above in range(2, starts.shape[0] - 1):
        for count in range(last + 1):
            top = end
            for j in range(starts[above], starts[above + 1]):
                after = count
                if options[j] >= 0 and marked[options[j]] != 0:
                    after += 1
                    if after > last:
                        if not more:
                            continue
                        after = last
                child = images[children[j], after]
                if child != 0:
                    new_options[top] = options[j]
                    new_children[top] = child
                    top += 1
            if top == end:
                images[above, count] = 0
            elif top == end + 1 and new_options[end] < 0:
                images[above, count] = new_children[end]
            else:
                slot = scrambled_branches(new_options, new_children, end, top) & mask
                while slots[slot] >= 0 and not same_branches(
                    new_options, new_children, new_starts[slots[slot]], new_starts[slots[slot] + 1], end, top
                ):
                    slot = (slot + np.uint64(1)) & mask
                if slots[slot] < 0:
                    slots[slot] = node
                    node += 1
                    end = top
                    new_starts[node] = end
                images[above, count] = slots[slot]
    return node


@jit
def trim(starts: Longs, options: Ints, children: Ints, root: int, images: Ints) -> int:
    """Remove, in place, the nodes that the root does not reach. Return the number of nodes left.

    ``images`` (int32, all 0, one per node) receives the new numbers of the nodes. Their order stays the same.
    """
    images[root] = 1
    for node in range(root, 1, -1):
        if images[node] != 0:
            for j in range(starts[node], starts[node + 1]):
                images[children[j]] = 1
    images[0], images[1] = 0, 1
    left, end = 2, 0
    for node in range(2, starts.shape[0] - 1):
        if images[node] != 0:
            first, last = starts[node], starts[node + 1]
            for j in range(first, last):
                options[end] = options[j]
                children[end] = images[children[j]]
                end += 1
            images[node] = left
            left += 1
            starts[left] = end
    return left


def restricted(
    starts: Longs, options: Ints, children: Ints, root: int, marked: npt.NDArray[np.uint8], low: int, high: int | None
) -> tuple[Longs, Ints, Ints, int]:
    """Return the diagram of the covers with at least ``low`` and at most ``high`` (None: no limit) marked options.

    ``marked`` (uint8) has one entry per option, 1 for a marked one. The covers keep their order.
    """
    last = low if high is None else high
    nodes, size = len(starts) - 1, len(options)
    images = np.zeros((nodes, last + 1), dtype=np.int32)
    slots = np.full(1 << int(2 * nodes * (last + 1)).bit_length(), -1, dtype=np.int32)
    # A node is written before it is compared with the others, so there must be room for one more.
    room = (last + 1) * size + int(np.diff(starts).max(initial=0))
    new = Branches(
        np.zeros(nodes * (last + 1) + 2, dtype=np.int64), np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32)
    )
    left = restrict(Branches(starts, options, children), marked, low, last, high is None, images, slots, new)
    return trimmed(new.starts[: left + 1], new.options, new.children, int(images[root, 0]))


def trimmed(starts: Longs, options: Ints, children: Ints, root: int) -> tuple[Longs, Ints, Ints, int]:
    """Return a diagram without the nodes that the root does not reach. This overwrites the given arrays."""
    images = np.zeros(len(starts) - 1, dtype=np.int32)
    left = trim(starts, options, children, root, images)
    end = int(starts[left])
    return starts[: left + 1].copy(), options[:end].copy(), children[:end].copy(), int(images[root])


def ways(starts: Longs, children: Ints) -> list[int]:
    """Return the exact number of covers of each node."""
    numbers = [0, 1]
    ends, below = starts.tolist(), children.tolist()
    for node in range(2, len(ends) - 1):
        numbers.append(sum([numbers[child] for child in below[ends[node] : ends[node + 1]]]))
    return numbers
