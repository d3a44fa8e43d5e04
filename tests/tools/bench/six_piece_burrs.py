"""Count all six-piece burrs, and the moves to the first separation of each.

    python -m tests.tools.bench.six_piece_burrs levels [--length 12]
    python -m tests.tools.bench.six_piece_burrs count [--notchable]
    python -m tests.tools.bench.six_piece_burrs sample [--number N] [--seed N]

A burr has six sticks of 2 x 2 cells, two along each axis. Where sticks cross there are 32 inner cells, 12 of them in
each stick. A stick may have or lack each of its 12 cells, but must be connected. An *assembly* chooses six
sticks of which no two have the same inner cell. Assemblies that differ only by one of the 24 symmetries of the burr
count once.

``levels`` takes all assemblies of notchable sticks apart. ``count`` counts the assemblies of all sticks by Burnside's
lemma. ``sample`` estimates from a uniform sample how many of these come apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import combinations, permutations, product
from math import sqrt
from typing import Any

import numpy as np

from puzzlec.engine.kernels.jit import jit
from puzzlec.geometry import Cell, find_lattice
from puzzlec.motion import kernel
from puzzlec.motion.compiled import CompiledSearch
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.kernel import advance
from puzzlec.motion.moves import Body

#: Cells that saw cuts across a stick can remove from a cross-section: unions of sides of two cells, but not all four.
_SIDES = [set[tuple[int, int]](), {(0, 0), (1, 0)}, {(0, 1), (1, 1)}, {(0, 0), (0, 1)}, {(1, 0), (1, 1)}]
_CUTS = [one | other for one in _SIDES for other in _SIDES if len(one | other) < 4]

#: Size of the table of gaps. If it is half full after a search, it is cleared.
_GAPS = 1 << 21

#: States of most searches, and of all.
_FEW, _MANY = 256, 1 << 18


class Burrs:
    """The sticks of a length, in each of the six places, and the symmetries of a burr.

    Args:
        length: The length of the sticks: 6 or more, and even.
        notchable: Whether sticks can be made by straight saw cuts only.

    """

    def __init__(self, length: int = 6, notchable: bool = True) -> None:
        out = (length - 6) // 2
        self.places = [(axis, side) for axis in range(3) for side in (0, 1)]
        self.cells = [
            [cell for cell in product(range(-out, 6 + out), repeat=3) if self._is_in(cell, axis, side)]
            for axis, side in self.places
        ]
        every = [set(cells) for cells in self.cells]
        inner = {cell for one, other in combinations(every, 2) for cell in one & other}
        self.bit = {cell: number for number, cell in enumerate(sorted(inner))}
        self.inside = [[cell for cell in cells if cell in inner] for cells in self.cells]
        #: For each place the sticks, as sets of inner cells.
        self.masks = np.array([self._sticks(place, notchable) for place in range(6)], np.int64)

    @staticmethod
    def _is_in(cell: Cell, axis: int, side: int) -> bool:
        across, thick = cell[(axis + 1) % 3], cell[(axis + 2) % 3]
        return across in ((1, 2), (3, 4))[side] and thick in (2, 3)

    def _sticks(self, place: int, notchable: bool) -> list[int]:
        found = []
        axis, _ = self.places[place]
        for there in product((False, True), repeat=12):
            gone = {cell for cell, has in zip(self.inside[place], there, strict=True) if not has}
            if notchable and not self._is_notchable(gone, axis):
                continue
            if _is_in_one_part(set(self.cells[place]) - gone):
                found.append(sum(1 << self.bit[cell] for cell in self.inside[place] if cell not in gone))
        return found

    @staticmethod
    def _is_notchable(gone: set[Cell], axis: int) -> bool:
        sections: dict[int, set[tuple[int, int]]] = {along: set() for along in range(1, 5)}
        for cell in gone:
            sections[cell[axis]].add((cell[(axis + 2) % 3] - 2, int(cell[(axis + 1) % 3] in (1, 4))))
        return all(section in _CUTS for section in sections.values())

    def stick(self, place: int, mask: int) -> tuple[Cell, ...]:
        """Return the cells of a stick."""
        return tuple(cell for cell in self.cells[place] if cell not in self.bit or mask >> self.bit[cell] & 1)

    @cached_property
    def symmetries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The symmetries: for each place the source of its stick and the new stick, and images of inner cells."""
        sources, images, bits = [], [], []
        numbers = [{int(mask): number for number, mask in enumerate(masks)} for masks in self.masks]
        for order, flips in product(permutations(range(3)), product((False, True), repeat=3)):

            def image(cell: Cell) -> Cell:
                return tuple(5 - cell[k] if flip else cell[k] for k, flip in zip(order, flips, strict=True))  # noqa: B023

            if {image(cell) for cell in self.bit} != set(self.bit):
                continue
            where = [{image(cell) for cell in cells} for cells in self.cells]
            if any(set(cells) not in where for cells in self.cells):
                continue
            source = [where.index(set(cells)) for cells in self.cells]
            to = [self.bit[image(cell)] for cell in self.bit]
            moved = [
                [numbers[place][_moved(int(mask), to)] for mask in self.masks[source[place]]] for place in range(6)
            ]
            sources.append(source)
            images.append(moved)
            bits.append(to)
        return np.array(sources, np.int64), np.array(images, np.int64), np.array(bits, np.int64)


