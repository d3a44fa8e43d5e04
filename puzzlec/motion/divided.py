"""A front of the breadth-first search in several threads, with the states in the order of one thread.

Each thread expands the next states in turn. It keeps the states that it finds and that are not known yet. Afterwards
they are added to the known ones, thread by thread. So their numbers, the moves that lead to them, and what a limit cuts
off are those of one thread. Threads share the known states, which do not change meanwhile. Each has its own gaps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzlec.motion import kernel
from puzzlec.motion.rooms import GapTable, States
from puzzlec.motion.search import MOST_SETS
from puzzlec.motion.team import Team

#: Fronts with fewer states are not divided.
LEAST_FRONT = 512

#: A thread expands at most this many states before states are added.
MOST_STATES = 1 << 13

#: The data of a whole search: the shape of each piece, the lines of all shapes, and the step along each axis.
Fixed = tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]


class DividedFront:
    """Expands fronts in the threads of a team.

    Args:
        team: The threads.
        gaps: The gaps that the search knows without help.

    """

    def __init__(self, team: Team, gaps: GapTable) -> None:
        self._team, self._gaps = team, [gaps]
        self._controls = [np.zeros(kernel.CONTROLS, np.int64)]
        self._found: dict[tuple[int, int], States] = {}

    def expand(self, fixed: Fixed, known: States, most: int, control: np.ndarray) -> int:
        """Expand some states of the front; return an answer of the kernel.

        Args:
            fixed: The pieces and directions.
            known: The known states.
            most: At most this many states may be known.
            control: The counters of the search.

        """
        head, end, goals = (int(control[place]) for place in (kernel.HEAD, kernel.END, kernel.GOALS))
        with self._team.helpers() as free:
            number = free + 1
            share = min(MOST_STATES, -(-(end - head) // number))
            while len(self._gaps) < number:
                self._gaps.append(self._gaps[0].copy())
                self._controls.append(np.zeros(kernel.CONTROLS, np.int64))

            def part(thread: int) -> Callable[[], int]:
                begin = min(end, head + thread * share)
                return lambda: self._expand_part(thread, fixed, known, control, (begin, min(end, begin + share)))

            answers = self._team.results([part(thread) for thread in range(number)])
        control[kernel.GAPS] = self._gaps[0].known
        for thread, answer in enumerate(answers):
            merged = self._merge(thread, len(fixed[0]), known, most, control)
            if merged != kernel.DONE:
                return merged
            control[kernel.HEAD] = self._controls[thread][kernel.HEAD]
            control[kernel.GOALS] += self._controls[thread][kernel.GOALS] - goals
            if answer == kernel.LOOSE:  # after a goal, a single thread would not search for moves of this state
                ended = control[kernel.LAST] < 0 and control[kernel.GOALS]
                return kernel.BUDGET if ended else kernel.LOOSE
        return kernel.BUDGET

    def _expand_part(self, thread: int, fixed: Fixed, known: States, control: np.ndarray, part: tuple[int, int]) -> int:
        shapes, lines, steps = fixed
        size, gaps, own = len(shapes), self._gaps[thread], self._controls[thread]
        found = self._found.get((thread, size))
        if found is None:
            found = self._found[thread, size] = States(known.arrays[-1])
        found.clear()
        own[:] = control
        own[kernel.COUNT], own[kernel.HEAD], own[kernel.END] = 0, *part
        own[kernel.GAPS], own[kernel.SETS] = gaps.known, MOST_SETS
        own[kernel.DIVIDED], own[kernel.LEFT] = 1, -1
        while True:
            answer = kernel.advance(shapes, lines, gaps.arrays, known.arrays, found.arrays, known.goals, steps, own)
            gaps.known = int(own[kernel.GAPS])
            if answer == kernel.MORE_GAPS:
                gaps.widen(size)
            elif answer == kernel.MORE_STATES:
                found.widen(int(own[kernel.COUNT]), 4 * len(found.goals))
                found.keep()
            else:
                return answer

    def _merge(self, thread: int, size: int, known: States, most: int, control: np.ndarray) -> int:
        """Add what a thread has found to the known states; return whether there was room for it."""
        own, begin = self._controls[thread], 0
        count = int(own[kernel.COUNT])
        if control[kernel.LAST] >= 0 or not control[kernel.GOALS]:
            found = self._found[thread, size].arrays
            while (begin := kernel.merge(known.arrays, found, control, begin, count)) < count:
                if not known.widen(int(control[kernel.COUNT]), most):
                    return kernel.MORE_STATES
        return kernel.DONE
