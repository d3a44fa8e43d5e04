"""From a compiled puzzle to its solutions: one at a time, some, or their number.

The search is for one solution of each orbit under the symmetries of the puzzle; raw solutions are counted by the
sizes of the orbits. Each solution is checked by code that did not find it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine.check import check_cover
from puzzlec.engine.search import selection
from puzzlec.engine.search.progress import ALMOST, Progress, Steady
from puzzlec.engine.search.selection import Choice
from puzzlec.ir import Solution
from puzzlec.lower import Encoding, Symmetry
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SYMMETRIES
from puzzlec.pipeline import Compiled, compile, parse
from puzzlec.shown import mimebundle
from puzzlec.solving import Representatives, representatives
from puzzlec.solving.checker import Checker
from puzzlec.solving.conventions import counted_solutions

if TYPE_CHECKING:
    from puzzlec.engine.search.counting import Counting
    from puzzlec.engine.search.forecast import Forecast
    from puzzlec.engine.search.restarts import Found, Restarts
    from puzzlec.solving.every import EverySolution
    from puzzlec.solving.subject import Subject


#: What can look for a solution: the search of this package, or CP-SAT of OR-Tools.
ENGINES = ("own", "cpsat")

#: So many nodes are searched for a first solution before random searches have a turn, in a problem of a thousand
#: options; fewer, in proportion, where there are more options.
TURN = 1 << 22

#: So many of the solutions that were given are kept, to be shown.
SHOWN = 12

#: So many solutions are compared with their images, one by one, before all are counted instead.
MANY = 200_000


class Solutions:
    """The solutions of a puzzle: iterate them, one at a time, or count them.

    ``symmetry`` ("none", "rotations", "all", "parts", "automorphisms") says up to what they are counted, ``raw`` is
    short for "none". Without geometry only the raw ones are known, unless all "automorphisms" are asked for; then
    ``symmetry`` is "none". ``convention`` is ``raw`` or ``distinct`` after that. Afterwards ``number``, ``nodes``,
    ``seconds`` and ``stopped`` (the limit that ended the search, None when it is complete) say how it went,
    ``profile`` how many nodes there were on each level, ``choice`` which kernel searched, ``order`` and ``held``
    what was made of symmetries. :meth:`progress` may be asked on the way. ``reasons`` are diagnostics why there
    can be none: they are looked for when a search goes on for longer, or has found nothing. With a ``seed``,
    one solution is looked for by random searches, another one for another seed; it cannot be counted so. Nor can it
    with the ``engine`` "cpsat", for which OR-Tools must be installed. Where one solution is asked for and the search
    has found none for some seconds, random searches have turns beside it. ``first`` are the first solutions that it
    gave; a notebook shows those, and searches for nothing.
    """

    _repr_mimebundle_ = mimebundle

    def __init__(
        self,
        what: Compiled | str,
        raw: bool = False,
        limits: Limits | None = None,
        kernel: str = "auto",
        use_symmetry: bool = True,
        threads: int = 1,
        seed: int | None = None,
        memory: int | None = None,
        engine: str = "own",
        symmetry: str = "all",
    ) -> None:
        compiled = compile(what, "cover") if isinstance(what, str) or not isinstance(what, Encoding) else what
        assert isinstance(compiled, Encoding)
        self.encoding = compiled
        self.limits, self.kernel, self.use_symmetry = limits or Limits(), kernel, use_symmetry
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}")
        if symmetry not in SYMMETRIES:
            raise ValueError(f"there are no symmetries called {symmetry!r}")
        selection.need_kernel(kernel)
        self.threads, self.seed, self.memory, self.engine = threads, seed, memory, engine
        self.fitting = compiled.fitting
        self._geometric = self.fitting.puzzle is not None and self.fitting.puzzle.lattice is not None
        self.symmetry = symmetry if not raw and (self._geometric or symmetry == "automorphisms") else "none"
        self.convention = "raw" if self.symmetry == "none" else "distinct"
        self.reasons: tuple[Diagnostic, ...] = ()
        self.number = self.nodes = 0
        self.seconds = 0.0
        self.stopped: Stop | None = None
        self.profile: list[int] = []
        self.first: list[Solution] = []
        self.choice: Choice | None = None
        self.order: int | None = None
        self.held = ""
        self._begun: float | None = None
        self._examined = self._ended = False
        self._search_now: Search | Counting | None = None
        self._trial = False  # whether the search is to be left when it takes longer than a moment
        self._symmetric = self._narrow = False  # is part of the problem counted for all; is that not worth it
        self._restarts: Restarts | None = None
        self._turn = 0  # the nodes that a search visits before random searches have their next turn
        self._lucky: Found | None = None  # what random searches beside the search have found
        self._each = 0  # how many solutions a cover that the search counts stands for
        self._to_come: list[int] | None = None  # the options of the search behind the one that goes on
        self._later: Forecast | None = None
        self._begun_by_next: Iterator[Solution] | None = None
        self._steady, self._foreseen, self._doing = Steady(), False, ""
        self._part, self._past = 1.0, 0.0  # of the whole, the part that is searched now, and what is done already

    def __iter__(self) -> Iterator[Solution]:
        stream, self._begun_by_next = self._begun_by_next or self._stream(), None
        return stream

    def __next__(self) -> Solution:
        """Return the next solution; a loop after that gives the others."""
        if self._begun_by_next is None:
            self._begun_by_next = self._stream()
        return next(self._begun_by_next)

    def _stream(self) -> Iterator[Solution]:
        checker = Checker(self.fitting)
        self._begun = time.monotonic()
        for options in self._covers():
            solution = self.encoding.lift(options)
            if self.encoding.faithful:
                checker.check(solution)
            else:
                check_cover(self.encoding.cover, options)
            self.number += 1
            if len(self.first) < SHOWN:
                self.first.append(solution)
            yield solution
            if self.number == self.limits.solutions:
                self.stopped = Stop.SOLUTIONS
                return
        self._explain()

    @cached_property
    def group(self) -> Symmetry:
        """The symmetries that solutions are counted up to; for raw ones, all that geometry has.

        Raises PuzzleError where they are too many to be listed (with raw solutions there is none then).
        """
        try:
            return symmetry_group(self.encoding, "all" if self.convention == "raw" else self.symmetry)
        except GroupTooLargeError as error:
            if self.convention == "raw":
                return symmetry_group(self.encoding, "none")
            span = next((piece.span for piece in self.fitting.pieces if piece.span), None)
            fewer = "rotations" if self.symmetry == "all" else "all"
            raise fail(
                "PZ253",
                str(error),
                note="to compare solutions, every symmetry is listed as a permutation of the options",
                help="count raw solutions with `--symmetry none`"
                + (f", or use fewer symmetries, such as `--symmetry {fewer}`" if self._geometric else ""),
                file=span.source.name if span else None,
            ) from None

    def counted(self, number: int) -> str:
        """Return a number of solutions in words, with what they are counted up to."""
        return counted_solutions(number, self.symmetry)

    def __str__(self) -> str:
        """Return what is known of the solutions now; nothing is searched."""
        if self._begun is None:
            return f"solutions of {self._title}: nothing has been searched yet"
        if self._ended and self.stopped is None:
            return f"{self.counted(self.number)} of {self._title}"
        return f"{self.counted(self.number)} of {self._title} so far"

    @property
    def _title(self) -> str:
        return f'"{self.fitting.title}"' if self.fitting.title else "a puzzle"

    def subject(self) -> Subject:
        """Return what can be shown now, without any search: the puzzle, and the first solutions that were given."""
        from puzzlec.solving.subject import Subject

        complete = self._ended and self.stopped is None
        return Subject(self.fitting, tuple(self.first), str(self), self.number if complete else None)

    def progress(self) -> Progress:
        """Return how far it has come, solutions counted as ``convention`` says; may be asked from any thread."""
        now = self._steady.next(self._now())
        if self._ended and self.stopped is None:
            return now._replace(fraction=1.0, left=0.0, left_between=(0.0, 0.0), doing="")
        return now._replace(fraction=min(now.fraction, ALMOST))

    def foresee(self) -> None:
        """Make :meth:`progress` better where that is possible: a second of random dives, once for each search.

        For a thread beside that of the search, some seconds after its beginning and again now and then. What is found
        does not depend on it. Nothing is done where the search is likely to end before the tree does.
        """
        search = self._search_now
        if search is None or self.limits.solutions is not None:
            return
        if not search.foresee():
            return
        if self._to_come is not None and self._later is None:
            from puzzlec.engine.search.forecast import Forecast

            self._later = Forecast.of(self.encoding.cover.subset(self._to_come))
        if not self._foreseen:
            self._foreseen = True
            self._steady.forget_fraction()

    def _now(self) -> Progress:
        search, restarts = self._search_now, self._restarts
        if restarts is not None:
            seconds = time.monotonic() - restarts._begun
            nodes = self.nodes + restarts.nodes
            return Progress(0.0, nodes, 0, seconds, restarts.nodes / max(seconds, 1e-3), doing="at random")
        if search is None:
            rate = self.nodes / max(self.seconds, 1e-3)
            return Progress(self._past, self.nodes, self.number, self.seconds, rate, doing=self._doing)
        now = search.progress()
        done = self._past + self._part * now.fraction
        # What other searches are still to come goes on like this one: a guess, of which no interval can be told.
        left, between, later = now.left, now.left_between, max(0.0, 1 - self._past - self._part)
        if self._to_come is not None and self._later is not None and between is not None and left is not None:
            rest = self._later.rest(0)
            if rest is not None and now.rate > 0:
                left, low, high = (a + b / now.rate for a, b in zip((left, *between), rest, strict=True))
                done = now.nodes / (now.nodes + max(left * now.rate, 1.0))
                between, later = (low, high), 0.0
        if left is not None and now.fraction > 0 and self._part > 0 and later > 1e-9:
            left, between = left + now.seconds / now.fraction * later / self._part, None
        found, seconds = self.number + self._each * now.solutions, self.seconds + now.seconds
        return Progress(done, self.nodes + now.nodes, found, seconds, now.rate, left, between, now.doing)

    def _covers(self) -> Iterator[tuple[int, ...]]:
        if self.seed is not None or self.engine != "own":
            yield from self._at_random(self.seed or 0)
            return
        yield from self._in_order()
        if self._lucky is not None and self._lucky.options is not None:
            self.stopped = None
            self.choice = Choice("restarts", "the search in order had found nothing for long")
            yield self._lucky.options

    def _in_order(self) -> Iterator[tuple[int, ...]]:
        if self.convention == "raw":
            yield from self._search(self.encoding.cover)
            return
        choice = self._representatives()
        yield from self._least(choice, list(choice.movers))

    def _at_random(self, seed: int) -> Iterator[tuple[int, ...]]:
        self._examine()
        if self.reasons:
            return
        found = self._by_cpsat(seed) if self.engine == "cpsat" else self._restarted(seed, self._left())
        self.nodes, self.seconds, self.stopped = found.nodes, found.seconds, found.stopped
        if found.options is not None:
            yield found.options

    def _restarted(self, seed: int, limits: Limits) -> Found:
        from puzzlec.engine.search.restarts import Restarts

        self._restarts = Restarts(self.encoding.cover, seed, limits)
        try:
            found = self._restarts.run()
        finally:
            self._restarts = None
        self.choice = Choice("restarts", f"random searches, begun anew {counted(found.restarts, 'time')}")
        return found

    def _by_cpsat(self, seed: int) -> Found:
        from puzzlec.engine.search.cpsat import solve_with_cpsat

        self.choice = Choice("cpsat", "it was asked for")
        return solve_with_cpsat(self.encoding.cover, self._left(), seed, self.threads)

    def _representatives(self) -> Representatives:
        cover = self.encoding.cover
        choice = representatives(cover, self.group)
        self.order = choice.order
        if choice.item >= 0:
            self.held = (
                f"item {cover.item_name(choice.item)}, {len(choice.movers)} of its {len(choice.having)} options kept"
            )
        return choice

    def _begin(self, cover: ExactCover) -> Search:
        self._search_now = search = Search(cover, self._left(), self.kernel, self.threads, self._advice)
        return search

    def _search(self, cover: ExactCover) -> Iterator[tuple[int, ...]]:
        search = self._begin(cover)
        try:
            yield from search
        finally:
            self._note(search)

    def _advice(self) -> int | None:
        """Say whether a search that takes longer is to go on: not where there are reasons why it finds nothing.

        Nor where a problem is counted by layers at once, so that all solutions cost less than one of each orbit.
        """
        if self._trial:
            return None
        if self._symmetric and self.kernel == "auto" and self.limits.nodes is None and selection.has_numba():
            from puzzlec.engine.search.counting import NARROW, width

            self._narrow = width(self.encoding.cover) <= NARROW
            if self._narrow:
                return None
        self._examine()
        if self.reasons:
            return None
        if self.limits.solutions == 1 and not self.number and self.kernel == "auto" and self.limits.nodes is None:
            return self._beside()
        return 1 << 62

    def _beside(self) -> int | None:
        """Let random searches have a turn beside the search for a first solution; return when the next one is.

        They may visit as many nodes as the search has visited since the last turn; each turn is twice as long.
        """
        if self._turn:
            turn = self._turn.bit_length()  # another seed for each
            self._lucky = self._restarted(turn, replace(self._left(), nodes=self._turn))
            self.nodes += self._lucky.nodes
            if self._lucky.options is not None or self._lucky.proved:
                return None
        assert isinstance(self._search_now, Search)
        searched = self._search_now.nodes if self._turn else 0
        self._turn = 2 * self._turn or max(1, TURN * 1000 // max(1000, len(self.encoding.cover)))
        return searched + self._turn

    def _explain(self) -> None:
        """Look for reasons when a complete search has found nothing."""
        self._ended = True
        if not self.number and self.stopped is None:
            self._examine()

    @property
    def impossible(self) -> tuple[Diagnostic, ...]:
        """The ``reasons`` why there can be none, looked for if they were not yet."""
        self._examine()
        return self.reasons

    def _examine(self) -> None:
        if not self._examined:
            from puzzlec.lower import impossible

            self._examined = True
            report = Report()
            with suppress(PuzzleError):  # raised where there are more reasons than anybody wants to read
                impossible(self.encoding, report)
            self.reasons = tuple(report.diagnostics)

    def _least(self, choice: Representatives, kept: list[int]) -> Iterator[tuple[int, ...]]:
        """Give one solution of each orbit, of those that take one of the kept options."""
        options = choice.options(kept)
        for found in self._search(self.encoding.cover.subset(options)):
            solution = tuple([options[each] for each in found])
            if choice.is_least(solution):
                yield solution

    def count(self) -> int:
        """Return the number of solutions, or of those found when a limit was reached."""
        self._begun = time.monotonic()
        if self.limits.solutions is not None:
            for _ in self._covers():
                self.number += 1
                if self.number >= self.limits.solutions:
                    self.stopped = Stop.SOLUTIONS
                    break
        elif self.kernel in ("frontier", "memo"):
            self._count_all()
        elif self.convention == "raw" and not self.use_symmetry:
            self._count(self.encoding.cover, 1)
        elif not self._counted_in_a_moment():
            self._count_representatives()
            if self._narrow:
                self._symmetric = self._narrow = False
                self._start_over()
                self._count_all()
        self._explain()
        return self.number

    def _counted_in_a_moment(self) -> bool:
        """Whether all raw solutions could be counted before symmetries would have been found."""
        cover = self.encoding.cover
        plain = self.kernel == "auto" and self.limits.nodes is None and self.threads == 1
        plain = plain and not selection.begins_in_python(cover)
        if self.convention != "raw" or not plain:
            return False
        self._trial = True
        complete = self._count(cover, 1)
        self._trial = False
        if complete:
            return True
        self._start_over()
        self.nodes = 0
        return False

    def _start_over(self) -> None:
        """Forget what was counted so far: another way counts all."""
        self.number, self.stopped, self._past, self.profile = 0, None, 0.0, []

    def _count_representatives(self) -> None:
        """Count solutions of which each stands for its orbit."""
        cover, choice = self.encoding.cover, self._representatives()
        raw = self.convention == "raw"
        self._symmetric = choice.order > 1
        if choice.quiet or choice.order == 1:
            quiet = cover if choice.order == 1 else cover.subset(choice.options(choice.quiet))
            self._part = len(choice.quiet) / max(1, len(choice.movers)) if choice.quiet else 1.0
            if choice.quiet and choice.noisy and choice.order > 1:
                self._to_come = list(choice.options(choice.noisy))
            self._count(quiet, choice.order if raw else 1)
        if (choice.noisy or choice.item < 0) and choice.order > 1 and self.stopped is None and not self._narrow:
            self._part, self._to_come = 1 - self._past, None
            for seen, solution in enumerate(self._least(choice, choice.noisy)):
                self.number += choice.orbit_size(solution) if raw else 1
                if seen == MANY and self.kernel == "auto" and self.limits.nodes is None and selection.has_numba():
                    self._narrow = True  # there is no end to going through them one by one
                    return

    def _count_all(self) -> None:
        """Count all covers; distinct ones by Burnside's lemma."""
        cover, kernel = self.encoding.cover, self.kernel
        self._part = 1.0
        if self.convention == "raw":
            self._count(cover, 1)
            return
        from puzzlec.engine.search.counting import MEMORY
        from puzzlec.solving.burnside import count_distinct

        self.order = len(self.group)
        self._doing = "counting all, and what each symmetry leaves as it is"
        counted = count_distinct(cover, self.group, self._left(), self.memory or MEMORY, kernel)
        if counted is None:
            self.stopped = Stop.SECONDS
            return
        self.number, self.nodes, self.seconds = counted.number, self.nodes + counted.nodes, counted.seconds
        self.choice = Choice(
            counted.method, "all solutions were counted, and those that each symmetry leaves as they are"
        )

    def _count(self, cover: ExactCover, each: int) -> bool:
        """Count covers, each of which stands for so many solutions; return whether all were counted."""
        from puzzlec.engine.search.counting import MEMORY, Counting

        counting = Counting(cover, self._left(), self.memory or MEMORY, self.kernel, self.threads, self._advice)
        self._search_now, self._each = counting, each
        try:
            counting.count()
        finally:
            self._each = 0
            self.number += each * counting.solutions
            self._note(counting)
        return counting.complete

    def _left(self) -> Limits:
        """Return the limits that are left for another search; solutions are counted here, not there."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        gone = 0.0 if self._begun is None else time.monotonic() - self._begun
        return Limits(
            None,
            None if seconds is None else max(0.0, seconds - gone),
            None if nodes is None else max(0, nodes - self.nodes),
        )

    def _note(self, search: Search | Counting) -> None:
        self._search_now = None
        self.nodes += search.nodes
        self.seconds += search.seconds
        self.stopped = self.stopped or search.stopped
        self._past += self._part * search.progress().fraction
        self.choice = search.choice
        self.profile = [sum(both) for both in zip_longest(self.profile, search.profile, fillvalue=0)]


def solve(
    what: Compiled | str,
    raw: bool = False,
    limits: Limits | None = None,
    kernel: str = "auto",
    threads: int = 1,
    symmetry: str = "all",
) -> Solutions:
    """Return the solutions of a puzzle, to be iterated; leaving the loop ends the search.

    ``symmetry`` says up to what they are distinct: "none", "rotations", "all", "parts" (each part of a board
    on its own), or "automorphisms" (all that the exact cover has).
    """
    return Solutions(what, raw, limits, kernel, threads=threads, symmetry=symmetry)


def count(
    what: Compiled | str,
    raw: bool = False,
    limits: Limits | None = None,
    kernel: str = "auto",
    threads: int = 1,
    symmetry: str = "all",
) -> int:
    """Return the number of solutions: distinct ones where the puzzle has geometry and ``raw`` is not asked for.

    ``symmetry`` is that of :func:`solve`.
    """
    return Solutions(what, raw, limits, kernel, threads=threads, symmetry=symmetry).count()


def every_solution(
    what: Compiled | str,
    memory: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    saved: str | Path | None = None,
) -> EverySolution:
    """Return all raw solutions of a puzzle as one object: to be counted, drawn at random, restricted, saved.

    They are searched for, within so many bytes of memory and seconds; or read from the file ``saved``. ``progress``
    is told now and then how many nodes were visited, and how many the diagram has. Raises
    :class:`puzzlec.engine.UnfinishedError` where the limits did not suffice, ValueError where the file
    is damaged or belongs to another puzzle, OSError where it cannot be read, RuntimeError where numba is missing.
    """
    if not selection.has_numba():
        raise RuntimeError("all solutions at once need numba, and it is not installed here")
    from puzzlec.engine.search.counting import MEMORY
    from puzzlec.solving.every import EverySolution

    encoding = compile(what, "cover")
    assert isinstance(encoding, Encoding)
    if saved is not None:
        return EverySolution.load(saved, encoding)
    return EverySolution.of(encoding, memory or MEMORY, seconds, progress)


def solve_board(board: str, callback: Callable[[str, int, float, float], object]) -> int:
    """Fill a board of ``x`` and ``.`` with the twelve pentominoes, every raw solution in turn.

    The callback gets the filled board, the number of the solution from 1, the seconds for this one and
    the seconds in all; the search goes on while it answers with something true. Returns the number of
    solutions given.
    """
    from puzzlec.formats.solutions.board_text import board_text

    puzzle = parse(board, "board")
    begun = last = time.perf_counter()
    number = 0
    for number, solution in enumerate(solve(puzzle, raw=True), 1):
        now = time.perf_counter()
        if not callback(board_text(solution) + "\n", number, now - last, now - begun):
            break
        last = now
    return number
