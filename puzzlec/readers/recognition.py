"""How the format of a text is known when nobody says it: by what stands in it.

Each format has a cheap predicate; the first one that is true tells. A new format that can be told from others gets a
line in the list, the more particular ones before the more general ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from puzzlec.diagnostics import Source


def _begins(pattern: str) -> Callable[[Source], bool]:
    """Return a predicate: does the text, without blanks in front, begin so."""
    compiled = re.compile(rf"\s*(?:{pattern})")
    return lambda source: compiled.match(source.text) is not None


def _is_puzzle(source: Source) -> bool:
    from puzzlec.readers.puzzle_text import KEYWORDS

    return re.match(r"\s*(?:#|\b(?:" + "|".join(KEYWORDS) + r")\b)", source.text) is not None


#: Formats with what tells them, in the order in which they are tried.
PREDICATES: list[tuple[str, Callable[[Source], bool]]] = [
    ("npz", lambda source: source.content.startswith(b"PK")),
    ("xmpuzzle", lambda source: re.search(r"<puzzle\b", source.text[:2000]) is not None),
    ("piezas", _begins("<")),
    ("board", lambda source: re.fullmatch(r"[x.\s]+", source.text) is not None),
    ("puzzle", _is_puzzle),
    ("offsets", _begins(r"[\w\s\[\]]*=\s*[\[{]")),
]


def recognised(source: Source) -> str | None:
    """Return the name of the format that a text seems to be in, None where nothing tells."""
    return next((name for name, predicate in PREDICATES if predicate(source)), None)
