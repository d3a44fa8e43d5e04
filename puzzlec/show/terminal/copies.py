"""Signs that tell copies of a piece apart, where a picture has no borders between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from puzzlec.ir.solution import SIGNS


def signs_of_copies(near: Mapping[int, Collection[int]], pieces: Sequence[int], signs: Sequence[str]) -> list[str]:
    """Return a sign for each placement, so that copies of a piece that touch have different ones (greedily).

    ``near`` are the placements that touch each, ``pieces`` and ``signs`` the piece of each and its sign, which its
    first copy keeps. Others have the same letter in the other case, where no piece has that, or else a free sign.

    >>> signs_of_copies({0: [1], 1: [0, 2], 2: [1]}, [0, 0, 0], ["D", "D", "D"])
    ['D', 'd', 'D']
    """
    taken = dict.fromkeys(signs)
    known = {piece: [sign] for piece, sign in zip(pieces, signs, strict=True)}
    chosen: list[int] = []
    for number, piece in enumerate(pieces):
        used = {chosen[other] for other in near.get(number, ()) if 0 <= other < number and pieces[other] == piece}
        chosen.append(next(shade for shade in range(len(pieces)) if shade not in used))
        if chosen[-1] == len(known[piece]):
            sign = next(_free(known[piece][0], taken), "*")
            known[piece].append(sign)
            taken[sign] = None
    return [known[piece][shade] for piece, shade in zip(pieces, chosen, strict=True)]


def _free(sign: str, taken: Collection[str]) -> Iterator[str]:
    """Give the signs that are not taken, the one that looks most like ``sign`` first."""
    yield from (each for each in (sign.swapcase(), *SIGNS) if len(each) == 1 and each not in taken)
