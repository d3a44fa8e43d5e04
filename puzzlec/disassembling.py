"""Take the assemblies of a puzzle apart, one after the other."""

from __future__ import annotations

import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics import Diagnostic, PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.integers import thread_count
from puzzlec.engine.limits import deadline_of, limits_of, memory_of
from puzzlec.engine.progress import Progress
from puzzlec.engine.search.selection import KernelName
from puzzlec.formats import catalogue
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import HALF_STEPS, LATTICES_WITH_HALF_STEPS, LATTICES_WITH_TURNS, TURN_ORDERS
from puzzlec.ir import Fitting, Placement, Puzzle, Solution
from puzzlec.ir.location import ANY, address_text
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.motion.bodies import WALL, Bodies, check_size, movable
from puzzlec.motion.disassembly import WHOLE_STEP, Disassembler, Disassembly
from puzzlec.motion.gaps import axes
from puzzlec.motion.levels import joined
from puzzlec.motion.moves import Body
from puzzlec.motion.search import DEFAULT_SEARCH_BYTES, Bounds
from puzzlec.motion.taken import ComparedLevel, Taken
from puzzlec.motion.team import Team
from puzzlec.motion.turning import DEFAULT_CLEARANCE, MAX_CLEARANCE, Turning
from puzzlec.shown import brief
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import WrongSolutionError
from puzzlec.solving.solutions import MAX_SOLUTIONS_SHOWN, SearchSettings, Solutions
from puzzlec.solving.subject import MAX_COMPARED_ASSEMBLIES

if TYPE_CHECKING:
    from puzzlec.formats.burrtools.stored import CountedAssembly, StoredSeparation
    from puzzlec.language.comparisons import NumberComparison, SolutionCondition
    from puzzlec.motion.graph import StateGraph
    from puzzlec.motion.replay import Replayed

#: The name of the level in a condition.
LEVEL = "level"

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
#: The number of an assembly, the assembly, its bodies, and its stored result, or None.
_AssemblyTask = tuple[int, Solution, Sequence[Body], Disassembly | None]

#: The number of assemblies in a batch for a thread, and the number of batches that each thread may have in advance.
ASSEMBLIES_IN_BATCH, BATCHES_AHEAD = 8, 3

#: The progress shows the search for one assembly if it has this many states.
MIN_STATES_SHOWN = 10_000


class Moves(TypedDict, total=False):
    """Keywords of `disassemble` about the moves that pieces can make."""

    turns: bool | None
    clearance: float
    fewest_turns: bool
    step: Fraction | float
    least_sum: bool


def disassemble(
    what: PuzzleOrName | Solutions | Iterable[Solution],
    *,
    together: Sequence[Mapping[str, int]] = (),
    walls: Iterable[Cell] = (),
    immovable: Iterable[str] = (),
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    **moves: Unpack[Moves],
) -> Iterator[Taken]:
    r"""Take the assemblies of a puzzle apart, each in turn.

    Args:
        what: A puzzle, its solutions, or some of them.
        together: Groups of pieces that may stay together. A group maps the names of pieces to the number of copies that
            the group may contain. Default: the groups of the puzzle.
        walls: Cells that never move, besides the walls of the puzzle.
        immovable: The names of pieces that never move, besides those of the puzzle.
        limits: Limits of assemblies, of the time, assembling included, and of the memory of the states of one search.
        limit: Short for a limit of assemblies.
        seconds: Short for a limit of seconds.
        threads: Number of threads that assemble, and of threads that take assemblies apart. It does not change the
            results.
        moves: With `turns=True`, pieces also turn by a quarter, on `hex`, `triangle` and `prism` by a sixth. Each
            turn is a move. Default: as the puzzle says (`turns`). Then `clearance` is the part of a cell by
            which each side of a cell is moved inwards, from 0 to 0.25 (default: 0.04). With `fewest_turns=True`, plans
            have the fewest turns instead of the fewest moves. With `step=0.5`, pieces also move by half steps. With
            `least_sum=True`, plans have the least total number of moves instead of the least level.

    Yields:
        The assemblies in the order of the search, whether or not they come apart.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or its pieces cannot be moved (PZ701). If a group or a name is
            wrong (PZ702), the board is too large (PZ703), or a wall covers a location (PZ704). If the solutions are
            distinct up to symmetries that change how a solution comes apart (PZ708). If the lattice has no turns
            (PZ720) or no half steps (PZ721).
        ValueError: If `what` is `Solutions` that are not raw, and the call adds groups, walls or immovable pieces to
            those of the puzzle. These additions change which solutions count as the same. If the clearance is not from
            0 to 0.25, if the step is not 1 or 1/2, or if there are options of turns without turns.

    >>> from puzzlec import parse
    >>> [taken.disassembly.text for taken in disassemble(parse("locations box 2x2\npiece D x2 { xx }"))]
    ['1']

    """
    if unknown := sorted(moves.keys() - Moves.__annotations__.keys()):
        raise TypeError(f"disassemble() got an unexpected keyword argument '{unknown[0]}'")
    limits = limits_of(limits, limit, seconds, only=("solutions", "seconds", "memory"))
    deadline = deadline_of(limits)
    least_sum = moves.get("least_sum", False)
    manner = Manner(thread_count(threads), least_sum, turning=turning_of(moves), step=step_of(moves.get("step", 1)))
    roles = (together, tuple(walls), tuple(immovable))
    if isinstance(what, Solutions):
        solutions: Iterable[Solution] = what
        puzzle = with_roles(movable(what.fitting), *roles)
        check_symmetry(what.symmetry)
        if any(roles) and what.symmetry != "none":
            raise ValueError("groups, walls or immovable pieces change which solutions are the same: give the puzzle")
    elif isinstance(what, (str, Path)) or not isinstance(what, Iterable):
        compiled = compile(what)
        encoding = encoding_with_roles(compiled, *roles)
        puzzle = movable(encoding.fitting)
        solutions = Solutions(encoding, limits=Limits(seconds=limits.seconds), threads=manner.threads)
    else:
        some = iter(what)
        first = next(some, None)
        if first is None:
            return
        solutions = chain((first,), some)
        puzzle = with_roles(movable(first.fitting), *roles)
    groups = together or [dict(group) for group in puzzle.movement.together]
    puzzle = with_moves(puzzle, moves.get("turns"), manner)
    bounds = Bounds(deadline, memory_of(limits))
    yield from taken_apart(puzzle, islice(solutions, limits.solutions), groups, bounds, manner)


