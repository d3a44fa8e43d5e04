"""Read files and streams as sources, or report why they cannot be read; write a file as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import BinaryIO

from puzzlec.diagnostics import Source
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.suggest import listed, near

#: Larger files are refused before they are read. Each format also has its own limit. WebAssembly has 32-bit sizes.
MAX_FILE_BYTES = min(2**31, sys.maxsize - 1)

#: Size limit of a compressed file after decompression.
MAX_UNPACKED_BYTES = 512 * 2**20

#: Maximum number of files that a suggestion names.
MAX_FILES_NAMED = 3

#: Bytes read or decompressed at a time, compressed bytes taken at a time, and the most parts of a compressed file.
UNPACKING_BYTES, PIECE_BYTES, MAX_GZIP_PARTS = 2**24, 2**14, 100_000

#: The number that makes zlib read the gzip form.
_GZIP = zlib.MAX_WBITS | 16

#: The file that makes a folder the checkpoint of a search, and its first bytes.
CHECKPOINT, SQLITE = "job.sqlite3", b"SQLite format 3\0"

#: First bytes of a text in UTF-16: its byte-order mark, in either order.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

#: First bytes of a file compressed by gzip, and of a zip archive.
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"


def open_source(name: str) -> Source:
    """Return the text of a file, or of standard input for ``-``.

    A byte-order mark is dropped and line ends become newlines. Raises PuzzleError if the file cannot be
    read, is too large, is not text in UTF-8, or is empty.
    """
    return source_of(content_of(name), shown_name(name))


def shown_name(name: str) -> str:
    """Return the name of a file in messages."""
    return "<stdin>" if name == "-" else name


def content_of(name: str) -> bytes:
    """Return the bytes of a file or of standard input; raise PuzzleError if they are unreadable or too many."""
    try:
        if name == "-":
            check_input()
            content = bytes_of(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as stream:
                content = bytes_of(stream)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        help = _of_checkpoint(name) or _meant(name)
        raise fail("PZ001", f"cannot read `{name}`: {reason}", help=help, file=shown_name(name)) from None
    except ValueError:
        raise fail("PZ001", "cannot read a file whose name contains a null character") from None
    if content.startswith(SQLITE) and (help := _of_checkpoint(str(Path(name).parent))):
        raise fail("PZ002", f"`{name}` is part of a checkpoint, not a puzzle", help=help, file=shown_name(name))
    if len(content) > MAX_FILE_BYTES:
        raise fail("PZ007", f"text is too large (limit {MAX_FILE_BYTES // 2**20} MB)", file=shown_name(name))
    return content


def bytes_of(stream: BinaryIO) -> bytes:
    """Return the content of a stream, at most one byte more than :data:`MAX_FILE_BYTES`.

    Python makes room for all bytes that it is asked for, and a browser has no room for so many. So they are read in
    steps.
    """
    parts, left = list[bytes](), MAX_FILE_BYTES + 1
    while left > 0 and (part := stream.read(min(left, UNPACKING_BYTES))):
        parts.append(part)
        left -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def is_file(name: str) -> bool:
    """Return whether a name is that of a file; False for a name that is too long."""
    return os.path.isfile(name)  # noqa: PTH113  # pathlib raises an error for a name that is too long


def check_input() -> None:
    """Raise PuzzleError (PZ001) if the caller has closed standard input: Python then has none."""
    if sys.stdin is None:
        raise fail("PZ001", "cannot read `-`: standard input is closed", help="give the name of a file", file="<stdin>")


def _of_checkpoint(folder: str) -> tuple[str, ...]:
    """Return the commands for a folder that contains the checkpoint of a search, or nothing for another folder."""
    if not is_file(str(Path(folder) / CHECKPOINT)):
        return ()
    quoted = quote(folder)
    return (
        f"use a command for checkpoints: `puzzlec job resume {quoted}`, "
        f"`puzzlec job status {quoted}` or `puzzlec solutions {quoted}`",
    )


def _meant(name: str) -> tuple[str, ...]:
    """Return the puzzles in a folder, or the files with nearly the same name, as a suggestion; nothing if none are."""
    path = Path(name)
    try:
        if path.is_dir():
            files = sorted(str(each) for each in path.glob("*.puzzle"))[:MAX_FILES_NAMED]
            return (f"give a file in it, such as {listed([f'`{each}`' for each in files], 'or')}",) if files else ()
        beside = {each.name for each in path.parent.iterdir() if each.is_file() and not each.name.startswith(".")}
    except OSError:
        return ()
    same = sorted(each for each in beside if Path(each).stem.lower() == path.stem.lower())
    names = [str(path.with_name(each)) for each in near(path.name, beside) or same[:MAX_FILES_NAMED]]
    return (f"did you mean {listed([f'`{each}`' for each in names], 'or')}?",) if names else ()


def source_of(content: bytes | bytearray, name: str) -> Source:
    """Return bytes as a source; raise PuzzleError if they are not text, or empty.

    Data compressed by gzip is decompressed. XML that is not valid UTF-8
    is read as Windows-1252: old programs wrote this encoding, even if the header names another.
    """
    if content.startswith(GZIP):
        content = _unpacked(bytes(content), name)
    if content.startswith(ZIP):
        raise fail("PZ002", "file is not text: it is a ZIP archive", file=name, help="unpack it, and give a file of it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if re.match(rb"\s*<[?\w!]", content) and b"\0" not in content:
            return Source(name, _with_newlines(old_text(content)))
        before = content[: error.start].decode("utf-8", "replace")
        raise fail(
            "PZ002",
            f"file is not UTF-8 text: byte {error.start} is invalid",
            Source(name, before + "?").span(len(before)),
            help=save_as_utf8(content),
        ) from None
    at = text.find("\0")
    if at >= 0:
        raise fail("PZ002", f"file is not text: character {at} is null", Source(name, text[:at] + "?").span(at))
    text = _with_newlines(text)
    if not text or text.isspace():
        raise fail("PZ003", "file is empty", file=name, help="start with `puzzlec new packing2d`")
    return Source(name, text)


def save_as_utf8(content: bytes | bytearray) -> str:
    """Return the suggestion for a text that is not in UTF-8, guessed from its first bytes."""
    if b"\0" in content and not content.startswith(_UTF16):
        return "give a text file: a picture, a model or a document contains no puzzle"
    if content.startswith(_UTF16):
        return "save it as UTF-8, not UTF-16 (the form that `>` of Windows PowerShell writes)"
    return "save it as UTF-8"


def old_text(content: bytes | bytearray) -> str:
    """Return bytes as a text of Windows-1252: Latin-1 with more signs."""
    return content.decode("cp1252", "replace")


def _with_newlines(text: str) -> str:
    """Return a text with the line ends of all systems as newlines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _unpacked(content: bytes, name: str) -> bytearray:
    """Decompress gzip data; raise PuzzleError if it is damaged or far too large.

    Several compressed parts in a row are one text. Zeros after them are ignored.
    """
    unpacked, parts, plain = zlib.decompressobj(_GZIP), 1, bytearray()
    try:
        # The pieces are small: zlib copies the rest of its input at the end of each part, which is slow with many
        # parts.
        for at in range(0, len(content), PIECE_BYTES):
            left = content[at : at + PIECE_BYTES]
            while left:
                if unpacked.eof:
                    left = left.lstrip(b"\0")
                    if not left:
                        break
                    unpacked, parts = zlib.decompressobj(_GZIP), parts + 1
                plain += unpacked.decompress(left, UNPACKING_BYTES)
                if len(plain) > MAX_UNPACKED_BYTES:
                    raise fail(
                        "PZ007", f"decompressed text is too large (limit {MAX_UNPACKED_BYTES // 2**20} MB)", file=name
                    )
                if parts > MAX_GZIP_PARTS:
                    raise fail("PZ007", f"file has too many gzip parts (limit {MAX_GZIP_PARTS:,})", file=name)
                left = unpacked.unconsumed_tail or unpacked.unused_data
    except zlib.error:
        raise fail("PZ002", "compressed file is damaged", file=name) from None
    if not unpacked.eof:
        raise fail("PZ002", "compressed file is incomplete", file=name)
    return plain


