"""Limits of a search, and the limit that ended one: the same types for all searches."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from numbers import Real
from typing import Any

from puzzlec.engine.integers import integer

#: The names of the limits.
LIMITS = ("solutions", "seconds", "nodes", "memory")

#: The default size of the tables of a search in bytes.
DEFAULT_MEMORY_BYTES = 1 << 30


class Stop(StrEnum):
    """The limit that ended a search. A member equals its value, the word that JSON and messages use.

    >>> import puzzlec
    >>> solutions = puzzlec.solve("soma", limit=1)
    >>> len(list(solutions))
    1
    >>> solutions.stopped is puzzlec.Stop.SOLUTIONS, solutions.stopped == "solutions"
    (True, True)
    """

    SOLUTIONS = "solutions"
    SECONDS = "time"
    NODES = "nodes"
    MEMORY = "memory"
    LOOSE = "loose"
    SIGNAL = "signal"

    @property
    def words(self) -> str:
        """The end of the search in words."""
        return "interrupted" if self is Stop.SIGNAL else f"stopped at the limit of {self.value}"


class UnfinishedError(Exception):
    """A limit ended a search before its answer was known. ``reason`` is the limit.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.count("pentominoes/6x10", symmetry="none", limits=puzzlec.Limits(nodes=100))
    ... except puzzlec.UnfinishedError as error:
    ...     print(error.reason)
    nodes
    """

    def __init__(self, reason: Stop, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnfinishedError], tuple[Stop, str]]:
        return type(self), (self.reason, str(self))


@dataclass(frozen=True)
class Limits:
    """Limits of a search. None is no limit; ``memory`` is then 1 GiB.

    Args:
        solutions: Stop after this many solutions.
        seconds: Stop after this time.
        nodes: Stop after this many nodes of a search.
        memory: Use at most this many bytes for tables.

    Raises:
        ValueError: If a limit is negative, or if one other than ``seconds`` is not an integer.

    >>> Limits(solutions=5, seconds=10)
    Limits(solutions=5, seconds=10)

    """

    solutions: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("solutions", 0), ("nodes", 0), ("memory", 1)):
            if (limit := getattr(self, name)) is not None:
                object.__setattr__(self, name, integer(limit, name, least))
        seconds: Any = self.seconds
        if seconds is not None:
            if not isinstance(seconds, Real) or math.isnan(seconds):
                raise ValueError(f"`seconds` must be a number, not {seconds!r}")
            if seconds < 0:
                raise ValueError(f"`seconds` must not be negative: {seconds!r}")

    def __repr__(self) -> str:
        """Return the limits that are set."""
        given = [(name, getattr(self, name)) for name in LIMITS]
        return f"Limits({', '.join([f'{name}={value!r}' for name, value in given if value is not None])})"


def read_memory(text: str) -> int:
    """Return the bytes of a size: a number, with K, M, G or T after it for powers of 1024.

    Raises ValueError for another text.

    >>> read_memory("512M"), read_memory("1.5G"), read_memory("4096"), read_memory("2 GiB")
    (536870912, 1610612736, 4096, 2147483648)
    """
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*(?:([KMGT])(?:i?B)?|B)?", text.strip(), re.IGNORECASE)
    size = int(float(match[1]) * 1024 ** (" KMGT".index(match[2].upper()) if match[2] else 0)) if match else 0
    if size < 1:
        raise ValueError(f"`{text}` is not a size such as 512M or 2G")
    return size


def memory_of(limits: Limits) -> int:
    """Return the memory in bytes, with the default."""
    return DEFAULT_MEMORY_BYTES if limits.memory is None else limits.memory


def deadline_of(limits: Limits) -> float | None:
    """Return the moment of the monotonic clock at which a search that begins now stops; None without a limit."""
    return None if limits.seconds is None else time.monotonic() + limits.seconds


def limits_of(
    limits: Any,
    limit: int | None = None,
    seconds: float | None = None,
    only: Sequence[str] = LIMITS,
) -> Limits:
    """Return the limits of a call: an object, or its short forms ``limit`` and ``seconds``.

    Raises:
        TypeError: If ``limits`` has another type.
        ValueError: If a limit is given twice, or is not one of ``only``.

    >>> limits_of(None, limit=5), limits_of(Limits(nodes=100), seconds=2)
    (Limits(solutions=5), Limits(seconds=2, nodes=100))

    """
    merged = Limits(limit, seconds) if limits is None else limits
    if not isinstance(merged, Limits):
        help = f"use `limit={merged}`" if isinstance(merged, int) else "use `Limits(solutions=5)`"
        raise TypeError(f"`limits` must be of type Limits, not {type(merged).__name__}: {help}")
    if limits is not None and (limit is not None or seconds is not None):
        for name, short, given in (("solutions", "limit", limit), ("seconds", "seconds", seconds)):
            if given is not None and getattr(merged, name) is not None:
                raise ValueError(f"duplicate limit: `{short}` is also in `limits`")
        merged = replace(
            merged,
            solutions=merged.solutions if limit is None else limit,
            seconds=merged.seconds if seconds is None else seconds,
        )
    for name in LIMITS if only is not LIMITS else ():
        if name not in only and getattr(merged, name) is not None:
            raise ValueError(f"cannot limit `{name}` here: the limits are {', '.join(only)}")
    return merged
