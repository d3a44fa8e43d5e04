"""The search for first separations in numba: states in arrays, gaps in a hash table, sets of pieces in 64 bits.

It visits the states that ``search.first_separations`` visits. A call works until it must stop. Its answer names the
reason: arrays that are full, a budget of states, or the end. The caller makes room and calls again. A state that was
expanded in part is then expanded again, and its first successors are known already.

A gap between two shapes is the least difference of numbers in two sorted lists. Each cell of the shape that stays has a
number: its line along the axis times 2**22, its kind times 2**17, and its place on the line, added. Each contact of the
shape that moves has the number of the cell that it would touch at once. Moving a shape adds a constant to its numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inner, jit

Longs = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int32]

#: The answers of :func:`advance`.
DONE, BUDGET, MORE_STATES, MORE_GAPS, LOOSE = range(5)

#: Places in the control array.
COUNT, HEAD, END, MOVES, GOALS, GAPS, SETS, LAST, SINGLES = range(9)

#: No gap.
NEVER = 32767

#: An odd number whose bits are mixed.
_ODD = 0x1E3779B97F4A7C15

#: More pieces do not fit into a set.
MOST_PIECES = 62


@inner
def _least(sweep: Longs, start: int, end: int, front: Longs, first: int, last: int, shift: int) -> int:
    """Return the least difference from a number of the sweep up to one of the front, which is shifted."""
    best = NEVER
    at = first
    for number in range(start, end):
        begin = sweep[number] - shift
        while at < last and front[at] < begin:
            at += 1
        if at == last:
            break
        if front[at] - begin < best:
            best = front[at] - begin
    return best


@inner
def _slot(keys: Longs, pairs: Longs, pair: int, offset: int) -> int:
    """Return the slot of a gap in the table: its own, or a free one."""
    mask = len(keys) - 1
    slot = (((offset ^ (pair * _ODD)) * _ODD) >> 32) & mask
    while pairs[slot] >= 0 and (keys[slot] != offset or pairs[slot] != pair):
        slot = (slot + 1) & mask
    return slot


@jit
def rehash(keys: Longs, pairs: Longs, values: Shorts, wide: Longs, wide_pairs: Longs, wide_values: Shorts) -> None:
    """Copy the table of gaps into a larger one."""
    for old in range(len(keys)):
        if pairs[old] >= 0:
            slot = _slot(wide, wide_pairs, pairs[old], keys[old])
            wide[slot], wide_pairs[slot] = keys[old], pairs[old]
            wide_values[slot] = values[old]


@jit
def rehash_states(hashes: Longs, count: int, table: Ints) -> None:
    """Put the numbers of states into an empty table."""
    mask = len(table) - 1
    for state in range(count):
        slot = (hashes[state] >> 24) & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = state


@inner
def _compute(lines: Any, one: int, other: int, offset: int, found: Shorts) -> None:
    """Compute the gaps between two shapes, the second of which is a packed offset away from the first."""
    sweeps, fronts, sweep_starts, front_starts, weights = lines
    axes, dimension = weights.shape
    for axis in range(axes):
        shift, rest = 0, offset
        for coordinate in range(dimension):
            low = ((rest + 32768) & 65535) - 32768
            shift += low * weights[axis, coordinate]
            rest = (rest - low) >> 16
        a, b = one * axes + axis, other * axes + axis
        found[2 * axis] = _least(
            sweeps, sweep_starts[a], sweep_starts[a + 1], fronts, front_starts[b], front_starts[b + 1], shift
        )
        found[2 * axis + 1] = _least(
            sweeps, sweep_starts[b], sweep_starts[b + 1], fronts, front_starts[a], front_starts[a + 1], -shift
        )


@jit
def gap_rows(shapes: Longs, places: Longs, lines: Any) -> Shorts:
    """Return for each axis and piece the steps that it can make before it meets each other piece."""
    size, axes = len(shapes), lines[4].shape[0]
    found, gaps = np.full((axes, size, size), NEVER, np.int16), np.zeros(2 * axes, np.int16)
    for i in range(size):
        for j in range(i + 1, size):
            _compute(lines, shapes[i], shapes[j], places[j] - places[i], gaps)
            for axis in range(axes):
                found[axis, i, j], found[axis, j, i] = gaps[2 * axis], gaps[2 * axis + 1]
    return found


@inner
def _is_one_block(needed: Longs, start: int, size: int, full: int) -> bool:
    """Return whether no set of pieces, neither none nor all, is closed: each piece needs each other one."""
    reached, fresh = needed[start], needed[start] & ~np.int64(1)
    while fresh:
        piece = 0
        while not fresh >> piece & 1:
            piece += 1
        fresh = (fresh | (needed[start + piece] & ~reached)) & ~(np.int64(1) << piece)
        reached |= needed[start + piece]
    if reached != full:
        return False
    reaching, before = np.int64(1), np.int64(0)  # the pieces that need the first one
    while reaching != before:
        before = reaching
        for piece in range(1, size):
            reaching |= np.int64((needed[start + piece] & reaching) != 0) << piece
    return bool(reaching == full)


@inner
def _frees_single(blocked: Longs, axes: int, size: int) -> bool:
    """Return whether some piece meets no other along an axis, or no other meets it."""
    for start in range(0, axes * size, size):
        once, twice = np.int64(0), np.int64(0)  # a piece is in its own set also
        for piece in range(size):
            pieces = blocked[start + piece]
            if pieces == np.int64(1) << piece:
                return True
            twice |= once & pieces
            once |= pieces
        if twice != (np.int64(1) << size) - 1:
            return True
    return False


@inner
def _close(needed: Longs, start: int, size: int) -> None:
    """Make each set of needs closed."""
    for middle in range(size):
        reached = needed[start + middle]
        for piece in range(size):
            needed[start + piece] |= reached & -(needed[start + piece] >> middle & 1)


@inner
def _closed_sets(closures: Longs, start: int, size: int, full: int, found: Longs) -> int:
    """List all unions of closed sets but the full one, in ascending order; return their number, -1 if too many."""
    count = 0
    for piece in range(size):
        one = closures[start + piece]
        if one == full or _is_among(found, count, one):
            continue
        before = count
        if count == len(found):
            return -1
        found[count] = one
        count += 1
        for number in range(before):
            union = found[number] | one
            if union != full and not _is_among(found, count, union):
                if count == len(found):
                    return -1
                found[count] = union
                count += 1
    for number in range(1, count):
        one = found[number]
        before = number
        while before and found[before - 1] > one:
            found[before] = found[before - 1]
            before -= 1
        found[before] = one
    return count


@inner
def _is_among(found: Longs, count: int, wanted: int) -> bool:
    for number in range(count):  # noqa: SIM110
        if found[number] == wanted:
            return True
    return False


@inner
def _add(states: Longs, hashes: Longs, table: Ints, came: Longs, control: Longs, state: int, move: Any) -> bool:
    """Add the state after a move unless it is known; return whether there was room for it.

    A move has five numbers. The first three are a set of pieces, an axis and a distance. The fourth is added to the
    places of moving pieces, with the first piece at zero. The fifth is added to the hash. Arrays are parameters: to
    unpack a tuple of them here would take most of the time.
    """
    pieces, axis, distance, way, change = move
    size = states.shape[1]
    moved = ~pieces if pieces & 1 else pieces
    value = hashes[state] + change
    mask = len(table) - 1
    slot = (value >> 24) & mask
    while table[slot] >= 0:
        other = table[slot]
        if hashes[other] == value:
            same = True
            for piece in range(1, size):
                if states[other, piece] != states[state, piece] + way * (moved >> piece & 1):
                    same = False
                    break
            if same:
                return True
        slot = (slot + 1) & mask
    count = control[COUNT]
    if count == len(states):
        return False
    for piece in range(size):
        states[count, piece] = states[state, piece] + way * (moved >> piece & 1)
    hashes[count] = value
    table[slot] = count
    came[count, 0], came[count, 1], came[count, 2], came[count, 3] = state, pieces, axis, distance
    control[COUNT] = count + 1
    return True


@inner
def _farthest(pieces: int, axis: int, rows: Longs, values: Shorts) -> int:
    """Return the least gap between a set of pieces that can move and the others: it is 1 or more."""
    size, most = len(rows), NEVER
    for i in range(size):
        if pieces >> i & 1:
            for j in range(size):
                if not pieces >> j & 1:
                    gap = values[rows[i, j], 2 * axis] if i < j else values[rows[j, i], 2 * axis + 1]
                    if gap < most:
                        most = int(gap)
                        if most == 1:
                            return most
    return most


@inner
def _fill(state: int, shapes: Longs, lines: Any, gaps: Any, states: Longs, control: Longs, tables: Any) -> None:
    """Look up the gaps of all pairs in a state: what each piece needs for one step, and what ever blocks it."""
    needed, blocked, rows = tables
    keys, pairs, values = gaps
    size, mask = len(shapes), len(keys) - 1
    axes = len(needed) // size
    for i in range(size):
        for j in range(i + 1, size):
            pair, offset = (shapes[i] << 31) | shapes[j], states[state, j] - states[state, i]
            row = (((offset ^ (pair * _ODD)) * _ODD) >> 32) & mask
            while pairs[row] >= 0 and (keys[row] != offset or pairs[row] != pair):
                row = (row + 1) & mask
            if pairs[row] < 0:
                keys[row], pairs[row] = offset, pair
                control[GAPS] += 1
                _compute(lines, shapes[i], shapes[j], offset, values[row])
            rows[i, j] = row
    for axis in range(axes):
        for i in range(size):
            soon = ever = np.int64(1) << i
            for j in range(i):
                gap = values[rows[j, i], 2 * axis + 1]
                soon |= np.int64(gap == 0) << j
                ever |= np.int64(gap < NEVER) << j
            for j in range(i + 1, size):
                gap = values[rows[i, j], 2 * axis]
                soon |= np.int64(gap == 0) << j
                ever |= np.int64(gap < NEVER) << j
            needed[axis * size + i], blocked[axis * size + i] = soon, ever


@inner
def _expand(state: int, search: Any, control: Longs, steps: Longs, values: Shorts, tables: Any, found: Longs) -> int:
    """Add all states one move away from a state; return whether there was room for them, as :func:`advance` does."""
    states, hashes, table, came, weights = search
    needed, _, rows = tables
    size = len(rows)
    full = int((np.int64(1) << size) - 1)
    for axis in range(len(steps)):
        if _is_one_block(needed, axis * size, size, full):
            continue
        _close(needed, axis * size, size)
        count = _closed_sets(needed, axis * size, size, full, found)
        if count < 0:
            return LOOSE
        for number in range(count):
            pieces = found[number]
            moved, way = (~pieces, -steps[axis]) if pieces & 1 else (pieces, steps[axis])
            change = np.int64(0)
            for piece in range(1, size):
                change += weights[piece] * (moved >> piece & 1)
            change *= way
            most = _farthest(pieces, axis, rows, values)
            for distance in range(1, most + 1 if most < NEVER else 1):
                move = pieces, axis, distance, way * distance, change * distance
                if not _add(states, hashes, table, came, control, state, move):
                    return MORE_STATES
    return DONE


@jit
def advance(
    shapes: Longs, lines: Any, gaps: Any, search: Any, goals: Longs, steps: Longs, control: Longs, budget: int
) -> int:
    """Expand states until the end or until an array is full; return the reason.

    Args:
        shapes: The number of the shape of each piece.
        lines: The sorted numbers of all shapes, and the weights of coordinates in them.
        gaps: The table of gaps: offsets, pairs of shapes, and the gaps.
        search: The states, their hashes, the table of states, how each was reached, and the weights of the hash.
        goals: Whether a separation is possible in each state.
        steps: The packed step along each axis.
        control: Counters, at the places that are named above.
        budget: Expand at most this many states.

    """
    states, values = search[0], gaps[2]
    size, axes = len(shapes), len(steps)
    full = int((np.int64(1) << size) - 1)
    needed, blocked = np.zeros(axes * size, np.int64), np.zeros(axes * size, np.int64)
    rows, found = np.empty((size, size), np.int64), np.empty(control[SETS], np.int64)
    tables = needed, blocked, rows
    while True:
        if control[HEAD] == control[END]:  # a front is done
            control[MOVES] += 1
            if (control[LAST] < 0 and control[GOALS]) or control[HEAD] == control[COUNT]:
                return DONE
            control[END] = control[COUNT]
        if budget == 0:
            return BUDGET
        if 2 * (control[GAPS] + size * size) > len(values):
            return MORE_GAPS
        budget -= 1
        state = control[HEAD]
        _fill(state, shapes, lines, gaps, states, control, tables)
        for axis in range(axes):
            if not _is_one_block(blocked, axis * size, size, full):
                goals[state] = 1
                break
        control[GOALS] += goals[state]
        if control[LAST] < 0:
            further = control[GOALS] == 0
        else:
            further = control[MOVES] < control[LAST]
            if further and goals[state] and control[SINGLES]:
                further = not _frees_single(blocked, axes, size)
        if further:
            answer = _expand(state, search, control, steps, values, tables, found)
            if answer != DONE:
                return answer
        control[HEAD] += 1
