"""Solids are played in three dimensions, in a real browser: by mouse, thumb, wheel and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from puzzlec.compiler import parse
from puzzlec.make.outputs import play, subject, view
from puzzlec.show.game.data import game_data
from puzzlec.show.game.writing import game_page
from puzzlec.show.page.writing import STAGE, part_of_viewer
from puzzlec.show.palette import fill_of, pools
from tests.browser import Tab, findings
from tests.show.test_game import data_of, placements_of

Opener = Callable[..., Tab]

#: A cube of three pieces: a square of four cells, and two bars.
CUBE = """puzzle "Cube"
lattice cubic
locations box 2x2x2
piece A { xx/xx }
piece B x2 { xx }
"""

#: A flat box with a door that is one cell wide: a domino across it never leaves.
NARROW = """locations box 2x2
piece D { xx }
piece o x2 { x }
wall box 4x4 at (-1,-1) - box 2x2 - cells (0,-1)
"""


@cache
def page_of(what: str) -> str:
    return play(parse(what)) if "\n" in what else play(subject(what, 100_000, None))


@pytest.fixture
def playing(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens a game; its stage is painted."""

    def show(what: str, part: str = "", **settings: Any) -> Tab:
        (tmp_path / "game.html").write_text(page_of(what), encoding="utf-8")
        return on_stage(tab, tmp_path / "game.html", part, **settings)

    return show


def on_stage(tab: Opener, path: Path, part: str = "", **settings: Any) -> Tab:
    """Return a tab with a game of a solid, when its stage is painted."""
    seen = tab(path.as_uri() + part, **{"width": 640, "height": 520, **settings})
    seen.page.locator("canvas[data-cursor]").wait_for()
    return seen


def status(seen: Tab) -> str:
    return seen.page.inner_text("#status")


def progress(seen: Tab) -> int:
    return int(seen.page.inner_text("#progress").split()[0])


def canvas(seen: Tab, across: float, down: float) -> tuple[float, float]:
    """A pixel of the picture, by parts of its width and height."""
    box = seen.page.locator("canvas").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def data(seen: Tab, name: str) -> str:
    return str(seen.page.locator("canvas").get_attribute(f"data-{name}") or "")


#: Returns a pixel at which a piece is seen; synthetic moves of the mouse find it, because there are many.
FIND = """piece => {
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
  for (let down = 0.1; down < 0.96; down += 0.03)
    for (let across = 0.02; across < 1; across += 0.02) {
      const [x, y] = [box.left + across * box.width, box.top + down * box.height];
      canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
      if (canvas.dataset.hovered === piece) return [x, y];
    }
}"""


#: Returns the box around all pixels of each piece, at rest.
BOXES = """() => {
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect(), found = {};
  for (let y = box.top; y < box.bottom; y += 6)
    for (let x = box.left; x < box.right; x += 6) {
      canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y, bubbles: true}));
      const piece = canvas.dataset.hovered || "", [left, top, right, bottom] = found[piece] || [x, y, x, y];
      found[piece] = [Math.min(x, left), Math.min(y, top), Math.max(x, right), Math.max(y, bottom)];
    }
  delete found[""];
  return found;
}"""


def find(seen: Tab, piece: str) -> tuple[float, float]:
    """Return a pixel at which a piece is seen, once the pieces and the camera rest."""
    before = None
    while (at := seen.page.evaluate(FIND, piece)) != before:
        before = at
        seen.page.wait_for_timeout(100)
    assert at, f"{piece} is not in the picture"
    return at[0], at[1]


def test_pieces_of_wood_have_grain_on_the_stage(tab: Opener, tmp_path: Path) -> None:
    data = game_data(subject(parse(CUBE), 1000), palette="wood")
    assert data["wood"] is True
    pictures = []
    for name, own in (("wood", data), ("plain", {**data, "wood": False})):
        (tmp_path / f"{name}.html").write_text(game_page(own), encoding="utf-8")
        seen = on_stage(tab, tmp_path / f"{name}.html")
        pictures.append(seen.keep(f"stage-{name}", "canvas"))
    assert seen.difference(*pictures) > 0.02


