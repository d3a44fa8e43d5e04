"""Random costs of pieces, colours and empty locations."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeVar

from puzzlec.ir import Cost, Meeting, MeetingKind, Payer, Puzzle, RegionRule
from puzzlec.ir.location import Address
from puzzlec.lower.meeting import against, rules_of
from tests.differential.by_hand import TooLargeError
from tests.differential.by_hand_orbits import moves

#: Costs or rules on regions.
Placed = TypeVar("Placed", Cost[Address], RegionRule[Address])


def somehow(chance: Random, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle, sometimes with costs."""
    if chance.random() < 0.75:
        return puzzle
    costs = [cost(chance, puzzle) for _ in range(chance.choice((1, 1, 2, 3, 5)))]
    if chance.random() < 0.4:
        costs += moved(chance, puzzle, costs)
    return replace(puzzle, costs=tuple(costs))


def moved(chance: Random, puzzle: Puzzle, things: list[Placed]) -> list[Placed]:
    """Return the images of costs or rules under a symmetry of the board, which then mostly keeps all of them."""
    if puzzle.lattice is None or puzzle.wraps:
        return []
    try:
        all_moves = moves(puzzle, "all")
    except TooLargeError:
        return []
    others = [move for move in all_moves if any(cell != image for cell, (image, _) in move.items())]
    to: dict[Address, Address] = {cell: image for cell, (image, _) in chance.choice(others or all_moves).items()}
    return [thing.on([to[at] for at in thing.region]) for thing in things]


def cost(chance: Random, puzzle: Puzzle) -> Cost[Address]:
    """Return a cost. Some regions are the whole board, so that symmetries keep the cost."""
    payers = [Payer.PIECE, Payer.PIECE, *[Payer.COLOUR] * bool(puzzle.colours.names)]
    payers += [Payer.EMPTY] * any(location.optional for location in puzzle.locations)
    for kind in (MeetingKind.CROSSROADS, MeetingKind.FAULTS):
        if puzzle.lattice and not against(puzzle, Meeting(kind)) and rules_of(puzzle, Meeting(kind)):
            payers += [Payer(kind.value)] * 2
    payer = chance.choice(payers)
    names = [""]
    if payer is Payer.PIECE:
        names += [piece.name for piece in puzzle.pieces]
    elif payer is Payer.COLOUR:
        names = list(puzzle.colours.names)
    elif payer is Payer.FAULTS and puzzle.lattice:
        names += [axis for axis in "xyz"[: puzzle.lattice.dimension]
                  if rules_of(puzzle, Meeting(MeetingKind.FAULTS, motion=axis))]  # fmt: skip
    where = chance.choice(("", "", *payer.relations))
    places = [location.at for location in puzzle.locations]
    region = places if chance.random() < 0.15 else chance.sample(places, chance.randint(1, len(places)))
    if where == "at" and (listed := [cover for piece in puzzle.pieces for cover in piece.covers or ()]):
        region = list(chance.choice(listed))
    value = chance.choice((1, 2, 3, 7, -1, -4, 0, 1000))
    return Cost(value, payer, chance.choice(names), where, tuple(region) if where else ())
