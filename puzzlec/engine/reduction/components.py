"""The connected components of the item-option graph, as separate problems.

Two options are in one component if they share an item that can forbid something. An item that may take all its options
forbids nothing, and neither does a secondary item of a single option. The covers of the whole are the combinations of
covers of the components.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import jit
from puzzlec.engine.problem import ExactCover

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class IndependentParts:
    """The components of a problem, and the number of ``free`` options, which may be taken or left.

    If an item can never be covered often enough, ``covers`` is empty and ``possible`` is false.
    """

    covers: tuple[ExactCover, ...]
    free: int
    possible: bool


def parts(cover: ExactCover) -> IndependentParts:
    """Return the components of a problem. Items that forbid nothing are left out if each option keeps another item."""
    starts, items = _ints(cover.starts), _ints(cover.items)
    total = cover.primary + cover.secondary
    binds, possible = binding(cover.primary, total, _ints(cover.low), _ints(cover.high), items)
    if not possible:
        return IndependentParts((), 0, False)
    labels, number = labels_of(starts, items, binds)
    free = int(np.count_nonzero(labels < 0))
    needed = _needed(cover.primary, starts, items, binds)
    if number == 1 and free == 0 and bool(needed.all()):
        return IndependentParts((cover,), 0, True)
    ordered = np.argsort(labels, kind="stable")[free:]
    cuts = np.searchsorted(labels[ordered], np.arange(number + 1))
    return IndependentParts(
        tuple(_part(cover, ordered[cuts[k] : cuts[k + 1]], starts, items, needed) for k in range(number)), free, True
    )


@jit
def binding(primary: int, total: int, low: Ints, high: Ints, items: Ints) -> tuple[Flags, bool]:
    """Return which items can forbid or demand an option, and whether every item has as many as it demands."""
    counts = np.zeros(total, np.int32)
    for k in range(len(items)):
        counts[items[k]] += 1
    binds = np.zeros(total, np.bool_)
    possible = True
    for item in range(total):
        if item < primary:
            binds[item] = low[item] > 0 or high[item] < counts[item]
            possible = possible and counts[item] >= low[item]
        else:
            binds[item] = counts[item] > 1
    return binds, possible


@jit
def labels_of(starts: Ints, items: Ints, binds: Flags) -> tuple[Ints, int]:
    """Return the component of each option, numbered by their first options, and the number of components.

    Options that share a binding item are in one component. An option without any is in none (-1).
    """
    options = len(starts) - 1
    parent = np.arange(len(binds)).astype(np.int32)  # union-find of items, with path halving
    for option in range(options):
        root = -1
        for k in range(starts[option], starts[option + 1]):
            item = items[k]
            if not binds[item]:
                continue
            while parent[item] != item:
                parent[item] = parent[parent[item]]
                item = parent[item]
            if root >= 0 and item != root:
                parent[max(item, root)] = min(item, root)
            root = item if root < 0 else min(item, root)
    label = np.full(len(binds), -1, np.int32)
    labels = np.full(options, -1, np.int32)
    number = 0
    for option in range(options):
        for k in range(starts[option], starts[option + 1]):
            item = items[k]
            if binds[item]:
                while parent[item] != item:
                    item = parent[item]
                if label[item] < 0:
                    label[item] = number
                    number += 1
                labels[option] = label[item]
                break
    return labels, number


def _needed(primary: int, starts: Ints, items: Ints, binds: Flags) -> Flags:
    """Return which entries must stay: those of binding items, and primary items of options without any other."""
    options = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    held = np.zeros(len(starts) - 1, np.bool_)
    held[options[binds[items] & (items < primary)]] = True
    needed: Flags = binds[items] | (~held[options] & (items < primary))
    return needed


def _part(cover: ExactCover, options: npt.NDArray[np.int64], starts: Ints, items: Ints, needed: Flags) -> ExactCover:
    """Return the problem of some options, its items numbered in their order."""
    lengths = starts[options + 1] - starts[options]
    ends = np.cumsum(lengths)
    # The entries of the options, one after the other
    entries = np.repeat(starts[options] - (ends - lengths), lengths) + np.arange(ends[-1])
    stays = needed[entries]
    row = np.repeat(np.arange(len(options)), lengths)[stays]
    entries = entries[stays]
    kept, numbers = np.unique(items[entries], return_inverse=True)
    primary = kept[kept < cover.primary]
    begins = np.zeros(len(options) + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=len(options)), out=begins[1:])
    return ExactCover(
        len(primary),
        _array(_ints(cover.low)[primary]),
        _array(_ints(cover.high)[primary]),
        len(kept) - len(primary),
        _array(begins),
        _array(numbers),
        _array(_ints(cover.colours)[entries]),
    )


def _ints(numbers: array[int]) -> Ints:
    return np.asarray(numbers, dtype=np.int32)


def _array(numbers: npt.NDArray[np.generic]) -> array[int]:
    copy = array("i")
    copy.frombytes(numbers.astype(np.int32).tobytes())
    return copy