def test_copies_on_the_stage_have_the_colours_of_copies_in_pictures(tab: Opener, tmp_path: Path) -> None:
    data = game_data(subject(parse(CUBE), 1000))
    one, two = data["pieces"][1]["fills"]
    assert [one, two] == [fill_of(hue) for hue in pools([1, 2])[1]]
    assert "fills" not in data["pieces"][0]
    pictures = []
    for name, fills in (("both", [one, two]), ("first", [one]), ("swapped", [two, one])):
        data["pieces"][1]["fills"] = fills
        (tmp_path / f"{name}.html").write_text(game_page(data), encoding="utf-8")
        seen = on_stage(tab, tmp_path / f"{name}.html")
        seen.page.click("#solve")
        seen.page.wait_for_timeout(900)
        pictures.append(seen.keep(f"stage-copies-{name}", "canvas"))
    assert seen.difference(pictures[0], pictures[1]) > 0.02
    assert seen.difference(pictures[0], pictures[2]) > 0.04
    flat = game_data(subject("dominoes/4x4", 1000))
    assert not any("fills" in piece for piece in flat["pieces"])


#: Counts the calls of the graphics that draw, upload meshes or send values, and the frames.
COUNTING = """
  window.calls = {};
  const count = name => window.calls[name] = (window.calls[name] || 0) + 1;
  for (const name of Object.getOwnPropertyNames(WebGL2RenderingContext.prototype)) {
    const found = /^(drawElements|drawArrays|bufferData|uniform)/.exec(name);
    if (!found) continue;
    const kind = {drawElements: "draws", drawArrays: "draws", bufferData: "uploads", uniform: "values"}[found[1]];
    const act = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...values) { count(kind); return act.apply(this, values); };
  }
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = act => request(now => { count("frames"); act(now); });
"""


@pytest.mark.parametrize("make", [play, view])
def test_a_frame_of_1000_cubes_draws_each_piece_once_and_uploads_nothing(
    tab: Opener, tmp_path: Path, make: Callable[..., str]
) -> None:
    """The script of such a frame takes less than 2 ms; the test counts its work, because a time depends on the load."""
    text = "lattice cubic\nlocations box 10x10x10\npiece A x100 { xxxxx/xxxxx }\n"
    path = tmp_path / "page.html"
    path.write_text(make(subject(parse(text), 1)), encoding="utf-8")
    seen = tab("about:blank", width=420, height=700)
    seen.page.add_init_script(COUNTING)
    seen.page.goto(path.as_uri())
    seen.page.wait_for_function("() => window.calls.frames > 0")
    if make is play:
        seen.page.click("#solve")
    seen.page.wait_for_timeout(2000)
    x, y = canvas(seen, 0.05, 0.05)
    seen.page.evaluate("window.calls = {frames: 0, draws: 0, uploads: 0, values: 0}")
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x + 60, y + 10, steps=6)
    seen.page.mouse.up()
    seen.page.wait_for_function("() => window.calls.frames > 4")
    calls = seen.page.evaluate("window.calls")
    assert calls["draws"] <= 103 * calls["frames"]
    assert calls["draws"] >= 50 * calls["frames"]
    assert calls["values"] <= 260 * calls["frames"]
    assert calls["uploads"] == 0


def drop_in(seen: Tab, piece: str) -> None:
    """Drag a piece into the middle of the picture, where it fits."""
    before = progress(seen)
    seen.page.mouse.move(*find(seen, piece))
    seen.page.mouse.down()
    for down in range(60, 30, -3):
        for across in range(40, 60, 3):
            seen.page.mouse.move(*canvas(seen, across / 100, down / 100))
            if data(seen, "cursor") != "-1":
                seen.page.mouse.up()
                seen.settles(lambda: progress(seen) > before)
                return
    raise AssertionError(f"{piece} fits nowhere")


