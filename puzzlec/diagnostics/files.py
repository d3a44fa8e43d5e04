"""Files and streams to sources: decoded, or refused with a reason."""

from __future__ import annotations

import os
import re
import sys
import zlib
from pathlib import Path
from shlex import quote

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.error import fail

#: A file larger than this is refused before it is read; each format has a limit of its own, too.
LARGEST = 2**31

#: What a packed file may become when it is unpacked.
LARGEST_UNPACKED = 512 * 2**20

#: So many bytes are unpacked at a time, of so many packed ones; a packed file has so many parts at most.
STEP, PIECE, MOST_PARTS = 2**24, 2**14, 100_000

#: What zlib calls the form of gzip.
_GZIP = zlib.MAX_WBITS | 16

#: The file that makes a folder the checkpoint of a search, and how such a file begins.
CHECKPOINT, SQLITE = "job.sqlite3", b"SQLite format 3\0"

#: How a text in UTF-16 begins: with its byte-order mark, in either order.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

#: How a file packed by gzip begins, and one packed by zip.
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"


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
            check_input()
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(name).open("rb") as stream:
                content = stream.read(LARGEST + 1)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise fail(
            "PZ001", f"cannot read `{name}`: {reason}", help=_of_checkpoint(name), file=shown_name(name)
        ) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file whose name holds a null character") from None
    if content.startswith(SQLITE) and (help := _of_checkpoint(str(Path(name).parent))):
        raise fail("PZ002", f"`{name}` is no puzzle, but a file of a checkpoint", help=help, file=shown_name(name))
    if len(content) > LARGEST:
        raise fail("PZ007", f"this text is larger than {LARGEST // 2**20} MB", file=shown_name(name))
    return content


def check_input() -> None:
    """Raise PuzzleError (PZ001) if the caller has closed standard input: Python has none then."""
    if sys.stdin is None:
        raise fail("PZ001", "cannot read `-`: standard input is closed", help="name a file", file="<stdin>")


def _of_checkpoint(folder: str) -> tuple[str, ...]:
    """Return what can be done with a folder that holds the checkpoint of a search; nothing where it is none."""
    if not os.path.isfile(Path(folder) / CHECKPOINT):  # noqa: PTH113  # pathlib raises an error for a name that is too long
        return ()
    shown = quote(folder)
    return (
        f"it is the checkpoint of a search: `puzzlec resume {shown}` goes on with it, "
        f"`puzzlec status {shown}` says how far it is, `puzzlec solutions {shown}` what was found",
    )


def source_of(content: bytes | bytearray, name: str) -> Source:
    """Return bytes as a source; raise PuzzleError where they are no text, or none at all.

    What gzip has packed is unpacked; an archive of zip, as numpy writes them, stays bytes. XML that is not in UTF-8 is
    taken for Windows-1252, since old programs wrote it so whatever they said.
    """
    if content.startswith(GZIP):
        content = _unpacked(bytes(content), name)
    if content.startswith(ZIP):
        return Source(name, "", bytes(content))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if re.match(rb"\s*<[?\w!]", content) and b"\0" not in content:
            return Source(name, _with_newlines(old_text(content)))
        before = content[: error.start].decode("utf-8", "replace")
        raise fail(
            "PZ002",
            f"this is not a text in UTF-8: byte {error.start} cannot be read",
            Source(name, before + "?").span(len(before)),
            help=save_as_utf8(content),
        ) from None
    at = text.find("\0")
    if at >= 0:
        raise fail("PZ002", f"this is no text: character {at} is null", Source(name, text[:at] + "?").span(at))
    text = _with_newlines(text)
    if not text or text.isspace():
        raise fail("PZ003", "there is nothing in this text", file=name)
    return Source(name, text)


def save_as_utf8(content: bytes | bytearray) -> str:
    """Return the help for a text that is not in UTF-8, from its first bytes at least."""
    if content.startswith(_UTF16):
        return "it is in UTF-16, as `>` of Windows PowerShell writes: save it as UTF-8"
    return "save it as UTF-8"


def old_text(content: bytes | bytearray) -> str:
    """Return bytes as a text of Windows-1252, which has Latin-1's letters, and signs where that has none."""
    return content.decode("cp1252", "replace")


def _with_newlines(text: str) -> str:
    """Return a text with the line ends of all systems as newlines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _unpacked(content: bytes, name: str) -> bytearray:
    """Return what gzip has packed; raise PuzzleError where it is damaged or far too large.

    Several packed files, one behind the other, are one, and zeros behind them are nothing.
    """
    unpacked, parts, found = zlib.decompressobj(_GZIP), 1, bytearray()
    try:
        # By small pieces: what is left behind the end of a part is copied, which for many parts would take for ever.
        for at in range(0, len(content), PIECE):
            left = content[at : at + PIECE]
            while left:
                if unpacked.eof:
                    left = left.lstrip(b"\0")
                    if not left:
                        break
                    unpacked, parts = zlib.decompressobj(_GZIP), parts + 1
                found += unpacked.decompress(left, STEP)
                if len(found) > LARGEST_UNPACKED:
                    raise fail("PZ007", f"this text is larger than {LARGEST_UNPACKED // 2**20} MB unpacked", file=name)
                if parts > MOST_PARTS:
                    raise fail("PZ007", f"this file is packed by gzip in more than {MOST_PARTS} parts", file=name)
                left = unpacked.unconsumed_tail or unpacked.unused_data
    except zlib.error:
        raise fail("PZ002", "this file is packed by gzip, and damaged", file=name) from None
    if not unpacked.eof:
        raise fail("PZ002", "this file is packed by gzip, and cut short", file=name)
    return found
