"""The questions about a puzzle: solutions, their number, the fewest clues, sets of pieces, an estimate.

Each counts all solutions, or only those that come apart.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.integers import integer
from puzzlec.engine.limits import deadline_of, limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.estimating import Estimate, counted_at_once, probed, rate_of
from puzzlec.engine.search.selection import KernelName
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.pipeline import PuzzleOrName
from puzzlec.solving import representatives
from puzzlec.solving.clues import ClueKind
from puzzlec.solving.distinct import Shares
from puzzlec.solving.piece_sets import PieceSet, PieceSets
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.unique import FIXED_PIECES, Clued, Unique

#: The default limit of an estimate in seconds; only the largest puzzles need it.
ESTIMATE_SECONDS = 60.0


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
    return _kind(comes_apart)(what, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)


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
    solutions = _kind(comes_apart)(what, limits=limits, kernel=kernel, threads=threads, symmetry=symmetry)
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
    kinds: Collection[ClueKind] = FIXED_PIECES,
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
    limits = limits_of(limits, None, seconds, only=("seconds",))
    kind = Unique
    if comes_apart:
        from puzzlec.comes_apart import UniqueComesApart

        kind = UniqueComesApart
    search = kind(what, kinds=kinds, target=target, every=every, symmetry=symmetry, limits=limits)
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
    kind = PieceSets
    if comes_apart:
        from puzzlec.comes_apart import PieceSetsComeApart

        kind = PieceSetsComeApart
    search = kind(what, symmetry=symmetry, limits=limits, seconds=seconds, threads=threads)
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
    probes, limits = integer(probes, "probes", 1), limits_of(limits, None, seconds, only=("seconds",))
    end = deadline_of(limits if limits.seconds is not None else Limits(seconds=ESTIMATE_SECONDS))
    assert end is not None
    cover, weigh = searched(Solutions(what, symmetry=symmetry), comes_apart, end)
    left = end - time.monotonic()
    if left <= 0:
        raise UnfinishedError(Stop.SECONDS, "stopped at the limit of time before the first probe")
    size = counted_at_once(cover, weigh) or probed(cover, probes, seed, left, weigh)
    return size if size.exact else replace(size, rate=rate_of(cover))


def searched(solutions: Solutions, comes_apart: bool, end: float) -> tuple[ExactCover, Shares | ApartWeight | None]:
    """Return the exact cover that a search for these solutions visits, and the weights of its covers (None: 1)."""
    cover, shares, options = solutions.encoding.cover, None, None
    if solutions.convention == "distinct":
        chosen = representatives(cover, solutions.group)
        shares, cover = Shares(chosen), chosen.searched
        options = None if chosen.item < 0 else chosen.options(chosen.movers)
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


def _kind(comes_apart: bool) -> type[Solutions]:
    """Return the class of all solutions, or of those that come apart."""
    if not comes_apart:
        return Solutions
    from puzzlec.disassembling import ComesApart

    return ComesApart
