"""Random costs of pieces, colours and empty locations."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from puzzlec.ir import Cost, Payer, Puzzle
from puzzlec.ir.puzzle import COST_RELATIONS, Address


def somehow(chance: Random, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle, sometimes with costs."""
    if chance.random() < 0.75:
        return puzzle
    return replace(puzzle, costs=tuple(cost(chance, puzzle) for _ in range(chance.choice((1, 1, 2, 3, 5)))))


def cost(chance: Random, puzzle: Puzzle) -> Cost[Address]:
    """Return a cost. Some regions are the whole board, so that symmetries keep the cost."""
    payers = [Payer.PIECE, Payer.PIECE, *[Payer.COLOUR] * bool(puzzle.colours)]
    payers += [Payer.EMPTY] * any(location.optional for location in puzzle.locations)
    payer = chance.choice(payers)
    names = [""]
    if payer is Payer.PIECE:
        names += [piece.name for piece in puzzle.pieces]
    elif payer is Payer.COLOUR:
        names = list(puzzle.colours)
    where = chance.choice(("", "", *(COST_RELATIONS if payer is Payer.PIECE else ("per",))))
    places = [location.at for location in puzzle.locations]
    region = places if chance.random() < 0.15 else chance.sample(places, chance.randint(1, len(places)))
    if where == "at" and (listed := [cover for piece in puzzle.pieces for cover in piece.covers or ()]):
        region = list(chance.choice(listed))
    value = chance.choice((1, 2, 3, 7, -1, -4, 0, 1000))
    return Cost(value, payer, chance.choice(names), where, tuple(region) if where else ())
