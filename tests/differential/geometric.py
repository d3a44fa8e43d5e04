"""Random puzzles with geometry: a board is cut into pieces, which are then given freedom, copies, colours and rules.

So there is a solution at first. In every second puzzle, a later change may remove it.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import Cell, Freedom, Lattice, Matrix, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Location, Meeting, MeetingKind, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import MovementRules, PuzzleRules
from puzzlec.lower import place
from puzzlec.lower.meeting import against, motion_words
from tests.differential import priced
from tests.differential.boards import LATTICES, beside, board, cells_at, full_box, patch, wraps

Group = list[Cell]
Paint = dict[Cell, str | None]


def plain(chance: Random) -> Puzzle:
    """Return a puzzle that most formats can store: each piece once, on squares or cubes, no rules and no colours."""
    lattice = find_lattice(chance.choice(("square", "square", "square", "cubic", "cubic", "hex")))
    cells = full_box(chance, lattice) if chance.random() < 0.5 else board(chance, lattice)
    turns = lattice.turns(chance.choice((lattice.freedom, lattice.freedom, *Freedom)))
    pieces = []
    for number, group in enumerate(cut(chance, lattice, cells)):
        shape, colours = turned_somehow(chance, lattice, group, [None] * len(group), turns)
        pieces.append(Piece(f"p{number}", tuple(shape), tuple(colours), turns))
    if chance.random() < 0.85:
        pieces = [replace(piece, low=1, high=1) for piece in changed(chance, lattice, pieces, ())]
    return Puzzle("plain", lattice, tuple(map(Location, cells)), tuple(pieces))


def puzzle(chance: Random) -> Puzzle:
    """Return a random puzzle on a random lattice."""
    lattice = find_lattice(chance.choices(list(LATTICES), list(LATTICES.values()))[0])
    cells = board(chance, lattice)
    palette = chance.choice(((), (), (), ("r",), ("r", "b"), ("r", "b")))
    # In every third puzzle with colours, no location has a colour: the pieces then show their colours on plain
    # locations.
    grounds = (None,) if chance.random() < 0.35 else (None, *palette)
    paint: Paint = {cell: chance.choice(grounds) for cell in cells}
    groups = cut(chance, lattice, cells)
    optional = set(chance.sample(cells, min(len(cells), chance.randint(1, 6)))) if chance.random() < 0.35 else set()
    allowed = frozenset([("r", "b")]) if len(palette) == 2 and chance.random() < 0.4 else frozenset()
    pieces, homes = shapes(chance, lattice, groups, worn(chance, paint, allowed, palette))
    spoilt = chance.random() < 0.9
    if spoilt:
        for _ in range(chance.choice((1, 2, 2, 3))):
            pieces = changed(chance, lattice, pieces, palette)
    pieces = [loosened(chance, piece, bool(optional)) for piece in pieces]
    locations = tuple(Location(cell, paint[cell], cell in optional) for cell in cells)
    bounds = (chance.choice((0, 0, 1)), chance.randint(1, 4)) if optional and chance.random() < 0.5 else None
    around = wraps(chance, lattice, cells) if chance.random() < 0.2 else ()
    crossing = bool(lattice.crossings) and chance.random() < 0.5
    rules = tuple(ruled(chance, pieces, homes, cells, spoilt)) if chance.random() < 0.4 else ()
    found = Puzzle(
        "random",
        lattice,
        locations,
        tuple(pieces),
        PuzzleColours(palette, allowed),
        PuzzleRules(rules, empty=bounds, crossing=crossing),
        around,
    )
    return priced.somehow(chance, walled(chance, found))


def meeting(chance: Random) -> Puzzle:
    """Return a random puzzle with one or two rules about how its pieces meet."""
    while True:
        found = puzzle(chance)
        pieces, lattice = [piece.name for piece in found.pieces], found.lattice
        assert lattice is not None
        rules: dict[str, Meeting] = {}
        for kind in chance.choices(list(MeetingKind), k=chance.choice((1, 1, 2))):
            named = {MeetingKind.APART: chance.randint(1, len(pieces)), MeetingKind.TOUCHING: 2}.get(kind, 0)
            if named > len(pieces):
                continue
            axes = ["", "", *"xyz"[: lattice.dimension]]
            words = {MeetingKind.SYMMETRIC: [*motion_words(lattice), ""], MeetingKind.FAULTS: axes}.get(kind, [""])
            where = chance.choice(("", "", "inside", "on", "off")) if kind is MeetingKind.CROSSROADS else ""
            cells = [location.at for location in found.locations]
            made = Meeting(
                kind,
                tuple(chance.sample(pieces, named)),
                chance.choice(words),
                kind is MeetingKind.APART and chance.random() < 0.4,
                where,
                tuple(chance.sample(cells, chance.randint(1, len(cells)))) if where else (),
                chance.choice((3, 3, 2, 2, 1, 4, 5)) if kind is MeetingKind.CROSSROADS else 3,
            )
            if not against(found, made):
                rules[made.words] = made
        motions = [rule.motion for rule in rules.values() if rule.kind is MeetingKind.SYMMETRIC]
        if motions and chance.random() < 0.8:
            found = twinned(chance, found, motion_words(lattice)[motions[0]])
        made_puzzle = replace(found, rules=replace(found.rules, meetings=tuple(rules.values())))
        try:
            place(made_puzzle)
        except PuzzleError as error:
            if {diagnostic.code for diagnostic in error.diagnostics} != {"PZ366"}:
                continue
        if rules:
            return made_puzzle


def twinned(chance: Random, puzzle: Puzzle, turn: Matrix) -> Puzzle:
    """Return a puzzle in which some pieces have images under a motion, and others of the same shape beside them."""
    lattice = puzzle.lattice
    assert lattice is not None
    pieces: list[Piece] = []
    for piece in puzzle.pieces:
        if piece.covers is not None or chance.random() < 0.5:
            pieces.append(piece)
            continue
        shape, colours = turned_somehow(chance, lattice, list(piece.cells), list(piece.colours), (turn,))
        image = replace(piece, name=f"{piece.name}-image", cells=tuple(shape), colours=tuple(colours), low=0)
        pieces += [replace(piece, low=0), image]
        pieces += [replace(other, name=f"{other.name}-too", low=0) for other in (piece, image) if chance.random() < 0.5]
    return replace(puzzle, pieces=tuple(pieces))


def walled(chance: Random, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle, sometimes with walls beside its board."""
    lattice = puzzle.lattice
    assert lattice is not None
    beyond = {point for own in puzzle.points for point in beside(lattice, own)}.difference(puzzle.points)
    if puzzle.wraps or not beyond or chance.random() < 0.85:
        return puzzle
    cells = cells_at(lattice, sorted(beyond))
    number = len(cells) if chance.random() < 0.5 else chance.randint(1, min(3, len(cells)))
    return replace(puzzle, movement=MovementRules(walls=tuple(chance.sample(cells, number))))


