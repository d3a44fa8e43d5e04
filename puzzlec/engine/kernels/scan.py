"""A count that fills the cells of a flat board in their order, with a sliding window of bits.

The primary items that are covered exactly once are *cells*, in the order of their numbers. A node covers the first
empty cell. Its state is one word with a bit for each of the next cells, and one word with counters for all other
items: pieces, copies, secondary items. So an option is tested with two instructions per word.

The options of a cell are listed by the pattern of the :data:`NEAR` cells after it. A list has only options that fit the
pattern and leave an option for each of the :data:`AHEAD` next empty cells. It is made when its pattern first occurs.
Cells with the same options, relative to them, share their lists.

One item has no place in this order: the one with the fewest options. Its options are placed at the root, one after the
other. On a board of different pieces, this is the symmetric piece with one placement of each orbit.

The tree is not that of the search kernels. It has more nodes, each of which takes a fraction of the time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.words import get, lowest

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

#: The cells after the first empty one that make a pattern, and those that must keep an option.
NEAR, AHEAD = 8, 8

#: An option may reach over this many cells, as pentominoes do on six rows. On wider boards the tree is too large.
MAX_CELLS_REACHED = 25
#: The cells in a window: an option from any of the :data:`AHEAD` next cells fits in, and a word has bits to spare.
CELLS_OF_WINDOW = 36

#: An item with an option whose other items are all farther away than this is no cell.
MAX_CELLS_TO_NEXT = 16

#: Boards have at most this many cells, and two words this many options.
MOST_CELLS, MOST_OPTIONS = 512, 1 << 15

#: Room for options in lists, at first
FIRST_LISTED_OPTIONS = 1 << 13

#: The time to make a list, in nodes
LIST_COST_IN_NODES = 90

#: The numbers of ``state``: the level (-1: before the next root), the next root, the nodes, the covers, the lists, and
#: the options in all of them
LEVEL, ROOT, NODES, FOUND, MADE, LISTED = range(6)

#: Why ``advance`` returned
SPENT, DONE, FULL = range(3)

ONE, NONE = np.uint64(1), np.uint64(0)
PATTERN = np.uint64((1 << NEAR) - 1)


class ScanBoard(NamedTuple):
    """The constant data of a problem.

    - ``starts`` (cells + 1): the options of each cell, those that have it as their first one
    - ``masks``, ``steps`` (uint64): for each option its cells, from its first one on, and what it adds to the counters
    - ``kinds`` and ``sample``: the kind of each cell, and a cell of each kind
    - ``root_starts``, ``root_cells``, ``root_steps``: the cells of each root, and what it adds to the counters
    - ``counters`` (uint64): the counters at first, the bits that no counter may reach, and what a counter must be given
      to reach them if it has its lower bound
    """

    starts: Ints
    masks: Words
    steps: Words
    kinds: Ints
    sample: Ints
    root_starts: Ints
    root_cells: Ints
    root_steps: Words
    counters: Words


class PatternLists(NamedTuple):
    """The lists of options by kind of cell and pattern. ``begins`` is -1 for a list that is not made yet."""

    begins: Ints
    ends: Ints
    masks: Words
    steps: Words


class ScanLevels(NamedTuple):
    """The levels: the ``first``, the next (``at``) and the last (``end``) option in a list, and the state.

    ``ahead`` has for each cell a window of the cells that the root covers.
    """

    first: Longs
    at: Longs
    end: Longs
    cell: Longs
    window: Words
    used: Words
    ahead: Words


@inlined
def leaves_options(board: ScanBoard, cell: int, covered: int) -> bool:
    """Return whether each of the next empty cells has an option. ``covered`` are covered cells, from this one on."""
    cells = len(board.starts) - 1
    for target in range(cell + 1, min(cell + AHEAD + 1, cells)):
        if (covered >> np.uint64(target - cell)) & ONE:
            continue
        has_option = False
        first = target
        while first > cell and not has_option:
            shift, bit = np.uint64(first - cell), np.uint64(target - first)
            for option in range(board.starts[first], board.starts[first + 1]):
                mask = board.masks[option]
                if (mask >> bit) & ONE and (mask << shift) & covered == NONE:
                    has_option = True
                    break
            first -= 1
        if not has_option:
            return False
    return True


@inner
def make_list(board: ScanBoard, lists: PatternLists, kind: int, pattern: int, number: int) -> int:
    """Make the list of a kind of cell with a pattern, after ``number`` options of others. Return the new number."""
    key = (kind << NEAR) | pattern
    cell = board.sample[kind]
    lists.begins[key] = number
    covered = np.uint64(pattern) << ONE
    for option in range(board.starts[cell], board.starts[cell + 1]):
        mask = board.masks[option]
        if mask & covered == NONE and leaves_options(board, cell, mask | covered):
            lists.masks[number], lists.steps[number] = mask, board.steps[option]
            number += 1
    lists.ends[key] = number
    return number


@inner
def place_root(board: ScanBoard, root: int, ahead: Words) -> None:
    """Fill ``ahead`` with the cells of a root."""
    for cell in range(len(ahead)):
        ahead[cell] = NONE
    for k in range(board.root_starts[root], board.root_starts[root + 1]):
        covered = board.root_cells[k]
        for cell in range(max(0, covered - CELLS_OF_WINDOW + 1), covered + 1):
            ahead[cell] |= ONE << np.uint64(covered - cell)


@inlined
def fitting(lists: PatternLists, window: Any, used: Any, bound: Any, at: Any, end: Any) -> Any:
    """Return the next option of a list, from ``at`` on, that fits the state; ``end`` if there is none."""
    while at < end and ((get(lists.masks, at) & window) | ((used + get(lists.steps, at)) & bound)) != NONE:
        at += 1
    return at


@inlined
def first_empty(cell: Any, window: Any, ahead: Words) -> tuple[Any, Any]:
    """Return the first empty cell from this one on, and the window from there."""
    while window & ONE:
        covered = lowest(~window)
        cell += np.int64(covered)
        window = (window >> covered) | ahead[cell]
    return cell, window


@jit
def advance(board: ScanBoard, lists: PatternLists, levels: ScanLevels, longest: int, state: Longs, budget: int) -> int:
    """Continue the count for at most ``budget`` nodes. Return the reason why it ended.

    ``FULL``: a list with the ``longest`` number of options may not have room.
    """
    first_of, at_of, end_of, cell_of, window_of, used_of, ahead = levels
    masks, steps, kinds, begins = lists.masks, lists.steps, board.kinds, lists.begins
    cells, roots = len(board.starts) - 1, len(board.root_starts) - 1
    zero, bound, closing = board.counters[0], board.counters[1], board.counters[2]
    level, listed, nodes, covers = state[LEVEL], state[LISTED], 0, 0
    room = len(masks) - longest
    at, end, cell, window, used = np.int64(0), np.int64(0), np.int64(0), NONE, NONE
    if level >= 0:
        at, end, cell, window, used = at_of[level], end_of[level], cell_of[level], window_of[level], used_of[level]
    reason = SPENT
    while True:
        if level >= 0:
            at = fitting(lists, window, used, bound, at, end)
            if at == end:
                level -= 1
                if level >= 0:
                    at, end, cell = at_of[level], end_of[level], cell_of[level]
                    window, used = window_of[level], used_of[level]
                continue
        elif state[ROOT] == roots:
            reason = DONE
            break
        if nodes == budget or listed > room:
            reason = SPENT if nodes == budget else FULL
            break
        nodes += 1
        if level >= 0:
            at_of[level] = at + 1
            window |= get(masks, at)
            used += get(steps, at)
        else:
            place_root(board, state[ROOT], ahead)
            cell, window, used = np.int64(0), ahead[0], zero + board.root_steps[state[ROOT]]
            state[ROOT] += 1
            if used & bound:
                continue
        cell, window = first_empty(cell, window, ahead)
        if cell == cells:
            if (used + closing) & bound == bound:
                covers += 1
            if level >= 0:
                at, cell, window, used = at + 1, cell_of[level], window_of[level], used_of[level]
            continue
        kind, pattern = kinds[cell], int((window >> ONE) & PATTERN)
        key = (kind << NEAR) | pattern
        if begins[key] < 0:
            listed = make_list(board, lists, kind, pattern, listed)
            state[MADE] += 1
        level += 1
        at, end = np.int64(begins[key]), np.int64(lists.ends[key])
        first_of[level], at_of[level], end_of[level] = at, at, end
        cell_of[level], window_of[level], used_of[level] = cell, window, used
    if level >= 0:
        at_of[level] = at
    state[LEVEL], state[LISTED] = level, listed
    state[NODES] += nodes
    state[FOUND] += covers
    return reason


class _CounterFields(NamedTuple):
    """The unit of each item's counter (0: the item is a cell), and ``counters`` of :class:`ScanBoard`."""

    units: Words
    counters: Words


