"""Worksheets: empty grids with given values, titles, pages of paper, rotated boards, and choices as keywords."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from puzzlec import compile, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Fitting
from puzzlec.make.outputs import draw, subject
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.page_sizes import MARGIN, PX, paper_of
from puzzlec.solving.grids import grid_board, task_board

GIVEN = [
    "53..7....",
    "6..195...",
    ".98....6.",
    "8...6...3",
    "4..8.3..1",
    "7...2...6",
    ".6....28.",
    "...419..5",
    "....8..79",
]
LATIN = """
lattice none
locations names row[i,v] for i in 1..4, v in 1..4   column[j,v] for j in 1..4, v in 1..4
for i in 1..4, j in 1..4 { piece cell[i,j] covers { row[i,v] column[j,v] } for v in 1..4 }
fix cell[1,2] at names row[1,3] column[2,3]
"""
SOLVED = "locations box 3x2\npiece I x2 { xxx }\n"


def fitting_of(text: str) -> Fitting:
    """Return the fitting of a puzzle as text, or by its name."""
    return compile(parse(text) if "\n" in text else text, stage="fitting")


def extent(svg: str) -> tuple[str | None, str | None]:
    root = ElementTree.fromstring(svg.encode())
    return root.get("width"), root.get("height")


def test_an_empty_sudoku_shows_only_the_given_values() -> None:
    board = task_board(fitting_of("new/sudoku"))
    assert board is not None
    assert ["".join(board.signs[x, y] or "." for x in range(9)) for y in range(9)] == GIVEN
    (solution,) = subject("new/sudoku").solutions
    solved = grid_board(solution)
    assert solved is not None
    assert solved.areas == board.areas
    assert all(sign in ("", solved.signs[cell]) for cell, sign in board.signs.items())


#: A board of sixty cells, wider than high.
HEART = """
puzzle "Heart"
locations {
  .xx....xx.
  xxxx..xxxx
  xxxxxxxxxx
  xxxxxxxxxx
  xxxxxxxxxx
  .xxxxxxxx.
  ..xxxxxx..
  ...xxxx...
}
pieces pentominoes
"""


def size_told(what: Fitting | str, show: str, paper: str = "a4") -> tuple[float, str]:
    """The stated size of cells in a picture on paper, in mm, and the picture."""
    remarks: list[str] = []
    drawn = draw(what, show=show, paper=paper, remarks=remarks)
    (told,) = re.findall(r"the same scale: the size of a cell is ([0-9.]+) mm", "\n".join(remarks))
    return float(told), drawn


def test_a_board_and_its_pieces_have_the_same_scale_on_paper() -> None:
    heart = fitting_of(HEART)
    (board, of_board), (pieces, of_pieces) = (size_told(heart, show) for show in ("board", "pieces"))
    assert board == pieces > 14
    # The pictures have the same scale as when it is chosen.
    assert of_board == draw(heart, show="board", paper="a4", cell=board)
    assert of_pieces == draw(heart, show="pieces", paper="a4", cell=board)
    both, of_both = size_told(heart, "all")
    assert 10 < both < board
    assert of_both == draw(heart, show="all", paper="a4", cell=both, limit=1)


@pytest.mark.parametrize("name", ["soma", "polysticks/tetrasticks-4x4-crossing", "polyhexes/tetrahexes-4x7"])
def test_other_cells_also_have_one_scale_on_paper(name: str) -> None:
    sizes = {size_told(name, show, "letter")[0] for show in ("board", "pieces")}
    assert len(sizes) == 1


def heights_of(part: ElementTree.Element, names: Collection[str], top: float = 0.0) -> Iterator[float]:
    """The heights at which groups with some titles begin in a picture, in the units of the outermost group."""
    for group in part.findall("{*}g"):
        moved = re.match(r"translate\([-.\d]+ ([-.\d]+)\)", group.get("transform", ""))
        below = top + float(moved.group(1)) if moved else top
        if group.findtext("{*}title") in names:
            yield below
        yield from heights_of(group, names, below)


@pytest.mark.parametrize("name", ["soma", "interlocking/cube-3-level-4"])
def test_the_layers_of_a_solid_are_in_one_row_on_paper(name: str) -> None:
    drawn = ElementTree.fromstring(draw(name, paper="180x260").encode())
    tops = list(heights_of(drawn, ("z=0", "z=1", "z=2")))
    assert len(tops) == 3
    assert len(set(tops)) == 1


def test_pieces_are_as_wide_as_the_page_and_not_as_their_board() -> None:
    # Pieces below a narrow board fill the rows of the page.
    narrow = fitting_of("locations box 3x20\npieces pentominoes\n")
    assert "<svg" in draw(narrow, show="all", paper="a4", cell=8, limit=0)
    with pytest.raises(PuzzleError) as caught:
        draw(fitting_of(HEART), show="all", paper="a4", cell=20, limit=0)
    assert caught.value.diagnostics[0].code == "PZ504"


def test_a_remark_reports_that_no_scale_suits_both() -> None:
    many = fitting_of("locations box 10x10\npieces heptominoes x*\n")
    remarks: list[str] = []
    draw(many, show="board", paper="60x60", remarks=remarks)
    assert remarks == [
        "on this paper the board and the pieces have different scales; choose a `cell` or a larger paper"
    ]


def test_a_value_that_follows_from_others_is_not_given() -> None:
    # The first row has one place left each for 1 and 2, but both cells could have either.
    text = LATIN + "fix cell[1,3] at names row[1,4] column[3,4]\n"
    board = task_board(fitting_of(text))
    assert board is not None
    assert sorted(sign for sign in board.signs.values() if sign) == ["3", "4"]


def test_a_fixed_queen_is_on_the_empty_chessboard() -> None:
    text = """
