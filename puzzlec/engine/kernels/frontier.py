"""A count layer by layer: it keeps only the frontiers of all partial covers, and the number of each.

The items have an order, and an option is used when its first item comes. After each step, partial covers that cover the
items of later options in the same way are equal. A layer is a table of such states, each with its number of ways. Only
a few layers are in memory. A state whose next items are covered already skips their layers. If pieces repeat, the size
is exponential only in the width of a board, not in its area: this is the broken profile of tilings, without any
knowledge of boards. The same idea draws decision diagrams from the top down in Simpath (D. E. Knuth, TAOCP 7.1.4,
exercise 225) and in frontier methods since.

A layer is a hash table with open addressing. A row has ``limbs`` words for the number of ways (little end first)
and ``words`` words for the state, which is compared in full. If the number is 0, the row is free. If a number outgrows
its limbs, all numbers get one limb more. Nothing overflows.

A large table is in no cache of the processor. So new states are made in batches: while the memory for one of them is
loaded, the next ones are made.
"""

from __future__ import annotations

import bisect
import math
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels import layers
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.layers import COLOUR, COUNT, Ints, StepEffects, Words
from puzzlec.engine.kernels.words import fetch, peek, poke

#: Number of tables, a power of two. A state can skip all layers but one of them.
TABLES = 8

# The numbers of ``state``. STEP: the step of the layer at work. ROW and OPTION: the position in its table and among the
# options where to continue. EXPANDED: the states expanded so far. WIDEST: the states of the widest layer. TARGET: the
# table that is full, if one is. MADE: the states made so far, equal ones included. STRIDE, NOTED, NOTE: after each
# STRIDE states, the step is noted. TABLE, SIZE, ROOM and USED: the address and the words of each table's array, its
# rows, and the used ones.
STEP, ROW, OPTION, EXPANDED, WIDEST, TARGET, MADE, STRIDE, NOTED = range(9)
TABLE, SIZE, ROOM, USED, NOTE = 9, 9 + TABLES, 9 + 2 * TABLES, 9 + 3 * TABLES, 9 + 4 * TABLES

#: Why ``advance`` returned: the budget is spent, all is done, the target is full, a number outgrew its limbs
SPENT, DONE, FULL, WIDE = 0, 1, 2, 3

#: States that are stored together
STATES_OF_BATCH = 64

#: Binary logarithm of the largest forecast. Beyond it, the number of states is taken as infinite.
MAX_LOG_OF_STATES = 60.0

#: States between the first notes of the step, and the number of notes after which every second one is dropped
FIRST_STRIDE, NOTES = 1 << 8, 1 << 7

#: Rows of the first tables, and of the smallest one
FIRST_ROWS, MIN_ROWS = 1 << 8, 1 << 6

#: Smaller tables grow by a factor of four.
MIN_ROWS_TO_DOUBLE = 1 << 14


@inlined
def is_used(table: int, base: int, limbs: int) -> bool:
    """Return whether a row of a table has a state: its number of ways is not 0."""
    used = np.uint64(0)
    for limb in range(limbs):
        used |= peek(table, base + limb)
    return bool(used != 0)


@inlined
def row_for(key: Words, room: int) -> int:
    """Return the row of a table that a state has if no other one is there: a hash."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in key:
        mixed = (mixed ^ word) * np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(32)
    return int(np.int64(mixed * np.uint64(0xC4CEB9FE1A85EC53) >> np.uint64(20)) & (room - 1))


@inlined
def place(table: int, room: int, limbs: int, key: Words, row: int) -> int:
    """Return the position of a state's row in a table, or of the free row for it. Begin at a row."""
    stride = limbs + len(key)
    while True:
        base = row * stride
        if not is_used(table, base, limbs):
            return base
        same = True
        for w in range(len(key)):
            if peek(table, base + limbs + w) != key[w]:
                same = False
                break
        if same:
            return base
        row = (row + 1) & (room - 1)


