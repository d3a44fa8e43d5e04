"""The symmetries of any exact cover, geometry or none: the automorphisms of its items and options.

An automorphism is a permutation of the items, primary ones to primary ones with the same bounds and secondary ones to
secondary ones, together with a permutation of the options that keeps which option has which item. Colours of a
secondary item may change places, each item's on their own: two options that agree in it must agree after, two that
do not must not. So a cover becomes a cover.

Items that have the same options are taken together, first to first, so that two elements of the group never do the
same to all options. Equal options change places like everything else.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.symmetry import GraphGroup, graph_group
from puzzlec.lower.covering import Encoding
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetry_group import MOST_NUMBERS as LARGEST
from puzzlec.lower.symmetry_group import Symmetry

#: So many visits of edges the search may always make, and so many for each edge: some seconds.
WORK, WORK_FOR_EACH = 5_000_000, 50


class TooManyAutomorphismsError(GroupTooLargeError):
    """The group has too many elements for a list of them, or is too hard to find.

    ``order`` is their number, or, where ``exact`` is False, one that is reached at least.
    """

    def __init__(self, order: int, exact: bool, options: int) -> None:
        if exact or order > LARGEST // options:
            number = large_number(order) if exact else f"at least {large_number(order)}"
            told = f"a group of {number} automorphisms of {options} options is too large to be listed"
        else:
            told = f"the automorphisms of these {options} options are too hard to find"
        ValueError.__init__(self, told)
        self.order, self.exact, self.options = order, exact, options


def automorphisms(encoding: Encoding) -> Symmetry:
    """Return the group of all automorphisms of a problem, the identity first.

    Raises TooManyAutomorphismsError where its elements, times the options, are more than :data:`LARGEST`.
    """
    return cover_automorphisms(encoding.cover)


def cover_automorphisms(cover: ExactCover, largest: int = LARGEST) -> Symmetry:
    """Return the automorphisms of an exact cover; see :func:`automorphisms`."""
    graph = _Graph(cover)
    group = graph_group(graph.beside, graph.colours, WORK + WORK_FOR_EACH * len(cover.items))
    order = group.order * math.prod(math.factorial(len(each)) for each in graph.equal_options)
    if not group.complete or order * max(1, len(cover)) > largest:
        raise TooManyAutomorphismsError(order, group.complete, len(cover))
    items = cover.primary + cover.secondary
    elements = [array("i", range(items + len(cover)))]
    for takers in graph.transversals(group):
        getters = [itemgetter(*each) for each in elements]
        elements = [array("i", get(taker)) for taker in takers for get in getters]
    return Symmetry(
        tuple(array("i", [image - items for image in each[items:]]) for each in elements),
        tuple(each[:items] for each in elements),
    )


class _Graph:
    """The graph of an exact cover: items, the colours of each, options; what is equal stands as one vertex.

    ``items`` and ``equal_options`` are the classes of items and of options that are equal, the vertices of the graph:
    items first, then options, then colours.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.number = cover.primary + cover.secondary
        columns = _columns(cover)
        self.items = _classes([tuple(column.items()) for column in columns])
        rows: list[list[tuple[int, int]]] = [[] for _ in range(len(cover))]
        for number, members in enumerate(self.items):
            for option, block in columns[members[0]].items():
                rows[option].append((number, block))
        self.equal_options = _classes([tuple(row) for row in rows])
        self._join(rows)
        bounds = [_bounds(cover, item) for item in range(self.number)]
        labels: list[tuple[object, ...]] = [
            *[(0, tuple(sorted(bounds[item] for item in members))) for members in self.items],
            *[(1, len(members)) for members in self.equal_options],
        ]
        labels += [(2,)] * (len(self.beside) - len(labels))
        rank = {label: index for index, label in enumerate(sorted(set(labels)))}
        self.colours = [rank[label] for label in labels]
        # Equal items of different kinds go in an order of kinds, so that each comes to one of its own.
        for members in self.items:
            members.sort(key=lambda item: (bounds[item], item))

    def _join(self, rows: list[list[tuple[int, int]]]) -> None:
        """Make the edges: an option has an item, or a colour that several options give it, and that has the item."""
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
        """Give lists of permutations of items and options; all products of one of each are the group."""
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
            yield [self._lifted(takers[point], last) for point in sorted(takers, key=lambda each: takers[each])]

    def _lifted(self, image: list[int], last: int) -> list[int]:
        """Return what a permutation of vertices does to items and options: of equal ones, first to first."""
        lifted = [0] * last
        classes = [*self.items, *[[self.number + option for option in members] for members in self.equal_options]]
        for vertex, members in enumerate(classes):
            for one, two in zip(members, classes[image[vertex]], strict=True):
                lifted[one] = two
        return lifted


def _bounds(cover: ExactCover, item: int) -> tuple[int, int]:
    """Return the bounds of an item; those of a secondary one are none."""
    return (cover.low[item], cover.high[item]) if item < cover.primary else (-1, -1)


def _columns(cover: ExactCover) -> list[dict[int, int]]:
    """Return for each item its options, ascending, with their colours numbered as they come.

    A colour that only one option has says no more than none: -1.
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
    """Return the numbers of equal things, class by class as they come."""
    found: dict[object, list[int]] = {}
    for number, key in enumerate(keys):
        found.setdefault(key, []).append(number)
    return list(found.values())


def large_number(number: int) -> str:
    """Return a number as a person can read it: rounded where it has many digits.

    >>> large_number(5760), large_number(10**40)
    ('5760', 'about 1.0e+40')
    """
    if number < 10**15:
        return str(number)
    exponent = math.log10(number)
    return f"about {10 ** (exponent % 1):.1f}e+{int(exponent)}"
