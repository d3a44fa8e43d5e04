"""The wall of puzzles on an empty page: pictures of the catalogue with filters, and boards to draw on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec import pipeline
from puzzlec.formats.catalogue import entries
from puzzlec.geometry import lattice_names
from puzzlec.ir import Fitting, Puzzle
from puzzlec.services.web import answers
from puzzlec.services.web.jobs import Limits
from puzzlec.services.web.wall import WIDEST, kept_picture, picture, piece_bounds
from tests.browser import Tab
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, says
from tests.services.web.test_painting import findings

Open = Callable[..., Tab]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), Limits(seconds=30, memory=2**29)) as found:
        yield found


def test_each_puzzle_has_a_lattice() -> None:
    lattices = {puzzle["name"]: puzzle["lattice"] for puzzle in answers.puzzles()["puzzles"]}
    assert set(lattices.values()) <= {"none", *lattice_names()} | {"rhombille"}
    assert (lattices["soma/soma"], lattices["queens/8"]) == ("cubic", "none")


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("locations box 4x2\npiece A x* { xx }\n", (4, 4)),
        ("locations box 4x2\npiece A x1..3 { xx }\npiece B x0..9 { x }\n", (1, 12)),
        ("locations box 4x2\npiece A x* { xx }\npiece B x* { x }\n", (0, None)),
    ],
)
def test_copies_and_the_board_give_the_number_of_pieces(text: str, bounds: tuple[int, int | None]) -> None:
    what = pipeline.parse(text)
    assert isinstance(what, Puzzle | Fitting)
    assert piece_bounds(what) == bounds


def test_a_picture_shows_a_solution_and_is_kept(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    monkeypatch.setenv("PUZZLEC_CACHE", str(folder))
    entry = next(entry for entry in entries() if entry.name == "soma/soma")
    made = kept_picture(entry)
    (kept,) = (folder / "wall").iterdir()
    assert kept.read_text() == made
    assert len(set(re.findall(r'fill="(#[0-9a-f]{6})"', made))) > 7
    kept.write_text("<svg/>")
    assert kept_picture(entry) == "<svg/>"


def test_the_page_names_all_its_modules_so_that_none_waits_for_another(here: Running) -> None:
    page = here.get("/").body.decode()
    named = set(re.findall(r'<link rel="modulepreload" href="(\S+)">', page))
    needed, found = {"main.js", "server.js"}, set[str]()
    while needed - found:
        name = min(needed - found)
        found.add(name)
        needed |= set(re.findall(r'^import .*"\./(.*)";$', here.get(f"/{name}").body.decode(), re.MULTILINE))
    assert found == named
    assert '"de": "Deutsch"' in unescape(page)


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
    says(page, "#wall output", f"{len(entries()) - examples} puzzles. {examples} examples are in New….")
    page.select_option("#wall [aria-label=Lattice]", "cubic")
    page.fill("#wall [type=search]", "soma cube")
    says(page, "#wall output", re.compile("^[1-9] of"))
    page.locator(".wall .start").first.wait_for(state="hidden")
    page.focus("#wall [aria-label=Pieces]")
    page.locator("[data-counted]").wait_for(timeout=120_000)
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
    page.click("#open")
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
        says(page, VERDICT, "Write a puzzle")


def test_a_puzzle_without_a_solution_shows_its_board_and_its_pieces() -> None:
    shown = kept_picture(next(entry for entry in entries() if entry.name == "soma/plus"))
    assert set(re.findall("<title>(.*?)</title>", shown)) >= {"V", "L", "T", "Z", "A", "B", "P"}
    # A picture of 209 pieces could not be read.
    entry = next(entry for entry in entries() if entry.name == "eternity/eternity")
    assert "pieces" not in picture(entry, None)


def test_a_wide_chart_shows_a_corner_that_can_be_read() -> None:
    entry = next(entry for entry in entries() if entry.name == "designs/nine-points")
    box = re.search(r'viewBox="\S+ \S+ (\d+) (\d+)" width="(\d+)"', kept_picture(entry))
    assert box is not None
    assert (int(box[1]), int(box[3])) == (WIDEST, WIDEST)