def _moved(mask: int, to: Sequence[int]) -> int:
    return sum(1 << int(to[bit]) for bit in range(32) if mask >> bit & 1)


def _is_in_one_part(cells: set[Cell]) -> bool:
    fresh = [min(cells)]
    left = cells - set(fresh)
    while fresh:
        x, y, z = fresh.pop()
        near = left & {(x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)}
        left -= near
        fresh += near
    return not left


class Mover:
    """The arrays of the kernel for the sticks of burrs, for one thread."""

    def __init__(self, burrs: Burrs) -> None:
        gaps = Gaps(find_lattice("cubic"))
        found = [[gaps.shape_of(burrs.stick(p, int(mask))) for mask in masks] for p, masks in enumerate(burrs.masks)]
        self.shapes, self.ats = np.moveaxis(np.array(found, np.int64), 2, 0)
        search = CompiledSearch(gaps)
        search._add_shapes()
        self.lines, self.steps, self.weights = search._lines, search._steps, search._hash[:6]

    def room(self) -> tuple[Any, ...]:
        """Return the arrays of one thread: gaps, then states twice, and counters."""
        gaps = np.zeros(_GAPS, np.int64), np.full(_GAPS, -1, np.int64), np.zeros((_GAPS, 8), np.int16)
        states = [
            (
                (places, np.empty(n, np.int64), np.empty(2 * n, np.int32), np.empty((n, 4), np.int64), self.weights),
                np.empty(n, np.int64),
            )
            for n in (_FEW, _MANY)
            for places in [np.empty((n, 6), np.int64)]
        ]
        return gaps, states[0], states[1], np.zeros(kernel.CONTROLS, np.int64)


@jit
def _first_level(chosen: Any, mover: Any, room: Any) -> int:
    """Return the moves to the first separation of an assembly, 0 if there is none."""
    shapes, ats, lines, steps = mover
    gaps, few, many, control = room
    numbers = np.empty(6, np.int64)
    for place in range(6):
        numbers[place] = shapes[place, chosen[place]]
    known = control[kernel.GAPS]
    for number in range(2):
        search, goals = few if number == 0 else many
        states, hashes, table = search[0], search[1], search[2]
        for place in range(6):
            states[0, place] = ats[place, chosen[place]] - ats[0, chosen[0]]
        goals[:] = 0
        table[:] = -1
        hashes[0] = table[0] = 0
        control[:] = 0
        control[kernel.COUNT] = control[kernel.END] = 1
        control[kernel.GAPS], control[kernel.SETS], control[kernel.LAST] = known, 64, -1
        control[kernel.LEFT] = -1
        answer = kernel.BUDGET
        while answer == kernel.BUDGET or answer == kernel.MORE_GAPS:
            answer = advance(numbers, lines, gaps, search, search, goals, steps, control)
            if answer == kernel.MORE_GAPS:
                gaps[1][:] = -1
                control[kernel.GAPS] = 0
        known = control[kernel.GAPS]
        if answer == kernel.DONE:
            return control[kernel.MOVES] if control[kernel.GOALS] else 0
    raise MemoryError


@jit
def _is_first(chosen: Any, sources: Any, images: Any) -> bool:
    """Whether no symmetric assembly precedes this one."""
    for number in range(len(sources)):
        for place in range(6):
            other = images[number, place, chosen[sources[number, place]]]
            if other < chosen[place]:
                return False
            if other > chosen[place]:
                break
    return True


