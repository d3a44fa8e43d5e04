"""Cuts as SVG in mm: red lines are cut, blue ones engraved, a group for each part with its name.

Laser programs tell operations by colour. Sheets stand below each other, since a file of SVG has one; their own
outlines are grey lines in a group before all others, which show where a sheet ends and are not to be cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from puzzlec.make.laser.cuts import Line, Part
from puzzlec.make.laser.plan import Plan, described

#: Lines are so wide, in mm: programs take the thinnest ones for cuts, and these can still be seen.
HAIRLINE = 0.1
CUT, ENGRAVE, RIM = "#ff0000", "#0000ff", "#999999"
#: What is left free between two sheets, in mm.
BETWEEN_SHEETS = 10.0

#: Characters that XML 1.0 cannot hold, even as references.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_text(plan: Plan) -> str:
    """Return a plan as the text of an SVG file, its size and its view box in mm."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    wide = max(sheet.width for sheet in plan.sheets)
    high = sum(sheet.height for sheet in plan.sheets) + BETWEEN_SHEETS * (len(plan.sheets) - 1)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(wide)}mm" height="{number(high)}mm"'
        f' viewBox="0 0 {number(wide)} {number(high)}">'
    )
    yield f"<title>{_safe(plan.title or 'pieces')}</title>"
    meaning = "red lines are cut, blue ones engraved, grey ones show the sheets; lengths in mm"
    yield f"<desc>{_safe(described(plan))}; {meaning}</desc>"
    yield f'<g fill="none" stroke-width="{number(HAIRLINE)}" stroke-linejoin="round" stroke-linecap="round">'
    yield f'<g id="rims-of-sheets" stroke="{RIM}">'
    yield "<title>sheets, not to be cut</title>"
    top = 0.0
    for sheet in plan.sheets:
        yield f'<rect x="0" y="{number(top)}" width="{number(sheet.width)}" height="{number(sheet.height)}"/>'
        top += sheet.height + BETWEEN_SHEETS
    yield "</g>"
    top = 0.0
    for index, sheet in enumerate(plan.sheets, 1):
        moved = f' transform="translate(0 {number(top)})"' if top else ""
        yield f'<g id="sheet-{index}"{moved}>'
        for part in sheet.parts:
            yield from _part(part)
        yield "</g>"
        top += sheet.height + BETWEEN_SHEETS
    yield "</g>"
    yield "</svg>"


def _part(part: Part) -> Iterator[str]:
    yield "<g>"
    yield f"<title>{_safe(part.name)}</title>"
    if part.engraved:
        yield f'<path d="{"".join(map(_trail, part.engraved))}" stroke="{ENGRAVE}"/>'
    # A path for each line: programs keep their order, and whoever edits the file can take one.
    yield from (f'<path d="{_trail(line)}" stroke="{CUT}"/>' for line in part.cut)
    yield "</g>"


def _trail(line: Line) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y, *_ in line.places) + "Z" * line.closed


def number(value: float) -> str:
    """Return a length with three decimals at most, which is a thousandth of a mm.

    >>> number(2.0), number(-0.0001), number(1 / 3)
    ('2', '0', '0.333')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _safe(text: str) -> str:
    return escape(_UNFIT.sub("�", text))
