"""Count distinct solutions without listing any, by Burnside's lemma.

The number of orbits of covers is the mean, over the group, of the number of covers that an element fixes. These are the
covers of a smaller problem. Its options are whole orbits of options under the element, taken together or not at all.
Its items are orbits of items. If a fixed cover obeys the rules of one item, it obeys those of all items in the orbit,
so one item represents each orbit.

An orbit of options may cover an item more than once. If the item has bounds 1..1, the orbit does not become an option.
If it has other bounds, this number is a *weight*. A secondary item may be covered more than once in one colour. Puzzles
with different pieces therefore lose nearly all options, and their counts for the elements are fast.

Elements that generate the same subgroup, or conjugate subgroups, fix equally many covers, so one of them is counted. W.
Burnside, Theory of Groups of Finite Order (1897), section 118.
"""

from __future__ import annotations

import math
import random
import time
from array import array
from collections import Counter
from dataclasses import dataclass, replace

from puzzlec.engine.limits import Limits
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.count_tasks import FrontierTooWideError
from puzzlec.engine.search.counting import Counted, count_covers
from puzzlec.engine.search.selection import KernelName, has_numba
from puzzlec.lower import Symmetry


@dataclass(frozen=True)
class Fixed:
    """The problem whose covers are those that an element of the group fixes.

    ``weights`` has for each entry of ``cover`` how often the option covers the item; None: once. ``orbits`` has for
    each option of ``cover`` the options that it takes together.
    """

    cover: ExactCover
    weights: array[int] | None
    orbits: tuple[list[int], ...] = ()


def count_distinct(
    cover: ExactCover,
    symmetry: Symmetry,
    limits: Limits | None = None,
    kernel: KernelName = "auto",
    number: int | None = None,
) -> Counted | None:
    """Return the number of orbits of covers under a group; None if the time limit is reached.

    ``limits`` and ``kernel`` are those of :func:`puzzlec.engine.search.counting.count_covers`. ``nodes``
    and ``states`` of the result are sums over all counts, ``method`` is that of the identity. ``number`` is the number
    of covers, if a frontier has counted them. Raises ValueError for a
    limit of solutions or nodes, and if the permutations are not a group of symmetries.
    """
    limits = limits or Limits()
    if limits.solutions is not None or limits.nodes is not None:
        raise ValueError("Burnside's lemma needs complete counts, without a limit of solutions or nodes")
    begun = time.monotonic()
    total = nodes = states = 0
    method = "python"
    # The identity comes last: it takes the longest.
    for element, times in reversed(_classes(symmetry)):
        left = limits
        if limits.seconds is not None:
            left = replace(limits, seconds=max(0.0, limits.seconds - (time.monotonic() - begun)))
        if number is not None and not element:
            counted = Counted(number, "frontier")
        else:
            same = fixed(cover, symmetry, element) if element else Fixed(cover, None)
            counted = _counted(same, left, kernel)
        if counted.stopped is not None:
            return None
        total += times * counted.number
        nodes, states, method = nodes + counted.nodes, states + counted.states, counted.method
    number, rest = divmod(total, len(symmetry))
    if rest:
        raise ValueError("the permutations are not a group of symmetries of this problem")
    return Counted(number, method, nodes, states, time.monotonic() - begun)


def _counted(same: Fixed, limits: Limits, kernel: KernelName) -> Counted:
    """Return the number of covers, with weights by a frontier if possible."""
    if same.weights is not None and kernel in ("auto", "frontier") and has_numba():
        try:
            return count_covers(same.cover, limits=limits, kernel="frontier", weights=same.weights)
        except FrontierTooWideError:
            if kernel == "frontier":
                raise
    return count_covers(unweighted(same), limits=limits, kernel=kernel)


def fixed(cover: ExactCover, symmetry: Symmetry, element: int) -> Fixed:
    """Return the problem whose covers are the covers that an element fixes."""
    first = [-1] * (cover.primary + cover.secondary)  # the first item of each orbit
    for orbit in _cycles(symmetry.items[element]):
        for item in orbit:
            first[item] = orbit[0]
    kept = [item for item, leader in enumerate(first) if item == leader]
    number = {item: index for index, item in enumerate(kept)}
    primary = sum(item < cover.primary for item in kept)
    starts, items, colours, weights = array("i", [0]), array("i"), array("i"), array("i")
    orbits = []
    for orbit in _cycles(symmetry.options[element]):
        entries = _together(cover, orbit, number)
        if entries is not None:
            for item, (colour, weight) in entries.items():
                items.append(number[item])
                colours.append(colour)
                weights.append(weight)
            starts.append(len(items))
            orbits.append(orbit)
    low = array("i", (cover.low[item] for item in kept[:primary]))
    high = array("i", (cover.high[item] for item in kept[:primary]))
    smaller = ExactCover(primary, low, high, len(kept) - primary, starts, items, colours)
    return Fixed(smaller, weights if any(weight > 1 for weight in weights) else None, tuple(orbits))


