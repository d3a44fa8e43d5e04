"""Count the puzzles of the catalogue again, and compare the results with the numbers that it states."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from puzzlec.disassembling import disassemble
from puzzlec.engine import Limits
from puzzlec.engine.limits import limits_of
from puzzlec.engine.search.selection import KernelName
from puzzlec.formats.catalogue import Entry, entries, find_entries
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.pipeline import compile, load
from puzzlec.solving.solutions import Solutions

#: The kinds of numbers in the catalogue, each with its symmetry. The number of options of the exact cover has no
#: symmetry.
CONVENTIONS: dict[str, SymmetryKind | None] = {
    "distinct": "all",
    "rotations": "rotations",
    "parts": "parts",
    "raw": "none",
    "options": None,
}

#: Other numbers in the catalogue: how many distinct assemblies come apart, and the best level.
TAKEN_APART = ("apart", "level")


class Outcome(Enum):
    """The result for a number that the catalogue states."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNFINISHED = "unfinished"  # the time limit was reached
    LEFT_OUT = "left out"  # the count is known to take longer
    OPEN = "open"  # the number is unknown


class Verified(NamedTuple):
    """A number that the catalogue states, counted again.

    ``convention`` is the kind of number. For solutions it is "distinct", "rotations", "parts" or "raw". "options" is
    the number of options of the exact cover. "apart" is the number of assemblies that come apart, and "level" the best
    level, as text. ``convention`` is empty if no number is stated. ``counted`` is None if the count did not start or
    finish. ``seconds`` is the time of the count.
    """

    name: str
    convention: str
    stated: int | str | None
    counted: int | str | None
    seconds: float
    outcome: Outcome


def verify(
    wanted: str | Iterable[Entry] | None = None,
    *,
    limits: Limits | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> Iterator[Verified]:
    """Count again, and yield the result for each number that the catalogue states.

    ``wanted`` are entries, or the name of a puzzle or of a family (None: all). A limit of
    ``seconds`` is for each puzzle. Counts that are known to take longer are skipped.

    Raises:
        ValueError: If no puzzle has the name.

    >>> for verified in verify("soma/castle"):
    ...     print(verified.name, verified.convention, verified.stated, verified.counted, verified.outcome.value)
    soma/castle distinct 5 5 agrees
    soma/castle rotations 10 10 agrees
    soma/castle raw 20 20 agrees

    """
    most = limits_of(limits, None, seconds, only=("seconds",)).seconds
    some = find_entries(wanted) if isinstance(wanted, str) else entries() if wanted is None else wanted
    if isinstance(wanted, str) and not some:
        raise ValueError(f"unknown puzzle or family {wanted!r}")
    for entry in some:
        yield from _verified(entry, most, kernel, threads)


def _verified(entry: Entry, most: float | None, kernel: KernelName, threads: int) -> Iterator[Verified]:
    """Count the stated numbers of one puzzle."""
    names = (*CONVENTIONS, *TAKEN_APART)
    stated = {name: number for name in names if (number := getattr(entry, name)) is not None}
    if not set(stated) - {"options"}:
        yield Verified(entry.name, "", None, None, 0.0, Outcome.OPEN)
        return
    if most is not None and entry.seconds is not None and entry.seconds > most:
        for convention, number in stated.items():
            yield Verified(entry.name, convention, number, None, 0.0, Outcome.LEFT_OUT)
        return
    begun = time.monotonic()
    encoding = compile(load(str(entry.path)))
    taken: dict[str, int | str | None] = {}
    for convention, number in stated.items():
        start = time.monotonic()
        left = None if most is None else max(0.0, most - (start - begun))
        counted: int | str | None
        if convention in TAKEN_APART:
            taken = taken or _take_apart(encoding, left, threads)
            counted = taken[convention]
        else:
            counted = _count(encoding, CONVENTIONS[convention], left, kernel, threads)
        seconds = time.monotonic() - start
        agrees = Outcome.AGREES if counted == number else Outcome.DIFFERS
        yield Verified(
            entry.name, convention, number, counted, seconds, Outcome.UNFINISHED if counted is None else agrees
        )


def _take_apart(encoding: Encoding, left: float | None, threads: int) -> dict[str, int | str | None]:
    """Return the number of distinct assemblies that come apart, and the best level; None if a limit was reached."""
    solutions = Solutions(encoding, limits=Limits(seconds=left), threads=threads)
    number, text = 0, None
    best: tuple[int, ...] = ()
    for taken in disassemble(solutions, seconds=left):
        if taken.disassembly.stopped:
            return dict.fromkeys(TAKEN_APART)
        level = taken.disassembly.level
        if level is not None:
            number += 1
            if level > best:
                best, text = level, taken.disassembly.text
    return {"apart": number, "level": text} if solutions.stopped is None else dict.fromkeys(TAKEN_APART)


def _count(
    encoding: Encoding, symmetry: SymmetryKind | None, left: float | None, kernel: KernelName, threads: int
) -> int | None:
    """Return the number of solutions up to a symmetry, or of options; None if the time limit was reached."""
    if symmetry is None:
        return len(encoding.cover)
    solutions = Solutions(encoding, limits=Limits(seconds=left), kernel=kernel, threads=threads, symmetry=symmetry)
    number = solutions.count()
    return number if solutions.stopped is None else None