def _fields(arrays: Arrays, is_cell: npt.NDArray[np.bool_], sizes: Longs) -> _CounterFields | None:
    """Return the counters of all items that are no cells; None if they take more than a word.

    A counter of at most ``high`` has a guard bit above it. It begins so that one more than ``high`` sets that bit.
    """
    units, place = np.zeros(len(is_cell), np.uint64), 0
    begin = bound = closing = 0
    for item in np.flatnonzero(~is_cell).tolist():
        low, high = (arrays.low[item], arrays.high[item]) if item < arrays.primary else (0, 1)
        high = min(high, max(low, int(sizes[item])))
        bits = max(1, high.bit_length())
        if place + bits + 1 > 64:
            return None
        units[item] = 1 << place
        begin |= ((1 << bits) - 1 - high) << place
        bound |= 1 << (place + bits)
        closing |= (1 + high - low) << place
        place += bits + 1
    return _CounterFields(units, np.array([begin, bound, closing], np.uint64))


class ScanKernel:
    """The count of a problem that :meth:`of` accepts. It continues where it was after each call of ``advance``."""

    def __init__(self, board: ScanBoard) -> None:
        cells, kinds = len(board.starts) - 1, len(board.sample)
        self.board = board
        self.longest = int(np.diff(board.starts).max(initial=0))
        size = max(FIRST_LISTED_OPTIONS, 2 * self.longest)
        begins = np.full(kinds << NEAR, -1, np.int32)
        self.lists = PatternLists(begins, np.zeros_like(begins), np.zeros(size, np.uint64), np.zeros(size, np.uint64))
        first, at, end, cell = (np.zeros(cells + 1, np.int64) for _ in range(4))
        window, used, ahead = (np.zeros(cells + 1, np.uint64) for _ in range(3))
        self.levels = ScanLevels(first, at, end, cell, window, used, ahead)
        self.state = np.zeros(LISTED + 1, np.int64)
        self.state[LEVEL] = -1
        self.finished = False

    @classmethod
    def of(cls, arrays: Arrays) -> ScanKernel | None:
        """Return the kernel of a problem; None if it is no board of cells with few other items."""
        primary, total, options = arrays.primary, arrays.primary + arrays.secondary, len(arrays.starts) - 1
        if not 0 < options <= MOST_OPTIONS or not primary or np.asarray(arrays.colours).any():
            return None
        starts = np.asarray(arrays.starts, np.int64)
        owner = np.repeat(np.arange(options), np.diff(starts))
        keys = np.sort(owner << 32 | np.asarray(arrays.items, np.int64))
        item = keys & 0xFFFFFFFF
        sizes = np.bincount(item, minlength=total)
        gap = np.where(np.diff(owner) == 0, np.diff(item), 0)
        before, after = np.concatenate(([0], gap)), np.concatenate((gap, [0]))
        nearest = np.where(before == 0, after, np.where(after == 0, before, np.minimum(before, after)))
        is_cell = np.zeros(total, np.bool_)
        once = (np.asarray(arrays.low) == 1) & (np.asarray(arrays.high) == 1)
        is_cell[:primary] = once
        is_cell[item[nearest > MAX_CELLS_TO_NEXT]] = False
        cells = int(is_cell.sum())
        fields = _fields(arrays, is_cell, sizes) if 0 < cells <= MOST_CELLS else None
        if fields is None:
            return None
        rank = np.cumsum(is_cell) - 1
        inside = is_cell[item]
        of_cells, places = owner[inside], rank[item[inside]]
        number = np.bincount(of_cells, minlength=options)
        ends = np.cumsum(number)
        if not number.all():
            return None
        first, last = places[ends - number], places[ends - 1]
        root = int(np.where(once, sizes[:primary], options + 1).argmin())
        is_root = np.zeros(options, np.bool_)
        is_root[owner[item == root]] = True
        if (last - first >= MAX_CELLS_REACHED)[~is_root].any():
            return None
        shifts = np.minimum(places - first[of_cells], 63).astype(np.uint64)
        masks = np.bitwise_or.reduceat(ONE << shifts, ends - number)
        steps = np.add.reduceat(fields.units[item], starts[:-1])
        order = np.argsort(first, kind="stable")
        order = order[~is_root[order]]
        begin = np.searchsorted(first[order], np.arange(cells + 1)).astype(np.int32)
        kinds, sample = _kinds(begin, masks[order], steps[order])
        root_starts = np.concatenate(([0], np.cumsum(number[is_root]))).astype(np.int32)
        root_cells = places[is_root[of_cells]].astype(np.int32)
        return cls(
            ScanBoard(
                begin,
                masks[order],
                steps[order],
                kinds,
                sample,
                root_starts,
                root_cells,
                steps[is_root],
                fields.counters,
            )
        )

    def begin(self, root: int, board: ScanBoard) -> None:
        """Begin with one root of a board, and keep the lists, which depend on its cells alone."""
        begin, end = board.root_starts[root], board.root_starts[root + 1]
        starts, steps = np.array([0, end - begin], np.int32), board.root_steps[root : root + 1]
        self.board = board._replace(root_starts=starts, root_cells=board.root_cells[begin:end], root_steps=steps)
        self.state[LEVEL], self.state[ROOT] = -1, 0
        self.finished = False

    def advance(self, budget: int) -> None:
        """Visit at most this many nodes."""
        goal = self.nodes_visited + budget
        while not self.finished and self.nodes_visited < goal:
            left = goal - self.nodes_visited
            reason = advance(self.board, self.lists, self.levels, self.longest, self.state, left)
            if reason == FULL:
                begins, ends, masks, steps = self.lists
                more = np.zeros_like(masks)
                self.lists = PatternLists(begins, ends, np.concatenate((masks, more)), np.concatenate((steps, more)))
            self.finished = reason == DONE

    def close(self) -> None:
        """Do nothing: there are no threads to end."""

    @property
    def nodes_visited(self) -> int:
        """Number of branches taken."""
        return int(self.state[NODES])

    @property
    def work(self) -> int:
        """The time so far in nodes, including that of the lists."""
        return self.nodes_visited + LIST_COST_IN_NODES * int(self.state[MADE])

    @property
    def found(self) -> int:
        """Number of covers so far."""
        return int(self.state[FOUND])

    @property
    def fraction(self) -> float:
        """The part of the tree before the position, from 0 to 1."""
        if self.finished:
            return 1.0
        level, roots = int(self.state[LEVEL]), max(1, len(self.board.root_steps))
        done, share = int(self.state[ROOT]) / roots, 1 / roots
        if level < 0:
            return done
        done -= share
        first, at, end = self.levels[:3]
        for depth in range(level + 1):
            size = int(end[depth] - first[depth])
            if size == 0:
                break
            share /= size
            done += share * (int(at[depth] - first[depth]) - (depth < level))
        return done


def _kinds(starts: Ints, masks: Words, steps: Words) -> tuple[Ints, Ints]:
    """Return the kind of each cell, and a cell of each kind: cells of a kind have the same options around them."""
    cells = len(starts) - 1
    number_of: dict[tuple[bytes, ...], int] = {}
    sample: list[int] = []
    kinds = np.zeros(cells, np.int32)
    for cell in range(cells):
        end = min(cell + AHEAD + 1, cells)
        begin = starts[cell]
        around = starts[cell : end + 1] - begin
        key = around.tobytes(), masks[begin : starts[end]].tobytes(), steps[begin : starts[cell + 1]].tobytes()
        kinds[cell] = number_of.setdefault(key, len(number_of))
        if kinds[cell] == len(sample):
            sample.append(cell)
    return kinds, np.array(sample, np.int32)
