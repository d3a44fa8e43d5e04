"""Files of a folder, opened so that nobody who writes there at the same moment can lead us out of it.

A name that was looked at can be another file when it is opened: a link, a pipe, a device. So every folder on the way
is opened from the one before it, and links are not followed (openat(2) with O_NOFOLLOW); what was opened must be an
ordinary file. A file is written beside its place under a name that nobody knows, and then put there in one step.
Where a system has no such calls (Windows), the plain ones are used.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Whether this system opens files from the descriptor of a folder.
_FROM_FOLDERS = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class NotOrdinaryError(OSError):
    """What stands at the place of a file is none: a folder, a link, a pipe, a device."""


@contextmanager
def _folder_of(root: Path, path: Path, make: bool = False) -> Iterator[tuple[int | None, str]]:
    """Give a descriptor of the folder that a file lies in, and what the file is called from there."""
    if not _FROM_FOLDERS:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield None, str(path)
        return
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in path.relative_to(root).parts[:-1]:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=here)
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK, dir_fd=here)
            os.close(here)
            here = inner
        yield here, path.name
    finally:
        os.close(here)


def _opened(name: str, here: int | None) -> int:
    """Return a descriptor of an ordinary file to be read; a pipe is not waited for."""
    try:
        found = os.open(name, os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0), dir_fd=here)
    except FileNotFoundError:
        raise
    except OSError as error:
        with contextlib.suppress(OSError):
            if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                raise NotOrdinaryError(error.errno, "this is no ordinary file") from None
        raise
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise NotOrdinaryError(0, "this is no ordinary file")
    return found


def content_of(root: Path, path: Path, most: int) -> bytes:
    """Return the bytes of a file below ``root``, at most so many; raise OSError, NotOrdinaryError where it is none."""
    with _folder_of(root, path) as (here, name), os.fdopen(_opened(name, here), "rb") as stream:
        return stream.read(most)


def put(root: Path, path: Path, content: bytes, new: bool) -> None:
    """Put bytes into a file below ``root``, all or none of them; folders on the way are made.

    Raises OSError; FileExistsError where the file should be ``new`` and is not. A file that was there keeps its mode.
    """
    with _folder_of(root, path, make=True) as (here, name):
        if new:  # the place is taken, so that nobody else's file is written over
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o666, dir_fd=here))
        part = f".{secrets.token_hex(8)}.part"
        if here is None:
            part = str(path.with_name(part))
        try:
            written = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600, dir_fd=here)
            with os.fdopen(written, "wb") as stream:
                stream.write(content)
                stream.flush()
                if hasattr(os, "fchmod"):
                    os.fchmod(written, stat.S_IMODE(os.stat(name, dir_fd=here).st_mode))
                os.fsync(written)  # a full disk may be told as late as here
            os.replace(part, name, src_dir_fd=here, dst_dir_fd=here)
        except OSError:
            for left in (part, name) if new else (part,):
                with contextlib.suppress(OSError):
                    os.unlink(left, dir_fd=here)
            raise