def test_a_click_on_a_piece_chooses_it_and_enter_moves_it_with_keys(playing: Opener) -> None:
    seen = playing("soma")
    seen.page.mouse.click(*find(seen, "V"))
    seen.settles(lambda: status(seen).startswith("V "))
    assert seen.page.locator(".piece[aria-pressed=true]").count() == 1
    seen.page.keyboard.press("r")
    seen.settles(lambda: re.fullmatch(r"V at column \d, row \d, layer \d: free", status(seen)) is not None)
    seen.page.mouse.click(*find(seen, "V"))
    seen.settles(lambda: seen.page.locator(".piece[aria-pressed=true]").count(), 0)
    piece = seen.page.locator(".piece").first
    piece.click()
    piece.press("Enter")
    seen.settles(lambda: "column" in status(seen))
    assert progress(seen) == 0
    seen.page.keyboard.press("Enter")
    seen.settles(lambda: progress(seen) > 0)


@pytest.mark.parametrize(("width", "height"), [(640, 520), (390, 700)])
def test_no_piece_on_the_table_hides_another_one(playing: Opener, width: int, height: int) -> None:
    boxes = playing("soma", width=width, height=height).page.evaluate(BOXES)
    assert sorted(boxes) == sorted("VLTZABP")
    for one, (left, top, right, bottom) in boxes.items():
        for other, (west, north, east, south) in boxes.items():
            assert one == other or right < west or east < left or bottom < north or south < top, f"{one} and {other}"


def test_a_burr_keeps_its_size_while_its_pieces_are_together(playing: Opener) -> None:
    seen = playing("burrs/six-piece-2")

    def height() -> int:
        boxes = seen.page.evaluate(BOXES).values()
        return int(max(bottom for *_, bottom in boxes) - min(top for _, top, *_ in boxes))

    whole = height()
    seen.page.click("#hint")
    seen.settles(lambda: "moves" in status(seen))
    seen.page.wait_for_timeout(500)
    assert seen.page.inner_text("#progress").startswith("0 of 6")
    assert height() > 0.8 * whole


def test_a_piece_is_dragged_into_the_box_and_out_again(playing: Opener) -> None:
    seen = playing("soma")
    drop_in(seen, "V")
    assert re.fullmatch(r"V is placed at column \d, row \d, layer \d\.", status(seen))
    assert progress(seen) == 3
    seen.page.mouse.move(*find(seen, "V"))
    seen.page.mouse.down()
    seen.page.mouse.move(*canvas(seen, 0.5, 0.97), steps=6)
    seen.page.mouse.up()
    seen.settles(lambda: (status(seen), progress(seen)), ("V is back in the tray.", 0))
    seen.page.click("#back")
    seen.settles(lambda: progress(seen), 3)
    assert seen.asked == []


def test_the_ghost_is_always_at_a_place_where_the_piece_fits(playing: Opener) -> None:
    seen = playing("soma")
    for _ in range(3):
        seen.page.click("#hint")
    covered = {cell for number in on_board(seen) for cell in placements_of(data_of("soma"))[number][1]}
    assert len(covered) == progress(seen) == 11
    seen.page.locator(".piece:not(.used)").first.click()
    found = set()
    for down in range(20, 70, 5):
        for across in range(40, 60, 3):
            seen.page.mouse.move(*canvas(seen, across / 100, down / 100))
            found.add((data(seen, "ghost"), int(data(seen, "cursor"))))
    placed = placements_of(data_of("soma"))
    assert {ghost for ghost, number in found if number >= 0 and not placed[number][1] & covered} == {"fits"}
    assert {ghost for ghost, number in found if number >= 0 and placed[number][1] & covered} <= {"blocked"}
    assert ("", -1) in found


