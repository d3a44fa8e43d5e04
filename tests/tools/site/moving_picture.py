"""Pictures of the page of `puzzlec serve` and of a game: an animation for the README, and pictures for the docs.

`python -m tests.tools.site.moving_picture` records them in a real browser and writes docs/images/serve*.webp and
play.webp. It needs Chromium, Playwright and Pillow (the extra `full`). Each picture stores the words of the page that
it shows. A test compares them with the page of today.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlec.make.outputs import play, subject
from tests.browser import SWITCHES, executable

ROOT = Path(__file__).parents[3]
IMAGES = ROOT / "docs" / "images"
PICTURE = IMAGES / "serve.webp"
#: The text of each picture, for a page without it.
DESCRIBED = {
    "serve.webp": "In the browser, a Soma cube is typed and solved, a board painted and played, and a burr taken apart",
    "serve-error.webp": "An error in the last line, with the suggestion to write soma",
    "serve-painted.webp": "A painted board, and the drawing that changed in the text",
    "serve-solved.webp": "The text of the Soma cube, and a solution with its pieces",
    "play.webp": "A board of pentominoes with six pieces on it, and the tray beside it",
}
SIZE = (1120, 640)
SHOWN = (840, 480)
GAME = (1000, 667)
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


#: The tag of EXIF for a description of a picture.
DESCRIPTION = 0x010E


def words_of(name: str) -> list[str]:
    """Return the English words on the page of a picture: of its buttons, tabs, headings and fields, in their order."""
    words = json.loads((ROOT / "puzzlec/show/words/en.json").read_text("utf-8"))["words"]
    if name == "play.webp":
        source = (ROOT / "puzzlec/show/game/game.js").read_text("utf-8")
        used = re.findall(r'button\("\w+", phrase\("([\w.]+)"', source)
    else:
        source = (ROOT / "puzzlec/services/web/static/index.html").read_text("utf-8")
        used = re.findall(r'data-words="([\w.-]+)"', source)
    return [words[key] for key in used]


def saved(picture: Any, path: Path, **settings: Any) -> None:
    """Write a picture with the words of its page."""
    exif = picture.getexif()
    exif[DESCRIPTION] = json.dumps(words_of(path.name))
    picture.save(path, exif=exif.tobytes(), method=6, **settings)


def stored_words(path: Path) -> list[str]:
    """Return the words of the page that a picture shows."""
    from PIL import Image

    with Image.open(path) as picture:
        found: list[str] = json.loads(picture.getexif().get(DESCRIPTION, "[]"))
    return found


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
        saved(Image.open(io.BytesIO(png)).convert("RGB"), IMAGES / name, quality=70)

    def write(self, path: Path) -> None:
        """Write the frames as an animated WebP."""
        from PIL import Image

        whole = [Image.open(io.BytesIO(png)).convert("RGB") for png, _ in self.frames]
        first, *rest = [picture.resize(SHOWN, Image.Resampling.LANCZOS) for picture in whole]
        durations = [milliseconds for _, milliseconds in self.frames]
        saved(first, path, save_all=True, append_images=rest, duration=durations, loop=0, quality=60)


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
    """Type and solve a puzzle, paint and play another one, and take a burr apart."""
    page = film.page
    open_page()
    page.wait_for_selector("main.folded .wall .picture img")
    page.wait_for_selector("main:not([inert])")
    page.wait_for_timeout(2000)  # the small pictures of the catalogue appear
    film.take(1500)
    page.get_by_role("button", name="Write your own").click()
    page.wait_for_timeout(500)
    film.take(500)
    type_slowly(film, TEXT)
    page.locator(VERDICT).filter(has_text="1 error").wait_for()
    page.wait_for_timeout(300)
    film.take(1800)
    film.keep("serve-error.webp")
    for _ in range(4):
        page.keyboard.press("Backspace")
        film.take(120)
    type_slowly(film, "oma")
    page.locator(VERDICT).filter(has_text="no errors").wait_for()
    page.wait_for_timeout(500)
    film.take(700)
    page.keyboard.press("Control+Enter")
    page.locator("#viewer canvas").wait_for()
    page.wait_for_timeout(900)
    film.take(700)
    film.keep("serve-solved.webp")
    drag(film, 18)
    film.take(800)
    paint(film)
    play_by_hand(film)
    take_apart(film)


def paint(film: Film) -> None:
    """Paint cells of a board; the drawing in the text changes."""
    page = film.page
    page.focus("#source")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(BOARD)
    page.click("#tab-puzzle")
    page.locator("#title").filter(has_text="A board").wait_for()
    page.locator(VERDICT).filter(has_text="no errors").wait_for()
    page.wait_for_timeout(300)
    film.take(900)
    for at in ("3,1", "4,1"):
        page.locator(f'#board-cells path[data-cell="{at}"]').click()
        page.wait_for_timeout(400)
        film.take(600)
    film.keep("serve-painted.webp")
    film.take(600)


def play_by_hand(film: Film) -> None:
    """Drag a piece onto the board, ask for a hint, and show a solution."""
    page = film.page
    page.click("#tab-play")
    page.locator("#play-table .piece").first.wait_for()
    page.wait_for_timeout(300)
    film.take(700)
    start, end = [page.locator(f"#play-table {each}").first.bounding_box() for each in (".piece", ".cell")]
    from_x, from_y, to_x, to_y = [at for box in (start, end) for at in (box["x"] + 20, box["y"] + box["height"] / 2)]
    page.mouse.move(from_x, from_y)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(from_x + (to_x - from_x) * step / 10, from_y + (to_y - from_y) * step / 10)
        page.wait_for_timeout(40)
        film.take(70)
    page.mouse.up()
    for name, said in (("hint", "Hint"), ("solve", "one solution")):
        page.wait_for_timeout(300)
        film.take(700)
        page.click(f"#play-table #{name}")
        page.locator("#play-table #status").filter(has_text=said).wait_for()
    page.wait_for_timeout(800)
    film.take(1200)


def take_apart(film: Film) -> None:
    """Open a burr of the catalogue, solve it, and take its assembly apart."""
    page = film.page
    page.evaluate("location.hash = '#burrs/six-piece-2'")
    page.locator("#title").filter(has_text="burr").wait_for()
    page.locator(VERDICT).filter(has_text="no errors").wait_for()
    page.get_by_role("button", name="Close").first.click()  # the remark about the text before
    page.click("#tab-solutions")
    page.click("#solve")
    page.locator("#viewer [data-does=back]").wait_for()
    page.wait_for_timeout(900)
    film.take(900)
    for _ in range(12):  # its moves
        page.click("#viewer [data-does=back]")
        for _ in range(4):
            page.wait_for_timeout(100)
            film.take(110)
    film.take(1500)


def play_a_game(film: Film, file: Path) -> None:
    """Place six pieces of a game by hints, choose another one and rotate it."""
    page = film.page
    file.write_text(play(subject("pentominoes/6x10", 100_000, None)), "utf-8")
    page.goto(file.as_uri())
    for number in range(1, 7):
        page.click("#hint")
        page.locator("#progress").filter(has_text=f"{5 * number} of 60").wait_for()
    page.locator("#tray button:not(.used)").first.click()
    page.keyboard.press("r")
    page.wait_for_timeout(800)
    film.keep("play.webp")


def record(path: Path) -> None:
    """Record the animation and the pictures, and write them."""
    from playwright.sync_api import sync_playwright

    from tests.services.web.serving import running

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        puzzles = Path(folder) / "puzzles"
        puzzles.mkdir()
        browser = driver.chromium.launch(executable_path=executable(), args=list(SWITCHES))
        with running(puzzles) as here:
            film = Film(browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}))
            act(film, lambda: film.page.goto(here.served.once))
            film.write(path)
        game = Film(browser.new_page(viewport={"width": GAME[0], "height": GAME[1]}, device_scale_factor=1.35))
        play_a_game(game, Path(folder) / "game.html")
        browser.close()


if __name__ == "__main__":
    record(PICTURE)
