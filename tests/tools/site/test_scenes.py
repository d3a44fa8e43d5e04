"""The scenes at the top of the first page: a burr that comes apart by hand, and a board for the last three pieces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser import Tab, findings
from tests.show.test_stage_in_browser import find, status, touches
from tests.tools.site import live
from tests.tools.site.pages import ROOT

#: The most bytes of all scenes, without compression.
LARGEST = 150_000

Open = Callable[..., Tab]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The address of each scene: a file, without a server."""
    path = tmp_path_factory.mktemp("scenes") / "scenes.html"
    path.write_text(live.scenes(), encoding="utf-8")
    return {name: f"{path.as_uri()}#scene={name}" for name in live.SCENES}


@pytest.mark.long
def test_the_scenes_take_the_place_of_the_film(scenes: dict[str, str]) -> None:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    opening = live.opening(page)
    assert "<picture>" in page
    assert opening.count("<picture>") == opening.partition("<noscript>")[2].count("<picture>") == 1
    assert all(f'src="{live.SCENES_PAGE}#scene={name}" title=' in opening for name in scenes)


def test_the_scenes_are_small_and_need_no_other_file(tab: Open, scenes: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / live.SCENES_PAGE).write_text(live.scenes(), encoding="utf-8")
    opening = live.opening((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    first = tmp_path / "first.html"
    first.write_text("<!DOCTYPE html>" + "".join(line for line in opening.splitlines() if "<iframe" in line))
    seen = tab(first.as_uri(), width=1100, height=900)
    seen.settles(lambda: sum(frame.locator(".game.scene").count() for frame in seen.page.frames), len(scenes))
    sizes = {address.partition("#")[0]: (tmp_path / live.SCENES_PAGE).stat().st_size for address in seen.asked}
    assert [Path(address).name for address in sizes] == [Path(live.SCENES_PAGE).name]
    assert sum(sizes.values()) < LARGEST


@pytest.mark.parametrize("width", [390, 520])
def test_the_last_three_pieces_are_dragged_onto_the_board(tab: Open, scenes: dict[str, str], width: int) -> None:
    seen = tab(scenes["board"], width=width, height=480)
    free = seen.page.locator("#tray button:not(.used)")
    assert free.count() == 3
    seen.keep(f"scene-board-{width}")
    piece, board = free.first.bounding_box(), seen.page.locator("#board").bounding_box()
    assert piece is not None
    assert board is not None
    hand = seen.page.mouse
    hand.move(piece["x"] + piece["width"] / 2, piece["y"] + 20)
    hand.down()
    hand.move(piece["x"] + piece["width"] / 2, piece["y"] - 20, steps=4)
    assert seen.page.locator(".hand").count() == 1
    hand.move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2, steps=4)
    hand.up()
    hint = seen.page.locator("#hint")
    for _ in range(6):
        if seen.page.locator(".game.solved").count():
            break
        if status(seen).startswith("No solution"):
            seen.page.locator("#back").click()
        hint.click()
    assert seen.page.locator(".game.solved").count() == 1
    seen.page.reload()
    assert free.count() == 3, "each visit begins with the same board"


def test_every_orientation_of_the_last_three_pieces_is_there(tab: Open, scenes: dict[str, str]) -> None:
    seen = tab(scenes["board"], width=520, height=480)
    free = seen.page.locator("#tray button:not(.used)")
    shapes = dict[str, set[str]]()
    for number, name in enumerate(("N", "U", "W")):
        free.nth(number).focus()
        seen.page.keyboard.press("Enter")
        for key in "rrrrfrrrr":
            shapes.setdefault(name, set()).add(free.nth(number).locator("path.border").get_attribute("d") or "")
            seen.page.keyboard.press(key)
        seen.page.keyboard.press("Escape")
    assert {name: len(found) for name, found in shapes.items()} == {"N": 8, "U": 4, "W": 4}


def test_keys_place_the_last_three_pieces(tab: Open, scenes: dict[str, str]) -> None:
    seen = tab(scenes["board"], width=520, height=480)
    free = seen.page.locator("#tray button:not(.used)")
    free.first.focus()
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("ArrowDown")
    assert seen.page.locator(".aim .cells").count() == 1
    for _ in range(3):
        seen.page.keyboard.press("h")
    assert seen.page.locator(".game.solved").count() == 1


def test_the_burr_comes_apart(tab: Open, scenes: dict[str, str]) -> None:
    seen = tab(scenes["burr"], width=520, height=480)
    seen.keep("scene-burr")
    for _ in range(20):
        if seen.page.locator(".game.solved").count():
            break
        seen.page.keyboard.press("h")
    assert seen.page.locator(".game.solved").count() == 1
    seen.keep("scene-burr-apart")
    # It is put together again: the pieces lie as they fit, and no button turns them.
    seen.page.click("#apart")
    assert seen.page.locator("#turns button:visible").count() == 0
    for _ in range(6):
        seen.page.keyboard.press("h")
    assert seen.page.locator(".game.solved").count() == 1


@pytest.mark.parametrize("by_thumb", [False, True])
def test_sticks_of_the_burr_are_dragged(tab: Open, scenes: dict[str, str], by_thumb: bool) -> None:
    seen = tab(scenes["burr"], width=390 if by_thumb else 520, height=480, touch=by_thumb)
    seen.page.locator("canvas[data-cursor]").wait_for()
    touch, mouse = touches(seen), seen.page.mouse
    said = set[str]()
    for dx, dy in ((0, -60), (60, 16), (0, 60), (-60, -16), (-50, 50), (50, -50)):
        for piece in seen.page.locator(".piece:not(.used) .name").all_inner_texts():
            x, y = find(seen, piece)
            if by_thumb:
                touch("touchStart", (x, y))
                for part in range(1, 7):
                    touch("touchMove", (x + dx * part / 6, y + dy * part / 6))
                touch("touchEnd")
            else:
                mouse.move(x, y)
                mouse.down()
                mouse.move(x + dx, y + dy, steps=6)
                mouse.up()
            seen.page.wait_for_timeout(50)
            said.add(status(seen))
            if any("in the way" in words for words in said) and seen.page.locator(".piece.used").count():
                assert any(words.endswith((" is out.", " are out.")) for words in said)
                return
    raise AssertionError(said)


@pytest.mark.parametrize(("width", "dark"), [(520, False), (390, True)])
@pytest.mark.parametrize("name", live.SCENES)
def test_axe_finds_nothing_in_a_scene(tab: Open, scenes: dict[str, str], name: str, width: int, dark: bool) -> None:
    seen = tab(scenes[name], width=width, height=480, dark=dark, touch=width < 500)
    for state in ("begun", "chosen", "hinted"):
        if state == "chosen":
            seen.page.locator(".piece:not(.used)").first.click()
        if state == "hinted":
            seen.page.click("#hint")
        assert findings(seen.page) == [], state
    while not seen.page.locator(".game.solved").count():
        seen.page.click("#hint")
    assert findings(seen.page) == []
