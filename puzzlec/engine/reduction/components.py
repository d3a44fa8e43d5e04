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

from puzzlec.engine.kernels.layers import binding, labels_of
from puzzlec.engine.problem import ExactCover

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Parts:
    """The components of a problem, and the number of ``free`` options, which may be taken or left.

    If an item can never be covered often enough, ``covers`` is empty and ``possible`` is false.
    """

    covers: tuple[ExactCover, ...]
    free: int
    possible: bool


def parts(cover: ExactCover) -> Parts:
    """Return the components of a problem. Items that forbid nothing are left out if each option keeps another item."""
    starts, items = _ints(cover.starts), _ints(cover.items)
    total = cover.primary + cover.secondary
    binds, possible = binding(cover.primary, total, _ints(cover.low), _ints(cover.high), items)
    if not possible:
        return Parts((), 0, False)
    labels, number = labels_of(starts, items, binds)
    free = int(np.count_nonzero(labels < 0))
    needed = _needed(cover.primary, starts, items, binds)
    if number == 1 and free == 0 and bool(needed.all()):
        return Parts((cover,), 0, True)
    ordered = np.argsort(labels, kind="stable")[free:]
    cuts = np.searchsorted(labels[ordered], np.arange(number + 1))
    return Parts(
        tuple(_part(cover, ordered[cuts[k] : cuts[k + 1]], starts, items, needed) for k in range(number)), free, True
    )


def _needed(primary: int, starts: Ints, items: Ints, binds: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which entries must stay: those of binding items, and primary items of options without any other."""
    options = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    held = np.zeros(len(starts) - 1, np.bool_)
    held[options[binds[items] & (items < primary)]] = True
    needed: npt.NDArray[np.bool_] = binds[items] | (~held[options] & (items < primary))
    return needed


def _part(
    cover: ExactCover, options: npt.NDArray[np.int64], starts: Ints, items: Ints, needed: npt.NDArray[np.bool_]
) -> ExactCover:
    """Return the problem of some options, its items numbered in their order."""
    lengths = starts[options + 1] - starts[options]
    ends = np.cumsum(lengths)
    # The entries of the options, one after the other
    entries = np.repeat(starts[options] - (ends - lengths), lengths) + np.arange(ends[-1])
    keep = needed[entries]
    row = np.repeat(np.arange(len(options)), lengths)[keep]
    entries = entries[keep]
    kept, numbers = np.unique(items[entries], return_inverse=True)
    own = kept[kept < cover.primary]
    begins = np.zeros(len(options) + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=len(options)), out=begins[1:])
    return ExactCover(
        len(own),
        _array(_ints(cover.low)[own]),
        _array(_ints(cover.high)[own]),
        len(kept) - len(own),
        _array(begins),
        _array(numbers),
        _array(_ints(cover.colours)[entries]),
    )


def _ints(numbers: array[int]) -> Ints:
    return np.asarray(numbers, dtype=np.int32)


def _array(numbers: npt.NDArray[np.generic]) -> array[int]:
    found = array("i")
    found.frombytes(numbers.astype(np.int32).tobytes())
    return found
