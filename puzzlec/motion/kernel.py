"""The search for first separations in numba: states in arrays, gaps in a hash table, sets of pieces in 64 bits.

It visits the states that ``search.first_separations`` visits. A call works until it must stop. Its answer names the
reason: arrays that are full, a budget of states, or the end. The caller makes room and calls again. A state that was
expanded in part is then expanded again, and its first successors are known already.

A gap between two shapes is the least difference of numbers in two sorted lists. Each cell of the shape that stays has a
number: its line along the axis times 2**22, its kind times 2**17, and its position on the line, added. Each contact of
the shape that moves has the number of the cell that it would touch at once. Moving a shape adds a constant to its
numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from puzzlec.engine.kernels.jit import inner, jit, numpy_later

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy_later

#: Arrays of integers of 64 and of 32 bits: views of memory for machine code, arrays of numpy if numba compiles.
Longs: TypeAlias = Any
Ints: TypeAlias = Any

#: The answers of :func:`advance`.
DONE, BUDGET, MORE_STATES, MORE_GAPS, LOOSE = range(5)

#: Positions in the control array.
COUNT, HEAD, END, MOVES, GOALS, GAPS, SETS, LAST, SINGLES, DIVIDED, LEFT = range(11)
CONTROLS = 11

#: Knowledge about the pieces along an axis: none, each piece needs every other one, or some do not.
UNKNOWN, ONE_BLOCK, SEVERAL = range(3)

#: No gap.
NO_GAP = 32767

#: An odd number whose bits are mixed.
_ODD = 0x1E3779B97F4A7C15

#: More pieces do not fit into a set.
MOST_PIECES = 62


@inner
def _least(sweep: Longs, start: int, end: int, front: Longs, first: int, last: int, shift: int) -> int:
    """Return the least difference from a number of the sweep up to one of the front, which is shifted."""
    best = NO_GAP
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
def rehash(keys: Longs, pairs: Longs, values: Ints, wide: Longs, wide_pairs: Longs, wide_values: Ints) -> None:
    """Copy the table of gaps into a larger one."""
    for old in range(len(keys)):
        if pairs[old] >= 0:
            slot = _slot(wide, wide_pairs, pairs[old], keys[old])
            wide[slot], wide_pairs[slot] = keys[old], pairs[old]
            for number in range(values.shape[1]):
                wide_values[slot, number] = values[old, number]


@inner
def _first_slot(value: int, mask: int) -> int:
    """Return the slot of a table at which the search for a hash begins.

    A step along the last axis of a solid changes only the upper half of a hash: positions are packed.
    """
    return (((value ^ (value >> 32)) * _ODD) >> 32) & mask


@jit
def rehash_states(hashes: Longs, count: int, table: Ints) -> None:
    """Put the numbers of states into an empty table."""
    mask = len(table) - 1
    for state in range(count):
        slot = _first_slot(hashes[state], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = state


@inner
def _compute(lines: Any, one: int, other: int, offset: int, gaps: Ints) -> None:
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
        gaps[2 * axis] = _least(
            sweeps, sweep_starts[a], sweep_starts[a + 1], fronts, front_starts[b], front_starts[b + 1], shift
        )
        gaps[2 * axis + 1] = _least(
            sweeps, sweep_starts[b], sweep_starts[b + 1], fronts, front_starts[a], front_starts[a + 1], -shift
        )


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
def _frees_single(blocked: Longs, size: int) -> bool:
    """Return whether some piece meets no other along an axis, or no other meets it."""
    for axis in range(len(blocked) // size):
        start = axis * size
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
def _close(needed: Longs) -> None:
    """Make each set of needs closed."""
    size = len(needed)
    for middle in range(size):
        reached = needed[middle]
        for piece in range(size):
            needed[piece] |= reached & -(needed[piece] >> middle & 1)


@inner
def _closed_sets(closures: Longs, full: int, closed: Longs) -> int:
    """List all unions of closed sets but the full one, in ascending order; return their number, -1 if too many."""
    count = 0
    for one in closures:
        if one == full or _is_among(closed, count, one):
            continue
        before = count
        if count == len(closed):
            return -1
        closed[count] = one
        count += 1
        for number in range(before):
            union = closed[number] | one
            if union != full and not _is_among(closed, count, union):
                if count == len(closed):
                    return -1
                closed[count] = union
                count += 1
    for number in range(1, count):
        one = closed[number]
        before = number
        while before and closed[before - 1] > one:
            closed[before] = closed[before - 1]
            before -= 1
        closed[before] = one
    return count


@inner
def _is_among(sets: Longs, count: int, pieces: int) -> bool:
    for number in range(count):  # noqa: SIM110
        if sets[number] == pieces:
            return True
    return False


@inner
def _find(states: Longs, hashes: Longs, table: Ints, now: Longs, value: int, moved: int, way: int) -> int:
    """Return the slot of a state in a table: its own, or a free one. The state is ``now`` with some pieces moved."""
    mask, size = len(table) - 1, len(now)
    slot = _first_slot(value, mask)
    while table[slot] >= 0:
        other = table[slot]
        if hashes[other] == value:
            differs = np.int64(0)  # without a branch, so that several pieces are compared at once
            for piece in range(1, size):
                differs |= states[other, piece] ^ (now[piece] + (way & -(moved >> piece & 1)))
            if differs == 0:
                break
        slot = (slot + 1) & mask
    return slot


@inner
def _add(states: Longs, hashes: Longs, table: Ints, came: Longs, control: Longs, now: Longs, move: Any) -> bool:
    """Add the state after a move unless it is known; return whether there was room for it.

    A move has seven numbers. The first four are the number of the state before it, a set of pieces, an axis and a
    distance. The other three are the hash of the new state, the pieces that change their positions, with the first
    piece at zero, and what is added to these positions. Arrays are parameters: to unpack a tuple of them here would
    take most of the time.
    """
    before, pieces, axis, distance, value, moved, way = move
    slot = _find(states, hashes, table, now, value, moved, way)
    if table[slot] >= 0:
        return True
    count = control[COUNT]
    if count == len(states):
        return False
    for piece in range(len(now)):
        states[count, piece] = now[piece] + way * (moved >> piece & 1)
    hashes[count] = value
    table[slot] = count
    came[count, 0], came[count, 1], came[count, 2], came[count, 3] = before, pieces, axis, distance
    control[COUNT] = count + 1
    return True


@inner
def _farthest(pieces: int, axis: int, rows: Longs, values: Ints) -> int:
    """Return the least gap between a set of pieces that can move and the others: it is 1 or more."""
    size, most = len(rows), NO_GAP
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
def _enter(one: int, other: int, offset: int, lines: Any, gaps: Ints) -> None:
    """Compute the gaps of two shapes, and after them two sets of bits: those of gaps that are 0, and of all gaps."""
    _compute(lines, one, other, offset, gaps)
    soon = ever = 0
    for number in range(len(gaps) - 2):
        soon |= (gaps[number] == 0) << number
        ever |= (gaps[number] < NO_GAP) << number
    gaps[-2], gaps[-1] = soon, ever


@inner
def _flip(flips: int, i: int, j: int, sets: Longs, blocks: Longs) -> None:
    """Add two pieces to each other's sets, or remove them; each pair of bits is for one of the sets of a piece."""
    size, number = len(sets) // len(blocks), 0
    while flips:
        if flips & 3:
            blocks[number] = UNKNOWN
            sets[number * size + i] ^= (flips & 1) << j
            sets[number * size + j] ^= (flips >> 1 & 1) << i
        flips >>= 2
        number += 1


