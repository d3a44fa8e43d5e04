"""Weighings: linear proofs, modulo a small number, that a fitting has no solution.

Give each location a weight such that all placements of a piece have the same weight. Then the number of pieces gives
the total weight of a solution, and the locations give it again. If the two differ, no solution exists. Marking the
dark cells of a checkerboard is such a weighing, modulo 2 or in plain integers (S. W. Golomb, "Polyominoes").
J. H. Conway and J. C. Lagarias, "Tiling with polyominoes and combinatorial group theory" (1990), call these arguments
generalized colouring arguments.

A weighing modulo m is a vector y over the items of the exact cover with y.o = 0 for each option o. It is a proof if
y.k != 0, where k has the number of times each item is covered. An elimination finds all of them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from puzzlec.ir import Fitting

#: The families of moduli: a prime, and its powers. A proof modulo a lower power is also a proof modulo the highest
#: power, so one elimination decides whether the family has a proof. Two numbers below 16 and their product fit into a
#: byte together, as do up to 28 numbers below 9.
FAMILIES = ((2, (2, 4, 8)), (3, (3, 9)), (5, (5,)), (7, (7,)))

#: Limits of the elimination: items (it takes up to items**2 steps of a microsecond or two), and entries of options.
MOST_ITEMS, MOST_ENTRIES = 600, 1_000_000

#: The number of the lot of locations that stay empty.
EMPTY = -1


class Lot(NamedTuple):
    """Pieces with the same placements, and so the same weight; ``copies`` of them in all (None: unknown).

    ``pieces`` are their numbers, or ``EMPTY`` for the locations that stay empty if their number is known.
    """

    pieces: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    copies: int | None

    @property
    def is_empty(self) -> bool:
        """Whether this lot has the locations that stay empty."""
        return self.pieces == (EMPTY,)


@dataclass(frozen=True)
class Witness:
    """A weighing that proves that no solution exists.

    Each placement of ``lots[n]`` weighs ``values[n]``: modulo ``modulus``, or exactly if that is 0. ``together`` is the
    total weight of the lots with their copies, ``there`` the weight of the locations.
    """

    weights: tuple[int, ...]
    modulus: int
    lots: tuple[Lot, ...]
    values: tuple[int, ...]
    together: int
    there: int


def weighed(rows: Iterable[tuple[Lot, int]]) -> int:
    """Return the total weight of lots from the weight of a copy of each.

    If the number of copies is unknown, each copy weighs 0 or a multiple of the modulus, and is left out.
    """
    return sum(lot.copies * value for lot, value in rows if lot.copies is not None)


def number_of_empty(fitting: Fitting) -> int | None:
    """Return the number of locations that stay empty; None if unknown."""
    if not fitting.optional:
        return 0
    low, high = fitting.empty or (0, len(fitting.optional))
    return low if low == high else None


def _alike(fitting: Fitting) -> list[list[int]]:
    """Return the numbers of pieces with the same placements; unusable pieces are left out."""
    alike: dict[tuple[bytes, bytes], list[int]] = {}
    for number, piece in enumerate(fitting.pieces):
        if piece.high and len(piece.placements):
            key = (piece.placements.starts.tobytes(), piece.placements.locations.tobytes())
            alike.setdefault(key, []).append(number)
    return list(alike.values())


def entries(fitting: Fitting) -> int:
    """Return the number of locations in all rows of the lots, without those for empty locations."""
    return sum(len(fitting.pieces[numbers[0]].placements.locations) for numbers in _alike(fitting))


def lots(fitting: Fitting) -> tuple[Lot, ...]:
    """Return the pieces in lots; unusable pieces are left out."""
    parts = []
    for numbers in _alike(fitting):
        pieces = [fitting.pieces[number] for number in numbers]
        sure = all(piece.low == piece.high for piece in pieces)
        copies = sum(piece.low for piece in pieces) if sure else None
        parts.append(Lot(tuple(numbers), tuple(pieces[0].placements), copies))
    bare = number_of_empty(fitting)
    if bare is None:
        return tuple(parts)
    if bare:
        parts.append(Lot((EMPTY,), tuple((location,) for location in sorted(fitting.optional)), bare))
    return tuple(_counted(fitting, parts))


def _counted(fitting: Fitting, parts: list[Lot]) -> Iterator[Lot]:
    """Yield the lots; the volume may determine an unknown number of copies of one of them."""
    unsure = [lot for lot in parts if lot.copies is None]
    rest = fitting.locations
    for lot in parts:
        sizes = {len(row) for row in lot.rows}
        if len(sizes) > 1 or 0 in sizes or len(unsure) > 1:
            yield from parts
            return
        rest -= sizes.pop() * (lot.copies or 0)
    for lot in parts:
        copies = lot.copies
        if copies is None:
            size = len(lot.rows[0])
            least = sum(fitting.pieces[number].low for number in lot.pieces) * size
            copies = rest // size if rest >= least and rest % size == 0 else None
        yield lot._replace(copies=copies)


def void_locations(fitting: Fitting) -> frozenset[int]:
    """Return the locations that must have weight 0, since they may or may not be covered."""
    return fitting.optional if number_of_empty(fitting) is None else frozenset()


def judge(parts: Sequence[Lot], weights: Sequence[int]) -> Witness | None:
    """Return the proof that a weighing gives; None if a piece has different weights, or without a contradiction."""
    values = []
    modulus = 0
    for lot in parts:
        sums = {sum([weights[location] for location in row]) for row in lot.rows}
        value = min(sums)
        modulus = gcd(modulus, *[row - value for row in sums], value if lot.copies is None else 0)
        values.append(value)
        if modulus == 1:
            return None
    return conclude(parts, weights, values, modulus)


def conclude(parts: Sequence[Lot], weights: Sequence[int], values: Sequence[int], modulus: int) -> Witness | None:
    """Return the proof that values modulo ``modulus`` (0: exactly) give, or None.

    The proof is modulo the least divisor of ``modulus`` that is enough.
    """
    together, there = weighed(zip(parts, values, strict=True)), sum(weights)
    if together == there:
        return None
    divisors = (divisor for divisor in range(2, min(modulus, 1000) + 1) if modulus % divisor == 0)
    least = next((divisor for divisor in divisors if (there - together) % divisor), 0)
    if modulus and not least:
        return None
    if least:
        values = [value % least for value in values]
        together = weighed(zip(parts, values, strict=True))
    return Witness(tuple(weights), least, tuple(parts), tuple(values), together, there)


def screen(parts: Sequence[Lot], many: Sequence[Sequence[int]]) -> Iterator[tuple[int, Witness]]:
    """Yield the numbers of those weighings by -1, 0 and 1 that prove something; all are judged together."""
    few = [lot._replace(rows=lot.rows[:: max(1, len(lot.rows) // 12)]) for lot in parts]
    rough = _measured(few, many, range(len(many)))
    for number, (values, modulus) in _measured(parts, many, list(rough)).items():
        witness = conclude(parts, many[number], values, modulus)
        if witness is not None:
            yield number, witness


def _measured(
    parts: Sequence[Lot], many: Sequence[Sequence[int]], weighings: Sequence[int]
) -> dict[int, tuple[list[int], int]]:
    """Return the weight of each lot in the chosen weighings, and the modulus (0: exactly).

    Weighings with modulus 1 are left out, because they prove nothing.

    The weights of a location, each plus 1, are packed into one number, so that one sum weighs a placement in all
    weighings.
    """
    packed = [_packed([many[number][at] + 1 for number in weighings]) for at in range(len(many[0]))]
    measured: dict[int, tuple[list[int], int]] = {number: ([], 0) for number in weighings}
    for lot in parts:
        sums = {(sum([packed[location] for location in row]), len(row)) for row in lot.rows}
        measures = [(array("H", total.to_bytes(2 * len(weighings), sys.byteorder)), size) for total, size in sums]
        for lane, number in enumerate(weighings):
            if number in measured:
                values, modulus = measured[number]
                sums_there = [measure[lane] - size for measure, size in measures]
                value = min(sums_there)
                modulus = gcd(modulus, *[partial - value for partial in sums_there], value if lot.copies is None else 0)
                measured[number] = ([*values, value], modulus)
                if modulus == 1:
                    del measured[number]
    return measured


def _packed(weights: Sequence[int]) -> int:
    return int.from_bytes(array("H", weights).tobytes(), sys.byteorder)


def holds(fitting: Fitting, weights: Sequence[int], modulus: int) -> bool:
    """Return whether these weights prove, modulo ``modulus`` (0: in integers), that a fitting has no solution.

    This checks each placement of each piece again and shares nothing with the search for the weights.
    """

    def rest(number: int) -> int:
        return number % modulus if modulus else number

    bare, most_bare = (0, len(fitting.optional)) if fitting.empty is None else fitting.empty
    left, volume = sum(weights), fitting.locations
    if fitting.optional and most_bare:
        loose = {rest(weights[location]) for location in fitting.optional}
        if loose != {0} and (len(loose) > 1 or bare != most_bare):
            return False
        left -= bare * loose.pop()
        volume -= bare
    unsure = set()
    for piece in fitting.pieces:
        measures = {(len(row), rest(sum(weights[location] for location in row))) for row in piece.placements}
        if not piece.high or not measures:
            continue
        size, value = min(measures)
        if len({value for _, value in measures}) > 1:
            return False
        # With placements of different sizes, or an unknown number of holes, the volume determines no copies.
        volume = volume - piece.low * size if len(measures) == 1 and volume >= 0 else -1
        left -= piece.low * value
        if piece.low < piece.high:
            unsure.add((size, value))
    if any(value for _, value in unsure):
        size, value = min(unsure)
        if len(unsure) > 1 or size == 0 or volume < 0 or volume % size or (fitting.optional and bare != most_bare):
            return False
        left -= volume // size * value
    return rest(left) != 0


def proofs(fitting: Fitting, parts: Sequence[Lot]) -> tuple[int, list[list[int]]] | None:
    """Return the least modulus of the first family with a proof, and generators of all its weighings; or 0, [].

    A generator has the weights of the locations, then the negated weights of the lots. Its last entry is the remainder:
    if it is not 0, the generator is a proof. Return None if the computation would take too long.
    """
    void = void_locations(fitting)
    counted = [number for number, lot in enumerate(parts) if lot.copies is not None]
    item = {number: fitting.locations + index for index, number in enumerate(counted)}
    entries = sum(len(row) + 1 for lot in parts for row in lot.rows)
    if fitting.locations + len(counted) > MOST_ITEMS or entries > MOST_ENTRIES:
        return None
    options = [
        (*(location for location in row if location not in void), *([item[number]] if number in item else ()))
        for number, lot in enumerate(parts)
        for row in lot.rows
    ]
    demand = [int(location not in void) for location in range(fitting.locations)]
    demand += [parts[number].copies or 0 for number in counted]
    mixed = list(_mixed(options))
    for prime, powers in FAMILIES:
        if annihilator(mixed, demand, prime, powers[-1]):
            for modulus in powers:
                vectors = annihilator(mixed, demand, prime, modulus)
                if vectors:
                    return modulus, vectors
    return 0, []


def _mixed(options: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Yield the options in a mixed order, so that the first few decide nearly all and elimination ends early."""
    number = len(options)
    step = max(1, int(number * 0.618))
    while gcd(step, number) > 1:
        step += 1
    yield from (options[index * step % number] for index in range(number))


