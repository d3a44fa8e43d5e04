"""Dancing links in numba: items with bounds, secondary items with colours, one iterative search.

The arrays are those of TAOCP 7.2.2.1 (Knuth, volume 4B), Algorithms C and M. A node ``x`` is one row of ``nodes``
(int32, shape (nodes, 4)), with four fields side by side as in a C struct:

- ``TOP``: the item of a node of an option; the number of options (LEN) of an item (nodes 1..N); a number <= 0 for a
  spacer between options
- ``UP``, ``DOWN``: the neighbours in the item's list; for a spacer the first node of the option before it, and the last
  node of the option after it
- ``COLOUR``: 0 for none, a positive colour, or -1 while the item is purified to this option's colour

``left`` and ``right`` (int32, one longer than the items) are the list of active primary items with root 0. ``bound`` is
the number of options that an item may still get, ``slack`` the part of it that it does not need.

The state of a search is only in arrays. A call returns after a budget of nodes, or when its buffer is full. The next
call continues from there.

When few enough options are left, the search is handed over to ``bits``, which is then several times faster, and taken
back when the subtree is done. The limit is learnt: a subtree too small to repay the tables of ``bits`` lowers it, a
large one raises it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels import bits
from puzzlec.engine.kernels.bits import Longs, Words
from puzzlec.engine.kernels.buffered import FILLED, FINISHED, FOUND, LEVEL, NODES, PHASE, BufferedKernel, Ints
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.spec import branching_degree
from puzzlec.engine.kernels.words import lowest

TOP, UP, DOWN, COLOUR = 0, 1, 2, 3

# Where the search continues. ENTER: at a fresh node. TRY: at the next branch of a level. BACK: after a finished branch.
# RESTORE: at the end of a level. INSIDE: in a subtree that was handed over to ``bits``.
ENTER, TRY, BACK, RESTORE, INSIDE = 0, 1, 2, 3, 4

# The additional field of ``state`` of this kernel: the greatest number of entries of a subtree for ``bits``
FEW = 6

#: Greatest numbers of options and entries of a subtree that is handed over.
MOST_OPTIONS, MOST_ENTRIES = 2048, 1 << 14

#: Subtrees of this many entries are always handed over: only a few microseconds are at stake.
LEAST = 256

#: A subtree of fewer nodes than POOR does not repay its tables. One of more than GOOD repays them well.
POOR, GOOD = 500, 2000

degree_of = inlined(branching_degree)


class Lists(NamedTuple):
    """The dancing links; see the module for ``nodes``, ``left``, ``right``, ``bound`` and ``slack``.

    ``option_of`` (int32) is the option of each node.
    """

    nodes: Ints
    left: Ints
    right: Ints
    bound: Ints
    slack: Ints
    option_of: Ints
    primary: int


class Path(NamedTuple):
    """The levels of the search.

    An int32 a level: ``xs`` is the node tried, ``branched`` the item branched on, ``firsts`` the first option of its
    list. An int64 a level: ``degrees`` and ``tried`` are the numbers of branches and of begun branches, ``profile`` is
    the number of nodes.
    """

    xs: Ints
    branched: Ints
    firsts: Ints
    degrees: Longs
    tried: Longs
    profile: Longs


class Inside(NamedTuple):
    """The tables and levels of ``bits`` for a subtree. ``marks`` (uint64) has a bit for each option."""

    counter: Ints
    marks: Words
    tables: bits.Tables
    levels: bits.Levels


@inner
def hide(nodes: Ints, x: int) -> None:
    """Remove an option from the lists of its items, except the list that leads to it."""
    q = x + 1
    while q != x:
        top = nodes[q, TOP]
        if top <= 0:
            q = nodes[q, UP]
        else:
            if nodes[q, COLOUR] >= 0:
                up, down = nodes[q, UP], nodes[q, DOWN]
                nodes[up, DOWN] = down
                nodes[down, UP] = up
                nodes[top, TOP] -= 1
            q += 1


@inner
def unhide(nodes: Ints, x: int) -> None:
    """Undo :func:`hide`, backwards."""
    q = x - 1
    while q != x:
        top = nodes[q, TOP]
        if top <= 0:
            q = nodes[q, DOWN]
        else:
            if nodes[q, COLOUR] >= 0:
                nodes[nodes[q, UP], DOWN] = q
                nodes[nodes[q, DOWN], UP] = q
                nodes[top, TOP] += 1
            q -= 1


@jit
def cover(nodes: Ints, left: Ints, right: Ints, primary: int, item: int) -> None:
    """Remove an item: no option that has it remains possible."""
    x = nodes[item, DOWN]
    while x != item:
        hide(nodes, x)
        x = nodes[x, DOWN]
    if item <= primary:
        before, after = left[item], right[item]
        right[before] = after
        left[after] = before


@inner
def uncover(nodes: Ints, left: Ints, right: Ints, primary: int, item: int) -> None:
    """Undo :func:`cover`."""
    if item <= primary:
        right[left[item]] = item
        left[right[item]] = item
    x = nodes[item, UP]
    while x != item:
        unhide(nodes, x)
        x = nodes[x, UP]


@inner
def purify(nodes: Ints, x: int) -> None:
    """Keep only the options of a secondary item that agree with the colour of node ``x``."""
    colour, item = nodes[x, COLOUR], nodes[x, TOP]
    q = nodes[item, DOWN]
    while q != item:
        if nodes[q, COLOUR] == colour:
            nodes[q, COLOUR] = -1
        else:
            hide(nodes, q)
        q = nodes[q, DOWN]
    nodes[item, COLOUR] = colour


@inner
def unpurify(nodes: Ints, x: int) -> None:
    """Undo :func:`purify`. The item has the colour, since the node itself may be marked."""
    item = nodes[x, TOP]
    colour = nodes[item, COLOUR]
    q = nodes[item, UP]
    while q != item:
        if nodes[q, COLOUR] < 0:
            nodes[q, COLOUR] = colour
        else:
            unhide(nodes, q)
        q = nodes[q, UP]


@inner
def commit(nodes: Ints, left: Ints, right: Ints, bound: Ints, primary: int, x: int) -> None:
    """Take the option of node ``x``: settle all its other items."""
    p = x + 1
    while p != x:
        item = nodes[p, TOP]
        if item <= 0:
            p = nodes[p, UP]
            continue
        if item <= primary:
            bound[item] -= 1
            if bound[item] == 0:
                cover(nodes, left, right, primary, item)
        elif nodes[p, COLOUR] == 0:
            cover(nodes, left, right, primary, item)
        elif nodes[p, COLOUR] > 0:
            purify(nodes, p)
        p += 1


@inner
def uncommit(nodes: Ints, left: Ints, right: Ints, bound: Ints, primary: int, x: int) -> None:
    """Undo :func:`commit`, backwards."""
    p = x - 1
    while p != x:
        item = nodes[p, TOP]
        if item <= 0:
            p = nodes[p, DOWN]
            continue
        if item <= primary:
            bound[item] += 1
            if bound[item] == 1:
                uncover(nodes, left, right, primary, item)
        elif nodes[p, COLOUR] == 0:
            uncover(nodes, left, right, primary, item)
        elif nodes[p, COLOUR] > 0:
            unpurify(nodes, p)
        p -= 1


@inner
def tweak(nodes: Ints, x: int, item: int, hidden: bool) -> None:
    """Exclude the first option of an item's list from here on; ``hidden``: its other nodes are already removed."""
    if not hidden:
        hide(nodes, x)
    down = nodes[x, DOWN]
    nodes[item, DOWN] = down
    nodes[down, UP] = item
    nodes[item, TOP] -= 1