def on_board(seen: Tab) -> list[int]:
    """The numbers of the placements on the board, as the link to the game has them."""
    kept = seen.page.evaluate("Object.entries(localStorage).map(([, value]) => JSON.parse(value).play)[0] || ''")
    return [int(number) for number in kept.split(".") if number]


def test_wheel_key_and_button_turn_the_chosen_piece(playing: Opener) -> None:
    seen = playing("soma")
    seen.page.locator(".piece").nth(1).click()
    seen.settles(lambda: status(seen).startswith("L is chosen"))
    before = seen.page.locator("canvas").screenshot()
    acts: list[Callable[[], object]] = [
        lambda: seen.page.keyboard.press("t"),
        lambda: seen.page.click("#turns button:nth-child(1)"),
        lambda: seen.page.mouse.wheel(0, 100),
    ]
    for act in acts:
        seen.page.mouse.move(*canvas(seen, 0.5, 0.1))
        act()
        seen.settles(lambda: status(seen), "L is rotated.")
        now = seen.page.locator("canvas").screenshot()
        assert seen.difference(before, now) > 0.001
        before = now
        seen.page.keyboard.press("Backspace")  # other words
        seen.settles(lambda: status(seen), "There is no step to take back.")


def test_without_a_chosen_piece_the_wheel_and_the_table_move_the_camera(playing: Opener) -> None:
    seen = playing("soma")
    picture = seen.page.locator("canvas").screenshot
    first = picture()
    seen.page.mouse.move(*canvas(seen, 0.5, 0.05))
    seen.page.mouse.wheel(0, -300)
    seen.settles(lambda: seen.difference(first, picture()) > 0.02, True)
    seen.settles(lambda: seen.difference(picture(), picture()) < 0.001)  # the camera stands still again
    nearer = picture()
    seen.page.mouse.down()
    seen.page.mouse.move(*canvas(seen, 0.8, 0.2), steps=4)
    seen.page.mouse.up()
    seen.settles(lambda: seen.difference(nearer, picture()) > 0.02, True)
    assert progress(seen) == 0


def test_keys_solve_a_cube(playing: Opener) -> None:
    seen = playing(CUBE)
    press = seen.page.keyboard.press
    seen.page.focus(".piece >> nth=0")
    press("Enter")
    seen.settles(lambda: status(seen), "A at column 1, row 1, layer 1: free")
    press("PageUp")
    seen.settles(lambda: status(seen), "A at column 1, row 1, layer 2: free")
    press("PageDown")
    press("Space")
    seen.settles(lambda: progress(seen), 4)
    seen.page.focus(".piece >> nth=1")
    press("Enter")
    seen.settles(lambda: status(seen), "B at column 1, row 1, layer 2: free")
    press("ArrowDown")
    seen.settles(lambda: status(seen), "B at column 1, row 2, layer 2: free")
    press("ArrowUp")
    press("PageDown")
    seen.settles(lambda: status(seen), "B at column 1, row 1, layer 1: covered by A")
    press("PageUp")
    press("Space")
    seen.settles(lambda: progress(seen), 6)
    press("ArrowDown")
    press("Space")
    seen.settles(lambda: status(seen), "B is placed at column 1, row 2, layer 2. Solved!")
    assert re.fullmatch(r"3 moves, 0:\d\d min", seen.page.inner_text("#result"))


def touches(seen: Tab) -> Callable[..., None]:
    client = seen.context.new_cdp_session(seen.page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]})

    return touch


