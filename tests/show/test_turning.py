"""Pieces turn by hand: each turn of the page passes the checker of turns, and the search knows the same ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import degrees
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from puzzlec.compiler import parse
from puzzlec.geometry import Cell, Lattice
from puzzlec.make.outputs import play, subject
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.planes import TurnPlane, planes
from puzzlec.motion.replay_turn import fault_of_turn
from puzzlec.motion.turning import DEFAULT_CLEARANCE
from puzzlec.motion.turns import Turns
from tests.browser import Tab, findings
from tests.show.test_pulling import asked, progress
from tests.show.test_stage_in_browser import find, on_stage, status, touches

Opener = Callable[..., Tab]

#: A bar in a box of triangular prisms, of which the lid has a hole.
PRISMS = """lattice prism
locations cells (0,0,0,0) (0,0,0,1) (1,0,0,0)
piece A cells (0,0,0,0) (0,0,0,1) (1,0,0,0)
wall cells (0,1,0,1) (0,2,0,0) (-1,0,0,1)
turns
"""

#: A bar among a few walls.
HEXAGONS = """lattice hex
locations cells (0,0) (1,0) (2,0)
piece A cells (0,0) (1,0) (2,0)
wall cells (0,3) (4,0) (-3,1) (1,-3)
turns
"""
TRIANGLES = """lattice triangle
locations cells (0,0,0) (0,0,1) (1,0,0)
piece A cells (0,0,0) (0,0,1) (1,0,0)
wall cells (0,3,0) (3,0,1) (-3,1,0) (1,-3,1)
turns
"""

#: What turns a body can make in the states of the plan; `argument` is the number of such states and that of turns.
SCRIPT = """
  const found = [];
  let state = assembly.start;
  for (let k = 0; k < argument[0]; k++) {
    const part = state.parts.find(({bodies}) => bodies.length > 1);
    for (const body of part.bodies.slice(-2))
      for (let number = k; number < assembly.turns.length && body !== STILL; number += argument[1]) {
        const turns = [...assembly.turns[number].possible(assembly, state, [body], assembly.heart(state, [body]))];
        const cells = part.bodies.map(one => [one, assembly.cellsOf(state, one).map(({point}) => point)]);
        found.push({cells, body, number, turns});
      }
    const move = assembly.next(state);
    if (!move) break;
    state = assembly.moved(state, move);
  }
  return found;
