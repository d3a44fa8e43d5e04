"""The view of tests on a page of `puzzlec view`: its state, and its painted pixels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from puzzlec.make.outputs import view
from puzzlec.show.palette import rgb
from tests.browser import Tab

Opener = Callable[..., Tab]


@cache
def page_of(name: str, limit: int = 3) -> str:
    return view(name, limit=limit)


def state(seen: Tab) -> dict[str, str]:
    """The state that the page reports."""
    return dict(seen.page.evaluate("({...document.getElementById('view').dataset})"))


def says(seen: Tab, words: str) -> None:
    """Wait until the line below the picture has these words."""
    seen.page.locator(".status").filter(has_text=words).first.wait_for()


def picture(seen: Tab) -> bytes:
    """The canvas, after all movement has stopped."""
    seen.page.evaluate("document.activeElement.blur()")
    seen.draws()
    return seen.page.locator("canvas").screenshot(style=".puzzle-view .status { visibility: hidden; }")


def hue_of(colour: tuple[float, float, float]) -> float:
    """The hue of a colour, 0 to 6."""
    most, least = max(colour), min(colour)
    red, green, blue = colour
    if most == red:
        return (green - blue) / (most - least) % 6
    return (blue - red) / (most - least) + 2 if most == green else (red - green) / (most - least) + 4


def painted(seen: Tab, png: bytes, hue: str) -> int:
    """The number of pixels with the hue and about the saturation of ``#rrggbb``, in the light or in the shade."""

    def fullness(colour: tuple[float, float, float]) -> float:
        return (max(colour) - min(colour)) / max(max(colour), 1)

    wanted = rgb(hue)
    found = 0
    for colour, number in seen.colours(png).items():
        if max(colour) < 60 or abs(fullness(colour) - fullness(wanted)) > 0.12 or fullness(colour) < 0.1:
            continue
        apart = abs(hue_of(colour) - hue_of(wanted))
        found += number if min(apart, 6 - apart) < 0.18 else 0
    return found
