"""Count the puzzles of the catalogue again, and compare the results with the numbers that it states."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from puzzlec.compiler import compile, load
from puzzlec.diagnostics import Diagnostic, Report, counted
from puzzlec.disassembling import disassemble
from puzzlec.engine import Limits
from puzzlec.engine.limits import limits_of
from puzzlec.engine.search.selection import KernelName
from puzzlec.formats.catalogue import Entry, entries, find_entries
from puzzlec.ir import Expectation, Fitting, Measure
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.shown import brief
from puzzlec.solving.costs import BestSolutions
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

#: Other numbers in the catalogue: how many distinct assemblies come apart, the best level, and how many turns it takes.
APART_MEASURES = ("apart", "level", "turns")

_COSTS = (Measure.MIN_COST, Measure.MAX_COST)


class Outcome(Enum):
    """The result for a number that the catalogue states.

    >>> import puzzlec
    >>> for verified in puzzlec.verify("soma/castle"):
    ...     print(verified.convention, verified.outcome is puzzlec.Outcome.AGREES)
    distinct True
    rotations True
    raw True
    """

    AGREES = "agrees"
    DIFFERS = "differs"
    UNFINISHED = "unfinished"  # the time limit was reached
    LEFT_OUT = "left out"  # the count is known to take longer
    OPEN = "open"  # the number is unknown


class Verified(NamedTuple):
    """A number that the catalogue states, counted again.

    ``convention`` is the kind of number. For solutions it is "distinct", "rotations", "parts" or "raw". "options" is
    the number of options of the exact cover. "min-cost" and "max-cost" are the best costs. "apart" is the number of
    assemblies that come apart, and "level" the best level, as text. ``convention`` is empty if no number is stated.
    ``counted`` is None if the count did not start or finish. ``seconds`` is the time of the count.

    >>> import puzzlec
    >>> for verified in puzzlec.verify("soma/castle"):
    ...     print(verified.convention, verified.stated, verified.outcome)
    distinct 5 Outcome.AGREES
    rotations 10 Outcome.AGREES
    raw 20 Outcome.AGREES
    """

    def __repr__(self) -> str:
        return brief(self)

    name: str
    convention: str
    stated: int | str | None
    counted: int | str | None
    seconds: float
    outcome: Outcome

    def row(self, width: int) -> str:
        """Return the number as a line of a table. ``width`` is that of the names."""
        stated, number = ("-" if number is None else str(number) for number in (self.stated, self.counted))
        seconds = "-" if self.counted is None else f"{self.seconds:.2f}"
        what = f"{self.name:<{width}}  {self.convention or '-':<9}"
        return f"{what}  {stated:>12}  {number:>12}  {seconds:>7}  {self.outcome.value}"


def summary(outcomes: Counter[Outcome], puzzles: int, seconds: float, most: float) -> str:
    """Return the results of the numbers of some puzzles in words. ``most`` is the limit of seconds for each puzzle."""
    results = [f"{outcomes[Outcome.AGREES]} agree", f"{outcomes[Outcome.DIFFERS]} differ"]
    if outcomes[Outcome.LEFT_OUT]:
        results.append(f"{outcomes[Outcome.LEFT_OUT]} skipped: they take longer than {most:g} s (--time-limit)")
    if outcomes[Outcome.UNFINISHED]:
        results.append(f"{outcomes[Outcome.UNFINISHED]} not finished in {most:g} s (--time-limit)")
    if outcomes[Outcome.OPEN]:
        results.append(f"{counted(outcomes[Outcome.OPEN], 'puzzle')} without a known number")
    total = sum(outcomes.values()) - outcomes[Outcome.OPEN]
    return f"{counted(total, 'number')} of {counted(puzzles, 'puzzle')} in {seconds:.2f} s: {', '.join(results)}"


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


def compare(
    encoding: Encoding,
    expected: Iterable[Expectation],
    *,
    seconds: float | None = None,
    threads: int = 1,
) -> Iterator[Verified]:
    r"""Count again what the author of a puzzle promises, and yield the result for each number.

    A limit of ``seconds`` is for all numbers together.

    >>> from puzzlec import parse
    >>> puzzle = parse("locations box 4x1\npiece D x2 { xx }\nexpect 2")
    >>> [(found.stated, found.counted) for found in compare(compile(puzzle), puzzle.expected)]
    [(2, 1)]
    """
    begun = time.monotonic()
    totals: dict[str, int | str | None] = {}
    for promise in expected:
        start = time.monotonic()
        if promise.value is None:
            yield Verified(encoding.fitting.title, "", None, None, 0.0, Outcome.OPEN)
            continue
        left = None if seconds is None else max(0.0, seconds - (start - begun))
        if promise.measure in (Measure.COMES_APART, Measure.LEVEL, Measure.TURNS):
            totals = totals or _take_apart(encoding, left, threads)
            result = totals["apart" if promise.measure is Measure.COMES_APART else promise.measure.value]
            if promise.measure is not Measure.COMES_APART and totals["apart"] is not None:
                result = "none" if result is None else result
        elif promise.measure in _COSTS:
            result = _best_cost(encoding, promise.measure is Measure.MAX_COST, left)
        else:
            least = promise.value if promise.at_least and isinstance(promise.value, int) else None
            result = _count(encoding, CONVENTIONS[promise.measure.value], left, "auto", threads, least)
        agrees = Outcome.AGREES if _keeps(promise, result) else Outcome.DIFFERS
        outcome = Outcome.UNFINISHED if result is None else agrees
        yield Verified(
            encoding.fitting.title, promise.measure.value, promise.value, result, time.monotonic() - start, outcome
        )


#: Promised numbers in words, one and several.
_COUNTED = {
    Measure.DISTINCT: "distinct solution",
    Measure.RAW: "raw solution",
    Measure.ROTATIONS: "solution up to rotations",
    Measure.PARTS: "solution up to symmetries of parts",
    Measure.COMES_APART: "assembly that comes apart",
}
_SEVERAL = {
    Measure.ROTATIONS: "solutions up to rotations",
    Measure.PARTS: "solutions up to symmetries of parts",
    Measure.COMES_APART: "assemblies that come apart",
}
_TITLED = {
    Measure.MIN_COST: "lowest cost",
    Measure.MAX_COST: "highest cost",
    Measure.LEVEL: "level",
    Measure.TURNS: "number of turns",
}


def check_expected(
    encoding: Encoding, report: Report, *, seconds: float | None = None, threads: int = 1
) -> list[Verified]:
    """Count again what the author of a puzzle promises, report each number that differs, and return the results.

    A number that is not counted in time gets a warning.
    """
    puzzle = encoding.fitting.puzzle
    promises = puzzle.expected if puzzle is not None else ()
    results = []
    for promise, verified in zip(promises, compare(encoding, promises, seconds=seconds, threads=threads), strict=True):
        results.append(verified)
        if verified.outcome is Outcome.DIFFERS:
            report.append(_difference(promise, verified.counted))
        elif verified.outcome is Outcome.UNFINISHED:
            within = "" if seconds is None else " in time"
            report.add(
                "PZ383",
                f"not checked{within}: {_number(promise)}",
                promise.span,
                help="allow more time, such as `--time-limit 600`",
                file=encoding.fitting.title,
            )
    return results


def difference(fitting: Fitting, number: int, raw: bool = False) -> Diagnostic | None:
    """Return the error for a complete number of solutions that is not the promised one; None if it is right."""
    measure = Measure.RAW if raw else Measure.DISTINCT
    promises = fitting.puzzle.expected if fitting.puzzle is not None else ()
    promise = next((promise for promise in promises if promise.measure is measure and promise.value is not None), None)
    return _difference(promise, number) if promise is not None and not _keeps(promise, number) else None


def _difference(promise: Expectation, number: int | str | None) -> Diagnostic:
    """Return the error for a number that differs from the promised one."""
    report = Report()
    new = replace(promise, value=number, at_least=False)
    report.add(
        "PZ382",
        f"expected {_number(promise)}, counted {number}",
        promise.span,
        help=() if number == "none" else f"write `expect {new.words}` if the puzzle is right",
    )
    return report.diagnostics[0]


def _number(promise: Expectation) -> str:
    """Return a promised number in words, such as `2,339 distinct solutions`."""
    value = promise.value
    if promise.measure in _TITLED:
        return f"{_TITLED[promise.measure]} {value}"
    assert isinstance(value, int)
    one = _COUNTED[promise.measure]
    return f"{'at least ' * promise.at_least}{value} {one if value == 1 else _SEVERAL.get(promise.measure, f'{one}s')}"


def _keeps(promise: Expectation, number: int | str | None) -> bool:
    """Return whether a number is the promised one."""
    if promise.at_least and isinstance(number, int) and isinstance(promise.value, int):
        return number >= promise.value
    return number == promise.value


def _best_cost(encoding: Encoding, max_cost: bool, left: float | None) -> int | str | None:
    """Return the lowest or highest cost, `none` without a solution, and None if the time limit was reached."""
    solutions = BestSolutions(encoding, max_cost=max_cost, limits=Limits(seconds=left))
    best = list(solutions)
    if solutions.stopped is not None:
        return None
    return best[0].cost if best else "none"


def _verified(entry: Entry, most: float | None, kernel: KernelName, threads: int) -> Iterator[Verified]:
    """Count the stated numbers of one puzzle."""
    names = (*CONVENTIONS, *APART_MEASURES)
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
    totals: dict[str, int | str | None] = {}
    for convention, number in stated.items():
        start = time.monotonic()
        left = None if most is None else max(0.0, most - (start - begun))
        result: int | str | None
        if convention in APART_MEASURES:
            totals = totals or _take_apart(encoding, left, threads)
            result = totals[convention]
        else:
            result = _count(encoding, CONVENTIONS[convention], left, kernel, threads)
        seconds = time.monotonic() - start
        agrees = Outcome.AGREES if result == number else Outcome.DIFFERS
        yield Verified(
            entry.name, convention, number, result, seconds, Outcome.UNFINISHED if result is None else agrees
        )
    puzzle = encoding.fitting.puzzle
    costs = [promise for promise in (puzzle.expected if puzzle else ()) if promise.measure in _COSTS]
    left = None if most is None else max(0.0, most - (time.monotonic() - begun))
    yield from (verified._replace(name=entry.name) for verified in compare(encoding, costs, seconds=left))


def _take_apart(encoding: Encoding, left: float | None, threads: int) -> dict[str, int | str | None]:
    """Return the numbers of :data:`APART_MEASURES`; None if a limit was reached."""
    solutions = Solutions(encoding, limits=Limits(seconds=left), threads=threads)
    number, text, turns = 0, None, None
    best: tuple[int, ...] = ()
    for assembly in disassemble(solutions, seconds=left):
        if assembly.disassembly.stopped:
            return dict.fromkeys(APART_MEASURES)
        level = assembly.disassembly.level
        if level is not None:
            number += 1
            if level > best:
                best, text, turns = level, assembly.disassembly.text, assembly.disassembly.turns
    return (
        {"apart": number, "level": text, "turns": turns} if solutions.stopped is None else dict.fromkeys(APART_MEASURES)
    )


def _count(
    encoding: Encoding,
    symmetry: SymmetryKind | None,
    left: float | None,
    kernel: KernelName,
    threads: int,
    least: int | None = None,
) -> int | None:
    """Return the number of solutions up to a symmetry, or of options; None if the time limit was reached.

    If there are ``least`` solutions, this number is enough.
    """
    if symmetry is None:
        return len(encoding.cover)
    limits = Limits(solutions=least or None, seconds=left)
    solutions = Solutions(encoding, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)
    number = solutions.count()
    return number if solutions.stopped is None or (least is not None and number >= least) else None