"""


class Turned(NamedTuple):
    """A turn of the page in the form that the checker takes."""

    matrix: tuple[tuple[int, ...], ...]
    translation: tuple[int, ...]
    pivot: tuple[Fraction, ...]
    axis: int
    degrees: int
    path: tuple[tuple[float, tuple[float, ...]], ...]


def turn_of(lattice: Lattice, number: int, found: dict[str, Any]) -> Turned:
    plane, sense = planes(lattice)[number // 2], -1 if number % 2 else 1
    axis = 2 if plane.along is None else plane.along
    about = found["about"]
    axes = range(lattice.dimension)
    ends = [(angle, (x, -y, z)[: len(axes)]) for angle, x, y, z in about["path"]]
    x, y, z = about["pivot"]
    # The page has pivots in space; the checker wants them as points of the lattice.
    steps = [lattice.on_paper([int(n == k) for n in axes]) for k in axes]
    pivot = solved(steps, (x, -y, z)[: len(axes)])
    path = [(0.0, ends[0][1]), *ends[1:-1], (plane.angle, ends[-1][1])]
    return Turned(
        plane.rotation(sense), tuple(found["by"]), pivot, axis, sense * round(degrees(plane.angle)),
        tuple((angle, tuple(0.0 if n == axis else value for n, value in enumerate(shift))) for angle, shift in path),
    )  # fmt: skip


def solved(steps: list[Any], place: tuple[float, ...]) -> tuple[Fraction, ...]:
    import numpy as np

    values = np.linalg.solve(np.array(steps, float).T, np.array(place, float))
    return tuple(Fraction(float(value)).limit_denominator(12) for value in values)


@pytest.mark.parametrize(
    ("name", "states", "every"),
    [
        ("turns/cube-3-of-3", 2, 4),
        ("turns/cube-4-of-4", 2, 12),
        ("turns/box", 1, 6),
        (PRISMS, 1, 1),
        ("turns/bar-and-square", 2, 1),
        (HEXAGONS, 1, 1),
        (TRIANGLES, 1, 1),
    ],
)
def test_no_turn_of_the_page_collides_and_the_search_knows_each(
    tab: Opener, name: str, states: int, every: int
) -> None:
    found = subject(parse(name) if "\n" in name else name, 1)
    lattice = found.fitting.origin.geometry.lattice
    turns, several = Turns(Gaps(lattice)), 0
    for entry in asked(tab("about:blank"), found, SCRIPT, [states, every]):
        cells = {body: [lattice.cell_at(tuple(point)) for point in points] for body, points in entry["cells"]}
        resting = [cell for body, own in cells.items() if body != entry["body"] for cell in own]
        for each in entry["turns"][:2] + entry["turns"][2:][-1:]:
            turn = turn_of(lattice, entry["number"], each)
            assert fault_of_turn(lattice, turn, cells[entry["body"]], resting, DEFAULT_CLEARANCE) == "", (entry, each)
        assert {tuple(each["by"]) for each in entry["turns"]} == known_turns(turns, entry, cells)
        several += len(entry["turns"])
    assert several > 3


def known_turns(turns: Turns, entry: dict[str, Any], cells: dict[int, list[Cell]]) -> set[tuple[int, ...]]:
    """What each turn that the search knows adds to points after the rotation."""
    order = list(cells)
    shapes, places = zip(*[turns.gaps.shape_of(cells[body]) for body in order], strict=True)
    number, back = divmod(entry["number"], 2)
    alone, plane = 1 << order.index(entry["body"]), planes(turns.lattice)[number]
    sides = [alone, ((1 << len(order)) - 1) ^ alone]
    movers, others = sides[::-1] if back else sides  # a turn back is a turn of all others forth
    found = set()
    for state, valid in turns.states(shapes, [place - places[0] for place in places]):
        if state.number != number:
            continue
        free, touching = state.free(movers, others, valid)
        for bit in [bit for bit in range(valid.bit_length()) if valid >> bit & 1]:
            pivot = state.window.pivot(bit)
            if free >> bit & 1 or (state.not_stuck(1 << bit, touching) and state.paths(movers, others, [bit])[0]):
                found.add(added(turns.lattice, plane, -1 if back else 1, pivot, min(cells[order[0]])))
    return found


def added(lattice: Lattice, plane: TurnPlane, sense: int, pivot: tuple[int, int], first: Cell) -> tuple[int, ...]:
    """What a turn about a pivot of the search adds to points; its pivots are relative to the first cell of all."""
    at = [Fraction(value) for value in first[: lattice.dimension]]
    for row, value in zip(plane.across, pivot, strict=True):
        at[row] += Fraction(value, plane.scale)
    point = combined(at, list(zip(*lattice.translations, strict=True)))
    image = combined(point, plane.rotation(sense))
    return tuple(int(p - i) for p, i in zip(point, image, strict=True))


def combined(values: Sequence[Fraction], rows: Sequence[Sequence[int]]) -> list[Fraction]:
    return [sum((a * b for a, b in zip(row, values, strict=True)), Fraction(0)) for row in rows]


def test_hints_lead_through_the_turns_of_the_plan(tab: Opener) -> None:
    script = """
      let state = assembly.start;
      const moves = [];
      for (let move = assembly.next(state); move; move = assembly.isApart(state) ? null : assembly.next(state)) {
        moves.push(Boolean(move.by));
        state = assembly.moved(state, move);
      }
      return [moves, assembly.isApart(state)];
    """
    assert asked(tab("about:blank"), subject("turns/cube-4-of-4", 1), script) == [[False, True, False, False], True]


@pytest.mark.parametrize("name", ["bar-and-square", "hexagons", "triangles"])
def test_flat_pieces_come_apart_by_the_hints_and_turn_on_the_way(tab: Opener, name: str) -> None:
    script = """
      let state = assembly.start, turns = 0;
      for (let move = assembly.next(state); move; move = assembly.isApart(state) ? null : assembly.next(state)) {
        turns += Boolean(move.by);
        state = assembly.moved(state, move);
      }
      return [turns, assembly.isApart(state)];
    """
    expected = 1 if name == "bar-and-square" else 2
    assert asked(tab("about:blank"), subject(f"turns/{name}", 1), script) == [expected, True]


@pytest.fixture
def playing(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens the game of a cube that turns."""
    (tmp_path / "game.html").write_text(play(subject("turns/cube-3-of-3", 100_000, None)), encoding="utf-8")
    return partial(on_stage, tab, tmp_path / "game.html")