@contextmanager
def replaced(target: str | Path, over: bool = True) -> Iterator[Path]:
    """Yield a path to write to; at the end of the block, this file becomes ``target``.

    The target is checked first. After an error, an existing file is unchanged, or there is no file. A link stays a
    link, and an existing file keeps its mode.

    Raises:
        FileExistsError: If the file exists, or appears during the block, and must not be overwritten (``over``).
        OSError: If it cannot be written.
        PuzzleError: If it is not a regular file.

    """
    is_there, path = _may_replace(str(target), over), Path(target).resolve()
    # The name is short, so that it is never too long. It is random: several machines may share the folder.
    part = path.with_name(f".puzzlec-{os.urandom(8).hex()}.part")
    try:
        try:
            part.open("xb").close()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from None
        part.unlink()
        yield part
        if is_there:
            shutil.copymode(path, part)
        _place(part, path, over)
    finally:
        with suppress(OSError):
            part.unlink()


def _may_replace(target: str, over: bool) -> bool:
    """Return whether there is a file that may be overwritten; False also for a link to a missing file.

    Raises the errors of :func:`replaced`.
    """
    if os.path.lexists(target) and not over:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    path = Path(target)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not stat.S_ISREG(mode):  # checked before it is opened: a pipe would wait for a reader
        raise fail("PZ005", f"`{target}` is not a regular file", file=target, help="name a file to write")
    path.open("ab").close()
    return True


def _place(part: Path, path: Path, over: bool) -> None:
    """Give a file its name; raise FileExistsError if another file has it, unless ``over``."""
    if over:
        part.replace(path)
        return
    try:
        os.link(part, path)  # checks and renames in one step
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        part.rename(path)
