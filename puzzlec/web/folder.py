"""The folder that the page reads and writes: files of puzzle formats in it, and nothing else on this machine."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from puzzlec.diagnostics import none_of
from puzzlec.readers import FORMATS
from puzzlec.web.refusals import RefusalError

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
                if each.lower().endswith(ENDINGS) and not fault(name):
                    found.append(name)
            if len(found) >= MOST or looked > LOOKED_AT:
                break
        return sorted(found[:MOST])

    def read(self, name: str) -> Text:
        """Return the text of a file."""
        content = self._content(self.path(name), name)
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            raise RefusalError(415, f"`{name}` is no text in UTF-8", "text") from None
        if "\0" in text:
            raise RefusalError(415, f"`{name}` is no text: it holds a null character", "text")
        return Text(name, text, digest(content))

    def state(self, name: str) -> str | None:
        """Return the digest of a file as it is now, None where there is none any more."""
        path = self.path(name)
        return digest(self._content(path, name)) if path.is_file() else None

    def write(self, name: str, text: str, known: str | None, force: bool = False) -> Text:
        """Write a text into a file, whole or not at all, and return it with its digest.

        ``known`` is the digest of what the writer believes to stand there, None for nothing. Where something else
        does, it is refused unless ``force`` says that it may be lost.
        """
        path = self.path(name)
        content = text.encode("utf-8", "replace")
        if len(content) > LARGEST:
            raise RefusalError(413, f"this text is larger than {LARGEST // 2**20} MB", "size")
        if os.path.lexists(path) and not path.is_file():
            raise RefusalError(403, f"`{name}` is no ordinary file", "name")
        there = self.state(name)
        if there is not None and there != known and not force:
            if known is None:
                raise RefusalError(409, f"the file `{name}` exists already", "exists")
            raise RefusalError(409, f"the file `{name}` was changed by somebody else since it was opened", "changed")
        try:
            _replace(path, content, there is None)
        except FileExistsError:
            raise RefusalError(409, f"the file `{name}` exists already", "exists") from None
        except OSError as error:
            raise RefusalError(403, f"cannot write `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        return Text(name, text, digest(content))

    def _content(self, path: Path, name: str) -> bytes:
        if not path.is_file():
            raise RefusalError(404, f"there is no file `{name}`", "missing")
        try:
            with path.open("rb") as stream:
                content = stream.read(LARGEST + 1)
        except OSError as error:
            raise RefusalError(403, f"cannot read `{name}`: {(error.strerror or 'error').lower()}", "system") from None
        if len(content) > LARGEST:
            raise RefusalError(413, f"`{name}` is larger than {LARGEST // 2**20} MB", "size")
        return content


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
        return none_of(name.rpartition("/")[2], ENDINGS) + ", the endings of puzzle formats"
    return ""


def digest(content: bytes) -> str:
    """Return a short text that tells one content from another."""
    return hashlib.sha256(content).hexdigest()[:32]


def _replace(path: Path, content: bytes, new: bool) -> None:
    """Put bytes into a file in one step; raise FileExistsError where it should be ``new`` and is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if new:
        with path.open("xb"):  # the place is taken, so that nobody else's file is written over
            pass
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if not new:
            part.chmod(path.stat().st_mode & 0o777)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        if new:
            path.unlink(missing_ok=True)
        raise
