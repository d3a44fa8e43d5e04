"""The colours of a text in the form of the protocol: semantic tokens."""

from __future__ import annotations

from puzzlec.language.editing.roles import stretches
from puzzlec.services.lsp.text import EditorText, units

#: The protocol's names for roles. For other roles, the editor chooses the colours.
TYPES = {
    "statement": "keyword",
    "word": "keyword",
    "region": "type",
    "modifier": "modifier",
    "reckoning": "operator",
    "function": "function",
    "title": "string",
    "named": "class",
    "name": "variable",
    "colour": "enumMember",
    "number": "number",
    "operator": "operator",
    "cell": "string",
    "blank": "comment",
    "comment": "comment",
}

LEGEND = tuple(dict.fromkeys(TYPES.values()))


def encoded(text: EditorText) -> list[int]:
    """Return the parts in the form of the protocol: five numbers for each, relative to the previous one."""
    numbers: list[int] = []
    before = (0, 0)
    for stretch in stretches(text.plain):
        if stretch.role in TYPES:
            line, column = text.place(stretch.start)
            width = units(text.plain[stretch.start : stretch.end], text.encoding)
            first = column - before[1] if line == before[0] else column
            numbers += [line - before[0], first, width, LEGEND.index(TYPES[stretch.role]), 0]
            before = line, column
    return numbers
