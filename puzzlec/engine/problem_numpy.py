"""The functions of :mod:`puzzlec.engine.arrays` in numpy, for millions of options, and a few more.

It is imported only for large problems and for numpy arrays, since many commands do not need numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays, OptionFault

_Numbers = npt.NDArray[np.signedinteger]

#: Number of options that are checked at a time, so that their entries fit into a cache.
OPTIONS_AT_ONCE = 1 << 14

#: Number of entries that are counted at a time.
ENTRIES_AT_ONCE = 1 << 20


def view(numbers: array[int]) -> npt.NDArray[np.int32]:
    """Return an array of the standard library as one of numpy, without a copy."""
    return np.frombuffer(numbers, np.int32) if len(numbers) else np.zeros(0, np.int32)


def distinct(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the different numbers of an array, ascending.

    `numpy.unique` does the same, and its first call imports a third of numpy.

    >>> distinct(np.array([[3, 1], [1, 3]])).tolist(), distinct(np.array([])).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers, axis=None)
    different: npt.NDArray[Any] = ordered[np.concatenate((ordered[:1] == ordered[:1], ordered[1:] != ordered[:-1]))]
    return different


def integers(numbers: Any, what: str) -> array[int]:
    """Return a sequence of integers as an array of the standard library. Errors call the sequence ``what``."""
    given = np.asarray(numbers)
    if given.ndim != 1:
        raise ValueError(f"expected one dimension for {what}, found {given.ndim}")
    if given.dtype.kind not in "iu" and given.size:
        raise ValueError(f"{what} are not integers but of type {given.dtype}")
    limits = np.iinfo(np.int32)
    if given.size and not (limits.min <= given.min() and given.max() <= limits.max):
        raise ValueError(f"{what} do not fit into 32 bits")
    copy = array("i")
    copy.frombytes(np.ascontiguousarray(given, np.int32).view(np.uint8).data)
    return copy


def range_fault(arrays: Arrays) -> OptionFault | None:
    """Return the first option that ends before it begins, or an item or colour that is out of range, or None."""
    starts, items, colours = view(arrays.starts), view(arrays.items), view(arrays.colours)
    if np.any(starts[1:] < starts[:-1]):
        return OptionFault(int(np.argmax(starts[1:] < starts[:-1])), "ends before it begins")
    total = arrays.primary + arrays.secondary
    if len(items) and not 0 <= items.min() <= items.max() < total:
        option, entry = _first(starts, (items < 0) | (items >= total))
        return OptionFault(
            option, f"has the item {items[entry]}, which is out of range: there are {total}, numbered from 0"
        )
    if colours.min(initial=0) < 0:
        option, entry = _first(starts, colours < 0)
        return OptionFault(option, f"has the colour {colours[entry]}, and colours begin at 1")
    return None


def _first(starts: _Numbers, marked: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Return the option of the first marked entry, and the entry."""
    entry = int(np.argmax(marked))
    return int(np.searchsorted(starts, entry, "right")) - 1, entry


def option_fault(arrays: Arrays) -> OptionFault | None:
    """Return an option without a primary item, with an item twice, or with a colour on a primary item, or None.

    Options are checked a few thousand at a time, so the copies of their entries stay small.
    """
    starts, items, colours = view(arrays.starts), view(arrays.items), view(arrays.colours)
    for begin in range(0, len(starts) - 1, OPTIONS_AT_ONCE):
        part = starts[begin : begin + OPTIONS_AT_ONCE + 1]
        entries = slice(int(part[0]), int(part[-1]))
        fault = _fault_of_some(part - part[0], items[entries], colours[entries], arrays.primary)
        if fault is not None:
            return fault._replace(option=begin + fault.option)
    return None


