"""Sets of solutions in files: a zip file of numpy arrays, verified when it is read, never a pickle.

Format 1 has these members, with little-endian integers:

- ``format`` (int64): 1
- ``numbers`` (int64): options of the exact cover, root
- ``fingerprint`` (32 bytes): sha256 of the exact cover
- ``starts`` (int64), ``branch_options``, ``branch_children`` (int32): the diagram
- ``digest`` (32 bytes): sha256 of all of these
"""

from __future__ import annotations

import hashlib
import sys
import zipfile
import zlib
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.problem import ExactCover

if TYPE_CHECKING:
    from puzzlec.engine.kernels.diagram import Ints, Longs

#: The version of the format, for writing and reading.
FORMAT = 1

#: The arrays of a file in the order of their digest, with their types.
FIELDS = {
    "format": "<i8",
    "numbers": "<i8",
    "fingerprint": "|u1",
    "starts": "<i8",
    "branch_options": "<i4",
    "branch_children": "<i4",
}

#: Exceptions of numpy and zipfile for damaged files.
FAULTS = (ValueError, KeyError, EOFError, SyntaxError, NotImplementedError, RuntimeError, MemoryError, TypeError)


def fingerprint(cover: ExactCover) -> str:
    """Return the sha256 of the numbers of an exact cover, as 64 hexadecimal digits. Names do not count."""
    digest = hashlib.sha256(f"exact cover {cover.primary} {cover.secondary} {len(cover)}".encode())
    for numbers in (cover.low, cover.high, cover.starts, cover.items, cover.colours):
        little = array("i", numbers)
        if sys.byteorder == "big":
            little.byteswap()
        digest.update(f" {len(little)} ".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()


def write(path: Path, options: int, owner: str, starts: Longs, branch_options: Ints, children: Ints, root: int) -> None:
    """Write a set. ``owner`` is the fingerprint of its exact cover."""
    values = (FORMAT, (options, root), tuple(bytes.fromhex(owner)), starts, branch_options, children)
    arrays: dict[str, Any] = {
        name: np.asarray(value, dtype=kind) for (name, kind), value in zip(FIELDS.items(), values, strict=True)
    }
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, digest=_digest(arrays), **arrays)


def read(path: Path, cover: ExactCover | None) -> tuple[int, str, Longs, Ints, Ints, int]:
    """Return the number of options, the fingerprint, the arrays and the root of the set in a file.

    Raise ValueError if the file is not a set of solutions, or if it belongs to another exact cover than ``cover``.
    """
    arrays = _arrays(path)
    if not np.array_equal(arrays["digest"], _digest(arrays)):
        raise ValueError(f"{path}: damaged file: wrong digest")
    owner = arrays["fingerprint"].tobytes().hex()
    if cover is not None and owner != fingerprint(cover):
        raise ValueError(f"{path}: these are the solutions of another problem")
    options, root = arrays["numbers"].tolist()
    starts, branch_options, children = (arrays[name] for name in ("starts", "branch_options", "branch_children"))
    fault = _fault(options, root, starts, branch_options, children)
    if fault:
        raise ValueError(f"{path}: invalid diagram: {fault}")
    return options, owner, starts.astype(np.int64), branch_options.astype(np.int32), children.astype(np.int32), root


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file. Raise ValueError for wrong types or dimensions."""
    arrays = {}
    with path.open("rb") as file:
        try:
            with np.load(file, allow_pickle=False) as archive:
                version = archive["format"]
                if version.shape != () or version != FORMAT:
                    raise ValueError(f"unknown format (expected {FORMAT})")
                for name in (*FIELDS, "digest"):
                    arrays[name] = archive[name]
        except (*FAULTS, zipfile.BadZipFile, zlib.error, AttributeError, OSError) as fault:
            # For a file of another kind, numpy's message is about unsafe loading.
            reason = "not an npz file" if "pickle" in str(fault) else fault
            raise ValueError(f"{path}: not a set of solutions, or damaged: {reason}") from None
    for name, kind in (*FIELDS.items(), ("digest", "|u1")):
        if arrays[name].dtype != np.dtype(kind) or arrays[name].ndim != (name != "format"):
            raise ValueError(f"{path}: not a set of solutions: wrong type of {name}")
    if len(arrays["numbers"]) != 2 or len(arrays["fingerprint"]) != 32:
        raise ValueError(f"{path}: not a set of solutions: an array has the wrong length")
    return arrays


def _digest(arrays: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.uint8]:
    """Return the sha256 of all arrays, with their lengths."""
    digest = hashlib.sha256(b"puzzlec solution set")
    for name in FIELDS:
        digest.update(f" {name} {arrays[name].size} ".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return np.frombuffer(digest.digest(), dtype=np.uint8)


def _fault(options: int, root: int, starts: Longs, branch_options: Ints, children: Ints) -> str | None:
    """Return the error in a diagram, or None."""
    nodes = len(starts) - 1
    if (
        nodes < 2
        or starts[:3].tolist() != [0, 0, 0]
        or starts[-1] != len(branch_options)
        or len(branch_options) != len(children)
    ):
        return "the arrays do not fit together"
    if (np.diff(starts[2:]) < 1).any():
        return "a node has no branches"
    if options < 0 or ((branch_options < -1) | (branch_options >= options)).any():
        return "an option is out of range"
    owner = np.repeat(np.arange(nodes), np.diff(starts))
    if ((children < 1) | (children >= owner)).any():
        return "a child does not come before its parent"
    if not 0 <= root < nodes or (root != nodes - 1 and nodes > 2):
        return "the root is not the last node"
    return None
