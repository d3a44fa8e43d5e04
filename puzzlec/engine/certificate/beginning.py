"""How the file of a certificate begins. A command asks this of each file, so it imports nothing of the checker."""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path

#: The first bytes of a certificate, and of one that gzip compressed.
_BEGINNING, _PACKED = b'{"certificate":', b"\x1f\x8b"


def is_certificate(name: str) -> bool:
    """Return whether a file begins like a certificate, compressed or not; False if it is unreadable."""
    if name == "-":
        return False  # not a file of that name; standard input can be read only once
    with suppress(OSError, EOFError, zlib.error), Path(name).open("rb") as file:
        begins = file.read(len(_BEGINNING))
        if begins.startswith(_PACKED):
            import gzip

            file.seek(0)
            begins = gzip.GzipFile(fileobj=file).read(len(_BEGINNING))
        return begins == _BEGINNING
    return False
