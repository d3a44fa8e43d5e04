"""Square tiles whose sides match, as in Eternity II: one way to lay them, up to rotations of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from puzzlec.generators.kind import GenerationEffort, GeneratorKind, Value, number_in, sizes_in

#: The colours of the sides between two cells: a side by its cell and 0 (on its right) or 1 (below it).
_Sides = dict[tuple[int, int, int], int]


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return tiles of a given number of colours for a board, with one solution."""
    width, height = sizes_in(options["size"], (2,), 16)
    colours = number_in(options["colours"], 99, "colours")
    random = effort.random
    unique_sides = effort.unique(
        lambda: _sides(width, height, colours, random),
        lambda sides: {**sides, list(sides)[random.randrange(len(sides))]: 1 + random.randrange(colours)},
        lambda sides: _text(width, height, colours, sides),
        "rotations",
    )
    return _text(width, height, colours, unique_sides), 1


def _sides(width: int, height: int, colours: int, random: Random) -> _Sides:
    across = [(x, y, 0) for y in range(height) for x in range(width - 1)]
    down = [(x, y, 1) for y in range(height - 1) for x in range(width)]
    return {side: 1 + random.randrange(colours) for side in across + down}


def _text(width: int, height: int, colours: int, sides: _Sides) -> str:
    """Return the text of the puzzle. Equal tiles are copies, in the rotation with the smallest list of colours."""
    tiles: Counter[tuple[int, ...]] = Counter()
    for y in range(height):
        for x in range(width):
            around = ((x, y - 1, 1), (x, y, 0), (x, y, 1), (x - 1, y, 0))
            tile = [sides.get(side, 0) for side in around]
            tiles[min((*tile[turn:], *tile[:turn]) for turn in range(4))] += 1
    lines = [f"colours {' '.join(map(str, range(colours + 1)))}", "frame 0", f"locations box {width}x{height}"]
    for number, (row, copies) in enumerate(sorted(tiles.items()), 1):
        lines.append(f"piece t{number}{f' x{copies}' if copies > 1 else ''} sides {' '.join(map(str, row))}")
    return "\n".join(lines)


KIND = GeneratorKind(
    "tiles", "square tiles with matching sides, with one solution", {"size": "4x4", "colours": 4}, make
)
