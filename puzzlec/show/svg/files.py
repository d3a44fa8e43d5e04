"""Files of pictures: PDF by Typst, whose package includes fonts, PNG by resvg, and moving ones by Pillow.

None of these needs a system library.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from puzzlec.diagnostics.error import fail, needs
from puzzlec.show.svg.page_sizes import PX
from puzzlec.show.svg.paper import Picture

if TYPE_CHECKING:
    from puzzlec.show.svg.moving import Movie

#: The longest side of a page, in mm: PDF readers show no page above 200 inches.
LONGEST_PAGE = 5080.0

#: Each picture fills a page of its size.
_PAGES = """
#let pages = json("pages.json")
#set document(title: pages.first().title, date: none)
#for part in pages {
  page(
    width: part.width * 1mm, height: part.height * 1mm, margin: 0mm,
    image(part.file, width: 100%, height: 100%, alt: part.words),
  )
}
"""


def pdf(pictures: Sequence[Picture], background: str = "#ffffff") -> bytes:
    """Return pictures as the pages of a PDF, each as large as the picture.

    The same pictures give the same bytes. Raises PuzzleError: PZ504 if a page would be too large, PZ505 if the package
    ``typst`` is missing.
    """
    files: dict[str, bytes] = {}
    pages = []
    for number, picture in enumerate(pictures, 1):
        if picture.page is None:
            size = picture.figure.sheet()[2:]
            width, height = size[0] / PX, size[1] / PX
        else:
            width, height = picture.page
        if max(width, height) > LONGEST_PAGE:
            raise fail(
                "PZ504",
                f"a page of {width:.0f} x {height:.0f} mm is too large (limit {LONGEST_PAGE:g} mm)",
                help="choose a smaller `--cell`, or add `--paper a4`",
            )
        name = f"{number}.svg"
        files[name] = picture.svg(background).encode()
        pages.append(
            {"file": name, "width": width, "height": height, "title": picture.title, "words": picture.description}
        )
    return typeset(_PAGES, {**files, "pages.json": json_bytes(pages)})


def typeset(source: str, files: Mapping[str, bytes]) -> bytes:
    """Return the PDF of a Typst document, which reads only these files.

    Raises PuzzleError (PZ505) if the package ``typst`` is missing.
    """
    typst = needs("typst", "pdf", "a PDF")
    # System fonts are only for letters that Typst's own fonts lack, because they make the bytes depend on the machine.
    plain = all(ord(letter) < 0x500 for content in files.values() for letter in content.decode())
    made = typst.compile({"main": source.encode(), **files}, format="pdf", ignore_system_fonts=plain)
    return bytes(made)


def json_bytes(value: Any) -> bytes:
    """Return plain data as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False).encode()


#: Maximum number of pixels, and the greatest width and height: more would fill the memory.
MOST_PIXELS, MAX_PIXELS_IN_ROW = 80_000_000, 30_000
#: Default pixels for each px, as on current screens. A picture of more px than the second number gets one pixel each.
SHARP, MANY_PX = 2.0, 4_000_000

#: The default pixels of an inch on paper; CSS has this many px to the inch of 25.4 mm.
_FINE, _PX = 300, 96
_SIZE = re.compile(r'<svg [^>]*? viewBox="\S+ \S+ ([\d.]+) ([\d.]+)" width="[\d.]+(mm)?"')


def png(svg: str, scale: float | None = None) -> bytes:
    """Return a picture as PNG, with ``scale`` pixels for a px of the SVG (None: two, or one if the picture is large).

    On paper the default is 300 pixels to the inch, and the PNG contains its size. The same picture gives the same
    bytes. Raises PuzzleError: PZ504 if it would be too large, PZ505 if resvg-py is missing.
    """
    match = _SIZE.match(svg)
    assert match is not None
    sizes, on_paper = [float(value) for value in match.groups()[:2]], bool(match[3])
    if scale is None and on_paper:
        scale = _FINE / _PX
    elif scale is None:
        scale = SHARP if sizes[0] * sizes[1] <= MANY_PX else 1
    wide, high = (max(1, round(size * scale)) for size in sizes)
    if wide * high > MOST_PIXELS or max(wide, high) > MAX_PIXELS_IN_ROW:
        raise fail(
            "PZ504",
            f"a picture of {wide} x {high} pixels would be too large",
            note=f"a PNG has at most {MOST_PIXELS} pixels here, and at most {MAX_PIXELS_IN_ROW} in a row or a column",
            help="choose a smaller `--scale` or `--cell`, show fewer solutions with `--limit`, or write SVG",
        )
    resvg = needs("resvg_py", "png", "a PNG picture")
    # Letters are paths: only characters without strokes need fonts of the system.
    found_fonts = {} if "<text" in svg else {"skip_system_fonts": True}
    made = bytes(resvg.svg_to_bytes(svg_string=svg, width=wide, height=high, dpi=_PX, **found_fonts))
    return _with_size(made, scale * _PX / 0.0254) if on_paper else made


#: Maximum number of pixels of all pictures of an animated picture together, and its default scale.
MOST_MOVING_PIXELS, MOVING_SCALE = 300_000_000, 1.0


def animated(movie: Movie, format: str, background: str = "#ffffff", scale: float | None = None) -> bytes:
    """Return a moving picture as WebP or GIF, in an endless loop.

    The same picture gives the same bytes with the same version of Pillow. Raises PuzzleError: PZ504 if it would be too
    large, PZ505 if Pillow or resvg-py is missing.
    """
    pillow = needs("PIL.Image", "animation", "an animated picture")
    scale = MOVING_SCALE if scale is None else scale
    pixels = movie.box.width * movie.box.height * scale * scale * len(movie.figures)
    if pixels > MOST_MOVING_PIXELS:
        message = f"an animated picture of {pixels / 1e6:.0f} million pixels would be too large"
        note = (
            f"its {len(movie.figures)} pictures have at most {MOST_MOVING_PIXELS // 1_000_000} million pixels together"
        )
        raise fail(
            "PZ504", message, note=note, help="choose a smaller `--scale` or `--cell`, or add `--animate` to an SVG"
        )
    mode = "RGBA" if background == "none" else "RGB"
    stills = [
        pillow.open(BytesIO(png(movie.still(number, background), scale))).convert(mode)
        for number in range(len(movie.figures))
    ]
    pictures = [stills[number] for number in movie.order]
    times = [movie.times[number] for number in movie.order]
    settings = {"quality": 75, "method": 4} if format == "webp" else {"disposal": 2} if mode == "RGBA" else {}
    made = BytesIO()
    pictures[0].save(
        made, format.upper(), save_all=True, append_images=pictures[1:], duration=times, loop=0, **settings
    )
    return made.getvalue()


def _with_size(png: bytes, pixels: float) -> bytes:
    """Return a PNG with its pixels to the metre (the chunk pHYs, after the header of 33 bytes)."""
    chunk = b"pHYs" + struct.pack(">IIB", round(pixels), round(pixels), 1)
    return png[:33] + struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[33:]
