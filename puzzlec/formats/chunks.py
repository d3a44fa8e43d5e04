"""Text in chunks of a size that suits files: not a line at a time, and not all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: A chunk has about so many characters.
_CHUNK = 1 << 16


def gathered(pieces: Iterable[str]) -> Iterator[str]:
    """Give the same text in larger pieces.

    >>> list(gathered(["1 ", "2 ", "0"]))
    ['1 2 0']
    """
    kept: list[str] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= _CHUNK:
            yield "".join(kept)
            kept, length = [], 0
    if kept:
        yield "".join(kept)
