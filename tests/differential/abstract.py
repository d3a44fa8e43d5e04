"""Random puzzles without geometry: named locations, fittings like those of DPF, exact covers with all features."""

from __future__ import annotations

from array import array
from dataclasses import replace
from itertools import product
from random import Random

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Fitting, Location, Piece, Placements, Puzzle, Rule, RuleKind
from puzzlec.ir.fitting import FittingPiece
from puzzlec.ir.rules import PuzzleRules
from tests.differential import priced


def groups(chance: Random, number: int, largest: int = 4) -> list[list[int]]:
    """Return the numbers below ``number`` in random groups."""
    order = list(range(number))
    chance.shuffle(order)
    found = []
    while order:
        size = chance.randint(1, largest)
        found.append(sorted(order[:size]))
        order = order[size:]
    return found


def laid(chance: Random, size: int) -> list[tuple[set[tuple[int, ...]], int, int]]:
    """Return the placements and bounds of each piece. They contain a solution, unless a later change removed it."""
    spoilt = chance.random() < 0.85
    pieces: list[tuple[set[tuple[int, ...]], int]] = []
    for group in groups(chance, size):
        if pieces and chance.random() < 0.25:
            own, low = pieces[-1]
            own.add(tuple(group))
            pieces[-1] = own, low + 1
        else:
            pieces.append(({tuple(group)}, 1))
    found = []
    for own, low in pieces:
        for _ in range(chance.randint(0, 6)):
            size_of = len(chance.choice(sorted(own))) if chance.random() < 0.7 else chance.randint(1, min(4, size))
            own.add(tuple(sorted(chance.sample(range(size), size_of))))
        if spoilt and len(own) > 1 and chance.random() < 0.7:
            own.remove(chance.choice(sorted(own)))
        loose = chance.random() < 0.3
        found.append((own, max(0, low - int(loose)), low + (chance.randint(0, 2) if loose else 0)))
    return found


def named(chance: Random) -> Puzzle:
    """Return a random puzzle whose locations have names."""
    size = chance.randint(2, 9)
    names = [f"n{number}" if chance.random() < 0.7 else f"cell[{number},{size}]" for number in range(size)]
    optional = chance.random() < 0.4
    locations = tuple(Location(name, None, optional and chance.random() < 0.4) for name in names)
    pieces, rules = [], []
    for number, (own, low, high) in enumerate(laid(chance, size)):
        covers = tuple(tuple(names[item] for item in placement) for placement in sorted(own))
        pieces.append(Piece(f"p{number}", covers=covers, low=low, high=high))
        if chance.random() < 0.12:
            kind = chance.choice(list(RuleKind))
            region = set(chance.choice(covers))
            if kind is RuleKind.INSIDE:
                region |= set(chance.sample(names, size // 2))
            rules.append(Rule(kind, f"p{number}", tuple(sorted(region))))
    empty = (
        (0, chance.randint(0, 3))
        if any(location.optional for location in locations) and chance.random() < 0.5
        else None
    )
    found = Puzzle("named", None, locations, tuple(pieces), rules=PuzzleRules(tuple(rules), empty=empty))
    return priced.somehow(chance, found)


def fitting(chance: Random) -> Fitting:
    """Return a random fitting; half of them fit DPF: each piece once, all locations needed."""
    size = chance.randint(2, 10)
    plain = chance.random() < 0.5
    pieces = tuple(
        painted(
            chance, FittingPiece(Placements(sorted(own)), *((1, 1) if plain else (low, high)), name=f"p{number}"), plain
        )
        for number, (own, low, high) in enumerate(laid(chance, size))
    )
    optional = frozenset(item for item in range(size) if not plain and chance.random() < 0.2)
    empty = (0, chance.randint(0, 2)) if optional and chance.random() < 0.5 else None
    return Fitting(size, pieces, optional, empty)


def painted(chance: Random, piece: FittingPiece, plain: bool) -> FittingPiece:
    """Return a piece.

    In some pieces the placements show colours, and some have several placements on the same locations.
    """
    if chance.random() < 0.75:
        return piece
    rows: list[tuple[int, ...]] = []
    colours: list[tuple[str | None, ...]] = []
    for row in piece.placements:
        ways = list(product(("r", None), repeat=len(row)))
        for way in chance.sample(ways, 1 if plain else min(len(ways), chance.choice((1, 1, 2)))):
            rows.append(row)
            colours.append(way)
    return replace(piece, placements=Placements(rows), colours=tuple(colours))


def cover(chance: Random) -> ExactCover:
    """Return a random exact cover around a solution; a part of the solution may then be removed."""
    primary, secondary = chance.randint(1, 8), chance.choice((0, 0, 1, 2, 3))
    bounded, coloured = chance.random() < 0.4, chance.random() < 0.6
    worn = [chance.choice((0, 1, 2, 7)) if coloured else 0 for _ in range(secondary)]
    once = {item: -1 for item in range(secondary) if worn[item] == 0}
    rows: list[list[int | tuple[int, int]]] = []
    rounds = chance.choice((1, 1, 2)) if bounded else 1
    for _ in range(rounds):
        for group in groups(chance, primary, 3):
            rows.append([*group])
            for item in range(secondary):
                if chance.random() < 0.35 and once.get(item, -1) < 0:
                    rows[-1].append((primary + item, worn[item]) if worn[item] else primary + item)
                    once.update({item: len(rows)} if item in once else {})
    planted = len(rows)
    for _ in range(chance.randint(0, 7)):
        row: list[int | tuple[int, int]] = [*chance.sample(range(primary), chance.randint(1, min(3, primary)))]
        row.extend(
            (primary + item, chance.choice((0, 1, 2, 7) if coloured else (0,)))
            for item in range(secondary)
            if chance.random() < 0.4
        )
        rows.append(row)
    if chance.random() < 0.9:
        rows.remove(chance.choice(rows[:planted]))
    for row in rows:
        chance.shuffle(row)
    chance.shuffle(rows)
    bounds = []
    for _ in range(primary):
        low = max(0, rounds - int(bounded and chance.random() < 0.3))
        bounds.append((low, max(low, rounds + (chance.choice((0, 0, 1, 3)) if bounded else 0))))
    found = ExactCover.from_rows(rows, primary, secondary, bounds)
    if rows and chance.random() < 0.25:
        return replace(found, costs=array("q", [chance.choice((0, 1, 2, 3, 7, -4, 1000)) for _ in rows]))
    return found