def cut(chance: Random, lattice: Lattice, cells: list[Cell]) -> list[Group]:
    """Return most cells of a board in connected groups of one to five."""
    left = {lattice.point(cell): cell for cell in cells}
    largest = chance.choice((2, 3, 3, 4, 4, 5))
    groups = []
    while left:
        points = [chance.choice(list(left))]
        del left[points[0]]
        size = chance.randint(1 if chance.random() < 0.2 else 2, largest)
        while len(points) < size:
            fresh = [other for point in points for other in beside(lattice, point) if other in left]
            if chance.random() < 0.04:
                fresh = list(left)  # pieces need not be connected
            if not fresh:
                break
            points.append(chance.choice(fresh))
            del left[points[-1]]
        groups.append(cells_at(lattice, points))
    return groups


def worn(chance: Random, paint: Paint, allowed: frozenset[tuple[str, str]], palette: tuple[str, ...]) -> Paint:
    """Return for each location the colour of a cell that may lie there."""
    found: Paint = {}
    for cell, there in paint.items():
        suits = [own for own, other in allowed if other == there] if there else palette
        found[cell] = chance.choice((None, there, *suits)) if chance.random() < 0.7 else None
    return found


def shapes(
    chance: Random, lattice: Lattice, groups: list[Group], shown: Paint
) -> tuple[list[Piece], dict[str, list[Group]]]:
    """Return pieces for groups of cells, equal ones as copies of one piece, and the groups of each piece."""
    one_for_all = chance.choice((None, *Freedom))
    pieces: dict[object, Piece] = {}
    homes: dict[str, list[Group]] = {}
    for group in groups:
        colours = [shown[cell] for cell in group]
        turns = lattice.turns(one_for_all or chance.choice(list(Freedom)))
        shape, colours = turned_somehow(chance, lattice, group, colours, turns)
        piece = Piece(f"p{len(homes)}", tuple(shape), tuple(colours), turns)
        key: object = least(lattice, piece) if chance.random() < 0.85 else len(homes)
        known = pieces.get(key)
        if known is None:
            pieces[key] = piece
            homes[piece.name] = [group]
        else:
            pieces[key] = replace(known, low=known.low + 1, high=known.high + 1)
            homes[known.name].append(group)
    return list(pieces.values()), homes


