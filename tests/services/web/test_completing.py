"""Writing in the editor of the page: completion, meanings of names, brackets and comments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec.services.web.jobs import WebLimits
from tests.browser import Tab, findings
from tests.services.web.serving import Running, running
from tests.services.web.test_in_the_browser import begins, says, write
from tests.services.web.test_painting import becomes

Open = Callable[..., Tab]

PENTOMINOES = "locations box 6x10\npieces pentominoes only "


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def words(here: Running, text: str, at: int | None = None, **more: Any) -> list[str]:
    """Return the words that the server offers."""
    answer = here.post("/api/complete", {"text": text, "page": "a", "at": len(text) if at is None else at, **more})
    assert answer.status == 200, answer.body
    return [offer["text"] for offer in answer.json["offers"]]


def test_the_words_are_those_of_the_grammar_and_the_names_of_the_text(here: Running) -> None:
    assert words(here, "lattice tri")[:1] == ["triangle"]
    assert "locations" in words(here, "lo")
    assert words(here, "locations box 2x2\npiece Corner { xx/x. }\nplace Co") == ["Corner"]
    assert words(here, "locations box 2x2\nplace ", pieces=["One", "Two"])[:2] == ["One", "Two"]
    assert words(here, "# loca") == []  # a comment
    assert words(here, "")[:2] == ["puzzle", "lattice"]
    assert words(here, "<svg/>", format="piezas") == []


def test_an_offer_of_a_shape_has_its_picture(here: Running) -> None:
    answer = here.post("/api/complete", {"text": PENTOMINOES, "page": "a", "at": len(PENTOMINOES)}).json
    shapes = {offer["text"]: offer["picture"] for offer in answer["offers"] if offer["picture"]}
    assert set("FILNPTUVWXYZ") <= set(shapes)
    assert all(picture["svg"].startswith("<svg") for picture in shapes.values())
    assert answer["start"] == len(PENTOMINOES)


def test_libraries_of_the_lattice_have_a_picture(here: Running) -> None:
    text = "locations box 6x10\npieces "
    offers = here.post("/api/complete", {"text": text, "page": "a", "at": len(text)}).json["offers"]
    seen = {offer["text"]: offer["picture"] for offer in offers if offer["what"] == "library"}
    assert {"dominoes", "pentominoes"} <= {name for name, picture in seen.items() if picture}
    assert "soma" not in seen


def explained(here: Running, text: str, word: str, **more: Any) -> dict[str, Any]:
    """Return what the server says about the last place of a word in a text."""
    answer = here.post("/api/explain", {"text": text, "page": "a", "at": text.rindex(word), **more})
    assert answer.status == 200, answer.body
    return dict(answer.json)


def test_a_name_is_explained_also_in_a_text_with_errors(here: Running) -> None:
    text = "param n = 2\nlocations box {n}x3\npiece Bar x3 { xx }\n"
    found = explained(here, text, "Bar")
    assert found["markdown"].startswith("piece `Bar` x3: 2 cells")
    assert "```text" in found["markdown"]
    assert text[found["start"] : found["end"]] == "Bar"
    assert explained(here, text, "n}")["markdown"] == "parameter `n` = 2"
    assert "6 locations" in explained(here, text, "box")["markdown"]
    assert "4 locations" not in explained(here, text, "box", parameters={"n": 4})["markdown"]
    assert "12 locations" in explained(here, text, "box", parameters={"n": 4})["markdown"]
    faulty = "locations box 2x3\npieces soma\npeice A { x }\n"
    assert "7 pieces" in explained(here, faulty, "soma")["markdown"]
    assert "markdown" not in explained(here, "# a comment", "comment")
    assert "markdown" not in explained(here, "<svg/>", "svg", format="piezas")


def test_the_mouse_and_a_key_explain_names(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1000, height=800)
    page, keys = seen.page, seen.page.keyboard
    begins(page)
    # The second line is so long that it is wrapped before the name.
    write(page, 'puzzle "Words"\n' + "# word" * 30 + "\nlocations box 6x10\npieces pentominoes\n")
    begun = page.input_value("#source").index("pentominoes")
    meaning = page.locator("#meaning")
    page.focus("#source")
    page.locator("#source").evaluate("(area, at) => area.setSelectionRange(at, at)", begun + 3)
    keys.press("Control+i")
    says(page, "#meaning", "12 pieces")
    assert findings(page) == []
    keys.press("Escape")
    assert meaning.is_hidden()
    line = page.locator(".ink .line, .ink > *").filter(has_text="pieces pentominoes").last.bounding_box()
    assert line is not None
    page.mouse.move(line["x"] + 90, line["y"] + line["height"] / 2, steps=4)
    says(page, "#meaning", "12 pieces")
    seen.keep("serve-meaning")
    page.mouse.move(line["x"] + 300, line["y"] + 200, steps=4)
    page.wait_for_function("() => document.getElementById('meaning').hidden")


@pytest.mark.parametrize(
    "more", [{"at": -1}, {"at": 99}, {"at": "1"}, {"at": 1, "pieces": [1]}, {"at": 1, "pieces": "A"}]
)
def test_a_position_outside_the_text_and_other_names_are_refused(here: Running, more: dict[str, Any]) -> None:
    assert here.post("/api/complete", {"text": "loc", "page": "a", **more}).status == 400
    if "pieces" not in more:
        assert here.post("/api/explain", {"text": "loc", "page": "a", **more}).status == 400


def test_words_appear_while_typing_and_keys_or_a_click_take_one(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800)
    page, keys = seen.page, seen.page.keyboard
    offers = page.locator("#offers li")
    begins(page)
    keys.type("lat")
    offers.filter(has_text="lattice").first.wait_for()
    assert page.locator("#offers").get_attribute("role") == "listbox"
    keys.press("Enter")  # no word is chosen, so this is a line
    becomes(page, "lat\n")
    keys.press("Backspace")
    keys.press("Control+Space")
    page.locator("#offers [aria-selected=true]").filter(has_text="lattice").wait_for()
    assert findings(page) == []
    keys.press("Tab")
    becomes(page, "lattice")
    assert not page.locator("#offers").is_visible()
    write(page, "# \U0001f9e9\n" + PENTOMINOES)
    keys.press("Control+Space")
    offers.locator("img").first.wait_for()
    seen.keep("completion")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    last = page.locator("#offers [aria-selected=true] b").inner_text()
    assert last == offers.last.locator("b").inner_text()
    keys.press("Escape")
    page.locator("#offers").wait_for(state="hidden")
    keys.press("Control+Space")
    offers.filter(has_text="W").first.click()
    seen.settles(lambda: page.input_value("#source")[-6:], "only W")
    keys.press("Control+z")
    seen.settles(lambda: page.input_value("#source")[-5:], "only ")
    write(page, "locations box 4x2\npiece A x8 { x }\npiece B x0..1 { xx }\n")
    says(page, "#verdict", "no errors")
    keys.type("place ")
    keys.press("Control+Space")
    offers.filter(has_text="A").locator("img").wait_for()  # the pieces of the text have pictures as well


def test_brackets_are_closed_and_lines_become_comments(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800)
    page, keys = seen.page, seen.page.keyboard
    begins(page)
    keys.type("piece A {")
    becomes(page, "piece A {}")
    keys.type(" xx }")
    becomes(page, "piece A { xx }")
    keys.press("Enter")
    keys.type("locations {")
    keys.press("Enter")
    keys.type("xx")
    becomes(page, "piece A { xx }\nlocations {\n  xx\n}")
    keys.press("Control+a")
    keys.press("Control+/")
    becomes(page, "# piece A { xx }\n# locations {\n  # xx\n# }")
    keys.press("Control+/")
    becomes(page, "piece A { xx }\nlocations {\n  xx\n}")
