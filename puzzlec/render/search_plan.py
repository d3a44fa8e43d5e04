"""How a puzzle would be searched: the kernels, and what is held for the symmetries. A block of ``puzzlec explain``."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import counted
from puzzlec.engine import selection
from puzzlec.lower import Encoding, Symmetry
from puzzlec.render.layout import entry
from puzzlec.solution import representatives


def search_plan(encoding: Encoding, group: Symmetry, width: int) -> Iterator[str]:
    """Give the lines of the block; nothing is searched."""
    cover = encoding.cover
    if not len(cover):
        return
    choice = selection.choose(cover)
    then = f"`{choice.kernel}`: {choice.reason}"
    if not selection.has_numba():
        yield from entry("kernel", "`python`: numba is not installed", width)
    elif selection.is_large(cover):
        yield from entry("kernel", then, width)
    else:
        yield from entry("kernel", f"`python` for {counted(selection.PATIENCE, 'node')}, then {then}", width)
    held = representatives(cover, group)
    if held.item >= 0:
        name = f"`{cover.item_name(held.item)}`"
        text = f"{name}: {len(held.movers)} of its {len(held.having)} options stand for all, by symmetry"
        yield from entry("held", text, width)
