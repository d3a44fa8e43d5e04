"""A mark beside a checkpoint: the number of its saves.

A database in WAL mode whose ``-wal`` file was lost or damaged opens without an error, in an earlier state. The mark
shows that. It is written after each transaction, never before, and not forced to the disk. It may therefore be older
than the database (after a power cut), never newer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from puzzlec.jobs.records import digest

FILE = "saved"
_SIZE = 34  # 16 digits, a space, 16 digits of the digest, a line end


def read_mark(folder: Path) -> int:
    """Return the number in the mark, or 0 if it cannot be read."""
    try:
        with (folder / FILE).open("rb") as stream:
            text = stream.read(_SIZE + 1)
        number = int(text[:16], 16)
        return number if text == _text(number) else 0
    except (OSError, ValueError):
        return 0


class Mark:
    """The mark of a checkpoint that is being written; raises OSError if it cannot be opened."""

    def __init__(self, folder: Path) -> None:
        file = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        self._stream = os.fdopen(file, "r+b", buffering=0)

    def write(self, number: int) -> None:
        """Overwrite the number. If that fails, the old number stays, which does no harm."""
        with suppress(OSError):
            self._stream.seek(0)
            self._stream.write(_text(number))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _text(number: int) -> bytes:
    digits = b"%016x" % number
    return digits + b" " + digest(digits, FILE).hex().encode() + b"\n"
