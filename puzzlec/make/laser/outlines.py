"""Outlines for a laser: flat pieces as lines to cut and to engrave, as SVG in mm or as DXF.

In SVG red lines are cut and blue ones engraved, since laser programs recognise operations by colour. Each part is a
group with its name. A file has one picture, so sheets are below each other. Grey lines in the first group show the
sheets and are not to be cut. In DXF (R2000) cuts are polylines on the layers CUT and ENGRAVE, x to the right and y
upwards. The library ezdxf writes fixed dates and ids, so that the same cuts give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import StringIO

from puzzlec.diagnostics.error import needs
from puzzlec.make.laser.cuts import CutLine, SheetPart
from puzzlec.make.laser.plan import CuttingPlan, described
from puzzlec.show.svg import lettering
from puzzlec.show.svg.figure import safe

#: The width of lines in mm: programs take the thinnest ones for cuts, and these are still visible.
HAIRLINE_MM = 0.1
CUT_COLOUR, ENGRAVING_COLOUR, RIM_COLOUR = "#ff0000", "#0000ff", "#999999"
#: The gap between two sheets, in mm.
SHEET_GAP_MM = 10.0

#: A length as text, to a thousandth of a mm.
number = partial(lettering.number, decimals=3)


def svg_text(plan: CuttingPlan) -> str:
    """Return a plan as the text of an SVG file, its size and its view box in mm."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: CuttingPlan) -> Iterator[str]:
    wide = max(sheet.width for sheet in plan.sheets)
    high = sum(sheet.height for sheet in plan.sheets) + SHEET_GAP_MM * (len(plan.sheets) - 1)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(wide)}mm" height="{number(high)}mm"'
        f' viewBox="0 0 {number(wide)} {number(high)}">'
    )
    yield f"<title>{safe(plan.title or 'pieces')}</title>"
    meaning = "red lines are cut, blue ones engraved, grey ones show the sheets; lengths in mm"
    yield f"<desc>{safe(described(plan))}; {meaning}</desc>"
    yield f'<g fill="none" stroke-width="{number(HAIRLINE_MM)}" stroke-linejoin="round" stroke-linecap="round">'
    yield f'<g id="rims-of-sheets" stroke="{RIM_COLOUR}">'
    yield "<title>sheets, not to be cut</title>"
    top = 0.0
    for sheet in plan.sheets:
        yield f'<rect x="0" y="{number(top)}" width="{number(sheet.width)}" height="{number(sheet.height)}"/>'
        top += sheet.height + SHEET_GAP_MM
    yield "</g>"
    top = 0.0
    for index, sheet in enumerate(plan.sheets, 1):
        moved = f' transform="translate(0 {number(top)})"' if top else ""
        yield f'<g id="sheet-{index}"{moved}>'
        for part in sheet.parts:
            yield from _part(part)
        yield "</g>"
        top += sheet.height + SHEET_GAP_MM
    yield "</g>"
    yield "</svg>"


def _part(part: SheetPart) -> Iterator[str]:
    yield "<g>"
    yield f"<title>{safe(part.name)}</title>"
    if part.engraved:
        yield f'<path d="{"".join(map(_trail, part.engraved))}" stroke="{ENGRAVING_COLOUR}"/>'
    # A path for each line: programs keep their order, and you can pick a single line in an editor.
    yield from (f'<path d="{_trail(line)}" stroke="{CUT_COLOUR}"/>' for line in part.cut)
    yield "</g>"


def _trail(line: CutLine) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y, *_ in line.places) + "Z" * line.closed


#: The number of mm in DXF's list of units.
_DXF_MILLIMETRES = 4
_DXF_RED, _DXF_BLUE = 1, 5


def dxf_text(plan: CuttingPlan) -> str:
    """Return a plan as the text of a DXF file; sheets are below each other, the last one at the origin."""
    ezdxf = needs("ezdxf", "print", "a DXF file")
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        document = ezdxf.new("R2000", units=_DXF_MILLIMETRES)
        document.layers.add("CUT", color=_DXF_RED)
        document.layers.add("ENGRAVE", color=_DXF_BLUE)
        space = document.modelspace()
        above = sum(sheet.height for sheet in plan.sheets) + SHEET_GAP_MM * (len(plan.sheets) - 1)
        for sheet in plan.sheets:
            for part in sheet.parts:
                for layer, lines in (("ENGRAVE", part.engraved), ("CUT", part.cut)):
                    for line in lines:
                        space.add_lwpolyline(_upright(line, above), close=line.closed, dxfattribs={"layer": layer})
            above -= sheet.height + SHEET_GAP_MM
        text = StringIO()
        document.write(text)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before
    return text.getvalue()


def _upright(line: CutLine, above: float) -> list[tuple[float, float]]:
    return [(round(x, 4) + 0.0, round(above - y, 4) + 0.0) for x, y, *_ in line.places]
