"""The first lines of a text, by which a format with a line for each thing is recognised."""

from __future__ import annotations

from itertools import islice

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.lines import lines

#: So many lines are looked at.
FIRST = 5


def first_words(source: Source, *remarks: str) -> list[list[str]]:
    """Return the words of the first lines that are no remarks."""
    found = (line.split() for _, line in lines(source.text))
    return list(islice((words for words in found if words and not words[0].startswith(remarks)), FIRST))


def is_list_or_matrix(source: Source) -> bool:
    r"""Whether each line of a text may be two digits of a matrix, or a list of two columns.

    >>> is_list_or_matrix(Source("", "0,1\n1,0\n")), is_list_or_matrix(Source("", "0,1\n0,0\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    return bool(first) and all(words[0] in ("0,1", "1,0") for words in first)
