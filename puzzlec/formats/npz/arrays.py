"""An archive of numpy arrays: each taken out and checked by name; nothing of it is ever run, and little is trusted.

numpy's own reader would run what a pickle says, if it were allowed to, and reserve whatever memory a header asks for.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.diagnostics.error import fail

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.signedinteger]

#: What all arrays of an archive may have, unpacked, in bytes.
LARGEST = 2**29

#: An archive has so many arrays at most.
MOST = 100


class Arrays:
    """The arrays of an archive by their names; each is unpacked when it is asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        if not source.content:
            raise fail("PZ277", "this is no archive of numpy arrays, but a text", source.span(0))
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(source.content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
            raise self.broken(f"this archive cannot be read: {_why(error)}") from None
        found = self.archive.infolist()
        if len(found) > MOST:
            raise self.broken(f"this archive has {len(found)} members, and {MOST} at most are read")
        self.members: dict[str, zipfile.ZipInfo] = {}
        for info in found:
            name = info.filename.removesuffix(".npy")
            if name == info.filename:
                raise self.broken(f"the member `{_shown(info.filename)}` is no array of numpy", "arrays end in `.npy`")
            if name in self.members:
                raise self.broken(f"the array `{_shown(name)}` is in this archive twice")
            self.members[name] = info
        size = sum(info.file_size for info in found)
        if size > LARGEST:
            raise self.broken(f"the arrays have {size} bytes", f"{LARGEST // 2**20} MB at most are unpacked")

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def broken(self, message: str, note: str | tuple[str, ...] = ()) -> PuzzleError:
        """Return the error for an archive that cannot be read."""
        return fail("PZ277", message, note=note, file=self.source.name)

    def wrong(self, name: str, message: str, note: str | tuple[str, ...] = ()) -> PuzzleError:
        """Return the error for an array that is missing or not what it should be."""
        at = self.members[name].header_offset if name in self.members else None
        where = () if at is None else (f"the array `{name}` begins at byte {at} of the file",)
        notes = (*((note,) if isinstance(note, str) else note), *where)
        return fail("PZ278", f"the array `{name}` {message}", note=notes, file=self.source.name)

    def array(self, name: str) -> npt.NDArray[Any]:
        """Return an array of numbers or bytes; raise PuzzleError where it is missing, damaged, or of other things."""
        import numpy as np
        from numpy.lib import format as npy

        if name not in self.members:
            known = ", ".join(f"`{_shown(each)}`" for each in self.members) or "none"
            raise self.wrong(name, "is missing", f"the arrays of this file are {known}")
        if self.members[name].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.wrong(name, "is packed in a way that numpy does not write")
        try:
            with self.archive.open(self.members[name]) as member:
                content = member.read()
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            ValueError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            raise self.wrong(name, f"cannot be unpacked: {_why(error)}") from None
        stream = io.BytesIO(content)
        try:
            version = npy.read_magic(stream)
            head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[version]
            shape, _, dtype = head(stream)
        except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError, TokenError):
            # numpy takes an old head that is no Python apart by `tokenize`.
            raise self.wrong(name, "has a head that cannot be read") from None
        if dtype.kind not in "iubfS" or dtype.itemsize == 0 or dtype.fields or dtype.subdtype:
            what = "Python objects, which are never read" if dtype.hasobject else f"of type `{dtype}`"
            raise self.wrong(name, f"holds no numbers: it is {what}")
        count = 1
        for size in shape:
            count *= int(size)
        rest = len(content) - stream.tell()
        if min(shape, default=0) < 0 or count * dtype.itemsize != rest:
            raise self.wrong(name, f"has {rest} bytes, its head says {count * dtype.itemsize}")
        return np.frombuffer(content, dtype, count, stream.tell()).reshape(shape)

    def numbers(self, name: str, length: int | None = None) -> Numbers:
        """Return a list of whole numbers, of 32 or 64 bits with a sign; of this length, if one is given."""
        import numpy as np

        found = self.array(name)
        if found.ndim != 1:
            raise self.wrong(name, f"has {found.ndim} dimensions, not one")
        if found.dtype.kind not in "iu" and len(found):
            raise self.wrong(name, f"holds no whole numbers: it is of type `{found.dtype}`")
        if length is not None and len(found) != length:
            raise self.wrong(name, f"has {len(found)} numbers, not {length}")
        if found.dtype.kind == "u" and len(found) and int(found.max()) > 2**63 - 1:
            raise self.wrong(name, f"has the number {found.max()}, which is too large")
        return found if found.dtype == np.int32 else found.astype(np.int64)

    def number(self, name: str) -> int:
        """Return a single whole number."""
        found = self.array(name)
        if found.size != 1 or found.dtype.kind not in "iu":
            raise self.wrong(name, "is not one whole number")
        return int(found.reshape(-1)[0])

    def text(self, name: str) -> str:
        """Return a text, which is an array of the bytes of UTF-8."""
        found = self.array(name)
        if found.ndim != 1 or found.dtype != "u1":
            raise self.wrong(name, f"is no text: it is of type `{found.dtype}`, not of bytes (`uint8`)")
        try:
            return found.tobytes().decode()
        except UnicodeDecodeError as error:
            raise self.wrong(name, f"is no text in UTF-8: its byte {error.start} cannot be read") from None

    def word(self, name: str) -> str:
        """Return a single short text of ASCII, as scipy writes it."""
        found = self.array(name)
        if found.size != 1 or found.dtype.kind != "S":
            raise self.wrong(name, "is not one short text")
        return bytes(found.reshape(-1)[0]).decode("ascii", "replace")

    def names(self, name: str, length: int | None = None) -> tuple[str, ...]:
        """Return a list of texts, so many if that is given, which stands there as JSON; nothing where it is missing."""
        if name not in self.members:
            return ()
        content = self.text(name)
        try:
            found = json.loads(content)
            if not isinstance(found, list) or set(map(type, found)) - {str}:
                raise self.wrong(name, "is no list of texts in JSON")
            if "\\u" in content:
                "".join(found).encode()
        except (ValueError, RecursionError):
            raise self.wrong(name, "is no list of texts in JSON") from None
        if length is not None and len(found) != length:
            raise self.wrong(name, f"has {len(found)} names, not {length}")
        return tuple(found)


def _why(error: Exception) -> str:
    """Return what an error of the standard library says, in one line without a full stop."""
    return re.sub(r"\s+", " ", str(error)).strip().rstrip(".").lower() or "it is damaged"


def _shown(name: str) -> str:
    return name if len(name) <= 40 else name[:37] + "..."
