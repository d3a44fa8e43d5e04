"""Isotopy classes of Latin squares, by Burnside's lemma.

An isotopism permutes the rows, the columns and the symbols of a square of order n. The number of classes is the mean,
over all (n!)^3 isotopisms, of the number of fixed squares. This number depends only on the three cycle types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import factorial, prod

from puzzlec.engine import ExactCover, count

Cycles = tuple[int, ...]
Triple = tuple[int, int, int]

#: Squares with the first row and column in order, by their order (https://oeis.org/A000315), for the identity.
REDUCED = {3: 1, 4: 4, 5: 56, 6: 9408, 7: 16942080}


def types(n: int, most: int | None = None) -> Iterator[Cycles]:
    """Yield the cycle types of permutations of n things, with cycles up to a length.

    >>> list(types(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if n == 0:
        yield ()
    for first in range(min(n, n if most is None else most), 0, -1):
        for rest in types(n - first, first):
            yield (first, *rest)


def of_type(cycles: Cycles) -> list[int]:
    """Return a permutation of this type, as the image of each thing."""
    made: list[int] = []
    for length in cycles:
        start = len(made)
        made += [start + (i + 1) % length for i in range(length)]
    return made


def kept(one: Cycles, two: Cycles, three: Cycles) -> int:
    """Return the number of squares that an isotopism fixes: orbits of triples that cover those of pairs."""
    n = sum(one)
    if one == two == three == (1,) * n:
        return factorial(n) * factorial(n - 1) * REDUCED[n]
    moves = of_type(one), of_type(two), of_type(three)

    def orbit(triple: Triple) -> list[Triple]:
        found = [triple]
        while (after := (moves[0][found[-1][0]], moves[1][found[-1][1]], moves[2][found[-1][2]])) != triple:
            found.append(after)
        return found

    def pairs(triple: Triple) -> list[tuple[int, int, int]]:
        row, column, symbol = triple
        return [(0, row, column), (1, row, symbol), (2, column, symbol)]

    def name(pair: tuple[int, int, int]) -> str:
        kind, a, b = pair
        first, second = [(moves[0], moves[1]), (moves[0], moves[2]), (moves[1], moves[2])][kind]
        least, now = (a, b), (first[a], second[b])
        while now != (a, b):
            least, now = min(least, now), (first[now[0]], second[now[1]])
        return f"{kind}:{least}"

    items = {name((kind, a, b)) for kind in range(3) for a in range(n) for b in range(n)}
    options: dict[str, set[str]] = {}
    for row, column, symbol in product(range(n), repeat=3):
        triple = row, column, symbol
        whole = orbit(triple)
        covered = [pair for cycles in whole for pair in pairs(cycles)]
        if triple == min(whole) and len(set(covered)) == len(covered):
            options[str(triple)] = {name(pair) for pair in covered}
    if not items or set().union(*options.values()) != items:
        return 0
    return count(ExactCover.from_sets(options))


def centralizer(cycles: Cycles) -> int:
    """Return the number of permutations that commute with one of this type: n! by it is the size of the type."""
    return prod(length**times * factorial(times) for length, times in Counter(cycles).items())


def isotopy_classes(n: int) -> int:
    """Return the number of isotopy classes of Latin squares of order n; n is in :data:`REDUCED`."""
    total = Fraction(0)
    for three in combinations_with_replacement(types(n), 3):  # the order of the three does not matter
        orders = len(set(permutations(three)))
        total += Fraction(orders * kept(*three), prod(map(centralizer, three)))
    assert total.denominator == 1
    return int(total)
