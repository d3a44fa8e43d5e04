"""Drawings of a ``.puzzle`` text as written: rows, comments and canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.geometry.drawing import indents
from puzzlec.language.formatter.words import tight

_PARTS = re.compile(r"\{[^{}\n]*\}|#.*|/|[^\S\n]+|[^\s/#{}]+")

#: Separators of rows; a division within an expression is not one.
_SLASH = re.compile(r"/(?![^{}]*\})")

_EXPRESSION = re.compile(r"\{[^{}\n]*\}")

#: A gap between two rows of a solid, which is an error: formatting must neither add nor remove it.
_GAP = re.compile(r"/\s*/|/[^\S\n]*\n\s*\n|\n[^\S\n]*\n")


class DrawingLine(NamedTuple):
    """A line of a drawing over several lines: its characters, and the comment after them."""

    code: str
    comment: str = ""


class _RowGroups(NamedTuple):
    """A row: its groups, and in ``between`` the separators before it, with ``#`` for each comment."""

    groups: tuple[str, ...]
    between: str


def flat(drawing: str, grid: bool) -> str:
    """Return a drawing on one line.

    >>> flat("{xx / x{ 2 * i }}", grid=True)
    '{ xx/x{2*i} }'
    """
    inner = drawing[1:-1]
    if grid:
        inner = "/".join(" ".join(groups) for groups in _split(inner))
    return f"{{ {inner.strip()} }}" if inner.strip() else "{}"


def lines(drawing: str, grid: bool) -> tuple[str, list[DrawingLine]] | None:
    """Return a drawing over several lines: the comment after its brace, and its lines without indentation.

    Return None if it must not change: white space determines positions, and a row is beside the brace or another row.
    Otherwise, rows that begin in different columns keep them; the reader warns of such rows.
    """
    first, *rest = (_cut(line) for line in drawing[1:-1].split("\n"))
    if not grid:
        moves = not first.code.strip() and all(len(_SLASH.split(row.code)) == 1 for row in rest)
        return (first.comment, _shifted(rest)) if moves else None
    head = "" if first.code.strip() else first.comment
    shifts = _shifts([first, *rest])
    rows = list(_rows([first, *rest], shifts) if first.code.strip() else _rows(rest, shifts[1:]))
    return head, _in_columns(rows)


def comments(drawing: str) -> list[str]:
    """Return the comments in a drawing."""
    return [row.comment for row in map(_cut, drawing[1:-1].split("\n")) if row.comment]


def meaning(drawing: str, grid: bool) -> tuple[object, ...]:
    """Return the meaning of a drawing in any layout: the reader treats drawings with equal meaning alike."""
    if not grid:
        return tuple(_positioned(drawing[1:-1]))
    rows = list(_numbered(_cut(line) for line in drawing[1:-1].split("\n")))
    return tuple((row.groups, number > 0 and bool(_GAP.search(row.between))) for number, row in enumerate(rows))


def _cut(line: str) -> DrawingLine:
    """Split a line of a drawing into its characters and its comment; a `#` within an expression is not a comment."""
    for part in _PARTS.finditer(line):
        if part.group().startswith("#"):
            return DrawingLine(line[: part.start()], part.group().rstrip())
    return DrawingLine(line)


def _split(code: str) -> list[list[str]]:
    """Return the rows of a line, each a list of its groups.

    >>> _split("xx x. / {i //  2}y")
    [['xx', 'x.'], ['{i//2}y']]
    """
    rows: list[list[str]] = [[]]
    apart = True
    for part in _PARTS.findall(code):
        if part == "/":
            rows.append([])
        elif not part.isspace() and apart:
            rows[-1].append(tight(part))
        elif not part.isspace():
            rows[-1][-1] += tight(part)
        apart = part == "/" or part.isspace()
    return rows


def _numbered(parts: Iterator[DrawingLine]) -> Iterator[_RowGroups]:
    """Yield the rows that are not empty, with the separators before them."""
    between = ""
    for part in parts:
        for number, groups in enumerate(_split(part.code)):
            between += "/" * (number > 0)
            if groups:
                yield _RowGroups(tuple(groups), between)
                between = ""
        between += "#" * bool(part.comment) + "\n"


def _shifts(parts: list[DrawingLine]) -> list[int]:
    """Return for each line of a drawing the columns between its row and the leftmost row."""
    columns = indents([_EXPRESSION.sub("x", part.code) for part in parts])
    least = min(columns.values(), default=0)
    return [columns.get(number, least) - least for number in range(len(parts))]


def _rows(parts: list[DrawingLine], shifts: list[int]) -> Iterator[tuple[list[str], str]]:
    """Yield a line for each row, comment and gap: the groups of the row and the comment, or nothing for a gap."""
    between = ""
    begun = False  # whether anything was yielded
    for part, shift in zip(parts, shifts, strict=True):
        split = _split(part.code)
        if shift:  # a line of one row
            split[0][0] = " " * shift + split[0][0]
        numbers = [number for number, groups in enumerate(split) if groups]
        at = 0
        for number in numbers:
            between += "/" * (number - at)
            if begun and _GAP.search(between):
                yield [], ""
            at, between, begun = number, "", True
            yield split[number], part.comment if number == numbers[-1] else ""
        between += "/" * (len(split) - 1 - at)
        if part.comment and not numbers:
            if begun and _GAP.search(between):
                yield [], ""
                between = ""
            begun = True
            yield [], part.comment
        between += "#" * bool(part.comment) + "\n"


def _in_columns(rows: list[tuple[list[str], str]]) -> list[DrawingLine]:
    """Return rows as lines, with their groups (the layers of a solid) in columns."""
    widths: list[int] = []
    for groups, _ in rows:
        widths.extend(0 for _ in groups[len(widths) :])
        widths[: len(groups)] = [max(width, len(group)) for width, group in zip(widths, groups, strict=False)]
    return [
        DrawingLine(
            "  ".join(group.ljust(width) for group, width in zip(groups, widths, strict=False)).rstrip(), comment
        )
        for groups, comment in rows
    ]


def _indent(rows: list[str]) -> int:
    """Return the indentation that all rows share, without empty rows."""
    return min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)


def _positioned(inner: str) -> list[str]:
    """Return the rows of a drawing in which white space determines positions, with their relative positions."""
    rows = [row.rstrip() for line in inner.split("\n") for row in _SLASH.split(_cut(line).code)]
    while rows and not rows[0]:
        del rows[0]
    while rows and not rows[-1]:
        rows.pop()
    if "\n" not in inner:  # the spaces after the brace are not part of the first row
        return [row.lstrip(" ") if number == 0 else row for number, row in enumerate(rows)]
    indent = _indent(rows)
    return [row[indent:] for row in rows]


def _shifted(rows: list[DrawingLine]) -> list[DrawingLine]:
    """Return rows without their common indentation."""
    if rows and not rows[-1].code.strip():
        rows = rows[:-1]  # the spaces before the closing brace
    indent = _indent([row.code for row in rows])
    return [DrawingLine(row.code.rstrip()[indent:], row.comment) for row in rows]
