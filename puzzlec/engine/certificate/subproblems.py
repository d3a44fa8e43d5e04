"""The search whose table is a certificate: each subproblem once, with its item and the targets of its branches.

It is the search of Nishino, Yasuda, Minato and Nagata, "Dancing with Decision Diagrams" (AAAI 2017). It also keeps
subproblems without a cover, since a proof of a count must show them. The checker computes each subproblem again and
trusts no row, so this search may identify equal subproblems by a digest.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.engine.kernels.spec import branching_degree
from puzzlec.engine.problem import ExactCover

#: The orders of branching: the item with the fewest branches (ties: the lowest), or the lowest open item.
ORDERS = ("mrv", "sweep")

#: The target of a branch that ends in a cover, not in another row. A branch without a cover leads to -1 - item.
COVER = 0


class SubproblemState(NamedTuple):
    """A subproblem: the fitting options as bits, and the number of times each item is covered, in fields of bits."""

    fits: int
    times: int


class _OpenSubproblem(NamedTuple):
    """An unfinished subproblem: ``rest`` are the branches to come, ``children`` the targets of the earlier ones.

    ``paid`` is the cost of the options on the way to it.
    """

    key: bytes
    item: int
    open: tuple[list[int], list[int]]
    rest: Iterator[tuple[int, SubproblemState]]
    children: list[int]
    paid: int


class Masks:
    """An exact cover as sets of options, each an integer, and the effect of an option on a subproblem."""

    def __init__(self, cover: ExactCover) -> None:
        items, self.primary = cover.primary + cover.secondary, cover.primary
        self.low = [*cover.low]
        self.options_of = [0] * items
        painted: dict[tuple[int, int], int] = {}
        entries = [cover.entries(option) for option in range(len(cover))]
        for option, pairs in enumerate(entries):
            for item, colour in pairs:
                self.options_of[item] |= 1 << option
                painted[item, colour] = painted.get((item, colour), 0) | 1 << option
        # The count of an item with bounds 1..1 takes one bit.
        self.single = [low == high == 1 for low, high in zip(cover.low, cover.high, strict=True)]
        widths = [1 if single else len(cover).bit_length() for single in self.single]
        self.shift = [sum(widths[:item]) for item in range(self.primary)]
        self.field = [(1 << width) - 1 for width in widths]
        self._sizes = (len(cover) + 7) // 8, (sum(widths) + 7) // 8
        # If all bounds are 1..1 and there are no colours, the covered items determine the fitting options.
        self._is_simple = all(self.single) and not cover.secondary
        self.every = (1 << len(cover)) - 1
        self.compatible: list[int] = []
        self.unit = [0] * len(cover)
        self.several: list[list[tuple[int, int]]] = []
        for option, pairs in enumerate(entries):
            clash, several = 1 << option, []
            for item, colour in pairs:
                if item >= self.primary:
                    clash |= self.options_of[item] & ~(painted[item, colour] if colour else 0)
                    continue
                self.unit[option] += 1 << self.shift[item]
                if cover.high[item] == 1:
                    clash |= self.options_of[item]
                else:
                    several.append((item, cover.high[item]))
            self.compatible.append(self.every & ~clash)
            self.several.append(several)
        for item in range(self.primary):
            if cover.high[item] == 0:
                self.every &= ~self.options_of[item]

    def needs(self, item: int, times: int) -> int:
        """Return how many options an item still needs (0 or less: none)."""
        return self.low[item] - (times >> self.shift[item] & self.field[item])

    def choose(self, option: int, state: SubproblemState) -> SubproblemState:
        """Return the subproblem that is left after an option is chosen."""
        fits, times = state.fits & self.compatible[option], state.times + self.unit[option]
        for item, high in self.several[option]:
            if self.low[item] - self.needs(item, times) >= high:
                fits &= ~self.options_of[item]
        return SubproblemState(fits, times)

    def key(self, state: SubproblemState) -> bytes:
        """Return a digest that differs for different subproblems."""
        parts = (state.times,) if self._is_simple else (state.fits, state.times)
        sizes = self._sizes[-len(parts) :]
        written = b"".join(part.to_bytes(size, "little") for part, size in zip(parts, sizes, strict=True))
        return hashlib.blake2b(written, digest_size=16).digest()

    def branches(self, item: int, state: SubproblemState) -> Iterator[tuple[int, SubproblemState]]:
        """Yield each fitting option of an item with the remaining subproblem, then -1 for no option if that is allowed.

        Options ascend. An option is not available in later branches.
        """
        fits, times = state
        here = fits & self.options_of[item]
        while here:
            option = (here & -here).bit_length() - 1
            yield option, self.choose(option, SubproblemState(fits, times))
            here &= here - 1
            fits &= ~(1 << option)
        if self.needs(item, times) <= 0:
            yield -1, SubproblemState(fits, times)


class Subproblems:
    """The table of an exact cover: call ``advance`` until it is ``finished``.

    Row ``r`` (from 1) branches on ``items[r - 1]``. Its branches lead to ``children[starts[r - 1] : starts[r]]``: an
    earlier row, ``COVER``, or -1 - item. The whole problem leads to ``root``. All numbers are int32, except that
    ``starts`` is int64.
    """

    def __init__(self, cover: ExactCover, order: str = "mrv") -> None:
        if order not in ORDERS:
            raise ValueError(f"unknown order {order!r}: expected mrv or sweep")
        self.masks, self.mrv = Masks(cover), order == "mrv"
        self.items, self.starts, self.children = array("i"), array("q", [0]), array("i")
        self.known: dict[bytes, int] = {}
        self.stack: list[_OpenSubproblem] = []
        single = self.masks.single
        several = [item for item in range(cover.primary) if not single[item]]
        self.costs = [0] * (len(cover) + 1)
        whole = SubproblemState(self.masks.every, 0)
        self.root = self._lead(whole, ([item for item in range(cover.primary) if single[item]], several), 0)

    @property
    def finished(self) -> bool:
        """Whether the table is complete."""
        return not self.stack

    @property
    def share(self) -> float:
        """The part of the tree that is done, by Knuth's measure: equal parts for the branches of a subproblem."""
        done, part = 0.0, 1.0
        for frame in self.stack:
            most = (self.masks.options_of[frame.item] & self.masks.every).bit_count() + 1
            part /= max(most, len(frame.children) + 1)
            done += part * len(frame.children)
        return done if self.stack else 1.0

    def advance(self, rows: int) -> None:
        """Continue until there are this many more rows, or the table is complete."""
        goal = len(self.items) + rows
        while self.stack and len(self.items) < goal:
            frame = self.stack[-1]
            for option, state in frame.rest:
                child = self._lead(state, frame.open, frame.paid + self.costs[option])
                if self.stack[-1] is not frame:
                    break  # the row of the child is completed first, and then added to ``children``
                frame.children.append(child)
            else:
                self.items.append(frame.item)
                self.children.extend(frame.children)
                self.starts.append(len(self.children))
                self._keep(frame)
                self.stack.pop()
                if self.stack:
                    self.stack[-1].children.append(len(self.items))
                else:
                    self.root = len(self.items)

    def _keep(self, frame: _OpenSubproblem) -> None:
        """Remember the row of a subproblem."""
        self.known[frame.key] = len(self.items)

    def _lead(self, state: SubproblemState, open: tuple[list[int], list[int]], paid: int) -> int:
        """Return the target for a subproblem: an existing row, COVER or -1 - item, or 0 after beginning its row."""
        fits, times = state
        options_of, shift, best, least = self.masks.options_of, self.masks.shift, -1, 1 << 60
        for item in open[0]:
            number = (fits & options_of[item]).bit_count()
            if number < least:
                if number:
                    best, least = item, number
                elif not times >> shift[item] & 1:
                    return -1 - item
        for item in open[1]:
            number, needed = (fits & options_of[item]).bit_count(), self.masks.needs(item, times)
            if number < needed:
                return -1 - item
            degree = branching_degree(number, max(needed, 0))
            if degree < least and number:
                best, least = item, degree
        if best < 0:
            return COVER
        key = self.masks.key(state)
        if key in self.known:
            return self.known[key]
        left = ([i for i in open[0] if fits & options_of[i]], [i for i in open[1] if fits & options_of[i]])
        if not self.mrv:
            best = min(items[0] for items in left if items)
        self.stack.append(_OpenSubproblem(key, best, left, self.masks.branches(best, state), [], paid))
        return COVER


