"""The form of certificates: lines of JSON, with the puzzle in the first one (docs/certificates.md)."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.writing import write
from puzzlec.lower import Encoding, Symmetry


def cover_of(cover: ExactCover, costs: bool = False) -> dict[str, list[Any]]:
    """Return an exact cover in the form of certificates.

    An item is ``[low, high]``: ``[0, 1]`` for a secondary one without colours, null for one with colours. An option is
    a list of its items, each followed by its colour, 0 for none. A colour that no other option has is left out, because
    the item excludes all other options anyway.
    """
    often = Counter(zip(cover.items, cover.colours, strict=True))
    coloured = {item for (item, colour), number in often.items() if colour and number > 1}
    items: list[Any] = [[low, high] for low, high in zip(cover.low, cover.high, strict=True)]
    items += [None if item in coloured else [0, 1] for item in range(cover.primary, cover.primary + cover.secondary)]
    options = [
        [value for item, colour in cover.entries(option) for value in (item, colour if often[item, colour] > 1 else 0)]
        for option in range(len(cover))
    ]
    return {"items": items, "options": options} | ({"costs": list(cover.costs)} if costs else {})


def head_of(encoding: Encoding, symmetry: str, costs: bool = False) -> dict[str, Any]:
    """Return the first line: the exact cover, with ``costs`` if they matter, and the puzzle's other stages, in JSON."""
    fitting = encoding.fitting
    head: dict[str, Any] = {"certificate": 1, "title": fitting.title or encoding.cover.title, "symmetry": symmetry}
    if not encoding.raised:
        if fitting.puzzle is not None:
            head["puzzle"] = json.loads(write(fitting.puzzle, "json"))
        head["fitting"] = json.loads(write(fitting, "json"))
    return head | {"cover": cover_of(encoding.cover, costs)}


def generators(group: Symmetry) -> list[list[list[int]]]:
    """Return a few generators of a group, as permutations of items and options. They need not be the fewest.

    The list takes each element outside the subgroup of the previous ones. Each such element at least doubles the
    subgroup.
    """
    elements: list[list[list[int]]] = []
    made = {tuple(group.options[0])}
    for items, options in zip(group.items, group.options, strict=True):
        if tuple(options) in made:
            continue
        elements.append([list(items), list(options)])
        fresh = list(made)
        while fresh:
            images = {tuple([move[option] for option in permutation]) for permutation in fresh for _, move in elements}
            fresh = list(images - made)
            made |= images
    return elements


class CertificateLines:
    """Writes the lines of a certificate to a file, with their digest; ``.gz`` compresses it."""

    def __init__(self, path: Path, packed: bool) -> None:
        # Without a time in the file, the same certificate has the same bytes.
        self._under = path.open("wb")
        self._file = gzip.GzipFile("", "wb", 6, self._under, mtime=0) if packed else self._under
        self._digest = hashlib.sha256()

    def write(self, value: Any) -> None:
        """Write a value on a line."""
        line = (json.dumps(value, separators=(",", ":")) + "\n").encode()
        self._digest.update(line)
        self._file.write(line)

    def write_all(self, values: Iterable[Any]) -> None:
        """Write values, one a line."""
        for value in values:
            self.write(value)

    def close(self, claims: dict[str, int] | None = None) -> None:
        """Write the last line, with the claims and the digest of all lines, if the certificate is complete."""
        if claims is not None:
            self.write({"claims": claims, "sha256": self._digest.hexdigest()})
        self._file.close()
        self._under.close()
