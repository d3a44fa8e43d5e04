"""The statements of a text as a tree of things, and the stretches that can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import lark

from puzzlec.language.elaborate import BY_KIND
from puzzlec.language.expressions import Tree
from puzzlec.services.lsp.syntax import Syntax


@dataclass(frozen=True)
class Thing:
    """A statement: what it is called, its kind (the word that it begins with), where it stands, and what is in it."""

    title: str
    kind: str
    start: int
    end: int
    named: tuple[int, int]
    inside: tuple[Thing, ...] = ()


#: Statements whose name follows their first word.
_NAMED = {"title", "lattice", "param", "piece", "pieces", "place", "fix", "forbid"}

_WIDEST = 60


def outline(syntax: Syntax) -> list[Thing]:
    """Return the statements of a text, those of blocks within theirs."""
    return [_thing(each, syntax) for each in syntax.statements()]


def _thing(tree: Tree, syntax: Syntax) -> Thing:
    text = syntax.source.text
    start, end = tree.meta.start_pos, tree.meta.end_pos
    kind = BY_KIND[str(tree.data)].word
    first = tree.children[0] if tree.children else None
    named = (start, min(start + len(kind), end))
    if tree.data in _NAMED and isinstance(first, lark.Token):
        behind = first.end_pos or start
        following = tree.children[1] if len(tree.children) > 1 else None
        if isinstance(following, lark.Tree) and following.data == "subscript":
            behind = following.meta.end_pos + 1
        named = (first.start_pos or start, behind)
    inside: tuple[Thing, ...] = ()
    shown = end
    if tree.data == "repeat":
        block = tree.children[-1]
        assert isinstance(block, lark.Tree)
        inside = tuple(_thing(each, syntax) for each in block.children if isinstance(each, lark.Tree))
        shown = block.meta.start_pos
    title = text[named[0] : named[1]] if tree.data in ("piece", "param") else text[start:shown]
    return Thing(_on_one_line(title), kind, start, end, named, inside)


def _on_one_line(text: str) -> str:
    """Return a title for a stretch of text: its first line, so far as there is room.

    >>> _on_one_line("locations {  # the board")
    'locations {'
    """
    first = text.split("\n")[0].split(" #")[0].strip()
    return first if len(first) <= _WIDEST else f"{first[: _WIDEST - 3]}..."


def folds(syntax: Syntax) -> Iterator[tuple[int, int]]:
    """Give the first and the last line, from 0, of each statement, block or drawing that goes over several."""
    seen = set()
    for tree in syntax.tree.iter_subtrees() if syntax.tree is not None else ():
        if tree.data != "start" and not tree.meta.empty:
            first = syntax.source.position(tree.meta.start_pos)[0] - 1
            last = syntax.source.position(max(tree.meta.end_pos - 1, tree.meta.start_pos))[0] - 1
            if last > first and first not in seen:
                seen.add(first)
                yield first, last
