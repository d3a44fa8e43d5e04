"""The arrays of an exact cover, and operations on all of them at once in plain Python.

:mod:`puzzlec.engine.problem_numpy` has the same functions for large problems. Its docstrings name the differences.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import accumulate, pairwise
from typing import NamedTuple


@cache
def has_numpy() -> bool:
    """Return whether numpy is installed, without importing it. A browser handles large problems without numpy."""
    return find_spec("numpy") is not None


class Arrays(NamedTuple):
    """The fields of :class:`puzzlec.engine.problem.ExactCover` that kernels are made from."""

    primary: int
    low: array[int]
    high: array[int]
    secondary: int
    starts: array[int]
    items: array[int]
    colours: array[int]


class OptionFault(NamedTuple):
    """An error in an option: ``text`` says what is wrong, with ``{item}`` for the name of an item."""

    option: int
    text: str
    item: int = 0


def range_fault(arrays: Arrays) -> OptionFault | None:
    """Return the first item or colour that is out of range, or None."""
    total, items, colours = arrays.primary + arrays.secondary, arrays.items, arrays.colours
    if items and not (min(items) >= 0 and max(items) < total):
        entry = next(entry for entry, item in enumerate(items) if not 0 <= item < total)
        option = bisect_right(arrays.starts, entry) - 1
        return OptionFault(
            option, f"has the item {items[entry]}, which is out of range: there are {total}, numbered from 0"
        )
    if colours and min(colours) < 0:
        entry = next(entry for entry, colour in enumerate(colours) if colour < 0)
        return OptionFault(
            bisect_right(arrays.starts, entry) - 1, f"has the colour {colours[entry]}, and colours begin at 1"
        )
    return None


def option_fault(arrays: Arrays) -> OptionFault | None:
    """Return the first option without a primary item, with an item twice, or with a colour on a primary item."""
    primary, starts, items = arrays.primary, arrays.starts, arrays.items
    for option in range(len(starts) - 1):
        if starts[option] > starts[option + 1]:
            return OptionFault(option, "ends before it begins")
        row = items[starts[option] : starts[option + 1]]
        if len(set(row)) != len(row):
            return OptionFault(option, "has the item {item} twice", next(item for item in row if row.count(item) > 1))
        if not any(item < primary for item in row):
            return OptionFault(option, "has no primary item")
    if any(arrays.colours):
        for entry, colour in enumerate(arrays.colours):
            if colour and items[entry] < primary:
                option = bisect_right(starts, entry) - 1
                return OptionFault(option, "gives the primary item {item} a colour", items[entry])
    return None


def options_of_items(arrays: Arrays, some: Collection[int] | None = None) -> list[Sequence[int]]:
    """Return for each item the options that have it, ascending; with ``some``, only for these items."""
    options_of = [array("i") for _ in range(arrays.primary + arrays.secondary)]
    items = None if some is None else set(some)
    for option in range(len(arrays.starts) - 1):
        for item in arrays.items[arrays.starts[option] : arrays.starts[option + 1]]:
            if items is None or item in items:
                options_of[item].append(option)
    return [*options_of]


def subset(arrays: Arrays, options: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours of some options."""
    starts, items, colours = array("i", [0]), array("i"), array("i")
    for option in options:
        first, last = arrays.starts[option], arrays.starts[option + 1]
        items.extend(arrays.items[first:last])
        colours.extend(arrays.colours[first:last])
        starts.append(len(items))
    return starts, items, colours


def with_items(arrays: Arrays, items: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
    """Return starts, items and colours with these items only, renumbered."""
    number = {item: index for index, item in enumerate(items)}
    starts, entries, colours = array("i", [0]), array("i"), array("i")
    for option in range(len(arrays.starts) - 1):
        for entry in range(arrays.starts[option], arrays.starts[option + 1]):
            item = arrays.items[entry]
            if item in number:
                entries.append(number[item])
                colours.append(arrays.colours[entry])
        starts.append(len(entries))
    return starts, entries, colours


def alike(arrays: Arrays) -> Sequence[int]:
    """Return, ascending, the options that may have the same entries as another one. This version returns all."""
    return range(len(arrays.starts) - 1)


def width(arrays: Arrays) -> int:
    """Return the maximum number of items half done at a time; see :func:`puzzlec.engine.search.count_tasks.width`."""
    primary, total = arrays.primary, arrays.primary + arrays.secondary
    sizes = Counter(arrays.items)
    usual = 4 * sorted(sizes[item] for item in range(primary))[primary // 2]
    turn = [total] * total
    for place, item in enumerate(sorted(range(primary), key=lambda item: sizes[item] > usual)):
        turn[item] = place
    begin, end = [total] * total, [*turn[:primary], *[-1] * arrays.secondary]
    for start, stop in pairwise(arrays.starts):
        items = arrays.items[start:stop]
        first = min(map(turn.__getitem__, items))
        for item in items:
            if first < begin[item]:
                begin[item] = first
            if item >= primary and first > end[item]:
                end[item] = first
    change = [0] * (total + 1)
    for item in range(total):
        once = item >= primary or arrays.low[item] == arrays.high[item] == 1
        if once and begin[item] < end[item]:
            change[begin[item]] += 1
            change[end[item]] -= 1
    return max(accumulate(change))
