"""Links that open a puzzle in the workbench of the site: the text is in the address, after ``#``.

``static/links.js`` of the page reads and writes the same form: raw deflate (RFC 1951), then base64url (RFC 4648)
without padding.
"""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import PurePosixPath
from urllib.parse import quote

#: The page of the workbench, from the root of the site.
PAGE = "workbench/index.html"

#: The words of a link.
WORDS = "Open in the workbench"

#: The buttons of the first page: what they say and open, and the beginning of the picture below them.
BUTTON = (
    f'<p class="try"><a class="md-button md-button--primary" href="{PAGE}#soma/soma">Try it in your browser</a>'
    '<a class="md-button" href="gallery.html">See all puzzles</a></p>'
)
BUTTON_BEFORE = '<p align="center"><picture>'

#: A block of the puzzle language, with its indentation.
_BLOCK = re.compile(r"(?ms)^( *)(```+)puzzle\n(.*?)^\1\2[ \t]*$")


def fragment(text: str) -> str:
    """Return the part of an address after ``#`` that contains a text of the puzzle language."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(text.encode()) + packing.flush()
    return "text=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def anchor(page: str, held: str) -> str:
    """Return a link from a page of the site to the workbench. ``held`` is what it opens, such as a :func:`fragment`."""
    up = "../" * (len(PurePosixPath(page).parts) - 1)
    return f'<p class="workbench"><a href="{up}{PAGE}#{quote(held, safe="=/&")}">{WORDS}</a></p>\n'


def opened(text: str, page: str) -> str:
    """Return a page of the site with a link after each block of the puzzle language, and on the first page buttons."""

    def linked(block: re.Match[str]) -> str:
        indent, content = block.group(1), block.group(3)
        lines = "".join(line.removeprefix(indent) for line in content.splitlines(keepends=True))
        return f"{block.group()}\n\n{indent}{anchor(page, fragment(lines))}"

    text = _BLOCK.sub(linked, text)
    if page == "index.md":
        assert BUTTON_BEFORE in text
        return text.replace(BUTTON_BEFORE, f"{BUTTON}\n\n{BUTTON_BEFORE}", 1)
    return text
