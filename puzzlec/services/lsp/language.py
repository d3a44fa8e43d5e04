"""The words of the language for editors: a description of each, and its section of the reference.

The table of statements has the words that begin statements. A test compares the others with ``docs/language.md``.
"""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.language.elaborate import STATEMENTS as TABLE
from puzzlec.version import repository_file


class Line(NamedTuple):
    """The meaning of a word, and its section of ``docs/language.md``."""

    meaning: str
    section: str

    @property
    def markdown(self) -> str:
        """The line with a link to its section."""
        return f"{self.meaning}.{link('The language', 'language', self.section)}"


#: The words that begin statements.
STATEMENTS = {each.word: Line(each.help, each.anchor) for each in TABLE}

#: All other words.
WORDS: dict[str, Line] = {
    "box": Line("A box at the origin: one, two or three sizes, depending on the lattice", "regions"),
    "grid": Line("On `lattice sticks`: all edges of a board of squares, columns by rows", "regions"),
    "sides": Line("On lattices of edges: all edges that are sides of cells", "sides-of-cells"),
    "of": Line("On lattices of edges: all edges that are sides of cells", "sides-of-cells"),
    "cells": Line("The listed cells; with `lattice none`, the listed names", "regions"),
    "at": Line("Moves a region, or gives the place of a digit in a drawing", "regions"),
    "covers": Line("The placements of the piece, each a set of locations", "listed-placements"),
    "edges": Line("The colours of the sides of a tile, in the order of its neighbours", "edges"),
    "except": Line("The pieces of the library to leave out", "pieces-1"),
    "only": Line("The pieces of the library to take", "pieces-1"),
    "allowed": Line("With `crossing allowed`, pieces may cross on lattices of edges", "crossing"),
    "twisted": Line("Reflects the board where it wraps around", "wrap"),
    "on": Line("The colours of locations that the cell may cover", "allow"),
    "in": Line("Precedes a region, or the values of a variable", "place"),
    "off": Line("The piece covers no location of the region", "place"),
    "sum": Line("The sum of the numbers that pieces show on the region", "rule"),
    "all": Line("All colours that pieces show on the region are equal, or all are different", "rule"),
    "equal": Line("The pieces show one colour on the region", "rule"),
    "different": Line("The pieces show no colour twice on the region", "rule"),
    "where": Line("Skips the iterations for which the condition does not hold", "for"),
    "and": Line("Both conditions hold", "expressions"),
    "or": Line("One of the conditions holds, or both", "expressions"),
    "not": Line("The condition does not hold", "expressions"),
    "min": Line("The least of several numbers", "expressions"),
    "max": Line("The greatest of several numbers", "expressions"),
    "abs": Line("The absolute value of a number", "expressions"),
    "one-sided": Line("The piece may be rotated, but not reflected", "freedom"),
    "fixed": Line("The piece may only be moved", "freedom"),
    "free": Line("The piece may be rotated and reflected", "freedom"),
    "none": Line("No geometry: locations have names", "lattice"),
}


def line_of(word: str) -> Line | None:
    """Return the description of a word of the language, None for any other word.

    >>> line_of("border").section, line_of("house")
    ('border', None)
    """
    return STATEMENTS.get(word) or WORDS.get(word)


def link(title: str, page: str, section: str) -> str:
    """Return a Markdown link to a section of a page, after a space; nothing if no repository is configured."""
    address = repository_file(f"docs/{page}.md")
    return f" [{title}]({address}#{section})" if address else ""
