"""A sweep: the solutions of a puzzle for each combination of the values of its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from puzzlec.engine import Limits, Stop
from puzzlec.engine.limits import limits_of
from puzzlec.language.sweeps import combinations
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.pipeline import load
from puzzlec.solving.solutions import Solutions


@dataclass(frozen=True)
class Row:
    """A row of a sweep: the ``parameters`` of a puzzle, and its number of ``solutions`` with these.

    ``stopped`` is the limit that ended the count, None if the number is complete.
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
    limit: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    symmetry: SymmetryKind = "all",
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
        limit: Short for a limit of solutions.
        seconds: Short for a limit of seconds.
        threads: The number of threads that search.
        symmetry: Count solutions up to this, as in :func:`solve`.

    Yields:
        The rows; the last parameter changes fastest. A row is counted when you request it.

    Raises:
        PuzzleError: If the values have an error (PZ355, PZ359), or the puzzle cannot be compiled with them.

    """
    if not isinstance(name, (str, Path)):
        raise TypeError(f"`name` must be a file or a name of the catalogue, not {type(name).__name__}")
    limits = limits_of(limits, limit, seconds)
    texts = [
        f"{parameter}={values if isinstance(values, str) else ','.join(map(str, values))}"
        for parameter, values in parameters.items()
    ]
    for row in combinations(texts, where):
        solutions = Solutions(load(name, parameters=row), limits=limits, threads=threads, symmetry=symmetry)
        yield Row(row, solutions.count(), solutions.stopped)
