"""Starting files for a narrow column: long comments go on in the next line, so that they are read without scrolling."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

#: So many characters find room in the column of the text in a window of usual width.
WIDTH = 54

#: No comment becomes narrower, for it would be hard to read.
NARROWEST = 30

_COMMENT = re.compile(r"(\s*#[ ]*)(\S.*)")
_STATEMENT = re.compile(r"(\w.*?\S)\s+#\s+(\S.*)")


def folded(text: str, width: int = WIDTH) -> str:
    r"""Return a text of the language whose comments are at most so many characters wide; it means the same.

    A comment behind a statement goes above it, where the line is too long. Statements stay as they are.

    >>> print(folded("# one two three four\npiece I { xx }  # five six", 16), end="")
    # one two three
    # four
    # five six
    piece I { xx }
    """
    return "".join(f"{line}\n" for each in text.splitlines() for line in _lines(each, width))


def _lines(line: str, width: int) -> Iterator[str]:
    comment, statement = _COMMENT.fullmatch(line), _STATEMENT.fullmatch(line)
    if len(line) <= width or (comment is None and statement is None):
        yield line
    elif comment is not None:
        first, words = comment.groups()
        # What is explained stands in a column of its own: what goes on stands further to the right.
        further = first + "    " if re.search(r"\S {2,}\S", words) else first
        yield from textwrap.wrap(
            words,
            width,
            initial_indent=first,
            subsequent_indent=further,
            break_long_words=False,
            break_on_hyphens=False,
        )
    elif statement is not None:
        yield from _lines(f"# {statement[2]}", width)
        yield statement[1]
