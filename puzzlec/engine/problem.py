"""The third stage: an exact cover problem as integer arrays, in the terms of TAOCP 7.2.2.1.

The problem is XCC (secondary items may carry colours) or MCC (primary items with bounds). An exact cover in the
narrow sense has neither.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, islice, product
from operator import le
from typing import TYPE_CHECKING, Any, Protocol

from puzzlec.engine import arrays as plain
from puzzlec.engine.arrays import Arrays, OptionFault

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlec.engine.naming import Bound, Entry

#: Problems with this many entries are handled in numpy, whose import takes as long as these entries take in Python.
MIN_ENTRIES_OF_NUMPY = 100_000

#: From this many entries on, they use numpy if this process has imported it.
MIN_ENTRIES_IF_LOADED = 1000

#: Rows that become arrays together. Those of a large problem may come one by one, and need no memory at the same time.
ROWS_AT_ONCE = 1 << 14


class Operations(Protocol):
    """Operations on all arrays of a problem at once: in plain Python or in numpy, with the same results."""

    def range_fault(self, arrays: Arrays) -> OptionFault | None:
        """Return an item or colour that is out of range."""

    def option_fault(self, arrays: Arrays) -> OptionFault | None:
        """Return an error in one of the options."""

    def options_of_items(self, arrays: Arrays, some: Collection[int] | None = None) -> list[Sequence[int]]:
        """Return for each item the options that have it; with ``some``, only for these items."""

    def subset(self, arrays: Arrays, options: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
        """Return starts, items and colours of some options."""

    def with_items(self, arrays: Arrays, items: Sequence[int]) -> tuple[array[int], array[int], array[int]]:
        """Return starts, items and colours with these items only, renumbered."""

    def alike(self, arrays: Arrays) -> Sequence[int]:
        """Return the options that may have the same entries as another one."""

    def width(self, arrays: Arrays) -> int:
        """Return the maximum number of items half done at a time. Every option must have a primary item."""


def operations(arrays: Arrays) -> Operations:
    """Return the module for these arrays."""
    least = MIN_ENTRIES_IF_LOADED if "numpy" in sys.modules else MIN_ENTRIES_OF_NUMPY
    if len(arrays.items) < least or not plain.has_numpy():
        return plain
    from puzzlec.engine import problem_numpy

    return problem_numpy


#: The greatest sum of the absolute costs of all options: sums of costs then fit into 64 bits.
MAX_TOTAL_COST = (1 << 62) - 1

#: Maximum number of items. More would not fit into memory.
MAX_ITEMS = 1 << 28


def _bounds(
    primary: int, bounds: Sequence[tuple[int, int]] | Mapping[int, Bound] | None
) -> tuple[array[int], array[int]]:
    """Return the bounds of all primary items as arrays. Raise ValueError for invalid bounds."""
    low, high = array("i", [1]) * primary, array("i", [1]) * primary
    if bounds is None:
        return low, high
    from puzzlec.engine import naming

    if not isinstance(bounds, Mapping):
        if len(bounds) != primary:
            raise ValueError(f"`bounds` must have a pair for each of the {primary} primary items, not {len(bounds)}")
        bounds = dict(enumerate(bounds))
    for item, bound in bounds.items():
        if not hasattr(item, "__index__") or not 0 <= item < primary:
            raise ValueError(f"unexpected bounds for {item!r}, which is not a primary item")
        low[item], high[item] = naming.pair(bound, f"item {item}")
    return low, high


def _number_of_items(number: Any, what: str) -> int:
    """Return a number of items as an integer, also one of numpy. Raise ValueError if it is not possible."""
    if not hasattr(number, "__index__"):
        raise ValueError(f"`{what}` must be the number of {what} items, not {number!r}")
    count: int = number.__index__()
    if not 0 <= count <= MAX_ITEMS:
        raise ValueError(f"`{what}` must be from 0 to {MAX_ITEMS} items, not {count}")
    return count


def _extend_quickly(starts: array[int], items: array[int], colours: array[int], rows: list[Any]) -> bool:
    """Add some options. Return false, and add nothing, if one has no length or a wrong entry.

    Functions of C on lists are much faster than one option after the other.
    """
    try:
        ends = array("i", list(accumulate(map(len, rows), initial=len(items))))
        entries = list(chain.from_iterable(rows))
        try:
            numbers, painted = array("i", entries), array("i", [0]) * len(entries)
        except TypeError:  # some have colours
            pairs = [entry if isinstance(entry, tuple) else (entry, 0) for entry in entries]
            numbers, painted = array("i", [item for item, _ in pairs]), array("i", [colour for _, colour in pairs])
    except (TypeError, ValueError, OverflowError):
        return False
    starts.extend(ends[1:])
    items.extend(numbers)
    colours.extend(painted)
    return True


def _extend(items: array[int], colours: array[int], row: Iterable[int | tuple[int, int]], option: int) -> None:
    """Add the entries of an option. Raise ValueError if one is not the number of an item."""
    try:
        entries = tuple(row)
    except TypeError:
        raise ValueError(f"option {option} is {row!r}, not a list of items") from None
    for entry in entries:
        try:
            item, colour = entry if isinstance(entry, tuple) else (entry, 0)
            items.append(item)
            colours.append(colour)
        except (TypeError, ValueError, OverflowError):
            if isinstance(entry, tuple):
                raise ValueError(
                    f"option {option} has {entry!r}: expected the numbers of an item and a colour"
                ) from None
            given: object = entry
            names = ": `from_sets` and `from_names` accept names" if isinstance(given, str) else ""
            raise ValueError(f"option {option} has {entry!r}, which is not an item number{names}") from None


@dataclass(frozen=True, repr=False)
class ExactCover:
    """An exact cover: items 0 .. ``primary`` - 1 are primary, the others secondary; options are rows of items.

    All arrays contain int32. Do not change them: the hash would change. ``low`` and ``high`` are the bounds of each
    primary item. ``starts`` has one entry more than there are options: option ``o`` has the entries
    ``starts[o] .. starts[o + 1] - 1`` of ``items`` and ``colours``. Colour 0 means no colour. If options of a cover
    share a secondary item, all of them give it the same colour, from 1 up.

    ``item_names``, ``option_names``, ``colour_names`` and ``title`` may be empty. They are remarks and are not
    compared. The name of colour ``c`` is at ``c - 1``.

    ``costs`` has the cost of each option (int64), or is empty if options have no costs. The cost of a cover is the sum
    over its options.
    """

    primary: int
    low: array[int]
    high: array[int]
    secondary: int
    starts: array[int]
    items: array[int]
    colours: array[int]
    item_names: tuple[str, ...] = field(default=(), compare=False)
    option_names: tuple[str, ...] = field(default=(), compare=False)
    colour_names: tuple[str, ...] = field(default=(), compare=False)
    title: str = field(default="", compare=False)
    costs: array[int] = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        self._verify_arrays()

    def __hash__(self) -> int:
        """Return a hash of the numbers. Equal covers have equal hashes; names and the title do not count."""
        arrays = (self.low, self.high, self.starts, self.items, self.colours, self.costs)
        return hash((self.primary, self.secondary, *[array.tobytes() for array in arrays]))

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[int | tuple[int, int]]],
        primary: int,
        secondary: int = 0,
        bounds: Sequence[tuple[int, int]] | Mapping[int, Bound] | None = None,
        item_names: Sequence[str] = (),
        option_names: Sequence[str] = (),
        colour_names: Sequence[str] = (),
    ) -> ExactCover:
        """Return the problem with these options. An entry is an item, or a pair (secondary item, colour).

        >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
        >>> len(cover), cover.row(1)
        (5, (0, 1))
        """
        primary, secondary = _number_of_items(primary, "primary"), _number_of_items(secondary, "secondary")
        low, high = _bounds(primary, bounds)
        starts, items, colours = array("i", [0]), array("i"), array("i")
        left = iter(rows)
        while some := list(islice(left, ROWS_AT_ONCE)):
            if not _extend_quickly(starts, items, colours, some):
                for row in some:
                    _extend(items, colours, row, len(starts) - 1)
                    starts.append(len(items))
        cover = cls(
            primary,
            low,
            high,
            secondary,
            starts,
            items,
            colours,
            tuple(item_names),
            tuple(option_names),
            tuple(colour_names),
        )
        cover._verify_options()
        return cover

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[Any, Collection[Hashable]] | Iterable[Collection[Hashable]],
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        bounds: Mapping[Any, Bound] | None = None,
    ) -> ExactCover:
        """Return the problem whose options are sets of things. A mapping gives the options names.

        All things except the ``secondary`` ones are primary items, in the order of their first appearance; the members
        of a Python set are sorted first. ``primary`` names the primary items instead: use it if some item is in no
        option. Bounds other than 1 are pairs (low, high), or one number for both. Names are the ``str`` of the things.

        >>> cover = ExactCover.from_sets({"Q": {"a"}, "R": {"a", "b"}, "S": {"c"}, "T": ["c", "d"], "P": "bd"})
        >>> cover.names([0, 2, 4]), cover.item_names
        (('Q', 'S', 'P'), ('a', 'b', 'c', 'd'))
        """
        from puzzlec.engine import naming

        return cls.from_rows(*naming.rows_of_sets(sets, primary, secondary, bounds or {}))

    @classmethod
    def from_names(
        cls,
        primary: Iterable[str],
        options: Mapping[Any, Iterable[Entry]] | Iterable[Iterable[Entry]],
        secondary: Iterable[str] = (),
        bounds: Mapping[str, Bound] | None = None,
    ) -> ExactCover:
        """Return the problem with these items and options. Secondary items may have a colour.

        An entry of an option is the name of an item, ``"item:colour"``, or the pair (item, colour). If a
        whole text such as ``"a:b"`` is the name of an item, it means that item.

        >>> cover = ExactCover.from_names(
        ...     ["p", "q"], {"a": ["p", "x:red"], "b": ["q", ("x", "red")], "c": ["q", "x:blue"]}, ["x"]
        ... )
        >>> cover.entries(2)
        [(1, 0), (2, 2)]
        """
        from puzzlec.engine import naming

        return cls.from_rows(*naming.rows_of_names(primary, secondary, options, bounds or {}))

    @classmethod
    def from_matrix(
        cls,
        matrix: npt.NDArray[Any] | Iterable[Iterable[Any]],
        secondary: Iterable[int] = (),
        bounds: Sequence[tuple[int, int]] | None = None,
        item_names: Sequence[str] = (),
        option_names: Sequence[str] = (),
    ) -> ExactCover:
        """Return the problem of a matrix of 0 and 1, whose rows are options and whose columns are items.

        The matrix is a numpy array or a list of lists. ``secondary`` are numbers of columns; these items follow the
        others. ``bounds`` are those of the primary columns in their order. ``item_names`` are the names of the
        columns. [default: their numbers]

        >>> cover = ExactCover.from_matrix([[1, 1, 0], [0, 1, 1]], secondary=[0])
        >>> cover.primary, cover.item_names, cover.row(0)
        (2, ('1', '2', '0'), (0, 2))
        """
        from puzzlec.engine import naming

        secondary = list(secondary)
        if hasattr(matrix, "tocsr"):
            return cls.from_scipy(matrix, secondary, bounds, item_names, option_names)
        if hasattr(matrix, "shape"):
            from puzzlec.engine import problem_numpy as vectors

            ones = vectors.ones_of_array(matrix)
            return cls._from_ones(*ones, matrix.shape[1], secondary, bounds, item_names, option_names)
        rows = naming.rows_of_matrix(matrix, secondary, bounds, item_names, option_names)
        return cls.from_rows(*rows)

    @classmethod
    def from_scipy(
        cls,
        matrix: Any,
        secondary: Iterable[int] = (),
        bounds: Sequence[tuple[int, int]] | None = None,
        item_names: Sequence[str] = (),
        option_names: Sequence[str] = (),
    ) -> ExactCover:
        """Return the problem of a sparse matrix of scipy. The other arguments are those of :meth:`from_matrix`.

        The matrix may be any object with ``shape`` and ``tocsr()``, whose result has ``indptr``, ``indices``, ``data``.

        Raises:
            ValueError: If it has other numbers than 0 and 1, or is not an exact cover.

        """
        from puzzlec.engine import problem_numpy as vectors

        ones = vectors.ones_of_sparse(matrix)
        return cls._from_ones(*ones, matrix.shape[1], list(secondary), bounds, item_names, option_names)

    @classmethod
    def perfect_matchings(cls, graph: Any) -> ExactCover:
        """Return the problem of the perfect matchings of a graph: an option for each edge, an item for each node.

        The graph is one of networkx, or any object with ``nodes`` and ``edges()``. The name of an option is the pair of
        nodes as text. Several edges between two nodes, or edges in both directions, are one edge.

        >>> from types import SimpleNamespace
        >>> square = SimpleNamespace(nodes="abcd", edges=lambda: ["ab", "bc", "cd", "da"])
        >>> cover = ExactCover.perfect_matchings(square)
        >>> cover.names([0, 2])
        ("('a', 'b')", "('c', 'd')")

        Raises:
            ValueError: If a node has an edge to itself.

        """
        from puzzlec.engine import naming

        nodes, edges = naming.nodes_and_edges(graph)
        return cls.from_sets({edge: edge for edge in edges}, nodes)

    @classmethod
    def colourings(cls, graph: Any, colours: int) -> ExactCover:
        """Return the problem of the colourings of a graph, in which adjacent nodes have different colours.

        The graph is one of networkx, as for :meth:`perfect_matchings`. The option ``(node, colour)`` colours a node;
        the colours are 1 to ``colours``.

        >>> from types import SimpleNamespace
        >>> path = SimpleNamespace(nodes="ab", edges=lambda: ["ab"])
        >>> ExactCover.colourings(path, 2).option_names
        ("('a', 1)", "('a', 2)", "('b', 1)", "('b', 2)")

        Raises:
            ValueError: If a node has an edge to itself.

        """
        from puzzlec.engine import naming

        nodes, edges = naming.nodes_and_edges(graph)
        options: dict[Any, list[Hashable]] = {
            (node, colour): [node] for node in nodes for colour in range(1, colours + 1)
        }
        for edge in edges:
            for node, colour in product(edge, range(1, colours + 1)):
                options[node, colour].append((edge, colour))
        return cls.from_sets(options, nodes, product(edges, range(1, colours + 1)))

    @classmethod
    def from_arrays(
        cls,
        starts: Any,
        items: Any,
        colours: Any = None,
        *,
        primary: int,
        secondary: int = 0,
        bounds: Sequence[tuple[int, int]] | None = None,
        item_names: Sequence[str] = (),
        option_names: Sequence[str] = (),
        colour_names: Sequence[str] = (),
    ) -> ExactCover:
        """Return the problem with these arrays as its fields. Any sequences of integers will do, such as numpy arrays.

        Option ``o`` has the items ``items[starts[o]]`` to ``items[starts[o + 1] - 1]``, so ``starts`` has one number
        more than there are options. All numbers are verified. Millions of options take a few seconds at most.

        >>> ExactCover.from_arrays([0, 2, 3, 4], [0, 1, 0, 1], primary=2)
        <ExactCover: 2 primary and 0 secondary items, 3 options, 4 entries>
        """
        from puzzlec.engine import problem_numpy as vectors

        entries = vectors.integers(items, "items")
        primary, secondary = _number_of_items(primary, "primary"), _number_of_items(secondary, "secondary")
        low, high = _bounds(primary, bounds)
        cover = cls(
            primary,
            low,
            high,
            secondary,
            vectors.integers(starts, "starts"),
            entries,
            array("i", [0]) * len(entries) if colours is None else vectors.integers(colours, "colours"),
            tuple(item_names),
            tuple(option_names),
            tuple(colour_names),
        )
        cover._verify_options()
        return cover

    @classmethod
    def _from_ones(
        cls,
        starts: npt.NDArray[Any],
        ones: npt.NDArray[Any],
        columns: int,
        secondary: Iterable[int],
        bounds: Sequence[tuple[int, int]] | None,
        item_names: Sequence[str],
        option_names: Sequence[str],
    ) -> ExactCover:
        """Return the problem of a matrix, given by the columns of the ones in each row."""
        from puzzlec.engine import naming
        from puzzlec.engine import problem_numpy as vectors

        number, names = naming.items_of_columns(columns, secondary, item_names)
        others = len(set(secondary))
        bounds = None if bounds is None else naming.pairs_of_columns(bounds)
        return cls.from_arrays(
            starts,
            vectors.renumbered(starts, ones, number),
            primary=columns - others,
            secondary=others,
            bounds=bounds,
            item_names=names,
            option_names=option_names,
        )

    def _refuse(self, fault: OptionFault | None) -> None:
        """Raise ValueError for an error in an option."""
        if fault is not None:
            text = fault.text.format(item=self.item_name(fault.item)) if "{" in fault.text else fault.text
            raise ValueError(f"option {self.option_name(fault.option)} {text}")

    def _verify_arrays(self) -> None:
        """Check the arrays as a whole, which is cheap."""
        if self.primary < 0 or self.secondary < 0:
            raise ValueError("the number of items is negative")
        if not len(self.low) == len(self.high) == self.primary:
            raise ValueError("each primary item needs its bounds")
        if min(self.low, default=0) < 0 or not all(map(le, self.low, self.high)):
            from puzzlec.engine import naming

            for item, bounds in enumerate(zip(self.low, self.high, strict=True)):
                naming.pair(bounds, f"item {self.item_name(item)}")
        if not len(self.starts) or self.starts[0] != 0 or self.starts[-1] != len(self.items):
            raise ValueError("`starts` must begin with 0 and end with the number of entries in `items`")
        if len(self.colours) != len(self.items):
            raise ValueError("each entry of an option needs a colour, or 0 for none")
        if self.costs and len(self.costs) != len(self):
            raise ValueError(f"expected {len(self)} costs, one for each option, found {len(self.costs)}")
        if self.costs and sum(map(abs, self.costs)) > MAX_TOTAL_COST:
            raise ValueError("the costs do not fit into 64 bits")
        self._refuse(operations(self.arrays).range_fault(self.arrays))

    def verify(self) -> None:
        """Check every option. Raise ValueError if the problem is not an exact cover."""
        self._verify_arrays()
        self._verify_options()

    def _verify_options(self) -> None:
        """Check every option, and the numbers of names."""
        if self.item_names and len(self.item_names) != self.primary + self.secondary:
            raise ValueError(f"expected {self.primary + self.secondary} names of items, found {len(self.item_names)}")
        if self.option_names and len(self.option_names) != len(self):
            raise ValueError(f"expected {len(self)} names of options, found {len(self.option_names)}")
        if self.colour_names and len(self.colour_names) < max(self.colours, default=0):
            raise ValueError(f"there are more colours than names of colours ({len(self.colour_names)})")
        self._refuse(operations(self.arrays).option_fault(self.arrays))

    @property
    def arrays(self) -> Arrays:
        """The fields that kernels are made from."""
        return Arrays(self.primary, self.low, self.high, self.secondary, self.starts, self.items, self.colours)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, option: int) -> tuple[int, ...]:
        """Return the items of an option. Raise IndexError if there is no such option."""
        if option < 0:
            raise IndexError(f"there is no option {option}: there are {len(self)}")
        return tuple(self.items[self.starts[option] : self.starts[option + 1]])

    def options_of_items(self, some: Collection[int] | None = None) -> list[Sequence[int]]:
        """Return for each item the options that have it, ascending (numpy arrays if the problem is large).

        With ``some``, the result has only the options of these items, and no options for the others.
        """
        return operations(self.arrays).options_of_items(self.arrays, some)

    def entries(self, option: int) -> list[tuple[int, int]]:
        """Return the items of an option with their colours. Raise IndexError if there is no such option."""
        if option < 0:
            raise IndexError(f"there is no option {option}: there are {len(self)}")
        first, last = self.starts[option], self.starts[option + 1]
        return list(zip(self.items[first:last], self.colours[first:last], strict=True))

    def item_name(self, item: int) -> str:
        """Return the name of an item, or its number if it has none."""
        return self.item_names[item] if self.item_names else str(item)

    def colour_name(self, colour: int) -> str:
        """Return the name of a colour, or its number if it has none."""
        return self.colour_names[colour - 1] if self.colour_names else str(colour)

    def option_name(self, option: int) -> str:
        """Return the name of an option, or its number if it has none. Raise IndexError if there is no such option."""
        if not 0 <= option < len(self):
            raise IndexError(f"unknown option {option}: there are {len(self)} options")
        return self.option_names[option] if self.option_names else str(option)

    def names(self, options: Iterable[int]) -> tuple[str, ...]:
        """Return the names of options, such as those of a cover, or their numbers if they have no names."""
        numbers = list(options)
        given: list[object] = [*numbers]
        for option in given:
            if isinstance(option, str):
                raise TypeError(f"expected the number of an option, not {option!r}")
        return tuple(map(self.option_name, numbers))

    def as_matrix(self) -> npt.NDArray[np.uint8]:
        """Return the options as rows of a matrix of 0 and 1 whose columns are the items (numpy, uint8).

        The matrix has no bounds. Raise ValueError if options have colours, which a matrix cannot store.
        """
        from puzzlec.engine import problem_numpy as vectors

        if any(self.colours):
            raise ValueError("the options have colours, which a matrix of 0 and 1 cannot store")
        return vectors.matrix(self.arrays)

    def with_costs(self, costs: Iterable[int]) -> ExactCover:
        """Return the same problem with a cost for each option. If ``costs`` is empty, options have no costs.

        >>> cover = ExactCover.from_rows([[0], [1], [0, 1]], primary=2).with_costs([3, 4, 5])
        >>> cover.cost([0, 1]), cover.cost([2])
        (7, 5)
        """
        try:
            return replace(self, costs=array("q", costs))
        except OverflowError:
            raise ValueError("the costs do not fit into 64 bits") from None

    def cost(self, options: Iterable[int | str]) -> int:
        """Return the sum of the costs of options, which are numbers or names: those of a cover from ``solve``."""
        numbers = [self._number(option) for option in options]
        return sum([self.costs[option] for option in numbers]) if self.costs else 0

    def _number(self, option: int | str) -> int:
        """Return the number of an option by its number or name. Raise ValueError if it is unknown."""
        from puzzlec.engine import naming

        return naming.number_of_option(option, len(self), self.option_names)

    def subset(self, options: Sequence[int]) -> ExactCover:
        """Return the problem with only these options. Option ``k`` of the result is ``options[k]`` of this problem.

        Raise IndexError if there is no such option.
        """
        for option in (min(options), max(options)) if len(options) else ():
            if not 0 <= option < len(self):
                raise IndexError(f"unknown option {option}: there are {len(self)} options")
        starts, items, colours = operations(self.arrays).subset(self.arrays, options)
        names = tuple([self.option_names[option] for option in options]) if self.option_names else ()
        return ExactCover(
            self.primary,
            self.low,
            self.high,
            self.secondary,
            starts,
            items,
            colours,
            self.item_names,
            names,
            self.colour_names,
            self.title,
            array("q", [self.costs[option] for option in options] if self.costs else ()),
        )

    def with_items(self, items: Sequence[int], primary: int, low: Sequence[int], high: Sequence[int]) -> ExactCover:
        """Return the problem with only these items, the first ``primary`` of them primary, with these bounds.

        Item ``k`` of the result is item ``items[k]`` of this problem. The caller must ensure that each option keeps a
        primary item, and that no item with a colour becomes primary.
        """
        starts, entries, colours = operations(self.arrays).with_items(self.arrays, items)
        names = tuple([self.item_names[item] for item in items]) if self.item_names else ()
        return ExactCover(
            primary,
            array("i", low),
            array("i", high),
            len(items) - primary,
            starts,
            entries,
            colours,
            names,
            self.option_names,
            self.colour_names,
            self.title,
            self.costs,
        )

    def __str__(self) -> str:
        return f"exact cover with {self._size()}"

    def __repr__(self) -> str:
        return f"<ExactCover: {self._size()}>"

    def _size(self) -> str:
        return (
            f"{self.primary} primary and {self.secondary} secondary items, "
            f"{len(self)} options, {len(self.items)} entries"
        )
