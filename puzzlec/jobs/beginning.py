"""Begin a job, or resume the same job in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.jobs import faults
from puzzlec.jobs.looking import LEFT, not_empty
from puzzlec.jobs.records import Header
from puzzlec.lower import Encoding
from puzzlec.pipeline import Compiled, convert
from puzzlec.solving.solutions import Solutions

#: Members of a puzzle's JSON in words. Other members have their names.
WORDS = {
    "level": "the level it is described at",
    "locations": "the board (its locations)",
    "pieces": "the pieces",
    "lattice": "the lattice",
    "options": "the options",
    "items": "the items",
}


def written_level(encoding: Encoding) -> Compiled:
    """Return the highest known level of a puzzle, from which it can be written and read again."""
    if encoding.raised:
        return encoding.cover
    return encoding.fitting.puzzle if encoding.fitting.puzzle is not None else encoding.fitting


class Asked(NamedTuple):
    """The settings of a new job."""

    task: str
    symmetry: str
    shard: tuple[int, int] | None


def is_taken(folder: Path) -> bool:
    """Return whether a folder contains a checkpoint.

    Remains of a checkpoint that was never finished do not count.

    Raises:
        PuzzleError: If the folder cannot take a checkpoint. Planning may take long, so this is checked first.

    """
    with faults.reading(folder):
        if (folder / faults.FILE).exists():
            return True
        taken = {file.name for file in folder.iterdir()} - set(LEFT) if folder.is_dir() else set()
    if taken:
        raise not_empty(folder)
    return False


def compare(header: Header, there: Encoding, folder: Path, encoding: Encoding, asked: Asked) -> None:
    """Raise PuzzleError unless the job in a folder is the requested one.

    ``there`` is the puzzle of that job, ``encoding`` the requested puzzle.
    """
    name = str(folder)
    resuming = f"`puzzlec resume {folder}` continues the job in it; or choose another folder"
    differs = _what_differs(there, encoding)
    if differs or header.fingerprint != fingerprint(encoding.cover):
        same = header.title == encoding.fitting.title
        whose = "an earlier text of this puzzle" if same else f'another puzzle, "{header.title}"'
        note = f"what differs: {', '.join(differs)}" if differs else ()
        raise fail("PZ627", f"the checkpoint `{name}` belongs to {whose}", note=note, help=resuming, file=str(folder))
    symmetry = Solutions(encoding, symmetry=asked.symmetry).symmetry
    words = {"solutions": "solutions are searched for and kept", "count": "solutions are counted"}
    for then, now in (
        (words[header.task], words[asked.task]),
        (f"`--symmetry {header.symmetry}`", f"`--symmetry {symmetry}`"),
        (_shard(header.shard), _shard(asked.shard)),
    ):
        if then != now:
            note = f"there: {then}; here: {now}"
            raise fail(
                "PZ627", f"the checkpoint `{name}` was made with other settings", note=note, help=resuming,
                file=str(folder),
            )  # fmt: skip


def _shard(shard: tuple[int, int] | None) -> str:
    return f"shard {shard[0]} of {shard[1]}" if shard else "the whole search"


def _what_differs(one: Encoding, other: Encoding) -> list[str]:
    """Return how two puzzles differ, in words. Titles do not matter."""
    then, now = _written(one), _written(other)
    members = [member for member in {**then, **now} if member != "title" and then.get(member) != now.get(member)]
    return [WORDS.get(member, f"`{member}`") for member in members]


def _written(encoding: Encoding) -> dict[str, Any]:
    """Return the JSON of a puzzle at its highest known level."""
    return dict(json.loads(convert(written_level(encoding), "json")))
