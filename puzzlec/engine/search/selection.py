"""The kernel that searches a problem, chosen by the problem alone, and the reason."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

from puzzlec.engine.problem import ExactCover

_log = logging.getLogger(__name__)

#: The name of a kernel; "frontier" only counts.
KernelName: TypeAlias = Literal["auto", "python", "lists", "bits", "frontier"]

#: The names of the kernels that count, and of those that also list covers.
METHODS: tuple[KernelName, ...] = get_args(KernelName)
KERNELS: tuple[KernelName, ...] = METHODS[:4]

#: With ``auto``, a search visits this many nodes in plain Python before numba is worth its import (0.6 s).
NODES_BEFORE_NUMBA = 4000

#: With ``auto``, all searches of a process together visit this many nodes in plain Python. After them, numba is worth
#: its import for later searches also.
PROCESS_NODES = 6000

#: Once a compiled kernel is ready, ``auto`` still begins in plain Python if a problem has at most this many entries.
#: The tables of a compiled kernel take longer than such a search. After this many nodes, the kernel takes over.
TINY_ENTRIES, TINY_NODES = 64, 16

#: Maximum size in bytes of sets of options in plain Python. Larger problems begin in numba.
MAX_PYTHON_SET_BYTES = 1 << 24

#: Maximum size in bytes of sets of options with which ``auto`` begins in plain Python. With more, each node takes so
#: long that these nodes together take longer than the import of numba.
MAX_AUTO_SET_BYTES = 1 << 20

#: Maximum size in bytes of sets of options in the kernel ``bits``. Larger problems begin in ``lists``.
MAX_BITS_SET_BYTES = 1 << 23


class Experience:
    """What this process has searched so far: the compiled kernels that it used, and its nodes in plain Python.

    From the first compiled kernel on, others are ready in moments.
    """

    def __init__(self) -> None:
        self.kernels: set[str] = set()
        self.python_nodes = 0

    @property
    def is_compiled(self) -> bool:
        """Whether searches begin in a compiled kernel, unless they are tiny."""
        return bool(self.kernels) or self.python_nodes >= PROCESS_NODES


#: The experience of this process. A test replaces it by a new one.
experience = Experience()


#: From this many counters of items with bounds on, over all levels, ``lists`` searches. It needs only one set of
#: counters.
MIN_LISTS_COUNTERS = 1 << 24


class Kernel(Protocol):
    """The members of a kernel that the search needs; see ``puzzlec.engine.kernels``."""

    @property
    def finished(self) -> bool:
        """Whether the tree is exhausted."""

    @property
    def nodes_visited(self) -> int:
        """Number of branches taken."""

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found."""

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return the number of covers found."""

    def position(self) -> list[tuple[int, int]]:
        """Return for each depth of the current path the number of finished branches and the greatest number."""

    @property
    def fraction(self) -> float:
        """The part of the tree before the position, from 0 to 1."""

    @property
    def profile(self) -> list[int]:
        """Number of nodes visited at each depth, from the root on."""


class KernelChoice(NamedTuple):
    """The name of a kernel, and a clause with the reason for its choice."""

    kernel: str
    reason: str


@cache
def has_numba() -> bool:
    """Return whether numba is installed, without importing it."""
    return importlib.util.find_spec("numba") is not None


class NumbaMissingError(RuntimeError):
    """numba is needed and not installed. ``without`` names an alternative without numba."""

    def __init__(self, what: str, without: str) -> None:
        super().__init__(f"{what} needs the package `numba`, which is not installed")
        self.without = without


def need_numba(what: str, without: str) -> None:
    """Raise :class:`NumbaMissingError` if numba is not installed; ``what`` needs it, ``without`` does not."""
    if not has_numba():
        raise NumbaMissingError(what, without)


def need_cover(use: str, cover: object) -> None:
    """Raise TypeError if this is no exact cover; ``use`` says what needs one."""
    if not isinstance(cover, ExactCover):
        raise TypeError(f"{use} needs an ExactCover, not a {type(cover).__name__}")


def need_kernel(name: str) -> None:
    """Raise ValueError for an unknown kernel, NumbaMissingError for one that needs numba if that is missing."""
    if name not in METHODS:
        raise ValueError(f"unknown kernel {name!r}: expected one of {', '.join(METHODS)}")
    if name not in ("auto", "python"):
        need_numba(f"the kernel `{name}`", "the kernel `python`")


def _number_of_bounded(cover: ExactCover) -> int:
    """Return the number of primary items with bounds other than 1 and 1. The usual case, no such item, is quick."""
    if cover.low.count(1) == cover.high.count(1) == len(cover.low):
        return 0
    return sum((low, high) != (1, 1) for low, high in zip(cover.low, cover.high, strict=True))


def choose(cover: ExactCover) -> KernelChoice:
    """Return the compiled kernel that suits a problem."""
    size = len(cover) ** 2 // 8
    bounded = _number_of_bounded(cover)
    if bounded * (bounded + len(cover)) > MIN_LISTS_COUNTERS:
        return KernelChoice(
            "lists", f"a counter for each of {bounded} items with bounds, at each depth, would take too much"
        )
    if size <= MAX_BITS_SET_BYTES:
        return KernelChoice("bits", f"its sets of {len(cover)} options fit into memory")
    return KernelChoice(
        "lists", f"sets of {len(cover)} options would take too much memory, so `bits` has to wait for fewer"
    )


def is_large(cover: ExactCover) -> bool:
    """Return whether the sets of options of the Python kernel would take much memory and make each node slow."""
    return _size(cover) > MAX_PYTHON_SET_BYTES


def is_slow(cover: ExactCover) -> bool:
    """Return whether a node of the Python kernel takes so long that ``auto`` begins in numba."""
    return _size(cover) > MAX_AUTO_SET_BYTES


def _size(cover: ExactCover) -> int:
    """Return the size in bytes of the sets of options of all items."""
    return (cover.primary + cover.secondary) * len(cover) // 8


def begins_in_python(cover: ExactCover, name: str = "auto") -> bool:
    """Return whether a search begins in the Python kernel: at first in each process, and later if it is tiny."""
    if name != "auto":
        return name == "python"
    if not has_numba():
        return True
    return is_tiny(cover) if experience.is_compiled else not is_slow(cover)


def is_tiny(cover: ExactCover) -> bool:
    """Return whether a search in plain Python is probably shorter than the set-up of a compiled kernel."""
    return len(cover.items) <= TINY_ENTRIES


def python_nodes() -> int:
    """Return how many nodes a search with ``auto`` has in plain Python before a compiled kernel takes over."""
    if experience.is_compiled:
        return TINY_NODES
    return NODES_BEFORE_NUMBA


def note_python_nodes(nodes: int) -> None:
    """Note that this process has searched nodes in plain Python."""
    experience.python_nodes += nodes


def note_use(name: str) -> None:
    """Note that this process uses a compiled kernel."""
    experience.kernels.add(name)


def make(cover: ExactCover, name: str) -> Kernel:
    """Return a kernel at the beginning of its search. ``name`` is one of the :data:`KERNELS` other than auto."""
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
        elif name == "lists":
            from puzzlec.engine.kernels import lists

            kind, advance = lists.ListsKernel, lists.advance
        else:
            raise ValueError(f"unknown kernel {name!r}")
        note_use(name)
        if not is_compiled(advance):
            _log.info("compiling the search kernel: once on this machine, up to half a minute")
    return kind(cover.arrays)
