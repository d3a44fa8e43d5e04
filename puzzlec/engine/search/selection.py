"""Which kernel searches a problem, chosen by the problem alone, and why."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable
from typing import NamedTuple, Protocol

from puzzlec.engine.problem import ExactCover

_log = logging.getLogger(__name__)

#: The names of the kernels.
KERNELS = ("auto", "python", "links", "bits")

#: With ``auto``, so many nodes are searched in plain Python before numba is worth its import (0.6 s).
PATIENCE = 4000

#: More bytes than this are not spent on sets of options in plain Python: such problems begin in numba.
LARGE = 1 << 24

#: The sets of options of the kernel ``bits`` may fill this many bytes; larger problems begin in ``links``.
DENSE = 1 << 23


#: The compiled kernels that this process has used: they need no import and no compiler any more.
_at_hand: set[str] = set()


#: So many counters of items with bounds, of all levels together, are left to ``links``, which has them but once.
COUNTERS = 1 << 24


class Kernel(Protocol):
    """What the search needs of a kernel; ``puzzlec.engine.kernels`` says what these mean."""

    @property
    def finished(self) -> bool:
        """Whether the tree is exhausted."""

    @property
    def nodes_visited(self) -> int:
        """How many branches were taken."""

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found."""

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return how many covers were found."""

    def position(self) -> list[tuple[int, int]]:
        """Return for each level of the current path how many branches are done, and how many it has at most."""

    @property
    def profile(self) -> list[int]:
        """How many nodes were visited on each level, the first level first."""


class Choice(NamedTuple):
    """The name of a kernel, and a clause that says why it was chosen."""

    kernel: str
    reason: str


def has_numba() -> bool:
    """Whether numba is installed; it is not imported for that."""
    return importlib.util.find_spec("numba") is not None


class NumbaMissingError(RuntimeError):
    """Something needs numba, which is not installed; ``without`` says what does not need it."""

    def __init__(self, what: str, without: str) -> None:
        super().__init__(f"{what} needs the package `numba`, which is not installed")
        self.without = without


def need_numba(what: str, without: str) -> None:
    """Raise :class:`NumbaMissingError` if numba is not installed; ``what`` needs it, ``without`` does not."""
    if not has_numba():
        raise NumbaMissingError(what, without)


def need_kernel(name: str) -> None:
    """Raise :class:`NumbaMissingError` for a kernel that needs numba if numba is not installed."""
    if name not in ("auto", "python"):
        need_numba(f"the kernel `{name}`", "the kernel `python`")


def choose(cover: ExactCover) -> Choice:
    """Return the compiled kernel that suits a problem."""
    size = len(cover) ** 2 // 8
    bounded = sum((low, high) != (1, 1) for low, high in zip(cover.low, cover.high, strict=True))
    if bounded * (bounded + len(cover)) > COUNTERS:
        return Choice("links", f"a counter for each of {bounded} items with bounds, on each level, would take too much")
    if size <= DENSE:
        return Choice("bits", f"its sets of {len(cover)} options fit into memory")
    return Choice("links", f"sets of {len(cover)} options would take too much memory, so `bits` has to wait for fewer")


def is_large(cover: ExactCover) -> bool:
    """Whether the sets of options of the Python kernel would fill much memory, and each node be slow."""
    return (cover.primary + cover.secondary) * len(cover) // 8 > LARGE


def begins_in_python(cover: ExactCover, name: str = "auto") -> bool:
    """Whether a search begins in the Python kernel: not where a compiled one is at hand in this process already."""
    if name != "auto":
        return name == "python"
    return not has_numba() or not (is_large(cover) or choose(cover).kernel in _at_hand)


def make(cover: ExactCover, name: str) -> Kernel:
    """Return a kernel at the beginning of its search; ``name`` is one of the :data:`KERNELS` other than auto."""
    kind: Callable[..., Kernel]
    if name == "python":
        from puzzlec.engine.kernels.python import PythonKernel

        kind = PythonKernel
    else:
        from puzzlec.engine.kernels.jit import is_compiled

        advance: Callable[..., None]
        if name == "bits":
            from puzzlec.engine.kernels import bits

            kind, advance = bits.BitsKernel, bits.advance
        elif name == "links":
            from puzzlec.engine.kernels import links

            kind, advance = links.LinksKernel, links.advance
        else:
            raise ValueError(f"there is no kernel {name!r}")
        _at_hand.add(name)
        if not is_compiled(advance):
            _log.info("compiling the search kernel: once on this machine, up to half a minute")
    return kind(cover.arrays)
