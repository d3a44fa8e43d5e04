"""The clues that can be added to a puzzle: each keeps some of its solutions and excludes the others.

- ``fix``: a piece must have a certain placement.
- ``forbid``: no copy of a piece may have a certain placement.
- ``hole``: an optional location is removed from the board.
- ``colour``: one cell of a piece and one location get a new colour, so that this cell must be there.

A clue of any kind keeps some solutions of the puzzle, and adds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias, get_args

from puzzlec.diagnostics.error import fail
from puzzlec.ir import Cost, Fitting, Puzzle, Rule, RuleKind
from puzzlec.ir.location import Address, address_name
from puzzlec.language.spelling import addresses, quoted
from puzzlec.lower import Encoding, place

#: The kinds of clues.
ClueKind: TypeAlias = Literal["fix", "hole", "colour", "forbid"]
KINDS: tuple[ClueKind, ...] = get_args(ClueKind)

#: Colours of clues. The first one is that of all locations without a clue.
COLOURS = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWYZ0123456789"

_RULES = {"fix": RuleKind.FIX, "forbid": RuleKind.FORBID}


@dataclass(frozen=True)
class Clue:
    """A clue of a ``kind``: about a ``piece`` ("" for a hole), and its locations.

    ``sides`` are the colours of the sides of a tile in its placement. A colour is on one location, and on the cell of
    the piece with the number ``cell``. ``str`` describes the clue in words.
    """

    kind: str
    piece: str
    at: tuple[Address, ...]
    sides: tuple[str, ...] = ()
    cell: int = -1

    def __str__(self) -> str:
        where = addresses(self.at)
        if self.kind == "hole":
            return f"hole at {where}"
        if self.kind == "colour":
            return f"colour cell {self.cell + 1} of {quoted(self.piece)} and location {where}"
        sides = f" sides {' '.join(self.sides)}" if self.sides else ""
        return f"{self.kind} {quoted(self.piece)}{sides} at cells {where}"

    def as_dict(self) -> dict[str, object]:
        """Return the clue as plain data."""
        members: dict[str, object] = {"kind": self.kind, "locations": [address_name(at) for at in self.at]}
        if self.piece:
            members["piece"] = self.piece
        if self.sides:
            members["sides"] = list(self.sides)
        if self.cell >= 0:
            members["cell"] = self.cell
        return members


@dataclass(frozen=True)
class Possible:
    """A clue that can be added, and the options of the exact cover to which it refers.

    A solution agrees with the clue if the solution has one of the options, or with ``without`` none of them.
    """

    clue: Clue
    options: frozenset[int]
    without: bool


def possible_clues(encoding: Encoding, kinds: Iterable[str]) -> Iterator[Possible]:
    """Yield the clues of these kinds; raise PuzzleError (PZ369) if the puzzle cannot have clues of a kind."""
    puzzle = encoding.fitting.origin
    for kind in KINDS:
        if kind not in set(kinds):
            continue
        if kind in _RULES:
            yield from _placements(encoding, puzzle, kind)
        elif kind == "hole":
            yield from _holes(encoding, puzzle)
        else:
            yield from _colours(encoding, puzzle)


def with_clues(puzzle: Puzzle, clues: Iterable[Clue]) -> Puzzle:
    """Return a puzzle with clues added."""
    clues = list(clues)
    rules = tuple(Rule(_RULES[clue.kind], clue.piece, clue.at, clue.sides) for clue in clues if clue.kind in _RULES)
    holes = {clue.at[0] for clue in clues if clue.kind == "hole"}
    made = _with_holes(puzzle, holes) if holes else puzzle
    made = replace(made, rules=replace(made.rules, pieces=(*made.rules.pieces, *rules)), expected=())
    return _painted(made, [clue for clue in clues if clue.kind == "colour"])


def _with_holes(puzzle: Puzzle, holes: Set[Address]) -> Puzzle:
    """Return a puzzle without some of its optional locations.

    Listed placements that cover a hole go. So does a piece without other ones: no solution with these holes uses it.
    """
    empty = puzzle.rules.empty
    exact = (RuleKind.FIX, RuleKind.FORBID)
    rules = [
        rule if rule.kind in exact else replace(rule, region=_outside(rule.region, holes))
        for rule in puzzle.rules.pieces
        if rule.kind not in exact or holes.isdisjoint(rule.region)
    ]
    nowhere = {rule.piece for rule in rules if rule.kind in (RuleKind.INSIDE, RuleKind.ON) and not rule.region}
    pieces = [
        piece
        if piece.covers is None
        else replace(piece, covers=tuple([cover for cover in piece.covers if holes.isdisjoint(cover)]))
        for piece in puzzle.pieces
        if piece.name not in nowhere
    ]
    left = replace(
        puzzle,
        locations=tuple([location for location in puzzle.locations if location.at not in holes]),
        rules=replace(
            puzzle.rules,
            empty=empty and (max(0, empty[0] - len(holes)), empty[1] - len(holes)),
            pieces=tuple([rule for rule in rules if rule.region]),
        ),
        costs=tuple([cost for cost in map(partial(_cost_off, holes), puzzle.costs) if cost is not None]),
    )
    return left.with_pieces([piece for piece in pieces if piece.covers != ()])


def _cost_off(holes: Set[Address], cost: Cost[Address]) -> Cost[Address] | None:
    """Return a cost on a board with holes; None if it can no longer apply."""
    region = _outside(cost.region, holes)
    if region or not cost.where:
        return replace(cost, region=region)
    return replace(cost, where="", region=()) if cost.where == "off" else None


def _outside(region: Iterable[Address], holes: Set[Address]) -> tuple[Address, ...]:
    return tuple([at for at in region if at not in holes])


def _placements(encoding: Encoding, puzzle: Puzzle, kind: str) -> Iterator[Possible]:
    """Yield a clue for each placement; placements that differ only in colours of cells share one."""
    options_of: dict[Clue, list[int]] = {}
    for option, piece in enumerate(encoding.piece):
        if piece < 0:
            continue
        fitted, index = encoding.fitting.pieces[piece], encoding.index[option]
        at = tuple([puzzle.locations[number].at for number in fitted.placements.row(index)])
        if at:
            sides = fitted.sides[index] if fitted.sides else ()
            options_of.setdefault(Clue(kind, puzzle.pieces[piece].name, at, sides), []).append(option)
    for clue, options in options_of.items():
        yield Possible(clue, frozenset(options), kind == "forbid")


def _holes(encoding: Encoding, puzzle: Puzzle) -> Iterator[Possible]:
    """Yield a clue for each optional location."""
    if not any(location.optional for location in puzzle.locations):
        raise _refused("hole", "it has no optional locations", "make some of its locations `optional`", puzzle)
    if any(piece.sides for piece in puzzle.pieces):
        raise _refused("hole", "its pieces have coloured sides", "use `--fix`", puzzle)
    ruled = {at for rule in puzzle.rules.regions for at in rule.region}
    covering: dict[int, set[int]] = {}
    for option, piece in enumerate(encoding.piece):
        for number in encoding.fitting.pieces[piece].placements.row(encoding.index[option]) if piece >= 0 else ():
            covering.setdefault(number, set()).add(option)
    for number in sorted(encoding.fitting.optional & covering.keys()):
        at = puzzle.locations[number].at
        if at not in ruled:
            yield Possible(Clue("hole", "", (at,)), frozenset(covering[number]), True)


def _colours(encoding: Encoding, puzzle: Puzzle) -> Iterator[Possible]:
    """Yield a clue for each cell of a piece and each location.

    Only pieces without copies and locations that must be covered get colours. Cells that a symmetry of the piece
    exchanges share a clue.
    """
    shaped = [number for number, piece in enumerate(puzzle.pieces) if len(piece.cells) > 1 and piece.high == 1]
    if puzzle.colours.names or any(piece.sides for piece in puzzle.pieces):
        raise _refused("colour", "it already has colours", "use `--fix`", puzzle)
    if not shaped:
        raise _refused("colour", "it has no single pieces with a shape", "use `--fix`", puzzle)
    option_of = {pair: number for number, pair in enumerate(zip(encoding.piece, encoding.index, strict=True))}
    for number in shaped:
        piece, placements = puzzle.pieces[number], encoding.fitting.pieces[number].placements
        index_of = {row: index for index, row in enumerate(placements)}
        seen: set[tuple[int, frozenset[int]]] = set()
        for cell in range(len(piece.cells)):
            painted = replace(piece, colours=_one(len(piece.cells), cell), low=0)
            named = replace(puzzle.colours, names=(COLOURS[0],))
            alone = place(replace(puzzle.alone(painted), colours=named)).pieces[0]
            there: dict[int, set[int]] = {}
            for row, colours in zip(alone.placements, alone.shown, strict=True):
                if row in index_of:
                    there.setdefault(row[colours.index(COLOURS[0])], set()).add(option_of[number, index_of[row]])
            for location, options in there.items():
                key = (location, frozenset(options))
                if key not in seen and not puzzle.locations[location].optional:
                    seen.add(key)
                    clue = Clue("colour", piece.name, (puzzle.locations[location].at,), cell=cell)
                    yield Possible(clue, key[1], False)


def _one(cells: int, cell: int, colour: str = COLOURS[0]) -> tuple[str | None, ...]:
    return tuple(colour if number == cell else None for number in range(cells))


def _painted(puzzle: Puzzle, clues: list[Clue]) -> Puzzle:
    """Return a puzzle with the colours of clues: each on its cell and its location, and another colour elsewhere."""
    if not clues:
        return puzzle
    colour = {clue: COLOURS[number] for number, clue in enumerate(clues, 1)}
    at = {clue.at[0]: colour[clue] for clue in clues}
    of = {clue.piece: _one(len(puzzle.piece_named[clue.piece].cells), clue.cell, colour[clue]) for clue in clues}
    return replace(
        puzzle,
        locations=tuple(replace(location, colour=at.get(location.at, COLOURS[0])) for location in puzzle.locations),
        pieces=tuple(replace(piece, colours=of.get(piece.name, piece.colours)) for piece in puzzle.pieces),
        colours=replace(puzzle.colours, names=(COLOURS[0], *colour.values())),
    )


def described(fitting: Fitting) -> Puzzle:
    """Return the puzzle of a fitting. If it has none, make a puzzle with named locations from its placements."""
    from puzzlec.formats.puzzle.writing import raised

    return fitting.puzzle if fitting.puzzle is not None else raised(fitting)


def _refused(kind: str, why: str, help: str, puzzle: Puzzle) -> Exception:
    return fail("PZ369", f"the puzzle cannot have clues of the kind `{kind}`: {why}", puzzle.span, help=help,
                file=puzzle.title or None)  # fmt: skip
