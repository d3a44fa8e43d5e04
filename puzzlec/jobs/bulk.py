"""The solutions of a checkpoint in bulk: streamed in the order of the search, checked, and chosen by orbits.

Nothing that is read is trusted: each cover is checked, and the puzzle is compiled again. Memory holds a few thousand
covers at a time. If a search continues in the meantime, only solutions that were stored when the reading began are
read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import numpy as np

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.engine.check import WrongCoverError
from puzzlec.engine.cover_rows import Mask, Rows, RowsChecker, is_less, tuples
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.jobs.faults import damaged
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import COVERS_IN_CHUNK, gathered, limited, unpacked
from puzzlec.jobs.work_unit import State
from puzzlec.lower import Encoding, Symmetry, symmetry
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.conditions import Every, Formula, Some, Without
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import DISTINCT


class Orbits:
    """The orbits of covers of ``options`` options under a group; elements of equal effect are one."""

    def __init__(self, group: Symmetry, options: int) -> None:
        self.options = options
        different = {option.tobytes(): option for option in group.options}
        self.known = frozenset(different)
        self.permutations = list(different.values())
        self.to = [
            np.append(np.frombuffer(permutation, dtype=np.int32), np.int32(options))
            for permutation in different.values()
        ]

    def __len__(self) -> int:
        return len(self.to)

    def __le__(self, other: Orbits) -> bool:
        """Return whether all symmetries of this group are in another one."""
        return self.known <= other.known

    def image(self, rows: Rows, element: int) -> Rows:
        """Return the images of rows under an element; 0 is the identity."""
        return rows if element == 0 else np.sort(self.to[element][rows], axis=1)

    def least(self, rows: Rows) -> Rows:
        """Return the least member of the orbit of each row."""
        found = rows.copy()
        for element in range(1, len(self)):
            image = self.image(rows, element)
            less = is_less(image, found)
            found[less] = image[less]
        return found

    def are_least(self, rows: Rows, question: Question | None = None) -> Mask:
        """Return for each row whether no smaller member of its orbit answers a question with yes.

        The question is not applied to the rows themselves.
        """
        least = np.ones(len(rows), dtype=np.bool_)
        for element in range(1, len(self)):
            # Most images differ in their least options already.
            first = self.to[element][rows].min(axis=1, initial=self.options)
            own = rows.min(axis=1, initial=self.options)
            near = np.flatnonzero(least & (first <= own))
            if question is not None and len(near):
                near = near[question.turned(self.permutations[element]).holds(rows[near])]
            if len(near):
                least[near[is_less(self.image(rows[near], element), rows[near])]] = False
        return least

    def images(self, rows: Rows) -> Rows:
        """Return all members of the orbits of rows, each once, orbit by orbit.

        An orbit begins with the row; its other members are in the order of the group.
        """
        every = np.stack([self.image(rows, element) for element in range(len(self))], axis=1)
        fresh = np.ones(every.shape[:2], dtype=np.bool_)
        # A cover has equal images only if a symmetry maps it to itself.
        symmetric = (every[:, 1:] == every[:, :1]).all(axis=2).any(axis=1)
        for number in np.flatnonzero(symmetric):
            seen: set[bytes] = set()
            for element, image in enumerate(every[number]):
                key = image.tobytes()
                fresh[number, element] = key not in seen
                seen.add(key)
        found: Rows = every[fresh]
        return found

    def answering(self, rows: Rows, question: Question) -> Rows:
        """Return for each row a member of its orbit that answers a question with yes; rows without one are left out.

        This is the row itself if possible, else the first member in the order of the group.
        """
        found, left = rows.copy(), np.ones(len(rows), dtype=np.bool_)
        asked: list[Question] = []
        for element, permutation in enumerate(self.permutations):
            turned = question.turned(permutation)
            if turned in asked:  # the same question was already answered for all these rows
                continue
            asked.append(turned)
            open_ = np.flatnonzero(left)
            yes = open_[turned.holds(rows[open_])]
            found[yes] = self.image(rows[yes], element)
            left[yes] = False
        answered: Rows = found[~left]
        return answered


class Question:
    """A formula about covers, ready for many rows.

    ``options`` is the number of options of the exact cover. ``masks`` have for each set of options in the formula a
    flag for each option.
    """

    def __init__(self, formula: Formula, options: int, masks: dict[Some, Mask] | None = None) -> None:
        self.formula, self.options = formula, options
        if masks is None:
            masks = {}
            for atom in _atoms(formula):
                mask = masks[atom] = np.zeros(options + 1, dtype=np.bool_)
                mask[list(atom.options)] = True
        self.masks = masks

    def holds(self, rows: Rows) -> Mask:
        """Return for each row whether the formula holds."""
        return self._holds(self.formula, rows)

    def turned(self, permutation: array[int]) -> Question:
        """Return the question whether the formula holds for the image of a cover under a symmetry."""
        to = np.append(np.frombuffer(permutation, dtype=np.int32), np.int32(self.options))
        return Question(self.formula, self.options, {atom: mask[to] for atom, mask in self.masks.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Question):
            return NotImplemented
        return self.formula == other.formula and all(
            np.array_equal(mask, other.masks[atom]) for atom, mask in self.masks.items()
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def _holds(self, formula: Formula, rows: Rows) -> Mask:
        if isinstance(formula, Some):
            # Column by column: one array for all would take several times as long.
            found = np.zeros(len(rows), dtype=np.bool_)
            for column in rows.T:
                found |= self.masks[formula][column]
            return found
        if isinstance(formula, Without):
            return ~self._holds(formula.of, rows)
        every = isinstance(formula, Every)
        result = np.full(len(rows), every)
        for part in formula.parts:
            if every:
                result &= self._holds(part, rows)
            else:
                result |= self._holds(part, rows)
        return result


def _atoms(formula: Formula) -> set[Some]:
    """Return the sets of options in a formula."""
    if isinstance(formula, Some):
        return {formula}
    if isinstance(formula, Without):
        return _atoms(formula.of)
    return {atom for part in formula.parts for atom in _atoms(part)}


class StoredSolutions:
    """The solutions in a checkpoint: ``store`` is open, ``encoding`` is its puzzle. Use it as a context manager.

    ``symmetry`` names the symmetries under which they are distinct ("none": all raw ones are there). ``complete`` means
    that the search has ended, perhaps at a limit. ``limited`` means that it ended at a limit.
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

        Raises PuzzleError if there is none, if it is damaged or of another version, or if it keeps no solutions
        (PZ631).
        """
        from puzzlec.jobs.job import encoding_of

        store = Store.open(Path(folder), write=False)
        try:
            if store.header.task == "count":
                raise fail(
                    "PZ631",
                    f"`{folder}` contains no solutions: they were only counted",
                    help="`puzzlec job status` shows their number; `puzzlec solve --all --checkpoint` keeps them",
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
        """Close the checkpoint."""
        self.store.close()

    def about(self, symmetry: SymmetryKind) -> dict[str, str]:
        """Return the convention of solutions under a kind of symmetry, for files that record it."""
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
        """Number of solutions kept, at most the limit."""
        kept = self.store.totals().kept
        return kept if self.store.limit is None else min(kept, self.store.limit)

    @cached_property
    def limited(self) -> bool:
        """Whether the limit was reached, so that there may be more."""
        return self.store.limit is not None and self.number >= self.store.limit

    @cached_property
    def complete(self) -> bool:
        """Whether nothing more will be found: the search is complete or has reached its limit."""
        return self.limited or next(iter(self.store.units(State.OPEN)), None) is None

    def rows(self) -> Iterator[Rows]:
        """Yield all solutions as rows of :mod:`puzzlec.engine.cover_rows`, in the order of the search.

        Each array has a few thousand rows.

        Raises PuzzleError (PZ622) if a row is not a solution.
        """
        checker = RowsChecker(self.encoding.cover)
        for rows in limited(gathered(self._blocks(), self.nothing), self.store.limit):
            try:
                checker.check(rows)
            except WrongCoverError as error:
                raise self._damaged(f"a solution in it is wrong: {error}") from None
            yield rows

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
        own, asked = self._orbits(self.symmetry), self._orbits(symmetry or self.symmetry)
        if not (own <= asked or asked <= own):
            raise fail(
                "PZ631",
                f"solutions that were searched with `--symmetry {self.symmetry}` cannot be compared under `{symmetry}`",
                note="neither kind of symmetry contains the other",
                help="give `--raw` for all solutions",
                file=self.name,
            )
        question = None if formula is None else Question(formula, self.nothing)
        for rows in self.rows():
            for found in _chosen(rows, own, asked, question):
                if len(found):
                    yield found

    def _orbits(self, which: SymmetryKind) -> Orbits:
        group = symmetry(self.encoding, "none") if which == "none" else Solutions(self.encoding, symmetry=which).group
        return Orbits(group, self.nothing)

    def _blocks(self) -> Iterator[Rows]:
        for block in self.store.blocks():
            try:
                rows = unpacked(block.data, self.nothing)
            except ValueError as error:
                raise self._damaged(f"a block of solutions is wrong: {error}") from None
            if len(rows) != block.solutions:
                raise self._damaged("a block has the wrong number of solutions")
            yield rows

    def _damaged(self, why: str) -> PuzzleError:
        return damaged(self.store.folder, why)


def _chosen(rows: Rows, own: Orbits, asked: Orbits, question: Question | None) -> Iterator[Rows]:
    """Yield solutions under another group than theirs, which contains their group or is contained in it."""
    if own.known == asked.known:
        if question is None:
            yield rows
        else:
            yield own.answering(rows, question) if len(own) > 1 else rows[question.holds(rows)]
    elif question is None and own <= asked:
        # From an orbit of the larger group, only the orbit of the smaller group with the least member is yielded.
        least = rows if len(own) == 1 else own.least(rows)
        yield rows[asked.are_least(least)]
    else:
        size = max(1, COVERS_IN_CHUNK // len(own))
        for at in range(0, len(rows), size):
            members = own.images(rows[at : at + size])
            if question is not None:
                members = members[question.holds(members)]
            yield members[asked.are_least(members, question)]
