"""Conditions on solutions, asked of many covers at a time."""

from __future__ import annotations

from array import array

import numpy as np

from puzzlec.engine.cover_rows import Mask, Rows
from puzzlec.solving.conditions import Every, Formula, Some, Without


class Question:
    """A formula about covers, ready to be asked of rows.

    ``options`` is the number of options of the exact cover. ``masks`` say of each option, for each set of options in
    the formula, whether it is in it.
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
