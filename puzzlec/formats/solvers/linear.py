"""An exact cover as linear constraints over 0/1 variables: the common part of OPB, LP, MPS, MiniZinc and SMT-LIB.

Variables are numbered from 1, options from 0: variable ``v`` is true if option ``v - 1`` is chosen. The variables after
these are auxiliary. There is one for each colour that several options give to an item; it is true exactly if one of
these options is chosen. So the solutions of the constraints are the covers, one to one.

The names of columns and rows suit every reader of LP and MPS files. They are ASCII letters, digits and ``_ . ~``, and
begin with a letter other than e. They have at most 100 characters, the limit of COIN-OR
(https://github.com/coin-or/CoinUtils, CoinLpIO.cpp); CPLEX and Gurobi allow 255. The part before the first ``_`` is
unique.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.engine import problem as limits
from puzzlec.engine.problem import ExactCover
from puzzlec.lower.labels import Labelled

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def filled(
    words: Iterable[str], width: int = 100, first: str = "", rest: str = "  ", behind: str = ""
) -> Iterator[str]:
    """Yield words in lines of at most ``width`` characters if each word is short enough; no newline is added.

    ``first`` and ``rest`` precede the first line and each other one, ``behind`` follows the last.

    >>> list(filled(["one", "two", "three"], 12, "say ", "..", "."))
    ['say one two', '..three.']
    """
    line: list[str] = []
    size, indent = len(first), first
    for word in words:
        size += len(word) + 1
        if size > width and line:
            yield indent + " ".join(line)
            line, indent = [], rest
            size = len(rest) + len(word) + 1
        line.append(word)
    yield indent + " ".join(line) + behind


def enclosed(words: Iterable[str], before: str = "", behind: str = "", between: str = "") -> Iterator[str]:
    """Yield words with one text before the first, another after the last, and a third between two words.

    >>> list(enclosed(["1", "2", "3"], "{", "}", ","))
    ['{1,', '2,', '3}']
    """
    held: str | None = None
    for word in words:
        if held is None:
            held = before + word
        else:
            yield held + between
            held = word
    yield (before if held is None else held) + behind


def in_one_line(text: str) -> str:
    """Return a text for a comment: without newlines and other control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


#: Entries of a large problem that are sorted by item at a time.
_ENTRIES_IN_PART = 1 << 20


class ItemUses(NamedTuple):
    """The options with an item: their ``variables`` in ascending order, and the colours that they give it.

    ``colours`` is empty if none of them gives it a colour, else as long as ``variables`` (0: no colour).
    """

    item: int
    variables: array[int]
    colours: array[int]


class Constraint(NamedTuple):
    """The number of true variables in ``plus`` minus that in ``minus`` is ``low`` .. ``high`` (None: no bound).

    It belongs to ``item``. ``colour`` is 0 for the uses of the item. Otherwise the constraint defines the auxiliary
    variable of this colour of the item. For an item that must be covered and has no option, both ``plus`` and ``minus``
    are empty, and ``low`` is 1 or more. At least one bound is not None, and each bound matters.
    """

    item: int
    colour: int
    plus: array[int]
    minus: array[int]
    low: int | None
    high: int | None


class Auxiliary(NamedTuple):
    """A variable that is true exactly if a chosen option gives the item this colour."""

    variable: int
    item: int
    colour: int


