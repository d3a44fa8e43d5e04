"""The forms that solutions are written in, and how a file's name tells: ``found.jsonl.xz`` is compressed JSON lines."""

from __future__ import annotations

from pathlib import PurePath
from typing import NamedTuple

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
