"""A count layer by layer: it keeps only the frontiers of all partial covers, and the number of each.

The items have an order, and an option is used when its first item comes. After each step, partial covers that cover the
items of later options in the same way are equal. A layer is a table of such states, each with its number of ways. Only
two layers are in memory. If pieces repeat, the size is exponential only in the width of a board, not in its area: this
is the broken profile of tilings, without any knowledge of boards. The same idea draws decision diagrams from the top
down in Simpath (D. E. Knuth, TAOCP 7.1.4, exercise 225) and in frontier methods since.

A layer is a hash table with open addressing. A row has ``limbs`` words for the number of ways (little end first)
and ``words`` words for the state, which is compared in full. If the number is 0, the row is free. If a number outgrows
its limbs, all numbers get one limb more. Nothing overflows.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels import layers
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.layers import COLOUR, COUNT, Ints, Steps, Words

# The numbers of ``state``. ROW and OPTION: the position in the table and among the options where to continue. SOURCE:
# the number of the source table. ROOM: the logical sizes of both tables. USED: the used rows of the target. EXPANDED:
# the states expanded so far. WIDEST and LAYER: the states of the widest layer and of this layer.
STEP, ROW, OPTION, SOURCE, ROOM, USED, EXPANDED, WIDEST, LAYER = 0, 1, 2, 3, 4, 6, 7, 8, 9

#: Why ``advance`` returned: the budget is spent, all is done, the target is full, a number outgrew its limbs
SPENT, DONE, FULL, WIDE = 0, 1, 2, 3

#: Logarithm of a growth that no frontier survives
LARGEST = 40.0

#: States between two notes of the step
STRIDE = 1 << 11

#: Rows of the first tables
FIRST = 1 << 10


@inner
def place(table: Words, room: int, limbs: int, stride: int, key: Words) -> int:
    """Return the position of a state's row in a table, or of the free row for it."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for w in range(stride - limbs):
        mixed = (mixed ^ key[w]) * np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(32)
    at = np.int64(mixed * np.uint64(0xC4CEB9FE1A85EC53) >> np.uint64(20)) & (room - 1)
    while True:
        base = at * stride
        busy = np.uint64(0)
        for limb in range(limbs):
            busy |= table[base + limb]
        if busy == 0:
            return int(base)
        same = True
        for w in range(stride - limbs):
            if table[base + limbs + w] != key[w]:
                same = False
                break
        if same:
            return int(base)
        at = (at + 1) & (room - 1)


@jit
def rehash(old: Words, old_room: int, new: Words, room: int, limbs: int, stride: int) -> None:
    """Fill a table of zeros with the rows of a smaller one."""
    for row in range(old_room):
        base = row * stride
        busy = np.uint64(0)
        for limb in range(limbs):
            busy |= old[base + limb]
        if busy:
            at = place(new, room, limbs, stride, old[base + limbs : base + stride])
            for k in range(stride):
                new[at + k] = old[base + k]


@inner
def changed(fresh: Words, changes: Ints, begin: int, end: int) -> bool:
    """Apply an option's entries that are more than one bit. Return whether the state allows them."""
    for k in range(begin, end):
        word, shift = changes[k, 1] >> 6, np.uint64(changes[k, 1] & 63)
        mask, code = np.uint64(changes[k, 2]), np.uint64(changes[k, 3])
        value = (fresh[word] >> shift) & mask
        cap = np.uint64(changes[k, 4])
        if changes[k, 0] == COLOUR:
            if value != 0 and (value != code or code == 1):
                return False
            then = code
        else:
            then = value + code
            if then > cap:
                if changes[k, 0] == COUNT:
                    return False
                then = cap
        fresh[word] = (fresh[word] & ~(mask << shift)) | (then << shift)
    return True


@inlined
def lasting(fresh: Words, step: int, keep: Words, need: Words, ends: Ints, closing: Ints) -> bool:
    """Forget the items that no later option has. Return whether all of them are covered as they must be."""
    for k in range(ends[step], ends[step + 1]):
        value = (fresh[closing[k, 0] >> 6] >> np.uint64(closing[k, 0] & 63)) & np.uint64(closing[k, 1])
        if value < np.uint64(closing[k, 2]):
            return False
    for w in range(len(fresh)):
        if need[step, w] & ~fresh[w]:
            return False
        fresh[w] &= keep[step, w]
    return True