def annihilator(options: Iterable[tuple[int, ...]], demand: Sequence[int], prime: int, modulus: int) -> list[list[int]]:
    """Return generators of all y with y.o = 0 for each option o, each followed by y.demand; [] if that is always 0.

    ``modulus`` is a power of ``prime``. The next option changes only the generators that it does not annul. One of them
    is the pivot: the one whose product with the option has the least power of ``prime``. Multiples of the pivot are
    subtracted from the others, and the pivot is multiplied until the option annuls it. Generators are stored by item:
    all entries of one item are a single number, with a byte for each.
    """
    lanes = len(demand)
    table = bytes(value % modulus for value in range(256))
    orders = _orders(prime, modulus)
    vectors = [1 << 8 * item for item in range(lanes)]
    vectors.append(sum(value % modulus << 8 * item for item, value in enumerate(demand)))
    most = 255 // (modulus - 1)
    for option in options:
        product = sum([vectors[item] for item in option[:most]])
        for start in range(most, len(option), most - 1):
            product = _reduced(product, table, lanes) + sum([vectors[i] for i in option[start : start + most - 1]])
        if not product:
            continue
        row = product.to_bytes(lanes, "little").translate(table)
        for power, order in orders:
            pivot = row.translate(order).rfind(1)
            if pivot >= 0:
                _eliminate(vectors, row, pivot, power, modulus, table)
                break
        if not vectors[-1]:
            return []
    if not vectors[-1]:
        return []
    columns = [vector.to_bytes(lanes, "little") for vector in vectors]
    alive = [lane for lane in range(lanes) if any(column[lane] for column in columns)]
    return [[column[lane] for column in columns] for lane in alive]


