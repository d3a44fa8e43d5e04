"""Rows of an exact cover made from sets, from names, and from matrices of 0 and 1."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

_Item = TypeVar("_Item", bound=Hashable)

#: Maximum bound of an item: bounds are stored in 32 bits.
MAX_BOUND = (1 << 31) - 1

#: Minimum and maximum number of options of an item. A single number is used for both.
Bound: TypeAlias = tuple[int, int] | int

#: An item by its name. A secondary item with a colour is "name:colour" or the pair (name, colour).
Entry: TypeAlias = str | tuple[str, str]


class RowArguments(NamedTuple):
    """The arguments of :meth:`ExactCover.from_rows`."""

    rows: list[list[int | tuple[int, int]]]
    primary: int
    secondary: int
    bounds: list[tuple[int, int]]
    item_names: list[str]
    option_names: list[str]
    colour_names: tuple[str, ...] = ()


def rows_of_sets(
    sets: Mapping[Any, Collection[_Item]] | Iterable[Collection[_Item]],
    primary: Iterable[_Item] | None,
    secondary: Iterable[_Item],
    bounds: Mapping[_Item, Bound],
) -> RowArguments:
    """Return the rows for sets of items; see :meth:`ExactCover.from_sets`."""
    for what, given in (("sets", sets), ("primary", primary), ("secondary", secondary)):
        if isinstance(given, str):
            raise ValueError(f"expected a list for `{what}`, found the text {given!r}")
    names, given_options = _named(sets)
    options = [_members(names, index, option) for index, option in enumerate(given_options)]
    others = dict.fromkeys(secondary)
    if primary is None:
        items = dict.fromkeys(item for option in options for item in _ordered(option) if item not in others)
    else:
        items = dict.fromkeys(primary)
    number = _numbers(items, others)
    rows: list[list[int | tuple[int, int]]] = []
    for index, option in enumerate(options):
        for item in option:
            if item not in number:
                raise _unknown(names, index, item, number)
        rows.append([number[item] for item in _ordered(option)])
    return RowArguments(
        rows, len(items), len(others), _bounds(bounds, items), _texts([*items, *others]), list(map(str, names))
    )


def rows_of_names(
    primary: Iterable[str],
    secondary: Iterable[str],
    options: Mapping[Any, Iterable[Entry]] | Iterable[Iterable[Entry]],
    bounds: Mapping[str, Bound],
) -> RowArguments:
    """Return the rows for options of named items, with colours; see :meth:`ExactCover.from_names`."""
    first, second = dict.fromkeys(primary), dict.fromkeys(secondary)
    number = _numbers(first, second)
    names, entries = _named(options)
    colours: dict[str, int] = {}
    rows: list[list[int | tuple[int, int]]] = []
    for index, option in enumerate(entries):
        if isinstance(option, str):
            raise ValueError(f"option {_called(names, index)} must be a list of items, found the text {option!r}")
        row: list[int | tuple[int, int]] = []
        for entry in _ordered(_members(names, index, option)):
            try:
                name, colour = _split(entry, number)
            except ValueError:
                raise ValueError(f"option {_called(names, index)} has {entry!r}: expected (item, colour)") from None
            if name not in number:
                raise _unknown(names, index, name, number)
            if colour is None:
                row.append(number[name])
            elif name in first:
                raise ValueError(f"option {_called(names, index)} gives the primary item {name!r} a colour")
            else:
                row.append((number[name], colours.setdefault(colour, len(colours) + 1)))
        rows.append(row)
    items = _texts([*first, *second])
    return RowArguments(
        rows, len(first), len(second), _bounds(bounds, first), items, list(map(str, names)), tuple(colours)
    )


def nodes_and_edges(graph: Any) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Return the nodes of a graph of networkx, and each of its edges once, as a pair of nodes."""
    if not callable(getattr(graph, "edges", None)) or not hasattr(graph, "nodes"):
        raise TypeError(f"expected a graph with `nodes` and `edges()`, found {type(graph).__name__}")
    edges: dict[frozenset[Any], tuple[Any, Any]] = {}
    for one, other in graph.edges():
        if one == other:
            raise ValueError(f"node {one!r} has an edge to itself")
        edges.setdefault(frozenset((one, other)), (one, other))
    return list(graph.nodes), list(edges.values())


