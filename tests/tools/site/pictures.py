"""The pictures of the site: a ground that suits light and dark pages, and the pictures that a shared link shows."""

from __future__ import annotations

import re
from pathlib import Path

from puzzlec.show.palette import INK
from puzzlec.show.svg.figure import Figure

ROOT = Path(__file__).parents[3]
GALLERY = ROOT / "docs" / "gallery"
ICON = ROOT / "puzzlec" / "services" / "web" / "static" / "icon.svg"

#: Width and height of the picture of a link, in px.
CARD = (1200, 630)

#: The colour of captions of a picture, and the colours of lines and captions on a dark page.
CAPTION = "#56616c"
LIGHT_INK, LIGHT_CAPTION = "#dde3ea", "#aeb8c2"

_GROUND = re.compile(r'<rect x="[^"]*" y="[^"]*" width="[^"]*" height="[^"]*" fill="#ffffff"/>\n')
_SIZE = re.compile(r'viewBox="([^"]*)" width="[^"]*" height="[^"]*"')


def for_any_ground(svg: str) -> str:
    """Return a picture that puzzlec drew, without its white ground, with lighter captions on a dark page.

    Lines in a chart of an exact cover are on the ground, so they become lighter as well. Other lines are on pieces.
    Pictures without a white ground do not change.
    """
    rules = f'[stroke="{CAPTION}"]{{stroke:{LIGHT_CAPTION}}}'
    if _is_chart(svg):
        rules += f'[fill="none"][stroke="{INK}"]{{stroke:{LIGHT_INK}}}'
    style = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>\n"
    return _GROUND.sub(style, svg, count=1)


def _is_chart(svg: str) -> bool:
    """Whether a picture is a chart of an exact cover: its first shape is a label on the ground."""
    first = re.search(r"<path[^>]*>", svg)
    return "<desc>a chart" in svg and first is not None and f'fill="none" stroke="{INK}"' in first.group()


def placed(svg: str, x: float, y: float, width: float, height: float) -> str:
    """Return a picture without its background, scaled to fit a rectangle in another picture."""
    svg = _GROUND.sub("", svg, count=1)
    return _SIZE.sub(rf'viewBox="\1" x="{x}" y="{y}" width="{width}" height="{height}"', svg, count=1)


def card(svg: str) -> bytes:
    """Return the picture of a link to the page of a puzzle, as PNG."""
    wide, high = CARD
    return _png(f"{placed(svg, 60, 45, wide - 120, high - 90)}{_icon(wide - 92, high - 92, 64)}")


def site_card() -> bytes:
    """Return the picture of a link to any other page, as PNG: the mark, the name and three solutions."""
    names = ("pentominoes-8x8-hole", "soma-castle", "balls-kanoodle-pyramid")
    pictures = [(GALLERY / f"{name}.svg").read_text(encoding="utf-8") for name in names]
    parts = [placed(svg, 60 + 370 * number, 230, 340, 350) for number, svg in enumerate(pictures)]
    name = Figure()
    name.text((250, 125), "puzzlec", 110, "start", INK, 1.6)
    shape = re.search(r"<path.*?/>", name.svg(), re.DOTALL)
    assert shape is not None
    return _png("".join([*parts, _icon(90, 60, 130), shape.group()]))


def _icon(x: float, y: float, size: float) -> str:
    head = f'<svg x="{x}" y="{y}" width="{size}" height="{size}"'
    return ICON.read_text(encoding="utf-8").replace("<svg", head, 1)


def _png(parts: str) -> bytes:
    """Return shapes on a white ground, as PNG."""
    import resvg_py

    wide, high = CARD
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    ground = f'<rect width="{wide}" height="{high}" fill="#ffffff"/>'
    stroke = 'stroke-linecap="round" stroke-linejoin="round"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {stroke}>{ground}{parts}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
