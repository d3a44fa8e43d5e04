"""What a reader of the built site would stumble over: links and pictures that lead nowhere, pages that ask others.

zensical checks links of Markdown to pages and to headings. This looks at the HTML that it made, so that raw HTML, style
sheets and pictures are covered, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

_TAG = re.compile(r"<(\w+)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'\b(href|src|id|name)="([^"]*)"')

#: What a browser loads without being asked to.
LOADED = {"img", "script", "link", "source", "iframe", "object", "embed", "video", "audio"}


def faults(site: Path) -> list[str]:
    """Return what is wrong with the pages of a site, a line for each fault."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    found = {path: list(_references(text)) for path, text in pages.items()}
    anchors = {path: {value for _, key, value in found[path] if key in ("id", "name")} for path in pages}
    return [
        f"{page.relative_to(site)}: {fault}"
        for page, references in found.items()
        for tag, key, value in references
        if key in ("href", "src") and (fault := _fault(site, page, tag, value, anchors))
    ]


def _references(text: str) -> Iterator[tuple[str, str, str]]:
    """Give tag, attribute and value of all that names an address or an anchor."""
    for tag in _TAG.finditer(text):
        for attribute in _ATTRIBUTE.finditer(tag.group(2)):
            yield tag.group(1), attribute.group(1), unescape(attribute.group(2))


def _fault(site: Path, page: Path, tag: str, target: str, anchors: dict[Path, set[str]]) -> str | None:
    """Return what is wrong with an address on a page, None where it leads somewhere."""
    address = urlsplit(target)
    if address.scheme == "data":
        return None
    if address.scheme or address.netloc:
        return f"{target} is loaded from another server" if tag in LOADED else None
    path = unquote(address.path)
    # The page for addresses that lead nowhere is shown at any of them, so its own begin at the top.
    meant = (site / path[1:] if path.startswith("/") else page.parent / path).resolve() if path else page
    if meant.is_dir():
        meant = meant / "index.html"
    if not meant.is_relative_to(site) or not meant.is_file():
        return f"{target} is not there"
    # "__skip" and the like belong to the theme.
    fragment = unquote(address.fragment)
    if not fragment or fragment.startswith("__") or fragment in anchors.get(meant, {fragment}):
        return None
    return f"{target} has no such heading"