def turned_somehow(
    chance: Random, lattice: Lattice, group: Group, colours: list[str | None], turns: tuple[Matrix, ...]
) -> tuple[Group, list[str | None]]:
    """Return a shape as another person might draw it: in an allowed orientation, its cells in another order."""
    order = list(range(len(group)))
    chance.shuffle(order)
    turn = chance.choice(turns)
    points = [turned(turn, lattice.point(group[number])) for number in order]
    shape = [lattice.cell(point) for point in points]
    if None in shape:
        return group, colours
    found = [cell for cell in shape if cell is not None]
    low = [min(axis) for axis in list(zip(*found, strict=True))[: lattice.dimension]]
    low += [0] * (lattice.coordinates - lattice.dimension)
    found = [tuple([a - b for a, b in zip(cell, low, strict=True)]) for cell in found]
    return found, [colours[number] for number in order]


def least(lattice: Lattice, piece: Piece) -> object:
    """Return a key of a shape that is the same for all its allowed orientations and positions."""
    found = []
    for turn in piece.turns:
        points = [turned(turn, lattice.point(cell)) for cell in piece.cells]
        low = [min(axis) for axis in zip(*points, strict=True)]
        kinds = [lattice.class_of(point) for point in points]
        moved = [tuple([a - b for a, b in zip(point, low, strict=True)]) for point in points]
        found.append(sorted(zip(moved, kinds, [str(colour) for colour in piece.colours], strict=True)))
    return (min(found).__repr__(), len(piece.turns))


def changed(chance: Random, lattice: Lattice, pieces: list[Piece], palette: tuple[str, ...]) -> list[Piece]:
    """Return pieces after one change: another shape, other colours, another freedom, or one more copy."""
    number = chance.randrange(len(pieces))
    piece = pieces[number]
    kind = chance.random()
    if kind < 0.4:
        shape = patch(chance, lattice, len(piece.cells))
        piece = replace(piece, cells=tuple(shape), colours=(*piece.colours,))
    elif kind < 0.6 and palette:
        piece = replace(piece, colours=tuple(chance.choice((None, *palette)) for _ in piece.cells))
    elif kind < 0.8:
        piece = replace(piece, turns=lattice.turns(chance.choice(list(Freedom))))
    else:
        shape = patch(chance, lattice, chance.randint(1, 3))
        return [*pieces, Piece(f"extra{len(pieces)}", tuple(shape), (None,) * len(shape), piece.turns)]
    return [*pieces[:number], piece, *pieces[number + 1 :]]


def loosened(chance: Random, piece: Piece, always: bool) -> Piece:
    """Return a piece, often with bounds around its number of copies."""
    if chance.random() < (0.4 if always else 0.85):
        return piece
    low, high = max(0, piece.low - chance.randint(0, 2)), piece.high + chance.choice((0, 0, 1, 2))
    return replace(piece, low=low, high=high)


def ruled(
    chance: Random, pieces: list[Piece], homes: dict[str, list[Group]], cells: list[Cell], wild: bool
) -> list[Rule]:
    """Return rules about pieces that mostly allow their original places; ``wild``: also rules about any cells."""
    rules = []
    for piece in chance.sample(pieces, min(len(pieces), chance.choice((1, 1, 2)))):
        groups = homes.get(piece.name, [[chance.choice(cells)]])
        home = {cell for group in groups for cell in group}
        others = [cell for cell in cells if cell not in home]
        kind = chance.choice(list(RuleKind))
        if kind is RuleKind.INSIDE:
            region = home | set(chance.sample(others, chance.randint(0, len(others))))
        elif kind is RuleKind.ON:
            region = {chance.choice(group) for group in groups}
            region |= set(chance.sample(others, chance.randint(0, len(others) // 3)))
        elif kind is RuleKind.OFF:
            region = set(chance.sample(others, chance.randint(0, len(others) // 2))) or {chance.choice(cells)}
        elif kind is RuleKind.FIX and piece.name not in homes:
            continue
        else:
            region = set(chance.choice(groups))
        if wild and kind in (RuleKind.INSIDE, RuleKind.ON, RuleKind.OFF) and chance.random() < 0.3:
            region = set(chance.sample(cells, chance.randint(1, len(cells))))
        rules.append(Rule(kind, piece.name, tuple(sorted(region))))
    return rules