def turning_of(moves: Moves) -> Turning:
    """Return how pieces turn; raise ValueError for a wrong clearance."""
    clearance = moves.get("clearance", DEFAULT_CLEARANCE)
    if not 0 <= clearance <= MAX_CLEARANCE:
        raise ValueError(f"clearance must be from 0 to {MAX_CLEARANCE}, not {clearance}")
    return Turning(clearance, moves.get("fewest_turns", False))


def step_of(length: Fraction | float | str) -> Fraction:
    """Return the length of the shortest move; raise ValueError unless it is 1 or 1/2.

    >>> step_of("1/2") == step_of(0.5)
    True
    """
    with suppress(ValueError, ZeroDivisionError):
        if (step := Fraction(length)) in (WHOLE_STEP, WHOLE_STEP / 2):
            return step
    raise ValueError(f"step must be 1 or 1/2, not {length}")


def read_groups(texts: Sequence[str]) -> list[dict[str, int]]:
    """Return the copies of each piece in groups. A name without a colon and a number means any number of copies."""
    groups = []
    for text in texts:
        group: dict[str, int] = {}
        for word in text.replace(",", " ").split():
            name, colon, number = word.partition(":")
            if colon and not re.fullmatch(r"[1-9][0-9]{0,5}", number):
                raise ValueError(f"expected a number of copies after `{name}:`")
            group[name] = int(number) if colon else ANY
        if not group:
            raise ValueError("expected names of pieces")
        groups.append(group)
    return groups


def with_moves(puzzle: Puzzle, turns: bool | None, manner: Manner) -> Puzzle:
    """Return a puzzle whose pieces turn or do not; None: as the puzzle says.

    Raises:
        PuzzleError: If the lattice has no turns (PZ720) or no half steps (PZ721).
        ValueError: If there are options of turns without turns.

    """
    puzzle = puzzle if turns is None else replace(puzzle, movement=replace(puzzle.movement, turns_allowed=turns))
    if not puzzle.movement.turns_allowed:
        if manner.turning != Turning():
            raise ValueError("options of turns need `turns=True`")
    elif puzzle.geometry.lattice.name not in TURN_ORDERS:
        message = f"pieces cannot turn on the lattice `{puzzle.geometry.lattice.name}`"
        help = "leave out `--fewest-turns`" if manner.turning.fewest else "leave out `--turns`"
        raise fail("PZ720", message, puzzle.span, note=LATTICES_WITH_TURNS, help=help)
    if manner.step != WHOLE_STEP and puzzle.geometry.lattice.name not in HALF_STEPS:
        message, help = f"the lattice `{puzzle.geometry.lattice.name}` has no half steps", "leave out `--step 1/2`"
        raise fail("PZ721", message, puzzle.span, note=LATTICES_WITH_HALF_STEPS, help=help)
    return puzzle


