"""Placing, covering and raising hundreds of thousands of placements in numpy, with the same results as plain Python.

This module is imported only for large puzzles, since many commands start without numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.problem_numpy import alike, distinct, view
from puzzlec.ir import Placements

_Ints = npt.NDArray[np.int32]


#: Up to this many locations are looked up at once; before that, so many of the last offsets of a form are tried alone.
MAX_NUMBERS_AT_ONCE, MAX_OFFSETS_TRIED_ALONE = 1 << 14, 4


class KeyedOrientation(NamedTuple):
    """An orientation to look for on a board.

    ``kind`` is the kind of its anchor's cell, ``offsets`` are the distances of its cells from the anchor in keys,
    ``wanted`` the numbers of their colours (0: plain).
    """

    kind: int
    offsets: tuple[int, ...]
    wanted: tuple[int, ...]


class LocationGrid:
    """The locations of a board in one array, by key: adding the offsets of an orientation to all anchors places it.

    ``keys`` are those of the locations, in their order; ``kinds`` the kinds of their cells, ``colours`` the numbers of
    their colours (0: plain). ``suits[c, d]``: a cell of colour ``c`` may lie on a location of colour ``d``.
    """

    def __init__(
        self, keys: Sequence[int], kinds: Sequence[int], colours: Sequence[int], suits: npt.NDArray[np.bool_]
    ) -> None:
        every = np.asarray(keys, np.int64)
        self.least, self.size = int(every.min()), int(every.max() - every.min()) + 1
        # An offset longer than the board leads nowhere: its form is left out.
        self.number = np.full(3 * self.size, -1, np.int32)
        places = every - self.least + self.size
        self.number[places] = np.arange(len(every), dtype=np.int32)
        kind_of = np.asarray(kinds)
        self.anchors = {int(kind): places[kind_of == kind] for kind in distinct(kind_of)}
        self.colours = np.asarray(colours, np.int64)
        self.suits = suits

    def placements(self, forms: Iterable[KeyedOrientation]) -> Placements:
        """Return the placements of all forms of a piece, in the order of the forms and of their anchors' locations."""
        blocks = [np.sort(self._reached(form), axis=1) for form in forms if self._has_room(form)]
        return _placements(blocks)

    def shown_placements(self, forms: Sequence[KeyedOrientation]) -> tuple[Placements, list[tuple[int, ...]]]:
        """Return placements as :meth:`placements` does, and the numbers of the colours that each shows.

        Return no colours if all placements show exactly the colours of their locations.
        """
        blocks, colours = [], []
        for form in filter(self._has_room, forms):
            rows = self._reached(form)
            order = np.argsort(rows, axis=1)
            blocks.append(np.take_along_axis(rows, order, axis=1))
            colours.append(np.asarray(form.wanted, np.int64)[order])
        if all(
            bool(np.all(self.colours[rows] == block_colours))
            for rows, block_colours in zip(blocks, colours, strict=True)
        ):
            return _placements(blocks), []
        # Equal rows share one tuple: few are different.
        several: dict[tuple[int, ...], tuple[int, ...]] = {}
        every = (tuple(row) for block_colours in colours for row in block_colours.tolist())
        return _placements(blocks), [several.setdefault(row, row) for row in every]

    def _has_room(self, form: KeyedOrientation) -> bool:
        return all(abs(offset) < self.size for offset in form.offsets)

    def _reached(self, form: KeyedOrientation) -> _Ints:
        """Return the locations that a form reaches from each possible anchor, in the order of its cells."""
        anchors = self.anchors.get(form.kind, np.zeros(0, np.int64))
        offsets = np.asarray(form.offsets, np.int64)
        # The offsets that are farthest apart exclude most anchors, so few are left for all offsets at once.
        for offset in (*form.offsets[::-1][:MAX_OFFSETS_TRIED_ALONE], *form.offsets):
            if len(anchors) * len(offsets) <= MAX_NUMBERS_AT_ONCE:
                break
            anchors = anchors[self.number[anchors + offset] >= 0]
        rows: _Ints = self.number[anchors[:, None] + offsets]
        rows = rows[(rows >= 0).all(axis=1)]
        if any(form.wanted):
            fits = np.ones(len(rows), np.bool_)
            for column, colour in enumerate(form.wanted):
                if colour:
                    fits &= self.suits[colour, self.colours[rows[:, column]]]
            rows = rows[fits]
        return rows


def _placements(blocks: Sequence[_Ints]) -> Placements:
    """Return rows of ascending locations as placements."""
    every = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.int32)
    starts = np.arange(0, every.size + 1, every.shape[1], dtype=np.int64)
    reach = (int(every.min()), int(every.max())) if every.size else None
    return Placements.from_arrays(_array(starts), _array(every.ravel()), reach)