@inner
def _update(now: Longs, shapes: Longs, lines: Any, gaps: Any, control: Longs, tables: Any) -> None:
    """Update the pieces that each piece needs for one step, and those that ever block it, to another state.

    Only pairs of pieces that are elsewhere relative to each other are looked up. Successive states are often reached
    from the same state, so most pieces have moved in the same way since the last one, and most pairs have not changed.
    """
    keys, pairs, values = gaps
    rows, there, ways, sets, blocks, _, _ = tables
    size, column = len(shapes), values.shape[1] - 2
    fresh = rows[0, size - 1] < 0  # without a last state, no two pieces have moved in the same way
    usual, votes = np.int64(0), 0  # how most pieces have moved since the last state, if it is more than half of them
    for piece in range(size):
        ways[piece] = piece if fresh else now[piece] - there[piece]
        there[piece] = now[piece]
        if votes == 0:
            usual = ways[piece]
        votes += 1 if ways[piece] == usual else -1
    for one in range(size):
        if ways[one] == usual:
            continue
        for other in range(size):
            if ways[other] == ways[one] or (other < one and ways[other] != usual):
                continue
            i, j = min(one, other), max(one, other)
            row = _slot(keys, pairs, (shapes[i] << 31) | shapes[j], now[j] - now[i])
            if pairs[row] < 0:
                keys[row], pairs[row] = now[j] - now[i], (shapes[i] << 31) | shapes[j]
                control[GAPS] += 1
                _enter(shapes[i], shapes[j], keys[row], lines, values[row])
            flips = np.int64(values[row, column]) | np.int64(values[row, column + 1]) << column
            before = rows[i, j]
            if before >= 0:
                flips ^= np.int64(values[before, column]) | np.int64(values[before, column + 1]) << column
            rows[i, j] = row
            if flips:
                _flip(flips, i, j, sets, blocks)


