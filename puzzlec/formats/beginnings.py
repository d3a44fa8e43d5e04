"""What tells the texts of options, and of boxes and pieces, that have a line for each: their first lines."""

from __future__ import annotations

import re
from itertools import islice

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.lines import lines
from puzzlec.formats.rows import separated

#: So many lines are looked at.
FIRST = 5

_CELL = re.compile(r"(?:\[[0-9A-Za-z-]+\]|[0-9A-Za-z]){2,3}(?![0-9A-Za-z\[])\S{0,6}", re.ASCII)


def _first(source: Source, *remarks: str) -> list[list[str]]:
    """Return the words of the first lines that are no remarks."""
    found = (line.split() for _, line in lines(source.text))
    return list(islice((words for words in found if words and not words[0].startswith(remarks)), FIRST))


def is_dlx(source: Source) -> bool:
    r"""Whether a text names items in its first line, and options of these items follow.

    >>> is_dlx(Source("", "| a remark\na 0:2|b | c\na c:1\n")), is_dlx(Source("", "2 1\n1\n2 0 1\n"))
    (True, False)
    """
    items, *options = _first(source, "|") or [[]]
    begun = source.text.lstrip()
    # Lists of cells, `(0,0) (0,1)`, name cells again in each line, as options name items.
    telling = begun.startswith("|") or not (all(map(str.isdecimal, items)) or begun.startswith(("(", "[", "{")))
    names = {word.rpartition("|")[2] for word in items}
    known = (word.partition(":")[0] in names for words in options for word in words)
    # Rows of 0 and 1 that are all alike, under one name, could be options of the first one.
    return telling and bool(options) and all(known) and not (is_rows(source) or is_numeric(source))


def is_polycube(source: Source) -> bool:
    r"""Whether the first line of a text lists cells as Knuth writes them, and pieces of such cells follow.

    >>> is_polycube(Source("", "[0-5][0-9]\nP 00 01 02 10 11\n")), is_polycube(Source("", "10 11\n0 1 10\n"))
    (True, False)
    """
    first = _first(source, "|")
    letters = any(re.search("[A-Za-z]", words[0]) for words in first[1:])
    cells = [*first[:1], *(words[1:] for words in first[1:])]
    return len(first) > 1 and letters and all(words and all(map(_CELL.fullmatch, words)) for words in cells)


def is_rows(source: Source) -> bool:
    r"""Whether each line of a text begins with as many digits 0 and 1, joined or with commas between.

    >>> is_rows(Source("", "1001 Q\n0110\n")), is_rows(Source("", "1,0,1\n0,1,1\n")), is_rows(Source("", "1 0\n1 1\n"))
    (True, True, False)
    """
    rows = [words[0] for words in _first(source, "#", "//")]
    least = 1 if any(len(words) > 1 and not words[1].isdecimal() for words in _first(source, "#", "//")) else 3
    joined = bool(rows) and all(re.fullmatch(f"[01]{{{least},}}", row) and len(row) == len(rows[0]) for row in rows)
    return joined or _is_matrix(source)


def _is_matrix(source: Source) -> bool:
    """Whether each line begins with equally many digits 0 and 1, at least three, with commas or semicolons between."""
    plain = (line for _, line in lines(source.text) if line.strip() and not line.lstrip().startswith(("#", "//")))
    first = list(islice(plain, FIRST))
    forms = {separated(line) for line in first}
    return len(forms) == 1 and all(sign in (",", ";") and number > 2 for sign, number in forms)


def is_list_or_matrix(source: Source) -> bool:
    r"""Whether each line of a text may be two digits of a matrix, or a list of two columns.

    >>> is_list_or_matrix(Source("", "0,1\n1,0\n")), is_list_or_matrix(Source("", "0,1\n0,0\n"))
    (True, False)
    """
    first = _first(source, "#", "//")
    return bool(first) and all(words[0] in ("0,1", "1,0") for words in first)


def is_numeric(source: Source) -> bool:
    r"""Whether each line of a text begins with whole numbers between commas, of some at least two.

    >>> is_numeric(Source("", "0,3 Q\n1\n")), is_numeric(Source("", "6 3\n2 2 0 1\n"))
    (True, False)
    """
    first = _first(source, "#", "//")
    rows = [words[0] for words in first]
    if any(re.fullmatch("[0-9]+(,[0-9]+)+", word) for words in first for word in words[1:2]):
        return False  # no name, but an item: that of a location, as like as not
    return any("," in row for row in rows) and all(re.fullmatch(r"[0-9]+(,[0-9]+)*", row, re.ASCII) for row in rows)


def is_tiles(source: Source) -> bool:
    r"""Whether the lines of a text that begins with a remark hold four or five numbers, after fewer in front of them.

    >>> is_tiles(Source("", "# two\n2 1\n0 0 1 2\n0 0 2 1\n")), is_tiles(Source("", "# rows\n0 1 1 0\n"))
    (True, False)
    """
    rows = [re.split(r"[\s,;:]+", " ".join(words).rstrip(",;")) for words in _first(source, "#", "//")]
    numbers = [word for row in rows for word in row]
    if not (
        numbers and source.text.lstrip().startswith("#") and all(re.fullmatch("[0-9]{1,6}", each) for each in numbers)
    ):
        return False
    lengths = {len(row) for row in rows}
    return lengths <= {1, 2, 4, 5} and bool(lengths & {4, 5}) and any(int(each) > 1 for each in numbers)
