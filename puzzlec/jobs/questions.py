"""Orbits of many covers at a time, and conditions on them."""

from __future__ import annotations

from array import array

import numpy as np

from puzzlec.engine.cover_rows import Mask, Rows, is_less
from puzzlec.lower import Symmetry
from puzzlec.solving.conditions import Every, Formula, Some, Without


class Orbits:
    """The orbits of covers of ``options`` options under a group; elements of equal effect are one."""

    def __init__(self, group: Symmetry, options: int) -> None:
        self.options = options
        different = {each.tobytes(): each for each in group.options}
        self.known = frozenset(different)
        self.permutations = list(different.values())
        self.to = [np.append(np.frombuffer(each, dtype=np.int32), np.int32(options)) for each in different.values()]

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

        The rows themselves are not asked.
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
            if turned in asked:  # the answer for all these rows
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
            for each in _atoms(formula):
                mask = masks[each] = np.zeros(options + 1, dtype=np.bool_)
                mask[list(each.options)] = True
        self.masks = masks

    def holds(self, rows: Rows) -> Mask:
        """Return for each row whether the formula holds."""
        return self._holds(self.formula, rows)

    def turned(self, permutation: array[int]) -> Question:
        """Return the question whether the formula holds for the image of a cover under a symmetry."""
        to = np.append(np.frombuffer(permutation, dtype=np.int32), np.int32(self.options))
        return Question(self.formula, self.options, {each: mask[to] for each, mask in self.masks.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Question):
            return NotImplemented
        return self.formula == other.formula and all(
            np.array_equal(mask, other.masks[each]) for each, mask in self.masks.items()
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
    return {each for part in formula.parts for each in _atoms(part)}