@jit
def _levels_from(
    first: int, other: int, masks: Any, sources: Any, images: Any, mover: Any, room: Any, tally: Any
) -> None:
    """Count the assemblies with two sticks in the first two places by their first level, up to symmetry."""
    sticks = masks.shape[1]
    chosen = np.empty(6, np.int64)
    last = np.empty((2, sticks), np.int64)
    chosen[0], chosen[1] = first, other
    along = masks[0, first] | masks[1, other]
    for c in range(sticks):
        if along & masks[2, c]:
            continue
        chosen[2] = c
        for d in range(sticks):
            if along & masks[3, d]:
                continue
            chosen[3] = d
            used = along | masks[2, c] | masks[3, d]
            counts = [0, 0]
            for side in range(2):
                for e in range(sticks):
                    if not used & masks[4 + side, e]:
                        last[side, counts[side]] = e
                        counts[side] += 1
            for e in range(counts[0]):
                chosen[4] = last[0, e]
                for f in range(counts[1]):
                    chosen[5] = last[1, f]
                    if _is_first(chosen, sources, images):
                        tally[_first_level(chosen, mover, room)] += 1


def levels(length: int, threads: int) -> np.ndarray:
    """Return the number of assemblies of notchable sticks for each first level; 0 means stuck."""
    burrs = Burrs(length)
    mover = Mover(burrs)
    sources, images, _ = burrs.symmetries
    rooms = [mover.room() for _ in range(threads)]
    tallies = [np.zeros(64, np.int64) for _ in range(threads)]
    tasks = iter(list(product(range(burrs.masks.shape[1]), repeat=2)))
    constants = mover.shapes, mover.ats, mover.lines, mover.steps

    def work(thread: int) -> None:
        for first, other in tasks:
            _levels_from(first, other, burrs.masks, sources, images, constants, rooms[thread], tallies[thread])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    tally: np.ndarray = sum(tallies, np.zeros(64, np.int64))
    return tally


