"""What a job is: all that must be the same for its checkpoint to be of use."""

from __future__ import annotations

from dataclasses import dataclass, field

#: The version of this puzzlec; the package's root names things of all stages, so none may import it by its name.
from puzzlec.version import __version__

VERSION = __version__

#: More shards than this are a slip of the finger.
MOST_SHARDS = 10_000


@dataclass(frozen=True)
class Header:
    """A job in a few words; it is stored at the head of its checkpoint and never changes.

    ``puzzle`` is the puzzle as JSON text of this package (lossless; see docs/formats.md), ``title`` its title.
    ``fingerprint`` is the sha256 of its exact cover (:func:`puzzlec.engine.diagram_file.fingerprint`). ``task`` is
    "solutions" (all are found and kept) or "count". ``symmetry`` of :data:`puzzlec.lower.symmetries.SYMMETRIES` says
    up to what solutions are counted. ``limit``: so many solutions were wanted at first, None for all. ``shard``: (3,
    100) for the third of a hundred parts. ``plan`` is the sha256 of all portions as they were planned, ``planned``
    their number in all shards together. ``tree`` is the version of the rule that the search tree follows
    (:data:`puzzlec.engine.search.splitting.TREE`), ``version`` the puzzlec that made it.
    """

    puzzle: str = field(repr=False)
    title: str
    fingerprint: str
    task: str
    symmetry: str
    limit: int | None
    shard: tuple[int, int] | None
    plan: str
    planned: int
    tree: int
    version: str
