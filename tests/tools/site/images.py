"""Pictures that explain: Algorithm X on four options, the terms of the glossary, and generated puzzles.

`python -m tests.tools.site.images` writes them to docs/images. The algorithm runs to find its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from puzzlec.engine import ExactCover
from puzzlec.engine.search.steps import steps as algorithm_x_steps
from tests.tools.site.generated import MEETING, SHOWN, generated, meeting, turning_parts, turning_steps

FOLDER = Path(__file__).parents[3] / "docs" / "images"
ITEMS = "abcd"
OPTIONS = {"A": "ab", "B": "ac", "C": "bd", "D": "c"}
SECONDS = 2.5
"""Duration of each step."""

STYLE = """text { font: 15px system-ui, sans-serif; fill: #24292f; text-anchor: middle } .caption { text-anchor: start }
.cell { fill: none; stroke: #8c959f } .one { fill: #57606a } .taken .one { fill: #1a7f5a }
.taken .cell { fill: #d2f0e3 } .gone { opacity: 0.25 } .chosen { fill: #9a6700; font-weight: 700 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .one { fill: #adbac7 } .taken .cell { fill: #1c4532 }
.taken .one { fill: #56d39b } .chosen { fill: #e3b341 } }"""


class Step(NamedTuple):
    """One step of Algorithm X: a caption, the taken options, the possible options, and the chosen item."""

    caption: str
    taken: tuple[str, ...]
    possible: tuple[str, ...]
    item: str


def steps() -> Iterator[Step]:
    """Yield the steps of Algorithm X. It always chooses the first open item."""
    names = list(OPTIONS)
    paths: list[tuple[str, ...]] = []
    left: list[tuple[str, ...]] = []
    items: list[str] = []
    for node in algorithm_x_steps(ExactCover.from_sets(OPTIONS), "first"):
        taken: tuple[str, ...] = ()
        possible, item = tuple(names), ITEMS[node.item] if node.item >= 0 else ""
        if node.above >= 0:
            option = names[node.option]
            gone = {option, *(names[other] for other in node.gone)}
            taken = (*paths[node.above], option)
            possible = tuple(other for other in left[node.above] if other not in gone)
            caption = f"Take {option}. Remove the options that share an item with it."
            yield Step(caption, taken, possible, items[node.above])
        paths.append(taken)
        left.append(possible)
        items.append(item)
        choices = ", ".join(option for option in possible if item in OPTIONS[option])
        captions = {
            "solution": f"Every item is covered once: {' and '.join(taken)} are a solution.",
            "dead": f"No option is left for {item}: a dead end. Go back.",
            "branch": f"Choose the first open item, {item}. Options left: {choices}.",
        }
        yield Step(captions[node.kind], taken, possible, item)


def matrix(step: Step) -> str:
    """Return the matrix at one step."""
    covered = {item for option in step.taken for item in OPTIONS[option]}
    parts = [f'<text class="caption" x="14" y="28">{step.caption}</text>']
    for column, item in enumerate(ITEMS):
        kind = "chosen" if item == step.item else "gone" if item in covered else ""
        parts.append(f'<text class="{kind}" x="{90 + 44 * column}" y="66">{item}</text>')
    for row, (option, items) in enumerate(OPTIONS.items()):
        kind = "taken" if option in step.taken else "" if option in step.possible else "gone"
        top = 78 + 34 * row
        parts.append(f'<g class="{kind}"><text x="40" y="{top + 21}">{option}</text>')
        for column, item in enumerate(ITEMS):
            left = 68 + 44 * column
            parts.append(f'<rect class="cell" x="{left}" y="{top}" width="44" height="30"/>')
            if item in items:
                parts.append(f'<circle class="one" cx="{left + 22}" cy="{top + 15}" r="8"/>')
        parts.append("</g>")
    return "".join(parts)


def algorithm_x() -> str:
    """Return the animation. If the reader prefers reduced motion, it shows only the last step."""
    found = list(steps())
    share, whole = 100 / len(found), SECONDS * len(found)
    frames = f"@keyframes shown {{ 0%, {share:.3f}% {{ opacity: 1 }} {share + 0.001:.3f}%, 100% {{ opacity: 0 }} }}"
    motion = f".step {{ opacity: 0; animation: shown {whole:g}s infinite step-end }} {frames}"
    still = "@media (prefers-reduced-motion) { .step { animation: none } .step:last-child { opacity: 1 } }"
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 230" width="560" role="img">',
        f"<title>Algorithm X, step by step</title><style>{STYLE} {motion} {still}</style>",
    ]
    for number, step in enumerate(found):
        delay = SECONDS * number
        lines.append(f'<g class="step" style="animation-delay: {delay:g}s">{matrix(step)}</g>')
    return "\n".join([*lines, "</svg>\n"])


Cells = tuple[tuple[int, int], ...]
COLOURS = ("#4e8fd0", "#e58a3c", "#57a773", "#b06fc0")


class Drawing(NamedTuple):
    """A small board with pieces: its size, the cells of each piece, and the caption."""

    width: int
    height: int
    pieces: tuple[Cells, ...]
    caption: str
    letters: str = ""


def turned(cells: Cells) -> Cells:
    """Return a piece rotated by a quarter turn, at the upper left."""
    most = max(y for _, y in cells)
    return tuple(sorted((most - y, x) for x, y in cells))


L: Cells = ((0, 0), (0, 1), (0, 2), (1, 2))
MIRRORED: Cells = ((0, 2), (1, 0), (1, 1), (1, 2))
STEP: Cells = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1))


def orientations() -> list[Drawing]:
    """Return the eight orientations of the L."""
    found = []
    for start in (L, MIRRORED):
        cells = start
        for _ in range(4):
            width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
            found.append(Drawing(width, height, (cells,), ""))
            cells = turned(cells)
    return found


PICTURES = {
    "cell": [
        Drawing(3, 2, (), "a board of 6 locations"),
        Drawing(2, 2, (((0, 0), (0, 1), (1, 1)),), "a piece of 3 cells"),
        Drawing(3, 2, (((0, 0), (0, 1), (1, 1)),), "one of its placements"),
    ],
    "orientations": orientations(),
    "distinct": [
        Drawing(3, 2, (((0, 0), (0, 1), (1, 1)), ((1, 0), (2, 0), (2, 1))), "raw solution 1", "VW"),
        Drawing(3, 2, (((0, 0), (1, 0), (0, 1)), ((2, 0), (1, 1), (2, 1))), "raw solution 2", "VW"),
        Drawing(3, 2, (((1, 0), (2, 0), (2, 1)), ((0, 0), (0, 1), (1, 1))), "raw solution 3", "VW"),
        Drawing(3, 2, (((2, 0), (1, 1), (2, 1)), ((0, 0), (1, 0), (0, 1))), "raw solution 4", "VW"),
    ],
}


def row(drawings: list[Drawing], title: str) -> str:
    """Return drawings side by side."""
    parts, left = [], 16
    for drawing in drawings:
        wide = max(26 * drawing.width, 7 * len(drawing.caption))
        start = left + (wide - 26 * drawing.width) // 2
        for x in range(drawing.width):
            for y in range(drawing.height):
                owner = next((number for number, piece in enumerate(drawing.pieces) if (x, y) in piece), None)
                if owner is None and not drawing.caption:
                    continue
                fill = "none" if owner is None else COLOURS[owner]
                place = f'x="{start + 26 * x}" y="{16 + 26 * y}"'
                parts.append(f'<rect {place} width="26" height="26" fill="{fill}" stroke="#57606a"/>')
                if owner is not None and drawing.letters:
                    letter = drawing.letters[owner]
                    parts.append(f'<text x="{start + 26 * x + 13}" y="{34 + 26 * y}">{letter}</text>')
        middle = left + wide // 2
        parts.append(f'<text x="{middle}" y="{40 + 26 * drawing.height}">{drawing.caption}</text>')
        left += wide + 28
    height = 52 + 26 * max(drawing.height for drawing in drawings)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" width="{left}" role="img">'
    return "\n".join([head, f"<title>{title}</title><style>{STYLE}</style>", *parts, "</svg>\n"])


#: The function that draws each picture, by the name of the file.
IMAGES: dict[str, Callable[[], str]] = {
    "algorithm-x.svg": algorithm_x,
    **{f"glossary-{name}.svg": partial(row, drawings, name) for name, drawings in PICTURES.items()},
    **{f"generated-{kind}.svg": partial(generated, kind) for kind in SHOWN},
    **{f"meeting-{name}.svg": partial(meeting, name) for name in MEETING},
    "turning-steps.svg": turning_steps,
    "turning-parts.svg": turning_parts,
}


if __name__ == "__main__":
    for name, drawn in IMAGES.items():
        (FOLDER / name).write_text(drawn(), "utf-8")
