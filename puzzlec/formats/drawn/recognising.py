"""What tells a drawn text from the texts of other formats. Drawings have few signs, so that another may be meant."""

from __future__ import annotations

import re

from puzzlec.diagnostics import Source
from puzzlec.formats.drawn.drawings import blocks, signs_of
from puzzlec.formats.drawn.placed import is_placed

#: Characters, besides letters, in which drawings are recognised.
_SIGNS = "#*@+%&$\u2588\u25a0\u25cf"

#: The longest line of a drawing that is recognised: other formats have long lines of one character, too.
_LONGEST = 200


def is_iqpuzzler(source: Source) -> bool:
    r"""Whether a text begins with a line of two to four numbers, and lines without digits follow.

    >>> is_iqpuzzler(Source("", "2 2 1\nDEFAULT\nAA\nAA\n")), is_iqpuzzler(Source("", "6 3\n2 2 0 1\n"))
    (True, False)
    """
    found = [line for line in source.text[:10_000].split("\n") if line.strip()]
    head = re.fullmatch(r"\s*[0-9]+(?:\s+[0-9]+){1,3}\s*", found[0], re.ASCII) if found else None
    return head is not None and len(found) > 1 and not any(re.search(r"[0-9,{}\[\]()|:]", line) for line in found[1:])


def is_drawn(source: Source) -> bool:
    r"""Whether each drawing of a text has one character, a letter or a sign such as ``#``.

    Rows of ``x`` and ``.`` without a space or an empty line are a board.

    >>> is_drawn(Source("", "XX\n X\n\nXXX\n")), is_drawn(Source("", "xx.\nxxx\n")), is_drawn(Source("", "AB\nBB\n"))
    (True, False, False)
    """
    if len(source.text.split("\n", 1)[0]) > _LONGEST:
        return False
    found = blocks(source.text)
    signs = [signs_of(block.rows) for block in found]
    board = len(found) == 1 and signs == [["x"]] and not any(" " in row.text for row in found[0].rows)
    known = all(len(each) == 1 and (each[0].isalpha() or each[0] in _SIGNS) for each in signs)
    return bool(found) and not board and known


def drawn_readings(source: Source) -> list[str]:
    """Return the names of the formats of drawings that a text seems to be in."""
    predicates = (("iqpuzzler", is_iqpuzzler), ("kanoodle", is_placed), ("drawn", is_drawn))
    return [name for name, predicate in predicates if predicate(source)]