@inner
def _is_separable(sets: Longs, blocks: Longs) -> bool:
    """Return whether a separation is possible in the state of the tables."""
    size, axes = len(sets) // len(blocks), len(blocks) // 2
    full, is_any = int((np.int64(1) << size) - 1), False
    for number in range(axes, 2 * axes):
        if blocks[number] == UNKNOWN:
            blocks[number] = ONE_BLOCK if _is_one_block(sets, number * size, size, full) else SEVERAL
        is_any |= blocks[number] == SEVERAL
    return is_any


@inner
def _can_move(axis: int, sets: Longs, blocks: Longs, closures: Longs) -> bool:
    """Return whether some pieces can move along an axis; if so, the closures of what pieces need are made."""
    if blocks[axis] == UNKNOWN:
        blocks[axis], size = ONE_BLOCK, len(closures)
        if not _is_one_block(sets, axis * size, size, int((np.int64(1) << size) - 1)):
            blocks[axis] = SEVERAL
            for piece in range(size):
                closures[piece] = sets[axis * size + piece]
            _close(closures)
    return bool(blocks[axis] == SEVERAL)


@inner
def _expand(state: int, front: Any, search: Any, control: Longs, steps: Longs, values: Ints, tables: Any) -> int:
    """Add all states one move away from a state; return whether there was room for them, as :func:`advance` does."""
    old_states, old_hashes, old_table, old_came, _ = front
    states, hashes, table, came, weights = search
    rows, _, _, sets, blocks, closures, closed = tables
    size, now, before, divided = len(rows), old_states[state], old_hashes[state], control[DIVIDED]
    full = int((np.int64(1) << size) - 1)
    for axis in range(len(steps)):
        if not _can_move(axis, sets, blocks, closures[axis]):
            continue
        count = _closed_sets(closures[axis], full, closed)
        if count < 0:
            return LOOSE
        for number in range(count):
            pieces = closed[number]
            if state and old_came[state, 2] == axis and old_came[state, 1] in (pieces, full ^ pieces):
                continue  # the state before this one has been moved there already
            moved, way = (~pieces, -steps[axis]) if pieces & 1 else (pieces, steps[axis])
            change = np.int64(0)
            for piece in range(1, size):
                change += weights[piece] * (moved >> piece & 1)
            change *= way
            most = _farthest(pieces, axis, rows, values)
            for distance in range(1, most + 1 if most < NO_GAP else 1):
                value, far = before + change * distance, way * distance
                if divided and old_table[_find(old_states, old_hashes, old_table, now, value, moved, far)] >= 0:
                    continue
                if table[_find(states, hashes, table, now, value, moved, far)] >= 0:
                    continue  # most states are known, so they are looked up here: a call of _add has many arguments
                move = state, pieces, axis, distance, value, moved, far
                if not _add(states, hashes, table, came, control, now, move):
                    return MORE_STATES
    return DONE


