"""What :class:`ExactCover` does for millions of options: the same as in plain Python, in numpy.

It is imported only where a problem is large, since many commands start without numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

_Numbers = npt.NDArray[np.signedinteger]


class Arrays(Protocol):
    """The arrays of an :class:`~puzzlec.engine.problem.ExactCover`, which this module does not import."""

    @property
    def primary(self) -> int:
        """Number of primary items."""

    @property
    def secondary(self) -> int:
        """Number of secondary items."""

    @property
    def low(self) -> array[int]:
        """Least number of options of each primary item, int32."""

    @property
    def high(self) -> array[int]:
        """Greatest number of options of each primary item, int32."""

    @property
    def starts(self) -> array[int]:
        """Where the entries of each option begin, and the number of all, int32."""

    @property
    def items(self) -> array[int]:
        """Item of each entry, int32."""

    @property
    def colours(self) -> array[int]:
        """Colour of each entry, 0 for none, int32."""

    def __len__(self) -> int:
        """Return the number of options."""

    def option_name(self, option: int) -> str:
        """Return the name of an option."""

    def item_name(self, item: int) -> str:
        """Return the name of an item."""


def view(numbers: array[int]) -> npt.NDArray[np.int32]:
    """Return an array of the standard library as one of numpy, without a copy."""
    return np.frombuffer(numbers, np.int32) if len(numbers) else np.zeros(0, np.int32)


def integers(numbers: Any, what: str) -> array[int]:
    """Return a sequence or array of integers as an array of the standard library; ``what`` it is, for errors."""
    given = np.asarray(numbers)
    if given.ndim != 1:
        raise ValueError(f"{what} have {given.ndim} dimensions, not one")
    if given.dtype.kind not in "iu" and given.size:
        raise ValueError(f"{what} are not integers but of type {given.dtype}")
    limits = np.iinfo(np.int32)
    if given.size and not (limits.min <= given.min() and given.max() <= limits.max):
        raise ValueError(f"{what} do not fit into 32 bits")
    found = array("i")
    found.frombytes(np.ascontiguousarray(given, np.int32).tobytes())
    return found


def verify_ranges(cover: Arrays) -> None:
    """Check that the options follow each other, and that items and colours are in range."""
    starts, items, colours = view(cover.starts), view(cover.items), view(cover.colours)
    if np.any(starts[1:] < starts[:-1]):
        raise ValueError(f"option {np.argmax(starts[1:] < starts[:-1])} ends before it begins")
    for wrong, what in (
        ((items < 0) | (items >= cover.primary + cover.secondary), "item"),
        (colours < 0, "colour"),
    ):
        if np.any(wrong):
            entry = int(np.argmax(wrong))
            option = int(np.searchsorted(starts, entry, "right")) - 1
            number = (items if what == "item" else colours)[entry]
            raise ValueError(f"option {cover.option_name(option)} has the {what} {number}, which is out of range")


def verify_options(cover: Arrays) -> None:
    """Check that each option has a primary item, none twice, and no colour on a primary one."""
    starts, items, colours = view(cover.starts), view(cover.items), view(cover.colours)
    lengths = np.diff(starts)
    own = items < cover.primary
    painted = own & (colours != 0)
    if np.any(painted):
        entry = int(np.argmax(painted))
        option = int(np.searchsorted(starts, entry, "right")) - 1
        raise ValueError(
            f"option {cover.option_name(option)} gives the primary item {cover.item_name(int(items[entry]))} a colour"
        )
    before = np.concatenate(([0], np.cumsum(own)))
    without = before[starts[1:]] == before[starts[:-1]]
    if np.any(without):
        raise ValueError(f"option {cover.option_name(int(np.argmax(without)))} has no primary item")
    # An option whose items ascend has none twice; most problems are written so. The others are sorted.
    first = np.zeros(len(items) + 1, np.bool_)
    first[starts] = True
    falls = np.flatnonzero((items[1:] <= items[:-1]) & ~first[1:-1])
    if len(falls):
        unsorted = np.zeros(len(cover), np.bool_)
        unsorted[np.searchsorted(starts, falls, "right") - 1] = True
        options = np.flatnonzero(unsorted)
        entries = _entries(starts, options, lengths[options])
        keys = np.repeat(options, lengths[options]) << 32 | items[entries]
        keys.sort(kind="stable")  # fast where most of it is in order already, as here
        twice = np.flatnonzero(keys[1:] == keys[:-1])
        if len(twice):
            option, item = divmod(int(keys[twice[0]]), 1 << 32)
            raise ValueError(f"option {cover.option_name(option)} has the item {cover.item_name(item)} twice")


def subset(cover: Arrays, options: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours of some options."""
    chosen = np.asarray(options, np.int64)
    starts = view(cover.starts)
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(cover):
        raise IndexError("there is no such option")
    lengths = np.diff(starts)[chosen]
    entries = _entries(starts, chosen, lengths)
    begins = np.concatenate(([0], np.cumsum(lengths)))
    return (
        integers(begins, "starts"),
        integers(view(cover.items)[entries], "items"),
        integers(view(cover.colours)[entries], "colours"),
    )


