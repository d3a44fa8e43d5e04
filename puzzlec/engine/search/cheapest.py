"""The covers of lowest or highest cost, in order, with a proof: the search is complete, or there is a bound."""

from __future__ import annotations

import time
from array import array
from bisect import insort
from collections.abc import Callable, Iterator
from itertools import combinations
from operator import add
from types import FunctionType
from typing import Any, NamedTuple

from puzzlec.engine.kernels import cheapest as kernel
from puzzlec.engine.kernels.jit import Compiled
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.race import Limits, Stop
from puzzlec.engine.search.selection import has_numba

#: Entries that plain Python visits before numba takes over. The import of numba takes as long.
IN_PYTHON = 3_000_000

#: Nodes between two checks of the clock, in plain Python and compiled.
NODES, NODES_COMPILED = 64, 4096


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
        own = list(map(int, options))
        tax = min((net[option] for option in own), default=0)
        prices.append(tax)
        base += tax * (cover.low[item] if tax > 0 else min(cover.high[item], len(own)))
        for option in own:
            net[option] -= tax
    return Taxes(base, net, prices, [])


#: For :func:`better_taxes`: the number of rounds, the most entries that all rounds visit, and the units of a cost.
ROUNDS, VISITS, UNITS = 800, 4_000_000, 1 << 10

