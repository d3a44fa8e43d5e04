"""A real browser for tests: Chromium, driven by Playwright, cut off from the network.

The tests use a Chromium of this computer and download none. The variable ``PUZZLEC_CHROMIUM`` names it; otherwise it
has one of the usual names on the path. Without Chromium or Playwright, tests that need it are skipped. All tests know
the fixtures (``tests/conftest.py``)::

    def test_the_page_says_its_title(tab: Callable[..., Tab], tmp_path: Path) -> None:
        seen = tab((tmp_path / "page.html").as_uri())
        assert seen.page.title() == "..."
        seen.keep("title")

An error or warning in the console, an exception, and a request to the network each fail the test at its end. A test
that expects one clears :attr:`Tab.complaints`.
"""

from __future__ import annotations

import base64
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

#: WebGL by a software renderer, so that pictures are the same on every computer; no connections to other hosts.
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)

#: The usual names of Chromium. The first one has no windows, so a new tab uses a ninth of the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

#: The lines that Chromium prints about its software renderer. They are not errors of a page.
OF_THE_RENDERER = ("GPU stall due to ReadPixels", "GL Driver Message", "Automatic fallback to software WebGL")

#: Addresses that a page may request: only those of the server that it came from.
LOCAL = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:", "http://localhost:", "ws://127.0.0.1:")

Colour = tuple[int, int, int]


def executable() -> str | None:
    """Return the path of a Chromium, None where there is none."""
    named = os.environ.get("PUZZLEC_CHROMIUM")
    if named:
        return named
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path), None)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A running Chromium, for one file of tests.

    It does not last for the whole session: while Playwright runs, its event loop occupies this thread. Tests in other
    files, such as those of notebooks, could not run another one.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = executable()
    if path is None:
        pytest.skip("there is no Chromium here; PUZZLEC_CHROMIUM may name one")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of asyncio, when Playwright starts
        driver = sync_api.sync_playwright().start()
    try:
        browser = driver.chromium.launch(executable_path=path, args=list(SWITCHES))
        try:
            yield browser
        finally:
            browser.close()
    finally:
        driver.stop()


@pytest.fixture
def tab(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """A function that opens an address in a new tab. Its arguments are those of :func:`opened`."""
    tabs: list[Tab] = []

    def open_tab(address: str, **settings: Any) -> Tab:
        tabs.append(opened(chromium, address, tmp_path, **settings))
        return tabs[-1]

    yield open_tab
    complaints = [complaint for opened_tab in tabs for complaint in opened_tab.complaints]
    for opened_tab in tabs:
        opened_tab.close()
    assert not complaints, "\n".join(complaints)


@dataclass
class Tab:
    """A page in the browser, and its complaints: ``page`` is a page of Playwright with all its methods."""

    page: Page
    context: BrowserContext
    folder: Path
    complaints: list[str] = field(default_factory=list)
    #: Every address that the page requested, except its own.
    asked: list[str] = field(default_factory=list)
    #: A separate empty page, which decodes pictures.
    beside: list[Page] = field(default_factory=list)
    #: The colours of pictures that tests asked for.
    counted: dict[bytes, dict[Colour, int]] = field(default_factory=dict)

    def close(self) -> None:
        """Close the tab and forget what it stored."""
        self.context.close()

    def settles(self, read: Callable[[], object], wanted: object = True, seconds: float = 20) -> None:
        """Wait until a function returns a value: after a click or a key, a page on a busy computer needs some time."""
        end = time.monotonic() + seconds
        while (found := read()) != wanted and time.monotonic() < end:
            self.page.wait_for_timeout(50)
        assert found == wanted

    def draws(self) -> None:
        """Wait until what an event has changed is drawn: for two frames."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def keep(self, name: str, selector: str | None = None) -> bytes:
        """Return a picture of the page, or of one element, as PNG; keep it among the artefacts as ``name``.png."""
        shown = self.page.locator(selector).screenshot() if selector else self.page.screenshot()
        keep(shown, name, self.folder)
        return shown

    def colours(self, png: bytes) -> dict[Colour, int]:
        """Return how many pixels of a picture have each colour, rounded to steps of 8."""
        if png not in self.counted:
            self.counted[png] = colours(self._empty_page(), png)
        return self.counted[png]

    def difference(self, one: bytes, two: bytes) -> float:
        """Return the part of the pixels of two pictures of the same size that differ clearly: 0 to 1."""
        return difference(self._empty_page(), one, two)

    def rim(self, png: bytes) -> int:
        """Return how many of the outermost pixels of a picture are coloured, not grey: 0 if nothing is cut off."""
        script = """
          const {data, width, height} = await decoded(argument);
          let found = 0;
          for (let k = 0; k < width * height; k++) {
            const x = k % width, y = Math.floor(k / width), three = data.slice(4 * k, 4 * k + 3);
            const outer = Math.min(x, y, width - 1 - x, height - 1 - y) === 1;
            if (outer && Math.max(...three) - Math.min(...three) > 16) found++;
          }
          return found;
        """
        body = f"async argument => {{ {_DECODE} {script} }}"
        return int(self._empty_page().evaluate(body, base64.b64encode(png).decode()))

    def _empty_page(self) -> Page:
        if not self.beside:
            self.beside.append(self.context.new_page())
            self.page.bring_to_front()
        return self.beside[0]


def opened(
    browser: Browser,
    address: str,
    folder: Path,
    width: int = 900,
    height: int = 640,
    touch: bool = False,
    dark: bool = False,
    calm: bool = True,
    webgl: bool = True,
    scripts: bool = True,
    language: str = "en-GB",
) -> Tab:
    """Open an address; ``calm`` asks for no animation, ``touch`` simulates a phone, and ``webgl`` allows WebGL."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=touch,
        is_mobile=touch,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        java_script_enabled=scripts,
        accept_downloads=True,
        locale=language,
    )
    page = context.new_page()
    found = Tab(page, context, folder)

    def decide(route: Any) -> None:
        asked = route.request.url
        if asked.split("#")[0] != address.split("#")[0]:
            found.asked.append(asked)
        if asked.startswith(LOCAL):
            route.continue_()
        else:
            found.complaints.append(f"the page asked for {asked}")
            route.abort()

    def note(message: Any) -> None:
        if message.type in ("error", "warning") and not any(phrase in message.text for phrase in OF_THE_RENDERER):
            found.complaints.append(f"console {message.type}: {message.text}")

    context.route("**/*", decide)
    page.on("console", note)
    page.on("pageerror", lambda error: found.complaints.append(f"thrown: {error}"))
    if not webgl:
        page.add_init_script(
            "const before = HTMLCanvasElement.prototype.getContext;"
            "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
            "  return String(kind).includes('webgl') ? null : before.call(this, kind, ...more); };"
        )
    page.goto(address)
    return found


