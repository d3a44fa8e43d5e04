"""The scenes at the top of the first page: a burr that comes apart by hand, and a board for the last three pieces."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser import Tab
from tests.tools.site import live
from tests.tools.site.pages import ROOT

#: The most bytes of all scenes, as a server sends them.
LARGEST = 150_000


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("scenes")
    found = {name: folder / f"{name}.html" for name in live.SCENES}
    for name, path in found.items():
        path.write_text(live.scene(name), encoding="utf-8")
    return found


def test_the_scenes_take_the_place_of_the_film_and_are_small(scenes: dict[str, Path]) -> None:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    opening = live.opening(page)
    assert "<picture>" in page
    assert opening.count("<picture>") == opening.partition("<noscript>")[2].count("<picture>") == 1
    assert all(f'src="site/{name}.html" title=' in opening for name in scenes)
    assert sum(len(gzip.compress(path.read_bytes())) for path in scenes.values()) < LARGEST


@pytest.mark.parametrize("width", [390, 520])
def test_the_last_three_pieces_are_dragged_onto_the_board(
    tab: Callable[..., Tab], scenes: dict[str, Path], width: int
) -> None:
    seen = tab(scenes["board"].as_uri(), width=width, height=480)
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
        if seen.page.locator("#status").inner_text().startswith("No solution"):
            seen.page.locator("#back").click()
        hint.click()
    assert seen.page.locator(".game.solved").count() == 1
    seen.page.reload()
    assert free.count() == 3, "each visit begins with the same board"


def test_the_burr_comes_apart(tab: Callable[..., Tab], scenes: dict[str, Path]) -> None:
    seen = tab(scenes["burr"].as_uri(), width=520, height=480)
    seen.keep("scene-burr")
    for _ in range(20):
        if seen.page.locator(".game.solved").count():
            break
        seen.page.locator("#hint").click()
    assert seen.page.locator(".game.solved").count() == 1
    seen.keep("scene-burr-apart")