def constraints(cover: ExactCover) -> Iterator[Constraint]:
    """Yield the constraints of all items in order; the same cover gives the same ones.

    >>> cover = ExactCover.from_rows([[0], [0, (1, 2)], [0, (1, 2)], [0, (1, 3)]], primary=1, secondary=1)
    >>> for constraint in constraints(cover):
    ...     print(constraint.item, constraint.colour, *map(list, constraint[2:4]), *constraint[4:])
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
            mark = array("i", [behind])
            yield Constraint(item, colour, members, mark, 0, None)
            for variable in members:
                yield Constraint(item, colour, mark, array("i", [variable]), 0, None)


def auxiliaries(cover: ExactCover) -> Iterator[Auxiliary]:
    """Yield the auxiliary variables of :func:`constraints`, whose numbers follow those of the options."""
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


def uses_of_items(cover: ExactCover) -> Iterator[ItemUses]:
    """Yield the uses of each item in order; only a part of a large problem is in memory."""
    if len(cover.items) >= limits.MIN_ENTRIES_OF_NUMPY:
        yield from _uses_in_numpy(cover)
        return
    variables = [array("i") for _ in range(cover.primary + cover.secondary)]
    colours = [array("i") for _ in variables]
    for option in range(len(cover)):
        for item, colour in cover.entries(option):
            variables[item].append(option + 1)
            colours[item].append(colour)
    for item, shades in enumerate(colours):
        yield ItemUses(item, variables[item], shades if any(shades) else array("i"))


def groups(variables: array[int], colours: array[int]) -> tuple[array[int], list[tuple[int, array[int]]]]:
    """Return the variables of the options without a colour, and those of each colour, in ascending order.

    A cover chooses at most one option without a colour and nothing else of the item, or options of one colour.
    """
    if not colours:
        return variables, []
    by_colour: dict[int, array[int]] = {colour: array("i") for colour in sorted(Counter(colours))}
    for variable, colour in zip(variables, colours, strict=True):
        by_colour[colour].append(variable)
    alone = by_colour.pop(0, array("i"))
    return alone, list(by_colour.items())


def _uses_in_numpy(cover: ExactCover) -> Iterator[ItemUses]:
    """Yield the uses of each item of a large problem, sorted some items at a time."""
    import numpy as np

    from puzzlec.engine.problem_numpy import view

    items, starts, colours = view(cover.items), view(cover.starts), view(cover.colours)
    total = cover.primary + cover.secondary
    painted = bool(colours.any())
    parts = range(0, len(items), _ENTRIES_IN_PART)
    uses = np.zeros(total, np.int64)
    for part in parts:
        uses += np.bincount(items[part : part + _ENTRIES_IN_PART], minlength=total)
    ends = np.cumsum(uses)
    first, before = 0, 0
    while first < total:
        last = max(first + 1, int(np.searchsorted(ends, before + _ENTRIES_IN_PART, "right")))
        positions = [np.zeros(0, np.int64)]
        for part in parts:
            those = items[part : part + _ENTRIES_IN_PART]
            positions.append(np.flatnonzero((those >= first) & (those < last)) + part)
        entries = np.concatenate(positions)
        entries = entries[np.argsort(items[entries], kind="stable")]
        variables = np.searchsorted(starts, entries, "right").astype(np.int32)
        shades = colours[entries] if painted else None
        begin = 0
        for item in range(first, last):
            end = int(ends[item]) - before
            item_shades = None if shades is None else shades[begin:end]
            yield ItemUses(
                item,
                _array(variables[begin:end]),
                _array(item_shades if item_shades is not None and item_shades.any() else None),
            )
            begin = end
        first, before = last, int(ends[last - 1])


def _array(numbers: npt.NDArray[np.int32] | None) -> array[int]:
    """Return numbers of numpy as an array of the standard library, whose elements are plain integers."""
    copy = array("i")
    if numbers is not None:
        copy.frombytes(numbers.tobytes())
    return copy


#: Longest name.
MAX_NAME_CHARACTERS = 100

#: Longest part of the name of a colour in other names.
_MAX_COLOUR_CHARACTERS = 20

#: Maximum number of names that are cached: they take a few MB.
_MAX_NAMES_CACHED = 1 << 16

#: A column that is 0: the only one of a problem without options, because some readers need one.
ZERO_COLUMN = "y0"

_STRANGE = re.compile(r"[^A-Za-z0-9_.~]")


class Columns:
    """The names of the variables (by number) and of the rows of :func:`constraints`.

    A column is ``x12_F_0.0_1.0`` (option 12 with this meaning), or ``y70.red_0.0`` for the use of an item in the colour
    red; a row is ``c5_0.0``, item 5.
    """

    def __init__(self, what: Labelled) -> None:
        self._option = what.option
        self._options = len(what.cover)
        self._items = [_word(label) for label in what.items]
        self.auxiliary = list(auxiliaries(what.cover))
        self.colours = colour_words(what.cover, {entry.colour for entry in self.auxiliary})
        self.number = {(entry.item, entry.colour): entry.variable for entry in self.auxiliary}

        # The name of a variable. Rows of neighbouring locations share options, so the same names are soon needed again.
        self.name = lru_cache(_MAX_NAMES_CACHED)(self._name)

    def _name(self, variable: int) -> str:
        if variable <= self._options:
            return f"x{variable}_{_word(self._option(variable - 1))}"[:MAX_NAME_CHARACTERS]
        _, item, colour = self.auxiliary[variable - self._options - 1]
        return f"y{variable}.{self.colours[colour]}_{self._items[item]}"[:MAX_NAME_CHARACTERS]

    def every(self) -> Iterator[str]:
        """Yield the names of all columns in order."""
        return map(self._name, range(1, self._options + len(self.auxiliary) + 1))

    def row(self, row: Constraint, part: str = "") -> str:
        """Return the name of a row; ``part`` is a word for a constraint with two rows.

        The first row that defines a colour is named after the colour, and each other one after its option.
        """
        option = row.minus[0] if row.colour else 0
        return self.row_of(row.item, row.colour, option if option <= self._options else 0, part)

    def row_of(self, item: int, colour: int = 0, option: int = 0, part: str = "") -> str:
        """Return the name of the row of an item, of its use in a colour, or of that colour in one option."""
        shade = f".{self.colours[colour]}" if colour else ""
        number = f"c{item + 1}{shade}" + f".x{option}" * bool(option) + f".{part}" * bool(part)
        return f"{number}_{self._items[item]}"[:MAX_NAME_CHARACTERS]


def colour_words(cover: ExactCover, colours: Iterable[int]) -> dict[int, str]:
    """Return different words for some colours: short names of letters and digits are kept.

    Others, and duplicate ones, get the suffix ``~`` and their number.
    """
    words: dict[int, str] = {}
    seen: set[str] = set()
    for colour in sorted(colours):
        name = cover.colour_name(colour)
        word = re.sub("[^A-Za-z0-9]", "", name)[:_MAX_COLOUR_CHARACTERS]
        words[colour] = word if word and word == name and word not in seen else f"{word}~{colour}"
        seen.add(words[colour])
    return words


def _word(label: str) -> str:
    """Return a label as a part of a name."""
    return _STRANGE.sub("_", label.replace(" ", "_").replace(",", ".").replace("-", "~"))


class Use(NamedTuple):
    """An item is covered ``low`` to ``high`` times; ``high`` is None without a bound that matters.

    Each of ``alone``, variables of options, covers it once. So does each of ``shades``, variables that give a secondary
    item the same colour, however many of them are true.
    """

    item: int
    low: int
    high: int | None
    alone: Sequence[int]
    shades: Sequence[Sequence[int]] = ()


def uses(cover: ExactCover) -> Iterator[Use]:
    """Yield in order the use of each item that restricts the choice of options.

    >>> cover = ExactCover.from_rows([[0], [0, (1, 2)], [0, (1, 2)], [0, (1, 3)]], primary=1, secondary=1)
    >>> for use in uses(cover):
    ...     print(use.item, use.low, use.high, list(use.alone), list(map(list, use.shades)))
    0 1 1 [1, 2, 3, 4] []
    1 0 1 [4] [[2, 3]]
    """
    for item, variables, colours in uses_of_items(cover):
        alone, shades = groups(variables, colours)
        low, high = (cover.low[item], cover.high[item]) if item < cover.primary else (0, 1)
        # A colour of one option is like no colour.
        several = [members for _, members in shades if len(members) > 1]
        single = [members[0] for _, members in shades if len(members) == 1]
        kept = low == high or high < len(alone) + len(shades)
        if low or kept:
            yield Use(item, low, high if kept else None, sorted([*alone, *single]) if single else alone, several)
