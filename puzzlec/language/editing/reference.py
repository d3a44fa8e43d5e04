"""The words of the language in its reference: the meaning of each, and a link to its section."""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.language.elaborate.statements import WORDS
from puzzlec.version import repository_file


class ReferenceEntry(NamedTuple):
    """The meaning of a word, and its page and section of the reference."""

    meaning: str
    page: str
    section: str

    @property
    def markdown(self) -> str:
        """The line with a link to its section."""
        return f"{self.meaning}.{link('The language', f'language/{self.page}', self.section)}"


def line_of(word: str) -> ReferenceEntry | None:
    """Return the description of a word of the language, None for any other word.

    >>> line_of("frame").page, line_of("frame").section, line_of("house")
    ('puzzles', 'frame', None)
    """
    entry = WORDS.get(word)
    return ReferenceEntry(entry.meaning, entry.page, entry.anchor) if entry else None


def link(title: str, page: str, section: str) -> str:
    """Return a Markdown link to a section of a page, after a space; nothing if no repository is configured."""
    address = repository_file(f"docs/{page}.md")
    return f" [{title}]({address}#{section})" if address else ""
