"""Requests of the page that interrupt each other: the newest one counts, and none is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.formats.catalogue import find
from puzzlec.services.web.jobs import Checking, WebLimits
from tests.browser import Tab
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, begins, says, write
from tests.services.web.test_playing import ROW, playing, says_in_game

Open = Callable[..., Tab]
HARD = 'puzzle "Long"\nlocations box 25x25\npiece Y x125 {\n  xxxx\n  .x..\n}\n'  # no method solves it soon


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def text_of(name: str) -> str:
    path = find(name)
    assert path is not None
    return path.read_text(encoding="utf-8")


def press(page: Any, *names: str) -> None:
    """Press buttons of the game before the page can answer to the first."""
    script = "(host, names) => { for (const name of names) host.shadowRoot.getElementById(name).click(); }"
    page.locator("#play-table").evaluate(script, list(names))


@pytest.mark.parametrize(
    ("buttons", "words", "placed"),
    [(["hint", "solve"], "This is one solution.", 2), (["solve", "hint"], "is placed at column", 1)],
)
def test_solve_takes_over_the_search_for_a_hint_and_a_hint_that_for_a_solution(
    here: Running, tab: Open, buttons: list[str], words: str, placed: int
) -> None:
    page = playing(here, tab, ROW).page
    press(page, *buttons)
    says_in_game(page, words)
    assert page.locator("#play-table .placed g[data-number]").count() == placed


def test_the_same_button_again_cancels_the_search_without_an_error(here: Running, tab: Open) -> None:
    page = playing(here, tab, HARD.replace("Long", "Row")).page
    for name in ("hint", "solve"):
        with page.expect_response("**/api/jobs/*?after=0"):
            press(page, name)
        says_in_game(page, "Searching.")
        press(page, name)
        says_in_game(page, "The search is cancelled.")
    with page.expect_response("**/api/jobs/*?after=0"):
        press(page, "hint")
    page.click("#solve")  # the search of the other tab takes its place
    page.locator("#cancel").wait_for()
    page.click("#cancel")
    says(page, "#result", "cancelled")


def test_a_search_for_another_text_replaces_the_current_one(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    for _ in range(3):  # more searches than the server runs at once
        write(page, HARD)
        page.keyboard.press("Control+Enter")
        says(page, "#figures", "nodes")
        write(page, ROW)
        page.keyboard.press("Control+Enter")
        says(page, "#result", "1 distinct solution")
        page.locator("#solve").wait_for()


def test_a_request_that_ends_a_check_lets_it_run_again(tab: Open, tmp_path: Path) -> None:
    with running(tmp_path, WebLimits(memory=2**29, checking=200)) as here:
        seen = tab(here.served.address, width=1440, height=860)
        page = seen.page
        begins(page)
        write(page, ROW)
        says(page, VERDICT, "no errors")
        with page.expect_request("**/api/check"):
            write(page, text_of("rhombic/hexsticks"))
        page.click("#tab-stages")  # its request is about the same text, and the check takes longer
        says(page, VERDICT, "no errors", seconds=150)
        says(page, "#title", "Hexsticks")


def test_the_last_puzzle_that_was_asked_for_opens(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    late: list[Any] = []
    page.route("**/api/catalogue/soma/soma", lambda route: late.append(route))
    page.evaluate("location.hash = '#soma/soma'")
    while not late:
        page.wait_for_timeout(20)
    page.evaluate("location.hash = '#queens/8'")
    says(page, "#title", "queens")
    late[0].continue_()
    page.wait_for_timeout(400)
    assert "queens" in page.input_value("#source")


def test_another_puzzle_ends_the_check_of_the_last_one(
    tab: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Checking, "PATIENCE", 100.0)
    with running(tmp_path, WebLimits(seconds=30, memory=2**30, checking=100)) as here:
        seen = tab(f"{here.served.address}#eternity/eternity", width=1440, height=860)
        page = seen.page
        says(page, "#verdict.busy", "checking")
        seen.keep("serve-checking")
        page.wait_for_timeout(2000)
        page.evaluate("location.hash = '#dominoes/4x4'")
        says(page, "#verdict.busy", "checking")
        says(page, "#title", "Dominoes")
        says(page, VERDICT, "no errors")
        assert page.locator("#verdict.busy").count() == 0


def test_the_stored_picture_is_there_before_the_check_has_an_answer(tab: Open, tmp_path: Path) -> None:
    with running(tmp_path) as here:
        seen = tab(here.served.address, width=1440, height=860)
        page = seen.page
        begins(page)
        late: list[Any] = []
        page.route("**/api/check", lambda route: late.append(route))
        page.evaluate("location.hash = '#queens/8'")
        page.locator("#board img").wait_for()
        says(page, "#verdict.busy", "checking")
        late[0].continue_()
        says(page, VERDICT, "no errors")
