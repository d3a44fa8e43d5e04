"""The page for everyone: by keys and a screen reader, by a thumb, in the dark, and in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.services.web.jobs import WebLimits
from puzzlec.show.words.languages import languages
from tests.browser import Tab, findings, keep
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import VERDICT, beside, press_file, says
from tests.services.web.test_painting import becomes
from tests.tools.site import links

Open = Callable[..., Tab]

#: Keeps all that live regions say, in their order.
LISTEN = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]'))
    new MutationObserver(() => heard.push(region.textContent.trim()))
      .observe(region, { childList: true, characterData: true, subtree: true });
}"""

#: The elements to press that are smaller than a thumb, also in the game.
SMALL = """() => {
  const shadow = document.getElementById('play-table').shadowRoot;
  const selector = 'button, select, summary, input:not([type=checkbox]), label:has(input)';
  const dialog = document.getElementById('dialog');
  const parts = dialog.open ? [dialog] : [document, shadow].filter(Boolean);
  return parts.flatMap((part) => [...part.querySelectorAll(selector)])
    .filter((found) => found.checkVisibility() && found.getBoundingClientRect().height
      && (found.getBoundingClientRect().height < 43.5 || found.getBoundingClientRect().width < 43.5))
    .map((found) => found.outerHTML.slice(0, 90));
}"""

#: A puzzle that a colouring proves to have no solution.
PROVED = "locations box 5x4\npieces tetrominoes\n"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def luminance(colour: str) -> float:
    """The relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_all_words_of_a_text_have_contrast_on_all_that_marks_a_line() -> None:
    # A line has its mark for a moment only, so tests in a browser seldom see it.
    style = Path(str(files("puzzlec") / "services/web/static/style.css")).read_text(encoding="utf-8")
    schemes = [dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in re.findall(r":root \{(.*?)\}", style, re.S)]
    assert len(schemes) == 2
    for colours in schemes:
        words = [name for name in colours if name.startswith("hl-") or name in {"ink", "faint"}]
        for back, word in product(("paper", "fresh", "error-back", "warning-back"), words):
            dark, light = sorted(map(luminance, (colours[back], colours[word])))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (back, word)


def tab_to(page: Any, selector: str, key: str = "Tab") -> None:
    """Press Tab, or another key, until an element has the focus."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        if page.evaluate("document.activeElement.id") == "source":
            page.keyboard.press("Escape")  # in the editor, Tab indents
        page.keyboard.press(key)
    raise AssertionError(f"Tab does not reach {selector}")


def heard(page: Any, words: str) -> None:
    """Wait until a live region has said a text."""
    page.wait_for_function("words => heard.some((text) => text.includes(words))", arg=words, timeout=20_000)


