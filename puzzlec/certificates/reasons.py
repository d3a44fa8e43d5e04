"""Why there is no cover, as weights of the items: what the options can weigh is never what the items weigh.

Weights modulo a number: each option weighs 0, and the items, as often as they must be covered, do not. Weights in plain
numbers (modulus 0): no option weighs more than 0, and the items weigh more than that however often they are covered
(Farkas' lemma, for which integers do). Colourings, volumes and items that no option has are all of this kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from puzzlec.certificates.form import cover_of
from puzzlec.engine.certificate.checker import Certificate, RefusedError
from puzzlec.engine.problem import ExactCover
from puzzlec.lower import Encoding
from puzzlec.lower.linear_invariants import EMPTY, Witness
from puzzlec.lower.parity import find_proof


class Reason(NamedTuple):
    """Weights of all items, the modulus (0: plain numbers), and what they are called."""

    weights: list[int]
    modulus: int
    kind: str


def reason(encoding: Encoding) -> Reason | None:
    """Return weights that show that there is no cover, the simplest kind first; None where none of these is found."""
    return next((each for each in _candidates(encoding) if _holds(encoding.cover, each)), None)


def _holds(cover: ExactCover, candidate: Reason) -> bool:
    """Whether the checker takes them: it decides."""
    asked = Certificate()
    asked.take_cover(**cover_of(cover))
    try:
        asked.weigh(candidate.weights, candidate.modulus)
    except RefusedError:
        return False
    return True


def _candidates(encoding: Encoding) -> Iterator[Reason]:
    cover, items = encoding.cover, encoding.cover.primary + encoding.cover.secondary
    having = [0] * items
    for item in cover.items:
        having[item] += 1
    for item in range(cover.primary):
        if cover.low[item] and not having[item]:
            yield Reason([int(each == item) for each in range(items)], 0, "an item that no option has")
            return
    if not encoding.faithful:
        return
    for sign in (1, -1):
        yield Reason(_volume(encoding, sign), 0, "the volume")
    proof = find_proof(encoding.fitting)
    if proof is not None:
        yield _of_witness(encoding, proof.witness, "a colouring" if proof.colouring else "a weighing")


def _volume(encoding: Encoding, sign: int) -> list[int]:
    """Return weights that compare sizes: 1 is a location, a piece is its size, negated (``sign`` turns it around)."""
    weights = _on_locations(encoding, [sign] * encoding.fitting.locations)
    for number, piece in enumerate(encoding.fitting.pieces):
        sizes = [len(placement) for placement in piece.placements]
        if encoding.item_of_piece[number] >= 0 and sizes:
            weights[encoding.item_of_piece[number]] = -max(sizes) if sign > 0 else min(sizes)
    return _with_empty(encoding, weights, -sign)


def _of_witness(encoding: Encoding, witness: Witness, kind: str) -> Reason:
    """Return a weighing of locations and lots of pieces as weights of items.

    Where the volume says how many copies of a lot there are, multiples of all sizes are subtracted, so that this lot
    weighs nothing: with size s and value v of the lot, the weight w becomes s*w - v, and the modulus s times as large.
    """
    values = dict(zip(witness.lots, witness.values, strict=True))
    fitting, modulus, weights = encoding.fitting, witness.modulus, list(witness.weights)
    unsure = [
        lot
        for lot, value in values.items()
        if value
        and not lot.is_empty
        and any(fitting.pieces[each].low < fitting.pieces[each].high for each in lot.pieces)
    ]
    size, value = (len(unsure[0].rows[0]), values[unsure[0]]) if unsure else (1, 0)
    found = _on_locations(encoding, [size * weight - value for weight in weights])
    for lot, own in values.items():
        if lot.is_empty:
            found = _with_empty(encoding, found, -(size * own - value))
            continue
        for number in lot.pieces:
            if number != EMPTY and encoding.item_of_piece[number] >= 0:
                found[encoding.item_of_piece[number]] = value * len(lot.rows[0]) - size * own if lot.rows else 0
    if modulus == 0:
        together = sum(weight * low for weight, low in zip(found, encoding.cover.low, strict=False))
        found = [-weight for weight in found] if together < 0 else found
    return Reason(found, size * modulus, kind)


def _on_locations(encoding: Encoding, values: list[int]) -> list[int]:
    weights = [0] * (encoding.cover.primary + encoding.cover.secondary)
    for location, value in enumerate(values):
        if encoding.item_of_location[location] >= 0:
            weights[encoding.item_of_location[location]] = value
    return weights


def _with_empty(encoding: Encoding, weights: list[int], value: int) -> list[int]:
    """Give the item that counts empty locations its weight, where there is one: behind all pieces and locations."""
    empty = next((option for option, piece in enumerate(encoding.piece) if piece == -1), None)
    if empty is not None and encoding.fitting.empty is not None:
        weights[encoding.cover.row(empty)[0]] = value
    return weights