def pairs_that_suit(colours: int, allowed: Iterable[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Return which colours of cells match which colours of locations.

    Equal colours match, plain matches all colours, and ``allowed`` has further pairs.
    """
    suits = np.eye(colours, dtype=np.bool_)
    suits[0, :] = suits[:, 0] = True
    for cell, location in allowed:
        suits[cell, location] = True
    return suits


def entries(placements: Placements, piece_item: int, item_of_location: _Ints) -> tuple[_Ints, npt.NDArray[np.int64]]:
    """Return the items of a piece's options, one option after another, and the number of items of each.

    ``piece_item`` is the piece's item, which comes first in each option; -1 if it has none.
    """
    starts = np.frombuffer(placements.starts, np.int32).astype(np.int64)
    items = item_of_location[np.frombuffer(placements.locations, np.int32)]
    lengths = np.diff(starts)
    if piece_item >= 0:
        items, lengths = np.insert(items, starts[:-1], piece_item), lengths + 1
    return items, lengths


def options(
    pieces: Sequence[Placements], piece_items: Sequence[int], item_of_location: Sequence[int]
) -> tuple[array[int], array[int], array[int], array[int]]:
    """Return the starts and items of the options of all pieces, and for each option its piece and placement."""
    items_of = np.asarray(item_of_location, np.int32)
    parts = [entries(piece, item, items_of) for piece, item in zip(pieces, piece_items, strict=True) if len(piece)]
    lengths = np.concatenate([np.zeros(1, np.int64), *(part for _, part in parts)])
    counts = [len(piece) for piece in pieces]
    return (
        _array(np.cumsum(lengths)),
        _array(np.concatenate([np.zeros(0, np.int32), *(part for part, _ in parts)])),
        _array(np.repeat(np.arange(len(pieces)), counts)),
        _array(np.concatenate([np.zeros(0, np.int64), *(np.arange(count) for count in counts)])),
    )


def in_front(cover: ExactCover) -> int:
    """Return a number n such that each option has exactly one of the first n items; 0 if there is none.

    The last of these n items is the greatest item that comes first in an option.
    """
    if not len(cover):
        return 0
    items, starts = view(cover.items), view(cover.starts)[:-1]
    needed = int(np.minimum.reduceat(items, starts).max()) + 1
    return needed if bool(np.all(np.add.reduceat((items < needed).astype(np.int32), starts) == 1)) else 0


def sorted_rows(cover: ExactCover) -> array[int]:
    """Return the items of all options, ascending in each option, one option after another."""
    items, starts = view(cover.items), view(cover.starts)
    keys = np.repeat(np.arange(len(cover), dtype=np.int64), np.diff(starts)) << 32 | items
    keys.sort(kind="stable")  # fast on nearly sorted data, which most problems have
    return _array(keys & 0xFFFFFFFF)


def entries_in_order(cover: ExactCover) -> tuple[list[tuple[int, int]], array[int]]:
    """Return the existing pairs of item and colour, including colour 0 of each item, ascending.

    Also return the numbers of these pairs in the options, in the form of :func:`sorted_rows`.
    """
    items, starts = view(cover.items), view(cover.starts)
    entries = items.astype(np.int64) << 32 | view(cover.colours)
    plain = np.arange(cover.primary + cover.secondary, dtype=np.int64) << 32
    pairs = distinct(np.concatenate((plain, entries)))
    keys = np.repeat(np.arange(len(cover), dtype=np.int64), np.diff(starts)) << 32 | np.searchsorted(pairs, entries)
    keys.sort(kind="stable")
    return [divmod(pair, 1 << 32) for pair in pairs.tolist()], _array(keys & 0xFFFFFFFF)


def repeats(cover: ExactCover) -> _Ints:
    """Return for each option the number of earlier options with the same entries."""
    numbers = np.zeros(len(cover), np.int32)
    seen: dict[tuple[tuple[int, int], ...], int] = {}
    for option in alike(cover.arrays) if len(cover) else ():
        key = tuple(sorted(cover.entries(option)))
        numbers[option] = seen.get(key, 0)
        seen[key] = int(numbers[option]) + 1
    return numbers


def split(cover: ExactCover, pieces: int) -> tuple[array[int], array[int], list[Placements]]:
    """Return piece and placement of each option, and the placements, if the items in front are the pieces."""
    rows, starts = view(sorted_rows(cover)), view(cover.starts).astype(np.int64)
    pieces_of = rows[starts[:-1]]
    kept = np.ones(len(rows), np.bool_)
    kept[starts[:-1]] = False
    index, placements = _grouped(starts - np.arange(len(starts)), rows[kept] - pieces, pieces_of, pieces)
    return _array(pieces_of), index, placements


def apart(cover: ExactCover, rows: array[int]) -> tuple[array[int], array[int], list[Placements]]:
    """Return piece and placement of each option, and the placements; repeated ones belong to further pieces."""
    pieces_of = repeats(cover)
    index, placements = _grouped(
        view(cover.starts).astype(np.int64), view(rows), pieces_of, int(pieces_of.max(initial=0)) + 1
    )
    return _array(pieces_of), index, placements


def _grouped(
    starts: npt.NDArray[np.int64], rows: _Ints, group: _Ints, number: int
) -> tuple[array[int], list[Placements]]:
    """Return the index of each row among the rows of its piece, and the rows as placements of pieces.

    ``group`` has the piece of each row.
    """
    order = np.argsort(group, kind="stable")
    lengths = np.diff(starts)[order]
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    moved = rows[np.arange(len(rows)) + np.repeat(starts[order] - begins[:-1], lengths)]
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(group, minlength=number))))
    index = np.zeros(len(order), np.int64)
    index[order] = np.arange(len(order)) - ends[group[order]]
    placements = []
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        starts_here = begins[first : last + 1]
        placements.append(
            Placements.from_arrays(
                _array(starts_here - starts_here[0]), _array(moved[starts_here[0] : starts_here[-1]])
            )
        )
    return _array(index), placements


def _array(numbers: npt.NDArray[np.signedinteger]) -> array[int]:
    """Return numbers as an array of the standard library."""
    if numbers.size and int(numbers.max()) > np.iinfo(np.int32).max:
        raise OverflowError("puzzle has more than 2147483647 entries")
    packed = array("i")
    packed.frombytes(np.ascontiguousarray(numbers, np.int32).tobytes())
    return packed