def _fault_of_some(starts: _Numbers, items: _Numbers, colours: _Numbers, primary: int) -> OptionFault | None:
    """Return the first error in some options, or None. The options are numbered from 0."""
    lengths = np.diff(starts)
    is_primary = items < primary
    painted = is_primary & (colours != 0)
    if np.any(painted):
        option, entry = _first(starts, painted)
        return OptionFault(option, "gives the primary item {item} a colour", int(items[entry]))
    before = np.concatenate(([0], np.cumsum(is_primary)))
    without = before[starts[1:]] == before[starts[:-1]]
    if np.any(without):
        return OptionFault(int(np.argmax(without)), "has no primary item")
    # If the items of an option ascend, no item occurs twice. Most options are like this. The others are sorted first.
    first = np.zeros(len(items) + 1, np.bool_)
    first[starts] = True
    if np.any((items[1:] <= items[:-1]) & ~first[1:-1]):
        keys = np.repeat(np.arange(len(lengths), dtype=np.int64) << 32, lengths) | items
        keys.sort()
        twice = np.flatnonzero(keys[1:] == keys[:-1])
        if len(twice):
            option, item = divmod(int(keys[twice[0]]), 1 << 32)
            return OptionFault(option, "has the item {item} twice", item)
    return None


def subset(arrays: Arrays, options: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours of some options. A part of them is copied at a time, to save memory."""
    numbers = np.asarray(options, np.int64)
    starts, items, colours = view(arrays.starts), view(arrays.items), view(arrays.colours)
    lengths = np.diff(starts)[numbers]
    begins = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    pairs = np.empty((2, begins[-1]), np.int32)
    for begin in range(0, len(numbers), OPTIONS_AT_ONCE):
        some = slice(begin, begin + OPTIONS_AT_ONCE)
        entries = _entries(starts, numbers[some], lengths[some])
        part = slice(begins[begin], begins[begin] + len(entries))
        pairs[0, part], pairs[1, part] = items[entries], colours[entries]
    return integers(begins, "starts"), integers(pairs[0], "items"), integers(pairs[1], "colours")


def _entries(starts: _Numbers, options: _Numbers, lengths: _Numbers) -> _Numbers:
    """Return the numbers of the entries of some options, one option after the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shift = starts[options] - (ends - lengths)
    entries: _Numbers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(shift, lengths)
    return entries


def with_items(arrays: Arrays, items: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours with these items only, renumbered."""
    number = np.full(arrays.primary + arrays.secondary, -1, np.int32)
    number[np.asarray(items, np.int64)] = np.arange(len(items))
    numbers = number[view(arrays.items)]
    kept = numbers >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    return (
        integers(before[view(arrays.starts)], "starts"),
        integers(numbers[kept], "items"),
        integers(view(arrays.colours)[kept], "colours"),
    )


def options_of_items(arrays: Arrays, some: Collection[int] | None = None) -> list[Any]:
    """Return for each item the options that have it, ascending, as an array; with ``some``, only for these items.

    A part of the options is sorted at a time: a large array takes long to sort, and a signal waits for that.
    """
    starts, items, total = view(arrays.starts), view(arrays.items), arrays.primary + arrays.secondary
    mask = np.ones(total, np.bool_)
    if some is not None:
        mask[:] = False
        mask[list(some)] = True
    numbers = np.where(mask, _numbers(items, total), 0)
    ends = np.cumsum(numbers)
    free = ends - numbers  # the next free place of each item
    sorted_options = np.empty(ends[-1] if total else 0, np.int32)
    short = np.uint16 if total <= 1 << 16 else np.int32  # short integers are sorted faster
    for begin in range(0, len(starts) - 1, OPTIONS_AT_ONCE):
        part = starts[begin : begin + OPTIONS_AT_ONCE + 1]
        having = items[part[0] : part[-1]]
        options = np.repeat(np.arange(begin, begin + len(part) - 1, dtype=np.int32), np.diff(part))
        if some is not None:
            kept = mask[having]
            having, options = having[kept], options[kept]
        order = np.argsort(having.astype(short), kind="stable")
        counts = np.bincount(having, minlength=total)
        sorted_options[np.arange(len(having)) + np.repeat(free - (np.cumsum(counts) - counts), counts)] = options[order]
        free += counts
    return np.split(sorted_options, ends[:-1]) if total else []


def _numbers(items: _Numbers, total: int) -> npt.NDArray[np.int64]:
    """Return how often each item occurs, counted part by part to save memory and to let signals in."""
    counts = np.zeros(total, np.int64)
    for begin in range(0, len(items), ENTRIES_AT_ONCE):
        counts += np.bincount(items[begin : begin + ENTRIES_AT_ONCE], minlength=total)
    return counts


def width(arrays: Arrays) -> int:
    """Return the maximum number of items half done at a time; see :func:`puzzlec.engine.search.count_tasks.width`."""
    primary, total = arrays.primary, arrays.primary + arrays.secondary
    items = view(arrays.items)
    sizes = _numbers(items, total)[:primary]
    turn = np.full(total, total, np.int32)
    turn[np.argsort(sizes > 4 * np.sort(sizes)[primary // 2], kind="stable")] = np.arange(primary)
    starts = view(arrays.starts)
    begin, end = np.full(total, total, np.int32), np.append(turn[:primary], np.full(arrays.secondary, -1, np.int32))
    for number in range(0, len(starts) - 1, OPTIONS_AT_ONCE):
        part = starts[number : number + OPTIONS_AT_ONCE + 1]
        some = items[part[0] : part[-1]]
        first = np.repeat(np.minimum.reduceat(turn[some], part[:-1] - part[0]), np.diff(part))
        np.minimum.at(begin, some, first)
        by_last = some >= primary
        np.maximum.at(end, some[by_last], first[by_last])
    once = np.append((view(arrays.low) == 1) & (view(arrays.high) == 1), np.ones(arrays.secondary, np.bool_))
    half = once & (begin < end)
    change = np.bincount(begin[half], minlength=total + 1) - np.bincount(end[half], minlength=total + 1)
    return int(np.cumsum(change).max())


def alike(arrays: Arrays) -> list[int]:
    """Return, ascending, the options that may have the same entries as another one, by sums of random marks."""
    marks = np.random.default_rng(1).integers(0, 1 << 63, arrays.primary + arrays.secondary, np.uint64)
    shades = np.random.default_rng(2).integers(0, 1 << 63, int(view(arrays.colours).max(initial=0)) + 1, np.uint64) | 1
    sums = np.add.reduceat(marks[view(arrays.items)] * shades[view(arrays.colours)], view(arrays.starts)[:-1])
    _, inverse, times = np.unique(sums, return_inverse=True, return_counts=True)
    return [int(option) for option in np.flatnonzero(times[inverse] > 1)]


def matrix(arrays: Arrays) -> npt.NDArray[np.uint8]:
    """Return the options as rows of 0 and 1, with one column per item."""
    rows = np.zeros((len(arrays.starts) - 1, arrays.primary + arrays.secondary), np.uint8)
    if len(rows):
        rows[np.repeat(np.arange(len(arrays.starts) - 1), np.diff(view(arrays.starts))), view(arrays.items)] = 1
    return rows


def renumbered(starts: _Numbers, ones: _Numbers, number: Sequence[int]) -> _Numbers:
    """Return the items of the columns that contain ones, ascending in each row."""
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
        raise ValueError(f"expected 0 or 1 in row {row} and column {column}, found {given[row, column]}")
    rows, columns = np.nonzero(given)
    return np.searchsorted(rows, np.arange(len(given) + 1)), columns


def ones_of_sparse(given: Any) -> tuple[_Numbers, _Numbers]:
    """Return the starts and columns of the ones in a sparse matrix (any object with ``tocsr``)."""
    if not hasattr(given, "tocsr"):
        raise ValueError(f"a {type(given).__name__} is not a sparse matrix: use `from_matrix` instead")
    rows = given.tocsr()
    starts, columns, values = np.asarray(rows.indptr), np.asarray(rows.indices), np.asarray(rows.data)
    wrong = (values != 0) & (values != 1)
    if np.any(wrong):
        entry = int(np.argmax(wrong))
        row = int(np.searchsorted(starts, entry, "right")) - 1
        raise ValueError(f"expected 0 or 1 in row {row} and column {columns[entry]}, found {values[entry]}")
    kept = values != 0
    before = np.concatenate(([0], np.cumsum(kept)))
    return before[starts], columns[kept]
