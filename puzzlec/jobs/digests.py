"""Digests of the rows of a checkpoint, so that damage is found.

blake2b of 8 bytes (RFC 7693): one damage in 10^19 goes unnoticed. The digest is keyed by the job and the table, so a
row of another checkpoint does not fit. This guards against accidents, not against people.
"""

from __future__ import annotations

from hashlib import blake2b

#: Bytes of a digest.
SIZE = 8


def digest(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the digest of bytes at a place (name of the table, key, ...) of a job's checkpoint."""
    made = blake2b(digest_size=SIZE, key=job)
    place = repr(where).encode()
    made.update(len(place).to_bytes(4, "big") + place)
    made.update(data)
    return made.digest()


def sealed(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the bytes followed by their digest."""
    return data + digest(data, *where, job=job)


def opened(data: object, *where: object, job: bytes = b"") -> bytes:
    """Return sealed bytes without their digest; ValueError if it does not fit."""
    if type(data) is not bytes or digest(data[:-SIZE], *where, job=job) != data[-SIZE:]:
        raise ValueError("the digest does not fit")
    return data[:-SIZE]
