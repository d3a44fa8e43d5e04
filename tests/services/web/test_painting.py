"""The stage of the page: painted cells and changed pieces rewrite the text, with the mouse, keys and a finger."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.diagnostics import Source
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.language.puzzle_text import read_puzzle
from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.stage import is_change, libraries, stage
from tests.browser import Tab, findings
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, begins, box, press_file, says, write

Open = Callable[..., Tab]

ROWS = 'puzzle "Rows"\nparam n = 2\nlocations {\n  xxx  # the first row\n  xxx\n}\npiece I x{n} { xxx }  # bars\n'


#: The tones of a proof on a light page, as :meth:`Tab.colours` gives them.
DARK, LIGHT = (0x58, 0x70, 0x80), (0xF0, 0xE8, 0xD0)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def cell(page: Any, at: str, where: str = "board") -> Any:
    return page.locator(f'#{where}-cells path[data-cell="{at}"]')


def becomes(page: Any, text: str) -> None:
    """Wait until the text is this one."""
    page.wait_for_function("text => document.getElementById('source').value === text", arg=text, timeout=20_000)


def test_a_painted_cell_rewrites_one_character_and_undo_goes_back(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, ROWS)
    says(page, "#title", "Rows")
    says(page, VERDICT, "no errors")
    cell(page, "1,1").click()
    becomes(page, ROWS.replace("  xxx\n}", "  x.x\n}"))
    says(page, "#said", "column 2, row 2: empty")
    cell(page, "3,0").click()  # beside the board
    becomes(page, ROWS.replace("  xxx  # the first row\n  xxx\n}", "  xxxx  # the first row\n  x.x.\n}"))
    page.click("#board-tools >> text=Undo")
    page.click("#board-tools >> text=Undo")
    becomes(page, ROWS)
    page.focus("#board-cells svg")
    page.keyboard.press("Control+Shift+Z")
    becomes(page, ROWS.replace("  xxx\n}", "  x.x\n}"))
    page.keyboard.press("Control+Z")
    becomes(page, ROWS)
    says(page, VERDICT, "no errors")
    # A stroke of the right button is one change.
    first, last = box(cell(page, "0,0")), box(cell(page, "2,0"))
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down(button="right")
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=12)
    page.mouse.up(button="right")
    becomes(page, ROWS.replace("  xxx  #", "  ...  #"))
    page.keyboard.press("Control+Z")
    becomes(page, ROWS)


def test_keys_paint_and_a_parameter_is_a_number_in_the_text(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, ROWS)
    says(page, "#title", "Rows")
    says(page, VERDICT, "no errors")
    cell(page, "0,0").click(modifiers=["Alt"])
    becomes(page, ROWS.replace("xxx  #", ".xx  #"))
    page.keyboard.press("ArrowRight")
    says(page, "#said", "column 2, row 1: covered")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    says(page, "#said", "column 2, row 2: empty")
    page.keyboard.press(" ")
    says(page, "#said", "column 2, row 2: covered")
    becomes(page, ROWS.replace("xxx  #", ".xx  #"))
    page.fill('#given input[type="number"]', "3")
    becomes(page, ROWS.replace("xxx  #", ".xx  #").replace("n = 2", "n = 3"))
    # An error in the text ends the painting, with the reason.
    write(page, ROWS.replace("locations", "locatons"))
    says(page, "#board-why", "Line 3 has an error")
    cell(page, "1,0").click()
    page.wait_for_timeout(300)
    assert page.input_value("#source") == ROWS.replace("locations", "locatons")


def test_a_box_becomes_a_drawing_after_a_question_and_solids_have_layers(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, 'puzzle "Cube"\nlattice cubic\nlocations box 2x2x2  # a box\npiece A x4 { xx }\n')
    says(page, "#title", "Cube")
    says(page, VERDICT, "no errors")
    page.focus("#board-cells svg")
    page.keyboard.press("PageUp")
    says(page, "#said", "layer 2")
    cell(page, "1,1,1").click()
    says(page, "#dialog-body", "The board is not a drawing. Replace it by a drawing?")
    page.keyboard.press("Enter")  # the focus is on Cancel
    page.locator("#dialog").wait_for(state="hidden")
    assert "box 2x2x2" in page.input_value("#source")
    says(page, VERDICT, "no errors")
    page.locator('#board-cells path.on[data-cell="1,1,1"]').wait_for()
    cell(page, "1,1,1").click()
    page.get_by_role("button", name="Replace it").click()
    becomes(page, 'puzzle "Cube"\nlattice cubic\nlocations {\n  xx  xx\n  xx  x.\n}  # a box\npiece A x4 { xx }\n')
    assert page.locator(".ink .is-cell").all_inner_texts() == ["xx", "xx", "xx", "x", "xx"]  # all rows have colours
    seen.keep("serve-layer")


def test_a_click_on_a_side_of_a_solid_adds_the_cell_in_front(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    start = 'puzzle "Cube"\nlattice cubic\nlocations {\n  xx  xx\n  xx  x.\n}\npiece A x7 { x }\n'
    write(page, start)
    says(page, "#title", "Cube")
    says(page, VERDICT, "no errors")
    canvas = box(page.locator("#board-solid canvas"))
    page.wait_for_function("() => document.querySelector('#board-solid .puzzle-view').dataset.firstPicture")
    middle, first = (
        canvas["x"] + canvas["width"] / 2,
        page.locator("#board-solid .puzzle-view").get_attribute("data-view"),
    )
    cells, solid = box(page.locator("#board-cells svg")), box(page.locator("#board-solid"))
    assert solid["x"] >= cells["x"] + cells["width"]
    seen.keep("serve-solid")
    page.mouse.move(middle, canvas["y"] + 0.55 * canvas["height"])  # the step
    page.locator('#board-solid .puzzle-view[data-marked="0,1,1,1"]').wait_for()
    seen.keep("serve-solid-ghost")
    page.mouse.click(middle, canvas["y"] + 0.55 * canvas["height"])
    becomes(page, start.replace("x.", "xx"))
    says(page, "#said", "column 2, row 2, layer 2: covered")
    page.wait_for_function("() => !document.getElementById('shown').classList.contains('stale')")
    page.mouse.click(middle, canvas["y"] + 0.16 * canvas["height"], button="right")  # the corner behind, from above
    becomes(page, start.replace("xx  xx\n  xx  x.", "xx  .x\n  xx  xx"))
    assert page.locator("#board-solid .puzzle-view").get_attribute("data-view") == first
    assert findings(page) == []


def test_a_piece_is_painted_on_its_sides(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    start = 'puzzle "Solid"\nlattice cubic\nlocations box 2x2x2\npiece A { xx  x. }\npiece B x4 { x }\n'
    write(page, start)
    says(page, "#title", "Solid")
    page.click("#tab-tray")
    page.locator("#pieces button").first.click()
    page.wait_for_function("() => document.querySelector('#piece-solid .puzzle-view')?.dataset.firstPicture")
    page.locator("#piece-solid").scroll_into_view_if_needed()
    canvas = box(page.locator("#piece-solid canvas"))
    at = canvas["x"] + 0.455 * canvas["width"], canvas["y"] + 0.17 * canvas["height"]  # the top
    page.mouse.move(*at)
    seen.keep("serve-piece-solid")
    page.locator('#piece-solid .puzzle-view[data-marked="0,0,0,2"]').wait_for()
    page.mouse.click(*at)
    becomes(page, start.replace("{ xx  x. }", "{ xx  x.  x. }"))
    page.mouse.move(0, 0)
    page.mouse.move(1, 1)
    # A view that is made after the mouse has left never gets the attribute.
    page.wait_for_function("() => !document.querySelector('#piece-solid .puzzle-view').dataset.marked")
    assert findings(page) == []


@pytest.mark.parametrize("name", ["cubic", "fcc", "tetoct", "rhombic", "octants", "prism"])
def test_each_side_of_a_solid_cell_has_the_cell_beyond(name: str) -> None:
    lattice = find_lattice(name)
    zero = ",".join("0" * lattice.coordinates)
    model = stage(
        read_puzzle(Source("a.puzzle", f"lattice {name}\nlocations cells ({zero})\npiece A cells ({zero})\n"))
    )["model"]
    assert [tuple(at) for at in model["origins"]] == [kind.at for kind in lattice.kinds]
    for kind, form, beyond in zip(lattice.kinds, model["forms"], model["next"], strict=True):
        for step, other in beyond:
            assert lattice.point(other) == tuple(a + b for a, b in zip(kind.at, step, strict=True))
        assert {face["beyond"] for face in form.get("faces", ())} <= {None, *(step for step, _ in beyond)}


def test_a_piece_has_its_cells_with_their_colours() -> None:
    text = "colours r\nlocations { rxx }\npiece A { rx }\npiece B { x }\n"
    pieces = stage(read_puzzle(Source("a.puzzle", text)))["pieces"]
    assert [piece["cells"] for piece in pieces] == [[(0, 0, "r"), (1, 0, "x")], [(0, 0, "x")]]


def test_tiles_have_sides_but_no_cells_to_paint() -> None:
    text = "colours r b\nlocations box 2x1\npiece A sides r r b b\npiece B sides r b b r\n"
    assert [piece["cells"] for piece in stage(read_puzzle(Source("a.puzzle", text)))["pieces"]] == [None, None]


@pytest.mark.parametrize("cell", ["00", [], [0] * 8, ["0", 0], [0, 10**6], [0, 0.5], [True, 0], None])
def test_only_cells_of_small_integers_are_painted(cell: object) -> None:
    assert is_change({"do": "paint", "cells": [[[0, -1], "x"]]})
    assert not is_change({"do": "paint", "cells": [[cell, "x"]]})


@pytest.mark.parametrize("pair", [5, None, {}, [], [[0, 0]], [[0, 0], "x", "x"]])
def test_a_painted_cell_is_a_cell_and_a_character(pair: object) -> None:
    assert not is_change({"do": "paint", "cells": [pair]})


def test_a_change_has_at_most_eight_members() -> None:
    seven = {"do": "tint", "piece": "I", "paint": "red"} | {f"more{number}": "" for number in range(4)}
    assert is_change(seven | {"last": ""})
    assert not is_change(seven | {"last": "", "one more": ""})


def test_cells_of_a_rule_have_no_character() -> None:
    assert is_change({"do": "rule", "piece": "I", "rule": "inside", "cells": [[0, -1]]})
    assert not is_change({"do": "rule", "piece": "I", "rule": "inside", "cells": [[[0, -1], "x"]]})
    assert not is_change({"do": "paint", "cells": [[0, -1]]})


def test_balls_are_discs_that_touch() -> None:
    text = "lattice fcc\nlocations cells (0,0,0) (1,1,0)\npiece A x2 cells (0,0,0)\n"
    (kind,) = stage(read_puzzle(Source("a.puzzle", text)))["kinds"]
    lattice = find_lattice("fcc")
    touching = min(math.hypot(*lattice.on_paper(step)) for step in lattice.kinds[0].neighbours)
    assert [2 * math.hypot(*corner) for corner in kind["outline"]] == pytest.approx(
        [touching] * len(kind["outline"]), 1e-3
    )
    assert len(kind["outline"]) > 20


def test_pieces_are_added_painted_copied_and_removed(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    start = 'puzzle "Tray"\nlocations box 4x3\npiece I { xx }  # two\n'
    write(page, start)
    says(page, "#title", "Tray")
    page.click("#tab-tray")
    page.locator("#pieces button").click()
    says(page, "#piece-name", "I")
    page.click('[aria-label="one copy more"]')
    becomes(page, start.replace("piece I {", "piece I x2 {"))
    says(page, "#pieces b", "I ×2")
    for text in ("x0..9", "x2"):  # a piece of any number becomes one again, and then two
        write(page, start.replace("piece I {", f"piece I {text} {{"))
        page.locator("#piece-options output", has_text=text.removeprefix("x").replace("..", "–")).wait_for()
        if text == "x0..9":
            page.click("#piece-options button:text-is('exactly one')")
            becomes(page, start)
    cell(page, "2,0", "piece").click()
    becomes(page, start.replace("piece I { xx }", "piece I x2 { xxx }"))
    page.select_option('[aria-label="Orientation rule"]', "fixed")
    becomes(page, start.replace("piece I { xx }", "piece I fixed x2 { xxx }"))
    page.click("#piece-options button:text-is('Rotate')")
    becomes(page, start.replace("piece I { xx }", "piece I fixed x2 { x/x/x }"))
    page.click("#piece-options button:text-is('Double')")
    says(page, "#piece-name", "I2")
    page.click("#piece-options button:text-is('Remove')")
    page.locator("#piece").wait_for(state="hidden")
    page.click("#piece-new")
    says(page, "#piece-name", "A")
    assert box(page.locator("#piece-name"))["y"] >= box(page.locator("#tray .scrolled"))["y"]
    page.click("#piece-add")
    page.fill("#dialog input", "tetrominoes.T")
    page.locator("#dialog .cards img").wait_for()  # a picture for each shape that can be seen
    page.keyboard.press("Enter")
    says(page, "#piece-name", "T")
    becomes(
        page,
        start.replace("piece I { xx }", "piece I fixed x2 { x/x/x }") + "piece A { x }\npiece T = tetrominoes.T\n",
    )
    says(page, VERDICT, "error")  # they do not fill the board, and can still be painted
    assert findings(page) == []


def test_a_finger_paints_and_erases(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=390, height=844, touch=True)
    page = seen.page
    page.locator(".wall li").first.wait_for()
    page.locator("#source").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", ROWS
    )
    page.tap("#tab-puzzle")
    says(page, "#title", "Rows")
    cell(page, "3,1").tap()
    becomes(page, ROWS.replace("  xxx  # the first row\n  xxx\n}", "  xxx.  # the first row\n  xxxx\n}"))
    page.tap("#board-tools >> text=Erase")
    cell(page, "3,1").tap()
    becomes(page, ROWS.replace("  xxx  # the first row\n  xxx\n}", "  xxx.  # the first row\n  xxx.\n}"))


@pytest.mark.parametrize("name", lattice_names())
def test_each_lattice_has_an_outline_for_every_kind_of_cell(name: str) -> None:
    zero = ",".join("0" * find_lattice(name).coordinates)
    text = f"lattice {name}\nlocations cells ({zero})\npiece A cells ({zero})\n"
    found = stage(read_puzzle(Source("a.puzzle", text)))
    assert len(found["kinds"]) == len(find_lattice(name).kinds)
    assert all(len(kind["outline"]) >= (2 if found["edges"] else 3) for kind in found["kinds"])
    assert found["cells"] == [(*map(int, zero.split(",")), "x")]


def test_libraries_suit_their_lattice() -> None:
    named = {library["name"]: library["shapes"] for library in libraries("cubic")}
    assert named["soma"] == ["V", "L", "T", "Z", "A", "B", "P"]
    assert len(named["pentominoes"]) == 12  # flat pieces can be used in space
    assert "tetrahexes" not in named
    assert [library["name"] for library in libraries("octants")] == []


@pytest.mark.parametrize(
    "change",
    [
        None,
        {"do": "burn"},
        {"do": "paint"},
        {"do": "paint", "cells": [[[0, 0], "xx"]]},
        {"do": "paint", "cells": [[["0", 0], "x"]]},
        {"do": "paint", "cells": [[[10**9, 0], "x"]]},
        {"do": "copies", "piece": "I"},
        {"do": "tint", "piece": "I"},
        {"do": "copies", "piece": "I", "copies": 2},
        {"do": "rotate", "piece": "I", "axis": "1"},
    ],
)
def test_malformed_changes_are_refused(here: Running, change: object) -> None:
    answer = here.post("/api/edit", {"text": ROWS, "page": "a", "change": change})
    assert answer.status == 400, answer.body


def test_a_change_is_answered_with_edits_a_question_or_a_reason(here: Running) -> None:
    def edit(text: str, **change: object) -> Any:
        return here.post("/api/edit", {"text": text, "page": "a", "change": change}).json

    assert edit(ROWS, do="paint", cells=[[[0, 0], "."]])["edits"] == [[ROWS.index("xxx"), ROWS.index("xxx") + 1, "."]]
    square = "locations box 2x2\npiece I { xx }\n"
    assert edit(square, do="paint", cells=[[[0, 0], "."]])["question"].startswith("The board is not a drawing.")
    assert edit(square, do="remove", piece="I")["reason"] == "a puzzle has at least one piece"
    assert edit("locations {", do="draw")["reason"].startswith("the text has an error")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_teacher_adds_rules_by_clicks_and_removes_one(here: Running, tab: Open, width: int, dark: bool) -> None:
    seen = tab(here.served.address, width=width, height=800, dark=dark)
    page = seen.page
    begins(page)
    if width < 721:
        page.click("#tab-text")
    page.fill("#source", "locations box 4x4\npiece A x8 { xx }\n")
    says(page, VERDICT, "no errors")
    if width < 721:
        page.click("#tab-puzzle")
    page.click("#board-tools >> text=Rule")
    assert page.input_value("#rule-kind") == "exactly"  # a board of pieces has no values
    page.select_option("#rule-kind", "all-different")
    assert page.input_value("#rule-where") == "row-column"
    page.click("#board-rule button.main")
    page.click("#dialog >> text=Replace it")
    latin = "locations box 4x4\nvalues 1..4\nrule each row, column all different\n"
    becomes(page, latin)
    page.select_option("#rule-kind", "sum")
    page.fill("#rule-value", "7")
    for at in ("0,0", "1,0", "2,0", "2,0"):  # the last click takes the cell back
        cell(page, at).click()
    says(page, "#board-rule", "2 cells chosen")
    assert page.input_value("#rule-where") == "cells"
    says(page, "#said", "column 3, row 1")
    assert findings(page) == []
    seen.keep(f"rule-{width}")
    page.click("#board-rule button.main")
    becomes(page, latin + "rule box 2x1 sum = 7\n")
    page.click("#board-rule li >> nth=0 >> role=button")
    becomes(page, "locations box 4x4\nvalues 1..4\nrule box 2x1 sum = 7\n")
    page.click('#board-tools [data-value="3"]')
    page.locator("#board-rule").wait_for(state="hidden")
    cell(page, "3,3").click()  # gives a value
    given = "locations box 4x4\nvalues 1..4\nrule box 2x1 sum = 7\nfix 3 at cells (3,3)\n"
    becomes(page, given)
    says(page, "#board-cells .given", "3")
    page.click('#board-tools [data-value="x"]')
    cell(page, "2,3").click()  # paints again
    page.locator("#dialog >> text=The board is not a drawing").wait_for()


def test_a_stroke_from_the_only_cell_paints(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1440, height=860).page
    begins(page)
    write(page, "locations { x }\npiece A { xx }\n")
    first, last = box(cell(page, "0,0")), box(cell(page, "1,0"))
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=12)
    page.mouse.up()
    becomes(page, "locations { xx }\npiece A { xx }\n")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_rule_of_a_loop_is_listed_and_leads_to_its_line(here: Running, tab: Open, width: int) -> None:
    loop = "for i in 0..1 {\n  rule cells (0,i) (1,i) sum = 5\n}\nfor i in 2..3 { rule cells (0,i) (1,i) sum = 5 }\n"
    seen = tab(here.served.address, width=width, height=800)
    page = seen.page
    begins(page)
    if width < 721:
        page.click("#tab-text")
    page.fill("#source", f"locations box 4x4\nvalues 1..4\n{loop}rule each row all different\n")
    says(page, VERDICT, "no errors")
    if width < 721:
        page.click("#tab-puzzle")
    page.click("#board-tools >> text=Rule")
    page.locator("#board-rule li").nth(2).wait_for()
    sums = "rule cells (0,i) (1,i) sum = 5"
    assert page.locator("#board-rule li code").all_inner_texts() == [sums, sums, "rule each row all different"]
    assert page.locator("#board-rule li button").all_inner_texts() == ["→", "→", "✕"]
    page.locator("#board-rule li button").nth(1).click()
    chosen = "area => document.activeElement === area && area.value.slice(area.selectionStart, area.selectionEnd)"
    assert page.locator("#source").evaluate(chosen) == sums
    assert page.locator("#source").is_visible()


#: A cage, a wall and a given digit. A cell to the left of the board moves the origin of its drawing.
CAGES = (
    "lattice square\nlocations {\n  aa\n  xx\n}\nregions a\nvalues 1..4\nrule a sum = 3\n"
    "wall box 1x2 at (2,0)\nfix {\n  ..\n  4.\n}\n"
)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_rules_walls_and_given_values_are_on_the_painted_board(
    here: Running, tab: Open, width: int, dark: bool
) -> None:
    seen = tab(here.served.address, width=width, height=844, dark=dark)
    page = seen.page
    begins(page)
    if width < 721:
        page.click("#tab-text")
    page.fill("#source", CAGES)
    says(page, VERDICT, "no errors")
    if width < 721:
        page.click("#tab-puzzle")
    assert page.locator("#board-cells .region text").all_text_contents() == ["3"]
    assert page.locator("#board-cells .given").all_text_contents() == ["4"]
    cage, wall = box(page.locator("#board-cells .region path")), page.locator("#board-cells .wall")
    first, second = box(cell(page, "0,0")), box(cell(page, "1,0"))
    assert first["x"] - 2 < cage["x"] < first["x"] + 9
    assert cage["x"] + cage["width"] == pytest.approx(second["x"] + second["width"], abs=9)
    assert wall.count() == 2
    assert not page.locator("#board").is_visible()  # one picture is enough
    assert findings(page) == []
    seen.keep(f"ruled-board-{width}")


def test_an_outline_stays_at_its_cells_while_painting_moves_the_origin(here: Running, tab: Open) -> None:
    painter = """async () => {
      const { Painter } = await import("./stage.js");
      const host = document.body.appendChild(document.createElement("div"));
      const ring = [[0, 0], [1, 0], [1, 1], [0, 1]];
      const region = { parts: [{ height: 0, rings: [ring.flat()] }], at: [0.5, 0, 0], label: "3", colour: "#8a1c5c" };
      const data = {
        kinds: [{ at: [0, 0, 0], outline: ring }], steps: [[1, 0, 0], [0, 1, 0]],
        cells: [[0, 0, "x"]], walls: [[1, 0]], given: [[0, 0, "7"]],
        rules: { band: 0.1, letters: 0.3, regions: [region] },
      };
      const board = new Painter(host, "board", () => {});
      board.show(data, data.cells);
      board.shift([2, 0]);
      const [line, wall, cell, beside] = [".region path", ".wall", '[data-cell="2,0"]', '[data-cell="3,0"]'].map(
        (name) => host.querySelector(name).getBoundingClientRect().x);
      const digit = host.querySelector(".given").textContent;
      board.show(data, [[0, 0, "x"]]);  // the cells of a piece
      return [Math.round(line - cell), Math.round(wall - beside), digit, host.querySelectorAll(".wall,.region").length];
    }"""
    page = tab(here.served.address).page
    begins(page)
    assert page.evaluate(painter) == [0, 0, "7", 0]


def test_the_page_and_its_files_are_small(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1440, height=860, language="de")  # the longest words
    seen.page.click("#tab-play")
    seen.page.locator("#play-table .piece").first.wait_for()
    own = {address.split("?")[0] for address in seen.asked if "/api/" not in address and address.startswith("http")}
    files = [*own, here.served.address.split("?")[0]]
    sizes = {address: len(here.get("/" + address.split("/", 3)[3]).body) for address in files}
    assert 50_000 < sum(sizes.values()) < 400_000, sizes


def test_the_board_says_that_a_check_has_no_result_and_blames_no_text(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, ROWS)
    says(page, VERDICT, "no errors")
    page.route("**/api/check", lambda route: route.fulfill(json={"why": "seconds", "diagnostics": []}))
    write(page, ROWS + "# another line\n")
    says(page, "#verdict", "the check takes too long")
    says(page, "#board-why", re.compile("^the check takes too long"))


def test_a_suggestion_is_applied_by_a_click(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, ROWS + "pieces tetrominos\n")
    says(page, "#faults .message", "tetrominos")
    page.get_by_role("button", name="Write tetrominoes", exact=True).click()
    says(page, "#faults .message", re.compile("^(?!.*tetrominos).*$"))
    becomes(page, ROWS + "pieces tetrominoes\n")
    assert findings(page) == []
    page.keyboard.press("Control+Z")
    becomes(page, ROWS + "pieces tetrominos\n")


def test_another_puzzle_shows_its_board_and_escape_closes_a_search(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#queens/8", width=390, height=844)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")
    page.click("#tab-solutions")
    page.locator("[data-open]").first.click()
    says(page, "#title", "Soma cube")
    page.locator("#board-cells svg").wait_for()
    press_file(page, "open")
    page.fill("#dialog input", "queens")
    page.keyboard.press("Escape")
    page.locator("#dialog").wait_for(state="hidden")


def test_examples_are_about_the_page(here: Running) -> None:
    for example in here.get("/api/start").json["examples"]:
        text = here.get(f"/api/examples/{example['name']}").json["text"]
        assert "puzzlec solve" not in text
        assert text.startswith("# ")


@pytest.mark.long
def test_an_unknown_address_and_a_wrong_token_lead_back(here: Running, tab: Open) -> None:
    answer = here.get("/nothing")
    assert answer.status == 404
    assert b'<a href="/">' in answer.body
    seen = tab(here.served.address.split("?")[0] + "?token=wrong", width=900, height=600)
    says(seen.page, "#notice", "open the address that")
    seen.complaints.clear()  # the browser says of each refusal that it was one
    seen.page.locator("main[inert]").wait_for(state="attached")


#: A board in the middle of nowhere, to be painted beyond its sides.
BLOCK = 'puzzle "Block"\nlocations {\n  xxxx\n  xxxx\n  xxxx\n  xxxx\n}\npiece A x0..9 { xx }\n'


def drag(page: Any, cells: list[str], where: str = "board") -> None:
    """Drag over cells at the places where they are at the start, with time for the text between two of them."""
    boxes = [box(cell(page, name, where)) for name in cells]
    for number, at in enumerate(boxes):
        page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2, steps=5)
        if number == 0:
            page.mouse.down()
        page.wait_for_timeout(250)  # the text changes below the pointer
    page.mouse.up()


def block(here: Running, tab: Open, text: str = BLOCK, **settings: Any) -> Tab:
    """Open the page on a text, with its board."""
    seen = tab(here.served.address, **{"width": 1440, "height": 860, **settings})
    seen.page.locator(".wall li").first.wait_for()
    seen.page.locator("#source").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", text
    )
    if settings.get("touch"):
        seen.page.tap("#tab-puzzle")
    says(seen.page, "#title", re.compile("Block|Cube"))
    seen.page.locator("#board-cells path.on").first.wait_for()
    return seen


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([f"-1,{y}" for y in range(4)], ["xxxxx"] * 4),
        ([f"{x},-1" for x in range(-1, 4)], ["xxxxx", *[".xxxx"] * 4]),
        (["-1,-1", "0,-1", "1,-1", "2,-1"], ["xxxx.", *[".xxxx"] * 4]),
        (["4,4", "4,3", "4,2"], ["xxxx.", "xxxx.", *["xxxxx"] * 2, "....x"]),
    ],
)
def test_a_drag_beside_the_board_paints_the_cells_below_the_pointer(
    here: Running, tab: Open, cells: list[str], rows: list[str]
) -> None:
    seen = block(here, tab)
    drag(seen.page, cells)
    drawn = "".join(f"  {row}\n" for row in rows)
    becomes(seen.page, re.sub(r"(?<=\{\n)[^}]*(?=\}\np)", drawn, BLOCK))
    # The board grows after the stroke, and each cell of the text can be painted then.
    last = f"{len(rows[0])},{len(rows) - 1}"
    cell(seen.page, last).wait_for()
    seen.keep("serve-grown")


def test_clicks_in_a_row_hit_the_cells_that_were_there_before_the_first(here: Running, tab: Open) -> None:
    page = block(here, tab).page
    boxes = [box(cell(page, f"{x},-1")) for x in range(4)]
    for at in boxes:
        page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        page.wait_for_timeout(150)
    becomes(page, BLOCK.replace("locations {\n", "locations {\n  xxxx\n"))


def test_a_drag_in_a_layer_of_a_solid_stays_in_its_column(here: Running, tab: Open) -> None:
    start = 'puzzle "Cube"\nlattice cubic\nlocations {\n  xx  xx\n  xx  xx\n}\npiece A x0..9 { xx }\n'
    page = block(here, tab, start).page
    page.focus("#board-cells svg")
    page.keyboard.press("PageDown")  # the layer below all others
    page.locator('#board-cells path[data-cell="0,0,-1"]').wait_for()
    drag(page, ["-1,0,-1", "-1,1,-1"])
    becomes(page, start.replace("  xx  xx\n  xx  xx", "  x..  .xx  .xx\n  x..  .xx  .xx"))


def test_a_finger_draws_a_column_beside_the_board(here: Running, tab: Open) -> None:
    seen = block(here, tab, width=390, height=844, touch=True)
    page = seen.page
    boxes = [box(cell(page, f"-1,{y}")) for y in range(4)]
    fingers = seen.context.new_cdp_session(page)
    for kind, at in zip(["touchStart", *["touchMove"] * 3], boxes, strict=True):
        point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        page.wait_for_timeout(250)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    becomes(page, BLOCK.replace("xxxx", "xxxxx"))


@pytest.mark.parametrize(("width", "touch"), [(390, True), (700, False), (1440, False)])
def test_the_solid_fills_the_board_and_nothing_of_the_viewer_is_below(
    here: Running, tab: Open, width: int, touch: bool
) -> None:
    page = tab(f"{here.served.address}#soma/soma", width=width, height=844, touch=touch).page
    page.locator("#numbers div").first.wait_for(state="attached")
    if touch:
        page.tap("#tab-puzzle")
    page.locator("#board-solid .puzzle-view[data-first-picture]").wait_for()
    frame = page.locator("#board-solid").evaluate("each => [each.clientWidth - 28, each.clientHeight - 8]")
    canvas = box(page.locator("#board-solid canvas"))
    assert [round(canvas["width"]), round(canvas["height"])] == pytest.approx(frame, abs=2)
    assert (
        page.locator("#board-solid :is(aside, .controls, .status)").evaluate_all(
            "all => all.filter((each) => each.offsetParent).length"
        )
        == 0
    )


def test_a_proof_that_no_solution_exists_colours_the_board_until_it_is_painted(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800)
    page = seen.page
    begins(page)
    write(page, "locations box 5x4\npieces tetrominoes\n")
    says(page, "#faults .message", "an odd number of dark cells")
    dark, light = page.locator("#board-cells .dark"), page.locator("#board-cells .light")
    dark.first.wait_for()
    assert (dark.count(), light.count()) == (10, 10)
    assert page.locator("#board-cells [data-cell='0,0']").get_attribute("class") == "cell on dark"
    steps, more = page.locator("#board-proof li"), page.locator("#board-proof button")
    assert steps.all_inner_texts() == ["call every cell with x + y even dark: 10 of 20 cells"]
    for _ in range(3):
        more.click()
    assert steps.count() == 4
    assert "an odd number of dark cells, but there are 10" in steps.last.inner_text()
    seen.keep("proof")
    for name in ("card", "picture"):
        canvas = f"import('./sharing.js').then((all) => all.{name}())"
        made = page.evaluate(f"{canvas}.then((one) => one.toDataURL())")
        colours = seen.colours(b64decode(made.partition(",")[2]))
        tones = [colours.get(colour, 0) for colour in (DARK, LIGHT)]
        assert min(tones) > 1000
        assert tones[0] == pytest.approx(tones[1], rel=0.1)
    more.click()
    page.get_by_role("button", name="Copy card").wait_for()
    page.keyboard.press("Escape")
    page.locator("#board-cells [data-cell='5,0']").click()
    dark.first.wait_for(state="detached")
    assert page.locator("#board-proof").is_hidden()


def test_the_steps_of_a_proof_are_in_the_language_of_the_page(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1280, height=800, language="de").page
    begins(page)
    write(page, "locations box 5x4\npieces tetrominoes\n")
    steps, more = page.locator("#board-proof li"), page.locator("#board-proof button")
    more.wait_for()
    while steps.count() < 4:
        more.click()
    assert steps.all_inner_texts() == [
        "nenne jede Zelle mit geradem x + y dunkel: 10 von 20 Zellen",
        "wo es auch liegt, belegt Teil T ungerade viele dunkle Zellen, jedes andere Teil gerade viele",
        "zusammen belegen sie ungerade viele",
        "keine Lösung: die Teile belegen auf einem Schachbrett ungerade viele dunkle Zellen, aber es gibt 10",
    ]


def test_solve_shows_the_proof_in_its_colours_and_in_the_language_of_the_page(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800, language="de")
    page = seen.page
    begins(page)
    write(page, "locations box 5x4\npieces tetrominoes\n")
    page.click("#solve")
    says(page, "#result", "keine Lösung: hier ist ein Beweis")
    dark, light = page.locator("#viewer .dark"), page.locator("#viewer .light")
    dark.first.wait_for()
    assert (dark.count(), light.count()) == (10, 10)
    steps = page.locator("#viewer li").all_inner_texts()
    assert steps[0] == "nenne jede Zelle mit geradem x + y dunkel: 10 von 20 Zellen"
    assert len(steps) == 4
    assert page.locator("#reasons li").count() == 0
    page.locator("#viewer .cells path").first.click(force=True)
    assert (dark.count(), light.count()) == (10, 10)
    assert findings(page) == []
    seen.keep("proof-solved")
    write(page, "lattice cubic\nlocations box 3x3x3 - box 1x1x1 at (1,0,0)\npiece A x13 { xx }\n")
    page.click("#solve")
    page.locator("#viewer canvas").wait_for()
    wait = "() => document.querySelector('#viewer .puzzle-view')?.dataset.firstPicture"
    page.wait_for_function(wait)
    colours = seen.colours(page.locator("#viewer canvas").screenshot())
    assert sum(colours.values()) > 0
    assert max(number for (r, g, b), number in colours.items() if b > r + 24) > 300
    seen.keep("proof-solved-solid")


def test_a_proof_by_weights_writes_them_on_the_cells(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800)
    page = seen.page
    begins(page)
    write(page, "locations box 3x3\npiece X x* { .x./xxx/.x. }\npiece D x* { xx }\n")
    steps, weights = page.locator("#board-proof li"), page.locator("#board-cells text")
    steps.first.wait_for()
    assert steps.all_inner_texts() == ["weigh each cell as drawn"]
    assert sorted(weights.all_text_contents()) == ["-1"] * 4 + ["1"] * 5
    seen.keep("proof-by-weights")


def test_a_proof_in_space_colours_each_layer(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1280, height=800).page
    begins(page)
    write(page, "lattice cubic\nlocations box 3x3x3 - box 1x1x1 at (1,0,0)\npiece A x13 { xx }\n")
    says(page, "#faults .message", "dark")
    page.locator("#board-cells .dark").first.wait_for()
    assert page.locator("#board-cells .on:not(.dark, .light, .faded)").count() == 0


def drawn(*rows: str) -> str:
    """Return the text of the block with another board."""
    return BLOCK.replace("  xxxx\n" * 4, "".join(f"  {row}\n" for row in rows))


def drawing_of(text: str) -> str:
    """Return the drawing of the board in a text."""
    return text[text.index("{") : text.index("}") + 1]


def between(page: Any, first: str, last: str) -> None:
    """Drag from one cell to another, and wait until all cells on the way are shown as they will be."""
    one, other = box(cell(page, first)), box(cell(page, last))
    page.mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
    page.mouse.down()
    page.mouse.move(other["x"] + other["width"] / 2, other["y"] + other["height"] / 2, steps=7)


def test_lines_and_rectangles_are_dragged_with_a_button_or_a_modifier(here: Running, tab: Open) -> None:
    seen = block(here, tab)
    page = seen.page
    page.get_by_role("button", name="Rectangle").click()
    cell(page, "-3,-3").wait_for()  # there is room for it now
    between(page, "5,0", "6,3")
    assert page.input_value("#source") == BLOCK  # it is painted when the pointer is up
    assert page.locator("#board-cells path.on").count() == 24
    between(page, "5,0", "4,1")  # the same drag, back to a smaller one
    seen.keep("serve-rectangle")
    page.mouse.up()
    becomes(page, drawn("xxxxxx", "xxxxxx", "xxxx..", "xxxx.."))
    says(page, "#said", "4 cells painted")
    page.get_by_role("button", name="Freehand").click()
    cell(page, "-2,0").wait_for(state="detached")
    page.keyboard.down("Shift")
    between(page, "0,0", "3,3")  # the first cell is painted, so the line clears
    page.keyboard.up("Shift")
    page.mouse.up()
    becomes(page, drawn(".xxxxx", "x.xxxx", "xx.x..", "xxx..."))
    page.keyboard.down("Control")
    between(page, "4,2", "5,3")
    page.keyboard.up("Control")
    page.mouse.up()
    becomes(page, drawn(".xxxxx", "x.xxxx", "xx.xxx", "xxx.xx"))
    for _ in range(3):
        page.keyboard.press("Control+Z")
    becomes(page, BLOCK)


def test_a_swatch_paints_a_piece_and_takes_its_colour_away(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, ROWS)
    says(page, "#title", "Rows")
    page.click("#tab-tray")
    page.click('#pieces button[data-piece="I"]')
    # Without a colour of the text, the cells to paint have the colour of the piece in pictures.
    seen.settles(lambda: (0x78, 0xA8, 0xD0) in seen.colours(page.locator("#piece-cells").screenshot()))
    red = page.locator('#piece-options button[title="red"]')
    red.click()
    becomes(page, ROWS + "paint I red\n")
    page.locator("#piece-options [title=red][aria-pressed=true]:focus").wait_for()
    seen.settles(lambda: (0xD8, 0x40, 0x38) in seen.colours(page.locator("#piece-cells").screenshot()))
    seen.keep("serve-swatches")
    assert findings(page) == []
    page.fill('#piece-options input[type="color"]', "#102030")
    becomes(page, ROWS + 'paint I "#102030"\n')
    red.click()
    becomes(page, ROWS + "paint I red\n")
    page.locator("#piece-options [title=red][aria-pressed=true]").wait_for()
    red.click()
    becomes(page, ROWS)


def test_a_click_before_the_next_check_counts_from_the_click_before_it(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1440, height=860).page
    begins(page)
    write(page, ROWS)
    says(page, "#title", "Rows")
    page.click("#tab-tray")
    page.click('#pieces button[data-piece="I"]')
    late: list[Any] = []
    page.route("**/api/check", lambda route: late.append(route))
    red, further = page.locator("#piece-options [title=red]"), page.locator("#piece-options output + button")
    for written in ("paint I red\n", "", "paint I red\n"):
        red.click()
        becomes(page, ROWS + written)
    red.click()
    becomes(page, ROWS)
    for copies in ("x3", "x4"):
        further.click()
        becomes(page, ROWS.replace("x{n}", copies))
    page.unroute("**/api/check")  # the server gets the last check
    says(page, "#piece-options output", "4")


HYPERCUBE = """lattice hypercubic
locations cells (0,0,0,0) (1,0,0,0) (0,0,1,0) (0,0,0,1)
piece A x4 cells (0,0,0,0)
"""


def test_four_dimensions_are_sections_side_by_side_and_each_has_layers(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, HYPERCUBE)
    says(page, VERDICT, "no errors")
    assert page.locator("#board-cells .section").all_text_contents() == ["w=-1", "w=0", "w=1", "w=2"]
    places = [box(cell(page, f"0,0,0,{w}")) for w in range(-1, 3)]
    steps = [after["x"] - before["x"] for before, after in pairwise(places)]
    assert steps[0] > 4 * places[0]["width"]
    assert max(steps) - min(steps) < 1
    assert len({place["y"] for place in places}) == 1
    cell(page, "0,0,0,2").click()
    becomes(page, HYPERCUBE.replace("(0,0,0,1)", "(0,0,0,1) (0,0,0,2)"))
    says(page, "#said", "cell 0,0,0,2: covered")
    cell(page, "1,0,0,0").click()
    becomes(page, HYPERCUBE.replace("(1,0,0,0) ", "").replace("(0,0,0,1)", "(0,0,0,1) (0,0,0,2)"))
    page.keyboard.press("PageUp")
    says(page, ".layers output", "2")
    cell(page, "1,1,1,1").click()
    becomes(page, HYPERCUBE.replace("(1,0,0,0) ", "").replace("(0,0,0,1)", "(0,0,0,1) (0,0,0,2) (1,1,1,1)"))
    page.wait_for_function("() => !document.querySelector('#board-solid').hidden")
    seen.keep("serve-four-dimensions")
    page.click("#tab-tray")
    page.click("#pieces button")
    cell(page, "0,0,0,1", "piece").click()
    page.wait_for_function("() => document.querySelector('#source').value.includes('x4 cells (0,0,0,0) (0,0,0,1)')")


#: A function of JavaScript: a picture of squares, as the address of its data.
PICTURE = """([rows, cell, ground, fill]) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [rows[0].length * cell + 20, rows.length * cell + 20];
    const pen = canvas.getContext("2d");
    pen.fillStyle = ground;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = fill;
    rows.forEach((row, y) => [...row].forEach((sign, x) => {
        pen.strokeRect(10 + x * cell, 10 + y * cell, cell, cell);
        if (sign === "x") pen.fillRect(11 + x * cell, 11 + y * cell, cell - 2, cell - 2);
    }));
    return canvas.toDataURL();
}"""

#: A function of JavaScript: a file that comes with a paste or a drop.
GIVEN = """([kind, address]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(address.split(",")[1]), (sign) => sign.charCodeAt(0))], "a.png", { type: "image/png" }));
    const event = kind === "paste" ? new ClipboardEvent(kind, { clipboardData: data }) : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector("#board-cells svg").dispatchEvent(event);
}"""  # noqa: E501


def test_a_picture_of_squares_becomes_the_board(here: Running, tab: Open) -> None:
    seen = block(here, tab)
    page = seen.page
    size = page.locator("#dialog output")
    rows = ["xx..xx", "xxxxxx", ".xxxx."]
    picture = b64decode(page.evaluate(PICTURE, [rows, 23, "#ffffff", "#9db8d2"]).split(",")[1])

    def offer(content: bytes) -> None:
        with page.expect_file_chooser() as chooser:
            page.click("#board-tools >> text=Picture")
        chooser.value.set_files({"name": "a.png", "mimeType": "image/png", "buffer": content})

    offer(picture)
    size.filter(has_text="6 x 3: 14 cells").wait_for()
    seen.keep("serve-picture")
    assert findings(page) == []
    page.click("#dialog >> text=Replace it")
    becomes(page, BLOCK.replace(drawing_of(BLOCK), f"{{ {'/'.join(rows)} }}"))
    # Light cells, and another number of columns.
    offer(b64decode(page.evaluate(PICTURE, [rows, 20, "#303030", "#ffffff"]).split(",")[1]))
    page.check("#dialog [type=checkbox]")
    size.filter(has_text="6 x 3: 14 cells").wait_for()
    page.fill("#dialog [type=number]", "3")
    size.filter(has_text="3 x 1:").wait_for()
    page.keyboard.press("Escape")
    offer(b64decode(page.evaluate(PICTURE, [rows, 24, "#ffffff", "#ffffff"]).split(",")[1]))  # only lines
    size.filter(has_text="6 x 3: 18 cells").wait_for()
    page.keyboard.press("Escape")
    offer(b"no picture")
    says(page, "#toast", "not a picture")
    assert not page.locator("#dialog").is_visible()
    # The lattice of a picture is square.
    write(page, "lattice hex\nlocations { x x x }\npiece A x3 { x }\n")
    page.locator("#board-tools >> text=Picture").wait_for(state="hidden")


@pytest.mark.parametrize("kind", ["paste", "drop"])
def test_a_picture_is_pasted_or_dropped(here: Running, tab: Open, kind: str) -> None:
    page = block(here, tab).page
    address = page.evaluate(PICTURE, [["xxx", ".x."], 16, "#ffffff", "#202020"])
    page.evaluate(GIVEN, [kind, address])
    page.locator("#dialog output").filter(has_text="3 x 2: 4 cells").wait_for()
    page.keyboard.press("Enter")
    becomes(page, BLOCK.replace(drawing_of(BLOCK), "{ xxx/.x. }"))


def test_a_rectangle_is_drawn_by_keys_and_escape_drops_it(here: Running, tab: Open) -> None:
    page = block(here, tab).page
    page.get_by_role("button", name="Rectangle").focus()
    page.keyboard.press("Enter")
    cell(page, "4,0").click()
    becomes(page, drawn("xxxxx", *["xxxx."] * 3))
    page.keyboard.press("ArrowDown")
    for keys, rows in [
        ("Escape", drawn("xxxxx", *["xxxx."] * 3)),
        (" ", drawn("xxxxx.", "xxxxxx", "xxxxxx", "xxxx..")),
    ]:
        page.keyboard.press(" ")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        assert page.locator("#board-cells path.on").count() == 21
        page.keyboard.press(keys)
        becomes(page, rows)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")


def test_mirrors_paint_the_other_side_too(here: Running, tab: Open) -> None:
    seen = block(here, tab)
    page = seen.page
    page.get_by_role("button", name="Paint left and right alike").click()
    drag(page, ["-1,0", "-1,1"])
    becomes(page, drawn("xxxxxx", "xxxxxx", ".xxxx.", ".xxxx."))
    page.get_by_role("button", name="Paint above and below alike").click()
    seen.keep("serve-mirrors")
    cell(page, "1,0").click()
    becomes(page, drawn("x.xx.x", "xxxxxx", ".xxxx.", "..xx.."))
    assert findings(page) == []


@pytest.mark.parametrize("lattice", ["hex", "triangle", "tetrakis"])
def test_mirrors_and_rectangles_work_on_other_lattices(here: Running, tab: Open, lattice: str) -> None:
    """A rectangle that is drawn with mirrors is symmetric, and clearing it again restores the board."""
    zero = ",".join("0" * find_lattice(lattice).coordinates)
    text = f'puzzle "Block"\nlattice {lattice}\nlocations cells ({zero})\npiece A x0..99 cells ({zero})\n'
    page = block(here, tab, text).page
    page.get_by_role("button", name="Rectangle").click()
    page.get_by_role("button", name="Paint left and right alike").click()
    middles = """() => [...document.querySelectorAll('#board-cells path.on')].map((each) => {
        const { x, y, width, height } = each.getBBox();
        return [Math.round(100 * (x + width / 2)), Math.round(100 * (y + height / 2))];
    })"""
    corner = page.locator("#board-cells path.cell").evaluate_all(
        """all => all.map((each) => [each.dataset.cell, each.getBBox()])
            .sort(([, a], [, b]) => a.x + a.y - b.x - b.y)[0][0]"""
    )
    between(page, corner, zero)
    planned = page.evaluate(middles)
    assert len(planned) > 5
    across = sorted({x for x, _ in planned})
    total = across[0] + across[-1]
    seen = {(x, y) for x, y in planned}
    assert all(any(abs(total - x - a) < 4 and abs(y - b) < 4 for a, b in seen) for x, y in seen)


@pytest.mark.parametrize("by_button", [True, False])
def test_a_drawing_is_pasted_as_the_board(here: Running, tab: Open, by_button: bool) -> None:
    page = block(here, tab).page
    drawing = " ###\n## ##\n ###\n"
    if by_button:
        page.locator("#board-tools").get_by_role("button", name="Paste…").click()
        page.fill("#dialog textarea", drawing)
        assert findings(page) == []
        page.get_by_role("button", name="Replace it").click()
    else:
        cell(page, "0,0").focus()
        page.focus("#board-cells svg")
        page.evaluate(
            """drawing => {
              const data = new DataTransfer();
              data.setData("text/plain", drawing);
              document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            }""",
            drawing,
        )
    becomes(page, BLOCK.replace(drawing_of(BLOCK), "{ .xxx./xx.xx/.xxx. }"))
    page.click("#board-tools >> text=Undo")
    becomes(page, BLOCK)


def test_a_finger_draws_a_rectangle(here: Running, tab: Open) -> None:
    seen = block(here, tab, width=390, height=844, touch=True)
    page = seen.page
    page.get_by_role("button", name="Rectangle").tap()
    cell(page, "-3,0").wait_for()
    fingers = seen.context.new_cdp_session(page)
    for kind, name in [("touchStart", "-2,0"), ("touchMove", "-1,1"), ("touchMove", "-1,3")]:
        at = box(cell(page, name))
        point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    becomes(page, BLOCK.replace("xxxx", "xxxxxx"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    seen.keep("serve-touch-tools")
