"""The page in a real browser: the painted picture, and the effect of every control."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations, pairwise
from math import cos, sin, tan
from typing import Any, Literal

import pytest

from puzzlec.compiler import compile, parse
from puzzlec.geometry.faces import place
from puzzlec.make.outputs import subject, view
from puzzlec.motion.shown import Planner
from puzzlec.motion.straight import assembly
from puzzlec.show.page.data import page_data
from puzzlec.show.page.writing import page
from puzzlec.show.palette import COLOURS, PALETTES
from puzzlec.show.scene import solution_scene
from puzzlec.show.svg.grain import grain_way
from puzzlec.solving.subject import Subject
from tests.browser import Tab, findings
from tests.show.page_seen import Opener, page_of, painted, picture, says, state
from tests.show.test_ruling import CALCUDOKU, CUBES

slow = pytest.mark.slow

#: A puzzle for each form of display.
SHOWN = (
    "soma",
    "pentominoes/6x10",
    "polyhexes/tetrahexes-4x7",
    "polysticks/tetrasticks-5x5",
    "balls/kanoodle-pyramid",
    "prisms/prisgon-markus",
    "tetoct/dumbbells-tetrahedron",
    "rhombic/hexsticks",
    "hypercubes/dominoes-2x2x2x2",
    "tiles/macmahon-squares",
)


def test_no_piece_is_cut_off_while_a_burr_comes_apart(shown: Opener) -> None:
    seen = shown(view(subject("burrs/six-piece-2", 200)), width=420, height=420)
    moves = 0
    while state(seen)["step"] != "0":
        seen.page.keyboard.press(",")
        moves += 1
        says(seen, f"move {12 - moves} of 12")
        assert seen.rim(picture(seen)) == 0
    assert moves == 12


@slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_solution_is_painted_in_the_colours_of_its_pieces(shown: Opener, name: str) -> None:
    seen = shown(page_of(name))
    png = picture(seen)
    seen.keep(f"view-{name.replace('/', '-')}")
    assert len(seen.colours(png)) > 30
    data = page_data(subject(name, 3))
    pieces = len(data["pieces"]) if isinstance(data["pieces"], list) else 0
    there = [hue for hue in COLOURS[:pieces] if painted(seen, png, hue) > 80]
    assert len(there) >= min(pieces, 2 if name.startswith("tiles/") else 6)
    assert seen.asked == []


def test_another_palette_paints_the_pieces_again(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    assert painted(seen, picture(seen), COLOURS[3]) > 80
    seen.page.get_by_label("colours of the pieces").select_option("wood")
    png = picture(seen)
    seen.settles(lambda: state(seen)["palette"], "wood")
    assert painted(seen, png, COLOURS[3]) < 20
    assert painted(seen, png, PALETTES["wood"][4]) > 80
    row = seen.page.locator("li", has_text="A").locator(".swatch")
    seen.settles(lambda: row.evaluate("each => each.style.background"), "rgb(199, 154, 75)")


@pytest.mark.parametrize("size", ["5x1", "1x5"])
def test_the_grain_of_wood_runs_along_a_piece(shown: Opener, size: str) -> None:
    def shades(palette: str) -> list[int]:
        """The number of colours in a row and in a column of pixels within a cell."""
        text = view(parse(f"locations box {size}\npiece I {{ xxxxx }}"), palette=palette)
        seen = shown(text, width=560, height=560)
        canvas = seen.page.locator("canvas").bounding_box()
        assert canvas is not None
        at = {"x": canvas["x"] + canvas["width"] / 2 - 15, "y": canvas["y"] + canvas["height"] / 2 - 15}
        clips: list[Any] = [{**at, "width": 30, "height": 1}, {**at, "width": 1, "height": 30}]
        return [len(seen.colours(seen.page.screenshot(clip=clip))) for clip in clips]

    assert max(shades("standard")) <= 2
    row, column = shades("wood")
    assert row < column if size == "5x1" else column < row


@pytest.mark.parametrize("name", ["soma", "tetoct/pairs-octahedron", "burrs/six-piece-2"])
def test_the_grain_has_the_direction_that_pictures_have(blank: Tab, name: str) -> None:
    script = """data => {
      const view = new PuzzleView(document.body.appendChild(document.createElement("div")), data);
      return view.bodies.map(body => body.grain);
    }"""
    found = subject(name, 1)
    scene = solution_scene(found.solutions[0])
    assert scene is not None
    lattice = scene.lattice
    grains = blank.page.evaluate(script, json.loads(json.dumps(page_data(found))))
    assert [number for *_, number in grains] == [1 + k for k in range(len(scene.bodies))]
    for body, (*way, _) in zip(scene.bodies, grains, strict=True):
        expected = grain_way(lattice, body.cells, lambda cell: place(lattice, lattice.point(cell)))
        assert sum(a * b for a, b in zip(way, expected, strict=True)) == pytest.approx(1, abs=1e-3), body.name


def test_wood_looks_different_along_and_across_the_grain_and_without(shown: Opener) -> None:
    seen = shown(view(parse("lattice cubic\nlocations box 3x3x3\npiece I x9 { xxx }"), palette="wood"))
    pictures = [seen.keep("view-wood", "canvas")]
    for grain in ("[0, 0, 1, body.number + 1]", "null"):
        seen.page.evaluate(f"for (const body of view.bodies) body.grain = {grain}; view._draw()")
        pictures.append(picture(seen))
    assert all(seen.difference(one, two) > 0.01 for one, two in combinations(pictures, 2))


def test_the_shadow_fades_before_the_picture_ends(shown: Opener) -> None:
    seen = shown(page_of("tetoct/pairs-octahedron"), width=900, height=640)
    canvas = seen.page.locator("canvas").first.bounding_box()
    assert canvas is not None
    right, bottom = canvas["x"] + canvas["width"], canvas["y"] + canvas["height"]

    def lightness(x: float, y: float, width: float, height: float) -> set[int]:
        clip: Any = {"x": x, "y": y, "width": width, "height": height}
        return {max(hue) for hue in seen.colours(seen.page.screenshot(clip=clip))}

    (page,) = lightness(canvas["x"] + 4, canvas["y"] + 4, 40, 40)
    assert min(lightness(canvas["x"] + 200, bottom - 150, 250, 20)) < page  # there is a shadow
    rows = [min(lightness(canvas["x"] + 200, bottom - up, 250, 2)) for up in range(56, 0, -8)]
    assert max(later - row for row, later in pairwise(rows)) <= 8  # no edge
    assert lightness(canvas["x"] + 4, bottom - 3, canvas["width"] - 8, 2) == {page}
    assert lightness(right - 3, canvas["y"] + 4, 2, canvas["height"] - 8) == {page}


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
        seen.settles(lambda: state(seen)["view"] != home)
        if act in acts[:3]:
            assert seen.difference(first, picture(seen)) > 0.02
        page.keyboard.press("r")
        seen.settles(lambda: state(seen)["view"], home)
        page.mouse.move(2, 2)
    assert seen.difference(first, picture(seen)) < 0.002
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="back to the first view").click()
    seen.settles(lambda: state(seen)["view"], home)


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
    seen.settles(lambda: state(seen)["hidden"], "L")
    assert painted(seen, picture(seen), orange) < 20
    page.get_by_role("button", name="show all").click()
    seen.settles(lambda: state(seen)["hidden"], "")
    assert painted(seen, picture(seen), orange) > 1000
    box = page.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.72)
    seen.settles(lambda: state(seen)["selected"], "L")
    says(seen, "L selected")
    label = page.locator(".label:visible")  # shown with the next frame
    label.wait_for()
    seen.settles(label.inner_text, "L 4 cells")
    pale = picture(seen)
    assert painted(seen, pale, orange) > 500  # the label covers a part of it
    assert painted(seen, pale, COLOURS[4]) < painted(seen, first, COLOURS[4]) / 4
    seen.keep("view-selected")
    page.keyboard.press("h")
    seen.settles(lambda: (state(seen)["hidden"], state(seen)["selected"]), ("L", ""))
    page.keyboard.press("a")
    page.get_by_role("button", name="L", exact=True).click()
    seen.settles(lambda: state(seen)["selected"], "L")
    page.keyboard.press("Escape")
    seen.settles(lambda: state(seen)["selected"], "")


def test_the_assembly_goes_step_by_step(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, whole = seen.page, picture(seen)
    page.keyboard.press(",")
    seen.settles(lambda: state(seen)["step"], "6")
    says(seen, "6 of 7 pieces")
    less = picture(seen)
    assert seen.difference(whole, less) > 0.02
    page.get_by_role("button", name="one step back").click()
    seen.settles(lambda: state(seen)["step"], "5")
    says(seen, "comes from above")
    page.get_by_role("slider", name="steps of the assembly").fill("0")
    seen.settles(lambda: page.locator(".status").inner_text().endswith("0 of 7 pieces"))
    assert all(painted(seen, picture(seen), hue) < 20 for hue in COLOURS[:5])
    page.keyboard.press(".")
    page.get_by_role("button", name="one step forward").click()
    seen.settles(lambda: state(seen)["step"], "2")
    page.get_by_role("slider", name="steps of the assembly").fill("7")
    assert seen.difference(whole, picture(seen)) < 0.002


def test_controls_step_through_the_solutions(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page, first = seen.page, picture(seen)
    says(seen, "solution 1 of 3")
    assert page.locator(".status .unseen").inner_text() == "solution 1 of 3"  # the toolbar has the number
    page.keyboard.press("n")
    second = picture(seen)
    seen.settles(lambda: state(seen)["solution"], "2")
    assert seen.difference(first, second) > 0.02
    page.get_by_role("button", name="next solution").click()
    page.keyboard.press("n")
    seen.settles(lambda: state(seen)["solution"], "3")
    page.get_by_role("button", name="previous solution").click()
    page.mouse.move(2, 2)
    assert seen.difference(second, picture(seen)) < 0.002
    page.keyboard.press("p")
    seen.settles(lambda: state(seen)["solution"], "1")
    number = page.get_by_role("spinbutton", name="number of the solution")
    number.fill("3")
    number.press("Enter")
    seen.settles(lambda: state(seen)["solution"], "3")
    number.fill("77")
    number.press("Enter")
    seen.settles(lambda: (state(seen)["solution"], number.input_value()), ("3", "3"))


def test_every_control_is_reached_by_keys_and_has_a_name(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    script = """() => [...document.querySelectorAll('#view button, #view input, #view canvas')].filter(each =>
      each.checkVisibility()).map(each => {
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


#: Puzzles of each form of display, and keys that lead to further states: the list of keys, a step, a hidden piece.
STATES = {"soma": "?,np", "pentominoes/6x10": "?h", "queens/8": "n", "cover/items": ""}


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing_in_a_view(shown: Opener, name: str, width: int, dark: bool) -> None:
    seen = shown(page_of(name), width=width, height=700, dark=dark, touch=width < 500)
    assert findings(seen.page) == []
    for key in STATES[name]:
        seen.page.keyboard.press(key)
        assert findings(seen.page) == [], key


def test_a_puzzle_without_geometry_is_a_table(shown: Opener) -> None:
    seen = shown(page_of("cover/items"))
    page = seen.page
    rows = page.locator("tbody tr")
    data = page_data(subject("cover/items", 3))
    assert page.locator("thead th").all_inner_texts()[1:] == data["locations"]
    solution = subject("cover/items", 3).solutions[0]
    covered = rows.evaluate_all("rows => rows.map(row => [...row.cells].flatMap((c, k) => c.className ? [k - 1] : []))")
    assert covered == [list(placement.locations) for placement in solution.placements]
    page.keyboard.press("n")
    says(seen, "solution 2 of 2")
    seen.keep("view-table")


def test_text_of_users_is_shown_literally_and_runs_nothing(shown: Opener) -> None:
    evil = "</script><script>document.title='run'</script><b>'\"&amp;🧩"
    fitting = compile(parse('puzzle "x"\nlocations box 2x1\npiece I { xx }'), stage="fitting")
    object.__setattr__(fitting, "title", evil)
    object.__setattr__(fitting.pieces[0], "name", evil)
    seen = shown(page(subject(fitting, 1)))
    assert seen.page.title() == evil
    assert seen.page.locator("h1").inner_text() == evil
    assert seen.page.locator("li .text").inner_text() == evil


#: Solids on every lattice, from which pieces can be moved out; in hexsticks all pieces interlock.
SOLIDS = ("soma", "hypercubes/dominoes-2x2x2x2", "pentominoes/3x20")
MORE = (
    "prisms/pairs-hexagon-2",
    "balls/ball-room-tetrahedron",
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
    """The assembly of the first solution, computed by the page."""
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


@slow
def test_a_page_colours_pieces_as_pictures_do(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    script = """data => {
      const element = document.createElement('div');
      document.body.append(element);
      const view = new PuzzleView(element, data);
      const found = view.bodies.map(body => body.hue);
      view.destroy();
      element.remove();
      return found;
    }"""
    texts = (
        "locations box 8x8\npiece D x32 { xx }",
        "locations box 9x5\npiece I x5 { xxx }\npiece V x6 { xx/x. }\npiece D x6 { xx }",
        "lattice cubic\nlocations box 3x3x2\npiece I x3 { xx }\npiece V x4 { xx/x. }",
        "lattice cubic\nlocations box 4x4x3\npiece D x24 { xx }",
    )
    names = (
        "soma",
        "polycubes/bedlam-cube",
        "tori/dominoes-torus-4x4",
        "tori/pentominoes-alike-5x5",
        "hypercubes/dominoes-3x2x2x2",
        "prisms/pairs-hexagon-2",
    )
    for what in (*texts, *names):
        found = subject(compile(parse(what)) if what in texts else what, 1, None)
        scene = solution_scene(found.solutions[0])
        assert scene is not None
        drawn = list(seen.page.evaluate(script, json.loads(json.dumps(page_data(found)))))
        assert drawn == [body.hue for body in scene.bodies], found.title


def test_a_coloured_piece_shows_which_way_it_lies(shown: Opener) -> None:
    puzzle = parse("colours r b\nlocations box 2x1\npiece D { rb }\n")
    seen = shown(view(subject(puzzle, None, symmetry="none")))
    first = picture(seen)
    says(seen, "1 of 2")
    seen.page.get_by_role("button", name="next solution").click()
    second = picture(seen)
    seen.keep("view-coloured-piece")
    assert seen.difference(first, second) > 0.02
    seen.page.get_by_role("button", name="D", exact=True).click()
    label = seen.page.locator(".label:visible")
    label.wait_for()
    seen.settles(label.inner_text, "D 2 cells, b r")


def check_assembly(seen: Tab, name: str, limit: int = 1) -> None:
    shown = subject(name, limit, None)
    for solution in shown.solutions:
        wanted = assembly(solution)
        data = page_data(Subject(shown.fitting, (solution,)))
        data.pop("plans", None)
        steps = steps_in(seen, data)
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


def test_new_data_keep_only_the_view_and_only_for_the_same_board(blank: Tab) -> None:
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


#: A chiral piece, and single cells of other colours around it.
HANDED = """puzzle "handed"
lattice cubic
locations box 2x2x2
piece A { xx .x / x. .. }
piece I { x }
piece J { x }
piece K { x }
piece M { x }
"""


def data_of(name: str, limit: int = 2) -> dict[str, Any]:
    return dict(json.loads(json.dumps(page_data(subject(name, limit)))))


def test_the_picture_and_the_board_return_after_lost_graphics(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page = seen.page
    page.keyboard.press("b")
    for _ in range(4):
        page.keyboard.press(",")
    before = picture(seen)
    page.evaluate("""new Promise(done => {
      const canvas = document.querySelector("canvas");
      const losing = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
      canvas.addEventListener("webglcontextlost", () => setTimeout(() => losing.restoreContext(), 20));
      canvas.addEventListener("webglcontextrestored", () => setTimeout(done, 50));
      losing.loseContext();
    })""")
    assert not page.locator(".notice").is_visible()
    assert seen.difference(before, picture(seen)) < 0.002


def test_the_focus_stays_where_it_is_when_pieces_are_hidden_by_keys(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    page = seen.page
    eye = page.get_by_role("button", name="hide L", exact=True)
    eye.focus()
    page.keyboard.press("Enter")
    seen.settles(lambda: eye.get_attribute("aria-pressed"), "true")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "hide L"
    every = page.get_by_role("button", name="show all")
    every.focus()
    page.keyboard.press("Enter")
    assert every.is_disabled()
    seen.settles(lambda: page.evaluate("document.activeElement.tagName"), "CANVAS")
    number = page.get_by_role("spinbutton", name="number of the solution")
    before = page.evaluate("document.getElementById('view').dataset.view")
    number.focus()
    page.keyboard.type("2e,.+-hbr ")
    assert page.evaluate("document.getElementById('view').dataset.view") == before
    assert page.evaluate("document.getElementById('view').dataset.explode") == "0.00"
    number.fill("")
    number.press("Enter")
    seen.settles(number.input_value, "1")


def test_a_sudoku_is_a_grid(shown: Opener) -> None:
    seen = shown(page_of("new/sudoku"))
    rows = seen.page.locator(".grid tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.textContent))")
    assert [sorted(row) for row in rows] == [sorted("123456789")] * 9
    assert rows[0][:3] == ["5", "3", "4"]
    grid, chart = (seen.page.locator(name).evaluate("each => each.offsetHeight") for name in (".grid", ".chart"))
    assert grid > 0.75 * chart
    assert not seen.page.locator("table.covers").is_visible()
    seen.page.click("summary")
    seen.page.locator("table.covers").wait_for()
    seen.keep("view-sudoku")


def test_the_address_has_the_shown_solution_and_view(shown: Opener) -> None:
    seen = shown(page_of("soma", limit=5))
    page = seen.page
    start = page.url
    assert "#" not in start
    page.keyboard.press("n")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(",")
    page.wait_for_function("() => ['solution=2', 'turn=', 'step=6'].every(part => location.hash.includes(part))")
    state = "() => ['solution', 'view', 'step'].map(name => document.getElementById('view').dataset[name])"
    before, address = page.evaluate(state), page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#view[data-first-picture]")
    seen.settles(lambda: page.evaluate(state), before)
    page.goto(f"{start}#solution=99&turn=x&step=-1&palette=none")  # wrong values are left out
    page.wait_for_function("() => document.getElementById('view').dataset.solution === '5'")


def test_a_piece_on_the_page_is_not_a_mirror_image(shown: Opener) -> None:
    """The cells in the picture are at their places in a right-handed space: right, away, up; computed in Python."""
    found = subject(parse(HANDED), 1)
    seen = shown(view(found))
    box = seen.page.locator("canvas").bounding_box()
    assert box is not None
    assert found.puzzle is not None
    lattice = found.puzzle.lattice
    assert lattice is not None
    owner = {
        found.puzzle.points[location]: found.puzzle.pieces[placement.number].name
        for placement in found.solutions[0].placements
        for location in placement.locations
    }
    places = {point: place(lattice, point) for point in owner}
    assert list(places[0, 1, 0]) == [0, -1, 0]
    assert list(places[0, 0, 1]) == [0, 0, 1]
    yaw, pitch = map(float, state(seen)["view"].split()[:2])
    # The eye looks at the middle of the cube from the front (away is +y), the right and above.
    right = (cos(yaw), sin(yaw), 0.0)
    towards = (sin(yaw) * cos(pitch), -cos(yaw) * cos(pitch), sin(pitch))
    up = tuple(towards[(k + 1) % 3] * right[(k + 2) % 3] - towards[(k + 2) % 3] * right[(k + 1) % 3] for k in range(3))
    reach = 3**0.5 * 0.97 / sin(0.1745329) / min(1.0, box["width"] / box["height"])

    def seen_at(spot: tuple[float, ...]) -> tuple[float, float]:
        away = [a - b for a, b in zip(spot, (0.5, -0.5, 0.5), strict=True)]
        across, high, near = (sum(a * b for a, b in zip(away, axis, strict=True)) for axis in (right, up, towards))
        pixels = box["height"] / 2 / tan(0.1745329) / (reach - near)
        return box["x"] + box["width"] / 2 + across * pixels, box["y"] + box["height"] / 2 - high * pixels

    spots: dict[tuple[float, float], str] = {}
    for point, (x, y, z) in places.items():
        sides = [(x, y, z + 0.5)] if point[2] == 1 else []
        sides += [(x, y - 0.5, z)] if point[1] == 1 else []
        sides += [(x + 0.5, y, z)] if point[0] == 1 else []
        spots |= {seen_at(side): owner[point] for side in sides}
    assert len(spots) == 12
    assert len(set(spots.values())) >= 4
    for (across, down), piece in list(spots.items())[::2]:
        clip = seen.page.screenshot(clip={"x": across - 2, "y": down - 2, "width": 4, "height": 4})
        assert painted(seen, clip, COLOURS["AIJKM".index(piece)]) > 12
    for (across, down), piece in spots.items():
        seen.page.mouse.move(across, down)
        seen.settles(lambda: state(seen)["hovered"], piece)


def test_two_views_on_a_page_do_not_disturb_each_other(blank: Tab) -> None:
    script = """async ([soma, other]) => {
      const added = new Map();
      for (const target of [document, window]) {
        const [add, remove] = [target.addEventListener, target.removeEventListener];
        target.addEventListener = function (kind, act, ...more) { added.set(act, kind); return add.call(target, kind, act, ...more); };
        target.removeEventListener = function (kind, act, ...more) { added.delete(act); return remove.call(target, kind, act, ...more); };
      }
      const elements = [0, 1].map(() => {
        const element = document.createElement('div');
        element.style.height = '300px';
        return document.body.appendChild(element);
      });
      const views = [new PuzzleView(elements[0], soma), new PuzzleView(elements[1], other)];
      const press = (key) => elements[0].querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      const still = elements[1].dataset.view;
      press('ArrowLeft'); press('n'); press(' ');
      const found = [elements[1].dataset.view === still, elements[1].dataset.solution === '1', elements[0].dataset.solution === '2'];
      views[0].destroy();
      views[0].destroy();
      found.push(Object.keys(elements[0].dataset).length === 0, elements[1].querySelector('canvas') !== null);
      views[1].destroy();
      found.push(added.size === 0);
      await new Promise(done => setTimeout(done, 100));
      return found;
    }"""  # noqa: E501
    assert blank.page.evaluate(script, [data_of("soma"), data_of("pentominoes/3x20")]) == [True] * 6


def test_other_pieces_on_the_same_board_are_not_hidden(blank: Tab) -> None:
    texts = [
        f'puzzle "x"\nlocations box 2x2\npiece {a} {{ xx }}\npiece {b} {{ xx }}\n' for a, b in (("A", "B"), ("C", "D"))
    ]
    two = [json.loads(json.dumps(page_data(subject(parse(text), 1)))) for text in texts]
    script = """([one, two]) => {
      const element = document.body.appendChild(document.createElement('div'));
      element.style.height = '300px';
      const view = new PuzzleView(element, one);
      element.querySelector('.eye').click();
      const found = [element.dataset.hidden];
      view.load(one);
      found.push(element.dataset.hidden);
      view.load(two);
      found.push(element.dataset.hidden);
      view.destroy();
      return found;
    }"""
    assert blank.page.evaluate(script, two) == ["A", "A", ""]


def test_without_a_solution_the_pieces_lie_beside_the_board(shown: Opener) -> None:
    seen = shown(view("soma", limit=0))
    png = picture(seen)
    assert all(painted(seen, png, hue) > 150 for hue in COLOURS[:7])
    seen.settles(seen.page.locator(".status").inner_text, "the empty board and the pieces")
    seen.page.get_by_role("button", name="hide L", exact=True).click()
    assert painted(seen, picture(seen), COLOURS[1]) < 20
    for key in "e,. n":
        seen.page.keyboard.press(key)
    seen.settles(lambda: (state(seen)["explode"], state(seen)["step"]), ("0.00", "all"))
    seen.keep("view-pieces")


def test_pieces_that_interlock_stay_on_the_stage_and_are_counted(shown: Opener) -> None:
    text = """
puzzle "Links"
lattice cubic
locations box 3x3x3
piece ring x1 fixed cells (0,0,1) (1,0,1) (2,0,1) (0,1,1) (2,1,1) (0,2,1) (1,2,1) (2,2,1)
piece dumbbell x1 fixed cells (0,0,0) (1,0,0) (2,0,0) (0,1,0) (1,1,0) (2,1,0) (0,2,0) (1,2,0) (2,2,0) (1,1,1) \
(0,0,2) (1,0,2) (2,0,2) (0,1,2) (1,1,2) (2,1,2) (0,2,2) (1,2,2) (2,2,2)
"""
    found = compile(parse(text))
    seen = shown(view(found))
    before = picture(seen)
    seen.page.keyboard.press(",")
    says(seen, "2 of 2 pieces")
    says(seen, "2 pieces (ring, dumbbell) interlock: no piece comes out alone in the directions tried")
    assert seen.difference(before, picture(seen)) < 0.01


def test_a_remark_on_steps_mentions_walls_and_copies_are_counted(shown: Opener) -> None:
    seen = shown(page_of("soma"))
    seen.page.keyboard.press(",")
    says(seen, "ignoring the walls of the box")
    boxes = "locations box 3x3x3 + box 3x3x3 at (4,0,0)"
    rings = "piece ring x2 { xxx/x.x/xxx }\npiece dumbbell x2 { xxx ... xxx / xxx .x. xxx / xxx ... xxx }"
    found = compile(parse(f"lattice cubic\n{boxes}\n{rings}"))
    seen = shown(view(found, limit=1))
    seen.page.keyboard.press(",")
    says(seen, "4 pieces (ring ×2, dumbbell ×2) interlock")


def test_the_page_plays_the_moves_of_a_plan_with_its_walls(shown: Opener) -> None:
    seen = shown(page_of("boxes/lid-3x3x3-level-6"))
    page, status = seen.page, seen.page.locator(".status")
    whole = picture(seen)
    page.keyboard.press(",")
    seen.settles(lambda: state(seen)["step"], "11")
    status.filter(has_text=re.compile(r"move 11 of 12 \u00b7 C moves (up|down|to the \w+)")).wait_for()
    assert "no walls" not in status.inner_text()
    before = picture(seen)
    assert seen.difference(whole, before) > 0.01
    slider = page.get_by_role("slider", name="steps of the assembly")
    slider.fill("0")
    says(seen, "move 0 of 12")
    empty = picture(seen)
    slider.fill("12")
    assert seen.difference(whole, picture(seen)) < 0.002
    slider.fill("11")
    page.get_by_role("button", name="play the assembly").click()
    page.wait_for_function("document.querySelector('.puzzle-view').dataset.step === '12'")
    says(seen, "B, C, D move down")
    assert seen.difference(whole, empty) > 0.02


def test_pieces_of_one_move_go_together_and_removed_pieces_disappear(blank: Tab) -> None:
    found = subject("interlocking/cube-4-four-level-4", 1)
    assert found.puzzle is not None
    plan = Planner(found.puzzle).plan(found.solutions[0]).moves
    steps = steps_in(blank, page_data(found))
    assert [step["bodies"] for step in steps] == [list(move.pieces) for move in plan[::-1]]
    assert [step["there"] for step in steps] == [list(move.there) for move in plan[::-1]]
    assert [step["leave"] for step in steps] == [move.leave for move in plan[::-1]]


def test_a_page_without_motion_shows_each_move_at_once(shown: Opener) -> None:
    seen = shown(page_of("interlocking/cube-4-four-level-4"))
    seen.page.emulate_media(reduced_motion="reduce")
    slider = seen.page.get_by_role("slider", name="steps of the assembly")
    slider.fill("5")
    first = picture(seen)
    seen.page.wait_for_timeout(100)
    assert seen.difference(first, picture(seen)) < 0.001


def test_a_page_shows_outlines_on_a_flat_board_and_other_rules_in_words(shown: Opener) -> None:
    seen = shown(view(parse(CALCUDOKU)))
    assert seen.page.locator(".ruled .region text").all_text_contents() == ["5", "10", "5", "11", "<12"]
    assert seen.page.locator(".rules li").all_inner_texts() == ["Each row and each column: all different"]
    box, canvas = (seen.page.locator(name).bounding_box() for name in (".ruled", "canvas"))
    assert box == canvas
    before = seen.page.locator(".ruled path").nth(0).bounding_box()
    seen.page.locator("canvas").focus()
    seen.page.keyboard.press("+")
    seen.settles(lambda: seen.page.locator(".ruled path").nth(0).bounding_box() != before)
    seen.page.keyboard.press("e")
    seen.settles(lambda: seen.page.locator(".ruled").get_attribute("hidden"), "")


def test_a_page_of_a_solid_has_its_rules_and_walls_in_words(shown: Opener) -> None:
    seen = shown(view(parse(f"{CUBES}wall box 2x2x1 at (0,0,-1)\n")))
    assert seen.page.locator(".rules li").all_inner_texts() == [
        "Locations (0,0,0) (1,0,0) (0,1,0) (1,1,0): sum >= 5",
        "Locations (1,0,0) (1,1,0) (1,0,1) (1,1,1): sum = 8",
        "Pieces cannot pass through the walls",
    ]
    assert seen.page.locator(".ruled").get_attribute("hidden") == ""
