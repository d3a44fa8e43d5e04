"""The questions about a puzzle: solutions, their number, the best ones, the fewest clues, sets of pieces, an estimate.

Each is about all solutions, or only about those that come apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

from puzzlec.compiler import PuzzleOrName, compile, load
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.integers import integer
from puzzlec.engine.limits import deadline_of, limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.selection import KernelName
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import Solutions

if TYPE_CHECKING:  # a question imports its search only
    from puzzlec.engine.search.estimating import Estimate
    from puzzlec.solving.clues import ClueKind
    from puzzlec.solving.costs import BestSolutions, CostCount
    from puzzlec.solving.distinct import Shares
    from puzzlec.solving.every import EverySolution
    from puzzlec.solving.piece_sets import PieceSet
    from puzzlec.solving.unique import Clued

_Search = TypeVar("_Search")

#: The default limit of an estimate in seconds; only the largest puzzles need it.
ESTIMATE_SECONDS = 60.0

#: The progress of a trial of a count is read after each of these seconds.
LOOK_SECONDS = 0.2


def search_of(usual: type[_Search], comes_apart: bool) -> type[_Search]:
    """Return the class of a search, or the one of the same question about solutions that come apart."""
    if not comes_apart:
        return usual
    from puzzlec.comes_apart import KINDS

    kind: type[_Search] = KINDS[usual]
    return kind


def solve(
    what: PuzzleOrName,
    *,
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
    symmetry: SymmetryKind = "all",
    comes_apart: bool = False,
) -> Solutions:
    r"""Return the solutions of a puzzle. Iterate them; leaving the loop ends the search.

    Args:
        what: A puzzle, or the name of one.
        limits: Limits of the search.
        limit: Short for a limit of solutions.
        seconds: Short for a limit of seconds.
        kernel: The kernel of the engine.
        threads: The number of threads that search, 0 for one per processor.
        symmetry: Solutions count as the same up to this: "none", "rotations", "all" (with reflections), "parts" (each
            part of a board moves separately), or "automorphisms" (all symmetries of the exact cover).
        comes_apart: Only solutions that come apart.

    Returns:
        The solutions. Afterwards, ``stopped`` is the limit that ended the search, None if it is complete.

    Raises:
        PuzzleError: If the puzzle cannot be compiled.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 3x2\npiece D x3 { xx }")
    >>> [solution.grid() for solution in puzzlec.solve(puzzle, limit=1)]
    [[['D', 'D', 'D'], ['D', 'D', 'D']]]

    """
    limits = limits_of(limits, limit, seconds)
    return search_of(Solutions, comes_apart)(what, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)


def count(
    what: PuzzleOrName,
    *,
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
    symmetry: SymmetryKind = "all",
    comes_apart: bool = False,
) -> int:
    r"""Return the number of solutions: distinct ones if the puzzle has geometry, otherwise raw ones.

    To get a partial number, use :meth:`Solutions.count`.

    Args:
        what: A puzzle, or the name of one.
        limits: If the count reaches the limit of solutions, the result is this limit. Other limits raise an error.
        limit: Short for a limit of solutions.
        seconds: Short for a limit of seconds.
        kernel: The kernel of the engine.
        threads: The number of threads that search.
        symmetry: Count solutions up to this, as in :func:`solve`.
        comes_apart: Count only solutions that come apart.

    Returns:
        The number of solutions, at most the limit of solutions.

    Raises:
        UnfinishedError: If a limit of nodes or seconds ends the count.
        PuzzleError: If the puzzle cannot be compiled.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> puzzlec.count(puzzle), puzzlec.count(puzzle, symmetry="none")
    (2, 3)

    """
    limits = limits_of(limits, limit, seconds)
    solutions = search_of(Solutions, comes_apart)(
        what, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry
    )
    number = solutions.count()
    if solutions.stopped in (Stop.NODES, Stop.SECONDS):
        set_limits = solutions.limits
        within = f"{set_limits.nodes:,} nodes" if solutions.stopped is Stop.NODES else f"{set_limits.seconds:g} s"
        so_far = f"at least {solutions.counted(number)}" if number else "no solution found so far"
        raise UnfinishedError(solutions.stopped, f"the count stopped after {within}: {so_far}")
    return number


def clues(
    what: PuzzleOrName,
    *,
    kinds: Iterable[ClueKind] = ("fix",),
    target: int = 1,
    every: bool = False,
    symmetry: SymmetryKind = "all",
    limits: Limits | None = None,
    seconds: float | None = None,
    comes_apart: bool = False,
) -> list[Clued]:
    """Return the puzzle with the fewest clues that leave exactly one solution, or ``target`` solutions.

    >>> import puzzlec
    >>> text = '''
    ... locations box 4x4
    ... piece L x4 { xxx/x.. }
    ... '''
    >>> [clued] = puzzlec.clues(puzzlec.parse(text))
    >>> len(clued.clues), puzzlec.count(clued.puzzle)
    (1, 1)

    Args:
        what: A puzzle, or the name of one.
        kinds: The kinds of clues: "fix" a piece, take a "hole" from the board, "colour" cells, "forbid" a placement.
        target: The number of solutions that are left.
        every: Return all sets with the fewest clues, up to symmetry.
        symmetry: Count solutions up to this, as in :func:`solve`. Two solutions that are left count as one if a
            symmetry keeps the clues and maps one solution to the other.
        limits: A limit of seconds.
        seconds: Short for a limit of seconds.
        comes_apart: Clues leave one solution that comes apart, and perhaps others that do not.

    Returns:
        The puzzles with the fewest clues: one, or with ``every`` all of them; empty if the puzzle has no solution.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, has too few solutions (PZ368), or cannot have such clues (PZ367,
            PZ369).
        UnfinishedError: If a limit ends the search, or if there are too many solutions. :class:`Unique` has the best
            result.

    """
    from puzzlec.solving.unique import Unique

    limits = limits_of(limits, None, seconds, only=("seconds",))
    search = search_of(Unique, comes_apart)(
        what, kinds=kinds, target=target, every=every, symmetry=symmetry, limits=limits
    )
    clued = search.find()
    if search.stopped:
        raise UnfinishedError(search.stopped, f"the search for clues stopped: at least {search.at_least} are needed")
    return clued


def sets(
    what: PuzzleOrName,
    *,
    symmetry: SymmetryKind = "all",
    limits: Limits | None = None,
    seconds: float | None = None,
    threads: int = 1,
    comes_apart: bool = False,
) -> list[PieceSet]:
    """Return the sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

    >>> import puzzlec
    >>> text = '''
    ... locations box 5x3
    ... pieces pentominoes x0..1
    ... '''
    >>> found = puzzlec.sets(puzzlec.parse(text))
    >>> len(found), str(found[0]), found[0].distinct, found[0].raw
    (7, 'F P U', 1, 4)

    Args:
        what: A puzzle, or the name of one.
        symmetry: Count distinct solutions up to this, as in :func:`solve`. The symmetries of a set are those of the
            puzzle with exactly its pieces, even if a piece outside the set breaks them.
        limits: Limits of seconds and memory.
        seconds: Short for a limit of seconds.
        threads: The number of threads that search.
        comes_apart: Count only solutions that come apart.

    Returns:
        The sets, those with the fewest distinct solutions first.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no range of copies (PZ360).
        UnfinishedError: If a limit ends the search.

    """
    from puzzlec.solving.piece_sets import PieceSets

    search = search_of(PieceSets, comes_apart)(what, symmetry=symmetry, limits=limits, seconds=seconds, threads=threads)
    piece_sets = search.find()
    if search.stopped:
        raise UnfinishedError(search.stopped, f"the search stopped after {len(piece_sets)} sets of pieces")
    return piece_sets


def estimate(
    what: PuzzleOrName,
    *,
    symmetry: SymmetryKind = "all",
    limits: Limits | None = None,
    seconds: float | None = None,
    probes: int = 10_000,
    seed: int = 0,
    comes_apart: bool = False,
) -> Estimate:
    """Return the size of the search for all solutions, by random probes. A small search is run, so it is exact.

    >>> import puzzlec
    >>> found = puzzlec.estimate("soma/castle")
    >>> found.exact, found.solutions
    (True, 5.0)

    Args:
        what: A puzzle, or the name of one.
        symmetry: The search is for solutions that are distinct up to this, as in :func:`solve`.
        limits: A limit of seconds. Default: 60 seconds.
        seconds: Short for a limit of seconds.
        probes: The number of probes.
        seed: The seed of the probes.
        comes_apart: Estimate the number of solutions that come apart: each one that a probe reaches is taken apart.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or cannot be taken apart (PZ701).
        UnfinishedError: If the time is over before the first probe.

    """
    from puzzlec.engine.search.estimating import counted_at_once, probed, rate_of

    probes, limits = integer(probes, "probes", 1), limits_of(limits, None, seconds, only=("seconds",))
    end = time.monotonic() + (ESTIMATE_SECONDS if limits.seconds is None else limits.seconds)
    cover, weigh = searched(Solutions(what, symmetry=symmetry), comes_apart, end)
    left = end - time.monotonic()
    if left <= 0:
        raise UnfinishedError(Stop.SECONDS, "stopped at the limit of time before the first probe")
    size = counted_at_once(cover, weigh) or probed(cover, probes, seed, left, weigh)
    return size if size.exact else replace(size, rate=rate_of(cover))


def time_of_count(encoding: Encoding, which: SymmetryKind, seconds: float) -> tuple[float | None, bool]:
    """Return the seconds of a count, and whether it was complete in the given time; None if there is no forecast.

    The forecast is that of the count itself: its layers know how many states are left.
    """
    solutions = Solutions(encoding, limits=Limits(seconds=seconds), symmetry=which)
    over, looks = Event(), list[Progress]()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            looks.append(solutions.progress())

    begun, watching = time.monotonic(), Thread(target=watch, daemon=True)
    watching.start()
    try:
        solutions.count()
    finally:
        over.set()
        watching.join()
    elapsed = time.monotonic() - begun
    if solutions.stopped is None:
        return elapsed, True
    last = next((look for look in reversed(looks) if look.doing), None)
    return (elapsed + last.left if last is not None and last.left is not None else None), False


def searched(solutions: Solutions, comes_apart: bool, end: float) -> tuple[ExactCover, Shares | ApartWeight | None]:
    """Return the exact cover that a search for these solutions visits, and the weights of its covers (None: 1)."""
    from puzzlec.solving import representatives
    from puzzlec.solving.distinct import Shares

    cover, shares, options = solutions.encoding.cover, None, None
    if solutions.convention == "distinct":
        choice = representatives(cover, solutions.group)
        shares, cover = Shares(choice), choice.searched
        options = None if choice.item < 0 else choice.options(choice.movers)
    return cover, ApartWeight(solutions, shares, options, end) if comes_apart else shares


class ApartWeight:
    """The weight of a cover in an estimate: its share if the solution comes apart, else 0.

    ``seconds`` is the time for these decisions.
    """

    def __init__(self, solutions: Solutions, shares: Shares | None, options: Sequence[int] | None, end: float) -> None:
        from puzzlec.disassembling import LevelFilter, check_symmetry

        check_symmetry(solutions.symmetry)
        self.seconds = 0.0
        self._encoding, self._shares, self._options = solutions.encoding, shares, options
        self._comes_apart = LevelFilter(solutions.fitting, (), max(0.0, end - time.monotonic()))

    def __call__(self, cover: Sequence[int]) -> float:
        """Return the weight of a cover."""
        options = cover if self._options is None else [self._options[option] for option in cover]
        begun = time.perf_counter()
        weight = 0.0
        if self._comes_apart(self._encoding.lift(options)):
            weight = 1.0 if self._shares is None else self._shares(cover)
        self.seconds += time.perf_counter() - begun
        return weight


def best(
    what: PuzzleOrName,
    *,
    number: int = 1,
    max_cost: bool = False,
    limits: Limits | None = None,
    seconds: float | None = None,
    symmetry: SymmetryKind = "all",
    comes_apart: bool = False,
) -> BestSolutions:
    r"""Return the solutions of lowest cost, the best first; iterate them.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 3x1\npiece D { xx }\npiece M { x }\ncost M per cells (0,0) = 4")
    >>> [(str(solution), solution.cost) for solution in puzzlec.best(puzzle, number=2)]
    [('DDM', 0), ('MDD', 4)]

    Args:
        what: A puzzle with costs, or the name of one.
        number: The number of solutions at most.
        max_cost: Return those of highest cost instead.
        limits: Limits of seconds and nodes; ``stopped`` and ``bound`` then say what is known.
        seconds: Short for a limit of seconds.
        symmetry: Solutions that are equal up to this count once, as in :func:`solve`.
        comes_apart: Only solutions that come apart.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no costs (PZ719).

    """
    from puzzlec.solving.costs import BestSolutions

    return search_of(BestSolutions, comes_apart)(
        what, number=number, max_cost=max_cost, limits=limits, seconds=seconds, symmetry=symmetry
    )


def count_by_cost(
    what: PuzzleOrName,
    *,
    low: int | None = None,
    high: int | None = None,
    symmetry: SymmetryKind = "all",
    limits: Limits | None = None,
    seconds: float | None = None,
    threads: int = 1,
    comes_apart: bool = False,
) -> list[CostCount]:
    r"""Return the numbers of solutions by their cost, in ascending order of costs.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 4x1\npiece D x0..2 { xx }\npiece M x0..4 { x }\ncost M = 1")
    >>> [(count.cost, count.raw, count.distinct) for count in puzzlec.count_by_cost(puzzle)]
    [(0, 1, 1), (2, 3, 2), (4, 1, 1)]

    Args:
        what: A puzzle with costs, or the name of one.
        low: Count only solutions that cost at least this.
        high: Count only solutions that cost at most this.
        symmetry: Count distinct solutions up to this, as in :func:`solve`.
        limits: Limits of seconds and memory.
        seconds: Short for a limit of seconds.
        threads: The number of threads that search.
        comes_apart: Count only solutions that come apart.

    Returns:
        A row for each cost that occurs.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no costs (PZ719).
        UnfinishedError: If a limit ends the search.

    """
    from puzzlec.solving.costs import CountByCost

    search = search_of(CountByCost, comes_apart)(
        what, low=low, high=high, symmetry=symmetry, limits=limits, seconds=seconds, threads=threads
    )
    rows = search.find()
    if search.stopped:
        raise UnfinishedError(search.stopped, f"the search stopped after {sum(row.raw for row in rows)} solutions")
    return rows


def every_solution(
    what: PuzzleOrName,
    *,
    limits: Limits | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    saved: str | Path | None = None,
    comes_apart: bool = False,
) -> EverySolution:
    r"""Return all raw solutions of a puzzle as one object, to count, sample, restrict and save.

    Args:
        what: A puzzle, or the name of one.
        limits: Limits of seconds and memory.
        seconds: Short for a limit of seconds.
        progress: Called now and then with the number of visited nodes and the number of nodes of the diagram.
        saved: Read the solutions from this file instead of searching.
        comes_apart: Only solutions that come apart. Each solution is taken apart, within the limits.

    Raises:
        UnfinishedError: If the limits are too small.
        ValueError: If the file is damaged or belongs to another puzzle.
        OSError: If the file cannot be read.
        RuntimeError: If numba is missing.

    >>> import puzzlec
    >>> found = puzzlec.every_solution(puzzlec.parse("locations box 8x8\npiece D x32 { xx }"))
    >>> found.count
    12988816

    """
    selection.need_numba("the diagram of all solutions", "`solve`")
    from puzzlec.solving.every import EverySolution

    encoding, limits = compile(what), limits_of(limits, None, seconds, only=("seconds", "memory"))
    end = deadline_of(limits)
    if saved is not None:
        every = EverySolution.load(saved, encoding)
    else:
        every = EverySolution.of(encoding, limits=limits, progress=progress)
    if not comes_apart:
        return every
    from puzzlec.disassembling import LevelFilter

    return every.where(
        LevelFilter(encoding.fitting, (), None if end is None else end - time.monotonic(), limits.memory)
    )


@dataclass(frozen=True)
class Row:
    """A row of a sweep: the ``parameters`` of a puzzle, and its number of ``solutions`` with these.

    ``stopped`` is the limit that ended the count, None if the number is complete.

    >>> import puzzlec
    >>> list(puzzlec.sweep("queens/8", {"n": [4]}))
    [Row(parameters={'n': 4}, solutions=2, stopped=None)]
    """

    parameters: dict[str, int]
    solutions: int
    stopped: Stop | None = None


def sweep(
    name: str | Path,
    parameters: Mapping[str, Iterable[int] | str],
    *,
    where: str = "",
    limits: Limits | None = None,
    seconds: float | None = None,
    threads: int = 1,
    symmetry: SymmetryKind = "all",
    comes_apart: bool = False,
) -> Iterator[Row]:
    """Yield the number of solutions of a puzzle for each combination of the values of its parameters.

    >>> import puzzlec
    >>> [(row.parameters["n"], row.solutions) for row in puzzlec.sweep("queens/8", {"n": range(4, 7)})]
    [(4, 2), (5, 10), (6, 4)]

    Args:
        name: A file, or a name of the catalogue.
        parameters: The values of each parameter: numbers, or a text as after `-p`, such as ``"1..n"``.
        where: A condition of the puzzle language on the parameters, such as ``"m < n"``.
        limits: The limits of each row.
        seconds: Short for a limit of seconds.
        threads: The number of threads that search.
        symmetry: Count solutions up to this, as in :func:`solve`.
        comes_apart: Count only solutions that come apart.

    Yields:
        The rows; the last parameter changes fastest. A row is counted when you request it.

    Raises:
        PuzzleError: If the values have an error (PZ355, PZ359), or the puzzle cannot be compiled with them.

    """
    from puzzlec.language.sweeps import combinations

    if not isinstance(name, (str, Path)):
        raise TypeError(f"`name` must be a file or a name of the catalogue, not {type(name).__name__}")
    limits = limits_of(limits, None, seconds)
    texts = [
        f"{parameter}={values if isinstance(values, str) else ','.join(map(str, values))}"
        for parameter, values in parameters.items()
    ]
    for row in combinations(texts, where):
        puzzle = load(name, parameters=row)
        solutions = search_of(Solutions, comes_apart)(puzzle, limits=limits, threads=threads, symmetry=symmetry)
        yield Row(row, solutions.count(), solutions.stopped)
