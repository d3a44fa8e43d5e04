"""PDF: pictures as pages, and worksheets with a board, pieces to cut out and solutions."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from puzzlec import parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.make.outputs import draw
from puzzlec.make.table import PICTURES, output
from puzzlec.show.svg import worksheet

pytest.importorskip("typst")

SMALL = 'puzzle "Two bars"\nlocations box 3x2\npiece I x2 { xxx }\n'
DOMINOES = 'puzzle "Dominoes"\nlocations box 4x3\npiece D x* { xx }\n'


def objects(data: bytes) -> str:
    """Return the objects of a PDF with the content of its streams, as text."""
    found = [data]
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            found.append(zlib.decompress(match[1]))
        except zlib.error:
            continue
    return b"\n".join(found).decode("latin-1")


def sizes(data: bytes) -> list[tuple[float, float]]:
    """Return the width and the height of each page in mm."""
    boxes = re.findall(r"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", objects(data))
    return [(round(float(width) / 72 * 25.4, 1), round(float(height) / 72 * 25.4, 1)) for width, height in boxes]


def words(data: bytes, path: Path) -> list[str]:
    """Return the text of each page without spaces, because each version of pdftotext finds other ones."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    file = path / "sheet.pdf"
    file.write_bytes(data)
    text = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, text=True, check=True).stdout
    return ["".join(page.split()) for page in text.split("\f")[:-1]]


