"""The site in a browser: searched, on a telephone, in the dark; and it asks no other server for anything."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser import Tab
from tests.site.building import build

pytestmark = pytest.mark.slow

#: Pages with what is wide: tables, drawings, pictures, signatures.
WIDE = ("index", "readme", "tutorial", "cli", "language", "api", "gallery", "benchmarks", "errors/index")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, served while the tests of this file run."""
    site: Path = build(tmp_path_factory.mktemp("site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_the_search_finds_the_page_of_an_error(served: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/index.html", width=1280, height=900)
    field = seen.page.get_by_role("combobox", name="Search")
    for _ in range(30):  # the page may not listen yet
        seen.page.keyboard.press("Control+k")
        seen.page.wait_for_timeout(500)
        if field.is_visible():
            break
    field.press_sequentially("shape library")
    seen.page.get_by_text("PZ304: a shape library is not known").first.click()
    seen.page.wait_for_url("**/errors/PZ304.html**")
    assert all(asked.startswith((served, "blob:", "data:")) for asked in seen.asked)


@pytest.mark.parametrize("name", WIDE)
def test_a_page_is_not_wider_than_a_telephone(served: str, name: str, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/{name}.html", width=360, height=740, touch=True)
    seen.keep(f"site-{name.replace('/', '-')}")
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("dark", [False, True])
def test_lines_of_a_drawing_join(served: str, dark: bool, tab: Callable[..., Tab]) -> None:
    seen = tab(f"{served}/readme.html", width=1280, height=900, dark=dark)
    drawing = seen.page.locator(".language-console code").first
    height, size = drawing.evaluate(
        "e => [getComputedStyle(e).lineHeight, getComputedStyle(e).fontSize].map(parseFloat)"
    )
    assert 1.1 * size <= height <= 1.18 * size  # as high as the glyphs of box drawings are
    background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    lightness = sum(map(int, background.strip("rgba()").split(", ")[:3]))
    assert (lightness < 150) is dark
