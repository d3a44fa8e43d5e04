"""The folder of the page: it reads and writes files of puzzle formats there, and no other files."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import hashlib
import os
import re
import secrets
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple, overload

from puzzlec.diagnostics import none_of
from puzzlec.diagnostics.files import GZIP
from puzzlec.formats.registry import FORMATS
from puzzlec.services.web import RefusalError

#: Whether this system opens files relative to the descriptor of a folder.
_FROM_FOLDERS = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class NotOrdinaryError(OSError):
    """An error: the file is a folder, a link, a pipe or a device."""


@contextmanager
def _folder_of(root: Path, path: Path, make: bool = False) -> Iterator[tuple[int | None, str]]:
    """Yield a descriptor of the folder of a file, and the name of the file in it."""
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
    """Return a descriptor of an ordinary file for reading. Do not wait for a pipe."""
    try:
        descriptor = os.open(name, os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0), dir_fd=here)
    except FileNotFoundError:
        raise
    except OSError as error:
        with contextlib.suppress(OSError):
            if not stat.S_ISREG(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                raise NotOrdinaryError(error.errno, "this is not a regular file") from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotOrdinaryError(0, "this is not a regular file")
    return descriptor


def content_of(root: Path, path: Path, most: int) -> bytes:
    """Return at most ``most`` bytes of a file below ``root``; raise OSError, or NotOrdinaryError for other things."""
    with _folder_of(root, path) as (here, name), os.fdopen(_opened(name, here), "rb") as stream:
        return stream.read(most)


def put(root: Path, path: Path, content: bytes, new: bool) -> None:
    """Write bytes to a file below ``root``, all or none. Missing folders are made.

    Raises OSError; FileExistsError if the file should be ``new`` but exists. An existing file keeps its mode.
    """
    with _folder_of(root, path, make=True) as (here, name):
        if new:  # reserve the name, so that no other file is overwritten
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
                os.fsync(written)  # a full disk may be reported as late as here
            os.replace(part, name, src_dir_fd=here, dst_dir_fd=here)
        except OSError:
            for left in (part, name) if new else (part,):
                with contextlib.suppress(OSError):
                    os.unlink(left, dir_fd=here)
            raise


#: Maximum number of bytes of a file that is read or written. The page would be too slow with more.
MAX_FILE_BYTES = 8 * 2**20

#: Limits of a listing: the number of files, the depth of their folders, and the number of entries that are visited.
MAX_FILES_LISTED, MAX_DEPTH, MAX_ENTRIES_VISITED = 1000, 4, 20_000

#: The extensions of the text formats.
ENDINGS = tuple(dict.fromkeys(end for record in FORMATS.values() for end in record.endings))

#: Names of devices on Windows, with any extension.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


class FileText(NamedTuple):
    """The text of a file, and the digest of its bytes, which shows changes by other programs."""

    name: str
    text: str
    digest: str


class Folder:
    """A folder with files that have names such as ``mine/cube.puzzle``. All methods raise RefusalError."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)

    def path(self, name: str) -> Path:
        """Return the path of a file, with links resolved; refuse a name that is invalid or leads out of the folder."""
        problem = name_error(name)
        if problem:
            raise RefusalError(400, problem, "name")
        path = Path(os.path.realpath(self.root / name))
        if not path.is_relative_to(self.root) or path == self.root or path.suffix.lower() not in ENDINGS:
            raise RefusalError(403, f"`{name}` leads out of the folder", "name")
        if any(part.startswith(".") for part in path.relative_to(self.root).parts):
            raise RefusalError(403, f"`{name}` leads to a hidden file", "name")
        return path

    def listing(self) -> list[str]:
        """Return the names of the files of puzzle formats, sorted. Hidden files and folders are left out."""
        names: list[str] = []
        looked = 0
        for here, folders, files in os.walk(self.root):
            depth = len(Path(here).relative_to(self.root).parts)
            folders[:] = sorted(folder for folder in folders if not folder.startswith(".")) if depth < MAX_DEPTH else []
            looked += len(folders) + len(files)
            for file in sorted(files):
                name = (Path(here) / file).relative_to(self.root).as_posix()
                if file.lower().endswith(ENDINGS) and not name_error(name) and self._is_inside(name):
                    names.append(name)
            if len(names) >= MAX_FILES_LISTED or looked > MAX_ENTRIES_VISITED:
                break
        return sorted(names[:MAX_FILES_LISTED])

    def _is_inside(self, name: str) -> bool:
        """Whether a file can be opened: a link may lead out of the folder."""
        try:
            self.path(name)
        except RefusalError:
            return False
        return True

    def read(self, name: str) -> FileText:
        """Return the text of a file. Files compressed by gzip are decompressed: BurrTools writes such files."""
        content = self._content(self.path(name), name)
        text = _text(content, name).replace("\r\n", "\n").replace("\r", "\n")
        if "\0" in text:
            raise RefusalError(415, f"`{name}` is not a text file: it has a null character", "text")
        return FileText(name, text, digest(content))

    def state(self, name: str) -> str | None:
        """Return the current digest of a file, None if it is gone."""
        content = self._content(self.path(name), name, missing=True)
        return None if content is None else digest(content)

    def write(self, name: str, text: str, seen: str | None, force: bool = False) -> FileText:
        """Write a text to a file, completely or not at all, and return it with its digest.

        ``seen`` is the digest of the file that the writer has seen, None for a new file. If the file now has other
        contents, the writing is refused, unless ``force`` is true. Line ends, a byte-order mark and compression stay as
        they were.
        """
        path = self.path(name)
        if os.path.lexists(path) and not path.is_file():
            raise RefusalError(403, f"`{name}` is not a regular file", "name")
        before = self._content(path, name, missing=True)
        content = _as_before(text, before or b"")
        if len(content) > MAX_FILE_BYTES:
            raise RefusalError(413, f"the text is larger than {MAX_FILE_BYTES // 2**20} MB", "size")
        if before is not None and digest(before) != seen and not force:
            if seen is None:
                raise RefusalError(409, f"the file `{name}` already exists", "exists")
            raise RefusalError(409, f"the file `{name}` was changed by another program since it was opened", "changed")
        try:
            put(self.root, path, content, before is None)
        except FileExistsError:
            raise RefusalError(409, f"the file `{name}` already exists", "exists") from None
        except OSError as error:
            raise RefusalError(403, f"cannot write `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        return FileText(name, text, digest(content))

    @overload
    def _content(self, path: Path, name: str) -> bytes: ...

    @overload
    def _content(self, path: Path, name: str, missing: Literal[True]) -> bytes | None: ...

    def _content(self, path: Path, name: str, missing: bool = False) -> bytes | None:
        """Return the bytes of a file; None for a missing one if ``missing`` allows that."""
        try:
            content = content_of(self.root, path, MAX_FILE_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            if missing:
                return None
            raise RefusalError(404, f"no file `{name}`", "missing") from None
        except NotOrdinaryError:
            raise RefusalError(403, f"`{name}` is not a regular file", "name") from None
        except OSError as error:
            raise RefusalError(403, f"cannot read `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        if len(content) > MAX_FILE_BYTES:
            raise RefusalError(413, f"`{name}` is larger than {MAX_FILE_BYTES // 2**20} MB", "size")
        return content


def _text(content: bytes, name: str) -> str:
    """Return bytes as a text, as the readers do; raise RefusalError for data that is binary or too large."""
    if content.startswith(GZIP):
        unpacking = zlib.decompressobj(wbits=31)
        try:
            content = unpacking.decompress(content, MAX_FILE_BYTES + 1)
        except zlib.error:
            raise RefusalError(415, f"`{name}` is compressed and damaged", "text") from None
        if len(content) > MAX_FILE_BYTES:
            raise RefusalError(413, f"`{name}` is larger than {MAX_FILE_BYTES // 2**20} MB", "size")
        if not unpacking.eof:
            raise RefusalError(415, f"`{name}` is compressed and incomplete", "text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if re.match(rb"\s*<[?\w!]", content) and b"\0" not in content:
            return content.decode("latin-1")
        raise RefusalError(415, f"`{name}` is not UTF-8 text", "text") from None


def _as_before(text: str, before: bytes) -> bytes:
    """Return the bytes of a text, encoded like the old content of its file."""
    packed = before.startswith(GZIP)
    if packed:
        with suppress(zlib.error):
            before = zlib.decompressobj(wbits=31).decompress(before, MAX_FILE_BYTES)
    ends = before.count(b"\n")
    if ends and before.count(b"\r\n") == ends:
        text = text.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    content = mark + text.encode("utf-8", "replace")
    return gzip.compress(content, mtime=0) if packed else content


def name_error(name: str) -> str:
    r"""Return what is wrong with the name of a file; empty if it is valid on every system.

    >>> name_error("mine/cube.puzzle"), name_error("a/../b.puzzle"), name_error("C:\\cube.puzzle")
    ('', 'invalid file name: `..`', 'invalid file name: unexpected `\\`')
    """
    if not name or len(name) > 200:
        return "expected a file name of 1 to 200 characters"
    if not name.isprintable():
        return "invalid file name: unexpected control character"
    for sign in '\\:*?"<>|':
        if sign in name:
            return f"invalid file name: unexpected `{sign}`"
    if name.startswith("/"):
        return "invalid file name: remove the first `/`"
    for part in name.split("/"):
        if part in ("", ".", ".."):
            return f"invalid file name: `{part}`"
        if part.startswith("."):
            return "hidden files are not allowed"
        if part != part.strip() or part.endswith(".") or part.split(".")[0].lower() in _DEVICES:
            return f"invalid file name: some systems do not allow `{part}`"
    if not name.lower().endswith(ENDINGS) or name.rpartition("/")[2].lower() in ENDINGS:
        return none_of(name.rpartition("/")[2], ENDINGS)
    return ""


def digest(content: bytes) -> str:
    """Return a short text that identifies the content of a file."""
    return hashlib.sha256(content).hexdigest()[:32]
