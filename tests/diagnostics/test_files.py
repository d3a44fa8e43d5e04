"""Files are read in steps, because a browser has no room for the largest file that is read."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from puzzlec.diagnostics import PuzzleError, files
from puzzlec.diagnostics.files import bytes_of, content_of


class Small(io.BytesIO):
    """A stream that has room for 32 MB, as a browser has."""

    def read(self, size: int | None = -1) -> bytes:
        """Return some bytes; raise OverflowError if there is no room."""
        if size is None or not 0 <= size <= 2**25:
            raise OverflowError("byte string is too large")
        return super().read(size)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(path: Path, *_: Any, **__: Any) -> io.BytesIO:
        return Small(path.name.encode())

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Small(b"input")))


@pytest.mark.usefixtures("small")
def test_files_and_standard_input_are_read_without_room_for_the_largest_file() -> None:
    assert content_of("some.puzzle") == b"some.puzzle"
    assert content_of("-") == b"input"


def test_no_more_is_read_than_one_byte_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 10)
    monkeypatch.setattr(files, "UNPACKING_BYTES", 4)
    assert bytes_of(io.BytesIO(b"")) == b""
    assert bytes_of(io.BytesIO(b"0123456789")) == b"0123456789"
    assert bytes_of(stream := io.BytesIO(b"0123456789ABCDE")) == b"0123456789A"
    assert stream.tell() == 11
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"0123456789ABCDE")))
    with pytest.raises(PuzzleError, match="too large"):
        content_of("-")