def state_graph(
    assembly: Taken | Disassembly, *, limits: Limits | None = None, seconds: float | None = None
) -> StateGraph:
    r"""Return all states that the pieces of an assembly can reach together, and the moves between them.

    The search runs in Python. Moves from states in which pieces can separate are not followed.

    Args:
        assembly: The assembly, as `disassemble` yields it.
        limits: Limits of seconds and memory. The graph then has the states found before.
        seconds: Short for a limit of seconds.

    Raises:
        TypeError: If `assembly` has another type, such as a solution.
        ValueError: If its pieces turn or make half steps, because a graph has whole steps only.

    >>> from puzzlec import parse
    >>> puzzle = parse("locations { xxxxx/xx..x/xxxxx }\npiece ring { xxxxx/x...x/xxxxx }\npiece dot { x }")
    >>> graph = state_graph(next(disassemble(puzzle)))
    >>> graph.labels, len(graph.places), graph.depths, len(graph.moves)
    (('ring', 'dot'), 3, (0, 1, 1), 3)

    """
    from puzzlec.motion.graph import graph_of_states

    disassembly = assembly.disassembly if isinstance(assembly, Taken) else assembly
    if not isinstance(disassembly, Disassembly):
        raise TypeError(f"expected an assembly that `disassemble` yields, found {type(assembly).__name__}")
    if disassembly.turning is not None:
        raise ValueError("a graph of states has slides only, and pieces turn: give `disassemble` `turns=False`")
    if disassembly.step != WHOLE_STEP:
        raise ValueError("a graph of states has whole steps only: give `disassemble` `step=1`")
    limits = limits_of(limits, None, seconds, only=("seconds", "memory"))
    return graph_of_states(disassembly.lattice, disassembly.bodies, Bounds(deadline_of(limits), memory_of(limits)))


class Keeper(Protocol):
    """A store for results that later runs can use."""

    def is_in_shard(self, number: int) -> bool:
        """Return whether this run takes an assembly apart, by its number from 1."""

    def find(self, lattice: Lattice, bodies: Sequence[Body]) -> Disassembly | None:
        """Return the stored result of an assembly, or None."""

    def keep(self, disassembly: Disassembly) -> None:
        """Store a result."""


class DisassemblyWorkers(Protocol):
    """Workers that take assemblies apart, possibly on other machines."""

    @property
    def workers(self) -> int:
        """The number of workers now."""

    def submit(self, batch: Sequence[Sequence[Body]], bounds: Bounds) -> Callable[[], list[Disassembly]]:
        """Submit assemblies; return a function that waits for their results."""


class Manner(NamedTuple):
    """How assemblies are taken apart.

    ``least_sum``: whether plans have the least sum of moves. ``turning``: how pieces turn, if the puzzle allows it.
    ``step``: the length of the shortest move.
    """

    threads: int = 1
    least_sum: bool = False
    cluster: DisassemblyWorkers | None = None
    turning: Turning = Turning()
    step: Fraction = WHOLE_STEP

    def disassembler(
        self, puzzle: Puzzle, together: Sequence[Mapping[str, int]], team: Team | None = None
    ) -> Disassembler:
        """Return the object that takes assemblies apart in one thread, with help from a team if there is one."""
        kind = Disassembler
        if self.least_sum:
            from puzzlec.motion.least_sum import LeastSums

            kind = LeastSums
        return kind(puzzle.geometry.lattice, together, team, self.turning_of(puzzle), self.step)

    def turning_of(self, puzzle: Puzzle) -> Turning | None:
        """Return how the pieces of a puzzle turn; None if they only slide."""
        return self.turning if puzzle.movement.turns_allowed else None


def taken_apart(
    puzzle: Puzzle,
    solutions: Iterable[Solution],
    together: Sequence[Mapping[str, int]],
    bounds: Bounds,
    manner: Manner = Manner(),  # noqa: B008 - it cannot be changed
    kept: Keeper | None = None,
) -> Iterator[Taken]:
    """Take solutions of a puzzle apart, each in turn.

    Args:
        puzzle: The puzzle, with its walls and immovable pieces.
        solutions: Solutions of the puzzle.
        together: Groups of pieces that may stay together.
        bounds: Limits of each search; they also show how far the current one is.
        manner: How assemblies are taken apart.
        kept: The store with the results of earlier runs. It also gets the new results.

    Yields:
        The assemblies in the order of the solutions, without those of other shards.

    """
    check_size(puzzle, manner.step)
    lattice, bodies, threads = puzzle.geometry.lattice, Bodies(puzzle), manner.threads or os.cpu_count() or 1
    several, local = threads != 1 or manner.cluster is not None, threading.local()

    def wanted() -> Iterator[_AssemblyTask]:
        for number, solution in enumerate(solutions, 1):
            if kept is None or kept.is_in_shard(number):
                those = bodies.of(solution)
                yield number, solution, those, None if kept is None else kept.find(lattice, those)

    def searched(those: Sequence[Body]) -> Disassembly:
        if not hasattr(local, "known"):
            local.known = manner.disassembler(puzzle, together, team if threads != 1 else None)
        disassembly: Disassembly = local.known.take_apart(those, bounds)
        return disassembly

    def work(batch: Sequence[_AssemblyTask]) -> list[Disassembly]:
        with team.one_at_work():
            return [searched(those) if earlier is None else earlier for _, _, those, earlier in batch]

    batches = batched(wanted(), ASSEMBLIES_IN_BATCH if several else 1)
    with Team(threads) as team:
        if manner.cluster is not None:
            done = _on_cluster(manner.cluster, batches, bounds)
        else:
            done = _in_order(work, batches, threads, bounds)
        for batch, results in done:
            for (number, solution, _, earlier), result in zip(batch, results, strict=True):
                if kept is not None and earlier is None and not result.stopped:
                    kept.keep(result)
                yield Taken(number, solution, result)


