"""Covers in bulk: arrays with one row per cover, and a checker of such arrays.

*Rows* are an int32 array of shape (covers, width). A row has the options of a cover in ascending order. Shorter rows
are padded at the end with ``nothing``, the number after the last option. So a table with one more entry than there are
options can be indexed with whole rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.engine.problem import ExactCover

Rows = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

#: Size of the largest intermediate array.
MAX_ARRAY_ENTRIES = 1 << 21

#: Approximate number of covers in a chunk. Smaller chunks would cost time, larger chunks would cost memory.
COVERS_IN_CHUNK = 8192

#: Random numbers of a draw.
Draws = npt.NDArray[np.uint64]


def rows_of(covers: Iterable[tuple[int, ...]], nothing: int) -> Rows:
    """Return covers as rows.

    >>> rows_of([(0, 3), (1, 2, 4)], 5).tolist()
    [[0, 3, 5], [1, 2, 4]]
    """
    listed = list(covers)
    width = max(map(len, listed), default=0)
    if all(len(cover) == width for cover in listed):
        return np.array(listed, dtype=np.int32).reshape(len(listed), width)
    rows = np.full((len(listed), width), nothing, dtype=np.int32)
    for row, cover in zip(rows, listed, strict=True):
        row[: len(cover)] = cover
    return rows


def tuples(rows: Rows, nothing: int) -> Iterator[tuple[int, ...]]:
    """Yield rows as tuples of options, without the padding."""
    for row in rows.tolist():
        while row and row[-1] == nothing:
            row.pop()
        yield tuple(row)


def is_less(one: Rows, two: Rows) -> Mask:
    """Return for each row whether it precedes, as a tuple, the same row of the other array. Both have the same shape.

    >>> is_less(np.array([[1, 5], [2, 3]]), np.array([[1, 4], [2, 4]])).tolist()
    [False, True]
    """
    if not one.shape[1]:
        return np.zeros(len(one), dtype=np.bool_)
    first = (one != two).argmax(axis=1)
    lines = np.arange(len(one))
    less: Mask = one[lines, first] < two[lines, first]
    return less


def gathered(parts: Iterable[Rows], nothing: int, many: int = COVERS_IN_CHUNK) -> Iterator[Rows]:
    """Yield the same rows in the same order, about ``many`` at a time: small parts joined, large ones cut."""
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
    """Yield the first rows, this many; None: all."""
    left = number
    for rows in parts:
        if left is not None and len(rows) >= left:
            yield rows[:left]
            return
        yield rows
        left = None if left is None else left - len(rows)


def sampled(parts: Iterable[Rows], number: int, seed: int, nothing: int) -> Rows:
    """Return a uniform random choice of this many rows, in their order; all if there are fewer.

    Each row gets a random number of 64 bits, and the rows with the least numbers stay. No other rows are kept in
    memory. The same rows and seed give the same sample.
    """
    draws = np.random.PCG64(seed)
    kept: list[Rows] = []
    keys: list[Draws] = []
    waiting = 0
    for rows in parts:
        kept.append(rows)
        keys.append(np.atleast_1d(draws.random_raw(len(rows))))
        waiting += len(rows)
        if waiting >= 2 * number + COVERS_IN_CHUNK:
            least, drawn = _least(joined(kept, nothing), np.concatenate(keys), number)
            kept, keys, waiting = [least], [drawn], number
    if not kept:
        return np.zeros((0, 0), dtype=np.int32)
    return _least(joined(kept, nothing), np.concatenate(keys), number)[0]


def _least(rows: Rows, keys: Draws, number: int) -> tuple[Rows, Draws]:
    """Return this many rows with the least keys, and their keys, in their order; of equal keys the first ones."""
    order = np.sort(np.argsort(keys, kind="stable")[:number])
    return rows[order], keys[order]


class OptionTable:
    """Some numbers for each option, such as its locations: ``numbers[starts[o]:starts[o + 1]]``.

    The padding of rows has no numbers.
    """

    def __init__(self, starts: Longs, numbers: npt.NDArray[np.int32]) -> None:
        self.lengths = np.append(np.diff(starts), 0)
        self.starts, self.numbers = starts, numbers

    def of(self, rows: Rows) -> tuple[Longs, npt.NDArray[np.int32], Longs]:
        """Return all numbers of the options in some rows, in order: for each its row, the number, and its position."""
        options = rows.ravel()
        lengths = self.lengths[options]
        total = int(lengths.sum())
        first = np.cumsum(lengths) - lengths
        places = np.repeat(self.starts[options] - first, lengths) + np.arange(total)
        owners = np.repeat(np.arange(len(rows)), lengths.reshape(rows.shape).sum(axis=1))
        return owners, self.numbers[places], places


class RowsChecker:
    """Checks covers by counting, many at a time. It shares no code with the search.

    Each item that exactly one option must cover has a bit. If the options of a row set all these bits, with one entry
    per such item, each item is covered once. Each secondary item without colours also has a bit. The sum of such bits
    equals their union unless an item is covered twice. Half of each word is free, so sums do not overflow. For all
    other items the entries are counted.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.cover = cover
        starts = np.frombuffer(cover.starts, dtype=np.int32).astype(np.int64)
        items = np.frombuffer(cover.items, dtype=np.int32)
        colours = np.frombuffer(cover.colours, dtype=np.int32)
        owner = np.repeat(np.arange(len(cover)), np.diff(starts))
        low = np.frombuffer(cover.low, dtype=np.int32)
        high = np.frombuffer(cover.high, dtype=np.int32)
        total = cover.primary + cover.secondary
        once = np.zeros(total, dtype=np.bool_)
        once[: cover.primary] = (low == 1) & (high == 1)
        coloured = np.zeros(total, dtype=np.bool_)
        coloured[items[colours > 0]] = True
        plain = ~coloured
        plain[: cover.primary] = False
        self.singles = int(once.sum())
        self.once = _bits(len(cover), owner, items, once, 64)
        self.full = np.zeros(self.once.shape[1], dtype=np.uint64)
        for number in range(self.singles):
            self.full[number // 64] |= np.uint64(1 << number % 64)
        self.entries = np.bincount(owner[once[items]], minlength=len(cover) + 1)
        self.plain = _bits(len(cover), owner, items, plain, 32)
        rest = ~once & ~plain
        kept = rest[items]
        number_of = np.cumsum(rest) - 1
        counts = np.bincount(owner[kept], minlength=len(cover))
        self.rest = OptionTable(np.append(0, np.cumsum(counts)), number_of[items[kept]].astype(np.int32))
        self.rest_colours = colours[kept]
        self.bounded = int(rest[: cover.primary].sum())
        self.low, self.high = low[rest[: cover.primary]], high[rest[: cover.primary]]
        self.others = int(rest.sum())

    def check(self, rows: Rows) -> None:
        """Raise WrongCoverError, with the reason, unless all rows are exact covers."""
        many = max(1, MAX_ARRAY_ENTRIES // max(1, self.others, rows.shape[1], self.once.shape[1], self.plain.shape[1]))
        for at in range(0, len(rows), many):
            part = rows[at : at + many]
            right = self._ordered(part)
            if right.all():
                right = self._right(part)
            if not right.all():
                wrong = part[int(np.flatnonzero(~right)[0])].tolist()
                while wrong and wrong[-1] == len(self.cover):
                    wrong.pop()
                check_cover(self.cover, wrong)
                raise WrongCoverError("its options are not in ascending order")

    def _ordered(self, rows: Rows) -> Mask:
        """Return for each row whether its options exist and ascend."""
        nothing = len(self.cover)
        inside = ((rows >= 0) & (rows <= nothing)).all(axis=1)
        rising = (rows[:, 1:] > rows[:, :-1]) | (rows[:, 1:] == nothing)
        ordered: Mask = inside & rising.all(axis=1)
        return ordered

    def _right(self, rows: Rows) -> Mask:
        # Column by column: one array for all options of all rows takes four times as long.
        entries = np.zeros(len(rows), dtype=np.int64)
        once, plain = (np.zeros((len(rows), table.shape[1]), dtype=np.uint64) for table in (self.once, self.plain))
        added = plain.copy()
        for column in rows.T:
            entries += self.entries[column]
            once |= self.once[column]
            plain |= self.plain[column]
            added += self.plain[column]
        right: Mask = (entries == self.singles) & (once == self.full).all(axis=1) & (plain == added).all(axis=1)
        if self.others:
            self._count_others(rows, right)
        return right

    def _count_others(self, rows: Rows, right: Mask) -> None:
        """Clear ``right`` for rows that break the bounds of an item or give an item two colours."""
        owners, items, places = self.rest.of(rows)
        keys = owners * self.others + items
        times = np.bincount(keys, minlength=len(rows) * self.others).reshape(len(rows), self.others)
        bounded = times[:, : self.bounded]
        right &= ((bounded >= self.low) & (bounded <= self.high)).all(axis=1)
        colours = self.rest_colours[places]
        last_colours = np.zeros(len(rows) * self.others, dtype=np.int32)
        # If several entries have one key, the last colour is kept, and the others must be equal.
        last_colours[keys] = colours
        several = (items >= self.bounded) & (times.ravel()[keys] > 1)
        right[owners[several & ((last_colours[keys] != colours) | (colours == 0))]] = False


def _bits(
    options: int, owner: Longs, items: npt.NDArray[np.int32], mask: Mask, per_word: int
) -> npt.NDArray[np.uint64]:
    """Return a bit for each item in ``mask`` of each option, ``per_word`` bits per word. The last row is padding."""
    number_of = np.cumsum(mask) - 1
    entries = mask[items]
    numbers, owners = number_of[items[entries]], owner[entries]
    words = np.zeros((options + 1, -(-int(mask.sum()) // per_word)), dtype=np.uint64)
    np.bitwise_or.at(words, (owners, numbers // per_word), np.uint64(1) << (numbers % per_word).astype(np.uint64))
    return words
