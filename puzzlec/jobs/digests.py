"""Digests of what a checkpoint stores: each row has one, so that no damage is taken for data.

blake2b of 8 bytes (RFC 7693): a damage that goes unnoticed has odds of one in 10^19. It is keyed by the job, so that a
row of another checkpoint does not fit, and by the table. This is against accidents, not against people.
"""

from __future__ import annotations

from hashlib import blake2b

#: Bytes of a digest.
SIZE = 8


def digest(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the digest of some bytes that stand at a place (name of the table, key, ...) of a job's checkpoint."""
    made = blake2b(digest_size=SIZE, key=job)
    place = repr(where).encode()
    made.update(len(place).to_bytes(4, "big") + place)
    made.update(data)
    return made.digest()


def sealed(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the bytes with their digest behind."""
    return data + digest(data, *where, job=job)


def opened(data: object, *where: object, job: bytes = b"") -> bytes:
    """Return sealed bytes without their digest; ValueError where it does not fit."""
    if type(data) is not bytes or digest(data[:-SIZE], *where, job=job) != data[-SIZE:]:
        raise ValueError("the digest does not fit")
    return data[:-SIZE]
