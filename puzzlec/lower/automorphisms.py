"""Symmetries of an exact cover, with or without geometry: automorphisms of its items and options.

An automorphism permutes the items and the options, so that an option has an item exactly if its image has the image of
the item. Primary items go to primary items with the same bounds, secondary items to secondary ones. It may also permute
the colours of each secondary item: options that agree in it must agree afterwards, and options that differ must differ.
So the image of a cover is a cover.

Items with the same options move together, first to first, so two elements of the group never have the same effect on
all options. Equal options are permuted like all others.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING

from puzzlec.engine.problem import ExactCover
from puzzlec.shown import brief

if TYPE_CHECKING:
    from puzzlec.engine.symmetry import GraphGroup
from puzzlec.geometry import Matrix
from puzzlec.geometry.wrapping import Isometry
from puzzlec.lower.covering import Encoding
from puzzlec.lower.movements import GroupTooLargeError

#: Maximum number of integers in the list of a group, which has each element as a permutation of the options.
MAX_INTEGERS_OF_GROUP = 60_000_000


@dataclass(frozen=True)
class Symmetry:
    """A group of symmetries.

    Element ``k`` takes option ``o`` to ``options[k][o]`` and item ``i`` to ``items[k][i]`` (arrays of int32); the
    identity is element 0. ``movements`` are the isometries of the lattice with this effect. Automorphisms have none,
    and neither have symmetries that move parts of a board separately.

    >>> import puzzlec
    >>> group = puzzlec.solve("soma").group
    >>> len(group)
    48
    """

    def __repr__(self) -> str:
        return brief(self)

    options: tuple[array[int], ...]
    items: tuple[array[int], ...]
    movements: tuple[Isometry, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.options)

    @property
    def turns(self) -> tuple[Matrix, ...]:
        """Lattice matrices of the elements; empty if elements are not isometries."""
        return tuple(movement.turn for movement in self.movements)


#: Visits of edges that the search may always make, and visits for each edge: a few seconds.
EDGE_VISITS, VISITS_FOR_EACH_EDGE = 5_000_000, 50


class TooManyAutomorphismsError(GroupTooLargeError):
    """The group has too many elements to list, or is too hard to find.

    ``order`` is their number or, if ``exact`` is False, a lower bound.
    """

    def __init__(self, order: int, exact: bool, options: int) -> None:
        if exact or order > MAX_INTEGERS_OF_GROUP // options:
            number = large_number(order) if exact else f"at least {large_number(order)}"
            message = f"too many automorphisms to list: {number}, of {options} options"
        else:
            message = f"cannot find the automorphisms of {options} options: the search is too long"
        ValueError.__init__(self, message)
        self.order, self.exact, self.options = order, exact, options


def automorphisms(encoding: Encoding) -> Symmetry:
    """Return the group of all automorphisms of a problem, the identity first.

    Raises TooManyAutomorphismsError if elements times options exceed :data:`MAX_INTEGERS_OF_GROUP`.
    """
    return cover_automorphisms(encoding.cover)


def cover_automorphisms(cover: ExactCover, largest: int = MAX_INTEGERS_OF_GROUP) -> Symmetry:
    """Return the automorphisms of an exact cover; see :func:`automorphisms`."""
    from puzzlec.engine.symmetry import graph_group

    graph = _Graph(cover)
    group = graph_group(graph.beside, graph.colours, EDGE_VISITS + VISITS_FOR_EACH_EDGE * len(cover.items))
    order = group.order * math.prod(math.factorial(len(equal_option)) for equal_option in graph.equal_options)
    if not group.complete or order * max(1, len(cover)) > largest:
        raise TooManyAutomorphismsError(order, group.complete, len(cover))
    items = cover.primary + cover.secondary
    elements = [array("i", range(items + len(cover)))]
    for takers in graph.transversals(group):
        getters = [itemgetter(*element) for element in elements]
        elements = [array("i", get(taker)) for taker in takers for get in getters]
    return Symmetry(
        tuple(array("i", [image - items for image in element[items:]]) for element in elements),
        tuple(element[:items] for element in elements),
    )


class _Graph:
    """The graph of an exact cover: items, their colours, and options. Equal ones are one vertex.

    ``items`` and ``equal_options`` are the classes of equal items and options, the vertices of the graph: items first,
    then options, then colours.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.number = cover.primary + cover.secondary
        columns = _columns(cover)
        self.items = _classes([tuple(column.items()) for column in columns])
        rows: list[list[tuple[int, int]]] = [[] for _ in range(len(cover))]
        for number, members in enumerate(self.items):
            for option, block in columns[members[0]].items():
                rows[option].append((number, block))
        costs = cover.costs or [0] * len(cover)
        self.equal_options = _classes([(*row, (-1, cost)) for row, cost in zip(rows, costs, strict=True)])
        self._join(rows)
        bounds = [_bounds(cover, item) for item in range(self.number)]
        labels: list[tuple[object, ...]] = [
            *[(0, tuple(sorted(bounds[item] for item in members))) for members in self.items],
            *[(1, len(members), costs[members[0]]) for members in self.equal_options],
        ]
        labels += [(2,)] * (len(self.beside) - len(labels))
        rank = {label: index for index, label in enumerate(sorted(set(labels)))}
        self.colours = [rank[label] for label in labels]
        # Equal items of different kinds are ordered by kind, so that each goes to one of the same kind.
        for members in self.items:
            members.sort(key=lambda item: (bounds[item], item))

    def _join(self, rows: list[list[tuple[int, int]]]) -> None:
        """Add the edges: between an option and its item, or through a colour that several options give to the item."""
        self.beside: list[list[int]] = [[] for _ in range(len(self.items) + len(self.equal_options))]
        painted: dict[tuple[int, int], int] = {}
        for vertex, members in enumerate(self.equal_options, len(self.items)):
            for item, block in rows[members[0]]:
                other = item
                if block >= 0:
                    other = painted.setdefault((item, block), len(self.beside))
                    if other == len(self.beside):
                        self.beside.append([item])
                        self.beside[item].append(other)
                self.beside[vertex].append(other)
                self.beside[other].append(vertex)

    def transversals(self, group: GraphGroup) -> Iterator[list[list[int]]]:
        """Yield lists of permutations of items and options; the products of one of each are the group."""
        last = self.number + sum(map(len, self.equal_options))
        for members in self.equal_options:
            for place in range(1, len(members)):
                swaps = [list(range(last))]
                for other in members[:place]:
                    swap = list(range(last))
                    one, two = self.number + other, self.number + members[place]
                    swap[one], swap[two] = two, one
                    swaps.append(swap)
                yield swaps
        for takers in group.transversals():
            yield [self._lifted(takers[point], last) for point in sorted(takers, key=lambda point: takers[point])]

    def _lifted(self, image: list[int], last: int) -> list[int]:
        """Return the effect of a permutation of vertices on items and options; equal ones go first to first."""
        lifted = [0] * last
        classes = [*self.items, *[[self.number + option for option in members] for members in self.equal_options]]
        for vertex, members in enumerate(classes):
            for one, two in zip(members, classes[image[vertex]], strict=True):
                lifted[one] = two
        return lifted