#: Rounds without a greater bound before the step becomes shorter.
PATIENCE = 8

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
    """Return net costs with a greater base, by subgradient steps; with ``rounds`` 0, as :func:`taxes`.

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
    for option, own in enumerate(payers):
        for item in own:
            share[item][option] = costs[option] // len(own)
    links = _links(cover, share)
    moved: list[dict[int, int]] = [{} for _ in links]
    best, kept, traded, step, idle = None, share, moved, max(1, (max(costs) - min(costs)) // 8), 0
    for _ in range(rounds if one else 0):
        least = {item: min(own, key=own.__getitem__) for item, own in share.items()}
        bound = sum([share[item][option] for item, option in least.items()])
        idle += 1
        if best is None or bound > best:
            best, kept, idle = bound, {item: dict(own) for item, own in share.items()}, 0
            traded = [dict(prices) for prices in moved]
        elif idle == PATIENCE:
            step, idle = max(1, step * 9 // 10), 0
        _step(share, least, payers, list(zip(links, moved, strict=True)), step)
    net, base, prices = array("q", costs), 0, [0] * cover.primary
    for item, parts in kept.items() if best is not None else ():
        prices[item] = tax = min(parts.values())
        base += tax
        for option, part in parts.items():
            net[option] += part - tax - costs[option] // len(payers[option])
    found = taxes(cover, net)
    exchanges = [Exchange(*link.items, link.item, own) for link, own in zip(links, traded, strict=True) if own]
    return Taxes(base + found.base, found.net, list(map(add, prices, found.prices)), exchanges)


def _step(
    share: Shares,
    least: dict[int, int],
    payers: list[list[int]],
    links: list[tuple[Link, dict[int, int]]],
    step: int,
) -> None:
    """Move cost to the items whose least shares bound the cost. Each link has the prices of its colours so far."""
    for option in set(least.values()):
        own = payers[option]
        chosen = sum([least[item] == option for item in own])
        if chosen < len(own):
            part = step // len(own)
            for item in own:
                share[item][option] += part * (len(own) - chosen) if least[item] == option else -part * chosen
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
    found = []
    for item in range(cover.primary, cover.primary + cover.secondary):
        always = [payer for payer, own in share.items() if all(colour_of[option].get(item) for option in own)]
        for one, other in combinations(always, 2):
            if share[one].keys().isdisjoint(share[other]):
                colours = {option: colour_of[option][item] for payer in (one, other) for option in share[payer]}
                sides: dict[int, tuple[list[int], list[int]]] = {}
                for side, payer in enumerate((one, other)):
                    for option in share[payer]:
                        sides.setdefault(colours[option], ([], []))[side].append(option)
                found.append(Link((one, other), item, colours, sides))
    return found


def best_taxes(cover: ExactCover, costs: array[int]) -> tuple[int, Taxes]:
    """Return the number of units in a cost, and the best taxes in these units that fit into 64 bits."""
    entries = len(cover.items)
    if not entries or sum(map(abs, costs)) * _needed(cover) >= kernel.UNLIMITED // (4 * UNITS):
        return 1, taxes(cover, costs)
    rounds = min(ROUNDS, len(cover), VISITS // entries)
    return UNITS, better_taxes(cover, array("q", [UNITS * cost for cost in costs]), rounds)


def _needed(cover: ExactCover) -> int:
    """Return more than the number of net costs and shares that a bound adds up."""
    return sum(min(low, len(cover)) for low in cover.low) + cover.primary + len(cover) + 1


class Cheapest:
    """The search for the ``number`` covers of lowest cost; with ``greatest``, of highest cost.

    ``accept`` decides which covers count. :meth:`find` returns the covers in the order of their costs. Covers of equal
    cost are in the order of the search. Afterwards ``stopped`` is the limit that ended the search, None if there are no
    better covers. ``bound`` is a cost that no other cover can beat. The class raises OverflowError for costs whose
    bounds do not fit into 64 bits.

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
        if number < 1:
            raise ValueError("the number of covers must be at least 1")
        self.cover, self.number, self.limits = cover, number, limits or Limits()
        self._accept, self._sign = accept, -1 if greatest else 1
        self.stopped: Stop | None = None
        self.nodes, self.met = 0, 0
        self._found: list[tuple[int, int, tuple[int, ...]]] = []
        self._costs = array("q", [self._sign * cost for cost in cover.costs] or bytes(8 * len(cover)))
        entries, needed = len(cover.items), _needed(cover)
        self._units, self._taxes = best_taxes(cover, self._costs)
        net = self._taxes.net
        self._order = sorted(range(len(cover)), key=net.__getitem__)
        most = max(net, default=0)
        self._scale = 1
        while self._scale < 1 << 16 and most * needed * self._scale * 2 < kernel.UNLIMITED:
            self._scale *= 2
        if most * needed >= kernel.UNLIMITED:
            raise OverflowError("bounds of the costs do not fit into 64 bits")
        self._problem = self._sorted(entries)
        self._state = array("q", [0, 1, 0, kernel.UNLIMITED])
        self._path = self._begin()
        self._visits = IN_PYTHON // max(1, entries)

    def _sorted(self, entries: int) -> kernel.Problem:
        """Return the options in the order of their net costs."""
        cover, order, net = self.cover, self._order, self._taxes.net
        same = cover.subset(order)
        shared = [sum(item < cover.primary for item in cover.row(option)) for option in order]
        scaled = array("q", [net[option] * self._scale for option in order])
        share = array("q", [cost // max(1, among) for cost, among in zip(scaled, shared, strict=True)])
        assert len(same.items) == entries
        return kernel.Problem(same.starts, same.items, same.colours, scaled, share, cover.primary)

    def _begin(self) -> kernel.Path:
        """Return the root of the tree."""
        cover = self.cover
        sizes = [len(own) for own in cover.options_of_items()[: cover.primary]]
        items = cover.primary + cover.secondary
        room = array("q", [min(high, size) for high, size in zip(cover.high, sizes, strict=True)])
        room.extend([0] * cover.secondary)
        levels = 2 + sum(room) + cover.primary
        shut = {item for item in range(cover.primary) if room[item] == 0}
        live = array("q", [
            number for number, option in enumerate(self._order) if shut.isdisjoint(cover.row(option))
        ])  # fmt: skip
        size = len(live)
        live.frombytes(bytes(8 * (3 * size + 64)))
        blank = [array("q", bytes(8 * levels)) for _ in range(8)]
        need = array("q", [*cover.low, *[0] * cover.secondary])
        tallies = [array("q", bytes(8 * cover.primary)) for _ in range(2)]
        shades = [array("q", bytes(8 * items)), array("q", [-1]) * items]
        path = kernel.Path._make([room, need, *shades, live, *blank, *tallies])
        path.last[0] = size
        return path

    def find(self) -> list[tuple[int, ...]]:
        """Search, and return the covers found: all of them, unless a limit ends the search."""
        for _ in self._steps():
            pass
        return self.covers

    def _steps(self) -> Iterator[None]:
        """Search step by step, to the end of the tree or to a limit."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        end = None if seconds is None else time.monotonic() + seconds
        done = False
        while not done:
            if nodes is not None and self.nodes >= nodes:
                self.stopped = Stop.NODES
                return
            if end is not None and time.monotonic() >= end:
                self.stopped = Stop.SECONDS
                return
            done = self._step(None if nodes is None else nodes - self.nodes)
            yield
        self.stopped = None

    @property
    def covers(self) -> list[tuple[int, ...]]:
        """The best covers found so far, the best first."""
        return [options for _, _, options in self._found]

    @property
    def bound(self) -> int | None:
        """A cost that no other cover can beat; None if there is no further cover."""
        level, path, open_ = self._state[kernel.LEVEL], self._path, []
        for above in range(level + 1):
            if above == level and self._state[kernel.FRESH]:
                open_.append(path.paid[above])
            elif path.branch[above] >= 0:
                open_.append(max(path.bound[above], self._left_on(above)))
        least = min(open_, default=kernel.UNLIMITED)
        if least >= kernel.UNLIMITED or self.stopped is None:
            return self._sign * self._found[-1][0] if self._found else None
        bound = -(-(self._taxes.base * self._scale + least) // (self._scale * self._units))
        return self._sign * min([bound, *[cost for cost, _, _ in self._found[-1:]]])

    def _left_on(self, level: int) -> int:
        """Return the lowest net cost of the branches of a level that were not tried."""
        path, problem = self._path, self._problem
        if path.cursor[level] < 0:
            return kernel.UNLIMITED
        place = _PLAIN["next_place"](problem, path, level, kernel.UNLIMITED)
        may_close = path.need[path.branch[level]] <= 0
        more = problem.net[path.live[place]] if place >= 0 else kernel.UNLIMITED
        return int(path.paid[level]) + (0 if may_close else int(more))

    def _step(self, most: int | None) -> bool:
        """Search for a moment; return whether the tree is exhausted."""
        compiled = self.nodes >= self._visits and has_numba()
        budget = NODES_COMPILED if compiled else NODES
        budget = budget if most is None else min(budget, most)
        if compiled:
            result = kernel.advance(*_as_numpy(self._state, budget, self._problem, self._path))
        else:
            result = _PLAIN["advance"](self._state, budget, self._problem, self._path)
        self.nodes = self._state[kernel.NODES]
        if result == kernel.FOUND:
            self._note()
        elif result == kernel.FULL:
            live = self._path.live  # the call that has ended may still view this array, which then cannot grow
            self._path = self._path._replace(live=live + array("q", bytes(8 * len(live))))
        return bool(result == kernel.FINISHED)

    def _note(self) -> None:
        """Keep the cover at the current node if it is one of the best, and set the limit of the search."""
        options, cost = self._cover_here()
        better = len(self._found) < self.number or cost < self._found[-1][0]
        if better and (self._accept is None or self._accept(options)):
            self.met += 1
            insort(self._found, (cost, self.met, options))
            del self._found[self.number :]
        if len(self._found) == self.number:
            self._set_limit(self._found[-1][0] - 1)

    def _cover_here(self) -> tuple[tuple[int, ...], int]:
        """Return the options of the cover at the current node, and their cost times the sign."""
        taken = self._path.chosen[: self._state[kernel.LEVEL]]
        options = tuple(sorted(self._order[number] for number in taken if number != kernel.NONE))
        return options, sum(self._costs[option] for option in options)

    def _set_limit(self, most: int) -> None:
        """Search only covers whose cost times the sign is at most this."""
        limit = (most * self._units - self._taxes.base) * self._scale
        self._state[kernel.LIMIT] = min(max(limit, -1), kernel.UNLIMITED)


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
            self._set_limit(self._sign * end)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for _ in self._steps():
            yield from self._new
            self._new.clear()

    def _note(self) -> None:
        options, signed = self._cover_here()
        cost = self._sign * signed
        if (self.low is None or cost >= self.low) and (self.high is None or cost <= self.high):
            self._new.append(options)


def _plain_functions() -> dict[str, Any]:
    """Return the uncompiled functions of the kernel. Later numba replaces them in the module."""
    scope = dict(vars(kernel))
    for name, value in vars(kernel).items():
        if isinstance(value, Compiled):
            scope[name] = FunctionType(value.function.__code__, scope, name)
    return scope


_PLAIN = _plain_functions()


def _as_numpy(state: array[int], budget: int, problem: kernel.Problem, path: kernel.Path) -> tuple[Any, ...]:
    """Return the arguments of the kernel as numpy arrays, which share the memory of the arrays."""
    import numpy as np

    def view(numbers: Any) -> Any:
        return np.frombuffer(numbers, numbers.typecode) if isinstance(numbers, array) else numbers

    return (
        view(state),
        budget,
        kernel.Problem(*map(view, problem)),
        kernel.Path(*map(view, path)),
    )
