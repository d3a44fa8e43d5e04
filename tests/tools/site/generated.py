"""Pictures of generated puzzles with their solutions, for docs/how-to/generate.md."""

from __future__ import annotations

from puzzlec.generators import Generator
from puzzlec.generators.kind import Value
from puzzlec.make.outputs import draw
from puzzlec.show.svg.choices import Choices

#: The puzzles of the page: kind, seed and options.
SHOWN: dict[str, tuple[int, dict[str, Value]]] = {
    "dominosa": (2, {"size": 4}),
    "board": (1, {"pieces": "pentominoes F I L P"}),
    "tiles": (1, {"size": "3x3", "colours": 3}),
    "packing": (1, {}),
    "calendar": (0, {"pieces": "hexominoes O06, pentominoes L N P U V Y Z"}),
    "burr": (5, {"level": 5}),
}


def generated(kind: str) -> str:
    """Return the picture of a generated puzzle of one kind."""
    seed, options = SHOWN[kind]
    found = Generator(kind, seed, options=options).find()
    return draw(found.puzzle, format="svg", choices=Choices(labels="none", legend=False), scale=0.6)
