"""PDF: pictures as pages, and worksheets. Typst typesets them; its package brings its own fonts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from puzzlec.diagnostics import extras
from puzzlec.diagnostics.error import fail
from puzzlec.show.svg.paper import PX, Picture

#: The longest side of a page, in mm: PDF readers show no page above 200 inches.
LONGEST = 5080.0

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
        if max(width, height) > LONGEST:
            raise fail(
                "PZ504",
                f"a page of {width:.0f} x {height:.0f} mm is too large (limit {LONGEST:g} mm)",
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
    typst = extras.needs("typst", "pdf", "a PDF")
    # Fonts of the system make the bytes depend on the machine: they are for letters that Typst's own fonts lack.
    plain = all(ord(letter) < 0x500 for content in files.values() for letter in content.decode())
    made = typst.compile({"main": source.encode(), **files}, format="pdf", ignore_system_fonts=plain)
    return bytes(made)


def json_bytes(value: Any) -> bytes:
    """Return plain data as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False).encode()