def _entries(starts: _Numbers, options: _Numbers, lengths: _Numbers) -> _Numbers:
    """Return the numbers of the entries of some options, one option after the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shift = starts[options] - (ends - lengths)
    entries: _Numbers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(shift, lengths)
    return entries


def with_items(cover: Arrays, items: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours with these items only, renumbered."""
    number = np.full(cover.primary + cover.secondary, -1, np.int32)
    number[np.asarray(items, np.int64)] = np.arange(len(items))
    found = number[view(cover.items)]
    kept = found >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    return (
        integers(before[view(cover.starts)], "starts"),
        integers(found[kept], "items"),
        integers(view(cover.colours)[kept], "colours"),
    )


def options_of_items(cover: Arrays) -> list[Any]:
    """Return for each item the options that have it, ascending, as an array."""
    items = view(cover.items)
    options = np.repeat(np.arange(len(cover), dtype=np.int32), np.diff(view(cover.starts)))
    order = np.argsort(items, kind="stable")
    ends = np.cumsum(np.bincount(items, minlength=cover.primary + cover.secondary))
    return np.split(options[order], ends[:-1])


def alike(cover: Arrays) -> list[int]:
    """Return the options, ascending, that may have the same entries as another one: the sums of marks agree."""
    marks = np.random.default_rng(1).integers(0, 1 << 63, cover.primary + cover.secondary, np.uint64)
    shades = np.random.default_rng(2).integers(0, 1 << 63, int(view(cover.colours).max(initial=0)) + 1, np.uint64) | 1
    sums = np.add.reduceat(marks[view(cover.items)] * shades[view(cover.colours)], view(cover.starts)[:-1])
    _, inverse, times = np.unique(sums, return_inverse=True, return_counts=True)
    return [int(option) for option in np.flatnonzero(times[inverse] > 1)]


def matrix(cover: Arrays) -> npt.NDArray[np.uint8]:
    """Return the options as rows of 0 and 1, a column an item."""
    found = np.zeros((len(cover), cover.primary + cover.secondary), np.uint8)
    if len(cover):
        found[np.repeat(np.arange(len(cover)), np.diff(view(cover.starts))), view(cover.items)] = 1
    return found


def renumbered(starts: _Numbers, ones: _Numbers, number: Sequence[int]) -> _Numbers:
    """Return the items of the columns of ones, ascending in each row."""
    items = np.asarray(number, np.int32)[ones] if len(ones) else np.zeros(0, np.int32)
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts).astype(np.int64))
    keys = rows << 32 | items
    keys.sort(kind="stable")
    return keys & 0xFFFFFFFF


def ones_of_array(given: Any) -> tuple[_Numbers, _Numbers]:
    """Return the starts and columns of the ones in a matrix of 0 and 1."""
    given = np.asarray(given)
    if given.ndim != 2:
        raise ValueError(f"the matrix has {given.ndim} dimensions, not two")
    wrong = (given != 0) & (given != 1)
    if np.any(wrong):
        row, column = map(int, np.argwhere(wrong)[0])
        raise ValueError(f"row {row} has {given[row, column]} in column {column}, neither 0 nor 1")
    rows, columns = np.nonzero(given)
    return np.searchsorted(rows, np.arange(len(given) + 1)), columns


def ones_of_sparse(given: Any) -> tuple[_Numbers, _Numbers]:
    """Return the starts and columns of the ones in a sparse matrix (anything that ``tocsr`` makes rows of)."""
    if not hasattr(given, "tocsr"):
        raise ValueError(f"a {type(given).__name__} is no sparse matrix: `from_matrix` takes others")
    rows = given.tocsr()
    starts, columns, values = np.asarray(rows.indptr), np.asarray(rows.indices), np.asarray(rows.data)
    wrong = (values != 0) & (values != 1)
    if np.any(wrong):
        entry = int(np.argmax(wrong))
        row = int(np.searchsorted(starts, entry, "right")) - 1
        raise ValueError(f"row {row} has {values[entry]} in column {columns[entry]}, neither 0 nor 1")
    kept = values != 0
    before = np.concatenate(([0], np.cumsum(kept)))
    return before[starts], columns[kept]
