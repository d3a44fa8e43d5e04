"""First inputs: the output of the writers, and the texts in the tests of each reader."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from puzzlec import parse
from puzzlec.compiler import Compiled
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.writing import write

TESTS = Path(__file__).parents[2]

_PUZZLES = (
    "locations box 3x2\npiece 0 { xx }\npiece 1 { xxxx }\n",
    "locations box 6x1\npiece A { x }\npiece B { xx }\npiece C { xxx }\n",
    "locations { xx?/xxx }\npiece A x0..2 { xx }\npiece B { x }\npiece C x* { x/x }\n",
    "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n",
    "lattice cubic\nlocations box 2x2x2\npiece L { xx/x. }\npiece B { .. xx/.x xx }\n",
    "lattice hex\nlocations box 6x1\npiece A = tetrahexes.I\npiece B one-sided { x x }\n",
    "colours r\nlocations { xr/rx }\npiece A { xr }\npiece B fixed { rx }\n",
    "locations box 10x6\npieces pentominoes\n",
)


def written(format: str) -> list[bytes]:
    """Return small puzzles written in a format, if it can store them."""
    cover = ExactCover.from_names(["p", "q"], {"a": ["p", "x:red"], "b": ["q", "x:red"], "c": ["q", "x:blue"]}, ["x"])
    given: list[Compiled] = [*map(parse, _PUZZLES), cover]
    return [content for what in given if (content := _written(what, format))]


def _written(what: Compiled, format: str) -> bytes:
    try:
        return write(what, format).encode()
    except PuzzleError:
        return b""


def quoted(files: Sequence[str], longest: int, most: int = 60) -> list[bytes]:
    """Return quoted texts from test files, up to a length and a number."""
    found = dict.fromkeys(
        text
        for name in files
        for text in _texts(TESTS / name)
        if 2 < len(text) <= longest and not text.isidentifier() and (" " in text or "\n" in text or "," in text)
    )
    return [text.encode("utf-8", "replace") for text in list(found)[:: 1 + len(found) // most]]


@cache
def _texts(path: Path) -> list[str]:
    return list(_constants(ast.parse(path.read_text(encoding="utf-8"))))


def _constants(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
