"""The pages of the site, as they are copied for it: with links that work there, and GitHub's anchors.

The same files are read on GitHub. The copies even out what GitHub and the site do differently. Files that are not
pages are linked in the repository if one is configured. Each heading has the anchor that GitHub makes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from puzzlec.version import repository_file

ROOT = Path(__file__).parents[2]

#: Files outside docs, and the page that each becomes.
BESIDE = {"README.md": "readme.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}

#: What is copied from docs: pages, what they show, and what a reader may save. A notebook is better seen at GitHub.
COPIED = {".md", ".svg", ".png", ".webp", ".css", ".json", ".puzzle"}

#: Code so short that it is not broken at a hyphen, and the mark behind it that says so to the style sheet.
SHORT = 26
WHOLE = "{: .whole }"

_FENCE = re.compile(r"^ *(```+|~~~+)")
_NAMED = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_LINK = re.compile(r"""(\]\(|<(?:img|a)\b[^>]*?\b(?:src|href)=")([^)"\s]+)""")


def sources() -> dict[str, Path]:
    """Return for each file of the site, by its path there, the file of the repository that it is made from."""
    docs = ROOT / "docs"
    found = {path.relative_to(docs).as_posix(): path for path in sorted(docs.rglob("*")) if path.suffix in COPIED}
    return found | {name: ROOT / source for source, name in BESIDE.items()}


def places(files: dict[str, Path]) -> dict[Path, str]:
    """Return for each file of the repository that is part of the site its path there: :func:`sources` the other way."""
    return {path.resolve(): name for name, path in files.items()}


def staged(text: str, source: Path, places: dict[Path, str]) -> str:
    """Return the text of a page as the site has it; ``source`` is its file, ``places`` are those of :func:`places`."""
    here = source.resolve()
    start = PurePosixPath(places[here]).parent

    def moved(target: str) -> str:
        path, mark, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return target
        meant = Path(os.path.normpath(here.parent / path))
        there = places.get(meant) or places.get(meant / "README.md")
        if there is None and not meant.exists():
            return target  # which is told when the site is built
        if there is None:
            address = repository_file(os.path.relpath(meant, ROOT.resolve()))
            return address and address + mark + anchor
        return os.path.relpath(there, start) + mark + anchor

    return "\n".join(_lines(text, moved)) + "\n"


def _lines(text: str, moved: Callable[[str], str]) -> Iterator[str]:
    """Give the lines of a page: links changed, headings with their anchors, comments for the tests left out."""
    anchors = Anchors()
    for line, is_code in lines(text):
        if is_code:
            yield line
        elif heading := re.fullmatch(r"(#+) (.*?) *", line):
            anchor = anchors.of(heading.group(2))
            yield f"{heading.group(1)} {_linked(heading.group(2), moved)} {{#{anchor}}}"
        elif not re.fullmatch(r"<!--.*-->", line):
            yield _linked(line, moved)


def _linked(line: str, moved: Callable[[str], str]) -> str:
    """Return a line with the targets of its links replaced, but for what stands in code."""
    if line.lstrip().startswith("|"):
        # Inside code of a table, GitHub wants a bar escaped, and zensical shows it as it is written.
        line = re.sub(r"`[^`]*`", lambda code: code.group().replace("\\|", "|"), line)

    def name_only(link: re.Match[str]) -> str:
        """Drop a link that leads nowhere: a file outside the site while no repository is configured."""
        return link.group() if moved(link.group(2)) else link.group(1)

    parts = re.split(r"((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))", line)
    # Of each match of two groups three parts come back: the text before it, the code, and its backticks.
    return "".join(
        part + WHOLE * ("-" in part and len(part) <= SHORT)
        if number % 3
        else _LINK.sub(lambda link: link.group(1) + moved(link.group(2)), _NAMED.sub(name_only, part))
        for number, part in enumerate(parts)
        if number % 3 < 2
    )


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Give the lines of a page, and of each whether it belongs to a fenced block."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        yield line, bool(fence or found)
        if found and not fence:
            fence = found.group(1)
        elif found and line.strip() == fence:
            fence = ""


def headings(text: str) -> list[str]:
    """Return the headings of a page, as they are written."""
    return [line.lstrip("#").strip() for line, is_code in lines(text) if not is_code and re.match("#+ ", line)]


class Anchors:
    """The anchors of one page, as GitHub makes them: lower case, no punctuation, a hyphen for each blank.

    A heading that was there before gets ``-1``, ``-2`` and so on.
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, heading: str) -> str:
        """Return the anchor of the next heading."""
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown).lower().replace(" ", "-")
        number = self._seen.get(anchor, -1) + 1
        self._seen[anchor] = number
        return f"{anchor}-{number}" if number else anchor
