"""How a puzzle would be searched: the kernels, and what is held for the symmetries. A block of ``puzzlec explain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.engine.search import selection
from puzzlec.lower import Encoding, Symmetry
from puzzlec.show.terminal.layout import entry
from puzzlec.solving import representatives


class Plan(NamedTuple):
    """How an exact cover would be searched.

    The first ``patience`` nodes are searched in plain Python, all of them where it is None: numba is not installed.
    What is left then is searched by the compiled ``kernel``, for the ``reason``. Of the options of the item ``held``
    (-1: none), ``having`` in number, only so many as ``movers`` are tried: they stand for all, by symmetry.
    """

    kernel: str
    reason: str
    patience: int | None
    held: int
    movers: int
    having: int


def plan(encoding: Encoding, group: Symmetry) -> Plan:
    """Return how an exact cover with these symmetries would be searched; nothing is searched."""
    cover = encoding.cover
    choice, patience = selection.choose(cover), 0 if selection.is_large(cover) else selection.PATIENCE
    held = representatives(cover, group)
    return Plan(*choice, patience if selection.has_numba() else None, held.item, len(held.movers), len(held.having))


def search_plan(encoding: Encoding, group: Symmetry, width: int) -> Iterator[str]:
    """Give the lines of the block."""
    cover = encoding.cover
    if not len(cover):
        return
    found = plan(encoding, group)
    then = f"`{found.kernel}`: {found.reason}"
    if found.patience is None:
        yield from entry("kernel", "`python`: numba is not installed", width)
    elif not found.patience:
        yield from entry("kernel", then, width)
    else:
        yield from entry("kernel", f"`python` for {counted(found.patience, 'node')}, then {then}", width)
    if found.held >= 0:
        name = f"`{cover.item_name(found.held)}`"
        text = f"{name}: {found.movers} of its {found.having} options stand for all, by symmetry"
        yield from entry("held", text, width)