@jit
def rehash(old: int, old_room: int, new: int, room: int, limbs: int, stride: int) -> None:
    """Fill a table of zeros with the rows of another one."""
    key = np.empty(stride - limbs, np.uint64)
    for row in range(old_room):
        base = row * stride
        if is_used(old, base, limbs):
            for w in range(stride - limbs):
                key[w] = peek(old, base + limbs + w)
            at = place(new, room, limbs, key, row_for(key, room))
            for k in range(stride):
                poke(new, at + k, peek(old, base + k))


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

    Otherwise the state would end there, so it need not be stored. Y pentominoes in 15 x 15 store a sixth of the states.
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
def added(target: int, at: int, source: int, base: int, limbs: int) -> bool:
    """Add a number of ways to another one. If it has too few limbs, change nothing and return False."""
    carry = np.uint64(0)
    for limb in range(limbs):
        a, b = peek(target, at + limb), peek(source, base + limb)
        total = a + b + carry
        carry = (a & b | (a | b) & ~total) >> np.uint64(63)
    if carry:
        return False
    for limb in range(limbs):
        a, b = peek(target, at + limb), peek(source, base + limb)
        total = a + b + carry
        carry = (a & b | (a | b) & ~total) >> np.uint64(63)
        poke(target, at + limb, total)
    return True