lattice none
locations names file[j] for j in 1..6
optional locations names up[s] for s in 2..12   down[d] for d in -5..5
for i in 1..6 { piece rank[i] covers { file[j] up[i+j] down[i-j] } for j in 1..6 }
"""
    empty, fixed = (
        task_board(fitting_of(text)),
        task_board(fitting_of(text + "fix rank[1] at names file[2] up[3] down[-1]\n")),
    )
    assert empty is not None
    assert fixed is not None
    assert {*empty.signs.values()} == {"."}
    assert [cell for cell, sign in fixed.signs.items() if sign == "Q"] == [(2, 1)]


@pytest.mark.parametrize("name", ["langford/pairs", "cover/items", "designs/fano-planes"])
def test_names_without_a_grid_make_no_empty_grid(name: str) -> None:
    assert task_board(fitting_of(name)) is None


def test_a_worksheet_is_the_board_of_a_sudoku_with_only_given_values() -> None:
    sheet = draw("new/sudoku", limit=0)
    assert sheet == draw("new/sudoku", show="board")
    strokes = re.findall(r'<path d="[^Z"]*" fill="none"', sheet)
    assert len(strokes) == sum(sign.isdigit() for row in GIVEN for sign in row)


def test_given_values_are_darker_and_bolder_in_a_solution() -> None:
    widths = re.findall(r'<path d="[^Z"]*" fill="none" stroke="(#\w+)" stroke-width="([\d.]+)"', draw("new/sudoku"))
    assert len({*widths}) == 2
    (dark, bold), (light, fine) = sorted({*widths})
    assert int(dark[1:3], 16) < int(light[1:3], 16)
    assert float(bold) > 1.3 * float(fine)
    assert widths.count((dark, bold)) == 30


def test_too_many_placements_are_refused_with_a_reason() -> None:
    text = "lattice none\nlocations names p[k] for k in 1..400\npiece a x* covers { p[k] } for k in 1..400"
    with pytest.raises(PuzzleError, match=r"PZ504.*too many placements for a chart: 400"):
        draw(parse(text), limit=0)


def test_a_title_can_be_given_and_left_out() -> None:
    one, several = subject("new/copies"), subject("dominoes/4x4", 3)
    several = replace(several, remark="the first 3; there are more")
    assert draw(one, title="") == draw(one)
    titled = draw(one, title="Monday")
    assert "<title>Monday</title>" in titled
    heights = [float(extent(picture)[1] or 0) for picture in (draw(one), titled)]
    assert heights[0] < heights[1]
    full, own, none = (float(extent(draw(several, title=title))[1] or 0) for title in (None, "Own", ""))
    assert full > own > none, "a custom title has no remark below it"


@pytest.mark.parametrize("text", ["a9", "210", "10x10", "x", "210x-3", "9999x9999"])
def test_an_unknown_paper_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="paper"):
        paper_of(text)


@pytest.mark.parametrize(
    ("name", "limit", "words"),
    [
        ("pentominoes/6x10", 1, Choices()),
        ("pentominoes/6x10", 0, Choices()),
        ("polysticks/tetrasticks-5x5", 1, Choices()),
        ("soma", 3, Choices()),
        ("soma", 1, Choices(steps=True)),
        ("new/sudoku", 0, Choices(title="A")),
    ],
)
@pytest.mark.long
def test_a_picture_lies_within_the_margins_of_its_page(name: str, limit: int, words: Choices) -> None:
    svg = draw(name, choices=words, limit=limit, paper="150x120")
    assert extent(svg) == ("150mm", "120mm")
    pytest.importorskip("resvg_py")
    from tests.show.test_svg_sheet import pixels

    wide, high, rows = pixels(draw(name, format="png", choices=words, limit=limit, paper="150x120", scale=0.5))
    edge = int(MARGIN * PX * 0.5) - 1
    ink = [(x, y) for y, row in enumerate(rows) for x in range(wide) if row[4 * x : 4 * x + 3] != b"\xff\xff\xff"]
    assert all(edge <= x <= wide - edge and edge <= y <= high - edge for x, y in ink)
    assert max(x for x, _ in ink) - min(x for x, _ in ink) > 0.4 * wide or max(y for _, y in ink) > 0.6 * high


def test_a_named_page_is_rotated_for_a_wide_picture() -> None:
    assert extent(draw("pentominoes/3x20", paper="a5")) == ("148mm", "210mm")
    assert extent(draw("pentominoes/3x20", paper="a5", rotate=True)) == ("210mm", "148mm")


def test_cells_on_paper_have_the_stated_size_in_mm() -> None:
    svg = draw(parse(SOLVED), paper="a5", cell=20)
    xs = [float(x) for x in re.findall(r"[ML](-?[\d.]+) ", svg)]
    assert max(xs) - min(xs) == pytest.approx(3 * 20 * PX, abs=0.1)
    with pytest.raises(PuzzleError, match=r"PZ504.*241 x 161 mm.*room for"):
        draw(parse(SOLVED), paper="a5", cell=80)


def test_pictures_that_would_be_too_small_on_a_page_are_refused() -> None:
    found = subject("dominoes/4x4", 30)
    with pytest.raises(PuzzleError, match=r"PZ504.*too small"):
        draw(found, paper="40x40")


def test_a_png_on_paper_states_its_size() -> None:
    pytest.importorskip("resvg_py")
    data = draw(parse(SOLVED), format="png", paper="100x50")
    assert struct.unpack(">II", data[16:24]) == (round(100 / 25.4 * 300), round(50 / 25.4 * 300))
    at = data.index(b"pHYs")
    assert struct.unpack(">IIB", data[at + 4 : at + 13]) == (11811, 11811, 1)


def test_a_flat_board_can_be_rotated_and_is_not_reflected() -> None:
    upright, turned = (draw("pentominoes/3x20", rotate=turn, labels="none") for turn in (False, True))
    wide, high = extent(upright)
    assert extent(turned) == (high, wide)

    def corners(svg: str) -> set[tuple[float, float]]:
        return {(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", svg)}

    assert corners(turned) == {(-y + 0.0, x) for x, y in corners(upright)}


def test_choices_are_also_taken_as_keywords() -> None:
    found = subject("soma")
    assert draw(found, steps=True, labels="none") == draw(found, choices=Choices(steps=True, labels="none"))
    assert draw(found, format="svg", choices=Choices(labels="none"), view="layers") == draw(
        found, view="layers", labels="none"
    )
    with pytest.raises(TypeError, match="colour"):
        draw(found, colour="red")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="labels must be one of auto"):
        draw(found, labels="all")


def test_choices_without_effect_are_reported() -> None:
    said: list[str] = []
    flat = parse(SOLVED)
    assert draw(flat, view="layers", explode=1, remarks=said) == draw(flat)
    assert [remark.split("`")[1] for remark in said] == ["view", "explode"]
    solid = parse("lattice cubic\nlocations box 2x1x1\npiece A { xx }")
    assert draw(solid, rotate=True, view="both", remarks=said) == draw(solid, view="both")
    assert said[2:] == ["`rotate` has no effect: it is for flat boards, and this puzzle is solid"]