class Counter:
    """Counts and samples assemblies: two sticks along each axis, as sets of three times eight inner cells.

    The eight cells in the middle belong to sticks of all three axes, each other inner cell to sticks of two axes. So
    each axis has a table of 0 and 1 by three sets of cells: in the middle, shared with the axis before, and shared with
    the axis after. Numbers of assemblies are traces of products of these tables. All of them are below 2**53, so
    floating-point numbers are exact.
    """

    def __init__(self, burrs: Burrs) -> None:
        self.burrs = burrs
        axes_of = {
            bit: [place // 2 for place in range(6) if cell in burrs.cells[place]] for cell, bit in burrs.bit.items()
        }
        self._own = [sum(1 << burrs.bit[cell] for cell in cells) for cells in burrs.inside]
        self._stick = [{int(mask): number for number, mask in enumerate(masks)} for masks in burrs.masks]
        self.middle = [bit for bit, axes in axes_of.items() if len(set(axes)) == 3]
        #: The cells shared by an axis and the next one.
        self.shared = [
            [bit for bit, axes in axes_of.items() if set(axes) == {axis, (axis + 1) % 3}] for axis in range(3)
        ]
        disjoint = np.array([[float(not i & j) for j in range(256)] for i in range(256)])
        self.tables = []
        for axis in range(3):
            one, two = burrs.masks[2 * axis], burrs.masks[2 * axis + 1]
            pairs = (one[:, None] | two[None, :]).ravel()
            table = np.zeros((256, 256, 256))
            np.add.at(
                table,
                (
                    self._picked(pairs, self.middle),
                    self._picked(pairs, self.shared[axis - 1]),
                    self._picked(pairs, self.shared[axis]),
                ),
                1,
            )
            self.tables.append(table)
        self.disjoint = disjoint
        self.left = [table @ disjoint for table in self.tables]
        #: The third table summed over all sets of cells in the middle within a set.
        self.within = self.tables[2].copy()
        for bit in range(8):
            for number in range(256):
                if number >> bit & 1:
                    self.within[number] += self.within[number ^ (1 << bit)]

        self.last = self.within @ disjoint

    def sampled(self, number: int, seed: int) -> np.ndarray:
        """Return the numbers of the sticks of random assemblies, all with the same probability."""
        random = np.random.default_rng(seed)
        weights = np.array([entry[2] for entry in self.sums], float)
        times = random.multinomial(number, weights / weights.sum())
        found = []
        for (one, two, _), often in zip(self.sums, times, strict=True):
            if often:
                matrix = self._matrix(one, two).ravel().cumsum()
                ends = np.searchsorted(matrix, random.random(often) * matrix[-1], "right").tolist()
                found += [self._assembly(random, one, two, *divmod(at, 256)) for at in ends]
        return np.array(found, np.int64)

    def _assembly(self, random: np.random.Generator, one: int, two: int, row: int, column: int) -> list[int]:
        """Return a random assembly with two sets of cells in the middle, and an entry of their matrix."""

        def chosen(weights: np.ndarray) -> int:
            sums = weights.cumsum()
            return int(np.searchsorted(sums, random.random() * sums[-1], "right"))

        left, disjoint = 255 & ~(one | two), self.disjoint
        last = chosen(self.within[left][column] * disjoint[:, row])
        three = chosen(self.tables[2][:, column, last] * disjoint[:, 255 & ~left])
        second = chosen(self.left[0][one][row] * self.left[1][two][:, column])
        first = chosen(self.tables[0][one][row] * disjoint[:, second])
        third = chosen(self.tables[1][two][second] * disjoint[:, column])
        parts = [(one, row, first), (two, second, third), (three, column, last)]
        sticks = []
        for axis, numbers in enumerate(parts):
            places = self.middle, self.shared[axis - 1], self.shared[axis]
            cells = sum(1 << bits[k] for n, bits in zip(numbers, places, strict=True) for k in range(8) if n >> k & 1)
            sticks += [self._stick[2 * axis + side][cells & self._own[2 * axis + side]] for side in (0, 1)]
        return sticks

    @staticmethod
    def _picked(masks: np.ndarray, bits: Sequence[int]) -> np.ndarray:
        found: np.ndarray = sum(((masks >> bit & 1) << k for k, bit in enumerate(bits)), np.zeros_like(masks))
        return found

    @cached_property
    def sums(self) -> list[tuple[int, int, int]]:
        """The number of assemblies for each pair of sets of cells in the middle, of the first two axes."""
        return [
            (one, two, int(self._matrix(one, two).sum()))
            for one in range(256)
            for two in range(256)
            if not one & two and self.tables[0][one].any() and self.tables[1][two].any()
        ]

    def _matrix(self, one: int, two: int) -> np.ndarray:
        """Return the numbers of assemblies with two sets of cells in the middle, by two more sets.

        The row is the set of cells that the first axis has among those shared with the third axis. The column is the
        set that the third axis has among those shared with the second axis.
        """
        found: np.ndarray = (self.left[0][one] @ self.left[1][two]) * self.last[255 & ~(one | two)].T
        return found

    def raw(self) -> int:
        """Return the number of all assemblies, symmetric ones included."""
        return sum(number for _, _, number in self.sums)

    def fixed(self, symmetry: int) -> int:
        """Return the number of assemblies that a symmetry maps to themselves."""
        sources, images = (table[symmetry] for table in self.burrs.symmetries[:2])
        sums, left = {0: 1}, set(range(6))
        while left:
            cycle = [min(left)]
            while sources[cycle[-1]] != cycle[0]:
                cycle.append(int(sources[cycle[-1]]))
            left -= set(cycle)
            joint = self._joint(cycle, images)
            if not left:
                return self._fitting(sums, joint)
            after: dict[int, int] = {}
            for used, times in sums.items():
                for both in (used | joint[used & joint == 0]).tolist():
                    after[both] = after.get(both, 0) + times
            sums = after
        raise AssertionError

    def _joint(self, cycle: Sequence[int], images: np.ndarray) -> np.ndarray:
        """Return the cells of all sticks of a cycle of places, for each choice that a symmetry maps to itself."""
        masks = self.burrs.masks
        found = []
        for number in range(masks.shape[1]):
            used, stick = int(masks[cycle[-1], number]), number
            for place in reversed(cycle[:-1]):
                stick = int(images[place][stick])
                if used & masks[place, stick]:
                    break
                used |= int(masks[place, stick])
            else:
                if images[cycle[-1]][stick] == number:
                    found.append(used)
        return np.array(found, np.int64)

    @staticmethod
    def _fitting(sums: dict[int, int], joint: np.ndarray) -> int:
        """Return the number of sets of cells that fit with other sets, which occur several times."""
        cells = [bit for bit in range(32) if (joint >> bit & 1).any()]
        allowed = sum(1 << bit for bit in cells)
        reduced: dict[int, int] = {}
        for used, times in sums.items():
            reduced[used & allowed] = reduced.get(used & allowed, 0) + times
        return sum(times * int((joint & used == 0).sum()) for used, times in reduced.items())

    def count(self) -> tuple[int, int]:
        """Return the number of assemblies up to symmetry, by Burnside's lemma, and that of all assemblies."""
        symmetries = range(len(self.burrs.symmetries[0]))
        bits = self.burrs.symmetries[2]
        same = next(number for number in symmetries if (bits[number] == np.arange(32)).all())
        raw = self.raw()
        total = raw + sum(self.fixed(number) for number in symmetries if number != same)
        assert total % len(symmetries) == 0
        return total // len(symmetries), raw


@jit
def _look_at(assemblies: Any, sources: Any, images: Any, mover: Any, room: Any, moves: Any, symmetries: Any) -> None:
    """Compute the first level of each assembly, and the number of symmetries that map it to itself."""
    for number in range(len(assemblies)):
        chosen = assemblies[number]
        moves[number] = _first_level(chosen, mover, room)
        for symmetry in range(len(sources)):
            same = True
            for place in range(6):
                if images[symmetry, place, chosen[sources[symmetry, place]]] != chosen[place]:
                    same = False
                    break
            symmetries[number] += same


def sample(length: int, number: int, seed: int) -> None:
    """Print estimates of how many assemblies of all sticks have a first separation, and come apart completely."""
    burrs = Burrs(length, notchable=False)
    counter = Counter(burrs)
    raw, assemblies = counter.raw(), counter.sampled(number, seed)
    sources, images, _ = burrs.symmetries
    mover = Mover(burrs)
    moves, symmetries = np.zeros(number, np.int64), np.zeros(number, np.int64)
    constants = mover.shapes, mover.ats, mover.lines, mover.steps
    _look_at(assemblies, sources, images, constants, mover.room(), moves, symmetries)
    lattice, bodies = find_lattice("cubic"), dict[tuple[int, int], Body]()
    taker, apart = Disassembler(lattice), np.zeros(number, bool)
    for index in np.flatnonzero(moves).tolist():
        those = list(enumerate(assemblies[index].tolist()))
        for place, stick in those:
            if (place, stick) not in bodies:
                bodies[place, stick] = Body("stick", burrs.stick(place, int(burrs.masks[place, stick])))
        apart[index] = taker.take_apart([bodies[k] for k in those]).apart
    for what, has in (("have a first separation", moves > 0), ("come apart completely", apart)):
        weighted = symmetries * has  # an assembly up to symmetry occurs 24 times, or less often if it is symmetric
        mean, error = weighted.mean() * raw / len(sources), weighted.std() / sqrt(number) * raw / len(sources)
        print(f"{what}: {mean:,.0f}, 95 % interval {mean - 1.96 * error:,.0f} to {mean + 1.96 * error:,.0f}")


def main() -> None:
    """Run one of the computations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("levels", "count", "sample"))
    parser.add_argument("--length", type=int, default=6, help="length of the sticks [default: 6]")
    parser.add_argument("--threads", type=int, default=2, help="threads of `levels` [default: 2]")
    parser.add_argument("--notchable", action="store_true", help="count notchable sticks only")
    parser.add_argument("--number", type=int, default=1_000_000, help="assemblies in the sample [default: 1000000]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample [default: 1]")
    args = parser.parse_args()
    begun = time.perf_counter()
    if args.what == "levels":
        tally = levels(args.length, args.threads)
        for level in np.flatnonzero(tally):
            print(f"{'stuck' if level == 0 else level}: {tally[level]:,}")
        print(f"{tally.sum():,} assemblies")
    elif args.what == "count":
        assemblies, raw = Counter(Burrs(args.length, args.notchable)).count()
        print(f"{assemblies:,} assemblies up to symmetry, {raw:,} in all")
    else:
        sample(args.length, args.number, args.seed)
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
