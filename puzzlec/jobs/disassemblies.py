"""Keep how assemblies come apart, so that an interrupted run continues and shards merge.

A folder has a folder for each shard, with a database: the settings, and a row for each assembly. The key of a row is a
digest of the bodies in their positions, so it fits no other assembly. Rows have the digests of checkpoints
(:mod:`puzzlec.jobs.records`), so damage is found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.jobs import faults, records, tables
from puzzlec.jobs.locking import Lock, Owner, owner_of
from puzzlec.jobs.status import on_disk
from puzzlec.motion.disassembly import WHOLE_STEP, Disassembly
from puzzlec.motion.levels import text
from puzzlec.motion.moves import Body, Step
from puzzlec.motion.rotation import Rotation
from puzzlec.motion.turning import Turning

DISASSEMBLIES_FILE = "disassemblies.sqlite3"
FORMAT = 2

#: "PZda" marks the database.
APPLICATION_ID = int.from_bytes(b"PZda", "big")

#: The row of the settings has an empty key.
TABLE = "CREATE TABLE disassemblies (key BLOB PRIMARY KEY, data BLOB) WITHOUT ROWID"


class KeptDisassemblies:
    """Results in a folder; a context manager, which holds the lock of its shard.

    Args:
        folder: The folder, which is made if needed.
        settings: Everything besides the bodies that changes results: groups, and which plans count.
        shard: The number of the shard of this run, from 1, and the number of all shards. Default: all assemblies.
        turning: How pieces turn; None if they only slide.
        step: The length of the shortest move.

    Raises:
        PuzzleError: If the folder has results with other settings (PZ710) or of an earlier version (PZ623). It is also
            raised if a file is damaged (PZ622), or if another process works on the shard (PZ621).

    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object],
        shard: tuple[int, int] | None = None,
        turning: Turning | None = None,
        step: Fraction = WHOLE_STEP,
    ) -> None:
        self._turning, self._step = turning, step
        every = {"format": FORMAT, "turning": turning, **settings}
        if step != WHOLE_STEP:
            every["step"] = str(step)
        self._shard, self._settings = shard, json.loads(json.dumps(every))
        self._folder = folder / ("all" if shard is None else f"shard-{shard[0]}-of-{shard[1]}")
        path, self._rows = self._folder / DISASSEMBLIES_FILE, dict[bytes, bytes]()
        with faults.writing(folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        for earlier in folder.glob("*/disassemblies.jsonl"):
            raise fail(
                "PZ623",
                f"`{earlier}` was made by an earlier version of puzzlec, and this one does not read it",
                file=str(earlier),
                help="give another folder: the assemblies are then taken apart again",
            )
        with ExitStack() as ends:
            ends.callback(Lock(self._folder).release)
            if not path.exists():
                with faults.writing(folder), tables.created(path, APPLICATION_ID, [TABLE]) as connection:
                    connection.execute(_INSERT_ROW, _row(b"", self._settings))
            for other in sorted(folder.glob(f"*/{DISASSEMBLIES_FILE}")):
                self._read(other)
            with faults.writing(folder):
                self._connection = tables.connect_to_write(path, ends)
                self._connection.execute("PRAGMA synchronous = NORMAL")  # a lost result is found again
            self._ends = ends.pop_all()

    def __enter__(self) -> KeptDisassemblies:
        return self

    def __exit__(self, *error: object) -> None:
        self._ends.close()

    def __len__(self) -> int:
        return len(self._rows)

    def is_in_shard(self, number: int) -> bool:
        """Return whether an assembly, by its number from 1, is in the shard of this run."""
        return self._shard is None or (number - self._shard[0]) % self._shard[1] == 0

    def find(self, lattice: Lattice, bodies: Sequence[Body]) -> Disassembly | None:
        """Return the stored result of an assembly, or None."""
        data = self._rows.get(_digest(lattice, bodies))
        if data is None:
            return None
        try:
            level, moves, parts, held = json.loads(data)
            steps = tuple(map(_step, moves))
            level = None if level is None else tuple(level)
            ends = tuple(map(tuple, parts)), tuple(held)
            return Disassembly(lattice, tuple(bodies), level, steps, *ends, turning=self._turning, step=self._step)
        except (TypeError, ValueError):
            raise faults.damaged(self._folder, "a row is no disassembly", file=DISASSEMBLIES_FILE) from None

    def keep(self, disassembly: Disassembly) -> None:
        """Store the result of an assembly."""
        steps = [step if step.turn else step[:4] for step in disassembly.steps]
        row = _row(
            _digest(disassembly.lattice, disassembly.bodies),
            [disassembly.level, steps, disassembly.parts, disassembly.held],
        )
        with faults.writing(self._folder):
            self._connection.execute(_INSERT_ROW, row)
        self._rows[row[0]] = records.opened(row[1], DISASSEMBLIES_FILE, row[0])

    def _read(self, path: Path) -> None:
        """Read the rows of a shard, which another process may be writing; all must have these settings."""
        settings, rows = kept_rows(path)
        if settings != self._settings:
            before, now = settings if isinstance(settings, dict) else {}, self._settings
            differ = [f"`{name}`" for name in dict.fromkeys((*now, *before)) if before.get(name) != now.get(name)]
            raise fail(
                "PZ710",
                "the checkpoint has results with other settings",
                file=str(path),
                note=f"{', '.join(differ) or 'the settings'} differ",
                help="give the same options as before, or another folder",
            )
        self._rows |= rows


def kept_rows(path: Path) -> tuple[Any, dict[bytes, bytes]]:
    """Return the settings of a database, and its rows; raise PuzzleError (PZ622) if it is damaged."""
    rows = {}
    with ExitStack() as ends, faults.reading(path.parent):
        for key, data in tables.snapshot(path, ends).execute("SELECT key, data FROM disassemblies"):
            try:
                rows[key] = records.opened(data, DISASSEMBLIES_FILE, key)
            except ValueError as error:
                raise faults.damaged(path.parent, f"a row in it has a {error}", file=DISASSEMBLIES_FILE) from None
    return json.loads(rows.pop(b"", b"null")), rows


_INSERT_ROW = "INSERT OR REPLACE INTO disassemblies VALUES (?, ?)"


def _row(key: bytes, value: object) -> tuple[bytes, bytes]:
    """Return a row. Numbers that are fractions become texts."""
    text = json.dumps(value, separators=(",", ":"), default=str)
    return key, records.sealed(text.encode(), DISASSEMBLIES_FILE, key)


def _number(number: int | str) -> int | Fraction:
    return Fraction(number) if isinstance(number, str) else number


def _step(row: Sequence[Any]) -> Step:
    """Return a stored move; raise TypeError or ValueError for one that is wrong."""
    pieces, way, distance, separates, *more = row
    turn = None
    for matrix, translation, pivot, axis, degrees, path in more:
        corners = tuple((float(angle), tuple(map(float, shift))) for angle, shift in path)
        rows = tuple(map(tuple, matrix))
        turn = Rotation(rows, tuple(map(_number, translation)), tuple(map(Fraction, pivot)), axis, degrees, corners)
    return Step(tuple(pieces), tuple(way), _number(distance), separates, turn)


def _digest(lattice: Lattice, bodies: Sequence[Body]) -> bytes:
    data = repr((lattice.name, [(body.name, tuple(map(tuple, body.cells)), body.fixed) for body in bodies]))
    return blake2b(data.encode(), digest_size=16).digest()


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

    def as_data(self) -> dict[str, Any]:
        """Return the status for programs."""
        return {
            "task": "disassemble",
            "assemblies": self.number,
            "apart": self.apart,
            "best": self.best,
            "shards": self.shards,
            "turns": self.settings.get("turning") is not None,
            "workers": {name: owner._asdict() for name, owner in self.owners.items()},
            "saved": self.saved,
            "bytes": self.bytes,
        }


def is_of_disassemblies(folder: Path) -> bool:
    """Return whether a folder has results of ``disassemble --checkpoint``."""
    with faults.reading(folder):
        return any(folder.glob(f"*/{DISASSEMBLIES_FILE}"))


def read_disassembly_status(folder: Path) -> DisassemblyStatus:
    """Return the status of the results in a folder.

    Raises:
        PuzzleError: If a file is damaged (PZ622).

    """
    shards, owners, rows = dict[str, int](), dict[str, Owner](), dict[bytes, bytes]()
    settings: dict[str, Any] = {}
    saved, size = 0.0, 0
    for path in sorted(folder.glob(f"*/{DISASSEMBLIES_FILE}")):
        settings, results = kept_rows(path)
        shards[path.parent.name] = len(results)
        rows |= results
        owner = owner_of(path.parent)
        if owner is not None:
            owners[path.parent.name] = owner
        last, files = on_disk(path.parent, DISASSEMBLIES_FILE, f"{DISASSEMBLIES_FILE}-wal")
        saved, size = max(saved, last), size + files
    try:
        levels = [tuple(level) for level in (json.loads(data)[0] for data in rows.values()) if level is not None]
        best = max(levels, default=None)
    except (TypeError, ValueError, LookupError):
        raise faults.damaged(folder, "a row is no disassembly", file=DISASSEMBLIES_FILE) from None
    level = None if best is None else text(best)
    return DisassemblyStatus(settings, shards, len(rows), len(levels), level, saved, size, owners)
