"""Worksheets for a class: a board, pieces to cut out in the same scale, and solutions on separate pages.

Typst or a browser breaks the lines and pages; here everything gets its size. Solids and puzzles without geometry have
pictures instead of pieces to cut out.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from statistics import median_low
from typing import Any

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.ir import Piece, Solution
from puzzlec.ir.solution import fixed_placements
from puzzlec.show.breaking import rows_of
from puzzlec.show.ruling import ruling
from puzzlec.show.scene import Scene, around_text, piece_scene, puzzle_scene, solution_scene
from puzzlec.show.svg import page_sizes, sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.files import json_bytes, typeset
from puzzlec.show.svg.page_sizes import PX
from puzzlec.show.svg.picture import PuzzleSheet, named, pages
from puzzlec.show.svg.solid import telling_view
from puzzlec.solving.grids import is_value_grid
from puzzlec.solving.subject import Subject

#: The free border of a page, and the height of the title with its lines, in mm.
_MARGIN, _HEAD = 15.0, 48.0
#: The largest cell, unless another size is chosen, and the smallest, in mm: smaller pieces cannot be cut out.
_MAX_CELL_MM, _MIN_CELL_MM = 15.0, 4.0
#: More pieces than this are printed once each, with their number of copies.
_MOST_PIECES = 150
#: The size of a cell in the layers and the pieces of a solid, in px, and how much larger a chart is than on a screen.
_LAYER, _SOLID, _LARGER = 44.0, 30.0, 1.8
#: The least and the greatest height of most pieces of a solid, in mm. Between them, the pieces fill the page.
_LOWEST_PIECE, _HIGHEST_PIECE = 20.0, 40.0
#: The space between the pictures of pieces, the height of a caption, and of the headings above the pieces, in mm.
_GAP, _CAPTION, _HEADINGS = 4.0, 5.0, 24.0
#: The height above the solutions that their heading takes, in mm.
_HEADING = 16.0

_SOURCE = """
#let sheet = json("sheet.json")
#set document(title: sheet.title, date: none)
#set page(
  width: sheet.width * 1mm, height: sheet.height * 1mm, margin: sheet.margin * 1mm,
  footer-descent: 35%,
  footer: context {
    let last = counter(page).at(<end>).first()
    if last > 1 { align(center, text(9pt)[#counter(page).get().first() / #last]) }
  },
)
#set text(11pt, lang: "en", costs: (orphan: 0%, widow: 0%))
#show heading: set block(above: 5mm, below: 4mm)
#let drawn(part) = image(part.file, width: part.width * 1mm, alt: part.words)
#let blank(name) = [#name #box(width: 1fr, line(length: 100%, stroke: 0.5pt))]

#heading(level: 1, text(18pt, sheet.title))
#grid(columns: (3fr, 1fr), column-gutter: 8mm, blank("Name"), blank("Date"))
#v(2mm)
#for sentence in sheet.task [#sentence ]
#align(center, drawn(sheet.board))
#for part in sheet.key { drawn(part) }
#if sheet.pieces.len() > 0 {
  heading(level: 2, sheet.heading)
  set par(leading: 4mm)
  for part in sheet.pieces {
    box(if part.caption == "" { drawn(part) } else {
      stack(spacing: 1.5mm, drawn(part), text(9pt, part.caption))
    })
    h(4mm, weak: true)
    sym.zws
  }
}
#metadata(none) <end>
#for part in sheet.solutions {
  page(footer: none, margin: 0mm)[
    #place(bottom, drawn(part))
    #place(dx: sheet.margin * 1mm, dy: sheet.margin * 1mm, heading(level: 2, part.heading))
  ]
}
"""


#: The page for a browser. Each part has its size in mm, and each solution a page without a margin.
_STYLE = """
@page { size: %gmm %gmm; margin: %gmm }
@page solution { margin: 0 }
* { box-sizing: border-box }
body { margin: 0 auto; font: 11pt/1.5 Georgia, "Libertinus Serif", serif; color: #000; background: #fff }
h1 { font-size: 18pt; margin: 0 0 5mm }
h2 { font-size: 13pt; margin: 5mm 0 4mm; break-after: avoid }
header, .pieces { display: flex; flex-wrap: wrap; gap: 4mm }
header span { flex: 1; border-bottom: .5pt solid }
header span:first-child { flex: 3; margin-right: 4mm }
figure { margin: 0; break-inside: avoid; font-size: 9pt }
img { display: block }
.board { display: flex; justify-content: center; margin: 4mm 0 }
.solution { page: solution; break-before: page; position: relative; height: %gmm; overflow: hidden }
.solution h2 { margin: 0; padding: %gmm }
.solution img { position: absolute; bottom: 0; left: 0 }
@media screen { body { width: %gmm; padding: %gmm 0 } .solution { margin: 0 -%gmm } }
@media print { button { display: none } }
"""


class Worksheet:
    """A worksheet before Typst typesets it; ``remarks`` are sentences about what a person may not expect."""

    def __init__(self, subject: Subject, choices: Choices) -> None:
        self.subject = subject
        self.page = page_sizes.paper_of(choices.paper or "a4")
        self.choices = replace(choices, show=None, paper=None, cell=None, columns=None, steps=False, explode=0)
        self.title = subject.title if choices.title is None else choices.title
        self.cell = choices.cell
        self.columns = choices.columns
        self.given = fixed_placements(subject.fitting)
        self.remarks: list[str] = []
        self._files: dict[str, bytes] = {}
        self._room = self.page.width - 2 * _MARGIN, self.page.height - 2 * _MARGIN

    def pdf(self) -> bytes:
        """Return the worksheet as PDF.

        Raises PuzzleError: PZ504 if the board does not fit the paper, PZ505 if the package ``typst`` is missing.
        """
        data = self._data()
        return typeset(_SOURCE, {**self._files, "sheet.json": json_bytes(data)})

    def html(self) -> str:
        """Return the worksheet as a page that a browser prints with the same sizes.

        Raises PuzzleError: PZ504 if the board does not fit the paper.
        """
        data, (width, height) = self._data(), (self.page.width, self.page.height)
        sizes = (width, height, _MARGIN, height - 0.5, _MARGIN, width - 2 * _MARGIN, _MARGIN, _MARGIN)
        pieces = "".join(f"<figure>{self._image(part)}{escape(part['caption'])}</figure>" for part in data["pieces"])
        solutions = "".join(
            f'<section class="solution"><h2>{escape(part["heading"])}</h2>{self._image(part)}</section>'
            for part in data["solutions"]
        )
        return (
            f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{escape(self.title)}</title>'
            f"<style>{_STYLE % sizes}</style>\n"
            '<button onclick="print()">Print</button>'
            f"<h1>{escape(self.title)}</h1>"
            f"<header><span>Name</span><span>Date</span></header><p>{escape(' '.join(data['task']))}</p>"
            f'<div class="board">{self._image(data["board"])}</div>{"".join(map(self._image, data["key"]))}'
            + (f'<h2>{escape(data["heading"])}</h2><div class="pieces">{pieces}</div>' if pieces else "")
            + f"{solutions}</html>\n"
        )

    def _image(self, part: dict[str, Any]) -> str:
        """Return a part of the page as an image in its size."""
        content = base64.b64encode(self._files[part["file"]]).decode()
        size = f"width:{part['width']:g}mm;height:{part['height']:g}mm"
        words = escape(part["words"])
        return f'<img src="data:image/svg+xml;base64,{content}" alt="{words}" style="{size}">'

    def _data(self) -> dict[str, Any]:
        """Return all parts of the worksheet, whose pictures are files."""
        return {
            "title": self.title,
            "width": self.page.width,
            "height": self.page.height,
            "margin": _MARGIN,
            "task": [],
            "key": [],
            "pieces": [],
            "heading": "",
            **self._front(),
            "solutions": self._solutions(),
        }

    def _front(self) -> dict[str, Any]:
        """Return the task, the board and the pieces."""
        puzzle = self.subject.puzzle
        scene = puzzle_scene(puzzle) if puzzle is not None else None
        bare = replace(self.subject, solutions=(), remark="")
        if puzzle is None or scene is None or is_value_grid(self.subject.fitting):
            (chart,) = pages(bare, replace(self.choices, title=""))
            return {"board": self._fitted(chart.figure, "the puzzle", scale=_LARGER)}
        drawing = PuzzleSheet(bare, puzzle, scene, self.choices)
        wraps = scene.wrapping.wraps if scene.wrapping is not None else None
        task = [f"The board wraps around: {around_text(wraps)}."] if wraps is not None else []
        task += [f"{text}." for text in ruling(puzzle).sentences()]
        if not drawing.flat:
            return self._solid(drawing, task)
        cell = self._cell(drawing)
        board = drawing.drawn(self._given_scene() or scene, cell * PX)
        several = self._cut_out(drawing, cell)
        if several:
            task.insert(0, "Cut out the pieces and place them on the board.")
            self.remarks.append(f"the board and the pieces have the same scale: the size of a cell is {cell:.1f} mm")
        else:
            self.remarks.append("the pieces have no shapes to cut out")
        return {
            "task": task,
            "board": self._part(board, "the board"),
            "key": self._key(drawing),
            "pieces": several,
            "heading": "Pieces to cut out",
        }

    def _given_scene(self) -> Scene | None:
        """Return the board with the pieces that the puzzle fixes; None without any."""
        return solution_scene(Solution(self.subject.fitting, self.given)) if self.given else None

    def _solid(self, drawing: PuzzleSheet, task: Sequence[str]) -> dict[str, Any]:
        """Return the layers of a board and pictures of the pieces, which have no size in common."""
        self.remarks.append("the pieces of a solid cannot be cut out: the worksheet shows pictures of them")
        board = self._fitted(
            drawing.drawn(self._given_scene() or drawing.board, _LAYER, view="layers"), "the layers of the box"
        )
        labels = "signs" if self.choices.labels == "auto" else self.choices.labels  # those of the solutions
        pictures = [
            (drawing.alone(scene, _SOLID, labels), piece, scene.bodies[0].label if labels == "signs" else piece.name)
            for number, piece in enumerate(drawing.puzzle.pieces)
            if piece.high and (scene := piece_scene(drawing.puzzle, number)) is not None
        ]
        scale = self._piece_scale(
            [figure.box for figure, _, _ in pictures], self._room[1] - _HEAD - _HEADINGS - board["height"]
        )
        several = [self._fitted(figure, piece.name, named(piece, sign), scale) for figure, piece, sign in pictures]
        return {
            "task": [*task, "The layers of the box, from the bottom to the top:"],
            "board": board,
            "key": self._key(drawing),
            "pieces": several,
            "heading": "Pieces (pictures, not to cut out)",
        }

    def _piece_scale(self, boxes: Sequence[Box], room: float) -> float:
        """Return the factor with which pictures of pieces fill a height in mm, within the limits of their sizes.

        All pieces have the same scale, so one with much fewer cells is smaller. If they do not fit in the smallest
        scale, they continue on another page.
        """
        if not boxes:
            return 1.0
        widest = self._room[0] * PX / max(box.width for box in boxes)
        heights = [box.height / PX for box in boxes]
        usual = min(height for height in heights if 2 * height >= median_low(heights))
        least = min(widest, _LOWEST_PIECE / usual)
        scale = min(widest, _HIGHEST_PIECE / usual)
        while scale > least and self._rows_height(boxes, scale) > room:
            scale = max(least, scale * 0.95)
        return scale

    def _rows_height(self, boxes: Sequence[Box], scale: float) -> float:
        """Return the height of pictures in rows as wide as the page, in mm."""
        rows = rows_of((scale * box.width / PX for box in boxes), self._room[0], _GAP)
        return sum(max(scale * boxes[n].height / PX for n in row) + _CAPTION + _GAP for row in rows)

    def _key(self, drawing: PuzzleSheet) -> list[dict[str, Any]]:
        """Return the meaning of colours, if there are any."""
        key = sheet.key(drawing.colour_entries(), self._room[0] * PX)
        return [] if key.is_empty else [self._fitted(key, "the colours")]

    def _cell(self, drawing: PuzzleSheet) -> float:
        """Return the size of cells in mm with which the board and each piece fit the page."""
        trial = self.cell or _MAX_CELL_MM
        wide, high = self._room
        boxes = [(drawing.drawn(drawing.board, trial * PX).box, high - _HEAD)]
        boxes += [(drawing.drawn(scene, trial * PX, "none").box, high) for scene in drawing.piece_scenes()]
        fits = min(min(wide * PX / box.width, most * PX / box.height) for box, most in boxes)
        if self.cell is not None and fits >= 1:
            return self.cell
        # Strokes do not shrink with small cells.
        size = trial if fits >= 1 else int(9.9 * fits * trial) / 10
        if self.cell is not None or size < _MIN_CELL_MM:
            raise fail(
                "PZ504",
                f"the board is too large for this paper: its cells would be only {size:.1f} mm",
                self.subject.puzzle.span if self.subject.puzzle is not None else None,
                note=f"cells of a worksheet are at least {_MIN_CELL_MM:g} mm, unless `--cell` sets their size",
                help="choose a larger `--paper`" + (", or a smaller `--cell`" if self.cell is not None else ""),
            )
        return size

    def _cut_out(self, drawing: PuzzleSheet, cell: float) -> list[dict[str, Any]]:
        """Return all copies of all pieces."""
        several = []
        for scene in drawing.piece_scenes():
            body = scene.bodies[0]
            part = self._part(drawing.drawn(scene, cell * PX), f"piece {body.name}")
            piece = drawing.puzzle.pieces[body.piece]
            several.append((part, self._copies(piece, body.piece), piece))
        if sum(copies for _, copies, _ in several) <= _MOST_PIECES:
            return [part for part, copies, _ in several for _ in range(copies)]
        self.remarks.append(f"the worksheet shows each piece once: more than {_MOST_PIECES} would be needed")
        return [{**part, "caption": named(piece, piece.name)} for part, _, piece in several]

    def _copies(self, piece: Piece, number: int) -> int:
        """Return how many copies of a piece are needed: if the puzzle leaves it open, as many as a solution uses.

        Given pieces are on the board already.
        """
        given = sum(placement.number == number for placement in self.given)
        if piece.low == piece.high:
            return piece.low - given
        used = [
            sum(placement.number == number for placement in solution.placements) for solution in self.subject.solutions
        ]
        most = max(used) if used else min(piece.high, self.subject.fitting.locations // max(1, len(piece.cells)))
        return most - given

    def _solutions(self) -> list[dict[str, Any]]:
        """Return pages with the solutions below a heading."""
        number = len(self.subject.solutions)
        if not number:
            if self.subject.reasons or self.subject.number == 0:
                self.remarks.append("the worksheet has no page of solutions: the puzzle has no solution")
            return []
        height = self.page.height - _HEADING
        room = f"{self.page.width:g}x{height:g}"
        scene = solution_scene(self.subject.solutions[0])
        view = self.choices.view
        if view is None and scene is not None and scene.lattice.dimension > 2:
            view = telling_view(scene)
        choices = replace(self.choices, show="solution", paper=room, title="", columns=self.columns, view=view)
        several = pages(replace(self.subject, remark=""), choices)
        heading = f"{self.title}: " * bool(self.title) + ("solution" if number == 1 else counted(number, "solution"))
        note = f" ({self.subject.remark})" if self.subject.remark else ""
        sheets = []
        for picture in several:
            text = picture.svg("none").encode()
            sheets.append({**self._file(text, self.page.width, height, picture.description), "heading": heading + note})
        return sheets

    def _fitted(self, figure: Figure, words: str, caption: str = "", scale: float = 1.0) -> dict[str, Any]:
        """Return a picture enlarged by a factor, or by less if the page has no room for it."""
        wide, high = self._room
        scale = min(scale, wide * PX / figure.box.width, (high - _HEAD) * PX / figure.box.height)
        return self._part(figure.at_corner(scale), words, caption)

    def _part(self, figure: Figure, words: str, caption: str = "") -> dict[str, Any]:
        """Return a picture in its size, without a margin."""
        size = figure.box.width / PX, figure.box.height / PX
        return {**self._file(figure.at_corner().svg(page=size).encode(), *size, words), "caption": caption}

    def _file(self, text: bytes, width: float, height: float, words: str) -> dict[str, Any]:
        name = f"{len(self._files) + 1}.svg"
        self._files[name] = text
        return {"file": name, "width": width, "height": height, "words": words}
