"""The search of the kernel ``memo``: one step after another, with the state in arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.diagram import DEAD, DONE
from puzzlec.engine.kernels.jit import inner, jit
from puzzlec.engine.kernels.memo_levels import (
    Levels,
    Problem,
    any_of,
    choose,
    close_column,
    degree_of,
    descend,
    find_pairs,
    left_of,
    make_key,
    next_option,
)
from puzzlec.engine.kernels.memo_tables import (
    CLOSE,
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
    SWEEP,
    TABLE,
    TOP,
    TRY,
    Diagram,
    Sets,
    Table,
    Totals,
    find,
    node_of,
    number_of_set,
    store,
)

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@inner
def overflows(sums: Words, level: int, value: Words) -> bool:
    """Return whether the sum of a level needs more limbs to add a number."""
    carry = np.uint64(0)
    for w in range(value.shape[0]):
        one = sums[level, w] + value[w]
        two = one + carry
        carry = np.uint64(1) if one < value[w] or two < one else np.uint64(0)
    return bool(carry != 0)


@jit
def add(sums: Words, level: int, value: Words) -> None:
    """Add a number with as many limbs, the lowest first, to the sum of a level."""
    carry = np.uint64(0)
    for w in range(value.shape[0]):
        one = sums[level, w] + value[w]
        two = one + carry
        carry = np.uint64(1) if one < value[w] or two < one else np.uint64(0)
        sums[level, w] = two


@jit
def advance(
    problem: Problem, levels: Levels, table: Table, sets: Sets, diagram: Diagram, totals: Totals, state: Longs,
    budget: int,
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
