"""Pictures of puzzles with their solutions, for generate.md, meeting.md and turning-cube.md in docs/how-to."""

from __future__ import annotations

import puzzlec
from puzzlec.generators.generating import Generator
from puzzlec.generators.kind import Value
from puzzlec.make.choices import Sizes
from puzzlec.make.model_files import files
from puzzlec.make.outputs import draw, subject
from puzzlec.make.preview import preview
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


#: The puzzles of docs/how-to/meeting.md, by the name of the picture, and whether it has the fewest colours.
MEETING = {
    "tatami": ("locations box 4x4\npiece mat x* { xx }\npiece half x* { x }\nno crossroads", False),
    "faults": ("locations box 6x5\npiece brick x* { xx }\nno faults", False),
    "colours": ("locations box 10x6\npieces pentominoes\nno crossroads", True),
    "border": ("locations box 10x6\npieces pentominoes\ntouching all border", False),
    "apart": (
        "locations box 5x4\npiece L x2 { xxx/x.. }\npiece I x2 { xxx }\npiece V x2 { xx/x. }\n"
        "apart copies with corners",
        True,
    ),
    "symmetric": ("locations box 6x6\npiece V x12 { xx/x. }\nsymmetric quarter-turn", True),
}


def meeting(name: str) -> str:
    """Return the picture of a solution, in three colours if the fewest are wanted."""
    text, fewest = MEETING[name]
    solutions = puzzlec.solve(puzzlec.parse(text))
    found = next(one for one in solutions if not fewest or puzzlec.properties(one).colours == len("rgb"))
    choices = Choices(labels="none", legend=False, fewest_colours=fewest)
    return draw(found, format="svg", choices=choices, scale=0.6)


#: The puzzle of docs/how-to/turning-cube.md.
TURNING_CUBE = "turns/cube-3-of-3"


def turning_steps() -> str:
    """Return the picture of the steps in which the cube is put together."""
    return draw(puzzlec.load(TURNING_CUBE), format="svg", choices=Choices(steps=True), scale=0.8)


def turning_parts() -> str:
    """Return the picture of the printed parts."""
    made = files(subject(puzzlec.load(TURNING_CUBE), 0), "3mf", Sizes(gap=0.4), "plate", None, False, None, False)
    return preview([part.items for part in made], "Parts of a cube that turns")
