"""The page in a real browser: what is painted, and that every control does what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

from puzzlec.ir import Fitting, Solution
from puzzlec.ir.solution import Placement
from puzzlec.pictures import subject, view
from puzzlec.pipeline import compile, parse
from puzzlec.render.page import page, page_data, viewer_source, viewer_style
from puzzlec.render.palette import COLOURS, rgb
from puzzlec.render.subject import Subject
from puzzlec.solution.assembly import assembly
from tests.browser import Tab

Opener = Callable[..., Tab]

slow = pytest.mark.slow

#: A puzzle for each way of showing one.
SHOWN = (
    "soma",
    pytest.param("pentominoes/6x10", marks=slow),
    pytest.param("polyhexes/tetrahexes-4x7", marks=slow),
    "polysticks/tetrasticks-5x5",
    pytest.param("balls/kanoodle-pyramid", marks=slow),
    pytest.param("prisms/prisgon-markus", marks=slow),
    pytest.param("tetoct/dumbbells-tetrahedron", marks=slow),
    pytest.param("rhombic/hexsticks", marks=slow),
    pytest.param("hypercubes/dominoes-2x2x2x2", marks=slow),
    pytest.param("edges/macmahon-squares", marks=slow),
)


@cache
def page_of(name: str, limit: int = 3) -> str:
    return view(name, limit)


@pytest.fixture
def shown(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens the page of a puzzle, and waits for its first picture."""

    def show(text: str, **settings: Any) -> Tab:
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        found = tab(path.as_uri(), **{"width": 560, "height": 400, **settings})
        found.page.wait_for_selector("#view[data-shown=chart], #view[data-first-picture]")
        return found

    return show


def state(seen: Tab) -> dict[str, str]:
    """What the page says of itself."""
    return dict(seen.page.evaluate("({...document.getElementById('view').dataset})"))


