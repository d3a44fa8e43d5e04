"""The wall of puzzles on an empty page: pictures of the catalogue with filters, and boards to draw on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.formats.catalogue import entries
from puzzlec.geometry import lattice_names
from puzzlec.services.web import answers
from puzzlec.services.web.jobs import WebLimits
from puzzlec.services.web.wall import numbers_of_pieces, picture
from tests.browser import Tab, findings
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, begins, press_file, says

Open = Callable[..., Tab]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def test_each_puzzle_has_a_lattice() -> None:
    lattices = {puzzle["name"]: puzzle["lattice"] for puzzle in answers.puzzles()["puzzles"]}
    assert set(lattices.values()) <= {"none", *lattice_names()} | {"rhombille"}
    assert (lattices["soma/soma"], lattices["queens/8"]) == ("cubic", "none")


def test_the_page_names_all_its_modules_so_that_none_waits_for_another(here: Running) -> None:
    page = here.get("/").body.decode()
    named = set(re.findall(r'<link rel="modulepreload" href="(\S+)">', page))
    needed, found = {"main.js", "server.js"}, set[str]()
    while needed - found:
        name = min(needed - found)
        found.add(name)
        needed |= set(re.findall(r'(?:from|^import)"\./([^"]*)"', here.get(f"/{name}").body.decode()))
    assert found == named
    assert '"de": "Deutsch"' in unescape(page)


def test_each_puzzle_has_its_stored_picture_and_its_number_of_pieces(here: Running) -> None:
    for puzzle in here.get("/api/catalogue").json["puzzles"]:
        assert picture(puzzle["name"]).startswith("<svg"), puzzle["name"]
        assert puzzle["name"] in numbers_of_pieces()
    assert "#ffffff" not in here.get("/api/pictures/soma/soma").json["svg"]  # the ground of the page is seen


def test_only_puzzles_of_the_catalogue_have_a_picture(here: Running) -> None:
    assert here.get("/api/pictures/dominoes/4x4").json["svg"].startswith("<svg")
    for name in ("no/such", "../../etc/passwd", "soma"):
        assert here.get(f"/api/pictures/{name}").status == 404


@pytest.mark.parametrize(("width", "dark"), [(1440, True), (390, False)])
def test_an_empty_page_offers_boards_and_puzzles(here: Running, tab: Open, width: int, dark: bool) -> None:
    seen = tab(here.served.address, width=width, height=844, dark=dark, touch=width < 500)
    page = seen.page
    page.locator(".wall .picture img").first.wait_for(timeout=120_000)
    examples = sum(entry.name.startswith("new/") for entry in entries())
    says(page, "#wall output", f"{len(entries()) - examples} puzzles. New… has {examples} examples.")
    says(page, "#wall .daily", "puzzle of the day")
    # It ends the row of the cards before it.
    before, daily, chapter = (
        page.locator(what).first.bounding_box() for what in (".wall li:has(+ .daily)", ".daily", ".chapter")
    )
    assert before
    assert daily
    assert chapter
    assert daily["y"] == before["y"]
    assert daily["x"] + daily["width"] == pytest.approx(chapter["x"] + chapter["width"], abs=1)
    page.select_option("#wall [aria-label=Lattice]", "cubic")
    page.fill("#wall [type=search]", "soma cube")
    says(page, "#wall output", re.compile("^[1-9] of"))
    page.locator(".wall .start").first.wait_for(state="hidden")
    page.select_option("#wall [aria-label=Pieces]", "over 20")
    says(page, "#wall output", "0 of")
    page.select_option("#wall [aria-label=Pieces]", "6 to 8")
    page.locator(".wall [data-name='soma/soma'] img").wait_for()
    says(page, ".wall [data-name='soma/soma']", "7 pieces · 240 solutions")
    assert findings(page) == []
    seen.keep(f"wall-{width}")
    page.get_by_role("button", name="Show all").click()
    page.locator(".wall .start button").nth(3).click()
    page.locator("#board-cells svg").wait_for()
    page.locator("#wall .wall").wait_for(state="detached")
    page.locator(VERDICT).filter(has_text="no errors").wait_for(state="attached")
    press_file(page, "open")
    page.get_by_role("button", name="Pictures").click()
    page.locator("#dialog [data-name='soma/soma'] button").click()
    says(page, "#title", "Soma cube")


def test_every_starting_board_can_be_painted(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1440, height=844).page
    for number in range(4):
        page.locator(".wall .start button").nth(number).click()
        says(page, VERDICT, "no errors")
        text = page.input_value("#source")
        page.locator("#board-cells .cell.on").first.click()
        page.wait_for_function("text => document.getElementById('source').value !== text", arg=text)
        page.focus("#source")
        page.keyboard.press("Control+A")
        page.keyboard.press("Delete")
        begins(page)


def test_the_wall_has_chapters_and_the_editor_is_folded_until_the_user_writes(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800)
    page = seen.page
    page.locator("main.folded .wall .chapter").first.wait_for()
    assert page.evaluate("document.activeElement.type") == "search"
    assert not page.locator("#text").is_visible()
    chapter = page.locator(".wall .chapter").filter(has_text="Pentominoes").first
    shown = page.locator(".wall [data-name^='pentominoes/']:visible")
    few = shown.count()
    assert few in range(4, 12)
    chapter.get_by_role("button").click()
    seen.settles(shown.count, sum(entry.name.startswith("pentominoes/") for entry in entries()))
    chapter.get_by_role("button", name="fewer").click()
    seen.settles(shown.count, few)
    page.get_by_role("button", name="Write your own").click()
    assert page.evaluate("document.activeElement.id") == "source"
    page.keyboard.insert_text('puzzle "Half a thought"\n')
    page.locator("#wall .wall").wait_for(state="detached")
    page.click("#home")
    page.get_by_role("button", name="Do not save").click()
    page.locator("main.folded").wait_for()
    page.get_by_role("button", name="Continue: Half a thought").click()
    seen.settles(lambda: page.input_value("#source"), 'puzzle "Half a thought"\n')


@pytest.mark.parametrize("calm", [False, True])
def test_the_burr_of_a_card_comes_apart_while_it_is_hovered_or_focused(here: Running, tab: Open, calm: bool) -> None:
    seen = tab(here.served.address, width=1280, height=860, calm=calm)
    page = seen.page
    page.fill("#wall [type=search]", "six-piece")
    card = page.locator('.wall li[data-name="burrs/six-piece-2"]')
    view = card.locator(".moving .puzzle-view")
    card.hover()
    if calm:
        page.wait_for_timeout(1500)
        assert view.count() == 0
        assert not any("moves" in address or "/apart/" in address for address in seen.asked)
        return
    card.locator('.moving .puzzle-view[data-step="8"]').wait_for()
    seen.keep("serve-burr-card")
    assert findings(page) == []
    page.hover("#wall h2")
    view.wait_for(state="detached")
    card.locator("button").focus()
    card.locator(".moving canvas").wait_for()
    # Only one card moves, and a click on the moving picture opens the puzzle.
    page.locator('.wall li[data-name="burrs/six-piece-3"]').hover()
    page.locator('.wall li[data-name="burrs/six-piece-3"] .moving canvas').wait_for()
    assert page.locator(".moving").count() == 1
    at = page.locator(".moving canvas").bounding_box()
    assert at is not None
    page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    says(page, "#title", "100, 364")
    page.locator(".moving").wait_for(state="detached")


def test_only_burrs_that_come_apart_have_moves(here: Running) -> None:
    assert here.get("/api/apart/burrs/six-piece-2").json["plans"]
    for name in ("soma/soma", "rhombic/hexsticks", "../../etc/passwd", "no/such"):
        assert here.get(f"/api/apart/{name}").status == 404
