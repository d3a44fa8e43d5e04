"""Costs of solutions by their definition: each statement is applied to each placement and each empty location."""

from __future__ import annotations

from collections.abc import Collection

from puzzlec.ir import Payer, Puzzle
from puzzlec.ir.location import Address
from tests.differential import by_hand_meetings
from tests.differential.by_hand import Laid
from tests.differential.lying import Lying


def price(puzzle: Puzzle, laid: Laid) -> int:
    """Return the cost of a solution."""
    covered = {at for own in laid for lying in own for at in lying.cells}
    placed = sum(of_placement(puzzle, piece, lying) for piece, own in enumerate(laid) for lying in own)
    empty = sum(of_empty(puzzle, location.at) for location in puzzle.locations if location.at not in covered)
    return placed + empty + by_hand_meetings.price(puzzle, laid)


def of_empty(puzzle: Puzzle, at: Address) -> int:
    """Return the cost of a location that stays empty."""
    return sum(
        cost.value for cost in puzzle.costs if cost.payer is Payer.EMPTY and (not cost.where or at in cost.region)
    )


def of_placement(puzzle: Puzzle, number: int, lying: Lying) -> int:
    """Return the cost of a placement of a piece."""
    piece = puzzle.pieces[number]
    shown = dict(lying.paint) or dict.fromkeys(lying.cells, piece.colours[0] if piece.colours else None)
    total = 0
    for cost in puzzle.costs:
        region = frozenset(cost.region)
        if cost.payer is Payer.COLOUR:
            total += cost.value * sum(
                colour == cost.name and (not cost.where or at in region) for at, colour in shown.items()
            )
        elif cost.payer is Payer.PIECE and cost.name in ("", piece.name):
            total += cost.value * times(cost.where, lying.cells, region)
    return total


def times(where: str, cells: Collection[Address], region: frozenset[Address]) -> int:
    """Return how often a cost counts for a copy on these cells."""
    shared = sum(at in region for at in cells)
    if where == "per":
        return shared
    holds = {
        "": True, "inside": shared == len(cells), "on": shared > 0, "off": shared == 0,
        "at": shared == len(cells) == len(region),
    }  # fmt: skip
    return int(holds[where])
