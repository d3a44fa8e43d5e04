"""The data of a game: the board, the orientations of the pieces, their placements, and solutions for hints.

A placement is an orientation at a location, so a list of locations for each orientation contains all placements. A
solution is a list of numbers of placements. Sorted solutions begin in the same way, so each stores only its differences
from the one before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import sub
from typing import Any

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice, Matrix, Point
from puzzlec.geometry.faces import outline_above, spot
from puzzlec.geometry.lattice import identity, turned
from puzzlec.ir import Fitting, Puzzle, RegionRule, Solution
from puzzlec.ir.fitting import Colours
from puzzlec.ir.location import ANY
from puzzlec.ir.solution import fixed_placements, signs_of_pieces
from puzzlec.lower import encode, place
from puzzlec.lower.board import orientations
from puzzlec.lower.meeting import rules_of
from puzzlec.lower.symmetries import symmetry
from puzzlec.motion.gaps import axes, shift
from puzzlec.motion.planes import planes
from puzzlec.motion.shown import Planner
from puzzlec.motion.turning import DEFAULT_CLEARANCE
from puzzlec.show.page.data import Packed, colour_numbers, marked, packed, too_large, walls_data
from puzzlec.show.page.forms import forms, is_convex, rotation_in_space, steps_in_space
from puzzlec.show.palette import LIGHT_INK, fill_of, ink_on
from puzzlec.show.ruling import as_data
from puzzlec.show.scene import piece_pools
from puzzlec.solving.subject import Subject

#: The data of a game, for JSON.
GameData = dict[str, Any]

#: Maximum number of locations and the most placements of a game: a phone must draw and search them.
MOST_LOCATIONS, MOST_PLACEMENTS = 3000, 200_000

#: Maximum number of bytes of solutions in a game.
MOST_BYTES = 300_000

#: An orientation: the kind of its first cell, and its points relative to that cell with their colours, in order.
_Form = tuple[int, tuple[tuple[Point, str | None], ...]]


def game_data(
    subject: Subject,
    most_bytes: int = MOST_BYTES,
    remarks: list[str] | None = None,
    palette: str = "standard",
    free: Collection[str] | None = None,
) -> GameData:
    """Return the data of a game for JSON, with as many solutions as fit into ``most_bytes``.

    No two solutions of the subject may differ by a symmetry of the puzzle alone. If some are known to come apart, the
    game has only these; ``apart`` says whether it has ``all`` or ``some`` of them, or whether there are ``none``.
    ``given`` are the placements that stay on the board. ``complete`` says whether the game has all solutions.
    ``remarks`` get a sentence if not all solutions fit. ``palette`` gives the colours of the pieces. With ``free``, the
    game has only the first solution, and only pieces with these names have all of their orientations; the others have
    those of the solution. Raises PuzzleError: PZ504 for a puzzle without cells on a board, PZ507 for one that is too
    large.
    """
    fitting = subject.fitting
    puzzle, lattice = _playable(fitting)
    if fitting.locations > MOST_LOCATIONS:
        raise too_large("game", counted(fitting.locations, "location"), f"the limit of a game is {MOST_LOCATIONS}")
    every = _unruled(fitting, puzzle)
    number = sum(len(piece.placements) for piece in every.pieces)
    if number > MOST_PLACEMENTS:
        raise too_large("game", counted(number, "placement"), f"the limit of a game is {MOST_PLACEMENTS}")
    index = _indices(fitting, every)
    most = None if free is None else 1
    solutions = ([subject.solutions[number] for number in subject.loose] or subject.solutions)[:most]
    signs = signs_of_pieces(fitting)
    numbers: list[dict[int, int]] = []
    pieces, hues, staged = [], piece_pools(puzzle), _on_stage(puzzle, lattice)
    for piece in range(len(fitting.pieces)):
        only = set[int]()
        if free is not None and fitting.piece_name(piece) not in free:
            only = {index[piece][placement.index] for placement in solutions[0].placements if placement.number == piece}
        described, numbers_of_piece = _piece(every, puzzle, lattice, piece, sum(map(len, numbers)), only)
        fill = fill_of(piece, fitting.paint(piece), palette)
        described |= {"label": signs[piece], "fill": fill}
        if staged and len(hues[piece]) > 1 and not fitting.paint(piece):
            described["fills"] = [fill_of(hue, palette=palette) for hue in hues[piece]]  # of its copies
        if ink_on(fill) == LIGHT_INK:
            described["ink"] = LIGHT_INK
        pieces.append(described)
        numbers.append(numbers_of_piece)
    rows = [
        [numbers[placement.number][index[placement.number][placement.index]] for placement in solution.placements]
        for solution in solutions
    ]
    given = [numbers[fixed.number][index[fixed.number][fixed.index]] for fixed in fixed_placements(fitting)]
    stored, kept = _within(rows, most_bytes)
    best = _best(subject)
    turning = best < kept and staged and puzzle.movement.turns_allowed
    if kept < len(rows) and remarks is not None:
        remarks.append(f"of {len(rows)} solutions, the first {kept} fit into the game")
    return {
        "title": subject.title,
        "board": _board(fitting, puzzle, lattice),
        "pieces": pieces,
        "empty": list(fitting.empty or ()),
        "crossings": [packed([at for pair in pairs for at in pair]) for pairs in fitting.crossings],
        **({"given": given} if given else {}),
        "regions": _conditions(puzzle),
        "rules": as_data(puzzle),
        **walls_data(puzzle),
        "solutions": stored,
        "complete": subject.number is not None and subject.number == kept,
        "apart": _apart(subject, kept),
        **({"wood": True} if palette == "wood" else {}),
        "symmetries": _symmetries(fitting)[:most] if kept else [],
        **(_taken_apart(puzzle, lattice) if staged else {}),
        **({"best": sorted(rows[:kept]).index(rows[best])} if best < kept else {}),
        **({"plan": _plan(puzzle, lattice, solutions[best], rows[best])} if turning else {}),
    }


def _best(subject: Subject) -> int:
    """Return the number of the best solution among those of a game."""
    return subject.loose.index(subject.start) if subject.start in subject.loose else 0


def _on_stage(puzzle: Puzzle, lattice: Lattice) -> bool:
    """Return whether a puzzle is played on a stage, on which it is also taken apart.

    A flat puzzle is if something says how its pieces move: walls, immovable pieces, or turns.
    """
    if lattice.dimension == 3:
        return True
    moving = bool(puzzle.movement.walls or puzzle.movement.immovable or puzzle.movement.turns_allowed)
    return moving and lattice.dimension == 2 and not lattice.of_edges and is_convex(lattice)


def _taken_apart(puzzle: Puzzle, lattice: Lattice) -> dict[str, object]:
    """Return how pieces move by hand: both directions of each axis, immovable pieces, groups that may stay together.

    ``turning``: how pieces turn, if the puzzle allows it.
    """
    steps = [shift(lattice, axis) for axis in axes(lattice)]
    number = {piece.name: index for index, piece in enumerate(puzzle.pieces)}
    return {
        "ways": [tuple([sign * value for value in step]) for step in steps for sign in (1, -1)],
        "still": [number[name] for name in puzzle.movement.immovable],
        **({"turning": _turning(lattice)} if puzzle.movement.turns_allowed else {}),
        "together": [[[number[name], copies] for name, copies in group] for group in puzzle.movement.together],
    }


def _turning(lattice: Lattice) -> dict[str, object]:
    """Return the turns of a lattice, both ways about each axis, and the clearance of the cells.

    A turn has a matrix and kinds, for what a rotation about the origin does to points, and two steps in its plane.
    """
    return {
        "clearance": DEFAULT_CLEARANCE,
        "turns": [
            {
                "rotation": rotation_in_space(lattice, plane.rotation(sense)),
                "matrix": plane.rotation(sense),
                "kinds": [kind for kind, _ in (plane.forth if sense > 0 else plane.back).kinds],
                "steps": [lattice.translations[axis] for axis in plane.across],
            }
            for plane in planes(lattice)
            for sense in (1, -1)
        ],
    }


def _plan(puzzle: Puzzle, lattice: Lattice, solution: Solution, row: Sequence[int]) -> list[list[object]]:
    """Return the plan of a solution if pieces turn in it; ``row`` has the numbers of its placements in the game.

    A move has the placements that move, and the vector by which they slide. Then it has the number of its turn, or -1,
    and how far the turn takes the first cell of the first placement.
    """
    moves, _ = Planner(puzzle).moves(solution)
    if not any(move.turn for move in moves):
        return []
    numbers = {plane.rotation(sense): 2 * number + (sense < 0)
               for number, plane in enumerate(planes(lattice)) for sense in (1, -1)}  # fmt: skip
    plan: list[list[object]] = []
    for move in moves:
        entry: list[object] = [[row[body] for body in move.pieces], move.way, -1, move.way]
        if move.turn is not None:
            body = move.pieces[0]
            first = min(puzzle.points[location] for location in solution.placements[body].locations)
            (cell,) = move.cells(lattice, body, [lattice.cell_at(first)])
            before, after = lattice.point(cell), lattice.point(move.turn.image(lattice, cell))
            entry[2:] = numbers[move.turn.matrix], tuple(map(sub, after, before))
        plan.append(entry)
    return plan


def _apart(subject: Subject, kept: int) -> str | None:
    """Return which of the solutions that come apart are in a game with this many solutions; None if not compared."""
    every = subject.number is not None and subject.number == len(subject.solutions) and not subject.undecided
    if subject.loose:
        return "all" if every and kept == len(subject.loose) else "some"
    return "none" if subject.choice and every else None


def _unruled(fitting: Fitting, puzzle: Puzzle) -> Fitting:
    """Return a puzzle with the placements that break a rule on a region: a player may try them."""
    ruled = puzzle.rules.regions or puzzle.rules.meetings
    return place(replace(puzzle, rules=replace(puzzle.rules, regions=(), meetings=()))) if ruled else fitting


def _indices(fitting: Fitting, every: Fitting) -> list[Sequence[int]]:
    """Return for each piece the indices of its placements among all of its placements."""
    if fitting is every:
        return [range(len(piece.placements)) for piece in fitting.pieces]

    def keys(of: Fitting, piece: int) -> list[tuple[tuple[int, ...], tuple[str | None, ...]]]:
        return [(row, of.shown_colours(piece, index)) for index, row in enumerate(of.pieces[piece].placements)]

    indices: list[Sequence[int]] = []
    for piece in range(len(fitting.pieces)):
        index_of = {key: index for index, key in enumerate(keys(every, piece))}
        indices.append([index_of[key] for key in keys(fitting, piece)])
    return indices


def _conditions(puzzle: Puzzle) -> list[dict[str, object]]:
    """Return the rules, in the order of :func:`puzzlec.show.ruling.as_data`.

    A rule about how pieces meet has ``parts``: its rules on regions.
    """
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    piece = {piece.name: index for index, piece in enumerate(puzzle.pieces)}

    def condition(rule: RegionRule[int]) -> dict[str, object]:
        members: dict[str, object] = {
            "kind": rule.kind.value, "at": sorted(rule.region), "low": rule.low, "high": rule.high
        }  # fmt: skip
        if rule.piece:
            members["piece"] = piece[rule.piece]
        if rule.pieces:
            members["pieces"] = [piece[name] for name in rule.pieces]
        return members | ({"pairs": rule.pairs} if rule.pairs else {})

    rules = [condition(rule.on(number[at] for at in rule.region)) for rule in puzzle.rules.regions]
    rules += [
        {"kind": meeting.kind.value, "parts": list(map(condition, rules_of(puzzle, meeting)))}
        for meeting in puzzle.rules.meetings
    ]
    return rules


def _playable(fitting: Fitting) -> tuple[Puzzle, Lattice]:
    """Return the puzzle and its lattice; raise PuzzleError (PZ504) if its pieces cannot be dragged onto a board."""
    puzzle = fitting.puzzle
    lattice = puzzle.lattice if puzzle is not None else None
    if puzzle is None or lattice is None or not puzzle.locations or len(puzzle.points) < len(puzzle.locations):
        why = "this puzzle has no geometry"
    elif lattice.dimension > 3:
        why = "its board has four dimensions, and a game shows at most three"
    elif lattice.dimension == 3 and lattice.of_edges:
        why = "its cells are edges in space, and a game shows solids"
    elif puzzle.wraps:
        why = "its board wraps around, and a game has a border"
    elif any(piece.sides for piece in puzzle.pieces):
        why = "it has tiles with coloured sides, and a game compares cells only"
    else:
        return puzzle, lattice
    span = puzzle.span if puzzle is not None else None
    raise fail("PZ504", f"cannot make a game: {why}", span, help="`puzzlec view` makes a page to look at it")


def _board(fitting: Fitting, puzzle: Puzzle, lattice: Lattice) -> dict[str, object]:
    """Return the board: its points, the direction of a step along each coordinate, the form of each kind of cell.

    A flat board is on the screen, and its cells have outlines. A board on a ``stage`` is in space, and ``turns`` are
    rotations there.
    """
    points = puzzle.points
    board: dict[str, object] = {
        "stage": _on_stage(puzzle, lattice),
        "grid": lattice.name in ("square", "cubic"),
        "points": packed([value for point in points for value in point]),
        "of": packed([lattice.class_of(point) for point in points]),
        "optional": packed(sorted(fitting.optional)),
    }
    if board["stage"]:
        board["steps"] = steps_in_space(lattice)
        board["forms"] = forms(lattice, tiles=False)
        board["turns"] = [rotation_in_space(lattice, matrix) for matrix in lattice.rotation_generators]
    else:
        board["steps"] = [spot(lattice, step) for step in identity(len(lattice.translations[0]))]
        board["kinds"] = [outline_above(lattice, number) for number in range(len(lattice.kinds))]
    if colour_numbers(puzzle):
        board |= {key: value for key, value in marked(puzzle).items() if key in ("colours", "marks", "coloured")}
    return board


def _piece(
    fitting: Fitting, puzzle: Puzzle, lattice: Lattice, number: int, first: int, only: Collection[int]
) -> tuple[dict[str, object], dict[int, int]]:
    """Return a piece with its orientations, and the number in the game of each of its placements.

    Placements are numbered from ``first``: orientation by orientation, in the order of their first locations. With
    ``only``, it has no orientations but those of these placements.
    """
    fitted, piece = fitting.pieces[number], puzzle.pieces[number]
    forms: dict[_Form, list[tuple[int, int]]] = {}
    if piece.covers is None:
        for orientation in orientations(piece, lattice):
            forms[_form(lattice, [point for point, _ in orientation], [colour for _, colour in orientation])] = []
    for index, row in enumerate(fitted.placements):
        points = [puzzle.points[location] for location in row]
        form = _form(lattice, points, fitting.shown_colours(number, index))
        start = row[points.index(min(points))]
        forms.setdefault(form, []).append((start, index))
    if only:
        forms = {form: starts for form, starts in forms.items() if any(index in only for _, index in starts)}
    ordered = [index for starts in forms.values() for _, index in sorted(starts)]
    return {
        "name": fitting.piece_name(number),
        "low": fitted.low,
        "high": None if fitted.high >= ANY else fitted.high,
        "turns": _turns(lattice, list(forms)),
        "forms": [_described(puzzle, lattice, form, sorted(starts)) for form, starts in forms.items()],
    }, {index: number for number, index in enumerate(ordered, first)}


def _form(lattice: Lattice, points: Sequence[Point], colours: Colours | Sequence[str | None]) -> _Form:
    cells = sorted(zip(points, colours, strict=True), key=lambda cell: cell[0])
    start = cells[0][0]
    return lattice.class_of(start), tuple([(tuple(map(sub, point, start)), colour) for point, colour in cells])


def _described(puzzle: Puzzle, lattice: Lattice, form: _Form, starts: Sequence[tuple[int, int]]) -> dict[str, object]:
    """Return an orientation: its points relative to the first one, their kinds and colours, and where it fits."""
    kind, cells = form
    at = lattice.kinds[kind].at
    orientation: dict[str, object] = {
        "points": [value for point, _ in cells for value in point],
        "of": [lattice.class_of(tuple([a + b for a, b in zip(at, point, strict=True)])) for point, _ in cells],
        "at": packed([location for location, _ in starts]),
    }
    if any(colour for _, colour in cells):
        colour_index = colour_numbers(puzzle)
        orientation["colours"] = [colour_index[colour] + 1 if colour else 0 for _, colour in cells]
    return orientation


def _turns(lattice: Lattice, forms: list[_Form]) -> list[list[int]]:
    """Return for each motion of the hand (rotations, then the reflection) the orientation after each orientation.

    A rotation that the piece may not make is repeated until it may. If none leads on, the next orientation follows.
    """
    number = {form: index for index, form in enumerate(forms)}

    def after(index: int, matrix: Matrix) -> int:
        kind, cells = forms[index]
        at = lattice.kinds[kind].at
        points = [tuple([a + b for a, b in zip(at, point, strict=True)]) for point, _ in cells]
        for _ in range(12):
            points = [turned(matrix, point) for point in points]
            next_one = number.get(_form(lattice, points, [colour for _, colour in cells]))
            if next_one is not None:
                return next_one
        return index

    rotated = [[after(index, matrix) for index in range(len(forms))] for matrix in lattice.rotation_generators]
    if rotated and len(forms) > 1 and all(turn == list(range(len(forms))) for turn in rotated):
        rotated[0] = [*range(1, len(forms)), 0]
    reflected = [[after(index, matrix) for index in range(len(forms))] for matrix in lattice.reflection_generators[:1]]
    return [*(rotated or [list(range(len(forms)))]), *(reflected or [list(range(len(forms)))])]


def _within(rows: Sequence[list[int]], most_bytes: int) -> tuple[dict[str, object], int]:
    """Return as many of the first solutions as fit into a number of bytes, and their number."""
    kept = len(rows)
    while True:
        stored_rows = stored(rows[:kept])
        size = sum(len(value) if isinstance(value, list) else len(*value.values()) for value in stored_rows.values())
        if size <= most_bytes or not kept:
            return {"number": kept, **stored_rows}, kept
        kept = min(kept - 1, int(kept * most_bytes / size * 0.98))


def stored(rows: Sequence[list[int]]) -> dict[str, Packed]:
    """Return sorted lists in short form: how many numbers each shares with the list before, then the other ones.

    >>> stored([[1, 2, 3], [1, 2, 4]])
    {'shared': [0, 2], 'more': [3, 1], 'numbers': [1, 2, 3, 4]}
    """
    shared: list[int] = []
    more: list[int] = []
    numbers: list[int] = []
    before: list[int] = []
    for row in sorted(rows):
        same = next(
            (k for k, (a, b) in enumerate(zip(before, row, strict=False)) if a != b), min(len(before), len(row))
        )
        shared.append(same)
        more.append(len(row) - same)
        numbers += row[same:]
        before = row
    return {"shared": packed(shared), "more": packed(more), "numbers": packed(numbers)}


def _symmetries(fitting: Fitting) -> list[dict[str, Packed]]:
    """Return the symmetries of the puzzle: each maps every location and every piece to another one."""
    encoding = encode(fitting)
    group = symmetry(encoding)
    option_of = {piece: option for option, piece in enumerate(encoding.piece) if piece >= 0}
    location_of = {item: location for location, item in enumerate(encoding.item_of_location) if item >= 0}

    def image(items: Sequence[int], options: Sequence[int]) -> dict[str, Packed]:
        at = [location_of[items[item]] if item >= 0 else -1 for item in encoding.item_of_location]
        to = [
            encoding.piece[options[option_of[piece]]] if piece in option_of else piece
            for piece in range(len(fitting.pieces))
        ]
        return {"locations": packed(at), "pieces": packed(to)}

    return [image(items, options) for items, options in zip(group.items, group.options, strict=True)]