def test_a_thumb_drags_a_piece_and_a_second_finger_turns_it(playing: Opener) -> None:
    seen = playing(CUBE, width=390, height=844, touch=True)
    touch = touches(seen)
    box = seen.page.locator(".piece").nth(1).bounding_box()
    assert box is not None
    start = (box["x"] + 20, box["y"] + 20)
    touch("touchStart", start)
    spots = [canvas(seen, 0.3 + 0.04 * k, 0.2 + 0.03 * row) for row in range(10) for k in range(10)]

    def carry(*others: tuple[float, float]) -> tuple[float, float]:
        for across, down in spots:
            at = (across, down + 56)
            touch("touchMove", at, *[(at[0] + x, at[1] + y) for x, y in others])
            seen.draws()  # the ghost is then at this spot, and no longer at the one before
            if data(seen, "cursor") != "-1":
                return at
        raise AssertionError("the piece fits nowhere")

    x, y = carry()
    touch("touchStart", (x, y), (x + 90, y))
    touch("touchMove", (x, y), (x + 60, y + 80))
    touch("touchMove", (x, y), (x, y + 110))
    seen.settles(lambda: status(seen), "B is rotated.")
    carry((0, 110))
    touch("touchEnd")
    seen.settles(lambda: progress(seen), 2)


def test_a_piece_tips_away_from_the_eye(playing: Opener) -> None:
    seen = playing("lattice cubic\nlocations box 3x3x3\npiece A x9 { xxx }\n")
    seen.page.locator(".piece").click()
    seen.page.keyboard.press("t")
    seen.settles(lambda: status(seen), "This turn gives A no other orientation. Try another one.")
    seen.page.mouse.move(*canvas(seen, 0.3, 0.05))
    seen.page.mouse.down()
    x, y = canvas(seen, 0.3, 0.05)
    seen.page.mouse.move(x + 196, y, steps=8)
    seen.page.mouse.up()
    seen.page.click("#turns button:nth-child(2)")
    seen.settles(lambda: status(seen), "A is rotated.")


def test_a_link_shows_the_board_and_a_visit_continues_the_game(playing: Opener) -> None:
    seen = playing("soma")
    for _ in range(2):
        seen.page.click("#hint")
    seen.settles(lambda: progress(seen), 7)
    seen.page.reload()
    seen.settles(lambda: (status(seen), progress(seen)), ("The game continues where you left it.", 7))
    seen.page.click("#solve")
    seen.settles(lambda: status(seen), "This is one solution.")
    assert seen.page.locator("#end").is_hidden()
    seen.page.click("#back")
    for _ in range(5):
        seen.page.click("#hint")
    seen.settles(lambda: status(seen).endswith("Solved!"))
    assert re.fullmatch(r"8 moves, 0:\d\d min, 12 hints", seen.page.inner_text("#result"))
    seen.page.click("#share")
    seen.settles(lambda: "#play=" in seen.page.url)
    seen.settles(lambda: "link" in status(seen))
    part = seen.page.url.split("#")[1]
    other = playing("soma", part=f"#{part}")
    other.settles(lambda: (status(other), progress(other)), ("Solved!", 27))
    wrong = playing("soma", part="#play=1.1.x")
    wrong.settles(lambda: progress(wrong), 0)


def test_without_webgl_the_stage_is_drawn_as_well(playing: Opener) -> None:
    seen = playing("soma", webgl=False)
    assert data(seen, "painter") == "canvas"
    drop_in(seen, "V")


def test_walls_are_in_the_picture(playing: Opener) -> None:
    text = "lattice cubic\nlocations box 2x1x1\npiece A x2 { x }\n"
    bare, walled = (playing(text + wall) for wall in ("", "wall box 4x3x2 at (-1,-1,-1) - box 2x1x1\n"))
    assert walled.page.locator("#rules li").all_inner_texts() == ["Pieces cannot pass through the walls"]
    assert bare.page.locator("#rules li").count() == 0
    assert walled.page.locator(".copies").all_inner_texts() == ["×2"]


def test_the_empty_board_of_balls_differs_clearly_from_its_ground(playing: Opener) -> None:
    seen = playing("lattice fcc\nlocations box 2x2x2\npiece A { xx }\npiece B x6 { x }\n")
    colours = seen.colours(seen.keep("stage-balls", "canvas"))
    grey = sum(number for colour, number in colours.items() if max(colour) - min(colour) <= 24 and max(colour) < 184)
    assert grey / sum(colours.values()) > 0.004