def _bounds(cover: ExactCover, item: int) -> tuple[int, int]:
    """Return the bounds of an item; a secondary item has none."""
    return (cover.low[item], cover.high[item]) if item < cover.primary else (-1, -1)


def _columns(cover: ExactCover) -> list[dict[int, int]]:
    """Return for each item its options, ascending, with their colours numbered in order of appearance.

    A colour of a single option means the same as no colour: -1.
    """
    columns: list[dict[int, int]] = [{} for _ in range(cover.primary + cover.secondary)]
    for option in range(len(cover)):
        for item, colour in cover.entries(option):
            columns[item][option] = colour
    for column in columns:
        often = Counter(colour for colour in column.values() if colour)
        blocks: dict[int, int] = {}
        for option, colour in column.items():
            column[option] = blocks.setdefault(colour, len(blocks)) if often[colour] > 1 else -1
    return columns


def _classes(keys: Sequence[object]) -> list[list[int]]:
    """Return the numbers of equal entries, class by class in order of appearance."""
    members: dict[object, list[int]] = {}
    for number, key in enumerate(keys):
        members.setdefault(key, []).append(number)
    return list(members.values())


def large_number(number: int) -> str:
    """Return a number as text for a message: rounded if it has many digits.

    >>> large_number(5760), large_number(10**40)
    ('5760', 'about 1.0e+40')
    """
    if number < 10**15:
        return str(number)
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.1f}e+{int(exponent)}"