@inner
def untweak(nodes: Ints, first: int, item: int, hidden: bool) -> None:
    """Undo all tweaks of a level; ``first`` is the option that was first in the list."""
    x, y, z, number = first, item, nodes[item, DOWN], 0
    nodes[item, DOWN] = x
    while x != z:
        nodes[x, UP] = y
        number += 1
        if not hidden:
            unhide(nodes, x)
        y = x
        x = nodes[x, DOWN]
    nodes[z, UP] = y
    nodes[item, TOP] += number


@jit
def choose(nodes: Ints, right: Ints, bound: Ints, slack: Ints) -> tuple[int, int, int]:
    """Return the active item of least branching degree (MRV; ties: the lowest), its degree, and the number of entries.

    The entries are those of active items in the options left.
    """
    best, least, entries = 0, 2147483647, 0
    item = right[0]
    while item != 0:
        entries += nodes[item, TOP]
        degree = degree_of(nodes[item, TOP], max(0, bound[item] - slack[item]))
        if degree < least:
            best, least = item, degree
            if least == 0:
                break
        item = right[item]
    return best, least, entries


@inner
def hand_over(lists: Lists, inside: Inside) -> bool:
    """Give the options and items left to ``bits``. Return False if there are too many."""
    nodes, _, right, bound, slack, option_of, _ = lists
    counter, marks, tables, levels = inside
    stages, ids, local, globals_ = tables.stages, tables.ids, tables.local, tables.globals_
    lows, highs = levels.lows, levels.highs
    for r in range(stages[0, bits.ROWS]):  # clear the rows of the last subtree
        local[0, globals_[0, r]] = -1
    stages[0, bits.ROWS] = 0
    number, items = 0, 0
    item = right[0]
    while item != 0 and items <= MOST_ENTRIES:
        items += 1
        item = right[item]
    if items > MOST_ENTRIES:  # items without entries that need no option can make up most of them
        return False
    items = 0
    item = right[0]
    while item != 0:
        globals_[0, items] = item - 1
        items += 1
        c = counter[item - 1]
        if c >= 0:
            lows[0, c], highs[0, c] = max(0, bound[item] - slack[item]), bound[item]
        x = nodes[item, DOWN]
        while x != item:
            option = option_of[x]
            bit = np.uint64(1) << np.uint64(option & 63)
            if marks[option >> 6] & bit == 0:
                marks[option >> 6] |= bit
                number += 1
            x = nodes[x, DOWN]
        item = right[item]
    few = number <= MOST_OPTIONS
    number = 0
    for w in range(len(marks)):  # ascending; this also clears the marks
        word = marks[w]
        marks[w] = 0
        while few and word != 0:
            ids[number] = 64 * w + np.int64(lowest(word))
            number += 1
            word &= word - np.uint64(1)
    stages[0, bits.OPTIONS], stages[0, bits.ITEMS] = number, items
    return few


