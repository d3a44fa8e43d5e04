"""The status of ``disassemble --checkpoint``, from its folder alone. Another process may be at work."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.jobs import faults
from puzzlec.jobs.disassemblies import FILE, kept_rows
from puzzlec.jobs.status import Owner, owner_of, saved_rows
from puzzlec.motion.levels import text


@dataclass(frozen=True)
class DisassemblyStatus:
    """The kept results of a folder at one moment.

    ``settings`` are those that all results share. ``shards`` has the number of results of each folder in it. ``number``
    counts different assemblies, ``apart`` those that come apart, and ``best`` is the best level of these. ``saved`` is
    the time of the last save (seconds since 1970), ``bytes`` the size of the files. ``owners`` are the processes that
    work on a shard now, each with the name of its folder.
    """

    settings: dict[str, Any]
    shards: dict[str, int]
    number: int
    apart: int
    best: str | None
    saved: float
    bytes: int
    owners: dict[str, Owner]

    def rows(self) -> list[tuple[str, str]]:
        """Return the status as names and values, for people."""
        turns = "slides and turns" if self.settings.get("turning") is not None else "slides"
        best = f", best level {self.best}" if self.best else ""
        return [
            ("search", f"assemblies are taken apart by {turns}"),
            ("shards", ", ".join(f"{name}: {number}" for name, number in self.shards.items())),
            ("assemblies", f"{self.number} done, {self.apart} come apart{best}"),
            ("worker", ", ".join(f"{owner} ({name})" for name, owner in self.owners.items()) or "none"),
            *saved_rows(self.saved, self.bytes),
        ]

    def as_data(self) -> dict[str, Any]:
        """Return the status for programs."""
        return {
            "task": "disassemble",
            "assemblies": self.number,
            "apart": self.apart,
            "best": self.best,
            "shards": self.shards,
            "turns": self.settings.get("turning") is not None,
            "workers": {
                name: {"process": owner.process, "host": owner.host, "begun": owner.begun}
                for name, owner in self.owners.items()
            },
            "saved": self.saved,
            "bytes": self.bytes,
        }


def is_of_disassemblies(folder: Path) -> bool:
    """Return whether a folder has results of ``disassemble --checkpoint``."""
    with faults.reading(folder):
        return any(folder.glob(f"*/{FILE}"))


def read_disassembly_status(folder: Path) -> DisassemblyStatus:
    """Return the status of the results in a folder.

    Raises:
        PuzzleError: If a file is damaged (PZ622).

    """
    shards, owners, rows = dict[str, int](), dict[str, Owner](), dict[bytes, bytes]()
    settings: dict[str, Any] = {}
    saved, size = 0.0, 0
    for path in sorted(folder.glob(f"*/{FILE}")):
        settings, results = kept_rows(path)
        shards[path.parent.name] = len(results)
        rows |= results
        owner = owner_of(path.parent)
        if owner is not None:
            owners[path.parent.name] = owner
        with faults.reading(path.parent):
            for file in (path, path.with_name(f"{FILE}-wal")):
                if file.exists():
                    about = file.stat()
                    saved, size = max(saved, about.st_mtime), size + about.st_size
    try:
        levels = [tuple(level) for level in (json.loads(data)[0] for data in rows.values()) if level is not None]
        best = max(levels, default=None)
    except (TypeError, ValueError, LookupError):
        raise faults.damaged(folder, "a row is no disassembly", file=FILE) from None
    level = None if best is None else text(best)
    return DisassemblyStatus(settings, shards, len(rows), len(levels), level, saved, size, owners)
