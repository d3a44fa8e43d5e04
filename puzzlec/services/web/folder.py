"""The folder that the page reads and writes: files of puzzle formats in it, and nothing else on this machine."""

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
from puzzlec.services.web.refusals import RefusalError

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


#: A file of more bytes is neither read nor written: a page that shows it would not be fit to use.
LARGEST = 8 * 2**20

#: So many files are listed, from folders so deep, and so many places are looked at for them.
MOST, DEEPEST, LOOKED_AT = 1000, 4, 20_000

#: The endings of the formats that are text.
ENDINGS = tuple(dict.fromkeys(end for each in FORMATS.values() for end in each.endings if each.name != "npz"))

#: Names that mean devices on Windows, whatever ending they have.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


class Text(NamedTuple):
    """A file's text, and the digest of its bytes, by which an edit is noticed that somebody else has made."""

    name: str
    text: str
    digest: str


class Folder:
    """A folder whose files may be read and written by names such as ``mine/cube.puzzle``; all raise RefusalError."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)

    def path(self, name: str) -> Path:
        """Return where a file is, links followed; refuse a name that is none, or that leads out of the folder."""
        problem = fault(name)
        if problem:
            raise RefusalError(400, problem, "name")
        path = Path(os.path.realpath(self.root / name))
        if not path.is_relative_to(self.root) or path == self.root or path.suffix.lower() not in ENDINGS:
            raise RefusalError(403, f"`{name}` leads out of the folder", "name")
        if any(part.startswith(".") for part in path.relative_to(self.root).parts):
            raise RefusalError(403, f"`{name}` leads to a hidden file", "name")
        return path

    def listing(self) -> list[str]:
        """Return the names of the files of puzzle formats, sorted; hidden files and folders are left out."""
        found: list[str] = []
        looked = 0
        for here, folders, files in os.walk(self.root):
            depth = len(Path(here).relative_to(self.root).parts)
            folders[:] = sorted(each for each in folders if not each.startswith(".")) if depth < DEEPEST else []
            looked += len(folders) + len(files)
            for each in sorted(files):
                name = (Path(here) / each).relative_to(self.root).as_posix()
                if each.lower().endswith(ENDINGS) and not fault(name) and self._is_inside(name):
                    found.append(name)
            if len(found) >= MOST or looked > LOOKED_AT:
                break
        return sorted(found[:MOST])

    def _is_inside(self, name: str) -> bool:
        """Whether a file can be opened by its name: a link may lead out of the folder."""
        try:
            self.path(name)
        except RefusalError:
            return False
        return True

    def read(self, name: str) -> Text:
        """Return the text of a file; what gzip has packed is unpacked, as BurrTools writes its files."""
        content = self._content(self.path(name), name)
        text = _text(content, name).replace("\r\n", "\n").replace("\r", "\n")
        if "\0" in text:
            raise RefusalError(415, f"`{name}` is no text: it holds a null character", "text")
        return Text(name, text, digest(content))

    def state(self, name: str) -> str | None:
        """Return the digest of a file as it is now, None where there is none any more."""
        found = self._content(self.path(name), name, missing=True)
        return None if found is None else digest(found)

    def write(self, name: str, text: str, known: str | None, force: bool = False) -> Text:
        """Write a text into a file, whole or not at all, and return it with its digest.

        ``known`` is the digest of what the writer believes to stand there, None for nothing. Where something else
        does, it is refused unless ``force`` says that it may be lost. Line ends, a byte-order mark, and whether the
        file is packed, stay as they were.
        """
        path = self.path(name)
        if os.path.lexists(path) and not path.is_file():
            raise RefusalError(403, f"`{name}` is no ordinary file", "name")
        before = self._content(path, name, missing=True)
        content = _as_before(text, before or b"")
        if len(content) > LARGEST:
            raise RefusalError(413, f"this text is larger than {LARGEST // 2**20} MB", "size")
        if before is not None and digest(before) != known and not force:
            if known is None:
                raise RefusalError(409, f"the file `{name}` exists already", "exists")
            raise RefusalError(409, f"the file `{name}` was changed by somebody else since it was opened", "changed")
        try:
            put(self.root, path, content, before is None)
        except FileExistsError:
            raise RefusalError(409, f"the file `{name}` exists already", "exists") from None
        except OSError as error:
            raise RefusalError(403, f"cannot write `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        return Text(name, text, digest(content))

    @overload
    def _content(self, path: Path, name: str) -> bytes: ...

    @overload
    def _content(self, path: Path, name: str, missing: Literal[True]) -> bytes | None: ...

    def _content(self, path: Path, name: str, missing: bool = False) -> bytes | None:
        """Return the bytes of a file; None for one that is ``missing``, where that may be."""
        try:
            content = content_of(self.root, path, LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            if missing:
                return None
            raise RefusalError(404, f"there is no file `{name}`", "missing") from None
        except NotOrdinaryError:
            raise RefusalError(403, f"`{name}` is no ordinary file", "name") from None
        except OSError as error:
            raise RefusalError(403, f"cannot read `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        if len(content) > LARGEST:
            raise RefusalError(413, f"`{name}` is larger than {LARGEST // 2**20} MB", "size")
        return content


def _text(content: bytes, name: str) -> str:
    """Return bytes as a text, as the readers do; raise RefusalError where they are none, or too many unpacked."""
    if content.startswith(GZIP):
        unpacking = zlib.decompressobj(wbits=31)
        try:
            content = unpacking.decompress(content, LARGEST + 1)
        except zlib.error:
            raise RefusalError(415, f"`{name}` is packed, and cannot be unpacked", "text") from None
        if len(content) > LARGEST:
            raise RefusalError(413, f"`{name}` is larger than {LARGEST // 2**20} MB", "size")
        if not unpacking.eof:
            raise RefusalError(415, f"`{name}` is packed, and breaks off", "text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if re.match(rb"\s*<[?\w!]", content) and b"\0" not in content:
            return content.decode("latin-1")
        raise RefusalError(415, f"`{name}` is no text in UTF-8", "text") from None


def _as_before(text: str, before: bytes) -> bytes:
    """Return the bytes of a text, in the manner of those that stood in its file before."""
    packed = before.startswith(GZIP)
    if packed:
        with suppress(zlib.error):
            before = zlib.decompressobj(wbits=31).decompress(before, LARGEST)
    ends = before.count(b"\n")
    if ends and before.count(b"\r\n") == ends:
        text = text.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    content = mark + text.encode("utf-8", "replace")
    return gzip.compress(content, mtime=0) if packed else content


def fault(name: str) -> str:
    r"""Return what is wrong with the name of a file, nothing where it is one on every system.

    >>> fault("mine/cube.puzzle"), fault("a/../b.puzzle"), fault("C:\\cube.puzzle")
    ('', '`..` is no name of a file or folder', 'a name of a file has no `\\` and no `:`')
    """
    if not name or len(name) > 200:
        return "a file needs a name of at most 200 characters"
    if not name.isprintable():
        return "a name of a file has no control characters"
    for sign in '\\:*?"<>|':
        if sign in name:
            return (
                f"a name of a file has no `{sign}`" if sign not in "\\:" else "a name of a file has no `\\` and no `:`"
            )
    if name.startswith("/"):
        return "name a file of the folder, without a slash in front"
    for part in name.split("/"):
        if part in ("", ".", ".."):
            return f"`{part}` is no name of a file or folder"
        if part.startswith("."):
            return "hidden files are left alone"
        if part != part.strip() or part.endswith(".") or part.split(".")[0].lower() in _DEVICES:
            return f"`{part}` is no name of a file on every system"
    if not name.lower().endswith(ENDINGS) or name.rpartition("/")[2].lower() in ENDINGS:
        return none_of(name.rpartition("/")[2], ENDINGS)
    return ""


def digest(content: bytes) -> str:
    """Return a short text that tells one content from another."""
    return hashlib.sha256(content).hexdigest()[:32]
