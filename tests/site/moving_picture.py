"""Pictures of the page of `puzzlec serve`: an animation for the README, and a picture of each step for the docs.

`python -m tests.site.moving_picture` records them in a real browser and writes docs/images/serve*.webp. It needs
Chromium, Playwright and Pillow (the extra `full`).
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser import SWITCHES, executable
from tests.services.web.serving import running

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "serve.webp"
SIZE = (1120, 640)
SHOWN = (840, 480)
TEXT = 'puzzle "My cube"\nlattice cubic\nlocations box 3x3x3\npieces sooma'
BOARD = """puzzle "A board to paint"
locations {
  xxxxxxx
  xxx.xxx  # comments stay
  xxxxxxx
}
piece I x0..9 { xx }
piece L x0..9 { xx/x. }
"""
VERDICT = "#verdict:not(.stale)"


class Film:
    """The recorded frames, each with its duration in milliseconds."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.frames: list[tuple[bytes, int]] = []

    def take(self, milliseconds: int) -> None:
        """Record the current page as a frame."""
        self.frames.append((self.page.screenshot(), milliseconds))

    def keep(self, name: str) -> None:
        """Write the current page as a picture."""
        from PIL import Image

        png = self.page.screenshot()
        Image.open(io.BytesIO(png)).convert("RGB").save(PICTURE.with_name(f"serve-{name}.webp"), quality=70, method=6)

    def write(self, path: Path) -> None:
        """Write the frames as an animated WebP."""
        from PIL import Image

        whole = [Image.open(io.BytesIO(png)).convert("RGB") for png, _ in self.frames]
        first, *rest = [picture.resize(SHOWN, Image.Resampling.LANCZOS) for picture in whole]
        durations = [milliseconds for _, milliseconds in self.frames]
        path.parent.mkdir(exist_ok=True)
        first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, quality=60, method=6)


def type_slowly(film: Film, text: str) -> None:
    """Type a text. Each frame adds two letters."""
    for start in range(0, len(text), 2):
        film.page.keyboard.insert_text(text[start : start + 2])
        film.page.wait_for_timeout(30)
        film.take(90)


def drag(film: Film, steps: int) -> None:
    """Rotate the picture of the solution with the mouse."""
    frame = film.page.locator("#viewer canvas").bounding_box()
    x, y = frame["x"] + frame["width"] * 0.35, frame["y"] + frame["height"] * 0.5
    film.page.mouse.move(x, y)
    film.page.mouse.down()
    for _ in range(steps):
        x += 11
        film.page.mouse.move(x, y)
        film.page.wait_for_timeout(40)
        film.take(70)
    film.page.mouse.up()


def act(film: Film, open_page: Callable[[], None]) -> None:
    """Type the puzzle with a mistake, correct it, solve it and rotate the solution."""
    page = film.page
    open_page()
    page.wait_for_selector(VERDICT)
    page.focus("#source")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.wait_for_timeout(800)
    film.take(500)
    type_slowly(film, TEXT)
    page.locator(VERDICT).filter(has_text="1 error").wait_for()
    page.wait_for_timeout(300)
    film.take(2200)
    film.keep("error")
    for _ in range(4):
        page.keyboard.press("Backspace")
        film.take(120)
    type_slowly(film, "oma")
    page.locator(VERDICT).filter(has_text="no errors").wait_for()
    page.wait_for_timeout(500)
    film.take(900)
    paint(film)
    page.keyboard.press("Control+Enter")
    page.locator("#viewer canvas").wait_for()
    page.wait_for_timeout(900)
    film.take(900)
    film.keep("solved")
    drag(film, 26)
    film.take(1800)


def paint(film: Film) -> None:
    """Paint a board and go back, for the picture of the stage."""
    page = film.page
    before = page.input_value("#source")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(BOARD)
    page.locator("#title").filter(has_text="A board").wait_for()
    page.locator(VERDICT).filter(has_text="no errors").wait_for()
    for at in ("3,1", "4,1"):
        page.locator(f'#board-cells path[data-cell="{at}"]').click()
        page.wait_for_timeout(400)
    film.keep("painted")
    page.focus("#source")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(before)
    page.locator("#title").filter(has_text="My cube").wait_for()
    page.locator(VERDICT).filter(has_text="no errors").wait_for()


def record(path: Path) -> None:
    """Record the animation and write it."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        puzzles = Path(folder) / "puzzles"
        puzzles.mkdir()
        with running(puzzles) as here:
            browser = driver.chromium.launch(executable_path=executable(), args=list(SWITCHES))
            film = Film(browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}))
            act(film, lambda: film.page.goto(here.served.once))
            film.write(path)
            browser.close()


if __name__ == "__main__":
    record(PICTURE)
