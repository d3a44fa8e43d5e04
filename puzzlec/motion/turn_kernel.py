"""The tests of a turn in numba: whether cells collide while some of them rotate, with and without a shift in the plane.

The cells of one layer are convex polygons around their centres. Each is smaller than its outline by the clearance. Its
*gap* to another polygon is the largest separation along the normals of both. It is positive exactly if they do not
meet. For each radian, the gap changes at most by a sum: the distance of the moving centre from the pivot, that
between the centres, and the radius of a polygon. If the shift changes, the gap changes at most by as much.
So a positive gap at one angle proves that an interval around it is free.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inner, jit

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.uint8]

#: Outer normals of the sides of each kind of cell, corners from its centre, and the distances of sides and of corners.
#: The shapes are (kinds, sides, 2) twice, and (kinds, 2).
Cells = tuple[Floats, Floats, Floats]

#: Pairs of a moving and a resting cell: both centres, both kinds, and the sum of the radii of both, shape (pairs, 7).
#: Searches have rows seen from the pivot instead, with the distance of the moving centre in place of the last number.
Pairs = Floats

#: Room for a search: a stamp of each state, the state before each one, two stacks of states, and the last stamp.
Room = tuple[Ints, Ints, Longs, Longs]

#: The steps of the shift, in cells, from coarse to fine.
SHIFT_STEPS = (1 / 4, 1 / 8, 1 / 16, 1 / 32)

#: The parts of a turn at which shifts are looked at first, and the step of these shifts.
QUICK_PARTS, QUICK_STEP = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8), 1 / 16

#: So many of these steps are one of the coarse shifts, which are looked at before.
QUICK_STEPS_OF_COARSE = 4

#: The part of a gap that an interval of angles may take, in steps of the shift.
ANGLE_SHARE = 1 / 4

#: Half the diagonal of a square of shifts, in steps.
HALF_DIAGONAL = 0.7072

#: Cells do not meet in a turn if their ways about the pivot are farther apart than this and their radii.
MAX_WAY_IN_CELLS = 1.5

#: An interval of angles shorter than this is not divided again: the cells touch, or nearly so.
MIN_ANGLE_INTERVAL = 1e-7

#: How a search goes: for states that may be free, for those that are, and for those by the fewest steps.
MAYBE, SURE, SHORT = range(3)


@inner
def _gap(cells: Cells, one: int, other: int, c: float, s: float, dx: float, dy: float) -> float:
    """Return the gap between a polygon, rotated by an angle with cosine c and sine s, and one (dx, dy) away from it."""
    normals, corners, radii = cells
    if normals.shape[1] == 4:  # squares: all normals together, and one radius
        best = max(max(abs(dx), abs(dy)), max(abs(c * dx + s * dy), abs(c * dy - s * dx)))
        return float(best - radii[one, 0] * (1 + abs(c) + abs(s)))
    best = -1e9
    for side in range(normals.shape[1]):
        nx = c * normals[one, side, 0] - s * normals[one, side, 1]
        ny = s * normals[one, side, 0] + c * normals[one, side, 1]
        least = 1e9
        for corner in range(corners.shape[1]):
            least = min(least, nx * corners[other, corner, 0] + ny * corners[other, corner, 1])
        best = max(best, nx * dx + ny * dy + least - radii[one, 0])
    for side in range(normals.shape[1]):
        nx, ny = normals[other, side, 0], normals[other, side, 1]
        # The normal in the frame of the rotated polygon.
        rx, ry = c * nx + s * ny, c * ny - s * nx
        least = 1e9
        for corner in range(corners.shape[1]):
            least = min(least, rx * corners[one, corner, 0] + ry * corners[one, corner, 1])
        best = max(best, least - nx * dx - ny * dy - radii[other, 0])
    return float(best)


@inner
def _free_angle(cells: Cells, one: int, other: int, turn: float, place: Floats, precision: float) -> float:
    """Return an angle up to which a polygon that turns about the pivot does not meet one that rests.

    ``place`` has both centres from the pivot. If the polygons meet, they do so at most ``precision`` after the angle.
    """
    radii = cells[2]
    mx, my, sx, sy = place[0], place[1], place[2], place[3]
    far, rest = sqrt(mx * mx + my * my), sqrt(sx * sx + sy * sy)
    if abs(far - rest) > radii[one, 1] + radii[other, 1]:
        return turn
    low, reach, size = 0.0, turn / 2, max(radii[one, 1], radii[other, 1])
    # The next angle is `reach` after the last one that is known to be free. It doubles or halves as the gap allows.
    while low < turn:
        middle = min(low + reach, turn)
        c, s = cos(middle), sin(middle)
        dx, dy = sx - c * mx + s * my, sy - s * mx - c * my
        gap = _gap(cells, one, other, c, s, dx, dy)
        if gap <= 0 and reach <= precision:
            return low
        # The distance of the centres grows by at most the way of the moving one.
        free = gap / (far + sqrt(dx * dx + dy * dy) + far * reach + size)
        if free >= middle - low:
            low = middle + min(free, reach)
            reach *= 2
        else:
            reach /= 2
            if reach < MIN_ANGLE_INTERVAL:
                return low
    return turn


@jit
def sweep(cells: Cells, kinds: Longs, turn: float, places: Floats, precision: float, angles: Floats) -> int:
    """Note for each pair of cells how far they turn without a shift before they collide.

    Args:
        cells: The kinds of cells.
        kinds: The kinds of the moving and of the resting cell, shape (2,).
        turn: The whole angle of the turn in radians.
        places: The moving and the resting centre of each pair from the pivot, shape (pairs, 4).
        precision: How far before the first collision an angle may be.
        angles: Room for the angle of each pair, less than the whole one if it collides, shape (pairs,).

    Returns:
        The number of pairs that collide.

    """
    number = 0
    for pair in range(len(places)):
        angles[pair] = _free_angle(cells, kinds[0], kinds[1], turn, places[pair], precision)
        number += angles[pair] < turn
    return number


@inner
def _keep_free(
    cells: Cells, pairs: Floats, c: float, s: float, step: float, least: float, free: Flags, side: int
) -> int:
    """Keep those of some shifts that keep all pairs apart at an angle with cosine c and sine s; return their number.

    ``step`` is the step of the shifts, ``least`` the least gap, and ``free`` a square of flags in rows of ``side``.
    """
    radii, left = cells[2], 0
    for index in range(len(free)):
        left += free[index]
    for pair in range(len(pairs)):
        if left == 0:
            break
        mx, my, one, other = pairs[pair, 0], pairs[pair, 1], int(pairs[pair, 4]), int(pairs[pair, 5])
        dx = (pairs[pair, 2] - c * mx + s * my) / step + side // 2
        dy = (pairs[pair, 3] - s * mx - c * my) / step + side // 2
        reach = (radii[one, 1] + radii[other, 1]) / step  # cells that are farther apart do not meet
        for x in range(max(0, int(dx - reach)), min(side, int(max(dx + reach, -1.0)) + 1)):
            for y in range(max(0, int(dy - reach)), min(side, int(max(dy + reach, -1.0)) + 1)):
                if free[x * side + y] and _gap(cells, one, other, c, s, (dx - x) * step, (dy - y) * step) < least:
                    free[x * side + y] = 0
                    left -= 1
    return left


@inner
def _rows_from(near: Pairs, x: float, y: float, rows: Floats) -> int:
    """Write the pairs that may meet in a turn about a pivot, seen from there; return their number.

    Those that may meet soon come first. ``rows`` has one column more, for how far the centres are apart at least.
    """
    number = 0
    for pair in range(len(near)):
        mx, my, sx, sy = near[pair, 0] - x, near[pair, 1] - y, near[pair, 2] - x, near[pair, 3] - y
        far = sqrt(mx * mx + my * my)
        apart = abs(far - sqrt(sx * sx + sy * sy))
        if apart >= MAX_WAY_IN_CELLS + near[pair, 6]:
            continue
        place = number
        while place > 0 and rows[place - 1, 7] > apart:
            for column in range(8):
                rows[place, column] = rows[place - 1, column]
            place -= 1
        rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = mx, my, sx, sy
        rows[place, 4], rows[place, 5], rows[place, 6], rows[place, 7] = near[pair, 4], near[pair, 5], far, apart
        number += 1
    return number


@jit
def shifts(cells: Cells, near: Pairs, pivots: Floats, turn: float, parts: Floats, step: float, free: Flags) -> int:
    """Note which shifts may keep all pairs of cells apart, at some angles of turns about some pivots.

    Args:
        cells: The kinds of cells.
        near: The pairs.
        pivots: The pivots on paper, shape (pivots, 2).
        turn: The whole angle of a turn in radians.
        parts: The angles, as parts of the whole one.
        step: The step of the shifts, which are at most one cell long.
        free: Room for a 1 for each pivot, angle and shift with a free shift near it. If an angle has none, all are 0.

    Returns:
        The number of pivots with such a shift at each angle.

    """
    each_way, number = int(1 / step), 0
    side, coarse = 2 * each_way + 1, 2 * (each_way // QUICK_STEPS_OF_COARSE) + 1
    few, rows = np.empty(coarse * coarse, np.uint8), np.empty((len(near), 8))
    for pivot in range(len(pivots)):
        flags = free[pivot]
        pairs = rows[: _rows_from(near, pivots[pivot, 0], pivots[pivot, 1], rows)]
        begin = 0
        for part in parts:
            c, s = cos(part * turn), sin(part * turn)
            few[:] = 1
            if (
                _keep_free(
                    cells,
                    pairs,
                    c,
                    s,
                    step * QUICK_STEPS_OF_COARSE,
                    -step * HALF_DIAGONAL * (QUICK_STEPS_OF_COARSE + 1),
                    few,
                    coarse,
                )
                == 0
            ):
                break
            for x in range(side):
                for y in range(side):
                    is_near = (x - each_way) ** 2 + (y - each_way) ** 2 <= (each_way + HALF_DIAGONAL) ** 2
                    nearest = (x + QUICK_STEPS_OF_COARSE // 2) // QUICK_STEPS_OF_COARSE * coarse + (
                        y + QUICK_STEPS_OF_COARSE // 2
                    ) // QUICK_STEPS_OF_COARSE
                    flags[begin + x * side + y] = is_near and few[nearest]
            here = flags[begin : begin + side * side]
            if _keep_free(cells, pairs, c, s, step, -step * HALF_DIAGONAL, here, side) == 0:
                break
            begin += side * side
        if begin < len(flags):
            flags[:] = 0
        else:
            number += 1
    return number


@inner
def _is_free(
    cells: Cells, pairs: Floats, nearest: Longs, angles: Floats, shift: Floats, step: float, is_sure: bool
) -> bool:
    """Return whether all pairs are so far apart at an angle and a shift that the interval and the step are free.

    Unless ``is_sure``, return whether some angle of the interval and some shift near this one may be free.
    ``nearest`` is the pair that was too near before: it comes first.
    """
    radii = cells[2]
    c, s, half = angles[0], angles[1], angles[2]
    before = nearest[0]
    for number in range(-1, len(pairs)):
        pair = before if number < 0 else number
        if number == before:
            continue
        mx, my = pairs[pair, 0], pairs[pair, 1]
        dx = pairs[pair, 2] - c * mx + s * my - shift[0]
        dy = pairs[pair, 3] - s * mx - c * my - shift[1]
        one, other = int(pairs[pair, 4]), int(pairs[pair, 5])
        between, reach = sqrt(dx * dx + dy * dy), max(radii[one, 1], radii[other, 1])
        margin = (pairs[pair, 6] * (1 + half) + between + step + reach) * half
        margin = margin + step / 2 if is_sure else -margin - step * HALF_DIAGONAL
        if between - radii[one, 1] - radii[other, 1] >= margin:
            continue
        if _gap(cells, one, other, c, s, dx, dy) < margin:
            nearest[0] = pair
            return False
    return True


@inner
def _parts_of(speed: float, turn: float, step: float) -> int:
    """Return into how many intervals a turn is divided if a gap changes by so much for each radian."""
    return int(speed * turn / 2 / (step * ANGLE_SHARE)) + 1


@inner
def _intervals(radii: Floats, pairs: Floats, turn: float, step: float) -> int:
    """Return into how many intervals a turn is divided, so that each takes at most a share of a step from a gap."""
    speed = 0.1
    for pair in range(len(pairs)):
        one, other = int(pairs[pair, 4]), int(pairs[pair, 5])
        reach = max(radii[one, 1], radii[other, 1])
        speed = max(speed, pairs[pair, 6] + radii[one, 1] + radii[other, 1] + reach)
    return _parts_of(speed, turn, step)


@inner
def _search(cells: Cells, pairs: Floats, turn: float, step: float, mode: int, room: Room) -> int:
    """Return the state with the whole angle and no shift; -1 if none is reached.

    A state is the number of an interval of angles and a shift: interval * side**2 + x * side + y. Its stamp is that of
    this search if it is free, and the negative if it is not. The two stacks have states after as many steps of the
    shift as now, and after one more.
    """
    stamps, before, states, last_stamp = room
    last_stamp[0] += 1
    stamp = last_stamp[0]
    angles, shift, nearest = np.empty(3), np.empty(2), np.zeros(1, np.int64)
    each_way = int(1 / step)
    side, intervals = 2 * each_way + 1, _intervals(cells[2], pairs, turn, step)
    half = turn / intervals / 2
    area, middle, size = side * side, each_way * (side + 1), len(states) // 2
    # Shifts are at most one cell long. A coarse one stands for all that are near.
    farthest = (each_way + HALF_DIAGONAL) ** 2 if mode == MAYBE else each_way**2 + 0.0
    angles[0], angles[1], angles[2] = cos(half), sin(half), half
    shift[0] = shift[1] = 0.0
    if not _is_free(cells, pairs, nearest, angles, shift, step, mode != MAYBE):
        return -1
    stamps[middle], before[middle], states[0] = stamp, -1, middle
    top, later = 1, 0
    while top:
        while top:
            top -= 1
            state = states[top]
            interval, place = state // area, state % area
            if interval == intervals - 1 and place == middle:
                return int(state)
            x, y = place // side, place % side
            for number in range(5):
                way = 4 - number  # the next angle is put on the stack last, so it comes first
                after = interval + 1 if way == 0 else interval
                nx = x + 1 if way == 1 else x - 1 if way == 2 else x
                ny = y + 1 if way == 3 else y - 1 if way == 4 else y
                if after == intervals or nx < 0 or ny < 0 or nx >= side or ny >= side:
                    continue
                if (nx - each_way) ** 2 + (ny - each_way) ** 2 > farthest:
                    continue
                there = after * area + nx * side + ny
                if abs(stamps[there]) == stamp:
                    continue
                angle = (2 * after + 1) * half
                angles[0], angles[1] = cos(angle), sin(angle)
                shift[0], shift[1] = (nx - each_way) * step, (ny - each_way) * step
                if not _is_free(cells, pairs, nearest, angles, shift, step, mode != MAYBE):
                    stamps[there] = -stamp
                    continue
                stamps[there], before[there] = stamp, state
                if way == 0 or mode != SHORT:
                    states[top] = there
                    top += 1
                else:
                    states[size + later] = there
                    later += 1
        for number in range(later):
            states[number] = states[size + number]
        top, later = later, 0
    return -1


@jit
def room_for(cells: Cells, near: Pairs, pivots: Floats, turn: float, step: float) -> int:
    """Return the largest number of states that a turn about one of the pivots may have; see :func:`paths`."""
    radii, far, reach = cells[2], 0.0, 0.0
    for kind in range(len(radii)):
        reach = max(reach, radii[kind, 1])
    for pivot in range(len(pivots)):
        for pair in range(len(near)):
            x, y = near[pair, 0] - pivots[pivot, 0], near[pair, 1] - pivots[pivot, 1]
            far = max(far, sqrt(x * x + y * y))
    return _parts_of(far + 3 * reach, turn, step) * (2 * int(1 / step) + 1) ** 2


@jit
def paths(cells: Cells, near: Pairs, pivots: Floats, turn: float, steps: Floats, room: Room, answers: Longs) -> int:
    """Search paths for turns about some pivots: the angle grows, and the shift in the plane changes as it must.

    Coarse steps of the shift often show that there is a path, or that there cannot be one. If not, finer ones follow.

    Args:
        cells: The kinds of cells.
        near: The pairs of cells.
        pivots: The pivots on paper, shape (pivots, 2).
        turn: The whole angle in radians.
        steps: The steps of the shift, from coarse to fine.
        room: Room for the states of the finest steps.
        answers: Room for the index of the steps that have a path, or -1, for each pivot.

    Returns:
        The number of pivots with a path.

    """
    rows, number = np.empty((len(near), 8)), 0
    for pivot in range(len(pivots)):
        pairs = rows[: _rows_from(near, pivots[pivot, 0], pivots[pivot, 1], rows)]
        answers[pivot] = -1
        for index in range(len(steps)):
            step, is_last = steps[index], index + 1 == len(steps)
            if not is_last and _search(cells, pairs, turn, step, MAYBE, room) < 0:
                break
            if _search(cells, pairs, turn, step, SURE, room) >= 0:
                answers[pivot] = index
                number += 1
                break
    return number


@jit
def trace(cells: Cells, near: Pairs, pivot: Floats, turn: float, step: float, room: Room, path: Floats) -> int:
    """Write the path of one turn with one step of the shift: the arguments are those of :func:`paths`.

    Args:
        cells: The kinds of cells.
        near: The pairs of cells.
        pivot: The pivot on paper, shape (2,).
        turn: The whole angle in radians.
        step: The step of the shift.
        room: Room for the states.
        path: Room for the points of the path, the last one first: an angle and two coordinates of the shift.

    Returns:
        The number of points.

    """
    before, rows = room[1], np.empty((len(near), 8))
    pairs = rows[: _rows_from(near, pivot[0], pivot[1], rows)]
    state = _search(cells, pairs, turn, step, SHORT, room)
    each_way = int(1 / step)
    side, intervals = 2 * each_way + 1, _intervals(cells[2], pairs, turn, step)
    number = 0
    while state >= 0 and number < len(path):
        interval, place = state // (side * side), state % (side * side)
        path[number, 0] = (2 * interval + 1) * turn / intervals / 2
        path[number, 1] = (place // side - each_way) * step
        path[number, 2] = (place % side - each_way) * step
        state = before[state]
        number += 1
    return number
