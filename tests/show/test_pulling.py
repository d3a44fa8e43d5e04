"""An assembly is taken apart by hand: the moves on the page are those of the search in Python."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from puzzlec.compiler import parse
from puzzlec.disassembling import disassemble
from puzzlec.ir import Solution
from puzzlec.make.outputs import play, subject
from puzzlec.motion.bodies import Bodies
from puzzlec.motion.gaps import ENDLESS_GAP, Gaps
from puzzlec.show.game.data import game_data
from puzzlec.show.game.writing import game_source
from puzzlec.solving.subject import Subject
from tests.browser import Tab, findings
from tests.show.test_game import placements_of
from tests.show.test_stage_in_browser import find, on_stage, status

Opener = Callable[..., Tab]

#: One puzzle for each solid lattice, and some with walls, also flat ones.
SOLIDS = [
    "soma",
    "burrs/six-piece-2",
    "balls/kanoodle-pyramid",
    "octants/four-piece-tetrahedron",
    "prisms/rhombic-four-level-2",
    "rhombic/diagonal-cube",
    "tetoct/pairs-octahedron",
    "boxes/lid-3x3x3-level-7",
    "turns/bar-and-square",
    "turns/hexagons",
    "turns/triangles",
]


def asked(seen: Tab, found: Subject, script: str, argument: object = None) -> Any:
    """Return the result of a script about the first solution of a game. It has ``assembly`` and ``argument``."""
    data = json.loads(json.dumps(game_data(found)))
    number = {placed: k for k, placed in enumerate(placements_of(data))}
    placed = [number[each.number, frozenset(each.locations)] for each in found.solutions[0].placements]
    body = f"""{game_source(staged=True, turning=True)}
      const game = new Game(data), {{board}} = data;
      const {{steps: axes, forms, points, of: kinds}} = board;
      const puzzle = new Puzzle({{shown: "solid", axes, forms, points, kinds}});
      const assembly = new Assembly(game, puzzle, placed);
      {script}"""
    return seen.page.evaluate(f"([data, placed, argument]) => {{ {body} }}", [data, placed, argument])


def bodies_of(solution: Solution) -> list[Any]:
    """The cells of the bodies of a solution; the first one is that of the walls, if there are any."""
    return [body.cells for body in Bodies(solution.fitting.origin).of(solution)]


@pytest.mark.parametrize("name", SOLIDS)
def test_gaps_between_pieces_are_those_of_the_search(tab: Opener, name: str) -> None:
    found = subject(name, 1)
    solution, walls = found.solutions[0], bool(found.fitting.origin.movement.walls)
    script = """
      const bodies = placed.map((_, k) => k), all = assembly.rest.length ? [STILL, ...bodies] : bodies;
      const {start} = assembly;
      const gap = (one, other, way) => one === other ? 0 : Math.min(assembly.gap(start, one, other, way), 32767);
      return all.map(one => all.map(other => assembly.ways.map((_, way) => gap(one, other, way))));
    """
    on_page = asked(tab("about:blank"), found, script)
    gaps = Gaps(found.fitting.origin.geometry.lattice)
    shapes, places = zip(*[gaps.shape_of(cells) for cells in bodies_of(solution)], strict=True)
    assert len(shapes) == len(solution.placements) + walls
    for one, (shape, place) in enumerate(zip(shapes, places, strict=True)):
        for other, (other_shape, other_place) in enumerate(zip(shapes, places, strict=True)):
            if one != other:
                expected = [min(gap, ENDLESS_GAP) for gap in gaps.between(shape, other_shape, other_place - place)]
                assert on_page[one][other] == expected, (one, other)


@pytest.mark.parametrize("name", ["burrs/six-piece-2", "interlocking/cube-3-level-4", "boxes/lid-3x3x3-level-7"])
def test_hints_lead_to_the_first_separation_in_as_many_moves_as_the_search_needs(tab: Opener, name: str) -> None:
    found = subject(name, 1, comes_apart=True)
    script = """
      let state = assembly.start, moves = 0, first = 0;
      while (!assembly.isApart(state) && moves < 100) {
        state = assembly.moved(state, assembly.next(state));
        moves++;
        if (!first && state.parts.length > 1) first = moves;
      }
      return [first, assembly.isApart(state)];
    """
    (taken,) = disassemble(found.solutions[:1])
    assert taken.disassembly.level is not None
    level = taken.disassembly.level[0]
    assert asked(tab("about:blank"), found, script) == [level, True]


def test_pulled_pieces_never_overlap_and_stop_only_at_others(tab: Opener) -> None:
    found = subject("burrs/six-piece-2", 1, comes_apart=True)
    script = """
      const found = [];
      let state = assembly.start, seed = 7;
      const random = below => (seed = (seed * 48271) % 2147483647) % below;
      for (let k = 0; k < 300; k++) {
        const body = random(placed.length), way = random(assembly.ways.length);
        const {steps} = assembly.path(state, [body], way), after = assembly.pulled(state, [body], way, 1);
        const parts = state.parts.map(({bodies}) => bodies);
        found.push([state.shifts, parts, body, way, steps.length ? steps[0].moved : null]);
        if (after) state = after;
      }
      return [found, assembly.ways];
    """
    walk, ways = asked(tab("about:blank"), found, script)
    cells = bodies_of(found.solutions[0])
    moves = 0
    for shifts, parts, body, way, moved in walk:
        part = next(part for part in parts if body in part)
        at = {b: {tuple(a + s for a, s in zip(c, shifts[b], strict=True)) for c in cells[b]} for b in part}
        assert sum(map(len, at.values())) == len(set().union(*at.values()))
        pushed = [body]
        for one in pushed:
            ahead = {tuple(a + s for a, s in zip(c, ways[way], strict=True)) for c in at[one]}
            pushed += [other for other in part if other not in pushed and at[other] & ahead]
        assert moved is None if len(pushed) == len(part) else set(moved) == set(pushed)
        moves += moved is not None
    assert 20 < moves < 300


def test_pieces_that_may_stay_together_and_immovable_ones_end_a_disassembly(tab: Opener) -> None:
    text = "lattice cubic\nlocations box 3x1x1\npiece A { x }\npiece B { x }\npiece C { x }\n"
    state = "return assembly.isApart({parts: argument.map(bodies => ({bodies}))})"
    found = subject(parse(text + "together A B\n"), 1)
    seen = tab("about:blank")
    assert asked(seen, found, state, [[0, 1], [2]])
    assert not asked(seen, found, state, [[0, 1, 2]])
    assert not asked(seen, found, state, [[0], [1, 2]])
    still = subject(parse(text + "immovable A\n"), 1)
    assert asked(seen, still, "return assembly.start.parts[0].bodies") == [-1, 1, 2]
    assert not asked(seen, still, state, [[-1, 1], [2]])


#: Three bars that cross each other: the middle one is a key.
BURR = "burrs/six-piece-2"


@pytest.fixture
def playing(tab: Opener, tmp_path: Any) -> Opener:
    """A function that opens the game of the burr."""
    (tmp_path / "game.html").write_text(play(subject(BURR, 100_000, None)), encoding="utf-8")

    return partial(on_stage, tab, tmp_path / "game.html")


def progress(seen: Tab) -> str:
    return seen.page.inner_text("#progress")


def test_a_burr_is_pulled_apart_by_the_mouse_and_a_blocked_move_names_what_blocks_it(playing: Opener) -> None:
    seen = playing()
    seen.settles(lambda: progress(seen), "0 of 6 pieces are out")
    said = set()
    for dx, dy in ((30, 8), (-30, -8), (0, -40), (-25, 25)):
        for piece in ("704", "768", "992"):
            x, y = find(seen, piece)
            seen.page.mouse.move(x, y)
            seen.page.mouse.down()
            seen.page.mouse.move(x + dx, y + dy, steps=6)
            seen.page.mouse.up()
            seen.page.wait_for_timeout(50)
            said.add(status(seen))
            if "moves" in status(seen):
                seen.page.click("#back")
    assert any(" moves to the " in words or " moves up" in words for words in said), said
    assert any("cannot move" in words and "in the way" in words for words in said), said
    assert seen.page.locator("canvas").get_attribute("data-refused")
    assert set(seen.page.locator(".labels .name").all_inner_texts()) <= {"480", "670", "704", "768", "992"}


@pytest.mark.parametrize("touch", [False, True])
def test_words_about_keys_are_only_for_devices_with_keys(playing: Opener, touch: bool) -> None:
    seen = playing(touch=touch)
    seen.settles(lambda: status(seen).startswith("Pull a piece to take the puzzle apart. Drag the table"))
    seen.page.click(".piece >> nth=0")
    seen.settles(lambda: status(seen).startswith("480 is chosen"))
    assert ("keys" in status(seen)) is not touch


def test_keys_and_hints_take_a_burr_apart_and_each_step_is_taken_back(playing: Opener) -> None:
    seen = playing()
    press = seen.page.keyboard.press
    seen.page.focus(".piece >> nth=0")
    press("Enter")
    seen.settles(lambda: status(seen).startswith("480 is chosen"))
    press("PageDown")
    seen.settles(lambda: "480 cannot move down" in status(seen))
    names = seen.page.locator(".labels .name").all_inner_texts()
    assert names
    assert all(name in status(seen) for name in names)
    for moves in range(1, 13):
        press("h")
        seen.settles(lambda: status(seen).startswith("Hint: "))
        press("Escape" if moves < 12 else "Shift")
    seen.settles(lambda: status(seen).endswith("All pieces are apart!"))
    assert progress(seen) == "6 of 6 pieces are out"
    assert seen.page.inner_text("#result").startswith("12 moves, ")
    link = seen.page.evaluate("Object.entries(localStorage).map(([, value]) => JSON.parse(value))[0]")
    other = playing(part=f"#play={link['play']}&apart={link['apart']}")
    other.settles(lambda: progress(other), "6 of 6 pieces are out")
    other.page.click("#back")
    other.settles(lambda: progress(other), "4 of 6 pieces are out")
    seen.page.click("#apart")
    seen.settles(lambda: progress(seen), "0 of 72 locations covered")


def test_a_solved_soma_cube_is_taken_apart(tab: Opener, tmp_path: Any) -> None:
    path = tmp_path / "game.html"
    path.write_text(play(subject("soma", 100_000, None)), encoding="utf-8")
    seen = tab(path.as_uri(), width=640, height=520)
    assert not seen.page.locator("#apart").is_visible()
    seen.page.click("#solve")
    seen.page.click("#apart")
    seen.settles(lambda: progress(seen), "0 of 7 pieces are out")
    seen.page.click("#hint")
    seen.settles(lambda: progress(seen), "1 of 7 pieces are out")
    seen.page.click("#back")
    seen.page.click("#back")
    seen.settles(lambda: progress(seen), "27 of 27 locations covered")


def test_axe_finds_nothing_while_a_burr_is_taken_apart(playing: Opener) -> None:
    for settings in ({"width": 390, "height": 844, "touch": True}, {"dark": True}):
        seen = playing(**settings)
        for _ in range(2):
            seen.page.click("#hint")
            assert findings(seen.page) == []
        assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


#: A box of one layer with a hole: the domino goes in along the hole, but not across it.
HOLE = """lattice cubic
locations box 2x2x1
piece D { xx }
piece o x2 { x }
wall box 4x4x3 at (-1,-1,-1) - box 2x2x1 - cells (0,-1,0)
"""


def test_the_page_takes_an_assembly_apart_that_the_file_does_not_have(tab: Opener, tmp_path: Any) -> None:
    path = tmp_path / "game.html"
    path.write_text(play(subject(parse(HOLE), 1)), encoding="utf-8")
    data: Any = json.loads(json.dumps(game_data(subject(parse(HOLE), 1))))
    assert data["apart"] == "some"
    points = [tuple(data["board"]["points"][3 * k : 3 * k + 3]) for k in range(4)]
    number = {(piece, frozenset(points[at] for at in cells)): k for k, (piece, cells) in enumerate(placements_of(data))}
    for along, words in ((True, "Solved!"), (False, "this assembly does not come apart")):
        for end in (0, 1):
            domino = {(end, 0, 0), (end, 1, 0)} if along else {(0, end, 0), (1, end, 0)}
            parts = [(0, frozenset(domino)), *[(1, frozenset({point})) for point in points if point not in domino]]
            link = ".".join(str(number[part]) for part in parts)
            seen = tab(f"{path.as_uri()}#play={link}", width=640, height=520)
            seen.page.locator("#status").filter(has_text=words).wait_for()
