"""Orbits of covers under symmetries, many covers at a time, each decided by itself: nothing is kept.

Of an orbit that member is told which is its least one, as an ascending tuple of options (as in
:mod:`puzzlec.solving.distinct`). Where a condition is asked for, only members for which it holds count.
"""

from __future__ import annotations

import numpy as np

from puzzlec.engine.cover_rows import Mask, Rows, is_less
from puzzlec.jobs.questions import Question
from puzzlec.lower import Symmetry


class Orbits:
    """The orbits of covers of ``options`` options under a group; elements that do the same to all options are one."""

    def __init__(self, group: Symmetry, options: int) -> None:
        self.options = options
        different = {each.tobytes(): each for each in group.options}
        self.known = frozenset(different)
        self.permutations = list(different.values())
        self.to = [np.append(np.frombuffer(each, dtype=np.int32), np.int32(options)) for each in different.values()]

    def __len__(self) -> int:
        return len(self.to)

    def __le__(self, other: Orbits) -> bool:
        """Whether all symmetries of this group are among those of another one."""
        return self.known <= other.known

    def image(self, rows: Rows, element: int) -> Rows:
        """Return the images of rows under an element, 0 being the identity."""
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
        """Return for each row whether no member of its orbit is less, of those for which a question is answered yes.

        Whether it is so for the rows themselves is not asked.
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
        """Return all members of the orbits of rows, each once: those of the first one, those of the next, and so on.

        An orbit begins with the row itself, its other members come in the order of the group.
        """
        every = np.stack([self.image(rows, element) for element in range(len(self))], axis=1)
        fresh = np.ones(every.shape[:2], dtype=np.bool_)
        # A cover has members that are equal only where a symmetry leaves it as it is.
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
        """Return for each row a member of its orbit for which a question is answered yes; no row where there is none.

        It is the row itself where that will do, else the first one in the order of the group.
        """
        found, left = rows.copy(), np.ones(len(rows), dtype=np.bool_)
        asked: list[Question] = []
        for element, permutation in enumerate(self.permutations):
            turned = question.turned(permutation)
            if turned in asked:  # it says the same of all these rows
                continue
            asked.append(turned)
            open_ = np.flatnonzero(left)
            yes = open_[turned.holds(rows[open_])]
            found[yes] = self.image(rows[yes], element)
            left[yes] = False
        answered: Rows = found[~left]
        return answered
