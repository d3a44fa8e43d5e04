"""The moving picture in docs/disassembly.md: the burr of that page comes apart.

`python -m tests.tools.site.burr_picture` writes docs/images/burr.webp. It needs `pip install 'puzzlec[animation]'`.
"""

from __future__ import annotations

from pathlib import Path

from puzzlec import draw, parse

DOCS = Path(__file__).parents[3] / "docs"
PICTURE = DOCS / "images" / "burr.webp"


def burr() -> str:
    """Return the first puzzle of the page."""
    page = (DOCS / "disassembly.md").read_text(encoding="utf-8")
    return page.split("```puzzle\n", 1)[1].split("```", 1)[0]


if __name__ == "__main__":
    PICTURE.write_bytes(draw(parse(burr()), format="webp", cell=17))
