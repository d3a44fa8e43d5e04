"""Compares a page on the site with the same page on GitHub: headings, lists, tables, code and words.

zensical and GitHub differ in some rules of Markdown: an escaped bar in a table, a list that is indented by two spaces,
a list directly after a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from html.parser import HTMLParser

from markdown_it import MarkdownIt

#: Elements that a reader can see. In other elements, only the text counts.
SEEN = {
    *("blockquote", "em", "h1", "h2", "h3", "h4", "h5", "img", "li", "ol", "pre", "strong"),
    *("table", "td", "th", "tr", "ul"),
}


#: In the address or the class of links that only the site has.
ADDED = ("workbench/index.html#", "md-button")


class _Page(HTMLParser):
    """Collects the elements and words of a page. On the site, only those of the article count."""

    def __init__(self, is_whole: bool) -> None:
        super().__init__()
        self.inside = is_whole
        self.left_out = 0
        #: Texts, and elements between NUL characters.
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "article":
            self.inside = True
        elif self.left_out or any(mark in str(attrs) for mark in ("headerlink", *ADDED)):
            self.left_out += tag == "a"
        elif tag in SEEN and self.inside:
            self.seen.append(f"\0<{tag}>\0")

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self.inside = False
        elif tag == "a" and self.left_out:
            self.left_out -= 1
        elif tag in SEEN and self.inside:
            self.seen.append(f"\0</{tag}>\0")

    def handle_data(self, data: str) -> None:
        if self.inside and not self.left_out:
            self.seen.append(data)


def _seen(html: str, is_whole: bool) -> Iterator[str]:
    """Yield the elements and texts of a page in order, without spaces."""
    page = _Page(is_whole)
    page.feed(html)
    yield from filter(None, (re.sub(r"\s+", "", part) for part in "".join(page.seen).split("\0")))


def difference(markdown: str, html: str) -> str:
    """Return the differences between a page on the site and on GitHub, or an empty text."""
    at_github = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    lines = unified_diff(list(_seen(at_github, True)), list(_seen(html, False)), "GitHub", "site", lineterm="", n=0)
    return "\n".join(line[:200] for line in lines if not line.startswith("@@"))
