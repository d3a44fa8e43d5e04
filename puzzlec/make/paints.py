"""The colours of what carries colours by name: cells that are black or white, sides of tiles."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.show.palette import COLOURS

#: Colours that are meant by their names, as they are printed.
NAMED = {
    "white": "#f5f5f0", "black": "#33373d", "grey": "#a9a9a9", "gray": "#a9a9a9", "red": "#d9534f", "green": "#4caf6a",
    "blue": "#4a86d0", "yellow": "#f2d13c", "orange": "#f08c3a", "purple": "#9457b5", "violet": "#9457b5",
    "pink": "#f29bb5", "brown": "#96694c", "cyan": "#4fc3d9", "magenta": "#d152a3", "gold": "#d9b23c",
    "silver": "#c4c9cf", "turquoise": "#45bfb0", "beige": "#e3d5b0",
}  # fmt: skip


def paints(names: Iterable[str]) -> dict[str, str]:
    """Return a colour as `#rrggbb` for each name: the one that it means, or one of the palette in turn.

    >>> paints(["white", "a"]) == {"white": NAMED["white"], "a": COLOURS[0]}
    True
    """
    found: dict[str, str] = {}
    free = 0
    for name in names:
        if name in found:
            continue
        known = NAMED.get(name.lower())
        found[name] = known or COLOURS[free % len(COLOURS)]
        free += known is None
    return found
