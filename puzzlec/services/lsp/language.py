"""The words of the language for editors: a line of the reference for each, and its section.

The table of statements has the words of statements. A test compares the other words with ``docs/language.md``.
"""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.language.elaborate import STATEMENTS as TABLE
from puzzlec.version import repository_file


class Line(NamedTuple):
    """The meaning of a word, and the section of ``docs/language.md`` that describes it."""

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
    "box": Line("A box at the origin: one, two or three sizes, by the lattice", "regions"),
    "grid": Line("On `lattice sticks`: all edges of a board of so many squares, columns by rows", "regions"),
    "sides": Line("On lattices of edges: all edges that are sides of cells", "sides-of-cells"),
    "of": Line("On lattices of edges: all edges that are sides of cells", "sides-of-cells"),
    "cells": Line("These cells; with `lattice none`, these names", "regions"),
    "at": Line("Moves a region, or names the place of a digit in a drawing", "regions"),
    "covers": Line("The placements of the piece, each a set of locations", "listed-placements"),
    "edges": Line("The colours of the sides of a tile, in the order of its neighbours", "edges"),
    "except": Line("The pieces of the library that are left out", "pieces-1"),
    "only": Line("The pieces of the library that are taken", "pieces-1"),
    "allowed": Line("With `crossing allowed`, pieces may cross on lattices of edges", "crossing"),
    "twisted": Line("Turns the board over on the way around", "wrap"),
    "on": Line("The colours of locations that the cell may lie on", "allow"),
    "in": Line("Stands before a region, or before the values of a variable", "place"),
    "off": Line("Every placement of the piece lies wholly off the region", "place"),
    "sum": Line("The sum of the numbers that the pieces show on the region", "rule"),
    "all": Line("All colours that the pieces show on the region are equal, or all are different", "rule"),
    "equal": Line("The pieces show one colour on the region", "rule"),
    "different": Line("The pieces show no colour twice on the region", "rule"),
    "where": Line("Leaves out the rounds for which the condition does not hold", "for"),
    "and": Line("Both conditions hold", "expressions"),
    "or": Line("One of the conditions holds, or both", "expressions"),
    "not": Line("The condition does not hold", "expressions"),
    "min": Line("The least of some numbers", "expressions"),
    "max": Line("The greatest of some numbers", "expressions"),
    "abs": Line("A number without its sign", "expressions"),
    "one-sided": Line("The piece may be turned, not mirrored", "freedom"),
    "fixed": Line("The piece lies as it is drawn", "freedom"),
    "free": Line("The piece may be turned and mirrored", "freedom"),
    "none": Line("No geometry: locations have names", "lattice"),
}


def line_of(word: str) -> Line | None:
    """Return the line of a word of the language, or None for any other word.

    >>> line_of("rim").section, line_of("house")
    ('rim', None)
    """
    return STATEMENTS.get(word) or WORDS.get(word)


def link(title: str, page: str, section: str) -> str:
    """Return a Markdown link to a section of a page, after a space; nothing if no repository is configured."""
    address = repository_file(f"docs/{page}.md")
    return f" [{title}]({address}#{section})" if address else ""