def kept(seen: Tab) -> dict[str, str]:
    found: dict[str, str] = seen.page.evaluate("Object.values(localStorage).map(value => JSON.parse(value))[0]")
    return found


def test_a_piece_turns_by_key_wheel_and_button_and_a_blocked_turn_names_what_blocks_it(playing: Opener) -> None:
    seen = playing()
    seen.page.locator(".piece").first.click()
    seen.page.keyboard.press("r")
    seen.settles(lambda: status(seen), "A cannot turn: B and C are in the way.")
    assert set(seen.page.locator(".labels .name").all_inner_texts()) == {"B", "C"}
    assert seen.page.locator("canvas").get_attribute("data-refused") == "A"
    seen.page.click("#hint")
    seen.settles(lambda: progress(seen), "1 of 3 pieces are out")
    turned = []
    for _ in range(2):
        seen.page.click("#hint")
        seen.settles(lambda: status(seen), "Hint: C turns.")
        turned.append(kept(seen)["apart"].split("_")[-1])
        seen.page.click("#back")
    assert len(set(turned)) == 1
    assert turned[0].startswith("t")
    seen.page.locator(".piece").nth(2).click()
    told = ("C turns.", "C cannot turn: A is in the way.")
    for act in (
        partial(seen.page.keyboard.press, "Shift+t"),
        partial(seen.page.click, "#bodies button:has-text('Tip')"),
    ):
        act()
        seen.settles(lambda: status(seen) in told)
        seen.page.keyboard.press("h")
        seen.page.click("#back")
    seen.page.mouse.move(*find(seen, "C"))
    seen.page.mouse.wheel(0, 100)
    seen.settles(lambda: status(seen) in told)
    assert seen.asked == []


def test_another_axis_replaces_the_turn_and_a_link_keeps_only_turns_that_are_free(playing: Opener) -> None:
    seen = playing()
    seen.page.click("#hint")
    seen.page.locator(".piece").nth(2).click()
    for key in ("r", "Shift+r", "t", "Shift+t", "s", "Shift+s"):
        seen.page.keyboard.press(key)
        if status(seen) == "C turns.":
            break
    seen.settles(lambda: status(seen), "C turns.")
    first = kept(seen)
    seen.page.keyboard.press("a")
    seen.settles(lambda: status(seen), "This is the turn about another axis.")
    second = kept(seen)
    assert first["moves"] == second["moves"]
    assert first["apart"].split("_")[0] == second["apart"].split("_")[0]
    assert first["apart"] != second["apart"]
    slide, turn = second["apart"].split("_")
    damaged = ".".join(["t" + str((int(turn[1:].split(".")[0]) + 1) % 6), *turn.split(".")[1:]])
    for link, left in ((second["apart"], "1 of 3 pieces are out"), (f"{slide}_{damaged}", "0 of 3 pieces are out")):
        again = playing(part=f"#play={second['play']}&apart={link}")
        again.settles(partial(says_that_it_continues, again))
        again.page.click("#back")
        again.settles(partial(progress, again), left)


def says_that_it_continues(seen: Tab) -> bool:
    return status(seen).startswith("The game continues")


def test_pieces_of_a_group_move_together(playing: Opener) -> None:
    seen = playing()
    seen.page.keyboard.press("g")
    seen.page.locator(".piece").nth(0).click()
    seen.page.locator(".piece").nth(2).click()
    seen.settles(lambda: status(seen).startswith("A and C are chosen"))
    assert seen.page.locator(".piece[aria-pressed=true]").count() == 2
    seen.page.focus("#board")
    seen.page.keyboard.press("Shift+ArrowLeft")
    seen.settles(lambda: status(seen), "A and C are out.")
    seen.page.keyboard.press("r")
    seen.settles(lambda: "cannot move together" in status(seen))


