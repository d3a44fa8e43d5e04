"""PNG made of an SVG picture: by resvg, which needs no library of the system."""

from __future__ import annotations

import re
import struct
import zlib

from puzzlec.diagnostics import extras
from puzzlec.diagnostics.error import fail

#: A picture has at most so many pixels, and is at most so wide and high: more would fill the memory.
MOST_PIXELS, LONGEST = 80_000_000, 30_000
#: Where nobody says it, a px is so many pixels, as on screens of today, unless the picture has more px than that.
SHARP, MANY_PX = 2.0, 4_000_000

#: On paper there are so many pixels to the inch, if nobody says it; CSS has so many px to the inch, of 25.4 mm.
_FINE, _PX = 300, 96
_SIZE = re.compile(r'<svg [^>]*? viewBox="\S+ \S+ ([\d.]+) ([\d.]+)" width="[\d.]+(mm)?"')


def png(svg: str, scale: float | None = None) -> bytes:
    """Return a picture as PNG, each px of the SVG ``scale`` pixels (None: two, or one if the picture is large).

    One on paper has 300 pixels to the inch without a scale, and says how large it is.
    The same picture gives the same bytes. Raises PuzzleError: PZ504 where it would be too large, PZ505 where resvg-py
    is not installed.
    """
    found = _SIZE.match(svg)
    assert found is not None
    sizes, on_paper = [float(value) for value in found.groups()[:2]], bool(found[3])
    if scale is None and on_paper:
        scale = _FINE / _PX
    elif scale is None:
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
    made = bytes(resvg.svg_to_bytes(svg_string=svg, width=wide, height=high, dpi=_PX, **found_fonts))
    return _with_size(made, scale * _PX / 0.0254) if on_paper else made


def _with_size(png: bytes, pixels: float) -> bytes:
    """Return a PNG that says how many pixels there are to the metre (the chunk pHYs, after the header of 33 bytes)."""
    chunk = b"pHYs" + struct.pack(">IIB", round(pixels), round(pixels), 1)
    return png[:33] + struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[33:]