class Bounded(Subproblems):
    """The table of an exact cover that shows that no cover costs at most ``limit``.

    ``costs`` and ``prices`` are those of the options and primary items. The net cost of an option is its cost minus the
    prices of its items. It must not be negative. A branch whose covers all cost more leads to ``dear``. The checker
    computes the same bound: see ``Certificate.least``.
    """

    def __init__(self, cover: ExactCover, costs: list[int], prices: list[int], limit: int) -> None:
        items = range(cover.primary)
        self.limit, self.dear = limit, -1 - cover.primary - cover.secondary
        rows = [[item for item in cover.row(option) if item in items] for option in range(len(cover))]
        self.net = [cost - sum([prices[item] for item in row]) for cost, row in zip(costs, rows, strict=True)]
        #: For each option its items that need options. The net cost of the option is divided among these items.
        self.needing = [[item for item in row if cover.low[item]] for row in rows]
        shares: list[dict[int, int]] = [{} for _ in items]
        for option, row in enumerate(self.needing):
            for item in row:
                share = self.net[option] // len(row)
                shares[item][share] = shares[item].get(share, 0) | 1 << option
        slack = [high - low for low, high in zip(cover.low, cover.high, strict=True)]
        self.priced = [*zip(prices, slack, [sorted(by_share.items()) for by_share in shares], strict=True)]
        self.paid: list[int] = []
        super().__init__(cover)
        self.costs = [*costs, 0]

    def _keep(self, frame: _OpenSubproblem) -> None:
        super()._keep(frame)
        self.paid.append(frame.paid)

    def _bound(self, fits: int, times: int, least: list[int]) -> int:
        """Return a lower bound of the cost of the missing options, and set the least share of each item."""
        total, masks = 0, self.masks
        for item, (price, slack, shares) in enumerate(self.priced):
            needed = max(0, masks.needs(item, times))
            if needed:
                least[item] = next((share for share, options in shares if options & fits), 0)
                total += needed * least[item]
            if price < 0 and fits & masks.options_of[item]:
                needed = masks.needs(item, times) + slack
            total += price * needed
        return total

    def _lead(self, state: SubproblemState, open: tuple[list[int], list[int]], paid: int) -> int:
        """Return the target for a subproblem, as in the base class, or ``dear``."""
        fits, times = state
        masks, options_of = self.masks, self.masks.options_of
        for item in (*open[0], *open[1]):
            if (fits & options_of[item]).bit_count() < masks.needs(item, times):
                return -1 - item
        left = ([i for i in open[0] if fits & options_of[i]], [i for i in open[1] if fits & options_of[i]])
        if not left[0] and not left[1]:
            if paid <= self.limit:
                raise ValueError("there is a cover that costs less than the best one")
            return COVER
        least = [0] * masks.primary
        spare = self.limit - paid - self._bound(fits, times, least)
        if spare < 0:
            return self.dear
        key = self.masks.key(state)
        row = self.known.get(key, 0)
        if row and self.paid[row - 1] <= paid:
            return row
        best = self._fewest(state, [*left[0], *left[1]], least, spare)
        self.stack.append(_OpenSubproblem(key, best, left, masks.branches(best, state), [], paid))
        return COVER

    def _fewest(self, state: SubproblemState, items: list[int], least: list[int], spare: int) -> int:
        """Return the item with the fewest branches, without options that alone cost too much."""
        usable = rest = state.fits
        while rest:
            first = rest & -rest
            option = first.bit_length() - 1
            if self.net[option] - sum([least[item] for item in self.needing[option]]) > spare:
                usable ^= first
            rest ^= first
        options_of, degrees = self.masks.options_of, {}
        for item in items:
            number, needed = (usable & options_of[item]).bit_count(), max(0, self.masks.needs(item, state.times))
            degrees[item] = branching_degree(number, needed) if number >= needed else 0
        return min(degrees, key=degrees.__getitem__)
