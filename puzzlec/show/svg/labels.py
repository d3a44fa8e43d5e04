"""Positions of labels: well inside the outline of a piece, and as large as possible."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from math import hypot, sqrt

from puzzlec.show.svg import lettering
from puzzlec.show.svg.ground import Spot, middle

#: The number of middles of cells that are tried as positions.
_TRIED = 16
#: The share of the free space that letters fill.
_SHARE = 0.92


def placed(
    rings: Sequence[Sequence[Spot]], middles: Sequence[Spot], wanted: float, *, central: bool = False
) -> tuple[Spot, float]:
    """Return a position for a label inside rings, and its distance from them.

    It is the middle of the piece (if ``central``), or of a cell nearby, if a circle of the ``wanted`` radius fits
    there. Otherwise it is the position farthest from the outline.
    """
    centre = middle(middles)
    if central and (room := depth(rings, centre)) >= wanted:
        return centre, room
    near = sorted(middles, key=lambda spot: (round(hypot(spot[0] - centre[0], spot[1] - centre[1]), 3), spot))
    for spot in near[:_TRIED]:
        room = depth(rings, spot)
        if room >= wanted:
            return spot, room
    return farthest(rings)


def fitting_size(text: str, room: float, largest: float) -> float:
    """Return the size, at most ``largest``, of a text that fits into a circle of the radius ``room``."""
    radius = hypot(lettering.length(text, 1) + lettering.STROKE, lettering.CAPITAL + lettering.STROKE) / 2
    return min(largest, _SHARE * room / radius)


def farthest(rings: Sequence[Sequence[Spot]], precision: float = 0.5) -> tuple[Spot, float]:
    """Return the position inside rings that is farthest from them, and its distance, to within ``precision`` px.

    Squares that can have a better position than the best known one are quartered, the most promising first. This is the
    pole of inaccessibility of D. Garcia-Castellanos and U. Lombardo (2007), found by branch and bound.
    """
    xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    half = max(min(wide, high) / 2, precision)
    precision = max(precision, max(wide, high) / 200)
    waiting: list[tuple[float, Spot, float, float]] = []
    best: tuple[Spot, float] = ((xs[0], ys[0]), 0.0)

    def consider(spot: Spot, half: float) -> None:
        nonlocal best
        room = depth(rings, spot)
        if room > best[1]:
            best = spot, room
        heapq.heappush(waiting, (-(room + half * sqrt(2)), spot, half, room))

    x = min(xs) + half
    while x < max(xs) + half:
        y = min(ys) + half
        while y < max(ys) + half:
            consider((x, y), half)
            y += 2 * half
        x += 2 * half
    while waiting:
        promise, (x, y), half, _ = heapq.heappop(waiting)
        if -promise - best[1] <= precision:
            break
        for dx in (-half / 2, half / 2):
            for dy in (-half / 2, half / 2):
                consider((x + dx, y + dy), half / 2)
    return best


def depth(rings: Sequence[Sequence[Spot]], spot: Spot) -> float:
    """Return the distance of a spot from rings; negative outside of them."""
    x, y = spot
    nearest, inside = float("inf"), False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
            dx, dy = bx - ax, by - ay
            long = dx * dx + dy * dy
            along = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / long)) if long else 0.0
            ex, ey = x - ax - along * dx, y - ay - along * dy
            nearest = min(nearest, ex * ex + ey * ey)
            ax, ay = bx, by
    return sqrt(nearest) if inside else -sqrt(nearest)