def test_keys_and_a_screen_reader_go_from_new_to_share(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page, keys = seen.page, seen.page.keyboard
    page.locator("#wall .start").first.wait_for()
    page.evaluate(LISTEN)
    tab_to(page, "#new", "Shift+Tab")  # the search of the wall has the focus
    keys.press("Enter")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-label') === 'Search examples'")
    keys.type("flat pieces")
    keys.press("Enter")
    heard(page, "no errors")
    text = page.input_value("#source")
    tab_to(page, "#tab-puzzle")
    tab_to(page, "#board-cells svg")
    keys.press("ArrowRight")
    says(page, "#said", re.compile(r"^column \d+, row \d+: (covered|empty)$"))
    before = page.inner_text("#said")
    keys.press("ArrowDown")
    page.locator("#said").filter(has_not_text=before).wait_for()
    said = page.inner_text("#said")
    place, state = re.fullmatch(r"(column \d+, row \d+): (covered|empty)", said).groups()  # type: ignore[union-attr]
    keys.press("Space")
    heard(page, f"{place}: {'empty' if state == 'covered' else 'covered'}")
    page.wait_for_function("text => document.getElementById('source').value !== text", arg=text)
    keys.press("Space")
    becomes(page, text)
    says(page, "#said", re.compile(f"^{re.escape(said)}$"))
    keys.press("Control+Enter")
    heard(page, "1 distinct solution in")
    tab_to(page, "#share")
    keys.press("Enter")
    says(page, "#dialog-title", "Share")
    assert page.evaluate("document.getElementById('dialog').getAttribute('aria-labelledby')") == "dialog-title"
    tab_to(page, "#dialog .row button")
    keys.press("Enter")
    page.wait_for_function("() => heard.some((text) => /copied|press Ctrl-C/.test(text))")
    keys.press("Escape")
    page.wait_for_function("() => document.activeElement.id === 'share'")


def test_a_chosen_language_is_kept_and_the_document_follows(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1440, height=860, language="de-AT")
    page = seen.page
    says(page, VERDICT, "keine Fehler")
    assert page.evaluate("document.documentElement.lang") == "de"
    names = page.locator("#language option").all_inner_texts()
    assert names == [file["name"] for file in languages().values()]
    page.click("#solve")
    says(page, "#result", re.compile(r"^1 Lösung in \d+,\d s; es kann weitere geben$"))
    assert page.locator("#viewer .controls").get_attribute("aria-label") == "Bedienung"
    page.click("#tab-puzzle")
    page.locator("#board-cells path.on").first.click()
    says(page, "#dialog p", "Durch eine Zeichnung ersetzen?")
    page.keyboard.press("Escape")
    says(page, "#said", re.compile(r"^Spalte \d+, Zeile \d+, Schicht 1: leer$"))
    page.select_option("#language", "en")
    says(page, VERDICT, "no errors")
    page.reload()
    says(page, VERDICT, "no errors")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.input_value("#language") == "en"
    # No word of the page was missing: a key has a point, and no space.
    assert not re.search(r"\b(?:view|game|stages|tray)\.[a-z]+", page.inner_text("body"))


def dialogs(page: Any) -> Iterator[str]:
    """Open each dialog, and the wall in a dialog."""
    for name in ("new", "open", "export", "share", "help"):
        if name == "help":
            page.click("#help")
        else:
            press_file(page, name)
        page.locator("#dialog[open] #dialog-body > *").first.wait_for()
        if name in ("new", "open"):
            page.locator("#dialog .choice img").first.wait_for()
        yield name
        if name == "open":
            page.locator("#dialog .search button").click()
            page.locator("#dialog .wall button").first.wait_for()
            yield "wall"
        page.click("#dialog-close")


@pytest.mark.parametrize(
    ("width", "dark", "language"),
    [
        (1440, False, "de"),
        (390, True, "en"),
        pytest.param(1440, True, "en", marks=pytest.mark.slow),
        pytest.param(390, False, "de", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_and_targets_are_as_wide_as_a_thumb(
    here: Running, tab: Open, width: int, dark: bool, language: str
) -> None:
    is_phone = width < 500
    seen = tab(here.served.address, width=width, height=844, dark=dark, touch=is_phone, language=language)
    page = seen.page

    def verify(state: str, page: Any = page) -> None:
        page.wait_for_timeout(250)  # until colours have changed
        assert findings(page) == [], state
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        keep(page.screenshot(), f"everyone-{width}-{language}-{state}", seen.folder)
        if is_phone:
            assert page.evaluate(SMALL) == [], state

    page.locator(".wall li").first.wait_for()
    verify("start")
    page.goto(f"{here.served.address}#interlocking/cube-3-level-4")
    page.locator("#pieces button").first.wait_for(state="attached")
    for part in ("text", "puzzle", "tray", "play", "solutions", "stages"):
        if not page.locator(f"#tab-{part}").is_visible():
            continue
        page.click(f"#tab-{part}")
        if part == "tray":
            page.locator("#pieces button").first.click()
            page.locator("#piece-options button").first.wait_for()
        if part == "play":
            page.locator("#play-table .piece").first.click()
        if part == "solutions":
            page.click("#solve")
            page.click("#exploring summary")
            page.locator("#exploring-moves button").first.wait_for()
        if part == "stages":
            page.click("#step-on")
        verify(part)
    for name in dialogs(page):
        verify(name)
    proof = beside(seen, f"{here.served.address}#{links.fragment(PROVED)}")
    if is_phone:
        proof.click("#tab-puzzle")
    for step in range(3):
        proof.locator("#board-proof li").nth(step).wait_for()
        verify(f"proof-{step}", proof)
        proof.click("#board-proof button")
    frame = beside(seen, f"{here.served.address}#soma/soma&solution=1&embed=1")
    frame.locator("#viewer .puzzle-view[data-first-picture]").wait_for()
    verify("embedded", frame)
    frame.focus("#whole")
    verify("embedded-bar", frame)
