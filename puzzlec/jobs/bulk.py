"""The solutions of a checkpoint in bulk: streamed from its blocks in the order of the search, checked, and chosen.

Nothing that is read is trusted: each cover is checked before it is given, and the puzzle is compiled anew. What is kept
on the way is some thousand covers, however many there are. While a search goes on elsewhere, the solutions are those
that were there when the reading began.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.engine.check import WrongCoverError
from puzzlec.engine.cover_rows import Rows, RowsChecker, tuples
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.jobs.faults import damaged
from puzzlec.jobs.orbits import Orbits
from puzzlec.jobs.portion import State
from puzzlec.jobs.questions import Question
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import MANY, gathered, limited, unpacked
from puzzlec.lower import Encoding, symmetry
from puzzlec.solving.conditions import Formula
from puzzlec.solving.conventions import DISTINCT
from puzzlec.solving.solutions import Solutions


class StoredSolutions:
    """The solutions in a checkpoint: ``store`` is open, ``encoding`` is its puzzle. Use it as a context manager.

    ``symmetry`` says up to what they are distinct ("none": all raw ones are there), ``complete`` whether the search
    has ended, be it at a limit that was asked for. ``limited``: such a limit has ended it.
    """

    def __init__(self, store: Store, encoding: Encoding, name: str) -> None:
        self.store, self.encoding, self.name = store, encoding, name
        self.fitting = encoding.fitting
        self.header = store.header
        self.symmetry = self.header.symmetry
        self.nothing = len(encoding.cover)
        if fingerprint(encoding.cover) != self.header.fingerprint:
            raise ValueError("these are the solutions of another puzzle")

    @classmethod
    def open(cls, folder: str | Path) -> StoredSolutions:
        """Return the solutions of a checkpoint, which another process may be working on.

        Raises PuzzleError where there is none, it is damaged or of another version, or it keeps no solutions (PZ631).
        """
        from puzzlec.jobs.job import encoding_of

        store = Store.open(Path(folder), write=False)
        try:
            if store.header.task == "count":
                raise fail(
                    "PZ631",
                    f"`{folder}` keeps no solutions: they were counted only",
                    help="`puzzlec status` tells how many; `puzzlec solve --all --checkpoint` keeps them",
                    file=str(folder),
                )
            return cls(store, encoding_of(store.header, str(folder)), str(folder))
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> StoredSolutions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the checkpoint."""
        self.store.close()

    def about(self, symmetry: str) -> dict[str, str]:
        """Return what solutions up to a kind of symmetry are, for files that have a place for it."""
        header = self.header
        return {
            "title": header.title,
            "solutions": DISTINCT[symmetry],
            "fingerprint": header.fingerprint,
            "version": header.version,
            "puzzle": header.puzzle,
        }

    @cached_property
    def number(self) -> int:
        """How many solutions are kept; no more than were asked for."""
        kept = self.store.totals().kept
        return kept if self.store.limit is None else min(kept, self.store.limit)

    @cached_property
    def limited(self) -> bool:
        """Whether as many solutions were found as were asked for, so that there may be more."""
        return self.store.limit is not None and self.number >= self.store.limit

    @cached_property
    def complete(self) -> bool:
        """Whether nothing more will be found: all was searched, or as many were found as were asked for."""
        return self.limited or next(iter(self.store.portions(State.OPEN)), None) is None

    def rows(self) -> Iterator[Rows]:
        """Give all solutions as rows of :mod:`puzzlec.engine.cover_rows`, in the order of the search.

        They come some thousand at a time.

        Raises PuzzleError (PZ622) where one is none.
        """
        checker = RowsChecker(self.encoding.cover)
        for rows in limited(gathered(self._blocks(), self.nothing), self.store.limit):
            try:
                checker.check(rows)
            except WrongCoverError as error:
                raise self._damaged(f"a solution in it is none: {error}") from None
            yield rows

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Give all solutions as tuples of options."""
        for rows in self.rows():
            yield from tuples(rows, self.nothing)

    def chosen(self, symmetry: str | None = None, formula: Formula | None = None) -> Iterator[Rows]:
        """Give solutions up to a kind of symmetry (None: as they are kept), and only those with a property.

        "none" gives all raw ones, so the images of those that are kept; a coarser kind than that which they were
        searched with gives fewer. Of solutions up to symmetry those are given that have the property as they are, or
        turned or mirrored: then they are given so.

        Raises PuzzleError for a kind of symmetry that is neither finer nor coarser (PZ631), or too large (PZ253).
        """
        own, asked = self._orbits(self.symmetry), self._orbits(symmetry or self.symmetry)
        if not (own <= asked or asked <= own):
            raise fail(
                "PZ631",
                f"solutions that were searched with `--symmetry {self.symmetry}` cannot be told by `{symmetry}`",
                note="neither kind of symmetry has all that the other one has",
                help="give `--raw` for all solutions",
                file=self.name,
            )
        question = None if formula is None else Question(formula, self.nothing)
        for rows in self.rows():
            for found in _chosen(rows, own, asked, question):
                if len(found):
                    yield found

    def _orbits(self, which: str) -> Orbits:
        group = symmetry(self.encoding, "none") if which == "none" else Solutions(self.encoding, symmetry=which).group
        return Orbits(group, self.nothing)

    def _blocks(self) -> Iterator[Rows]:
        for block in self.store.blocks():
            try:
                rows = unpacked(block.data, self.nothing)
            except ValueError as error:
                raise self._damaged(f"a block of solutions is none: {error}") from None
            if len(rows) != block.solutions:
                raise self._damaged("a block has not as many solutions as it should")
            yield rows

    def _damaged(self, why: str) -> PuzzleError:
        return damaged(self.store.folder, why)


def _chosen(rows: Rows, own: Orbits, asked: Orbits, question: Question | None) -> Iterator[Rows]:
    """Give what some solutions, distinct under one group, are under another, which contains it or is contained."""
    if own.known == asked.known:
        if question is None:
            yield rows
        else:
            yield own.answering(rows, question) if len(own) > 1 else rows[question.holds(rows)]
    elif question is None and own <= asked:
        # Of an orbit of the larger group, that of the smaller one is told that holds the least member of all.
        least = rows if len(own) == 1 else own.least(rows)
        yield rows[asked.are_least(least)]
    else:
        each = max(1, MANY // len(own))
        for at in range(0, len(rows), each):
            members = own.images(rows[at : at + each])
            if question is not None:
                members = members[question.holds(members)]
            yield members[asked.are_least(members, question)]
