"""Puzzles of different kinds whose search takes a few seconds, so that most kills happen during the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Puzzle:
    """A puzzle, its question, and its known facts.

    ``source`` is its name in the catalogue, or a function that makes its text, for a file with the extension
    ``ending``. ``number`` is the number of solutions (from `puzzlec list` for puzzles of the catalogue).
    """

    name: str
    source: str | Callable[[], str]
    number: int
    words: tuple[str, ...] = ()
    ending: str = ""
    task: str = "solve"
    shards: int = 1

    def file(self, folder: Path) -> str:
        """Return the name for a command: that of the catalogue, or that of a file written to a folder."""
        if isinstance(self.source, str):
            return self.source
        path = folder / f"{self.name}{self.ending}"
        path.write_text(self.source())
        return str(path)

    def command(self, folder: Path) -> list[str]:
        """Return the words of the command that solves or counts it."""
        all_ = ["--all"] if self.task == "solve" else []
        return [self.task, self.file(folder), *all_, *self.words]


def queens(number: int) -> str:
    """Return the puzzle of n queens as DLX: the diagonals are secondary items."""
    lines = [f"r{k}" for k in range(number)] + [f"c{k}" for k in range(number)]
    diagonals = [f"{way}{k}" for way in "ud" for k in range(2 * number - 1)]
    options = [f"r{r} c{c} u{r + c} d{r - c + number - 1}" for r in range(number) for c in range(number)]
    return "\n".join([" ".join(lines) + " | " + " ".join(diagonals), *options, ""])


def copies(board: str = "6x10") -> str:
    """Return a puzzle with pieces that are used several times, within bounds."""
    bounds = {"Y": "2..8", "L": "1..4", "T": "0..2", "N": "1..3", "Z": "0..1"}
    pieces = [f"piece {name} x{bound} = pentominoes.{name}" for name, bound in bounds.items()]
    return "\n".join(['puzzle "Pieces with bounds"', f"locations box {board}", *pieces, ""])


def without_solution(board: str = "13x15") -> str:
    """Return a puzzle without a solution, which takes a long search to prove."""
    return f'puzzle "Y and one W"\nlocations box {board}\npiece Y x* = pentominoes.Y\npiece W x1 = pentominoes.W\n'


#: The puzzles of the campaign.
PUZZLES = (
    Puzzle("flat", "pentominoes/6x10", 9356, ("--raw",)),
    Puzzle("solid", "solid-pentominoes/3x4x5", 31520, ("--raw",)),
    Puzzle("copies", copies, 76944, ("--raw",), ".puzzle"),
    Puzzle("colours", "tiles/macmahon-squares", 26656),
    Puzzle("options", lambda: queens(13), 73712, (), ".dlx"),
    Puzzle("sticks", "polysticks/tetrasticks-5x5-without-L", 4856, ("--raw",)),
    Puzzle("count", "tiles/macmahon-squares", 106624, ("--raw",), task="count"),
    Puzzle("none", without_solution, 0, ("--raw",), ".puzzle"),
    Puzzle("shards", "polysticks/tetrasticks-5x5-without-L", 4856, ("--raw",), shards=3),
)

#: The puzzle for the tests of every run.
SMALL = Puzzle("small", "polysticks/tetrasticks-5x5-without-L", 607)

#: The puzzle for faults other than kills.
PLAIN = PUZZLES[0]

#: A puzzle that takes minutes, for events before the end of a search.
LONG = Puzzle("long", "polycubes/bedlam-cube", 460464, ("--raw",))


def called(name: str) -> Puzzle:
    """Return the puzzle of a name."""
    return next(puzzle for puzzle in PUZZLES if puzzle.name == name)
