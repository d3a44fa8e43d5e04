"""A box that some pieces of a stock fill in exactly one way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod
from random import Random

from puzzlec.compiler import compile, parse
from puzzlec.generators.kind import (
    GenerationEffort,
    GeneratorKind,
    Stock,
    Value,
    merged,
    pieces_in,
    sizes_in,
    statements,
    wrong,
)
from puzzlec.ir import Solution

#: The search ends after this many useless selections of pieces in a row. A selection is useless if it fills no box, or
#: was tried before.
MAX_USELESS_SELECTIONS = 100

#: The pieces to choose from have this many times the volume of the box.
STOCK_VOLUME_FACTOR = 1.5


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a box with pieces that fill it in one way: fill boxes at random until one has a single solution."""
    stock = pieces_in(options["pieces"], effort.random)
    dimension = len(stock[0].cells[0])
    if stock[0].lattice.name not in ("square", "cubic"):
        raise wrong(f"a box needs squares or cubes: found pieces on the lattice `{stock[0].lattice.name}`")
    solid = stock[0].lattice.name == "cubic"
    sizes = sizes_in(options["size"], (3,) if solid else (2, 3), 20)
    if len(sizes) == 3 and dimension == 2:
        solid = True
    head = ["lattice cubic"] * solid + [f"locations box {'x'.join(map(str, sizes))}"]
    copies = [piece._replace(copies=1) for piece in stock for _ in range(piece.copies)]
    if sum(len(piece.cells) for piece in copies) < prod(sizes):
        raise wrong("the pieces are smaller than the box", "give more pieces, or a smaller size")
    sums = 1  # bit n: some of the pieces have n cells together
    for piece in copies:
        sums |= sums << len(piece.cells)
    if not sums >> prod(sizes) & 1:
        raise wrong(f"no choice of the pieces has the {prod(sizes)} cells of the box", "choose another size")
    tried: set[tuple[Stock, ...]] = set()
    repeated = 0
    while repeated < MAX_USELESS_SELECTIONS:
        effort.take()
        some = _some(copies, prod(sizes), effort.random)
        choice = compile(parse("\n".join([*head, *statements(some, choose=True)])))
        filled = effort.first(choice)
        if filled is None:
            repeated += 1
            continue
        used = tuple(_used(some, filled))
        repeated = repeated + 1 if used in tried else 0
        text = "\n".join([*head, *statements(used)])
        if not repeated and effort.solutions(text, "all") == 1:
            return text, 1
        tried.add(used)
    raise effort.failed()


def _some(copies: list[Stock], volume: int, random: Random) -> list[Stock]:
    """Return some pieces of the stock at random, of :data:`STOCK_VOLUME_FACTOR` times the volume of the box."""
    order = list(range(len(copies)))
    random.shuffle(order)
    numbers, total = [], 0
    for number in order:
        if total >= STOCK_VOLUME_FACTOR * volume:
            break
        numbers.append(number)
        total += len(copies[number].cells)
    return merged([copies[number] for number in sorted(numbers)])


def _used(stock: list[Stock], filled: Solution) -> list[Stock]:
    copies = Counter(placement.number for placement in filled.placements)
    return [piece._replace(copies=copies[number]) for number, piece in enumerate(stock) if copies[number]]


KIND = GeneratorKind(
    "packing",
    "a box and pieces that fill it, with one solution",
    {"size": "5x6", "pieces": "pentominoes", "comes_apart": False},
    make,
    2000,
)