@jit
def advance(state: Longs, budget: int, buffer: Ints, lists: Lists, path: Path, inside: Inside) -> None:
    """Continue a search for at most ``budget`` nodes.

    Covers go into ``buffer`` (int32), each as its length and its options. If its length is 0, covers are only counted.
    Steps M1 to M9 are Knuth's. The call also returns if there is a subtree for ``bits``.
    """
    nodes, left, right, bound, slack, option_of, primary = lists
    xs, branched, firsts, degrees, tried, profile = path
    level, phase = state[LEVEL], state[PHASE]
    room = len(buffer)
    filled, found, visited = 0, 0, 0
    while True:
        if phase == ENTER:  # M2, M3: a fresh node
            degree = 0
            if right[0] == 0:
                if room:
                    if filled + level + 1 > room:
                        break  # no room for this cover: the next call finds it again
                    size = 0
                    for k in range(level):
                        if xs[k] != branched[k]:
                            size += 1
                            buffer[filled + size] = option_of[xs[k]]
                    buffer[filled] = size
                    filled += size + 1
                found += 1
            else:
                item, degree, size = choose(nodes, right, bound, slack)
                few = degree > 0 and size <= state[FEW]
                if few and not hand_over(lists, inside):
                    few = False
                    state[FEW] = max(LEAST, size - size // 4)  # wait until the subtree is smaller
                if few:
                    phase = INSIDE
                    break
            if degree > 0:  # M4: branch on this item
                degrees[level], tried[level] = degree, 0
                branched[level] = item
                xs[level] = nodes[item, DOWN]
                firsts[level] = xs[level]
                bound[item] -= 1
                if bound[item] == 0:
                    cover(nodes, left, right, primary, item)
                phase = TRY
            else:
                level -= 1
                phase = BACK
        elif phase == TRY:  # M5, M6: the next branch, if there is one
            item, x = branched[level], xs[level]
            plain = bound[item] == 0 and slack[item] == 0
            if (plain and x == item) or (not plain and nodes[item, TOP] <= bound[item] - slack[item]):
                phase = RESTORE
                continue
            if visited >= budget:
                break
            if not plain:
                if x != item:
                    tweak(nodes, x, item, bound[item] == 0)
                elif bound[item] != 0:
                    right[left[item]] = right[item]
                    left[right[item]] = left[item]
            if x != item:
                commit(nodes, left, right, bound, primary, x)
            visited += 1
            tried[level] += 1
            profile[level] += 1
            level += 1
            phase = ENTER
        elif phase == BACK:  # M7, M9: the subtree of this branch is done
            if level < 0:
                state[FINISHED] = 1
                break
            item, x = branched[level], xs[level]
            if x != item:
                uncommit(nodes, left, right, bound, primary, x)
                xs[level] = nodes[x, DOWN]
                phase = TRY
            else:
                if bound[item] != 0:
                    right[left[item]] = item
                    left[right[item]] = item
                phase = RESTORE
        else:  # M8: restore the item
            item = branched[level]
            if bound[item] == 0 and slack[item] == 0:
                uncover(nodes, left, right, primary, item)
            elif bound[item] == 0:
                untweak(nodes, firsts[level], item, True)
                uncover(nodes, left, right, primary, item)
            else:
                untweak(nodes, firsts[level], item, False)
            bound[item] += 1
            level -= 1
            phase = BACK
    state[LEVEL] = level
    state[PHASE] = phase
    state[NODES] += visited
    state[FOUND] += found
    state[FILLED] = filled


def make_nodes(count: int, first: Longs, entries: Longs, colours: Longs) -> tuple[Ints, Ints]:
    """Return the nodes of all items and options, joined in rings, and the option of each node.

    Node 0 is unused, and nodes 1 to ``count`` are the items. Then a spacer precedes each option, and one follows the
    last.
    """
    options, total = len(first) - 1, len(entries)
    option = np.repeat(np.arange(options), np.diff(first))
    nodes = np.zeros((count + 2 + total + options, 4), dtype=np.int32)
    place = count + 2 + np.arange(total) + option
    spacers = count + 1 + first + np.arange(options + 1)
    nodes[place, TOP] = entries + 1
    nodes[place, COLOUR] = colours
    nodes[spacers, TOP] = -np.arange(options + 1)
    nodes[spacers[1:], UP] = spacers[:-1] + 1
    nodes[spacers[:-1], DOWN] = spacers[1:] - 1
    _link(nodes, count, place, entries)
    option_of = np.zeros(len(nodes), dtype=np.int32)
    option_of[place] = option
    return nodes, option_of


def _link(nodes: Ints, count: int, place: Longs, entries: Longs) -> None:
    """Join the nodes of each item in a ring, the options ascending."""
    if count == 0:
        return
    header = np.arange(1, count + 1)
    owner = np.concatenate((header, entries + 1))
    node = np.concatenate((header, place))
    order = np.lexsort((node, owner))
    ring, belongs = node[order], owner[order]
    starts = np.flatnonzero(np.diff(belongs, prepend=0))
    ends = np.append(starts[1:], len(ring)) - 1
    down, up = np.roll(ring, -1), np.roll(ring, 1)
    down[ends], up[starts] = ring[starts], ring[ends]
    nodes[ring, DOWN], nodes[ring, UP] = down, up
    nodes[header, TOP] = ends - starts


class LinksKernel(BufferedKernel):
    """A search kernel; see :mod:`puzzlec.engine.kernels` for its members."""

    def __init__(self, arrays: Arrays) -> None:
        primary, low, high, secondary, starts, items, colours = arrays
        first = np.asarray(starts, dtype=np.int64)
        entries = np.asarray(items, dtype=np.int64)
        count, options = primary + secondary, len(first) - 1
        nodes, option_of = make_nodes(count, first, entries, np.asarray(colours, dtype=np.int64))
        left, right = np.arange(-1, primary, dtype=np.int32), np.arange(1, primary + 2, dtype=np.int32)
        left[0], right[primary] = primary, 0
        lows, highs = np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)
        # An item cannot be covered more often than it has options. A bound is never less than the lower one.
        highs = np.minimum(highs, np.maximum(nodes[1 : primary + 1, TOP], lows))
        bound = np.concatenate(([0], highs)).astype(np.int32)
        slack = np.concatenate(([0], highs - lows)).astype(np.int32)
        self.lists = Lists(nodes, left, right, bound, slack, option_of, primary)
        depth = int(min(options, int(highs.sum())) + primary + 2)
        xs, branched, firsts = (np.zeros(depth, dtype=np.int32) for _ in range(3))
        degrees, tried, profile = (np.zeros(2 * depth + 1, dtype=np.int64) for _ in range(3))
        self.path = Path(xs, branched, firsts, degrees, tried, profile)
        super().__init__(depth)
        self.state[FEW] = MOST_ENTRIES
        self.problem, self.inside = self._prepare_bits(count, first, entries, colours, lows, highs)
        self.inner = np.zeros(8, dtype=np.int64)
        self.prefix, self.before, self.begun = np.zeros(depth, dtype=np.int64), 0, False
        for item in range(1, primary + 1):
            if bound[item] == 0:  # no option may cover it: remove them before the search
                cover(nodes, left, right, primary, item)

    def _prepare_bits(
        self,
        count: int,
        first: Longs,
        entries: Longs,
        colours: Sequence[int],
        lows: Longs,
        highs: Longs,
    ) -> tuple[bits.Problem, Inside]:
        """Return the problem in the form of ``bits``, and room for subtrees."""
        primary, options = self.lists.primary, len(first) - 1
        rows, all_of = bits.coloured_rows(count, entries.astype(np.int32), np.asarray(colours, dtype=np.int32))
        many = np.flatnonzero((lows != 1) | (highs != 1))
        counter = np.full(max(count, 1), -1, dtype=np.int32)
        counter[many] = np.arange(len(many))
        problem = bits.Problem(first.astype(np.int32), rows, all_of, primary, counter)
        marks = np.zeros(options // 64 + 1, dtype=np.uint64)
        options = min(options, MOST_OPTIONS)
        longest = int(np.diff(first).max(initial=0))  # entries of an option, secondary items included
        items = min(primary, MOST_ENTRIES)
        at_once = min(len(all_of), items + 2 * options * longest)
        # A level takes an option, or closes an item that needs no more.
        depth = min(options, int(highs.sum())) + min(items, int(np.count_nonzero(highs > lows))) + 2
        if depth * len(many) > bits.MOST_COUNTERS:  # a row of counters for each level takes too much memory
            self.state[FEW], options, items, at_once, depth = -1, 1, 1, 1, 1
            many = many[:0]
        tables = bits.make_tables(options, items, len(all_of), options * longest, at_once)
        return problem, Inside(counter, marks, tables, bits.make_levels(depth, options, items, len(many)))

    def _advance(self, budget: int, buffer: Ints) -> None:
        last = int(self.state[NODES]) + budget
        filled = 0
        while True:
            left, rest = last - int(self.state[NODES]), buffer[filled:]
            if self.state[PHASE] == INSIDE:
                if len(buffer) and len(rest) < len(self.path.xs):
                    break
                if not self._go_inside(left, rest):
                    filled += int(self.inner[FILLED])
                    break
                filled += int(self.inner[FILLED])
                continue
            advance(self.state, left, rest, self.lists, self.path, self.inside)
            filled += int(self.state[FILLED])
            if self.state[PHASE] != INSIDE:
                break
            self.begun = False
        self.state[FILLED] = filled

    def _go_inside(self, budget: int, buffer: Ints) -> bool:
        """Let ``bits`` search its subtree. Return whether the subtree is done."""
        level = int(self.state[LEVEL])
        levels = self.inside.levels._replace(profile=self.path.profile[level:])
        if not self.begun:
            self.begun = True
            tried = self.path.xs[:level]
            taken = self.lists.option_of[tried[tried != self.path.branched[:level]]]
            self.before = len(taken)
            self.prefix[: self.before] = taken
            self.inner[:] = 0
            bits.begin(self.problem, self.inside.tables, levels, levels.lows.shape[1] > 0)
        nodes, found = int(self.inner[NODES]), int(self.inner[FOUND])
        bits.advance(self.inner, budget, buffer, self.prefix, self.before, self.problem, self.inside.tables, levels)
        self.state[NODES] += self.inner[NODES] - nodes
        self.state[FOUND] += self.inner[FOUND] - found
        if not self.inner[FINISHED]:
            return False
        if self.inner[NODES] < POOR:
            self.state[FEW] = max(LEAST, int(self.state[FEW]) * 3 // 4)
        elif self.inner[NODES] > GOOD:
            self.state[FEW] = min(MOST_ENTRIES, int(self.state[FEW]) * 5 // 4 + 8)
        self.state[LEVEL], self.state[PHASE] = level - 1, BACK
        return True

    def position(self) -> list[tuple[int, int]]:
        """Return for each level of the current path the number of finished branches and the greatest number."""
        if self.finished:
            return []
        level, phase = int(self.state[LEVEL]), int(self.state[PHASE])
        tried, degrees = self.path.tried, self.path.degrees
        path = [(int(tried[k]) - 1, int(degrees[k])) for k in range(level)]
        if phase == INSIDE and self.begun:
            return path + bits.path_of(self.inside.levels, int(self.inner[LEVEL]), self.inner[PHASE] == bits.TRY)
        return [*path, (int(tried[level]), int(degrees[level]))] if phase == TRY else path

    @property
    def profile(self) -> list[int]:
        """Number of nodes visited on each level, the first level first."""
        profile: list[int] = np.trim_zeros(self.path.profile, "b").tolist()
        return profile
