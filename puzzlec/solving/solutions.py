"""From a compiled puzzle to its solutions: one at a time, some, or their number.

A search finds one solution of each orbit under the symmetries of the puzzle. The number of raw solutions follows from
the sizes of the orbits. Independent code checks each solution.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine.check import check_cover
from puzzlec.engine.integers import thread_count
from puzzlec.engine.limits import limits_of, memory_of
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.count_tasks import Layers
from puzzlec.engine.search.counting import FRONTIER_TURNS, Counting, is_narrow
from puzzlec.engine.search.race import NO_ANSWER, Quick, Race, RaceOutcome, Schedule, Scheduled
from puzzlec.engine.search.run import Run
from puzzlec.engine.search.selection import KernelChoice, KernelName
from puzzlec.ir import Solution
from puzzlec.ir.puzzle import titled
from puzzlec.lower import Symmetry
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SYMMETRIES, SymmetryKind
from puzzlec.shown import mimebundle
from puzzlec.solving import Representatives, representatives
from puzzlec.solving.checker import Checker
from puzzlec.solving.distinct import SearchStage
from puzzlec.solving.overview import Searches, SymmetryUse
from puzzlec.solving.subject import Subject, counted_solutions

if TYPE_CHECKING:
    from puzzlec.engine.search.first_cover import Beside, FirstCover, Learning
    from puzzlec.ir import Fitting


#: The name of an engine: the search of this package, or CP-SAT of OR-Tools.
EngineName: TypeAlias = Literal["own", "cpsat"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)

#: The nodes of a search, for each option, that take as long as to look for reasons why there is no solution.
NODES_FOR_EACH_OPTION = 400

#: If at most ``MAX_SOLUTIONS_WANTED`` solutions are wanted, ``MAX_IMAGES_PASSED`` in a row may be images of others.
MAX_SOLUTIONS_WANTED, MAX_IMAGES_PASSED = 1_000, 1_000

#: Maximum number of solutions that are kept for display.
MAX_SOLUTIONS_SHOWN = 12

#: Maximum number of solutions that are compared with their images one by one. If there are more, all are counted.
MAX_COMPARED_SOLUTIONS = 200_000

#: This maximum if no item is held: the search visits all solutions anyway, and comparing them takes most of the time.
MAX_COMPARED_SOLUTIONS_IF_FREE = 5_000

#: This maximum for a narrow problem, which layers count in a moment. It is also for a search with fewer than
#: :data:`DENSE_NODES_FOR_EACH_SOLUTION` nodes for each solution: there comparing them takes most of the time.
MAX_COMPARED_SOLUTIONS_IF_NARROW = 256
DENSE_NODES_FOR_EACH_SOLUTION = 100


class SearchSettings(NamedTuple):
    """Rarely needed settings of a search.

    - ``seed``: Look for one solution by random searches; another seed may find another one.
    - ``engine``: "own", or "cpsat" for one solution by CP-SAT, which needs OR-Tools.

    >>> import puzzlec
    >>> settings = puzzlec.SearchSettings(seed=1)
    >>> len(list(puzzlec.Solutions("soma", settings=settings)))
    1
    """

    seed: int | None = None
    engine: EngineName = "own"


class Solutions:
    """The solutions of a puzzle: iterate them, one at a time, or count them.

    ``symmetry`` is "none", "rotations", "all", "parts" or "automorphisms". Solutions are counted up to this symmetry.
    If a puzzle has no geometry, ``symmetry`` becomes "none" unless it is "automorphisms".
    ``convention`` is ``raw`` or ``distinct`` accordingly.

    Afterwards ``stopped`` is the limit that ended the search, or None if it is complete. ``profile`` has the nodes at
    each depth, ``choice`` the kernel, ``order`` and ``held`` the use of symmetries. Any thread may call
    :meth:`progress`. ``reasons`` are diagnostics that explain why there can be no solution. A search looks for
    reasons if it takes long or finds no solution.

    With a ``seed`` or the engine "cpsat" in the settings, a search finds one solution, and :meth:`count` is not
    possible.
    If the limit is one solution and none is found for a few seconds, random searches take turns with the search.
    ``first`` are the first solutions that a search has found. They are empty before it.

    >>> import puzzlec
    >>> solutions = puzzlec.solve("soma/castle", limit=2)
    >>> [solution.placements[0].piece.name for solution in solutions]
    ['V', 'V']
    >>> solutions.stopped, solutions.convention
    (<Stop.SOLUTIONS: 'solutions'>, 'distinct')
    """

    _repr_mimebundle_ = mimebundle

    #: The words for an empty result.
    nothing = "no solution"

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        limits: Limits | None = None,
        kernel: KernelName = "auto",
        threads: int = 1,
        symmetry: SymmetryKind = "all",
        settings: SearchSettings | None = None,
    ) -> None:
        self._settings = settings or SearchSettings()
        compiled = compile(what)
        if self._settings.engine not in ENGINES:
            raise ValueError(f"unknown engine {self._settings.engine!r}: expected one of {', '.join(ENGINES)}")
        if symmetry not in SYMMETRIES:
            raise ValueError(f"unknown symmetry {symmetry!r}: expected one of {', '.join(SYMMETRIES)}")
        selection.need_kernel(kernel)
        self.limits = limits_of(limits)
        self.encoding, self.kernel, self.threads = compiled, kernel, thread_count(threads)
        geometric = compiled.fitting.puzzle is not None and compiled.fitting.puzzle.lattice is not None
        self.symmetry = symmetry if geometric or symmetry == "automorphisms" else "none"
        self.number = 0
        self.stopped: Stop | None = None
        self.first: list[Solution] = []
        self._searches = Searches()
        self._stream_now: Iterator[Solution] | None = None

    @property
    def fitting(self) -> Fitting:
        """The puzzle with all its placements."""
        return self.encoding.fitting

    @property
    def convention(self) -> str:
        """``raw`` or ``distinct``."""
        return "raw" if self.symmetry == "none" else "distinct"

    @property
    def seed(self) -> int | None:
        """The seed of random searches, None for a search in order."""
        return self._settings.seed

    @property
    def nodes(self) -> int:
        """Number of nodes of the ended searches."""
        return self._searches.nodes

    @property
    def seconds(self) -> float:
        """Seconds of the ended searches."""
        return self._searches.seconds

    @property
    def profile(self) -> list[int]:
        """Number of nodes of the finished searches at each depth."""
        return self._searches.profile

    @property
    def choice(self) -> KernelChoice | None:
        """The kernel that searched, with the reason; None before the first search."""
        return self._searches.choice

    @property
    def order(self) -> int | None:
        """Number of symmetries; None if they were not computed."""
        return self._searches.use.order

    @property
    def held(self) -> str:
        """The item that keeps only some of its options by symmetry."""
        return self._searches.use.held

    @property
    def reasons(self) -> tuple[Diagnostic, ...]:
        """The known reasons why there can be no solution."""
        return self._searches.reasons or ()

    def __iter__(self) -> Iterator[Solution]:
        stream, self._stream_now = self._stream_now or self._stream(), None
        return stream

    def __next__(self) -> Solution:
        """Return the next solution. A later loop yields the others."""
        if self._stream_now is None:
            self._stream_now = self._stream()
        return next(self._stream_now)

    def _stream(self) -> Iterator[Solution]:
        checker = Checker(self.fitting)
        self._searches.begin()
        for options in self._covers():
            solution = self.encoding.lift(options)
            if self.encoding.faithful:
                checker.check(solution)
            else:
                check_cover(self.encoding.cover, options)
            self.number += 1
            if len(self.first) < MAX_SOLUTIONS_SHOWN:
                self.first.append(solution)
            yield solution
            if self.number == self.limits.solutions:
                self.stopped = Stop.SOLUTIONS
                return
        self._explain()

    @cached_property
    def group(self) -> Symmetry:
        """The symmetries that solutions are counted up to; for raw solutions, all symmetries of the geometry.

        For raw solutions, only the identity is used if there are too many.

        Raises:
            PuzzleError: If there are too many to list.

        """
        try:
            return symmetry_group(self.encoding, "all" if self.convention == "raw" else self.symmetry)
        except GroupTooLargeError as error:
            if self.convention == "raw":
                return symmetry_group(self.encoding, "none")
            raise too_many_symmetries(error, self.fitting, self.symmetry) from None

    def counted(self, number: int) -> str:
        """Return a number of solutions in words, with their kind of symmetry."""
        return counted_solutions(number, self.symmetry)

    def __repr__(self) -> str:
        end = f", stopped at the limit of {self.stopped}" if self.stopped is not None else ""
        return f"<{type(self).__name__}{titled(self.fitting.title)}: {self.number} found{end}>"

    def __str__(self) -> str:
        """Return the known facts about the solutions, without a search."""
        if self._searches.begun is None:
            return f"solutions of {self._title}: no search yet"
        if self._searches.ended and self.stopped is None:
            return f"{self.counted(self.number)} of {self._title}"
        return f"{self.counted(self.number)} of {self._title} so far"

    @property
    def _title(self) -> str:
        return f'"{self.fitting.title}"' if self.fitting.title else "a puzzle"

    def subject(self) -> Subject:
        """Return the puzzle and its first solutions as a subject to show, without a search."""
        complete = self._searches.ended and self.stopped is None
        return Subject(self.fitting, tuple(self.first), str(self), self.number if complete else None)

    def progress(self) -> Progress:
        """Return the progress, with solutions counted by ``convention``. Any thread may call it."""
        return self._searches.progress(self.number, self._searches.ended and self.stopped is None)

    def foresee(self) -> None:
        """Improve :meth:`progress` if possible: a second of random probes, once for each search.

        Call it from another thread, a few seconds after the start and again now and then. The solutions do not
        depend on it.
        It does nothing if the search has a limit of solutions.
        """
        if self.limits.solutions is None:
            self._searches.foresee(self.encoding.cover)

    def _covers(self) -> Iterator[tuple[int, ...]]:
        if self._settings.seed is not None or self._settings.engine != "own":
            yield from self._at_random(self._settings.seed or 0)
            return
        others: list[Scheduled] = [self._proof()]
        beside: list[Beside | Learning] = []
        if self.limits.solutions == 1 and self.kernel == "auto" and self.limits.nodes is None:
            from puzzlec.engine.search.first_cover import other_ways

            beside = other_ways(self.encoding.cover, lambda: self._left().seconds)
            others += [(task, task.schedule) for task in beside]
        yield from self._in_order(others)
        for task in beside:
            if task.outcome is not None and task.outcome.cover is not None:
                self.stopped = None
                self._searches.choice = KernelChoice(task.name, "the search in order found nothing for a long time")
                yield task.outcome.cover

    def _in_order(self, others: list[Scheduled]) -> Iterator[tuple[int, ...]]:
        if self.convention == "raw":
            yield from self._search(self.encoding.cover, others)
            return
        choice = self._representatives()
        (stage,) = choice.stages(keep=True)
        yield from self._least(choice, stage, others)

    def _at_random(self, seed: int) -> Iterator[tuple[int, ...]]:
        if self.impossible:
            return
        first = self._by_cpsat(seed) if self._settings.engine == "cpsat" else self._by_restarts(seed)
        self._searches.nodes, self._searches.seconds, self.stopped = first.nodes, first.seconds, first.stopped
        if first.options is not None:
            yield first.options

    def _by_restarts(self, seed: int) -> FirstCover:
        from puzzlec.engine.search.first_cover import Restarts

        restarts = Restarts(self.encoding.cover, seed)
        race = Race(restarts, (), self._left())
        self._searches.search = run = Run(race, race.limits)
        try:
            run.count()
            first = restarts.found(race)
        finally:
            self._searches.search = None
        self._searches.choice = KernelChoice(
            "restarts", f"random searches, restarted {counted(first.restarts, 'time')}"
        )
        return first

    def _by_cpsat(self, seed: int) -> FirstCover:
        from puzzlec.engine.search.first_cover import solve_with_cpsat

        self._searches.choice = KernelChoice("cpsat", "chosen by `--engine`")
        return solve_with_cpsat(self.encoding.cover, self._left(), seed, self.threads)

    def _representatives(self) -> Representatives:
        cover = self.encoding.cover
        choice = representatives(cover, self.group)
        held = ""
        if choice.item >= 0:
            kept = f"{len(choice.movers)} of its {len(choice.having)} options kept"
            held = f"item {cover.item_name(choice.item)}, {kept}"
        self._searches.use = SymmetryUse(choice.order, held)
        return choice

    def _search(self, cover: ExactCover, others: list[Scheduled]) -> Iterator[tuple[int, ...]]:
        self._searches.search = search = Search(
            cover, limits=self._left(), kernel=self.kernel, threads=self.threads, others=others
        )
        try:
            yield from search
        finally:
            self._note(search)

    def _proof(self) -> Scheduled:
        """Return the task that looks for reasons why there is no solution, in a longer search."""
        task = Quick(lambda: RaceOutcome(0) if self.impossible else NO_ANSWER)
        return task, Schedule(NODES_FOR_EACH_OPTION * len(self.encoding.cover))

    def _explain(self) -> None:
        """Look for reasons if a complete search has found nothing."""
        self._searches.ended = True
        if not self.number and self.stopped is None:
            self.look_for_reasons()

    @property
    def impossible(self) -> tuple[Diagnostic, ...]:
        """The ``reasons`` why there can be no solution. They are computed on first use."""
        self.look_for_reasons()
        return self.reasons

    def look_for_reasons(self) -> None:
        """Look for reasons why there can be no solution, once."""
        if self._searches.reasons is None:
            from puzzlec.lower.impossibility import impossible

            report = Report()
            with suppress(PuzzleError):  # raised if there are too many reasons
                impossible(self.encoding, report)
            self._searches.reasons = tuple(report.diagnostics)

    def _least(self, choice: Representatives, stage: SearchStage, others: list[Scheduled]) -> Iterator[tuple[int, ...]]:
        """Yield one solution of each orbit that has a solution with the options of a stage.

        It is the least one, in the order of the search. If only a few are wanted, and many solutions in a row are not
        least, it is made from the next solution.
        """
        few = self.limits.solutions is not None and self.limits.solutions <= MAX_SOLUTIONS_WANTED
        seen, passed = set[tuple[int, ...]](), 0
        for cover in self._search(choice.searched_in(stage), others):
            solution = tuple([stage.options[option] for option in cover])
            if stage.compared and not choice.is_least(solution):
                passed += 1
                if not few or passed <= MAX_IMAGES_PASSED:
                    continue
                solution = choice.least(solution)
            if few and stage.compared:
                if solution in seen:
                    continue
                seen.add(solution)
                passed = 0
            yield solution

    def count(self) -> int:
        """Return the number of solutions, or the number found when a limit was reached.

        It tries the ways to count one after the other.
        """
        self._searches.begin()
        for number, way in enumerate(self._ways()):
            if number:
                self._start_over()
            if way():
                break
        self._explain()
        return self.number

    def _ways(self) -> list[Callable[[], bool]]:
        """Return the ways to count, in order. Each returns true if it has the number or reached a limit."""
        if self.limits.solutions is not None:
            return [self._count_one_by_one]
        if self.kernel == "frontier":
            return [self._count_all]
        if self.convention == "raw" and self._is_plain:
            return [self._count_in_a_moment, self._count_representatives, self._count_all]
        return [self._count_representatives, self._count_all]

    @property
    def _is_plain(self) -> bool:
        """Whether a count of all raw solutions may take less time than finding symmetries."""
        plain = self.kernel == "auto" and self.limits.nodes is None and self.threads == 1
        return plain and not selection.begins_in_python(self.encoding.cover)

    def _count_one_by_one(self) -> bool:
        for _ in self._covers():
            self.number += 1
            if self.number >= (self.limits.solutions or 0):
                self.stopped = Stop.SOLUTIONS
                break
        return True

    def _count_raw(self) -> bool:
        self._count(self.encoding.cover, 1, [self._proof()])
        return True

    def _count_in_a_moment(self) -> bool:
        """Count all raw solutions, unless that takes longer than finding symmetries."""
        give_up = Quick(lambda: RaceOutcome(0, complete=False))
        if self._count(self.encoding.cover, 1, [(give_up, Schedule())]):
            return True
        self._searches.nodes = 0
        return False

    def _start_over(self) -> None:
        """Reset the count before another way."""
        self.number, self.stopped = 0, None
        self._searches.span, self._searches.profile = (0.0, 1.0), []

    def _count_representatives(self) -> bool:
        """Count one solution of each orbit. Return false if it is better to count all solutions.

        It is better if layers can count all at once, or if too many solutions must be compared with their images.
        """
        cover, choice, searches = self.encoding.cover, self._representatives(), self._searches
        raw = self.convention == "raw"
        narrow = Quick(lambda: RaceOutcome(0, complete=False) if is_narrow(cover) else NO_ANSWER)
        others = [self._proof()]
        may_count_all = (
            choice.order > 1 and self.kernel == "auto" and self.limits.nodes is None and selection.has_numba()
        )
        if may_count_all:
            others.insert(0, (narrow, Schedule()))
        stages = choice.stages(keep=False)
        for stage, later in zip_longest(stages, stages[1:]):
            before = searches.span[0]
            searches.span = before, len(choice.quiet) / len(choice.movers) if later else 1 - before
            searches.to_come = list(later.options) if later else None
            if stage.compared:
                return self._count_compared(choice, stage, others, may_count_all) and not narrow.answers
            self._count(choice.searched_in(stage), choice.order if raw else 1, others)
            if self.stopped is not None or narrow.answers:
                break
        return not narrow.answers

    def _count_compared(
        self, choice: Representatives, stage: SearchStage, others: list[Scheduled], may_count_all: bool
    ) -> bool:
        """Count covers that are compared with their images. Return false if it is better to count all solutions."""
        many = MAX_COMPARED_SOLUTIONS if choice.item >= 0 else MAX_COMPARED_SOLUTIONS_IF_FREE
        why = KernelChoice("frontier", "its layers had all solutions first")
        layers = Layers(self.encoding.cover, memory_of(self.limits), None, why)
        if may_count_all:
            others.append((layers, FRONTIER_TURNS))
        for seen, solution in enumerate(self._least(choice, stage, others)):
            self.number += choice.orbit_size(solution) if self.convention == "raw" else 1
            if may_count_all and (seen == many or (seen == MAX_COMPARED_SOLUTIONS_IF_NARROW and self._has_many(seen))):
                return False  # too many to compare one by one
        if layers.outcome is not None and layers.outcome.number is not None:
            self._start_over()
            return self._count_all(layers)
        return True

    def _has_many(self, seen: int) -> bool:
        """Whether there are too many solutions to compare, judging by the first ones."""
        search = self._searches.search
        return is_narrow(self.encoding.cover) or (
            search is not None and search.nodes < DENSE_NODES_FOR_EACH_SOLUTION * seen
        )

    def _count_all(self, layers: Layers | None = None) -> bool:
        """Count all covers; use Burnside's lemma for distinct ones. ``layers`` has the number of all, if known."""
        cover, kernel, searches = self.encoding.cover, self.kernel, self._searches
        searches.span = searches.span[0], 1.0
        if self.convention == "raw" and layers is not None:
            self.number, searches.choice = layers.number, layers.choice
            return True
        if self.convention == "raw":
            return self._count_raw()
        from puzzlec.solving.burnside import count_distinct

        searches.use = searches.use._replace(order=len(self.group))
        self._searches.doing = "counting all solutions, and those that each symmetry fixes"
        number = None if layers is None else layers.number
        result = count_distinct(cover, self.group, self._left(), kernel=kernel, number=number)
        if result is None:
            self.stopped = Stop.SECONDS
            return True
        self.number, searches.nodes, searches.seconds = result.number, self.nodes + result.nodes, result.seconds
        searches.choice = KernelChoice(result.method, "all solutions were counted, and those that each symmetry fixes")
        return True

    def _count(self, cover: ExactCover, weight: int, others: list[Scheduled]) -> bool:
        """Count covers that represent ``weight`` solutions; return whether the count is complete."""
        searches = self._searches
        counting = Counting(cover, self._left(), kernel=self.kernel, threads=self.threads, others=others)
        searches.search, searches.weight = counting, weight
        try:
            counting.count()
        finally:
            searches.weight = 0
            self.number += weight * counting.solutions
            self._note(counting)
        return counting.complete

    def _left(self) -> Limits:
        """Return the limits for the next search, without the limit of solutions."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        begun = self._searches.begun
        gone = 0.0 if begun is None else time.monotonic() - begun
        return Limits(
            None,
            None if seconds is None else max(0.0, seconds - gone),
            None if nodes is None else max(0, nodes - self.nodes),
            self.limits.memory,
        )

    def _note(self, search: Run) -> None:
        """Record an ended search."""
        self._searches.end(search)
        self.stopped = self.stopped or search.stopped


def too_many_symmetries(error: GroupTooLargeError, fitting: Fitting, which: str) -> PuzzleError:
    """Return the error for a group of symmetries that is too large to list."""
    span = next((piece.span for piece in fitting.pieces if piece.span), None)
    fewer = {"all": "rotations", "rotations": ""}.get(which, "all")
    geometric = fitting.puzzle is not None and fitting.puzzle.lattice is not None
    return fail(
        "PZ253",
        str(error),
        note="to compare solutions, every symmetry is listed as a permutation of the options",
        help="count raw solutions with `--symmetry none`"
        + (f", or use fewer symmetries, such as `--symmetry {fewer}`" if geometric and fewer else ""),
        file=span.source.name if span else None,
    )
