"""Cuts as DXF (R2000, in mm): polylines on the layers CUT and ENGRAVE; x to the right and y upwards.

The library ezdxf writes it. It is told to write fixed dates and ids, so that the same cuts give the same bytes.
"""

from __future__ import annotations

from io import StringIO

from puzzlec.diagnostics.extras import needs
from puzzlec.make.laser.cuts import Line
from puzzlec.make.laser.plan import Plan
from puzzlec.make.laser.svg import BETWEEN_SHEETS

#: The number of mm in DXF's list of units.
_MM = 4
_RED, _BLUE = 1, 5


def dxf_text(plan: Plan) -> str:
    """Return a plan as the text of a DXF file; sheets stand below each other, the last one at the origin."""
    ezdxf = needs("ezdxf", "print", "a DXF file")
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        document = ezdxf.new("R2000", units=_MM)
        document.layers.add("CUT", color=_RED)
        document.layers.add("ENGRAVE", color=_BLUE)
        space = document.modelspace()
        above = sum(sheet.height for sheet in plan.sheets) + BETWEEN_SHEETS * (len(plan.sheets) - 1)
        for sheet in plan.sheets:
            for part in sheet.parts:
                for layer, lines in (("ENGRAVE", part.engraved), ("CUT", part.cut)):
                    for line in lines:
                        space.add_lwpolyline(_upright(line, above), close=line.closed, dxfattribs={"layer": layer})
            above -= sheet.height + BETWEEN_SHEETS
        text = StringIO()
        document.write(text)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before
    return text.getvalue()


def _upright(line: Line, above: float) -> list[tuple[float, float]]:
    return [(round(x, 4) + 0.0, round(above - y, 4) + 0.0) for x, y, *_ in line.places]
