"""The words of the language for editors: a description of each, and its section of the reference."""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.language.elaborate import WORDS
from puzzlec.version import repository_file


class Line(NamedTuple):
    """The meaning of a word, and its section of ``docs/language.md``."""

    meaning: str
    section: str

    @property
    def markdown(self) -> str:
        """The line with a link to its section."""
        return f"{self.meaning}.{link('The language', 'language', self.section)}"


def line_of(word: str) -> Line | None:
    """Return the description of a word of the language, None for any other word.

    >>> line_of("border").section, line_of("house")
    ('border', None)
    """
    found = WORDS.get(word)
    return Line(found.meaning, found.anchor) if found else None


def link(title: str, page: str, section: str) -> str:
    """Return a Markdown link to a section of a page, after a space; nothing if no repository is configured."""
    address = repository_file(f"docs/{page}.md")
    return f" [{title}]({address}#{section})" if address else ""
