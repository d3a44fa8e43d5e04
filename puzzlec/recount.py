"""The catalogue recounted: whether its puzzles have as many solutions as it states."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from puzzlec.engine import Limits
from puzzlec.formats.catalogue import Entry, entries, find_entries
from puzzlec.lower import Encoding
from puzzlec.pipeline import compile, load
from puzzlec.solving.solutions import Solutions

#: What the catalogue may state of a puzzle, each with the symmetries up to which solutions are the same; without
#: any it is the number of options of the exact cover.
CONVENTIONS: dict[str, str | None] = {
    "distinct": "all",
    "rotations": "rotations",
    "parts": "parts",
    "raw": "none",
    "options": None,
}


class Outcome(Enum):
    """What became of a number that the catalogue states."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNFINISHED = "unfinished"  # the time was over
    LEFT_OUT = "left out"  # it is known to take longer
    OPEN = "open"  # nobody knows the number


class Verified(NamedTuple):
    """A number that the catalogue states, counted again.

    ``convention`` is what is counted: "distinct", "rotations", "parts", "raw" or "options", empty where no number is
    stated. ``counted`` is None where the count was not begun or not finished; ``seconds`` is the time that it took
    here.
    """

    name: str
    convention: str
    stated: int | None
    counted: int | None
    seconds: float
    outcome: Outcome


def verify(
    wanted: str | Iterable[Entry] | None = None,
    most: float | None = None,
    kernel: str = "auto",
    threads: int = 1,
) -> Iterator[Verified]:
    """Count what the catalogue states of its puzzles again, and say for each number whether it is right.

    ``wanted`` are entries, or the name of a puzzle or of a family (None: all), ``most`` the seconds that each may take:
    those that are known to take longer are left out at once. The counts may be made by another ``kernel`` of the
    engine. Raises ValueError where there is no puzzle of the name.

    >>> for each in verify("soma/castle"):
    ...     print(each.name, each.convention, each.stated, each.counted, each.outcome.value)
    soma/castle distinct 5 5 agrees
    soma/castle rotations 10 10 agrees
    soma/castle raw 20 20 agrees
    """
    some = find_entries(wanted) if isinstance(wanted, str) else entries() if wanted is None else wanted
    if isinstance(wanted, str) and not some:
        raise ValueError(f"no puzzle or family of the catalogue is called {wanted!r}")
    for entry in some:
        yield from _verified(entry, most, kernel, threads)


def _verified(entry: Entry, most: float | None, kernel: str, threads: int) -> Iterator[Verified]:
    """Count what is stated of one puzzle."""
    stated = {name: number for name in CONVENTIONS if (number := getattr(entry, name)) is not None}
    if not set(stated) - {"options"}:
        yield Verified(entry.name, "", None, None, 0.0, Outcome.OPEN)
        return
    if most is not None and entry.seconds is not None and entry.seconds > most:
        for convention, number in stated.items():
            yield Verified(entry.name, convention, number, None, 0.0, Outcome.LEFT_OUT)
        return
    begun = time.monotonic()
    encoding = compile(load(str(entry.path)), "cover")
    assert isinstance(encoding, Encoding)
    for convention, number in stated.items():
        start = time.monotonic()
        left = None if most is None else max(0.0, most - (start - begun))
        counted = _count(encoding, CONVENTIONS[convention], left, kernel, threads)
        seconds = time.monotonic() - start
        agrees = Outcome.AGREES if counted == number else Outcome.DIFFERS
        yield Verified(
            entry.name, convention, number, counted, seconds, Outcome.UNFINISHED if counted is None else agrees
        )


def _count(encoding: Encoding, symmetry: str | None, left: float | None, kernel: str, threads: int) -> int | None:
    """Return the number of solutions up to some symmetries, or of options; None where the time was over."""
    if symmetry is None:
        return len(encoding.cover)
    limits = Limits(None, left, None)
    solutions = Solutions(encoding, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)
    number = solutions.count()
    return number if solutions.stopped is None else None
