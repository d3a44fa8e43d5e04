"""The solutions of a checkpoint as streams, in the order of the search.

Nothing that is read is trusted: each cover is checked, and the puzzle is compiled again. Memory holds a few thousand
covers at a time. If a search continues in the meantime, only solutions that were stored when the reading began are
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Protocol

from puzzlec.diagnostics.error import fail
from puzzlec.engine.check import WrongCoverError
from puzzlec.engine.cover_rows import Rows, RowsChecker, gathered, limited, rows_of, tuples
from puzzlec.ir import Solution
from puzzlec.jobs.beginning import encoding_of
from puzzlec.jobs.blocks import unpack, unpack_array
from puzzlec.jobs.faults import damaged
from puzzlec.jobs.store import Store
from puzzlec.jobs.tables import SolutionBlock
from puzzlec.jobs.work_unit import UnitState
from puzzlec.lower import Encoding, symmetry
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.checker import Checker
from puzzlec.solving.conditions import Formula
from puzzlec.solving.orbits import CoverQuestion, Orbits, chosen
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import DISTINCT


class Kept(Protocol):
    """The parts of a job that hold its settled solutions."""

    store: Store
    encoding: Encoding
    limit: int | None

    @property
    def front(self) -> bytes | None:
        """Key of the first open work unit; None if all are done."""


def _checked(
    blocks: Iterable[SolutionBlock], checker: RowsChecker, nothing: int, folder: Path
) -> Iterator[tuple[SolutionBlock, Rows]]:
    """Yield blocks of a checkpoint, each with its rows; raise PuzzleError (PZ622) at one with a wrong cover."""
    for block in blocks:
        try:
            rows = unpack_array(block.data)
            rows = rows_of(unpack(block.data), nothing) if rows is None else rows
            if len(rows) != block.solutions:
                raise ValueError("a block has the wrong number of solutions")
            checker.check(rows)
        except (ValueError, WrongCoverError) as error:
            raise damaged(folder, f"a solution in it is wrong: {error}") from None
        yield block, rows


class Settled:
    """The solutions of a job with a known position in the order of the search: all solutions before them are known.

    :meth:`more` yields the solutions that were settled since the last call, at most ``limit`` in all. ``number`` counts
    them. Each solution is checked by code that is independent of the search.
    """

    def __init__(self, job: Kept) -> None:
        self.job, self.number = job, 0
        self._checker, self._rows_checker = Checker(job.encoding.fitting), RowsChecker(job.encoding.cover)
        self._after: tuple[bytes, int] | None = None

    def more(self) -> Iterator[Solution]:
        """Yield the settled solutions that were not given yet.

        Raises PuzzleError (PZ622) if a kept cover is not a solution.
        """
        store, encoding, nothing = self.job.store, self.job.encoding, len(self.job.encoding.cover)
        blocks = store.blocks(self._after, self.job.front)
        for block, rows in _checked(blocks, self._rows_checker, nothing, store.folder):
            for options in tuples(rows, nothing):
                if self.number == self.job.limit:
                    return
                self.number += 1
                solution = encoding.lift(options)
                if encoding.faithful:
                    self._checker.check(solution)
                yield solution
            self._after = (block.key, block.number)


class StoredSolutions:
    """The solutions in a checkpoint: ``store`` is open, ``encoding`` is its puzzle. Use it as a context manager.

    ``symmetry`` names the symmetries under which they are distinct ("none": all raw ones are there). ``complete`` means
    that the search has ended, perhaps at a limit. ``limited`` means that it ended at a limit.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name, self.symmetry = store, name, store.header.symmetry
        self.encoding = encoding_of(store.header, name)
        self.fitting, self.nothing = self.encoding.fitting, len(self.encoding.cover)

    @classmethod
    def open(cls, folder: str | Path) -> StoredSolutions:
        """Return the solutions of a checkpoint, which another process may be working on.

        Raises PuzzleError if there is none, if it is damaged or of another version, or if it keeps no solutions
        (PZ631).
        """
        with ExitStack() as failed:
            store = failed.enter_context(Store.open(Path(folder), write=False))
            if store.header.task == "count":
                raise fail(
                    "PZ631",
                    f"`{folder}` contains no solutions: they were only counted",
                    help="`puzzlec job status` shows their number; `puzzlec solve --all --checkpoint` keeps them",
                    file=str(folder),
                )
            stored = cls(store, str(folder))
            failed.pop_all()
        return stored

    def __enter__(self) -> StoredSolutions:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def about(self, symmetry: SymmetryKind) -> dict[str, str]:
        """Return the convention of solutions under a kind of symmetry, for files that record it."""
        header = self.store.header
        return {
            "title": header.title,
            "solutions": DISTINCT[symmetry],
            "fingerprint": header.fingerprint,
            "version": header.version,
            "puzzle": header.puzzle,
        }

    @cached_property
    def number(self) -> int:
        """Number of solutions kept, at most the limit."""
        totals = self.store.totals()
        return totals.kept if totals.limit is None else min(totals.kept, totals.limit)

    @cached_property
    def limited(self) -> bool:
        """Whether the limit was reached, so that there may be more."""
        return self.number == self.store.totals().limit

    @cached_property
    def complete(self) -> bool:
        """Whether nothing more will be found: the search is complete or has reached its limit."""
        return self.limited or next(iter(self.store.units(UnitState.OPEN)), None) is None

    def rows(self) -> Iterator[Rows]:
        """Yield all solutions as rows of :mod:`puzzlec.engine.cover_rows`, in the order of the search.

        Each array has a few thousand rows.

        Raises PuzzleError (PZ622) if a row is not a solution.
        """
        checker = RowsChecker(self.encoding.cover)
        blocks = _checked(self.store.blocks(), checker, self.nothing, self.store.folder)
        yield from limited(gathered((rows for _, rows in blocks), self.nothing), self.store.totals().limit)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield all solutions as tuples of options."""
        for rows in self.rows():
            yield from tuples(rows, self.nothing)

    def chosen(self, symmetry: SymmetryKind | None = None, formula: Formula | None = None) -> Iterator[Rows]:
        """Yield solutions up to a kind of symmetry (None: as stored), with ``formula`` only those with a property.

        "none" yields all raw ones: the images of those that are kept. A coarser kind than the one of the search yields
        fewer. Solutions up to symmetry are yielded as the first rotation or reflection that has the property.

        Raises PuzzleError if the kind of symmetry is neither finer nor coarser (PZ631), or too large (PZ253).
        """
        stored, asked = self._orbits(self.symmetry), self._orbits(symmetry or self.symmetry)
        if not (stored <= asked or asked <= stored):
            raise fail(
                "PZ631",
                f"solutions that were searched with `--symmetry {self.symmetry}` cannot be compared under `{symmetry}`",
                note="neither kind of symmetry contains the other",
                help="give `--raw` for all solutions",
                file=self.name,
            )
        question = None if formula is None else CoverQuestion(formula, self.nothing)
        for rows in self.rows():
            for selection in chosen(rows, stored, asked, question):
                if len(selection):
                    yield selection

    def _orbits(self, which: SymmetryKind) -> Orbits:
        group = symmetry(self.encoding, "none") if which == "none" else Solutions(self.encoding, symmetry=which).group
        return Orbits(group, self.nothing)
