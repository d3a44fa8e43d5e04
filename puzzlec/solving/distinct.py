"""Distinct solutions without storing any: search representatives, and compare ties with their images.

Let G be the symmetry group, i an item with exactly one option in every solution, and H the subgroup of G that maps i to
itself. One option of each orbit of H on the options of i is kept. A solution is *admissible* if its option of i is
kept. Every orbit of solutions under G has an admissible member, since H can move any option of i to the kept one of its
orbit. The search yields only the least admissible member of each orbit (as an ascending tuple of options). Only
symmetries that can take an admissible solution to another one need a comparison. If i is a piece that G maps to itself,
and its kept placement is asymmetric, there are no such symmetries.

This is orderly generation as R. C. Read describes it in "Every one a winner" (Annals of Discrete Mathematics 2, 1978).
Symmetry is broken on the first level of the search tree.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from puzzlec.engine.problem import ExactCover
from puzzlec.lower import Symmetry


class SearchStage(NamedTuple):
    """A part of the search: the exact cover with only these ``options`` of the whole one (ascending).

    If ``compared``, covers are listed, and only the least of an orbit counts. Otherwise every cover counts as
    ``weight`` raw solutions.
    """

    options: array[int]
    compared: bool
    weight: int


class Representatives(NamedTuple):
    """A search restricted to one member of each orbit.

    Symmetry is broken at ``item`` (-1: no item helps). Of its options, only the keys of ``movers`` are kept. The value
    of a key lists the elements that may take an admissible solution with this option to another one. ``having`` are all
    options of the item.
    """

    cover: ExactCover
    symmetry: Symmetry
    item: int
    movers: dict[int, tuple[int, ...]]
    having: frozenset[int]

    @property
    def order(self) -> int:
        """The order of the symmetry group."""
        return len(self.symmetry)

    def options(self, kept: Iterable[int]) -> array[int]:
        """Return the options of a search, ascending. Of the options of the item it has only ``kept``."""
        kept = set(kept)
        return array("i", (o for o in range(len(self.cover)) if o in kept or o not in self.having))

    @property
    def searched(self) -> ExactCover:
        """The problem restricted to the admissible solutions."""
        return self.cover if self.item < 0 else self.cover.subset(self.options(self.movers))

    @property
    def quiet(self) -> list[int]:
        """The kept options whose solutions are all distinct: they are counted without comparisons."""
        return [option for option, movers in self.movers.items() if not movers]

    @property
    def noisy(self) -> list[int]:
        """The kept options whose solutions must be compared with their images."""
        return [option for option, movers in self.movers.items() if movers]

    def stages(self, keep: bool) -> list[SearchStage]:
        """Return the stages. With ``keep``, one stage lists all solutions, in the order of a plain search.

        A count has two stages. If all symmetries fix the item, and only the identity fixes a kept option, each cover
        with this option is the only admissible cover of its orbit.
        """
        quiet, noisy = self.quiet, self.noisy
        if self.order == 1:
            return [SearchStage(self.options(()), compared=False, weight=1)]
        if self.item < 0 or not quiet or (noisy and keep):
            return [SearchStage(self.options(self.movers), compared=True, weight=0)]
        stages = [SearchStage(self.options(quiet), compared=False, weight=self.order)]
        return [*stages, SearchStage(self.options(noisy), compared=True, weight=0)] if noisy else stages

    def searched_in(self, stage: SearchStage) -> ExactCover:
        """Return the exact cover that a stage searches."""
        return self.cover if len(stage.options) == len(self.cover) else self.cover.subset(stage.options)

    def is_least(self, solution: tuple[int, ...]) -> bool:
        """Return whether an admissible solution is the least admissible one of its orbit."""
        return all(solution <= image for image in self._admissible_images(solution))

    def least(self, solution: tuple[int, ...]) -> tuple[int, ...]:
        """Return the least admissible solution in the orbit of an admissible one."""
        return min([solution, *self._admissible_images(solution)])

    def share(self, solution: tuple[int, ...]) -> float:
        """Return the fraction of a distinct solution that one admissible solution represents.

        The shares of all admissible solutions that are images of each other add up to 1.
        """
        return 1 / len({solution, *self._admissible_images(solution)})

    def orbit_size(self, solution: tuple[int, ...]) -> int:
        """Return the number of raw solutions that a distinct one represents."""
        images = {tuple(sorted([options[o] for o in solution])) for options in self.symmetry.options}
        return len(images)

    def _admissible_images(self, solution: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if self.item < 0:
            movers: Iterable[int] = range(1, self.order)
        else:
            movers = next(self.movers[option] for option in solution if option in self.movers)
        for element in movers:
            permutation = self.symmetry.options[element]
            image = tuple(sorted([permutation[option] for option in solution]))
            if self.item < 0 or not self.movers.keys().isdisjoint(image):
                yield image


class Shares:
    """The shares of solutions of a restricted search, from their options in ``searched``, ascending.

    ``seconds`` is the time for comparing these solutions with their images.
    """

    def __init__(self, representatives: Representatives) -> None:
        self.seconds = 0.0
        self._chosen = representatives
        self._options = (
            range(len(representatives.cover))
            if representatives.item < 0
            else representatives.options(representatives.movers)
        )

    def __call__(self, solution: Sequence[int]) -> float:
        """Return the share of a solution."""
        options = self._options
        begun = time.perf_counter()
        cover = tuple([options[option] for option in solution])
        self._chosen.is_least(cover)
        self.seconds += time.perf_counter() - begun
        return self._chosen.share(cover)


#: An item is nearly as good as the best one if the fraction of its options that is kept is larger by at most this
#: factor.
NEARLY_BEST_FACTOR = 1.05


def representatives(cover: ExactCover, symmetry: Symmetry) -> Representatives:
    """Return the best restriction by symmetry: by the item that keeps the least fraction of its options.

    If several items are nearly as good, the one with the fewest options is taken. It is usually the best first item
    (pentominoes in 3x4x5: half the nodes).
    """
    nobody = Representatives(cover, symmetry, -1, {}, frozenset())
    if len(symmetry) == 1:
        return nobody
    fixing = [_inside(symmetry, item) for item in range(cover.primary)]
    once = [item for item in range(cover.primary) if (cover.low[item], cover.high[item]) == (1, 1)]
    having: dict[int, Sequence[int]] = {}
    kept: dict[int, list[int]] = {}
    parts: dict[int, float] = {}
    for order in sorted(set(map(len, fixing)), reverse=True):
        # The kept fraction is at least 1 / |H|: skip items that cannot be as good as the best one.
        if 1 / order > NEARLY_BEST_FACTOR * min(parts.values(), default=1.0):
            break
        some = [item for item in once if len(fixing[item]) == order]
        options_of = cover.options_of_items(some)
        for item in some:
            if len(options_of[item]):
                having[item] = options_of[item]
                kept[item] = _orbits(list(map(int, having[item])), [symmetry.options[k] for k in fixing[item]])
                parts[item] = len(kept[item]) / len(having[item])
    least = min(parts.values(), default=1.0)
    if least == 1.0:
        return nobody
    held = min(
        (item for item in parts if parts[item] <= NEARLY_BEST_FACTOR * least),
        key=lambda item: (len(having[item]), item),
    )
    return _held(cover, symmetry, held, kept[held], having[held])


def _held(cover: ExactCover, symmetry: Symmetry, item: int, kept: list[int], having: Sequence[int]) -> Representatives:
    """Return the restriction to the kept options of an item."""
    keep = set(kept)
    inside = _inside(symmetry, item)
    outside = [k for k in range(len(symmetry)) if symmetry.items[k][item] != item]
    movers = {
        option: tuple(sorted(outside + [k for k in inside if k and symmetry.options[k][option] in keep]))
        for option in kept
    }
    return Representatives(cover, symmetry, item, movers, frozenset(map(int, having)))


def _inside(symmetry: Symmetry, item: int) -> list[int]:
    """Return the elements of the group that map an item to itself; 0 is the identity."""
    return [k for k in range(len(symmetry)) if symmetry.items[k][item] == item]


def _orbits(options: list[int], permutations: list[array[int]]) -> list[int]:
    """Return the least option of each orbit."""
    seen: set[int] = set()
    kept = []
    for option in options:
        if option not in seen:
            kept.append(option)
            seen.update(permutation[option] for permutation in permutations)
    return kept
