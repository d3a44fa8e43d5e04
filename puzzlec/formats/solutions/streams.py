"""The forms of files of solutions, and streams that compress them: ``found.jsonl.xz`` is compressed JSON lines.

The same content gives the same bytes: no names, no dates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, NamedTuple, Protocol

from puzzlec.diagnostics.error import needs

#: Extensions of files, and the default format of each.
ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

#: Extensions of compressed files, and the module that compresses them.
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstd"}


class StreamForm(NamedTuple):
    """A format of solutions, and its compression (one of the values of :data:`COMPRESSED`, or empty)."""

    format: str
    compressed: str = ""


def form_of(name: str, format: str | None) -> StreamForm:
    """Return the form for a file's name and a format; raise ValueError if both leave it open, or contradict.

    >>> form_of("found.jsonl.gz", None), form_of("found.xz", "list")
    (StreamForm(format='jsonl', compressed='gzip'), StreamForm(format='list', compressed='lzma'))
    """
    if name == "-":
        raise ValueError("leave `-o` out to print them")
    path = PurePath(name)
    compressed = COMPRESSED.get(path.suffix.lower(), "")
    ending = PurePath(path.stem).suffix if compressed else path.suffix
    named = ENDINGS.get(ending.lower())
    kind = format or named
    if kind is None:
        raise ValueError("unknown extension: give `--to`")
    if named is not None and named != kind:
        raise ValueError(f"the name says {named}, and --to {kind}")
    if kind == "parquet" and compressed:
        raise ValueError("Parquet compresses its data itself")
    return StreamForm(kind, compressed)


#: Compression levels: higher ones take much longer and save little (docs/jobs.md has figures).
_GZIP, _BZIP2, _XZ, _ZSTD = 3, 9, 1, 1


class Sink(Protocol):
    """A target of bytes."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""


@contextmanager
def stream(path: Path, compressed: str) -> Iterator[Sink]:
    """Yield a stream that compresses by a method of :data:`COMPRESSED` and writes to a file.

    zstd needs Python 3.14 or the package pyarrow; raises PuzzleError (PZ505) without them.
    """
    with path.open("wb") as file:
        if not compressed:
            yield file
            return
        opened = _opened(file, compressed)
        try:
            yield opened
        finally:
            opened.close()


def _opened(file: Any, compressed: str) -> Any:
    if compressed == "gzip":
        import gzip

        return gzip.GzipFile("", "wb", _GZIP, file, mtime=0)
    if compressed == "bz2":
        import bz2

        return bz2.BZ2File(file, "wb", compresslevel=_BZIP2)
    if compressed == "lzma":
        import lzma

        return lzma.LZMAFile(file, "wb", preset=_XZ)
    if sys.version_info >= (3, 14):
        return import_module("compression.zstd").ZstdFile(file, "wb", level=_ZSTD)
    arrow = needs("pyarrow", "parquet", "a file compressed by zstd")
    return arrow.CompressedOutputStream(file, "zstd")  # at its level 1
