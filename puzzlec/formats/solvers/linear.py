"""An exact cover as linear constraints over 0/1 variables, item by item: what OPB, LP, MPS, MiniZinc and SMT-LIB share.

Variable ``v`` of 1 .. number of options says whether option ``v - 1`` is chosen. Those behind are auxiliary: one
for each colour that several options give to an item, true just where one of these options is chosen. So the
solutions of the constraints are the covers, one to one.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.engine import problem as limits
from puzzlec.engine.problem import ExactCover

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: Of a large problem, so many entries are brought into the order of the items at a time.
_ENTRIES = 1 << 20


class Uses(NamedTuple):
    """The options that have an item: their ``variables``, ascending, and the colours that they give it.

    ``colours`` is empty where none of them gives it a colour, else as long as ``variables`` (0: no colour).
    """

    item: int
    variables: array[int]
    colours: array[int]


class Constraint(NamedTuple):
    """The number of true variables in ``plus`` less that in ``minus`` is ``low`` .. ``high`` (None: no such bound).

    It is there for ``item``. ``colour`` is 0 where it says how often the item is used; else it is one of those that
    define the auxiliary variable of this colour of the item. Where an item must be covered and no option has it,
    both ``plus`` and ``minus`` are empty, and ``low`` is 1 or more. At least one bound is not None, none is idle.
    """

    item: int
    colour: int
    plus: array[int]
    minus: array[int]
    low: int | None
    high: int | None


class Auxiliary(NamedTuple):
    """A variable that is true just where a chosen option gives the item this colour."""

    variable: int
    item: int
    colour: int


def constraints(cover: ExactCover) -> Iterator[Constraint]:
    """Give the constraints of all items, in their order; the same cover gives the same ones.

    >>> cover = ExactCover.from_rows([[0], [0, (1, 2)], [0, (1, 2)], [0, (1, 3)]], primary=1, secondary=1)
    >>> for each in constraints(cover):
    ...     print(each.item, each.colour, *map(list, each[2:4]), *each[4:])
    0 0 [1, 2, 3, 4] [] 1 1
    1 0 [4, 5] [] None 1
    1 2 [2, 3] [5] 0 None
    1 2 [5] [2] 0 None
    1 2 [5] [3] 0 None
    """
    none = array("i")
    behind = len(cover)
    for item, variables, colours in uses_of_items(cover):
        number = len(variables)
        if item < cover.primary:
            low, high = cover.low[item], cover.high[item]
            if low or high < number:
                yield Constraint(item, 0, variables, none, low or None, high if high < number else None)
            continue
        alone, classes = groups(variables, colours)
        if len(alone) + len(classes) < 2:
            continue
        several = [(colour, members) for colour, members in classes if len(members) > 1]
        once = alone + array("i", sorted(members[0] for _, members in classes if len(members) == 1))
        once.extend(range(behind + 1, behind + len(several) + 1))
        yield Constraint(item, 0, once, none, None, 1)
        for colour, members in several:
            behind += 1
            own = array("i", [behind])
            yield Constraint(item, colour, members, own, 0, None)
            for variable in members:
                yield Constraint(item, colour, own, array("i", [variable]), 0, None)


def auxiliaries(cover: ExactCover) -> Iterator[Auxiliary]:
    """Give the auxiliary variables of :func:`constraints`, whose numbers follow those of the options."""
    behind = len(cover)
    if not any(cover.colours):
        return
    for item, variables, colours in uses_of_items(cover):
        alone, classes = groups(variables, colours)
        if item < cover.primary or len(alone) + len(classes) < 2:
            continue
        for colour, members in classes:
            if len(members) > 1:
                behind += 1
                yield Auxiliary(behind, item, colour)


def uses_of_items(cover: ExactCover) -> Iterator[Uses]:
    """Give the uses of each item, in the order of the items; of a large problem, no more than a part is kept."""
    if len(cover.items) >= limits.LARGE:
        yield from _uses_in_numpy(cover)
        return
    variables = [array("i") for _ in range(cover.primary + cover.secondary)]
    colours = [array("i") for _ in variables]
    for option in range(len(cover)):
        for item, colour in cover.entries(option):
            variables[item].append(option + 1)
            colours[item].append(colour)
    for item, own in enumerate(colours):
        yield Uses(item, variables[item], own if any(own) else array("i"))


def groups(variables: array[int], colours: array[int]) -> tuple[array[int], list[tuple[int, array[int]]]]:
    """Return the variables of the options without a colour, and for each colour, ascending, those of its options.

    Of an item at most one option without a colour may be chosen, and nothing else with it; or options of one colour.
    """
    if not colours:
        return variables, []
    found: dict[int, array[int]] = {colour: array("i") for colour in sorted(Counter(colours))}
    for variable, colour in zip(variables, colours, strict=True):
        found[colour].append(variable)
    alone = found.pop(0, array("i"))
    return alone, list(found.items())


def _uses_in_numpy(cover: ExactCover) -> Iterator[Uses]:
    """Give the uses of each item of a large problem, sorted some items at a time."""
    import numpy as np

    from puzzlec.engine.problem_numpy import view

    items, starts, colours = view(cover.items), view(cover.starts), view(cover.colours)
    total = cover.primary + cover.secondary
    painted = bool(colours.any())
    parts = range(0, len(items), _ENTRIES)
    uses = np.zeros(total, np.int64)
    for part in parts:
        uses += np.bincount(items[part : part + _ENTRIES], minlength=total)
    ends = np.cumsum(uses)
    first, before = 0, 0
    while first < total:
        last = max(first + 1, int(np.searchsorted(ends, before + _ENTRIES, "right")))
        found = [np.zeros(0, np.int64)]
        for part in parts:
            those = items[part : part + _ENTRIES]
            found.append(np.flatnonzero((those >= first) & (those < last)) + part)
        entries = np.concatenate(found)
        entries = entries[np.argsort(items[entries], kind="stable")]
        variables = np.searchsorted(starts, entries, "right").astype(np.int32)
        shades = colours[entries] if painted else None
        begin = 0
        for item in range(first, last):
            end = int(ends[item]) - before
            own = None if shades is None else shades[begin:end]
            yield Uses(item, _array(variables[begin:end]), _array(own if own is not None and own.any() else None))
            begin = end
        first, before = last, int(ends[last - 1])


def _array(numbers: npt.NDArray[np.int32] | None) -> array[int]:
    """Return numbers of numpy as an array of the standard library, whose elements are plain integers."""
    found = array("i")
    if numbers is not None:
        found.frombytes(numbers.tobytes())
    return found
