"""A sweep: the solutions of a puzzle for each combination of the values of its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from puzzlec.engine import Limits, Stop
from puzzlec.language.sweeps import combinations
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
    name: str,
    parameters: Mapping[str, Iterable[int] | str],
    where: str = "",
    raw: bool = False,
    limits: Limits | None = None,
    threads: int = 1,
    symmetry: str = "all",
) -> Iterator[Row]:
    """Yield the number of solutions of a puzzle for each combination of the values of its parameters.

    >>> import puzzlec
    >>> [(row.parameters["n"], row.solutions) for row in puzzlec.sweep("queens/8", {"n": range(4, 7)})]
    [(4, 2), (5, 10), (6, 4)]

    Args:
        name: A file, or a name of the catalogue.
        parameters: The values of each parameter: numbers, or a text as after `-p`, such as ``"1..n"``.
        where: A condition of the puzzle language on the parameters, such as ``"m < n"``.
        raw: Count rotations and reflections separately.
        limits: The limits of each row.
        threads: The number of threads that search.
        symmetry: Count solutions up to this, as in :func:`solve`.

    Yields:
        The rows; the last parameter changes fastest. A row is counted when you request it.

    Raises:
        PuzzleError: If the values have an error (PZ355, PZ359), or the puzzle cannot be compiled with them.

    """
    texts = [
        f"{name}={values if isinstance(values, str) else ','.join(map(str, values))}"
        for name, values in parameters.items()
    ]
    for row in combinations(texts, where):
        solutions = Solutions(load(name, parameters=row), raw, limits, threads=threads, symmetry=symmetry)
        yield Row(row, solutions.count(), solutions.stopped)
