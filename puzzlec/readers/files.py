"""Files and streams to sources: decoded, or refused with a reason."""

from __future__ import annotations

import sys
from pathlib import Path

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.diagnostic import fail

#: A text larger than this is refused before it is read.
LARGEST = 64 * 2**20


def open_source(name: str) -> Source:
    """Return the text of a file, or of standard input for ``-``.

    A byte-order mark is dropped and line ends become newlines. Raises PuzzleError for what cannot be
    read, is too large, holds no UTF-8 text, or is empty.
    """
    return source_of(content_of(name), shown_name(name))


def shown_name(name: str) -> str:
    """Return what a file is called in messages."""
    return "<stdin>" if name == "-" else name


def content_of(name: str) -> bytes:
    """Return the bytes of a file or of standard input; raise PuzzleError where they cannot be read, or are too many."""
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(name).open("rb") as stream:
                content = stream.read(LARGEST + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise fail("PZ001", f"cannot read `{name}`: {reason}", file=shown_name(name)) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file whose name holds a null character") from None
    if len(content) > LARGEST:
        raise fail("PZ007", f"this text is larger than {LARGEST // 2**20} MB", file=shown_name(name))
    return content


def source_of(content: bytes, name: str) -> Source:
    """Return bytes as a source; raise PuzzleError where they are no text, or none at all."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail(
            "PZ002",
            f"this is not a text in UTF-8: byte {error.start} cannot be read",
            Source(name, content[: error.start].decode("utf-8", "replace") + "?").span(error.start),
            help="save it as UTF-8",
        ) from None
    at = text.find("\0")
    if at >= 0:
        raise fail("PZ002", f"this is no text: character {at} is null", Source(name, text[:at] + "?").span(at))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise fail("PZ003", "there is nothing in this text", file=name)
    return Source(name, text)
