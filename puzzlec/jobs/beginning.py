"""Beginning a job, or going on with the one that a folder holds already, if it is the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.jobs import faults
from puzzlec.jobs.header import Header
from puzzlec.jobs.looking import LEFT, not_empty
from puzzlec.lower import Encoding
from puzzlec.pipeline import Compiled, convert
from puzzlec.solving.solutions import Solutions

#: What the members of a puzzle's JSON are in words; what is not here is called by its name.
WORDS = {
    "level": "the level it is described at",
    "locations": "the board (its locations)",
    "pieces": "the pieces",
    "lattice": "the lattice",
    "options": "the options",
    "items": "the items",
}


def written_level(encoding: Encoding) -> Compiled:
    """Return what a puzzle is written from so that it can be read again: the highest level that is known."""
    if encoding.raised:
        return encoding.cover
    return encoding.fitting.puzzle if encoding.fitting.puzzle is not None else encoding.fitting


class Asked(NamedTuple):
    """The settings that a job is asked for with."""

    task: str
    symmetry: str
    shard: tuple[int, int] | None


def is_taken(folder: Path) -> bool:
    """Whether a folder holds a checkpoint.

    Raises PuzzleError where it cannot take one: before the search is planned, which may take long. What is left of a
    checkpoint whose making was cut short does not count.
    """
    with faults.reading(folder):
        if (folder / faults.FILE).exists():
            return True
        taken = {each.name for each in folder.iterdir()} - set(LEFT) if folder.is_dir() else set()
    if taken:
        raise not_empty(folder)
    return False


def compare(header: Header, there: Encoding, folder: Path, encoding: Encoding, asked: Asked) -> None:
    """Raise PuzzleError if the job in a folder is not the one that is asked for.

    ``there`` is the puzzle of that job, ``encoding`` the one that is asked for.
    """
    name = str(folder)
    goes_on = f"`puzzlec resume {folder}` goes on with what is there; give another folder to begin anew"
    differs = _what_differs(there, encoding)
    if differs or header.fingerprint != fingerprint(encoding.cover):
        same = header.title == encoding.fitting.title
        whose = "this puzzle as it was before" if same else f'another puzzle, "{header.title}"'
        note = f"what differs: {', '.join(differs)}" if differs else ()
        raise fail("PZ627", f"the checkpoint `{name}` is of {whose}", note=note, help=goes_on, file=str(folder))
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
                "PZ627", f"the checkpoint `{name}` was made with other settings", note=note, help=goes_on,
                file=str(folder),
            )  # fmt: skip


def _shard(shard: tuple[int, int] | None) -> str:
    return f"shard {shard[0]} of {shard[1]}" if shard else "the whole search"


def _what_differs(one: Encoding, other: Encoding) -> list[str]:
    """Return in words in what two puzzles differ; their titles do not matter, since the search is the same."""
    then, now = _written(one), _written(other)
    members = [each for each in {**then, **now} if each != "title" and then.get(each) != now.get(each)]
    return [WORDS.get(each, f"`{each}`") for each in members]


def _written(encoding: Encoding) -> dict[str, Any]:
    """Return all that a puzzle says, at the highest level that is known of it, as its JSON has it."""
    return dict(json.loads(convert(written_level(encoding), "json")))
