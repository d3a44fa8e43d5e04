"""Pictures, pages and models of puzzles and of their solutions, each in one call.

What a call needs is imported there: a picture needs no meshes, a mesh no page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from puzzlec.engine import Limits, Stop
from puzzlec.ir import ExactCover, Fitting, Puzzle, Solution
from puzzlec.lower import Encoding
from puzzlec.pipeline import Compiled, compile
from puzzlec.render.subject import Subject
from puzzlec.solutions import Solutions

#: What can be shown: a puzzle at any level or its name, one solution or several.
Shown: TypeAlias = Compiled | str | Solution | Solutions | Iterable[Solution] | Subject

#: So many seconds solutions are looked for, where nobody says how long.
PATIENCE = 10.0


def subject(
    what: Shown,
    limit: int | None = 1,
    seconds: float | None = PATIENCE,
    symmetry: str = "all",
) -> Subject:
    """Return what is to be shown of a puzzle: with at most ``limit`` solutions (None: all), looked for so long.

    ``symmetry`` says which solutions count as the same, as for :func:`puzzlec.solutions.solve`. Solutions that are
    given are not looked for. With a limit of 0 nothing is. Raises PuzzleError for a puzzle that cannot be read or
    compiled, ValueError for no solutions at all where there is no puzzle either.
    """
    if isinstance(what, Subject):
        return what
    if isinstance(what, Solution):
        return Subject(what.fitting, (what,))
    if isinstance(what, Solutions):
        return _searched(what, limit)
    if not isinstance(what, str | Puzzle | Fitting | Encoding | ExactCover):
        return _given(what, limit)
    if limit == 0:
        return Subject(_fitting(what))
    encoding = what if isinstance(what, Encoding) else compile(what, "cover")
    assert isinstance(encoding, Encoding)
    return _searched(Solutions(encoding, limits=Limits(limit, seconds), symmetry=symmetry), limit)


def solutions_in(what: Compiled | str, name: str, notation: str | None = None, limit: int | None = None) -> Subject:
    """Return a puzzle with the solutions that stand in a file (``-``: standard input), in any notation that is known.

    Raises PuzzleError where the puzzle or the file cannot be read, and for what is no solution of the puzzle.
    """
    from puzzlec.diagnostics import PuzzleError
    from puzzlec.diagnostics.diagnostic import fail
    from puzzlec.pipeline import check_solutions

    fitting = _fitting(what)
    found: list[Solution] = []
    for number, verdict in enumerate(check_solutions(fitting, name, notation), 1):
        if limit is not None and number > limit:
            return Subject(fitting, tuple(found), f"the first {limit}; there are more")
        if verdict.claim.faults:
            raise PuzzleError(list(verdict.claim.faults))
        if verdict.solution is None:
            help = "`puzzlec check PUZZLE --solutions FILE --keep OUT` keeps those that are right"
            raise fail("PZ608", f"this is no solution: {verdict.reason}", verdict.claim.span, help=help)
        found.append(verdict.solution)
    return Subject(fitting, tuple(found), number=len(found))


def _fitting(what: Compiled | str) -> Fitting:
    if isinstance(what, Encoding):
        return what.fitting
    fitting = compile(what, "fitting")
    assert isinstance(fitting, Fitting)
    return fitting


def _given(what: Iterable[Solution], limit: int | None) -> Subject:
    """Return solutions that are given one by one, of one puzzle."""
    found: list[Solution] = []
    for each in what:
        if not isinstance(each, Solution):
            raise TypeError(f"{each!r} is no solution")
        if found and each.fitting is not found[0].fitting:
            raise ValueError("the solutions are not all of one puzzle")
        if limit is not None and len(found) >= limit:
            return Subject(found[0].fitting, tuple(found), f"the first {limit}; there are more")
        found.append(each)
    if not found:
        raise ValueError("there is no solution to show, and no puzzle")
    return Subject(found[0].fitting, tuple(found), number=len(found))


def _searched(solutions: Solutions, limit: int | None) -> Subject:
    """Return the solutions that a search gives, and what is to be said of it."""
    found = []
    for each in solutions:
        found.append(each)
        if limit is not None and len(found) >= limit:
            break
    return Subject(solutions.fitting, tuple(found), _remark(solutions, limit), _number(solutions, limit))


def _number(solutions: Solutions, limit: int | None) -> int | None:
    """Return how many solutions there are, if the search went to its end."""
    return solutions.number if solutions.stopped is None and (limit is None or solutions.number < limit) else None


def _remark(solutions: Solutions, limit: int | None) -> str:
    """Return why there are no solutions, or not all that were wanted."""
    number = solutions.number
    if solutions.stopped in (Stop.SECONDS, Stop.NODES):
        found = solutions.counted(number) if number else "none"
        return f"{found} found in {solutions.limits.seconds:g} s, there may be more"
    if not number:
        return "no solution"
    return f"the first {number}; there may be more" if limit is not None and 1 < limit <= number else ""
