"""The colours of pieces in pictures, pages and models.

They began as the "light" set of P. Tol (Colour schemes, SRON technical note, 2021), filled up to twelve and then moved
until the two that dichromats see most alike were as far apart as could be: the first eight above all. All are light
enough for dark letters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from puzzlec.render.colouring import hemmed_in

#: Fills for pieces, as they are in SVG and CSS.
COLOURS = (
    "#7faad7", "#fc8650", "#f5e29e", "#37c58f", "#ffb0cd", "#95f7fe", "#c0ce1f", "#be97ff",
    "#c89872", "#aaa8a6", "#ffca57", "#a6d4ae",
)  # fmt: skip

#: What is empty, and what letters and borders are drawn with.
EMPTY, INK = "#f3f5f7", "#1d242b"


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour, 0 to 255.

    >>> rgb("#7faad7")
    (127, 170, 215)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, part: float) -> str:
    """Return a colour with so much (0 to 1) of another one in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    both = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{int(a + (b - a) * part + 0.5):02x}" for a, b in both)


def dark(colour: str, part: float = 0.25) -> str:
    """Return a colour in the shade."""
    return mixed(colour, "#000000", part)


def light(colour: str, part: float = 0.35) -> str:
    """Return a colour in the light."""
    return mixed(colour, "#ffffff", part)


def hues(near: Mapping[int, Collection[int]], wanted: Mapping[int, int] | None = None) -> dict[int, int]:
    """Return a hue, a number in :data:`COLOURS`, for each body; bodies ``near`` each other differ if that can be.

    Bodies have the hue that is ``wanted`` for them where that is free. They take their turns as D. Brelaz has it (New
    methods to color the vertices of a graph, 1979): the one with the fewest hues left first.

    >>> hues({0: [1], 1: [0, 2], 2: [1]})
    {1: 0, 0: 1, 2: 1}
    """
    wanted = wanted or {}
    taken: dict[int, set[int]] = {body: set() for body in near}
    found: dict[int, int] = {}
    for body in hemmed_in(near, taken):
        free = [hue for hue in range(len(COLOURS)) if hue not in taken[body]] or [body % len(COLOURS)]
        hue = wanted.get(body, free[0])
        found[body] = hue if hue in free else free[0]
        for other in near[body]:
            taken[other].add(found[body])
    return found