def _reduced(vector: int, table: bytes, lanes: int) -> int:
    return int.from_bytes(vector.to_bytes(lanes, "little").translate(table), "little")


def _orders(prime: int, modulus: int) -> list[tuple[int, bytes]]:
    """Return the powers of a prime below a modulus, each with a table of the numbers of this order."""
    powers = [prime**exponent for exponent in range(modulus) if prime**exponent < modulus]
    return [
        (power, bytes(int(0 < value < modulus and gcd(value, modulus) == power) for value in range(256)))
        for power in powers
    ]


def _eliminate(vectors: list[int], row: bytes, pivot: int, power: int, modulus: int, table: bytes) -> None:
    """Change the generators so that an option, whose products with them are ``row``, annuls all of them."""
    lanes = len(row)
    inverse = pow(row[pivot] // power, -1, modulus)
    scale = bytes(-(value // power) * inverse % modulus for value in range(256))
    change = bytearray(row.translate(scale))
    change[pivot] = (modulus // power - 1) % modulus
    step = int.from_bytes(change, "little")
    shift = 8 * pivot
    for item, vector in enumerate(vectors):
        factor = vector >> shift & 255
        if factor:
            vectors[item] = _reduced(vector + factor * step, table, lanes)


def sparse(modulus: int, generators: Sequence[Sequence[int]]) -> list[int]:
    """Return a proof with few weights other than 0: the sparsest generator, made sparser by adding the others."""

    def support(vector: list[int]) -> int:
        return sum(map(bool, vector[:-1]))

    best = min((list(generator) for generator in generators if generator[-1]), key=support)
    for _ in range(20):
        sums = (
            [(a + factor * b) % modulus for a, b in zip(best, other, strict=True)]
            for other in generators
            for factor in range(1, modulus)
        )
        better = min((row for row in sums if row[-1]), key=support, default=best)
        if support(better) >= support(best):
            break
        best = better
    return best


def plain(modulus: int, weights: Sequence[int]) -> list[int]:
    """Return the multiple of a weighing whose weights, taken between -modulus/2 and modulus/2, are smallest."""

    def centred(factor: int) -> list[int]:
        weighing = [weight * factor % modulus for weight in weights]
        return [value - modulus if 2 * value > modulus else value for value in weighing]

    units = [factor for factor in range(1, modulus) if gcd(factor, modulus) == 1]
    return min([centred(factor) for factor in units], key=lambda weighing: (sum(map(abs, weighing)), -sum(weighing)))
