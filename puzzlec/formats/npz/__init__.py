"""An archive of numpy arrays: an exact cover, with the puzzle or fitting that it was made from.

``scipy.sparse.load_npz`` reads it as a matrix of 0 and 1. The archive also contains bounds, colours and names, and the
puzzle or fitting, so that reading restores it. The layout of an archive is numpy's
(https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html), the arrays of a sparse matrix are those of
``scipy.sparse.save_npz``. The bytes depend only on the problem: all dates are the first that zip allows.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from puzzlec.formats.json.writing import chunked, fitting_fields, text, write_json, written
from puzzlec.formats.npz.reading import read_npz
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.formats.writing import labelled
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import encode
from puzzlec.lower.labels import Labelled

#: The number of bytes of an array that are compressed at a time.
CHUNK = 1 << 20

#: A text that is made on demand.
_Chunks = Callable[[], Iterator[bytes]]


def write_npz(what: Puzzle | Fitting | Labelled, choices: Choices) -> Iterator[bytes]:
    """Yield the archive of the exact cover of a puzzle, in chunks.

    ``format``, ``shape``, ``indptr``, ``indices``, ``data``: the matrix, a row an option, a column an item, the primary
    ones first. ``primary``: the number of primary items; ``low`` and ``high``: their bounds. ``colours``, if there are
    any: one for each entry of the matrix. ``costs``, if there are any: one for each option. ``item_names``,
    ``option_names``, ``colour_names``: lists of texts as JSON, the last for the colours from 1. ``title``: the title of
    an exact cover. ``puzzle`` or ``fitting``: the source of the cover, as JSON, a fitting without its placements.
    ``piece``: for each option the number of its piece (-1: a location stays empty, -2: the option of a rule places
    nothing). ``location``: for each item the number of its location (-1: none).
    """
    # A fitting is read from the items of its locations.
    source = encode(what, every_location=True) if isinstance(what, Fitting) else what
    cover = source if isinstance(source, Labelled) else labelled(source)
    members = _members(cover)
    if isinstance(what, Labelled) and what.title:
        title = re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", what.title).encode("utf-8", "replace")
        members.append(("title", lambda: iter([title])))
    if isinstance(what, Puzzle):
        puzzle = what
        members.append(("puzzle", lambda: (chunk.encode() for chunk in write_json(puzzle, choices))))
    elif isinstance(what, Fitting):
        members += _of_a_fitting(what, cover)
    return _archive(members)


def _members(labelled: Labelled) -> list[tuple[str, Any]]:
    """Return the arrays of an exact cover by their names."""
    cover = labelled.cover
    columns = cover.primary + cover.secondary
    found: list[tuple[str, Any]] = [
        ("format", b"csr"),
        ("shape", array("q", [len(cover), columns])),
        ("indptr", cover.starts),
        ("indices", cover.items),
        ("data", _Ones(len(cover.items))),
        ("primary", cover.primary),
        ("low", cover.low),
        ("high", cover.high),
    ]
    if any(cover.colours):
        found.append(("colours", cover.colours))
    if cover.costs:
        found.append(("costs", cover.costs))
    if cover.colour_names:
        found.append(("colour_names", lambda: _names(cover.colour_names)))
    if cover.item_names:
        found.append(("item_names", lambda: _names(cover.item_names)))
    if cover.option_names:
        found.append(("option_names", lambda: _names(cover.option_names)))
    elif labelled.encoding is not None and len(cover):
        found.append(("option_names", lambda: _names(labelled.labels())))
    return found


def _of_a_fitting(fitting: Fitting, labelled: Labelled) -> list[tuple[str, Any]]:
    """Return the arrays that link items and options of a cover to a fitting."""
    encoding = labelled.encoding
    assert encoding is not None
    locations = array("i", [-1]) * (encoding.cover.primary + encoding.cover.secondary)
    for location, item in enumerate(encoding.item_of_location):
        locations[item] = location
    lines: _Chunks = lambda: (chunk.encode() for chunk in chunked(written(fitting_fields(fitting, placed=False))))  # noqa: E731
    return [("piece", encoding.piece), ("location", locations), ("fitting", lines)]


class _Ones:
    """An array of ones that is never in memory."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __len__(self) -> int:
        return self.number


def _names(names: Iterable[str]) -> Iterator[bytes]:
    """Yield a list of texts as JSON, in chunks."""
    rest = map(text, names)
    before = "["
    while chunk := ",\n".join(islice(rest, 1000)):
        yield (before + chunk).encode()
        before = ",\n"
    yield b"]\n" if before != "[" else b"[]\n"


class _Stream(io.RawIOBase):
    """The target of a zip archive. Its bytes are taken out as they are written."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.waiting.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """Return the bytes since the last call."""
        found = b"".join(self.waiting)
        self.waiting.clear()
        return found


def _archive(members: list[tuple[str, Any]]) -> Iterator[bytes]:
    """Yield the bytes of an archive of arrays."""
    stream = _Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members:
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o600 << 16
            with archive.open(info, "w", force_zip64=True) as member:
                for chunk in _npy(value):
                    member.write(chunk)
                    if sum(map(len, stream.waiting)) >= CHUNK // 16:
                        yield stream.taken()
    yield stream.taken()


def _npy(value: Any) -> Iterator[bytes]:
    """Yield an array in numpy's format: its header, and its bytes in chunks, least significant first."""
    from numpy.lib import format as npy

    descr, shape, chunks = _described(value)
    head = io.BytesIO()
    npy.write_array_header_1_0(head, {"descr": descr, "fortran_order": False, "shape": shape})
    yield head.getvalue()
    yield from chunks


def _described(value: Any) -> tuple[str, tuple[int, ...], Iterator[bytes]]:
    """Return type and shape of an array, and its bytes in chunks."""
    if isinstance(value, bytes):
        return f"|S{len(value)}", (), iter([value])
    if isinstance(value, int):
        return "<i8", (), iter([value.to_bytes(8, "little")])
    if isinstance(value, _Ones):
        return "|u1", (len(value),), (b"\1" * min(CHUNK, len(value) - at) for at in range(0, len(value), CHUNK))
    if callable(value):
        # The length of a text precedes the text, so the text is kept compressed until its length is known.
        kept, size = [], 0
        for chunk in value():
            size += len(chunk)
            kept.append(zlib.compress(chunk, 1))
        return "|u1", (size,), map(zlib.decompress, kept)
    return f"<i{value.itemsize}", (len(value),), _bytes(value)


def _bytes(numbers: array[int]) -> Iterator[bytes]:
    """Yield the bytes of numbers in chunks."""
    step = CHUNK // numbers.itemsize
    for at in range(0, len(numbers), step):
        part = numbers[at : at + step]
        if sys.byteorder == "big":
            part.byteswap()
        yield part.tobytes()


FORMAT = Format(
    "npz",
    (".npz",),
    "a sparse matrix of scipy, with names",
    level="any",
    read=read_npz,
    write=write_npz,
    recognise=(Sign(10, r"PK[\s\S]{28}[\w./-]{1,200}\.npy", binary=True),),
    aliases=("numpy", "scipy"),
    place=230,
    traits=("binary", "costs"),
    largest=2**29,
)
