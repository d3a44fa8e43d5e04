"""Which of many covers are the least of their orbits, compared with their images all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.engine.cover_rows import Mask, Rows, is_less, rows_of
from puzzlec.solving import Representatives


class Comparison:
    """Which admissible covers are the least of their orbits, as :meth:`Representatives.is_least` says of one."""

    def __init__(self, choice: Representatives) -> None:
        self.choice = choice
        self._nothing = nothing = len(choice.cover)
        # The symmetries to be looked at for each kept option; -1: for all covers, where none is held.
        self._movers = choice.movers if choice.item >= 0 else {-1: tuple(range(1, choice.order))}
        self._to = {
            element: np.append(np.frombuffer(choice.symmetry.options[element], dtype=np.int32), np.int32(nothing))
            for element in {each for movers in self._movers.values() for each in movers}
        }
        self._kept = np.zeros(nothing + 1, dtype=np.bool_)
        self._kept[list(choice.movers)] = True

    def least(self, covers: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
        """Return those that are the least of their orbits, in their order, and how many raw ones these stand for."""
        rows = rows_of(covers, self._nothing)
        least = np.zeros(len(rows), dtype=np.bool_)
        raw = 0
        held = self._held(rows)
        for option in np.unique(held).tolist():
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
        """Compare covers with the same kept option with their images; return which are least, and their raw number."""
        least = np.ones(len(rows), dtype=np.bool_)
        fixed = np.ones(len(rows), dtype=np.int64)  # the symmetries that leave a cover as it is
        for element in movers:
            image = np.sort(self._to[element][rows], axis=1)
            fixed += (image == rows).all(axis=1)
            admissible = self._kept[image].any(axis=1) if self.choice.item >= 0 else True
            least &= ~(is_less(image, rows) & admissible)
        return least, int((self.choice.order // fixed[least]).sum())
