"""Many covers at once: which of them are the least of their orbits, and whether they are covers at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.ir import ExactCover
from puzzlec.solution import Representatives
from puzzlec.solution.cover_checker import check_cover

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Covers = Sequence[tuple[int, ...]]


class Comparison:
    """Which admissible covers are the least of their orbits, as :meth:`Representatives.is_least` says of one.

    The images under a symmetry are made for a whole table of covers (a row each, options ascending).
    """

    def __init__(self, choice: Representatives) -> None:
        self.choice = choice
        self._permutations = {
            element: np.frombuffer(choice.symmetry.options[element], dtype=np.int32)
            for element in {each for movers in self._movers.values() for each in movers}
        }
        self._kept = np.zeros(len(choice.cover), dtype=np.bool_)
        self._kept[list(choice.movers)] = True

    def least(self, covers: Covers) -> tuple[list[tuple[int, ...]], int]:
        """Return those that are the least of their orbits, in their order, and how many raw ones these stand for."""
        least = np.zeros(len(covers), dtype=np.bool_)
        raw = 0
        sizes = np.array(list(map(len, covers)), dtype=np.int64)
        for size in np.unique(sizes):
            places = np.flatnonzero(sizes == size)
            table = np.array([covers[place] for place in places.tolist()], dtype=np.int32).reshape(len(places), size)
            held = self._held(table)
            for option in np.unique(held):
                same = held == option
                found, stands_for = self._of_one(table[same], self._movers[int(option)])
                least[places[same]] = found
                raw += stands_for
        return [cover for cover, is_least in zip(covers, least.tolist(), strict=True) if is_least], raw

    @property
    def _movers(self) -> dict[int, tuple[int, ...]]:
        """The symmetries to be looked at for each kept option; -1: for all covers, where none is held."""
        return self.choice.movers if self.choice.item >= 0 else {-1: tuple(range(1, self.choice.order))}

    def _held(self, table: Ints) -> npt.NDArray[np.int64]:
        """Return the kept option of each cover."""
        if self.choice.item < 0:
            return np.full(len(table), -1, dtype=np.int64)
        at = np.argmax(self._kept[table], axis=1)
        held: npt.NDArray[np.int64] = table[np.arange(len(table)), at].astype(np.int64)
        return held

    def _of_one(self, table: Ints, movers: Sequence[int]) -> tuple[Flags, int]:
        """Compare covers with the same kept option with their images; return which are least, and their raw number."""
        least = np.ones(len(table), dtype=np.bool_)
        fixed = np.ones(len(table), dtype=np.int64)  # the symmetries that leave a cover as it is
        for element in movers:
            image = np.sort(self._permutations[element][table], axis=1)
            differs = image != table
            first = np.argmax(differs, axis=1)[:, None] if table.shape[1] else np.zeros((len(table), 1), dtype=np.int64)
            moved = differs.any(axis=1)
            fixed += ~moved
            if not table.shape[1]:
                continue
            less = np.take_along_axis(image, first, 1)[:, 0] < np.take_along_axis(table, first, 1)[:, 0]
            admissible = self._kept[image].any(axis=1) if self.choice.item >= 0 else np.ones(len(table), dtype=np.bool_)
            least &= ~(moved & less & admissible)
        return least, int((self.choice.order // fixed[least]).sum())


class Checking:
    """Whether covers are covers, by counting items alone; nothing of a search is in it.

    ``wrong`` looks at a table of covers at once where the problem has neither bounds nor colours, else one by one.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.cover = cover
        self._starts = np.array(cover.starts, dtype=np.int64)
        self._items = np.array(cover.items, dtype=np.int64)
        self._simple = not any(cover.colours) and set(cover.low) | set(cover.high) <= {1}

    def check(self, covers: Covers) -> None:
        """Raise WrongCoverError, with the reason, for the first one that is no exact cover."""
        if not self._simple:
            for each in covers:
                check_cover(self.cover, each)
            return
        sizes = np.array(list(map(len, covers)), dtype=np.int64)
        for size in np.unique(sizes):
            table = np.array([each for each in covers if len(each) == size], dtype=np.int64).reshape(-1, int(size))
            for at in range(0, len(table), 4096):
                self._check_table(table[at : at + 4096])

    def _check_table(self, table: npt.NDArray[np.int64]) -> None:
        if table.size and (table.min() < 0 or table.max() >= len(self.cover)):
            self._say_why(table)
        lengths = np.diff(self._starts)[table]
        entries = np.repeat(self._starts[table].ravel(), lengths.ravel()) + _places(lengths.ravel())
        row = np.repeat(np.arange(len(table)), lengths.sum(axis=1))
        items = self.cover.primary + self.cover.secondary
        times = np.bincount(row * items + self._items[entries], minlength=len(table) * items).reshape(-1, items)
        if (times[:, : self.cover.primary] != 1).any() or (times > 1).any():
            self._say_why(table)

    def _say_why(self, table: npt.NDArray[np.int64]) -> None:
        for each in table.tolist():
            check_cover(self.cover, each)
        raise AssertionError("the two checkers of covers do not agree")


def _places(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return 0, 1, ..., length - 1 for each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
