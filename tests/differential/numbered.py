"""Random puzzles with rules on regions: the pieces of a solution show numbers or colours, and rules are true of them.

So there is a solution at first. A later change of a piece or a bound may remove it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from puzzlec.geometry import Cell, Freedom, find_lattice
from puzzlec.ir import ANY, Condition, Location, Piece, Puzzle, RegionRule, Rule, RuleKind
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.lower.region_rules import MOST_COMBINATIONS
from tests.differential import priced
from tests.differential.boards import LATTICES, board, wraps
from tests.differential.by_hand_rules import number_of
from tests.differential.geometric import Paint, changed, cut, loosened, shapes, walled

PALETTES = (
    ("0", "1"),
    ("0", "1", "2"),
    ("1", "2", "3", "6"),
    ("1", "12"),
    ("0", "2", "10", "30"),
    ("r", "b"),
    ("b", "1"),
)


def puzzle(chance: Random) -> Puzzle:
    """Return a random puzzle with rules on regions."""
    lattice = find_lattice(chance.choices(list(LATTICES), list(LATTICES.values()))[0])
    cells = board(chance, lattice)
    palette = chance.choice(PALETTES)
    shown: Paint = {cell: chance.choice(palette) for cell in cells}
    groups = cut(chance, lattice, cells)
    pieces, _ = shapes(chance, lattice, groups, shown)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        pieces = changed(chance, lattice, pieces, palette)
    pieces = [coloured(chance, piece, palette) for piece in pieces]
    optional = set(chance.sample(cells, min(len(cells), chance.randint(1, 4)))) if chance.random() < 0.35 else set()
    pieces = [loosened(chance, piece, bool(optional)) for piece in pieces]
    grounds = (None,) if chance.random() < 0.7 else (None, None, "same")
    locations = tuple(Location(at, shown[at] if chance.choice(grounds) else None, at in optional) for at in cells)
    around = wraps(chance, lattice, cells) if chance.random() < 0.1 else ()
    crossing = bool(lattice.crossings) and chance.random() < 0.5
    free = PuzzleRules(crossing=crossing)
    found = Puzzle("numbers", lattice, locations, tuple(pieces), PuzzleColours(palette), free, around)
    demands = [demand(chance, shown) for _ in range(chance.choice((1, 1, 2, 3)))]
    counting = [number(chance, cells, groups) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
    names = [piece.name for piece in pieces]
    demands += [
        rule if rule.low or chance.random() < 0.5 else replace(rule, piece=chance.choice(names)) for rule in counting
    ]
    if chance.random() < 0.5:
        demands += priced.moved(chance, found, demands)
    rules = []
    if chance.random() < 0.15:
        ruled = {at for demanded in demands for at in demanded.region}
        plain = chance.choice(pieces)
        pieces = [replace(one, colours=(None,) * len(one.cells)) if one is plain else one for one in pieces]
        rules = [Rule(RuleKind.OFF, plain.name, tuple(sorted(ruled, key=str)))]
    found = replace(found, pieces=tuple(pieces), rules=replace(free, pieces=tuple(rules), regions=tuple(demands)))
    return priced.somehow(chance, walled(chance, found))


def grid(chance: Random) -> Puzzle:
    """Return a random grid of values, of which lines and other regions have different ones, or some number of them."""
    lattice = find_lattice(chance.choices(list(LATTICES), list(LATTICES.values()))[0])
    cells = board(chance, lattice)[: chance.randint(2, 9)]
    palette = [str(value) for value in chance.sample((*range(4), 12, 30), chance.randint(1, 4))]
    steps = [chance.randint(0, 3) for _ in cells[0]]
    optional = set(chance.sample(cells, chance.randint(0, len(cells)))) if chance.random() < 0.4 else set()
    shown = {
        cell: palette[sum(step * value for step, value in zip(steps, cell, strict=True)) % len(palette)]
        for cell in cells
        if cell not in optional or chance.random() < 0.5
    }
    groups = [[cell] for cell in shown]
    pieces = []
    for value in palette:
        copies = list(shown.values()).count(value)
        low, high = chance.choice(((0, ANY), (0, ANY), (copies, copies), (max(0, copies - 1), copies + 1)))
        cell = (0,) * lattice.coordinates
        pieces.append(Piece(value, (cell,), (value,), lattice.turns(Freedom.FREE), None, low, high))
    parts = [part for _ in range(chance.choice((1, 1, 2))) for part in lines(chance, cells)]
    rules: list[RegionRule[Address]] = []
    for part in parts:
        values = [shown[cell] for cell in part if cell in shown]
        if len(set(values)) == len(values) and chance.random() < 0.8:
            rules.append(RegionRule(Condition.DIFFERENT, tuple(part)))
        elif chance.random() < 0.6:
            rules.append(number(chance, part, groups))
    if chance.random() < 0.5:
        name = chance.choice(palette)
        own = [[cell] for cell, value in shown.items() if value == name]
        rules += [replace(number(chance, part, own, True), piece=name) for part in lines(chance, cells)]
    around = wraps(chance, lattice, cells) if chance.random() < 0.1 else ()
    locations = tuple(Location(at, None, at in optional) for at in cells)
    given = [
        Rule(RuleKind.FIX, shown[at], (at,))
        for at in chance.sample(list(shown), chance.choice((0, 0, 0, 1, 2)) if len(shown) > 1 else 0)
        if lattice.class_of(lattice.point(at)) == lattice.class_of(lattice.point((0,) * lattice.coordinates))
    ]
    found = Puzzle("grid", lattice, locations, tuple(pieces), PuzzleColours(tuple(palette)), wraps=around)
    return priced.somehow(chance, replace(found, rules=PuzzleRules(tuple(given), tuple(rules))))


def lines(chance: Random, cells: list[Cell]) -> list[list[Cell]]:
    """Return cells divided by one coordinate, or at random."""
    axis = chance.randrange(len(cells[0]))
    random = chance.random() < 0.3
    found: dict[int, list[Cell]] = {}
    for cell in cells:
        found.setdefault(chance.randrange(3) if random else cell[axis], []).append(cell)
    return list(found.values())


def number(
    chance: Random, cells: Sequence[Cell], groups: Sequence[Iterable[Cell]], whole: bool = False
) -> RegionRule[Address]:
    """Return a rule about the number of pieces on a region or some of its cells, which mostly holds for ``groups``."""
    region = cells if whole else chance.sample(list(cells), chance.randint(1, min(5, len(cells))))
    exact = sum(not set(region).isdisjoint(group) for group in groups)
    exact = max(0, exact + chance.choice((0,) * 9 + (1,)))
    low, high = chance.choice(
        ((exact, exact), (0, exact), (0, max(1, exact)), (exact, ANY), (max(0, exact - 1), exact))
    )
    return RegionRule(Condition.COUNT, tuple(region), low, high)


def coloured(chance: Random, piece: Piece, palette: tuple[str, ...]) -> Piece:
    """Return a piece with a colour on each cell."""
    return replace(piece, colours=tuple(colour or chance.choice(palette) for colour in piece.colours))


def demand(chance: Random, shown: Paint) -> RegionRule[Address]:
    """Return a rule that is mostly true if the locations show these colours."""
    cells = list(shown)
    region = list(cells) if chance.random() < 0.2 else chance.sample(cells, chance.randint(1, min(5, len(cells))))
    kinds = [Condition.EQUAL, Condition.DIFFERENT]
    numeric = all(colour and colour.isdigit() for colour in shown.values())
    kind = chance.choice([Condition.SUM] * 3 + kinds if numeric else kinds)
    if kind is Condition.SUM:
        # A symmetry may not move a sum with more combinations.
        while (len({*shown.values()}) + 1) ** len(region) > MOST_COMBINATIONS:
            region.pop()
        total = max(0, sum(number_of(shown[at]) for at in region) + chance.choice((0, 0, 0, 0, -1, 1)))
        low, high = chance.choice(((total, total), (total, ANY), (0, total), (max(0, total - 1), total + 1)))
        return RegionRule(kind, tuple(region), low, high)
    if chance.random() < 0.9:
        same = [at for at in cells if shown[at] == shown[region[0]]]
        region = list({shown[at]: at for at in cells}.values()) if kind is Condition.DIFFERENT else same
        region = chance.sample(region, chance.randint(1, len(region)))
    return RegionRule(kind, tuple(region))