def batched(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield items in lists of a size; the last one may be shorter."""
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def _on_cluster(
    cluster: DisassemblyWorkers, batches: Iterable[list[_AssemblyTask]], bounds: Bounds
) -> Iterator[tuple[list[_AssemblyTask], list[Disassembly]]]:
    """Yield batches with their results, in order. Each worker gets a few batches in advance."""
    waiting = deque[tuple[list[_AssemblyTask], Callable[[], list[Disassembly]]]]()

    def first() -> tuple[list[_AssemblyTask], list[Disassembly]]:
        batch, results = waiting.popleft()
        fresh = iter(results())
        return batch, [earlier if earlier is not None else next(fresh) for *_, earlier in batch]

    for batch in batches:
        unknown = [those for _, _, those, earlier in batch if earlier is None]
        waiting.append((batch, cluster.submit(unknown, bounds) if unknown else list))
        if len(waiting) > BATCHES_AHEAD * cluster.workers:
            yield first()
    while waiting:
        yield first()


def _in_order(
    work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int, bounds: Bounds
) -> Iterator[tuple[_Item, _Result]]:
    """Yield items with the results of a function, in order. Threads work on a few items in advance."""
    if threads == 1:
        for item in items:
            yield item, work(item)
        return
    waiting = deque[tuple[_Item, Future[_Result]]]()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append((item, pool.submit(work, item)))
                while len(waiting) > BATCHES_AHEAD * threads or (waiting and waiting[0][1].done()):
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        except BaseException:  # stop the running searches
            for _, future in waiting:
                future.cancel()
            bounds.deadline = 0.0
            raise


class ComesApart(Solutions):
    r"""The solutions of a puzzle that come apart: iterate them, or count them.

    ``assemblies`` is the number of solutions that were taken apart so far.

    >>> from puzzlec import parse
    >>> ComesApart(parse("locations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }")).count()
    0

    """

    nothing = "no solution that comes apart"

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        limits: Limits | None = None,
        kernel: KernelName = "auto",
        threads: int = 1,
        symmetry: SymmetryKind = "all",
        settings: SearchSettings = SearchSettings(),  # noqa: B008 - it cannot be changed
    ) -> None:
        if settings != SearchSettings():
            raise ValueError("a search for one solution cannot say whether another one comes apart")
        super().__init__(what, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)
        total = self.limits
        self._all = Solutions(
            self.encoding,
            limits=Limits(seconds=total.seconds, nodes=total.nodes),
            kernel=kernel,
            threads=threads,
            symmetry=self.symmetry,
        )
        self._searches = self._all._searches
        self.assemblies = 0
        check_symmetry(self.symmetry)
        movable(self.fitting)

    def _stream(self) -> Iterator[Solution]:
        for assembly in disassemble(self._all, limits=Limits(seconds=self.limits.seconds, memory=self.limits.memory)):
            if assembly.disassembly.stopped is Stop.SECONDS:
                self.stopped = Stop.SECONDS
                return
            self.assemblies += 1
            if is_apart(assembly.disassembly, assembly.number):
                self.number += 1
                self.first += [assembly.solution] * (len(self.first) < MAX_SOLUTIONS_SHOWN)
                yield assembly.solution
            if self.number == self.limits.solutions:
                self.stopped = Stop.SOLUTIONS
                return
        self.stopped = self._all.stopped

    def count(self) -> int:
        """Return the number of solutions that come apart, or of those found when a limit was reached."""
        for _ in self:
            pass
        return self.number

    def counted(self, number: int) -> str:
        """Return a number of solutions in words."""
        return f"{super().counted(number)} that {'comes' if number == 1 else 'come'} apart"


def has_best_assembly(puzzle: Puzzle | None) -> bool:
    """Return whether pictures, pages and models of a puzzle show its best assembly instead of its first solution.

    They do so if the puzzle has walls or immovable pieces, if it is a burr, or if the catalogue states a level above 1
    for it.
    """
    if puzzle is None or puzzle.lattice is None or puzzle.wraps or puzzle.rules.crossing:
        return False
    if puzzle.movement.walls or puzzle.movement.immovable or is_burr(puzzle):
        return True
    if puzzle.span is None or puzzle.lattice.dimension < 3:  # flat puzzles without walls have the level 1
        return False
    entry = catalogue.entry_of(puzzle.span.source.name)
    return entry is not None and entry.level not in (None, "1")


def is_burr(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is a burr: at least three sticks of 2 x 2 x N cubes with N > 3, some with notches.

    >>> from puzzlec import load
    >>> is_burr(load("burrs/six-piece-2")), is_burr(load("soma"))
    (True, False)
    """
    if puzzle.lattice is None or puzzle.lattice.name != "cubic":
        return False
    notched, sticks = False, 0
    for piece in puzzle.pieces:
        width, depth, length = sorted(max(axis) - min(axis) + 1 for axis in zip(*piece.cells, strict=True)) or (0, 0, 0)
        if (width, depth) != (2, 2) or length < 4:
            return False
        notched, sticks = notched or len(piece.cells) < 4 * length, sticks + piece.high
    return notched and sticks >= 3


class Compared(NamedTuple):
    """Assemblies of a puzzle, compared by their levels.

    ``best`` is the assembly with the highest level, None if none comes apart. ``number`` assemblies were taken apart,
    ``apart`` of them come apart, and a limit left open whether ``open`` others do. ``complete``: whether these are all
    assemblies of the puzzle. ``first`` are the first assemblies, or the first ones that come apart; ``loose`` are the
    indices of those that come apart.
    """

    def __repr__(self) -> str:
        return brief(self)

    best: Taken | None
    first: tuple[Solution, ...]
    loose: tuple[int, ...]
    number: int
    apart: int
    open: int
    complete: bool

    def as_dict(self) -> dict[str, object]:
        """Return the numbers as plain data: the best assembly and its level, and how many were taken apart."""
        best = self.best
        return {
            "assembly": None if best is None else best.number,
            "level": None if best is None else best.disassembly.text,
            "apart": self.apart,
            "assemblies": self.number,
            "complete": self.complete,
        }

    def __str__(self) -> str:
        """Return in words which assembly is shown, and why; an empty text if there is only one."""
        some = f"{self.number:,} assemblies" if self.complete else f"the first {self.number:,} assemblies"
        left = f" ({self.open:,} reached a limit)" if self.open else ""
        if not self.number:
            return "no assembly was taken apart"
        if self.best is None:
            if self.number == 1 and self.complete and not self.open:
                return "the only assembly does not come apart"
            return f"none of {some} {'is known to come' if self.open else 'comes'} apart{left}"
        if self.number == 1 and self.complete:
            return ""
        which = "the only one" if self.apart == 1 else f"the best of {self.apart:,}"
        come = "comes" if self.apart == 1 else "come"
        of, among = (f" of {self.number:,}", "") if self.complete else ("", f" among the first {self.number:,}")
        level = f"level {self.best.disassembly.text}"
        return f"assembly {self.best.number:,}{of} is shown: {which} that {come} apart{among}, {level}{left}"


def by_level(assembly: Taken) -> tuple[tuple[int, ...], int, int]:
    """Return the key that sorts the best assembly first: by level (5.3.2 before 5.3), moves and number."""
    disassembly = assembly.disassembly
    return (*[-number for number in disassembly.level or ()], 0), -disassembly.moves, assembly.number


class AssemblyTally:
    """The assemblies so far. Those that do not come apart are kept only if ``every`` one is wanted."""

    def __init__(self, every: bool, bounds: Bounds) -> None:
        self.every, self.number, self.bounds, self.begun = every, 0, bounds, time.monotonic()
        self.apart: list[Taken] = []
        self.others: list[Taken] = []
        self.stopped: Stop | None = None
        self.first: Taken | None = None
        self.unfinished: Taken | None = None

    def take(self, assemblies: Iterable[Taken]) -> None:
        """Go through assemblies until the time is over."""
        for assembly in assemblies:
            self.number += 1
            self.first = self.first or assembly
            if assembly.disassembly.apart:
                self.apart.append(assembly)
            elif self.every:
                self.others.append(assembly)
            if assembly.disassembly.stopped and self.unfinished is None:
                self.unfinished, self.stopped = assembly, assembly.disassembly.stopped
            if assembly.disassembly.stopped is Stop.SECONDS:
                break

    def as_data(self) -> dict[str, object]:
        """Return the members of a line of progress: the assemblies, and the search for the current one."""
        states, moves = self.bounds.reached
        return {"assemblies": self.number, "apart": len(self.apart), "states": states, "moves": moves}

    @property
    def level(self) -> str | None:
        """The best level."""
        return self.ranked[0].disassembly.text if self.apart else None

    @property
    def ranked(self) -> list[Taken]:
        """The assemblies that come apart, the best level first."""
        return sorted(self.apart, key=by_level)

    @property
    def searched(self) -> tuple[int, int]:
        """The number of the assembly that a limit or a signal left unfinished, 0 for none, and the moves searched."""
        if self.unfinished is not None:
            return self.unfinished.number, self.unfinished.disassembly.searched
        states, moves = self.bounds.reached
        return (self.number + 1, moves) if self.stopped is Stop.SIGNAL and states >= MIN_STATES_SHOWN else (0, 0)

    def progress(self, what: Solutions | Sequence[Solution]) -> Progress:
        """Return how far the assemblies are, and how far the search for the current one is."""
        if isinstance(what, Solutions):
            now = what.progress()
        else:
            now = Progress(self.number / max(1, len(what)), seconds=time.monotonic() - self.begun)
        states, moves = self.bounds.reached
        doing = f"assembly {self.number + 1}: {states:,} states, {counted(moves, 'move')}"
        return now._replace(solutions=self.number, doing=doing if states >= MIN_STATES_SHOWN else "")


def compared(
    encoding: Encoding,
    limit: int | None = 1,
    seconds: float | None = None,
    symmetry: SymmetryKind = "all",
    only: bool = False,
    at_most: int | None = MAX_COMPARED_ASSEMBLIES,
) -> Compared:
    """Take assemblies of a puzzle apart, one after the other, until the best one is known.

    Args:
        encoding: The puzzle.
        limit: Return at most this many of the first assemblies.
        seconds: Stop after this time.
        symmetry: Assemblies that count as one, as in :func:`puzzlec.solve`.
        only: Return only assemblies that come apart, among the first ones.
        at_most: Stop after this many assemblies if one of them comes apart.

    Raises:
        PuzzleError: If the pieces cannot be moved (PZ701), if the board is too large (PZ703), or if the symmetry may
            change how an assembly comes apart (PZ708).

    """
    from puzzlec.motion.shown import SEARCH_BYTES

    check_symmetry(symmetry)
    puzzle = movable(encoding.fitting)
    bounds = Bounds(None if seconds is None else time.monotonic() + seconds, SEARCH_BYTES)
    solutions = Solutions(encoding, limits=Limits(seconds=seconds), symmetry=symmetry)
    stream = iter(solutions)
    # The first solutions are listed before they are taken apart: one of them may take all of the time.
    listed = list(islice(stream, MAX_COMPARED_ASSEMBLIES if limit is None else min(limit, MAX_COMPARED_ASSEMBLIES)))
    first = [] if only else listed[:]
    loose: list[int] = []
    best: Taken | None = None
    number = apart = undecided = 0
    complete = True
    together = [dict(group) for group in puzzle.movement.together]
    for assembly in taken_apart(puzzle, chain(listed, stream), together, bounds):
        if assembly.disassembly.stopped is Stop.SECONDS:
            complete = False
            break
        number += 1
        undecided += bool(assembly.disassembly.stopped)
        apart += assembly.disassembly.apart
        if assembly.disassembly.apart and (best is None or by_level(assembly) < by_level(best)):
            best = assembly
        if (limit is None or len(first) < limit) and (assembly.disassembly.apart if only else number > len(listed)):
            first.append(assembly.solution)
        if (
            assembly.disassembly.apart
            and first
            and first[-1 if only else min(number, len(first)) - 1] is assembly.solution
        ):
            loose.append(len(first) - 1 if only else number - 1)
        if best is not None and at_most is not None and number >= at_most:
            complete = number >= len(listed) and next(stream, None) is None
            break
    return Compared(best, tuple(first), tuple(loose), number, apart, undecided, complete and solutions.stopped is None)


class LevelFilter:
    """Chooses solutions of one puzzle by their levels.

    Args:
        fitting: The puzzle.
        conditions: Conditions on the level. A solution that does not come apart has no level.
        seconds: Stop after this time.
        memory: The bytes that the states of one search may take. Default: 1 GiB.

    """

    def __init__(
        self,
        fitting: Fitting,
        conditions: Sequence[NumberComparison],
        seconds: float | None = None,
        memory: int | None = None,
    ) -> None:
        puzzle = movable(fitting)
        check_size(puzzle)
        self._conditions, self._bodies = conditions, Bodies(puzzle)
        self._known = Disassembler.of(puzzle)
        self._bounds = Bounds(None if seconds is None else time.monotonic() + seconds, memory or DEFAULT_SEARCH_BYTES)
        self._number = 0

    def __call__(self, solution: Solution) -> bool:
        """Return whether the conditions hold.

        Raises:
            UnfinishedError: If the time is over.
            PuzzleError: If another limit leaves open whether the solution comes apart (PZ709).

        """
        self._number += 1
        disassembly = self._known.take_apart(self._bodies.of(solution), self._bounds)
        if disassembly.stopped is Stop.SECONDS:
            raise UnfinishedError(Stop.SECONDS, f"time was over after {self._number - 1:,} solutions were taken apart")
        if not is_apart(disassembly, self._number):
            return False
        level = disassembly.level
        return level is not None and all(condition.holds(level) for condition in self._conditions)


def burrtools_text(puzzle: Puzzle, apart: Sequence[Taken], number: int) -> str:
    """Return a puzzle as an XMPuzzle text for BurrTools, with assemblies and their moves.

    Args:
        puzzle: The puzzle.
        apart: The assemblies that come apart.
        number: The number of all assemblies.

    Raises:
        PuzzleError: If BurrTools cannot represent the puzzle (PZ501).

    """
    from puzzlec.formats.burrtools.assemblies import BurrToolsAssembly, write_assemblies

    named = [
        BurrToolsAssembly(assembly.number, _bodies_as_pieces(puzzle, assembly.solution), assembly.disassembly.steps)
        for assembly in apart
    ]
    return write_assemblies(puzzle, named, number)


def burrtools_warnings(puzzle: Puzzle, apart: Sequence[Taken] = ()) -> list[Diagnostic]:
    """Return warnings about parts of a puzzle and its moves that BurrTools cannot represent (PZ714, PZ715)."""
    from puzzlec.formats.burrtools.assemblies import is_strange, moves_left_out
    from puzzlec.formats.burrtools.writing import moving_otherwise

    strange = any(is_strange(step) for assembly in apart for step in assembly.disassembly.steps)
    return [note for note in (moving_otherwise(puzzle), moves_left_out(puzzle, strange=strange)) if note is not None]


def _bodies_as_pieces(puzzle: Puzzle, solution: Solution) -> list[list[tuple[str | None, dict[Cell, str | None]]]]:
    """Return the pieces of each body of a solution, in the order of `Bodies`: names, and the colours of their cells."""
    still: list[tuple[str | None, dict[Cell, str | None]]] = []
    single: list[list[tuple[str | None, dict[Cell, str | None]]]] = []
    if puzzle.movement.walls:
        still.append((None, dict.fromkeys(puzzle.movement.walls)))
    for placement in solution.placements:
        name = solution.fitting.piece_name(placement.number)
        colours = solution.fitting.shown_colours(placement.number, placement.index)
        at = [puzzle.locations[location].at for location in placement.locations]
        cells = {cell: colour for cell, colour in zip(at, colours, strict=True) if not isinstance(cell, str)}
        if name in puzzle.movement.immovable:
            still.append((name, cells))
        else:
            single.append([(name, cells)])
    return [still, *single] if still else single


def stored_levels(lattice: Lattice, stored: Iterable[StoredSeparation]) -> Iterator[tuple[int, Replayed]]:
    """Yield the number of each stored assembly and the result of its moves, carried out in small steps.

    Raises PuzzleError (PZ267) for moves that cannot be carried out.
    """
    from puzzlec.motion.replay import ReplayError, replay

    directions = {way for axis in axes(lattice) for way in (axis, tuple([-value for value in axis]))}
    for assembly in stored:
        try:
            # In another direction, one step could be so long that its small steps pass over cells in the way.
            for number, move in enumerate(assembly.moves, 1):
                if move.direction not in directions:
                    raise ReplayError(f"move {number} is not in a direction of the lattice")
            yield assembly.number, replay(lattice, assembly.placed, assembly.moves)
        except ReplayError as error:
            raise fail("PZ267", f"solution {assembly.number}: cannot carry out its moves: {error}") from None


def stored_solution(fitting: Fitting) -> tuple[int, Solution] | None:
    """Return the first assembly whose moves the file of a puzzle stores, by its number in the file, as a solution.

    Returns None if the file is in another format or has no moves, and if the assembly is not a solution of the puzzle.
    """
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.span is None or "<separation" not in puzzle.span.source.text:
        return None
    from puzzlec.formats.burrtools.stored import stored_separations

    source, start = puzzle.span.source, puzzle.span.start
    problem = len(re.findall(r"<problem[\s>]", source.text[:start])) + 1
    try:
        stored = stored_separations(source, str(problem)).separations
    except PuzzleError:
        return None
    number_of = {location.at: number for number, location in enumerate(puzzle.locations)}
    pieces = {fitting.piece_name(number): number for number in range(len(fitting.pieces))}
    for assembly in stored:
        placements = []
        for name, cells in assembly.placed:
            covered = sorted(number_of.get(cell, -1) for cell in cells)
            piece = pieces.get(name, -1)
            rows = [] if piece < 0 else [tuple(row) for row in fitting.pieces[piece].placements]
            index = next((index for index, row in enumerate(rows) if sorted(row) == covered), -1)
            if index < 0:
                break
            placements.append(Placement(piece, index, rows[index], fitting))
        else:
            solution = Solution(fitting, tuple(sorted(placements, key=lambda placed: (placed.number, placed.index))))
            with suppress(WrongSolutionError):
                Checker(fitting).check(solution)
                return assembly.number, solution
    return None


def compared_levels(puzzle: Puzzle, stored: Iterable[CountedAssembly], bounds: Bounds) -> Iterator[ComparedLevel]:
    """Take stored assemblies apart whose numbers of moves are stored also, each in turn."""
    check_size(puzzle)
    searching = Disassembler.of(puzzle)
    for assembly in stored:
        disassembly = searching.take_apart([Body(piece.piece, piece.cells) for piece in assembly.placed], bounds)
        moves = sum(count for count in assembly.counts if count is not None)
        yield ComparedLevel(assembly.number, _stored_level(assembly), moves, disassembly)


def _stored_level(assembly: CountedAssembly) -> tuple[int, ...]:
    """Return the level of a stored assembly from its numbers of moves."""
    parts: list[tuple[int, tuple[int, ...]]] = []  # the pieces that a part has at the end, and its level
    for count in reversed(assembly.counts):
        if count is None:
            parts.append((1, ()))
            continue
        (most, larger), (fewest, smaller) = sorted((parts.pop(), parts.pop()), key=lambda part: -part[0])
        parts.append((most + fewest, joined(count, larger, smaller, most == fewest)))
    return parts[0][1]


def is_apart(disassembly: Disassembly, number: int) -> bool:
    """Return whether a solution comes apart; raise PuzzleError (PZ709) if a limit leaves that open."""
    if disassembly.stopped:
        message = f"solution {number}: unknown whether it comes apart (limit: {disassembly.stopped})"
        loose = disassembly.stopped is Stop.LOOSE
        help = "make some of the loose pieces `immovable`" if loose else "raise `--time-limit` or `--memory`"
        raise fail("PZ709", message, note=f"{disassembly.searched} moves were searched", help=help)
    return disassembly.apart


def check_symmetry(symmetry: str, what: str = "take solutions apart") -> None:
    """Raise PuzzleError (PZ708) if the symmetry may change how a solution comes apart."""
    if symmetry in ("parts", "automorphisms"):
        note = "solutions that count as the same may differ in this"
        help = "choose `none`, `rotations` or `all`"
        raise fail("PZ708", f"cannot {what} up to the symmetry `{symmetry}`", note=note, help=help)


def encoding_with_roles(
    encoding: Encoding,
    together: Sequence[Mapping[str, int]] = (),
    walls: Iterable[Cell] = (),
    immovable: Iterable[str] = (),
) -> Encoding:
    """Return the exact cover of a puzzle, after `with_roles` has changed the roles of its pieces."""
    puzzle = with_roles(movable(encoding.fitting), together, walls, immovable)
    return replace(encoding, fitting=replace(encoding.fitting, puzzle=puzzle))


def with_roles(
    puzzle: Puzzle,
    together: Sequence[Mapping[str, int]] = (),
    walls: Iterable[Cell] = (),
    immovable: Iterable[str] = (),
) -> Puzzle:
    """Return a puzzle with additional walls and immovable pieces, and with other groups if any are given.

    Raises PuzzleError (PZ702, PZ704) for an unknown name, and for a wall on a location.
    """
    walls = tuple(dict.fromkeys((*puzzle.movement.walls, *walls)))
    names = tuple(dict.fromkeys((*puzzle.movement.immovable, *immovable)))
    _check_names(puzzle, together, names)
    if puzzle.lattice is not None and any(len(cell) != puzzle.lattice.coordinates for cell in walls):
        wrong = next(cell for cell in walls if len(cell) != puzzle.lattice.coordinates)
        raise ValueError(f"cell {wrong} of a wall has another number of coordinates than the lattice")
    for location in puzzle.locations:
        if location.at in walls:
            raise fail("PZ704", f"the wall covers the location {address_text(location.at)}", location.span)
    groups = tuple(tuple((name, copies) for name, copies in group.items() if name != WALL) for group in together)
    movement = replace(puzzle.movement, walls=walls, immovable=names, together=groups or puzzle.movement.together)
    return replace(puzzle, movement=movement)


def _check_names(puzzle: Puzzle, together: Sequence[Mapping[str, int]], immovable: Iterable[str]) -> None:
    """Raise PuzzleError (PZ702) for an unknown name of a piece."""
    for name in (*[name for group in together for name in group], *immovable):
        if name not in puzzle.piece_named and name != WALL:
            pieces = ", ".join(f"`{piece.name}`" for piece in puzzle.pieces[:12])
            file = puzzle.span.source.name if puzzle.span else puzzle.title
            raise fail("PZ702", f"unknown piece `{name}`", note=f"the pieces are {pieces}", file=file)


def filters_of(
    fitting: Fitting,
    conditions: Iterable[SolutionCondition],
    comes_apart: bool,
    seconds: float | None = None,
    memory: int | None = None,
) -> list[Callable[[Solution], bool]]:
    """Return the filters of solutions: first by their properties, then by the way in which they come apart."""
    from puzzlec.language.comparisons import NumberComparison
    from puzzlec.solving.properties import PropertyFilter

    levels = [
        condition for condition in conditions if isinstance(condition, NumberComparison) and condition.name == LEVEL
    ]
    others = [condition for condition in conditions if condition.name != LEVEL]
    filters: list[Callable[[Solution], bool]] = [PropertyFilter(fitting, others)] if others else []
    return [*filters, LevelFilter(fitting, levels, seconds, memory)] if levels or comes_apart else filters
