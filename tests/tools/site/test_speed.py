"""How long one waits on the page, with a server and without: each median of five is within its figure.

On a busy computer, a figure is multiplied by the number of processes that wait for each processor.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import pytest

from tests.browser import Tab
from tests.services.web.serving import Running
from tests.tools.site import links
from tests.tools.site.test_workbench import is_ready, says, server, shared_by, site

__all__ = ["server", "site"]

pytestmark = pytest.mark.slow

Open = Callable[..., Tab]
Record = Callable[[str, object], None]

#: Runs of each measurement.
RUNS = 5

#: A board of sixty cells that can be painted, with the twelve pentominoes.
DRAWN = 'puzzle "Drawn"\nlocations {\n' + "  xxxxxxxxxx\n" * 6 + "}\npieces pentominoes\n"

#: The first solution is on the screen.
SOLVED = "#viewer .puzzle-view[data-first-picture]"

#: The time of this picture in milliseconds.
SHOWN = f"Number(document.querySelector({SOLVED!r}).dataset.firstPicture)"


def slack() -> float:
    """Return how many processes want each processor, at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 2.0


def within(record: Record, name: str, figure: float, times: list[float]) -> None:
    """Check that the median of times in seconds is within a figure."""
    record(f"{name}, s", [round(time, 3) for time in times])
    assert median(times) <= figure * slack(), (name, times, slack())


@contextmanager
def opened(tab: Open, address: str) -> Iterator[Any]:
    """Open an address in an empty browser, and yield its page before anything has arrived."""
    seen = tab("about:blank", width=1280, height=800)
    seen.page.goto(address, wait_until="commit")
    yield seen.page
    seen.close()  # its workers would slow down the next page


def seconds_until(page: Any, condition: str) -> float:
    """Return the seconds from the start of the page until a condition was true."""
    return float(page.wait_for_function(f"() => {condition} && performance.now()", timeout=120_000).json_value()) / 1000


def there(selector: str) -> str:
    return f"document.querySelector({selector!r})"


BOARD = there("#board-cells path.on")
WALL = f"{there('.wall img')}?.naturalWidth"


@pytest.mark.parametrize(("fragment", "seen"), [("", WALL), ("#soma/soma", BOARD)])
def test_the_first_picture_is_there_within_a_second(
    site: str, server: Running, tab: Open, record_property: Record, fragment: str, seen: str
) -> None:
    for name, address in (("site", site), ("serve", server.served.address)):
        times = []
        for _ in range(RUNS):
            with opened(tab, f"{address}{fragment}") as page:
                times.append(seconds_until(page, seen))
        within(record_property, f"first picture on {name}{fragment}", 1, times)


def test_soma_is_solved_in_five_seconds_in_a_cold_browser_and_in_one_in_a_warm_one(
    site: str, tab: Open, record_property: Record
) -> None:
    cold, warm = [], []
    for _ in range(RUNS):
        with opened(tab, f"{site}#soma/soma") as page:
            page.locator("#solve").click()
            cold.append(seconds_until(page, there(SOLVED)))
            is_ready(page)
            warm.append(solved(page))
    within(record_property, "first solution in a cold browser", 5, cold)
    within(record_property, "first solution in a warm browser", 1, warm)


def solved(page: Any) -> float:
    """Return the seconds from a click on Solve to the solution in a viewer that was empty."""
    script = """selector => new Promise((done) => {
      const start = performance.now();
      document.getElementById("solve").click();
      const look = () => (document.querySelector(selector)
        ? done(performance.now() - start) : requestAnimationFrame(look));
      look();
    })"""
    return float(page.evaluate(script, SOLVED)) / 1000


def test_a_painted_cell_is_checked_and_on_the_board_at_once(
    site: str, server: Running, tab: Open, record_property: Record
) -> None:
    for name, address in (("site", site), ("serve", server.served.address)):
        with opened(tab, f"{address}#{links.fragment(DRAWN)}") as page:
            if name == "site":
                is_ready(page)
            says(page, "#verdict:not(.stale)", "no errors")
            page.click("#tab-puzzle")
            times = [painted(page, f"{number},2") for number in range(RUNS)]
        within(record_property, f"painted cell on {name}", 0.15, times)


#: Milliseconds from the arrival of the last script of the page to a solution on the screen. The page notes this time
#: itself: it makes the editor next, and answers no question until that is done.
SINCE_SCRIPTS = f"""() => {there(SOLVED)} && {SHOWN} - Math.max(
  ...performance.getEntriesByType("resource").filter(({{ name }}) => name.endsWith(".js")
    && !name.endsWith("/worker.js")).map(({{ responseEnd }}) => responseEnd))"""


@pytest.mark.parametrize("name", ["soma/soma", "burrs/six-piece-2"])
def test_the_solution_of_a_link_is_there_soon_after_the_scripts(
    site: str, server: Running, tab: Open, record_property: Record, name: str
) -> None:
    first = tab("about:blank", width=1280, height=800)
    held = shared_by(first.page, f"{server.served.address}#{name}", 1, re.compile("solution"))
    first.close()
    for place, address in (("site", site), ("serve", server.served.address)):
        times = []
        for _ in range(RUNS):
            with opened(tab, f"{address}#{held}") as page:
                times.append(float(page.wait_for_function(SINCE_SCRIPTS, timeout=60_000).json_value()) / 1000)
        within(record_property, f"link to a solution of {name} on {place} after the scripts", 0.3, times)


def painted(page: Any, cell: str) -> float:
    """Return the seconds from a click on a cell to the checked text with its board."""
    script = """() => {
      const [source, verdict] = ["source", "verdict"].map((name) => document.getElementById(name));
      const before = source.value;
      window.painted = new Promise((done) => addEventListener("pointerdown", () => {
        const start = performance.now();
        const look = () => (source.value !== before && !verdict.classList.contains("stale")
          ? done(performance.now() - start) : requestAnimationFrame(look));
        look();
      }, { capture: true, once: true }));
    }"""
    page.evaluate(script)
    page.locator(f"#board-cells [data-cell='{cell}']").click()
    return float(page.evaluate("window.painted")) / 1000
