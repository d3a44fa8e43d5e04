"""The kind of a text in no known format, for the message that refuses it: its looks, and the nearest format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from puzzlec.diagnostics import Source, counted
from puzzlec.diagnostics.source import lines

#: What may precede the root element of XML: a declaration, a document type, comments, and white space.
MARKUP = r"\s*+(?:<\?[^>]*+>\s*+|<!DOCTYPE\s[^\[>]*+(?:\[[^\]]*+\]\s*+)?+>\s*+|<!--(?:[^-]++|-(?!->))*+-->\s*+)*+"

_ROOT = rf"{MARKUP}<([A-Za-z_][\w.:-]{{0,60}})(?=[\s/>]|\Z)"

#: Lines of programs: of the preprocessor, imports, definitions of functions, and of variables.
_LINES_OF_PROGRAMS = (
    r"#!.*",
    r"#[ \t]*(?:include[ \t]*[<\"]|define\b|ifn?def\b|pragma\b).*",
    r"from[ \t]+[\w.]+[ \t]+import\b.*",
    r"import[ \t]+[\w.]+(?:[ \t]*,[ \t]*[\w.]+)*(?:[ \t]+as[ \t]+\w+)?[ \t]*;?",
    r"(?:async[ \t]+)?def[ \t]+\w+\(.*",
    r"class[ \t]+\w+(?:\(.*\))?:",
    r"using[ \t]+namespace\b.*",
    r"package[ \t]+[\w.]+;?",
    r"(?:(?:static|const|unsigned|public|private|export|async)[ \t]+)*"
    r"(?:int|void|char|bool|double|float|long|class|function|fn)[ \t*]+\w+[ \t]*[({].*",
    r"(?:export[ \t]+)?(?:const|let|var)[ \t]+\w+.*=.*",
)
_PROGRAM = rf"(?m)^(?:{'|'.join(_LINES_OF_PROGRAMS)})[ \t\r]*$"

#: Lengths of lines that are near those of a sudoku on one line, and sizes of sudokus with a row on each line.
_LINES_OF_SUDOKUS, _SIZES_OF_SUDOKUS = range(79, 84), (4, 6, 8, 9)

#: Longest text that is parsed as JSON only for a message, in characters.
_MAX_JSON_CHARACTERS = 2**22

#: Characters of the text, or of its keys, in a message.
_MAX_EXCERPT_CHARACTERS = 40


class TextKind(NamedTuple):
    """What a text looks like, in words, and the name of the nearest format.

    ``sure`` is whether the text certainly is of this kind. ``help`` is the suggestion.
    """

    words: str
    nearest: str
    sure: bool = True
    help: str = "add `--from` with a format of `puzzlec list formats`"


def kind_of(source: Source) -> TextKind:
    r"""Return the kind of a text that is in no known format.

    >>> kind_of(Source("", '[{"name": "L", "shape": [[1]]}]')).words
    'JSON of another program, with the keys `name`, `shape`'
    >>> kind_of(Source("", "<svg/>")).words, kind_of(Source("", "1 47\n35 52\n")).words
    ('XML with the root element `svg`', '2 lines of 2 numbers')
    """
    if root := re.match(_ROOT, source.text):
        return TextKind(f"XML with the root element `{root.group(1)}`", "xmpuzzle")
    if (keys := json_keys(source.text)) is not None:
        return TextKind(f"JSON of another program{_with_keys(keys)}", "json")
    if words := _digits(source.text):
        return TextKind(words, "sudoku", help="add `--from sudoku`")
    if words := _numbers(source.text):
        nearest = "rows" if re.fullmatch(r"[01\s,;]*", source.text) else "numeric" if "," in source.text else "dpf"
        return TextKind(words, nearest)
    if is_program(source.text):
        return TextKind(
            "text of a program", "offsets", help="write the pieces as a `.puzzle` file: start with `puzzlec new`"
        )
    first = next((line.strip() for _, line in lines(source.text) if line.strip()), "")
    beginning = first.replace("`", "'")
    beginning = (
        beginning if len(beginning) <= _MAX_EXCERPT_CHARACTERS else f"{beginning[:_MAX_EXCERPT_CHARACTERS].rstrip()}..."
    )
    items = re.search(r"\S\s\|\s", first) is not None
    return TextKind(f"text that begins with `{beginning}`", "dlx" if items else "puzzle", sure=False)


def is_marked(text: str) -> bool:
    """Whether a text is XML, or JSON with keys or brackets."""
    return re.match(_ROOT, text) is not None or json_keys(text) is not None


def is_program(text: str) -> bool:
    r"""Whether a line of a text is an import or a definition of a program, or a line of the preprocessor.

    >>> is_program("#include <stdio.h>\n"), is_program("import sys\n"), is_program("locations box 2x2\n")
    (True, True, False)
    """
    return re.search(_PROGRAM, text) is not None


def json_keys(text: str) -> list[str] | None:
    """Return the keys of a JSON object, or of the objects in a JSON list; None if a text is not JSON of this kind.

    >>> json_keys('{"a": 1, "b": 2}'), json_keys("[1, 2]"), json_keys("{a}"), json_keys("12")
    (['a', 'b'], [], None, None)
    """
    if text.lstrip()[:1] not in ("{", "[") or len(text) > _MAX_JSON_CHARACTERS:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return list(dict.fromkeys(_keys(value)))


def _keys(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        return value
    return (key for member in value if isinstance(member, dict) for key in member)


def _with_keys(keys: list[str]) -> str:
    """Return some keys in words that fit into a line."""
    named = [f"`{key[:16]}`" for key in keys if key.isprintable() and "`" not in key]
    words = [
        word for number, word in enumerate(named) if len(", ".join(named[: number + 1])) <= _MAX_EXCERPT_CHARACTERS - 4
    ]
    return f", with the key{'s' * (len(words) > 1)} {', '.join(words)}" if words else ""


def _digits(text: str) -> str:
    r"""Return in words what is nearly a sudoku of digits and free cells; empty if a text is something else.

    >>> _digits("1234\n3412\n2143\n4321\n"), _digits("5." * 40), _digits("1..\n..1\n...\n"), _digits("1 2\n")
    ('4 lines of 4 digits or free cells', 'one line of 80 digits or free cells', '', '')
    """
    rows = [line.strip() for _, line in lines(text) if line.strip()]
    sizes = {len(row) for row in rows}
    is_near = sizes == {len(rows)} <= set(_SIZES_OF_SUDOKUS) or (bool(rows) and sizes <= set(_LINES_OF_SUDOKUS))
    if not (is_near and all(re.fullmatch("[0-9.*_]*[2-9.*_][0-9.*_]*|0+", row, re.ASCII) for row in rows)):
        return ""
    length = str(min(sizes)) if len(sizes) == 1 else f"{min(sizes)} to {max(sizes)}"
    return f"{f'{len(rows)} lines' if len(rows) > 1 else 'one line'} of {length} digits or free cells"


def _numbers(text: str) -> str:
    """Return the numbers of a text in words; empty if it has other words."""
    rows = [re.split(r"[\s,;]+", line.strip(" \t\r,;")) for _, line in lines(text) if line.strip()]
    if not rows or not all(re.fullmatch(r"[-+]?[0-9][0-9.eE+-]*", word) for row in rows for word in row):
        return ""
    lengths = sorted({len(row) for row in rows})
    if len(rows) == 1:
        return f"one line of {counted(lengths[0], 'number')}"
    if len(lengths) == 1:
        return f"{len(rows)} lines of {counted(lengths[0], 'number')}"
    return f"{len(rows)} lines of {lengths[0]} to {lengths[-1]} numbers"
