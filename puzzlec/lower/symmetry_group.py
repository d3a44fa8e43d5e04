"""A group of symmetries as permutations of options and items."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from puzzlec.geometry import Matrix
from puzzlec.geometry.wrapping import Isometry

#: Maximum number of integers in the list of a group, which has each element as a permutation of the options.
MOST_NUMBERS = 60_000_000


@dataclass(frozen=True)
class Symmetry:
    """A group of symmetries.

    Element ``k`` takes option ``o`` to ``options[k][o]`` and item ``i`` to ``items[k][i]`` (arrays of int32); the
    identity is element 0. ``movements`` are the isometries of the lattice with this effect. Automorphisms have none,
    and neither have symmetries that move parts of a board separately.
    """

    options: tuple[array[int], ...]
    items: tuple[array[int], ...]
    movements: tuple[Isometry, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.options)

    @property
    def turns(self) -> tuple[Matrix, ...]:
        """Lattice matrices of the elements; empty if elements are not isometries."""
        return tuple(movement.turn for movement in self.movements)
