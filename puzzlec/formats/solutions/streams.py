"""Files that are compressed as they are written. The same content gives the same bytes: no names, no dates."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, NamedTuple, Protocol

from puzzlec.diagnostics.extras import needs

#: Endings of files, and the format that each means where none is asked for.
ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

#: Endings of compressed files, and the module that compresses so.
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstd"}


class Form(NamedTuple):
    """A format of solutions, and what compresses it (one of the values of :data:`COMPRESSED`, or nothing)."""

    format: str
    compressed: str = ""


def form_of(name: str, format: str | None) -> Form | None:
    """Return the form that a file's name and a format together ask for; None where they do not tell.

    >>> form_of("found.jsonl.gz", None), form_of("found.xz", "list"), form_of("found.txt", None)
    (Form(format='jsonl', compressed='gzip'), Form(format='list', compressed='lzma'), None)
    """
    path = PurePath(name)
    compressed = COMPRESSED.get(path.suffix.lower(), "")
    ending = PurePath(path.stem).suffix if compressed else path.suffix
    known = format or ENDINGS.get(ending.lower())
    return None if known is None else Form(known, compressed)


#: How hard the programs try: levels beyond which it takes much longer for little less (docs/jobs.md has figures).
_GZIP, _BZIP2, _XZ, _ZSTD = 3, 9, 1, 1


class Sink(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""


@contextmanager
def stream(path: Path, compressed: str) -> Iterator[Sink]:
    """Yield a stream that compresses by a method of :data:`COMPRESSED` and writes to a file.

    For zstd Python 3.14 or the package pyarrow is needed: without them, PuzzleError (PZ505).
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