def rows_of_matrix(
    matrix: Iterable[Iterable[Any]],
    secondary: Iterable[int],
    bounds: Sequence[tuple[int, int]] | None,
    item_names: Sequence[str],
    option_names: Sequence[str],
) -> RowArguments:
    """Return the rows for a matrix of 0 and 1; see :meth:`ExactCover.from_matrix`."""
    lines = [list(line) for line in matrix]
    columns = len(lines[0]) if lines else len(item_names)
    number, names = items_of_columns(columns, secondary, item_names)
    rows: list[list[int | tuple[int, int]]] = []
    for index, line in enumerate(lines):
        if len(line) != columns:
            raise ValueError(f"row {index} has {len(line)} entries, but row 0 has {columns}")
        for column, value in enumerate(line):
            if value not in (0, 1):
                raise ValueError(f"expected 0 or 1 in row {index} and column {column}, found {value!r}")
        rows.append([*sorted(number[column] for column, value in enumerate(line) if value)])
    others = len(set(secondary))
    pairs = [(1, 1)] * (columns - others) if bounds is None else list(pairs_of_columns(bounds))
    return RowArguments(rows, columns - others, others, pairs, names, list(option_names))


def items_of_columns(columns: int, secondary: Iterable[int], names: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return the item of each column, and the names of the items. Primary items come first.

    >>> items_of_columns(3, [0], "ABC")
    ([2, 0, 1], ['B', 'C', 'A'])
    """
    others = sorted(set(secondary))
    for column in others:
        if not hasattr(column, "__index__"):
            raise ValueError(f"`secondary` has {column!r}, which is not the number of a column")
    if others and not 0 <= others[0] <= others[-1] < columns:
        raise ValueError(f"unknown secondary column {others[0] if others[0] < 0 else others[-1]}")
    if names and len(names) != columns:
        raise ValueError(f"expected {columns} names of columns, found {len(names)}")
    beside = set(others)
    number = [0] * columns
    order = [column for column in range(columns) if column not in beside] + others
    for item, column in enumerate(order):
        number[column] = item
    return number, [str(names[column] if names else column) for column in order]


def _named(options: Mapping[Any, Any] | Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Return the names of options (empty if they have none) and the options."""
    if isinstance(options, Mapping):
        return list(options), list(options.values())
    return [], list(options)


def _called(names: Sequence[Any], index: int) -> str:
    return repr(names[index]) if names else str(index)


def _members(names: Sequence[Any], index: int, option: Any) -> Collection[Any]:
    """Return the members of an option, which may be an iterator. Raise ValueError if it has none."""
    if isinstance(option, Collection):
        return option
    try:
        return list(option)
    except TypeError:
        raise ValueError(f"option {_called(names, index)} is {option!r}, not a list of items") from None


def suggestion(name: Any, names: Iterable[Any]) -> str:
    """Return the end of a message that suggests the known name most like an unknown one, or nothing.

    >>> suggestion("bta", ["alpha", "beta"]), suggestion("x", ["alpha", "beta"])
    (": did you mean 'beta'?", '')
    """
    if not isinstance(name, str):
        return ""
    similar = get_close_matches(name, [candidate for candidate in names if isinstance(candidate, str)], 1)
    return f": did you mean {similar[0]!r}?" if similar else ""


def _unknown(names: Sequence[Any], index: int, item: Any, items: Iterable[Any]) -> ValueError:
    """Return the error of an option with an item that is not among the known ones."""
    similar = suggestion(item, items)
    return ValueError(f"option {_called(names, index)} has the unknown item {item!r}{similar}")


def number_of_option(option: int | str, options: int, names: Sequence[str]) -> int:
    """Return the number of an option that is given by its number or name. Raise ValueError if it is unknown.

    >>> number_of_option("R", 2, ("Q", "R")), number_of_option(1, 2, ())
    (1, 1)
    """
    if isinstance(option, str):
        if option in names:
            return names.index(option)
        hint = suggestion(option, names) or f": the first is {names[0]!r}" if names else ": the options have no names"
        raise ValueError(f"unknown option {option!r}{hint}")
    if not 0 <= option < options:
        raise ValueError(f"unknown option {option}: options are numbered from 0 to {options - 1}")
    return option


def pair(bound: Any, item: str) -> tuple[int, int]:
    """Return the bounds of an item as a pair. Raise ValueError if they are wrong.

    >>> pair(2, "'a'"), pair((0, 3), "'a'")
    ((2, 2), (0, 3))
    """
    low, high = (bound, bound) if hasattr(bound, "__index__") else _two(bound)
    if not (hasattr(low, "__index__") and hasattr(high, "__index__")):
        raise ValueError(f"the bounds of {item} are {bound!r}: expected an integer, or a pair (low, high)")
    if high > MAX_BOUND:
        raise ValueError(f"the bounds of {item} are too large: {high} (limit {MAX_BOUND:,})")
    if not 0 <= low <= high:
        wrong = f"are negative: {low}" if low < 0 else f"run backwards: {low} to {high}"
        raise ValueError(f"the bounds of {item} {wrong}")
    return low, high


def _two(bound: Any) -> tuple[Any, Any]:
    """Return the parts of a pair, or two of None."""
    return (bound[0], bound[1]) if isinstance(bound, Sequence) and len(bound) == 2 else (None, None)


def pairs_of_columns(bounds: Any) -> Sequence[tuple[int, int]]:
    """Return the bounds of the primary columns of a matrix. Raise ValueError for a mapping, which names no columns."""
    if isinstance(bounds, Mapping):
        raise ValueError("`bounds` must be a list of pairs (low, high) here, one for each primary column")
    return cast("Sequence[tuple[int, int]]", bounds)


def _numbers(primary: Mapping[_Item, None], secondary: Mapping[_Item, None]) -> dict[_Item, int]:
    for item in secondary:
        if item in primary:
            raise ValueError(f"item {item!r} is both primary and secondary")
    return {item: index for index, item in enumerate([*primary, *secondary])}


def _bounds(bounds: Mapping[_Item, Bound], primary: Mapping[_Item, None]) -> list[tuple[int, int]]:
    if not isinstance(bounds, Mapping):
        raise ValueError("`bounds` must be a mapping here: from an item to (low, high)")
    for item in bounds:
        if item not in primary:
            similar = suggestion(item, primary)
            raise ValueError(f"unexpected bounds for {item!r}, which is not a primary item{similar}")
    pairs = {item: pair(bound, repr(item)) for item, bound in bounds.items()}
    return [pairs.get(item, (1, 1)) for item in primary]


def _ordered(option: Collection[_Item]) -> Iterator[_Item]:
    """Yield the members of an option in an order that is the same in every run. Sets are sorted."""
    if isinstance(option, (set, frozenset)):
        try:
            yield from sorted(option)
        except TypeError:
            yield from sorted(option, key=lambda item: (type(item).__name__, repr(item)))
    else:
        yield from option


def _texts(items: Sequence[Hashable]) -> list[str]:
    """Return the items as texts. If 1 and "1" are both items, the texts are their ``repr``."""
    names = list(map(str, items))
    return names if len(set(names)) == len(names) else list(map(repr, items))


def _split(entry: Entry, number: Mapping[str, int]) -> tuple[str, str | None]:
    """Return the item and the colour of an entry. The colour is None if the entry has none."""
    if isinstance(entry, tuple):
        item, colour = entry
        return item, str(colour)
    if entry in number or ":" not in entry:
        return entry, None
    name, _, text = entry.rpartition(":")
    return name, text