#: Wait for transitions of colours, but not for endless animations.
_SETTLED = """() => Promise.race([
  Promise.allSettled(document.getAnimations().map((motion) => motion.finished)),
  new Promise((done) => setTimeout(done, 2000)),
])"""


def findings(page: Any) -> list[str]:
    """Return what axe finds on a page as it is now: the rule and the element of each barrier."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    page.evaluate(_SETTLED)
    found = axe.Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response
    assert found["passes"], "axe found nothing to examine"
    return [
        f"{violation['id']}: {node['html'][:120]}" for violation in found["violations"] for node in violation["nodes"]
    ]


def image_is_there(page: Page) -> None:
    """Wait until the browser has decoded the picture of the board of the workbench."""
    page.wait_for_function(
        "() => (image => image && image.complete && image.naturalWidth > 20)(document.querySelector('#board img'))"
    )


def keep(png: bytes, name: str, folder: Path) -> Path:
    """Write a picture into the folder that ``PUZZLEC_ARTEFACTS`` names, else into ``folder``; return its path."""
    kept = Path(os.environ.get("PUZZLEC_ARTEFACTS") or folder)
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{name}.png"
    path.write_bytes(png)
    return path


# The browser decodes pictures, because it is available; a library would be one more dependency.
_DECODE = """
const decoded = async text => {
  const bytes = Uint8Array.from(atob(text), each => each.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
};
"""


def colours(page: Page, png: bytes) -> dict[Colour, int]:
    """Return how many pixels of a picture have each colour, rounded down to a multiple of 8 in each channel."""
    script = """
      const {data} = await decoded(argument), found = new Map();
      for (let k = 0; k < data.length; k += 4) {
        const colour = (data[k] & 248) << 16 | (data[k + 1] & 248) << 8 | data[k + 2] & 248;
        found.set(colour, (found.get(colour) || 0) + 1);
      }
      return [...found];
    """
    found = page.evaluate(f"async argument => {{ {_DECODE} {script} }}", base64.b64encode(png).decode())
    return {(colour >> 16, colour >> 8 & 255, colour & 255): number for colour, number in found}


def difference(page: Page, one: bytes, two: bytes) -> float:
    """Return the part of the pixels (0 to 1) that differ by more than 12 of 255 in some channel."""
    script = """
      const one = await decoded(argument[0]), two = await decoded(argument[1]);
      if (one.width !== two.width || one.height !== two.height) return 1;
      let found = 0;
      for (let k = 0; k < one.data.length; k += 4)
        if ([0, 1, 2].some(c => Math.abs(one.data[k + c] - two.data[k + c]) > 12)) found++;
      return found / (one.width * one.height);
    """
    both = [base64.b64encode(picture).decode() for picture in (one, two)]
    return float(page.evaluate(f"async argument => {{ {_DECODE} {script} }}", both))
