"""Search for the arrangement of a double-six set with the most solutions.

    python -m tests.tools.bench.double_six [--seconds N] [--seed N] [--steps N]

The numbers of the 28 dominoes of a double-six set are in seven rows of eight. A solution divides the numbers into
dominoes that are all different. ``puzzles/dominoes/double-six-many.puzzle`` has the best arrangement that this search
found.

The search is simulated annealing with restarts. Each start fills a random division into dominoes with the set, so it
has a solution. A step exchanges two dominoes of a known solution, rotates one, exchanges two numbers, or exchanges two
values in some columns. Steps without any solution are rejected.

`solutions` counts by layers: from the left and from the right to the middle, cell by cell. A state of a layer has the
covered cells of the next column and the used dominoes. The halves are joined at the middle. An arrangement with many
solutions has few states, so a count takes about 20 microseconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import jit

ROWS, COLUMNS = 7, 8
CELLS, DOMINOES = ROWS * COLUMNS, ROWS * COLUMNS // 2

#: Slots of a hash table and the most states of a layer. A half of the board has fewer divisions than that.
_SLOTS, _STATES = 1 << 18, 1 << 16

#: The highest and the lowest temperature, for the logarithm of the number of solutions.
_HOT, _COLD = 1.2, 0.05

#: A search for a solution of an arrangement ends after this many nodes.
_NODES = 200_000

Numbers = npt.NDArray[np.int64]


class Layer(NamedTuple):
    """The states of a layer with their numbers of ways, and a hash table that finds them.

    Attributes:
        keys: The states, uint64.
        ways: The number of ways to reach each state, int64.
        slots: The state in each slot, int32.
        stamps: The generation in which each slot was written, int64.
        size: The number of states and the generation, int64.

    """

    keys: npt.NDArray[np.uint64]
    ways: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int32]
    stamps: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]


def new_layer() -> Layer:
    """Return an empty layer."""
    return Layer(
        np.zeros(_STATES, np.uint64),
        np.zeros(_STATES, np.int64),
        np.zeros(_SLOTS, np.int32),
        np.zeros(_SLOTS, np.int64),
        np.zeros(2, np.int64),
    )


def domino_bits() -> npt.NDArray[np.uint64]:
    """Return the bit of the domino of each pair of numbers, as an array of shape (7, 7) of uint64."""
    bits = np.zeros((7, 7), np.uint64)
    for number, (first, second) in enumerate(zip(*np.triu_indices(7), strict=True)):
        bits[first, second] = bits[second, first] = 1 << number
    return bits


BITS = domino_bits()


@jit
def _slot(layer: Layer, key: np.uint64) -> np.int64:
    """Return the slot of a state, or the free slot where it belongs."""
    slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(46))
    while layer.stamps[slot] == layer.size[1] and layer.keys[layer.slots[slot]] != key:
        slot = (slot + 1) & (_SLOTS - 1)
    return slot


@jit
def _add(layer: Layer, key: np.uint64, ways: int) -> None:
    slot = _slot(layer, key)
    if layer.stamps[slot] != layer.size[1]:
        state = layer.size[0]
        layer.size[0] += 1
        layer.stamps[slot] = layer.size[1]
        layer.slots[slot] = state
        layer.keys[state] = key
        layer.ways[state] = 0
    layer.ways[layer.slots[slot]] += ways


@jit
def _clear(layer: Layer) -> None:
    layer.size[0] = 0
    layer.size[1] += 1


@jit
def _half(board: Numbers, bits: npt.NDArray[np.uint64], from_right: bool, layer: Layer, other: Layer) -> Layer:
    """Return the states when half of the columns are covered, from the left or from the right.

    The low seven bits of a state mark the covered cells among the next seven. The bits of the used dominoes follow.
    """
    used_bits, one = np.uint64(ROWS), np.uint64(1)
    _clear(layer)
    _add(layer, np.uint64(0), 1)
    for cell in range(CELLS // 2):
        _clear(other)
        row = cell % ROWS
        column = COLUMNS - 1 - cell // ROWS if from_right else cell // ROWS
        number = board[row, column]
        across = bits[number, board[row, column - 1 if from_right else column + 1]] << used_bits
        down = bits[number, board[row + 1, column]] << used_bits if row + 1 < ROWS else np.uint64(0)
        for state in range(layer.size[0]):
            key, ways = layer.keys[state], layer.ways[state]
            covered = key & np.uint64((1 << ROWS) - 1)
            used = key ^ covered
            if covered & one:
                _add(other, used | (covered >> one), ways)
                continue
            if down and not covered & np.uint64(2) and not used & down:
                _add(other, used | down | ((covered | np.uint64(2)) >> one), ways)
            if not used & across:
                _add(other, used | across | (covered >> one) | np.uint64(1 << (ROWS - 1)), ways)
        layer, other = other, layer
    return layer


@jit
def _solutions(
    board: Numbers, bits: npt.NDArray[np.uint64], left: tuple[Layer, Layer], right: tuple[Layer, Layer]
) -> int:
    before = _half(board, bits, False, left[0], left[1])
    after = _half(board, bits, True, right[0], right[1])
    every = np.uint64((1 << DOMINOES) - 1)
    middle = COLUMNS // 2
    total = 0
    for state in range(after.size[0]):
        key = after.keys[state]
        covered = key & np.uint64((1 << ROWS) - 1)
        # Both halves contain the dominoes that cross the middle.
        crossing = np.uint64(0)
        for row in range(ROWS):
            if covered >> np.uint64(row) & np.uint64(1):
                crossing |= bits[board[row, middle - 1], board[row, middle]]
        rest = (every ^ (key >> np.uint64(ROWS))) | crossing
        wanted = rest << np.uint64(ROWS) | covered
        slot = _slot(before, wanted)
        if before.stamps[slot] == before.size[1]:
            total += after.ways[state] * before.ways[before.slots[slot]]
    return total


class Counter:
    """A counter of solutions that keeps its tables between arrangements."""

    def __init__(self) -> None:
        self.left = (new_layer(), new_layer())
        self.right = (new_layer(), new_layer())

    def solutions(self, board: Numbers) -> int:
        """Return the number of solutions of an arrangement.

        Args:
            board: Numbers from 0 to 6, an int64 array of shape (7, 8).

        """
        return int(_solutions(board, BITS, self.left, self.right))


@jit
def _find_division(
    board: Numbers, bits: npt.NDArray[np.uint64], distinct: bool, chosen: Numbers, tried: Numbers
) -> bool:
    """Write a random division into dominoes to ``chosen``, an array of shape (28, 2) of cells; return if there is one.

    With ``distinct``, all dominoes are different.
    """
    one, every = np.uint64(1), np.uint64((1 << CELLS) - 1)
    covered, used = np.uint64(0), np.uint64(0)
    depth = 0
    tried[:] = 0
    first = np.random.randint(0, 2, DOMINOES)
    for _ in range(_NODES):
        if covered == every:
            return True
        cell = 0 if depth == 0 else chosen[depth - 1, 0]
        while covered >> np.uint64(cell) & one:
            cell += 1
        placed = False
        while tried[depth] < 2 and not placed:
            down = (tried[depth] ^ first[depth]) == 1
            tried[depth] += 1
            row, column = cell // COLUMNS, cell % COLUMNS
            if (row + 1 == ROWS) if down else (column + 1 == COLUMNS):
                continue
            mate = cell + (COLUMNS if down else 1)
            bit = bits[board[row, column], board[mate // COLUMNS, mate % COLUMNS]]
            if covered >> np.uint64(mate) & one or (distinct and used & bit):
                continue
            chosen[depth, 0], chosen[depth, 1] = cell, mate
            placed = True
        if placed:
            depth += 1
            if depth < DOMINOES:
                tried[depth] = 0
        else:
            depth -= 1
            if depth < 0:
                return False
        # After a step back, the last domino is taken away.
        covered, used = np.uint64(0), np.uint64(0)
        for number in range(depth):
            cell, mate = chosen[number, 0], chosen[number, 1]
            covered |= one << np.uint64(cell) | one << np.uint64(mate)
            used |= bits[board[cell // COLUMNS, cell % COLUMNS], board[mate // COLUMNS, mate % COLUMNS]]
    return False


@jit
def _change(board: Numbers, known: Numbers) -> None:
    """Change the arrangement by a random step. ``known`` is a solution, or was one."""
    cells = board.reshape(CELLS)
    kind = np.random.randint(10)
    if kind < 4:
        one, other = known[np.random.randint(DOMINOES)], known[np.random.randint(DOMINOES)]
        swap = np.random.randint(2)
        for end in range(2):
            cells[one[end]], cells[other[end ^ swap]] = cells[other[end ^ swap]], cells[one[end]]
    elif kind < 6:
        one = known[np.random.randint(DOMINOES)]
        cells[one[0]], cells[one[1]] = cells[one[1]], cells[one[0]]
    elif kind < 9:
        here, there = np.random.randint(CELLS), np.random.randint(CELLS)
        cells[here], cells[there] = cells[there], cells[here]
    else:
        first, last = np.random.randint(COLUMNS), np.random.randint(COLUMNS)
        part = board[:, min(first, last) : max(first, last) + 1]
        value, mate = np.random.randint(7), np.random.randint(7)
        if np.sum(part == value) == np.sum(part == mate):
            part[:] = np.where(part == value, mate, np.where(part == mate, value, part))


@jit
def _anneal(
    board: Numbers,
    bits: npt.NDArray[np.uint64],
    known: Numbers,
    steps: int,
    left: tuple[Layer, Layer],
    right: tuple[Layer, Layer],
) -> tuple[int, Numbers]:
    """Run the steps of a start; return the most solutions and their arrangement."""
    tried, found = np.zeros(DOMINOES, np.int64), known.copy()
    now = _solutions(board, bits, left, right)
    best, best_board = now, board.copy()
    for step in range(steps):
        temperature = _HOT * (_COLD / _HOT) ** (step / steps)
        changed = board.copy()
        _change(changed, known)
        count = _solutions(changed, bits, left, right)
        if count == 0 or np.random.random() >= (count / now) ** (1 / temperature):
            continue
        now = count
        board[:] = changed
        if _find_division(board, bits, True, found, tried):
            known[:] = found
        if now > best:
            best, best_board = now, board.copy()
    return best, best_board


@jit
def _seed(seed: int) -> None:
    np.random.seed(seed)


def start(random: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Return an arrangement with a solution, and that solution."""
    known = np.zeros((DOMINOES, 2), np.int64)
    board = np.zeros((ROWS, COLUMNS), np.int64)
    _find_division(board, BITS, False, known, np.zeros(DOMINOES, np.int64))
    dominoes = random.permuted(random.permutation(np.transpose(np.triu_indices(7))), axis=1)
    board.reshape(CELLS)[known] = dominoes
    return board, known


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.double_six")
    parser.add_argument("--seconds", type=float, default=60, help="time for all starts; the last one is finished")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=400_000, help="steps of each start")
    chosen = parser.parse_args(arguments)
    counter, random = Counter(), np.random.default_rng(chosen.seed)
    _seed(chosen.seed)
    best, number, begin = 0, 0, time.monotonic()
    while time.monotonic() < begin + chosen.seconds:
        number += 1
        board, known = start(random)
        most, found = _anneal(board, BITS, known, chosen.steps, counter.left, counter.right)
        print(f"start {number}: {most}", flush=True)
        if most > best:
            best = most
            print(f"best after {time.monotonic() - begin:.0f} s: {best}")
            print("\n".join("".join(map(str, row)) for row in found), flush=True)


if __name__ == "__main__":
    main()