def test_a_flat_box_is_on_the_stage_with_solid_walls(playing: Opener) -> None:
    seen = playing(NARROW)
    assert seen.page.locator("#rules li").all_inner_texts() == ["Pieces cannot pass through the walls"]
    colours = seen.colours(seen.page.locator("canvas").screenshot())
    grey = sum(number for (r, g, b), number in colours.items() if 96 <= r <= g <= b <= r + 40 and b < 208)
    assert grey / sum(colours.values()) > 0.03


def test_a_full_flat_box_whose_pieces_cannot_be_put_in_is_not_solved(playing: Opener) -> None:
    seen = playing(NARROW)
    seen.page.click("#solve")
    seen.settles(lambda: status(seen), "This is one solution.")
    seen.page.click("#reset")
    seen.page.locator(".piece").first.focus()
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("Space")  # the domino is across the door
    seen.settles(lambda: status(seen), "D cannot get there: the wall is in the way.")
    placed = placements_of(json.loads(json.dumps(game_data(subject(parse(NARROW), 1000)))))
    across = next(number for number, (piece, cells) in enumerate(placed) if piece == 0 and cells == {0, 1})
    dots = [number for number, (piece, cells) in enumerate(placed) if piece == 1 and cells <= {2, 3}]
    other = playing(NARROW, part=f"#play={'.'.join(map(str, [across, *dots]))}")
    other.settles(lambda: progress(other), 4)
    assert "this assembly does not come apart" in status(other)
    assert other.page.locator(".game.solved").count() == 0


@pytest.mark.parametrize(
    ("wall", "obstacle"), [("4x3x3", "A cannot get there: the wall is in the way."), ("4x3x2", "")]
)
def test_walls_keep_a_piece_out(playing: Opener, wall: str, obstacle: str) -> None:
    text = "lattice cubic\nlocations box 2x1x1\npiece A { xx }\n"
    seen = playing(f"{text}wall box {wall} at (-1,-1,-1) - box 2x1x1\n")
    seen.page.locator(".piece").focus()
    seen.page.keyboard.press("Enter")
    seen.settles(lambda: data(seen, "ghost"), "blocked" if obstacle else "fits")
    place = "column 1, row 1, layer 1"
    assert status(seen) == (f"A, {place}: {obstacle}" if obstacle else f"A at {place}: free")
    seen.page.keyboard.press("Enter")
    seen.settles(lambda: progress(seen), 0 if obstacle else 2)
    assert (status(seen) == obstacle) == bool(obstacle)
    assert data(seen, "refused") == ("A" if obstacle else "")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1000, 700), (390, 844)])
def test_axe_finds_nothing_on_the_stage_and_targets_are_as_wide_as_a_thumb(
    playing: Opener, width: int, height: int, dark: bool
) -> None:
    seen = playing("soma", width=width, height=height, dark=dark)
    for button in ("#reset", "#hint", ".piece:not(.used)", "#solve"):
        seen.page.locator(button).first.click()
        assert findings(seen.page) == []
    sizes = seen.page.evaluate(
        "[...document.querySelectorAll('button')].filter(each => each.checkVisibility())"
        ".map(each => each.getBoundingClientRect())"
    )
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seen.keep(f"stage-{width}-{'dark' if dark else 'light'}")


def test_the_game_of_a_solid_is_below_300_kb_and_that_of_pentominoes_below_200_kb() -> None:
    assert len(page_of("soma").encode()) < 300_000
    assert len(page_of("pentominoes/6x10").encode()) < 200_000


def test_the_stage_uses_parts_of_the_viewer_that_need_no_other_parts() -> None:
    assert all(part_of_viewer(name) for name in STAGE)
    assert "class PuzzleView" not in "".join(map(part_of_viewer, STAGE))
