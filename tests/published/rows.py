"""The checked published numbers of solutions, from the files in this folder.

A row is one published number: ``count`` solutions up to ``convention``, by ``source``. There are three kinds of check:

- ``puzzle`` of the catalogue, with ``parameters`` if the puzzle of the catalogue has another size
- ``ours``, a count of the puzzle in ``text`` or of the description in ``how``, with its time in ``takes``
- ``unchecked``, with the reason

The ``verdict`` is one of :data:`VERDICTS`. If the numbers differ, ``outcome`` states which is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import puzzlec
from puzzlec.formats.catalogue import entries
from puzzlec.recount import CONVENTIONS

HERE = Path(__file__).parent

#: The loader in C is ten times as fast; without libyaml, PyYAML has only the one in Python.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: The files in the order of the page, each with its subject.
FILES = {
    "soma": "Soma figures",
    "cubic": "Other puzzles of cubes",
    "square": "Polyominoes and rectangles",
    "triangular": "Polyiamonds",
    "hexagonal": "Polyhexes",
    "edges": "Polysticks, polytrigs and polytwigs",
    "burrtools": "Assemblies that BurrTools files state",
    "without-geometry": "Queens, sequences, Latin squares, set systems, edge matching",
}

#: The verdicts on a published number, with the words of the page.
VERDICTS = {
    "agrees": "agree",
    "convention": "differ, because the source counts up to other symmetries",
    "published wrong": "differ, and the published number is wrong",
    "ours wrong": "differed, and our number was wrong",
    "not counted": "not counted here",
}

#: Costs of a count: only the first suits a short test.
TIMES = ("a moment", "seconds", "minutes", "hours")

#: The symmetries up to which solutions are the same under each convention that a row may name.
SYMMETRIES = {**{name: which for name, which in CONVENTIONS.items() if which}, "automorphisms": "automorphisms"}


@dataclass(frozen=True)
class Row:
    """A published number of solutions; see the module."""

    id: str
    title: str
    count: int
    convention: str
    source: str
    verdict: str
    puzzle: str = ""
    parameters: dict[str, int] | None = None
    text: str = ""
    ours: dict[str, Any] | None = None
    unchecked: str = ""
    outcome: str = ""

    @property
    def own(self) -> int | None:
        """The number of puzzlec: from the catalogue, or counted; None if it was not counted."""
        if self.ours is not None:
            number: int = self.ours["count"]
            return number
        stated = {entry.name: entry for entry in entries()}.get(self.puzzle)
        return getattr(stated, self.convention) if stated is not None else None

    @property
    def countable(self) -> bool:
        """Whether :meth:`recounted` works: there is a puzzle, and its count is not from the catalogue."""
        return self.ours is not None and bool(self.text or self.puzzle)

    def recounted(self) -> int:
        """Count the puzzle in ``text``, or that of the catalogue with other parameters."""
        puzzle = puzzlec.parse(self.text) if self.text else puzzlec.load(self.puzzle, parameters=self.parameters)
        return puzzlec.Solutions(puzzle, symmetry=SYMMETRIES[self.convention]).count()


@cache
def rows() -> dict[str, tuple[Row, ...]]:
    """Return all rows, by the names of their files. Raises TypeError for a field that a row does not have."""
    return {
        name: tuple(Row(**row) for row in yaml.load((HERE / f"{name}.yaml").read_text(encoding="utf-8"), LOADER))
        for name in FILES
    }


def every() -> tuple[Row, ...]:
    """Return all rows."""
    return tuple(row for some in rows().values() for row in some)
