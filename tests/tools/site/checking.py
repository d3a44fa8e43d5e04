"""Errors of the built site: broken links, missing pictures, and files that are loaded from other servers.

zensical checks links in Markdown. This module checks its HTML, which includes raw HTML, scripts and pictures, and the
addresses in style sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

_TAG = re.compile(r"<(\w+)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'(?<![\w-])(href|src|srcset|id|name)="([^"]*)"')
_PICTURE = re.compile(r'<meta property="og:image" content="([^"]*)">')
_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")

#: Elements whose addresses a browser loads without a click.
LOADED = {"img", "script", "link", "source", "iframe", "object", "embed", "video", "audio"}


def faults(site: Path, address: str = "") -> list[str]:
    """Return the errors of the pages and style sheets of a site, one in each line.

    ``address`` is the public address of the site, if it is known.
    """
    own = re.compile(f"^({re.escape(address)}|{re.escape(urlsplit(address).path)})/")
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    found = {path: list(_references(text)) for path, text in pages.items()}
    anchors = {path: {value for _, key, value in found[path] if key in ("id", "name")} for path in pages}
    for path in sorted(site.rglob("*.css")):
        addresses = _STYLE.findall(path.read_text(encoding="utf-8"))
        found[path] = [("link", "href", one or other) for one, other in addresses]
    return [
        f"{page.relative_to(site)}: {fault}"
        for page, references in found.items()
        for tag, key, value in references
        if key in ("href", "src", "srcset") and (fault := _fault(site, page, tag, own.sub("/", value), anchors))
    ]


def _references(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the tag, the attribute and the value of each address and anchor."""
    for tag in _TAG.finditer(text):
        for attribute in _ATTRIBUTE.finditer(tag.group(2)):
            yield tag.group(1), attribute.group(1), unescape(attribute.group(2))
    for picture in _PICTURE.findall(text):
        yield "link", "src", unescape(picture)


def _fault(site: Path, page: Path, tag: str, target: str, anchors: dict[Path, set[str]]) -> str | None:
    """Return the error of an address on a page, or None if it leads to a file and a heading."""
    address = urlsplit(target)
    if address.scheme == "data":
        return None
    if address.scheme or address.netloc:
        return f"{target} is loaded from another server" if tag in LOADED else None
    path = unquote(address.path)
    # The page for missing addresses appears at any depth, so its links start at the root.
    meant = (site / path[1:] if path.startswith("/") else page.parent / path).resolve() if path else page
    if meant.is_dir():
        meant = meant / "index.html"
    if not meant.is_relative_to(site) or not meant.is_file():
        return f"{target} does not exist"
    # "__skip" and the like belong to the theme. The workbench reads a puzzle after the mark, and the scenes a name.
    fragment = unquote(address.fragment)
    if (
        not fragment
        or fragment.startswith(("__", "scene="))
        or meant.parent.name == "workbench"
        or fragment in anchors.get(meant, {fragment})
    ):
        return None
    return f"{target} has no such heading"
