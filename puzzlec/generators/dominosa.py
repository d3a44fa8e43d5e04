"""Dominosa: the numbers of a set of dominoes in a rectangle, where only one tiling has each domino once."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from puzzlec.generators.kind import GenerationEffort, GeneratorKind, Value, number_in

#: A cell: column and row.
_Cell = tuple[int, int]


class _Deal(NamedTuple):
    """A tiling with dominoes: the two cells of each position, and the two numbers on them."""

    places: list[tuple[_Cell, _Cell]]
    numbers: list[tuple[int, int]]


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a grid of a double-N set with one solution."""
    size = number_in(options["size"], 9, "size")
    unique_deal = effort.unique(
        lambda: _deal(size, effort.random),
        lambda deal: _exchange(deal, effort.random),
        lambda deal: _text(size, deal),
        "none",
    )
    return _text(size, unique_deal), 1


def _deal(size: int, random: Random) -> _Deal:
    numbers = [(a, b) for a in range(size + 1) for b in range(a, size + 1)]
    random.shuffle(numbers)
    return _Deal(_tiling(size + 2, size + 1, random), [_either(pair, random) for pair in numbers])


def _either(pair: tuple[int, int], random: Random) -> tuple[int, int]:
    return pair if random.random() < 0.5 else (pair[1], pair[0])


def _tiling(width: int, height: int, random: Random) -> list[tuple[_Cell, _Cell]]:
    """Return a tiling of a rectangle: cover the first free cell repeatedly, and start over at a dead end."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    while True:
        free, places = dict.fromkeys(cells), []
        while free:
            x, y = next(iter(free))
            beside = [cell for cell in ((x + 1, y), (x, y + 1)) if cell in free]
            if not beside:
                break
            other = beside[random.randrange(len(beside))]
            places.append(((x, y), other))
            del free[x, y], free[other]
        if not free:
            return places


def _exchange(deal: _Deal, random: Random) -> _Deal:
    """Return the deal with two dominoes exchanged, each in a random orientation."""
    numbers = list(deal.numbers)
    one, other = random.randrange(len(numbers)), random.randrange(len(numbers))
    numbers[one], numbers[other] = _either(numbers[other], random), _either(numbers[one], random)
    return _Deal(deal.places, numbers)


def _text(size: int, deal: _Deal) -> str:
    number_at = {
        cell: number
        for place, pair in zip(deal.places, deal.numbers, strict=True)
        for cell, number in zip(place, pair, strict=True)
    }
    rows = ["".join(str(number_at[x, y]) for x in range(size + 2)) for y in range(size + 1)]
    return "\n".join(
        [
            f"colours {' '.join(map(str, range(size + 1)))}",
            "locations {",
            *[f"  {row}" for row in rows],
            "}",
            f"for a in 0..{size}, b in a..{size} {{",
            "  piece d[a,b] { {a}{b} }",
            "}",
        ]
    )


KIND = GeneratorKind("dominosa", "numbers of a set of dominoes in a rectangle, with one solution", {"size": 6}, make)
