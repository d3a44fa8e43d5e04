"""Files that are compressed as they are written. The same content gives the same bytes: no names, no dates."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from puzzlec.diagnostics.extras import needs

#: How hard the programs try: levels beyond which it takes much longer for little less (docs/jobs.md has figures).
_GZIP, _BZIP2, _XZ, _ZSTD = 3, 9, 1, 1


class Sink(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""


@contextmanager
def stream(path: Path, compressed: str) -> Iterator[Sink]:
    """Give what writes to a file and compresses; how, is a value of :data:`puzzlec.formats.solutions.forms.COMPRESSED`.

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
        return gzip.GzipFile("", "wb", _GZIP, file, mtime=0)
    if compressed == "bz2":
        return bz2.BZ2File(file, "wb", compresslevel=_BZIP2)
    if compressed == "lzma":
        return lzma.LZMAFile(file, "wb", preset=_XZ)
    if sys.version_info >= (3, 14):
        return import_module("compression.zstd").ZstdFile(file, "wb", level=_ZSTD)
    arrow = needs("pyarrow", "parquet", "a file compressed by zstd")
    return arrow.CompressedOutputStream(file, "zstd")  # at its level 1