def picture(seen: Tab) -> bytes:
    """The canvas, once nothing moves on it any more."""
    wait = (
        "document.activeElement.blur(), new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    seen.page.evaluate(wait)
    return seen.page.locator("canvas").screenshot()


def hue_of(colour: tuple[float, float, float]) -> float:
    """Where a colour is on the circle of colours, 0 to 6."""
    most, least = max(colour), min(colour)
    red, green, blue = colour
    if most == red:
        return (green - blue) / (most - least) % 6
    return (blue - red) / (most - least) + 2 if most == green else (red - green) / (most - least) + 4


def painted(seen: Tab, png: bytes, hue: str) -> int:
    """How many pixels are of the colour ``#rrggbb``, in the light or in the shade: of its hue, and about as full."""

    def fullness(colour: tuple[float, float, float]) -> float:
        return (max(colour) - min(colour)) / max(max(colour), 1)

    wanted = rgb(hue)
    found = 0
    for colour, number in seen.colours(png).items():
        if max(colour) < 60 or abs(fullness(colour) - fullness(wanted)) > 0.12 or fullness(colour) < 0.1:
            continue
        apart = abs(hue_of(colour) - hue_of(wanted))
        found += number if min(apart, 6 - apart) < 0.18 else 0
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_a_solution_is_painted_in_the_colours_of_its_pieces(shown: Opener, name: str) -> None:
    seen = shown(page_of(name))
    png = picture(seen)
    seen.keep(f"view-{name.replace('/', '-')}")
    assert len(seen.colours(png)) > 30
    data = page_data(subject(name, 3))
    pieces = len(data["pieces"]) if isinstance(data["pieces"], list) else 0
    there = [hue for hue in COLOURS[:pieces] if painted(seen, png, hue) > 80]
    assert len(there) >= min(pieces, 2 if name.startswith("edges/") else 6)
    assert seen.asked == []


def test_the_picture_turns_comes_nearer_moves_and_goes_back(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, first, home = seen.page, picture(seen), state(seen)["view"]
    acts: list[Callable[[], None]] = [
        lambda: page.keyboard.press("ArrowLeft"),
        lambda: page.keyboard.press("Shift+ArrowUp"),
        lambda: page.keyboard.press("+"),
        lambda: page.mouse.wheel(0, -300),
        lambda: _dragged(seen, "left"),
        lambda: _dragged(seen, "right"),
    ]
    for act in acts:
        page.mouse.move(200, 200)
        act()
        assert state(seen)["view"] != home
        assert seen.difference(first, picture(seen)) > 0.02
        page.keyboard.press("r")
        assert state(seen)["view"] == home
        page.mouse.move(2, 2)
        assert seen.difference(first, picture(seen)) < 0.002
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="back to the first view").click()
    assert state(seen)["view"] == home


def _dragged(seen: Tab, button: Literal["left", "right"]) -> None:
    seen.page.mouse.down(button=button)
    seen.page.mouse.move(260, 230, steps=3)
    seen.page.mouse.up(button=button)


def test_pieces_are_selected_hidden_and_shown_again(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, first = seen.page, picture(seen)
    orange = COLOURS[1]
    assert painted(seen, first, orange) > 1000
    page.get_by_role("button", name="hide L", exact=True).click()
    assert state(seen)["hidden"] == "L"
    assert painted(seen, picture(seen), orange) < 20
    page.get_by_role("button", name="show all").click()
    assert state(seen)["hidden"] == ""
    assert painted(seen, picture(seen), orange) > 1000
    box = page.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.72)
    assert state(seen)["selected"] == "L"
    assert "L selected" in page.locator(".status").inner_text()
    assert page.locator(".label").inner_text() == "L 4 cells"
    pale = picture(seen)
    assert painted(seen, pale, orange) > 1000
    assert painted(seen, pale, COLOURS[4]) < painted(seen, first, COLOURS[4]) / 4
    seen.keep("view-selected")
    page.keyboard.press("h")
    assert (state(seen)["hidden"], state(seen)["selected"]) == ("L", "")
    page.keyboard.press("a")
    page.get_by_role("button", name="L", exact=True).click()
    assert state(seen)["selected"] == "L"
    page.keyboard.press("Escape")
    assert state(seen)["selected"] == ""


def test_pieces_are_exploded(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    first = picture(seen)
    seen.page.keyboard.press("e")
    assert state(seen)["explode"] == "0.25"
    quarter = picture(seen)
    assert seen.difference(first, quarter) > 0.05
    slider = seen.page.get_by_role("slider", name="explode")
    slider.fill("100")
    assert state(seen)["explode"] == "1.00"
    assert seen.difference(quarter, picture(seen)) > 0.05
    seen.keep("view-exploded")
    slider.fill("0")
    assert seen.difference(first, picture(seen)) < 0.002


def test_the_assembly_goes_step_by_step(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, whole = seen.page, picture(seen)
    page.keyboard.press(",")
    assert state(seen)["step"] == "6"
    assert "6 of 7 pieces" in page.locator(".status").inner_text()
    less = picture(seen)
    assert seen.difference(whole, less) > 0.02
    page.get_by_role("button", name="one piece back").click()
    assert state(seen)["step"] == "5"
    assert "comes from above" in page.locator(".status").inner_text()
    page.get_by_role("slider", name="steps of the assembly").fill("0")
    assert page.locator(".status").inner_text().endswith("0 of 7 pieces")
    assert all(painted(seen, picture(seen), hue) < 20 for hue in COLOURS[:5])
    page.keyboard.press(".")
    page.get_by_role("button", name="one piece more").click()
    assert state(seen)["step"] == "2"
    page.get_by_role("slider", name="steps of the assembly").fill("7")
    assert seen.difference(whole, picture(seen)) < 0.002


@pytest.mark.slow
def test_the_assembly_plays_and_pieces_fly_in(shown: Opener) -> None:
    seen = shown(page_of("soma"), calm=False)
    page = seen.page
    page.get_by_role("slider", name="steps of the assembly").fill("5")
    page.wait_for_timeout(600)
    before = picture(seen)
    page.get_by_role("button", name="play the assembly").click()
    assert state(seen)["playing"] == "true"
    page.wait_for_timeout(150)
    one = picture(seen)
    page.wait_for_timeout(150)
    assert seen.difference(before, one) > 0.001
    assert seen.difference(one, picture(seen)) > 0.001
    page.wait_for_selector("#view[data-playing=false]")
    assert state(seen)["step"] == "7"
    page.keyboard.press(" ")
    assert state(seen)["playing"] == "true"
    page.keyboard.press(" ")
    assert state(seen)["playing"] == "false"


@pytest.mark.slow
def test_without_motion_the_assembly_plays_in_jumps(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    seen.page.get_by_role("slider", name="steps of the assembly").fill("6")
    seen.page.get_by_role("button", name="play the assembly").click()
    seen.page.wait_for_selector("#view[data-playing=false]")
    assert state(seen)["step"] == "7"


def test_one_walks_through_the_solutions(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, first = seen.page, picture(seen)
    assert "solution 1 of 3" in page.locator(".status").inner_text()
    page.keyboard.press("n")
    second = picture(seen)
    assert state(seen)["solution"] == "2"
    assert seen.difference(first, second) > 0.02
    page.get_by_role("button", name="next solution").click()
    page.keyboard.press("n")
    assert state(seen)["solution"] == "3"
    page.get_by_role("button", name="previous solution").click()
    page.mouse.move(2, 2)
    assert seen.difference(second, picture(seen)) < 0.002
    page.keyboard.press("p")
    assert state(seen)["solution"] == "1"
    number = page.get_by_role("spinbutton", name="number of the solution")
    number.fill("3")
    number.press("Enter")
    assert state(seen)["solution"] == "3"
    number.fill("77")
    number.press("Enter")
    assert (state(seen)["solution"], number.input_value()) == ("3", "3")


@pytest.mark.slow
def test_the_board_borders_and_keys_are_shown_when_asked_for(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, first = seen.page, picture(seen)
    page.get_by_role("slider", name="steps of the assembly").fill("2")
    few = picture(seen)
    board = page.get_by_role("button", name="the empty board")
    board.click()
    assert board.get_attribute("aria-pressed") == "true"
    assert seen.difference(few, picture(seen)) > 0.01
    seen.keep("view-board")
    page.keyboard.press("b")
    assert state(seen)["board"] == "false"
    page.get_by_role("slider", name="steps of the assembly").fill("7")
    page.keyboard.press("c")
    assert 0.001 < seen.difference(first, picture(seen)) < 0.1
    page.get_by_role("button", name="keys").click()
    assert page.get_by_role("dialog", name="keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog", name="keys").is_visible()


@pytest.mark.slow
def test_the_picture_is_saved_and_fills_the_screen(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    with seen.page.expect_download() as saving:
        seen.page.get_by_role("button", name="save the picture").click()
    assert saving.value.suggested_filename == "soma-cube.png"
    content = Path(saving.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert painted(seen, content, COLOURS[1]) > 1000
    seen.page.get_by_role("button", name="full screen").click()
    seen.page.wait_for_selector("#view:fullscreen")


@pytest.mark.slow
def test_what_is_pointed_at_is_named(shown: Opener) -> None:
    seen = shown(page_of("pentominoes/6x10"))
    page = seen.page
    page.evaluate("document.getElementById('view').addEventListener('piece', e => { window.told = e.detail; })")
    box = page.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    name = state(seen)["hovered"]
    assert len(name) == 1
    picture(seen)
    assert page.locator(".label").inner_text() == f"{name} 5 cells"
    assert page.evaluate("window.told.name") == name
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    assert state(seen)["hovered"] == ""


def test_fingers_turn_and_pinch_and_tap_on_a_telephone(shown: Opener) -> None:
    seen = shown(page_of("soma"), width=390, height=780, touch=True)
    page = seen.page
    home = state(seen)["view"].split()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seen.keep("view-telephone")
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[int, int]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (150, 300))
    touch("touchMove", (190, 310))
    touch("touchMove", (220, 320))
    touch("touchEnd")
    turned = state(seen)["view"].split()
    assert turned[0] != home[0]
    assert turned[2] == home[2]
    touch("touchStart", (150, 300), (230, 300))
    touch("touchMove", (130, 320), (260, 320))
    touch("touchEnd")
    pinched = state(seen)["view"].split()
    assert float(pinched[2]) > 1.2
    assert pinched[:2] == turned[:2]
    assert pinched[3:] != turned[3:]
    page.touchscreen.tap(195, 330)
    assert state(seen)["selected"]


def test_every_control_is_reached_by_keys_and_has_a_name(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    script = """() => [...document.querySelectorAll('#view button, #view input, #view canvas')].map(each => {
      each.focus();
      const name = each.getAttribute('aria-label') || each.textContent;
      return [each === document.activeElement || each.disabled, name.trim()];
    })"""
    found = seen.page.evaluate(script)
    assert len(found) > 25
    assert all(reached and name for reached, name in found), found
    seen.page.locator("canvas").focus()
    seen.page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert seen.page.evaluate(outline) != "none"


@pytest.mark.slow
def test_the_page_is_dark_where_people_want_it_so(shown: Opener) -> None:
    brightness = []
    for dark in (False, True):
        seen = shown(page_of("soma"), dark=dark)
        corner = seen.colours(seen.page.screenshot(clip={"x": 5, "y": 100, "width": 20, "height": 20}))
        brightness.append(max(map(max, corner)))
    seen.keep("view-dark")
    assert brightness[0] > 230
    assert brightness[1] < 50


def test_without_webgl_the_same_things_are_painted_plainly(shown: Opener) -> None:
    rich = shown(page_of("soma"))
    plain = shown(page_of("soma"), webgl=False)
    assert (state(rich)["painter"], state(plain)["painter"]) == ("webgl", "canvas")
    assert "no WebGL" in plain.page.locator(".notice").inner_text()
    for hue in (COLOURS[1], COLOURS[5]):
        both = painted(rich, picture(rich), hue), painted(plain, picture(plain), hue)
        assert both[0] == pytest.approx(both[1], rel=0.35)
    plain.page.keyboard.press("e")
    plain.keep("view-without-webgl")
    plain.page.get_by_role("button", name="hide L", exact=True).click()
    assert painted(plain, picture(plain), COLOURS[1]) < 20


@pytest.mark.slow
def test_without_scripts_there_is_a_picture(tab: Opener, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page_of("soma"), encoding="utf-8")
    seen = tab((tmp_path / "page.html").as_uri(), scripts=False)
    assert painted(seen, seen.page.screenshot(), COLOURS[1]) > 300
    seen.keep("view-without-scripts")


def test_a_puzzle_without_geometry_is_a_table(shown: Opener) -> None:
    seen = shown(page_of("cover/items"))
    page = seen.page
    rows = page.locator("tbody tr")
    data = page_data(subject("cover/items", 3))
    assert page.locator("thead th").all_inner_texts()[1:] == data["locations"]
    solution = subject("cover/items", 3).solutions[0]
    covered = rows.evaluate_all("rows => rows.map(row => [...row.cells].flatMap((c, k) => c.className ? [k - 1] : []))")
    assert covered == [list(each.locations) for each in solution.placements]
    page.keyboard.press("n")
    assert "solution 2 of 2" in page.locator(".status").inner_text()
    seen.keep("view-table")


def test_what_a_person_writes_is_shown_as_it_is_and_runs_nothing(shown: Opener) -> None:
    evil = "</script><script>document.title='run'</script><b>'\"&amp;🧩"
    fitting = compile(parse('puzzle "x"\nlocations box 2x1\npiece I { xx }'), "fitting")
    assert isinstance(fitting, Fitting)
    object.__setattr__(fitting, "title", evil)
    object.__setattr__(fitting.pieces[0], "name", evil)
    seen = shown(page(subject(fitting, 1)))
    assert seen.page.title() == evil
    assert seen.page.locator("h1").inner_text() == evil
    assert seen.page.locator("li .text").inner_text() == evil


#: Solids on every lattice that pieces can be moved out of; in hexsticks all of them interlock.
SOLIDS = (
    "soma",
    "prisms/pairs-hexagon-2",
    "balls/ball-room-tetrahedron",
    "hypercubes/dominoes-2x2x2x2",
    "pentominoes/3x20",
)
MORE = (
    "soma",
    "solid-pentominoes/ohno-block",
    "balls/kanoodle-pyramid",
    "tetoct/dumbbells-tetrahedron",
    "octants/four-piece-tetrahedron",
    "rhombic/broken-sticks",
    "hypercubes/dominoes-3x2x2x2",
    "polycubes/bedlam-cube",
    "tetoct/pairs-octahedron",
)


def steps_in(seen: Tab, data: dict[str, object]) -> list[dict[str, Any]]:
    """The assembly of the first solution as the page works it out."""
    script = """data => {
      const element = document.createElement('div');
      document.body.append(element);
      const view = new PuzzleView(element, data);
      const found = view._steps();
      view.destroy();
      element.remove();
      return found;
    }"""
    return list(seen.page.evaluate(script, json.loads(json.dumps(data))))


@pytest.fixture
def blank(tab: Opener, tmp_path: Path) -> Tab:
    """A page with the program and nothing in it."""
    text = f"<!DOCTYPE html><style>{viewer_style()}</style><body><script>{viewer_source()}</script></body>"
    (tmp_path / "blank.html").write_text(text, encoding="utf-8")
    return tab((tmp_path / "blank.html").as_uri())


def check_assembly(seen: Tab, name: str, limit: int = 1) -> None:
    shown = subject(name, limit, None)
    for solution in shown.solutions:
        wanted = assembly(solution)
        steps = steps_in(seen, page_data(Subject(shown.fitting, (solution,))))
        together = [step["bodies"] for step in steps if step["way"] is None]
        assert together == ([list(wanted.together)] if wanted.together else []), name
        assert [step["bodies"][0] for step in steps if step["way"] is not None] == [
            step.placement for step in wanted.steps
        ], name


def test_the_page_finds_the_same_assembly_as_the_program(blank: Tab) -> None:
    for name in SOLIDS:
        check_assembly(blank, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_the_page_finds_the_same_assemblies_for_more_solutions(blank: Tab, name: str) -> None:
    check_assembly(blank, name, 4)


def test_other_data_keep_the_view_where_the_board_is_the_same_and_nothing_stays_behind(blank: Tab) -> None:
    soma, other = (json.loads(json.dumps(page_data(subject(name, 2)))) for name in ("soma", "pentominoes/3x20"))
    script = """([soma, other]) => {
      const before = Object.keys(globalThis).length, found = [];
      const element = document.createElement('div');
      element.style.height = '300px';
      document.body.append(element);
      const view = new PuzzleView(element, soma, {header: false});
      const first = element.dataset.view;
      element.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
      const turned = element.dataset.view;
      view.load(soma);
      found.push(first !== turned, element.dataset.view === turned);
      view.load(other);
      found.push(element.dataset.view !== turned, element.dataset.shown === 'flat');
      view.destroy();
      found.push(element.childElementCount === 0, element.className === '');
      element.remove();
      found.push(Object.keys(globalThis).length === before);
      return found;
    }"""
    assert blank.page.evaluate(script, [soma, other]) == [True] * 7


def bars(size: tuple[int, int, int], length: int) -> Subject:
    """A box filled with bars that lie along x."""
    wide, deep, high = size
    text = f'puzzle "bars"\nlattice cubic\nlocations box {wide}x{deep}x{high}\npiece bar x* {{ {"x" * length} }}'
    fitting = compile(parse(text), "fitting")
    assert isinstance(fitting, Fitting)
    placements = list(fitting.pieces[0].placements)
    used: set[int] = set()
    chosen = []
    for number, row in enumerate(placements):
        if row[-1] - row[0] == length - 1 and used.isdisjoint(row):
            used.update(row)
            chosen.append(Placement(0, number, row))
    assert len(used) == fitting.locations
    return Subject(fitting, (Solution(fitting, tuple(chosen)),))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1, 1), (5, 4, 3), (5, 10, 10)])
def test_one_cell_sixty_and_five_hundred_are_shown(
    shown: Opener, record_property: Callable[[str, object], None], size: tuple[int, int, int]
) -> None:
    seen = shown(page(bars(size, size[0])))
    record_property("first picture, ms", state(seen)["firstPicture"])
    assert painted(seen, picture(seen), COLOURS[0]) > 1000


@pytest.mark.slow
def test_ten_thousand_cells_are_shown_and_taken_apart(
    shown: Opener, record_property: Callable[[str, object], None]
) -> None:
    seen = shown(page(bars((20, 25, 20), 4)))
    record_property("first picture, ms", state(seen)["firstPicture"])
    assert painted(seen, picture(seen), COLOURS[0]) > 1000
    seen.keep("view-ten-thousand")
    seen.page.keyboard.press(",")
    assert "2499 of 2500 pieces" in seen.page.locator(".status").inner_text()


@pytest.mark.slow
def test_a_hundred_thousand_solutions_are_on_one_page(shown: Opener) -> None:
    found = subject("polycubes/bedlam-cube", 100_000, None, "none")
    text = page(found)
    assert len(text) < 6_000_000
    seen = shown(text)
    number = seen.page.get_by_role("spinbutton", name="number of the solution")
    number.fill("99999")
    number.press("Enter")
    assert "solution 99999 of 100000" in seen.page.locator(".status").inner_text()