def unweighted(same: Fixed) -> ExactCover:
    """Return a problem without weights that has as many covers.

    An option that covers an item ``w`` times gets a new primary item, and ``w`` - 1 further options cover the item once
    each. Each further option also gets a new primary item. One more option means "not taken" and covers all these new
    items. So a cover has either this one, or the option and all its further options.
    """
    cover, weights = same.cover, same.weights
    if weights is None:
        return cover
    rows: list[list[tuple[int, int]]] = [list(cover.entries(option)) for option in range(len(cover))]
    further: list[list[tuple[int, int]]] = []
    shift = cover.primary + cover.secondary  # new primary items, numbered from here on at first
    for option, row in enumerate(rows):
        more = [
            item
            for k, (item, _) in enumerate(cover.entries(option))
            for _ in range(weights[cover.starts[option] + k] - 1)
        ]
        if more:
            leader = shift
            bound = range(leader + 1, leader + 1 + len(more))
            row.append((leader, 0))
            further.append([(leader, 0), *((item, 0) for item in bound)])
            further += [[(item, 0), (tie, 0)] for item, tie in zip(more, bound, strict=True)]
            shift += 1 + len(more)
    added = shift - cover.primary - cover.secondary

    def placed(item: int) -> int:
        """Return an item's number after the new primary items are moved before the secondary ones."""
        if item < cover.primary:
            return item
        return item + added if item < cover.primary + cover.secondary else item - cover.secondary

    bounds = [*zip(cover.low, cover.high, strict=True), *[(1, 1)] * added]
    moved = [[(placed(item), colour) for item, colour in row] for row in (*rows, *further)]
    return ExactCover.from_rows(moved, cover.primary + added, cover.secondary, bounds)


def _together(cover: ExactCover, orbit: list[int], leaders: dict[int, int]) -> dict[int, tuple[int, int]] | None:
    """Return the leading items that an orbit of options covers, with colours and weights; None if impossible."""
    entries: dict[int, tuple[int, int]] = {}
    for option in orbit:
        for item, colour in cover.entries(option):
            if item not in leaders:
                continue
            if item not in entries:
                entries[item] = (colour, 1)
            elif item < cover.primary:
                entries[item] = (0, entries[item][1] + 1)
            elif colour == 0 or entries[item][0] != colour:
                return None
    if any(item < cover.primary and weight > cover.high[item] for item, (_, weight) in entries.items()):
        return None
    return entries


def _cycles(permutation: array[int]) -> list[list[int]]:
    """Return the cycles of a permutation, each from its least number on, in the order of the least numbers."""
    seen = bytearray(len(permutation))
    cycles = []
    for begin in range(len(permutation)):
        if not seen[begin]:
            cycle = []
            at = begin
            while not seen[at]:
                seen[at] = 1
                cycle.append(at)
                at = permutation[at]
            cycles.append(cycle)
    return cycles


def _classes(symmetry: Symmetry) -> list[tuple[int, int]]:
    """Return an element of each class, and the size of the class. All elements of a class fix equally many covers.

    A class contains the elements that generate the same subgroup of the permutations of options, or a conjugate one.
    Conjugates by generators are found for every element, generators of the same subgroup for one of each class.
    """
    acting = _Acting(symmetry)
    elements = list(acting.element.values())
    generators = acting.generators()
    backwards = [[acting.options[generator].index(option) for option in acting.base] for generator in generators]
    label: dict[int, int] = {}  # for each element the first one of its class
    for element in elements:
        if element not in label:
            label[element] = element
            fresh = [element]
            for member in fresh:  # which grows
                for generator, back in zip(generators, backwards, strict=True):
                    image = acting.conjugate(member, generator, back)
                    if image not in label:
                        label[image] = element
                        fresh.append(image)
    sizes = Counter(label.values())
    joined: dict[int, int] = {}  # for each class the first one that has an element with the same subgroup
    classes: dict[int, int] = {}
    for first in sizes:
        powers = [first]
        while powers[-1] != 0:
            powers.append(acting.product(first, powers[-1]))
        order = len(powers)
        earlier = {label[powers[k - 1]] for k in range(1, order + 1) if math.gcd(k, order) == 1} & joined.keys()
        joined[first] = joined[min(earlier)] if earlier else first
        classes[joined[first]] = classes.get(joined[first], 0) + sizes[first]
    times = len(symmetry) // len(elements)
    return [(first, size * times) for first, size in classes.items()]


class _Acting:
    """A group of symmetries by its effect on options; elements with the same effect are one."""

    def __init__(self, symmetry: Symmetry) -> None:
        self.options, self.base = symmetry.options, _base(symmetry)
        self.element: dict[tuple[int, ...], int] = {}
        for number, options in enumerate(self.options):
            self.element.setdefault(tuple([options[option] for option in self.base]), number)

    def product(self, one: int, two: int) -> int:
        """Return the element that is ``two`` first, then ``one``."""
        after, before = self.options[one], self.options[two]
        return self.element[tuple([after[before[option]] for option in self.base])]

    def conjugate(self, element: int, by: int, back: list[int]) -> int:
        """Return the conjugate of an element ``by`` another; ``back`` is the inverse of ``by``."""
        after, images = self.options[by], self.options[element]
        return self.element[tuple([after[images[option]] for option in back])]

    def generators(self) -> list[int]:
        """Return a few generators: each at least doubles the subgroup of those before it.

        They are drawn at random with a fixed seed, since neighbours in the list share small subgroups.
        """
        basis: list[int] = []
        subgroup = dict.fromkeys([0])
        order = list(self.element.values())
        random.Random(0).shuffle(order)
        for element in order:
            if len(subgroup) == len(order):
                break
            if element not in subgroup:
                basis.append(element)
                fresh = list(subgroup)
                for member in fresh:  # which grows
                    for generator in basis:
                        image = self.product(generator, member)
                        if image not in subgroup:
                            subgroup[image] = None
                            fresh.append(image)
        return basis


def _base(symmetry: Symmetry) -> list[int]:
    """Return some options whose images distinguish all elements with different effects."""
    base: list[int] = []
    images: list[tuple[int, ...]] = [()] * len(symmetry)
    number = 1
    for option in range(len(symmetry.options[0])):
        if number == len(symmetry):
            break
        finer = [(*image, options[option]) for image, options in zip(images, symmetry.options, strict=True)]
        if len(set(finer)) > number:
            base.append(option)
            images, number = finer, len(set(finer))
    return base
