"""Streams of covers: blocks unpacked, and rows (:mod:`puzzlec.engine.cover_rows`) some thousand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from puzzlec.engine.cover_rows import Rows, rows_of
from puzzlec.jobs.blocks import unpack, unpack_array

#: So many covers are worked on at a time, more or less: much less would cost time, much more memory.
MANY = 8192

#: Random numbers that were drawn.
Draws = npt.NDArray[np.uint64]


def unpacked(data: bytes, nothing: int) -> Rows:
    """Return the covers of a block as rows; ValueError where the block is damaged."""
    even = unpack_array(data)
    return rows_of(unpack(data), nothing) if even is None else even


def gathered(parts: Iterable[Rows], nothing: int, many: int = MANY) -> Iterator[Rows]:
    """Give the same rows in the same order, about ``many`` at a time: small parts together, large ones cut."""
    waiting: list[Rows] = []
    number = 0
    for part in parts:
        for at in range(0, len(part), many):
            piece = part[at : at + many]
            if number and number + len(piece) > many:
                yield joined(waiting, nothing)
                waiting, number = [], 0
            waiting.append(piece)
            number += len(piece)
    if number:
        yield joined(waiting, nothing)


def joined(parts: list[Rows], nothing: int) -> Rows:
    """Return all rows of several arrays as one array."""
    width = max((part.shape[1] for part in parts), default=0)
    if all(part.shape[1] == width for part in parts):
        return np.concatenate(parts) if len(parts) != 1 else parts[0]
    wide = [np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=nothing) for part in parts]
    return np.concatenate(wide)


def limited(parts: Iterable[Rows], number: int | None) -> Iterator[Rows]:
    """Give the first so many rows; None: all."""
    left = number
    for rows in parts:
        if left is not None and len(rows) >= left:
            yield rows[:left]
            return
        yield rows
        left = None if left is None else left - len(rows)


def sampled(parts: Iterable[Rows], number: int, seed: int, nothing: int) -> Rows:
    """Return so many rows, any choice of them being equally likely, in their order; all where there are not so many.

    Each row draws a random number of 64 bits, and those with the least ones stay: no more than that are kept on the
    way. The same rows and seed give the same sample.
    """
    draws = np.random.PCG64(seed)
    kept: list[Rows] = []
    keys: list[Draws] = []
    waiting = 0
    for rows in parts:
        kept.append(rows)
        keys.append(np.atleast_1d(draws.random_raw(len(rows))))
        waiting += len(rows)
        if waiting >= 2 * number + MANY:
            least, drawn = _least(joined(kept, nothing), np.concatenate(keys), number)
            kept, keys, waiting = [least], [drawn], number
    if not kept:
        return np.zeros((0, 0), dtype=np.int32)
    return _least(joined(kept, nothing), np.concatenate(keys), number)[0]


def _least(rows: Rows, keys: Draws, number: int) -> tuple[Rows, Draws]:
    """Return so many rows with the least keys, and their keys, in their order; of equal keys the first ones."""
    chosen = np.sort(np.argsort(keys, kind="stable")[:number])
    return rows[chosen], keys[chosen]
