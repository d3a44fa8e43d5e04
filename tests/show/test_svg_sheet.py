"""Sheets, charts and PNG: the results of `pictures.draw` for puzzles and solutions."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from puzzlec import PuzzleError, load, parse
from puzzlec.ir import Puzzle
from puzzlec.make.outputs import draw, subject
from puzzlec.show.palette import COLOURS, rgb
from puzzlec.show.scene import solution_scene
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.ground import Ground
from puzzlec.show.svg.picture import MOST_SOLUTIONS, picture
from puzzlec.show.svg.sheet import best_columns
from puzzlec.solving.subject import Subject

SVG = "{http://www.w3.org/2000/svg}"


def titles(svg: str) -> list[str]:
    """Return the titles in a picture."""
    return [title.text or "" for title in ElementTree.fromstring(svg.encode()).iter(f"{SVG}title")]


def test_several_solutions_are_numbered_on_a_sheet() -> None:
    found = titles(draw("pentominoes/6x10", limit=5))
    assert [title for title in found if title.isdigit()] == ["1", "2", "3", "4", "5"]
    assert found.count("X") == 5


def test_without_solutions_board_and_pieces_are_drawn() -> None:
    found = titles(draw("pentominoes/6x10", limit=0))
    assert found[0] == "Pentominoes 6 x 10"
    assert "empty" in found
    assert {"F", "I", "L", "X"} <= set(found)


def test_the_number_of_copies_follows_the_name_of_a_piece() -> None:
    assert "T ×16" in titles(draw("polyominoes/t-tetromino-8x8", choices=Choices("pieces")))


@pytest.mark.parametrize("show", ["solution", "board", "pieces", "all"])
def test_each_part_can_be_drawn_alone(show: str) -> None:
    svg = draw("polyhexes/tetrahexes-4x7", choices=Choices(show))
    found = titles(svg)
    assert ("empty" in found) == (show == "board")
    assert ("Y" in found) == (show != "board")


def test_a_legend_explains_signs_and_can_be_left_out() -> None:
    wanted, without = (draw("polyaboloes/tangram-hexagon", choices=Choices(legend=way)) for way in (None, False))
    assert len(wanted) > len(without)
    assert titles(wanted).count("parallelogram") == 2
    assert titles(without).count("parallelogram") == 1


def test_names_are_escaped_everywhere() -> None:
    puzzle = parse('puzzle "a < b & \'c\'"\nlocations box 2x1\npiece "<&>" { x }\npiece "]]>" { x }')
    assert {"<&>", "]]>"} <= set(titles(draw(puzzle)))


@pytest.mark.long
def test_the_same_picture_has_the_same_bytes_for_any_seed_of_hashes() -> None:
    program = (
        "import hashlib; from puzzlec.make.outputs import draw\n"
        "for name in ('new/copies', 'dominoes/double-six', 'new/sticks', 'new/torus', 'langford/pairs', 'new/tiles'):\n"
        "    print(hashlib.sha256(draw(name).encode()).hexdigest())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(printed) == 1
    assert len(printed.pop().split()) == 6


@pytest.mark.parametrize("name", ["langford/pairs", "designs/fano-planes", "cover/items", "dpf/sticks", "new/cutting"])
def test_a_puzzle_without_geometry_is_a_chart_of_its_solution(name: str) -> None:
    (solution,) = subject(name, 1).solutions
    found = titles(draw(solution))
    for line in solution.listing().split("\n"):
        assert line in found


@pytest.mark.parametrize(("name", "letters"), [("new/sudoku", 81), ("latin/order-4", 16), ("queens/8", 0)])
def test_names_that_describe_a_grid_make_a_grid(name: str, letters: int) -> None:
    root = ElementTree.fromstring(draw(name).encode())
    strokes = [path for path in root.iter(f"{SVG}path") if path.get("fill") == "none" and "Z" not in path.get("d", "")]
    crowns = [path for path in strokes if path.get("d", "").count("h0") == 3]
    assert len(strokes) - len(crowns) == letters
    assert len(crowns) == (8 if name == "queens/8" else 0)


def test_a_wide_chart_lists_names_instead_of_columns() -> None:
    (solution,) = subject(_wide(), 1).solutions
    assert len([title for title in titles(draw(solution)) if ": " in title]) == 30


def _wide() -> Puzzle:
    lines = [
        "lattice none",
        "locations names p[k] for k in 1..60",
        "for k in 1..30 { piece a[k] covers { p[k] p[k+30] } }",
    ]
    puzzle = parse("\n".join(lines))
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.mark.parametrize("show", ["board", "pieces"])
def test_without_geometry_there_is_no_board_and_no_shape(show: str) -> None:
    with pytest.raises(PuzzleError, match="PZ504"):
        draw("cover/items", choices=Choices(show))


def test_without_a_solution_there_is_no_picture_of_one() -> None:
    with pytest.raises(PuzzleError, match=r"PZ504.*no solution"):
        draw("pentominoes/impossible-cross", choices=Choices("solution"))


def test_too_many_solutions_are_refused_before_any_is_drawn() -> None:
    found = subject("dominoes/4x4", 1)
    many = replace(found, solutions=found.solutions * (MOST_SOLUTIONS + 1))
    with pytest.raises(PuzzleError, match=r"PZ504.*too large"):
        picture(many, Choices())


@pytest.mark.long
def test_a_chart_of_too_many_rows_is_refused() -> None:
    puzzle = parse("lattice none\nlocations names p[k] for k in 1..3001\npiece a x* covers { p[k] } for k in 1..3001")
    (solution,) = subject(puzzle, 1).solutions
    with pytest.raises(PuzzleError, match=r"PZ504.*too many rows for a chart: 3001"):
        draw(solution)


def test_sheets_are_somewhat_wider_than_high() -> None:
    assert best_columns(60, 60, 100) == 12
    assert best_columns(3, 100, 10) == 1
    assert best_columns(12, 60, 100) == 6  # and not 5, 5 and 2


def pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Return the width and the height of a PNG of 8 bits with alpha, and its rows of pixels."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + data[at + 8 : at + 8 + size]
        at += 12 + size
    wide, high, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colour) == (8, 6)
    return wide, high, list(_unfiltered(zlib.decompress(chunks[b"IDAT"]), wide, high))


def _unfiltered(raw: bytes, wide: int, high: int) -> Iterator[bytes]:
    """Undo the filters of PNG (its specification, section 9)."""
    before = bytearray(4 * wide)
    for y in range(high):
        way, row = raw[y * (4 * wide + 1)], bytearray(raw[y * (4 * wide + 1) + 1 : (y + 1) * (4 * wide + 1)])
        for x in range(4 * wide):
            left, up, corner = (row[x - 4] if x > 3 else 0), before[x], (before[x - 4] if x > 3 else 0)
            guess = left + up - corner
            near = min((left, up, corner), key=lambda neighbour: abs(guess - neighbour))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, near)[way]) % 256
        yield bytes(row)
        before = row


@pytest.mark.parametrize("name", ["pentominoes/8x8-hole", "polyhexes/tetrahexes-4x7", "polyiamonds/hexiamonds-4x9"])
def test_pixels_of_a_png_have_the_colours_of_the_pieces(name: str) -> None:
    pytest.importorskip("resvg_py")
    (solution,) = subject(name, 1).solutions
    choices = Choices(cell=24, labels="none", legend=False)
    wide, high, rows = pixels(draw(solution, format="png", choices=choices, scale=1))
    svg = ElementTree.fromstring(draw(solution, choices=choices).encode())
    assert (svg.get("width"), svg.get("height")) == (str(wide), str(high))
    left, top = (float(value) for value in (svg.get("viewBox") or "").split()[:2])
    scene = solution_scene(solution)
    assert scene is not None
    ground = Ground(scene.lattice, 24)
    for cell, number in scene.owner.items():
        x, y = ground.middle(cell)
        at = 4 * round(x - left)
        assert tuple(rows[round(y - top)][at : at + 4]) == (*rgb(COLOURS[scene.bodies[number].hue]), 255)


def test_a_png_has_the_size_of_its_scale_and_is_always_the_same() -> None:
    pytest.importorskip("resvg_py")
    found = subject("new/copies")
    one, two = draw(found, format="png", scale=1), draw(found, format="png", scale=2)
    assert two == draw(found, format="png"), "on modern screens a px is two pixels"
    assert struct.unpack(">II", two[16:24]) == tuple(2 * size for size in struct.unpack(">II", one[16:24]))


def test_a_background_can_be_left_out() -> None:
    found = subject("new/copies")
    assert "<rect" in draw(found)
    assert "<rect" not in draw(found, choices=Choices(background="none"))


def test_a_png_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(PuzzleError, match=r"PZ504.*pixels"):
        draw("new/copies", format="png", scale=100)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="bmp"):
        draw("new/copies", format="bmp")


def test_solutions_of_a_file_or_a_search_can_be_drawn_directly() -> None:
    puzzle = load("dominoes/4x4")
    found = tuple(subject(puzzle, 3).solutions)
    assert draw(found) == draw(Subject(found[0].fitting, found))


def test_signs_on_pieces_precede_their_names_below() -> None:
    text = "lattice cubic\nlocations box 2x1x3\npiece first { xx }\npiece second { xx }\npiece third { xx }"
    assert {"f  first", "s  second", "t  third"} <= set(titles(draw(parse(text), show="all")))
    assert {"first", "second", "third"} <= set(titles(draw(parse(text), show="pieces")))
    assert "f  first" not in titles(draw(parse(text), show="pieces"))
