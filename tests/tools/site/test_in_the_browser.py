"""The site in a browser: search, filters, phones, dark pages and barriers. It loads nothing from other servers."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.browser import Tab, findings
from tests.tools.site.building import stage, zensical
from tests.tools.site.pages import sources

#: The first test builds the site, which takes about five minutes on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

#: Pages with wide parts: tables, drawings, pictures, signatures.
WIDE = (
    *("index", "readme", "tutorial", "cli", "language/grammar", "language/cheat-sheet", "api", "gallery"),
    *("benchmarks", "errors/index"),
)

#: The page of a puzzle, with a text, a chart and downloads.
PUZZLE = "puzzles/cover/items"

#: The pages that are many of a kind: axe examines some of them, and all others.
MANY = ("errors/", "decisions/", "puzzles/")

#: Pages that axe examines.
AXE = (
    *(name.removesuffix(".md") for name in sources() if name.endswith(".md") and not name.startswith(MANY)),
    *("404", "site/scenes", "errors/index", "errors/PZ405", "decisions/014-what-a-start-costs"),
    *(PUZZLE, "puzzles/soma/soma", "puzzles/burrs/six-piece-2"),
)


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site without its workbench. A server runs during the tests of this file."""
    site = zensical(stage(tmp_path_factory.mktemp("site"), is_whole=False))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_the_search_finds_the_page_of_an_error(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/index.html", width=1280, height=900)
    field = seen.page.get_by_role("combobox", name="Search")
    for _ in range(30):  # the script of the page may not run yet
        seen.page.keyboard.press("Control+k")
        seen.page.wait_for_timeout(500)
        if field.is_visible():
            break
    field.press_sequentially("shape library")
    result = seen.page.get_by_text("PZ304: unknown shape library").first
    result.wait_for()
    assert findings(seen.page) == []
    result.click()
    seen.page.wait_for_url("**/errors/PZ304.html**")
    assert all(asked.startswith((served, "blob:", "data:")) for asked in seen.asked)


@pytest.mark.parametrize("name", [*WIDE, PUZZLE])
def test_a_page_is_not_wider_than_a_phone(served: str, name: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/{name}.html", width=360, height=740, touch=True)
    seen.keep(f"site-{name.replace('/', '-')}")
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_cheat_sheet_prints_on_one_sheet_of_a4(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/language/cheat-sheet.html", width=1280, height=900)
    printed = seen.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    (box,) = set(re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed))
    assert [round(float(side) / 72 * 25.4) for side in box] == [210, 297]


@pytest.mark.parametrize("dark", [False, True])
def test_lines_of_a_drawing_join(served: str, dark: bool, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/readme.html", width=1280, height=900, dark=dark)
    drawing = seen.page.locator(".language-console code").first
    height, size = drawing.evaluate(
        "e => [getComputedStyle(e).lineHeight, getComputedStyle(e).fontSize].map(parseFloat)"
    )
    assert 1.1 * size <= height <= 1.18 * size  # the height of the glyphs of box drawings
    background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    lightness = sum(map(int, background.strip("rgba()").split(", ")[:3]))
    assert (lightness < 150) is dark


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", AXE)
def test_axe_finds_no_barrier(served: str, name: str, dark: bool, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/{name.replace('README', 'index')}.html", width=1280, height=900, dark=dark)
    seen.page.wait_for_load_state()
    assert findings(seen.page) == []


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_axe_finds_nothing_in_the_states_of_the_gallery(
    served: str, width: int, dark: bool, tab: Callable[..., Tab]
) -> None:
    page = tab(f"{served}/gallery.html#burrs", width=width, height=844, dark=dark, touch=width < 500).page
    page.get_by_role("button", name="Show fewer").wait_for()
    assert findings(page) == []
    page.get_by_label("Solutions").select_option("1")
    assert findings(page) == []
    page.get_by_role("searchbox", name="Name").fill("no such name")
    page.get_by_text("No puzzle fits").wait_for()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_puzzle_comes_apart_and_together_on_its_page(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/puzzles/burrs/six-piece-2.html", width=1280, height=900)
    page = seen.page
    page.locator(".puzzle-viewer canvas").wait_for()
    assert page.locator(".puzzle-picture").count() == 0
    act = page.locator("[data-act=apart]")
    for words in ("Put together", "Take apart"):
        act.click()
        act.filter(has_text=words).wait_for(timeout=120_000)
    seen.keep("site-burr")
    page.locator("[rel=next]").click()
    page.wait_for_url("**/six-piece-3.html")
    assert all(asked.startswith((served, "blob:", "data:")) for asked in seen.asked)


def test_each_day_of_a_year_has_its_own_puzzle(served: str, tab: Callable[..., Tab]) -> None:
    page = tab(f"{served}/gallery.html", width=1280, height=900).page
    page.locator(".daily a").wait_for()
    names = page.evaluate("""async () => {
      const { ofTheDay } = await import("./site/filters.js");
      const puzzles = [...document.querySelectorAll("td[data-name]")].map(({ dataset }) => dataset);
      return [...new Array(365).keys()].map((day) => ofTheDay(puzzles, new Date(2027, 0, 1 + day)).name);
    }""")
    assert len(set(names)) == 365
    assert not [name for name in names if name.startswith(("new/", "line/", "morse/"))]


def test_filters_of_the_gallery_combine_and_are_part_of_the_address(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/gallery.html?lattice=cubic&tag=burr", width=1280, height=900)
    page = seen.page
    shown = page.locator("td[data-lattice]:visible")
    number = shown.count()
    assert 0 < number < page.locator("td[data-lattice]").count()
    page.locator(".filters output").filter(has_text=re.compile(f"^{number} of ")).wait_for()
    assert page.locator("details:visible").count() == 0  # the sources of other puzzles
    page.get_by_label("Solutions").select_option("1")
    found = shown.evaluate_all("cells => cells.map(cell => [cell.dataset.lattice, cell.dataset.solutions])")
    assert 0 < len(found) < number
    assert set(map(tuple, found)) == {("cubic", "1")}
    page.wait_for_url("**solutions=1**")
    page.get_by_role("button", name="Show all", exact=True).click()
    page.wait_for_function("location.search === ''")
    page.locator(".filters output").filter(has_text="530 of 530").wait_for()
    page.locator("td[data-lattice] a").first.click()
    page.wait_for_url("**/puzzles/**")


def test_a_filtered_gallery_begins_with_pictures_and_its_contents_follow(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/gallery.html?lattice=triangle", width=1280, height=800)
    page = seen.page
    page.wait_for_load_state()
    page.locator(".filters output").filter(has_text=re.compile(r"^\d+ of ")).wait_for()
    seen.keep("site-gallery-filtered")
    end = page.locator(".filters").evaluate("form => form.getBoundingClientRect().bottom")
    first = page.locator("td[data-lattice]:visible").first.evaluate("cell => cell.getBoundingClientRect().top")
    assert first - end < 130  # the heading of the family
    assert first < 560
    named = ".md-nav--secondary li:visible"
    families = page.locator("article h2:visible").evaluate_all("all => all.map(each => each.firstChild.textContent)")
    assert 0 < len(families) < page.locator("article h2").count()
    assert [words.strip() for words in page.locator(named).all_inner_texts()] == families


def test_the_gallery_is_searched_by_name(served: str, tab: Callable[..., Tab]) -> None:
    page = tab(f"{served}/gallery.html", width=1280, height=800).page
    page.get_by_role("searchbox", name="Name").fill("SOMA bathtub")
    shown = page.locator("td[data-lattice]:visible")
    page.wait_for_function("location.search === '?words=soma+bathtub'")
    assert shown.locator("code").all_inner_texts() == ["soma/bathtub"]
    page.reload()
    assert shown.count() == 1
    page.get_by_role("button", name="Show all", exact=True).click()
    page.wait_for_function("location.search === ''")
    assert shown.count() > page.locator("article h2").count()


def test_a_family_shows_one_row_until_it_is_opened(served: str, tab: Callable[..., Tab]) -> None:
    page = tab(f"{served}/gallery.html", width=1280, height=800).page
    burrs, shown = page.locator("td[data-name^='burrs/']"), page.locator("td[data-name^='burrs/']:visible")
    page.locator(".more").first.wait_for()
    row = shown.count()
    assert len({place["y"] for at in range(row) if (place := shown.nth(at).bounding_box())}) == 1
    button = page.get_by_role("button", name=f"Show all {burrs.count()}", exact=True)
    button.click()
    assert shown.count() == burrs.count() > row
    page.get_by_role("button", name="Show fewer").click()
    assert shown.count() == row
    page.goto(f"{served}/gallery.html#burrs")
    assert shown.count() == burrs.count(), "the page of a burr links its family"


def test_the_puzzle_of_the_day_is_a_large_picture(served: str, tab: Callable[..., Tab]) -> None:
    page = tab(f"{served}/gallery.html", width=1280, height=800).page
    page.locator(".daily img").wait_for()
    place = page.locator(".daily").bounding_box()
    assert place is not None
    assert place["height"] > 200
    assert place["y"] + place["height"] < 800


def test_the_gallery_works_without_scripts(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/gallery.html", scripts=False)
    cells = seen.page.locator("td a[href^='puzzles/'] img")
    assert cells.count() == seen.page.locator("td img").count() > 400
    assert seen.page.locator(".filters").count() == 0


def test_pictures_follow_the_colours_of_the_page(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/{PUZZLE}.html", width=900, height=900)
    light = seen.keep("site-puzzle-light", ".puzzle-picture")
    seen.page.emulate_media(color_scheme="dark")
    dark = seen.keep("site-puzzle-dark", ".puzzle-picture")

    def largest(png: bytes) -> int:
        """Return the lightness of the most frequent colour."""
        colours = seen.colours(png)
        return sum(max(colours.items(), key=lambda counted: counted[1])[0])

    assert largest(light) > 650
    assert largest(dark) < 150
    assert any(min(colour) > 200 for colour in seen.colours(dark))  # the labels of the chart


def test_the_page_for_a_missing_address_opens_the_search(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/404.html", width=1280, height=900)
    button = seen.page.get_by_role("button", name="Search the documentation")
    for _ in range(30):  # the script of the theme may not run yet
        button.click()
        seen.page.wait_for_timeout(500)
        if seen.page.get_by_role("combobox", name="Search").is_visible():
            break
    assert seen.page.get_by_role("combobox", name="Search").is_visible()
