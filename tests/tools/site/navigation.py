"""The navigation of the site: ``nav`` of docs/site/site.yml, with the pages of index pages added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from tests.tools.site.pages import headings

#: An entry: a page, a page with a title, or a title with entries. In the settings, it may be ``from`` an index page.
Entry: TypeAlias = "str | dict[str, str | list[Entry] | dict[str, str]]"


def complete(nav: list[Entry], files: dict[str, Path]) -> list[Entry]:
    """Return the entries, with the pages of each index page instead of ``from``.

    ``files`` are from :func:`tests.tools.site.pages.sources`. Raises ValueError for an entry of another form.
    """
    found: list[Entry] = []
    for entry in nav:
        if isinstance(entry, str):
            found.append(entry)
            continue
        ((title, below),) = entry.items()
        if isinstance(below, dict):
            index = below["from"]
            found.append({title: [index, *linked(index, files)]})
        elif isinstance(below, list):
            found.append({title: complete(below, files)})
        else:
            found.append(entry)
    return found


def linked(index: str, files: dict[str, Path]) -> list[Entry]:
    """Return the pages of its folder that an index page links, in groups under the headings of the index page.

    Each page has its own title. A page appears once, at its first link. A heading without links makes no group.
    """
    folder = PurePosixPath(index).parent
    entries: list[Entry] = []
    group: list[Entry] = entries
    for line in files[index].read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (.*)", line):
            group = []
            entries.append({heading.group(1).replace("`", ""): group})
        for target in re.findall(r"\]\(([\w-]+\.md)\)", line):
            page = str(folder / target)
            if page not in pages(entries):
                group.append({title_of(files[page]): page})
    return [entry for entry in entries if not isinstance(entry, dict) or list(entry.values()) != [[]]]


def title_of(path: Path) -> str:
    """Return the title of a page, without backticks."""
    return headings(path.read_text(encoding="utf-8"))[0].replace("`", "")


def pages(nav: list[Entry]) -> Iterator[str]:
    """Yield the pages of the entries in order; pages of an index page only after :func:`complete`."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
            continue
        for below in entry.values():
            if isinstance(below, list):
                yield from pages(below)
            elif isinstance(below, str):
                yield below


def amiss(nav: list[Entry], files: dict[str, Path]) -> list[str]:
    """Return the errors of the entries: pages that do not exist, are missing, or appear twice."""
    listed = list(pages(nav))
    written = {name for name in files if name.endswith(".md")}
    return [
        *(f"nav: no page {name}" for name in listed if name not in written),
        *(f"nav: missing page {name}" for name in sorted(written - set(listed))),
        *(f"nav: duplicate page {name}" for name in sorted({name for name in listed if listed.count(name) > 1})),
    ]