@inlined
def hopeful(fresh: Words, step: int, cuts: Ints, masks: Words, branches: Ints) -> bool:
    """Return whether a state has an option for the item of the next step, if that item needs one.

    Otherwise the state would end there. Not storing it is faster (Y pentominoes in 15 x 15: a sixth of the states).
    """
    bit = branches[step, 0]
    if branches[step, 1] or (fresh[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1):
        return True
    for option in range(cuts[step], cuts[step + 1]):
        clash = fresh[0] & masks[option, 0]
        for w in range(1, len(fresh)):
            clash |= fresh[w] & masks[option, w]
        if clash == 0:
            return True
    return False


@inlined
def is_used(table: Words, base: int, limbs: int) -> bool:
    """Return whether a row of a table has a state: its number of ways is not 0."""
    used = np.uint64(0)
    for limb in range(limbs):
        used |= table[base + limb]
    return bool(used != 0)


@inlined
def added(target: Words, at: int, source: Words, base: int, limbs: int) -> bool:
    """Add a number of ways to another one. If it has too few limbs, change nothing and return False."""
    carry = np.uint64(0)
    for limb in range(limbs):
        a, b = target[at + limb], source[base + limb]
        total = a + b + carry
        carry = (a & b | (a | b) & ~total) >> np.uint64(63)
    if carry:
        return False
    for limb in range(limbs):
        a, b = target[at + limb], source[base + limb]
        total = a + b + carry
        carry = (a & b | (a | b) & ~total) >> np.uint64(63)
        target[at + limb] = total
    return True


@inlined
def next_layer(state: npt.NDArray[np.int64], source: Words, stride: int) -> None:
    """Go to the next layer. Its table has a size that is half full if it is as wide as this one."""
    used = state[USED]
    state[STEP] += 1
    state[SOURCE] = 1 - state[SOURCE]
    state[ROW], state[LAYER], state[USED] = 0, used, 0
    state[WIDEST] = max(state[WIDEST], used)
    want = 64
    while want < 4 * used:
        want *= 2
    while want * stride > len(source):
        want //= 2
    state[ROOM + 1 - state[SOURCE]] = want
    source[: want * stride] = 0


@jit
def advance(one: Words, two: Words, limbs: int, steps: Steps, state: npt.NDArray[np.int64], budget: int) -> int:
    """Continue the count until this many states are expanded or something is in the way. Return the reason.

    ``one`` and ``two`` are the tables. After any result but ``DONE``, the next call continues there, with the same
    tables or with larger ones that have the same rows.
    """
    cuts, masks, more, changes, branches, keep, need, ends, closing = steps
    words, number = masks.shape[1], len(cuts) - 1
    stride = limbs + words
    fresh = np.empty(words, np.uint64)
    while state[STEP] < number:
        step = state[STEP]
        if state[SOURCE] == 0:
            source, target = one, two
        else:
            source, target = two, one
        room, goal = state[ROOM + state[SOURCE]], state[ROOM + 1 - state[SOURCE]]
        bit, leave = branches[step, 0], branches[step, 1]
        first, last = cuts[step], cuts[step + 1]
        plain = more[first] == more[last] and ends[step] == ends[step + 1]
        used, option = state[USED], state[OPTION]
        most = goal - (goal >> 2)
        reason = -1
        row = state[ROW]
        while row < room:
            base = row * stride
            if not is_used(source, base, limbs):
                row += 1
                continue
            if budget <= 0:
                reason = SPENT
                break
            key = base + limbs
            covered = bit >= 0 and (source[key + (bit >> 6)] >> np.uint64(bit & 63)) & np.uint64(1) != 0
            # Option ``last`` takes none of them: the item is covered already, or need not be.
            if covered:
                option = last
            end = last + 1 if covered or leave else last
            while option < end:
                if option < last:
                    clash = source[key] & masks[option, 0]
                    for w in range(1, words):
                        clash |= source[key + w] & masks[option, w]
                    if clash:
                        option += 1
                        continue
                    for w in range(words):
                        fresh[w] = source[key + w] | masks[option, w]
                    if not plain and not changed(fresh, changes, more[option], more[option + 1]):
                        option += 1
                        continue
                else:
                    for w in range(words):
                        fresh[w] = source[key + w]
                if not lasting(fresh, step, keep, need, ends, closing) or (
                    step + 1 < number and not hopeful(fresh, step + 1, cuts, masks, branches)
                ):
                    option += 1
                    continue
                at = place(target, goal, limbs, stride, fresh)
                if is_used(target, at, limbs):
                    if not added(target, at, source, base, limbs):
                        reason = WIDE
                        break
                else:
                    if used == most:
                        reason = FULL
                        break
                    used += 1
                    for limb in range(limbs):
                        target[at + limb] = source[base + limb]
                    for w in range(words):
                        target[at + limbs + w] = fresh[w]
                option += 1
            if reason >= 0:
                break
            budget -= 1
            state[EXPANDED] += 1
            row += 1
            option = first
        state[ROW], state[OPTION], state[USED] = row, option, used
        if reason >= 0:
            return reason
        next_layer(state, source, stride)
        state[OPTION] = last
    return DONE


class FrontierKernel:
    """The frontier of a problem; see the module.

    ``order`` lists the primary items in the order in which they are covered (None: the kernel chooses). ``memory``
    bounds the bytes of the tables and may be raised between calls. ``weights`` has a number for each entry of an
    option: how often the option covers the item (None: once).

    If ``too_wide`` is true, the count needs more memory to continue.
    """

    def __init__(
        self,
        arrays: Arrays,
        order: Sequence[int] | None = None,
        memory: int = 1 << 30,
        weights: Sequence[int] | None = None,
    ) -> None:
        primary, low, high, secondary, starts, items, colours = arrays
        if order is not None and sorted(order) != list(range(primary)):
            raise ValueError("the order of a frontier must list every primary item once")
        entries = _ints(items)
        problem = layers.Problem(
            primary,
            primary + secondary,
            _ints(low),
            _ints(high),
            _ints(starts),
            entries,
            _ints(colours),
            np.ones(len(entries), np.int32) if weights is None else _ints(weights),
        )
        given = _ints(order) if order is not None else np.empty(0, np.int32)
        self.possible, self.words, steps = layers.prepare(problem, given)
        self.steps = Steps(*steps)
        self.memory = memory
        self.limbs = 1
        self.too_wide = False
        self.finished = not self.possible or len(self.steps.cuts) == 1
        self.steps_at: list[int] = [0]  # the step after each STRIDE states
        self.state = np.zeros(10, np.int64)
        self.state[ROOM : ROOM + 2] = FIRST
        self.state[LAYER] = self.state[WIDEST] = 1
        self.tables = [np.zeros(FIRST * (1 + self.words), np.uint64) for _ in range(2)]
        self.tables[0][0] = 1  # one way to cover nothing

    @property
    def nodes_visited(self) -> int:
        """Number of expanded states."""
        return int(self.state[EXPANDED])

    @property
    def widest(self) -> int:
        """Number of states of the widest layer so far."""
        return int(max(self.state[WIDEST], self.state[USED]))

    @property
    def progress(self) -> tuple[int, int]:
        """Number of finished layers, and of all layers."""
        return int(self.state[STEP]), len(self.steps.cuts) - 1

    @property
    def stored(self) -> int:
        """Number of states stored so far: the expanded ones, and those that wait in both tables.

        The time of a count is proportional to this number, even if each state has many successors.
        """
        state = self.state
        waiting = int(state[LAYER]) * (1 - int(state[ROW]) / int(state[ROOM + state[SOURCE]]))
        return self.nodes_visited + int(waiting) + int(state[USED])

    @property
    def effort(self) -> float:
        """Rough time of a stored state, in nodes of a search. Both were measured in nanoseconds.

        A node reads a set of options for each item that is left.
        """
        words, items = -(-len(self.steps.masks) // 64), -(-len(self.steps.branches) // 8)
        return (180 + 30 * self.words) / (80 + min(words * items, 300))

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return sum(table.nbytes for table in self.tables)

    def advance(self, budget: int) -> None:
        """Expand at most this many states."""
        self.too_wide = False
        goal = self.nodes_visited + budget
        while not self.finished:
            one, two = self.tables
            visited = self.nodes_visited
            reason = advance(one, two, self.limbs, self.steps, self.state, min(goal, self._next_note) - visited)
            if reason == DONE:
                self.finished = True
            elif reason == SPENT:
                if self.nodes_visited == self._next_note:
                    self.steps_at.append(int(self.state[STEP]))
                if self.nodes_visited >= goal:
                    break
            elif not self._enlarge(reason):
                break

    @property
    def _next_note(self) -> int:
        return STRIDE * len(self.steps_at)

    def expected(self) -> float:
        """Return the number of states that are left, by the growth of the layers; infinity if that is unknown.

        The second half of the steps so far has several times as many states as the first half. Up to the middle of all
        steps, further steps grow in the same way, and after the middle they shrink again.
        """
        done, steps = self.steps_at[-1], len(self.steps.cuts) - 1
        first = STRIDE * bisect.bisect_left(self.steps_at, (done + 1) // 2)
        visited = STRIDE * (len(self.steps_at) - 1)
        if done < 4 or first in (0, visited):
            return math.inf
        growth, late = max(1.0, (visited - first) / first), visited - first
        blocks = max(0.0, (steps / 2 - done) / (done / 2))
        if blocks == 0:
            return late / (done / 2) * (steps - done)
        if blocks * math.log(growth) > LARGEST:
            return math.inf
        peak = late * float(growth**blocks)
        return peak / (done / 2) * (steps - done)

    def forget(self) -> None:
        """Release the memory of the tables. The count cannot continue afterwards."""
        self.tables = [np.zeros(0, np.uint64) for _ in range(2)]

    def total(self) -> int:
        """Return the number of covers; raise ValueError before the count is finished."""
        if not self.finished:
            raise ValueError("the count is not finished")
        if not self.possible:
            return 0
        table, stride = self.tables[int(self.state[SOURCE])], self.limbs + self.words
        rows = table[: int(self.state[ROOM + self.state[SOURCE]]) * stride].reshape(-1, stride)
        # In the end nothing is remembered: there is one state, or none.
        return sum(int(limb) << 64 * k for k in range(self.limbs) for limb in rows[:, k][rows[:, k] != 0])

    def _enlarge(self, reason: int) -> bool:
        """Double the rows of the target, or add a limb to all numbers. Return whether there is memory for it."""
        if reason == WIDE:
            larger = [_widened(table, self.limbs, self.words) for table in self.tables if self._allows(table.nbytes)]
            if len(larger) == 2:
                self.tables, self.limbs = larger, self.limbs + 1
            return len(larger) == 2
        target = 1 - int(self.state[SOURCE])
        stride, room = self.limbs + self.words, int(self.state[ROOM + target])
        size = 8 * max(2 * room, FIRST) * stride
        if self.bytes + size > self.memory:
            self._compact()
        if not self._allows(size):
            return False
        new = np.zeros(max(2 * room, FIRST) * stride, np.uint64)
        rehash(self.tables[target], room, new, 2 * room, self.limbs, stride)
        self.tables[target] = new
        self.state[ROOM + target] = 2 * room
        return True

    def _compact(self) -> None:
        """Keep only the rows of the source that are not expanded yet, without free rows between them."""
        source, stride = int(self.state[SOURCE]), self.limbs + self.words
        row, room = int(self.state[ROW]), int(self.state[ROOM + source])
        rows = self.tables[source][row * stride : room * stride].reshape(-1, stride)
        left = rows[rows[:, : self.limbs].any(axis=1)]
        table = np.zeros(max(len(left), FIRST) * stride, np.uint64)  # it becomes a target, which needs free rows
        table[: left.size] = left.reshape(-1)
        self.tables[source] = table
        self.state[ROW], self.state[ROOM + source] = 0, max(len(left), FIRST)

    def _allows(self, size: int) -> bool:
        """Return whether there is memory for this many more bytes. If not, set ``too_wide``."""
        self.too_wide = self.too_wide or self.bytes + size > self.memory
        return not self.too_wide


def _widened(table: Words, limbs: int, words: int) -> Words:
    """Return a table with one limb more in each row, the rows in the same positions."""
    rows = table[: len(table) // (limbs + words) * (limbs + words)].reshape(-1, limbs + words)
    wider = np.zeros((len(rows), limbs + 1 + words), np.uint64)
    wider[:, :limbs] = rows[:, :limbs]
    wider[:, limbs + 1 :] = rows[:, limbs:]
    return wider.reshape(-1)


def _ints(numbers: Sequence[int]) -> Ints:
    """Return a sequence as an array that numba knows. An array of int32 stays as it is."""
    return np.asarray(numbers, dtype=np.int32)
