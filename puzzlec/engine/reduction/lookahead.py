"""Looks ahead in machine code, and the arrays for them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.reducing import Problem, close_impossible
from puzzlec.engine.problem import ExactCover

#: Words that are read between two calls from Python, so that Ctrl-C works within some hundredths of a second.
BUDGET = 1 << 24


def options_as_words(cover: ExactCover) -> npt.NDArray[np.uint64]:
    """Return the options of each item as a row of words. Option ``o`` is bit ``o % 64`` of the word ``o // 64``."""
    starts = np.frombuffer(cover.starts, np.int32)
    options = np.repeat(np.arange(len(cover)), starts[1:] - starts[:-1])
    return _packed(np.frombuffer(cover.items, np.int32), options, cover.primary + cover.secondary, len(cover))


def words_as_sets(words: npt.NDArray[np.uint64]) -> list[int]:
    """Return the rows as integers, whose bit ``o`` is option ``o``.

    >>> words_as_sets(options_as_words(ExactCover.from_rows([[0, 1], [1], [0]], primary=2)))
    [5, 3]
    """
    return [int.from_bytes(row.tobytes(), "little") for row in words.astype("<u8")]


class CompiledLooks:
    """Looks ahead for one problem with at least one option."""

    def __init__(self, cover: ExactCover, options_of: npt.NDArray[np.uint64]) -> None:
        starts = np.frombuffer(cover.starts, np.int32)
        items = np.frombuffer(cover.items, np.int32)
        colours = np.frombuffer(cover.colours, np.int32)
        coloured = np.flatnonzero(colours)
        agreement = np.full(len(items), -1, np.int32)
        # A pair of an item and a colour is one number. Equal pairs get the same row.
        pairs = items[coloured].astype(np.int64) << 32 | colours[coloured]
        kinds, rows = np.unique(pairs, return_inverse=True)
        agreement[coloured] = rows
        options = np.searchsorted(starts, coloured, "right") - 1
        self.problem = Problem(starts, items, agreement, options_of, _packed(rows, options, len(kinds), len(cover)))

    def ahead(self, alive: int, need: list[int], room: list[int], looks: int) -> tuple[int, int]:
        """Return the open options without those that leave an item with too few, and the looks left."""
        words = np.frombuffer(alive.to_bytes(8 * self.problem.options_of.shape[1], "little"), "<u8").astype(np.uint64)
        bounds = np.array(need, np.int32), np.array(room, np.int32)
        word = 0
        while word < len(words) and looks >= 0:
            word, looks = close_impossible(self.problem, words, *bounds, word, looks, BUDGET)
        return int.from_bytes(words.astype("<u8").tobytes(), "little"), looks


def _packed(
    rows: npt.NDArray[np.signedinteger], options: npt.NDArray[np.signedinteger], number: int, length: int
) -> npt.NDArray[np.uint64]:
    """Return ``number`` sets of ``length`` options as words, from pairs of a row and an option that it has."""
    words = np.zeros((number, (length + 63) // 64), np.uint64)
    np.bitwise_or.at(words, (rows, options >> 6), np.uint64(1) << (options & 63).astype(np.uint64))
    return words
