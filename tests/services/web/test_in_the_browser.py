"""The page in a real browser, from typing to the file on disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlec import compiler, resources
from puzzlec.services.web.jobs import WebLimits
from tests.browser import Tab, findings, image_is_there
from tests.services.web.serving import Running, running

Open = Callable[..., Tab]

FAULTY = 'puzzle "Rows"\nlocations box 3x2\npiece I { xxx }\npiece I { xxx }\n'
#: The verdict on the current text.
VERDICT = "#verdict:not(.stale)"

LONG = 'puzzle "Long"\nlattice cubic\nlocations box 5x5x5\npieces pentacubes x0..1\n'


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("inside"), WebLimits(seconds=30, memory=2**29)) as found:
        yield found


def write(page: Any, text: str) -> None:
    """Replace the text, as with the keyboard; unfold the editor if it is folded."""
    if page.locator("main.folded").count():
        begins(page)
    page.focus("#source")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def box(of: Any) -> Any:
    """Return the place of an element on the page, in px; wait if the page just replaces the element."""
    for _ in range(100):
        place = of.bounding_box()
        if place is not None:
            return place
        of.page.wait_for_timeout(50)
    raise AssertionError(f"{of} has no place on the page")


def begins(page: Any) -> None:
    """Wait for the wall of puzzles, and unfold the empty editor beside it."""
    page.locator("#wall .start").first.wait_for()
    unfold = page.locator("#wall .start button").nth(4)
    if page.locator("main.folded").count() and page.viewport_size["width"] > 720:
        unfold.click()


def press_file(page: Any, name: str) -> None:
    """Click a button for files; on a phone it is in a menu."""
    if page.locator("#menu-open").is_visible():
        page.click("#menu-open")
    page.click(f"#{name}")


def open_example(page: Any) -> None:
    """Open a puzzle from the list of examples."""
    begins(page)
    page.click("#new")
    page.get_by_role("button", name="packing2d").click()
    says(page, "#title", "A garden with a pond")


def view_shows(page: Any, number: int) -> None:
    """Wait until the viewer has painted a solution, and another picture after it."""
    page.locator(f"#viewer .puzzle-view[data-first-picture][data-solution='{number}']").wait_for()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def says(page: Any, selector: str, text: str | re.Pattern[str], seconds: float = 20) -> None:
    page.locator(selector).filter(has_text=text).first.wait_for(timeout=1000 * seconds)


#: Return the names of elements in a bar that are over the next one, or too narrow for their words.
OVERLAPS = """[...document.querySelectorAll("header nav, .bar, #tabs")].flatMap((bar) => {
  const all = [...bar.children].filter((each) => each.checkVisibility() && getComputedStyle(each).position !== "fixed");
  const places = all.map((each) => each.getBoundingClientRect());
  return all.filter((each, k) => (each.matches("button") && each.scrollWidth > each.clientWidth + 1) ||
    (places[k + 1] && places[k + 1].top < places[k].bottom && places[k + 1].left < places[k].right - 1));
}).map((each) => each.id || each.textContent)"""


def test_an_error_is_shown_at_its_place_and_fixed_and_the_puzzle_is_solved(here: Running, tab: Open) -> None:
    seen = tab(here.served.address.split("?")[0], width=1440, height=860)
    page = seen.page
    says(page, "#notice", "open the address that")
    seen.complaints.clear()  # the browser says of each refusal that it was one
    page.goto(here.served.once)  # as it is opened by `puzzlec serve`
    begins(page)
    page.wait_for_url(f"**:{here.served.port}/")
    write(page, FAULTY)
    says(page, VERDICT, "1 error")
    says(page, "#faults .message", "duplicate piece I")
    says(page, "#faults .place", "line 4, PZ301")
    fault = page.locator(".ink .fault")
    assert fault.inner_text() == "I"
    # The mark is at its text: on the fourth line, below the seventh letter.
    frame, inner = box(page.locator("#source")), box(fault)
    assert abs(inner["y"] - frame["y"] - 8 - 3 * 20) < 4
    assert abs(inner["x"] - frame["x"] - 10 - 6 * inner["width"]) < 4
    seen.keep("serve-fault")
    page.locator("#faults button").click()
    page.wait_for_function("() => document.activeElement.id === 'source'")
    chosen = page.locator("#source").evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert chosen == "I"
    page.keyboard.type("J")
    says(page, VERDICT, "no errors")
    assert page.locator("#faults li").count() == 0
    assert page.locator("#pieces li").count() == 2
    says(page, "#numbers div", re.compile(r"6\s*locations|locations\s*6"))
    image_is_there(page)
    assert not page.locator("#raw").is_visible()  # one solution has no rotations to count
    page.select_option("#goal", "some")
    page.check("#raw")
    page.keyboard.press("Control+Enter")
    says(page, "#result", "2 raw solutions")
    view_shows(page, 1)
    first = seen.keep("serve-solved", "#viewer canvas")
    page.locator("#viewer").get_by_role("button", name=re.compile("next", re.IGNORECASE)).first.click()
    view_shows(page, 2)
    assert seen.difference(first, seen.keep("serve-second", "#viewer canvas")) > 0.3  # the pieces have changed places
    page.reload()
    says(page, VERDICT, "no errors")
    mended = FAULTY.replace("I { xxx }\n", "J { xxx }\n").replace("J", "I", 1)
    assert page.input_value("#source") == mended
    # The text is not saved. Another puzzle opens only after a question, and the text can be opened again.
    page.click("#open")
    page.fill("#dialog input", "soma/soma")
    page.keyboard.press("Enter")
    says(page, "#dialog-title", "Not saved")
    assert page.locator("#dialog").evaluate("each => each.offsetHeight") < 300
    page.wait_for_function("() => document.activeElement.textContent === 'Save'")
    page.get_by_role("button", name="Do not save").click()
    says(page, "#title", "Soma cube")
    page.click("#open")
    page.get_by_role("button", name="Rows").first.click()
    says(page, "#title", "Rows")
    assert page.input_value("#source") == mended
    page.locator("#dirty").wait_for()


@pytest.mark.slow
def test_solutions_turn_and_follow_each_other(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1440, height=860)
    page = seen.page
    says(page, "#title", "Soma cube")
    page.select_option("#goal", "some")
    page.fill("#limit", "5")
    page.press("#limit", "Tab")
    page.click("#solve")
    says(page, "#result", "5 distinct solutions")
    page.wait_for_url("**/#soma/soma")
    canvas = page.locator("#viewer canvas")
    view_shows(page, 1)
    first = seen.keep("serve-soma", "#viewer canvas")
    assert len([number for number in seen.colours(first).values() if number > 300]) > 5
    frame = box(canvas)
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    page.mouse.move(x, y)
    before = page.locator("#viewer .puzzle-view").get_attribute("data-view")
    page.mouse.down()
    page.mouse.move(x + 120, y + 40, steps=4)
    page.mouse.up()
    page.wait_for_function(
        "before => document.querySelector('#viewer .puzzle-view').dataset.view !== before", arg=before
    )
    view_shows(page, 1)
    turned = seen.keep("serve-soma-turned", "#viewer canvas")
    assert seen.difference(first, turned) > 0.05
    page.focus("#viewer canvas")
    page.locator("#viewer").get_by_role("button", name=re.compile("next", re.IGNORECASE)).first.click()
    view_shows(page, 2)
    assert seen.difference(turned, seen.keep("serve-soma-second", "#viewer canvas")) > 0.01
    seen.keep("serve-soma-page")


@pytest.mark.slow
def test_a_long_search_shows_progress_and_can_be_cancelled(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page = seen.page
    begins(page)
    write(page, LONG)
    page.select_option("#goal", "count")
    page.keyboard.press("Control+Enter")
    says(page, "#figures", re.compile(r"[1-9]\d* nodes"))
    before = page.locator("#figures").inner_text()
    page.locator("#figures").filter(has_not_text=before).wait_for()
    page.locator("#cancel").wait_for()
    seen.keep("serve-progress")
    page.keyboard.press("Escape")
    says(page, "#result", re.compile(r"cancelled(; no solution found so far|: at least \d.* distinct solutions? in )"))
    page.locator("#solve").wait_for()


def test_a_puzzle_is_opened_changed_and_saved_and_changes_by_others_are_noticed(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page, folder = seen.page, here.served.folder.root
    begins(page)
    page.click("#open")
    page.fill("#dialog input", "tetrahexes 4x7")
    seen.keep("serve-open")
    page.click("#dialog-close")
    page.click("#help")
    says(page, "#dialog-body dt", "Ctrl-Enter")
    page.keyboard.press("Escape")
    page.click("#open")
    page.fill("#dialog input", "tetrahexes 4x7")
    page.keyboard.press("Enter")
    says(page, "#name", "polyhexes/tetrahexes-4x7")
    page.wait_for_url("**/#polyhexes/tetrahexes-4x7")
    page.focus("#source")
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine\n")
    page.locator("#dirty").wait_for()
    page.keyboard.press("Control+S")
    says(page, "#dialog-title", "Save")
    assert page.input_value("#dialog input") == "tetrahexes-4x7.puzzle"
    page.fill("#dialog input", "mine/hexes.puzzle")
    page.keyboard.press("Enter")
    says(page, "#name", "mine/hexes.puzzle")
    assert (folder / "mine" / "hexes.puzzle").read_text() == page.input_value("#source")
    assert page.input_value("#source").endswith("# mine\n")
    page.locator("#dirty").wait_for(state="hidden")
    # Another text with the same name: no file is overwritten without a question.
    press_file(page, "save-as")
    says(page, "#dialog-title", "Save as")
    (folder / "there.puzzle").write_text("there before\n")
    page.fill("#dialog input", "there")
    page.keyboard.press("Enter")
    says(page, "#dialog-title", "Overwrite the file?")
    assert page.locator("#dialog").evaluate("each => each.offsetHeight") < 300
    page.keyboard.press("Enter")  # this must not destroy anything: the focus is on Cancel
    page.locator("#dialog").wait_for(state="hidden")
    assert (folder / "there.puzzle").read_text() == "there before\n"
    seen.complaints.clear()  # the browser says of each refusal that it was one
    # An edit by another program is noticed, and can be loaded.
    (folder / "mine" / "hexes.puzzle").write_text('puzzle "Other"\nlocations box 2x1\npiece I { xx }\n')
    says(page, "#notice", "was changed by another program")
    seen.keep("serve-changed")
    page.get_by_role("button", name="Load the new version").click()
    says(page, "#title", "Other")
    assert page.input_value("#source").startswith('puzzle "Other"')


@pytest.mark.slow
def test_a_puzzle_is_exported_with_the_right_bytes(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1200, height=800)
    page = seen.page
    says(page, "#title", "Soma cube")
    page.click("#solve")
    says(page, "#result", "1 distinct solution")
    for format, name, begins in (("dlx", "soma.dlx", b""), ("svg", "soma.svg", b"<svg"), ("html", "soma.html", b"<!")):
        page.click("#export")
        page.fill("#dialog input", format)
        with page.expect_download() as caught:
            page.locator(".choice button").filter(has=page.locator(f"small:text-is('{format}')")).click()
            if format != "dlx":
                says(page, "#dialog-title", f"Export {format}")
                page.get_by_role("button", name="Export", exact=True).click()
        assert caught.value.suggested_filename == name
        content = Path(caught.value.path()).read_bytes()
        assert content.startswith(begins)
        if format == "dlx":
            assert content.decode() == compiler.convert("soma/soma", "dlx")
        else:
            assert b"Soma cube" in content


@pytest.mark.slow
def test_an_export_follows_its_settings_and_a_refusal_ends_the_message(here: Running, tab: Open) -> None:
    pytest.importorskip("shapely")
    seen = tab(f"{here.served.address}#pentominoes/6x10", width=390, height=780)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")

    def choose(format: str) -> None:
        press_file(page, "export")
        page.fill("#dialog input", format)
        page.keyboard.press("Enter")
        says(page, "#dialog-title", f"Export {format}")

    choose("laser-svg")
    assert page.locator("#setting-width").count() == 0  # it is for sticks
    page.fill("#setting-plate", "wide")
    page.get_by_role("button", name="Export", exact=True).click()
    page.locator("#setting-plate").wait_for()  # the browser says what is wanted
    page.fill("#setting-plate", "150x200")
    page.fill("#setting-cell", "15")
    page.check("#setting-tray")
    seen.keep("serve-390-export")
    with page.expect_download() as caught:
        page.get_by_role("button", name="Export", exact=True).click()
    assert caught.value.suggested_filename == "6x10-laser.svg"
    says(page, "#toast", re.compile("6x10-laser.svg: .*12 pieces"))
    choose("laser-svg")
    assert page.input_value("#setting-cell") == "15"  # it is remembered
    page.fill("#setting-plate", "20x20")
    page.get_by_role("button", name="Export", exact=True).click()
    says(page, "#dialog-title", "Cannot export laser-svg")
    assert page.locator("#toast").inner_text() == ""
    assert "--" not in page.locator("#dialog-body").inner_text()
    page.get_by_role("button", name="Change the settings").click()
    says(page, "#dialog-title", "Export laser-svg")
    assert page.input_value("#setting-plate") == "20x20"
    page.get_by_role("button", name="Defaults").click()
    page.wait_for_function("() => document.querySelector('#setting-plate').value === ''")
    assert page.evaluate("(() => document.documentElement.scrollWidth <= innerWidth)")


@pytest.mark.slow
def test_messages_appear_once_and_only_for_their_text(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    open_example(page)
    assert page.locator("#source").evaluate("area => area.scrollWidth <= area.clientWidth")  # nothing is cut off
    write(page, "locations box 3x3\npieces tetrominos\n")
    says(page, "#faults .message", "tetrominos")
    page.locator("#before").wait_for()
    write(page, "locations box 3x3\npiece I x4 { xx }\n")
    says(page, VERDICT, "1 error")
    says(page, "#title", "Puzzle")  # it has no title, and is no longer the example
    page.click("#solve")
    says(page, "#result", "no solution, because of the error below the text")
    page.wait_for_function("() => ![...document.querySelectorAll('#reasons li')].some(each => each.checkVisibility())")
    page.set_viewport_size({"width": 390, "height": 800})
    says(page, "#reasons .message", "pieces do not fill the board")
    page.locator("#result .repeats").wait_for(state="hidden")
    page.set_viewport_size({"width": 1440, "height": 860})
    press_file(page, "save-as")
    says(page, "#dialog-title", "Save as")
    assert page.input_value("#dialog input") == "packing2d.puzzle"
    page.keyboard.press("Escape")
    # A failed check removes the old puzzle.
    page.route("**/api/check", lambda route: route.fulfill(json={"why": "internal", "message": "KeyError: 5"}))
    write(page, 'puzzle "Über  uns!"\nlocations box 3x3\n')
    says(page, VERDICT, "this is a bug in puzzlec (KeyError: 5)")
    assert page.locator("#numbers div, #board img, #pieces li").count() == 0
    says(page, "#title", re.compile("^Puzzle$"))
    press_file(page, "save-as")
    says(page, "#dialog-title", "Save as")
    assert page.input_value("#dialog input") == "über-uns.puzzle"


@pytest.mark.slow
def test_the_text_survives_a_reload_and_a_title_with_markup_stays_a_text(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page = seen.page
    begins(page)
    text = FAULTY.replace("piece I { xxx }\n", "piece I x2 { xxx }\n", 1).replace("piece I { xxx }\n", "")
    text = text.replace("Rows", "<img src=x onerror=document.body.remove()>&lt;b>")
    write(page, text)
    says(page, "#title", "<img src=x onerror=document.body.remove()>&lt;b>")
    page.reload()
    says(page, "#title", "<img src=x onerror=document.body.remove()>&lt;b>")
    assert page.input_value("#source") == text
    page.locator("#dirty").wait_for()
    page.click("#solve")
    says(page, "#result", "solution")
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.slow
def test_a_solve_is_started_once_and_left_at_any_moment(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page, asked = seen.page, seen.asked
    begins(page)
    write(page, LONG)
    says(page, "#title", "Long")
    asked.clear()
    page.evaluate("""() => {
      const press = (key, more) => document.dispatchEvent(new KeyboardEvent("keydown", { key, ...more }));
      press("Enter", { ctrlKey: true });
      press("Enter", { ctrlKey: true });
      press("Escape");
    }""")
    says(page, "#result", "cancelled")
    assert sum(address.endswith("/api/solve") for address in asked) == 1
    page.keyboard.press("Control+Enter")
    says(page, "#figures", re.compile("options|nodes"))
    page.click("#new")
    page.get_by_role("button", name="packing2d").click()
    page.get_by_role("button", name="Do not save").click()
    says(page, "#title", "A garden with a pond")
    page.keyboard.press("Control+Enter")  # at once, while the other one ends
    says(page, "#result", "1 distinct solution")
    page.click("#find-more")
    says(page, "#result", re.compile(r"^[\d,]+ distinct solutions"))
    page.locator("#outdated").wait_for(state="hidden")
    page.focus("#source")
    page.keyboard.press("Control+Home")
    page.keyboard.type("x")
    says(page, VERDICT, "error")
    page.locator("#outdated").wait_for()
    page.locator("#before").wait_for()
    page.keyboard.press("Backspace")
    says(page, VERDICT, "no errors")
    page.locator("#outdated").wait_for(state="hidden")
    page.locator("#before").wait_for(state="hidden")


@pytest.mark.slow
def test_a_browser_without_storage_works_and_asks_before_a_text_is_lost(here: Running, tab: Open) -> None:
    seen = tab("about:blank", width=1200, height=800)
    page = seen.page
    for name in ("localStorage", "sessionStorage"):
        page.add_init_script(f"Object.defineProperty(window, '{name}', {{ get() {{ throw new Error('no'); }} }})")
    page.goto(here.served.address)
    begins(page)
    write(page, FAULTY)
    says(page, VERDICT, "error")
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.reload()
    assert asked == ["beforeunload"]


@pytest.mark.slow
def test_two_windows_keep_their_texts_apart(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    one = seen.page
    begins(one)
    write(one, FAULTY)
    says(one, VERDICT, "error")
    two = seen.context.new_page()
    two.goto(here.served.address)
    says(two, VERDICT, "error")  # it starts with the last typed text
    write(two, LONG)
    says(two, "#title", "Long")
    one.reload()
    says(one, VERDICT, "error")
    assert one.input_value("#source") == FAULTY
    one.close()
    two.close()
    three = seen.context.new_page()
    three.goto(here.served.address)
    three.locator("#numbers div").first.wait_for(state="attached")
    three.click("#open")
    kept = {three.input_value("#source"), FAULTY, LONG}
    assert len(kept) == 2
    other = "Rows" if three.input_value("#source") == LONG else "Long"
    three.get_by_role("button", name=other).first.click()
    three.get_by_role("button", name="Do not save").click()
    says(three, "#name", other)
    three.locator("#dirty").wait_for()
    assert {three.input_value("#source"), FAULTY, LONG} == kept


@pytest.mark.slow
def test_a_solve_continues_after_a_reload(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page = seen.page
    begins(page)
    write(page, LONG)
    page.select_option("#goal", "count")
    page.click("#solve")
    says(page, "#figures", "nodes")
    page.reload()
    says(page, "#figures", "nodes")
    page.locator("#cancel").wait_for()
    page.click("#cancel")
    says(page, "#result", "cancelled")


@pytest.mark.slow
def test_keys_undo_indent_and_leave_the_editor(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page = seen.page
    begins(page)
    write(page, "one\ntwo")
    page.keyboard.press("Control+A")
    page.keyboard.press("Tab")
    assert page.input_value("#source") == "  one\n  two"
    page.keyboard.press("Shift+Tab")
    assert page.input_value("#source") == "one\ntwo"
    page.keyboard.press("Control+Z")
    page.keyboard.press("Control+Z")
    assert page.input_value("#source") == "one\ntwo"
    page.keyboard.press("Control+End")
    page.keyboard.press("Tab")
    page.keyboard.type("x")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert page.input_value("#source") == "one\ntwo  x\n"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("(() => document.activeElement.id)") != "source"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (768, False), (800, False), (1440, True)])
def test_windows_of_all_widths_show_every_part(here: Running, tab: Open, width: int, dark: bool) -> None:
    seen = tab(f"{here.served.address}#pentominoes/6x10", width=width, height=820, dark=dark)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")
    for part in ("text", "puzzle", "tray", "solutions"):
        if page.locator(f"#tab-{part}").is_visible():
            page.click(f"#tab-{part}")
        assert page.locator(f"#{part}").is_visible()
        if part == "solutions":
            page.click("#solve")
            says(page, "#result", "solution")
            page.wait_for_timeout(400)
        assert page.evaluate("(() => document.documentElement.scrollWidth <= innerWidth)")
        assert page.evaluate(OVERLAPS) == []
        seen.keep(f"serve-{width}-{'dark' if dark else 'light'}-{part}")


@pytest.mark.slow
def test_typing_in_a_very_long_text_is_fast(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1200, height=800)
    page = seen.page
    begins(page)
    lines = 'puzzle "Long"\nlocations box 2x1\npiece I { xx }\n' + "".join(f"# line {k}\n" for k in range(30_000))
    # Chromium takes minutes to type so much.
    page.locator("#source").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", lines
    )
    says(page, VERDICT, "no errors")
    page.focus("#source")
    page.keyboard.press("Control+End")
    page.keyboard.type("piece")
    says(page, VERDICT, "error")
    assert page.locator(".ink .line").count() < 200
    says(page, ".gutter div", "30004")


def test_a_result_is_marked_as_old_after_a_change(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    outdated = page.locator("#outdated")
    open_example(page)
    says(page, "#name", "example packing2d")
    write(page, 'puzzle "Rows"\nparam n = 2\nlocations box 3x{n}\npiece I x{n} { xxx }\n')
    says(page, "#name", re.compile("^Rows$"))
    says(page, VERDICT, "no errors")
    assert page.title() == "Rows – puzzlec"
    page.select_option("#goal", "count")
    page.keyboard.press("Control+Enter")
    says(page, "#result", "1 distinct solution")
    outdated.wait_for(state="hidden")
    page.fill('#given input[type="number"]', "3")
    outdated.wait_for()
    page.fill('#given input[type="number"]', "2")
    outdated.wait_for(state="hidden")
    page.check("#raw")
    outdated.wait_for()
    page.uncheck("#raw")
    outdated.wait_for(state="hidden")
    write(page, "")
    page.locator(".wall").wait_for()
    says(page, "#name", "untitled")
    write(page, "locations box 4x5\npieces tetrominoes\n")
    says(page, VERDICT, "1 error")
    outdated.wait_for()
    assert page.title() == "puzzlec"
    # The checkerboard of the explanation is in a monospaced font, and all of it is in sight.
    board = page.locator("#faults pre.note")
    assert board.inner_text().split("\n") == ["#o#o", "o#o#", "#o#o", "o#o#", "#o#o"]
    assert "mono" in board.evaluate("each => getComputedStyle(each).fontFamily").lower()
    below, frame = box(page.locator("#faults li")), box(page.locator("#faults"))
    assert below["y"] + below["height"] <= frame["y"] + frame["height"] + 1
    seen.keep("serve-checkerboard")


def test_further_questions_keep_the_picture_and_the_goal(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, 'puzzle "Bricks"\nlocations box 4x3\npiece I x6 { xx }\n')
    says(page, VERDICT, "no errors")
    page.keyboard.press("Control+Enter")
    says(page, "#result", "1 distinct solution")
    page.locator("#viewer canvas").wait_for()
    page.click("#count-all")
    says(page, "#result", "5 distinct solutions")
    page.locator("#viewer canvas").wait_for()
    for name in ("waiting", "count-all", "outdated"):
        page.locator(f"#{name}").wait_for(state="hidden")
    assert page.input_value("#goal") == "first"
    page.click("#find-more")
    says(page, "#result", "5 distinct solutions in")
    says(page, "#result", "search complete")
    assert page.input_value("#goal") == "first"
    page.focus("#source")
    page.keyboard.press("Control+Enter")
    says(page, "#result", re.compile("^1 distinct solution"))
    # A count for another text has no picture of the old text.
    page.keyboard.press("Control+End")
    page.keyboard.type("piece X x0..1 { x }")
    page.locator("#outdated").wait_for()
    page.click("#count-all")
    says(page, "#result", "5 distinct solutions")
    page.locator("#viewer canvas").wait_for(state="detached")
    page.locator("#outdated").wait_for(state="hidden")


def test_the_best_assembly_of_a_burr_is_shown_and_named(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    write(page, (resources.folder("puzzles") / "burrs/six-piece-2.puzzle").read_text(encoding="utf-8"))
    says(page, VERDICT, "no errors")
    page.keyboard.press("Control+Enter")
    words = "there may be more. Assembly 28 of 144 is shown: the only one that comes apart, level 5.4."
    says(page, "#result", words)
    page.click("#find-more")
    says(page, "#result", "20 distinct solutions")
    says(page, "#result", words)
    view_shows(page, 20)  # the last one is the best


def compose(input: Any, *texts: str) -> None:
    """Compose a text in steps, as an input method does."""
    for text in texts:
        input.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def test_a_composed_text_is_visible_and_one_step_of_the_history(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    page.focus("#source")
    page.keyboard.type("# ")
    method = seen.context.new_cdp_session(page)
    compose(method, "n", "ni", "niho")
    visible = page.locator("#source").evaluate(
        "area => getComputedStyle(area).color === getComputedStyle(document.body).color"
    )
    assert visible, "the textarea draws the text that is composed"
    area = box(page.locator("#source"))
    clip: Any = {**area, "height": 28}
    shown = page.screenshot(clip=clip)
    compose(method, "n")
    shorter = page.screenshot(clip=clip)
    compose(method, "に", "にほ", "にほん")
    method.send("Input.insertText", {"text": "日本"})
    seen.settles(lambda: page.input_value("#source"), "# 日本")
    seen.settles(lambda: page.locator(".ink").inner_text(), "# 日本")
    assert page.locator(".composing").count() == 0
    page.keyboard.press("Control+Z")
    assert page.input_value("#source") == "# "
    page.keyboard.press("Control+Shift+Z")
    assert page.input_value("#source") == "# 日本"
    assert seen.difference(shown, shorter) > 0


#: A text whose lines are wrapped: at spaces, in long words, with wide and combined characters, and with tabs.
WRAPPED = "\n".join(
    [
        f"# {'a comment that is much too long for the column of the editor ' * 3}",
        'puzzle "Rows"',
        f"# {'x' * 300}",
        f"#\t{'日本語のパズル ' * 12}",
        "",
        f"piece I {{ {'x' * 200} }}  # {'words ' * 40}",
        "# end",
    ]
)


@pytest.mark.parametrize("width", [1440, 390])
def test_wrapped_lines_are_drawn_in_the_rows_of_the_text_area(here: Running, tab: Open, width: int) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=width, height=860, touch=width < 500)
    page = seen.page
    says(page, "#title", "Soma cube")
    page.locator("#tab-text").evaluate("tab => tab.click()")  # it is hidden on a wide page
    write(page, WRAPPED)
    rows = """() => {
      const [area, ink] = [document.getElementById("source"), document.querySelector(".ink")];
      const lines = [...ink.children].map((line) => line.offsetHeight / 20);
      const numbers = [...document.querySelectorAll(".gutter div")].map((each) => each.offsetHeight / 20);
      const copy = area.cloneNode(); // as high as its rows
      Object.assign(copy.style, { height: "0", position: "absolute", width: `${area.offsetWidth}px` });
      area.parentElement.append(copy);
      const real = area.value.split("\\n").map((line) => ((copy.value = line), (copy.scrollHeight - 16) / 20));
      copy.remove();
      return [lines, numbers, real];
    }"""
    seen.settles(lambda: len(page.evaluate(rows)[0]), 7)
    lines, numbers, real = page.evaluate(rows)
    assert lines == numbers == real
    assert max(lines) > 2
    assert page.locator("#source").evaluate("area => area.scrollWidth <= area.clientWidth")
    page.keyboard.press("Control+End")
    page.keyboard.press("Alt+z")
    seen.settles(lambda: page.evaluate(rows)[0], [1] * 7)
    page.reload()
    page.locator("#wrap[aria-pressed=false]").wait_for(state="attached")


def test_words_are_found_and_replaced_and_lines_duplicated(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    text = 'puzzle "Rows"\nlocations box 3x2\npiece I { xxx }\npiece J { xxx }\n'
    write(page, text)
    page.keyboard.press("Control+f")
    page.keyboard.insert_text("XXX")
    says(page, ".finding output", "1 of 2")
    page.keyboard.press("Enter")
    says(page, ".finding output", "2 of 2")
    page.keyboard.press("Enter")
    says(page, ".finding output", "1 of 2")
    page.keyboard.press("Shift+Enter")
    says(page, ".finding output", "2 of 2")
    assert page.locator(".ink .hit").count() == 2
    seen.keep("serve-find")
    assert findings(page) == []
    page.get_by_label("Replace with").fill("xx$&")
    page.get_by_role("button", name="Replace", exact=True).click()
    assert page.input_value("#source") == text.replace("J { xxx", "J { xx$&")
    says(page, ".finding output", "1 of 1")
    page.get_by_role("button", name="Replace all").click()
    assert page.input_value("#source") == text.replace("xxx", "xx$&")
    says(page, ".finding output", "0 places")
    page.keyboard.press("Escape")
    page.locator(".finding").wait_for(state="hidden")
    for _ in range(2):
        page.keyboard.press("Control+z")
    assert page.input_value("#source") == text
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+d")
    page.keyboard.press("End")
    page.keyboard.type("!")
    first, second, *_ = page.input_value("#source").splitlines()
    assert (first, second) == ('puzzle "Rows"', 'puzzle "Rows"!')


def test_tab_passes_the_empty_editor_and_indents_a_text(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1440, height=860)
    page = seen.page
    begins(page)
    said = page.locator("#source").evaluate(
        "area => area.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent)"
    )
    assert "press Esc, then Tab" in " ".join(said)
    page.focus("#source")
    page.keyboard.press("Tab")
    assert page.input_value("#source") == ""
    assert page.evaluate("document.activeElement.id") != "source"
    assert page.locator("#dirty").is_hidden()
    page.focus("#source")
    page.keyboard.type("x")
    page.keyboard.press("Tab")
    assert page.input_value("#source") == "x  "
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "source"


MINE = 'puzzle "Mine"\nlocations box 2x1\npiece A { xx }\n'


def beside(seen: Tab, address: str) -> Any:
    """Return another page of the same browser at an address, with the same storage."""
    page = seen.context.new_page()
    page.goto(address)
    return page


def written(seen: Tab) -> None:
    """Write an unsaved text, and wait until the browser has stored it."""
    write(seen.page, MINE)
    says(seen.page, "#title", "Mine")
    seen.settles(lambda: "Mine" in (seen.page.evaluate("localStorage.getItem('puzzlec-page')") or ""))


@pytest.mark.parametrize("name", ["soma/soma", "soma/soma&raw=1"])
def test_a_link_replaces_an_unsaved_text_of_another_tab_and_offers_it_back(here: Running, tab: Open, name: str) -> None:
    seen = tab(here.served.address)
    begins(seen.page)
    written(seen)
    other = beside(seen, f"{here.served.address}#{name}")
    says(other, "#title", "Soma cube")
    says(other, "#notice", "kept as a draft: Mine")
    other.get_by_role("button", name="Open the draft").click()
    says(other, "#title", "Mine")
    assert other.input_value("#source") == MINE
    other.locator("#dirty").wait_for()
    assert seen.page.input_value("#source") == MINE


def test_a_link_to_the_puzzle_of_a_changed_text_opens_it_unchanged_except_after_a_reload(
    here: Running, tab: Open
) -> None:
    seen = tab(f"{here.served.address}#soma/soma")
    page = seen.page
    says(page, "#title", "Soma cube")
    page.focus("#source")
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine\n")
    seen.settles(lambda: "# mine" in (page.evaluate("localStorage.getItem('puzzlec-page')") or ""))
    other = beside(seen, f"{here.served.address}#soma/soma")
    says(other, "#notice", "kept as a draft")
    assert "# mine" not in other.input_value("#source")
    page.reload()
    says(page, "#title", "Soma cube")
    assert page.input_value("#source").endswith("# mine\n")
    assert page.locator("#notice").is_hidden()


def test_a_changed_address_replaces_the_text_and_offers_it_back(here: Running, tab: Open) -> None:
    seen = tab(here.served.address)
    begins(seen.page)
    written(seen)
    seen.page.evaluate("location.hash = '#queens/8'")
    says(seen.page, "#title", "Queens")
    says(seen.page, "#notice", "kept as a draft: Mine")
    seen.page.locator("#notice").get_by_role("button", name="Close").click()
    seen.page.locator("#notice").wait_for(state="hidden")


def test_a_frame_leaves_the_text_of_the_page_alone(here: Running, tab: Open) -> None:
    seen = tab(here.served.address)
    begins(seen.page)
    written(seen)
    frame = beside(seen, f"{here.served.address}#soma/soma&solution=1&embed=1")
    model = frame.locator("#viewer .puzzle-view[data-first-picture]")
    model.wait_for(timeout=60_000)
    assert frame.locator("#notice").is_hidden()
    assert frame.locator("#editor").is_hidden()
    assert frame.locator("#result").is_hidden()
    assert frame.evaluate("document.querySelector('#viewer canvas').clientHeight / innerHeight") > 0.85
    assert str(frame.locator("#whole").get_attribute("href")).endswith("/#soma/soma&solution=1")
    kept = "[localStorage.getItem('puzzlec-page'), sessionStorage.length, localStorage.getItem('puzzlec-drafts')]"
    last, own, drafts = frame.evaluate(kept)
    assert ("Mine" in last, "Soma" in last, own, "Soma" in (drafts or "")) == (True, False, 0, False)
    frame.reload()
    model.wait_for(timeout=60_000)


@pytest.mark.parametrize(
    ("language", "solutions", "one", "lattice", "where"),
    [
        ("en-GB", "2,339 solutions", "1 distinct solution in", "lattice square", "folder in"),
        ("de", "2.339 Lösungen", "1 Lösung in", "Gitter: Quadrate", "Ordner „in"),
    ],
)
def test_numbers_and_names_are_written_as_in_the_language(
    here: Running, tab: Open, language: str, solutions: str, one: str, lattice: str, where: str
) -> None:
    page = tab(here.served.address, width=1440, height=860, language=language).page
    says(page, ".wall [data-name='pentominoes/6x10'] small", solutions)
    says(page, "#where", where)
    write(page, FAULTY.replace("piece I { xxx }\npiece I", "piece I { xxx }\npiece J"))
    says(page, "#lattice", lattice)
    page.keyboard.press("Control+Enter")
    says(page, "#result", one)


@pytest.mark.parametrize("language", ["en-GB", "de"])
def test_the_buttons_of_the_header_are_in_one_row_beside_the_text(here: Running, tab: Open, language: str) -> None:
    seen = tab(here.served.address, width=768, height=860, language=language)
    seen.page.locator(".wall li").first.wait_for()
    seen.keep(f"serve-768-{language}")
    tops = seen.page.locator("body > header button:visible").evaluate_all("all => all.map(each => each.offsetTop)")
    assert max(tops) - min(tops) < 8
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_mark_leads_to_the_wall_and_an_unsaved_text_is_asked_for(here: Running, tab: Open) -> None:
    page = tab(f"{here.served.address}#soma/soma", width=1440, height=860).page
    says(page, "#title", "Soma cube")
    page.click("#home")
    page.locator(".wall li").first.wait_for()
    assert page.input_value("#source") == ""
    page.wait_for_function("() => location.hash === ''")
    write(page, MINE)
    says(page, "#title", "Mine")
    page.click("#home")
    says(page, "#dialog-title", "Not saved")
    page.keyboard.press("Escape")
    assert page.input_value("#source") == MINE
    page.click("#home")
    page.get_by_role("button", name="Do not save").click()
    page.locator(".wall li").first.wait_for()


@pytest.mark.parametrize("part", ["text", "puzzle", "tray", "stages", "solutions"])
def test_solve_is_on_each_tab_of_a_phone(here: Running, tab: Open, part: str) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=390, height=844, touch=True)
    page = seen.page
    page.locator("#numbers div").first.wait_for(state="attached")
    page.tap(f"#tab-{part}")
    page.locator("#solve").wait_for()
    seen.keep(f"serve-phone-{part}")
    box = page.locator("#solve").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    assert box["y"] + box["height"] <= 844
    page.tap("#solve")
    says(page, "#result", "1 distinct solution")
    page.tap("#tab-play")  # the game has a button to solve
    page.locator("#play-table .piece").first.wait_for()
    assert page.locator("#head #solve").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


#: The words of a card, and the part of its height that its picture takes: a script.
CARD = """async () => {
  const { card } = await import("./sharing.js");
  const words = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    words.push(text);
    return write.call(this, text, ...more);
  };
  const made = await card();
  CanvasRenderingContext2D.prototype.fillText = write;
  const { data, width } = made.getContext("2d").getImageData(0, 0, made.width, made.height - 170);
  const filled = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at] < 200) filled.add(Math.floor(at / 4 / width));
  return [words, filled.size / made.height];
}"""


def test_a_card_says_which_part_of_all_solutions_it_shows_and_its_picture_fills_it(here: Running, tab: Open) -> None:
    page = tab(f"{here.served.address}#pentominoes/6x10", width=1280, height=800).page
    says(page, VERDICT, "no errors")
    page.click("#solve")
    page.locator("#viewer .puzzle-view[data-first-picture]").wait_for()
    words, part = page.evaluate(CARD)
    assert words == ["one of 2,339 solutions", "Pentominoes 6 x 10", "puzzlec"]
    assert part > 0.5


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_export_shows_the_picture_that_is_there_beside_files_that_show_it(
    here: Running, tab: Open, width: int, dark: bool
) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=width, height=844, dark=dark)
    page = seen.page
    page.locator("#verdict.good").wait_for(state="attached")
    for solved in (False, True):
        if solved:
            page.click("#solve")
            page.locator("#viewer .puzzle-view[data-first-picture]").wait_for()
        press_file(page, "export")
        page.locator(".choice img").first.wait_for()
        rows = "rows => rows.map(row => [row.textContent, row.querySelector('img')?.naturalWidth ?? 0])"
        sizes = dict(page.locator(".choice button").evaluate_all(rows))
        of = {key: next(size for text, size in sizes.items() if text.endswith(key)) for key in ("svg", "stl", "dlx")}
        assert of["svg"] == of["stl"] > 40
        assert of["dlx"] == 0
        assert findings(page) == []
        seen.keep(f"export-{width}-{solved}")
        page.keyboard.press("Escape")


def test_a_very_tall_flat_puzzle_lies_on_its_side_on_its_card(here: Running, tab: Open) -> None:
    page = tab(here.served.address, width=1280, height=800).page
    begins(page)
    write(page, "locations box 2x16\npiece I x8 { xxxx }\n")
    says(page, VERDICT, "no errors")
    page.click("#solve")
    page.locator("#viewer .puzzle-view[data-first-picture]").wait_for()
    extent = """async () => {
      const { card } = await import("./sharing.js");
      const made = await card();
      const { data } = made.getContext("2d").getImageData(0, 0, made.width, made.height - 170);
      const xs = [];
      for (let at = 0; at < data.length; at += 4) if (data[at] < 200) xs.push((at / 4) % made.width);
      return (xs.reduce((a, b) => Math.max(a, b)) - xs.reduce((a, b) => Math.min(a, b))) / made.width;
    }"""
    assert page.evaluate(extent) > 0.85


def test_reasons_are_in_the_language_of_the_page(here: Running, tab: Open) -> None:
    seen = tab(here.served.address, width=1280, height=800, language="de-DE")
    page = seen.page
    begins(page)
    write(page, "locations box 3x2\npiece A { xxx/xxx/xxx }\n")
    says(page, "#faults .message", "die Teile sind größer als das Brett")
    says(page, "#faults .note", "die Teile belegen 9 Felder, 3 mehr, als es gibt")
    says(page, "#faults .help", "entferne Teile, oder ergänze Felder")
    page.click("#solve")
    says(page, "#result", "keine Lösung")
    assert page.locator("#reasons li:not(.repeated)").count() == 0  # the text has them already
    seen.keep("reasons-de")


def test_the_divider_follows_a_finger(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1000, height=700, touch=True)
    page = seen.page
    says(page, "#title", "Soma cube")
    place, finger = box(page.locator("#divider")), seen.context.new_cdp_session(page)

    def touch(kind: str, *at: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(at)})

    touch("touchStart", {"x": place["x"] + place["width"] / 2, "y": 300})
    for x in (450, 500, 560, 600):
        touch("touchMove", {"x": x, "y": 300 + x / 10})
    touch("touchEnd")
    assert box(page.locator("#text"))["width"] == pytest.approx(600, abs=8)
    assert place["width"] >= 24


def test_the_model_has_a_large_part_of_a_small_window(here: Running, tab: Open) -> None:
    page = tab(f"{here.served.address}#soma/soma", width=1000, height=700).page
    says(page, VERDICT, "no errors")
    page.keyboard.press("Control+Enter")
    says(page, "#result", "1 distinct solution")
    page.locator("#further").wait_for()
    page.locator("#viewer canvas").wait_for()
    assert box(page.locator("#viewer canvas"))["height"] > 0.38 * 700


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (390, False)])
def test_paper_gets_the_board_with_given_values_and_pieces_and_no_tools(
    here: Running, tab: Open, width: int, dark: bool
) -> None:
    seen = tab(f"{here.served.address}#new/sudoku", width=width, height=844, dark=dark)
    page = seen.page
    page.locator("#board img").wait_for(state="attached")
    page.emulate_media(media="print")
    assert page.locator("button:visible").all_inner_texts() == page.locator("#pieces button").all_inner_texts()
    assert not page.locator("#text, #tabs, #solve, #board-cells, #verdict").filter(visible=True).count()
    assert page.evaluate("document.querySelector('#board img').naturalWidth") > 200
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 36, 43)"


def test_the_files_of_a_phone_are_in_one_menu(here: Running, tab: Open) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=390, height=844, touch=True, dark=True)
    page = seen.page
    says(page, "#title", "Soma cube")
    assert box(page.locator("body > header"))["height"] < 60
    page.tap("#menu-open")
    assert page.locator("#menu button:visible").count() == 6
    assert findings(page) == []
    seen.keep("serve-phone-menu")
    page.tap("#title")
    assert not page.locator("#menu").is_visible()
    page.tap("#menu-open")
    page.tap("#share")
    says(page, "#dialog-title", "Share")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.id === 'menu-open'")
    assert page.get_attribute("#menu-open", "aria-expanded") == "false"


@pytest.mark.parametrize("touch", [False, True])
def test_the_divider_sets_the_width_of_the_text_also_after_a_reload(here: Running, tab: Open, touch: bool) -> None:
    seen = tab(f"{here.served.address}#soma/soma", width=1000, height=700, touch=touch)
    page = seen.page
    says(page, "#title", "Soma cube")

    def width() -> float:
        return float(box(page.locator("#text"))["width"])

    before, place = width(), box(page.locator("#divider"))
    page.mouse.move(place["x"] + 4, 300)
    page.mouse.down()
    page.mouse.move(600, 300, steps=4)
    page.mouse.up()
    assert width() == pytest.approx(600, abs=8)
    page.focus("#divider")
    page.keyboard.press("ArrowLeft")
    assert width() == pytest.approx(580, abs=8)
    page.reload()
    says(page, "#title", "Soma cube")
    assert width() == pytest.approx(580, abs=8)
    page.keyboard.press("Tab")
    page.locator("#divider").dblclick()
    assert width() == pytest.approx(before, abs=8)


def test_share_first_offers_files_that_open_without_puzzlec(here: Running, tab: Open, tmp_path: Path) -> None:
    page = tab(f"{here.served.address}#pentominoes/6x10", width=1280, height=800).page
    says(page, VERDICT, "no errors")
    page.click("#share")
    says(page, "#dialog", "The link opens on this computer only")
    with page.expect_download() as caught:
        page.get_by_role("button", name="Game to play").click()
    caught.value.save_as(tmp_path / "game.html")
    assert caught.value.suggested_filename == "6x10-game.html"
    assert "Pentominoes 6 x 10" in (tmp_path / "game.html").read_text(encoding="utf-8")
