"""Solutions counted by a label: the sum of the labels of their options, such as their pieces or their cost.

The covers are listed. If they are too many, a diagram of all covers is made instead. From the last node up, each node
gets the number of its covers for each label.

Distinct solutions of a label are their orbits under the symmetries that keep it. By Burnside's lemma, their number is
the mean of the numbers of solutions with this label that each of these symmetries fixes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from puzzlec.engine import ExactCover, Limits, Search, Stop, UnfinishedError
from puzzlec.engine.limits import deadline_of
from puzzlec.engine.search import selection
from puzzlec.engine.search.cheapest import Within
from puzzlec.lower import Symmetry
from puzzlec.solving.burnside import Fixed, fixed, unweighted

#: A range of labels without bounds.
ALL_LABELS = (None, None)

#: Maximum number of covers that are listed before a diagram is made, and the maximum number of nodes of a search for
#: covers within a range.
MAX_COVERS_LISTED, MAX_NODES_IN_RANGE = 200_000, 2_000_000

#: Covers, or nodes of a diagram, between two checks of the clock.
COVERS_BETWEEN_CLOCK_CHECKS = 4096


class Fixing(NamedTuple):
    """The problem whose covers are those that a symmetry fixes, and the labels that it keeps; None: all."""

    same: Fixed
    labels: Collection[int] | None = None


def each_fixing(cover: ExactCover, group: Symmetry) -> Iterator[Fixing]:
    """Yield the symmetries of a group that keeps all labels, except the identity."""
    for element in range(1, len(group)):
        yield Fixing(fixed(cover, group, element))


class Tally:
    """A count by labels of the options of a cover.

    Args:
        cover: The exact cover.
        labels: A number for each option. Every label of a cover is a sum of these.
        limits: Limit of seconds, counted from now on.
        threads: The number of threads that list covers.
        memory: Bytes that a diagram may take. Default: 1 GiB.
        way: ``list``, ``diagram``, or ``auto``: list, and make a diagram if there are too many covers.
        within: Count only covers with a label from the first to the second number. None means no bound.

    """

    def __init__(
        self,
        cover: ExactCover,
        labels: Sequence[int],
        limits: Limits | None = None,
        threads: int = 1,
        way: str = "auto",
        within: tuple[int | None, int | None] = ALL_LABELS,
    ) -> None:
        self.cover, self.labels, self.threads, self.way, self.within = cover, labels, threads, way, within
        limits = limits or Limits()
        self.memory, self._end = limits.memory, deadline_of(limits)
        #: The number of covers found with each label; lower bounds while a search is unfinished.
        self.raw: Counter[int] = Counter()
        #: Nodes of the ended searches.
        self.nodes = 0

    def count(self) -> None:
        """Count the covers of each label. Raises UnfinishedError at a limit."""
        self._count(self.cover, self.labels, self.raw)

    def orbits(self, symmetries: Iterable[Fixing]) -> dict[int, int]:
        """Return the number of distinct solutions of each label, once :meth:`count` is done.

        Args:
            symmetries: All symmetries except the identity, each with the labels that it keeps. The symmetries of a
                label must be a group. A symmetry may come several times, each time with other labels.

        Raises:
            UnfinishedError: If a limit ends the search.

        """
        total, keeping = Counter(self.raw), Counter(dict.fromkeys(self.raw, 1))
        for symmetry in symmetries:
            labels = self.raw.keys() if symmetry.labels is None else symmetry.labels
            keeping.update(labels)
            orbit_labels = [sum([self.labels[option] for option in orbit]) for orbit in symmetry.same.orbits]
            cover = unweighted(symmetry.same)
            here = Counter[int]()
            self._count(cover, orbit_labels + [0] * (len(cover) - len(orbit_labels)), here)
            total.update({label: here[label] for label in labels})
        if any(total[label] % keeping[label] for label in self.raw):
            raise ValueError("the permutations are not a group of symmetries of this problem")
        return {label: total[label] // keeping[label] for label in self.raw}

    def _count(self, cover: ExactCover, labels: Sequence[int], counts: Counter[int]) -> None:
        """Count the covers of a problem by their labels."""
        capped = self.way == "auto" and selection.has_numba()
        if self.way != "diagram" and self._list(cover, labels, counts, capped):
            return
        try:
            counted = self._by_diagram(cover, labels)
        except UnfinishedError as error:
            if error.reason is not Stop.MEMORY or self.way == "diagram" or self.within == ALL_LABELS:
                raise
            counts.clear()
            self._list(cover, labels, counts, False)
            return
        counts.clear()
        counts.update({label: number for label, number in counted.items() if self.is_within(label)})

    def is_within(self, label: int) -> bool:
        """Return whether a label is counted."""
        low, high = self.within
        return (low is None or label >= low) and (high is None or label <= high)

    def _list(self, cover: ExactCover, labels: Sequence[int], counts: Counter[int], capped: bool) -> bool:
        """List the covers; return false if the list is ``capped``, and they are too many or take too long."""
        search: Search | Within
        if self.within == ALL_LABELS:
            search = Search(cover, limits=self.left(), threads=self.threads)
        else:
            limits = replace(self.left(), nodes=MAX_NODES_IN_RANGE if capped else None)
            search = Within(cover.with_costs(labels), *self.within, limits)
        try:
            for number, options in enumerate(search, 1):
                counts[sum([labels[option] for option in options])] += 1
                if capped and number == MAX_COVERS_LISTED:
                    return False
        finally:
            self.nodes += search.nodes
        if search.stopped is Stop.NODES:
            return False
        if search.stopped is not None:
            raise UnfinishedError(search.stopped, "the search was stopped")
        return True

    def _by_diagram(self, cover: ExactCover, labels: Sequence[int]) -> dict[int, int]:
        from puzzlec.engine.diagram import SolutionSet

        diagram = SolutionSet.of(cover, limits=self.left())
        self.nodes += diagram.nodes
        starts, options, children = (
            diagram.starts.tolist(), diagram.branch_options.tolist(), diagram.branch_children.tolist()
        )  # fmt: skip
        last = dict(zip(children, _parents(starts), strict=True))  # of each node, the last node with a branch to it
        counts: dict[int, dict[int, int]] = {0: {}, 1: {0: 1}}
        for node in range(2, diagram.root + 1):
            here: dict[int, int] = {}
            for branch in range(starts[node], starts[node + 1]):
                option, child = options[branch], children[branch]
                label = labels[option] if option >= 0 else 0
                for key, number in counts[child].items():
                    here[key + label] = here.get(key + label, 0) + number
            counts[node] = here
            for branch in range(starts[node], starts[node + 1]):
                if children[branch] > 1 and last[children[branch]] == node:
                    counts.pop(children[branch], None)
            if node % COVERS_BETWEEN_CLOCK_CHECKS == 0 and self.left().seconds == 0:
                raise UnfinishedError(Stop.SECONDS, "the search was stopped")
        return counts[diagram.root]

    def left(self) -> Limits:
        """Return the limits of the remaining seconds and of memory."""
        seconds = None if self._end is None else max(0.0, self._end - time.monotonic())
        return Limits(seconds=seconds, memory=self.memory)


def _parents(starts: list[int]) -> list[int]:
    """Return for each branch of a diagram its node."""
    return [node for node in range(len(starts) - 1) for _ in range(starts[node], starts[node + 1])]
