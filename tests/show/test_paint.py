"""The colours that a puzzle gives its pieces: in every picture, and through the formats."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Any, cast

import pytest

from puzzlec import Builder, PuzzleError, convert, parse
from puzzlec.cli.texts.overview import overview
from puzzlec.compiler import compile
from puzzlec.formats.writing import left_out
from puzzlec.ir import Puzzle
from puzzlec.make.outputs import draw, model, subject, view
from puzzlec.questions import solve
from puzzlec.services.web.showing import stages
from puzzlec.show.game.data import game_data
from puzzlec.show.palette import COLOURS, INK, PALETTES, ink_on
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_solution
from tests.browser import Tab
from tests.show.page_seen import Opener, painted, picture

RED, NIGHT = "#d9443f", "#102030"
FLAT = 'locations box 3x3\npiece A { xx/x. }\npiece B x2 { xxx }\npaint A red\npaint B "#102030"\n'
SOLID = "lattice cubic\nlocations box 2x2x2\npiece A { xx/xx }\npiece B { xx/xx }\npaint A red\n"
BALLS = "lattice fcc\nlocations tetrahedron 2\npiece A { xx }\npiece B { xx }\npaint A red\n"
STICKS = "lattice sticks\nlocations grid 1x1\npiece A { +-+ }\npiece B x3 { +-+ }\npaint A red\n"
NAMES = "lattice none\nlocations names a b c\npiece A covers {a b}\npiece B covers {c}\npaint A red\n"


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("text", [SOLID, BALLS, STICKS, NAMES])
def test_a_picture_shows_a_piece_in_its_paint_and_no_other_piece(text: str, palette: str) -> None:
    drawn = draw(parse(text), palette=palette)
    assert RED in drawn
    assert PALETTES[palette][0] not in drawn
    assert PALETTES[palette][1] in drawn
    assert RED not in draw(parse(text), plain=True)


def test_letters_on_dark_paint_are_white_in_pictures_games_and_the_terminal() -> None:
    puzzle = parse('locations box 3x3\npiece A { xxx }\npiece B { xxx }\npiece C { xxx }\npaint B "#102030"\n')
    assert draw(puzzle, labels="names").count('stroke="#ffffff"') == 1
    pieces = cast("Any", game_data(subject(puzzle, 1)))["pieces"]
    assert [piece.get("ink") for piece in pieces] == [None, "#ffffff", None]
    text = draw_solution(next(iter(solve(puzzle))), Style(colour=True))
    assert "\033[38;5;231;48;5;" in text
    assert ink_on(COLOURS[0]) == INK


def test_a_game_a_page_and_the_stages_have_the_paint() -> None:
    puzzle = parse(FLAT.replace("xx/x.", "xxx"))
    assert [piece["fill"] for piece in cast("Any", game_data(subject(puzzle, 1)))["pieces"]] == [RED, NIGHT]
    assert '"paint":"#d9443f"' in view(puzzle)
    assert [set(fills) for fills in stages(puzzle, "fewest", "wood")["cover"]["fills"]] == [{RED}, {NIGHT}]


@pytest.mark.parametrize(("depth", "code"), [(16, "30;41"), (256, "48;5;167"), (2**24, "48;2;217;68;63")])
def test_a_terminal_shows_the_nearest_of_its_colours(depth: int, code: str) -> None:
    puzzle = parse(SOLID)
    style = Style(colour=True, depth=depth)
    assert f"{code}m" in draw_solution(next(iter(solve(puzzle))), style)
    assert f"{code}m" in overview(compile(puzzle, stage="fitting"), style)


def test_a_model_has_the_paint() -> None:
    with zipfile.ZipFile(BytesIO(model(parse(SOLID), format="3mf"))) as archive:
        text = archive.read("3D/3dmodel.model").decode()
    assert set(re.findall('displaycolor="(#.{6})', text)) == {RED.upper(), COLOURS[1].upper()}


def test_the_fewest_colours_ignore_paint() -> None:
    assert RED not in draw(parse(SOLID), fewest_colours=True)


def test_paint_survives_the_formats_of_puzzles_and_others_say_that_they_lose_it() -> None:
    puzzle = parse(FLAT)
    for format in ("json", "puzzle"):
        again = parse(convert(puzzle, format), format=format)
        assert isinstance(again, Puzzle)
        assert [piece.paint for piece in again.pieces] == ["red", NIGHT]
        assert left_out(puzzle, format) is None
    for format in ("compact", "xmpuzzle"):
        warning = left_out(puzzle, format)
        assert warning is not None
        assert (warning.code, warning.notes) == ("PZ707", ("pictures have other colours",))
        assert "colours of pieces in pictures" in warning.message
        assert warning.span is not None
        assert warning.span.text == "paint A red"


def test_paint_changes_no_solution_and_is_not_part_of_the_cover() -> None:
    plain = "\n".join(line for line in FLAT.splitlines() if not line.startswith("paint"))
    assert convert(parse(FLAT), "dlx") == convert(parse(plain), "dlx")


def test_an_unknown_paint_in_json_and_python_is_refused() -> None:
    text = convert(parse(FLAT), "json").replace('"paint": "red"', '"paint": "ornge"')
    with pytest.raises(PuzzleError, match="unknown colour `ornge`") as caught:
        parse(text, format="json")
    assert caught.value.diagnostics[0].helps == ("did you mean `orange`?",)
    builder = Builder().locations([(0, 0)]).piece("A", [(0, 0)], paint="Red")
    assert builder.puzzle().pieces[0].paint == "Red"
    with pytest.raises(PuzzleError, match="unknown colour `x`"):
        Builder().locations([(0, 0)]).piece("A", [(0, 0)], paint="x").puzzle()


def test_a_second_paint_of_a_piece_is_refused_except_for_pieces_of_another_file(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PuzzleError, match="duplicate statement `paint A`"):
        parse(FLAT + "paint A blue\n")
    (tmp_path / "set.puzzle").write_text(FLAT, encoding="utf-8")
    (tmp_path / "mine.puzzle").write_text('locations box 3x3\nuse "set.puzzle"\npaint A blue\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    import puzzlec

    puzzle = puzzlec.load("mine.puzzle")
    assert isinstance(puzzle, Puzzle)
    assert [piece.paint for piece in puzzle.pieces] == ["blue", NIGHT]


def test_a_page_paints_a_piece_in_its_paint(shown: Opener) -> None:
    seen: Tab = shown(view(parse('pieces soma\nlocations box 3x3x3\npaint T "#00c000"\n'), limit=1))
    assert painted(seen, picture(seen), "#00c000") > 80
    seen.page.get_by_label("colours of the pieces").select_option("wood")
    assert painted(seen, picture(seen), "#00c000") > 80
    row = seen.page.locator("li", has_text="T").locator(".swatch")
    seen.settles(lambda: row.evaluate("each => each.style.background"), "rgb(0, 192, 0)")
