"""Ways to understand what is said of a solution by names alone: which copy of a piece, turned in which way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from puzzlec.ir import Fitting, Placement


def partitions(region: frozenset[int], at: Mapping[int, Sequence[Placement]]) -> Iterator[list[Placement]]:
    """Give the ways to cut a region into placements, listed by the locations that they cover."""

    def choices(left: frozenset[int]) -> Iterator[Placement]:
        hardest = min(left, key=lambda location: (len(at.get(location, ())), location))
        return (each for each in at.get(hardest, ()) if left.issuperset(each.locations))

    chosen: list[Placement] = []
    stack = [(region, choices(region))]
    while stack:
        left, following = stack[-1]
        each = next(following, None)
        if each is None:
            stack.pop()
            if chosen:
                chosen.pop()
            continue
        rest = left.difference(each.locations)
        if not rest:
            yield [*chosen, each]
            continue
        chosen.append(each)
        stack.append((rest, choices(rest)))


class Reading:
    """Placements that are chosen one after the other, with what speaks against another one."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.mate = fitting, dict(fitting.mates)
        self.chosen: list[Placement] = []
        self.used: Counter[int] = Counter()
        self.tile: dict[int, Placement] = {}

    def add(self, several: Sequence[Placement]) -> None:
        """Choose some placements."""
        self.chosen += several
        self.used.update(each.piece for each in several)
        self.tile.update((each.locations[0], each) for each in several if self.fitting.pieces[each.piece].sides)

    def remove(self, several: Sequence[Placement]) -> None:
        """Take the last placements that were chosen back."""
        del self.chosen[len(self.chosen) - len(several) :]
        self.used.subtract(each.piece for each in several)
        for each in several:
            if self.fitting.pieces[each.piece].sides:
                self.tile.pop(each.locations[0], None)

    def allows(self, several: Sequence[Placement]) -> bool:
        """Whether pieces and sides are such that these placements can come to those that are chosen."""
        more = Counter(each.piece for each in several)
        return all(
            self.used[piece] + number <= self.fitting.pieces[piece].high for piece, number in more.items()
        ) and all(self._matches(each) for each in several if self.fitting.pieces[each.piece].sides)

    def _matches(self, tile: Placement) -> bool:
        """Whether the sides of a tile match those of its neighbours."""
        here, beyond = tile.locations[0], self.fitting.beyond
        for other, colour in zip(beyond[here], self.fitting.pieces[tile.piece].sides[tile.index], strict=True):
            neighbour = self.tile.get(other)
            # Where a board goes around two locations can meet more than once: the checker knows better there.
            if neighbour is not None and beyond[other].count(here) == 1 and beyond[here].count(other) == 1:
                shown = self.fitting.pieces[neighbour.piece].sides[neighbour.index][beyond[other].index(here)]
                if shown != self.mate.get(colour, colour):
                    return False
        return True
