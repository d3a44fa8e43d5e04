"""Blocks: many covers in few bytes, as they are stored and sent.

Covers come in the order of the search, so each shares most options with the one before. Options are numbered piece by
piece, so a column of ascending options is mostly one piece. A block therefore has its columns one after the other, in
planes of bytes (first all lowest bytes). zlib compresses them. docs/decisions/036-a-checkpoint-is-a-database.md lists
the alternatives.

The head of a block has ten bytes: whether all covers have one length, the number of planes, the number of covers and
the length of the longest one. Shorter covers are padded with zeros, and all options of such a block are raised by one.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Cover = tuple[int, ...]

#: Covers in the largest block.
MAX_BLOCK_COVERS = 1 << 20

#: Options in the largest block. A forged block therefore cannot fill the memory.
MAX_BLOCK_OPTIONS = 1 << 26

_HEAD = struct.Struct("<BBII")
_EVEN, _RAGGED = 1, 2
#: zlib's fastest level: twice the speed of its default level, and 8% more bytes.
_DEFLATE_LEVEL = 1
#: Maximum number of bytes that one byte of a deflated text can become (zlib's technical details: 1032).
_MAX_DEFLATE_RATIO = 1032
_MAX_OPTION = 2**31 - 2


def pack(covers: Ints | Sequence[Cover]) -> bytes:
    """Return a block of covers: an int32 array of shape (covers, options), or tuples of any lengths.

    The options of each cover are ascending.

    Raises:
        ValueError: If they are not, if there are too many covers, or if an option is above 2**31 - 2.

    """
    if len(covers) > MAX_BLOCK_COVERS:
        raise ValueError(f"a block has at most {MAX_BLOCK_COVERS} covers")
    kind = _EVEN
    if isinstance(covers, np.ndarray):
        table = covers.astype(np.int32, copy=False)
        if table.ndim != 2:
            raise ValueError("an array of covers has a row for each cover, and a column for each option")
    else:
        lengths = np.fromiter(map(len, covers), dtype=np.int64, count=len(covers))
        options = np.fromiter(chain.from_iterable(covers), dtype=np.int64, count=int(lengths.sum()))
        if options.size and not 0 <= options.min() <= options.max() <= _MAX_OPTION:
            raise ValueError("the number of an option is out of range")
        table = np.zeros((len(covers), int(lengths.max(initial=0))), dtype=np.int32)
        inside = np.arange(table.shape[1]) < lengths[:, None]
        kind = _EVEN if inside.all() else _RAGGED
        table[inside] = options + (kind == _RAGGED)
    if table.size > MAX_BLOCK_OPTIONS:
        raise ValueError(f"a block has at most {MAX_BLOCK_OPTIONS} options")
    if not _is_sound(table, kind):
        raise ValueError("the options of a cover must be in ascending order, and none may be negative")
    largest = int(table.max(initial=0))
    planes = max(1, (largest.bit_length() + 7) // 8)
    columns = np.ascontiguousarray(table.T, dtype="<u4").reshape(-1, 1).view(np.uint8)[:, :planes]
    head = _HEAD.pack(kind, planes, len(table), table.shape[1])
    return head + zlib.compress(np.ascontiguousarray(columns.T).tobytes(), _DEFLATE_LEVEL)


def count(data: bytes) -> int:
    """Return the number of covers in a block, from its head; ValueError if it is not a block."""
    return _head(data)[2] if data else 0


def unpack(data: bytes) -> list[Cover]:
    """Return the covers of a block, in their order; ValueError if it is damaged."""
    if not data:
        return []
    kind, table = _table(data)
    if kind == _EVEN:
        return list(map(tuple, table.tolist()))
    lengths = np.count_nonzero(table, axis=1).tolist()
    return [tuple(row[:length]) for row, length in zip((table - 1).tolist(), lengths, strict=True)]


def unpack_array(data: bytes) -> Ints | None:
    """Return the covers of a block as an int32 array of shape (covers, options); None if their lengths differ.

    A block of no bytes has no covers: an array of shape (0, 0). Raises ValueError if the block is damaged.
    """
    if not data:
        return np.zeros((0, 0), dtype=np.int32)
    kind, table = _table(data)
    return table if kind == _EVEN else None


def _is_sound(table: Ints, kind: int) -> bool:
    """Return whether the rows are ascending and not negative. Rows of several lengths may end in zeros."""
    if not table.size:
        return True
    if kind == _EVEN:
        return bool(table[:, 0].min() >= 0 and (table[:, 1:] > table[:, :-1]).all())
    behind = table[:, 1:] == 0
    return bool(table.min() >= 0 and (behind | ((table[:, 1:] > table[:, :-1]) & (table[:, :-1] > 0))).all())


def _head(data: bytes) -> tuple[int, int, int, int]:
    """Return kind, planes, covers and options of a block; ValueError if they cannot be right."""
    if len(data) < _HEAD.size:
        raise ValueError("a block is too short")
    kind, planes, number, width = _HEAD.unpack_from(data)
    if (
        kind not in (_EVEN, _RAGGED)
        or not 1 <= planes <= 4
        or number > MAX_BLOCK_COVERS
        or number * width > MAX_BLOCK_OPTIONS
    ):
        raise ValueError("a block has a wrong header")
    if number * width * planes > _MAX_DEFLATE_RATIO * (len(data) - _HEAD.size):
        raise ValueError("a block claims more covers than its bytes can contain")
    return kind, planes, number, width


def _table(data: bytes) -> tuple[int, Ints]:
    """Return the kind of a block and its table. The length of the data bounds the memory."""
    kind, planes, number, width = _head(data)
    size = number * width * planes
    inflating = zlib.decompressobj()
    try:
        # One byte more than expected shows that there are too many. 0 would not be a bound.
        text = inflating.decompress(memoryview(data)[_HEAD.size :], size + 1)
    except zlib.error as error:
        raise ValueError(f"a block cannot be inflated: {error}") from None
    if len(text) != size or not inflating.eof or inflating.unused_data:
        raise ValueError("a block does not have the size in its header")
    bytes_ = np.frombuffer(text, dtype=np.uint8).reshape(planes, number * width)
    if planes == 4 and size and bytes_[3].max() > 127:
        raise ValueError("the number of an option is out of range")
    values = np.zeros(number * width, dtype=np.int32)
    for place in range(planes - 1, -1, -1):
        values <<= 8
        values |= bytes_[place]
    table = np.ascontiguousarray(values.reshape(width, number).T)
    if not _is_sound(table, kind):
        raise ValueError("the options of a cover are not in ascending order")
    return kind, table
