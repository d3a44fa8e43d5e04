"""The covers of lowest or highest cost, in order, with a proof: the search is complete, or there is a bound."""

from __future__ import annotations

import time
from array import array
from bisect import insort
from collections.abc import Callable, Iterator
from itertools import combinations
from operator import add, attrgetter
from types import FunctionType
from typing import Any, NamedTuple

from puzzlec.engine.integers import integer
from puzzlec.engine.kernels import cheapest as kernel
from puzzlec.engine.kernels.jit import Compiled
from puzzlec.engine.limits import Limits, Stop, UnfinishedError
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.selection import has_numba

#: Entries that plain Python visits before numba takes over. The import of numba takes as long.
PYTHON_ENTRIES = 3_000_000

#: Nodes between two checks of the clock, in plain Python and compiled.
PYTHON_CHECK_NODES, COMPILED_CHECK_NODES = 64, 4096


class Exchange(NamedTuple):
    """Prices of the colours of a secondary ``item``. All options of two linked items give it a colour.

    The price of a colour is added to the cost of options of the item ``one``, and subtracted for those of the
    ``other``.
    """

    one: int
    other: int
    item: int
    prices: dict[int, int]


class Taxes(NamedTuple):
    """Net costs: the cost of a cover is at least ``base`` and the ``net`` costs of its options.

    The net cost of an option is its cost, with the ``exchanges`` of colours, minus the ``prices`` of its primary items.
    """

    base: int
    net: array[int]
    prices: list[int]
    exchanges: list[Exchange]


def taxes(cover: ExactCover, costs: array[int]) -> Taxes:
    """Return net costs that are not negative. Each item in turn takes the lowest net cost of its options as its tax."""
    net, base, prices = array("q", costs), 0, []
    for item, options in enumerate(cover.options_of_items()[: cover.primary]):
        payers = list(map(int, options))
        tax = min((net[option] for option in payers), default=0)
        prices.append(tax)
        base += tax * (cover.low[item] if tax > 0 else min(cover.high[item], len(payers)))
        for option in payers:
            net[option] -= tax
    return Taxes(base, net, prices, [])


#: For :func:`better_taxes`: the number of rounds, the most entries that all rounds visit, and the units of a cost.
TAX_ROUNDS, MAX_TAX_VISITS, UNITS_PER_COST = 800, 4_000_000, 1 << 10

#: Rounds without a greater bound before the step becomes shorter.
MAX_ROUNDS_WITHOUT_GREATER_BOUND = 8

#: Shares of items in the costs of their options.
Shares = dict[int, dict[int, int]]


class Link(NamedTuple):
    """Two items whose options all give a colour to the same secondary ``item``.

    A cover has one option of each, and both give the same colour. For each option, ``colours`` has its colour. For each
    colour that both give, ``sides`` has the options of each item.
    """

    items: tuple[int, int]
    item: int
    colours: dict[int, int]
    sides: dict[int, tuple[list[int], list[int]]]