@inlined
def skipped(fresh: Words, step: int, last: int, steps: StepEffects) -> int:
    """Return the first step from this one on that has a choice for a state, at most ``last``; -1 if the state ends.

    An item that is covered already leaves no choice.
    """
    while step < last:
        bit = steps.branches[step, 0]
        if bit < 0 or (fresh[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1) == 0:
            break
        if not lasting(fresh, step, steps.keep, steps.need, steps.ends, steps.closing):
            return -1
        step += 1
    return step


@inner
def clear(table: int, size: int) -> None:
    """Set the first words of a table to zero."""
    for at in range(size):
        poke(table, at, np.uint64(0))


@inner
def next_layer(state: npt.NDArray[np.int64], limbs: int, stride: int) -> None:
    """Go to the next layer.

    Most states of the new layer will go to the one after it. The table of that one gets the array of the layer that is
    done, if it is larger: up to half full if it becomes as wide.
    """
    table = state[STEP] % TABLES
    state[STEP] += 1
    near = (state[STEP] + 1) % TABLES
    width = state[USED + state[STEP] % TABLES]
    state[ROW], state[USED + table] = 0, 0
    state[WIDEST] = max(state[WIDEST], width)
    want = rows_for(4 * width, state[SIZE + table] // stride)
    if want > state[ROOM + near] and 4 * state[USED + near] <= width:
        free = state[TABLE + table]
        clear(free, want * stride)
        rehash(state[TABLE + near], state[ROOM + near], free, want, limbs, stride)
        state[TABLE + table], state[TABLE + near] = state[TABLE + near], free
        state[SIZE + table], state[SIZE + near] = state[SIZE + near], state[SIZE + table]
        state[ROOM + near] = want
    want = rows_for(2 * width, state[SIZE + table] // stride)
    clear(state[TABLE + table], want * stride)
    state[ROOM + table] = want


@inlined
def rows_for(states: int, most: int) -> int:
    """Return the rows of a table for some states: a power of two, at most ``most``."""
    rows = MIN_ROWS
    while rows < states and 2 * rows <= most:
        rows *= 2
    return rows


class StateBatch(NamedTuple):
    """States on their way to their tables. While they wait for memory, the next ones are made.

    - ``keys`` (STATES_OF_BATCH, words), uint64: the states
    - ``notes`` (STATES_OF_BATCH, 5), int64: the step and the row in its table where each state goes. Then the row and
      the option that made it, and the number of states expanded before
    - ``fresh`` (words), uint64: the state that is being made
    """

    keys: Words
    notes: npt.NDArray[np.int64]
    fresh: Words


@inner
def fill(limbs: int, steps: StepEffects, state: npt.NDArray[np.int64], goal: int, batch: StateBatch) -> int:
    """Expand states of a layer, until the batch is full or ``goal`` states are expanded. Return the number made."""
    cuts, masks, more, changes, branches, keep, need, ends, closing = steps
    words, number = masks.shape[1], len(cuts) - 1
    stride = limbs + words
    step, row, option, expanded = state[STEP], state[ROW], state[OPTION], state[EXPANDED]
    source, room = state[TABLE + step % TABLES], state[ROOM + step % TABLES]
    near, near_room = state[TABLE + (step + 1) % TABLES], state[ROOM + (step + 1) % TABLES]
    bit, leave = branches[step, 0], branches[step, 1]
    first, last = cuts[step], cuts[step + 1]
    plain = more[first] == more[last] and ends[step] == ends[step + 1]
    farthest = min(step + TABLES - 1, number)
    next_bit = branches[step + 1, 0] if step + 1 < farthest else -1
    keys, notes, fresh = batch
    count = 0
    while row < room and expanded < goal:
        base = row * stride
        if not is_used(source, base, limbs):
            row += 1
            continue
        key = base + limbs
        covered = bit >= 0 and (peek(source, key + (bit >> 6)) >> np.uint64(bit & 63)) & np.uint64(1) != 0
        # Option ``last`` takes none of them: the item is covered already, or need not be.
        if covered:
            option = last
        end = last + 1 if covered or leave else last
        while option < end and count < STATES_OF_BATCH:
            if option < last:
                clash = peek(source, key) & masks[option, 0]
                for w in range(1, words):
                    clash |= peek(source, key + w) & masks[option, w]
                if clash:
                    option += 1
                    continue
                for w in range(words):
                    fresh[w] = peek(source, key + w) | masks[option, w]
                if not plain and not changed(fresh, changes, more[option], more[option + 1]):
                    option += 1
                    continue
            else:
                for w in range(words):
                    fresh[w] = peek(source, key + w)
            to = step + 1 if lasting(fresh, step, keep, need, ends, closing) else -1
            if to > 0 and next_bit >= 0 and (fresh[next_bit >> 6] >> np.uint64(next_bit & 63)) & np.uint64(1):
                to = skipped(fresh, to, farthest, steps)
            if to > 0 and (to == number or hopeful(fresh, to, cuts, masks, branches)):
                target, target_room = near, near_room
                if to != step + 1:
                    target, target_room = state[TABLE + to % TABLES], state[ROOM + to % TABLES]
                at = row_for(fresh, target_room)
                fetch(target, at * stride)
                for w in range(words):
                    keys[count, w] = fresh[w]
                notes[count, 0], notes[count, 1] = to, at
                notes[count, 2], notes[count, 3], notes[count, 4] = row, option, expanded
                count += 1
            option += 1
        if option < end:
            break
        expanded += 1
        row += 1
        option = first
    state[ROW], state[OPTION], state[EXPANDED] = row, option, expanded
    return count


@inner
def store(limbs: int, state: npt.NDArray[np.int64], batch: StateBatch, count: int) -> int:
    """Add the states of a batch to their tables. Return -1, or the reason why one of them must be made once more."""
    keys, notes, _ = batch
    words = keys.shape[1]
    stride = limbs + words
    source = state[TABLE + state[STEP] % TABLES]
    for k in range(count):
        number, base = notes[k, 0] % TABLES, notes[k, 2] * stride
        target, room = state[TABLE + number], state[ROOM + number]
        at = place(target, room, limbs, keys[k], notes[k, 1])
        reason = -1
        if is_used(target, at, limbs):
            if not added(target, at, source, base, limbs):
                reason = WIDE
        elif state[USED + number] == room - (room >> 2):
            reason = FULL
        else:
            state[USED + number] += 1
            for limb in range(limbs):
                poke(target, at + limb, peek(source, base + limb))
            for w in range(words):
                poke(target, at + limbs + w, keys[k, w])
        if reason >= 0:
            state[TARGET], state[ROW], state[OPTION], state[EXPANDED] = number, notes[k, 2], notes[k, 3], notes[k, 4]
            return reason
    return -1


@inlined
def note(state: npt.NDArray[np.int64]) -> None:
    """Note the step if it is time to."""
    while state[EXPANDED] >= state[STRIDE] * state[NOTED]:
        state[NOTE + state[NOTED]] = state[STEP]
        state[NOTED] += 1
        if state[NOTED] == NOTES:
            for k in range(1, NOTES // 2):
                state[NOTE + k] = state[NOTE + 2 * k]
            state[NOTED] = NOTES // 2
            state[STRIDE] *= 2


@jit
def advance(limbs: int, steps: StepEffects, state: npt.NDArray[np.int64], budget: int) -> int:
    """Continue the count until this many states are expanded or something is in the way. Return the reason.

    Step ``n`` has table ``n % TABLES``. After any result but ``DONE``, the next call continues there, with the same
    tables or with larger ones that have the same rows.
    """
    words, number = steps.masks.shape[1], len(steps.cuts) - 1
    batch = StateBatch(
        np.empty((STATES_OF_BATCH, words), np.uint64),
        np.empty((STATES_OF_BATCH, 5), np.int64),
        np.empty(words, np.uint64),
    )
    goal = state[EXPANDED] + budget
    while state[STEP] < number:
        count = fill(limbs, steps, state, goal, batch)
        state[MADE] += count
        reason = store(limbs, state, batch, count)
        if reason >= 0:
            return reason
        note(state)
        if state[ROW] == state[ROOM + state[STEP] % TABLES]:
            next_layer(state, limbs, limbs + words)
            state[OPTION] = steps.cuts[state[STEP]]
        elif state[EXPANDED] >= goal:
            return SPENT
    return DONE


def living(steps: StepEffects) -> list[int]:
    """Return for each step the number of bits that may be set after it."""
    cuts, options = steps.cuts, len(steps.masks)
    begun = np.bitwise_or.reduceat(steps.masks, cuts[:-1], axis=0)
    places, fields = steps.changes[:, 1], steps.changes[:, 2].astype(np.uint64)
    at = np.searchsorted(cuts, np.repeat(np.arange(options), np.diff(steps.more)), "right") - 1
    np.bitwise_or.at(begun, (at, places >> 6), fields << (places & 63).astype(np.uint64))
    counts, live = [], 0
    for begins, keeps in zip(begun, steps.keep, strict=True):
        live = (live | int.from_bytes(begins.tobytes(), sys.byteorder)) & int.from_bytes(keeps.tobytes(), sys.byteorder)
        counts.append(live.bit_count())
    return counts


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
        problem = layers.LayersProblem(
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
        self.steps = StepEffects(*steps)
        self.memory = memory
        self.limbs = 1
        self.too_wide = False
        self.finished = not self.possible or len(self.steps.cuts) == 1
        self.state = np.zeros(NOTE + NOTES, np.int64)
        self.state[ROOM : ROOM + TABLES] = FIRST_ROWS
        self.state[USED] = self.state[WIDEST] = self.state[NOTED] = 1
        self.state[STRIDE] = FIRST_STRIDE
        self._live: list[int] = []  # the bits that live after each step, once they are known
        self.tables: dict[int, Words] = {}  # by their addresses, since the kernel exchanges them
        for number in range(TABLES):
            self._give(number, np.zeros(FIRST_ROWS * (1 + self.words), np.uint64))
        self._table(0)[0] = 1  # one way to cover nothing

    @property
    def nodes_visited(self) -> int:
        """Number of expanded states."""
        return int(self.state[EXPANDED])

    @property
    def widest(self) -> int:
        """Number of states of the widest layer so far."""
        return int(max(self.state[WIDEST], self.state[USED : USED + TABLES].max()))

    @property
    def progress(self) -> tuple[int, int]:
        """Number of finished layers, and of all layers."""
        return int(self.state[STEP]), len(self.steps.cuts) - 1

    @property
    def stored(self) -> int:
        """Number of states stored so far: the expanded ones, and those that wait in the tables.

        The time of a count is proportional to this number, even if each state has many successors.
        """
        state = self.state
        table = int(state[STEP]) % TABLES
        done = int(state[USED + table]) * int(state[ROW]) / int(state[ROOM + table])
        return self.nodes_visited + int(state[USED : USED + TABLES].sum()) - int(done)

    @property
    def effort(self) -> float:
        """Rough time of a stored state, in nodes of a search. Both were fitted to measured nanoseconds of 20 problems.

        A state takes time for the options that are tested, and for the states that are made. Most nodes of a search
        read a set of options for some of the items that are left.
        """
        options, steps = len(self.steps.masks), max(1, len(self.steps.branches))
        tested = (self.nodes_visited + 1) * options / steps
        state = 20 + (100 * (int(self.state[MADE]) + 1) + 9 * tested) / self.stored
        return state / (40 + min(-(-options // 64) * -(-steps // 8) / 4, 65))

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return sum(table.nbytes for table in self.tables.values())

    def advance(self, budget: int) -> None:
        """Expand at most this many states."""
        self.too_wide = False
        goal = self.nodes_visited + budget
        while not self.finished:
            reason = advance(self.limbs, self.steps, self.state, goal - self.nodes_visited)
            if reason == DONE:
                self.finished = True
            elif reason == SPENT or not self._enlarge(reason):
                break

    def expected(self) -> float:
        """Return the number of states that are left, by the growth of the layers and the bits of a state.

        The second half of the steps so far has several times as many states as the first half. Up to the middle of all
        steps, further steps grow in the same way. After the middle, they have as many states as there. No step has
        more states than two to the power of the bits that live.
        """
        notes: list[int] = self.state[NOTE : NOTE + int(self.state[NOTED])].tolist()
        done, steps, stride = notes[-1], len(self.steps.cuts) - 1, int(self.state[STRIDE])
        if not self._live:
            self._live = living(self.steps)
        most = np.array(self._live[done:], dtype=np.float64)
        first = stride * bisect.bisect_left(notes, (done + 1) // 2)
        visited = stride * (len(notes) - 1)
        if done >= 4 and first not in (0, visited):
            growth, late = max(1.0, (visited - first) / first), visited - first
            blocks = max(0.0, (steps / 2 - done) / (done / 2))
            most = np.minimum(most, math.log2(late / (done / 2)) + blocks * math.log2(growth))
        states = float(np.exp2(np.minimum(most, MAX_LOG_OF_STATES)).sum())
        return math.inf if states >= 2.0**MAX_LOG_OF_STATES else states

    def forget(self) -> None:
        """Release the memory of the tables. The count cannot continue afterwards."""
        self.tables.clear()

    def total(self) -> int:
        """Return the number of covers; raise ValueError before the count is finished."""
        if not self.finished:
            raise ValueError("the count is not finished")
        if not self.possible:
            return 0
        last, stride = int(self.state[STEP]) % TABLES, self.limbs + self.words
        rows = self._table(last)[: int(self.state[ROOM + last]) * stride].reshape(-1, stride)
        # In the end nothing is remembered: there is one state, or none.
        return sum(int(limb) << 64 * k for k in range(self.limbs) for limb in rows[:, k][rows[:, k] != 0])

    def _table(self, number: int) -> Words:
        """Return the array of a table."""
        return self.tables[int(self.state[TABLE + number])]

    def _give(self, number: int, array: Words) -> None:
        """Replace the array of a table."""
        self.tables.pop(int(self.state[TABLE + number]), None)
        address = _address(array)
        self.tables[address] = array
        self.state[TABLE + number], self.state[SIZE + number] = address, array.size

    def _enlarge(self, reason: int) -> bool:
        """Make room in the target, or add a limb to all numbers. Return whether there is memory for it."""
        if reason == WIDE:
            if self._allows(self.bytes):
                for number in range(TABLES):
                    self._give(number, _widened(self._table(number), self.limbs, self.words))
                self.limbs += 1
            return not self.too_wide
        target = int(self.state[TARGET])
        room = int(self.state[ROOM + target])
        room *= 4 if room < MIN_ROWS_TO_DOUBLE else 2
        size = 8 * room * (self.limbs + self.words)
        if self.bytes + size > self.memory:
            self._compact()
        if not self._allows(size):
            return False
        self._move(target, room)
        return True

    def _move(self, number: int, room: int) -> None:
        """Move the rows of a table to an array for this many rows."""
        stride = self.limbs + self.words
        new = np.zeros(room * stride, np.uint64)
        rehash(int(self.state[TABLE + number]), int(self.state[ROOM + number]), _address(new), room, self.limbs, stride)
        self._give(number, new)
        self.state[ROOM + number] = room

    def _compact(self) -> None:
        """Keep only the rows of the source that are not expanded yet, without free rows between them.

        Shrink the tables of later layers as far as their rows allow.
        """
        source, stride = int(self.state[STEP]) % TABLES, self.limbs + self.words
        row, room = int(self.state[ROW]), int(self.state[ROOM + source])
        rows = self._table(source)[row * stride : room * stride].reshape(-1, stride)
        left = rows[rows[:, : self.limbs].any(axis=1)]
        room = max(len(left), MIN_ROWS)
        table = np.zeros(room * stride, np.uint64)
        table[: left.size] = left.reshape(-1)
        self._give(source, table)
        self.state[ROW], self.state[ROOM + source], self.state[USED + source] = 0, room, len(left)
        for other in range(TABLES):
            least = max(MIN_ROWS, 1 << (int(self.state[USED + other]) * 4 // 3).bit_length())
            if other != source and least * stride < self.state[SIZE + other]:
                self._move(other, least)

    def _allows(self, size: int) -> bool:
        """Return whether there is memory for this many more bytes. If not, set ``too_wide``."""
        self.too_wide = self.too_wide or self.bytes + size > self.memory
        return not self.too_wide


def _address(array: Words) -> int:
    """Return the address of an array."""
    return int(array.__array_interface__["data"][0])


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
