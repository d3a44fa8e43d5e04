"""Pictures of generated puzzles with their solutions, for docs/how-to/generate.md."""

from __future__ import annotations

from functools import cache

from puzzlec.generators.generating import Generator
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


@cache
def generated() -> dict[str, str]:
    """Return a picture for each kind, by the name of its file."""
    return {
        f"generated-{kind}.svg": draw(
            Generator(kind, seed, options=options).find().puzzle, "svg", Choices(labels="none", legend=False), scale=0.6
        )
        for kind, (seed, options) in SHOWN.items()
    }
