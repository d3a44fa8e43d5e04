"""Orbits and conditions of many covers at once, as rows of :mod:`puzzlec.engine.cover_rows`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.engine.cover_rows import COVERS_IN_CHUNK, Mask, Rows, is_less, rows_of
from puzzlec.engine.problem_numpy import distinct
from puzzlec.lower import Symmetry
from puzzlec.solving.conditions import Every, Formula, Some, Without
from puzzlec.solving.distinct import Representatives


def _table(permutation: array[int], nothing: int) -> Rows:
    """Return a permutation of options as an array that keeps the padding of rows."""
    return np.append(np.frombuffer(permutation, dtype=np.int32), np.int32(nothing))


class Orbits:
    """The orbits of covers of ``options`` options under a group; elements of equal effect are one."""

    def __init__(self, group: Symmetry, options: int) -> None:
        self.options = options
        different = {option.tobytes(): option for option in group.options}
        self.known = frozenset(different)
        self.permutations = list(different.values())
        self.to = [_table(permutation, options) for permutation in self.permutations]

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
        smallest = rows.copy()
        for element in range(1, len(self)):
            image = self.image(rows, element)
            less = is_less(image, smallest)
            smallest[less] = image[less]
        return smallest

    def are_least(self, rows: Rows, question: CoverQuestion | None = None) -> Mask:
        """Return for each row whether no smaller member of its orbit answers a question with yes.

        The question is not applied to the rows themselves.
        """
        least = np.ones(len(rows), dtype=np.bool_)
        for element in range(1, len(self)):
            # Most images differ in their least options already.
            first = self.to[element][rows].min(axis=1, initial=self.options)
            lowest = rows.min(axis=1, initial=self.options)
            near = np.flatnonzero(least & (first <= lowest))
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
        members: Rows = every[fresh]
        return members

    def answering(self, rows: Rows, question: CoverQuestion) -> Rows:
        """Return for each row a member of its orbit that answers a question with yes; rows without one are left out.

        This is the row itself if possible, else the first member in the order of the group.
        """
        members, left = rows.copy(), np.ones(len(rows), dtype=np.bool_)
        asked: list[CoverQuestion] = []
        for element, permutation in enumerate(self.permutations):
            turned = question.turned(permutation)
            if turned in asked:  # the same question was already answered for all these rows
                continue
            asked.append(turned)
            open_ = np.flatnonzero(left)
            yes = open_[turned.holds(rows[open_])]
            members[yes] = self.image(rows[yes], element)
            left[yes] = False
        answered: Rows = members[~left]
        return answered


class CoverQuestion:
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

    def turned(self, permutation: array[int]) -> CoverQuestion:
        """Return the question whether the formula holds for the image of a cover under a symmetry."""
        to = _table(permutation, self.options)
        return CoverQuestion(self.formula, self.options, {atom: mask[to] for atom, mask in self.masks.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CoverQuestion):
            return NotImplemented
        return self.formula == other.formula and all(
            np.array_equal(mask, other.masks[atom]) for atom, mask in self.masks.items()
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def _holds(self, formula: Formula, rows: Rows) -> Mask:
        if isinstance(formula, Some):
            # Column by column: one array for all would take several times as long.
            mask = np.zeros(len(rows), dtype=np.bool_)
            for column in rows.T:
                mask |= self.masks[formula][column]
            return mask
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


def chosen(rows: Rows, orbits: Orbits, asked: Orbits, question: CoverQuestion | None) -> Iterator[Rows]:
    """Yield solutions under another group than theirs, which contains their group or is contained in it."""
    if orbits.known == asked.known:
        if question is None:
            yield rows
        else:
            yield orbits.answering(rows, question) if len(orbits) > 1 else rows[question.holds(rows)]
    elif question is None and orbits <= asked:
        # From an orbit of the larger group, only the orbit of the smaller group with the least member is yielded.
        least = rows if len(orbits) == 1 else orbits.least(rows)
        yield rows[asked.are_least(least)]
    else:
        size = max(1, COVERS_IN_CHUNK // len(orbits))
        for at in range(0, len(rows), size):
            members = orbits.images(rows[at : at + size])
            if question is not None:
                members = members[question.holds(members)]
            yield members[asked.are_least(members, question)]


class OrbitComparison:
    """The least admissible covers of their orbits, as :meth:`Representatives.is_least` defines them."""

    def __init__(self, choice: Representatives) -> None:
        self.choice = choice
        self._nothing = nothing = len(choice.cover)
        # The symmetries to compare for each kept option; -1: for all covers, if no item is restricted.
        self._movers = choice.movers if choice.item >= 0 else {-1: tuple(range(1, choice.order))}
        self._to = {
            element: _table(choice.symmetry.options[element], nothing)
            for element in {mover for movers in self._movers.values() for mover in movers}
        }
        self._kept = np.zeros(nothing + 1, dtype=np.bool_)
        self._kept[list(choice.movers)] = True

    def least(self, covers: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
        """Return the covers that are the least of their orbits, in their order, and the raw number of these."""
        rows = rows_of(covers, self._nothing)
        least = np.zeros(len(rows), dtype=np.bool_)
        raw = 0
        held = self._held(rows)
        for option in distinct(held).tolist():
            same = held == option
            least[same], stands_for = self._of_one(rows[same], self._movers[option])
            raw += stands_for
        return [cover for cover, is_least in zip(covers, least.tolist(), strict=True) if is_least], raw

    def _held(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Return the kept option of each cover."""
        if self.choice.item < 0:
            return np.full(len(rows), -1, dtype=np.int64)
        held: npt.NDArray[np.int64] = rows[np.arange(len(rows)), np.argmax(self._kept[rows], axis=1)].astype(np.int64)
        return held

    def _of_one(self, rows: Rows, movers: Sequence[int]) -> tuple[Mask, int]:
        """Compare covers that share a kept option with their images; return the least ones, and their raw number."""
        least = np.ones(len(rows), dtype=np.bool_)
        fixed = np.ones(len(rows), dtype=np.int64)  # the symmetries that map a cover to itself
        for element in movers:
            image = np.sort(self._to[element][rows], axis=1)
            fixed += (image == rows).all(axis=1)
            admissible = self._kept[image].any(axis=1) if self.choice.item >= 0 else True
            least &= ~(is_less(image, rows) & admissible)
        return least, int((self.choice.order // fixed[least]).sum())
