"""PNG made of an SVG picture: by resvg, which needs no library of the system."""

from __future__ import annotations

import re

from puzzlec.diagnostics import extras
from puzzlec.diagnostics.diagnostic import fail

#: A picture has at most so many pixels, and is at most so wide and high: more would fill the memory.
MOST_PIXELS, LONGEST = 80_000_000, 30_000
#: Where nobody says it, a px is so many pixels, as on screens of today, unless the picture has more px than that.
SHARP, MANY_PX = 2.0, 4_000_000

_SIZE = re.compile(r'<svg [^>]*? width="(\d+)" height="(\d+)"')


def png(svg: str, scale: float | None = None) -> bytes:
    """Return a picture as PNG, each px of the SVG ``scale`` pixels (None: two, or one if the picture is large).

    The same picture gives the same bytes. Raises PuzzleError: PZ504 where it would be too large, PZ505 where resvg-py
    is not installed.
    """
    found = _SIZE.match(svg)
    assert found is not None
    sizes = [int(value) for value in found.groups()]
    if scale is None:
        scale = SHARP if sizes[0] * sizes[1] <= MANY_PX else 1
    wide, high = (max(1, round(size * scale)) for size in sizes)
    if wide * high > MOST_PIXELS or max(wide, high) > LONGEST:
        raise fail(
            "PZ504",
            f"a picture of {wide} x {high} pixels would be too large",
            note=f"a PNG has at most {MOST_PIXELS} pixels here, and at most {LONGEST} in a row or a column",
            help="choose a smaller `--scale` or `--cell`, show fewer solutions with `--limit`, or write SVG",
        )
    resvg = extras.needs("resvg_py", "png", "a PNG picture")
    # Letters are paths, so that fonts of the system are only looked for where a character has none here.
    found_fonts = {} if "<text" in svg else {"skip_system_fonts": True}
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=wide, height=high, **found_fonts))