def better_taxes(cover: ExactCover, costs: array[int], rounds: int) -> Taxes:
    """Return net costs by subgradient steps, if their base is greater than that of :func:`taxes`.

    The cost of an option is divided among its items that need exactly one option. The least shares of all items add up
    to a bound. If an option has the least share of some of its items only, a step moves cost to these items. If two
    linked items have their least shares at options of different colours, prices of these colours move cost between the
    items. These prices cancel out in every cover.

    References:
        M. Held, R. M. Karp, The traveling-salesman problem and minimum spanning trees: part II, Math. Programming 1.

    """
    options_of = cover.options_of_items()
    one = [item for item in range(cover.primary) if cover.low[item] == cover.high[item] == 1 and len(options_of[item])]
    inside = set(one)
    payers = [[item for item in cover.row(option) if item in inside] for option in range(len(cover))]
    share: Shares = {item: dict.fromkeys(map(int, options_of[item]), 0) for item in one}
    for option, items in enumerate(payers):
        for item in items:
            share[item][option] = costs[option] // len(items)
    links = _links(cover, share)
    moved: list[dict[int, int]] = [{} for _ in links]
    best, kept, traded, step, idle = None, share, moved, max(1, (max(costs) - min(costs)) // 8), 0
    for _ in range(rounds if one else 0):
        least = {item: min(parts, key=parts.__getitem__) for item, parts in share.items()}
        bound = sum([share[item][option] for item, option in least.items()])
        idle += 1
        if best is None or bound > best:
            best, kept, idle = bound, {item: dict(parts) for item, parts in share.items()}, 0
            traded = [dict(prices) for prices in moved]
        elif idle == MAX_ROUNDS_WITHOUT_GREATER_BOUND:
            step, idle = max(1, step * 9 // 10), 0
        _step(share, least, payers, list(zip(links, moved, strict=True)), step)
    net, base, prices = array("q", costs), 0, [0] * cover.primary
    for item, parts in kept.items() if best is not None else ():
        prices[item] = tax = min(parts.values())
        base += tax
        for option, part in parts.items():
            net[option] += part - tax - costs[option] // len(payers[option])
    rest = taxes(cover, net)
    exchanges = [Exchange(*link.items, link.item, pairs) for link, pairs in zip(links, traded, strict=True) if pairs]
    better = Taxes(base + rest.base, rest.net, list(map(add, prices, rest.prices)), exchanges)
    if best is None:  # without steps, these are the plain taxes
        return better
    return max(better, taxes(cover, costs), key=attrgetter("base"))  # a few steps may go astray


def _step(
    share: Shares,
    least: dict[int, int],
    payers: list[list[int]],
    links: list[tuple[Link, dict[int, int]]],
    step: int,
) -> None:
    """Move cost to the items whose least shares bound the cost. Each link has the prices of its colours so far."""
    for option in set(least.values()):
        items = payers[option]
        lowest = sum([least[item] == option for item in items])
        if lowest < len(items):
            part = step // len(items)
            for item in items:
                share[item][option] += part * (len(items) - lowest) if least[item] == option else -part * lowest
    for ((one, other), _, colours, sides), prices in links:
        ours, theirs = colours[least[one]], colours[least[other]]
        if ours != theirs:
            for colour, move in ((ours, step // 2), (theirs, -(step // 2))):
                prices[colour] = prices.get(colour, 0) + move
                for option in sides[colour][0] if colour in sides else ():
                    share[one][option] += move
                for option in sides[colour][1] if colour in sides else ():
                    share[other][option] -= move


def _links(cover: ExactCover, share: Shares) -> list[Link]:
    """Return the links between items that have shares."""
    colour_of = [dict(cover.entries(option)) for option in range(len(cover))]
    links = []
    for item in range(cover.primary, cover.primary + cover.secondary):
        always = [payer for payer, options in share.items() if all(colour_of[option].get(item) for option in options)]
        for one, other in combinations(always, 2):
            if share[one].keys().isdisjoint(share[other]):
                colours = {option: colour_of[option][item] for payer in (one, other) for option in share[payer]}
                sides: dict[int, tuple[list[int], list[int]]] = {}
                for side, payer in enumerate((one, other)):
                    for option in share[payer]:
                        sides.setdefault(colours[option], ([], []))[side].append(option)
                links.append(Link((one, other), item, colours, sides))
    return links


def best_taxes(cover: ExactCover, costs: array[int]) -> tuple[int, Taxes]:
    """Return the number of units in a cost, and the best taxes in these units that fit into 64 bits."""
    entries = len(cover.items)
    if not entries or sum(map(abs, costs)) * _needed(cover) >= kernel.UNLIMITED // (4 * UNITS_PER_COST):
        return 1, taxes(cover, costs)
    rounds = min(TAX_ROUNDS, len(cover), MAX_TAX_VISITS // entries)
    return UNITS_PER_COST, better_taxes(cover, array("q", [UNITS_PER_COST * cost for cost in costs]), rounds)


def _needed(cover: ExactCover) -> int:
    """Return at least the number of net costs and shares that a bound adds up."""
    return sum(min(low, len(cover)) for low in cover.low) + cover.primary + len(cover)


class _CostMeasure:
    """The costs of options as the kernel measures them: net costs, multiplied so that shares of them are integers.

    With ``sign`` -1, a higher cost is better: costs are multiplied by the sign. ``net`` has the net costs of the
    options. It raises OverflowError for costs whose bounds do not fit into 64 bits.
    """

    def __init__(self, cover: ExactCover, sign: int) -> None:
        self.sign = sign
        self._costs = array("q", [sign * cost for cost in cover.costs] or bytes(8 * len(cover)))
        self._units, taxes = best_taxes(cover, self._costs)
        most, self._scale = max(taxes.net, default=0) * _needed(cover), 1
        while self._scale < 1 << 16 and most * self._scale * 2 < kernel.UNLIMITED:
            self._scale *= 2
        if most >= kernel.UNLIMITED:
            raise OverflowError("bounds of the costs do not fit into 64 bits")
        self._base = taxes.base
        self.net = array("q", [net * self._scale for net in taxes.net])

    def cost(self, options: tuple[int, ...]) -> int:
        """Return the cost of some options times the sign."""
        return sum(self._costs[option] for option in options)

    def limit(self, most: int) -> int:
        """Return the highest sum of net costs of a cover whose cost times the sign is at most this."""
        return (most * self._units - self._base) * self._scale

    def bound(self, net: int) -> int:
        """Return the lowest cost times the sign of a cover whose net costs add up to at least this."""
        return -(-(self._base * self._scale + net) // (self._scale * self._units))


class _CheapestWalk:
    """The walk of the kernel through the search tree. Its options are in the order of their net costs."""

    def __init__(self, cover: ExactCover, net: array[int]) -> None:
        self.order = sorted(range(len(cover)), key=net.__getitem__)
        same = cover.subset(self.order)
        shared = [sum(item < cover.primary for item in cover.row(option)) for option in self.order]
        costs = array("q", [net[option] for option in self.order])
        share = array("q", [cost // max(1, among) for cost, among in zip(costs, shared, strict=True)])
        self.problem = kernel.PricedProblem(same.starts, same.items, same.colours, costs, share, cover.primary)
        self.state = array("q", [0, 1, 0, kernel.UNLIMITED])
        self.path = self._root(cover)
        self._in_python = PYTHON_ENTRIES // max(1, len(cover.items))

    def _root(self, cover: ExactCover) -> kernel.PricedPath:
        """Return the root of the tree."""
        sizes = [len(options) for options in cover.options_of_items()[: cover.primary]]
        items = cover.primary + cover.secondary
        room = array("q", [min(high, size) for high, size in zip(cover.high, sizes, strict=True)])
        room.extend([0] * cover.secondary)
        levels = 2 + sum(room) + cover.primary
        shut = {item for item in range(cover.primary) if room[item] == 0}
        live = array("q", [
            number for number, option in enumerate(self.order) if shut.isdisjoint(cover.row(option))
        ])  # fmt: skip
        size = len(live)
        live.frombytes(bytes(8 * (3 * size + 64)))
        blank = [array("q", bytes(8 * levels)) for _ in range(8)]
        need = array("q", [*cover.low, *[0] * cover.secondary])
        tallies = [array("q", bytes(8 * cover.primary)) for _ in range(2)]
        shades = [array("q", bytes(8 * items)), array("q", [-1]) * items]
        path = kernel.PricedPath._make([room, need, *shades, live, *blank, *tallies])
        path.last[0] = size
        return path

    @property
    def nodes(self) -> int:
        """Number of visited nodes."""
        return self.state[kernel.NODES]

    def advance(self, most: int | None) -> int:
        """Search for a moment, and visit at most this many nodes; return the result of the kernel."""
        compiled = self.nodes >= self._in_python and has_numba()
        budget = COMPILED_CHECK_NODES if compiled else PYTHON_CHECK_NODES
        budget = budget if most is None else min(budget, most)
        if compiled:
            result = kernel.advance(*_as_numpy(self.state, budget, self.problem, self.path))
        else:
            result = _PLAIN_FUNCTIONS["advance"](self.state, budget, self.problem, self.path)
        if result == kernel.FULL:
            live = self.path.live  # the call that has ended may still view this array, which then cannot grow
            self.path = self.path._replace(live=live + array("q", bytes(8 * len(live))))
        return int(result)

    def limit(self, most: int) -> None:
        """Search only covers whose net costs add up to at most this."""
        self.state[kernel.LIMIT] = min(max(most, -1), kernel.UNLIMITED)

    def cover_here(self) -> tuple[int, ...]:
        """Return the options of the cover at the current node."""
        numbers = self.path.chosen[: self.state[kernel.LEVEL]]
        return tuple(sorted(self.order[number] for number in numbers if number != kernel.NONE))

    def least_left(self) -> int:
        """Return a lower bound of the net costs of all covers to come; UNLIMITED if there is none."""
        level, path, open_ = self.state[kernel.LEVEL], self.path, []
        for above in range(level + 1):
            if above == level and self.state[kernel.FRESH]:
                open_.append(path.paid[above])
            elif path.branch[above] >= 0:
                open_.append(max(path.bound[above], self._left_on(above)))
        return int(min(open_, default=kernel.UNLIMITED))

    def _left_on(self, level: int) -> int:
        """Return the lowest net cost of the branches of a level that were not tried."""
        path, problem, item = self.path, self.problem, self.path.branch[level]
        if path.cursor[level] < 0:
            return kernel.UNLIMITED
        place = _PLAIN_FUNCTIONS["next_place"](problem, path, level, kernel.UNLIMITED)
        options = [option for option in path.chosen[level : self.state[kernel.LEVEL]] if option != kernel.NONE]
        may_close = path.need[item] + sum(_PLAIN_FUNCTIONS["has"](problem, option, item) for option in options) <= 0
        more = problem.net[path.live[place]] if place >= 0 else kernel.UNLIMITED
        return int(path.paid[level]) + (0 if may_close else int(more))


class Cheapest:
    """The search for the ``number`` covers of lowest cost; with ``greatest``, of highest cost.

    ``accept`` decides which covers count. If it raises UnfinishedError, the search stops. :meth:`find` returns the
    covers in the order of their costs. Covers of equal cost are in the order of the search. Afterwards ``stopped`` is
    the limit that ended the search, None if there are no better covers. ``bound`` is a cost that no other cover can
    beat. The class raises OverflowError for costs whose bounds do not fit into 64 bits.

    >>> cover = ExactCover.from_rows([[0], [1], [0, 1]], primary=2).with_costs([3, 4, 5])
    >>> Cheapest(cover, 2).find(), Cheapest(cover, greatest=True).find()
    ([(2,), (0, 1)], [(0, 1)])
    """

    def __init__(
        self,
        cover: ExactCover,
        number: int = 1,
        greatest: bool = False,
        limits: Limits | None = None,
        accept: Callable[[tuple[int, ...]], bool] | None = None,
    ) -> None:
        self.number, self.limits = integer(number, "number", 1), limits or Limits()
        self._accept = accept
        self.stopped: Stop | None = None
        self._met = 0
        self._undecided: list[int] = []
        self._found: list[tuple[int, int, tuple[int, ...]]] = []
        self._measure = _CostMeasure(cover, -1 if greatest else 1)
        self._walk = _CheapestWalk(cover, self._measure.net)

    @property
    def nodes(self) -> int:
        """Number of visited nodes."""
        return self._walk.nodes

    def find(self) -> list[tuple[int, ...]]:
        """Search, and return the covers found: all of them, unless a limit ends the search."""
        for _ in self._steps():
            pass
        return self.covers

    def _steps(self) -> Iterator[None]:
        """Search step by step, to the end of the tree or to a limit."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        end = None if seconds is None else time.monotonic() + seconds
        result = kernel.PAUSED
        while result != kernel.FINISHED:
            if nodes is not None and self.nodes >= nodes:
                self.stopped = Stop.NODES
                return
            if end is not None and time.monotonic() >= end:
                self.stopped = Stop.SECONDS
                return
            result = self._walk.advance(None if nodes is None else nodes - self.nodes)
            if result == kernel.FOUND:
                try:
                    self._note(self._walk.cover_here())
                except UnfinishedError as error:
                    self.stopped = error.reason
                    return
            yield
        self.stopped = None

    @property
    def covers(self) -> list[tuple[int, ...]]:
        """The best covers found so far, the best first."""
        return [options for _, _, options in self._found]

    @property
    def bound(self) -> int | None:
        """A cost that no other cover can beat; None if there is no further cover."""
        sign, least = self._measure.sign, self._walk.least_left()
        left = [self._measure.bound(least)] * (least < kernel.UNLIMITED) + self._undecided
        if not left or self.stopped is None:
            return sign * self._found[-1][0] if self._found else None
        return sign * min([*left, *[cost for cost, _, _ in self._found[self.number - 1 :]]])

    def _note(self, options: tuple[int, ...]) -> None:
        """Keep a cover if it is one of the best, and set the limit of the search."""
        cost = self._measure.cost(options)
        better = len(self._found) < self.number or cost < self._found[-1][0]
        self._undecided = [cost] * better
        if better and (self._accept is None or self._accept(options)):
            self._met += 1
            insort(self._found, (cost, self._met, options))
            del self._found[self.number :]
        self._undecided = []
        if len(self._found) == self.number:
            self._walk.limit(self._measure.limit(self._found[-1][0] - 1))


class Within(Cheapest):
    """The covers whose costs are from ``low`` to ``high`` (None: no bound). Iterate them, in the order of the search.

    A branch is cut if its bound exceeds one end of the range: the end nearer to the bound of all covers.

    >>> cover = ExactCover.from_rows([[0], [1], [0, 1]], primary=2).with_costs([3, 4, 5])
    >>> list(Within(cover, 6, None)), list(Within(cover, None, 6))
    ([(0, 1)], [(2,)])
    """

    def __init__(self, cover: ExactCover, low: int | None, high: int | None, limits: Limits | None = None) -> None:
        self.low, self.high = low, high
        self._new: list[tuple[int, ...]] = []
        costs = cover.costs
        greatest = high is None
        if low is not None and high is not None:
            least, most = (taxes(cover, array("q", [sign * cost for cost in costs])).base for sign in (1, -1))
            greatest = -most - low < high - least
        super().__init__(cover, 1, greatest, limits)
        end = low if greatest else high
        if end is not None:
            self._walk.limit(self._measure.limit(self._measure.sign * end))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for _ in self._steps():
            yield from self._new
            self._new.clear()

    def _note(self, options: tuple[int, ...]) -> None:
        cost = self._measure.sign * self._measure.cost(options)
        if (self.low is None or cost >= self.low) and (self.high is None or cost <= self.high):
            self._new.append(options)


def _plain_functions() -> dict[str, Any]:
    """Return the uncompiled functions of the kernel. Later numba replaces them in the module."""
    scope = dict(vars(kernel))
    for name, value in vars(kernel).items():
        if isinstance(value, Compiled):
            scope[name] = FunctionType(value.function.__code__, scope, name)
    return scope


_PLAIN_FUNCTIONS = _plain_functions()


def _as_numpy(
    state: array[int], budget: int, problem: kernel.PricedProblem, path: kernel.PricedPath
) -> tuple[Any, ...]:
    """Return the arguments of the kernel as numpy arrays, which share the memory of the arrays."""
    import numpy as np

    def view(numbers: Any) -> Any:
        return np.frombuffer(numbers, numbers.typecode) if isinstance(numbers, array) else numbers

    return (
        view(state),
        budget,
        kernel.PricedProblem(*map(view, problem)),
        kernel.PricedPath(*map(view, path)),
    )
