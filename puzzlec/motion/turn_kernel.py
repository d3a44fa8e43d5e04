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

#: Room for a search: a stamp of each state, the state before each one, two stacks of states, and the last stamp.
Room = tuple[Ints, Ints, Longs, Longs]

#: The steps of the shift, in cells, from coarse to fine.
STEPS = (1 / 4, 1 / 8, 1 / 16, 1 / 32)

#: The parts of a turn at which shifts are looked at first, and the step of these shifts.
QUICK_PARTS, QUICK_STEP = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8), 1 / 16

#: The part of a gap that an interval of angles may take, in steps of the shift.
ANGLE_SHARE = 1 / 4

#: Half the diagonal of a square of shifts, in steps.
DIAGONAL = 0.7072

#: An interval of angles shorter than this is not divided again: the cells touch, or nearly so.
SHORTEST_INTERVAL = 1e-7

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
            if reach < SHORTEST_INTERVAL:
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


@jit
def shifts(cells: Cells, kinds: Longs, turn: float, place: Floats, parts: Floats, step: float, free: Flags) -> int:
    """Note which shifts may keep two cells apart, at some angles of a turn.

    Args:
        cells: The kinds of cells.
        kinds: The kinds of the moving and of the resting cell, shape (2,).
        turn: The whole angle of the turn in radians.
        place: The moving and the resting centre from the pivot, shape (4,).
        parts: The angles, as parts of the whole one.
        step: The step of the shifts, which are at most one cell long.
        free: Room for a 1 for each angle and shift with a free shift near it.

    Returns:
        The number of such angles and shifts.

    """
    mx, my, sx, sy = place[0], place[1], place[2], place[3]
    each_way, number, index = int(1 / step), 0, 0
    for part in parts:
        c, s = cos(part * turn), sin(part * turn)
        dx, dy = sx - c * mx + s * my, sy - s * mx - c * my
        for x in range(-each_way, each_way + 1):
            for y in range(-each_way, each_way + 1):
                free[index] = (
                    x * x + y * y <= (each_way + DIAGONAL) ** 2
                    and _gap(cells, kinds[0], kinds[1], c, s, dx - x * step, dy - y * step) >= -step * DIAGONAL
                )
                number += free[index]
                index += 1
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
        margin = margin + step / 2 if is_sure else -margin - step * DIAGONAL
        if between - radii[one, 1] - radii[other, 1] >= margin:
            continue
        if _gap(cells, one, other, c, s, dx, dy) < margin:
            nearest[0] = pair
            return False
    return True


@inner
def _intervals(radii: Floats, pairs: Floats, turn: float, step: float) -> int:
    """Return into how many intervals a turn is divided, so that each takes at most a share of a step from a gap."""
    speed = 0.1
    for pair in range(len(pairs)):
        one, other = int(pairs[pair, 4]), int(pairs[pair, 5])
        reach = max(radii[one, 1], radii[other, 1])
        speed = max(speed, pairs[pair, 6] + radii[one, 1] + radii[other, 1] + reach)
    return int(speed * turn / 2 / (step * ANGLE_SHARE)) + 1


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
    farthest = (each_way + DIAGONAL) ** 2 if mode == MAYBE else each_way**2 + 0.0
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
def room_for(cells: Cells, pairs: Floats, turn: float, step: float) -> int:
    """Return the number of states that a turn has; the arguments are those of :func:`path`."""
    return _intervals(cells[2], pairs, turn, step) * (2 * int(1 / step) + 1) ** 2


@jit
def path(cells: Cells, pairs: Floats, turn: float, steps: Floats, room: Room) -> int:
    """Search a path for a turn: the angle grows, and the shift in the plane changes as it must.

    Coarse steps of the shift often show that there is a path, or that there cannot be one. If not, finer ones follow.

    Args:
        cells: The kinds of cells.
        pairs: For each pair of a moving and a resting cell both centres from the pivot, both kinds, and the distance of
            the moving centre, shape (pairs, 7).
        turn: The whole angle in radians.
        steps: The steps of the shift, from coarse to fine.
        room: Room for the states of the finest steps.

    Returns:
        The index of the steps that have a path, or -1.

    """
    for index in range(len(steps)):
        step, is_last = steps[index], index + 1 == len(steps)
        if not is_last and _search(cells, pairs, turn, step, MAYBE, room) < 0:
            return -1
        if _search(cells, pairs, turn, step, SURE, room) >= 0:
            return int(index)
    return -1


@jit
def trace(cells: Cells, pairs: Floats, turn: float, step: float, room: Room, path: Floats) -> int:
    """Write the path of one turn with one step of the shift: the arguments are those of :func:`path`.

    Args:
        cells: The kinds of cells.
        pairs: The pairs of the turn.
        turn: The whole angle in radians.
        step: The step of the shift.
        room: Room for the states.
        path: Room for the points of the path, the last one first: an angle and two coordinates of the shift.

    Returns:
        The number of points.

    """
    before = room[1]
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