@inner
def _tables(size: int, axes: int, sets: int) -> Any:
    """Return what is known of a state, with nothing in it, and room for some sets of pieces."""
    rows, there = np.full((size, size), -1, np.int64), np.empty(size, np.int64)
    needed = np.empty(2 * axes * size, np.int64)
    for axis in range(2 * axes):
        for piece in range(size):
            needed[axis * size + piece] = np.int64(1) << piece
    closures, closed = np.empty((axes, size), np.int64), np.empty(sets, np.int64)
    return rows, there, np.empty_like(there), needed, np.zeros(2 * axes, np.int64), closures, closed


@jit
def blocked(shapes: Longs, places: Longs, lines: Any, gaps: Any, control: Longs, needs: Longs) -> bool:
    """List for each axis and piece the set of pieces that it ever meets; return whether there was room for gaps."""
    size, axes = len(shapes), lines[4].shape[0]
    if 2 * (control[GAPS] + size * size) > len(gaps[0]):
        return False
    tables = _tables(size, axes, 0)
    _update(places, shapes, lines, gaps, control, tables)
    needed = tables[3]
    for axis in range(axes):
        for piece in range(size):
            needs[axis * size + piece] = needed[(axes + axis) * size + piece] ^ (np.int64(1) << piece)
    return True


@jit
def advance(
    shapes: Longs, lines: Any, gaps: Any, front: Any, search: Any, goals: Longs, steps: Longs, control: Longs
) -> int:
    """Expand states until the end or until an array is full; return the reason.

    Args:
        shapes: The number of the shape of each piece.
        lines: The sorted numbers of all shapes, and the weights of coordinates in them.
        gaps: The table of gaps: offsets, pairs of shapes, and the gaps.
        front: The states to expand, their hashes, the table of states, how each was reached, and the weights of the
            hash.
        search: The same arrays, for the states that are found. If the front is divided, these are other arrays, which
            get the unknown states.
        goals: Whether a separation is possible in each state.
        steps: The packed step along each axis.
        control: Counters, at the positions that are named above.

    """
    states, values = front[0], gaps[2]
    size, axes = len(shapes), len(steps)
    tables = _tables(size, axes, control[SETS])
    _, _, _, sets, blocks, _, _ = tables
    budget = control[LEFT]
    while True:
        if control[HEAD] == control[END]:  # a front is done
            if control[DIVIDED]:
                return DONE
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
        _update(states[state], shapes, lines, gaps, control, tables)
        is_goal = _is_separable(sets, blocks)
        if control[LAST] < 0:
            further = control[GOALS] == 0 and not is_goal
        else:
            further = control[MOVES] < control[LAST]
            if further and is_goal and control[SINGLES]:
                further = not _frees_single(sets[axes * size :], size)
        if further:
            answer = _expand(state, front, search, control, steps, values, tables)
            if answer != DONE:
                return answer
        goals[state] = is_goal
        control[GOALS] += is_goal
        control[HEAD] += 1


@jit
def merge(front: Any, successors: Any, control: Longs, begin: int, end: int) -> int:
    """Add found states to the known ones, from a number up to another; return the number of the first one left."""
    states, hashes, table, came, _ = front
    fresh, fresh_hashes, _, fresh_came, _ = successors
    for number in range(begin, end):
        before, pieces, axis = fresh_came[number, 0], fresh_came[number, 1], fresh_came[number, 2]
        move = before, pieces, axis, fresh_came[number, 3], fresh_hashes[number], np.int64(0), np.int64(0)
        if not _add(states, hashes, table, came, control, fresh[number], move):
            return number
    return end
