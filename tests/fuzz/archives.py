"""Archives of numpy arrays made of choices: a valid archive with changes of some arrays, headers or sizes."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from functools import cache

import numpy as np

from puzzlec import parse
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.writing import write_chunks
from puzzlec.pipeline import Compiled
from tests.fuzz.picks import Picks

_TYPES = ("<i4", "<i8", "|u1", "<u8", ">i4", "<f8", "|b1", "|S3", "|i1", "<f2", "|O", "<U2", "<c16", "<M8[s]")
_NUMBERS = (0, 1, 2, 3, -1, 5, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63), 2**40, 100, 255)
_NAMES = ("colours", "low", "high", "puzzle", "fitting", "primary", "title", "row", "col", "item_names", "x", "../x")
_WORDS = (b"csr", b"csc", b"coo", b"dia", b"")


@cache
def _bases() -> tuple[dict[str, bytes], ...]:
    dpf = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"
    tiles = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides b b r r\n"
    cover = ExactCover.from_names(["p", "q"], {"a": ["p", "x:red"], "b": ["q", "x:red"]}, ["x"])
    given: tuple[Compiled, ...] = (cover, parse(dpf, format="dpf"), parse(tiles))
    found = []
    for what in given:
        content = b"".join(chunk for chunk in write_chunks(what, "npz") if isinstance(chunk, bytes))
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found.append({info.filename: archive.read(info) for info in archive.infolist()})
    return tuple(found)


def archive_of(content: bytes) -> bytes:
    """Return the archive that bytes describe."""
    picks = Picks(content)
    members = dict(picks.among(_bases()))
    for _ in range(picks.number(3)):
        name = picks.among(sorted(members)) if picks.number(3) else picks.among(_NAMES) + ".npy"
        match picks.number(6):
            case 0:
                members.pop(name, None)
            case 1 | 2:
                members[name] = _array(picks)
            case 3:
                members[name] = _changed(picks, members.get(name, b""))
            case 4:
                members[name] = _npy(np.array(picks.among(_WORDS)))
            case 5:
                members[name] = _npy(np.frombuffer(picks.rest(picks.number(40)), np.uint8))
            case _:
                members[name] = _head(picks)
    packed = _packed(picks, members)
    for _ in range(picks.number(3) if picks.rarely() else 0):
        at = (picks.number(255) * 256 + picks.number(255)) % len(packed)
        packed = packed[:at] + bytes([picks.number(255)]) + packed[at + 1 :]
    return packed[: picks.number(255) * 4] if picks.number(63) == 63 else packed


def _array(picks: Picks) -> bytes:
    """Return an array of choices: a type, some numbers, one to three dimensions."""
    kind = picks.among(_TYPES[:10])
    numbers = [picks.among(_NUMBERS) if picks.number(3) == 3 else picks.number(4) for _ in range(picks.number(6))]
    with np.errstate(all="ignore"):
        if kind[1] == "S":
            found = np.array([str(number).encode() for number in numbers], kind)
        elif kind[1] in "fb":
            found = np.array(list(map(float, numbers))).astype(kind)
        else:
            size = 8 * int(kind[2:])
            shift = 0 if kind[1] == "u" else 1 << (size - 1)
            found = np.array([(number + shift) % (1 << size) - shift for number in numbers], kind)
    shape = picks.among(((-1,), (-1, 1), (1, -1), ()))
    return _npy(found.reshape(shape) if shape or found.size == 1 else found)


def _npy(found: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, found, allow_pickle=False)
    return stream.getvalue()


def _changed(picks: Picks, content: bytes) -> bytes:
    """Return an array with some changed bytes, mostly in its header."""
    for _ in range(1 + picks.number(2)):
        at = picks.number(255) % (len(content) + 1)
        content = content[:at] + picks.rest(1) + content[at + picks.number(2) :]
    return content


def _head(picks: Picks) -> bytes:
    """Return an array with an arbitrary header."""
    kind, sizes = picks.among(_TYPES), [picks.among(_NUMBERS) for _ in range(picks.number(3))]
    shape = "(" + "".join(f"{size}," for size in sizes) + ")"
    text = f"{{'descr': '{kind}', 'fortran_order': {picks.among(('False', 'True', '1'))}, 'shape': {shape}, }}"
    if picks.rarely():
        text = picks.rest(30).decode("latin-1")
    head = text.encode("latin-1") + b"\n"
    if picks.number(1):
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head) & 0xFFFF) + head + picks.rest(8)
    return b"\x93NUMPY" + bytes([picks.number(4), 0]) + struct.pack("<I", len(head)) + head + picks.rest(8)


def _packed(picks: Picks, members: dict[str, bytes]) -> bytes:
    """Return the archive of some members; rarely with wrong sizes, sums and compression methods."""
    local, central = b"", b""
    lies = picks.rarely()
    for name, content in members.items():
        method, size, check = 0, len(content), zlib.crc32(content)
        packed = content
        if lies:
            match picks.number(7):
                case 0:
                    size = picks.among((0, 1, 2**31, 2**32 - 1, size + 1))
                case 1:
                    check ^= 1
                case 2:
                    method = picks.among((8, 9, 12, 14, 95, 99))
                case 3:
                    method, packer = 8, zlib.compressobj(9, zlib.DEFLATED, -15)
                    packed = packer.compress(content) + packer.flush()
                case 4:
                    size, packed = 2**29 - 1, content[:20]
        flags = picks.among((1, 2048, 32, 64, 8)) if lies and picks.rarely() else 0
        title = name.encode()
        fields = struct.pack("<HHHHHIIIHH", 20, flags, method, 0, 0, check, len(packed), size, len(title), 0)
        central += b"PK\1\2" + b"\x14\0" + fields + struct.pack("<HHHII", 0, 0, 0, 0, len(local)) + title
        local += b"PK\3\4" + fields + title + packed
    count = len(members)
    return local + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(central), len(local), 0)
