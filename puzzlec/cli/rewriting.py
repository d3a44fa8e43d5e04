"""Files that are rewritten in place: their bytes, what changes in them, and the new content in place of the old."""

from __future__ import annotations

import difflib
import os
import shutil
import tempfile
from pathlib import Path

from puzzlec.diagnostics.error import fail


def difference(old: str, new: str, name: str) -> str:
    """Return a unified diff that `patch` understands."""
    compared = difflib.unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in compared)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; a carriage return is part of its line."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def replace(path: Path, old: bytes, new: bytes) -> None:
    """Put a new content in the place of the old, all at once; whatever happens, one of the two is there whole."""
    path = path.resolve()  # a link goes on leading where it led
    temporary = None
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(0, "it may not be changed")
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(new)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(path, temporary)
        if path.read_bytes() != old:
            raise OSError(0, "it was changed in the meantime")
        temporary.replace(path)
        temporary = None
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise fail("PZ005", f"cannot write `{path}`: {reason}", file=str(path)) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