@pytest.fixture
def flat(tab: Opener, tmp_path: Path) -> Opener:
    """A function that opens the game of a bar and a square in a room with a door."""
    (tmp_path / "game.html").write_text(play(subject("turns/bar-and-square", 100_000, None)), encoding="utf-8")
    return partial(on_stage, tab, tmp_path / "game.html")


def test_a_flat_piece_turns_by_key_wheel_and_button_and_a_blocked_turn_names_what_blocks_it(flat: Opener) -> None:
    seen = flat()
    seen.settles(lambda: progress(seen), "0 of 2 pieces are out")
    seen.page.locator(".piece").first.click()
    assert seen.page.locator("#bodies button").all_inner_texts() == ["Group", "Rotate", "Other axis"]
    seen.page.keyboard.press("r")
    seen.settles(lambda: status(seen), "A cannot turn: B and the wall are in the way.")
    assert seen.page.locator(".labels .name").all_inner_texts() == ["B"]
    assert seen.page.locator("canvas").get_attribute("data-refused") == "A"
    seen.page.locator(".piece").nth(1).click()
    seen.page.focus("#board")
    seen.page.keyboard.press("PageUp")
    assert status(seen).startswith("B is chosen")
    seen.page.keyboard.press("Shift+ArrowRight")
    seen.settles(lambda: progress(seen), "1 of 2 pieces are out")
    seen.page.locator(".piece").first.click()
    seen.page.focus("#board")
    seen.page.keyboard.press("ArrowRight")
    for act in (
        partial(seen.page.keyboard.press, "r"),
        partial(seen.page.click, "#bodies button:has-text('Rotate')"),
        partial(wheel, seen, "A"),
    ):
        act()
        seen.settles(lambda: status(seen), "A turns.")
        seen.page.click("#back")
        seen.settles(lambda: status(seen), "The last step was taken back.")
    assert seen.asked == []


def wheel(seen: Tab, piece: str) -> None:
    seen.page.mouse.move(*find(seen, piece))
    seen.page.mouse.wheel(0, 100)


def test_two_fingers_turn_the_held_piece_after_its_pull(flat: Opener) -> None:
    seen = flat(width=390, height=844, touch=True)
    touch = touches(seen)
    x, y = find(seen, "A")
    touch("touchStart", (x, y))
    touch("touchStart", (x, y), (x + 80, y))
    touch("touchMove", (x, y), (x + 55, y + 55))
    touch("touchMove", (x, y), (x, y + 80))
    seen.settles(lambda: status(seen), "A cannot turn: B and the wall are in the way.")
    touch("touchEnd")
    assert seen.page.locator(".piece[aria-pressed=true]").inner_text() == "A"
    seen.page.click("#hint")
    seen.settles(lambda: progress(seen), "1 of 2 pieces are out")
    x, y = find(seen, "A")
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + 8 * step, y))
    x += 64
    touch("touchStart", (x, y), (x, y - 80))
    touch("touchMove", (x, y), (x + 55, y - 55))
    touch("touchMove", (x, y), (x + 80, y))
    seen.settles(lambda: status(seen), "A turns.")
    touch("touchEnd")
    slide, turn = kept(seen)["apart"].split("_")[1:]
    assert (slide[0], turn[0]) == ("0", "t")


def test_keys_look_from_elsewhere_so_that_arrows_reach_each_direction(tab: Opener, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(play(subject(parse(HEXAGONS), 1)), encoding="utf-8")
    seen = on_stage(tab, tmp_path / "game.html")
    seen.page.locator(".piece").click()
    seen.page.focus("#board")
    ways = set()
    for _ in range(2):
        for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
            seen.page.keyboard.press(key)
            ways.add(kept(seen)["apart"].split("_")[-1].split(".")[1])
            seen.page.keyboard.press("Backspace")
        seen.page.keyboard.press(".")
    assert len(ways) == 6


@pytest.mark.parametrize("game", ["playing", "flat"])
@pytest.mark.long
def test_axe_finds_nothing_while_pieces_turn(request: pytest.FixtureRequest, game: str) -> None:
    for settings in ({"width": 390, "height": 844, "touch": True}, {"dark": True}):
        seen = request.getfixturevalue(game)(**settings)
        seen.page.locator(".piece").first.click()
        seen.page.keyboard.press("r")
        assert findings(seen.page) == []
        assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
