"""Keep how assemblies come apart, so that an interrupted run continues and shards merge.

A folder has a folder for each shard, with a file `disassemblies.jsonl`: a first line with the settings, then a line for
each assembly. A line is found by a digest of the bodies in their positions, so it fits no other assembly. Lines are
only appended. If the last one is incomplete, because a run was killed, it is cut off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.geometry import Lattice
from puzzlec.jobs import faults
from puzzlec.jobs.locking import Lock
from puzzlec.motion.disassembly import Disassembly
from puzzlec.motion.moves import Body, Step
from puzzlec.motion.rotation import Rotation
from puzzlec.motion.turning import Turning

FILE = "disassemblies.jsonl"
FORMAT = 1
MEMBERS = ("bodies", "level", "steps", "parts", "held")


class KeptDisassemblies:
    """Results in a folder; a context manager, which holds the lock of its shard.

    Args:
        folder: The folder, which is made if needed.
        settings: Everything besides the bodies that changes results: groups, and which plans count.
        shard: The number of the shard of this run, from 1, and the number of all shards. Default: all assemblies.
        turning: How pieces turn; None if they only slide.

    Raises:
        PuzzleError: If the folder has results with other settings (PZ710), if a file is damaged (PZ711), or if another
            process works on the shard (PZ621).

    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object],
        shard: tuple[int, int] | None = None,
        turning: Turning | None = None,
    ) -> None:
        self._turning = turning
        self._shard, self._settings = shard, json.loads(json.dumps({"format": FORMAT, "turning": turning, **settings}))
        here = folder / ("all" if shard is None else f"shard-{shard[0]}-of-{shard[1]}")
        with faults.writing(folder):
            here.mkdir(parents=True, exist_ok=True)
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = Lock(here)
        try:
            for path in sorted(folder.glob(f"*/{FILE}")):
                end = self._read(path)
                if path.parent == here:
                    with faults.writing(folder), path.open("r+b") as file:
                        file.truncate(end)
            self._path = here / FILE
            with faults.writing(folder):
                fresh = not self._path.exists() or not self._path.stat().st_size
                self._file = self._path.open("ab")
                if fresh:
                    self._append(self._settings)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> KeptDisassemblies:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._lock.release()

    def __len__(self) -> int:
        return len(self._known)

    def is_in_shard(self, number: int) -> bool:
        """Return whether an assembly, by its number from 1, is in the shard of this run."""
        return self._shard is None or (number - self._shard[0]) % self._shard[1] == 0

    def find(self, lattice: Lattice, bodies: Sequence[Body]) -> Disassembly | None:
        """Return the stored result of an assembly, or None."""
        row = self._known.get(_digest(lattice, bodies))
        if row is None:
            return None
        try:
            steps = tuple(map(_step, row["steps"]))
            level = None if row["level"] is None else tuple(row["level"])
            parts = tuple(tuple(part) for part in row["parts"])
            return Disassembly(lattice, tuple(bodies), level, steps, parts, tuple(row["held"]), turning=self._turning)
        except (TypeError, ValueError):
            raise _damaged(self._path, f"the line of `{row['bodies']}`") from None

    def keep(self, found: Disassembly) -> None:
        """Append the result of an assembly."""
        digest = _digest(found.lattice, found.bodies)
        row = {
            "bodies": digest,
            "level": found.level,
            "steps": [_stored(step) for step in found.steps],
            "parts": found.parts,
            "held": found.held,
        }
        with faults.writing(self._path.parent):
            self._append(row)
        self._known[digest] = row

    def _append(self, row: Mapping[str, object]) -> None:
        self._file.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _read(self, path: Path) -> int:
        """Read the complete lines of a file; return their length in bytes."""
        end = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                try:
                    row = json.loads(line)
                    if number > 1:
                        self._known[row["bodies"]] = {key: row[key] for key in MEMBERS}
                except (ValueError, TypeError, KeyError, RecursionError):
                    raise _damaged(path, f"line {number}") from None
                if number == 1 and row != self._settings:
                    raise _other_settings(path, row, self._settings)
                end += len(line)
        return end


def _stored(step: Step) -> list[object]:
    """Return a move as a line has it. The pivot of a turn has texts, because its numbers are fractions."""
    members: list[object] = [step.pieces, step.direction, step.distance, step.separates]
    return [*members, step.turn._replace(pivot=tuple(map(str, step.turn.pivot)))] if step.turn else members  # type: ignore[arg-type]


def _step(row: Sequence[Any]) -> Step:
    """Return a stored move; raise TypeError or ValueError for one that is wrong."""
    pieces, way, distance, separates, *more = row
    turn = None
    for matrix, translation, pivot, axis, degrees, path in more:
        corners = tuple((float(angle), tuple(map(float, shift))) for angle, shift in path)
        rows = tuple(map(tuple, matrix))
        turn = Rotation(rows, tuple(translation), tuple(map(Fraction, pivot)), axis, degrees, corners)
    return Step(tuple(pieces), tuple(way), distance, separates, turn)


def _other_settings(path: Path, kept: object, now: Mapping[str, object]) -> PuzzleError:
    differ = [name for name in now if not isinstance(kept, dict) or kept.get(name) != now[name]]
    note = f"{', '.join(f'`{name}`' for name in differ) or 'the settings'} differ"
    return fail(
        "PZ710",
        "the checkpoint has results with other settings",
        file=str(path),
        note=note,
        help="give the same options as before, or another folder",
    )


def _damaged(path: Path, line: str) -> PuzzleError:
    note = "a line has the result of one assembly"
    help = "delete the line: its assembly is then taken apart again"
    return fail("PZ711", f"cannot read {line}", file=str(path), note=note, help=help)


def _digest(lattice: Lattice, bodies: Sequence[Body]) -> str:
    data = repr((lattice.name, [(body.name, tuple(map(tuple, body.cells)), body.fixed) for body in bodies]))
    return blake2b(data.encode(), digest_size=16).hexdigest()
