"""Depth-first search that remembers subproblems: it counts covers, or makes a diagram of all of them.

Nishino, Yasuda, Minato, Nagata, "Dancing with Decision Diagrams" (AAAI 2017); Knuth's program DLX6. A subproblem that
was solved before is looked up instead of searched again. The sets of options of a level are words of 64 bits, as in the
kernel ``bits``. Taking option ``o`` is ``alive & compatible[o]``.

The *key* identifies a subproblem. The possible options, the open items and their bounds determine what is left to find:
whether two options agree does not depend on the options taken. An item is *open* while it may still be covered. A
*pair* is a secondary item with a colour, or with none. An option *fits* if all its primary items are open and its pairs
agree with the options taken. The key consists of

1. a bit for each primary item: whether it is open
2. a bit for each pair: whether it occurs in an option that fits. Parts 1 and 2 determine the options that fit. Suppose
   all items of an option are open, and each of its pairs occurs in some option that fits. Then each of its pairs agrees
   with the options taken, so the option fits. (The state of a secondary item, free or with a colour, has no other
   effect, so it is not in the key.)
3. for each item with bounds other than 1..1, how many options it still needs, and how many it may get, but not more
   than it has
4. the options that fit but are excluded. An earlier branch tried them, or they were taken and cover only items that are
   still open. These options exist only after branching on an item of part 3. A separate table numbers these sets, and
   the key has the number of the set

The possible options are those that fit and are not excluded, so the key determines the subproblem. Keys are compared as
a whole. A hash only shows where to look in the table.

A pair is not in the key if its item occurs in only one option, and that option has an item of bounds 1..1. Then that
item already gives the same information.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.diagram import DEAD, DONE, Ints, Longs, Words, ways
from puzzlec.engine.kernels.jit import inner, jit
from puzzlec.engine.kernels.memo_levels import (
    MemoLevels,
    MemoProblem,
    any_of,
    choose,
    close_column,
    degree_of,
    descend,
    find_pairs,
    left_of,
    make_arrays,
    make_key,
    next_option,
)
from puzzlec.engine.kernels.memo_tables import (
    BRANCHES,
    CLOSE,
    DIAGRAM_BRANCHES,
    DIAGRAM_NODES,
    ENTER,
    ENTRIES,
    FINISHED,
    FULL,
    LEVEL,
    LIMBS,
    MAKING,
    NEED,
    NODES,
    NOTHING,
    PENDING,
    PHASE,
    RESULT,
    SET_TABLE,
    SETS,
    SETS_FULL,
    STORED,
    SWEEP,
    TABLE,
    TOP,
    TRY,
    CoverSums,
    DiagramNodes,
    Sets,
    SubproblemTable,
    fill_node_slots,
    fill_slots,
    find,
    move,
    node_of,
    number_of_set,
    store,
)


@inner
def overflows(sums: Words, level: int, value: Words) -> bool:
    """Return whether the sum of a level needs more limbs to add a number."""
    carry = np.uint64(0)
    for w in range(value.shape[0]):
        one = sums[level, w] + value[w]
        two = one + carry
        carry = np.uint64(1) if one < value[w] or two < one else np.uint64(0)
    return bool(carry != 0)


@inner
def add(sums: Words, level: int, value: Words) -> None:
    """Add a number to the sum of a level. It has the same number of limbs, the lowest first."""
    carry = np.uint64(0)
    for w in range(value.shape[0]):
        one = sums[level, w] + value[w]
        two = one + carry
        carry = np.uint64(1) if one < value[w] or two < one else np.uint64(0)
        sums[level, w] = two


@jit
def advance(
    problem: MemoProblem, levels: MemoLevels, table: SubproblemTable, sets: Sets, diagram: DiagramNodes,
    totals: CoverSums, state: Longs, budget: int,
) -> None:  # fmt: skip
    """Continue for at most ``budget`` nodes, or until something must grow (``state[NEED]``)."""
    sums, result = totals
    sweep, making = state[SWEEP] != 0, state[MAKING] != 0
    level, phase, top = state[LEVEL], state[PHASE], state[TOP]
    words, limbs, many = levels.alive.shape[1], result.shape[0], problem.many.shape[0]
    share = many > 0 or levels.pairs.shape[1] > 0
    visited, need = 0, NOTHING
    while True:
        if phase == ENTER:
            number = 0
            if many > 0:
                for column in range(many):
                    if (
                        levels.highs[level, column] > 0
                        and levels.lows[level, column] == 0
                        and not any_of(levels.alive, level, problem.options_of, problem.many[column])
                    ):
                        close_column(problem, levels, level, column)
                # The row below is free until the search descends: it gets the set of excluded options.
                some = False
                for w in range(words):
                    excluded = levels.fits[level, w] & ~levels.alive[level, w]
                    levels.alive[level + 1, w] = excluded
                    some = some or excluded != 0
                if some:
                    if state[SETS] < sets.rows.shape[0]:
                        number = number_of_set(sets, levels.alive, level + 1, state[SETS])
                        if number == state[SETS]:
                            state[SETS] += 1
                    elif state[SETS_FULL] == 0:
                        need = SET_TABLE
                        break
                    else:
                        number = -1
            left = False
            for w in range(levels.open_items.shape[1]):
                left = left or levels.open_items[level, w] != 0
            for w in range(limbs):
                result[w] = 0
            phase = RESULT
            if not left:
                result[0] = DONE
                level -= 1
                continue
            # Most dead ends are found at once, which costs less than a lookup.
            item = choose(problem, levels, level, sweep)
            if item < 0:
                level -= 1
                continue
            if levels.pairs.shape[1] > 0:
                find_pairs(problem, levels, level)
            if number >= 0:
                make_key(problem, levels, level, number)
                slot = find(table.keys, table.works, levels.key, level)
                if slot >= 0:
                    for w in range(limbs):
                        result[w] = table.values[slot, w]
                    level -= 1
                    continue
            levels.branched[level] = item
            levels.tried[level] = 0
            column = problem.counter[item]
            degree = left_of(levels.alive, level, problem.options_of, item)
            levels.degrees[level] = degree if column < 0 else degree_of(degree, levels.lows[level, column])
            levels.closed[level] = 0
            levels.keyed[level] = number >= 0
            levels.begun[level] = state[NODES] + visited
            levels.base[level] = top
            for w in range(limbs):
                sums[level, w] = 0
            phase = TRY
        elif phase == RESULT:
            if level < 0:
                state[FINISHED] = 1
                level = 0
                break
            if making:
                if result[0] != DEAD:
                    if top == diagram.pending_options.shape[0]:
                        need = PENDING
                        break
                    diagram.pending_options[top] = levels.taken[level]
                    diagram.pending_children[top] = np.int32(result[0])
                    top += 1
            elif overflows(sums, level, result):
                need = LIMBS
                break
            else:
                add(sums, level, result)
            phase = TRY
        elif phase == TRY:
            if visited >= budget:
                break
            option = next_option(problem, levels, level)
            if option < -1:
                phase = CLOSE
                continue
            visited += 1
            levels.taken[level] = option
            levels.tried[level] += 1
            descend(problem, levels, level, option)
            level += 1
            phase = ENTER
        else:  # CLOSE
            if 4 * state[ENTRIES] >= 3 * table.keys.shape[0] and state[FULL] == 0:
                need = TABLE
                break
            if making:
                node = node_of(diagram, levels.base[level], top, state, share)
                if node < 0:
                    need = -1 - node
                    break
                top = levels.base[level]
                result[0] = node
            else:
                for w in range(limbs):
                    result[w] = sums[level, w]
            if levels.keyed[level] != 0:
                work, size = 1, state[NODES] + visited - levels.begun[level]
                while size > 0:
                    size >>= 1
                    work += 1
                state[ENTRIES] += store(table, levels.key, level, result, work, state[FULL] != 0)
            level -= 1
            phase = RESULT
    state[LEVEL], state[PHASE], state[TOP], state[NEED] = level, phase, top, need
    state[NODES] += visited


#: Numbers of nodes have 32 bits.
MOST_NODES = 1 << 30


class MemoKernel:
    """A search with a table of subproblems, of at most ``memory`` bytes.

    ``order`` selects the item to branch on: ``mrv``, the one of least branching degree (ties: the lowest), or
    ``sweep``, the lowest open one. ``diagram`` asks for a diagram of all covers instead of their number.

    If the table is full, a count forgets entries, which costs time. A diagram that does not fit ends the search:
    ``too_large`` is then true, and ``advance`` does nothing. For n options, their sets take another n**2 / 8 bytes.
    Raise ValueError for an option without a primary item.
    """

    def __init__(self, arrays: Arrays, order: str = "mrv", memory: int = 1 << 29, diagram: bool = False) -> None:
        if order not in ("mrv", "sweep"):
            raise ValueError(f"unknown order {order!r}: expected mrv or sweep")
        self.order, self.memory, self.diagram = order, memory, diagram
        self.too_large = False
        self.problem, self.levels = make_arrays(arrays)
        self.state: Longs = np.zeros(14, dtype=np.int64)
        self.state[SWEEP], self.state[MAKING] = order == "sweep", diagram
        self.state[STORED] = 2  # the two terminal nodes
        self.state[SETS] = 1  # the empty set
        self.result: Words = np.zeros(1, dtype=np.uint64)
        self.sums: Words = np.zeros((self.levels.branched.shape[0], 1), dtype=np.uint64)
        self.table = self._make_table(1 << 10, 1)
        rows = 1 << 6 if len(self.problem.many) else 1
        self.sets = self._make_sets(np.zeros((rows, self.levels.alive.shape[1]), dtype=np.uint64), 1)
        size = 1 << 8 if diagram else 1
        self.found = DiagramNodes(
            starts=np.zeros(size + 2, dtype=np.int64),
            options=np.zeros(size, dtype=np.int32),
            children=np.zeros(size, dtype=np.int32),
            slots=np.full(2 * size, -1, dtype=np.int32),
            pending_options=np.zeros(size, dtype=np.int32),
            pending_children=np.zeros(size, dtype=np.int32),
        )

    @property
    def finished(self) -> bool:
        """Whether the tree is exhausted."""
        return bool(self.state[FINISHED])

    @property
    def nodes_visited(self) -> int:
        """Number of branches taken."""
        return int(self.state[NODES])

    def position(self) -> list[tuple[int, int]]:
        """Return for each depth of the current path the number of finished branches and the greatest number."""
        level, levels = int(self.state[LEVEL]), self.levels
        if self.finished or not self.nodes_visited:
            return []
        # All levels except the last have a begun branch.
        return [
            (int(levels.tried[k]) - (k < level), max(int(levels.degrees[k]), int(levels.tried[k])))
            for k in range(level + 1)
        ]

    @property
    def entries(self) -> int:
        """Number of subproblems in the table."""
        return int(self.state[ENTRIES])

    @property
    def nodes(self) -> int:
        """Number of nodes of the diagram so far, the two terminal ones included."""
        return int(self.state[STORED])

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return sum(array.nbytes for part in (self.table, self.sets, self.found) for array in part)

    def advance(self, budget: int) -> None:
        """Search at most ``budget`` more nodes."""
        goal = self.nodes_visited + budget
        while not self.finished and not self.too_large:
            self.state[NEED] = NOTHING
            totals, left = CoverSums(self.sums, self.result), goal - self.nodes_visited
            advance(self.problem, self.levels, self.table, self.sets, self.found, totals, self.state, left)
            if self.state[NEED] == NOTHING:
                return
            self._grow(int(self.state[NEED]))

    def total(self) -> int:
        """Return the number of covers, or of those found so far if the search is not finished."""
        if self.diagram:
            if not self.finished:
                raise ValueError("the diagram is not finished")
            starts, _, children, root = self.branches()
            return ways(starts, children)[root]
        if self.finished:
            return _integer(self.result)
        # A call ends when all results are added to their levels, or before the first node.
        number = sum(_integer(self.sums[level]) for level in range(int(self.state[LEVEL]) + 1))
        return number if self.nodes_visited else 0

    def branches(self) -> tuple[Longs, Ints, Ints, int]:
        """Return the starts, options and children of the finished diagram, and its root."""
        if not (self.diagram and self.finished):
            raise ValueError("there is no finished diagram")
        nodes, end = int(self.state[STORED]), int(self.state[BRANCHES])
        diagram = self.found
        return (
            diagram.starts[: nodes + 1].copy(), diagram.options[:end].copy(), diagram.children[:end].copy(),
            int(self.result[0]),
        )  # fmt: skip

    def _grow(self, need: int) -> None:
        """Double the table that is too small, or note that the memory is not sufficient."""
        if need == LIMBS:
            self._widen()
            return
        table, sets, diagram = self.table, self.sets, self.found
        larger = {
            TABLE: sum(array.nbytes for array in table),
            SET_TABLE: sum(array.nbytes for array in sets),
            PENDING: diagram.pending_options.nbytes * 2,
            DIAGRAM_NODES: diagram.starts.nbytes + diagram.slots.nbytes,
            DIAGRAM_BRANCHES: diagram.options.nbytes * 2,
        }[need]
        # During the copy, both the old and the new table are in memory.
        if self.bytes + 2 * larger > self.memory or len(diagram.starts) > MOST_NODES:
            if self.diagram:
                self.too_large = True
            elif need == TABLE:
                self.state[FULL] = 1
            else:
                self.state[SETS_FULL] = 1
        elif need == TABLE:
            self.table = self._make_table(2 * len(table.keys), table.values.shape[1])
            move(table, self.table)
        elif need == SET_TABLE:
            self.sets = self._make_sets(_doubled(sets.rows), int(self.state[SETS]))
        elif need == PENDING:
            self.found = diagram._replace(
                pending_options=_doubled(diagram.pending_options), pending_children=_doubled(diagram.pending_children)
            )
        elif need == DIAGRAM_BRANCHES:
            self.found = diagram._replace(options=_doubled(diagram.options), children=_doubled(diagram.children))
        else:
            slots = np.full(2 * len(diagram.slots), -1, dtype=np.int32)
            self.found = diagram._replace(starts=_doubled(diagram.starts), slots=slots)
            if len(self.problem.many) or self.levels.pairs.shape[1]:
                fill_node_slots(self.found, self.nodes)

    def _widen(self) -> None:
        """Give all numbers one limb more."""
        limbs = len(self.result) + 1
        if len(self.table.keys) * 8 + self.bytes > self.memory:
            # The larger values do not fit into the memory, so begin a new table with half as many entries.
            self.table = self._make_table(max(len(self.table.keys) // 2, 1 << 10), limbs)
            self.state[ENTRIES] = self.state[FULL] = 0
        else:
            self.table = self.table._replace(values=_widened(self.table.values, limbs))
        self.result = _widened(self.result[None], limbs)[0]
        self.sums = _widened(self.sums, limbs)

    def _make_table(self, size: int, limbs: int) -> SubproblemTable:
        width = self.levels.key.shape[1]
        return SubproblemTable(
            np.zeros((size, width), dtype=np.uint64),
            np.zeros((size, limbs), dtype=np.uint64),
            np.zeros(size, dtype=np.uint8),
        )

    def _make_sets(self, rows: Words, used: int) -> Sets:
        size = 2
        while size < 2 * len(rows):
            size *= 2
        sets = Sets(rows, np.full(size, -1, dtype=np.int32))
        fill_slots(sets, used)
        return sets


def _doubled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of twice the length that begins with this one."""
    larger = np.zeros((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def _widened(numbers: Words, limbs: int) -> Words:
    """Return rows of more limbs."""
    wider = np.zeros((len(numbers), limbs), dtype=np.uint64)
    wider[:, : numbers.shape[1]] = numbers
    return wider


def _integer(limbs: Words) -> int:
    """Return a number of several limbs, the lowest first."""
    return sum(limb << (64 * k) for k, limb in enumerate(limbs.tolist()))
