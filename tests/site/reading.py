"""What a reader sees of a page, on the site and at GitHub: the same headings, lists, tables, code and words, or not.

zensical reads Markdown by other rules than GitHub: an escaped bar in a table, a list that is indented by two blanks, a
list right behind a paragraph. A page that they understand differently is told here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from html.parser import HTMLParser

from markdown_it import MarkdownIt

#: Elements that a reader sees as such; text within any others is text.
SEEN = {
    *("blockquote", "em", "h1", "h2", "h3", "h4", "h5", "img", "li", "ol", "pre", "strong"),
    *("table", "td", "th", "tr", "ul"),
}


class _Page(HTMLParser):
    """Collects the elements and the words of a page; on the site, those of its article only."""

    def __init__(self, is_whole: bool) -> None:
        super().__init__()
        self.inside = is_whole
        self.left_out = 0
        #: Texts, and elements between zeros.
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "article":
            self.inside = True
        elif self.left_out or "headerlink" in (dict(attrs).get("class") or ""):
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
    """Give elements and texts of a page, in their order, blanks left out."""
    page = _Page(is_whole)
    page.feed(html)
    yield from filter(None, (re.sub(r"\s+", "", each) for each in "".join(page.seen).split("\0")))


def difference(markdown: str, html: str) -> str:
    """Return what a page of the site shows in another way than GitHub does; nothing where both show the same."""
    at_github = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    lines = unified_diff(list(_seen(at_github, True)), list(_seen(html, False)), "GitHub", "site", lineterm="", n=0)
    return "\n".join(line[:200] for line in lines if not line.startswith("@@"))