def dark(data: bytes, path: Path, spot: tuple[float, float]) -> bool:
    """Whether a spot of the first page, in px from its top left corner, is dark where pdftoppm paints the page."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed")
    (path / "page.pdf").write_bytes(data)
    command = ["pdftoppm", "-gray", "-r", "96", "-f", "1", "-l", "1", "-singlefile", f"{path}/page.pdf", f"{path}/page"]
    subprocess.run(command, check=True)
    header, pixels = re.match(rb"P5\s+(\d+)\s+\d+\s+255\s", (content := (path / "page.pgm").read_bytes())), content
    assert header is not None
    return pixels[header.end() + int(spot[1]) * int(header[1]) + int(spot[0])] < 80


def test_the_same_puzzle_gives_the_same_bytes_without_a_date() -> None:
    for show in (None, "worksheet"):
        data = draw(parse(SMALL), format="pdf", show=show)
        assert data == draw(parse(SMALL), format="pdf", show=show)
        assert data.startswith(b"%PDF-")
        assert not re.search(r"CreationDate|ModDate|CreateDate", objects(data))


@pytest.mark.long
def test_bytes_do_not_depend_on_the_order_of_hashes() -> None:
    program = (
        "import hashlib, puzzlec; data = puzzlec.draw('new/triangle', format='pdf', show='worksheet');"
        "print(hashlib.sha256(data).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_each_pip_of_a_domino_is_ink_on_the_page(tmp_path: Path) -> None:
    text = "colours 1 2\nlocations box 4x1\npiece A { 11 }\npiece B { 12 }\n"
    svg = draw(parse(text))
    left, top = re.findall(r'viewBox="([-\d.]+) ([-\d.]+)', svg)[0]
    pips = [
        (float(x) - float(left), float(y) - float(top))
        for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)h", "".join(re.findall(r'd="(M[^L"]*)"', svg)))
    ]
    assert len(pips) == 5
    data = draw(parse(text), format="pdf")
    assert [dark(data, tmp_path, pip) for pip in pips] == [True] * 5
    assert not dark(data, tmp_path, (pips[0][0] + 12, pips[0][1])), "beside a pip is the colour of the piece"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("colours 1 2\nlocations box 4x1\npiece A { 11 }\npiece B { 12 }\n", None),
        (SMALL, "."),
        ("lattice line\nlocations box 3\npiece I { xxx }\n", "1."),
        ("lattice cubic\nlocations box 2x1x1\npiece B x2 { x }\n", None),
    ],
)
def test_a_pdf_paints_every_shape_of_the_picture(text: str, title: str | None) -> None:
    """Typst leaves out paths whose extent is a single point."""
    shapes = len(re.findall(r"<(?:path|circle|rect) ", draw(parse(text), title=title)))
    assert (
        len(re.findall(r"^(?:S|f\*?|B\*?|b\*?|s)$", objects(draw(parse(text), format="pdf", title=title)), re.M))
        == shapes
    )


def test_a_picture_without_paper_is_a_page_of_its_size() -> None:
    svg = draw(parse(SMALL))
    width, height = (round(float(size) / 96 * 25.4, 1) for size in re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    assert sizes(draw(parse(SMALL), format="pdf")) == [(width, height)]


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4)), ("100x150", (100, 150))])
def test_paper_sets_the_size_of_all_pages(paper: str, size: tuple[float, float]) -> None:
    assert sizes(draw(parse(SMALL), format="pdf", show="worksheet", paper=paper)) == [size] * 2
    (found,) = sizes(draw(parse(SMALL), format="pdf", paper=paper))
    assert set(found) == set(size), "a page with a name may be on its side"


@pytest.mark.long
def test_too_many_solutions_for_one_page_are_on_several_pages() -> None:
    assert len(sizes(draw("soma", format="pdf", limit=12, paper="a5"))) == 1
    data = draw("soma", format="pdf", limit=60, paper="100x100")
    assert len(sizes(data)) > 1
    with pytest.raises(PuzzleError, match="too small"):
        draw("soma", limit=60, paper="100x100")


def test_cells_of_a_chosen_size_leave_one_solution_a_page() -> None:
    assert len(sizes(draw("pentominoes/6x10", format="pdf", limit=3, paper="a5", cell=12))) == 3


def test_a_worksheet_has_lines_for_a_name_pieces_and_a_page_of_solutions(tmp_path: Path) -> None:
    first, last = words(draw(parse(SMALL), format="pdf", show="worksheet"), tmp_path)
    assert all(word in first for word in ("Twobars", "Name", "Date", "Cutoutthepieces", "Piecestocutout"))
    assert "solution" not in first
    assert "Twobars:solution" in last


def test_the_pages_of_a_worksheet_are_numbered_without_the_solutions(tmp_path: Path) -> None:
    first, second, last = words(draw("pentominoes/6x10", format="pdf", show="worksheet"), tmp_path)
    assert ("1/2" in first, "2/2" in second) == (True, True)
    assert "/" not in last
    assert "/" not in "".join(words(draw(parse(SMALL), format="pdf", show="worksheet"), tmp_path))


def test_board_and_pieces_have_the_same_scale() -> None:
    """A bar of three cells is as long as the board is wide, up to half a stroke on each side."""
    remarks: list[str] = []
    draw(parse(SMALL), format="pdf", show="worksheet", remarks=remarks)
    assert remarks == ["the board and the pieces have the same scale: the size of a cell is 15.0 mm"]
    text = objects(draw(parse(SMALL), format="pdf", show="worksheet", cell=20))
    found = re.findall(r"/Alt\((the board|piece I)\)>>BDC\nq ([\d.]+) [\d.]+ m ([\d.]+)", text)
    assert [name for name, _, _ in found] == ["the board", "piece I", "piece I"]
    lengths = [(float(end) - float(start)) / 72 * 25.4 for _, start, end in found]
    assert all(60 < length < 61 for length in lengths), lengths


def number_of(alt: str, data: bytes) -> int:
    """Return the number of figures with these words in a PDF."""
    return objects(data).count(f"/Alt({alt})>>BDC")


def test_every_copy_of_a_piece_can_be_cut_out() -> None:
    """A puzzle with any number of dominoes needs as many as its solution uses."""
    assert number_of("piece D", draw(parse(DOMINOES), format="pdf", show="worksheet")) == 6
    assert number_of("piece D", draw(parse(DOMINOES), format="pdf", limit=0, show="worksheet")) == 6


def test_many_pieces_are_shown_once_with_their_number(tmp_path: Path) -> None:
    text = 'puzzle "Many"\nlocations box 20x20\npiece D x200 { xx }\n'
    data = draw(parse(text), format="pdf", limit=0, show="worksheet")
    assert number_of("piece D", data) == 1
    assert "D×200" in "".join(words(data, tmp_path))


def test_too_many_pieces_for_one_page_continue_on_the_next() -> None:
    assert len(sizes(draw("pentominoes/6x10", format="pdf", show="worksheet"))) == 3
    assert len(sizes(draw("pentominoes/6x10", format="pdf", show="worksheet", limit=0))) == 2


#: The least height of most pieces of a solid on a worksheet, in mm.
LEAST = 20


def typesetted(name: str, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> dict[str, bytes]:
    """The files of a worksheet without a solution, by their names: what Typst typesets."""
    files: dict[str, bytes] = {}
    monkeypatch.setattr(worksheet, "typeset", lambda source, some: files.update(some, source=source.encode()) or b"")
    draw(name, format="pdf", show="worksheet", limit=0, **settings)
    return files


@pytest.mark.parametrize("name", ["soma/soma", "burrs/six-piece-2", "balls/kanoodle-pyramid", "burrs/plates-level-65"])
def test_the_pieces_of_a_solid_are_large_on_a_worksheet(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = json.loads(typesetted(name, monkeypatch)["sheet.json"])["pieces"]
    heights = sorted(piece["height"] for piece in pieces)
    assert heights[len(heights) // 2] >= LEAST
    assert name == "burrs/plates-level-65" or heights[0] >= LEAST - 0.01  # that one has small plugs
    assert all(piece["width"] <= 180.01 for piece in pieces)


@pytest.mark.long
def test_the_pieces_of_a_solid_have_the_letters_of_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    with_letters, without = (typesetted("burrs/six-piece-2", monkeypatch, labels=labels) for labels in ("auto", "none"))
    pieces, bare = (json.loads(files["sheet.json"])["pieces"] for files in (with_letters, without))
    assert [piece["caption"] for piece in pieces] == ["A  480 ×2", "B  670", "C  704", "D  768", "E  992"]
    assert [piece["caption"] for piece in bare] == ["480 ×2", "670", "704", "768", "992"]
    for piece, other in zip(pieces, bare, strict=True):
        assert with_letters[piece["file"]].count(b"<path") == without[other["file"]].count(b"<path") + 1


@pytest.mark.parametrize("name", ["new/triangle", "new/hex", "new/sticks", "new/torus"])
def test_flat_puzzles_of_all_lattices_have_worksheets(name: str) -> None:
    remarks: list[str] = []
    assert len(sizes(draw(name, format="pdf", show="worksheet", remarks=remarks))) >= 2
    assert any("the same scale" in remark for remark in remarks)


def test_a_solid_has_layers_pictures_and_a_remark(tmp_path: Path) -> None:
    remarks: list[str] = []
    data = draw("soma", format="pdf", show="worksheet", remarks=remarks)
    assert remarks == ["the pieces of a solid cannot be cut out: the worksheet shows pictures of them"]
    assert "Pieces(pictures,nottocutout)" in words(data, tmp_path)[0]


def test_a_sudoku_has_its_grid_and_its_solution(tmp_path: Path) -> None:
    first, last = words(draw("sudoku", format="pdf", show="worksheet"), tmp_path)
    assert "Name" in first
    assert "Pieces" not in first
    assert "Sudoku:solution" in last


def test_a_board_too_large_for_paper_is_refused() -> None:
    with pytest.raises(PuzzleError, match="the board is too large for this paper"):
        draw(parse("locations box 90x90\npiece I x* { xxx }\n"), format="pdf", limit=0, show="worksheet")
    with pytest.raises(PuzzleError, match="its cells would be only 59"):
        draw(parse(SMALL), format="pdf", show="worksheet", cell=100)


def test_a_title_is_text_and_never_a_program(tmp_path: Path) -> None:
    title = '#panic("no") *bold* $x$ <b>'
    (first, _) = words(draw(parse(SMALL), format="pdf", show="worksheet", title=title), tmp_path)
    assert "".join(title.split()) in first


def test_a_worksheet_as_a_page_has_the_parts_of_the_pdf_in_their_sizes() -> None:
    page = str(draw(parse(DOMINOES), format="html", show="worksheet", title="<b>"))
    assert page.count('alt="piece D"') == 6
    assert all(words in page for words in ("<h1>&lt;b&gt;</h1>", "Cut out the pieces", "&lt;b&gt;: solution", "297mm"))
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    whole = str(draw(parse(DOMINOES), format="html", show="worksheet", paper="a5", limit=0))
    assert "size: 148mm 210mm" in whole
    assert "<section" not in whole


def test_given_pieces_are_on_the_board_of_a_worksheet_and_not_to_cut_out() -> None:
    text = "locations box 4x1\npiece I { xx }\npiece J { x } \npiece K { x }\n"
    for fixed, left in ((), ("I", "J", "K")), (("fix I at cells (0,0) (1,0)",), ("J", "K")):
        page = str(draw(parse("\n".join([text, *fixed])), show="worksheet", format="html", labels="names", limit=0))
        assert tuple(re.findall('alt="piece ([IJK])"', page)) == left
        (content,) = re.findall('<div class="board"><img src="data:image/svg.xml;base64,([^"]*)"', page)
        board = base64.b64decode(content).decode()
        assert (">I<" in board) is bool(fixed)


def test_a_worksheet_is_a_pdf_or_a_page() -> None:
    with pytest.raises(ValueError, match="unknown format 'svg' for worksheets; known: pdf, html"):
        draw(parse(SMALL), format="svg", show="worksheet")


def test_without_its_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(PuzzleError, match=r"a PDF needs the package `typst`") as caught:
        draw(parse(SMALL), format="pdf")
    assert any("puzzlec[pdf]" in help for help in caught.value.diagnostics[0].helps)


def test_the_table_of_outputs_has_pdf_with_pages() -> None:
    assert output(PICTURES, "pdf").paged
    assert not output(PICTURES, "png").paged


def test_a_worksheet_of_an_impossible_puzzle_has_no_page_of_solutions() -> None:
    remarks: list[str] = []
    data = draw(
        parse("locations box 2x2 - cells (0,0)\npiece D x1..2 { xx }"), format="pdf", show="worksheet", remarks=remarks
    )
    assert len(sizes(data)) == 1
    assert remarks[-1] == "the worksheet has no page of solutions: the puzzle has no solution"
