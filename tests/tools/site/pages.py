"""The pages of the site: copies of the Markdown files, with links that work on the site and the anchors of GitHub.

GitHub shows the same files. A link to a puzzle of the catalogue leads to its page on the site. A link to any other file
leads to the repository if one is configured.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from puzzlec.version import repository_file
from tests.tools.site import puzzles

ROOT = Path(__file__).parents[3]

#: Files outside docs, with their paths on the site.
BESIDE = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "puzzlec/services/web/static/icon.svg": "site/icon.svg",
}

#: The kinds of files that are copied from docs. Notebooks are not: GitHub shows them better.
COPIED = {".md", ".svg", ".png", ".webp", ".css", ".js", ".json", ".puzzle"}

#: The longest description of a page, in characters.
DESCRIPTION = 200

#: The longest code that is not broken at a hyphen, and the mark for it, which the style sheet uses.
SHORT = 26
WHOLE = "{: .whole }"

#: The beginning of a paragraph: not of a list, a table, raw HTML, or the date of a decision.
_PROSE = re.compile(r'(?!\* |\**(?:Date|Status):)["\w`*\[]')

_FENCE = re.compile(r"^ *(```+|~~~+)")
_NAMED = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_LINK = re.compile(r"""(\]\(|<(?:img|a)\b[^>]*?\b(?:src|href)=")([^)"\s]+)""")


def sources() -> dict[str, Path]:
    """Return the files of the repository that are copied to the site, by their paths there."""
    docs = ROOT / "docs"
    found = {path.relative_to(docs).as_posix(): path for path in sorted(docs.rglob("*")) if path.suffix in COPIED}
    return found | {name: ROOT / source for source, name in BESIDE.items()}


def places(files: dict[str, Path]) -> dict[Path, str]:
    """Return the path on the site of each file of the repository. The address of a puzzle is the path of its page."""
    return puzzles.pages() | {path.resolve(): name for name, path in files.items()}


def staged(text: str, source: Path, places: dict[Path, str]) -> str:
    """Return the text of a page for the site. ``source`` is its file; ``places`` are from :func:`places`."""
    here = source.resolve()
    start = PurePosixPath(places[here]).parent

    def moved(target: str) -> str:
        path, mark, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return target
        meant = Path(os.path.normpath(here.parent / path))
        there = places.get(meant) or places.get(meant / "README.md")
        if there is None and not meant.exists():
            return target  # zensical reports the broken link
        if there is None:
            address = repository_file(os.path.relpath(meant, ROOT.resolve()))
            return address and address + mark + anchor
        return os.path.relpath(there, start) + mark + anchor

    return "\n".join(_lines(text, moved)) + "\n"


def _lines(text: str, moved: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a page: with new links and anchors, without comments for the tests."""
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
    """Return a line with new targets of its links. Code does not change."""
    if line.lstrip().startswith("|"):
        # GitHub needs a backslash before a bar in code of a table, and zensical would show the backslash.
        line = re.sub(r"`[^`]*`", lambda code: code.group().replace("\\|", "|"), line)

    def name_only(link: re.Match[str]) -> str:
        """Return only the words of a link to a file outside the site if no repository is configured."""
        return link.group() if moved(link.group(2)) else link.group(1)

    parts = re.split(r"((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))", line)
    # Each match gives three parts: the text before it, the code, and its backticks.
    return "".join(
        part + WHOLE * ("-" in part and len(part) <= SHORT)
        if number % 3
        else _LINK.sub(lambda link: link.group(1) + moved(link.group(2)), _NAMED.sub(name_only, part))
        for number, part in enumerate(parts)
        if number % 3 < 2
    )


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a page, each with whether it belongs to a fenced block."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        yield line, bool(fence or found)
        if found and not fence:
            fence = found.group(1)
        elif found and line.strip() == fence:
            fence = ""


def headings(text: str) -> list[str]:
    """Return the headings of a page, in Markdown."""
    return [line.lstrip("#").strip() for line, is_code in lines(text) if not is_code and re.match("#+ ", line)]


class Anchors:
    """The anchors of one page, as GitHub makes them: lower case, no punctuation, a hyphen for each space.

    A repeated heading gets ``-1``, ``-2`` and so on.
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


def description(text: str) -> str:
    """Return the first paragraph of a page, cut after a sentence or a word, without the marks of Markdown."""
    prose = "\n".join("" if is_code else line for line, is_code in lines(text))
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", prose))
    found = next((part for part in paragraphs if _PROSE.match(part)), "")
    found = re.sub(r"\{: \.whole \}|[`*]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", found))
    if len(found) <= DESCRIPTION:
        return found.rstrip(":")
    cut = found[:DESCRIPTION]
    return cut[: cut.rindex(". ") + 1] if ". " in cut[80:] else cut[: cut.rindex(" ")] + " \N{HORIZONTAL ELLIPSIS}"
