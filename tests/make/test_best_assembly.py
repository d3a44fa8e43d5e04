"""The assembly that pictures, pages and models show: the best one that comes apart, if the puzzle is taken apart."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from puzzlec import (
    Cutting,
    Puzzle,
    PuzzleError,
    Solution,
    count,
    cut,
    disassemble,
    disassembling,
    draw,
    load,
    model,
    parse,
    play,
    view,
)
from puzzlec.compiler import compile
from puzzlec.disassembling import Compared, burrtools_text, by_level, compared, has_best_assembly, stored_solution
from puzzlec.formats import catalogue
from puzzlec.ir.puzzle import cells_of
from puzzlec.make import outputs
from puzzlec.make.outputs import subject
from puzzlec.motion.shown import MAX_PLANS, Plans
from puzzlec.show.page.data import page_data
from puzzlec.show.svg.chosen import Chosen
from tests.commands import run

#: A box with a slot: 59 of its 116 assemblies come apart. The published number is from a brute search of all moves.
SLOT = """puzzle "Which five go through the slot?"
lattice cubic
locations box 4x2x2
pieces tetracubes x0..1
wall box 6x4x4 at (-1,-1,-1) - box 4x2x2 - box 3x2x1 at (0,0,2)
"""
#: A burr with 144 assemblies; only number 28 comes apart.
BURR = "burrs/six-piece-2"
RING = 'puzzle "ring"\nlocations { xxx/xxx/xxx }\npiece ring { xxx/x.x/xxx }\npiece dot { x }\n'


def data_of(page: str) -> dict[str, Any]:
    """The data in a page."""
    found = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize(
    ("puzzle", "has"),
    [
        (SLOT, True),
        ("locations box 3x1\npiece a { xx }\npiece b { x }\nimmovable a", True),
        (BURR, True),
        ("interlocking/cube-3-level-4", True),
        ("soma", False),
        ("polycubes/conway", False),
        ("pentominoes/6x10", False),
        ("lattice cubic\nlocations box 4x6x2\npiece brick x3 { xxxx xxxx / xxxx xxxx }", False),
    ],
)
def test_puzzles_to_take_apart_are_those_with_walls_immovable_pieces_a_level_or_burr_sticks(
    puzzle: str, has: bool
) -> None:
    known = parse(puzzle) if "\n" in puzzle else load(puzzle)
    assert has_best_assembly(compile(known, stage="fitting").puzzle) is has


def test_a_flat_puzzle_without_walls_does_not_read_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "entries", lambda: pytest.fail("the catalogue is read"))
    assert not has_best_assembly(compile("pentominoes/6x10", stage="fitting").puzzle)


def test_the_best_assembly_is_the_first_that_disassemble_prints() -> None:
    found = compared(compile(parse(SLOT)))
    every = list(disassemble(parse(SLOT)))
    best = min((taken for taken in every if taken.disassembly.apart), key=by_level)
    assert found.best is not None
    assert (found.best.number, found.best.disassembly.text) == (best.number, best.disassembly.text)
    assert (found.number, found.apart, found.open, found.complete) == (116, 59, 0, True)
    only = compared(compile(parse(SLOT)), limit=None, only=True)
    assert list(only.first) == [taken.solution for taken in every if taken.disassembly.apart]
    everything = compared(compile(parse(SLOT)), limit=None)
    assert [everything.first[number] for number in everything.loose] == list(only.first)


def test_a_comparison_goes_on_until_an_assembly_comes_apart() -> None:
    found = compared(compile(BURR), at_most=1)
    assert found.best is not None
    assert (found.best.number, found.number, found.apart, found.complete) == (28, 28, 1, False)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((144, 1, 0, True), "assembly 28 of 144 is shown: the only one that comes apart, level 5.4"),
        ((144, 3, 0, True), "assembly 28 of 144 is shown: the best of 3 that come apart, level 5.4"),
        ((1200, 3, 0, False),
         "assembly 28 is shown: the best of 3 that come apart among the first 1,200, level 5.4"),
        ((144, 0, 0, True), "none of 144 assemblies comes apart"),
        ((1200, 0, 0, False), "none of the first 1,200 assemblies comes apart"),
        ((144, 0, 2, True), "none of 144 assemblies is known to come apart (2 reached a limit)"),
        ((1, 0, 0, True), "the only assembly does not come apart"),
        ((0, 0, 0, False), "no assembly was taken apart"),
    ],
)  # fmt: skip
def test_words_say_how_many_assemblies_were_tried(numbers: tuple[int, int, int, bool], words: str) -> None:
    number, apart, left, complete = numbers
    best = compared(compile(BURR)).best if apart else None
    assert str(Compared(best, (), (), number, apart, left, complete)) == words


@pytest.mark.long
def test_all_outputs_choose_the_same_assembly(tmp_path: Path) -> None:
    burr = compile(load(BURR))
    best = subject(burr)
    assert best.choice == "assembly 28 of 144 is shown: the only one that comes apart, level 5.4"
    opened = subject(burr, 1000)
    assert (opened.start, opened.number, opened.shown) == (27, 144, best.shown)
    assert page_data(opened)["start"] == 27
    remarks: list[str] = []
    steps = draw(burr, steps=True, remarks=remarks)
    assert remarks == [best.choice]
    assert "it comes apart in 12 moves" in draw(burr, animate=True, remarks=remarks)
    assert remarks == 2 * [best.choice]
    assert best.shown is not None
    assert steps == draw(best.shown, steps=True)
    for words in ("draw --steps -o s.svg", "view -o v.html", "draw --animate -o a.svg", "play -o p.html"):
        command, *rest = words.split()
        made = run(command, BURR, *rest, cwd=tmp_path)
        assert made.returncode == 0
        chosen = "hints lead only to 1 solution that comes apart" if command == "play" else best.choice
        assert made.stderr == f"{chosen}\n"


@pytest.mark.parametrize("form", ["stl", "dxf"])
def test_a_model_of_a_solution_is_that_of_the_best_assembly(tmp_path: Path, form: str) -> None:
    pytest.importorskip({"stl": "manifold3d", "dxf": "ezdxf"}[form])
    name = {"stl": BURR, "dxf": "boxes/tray-5x5-level-5"}[form]
    made = run("model", name, "-o", f"m.{form}", "--layout", "solution", cwd=tmp_path)
    assert re.search(r"^assembly \d+ of \d+ is shown: ", made.stderr)


@pytest.mark.long
def test_no_comes_apart_shows_the_first_assembly(tmp_path: Path) -> None:
    made = run("draw", BURR, "-o", "first.svg", "--steps", "--no-comes-apart", cwd=tmp_path)
    assert "The assembly does not come apart" in made.stderr
    assert draw(BURR, comes_apart=False) != draw(BURR)
    assert (tmp_path / "first.svg").read_text() != draw(BURR, steps=True)


def test_comes_apart_chooses_for_any_puzzle_and_filters_its_solutions(tmp_path: Path) -> None:
    made = run("draw", "soma", "-o", "soma.svg", "--comes-apart", cwd=tmp_path)
    assert "assembly 1 of 240 is shown: the best of 240 that come apart, level 1" in made.stderr
    slot = tmp_path / "slot.puzzle"
    slot.write_text(SLOT)
    made = run("view", str(slot), "-o", "slot.html", "--comes-apart", cwd=tmp_path)
    found = data_of((tmp_path / "slot.html").read_text())
    assert found["solutions"]["number"] == 59
    assert "59" in found["remark"]


@pytest.mark.long
def test_several_pictures_are_the_first_solutions_unless_they_are_to_come_apart() -> None:
    first, loose = subject(BURR, 3, comes_apart=False), subject(parse(SLOT), 3, comes_apart=True)
    remarks: list[str] = []
    assert draw(BURR, limit=3, remarks=remarks) == draw(list(first.solutions))
    assert remarks == []
    assert draw(parse(SLOT), limit=3, comes_apart=True) == draw(list(loose.solutions))
    apart = [taken.solution for taken in disassemble(parse(SLOT)) if taken.disassembly.apart]
    assert [*loose.solutions[:2]] == apart[:2]


@pytest.mark.long
def test_an_animation_of_any_puzzle_goes_on_to_the_first_assembly_that_comes_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disassembling, "has_best_assembly", lambda puzzle: False)
    remarks: list[str] = []
    assert "comes apart in 12 moves" in draw(BURR, animate=True, remarks=remarks)
    assert remarks == [
        "assembly 28 is shown: the only one that comes apart among the first 28, level 5.4; "
        "`--time-limit 60` searches longer"
    ]


@pytest.mark.parametrize("words", [("--animate",), ("--animate", "--comes-apart"), ("--comes-apart",)])
def test_without_an_assembly_that_comes_apart_the_error_says_how_many_were_tried(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "ring.puzzle").write_text(RING)
    made = run("draw", "ring.puzzle", "-o", "ring.svg", *words, cwd=tmp_path)
    assert made.returncode == 1
    assert "error[PZ716]: the only assembly does not come apart" in made.stderr
    assert not (tmp_path / "ring.svg").exists()


def test_without_time_nothing_is_claimed_about_assemblies_and_the_suggestion_searches_longer() -> None:
    with pytest.raises(PuzzleError) as caught:
        subject(BURR, seconds=0.0, comes_apart=True)
    (found,) = caught.value.diagnostics
    assert found.message == "no assembly was taken apart"
    assert found.helps == ("`--time-limit 60` searches longer",)


def test_hints_of_a_game_lead_only_to_assemblies_that_come_apart() -> None:
    remarks: list[str] = []
    page = play(parse(SLOT), remarks=remarks)
    data = data_of(page)
    assert data["solutions"]["number"] == 59
    assert data["complete"] is False
    assert remarks == ["hints lead only to 59 solutions that come apart"]
    whole = play(parse(SLOT), comes_apart=False)
    data = data_of(whole)
    assert (data["solutions"]["number"], data["complete"]) == (count(parse(SLOT)), True) == (116, True)


@pytest.mark.long
def test_the_plan_of_the_shown_solution_is_searched_first_however_late_it_comes() -> None:
    found = subject(BURR, 1000)
    assert found.puzzle is not None
    late = len(found.solutions) - 1
    assert late > MAX_PLANS
    order = (*found.solutions[:27], *found.solutions[28:], found.solutions[27])
    plans = Plans(found.puzzle).of(order, late)
    assert len(plans) == late + 1
    assert plans[MAX_PLANS:late] == [None] * (late - MAX_PLANS)
    assert isinstance(plans[late], list)


def test_a_page_without_a_choice_opens_at_its_first_solution() -> None:
    assert "start" not in page_data(subject("soma", 3))
    assert view("soma", limit=2) == view("soma", limit=2, comes_apart=False)


def test_a_file_of_solutions_is_not_chosen_from(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(run("solve", BURR, "--to", "jsonl").stdout)
    refused = run("draw", BURR, "--solutions", "x", "--comes-apart", "-o", "x.svg", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--comes-apart" in refused.stderr


def test_the_old_name_of_the_option_leads_to_the_new_one() -> None:
    for command in ("count", "solve", "draw", "view"):
        refused = run(command, BURR, "--apart")
        assert refused.returncode == 2
        assert "write `--comes-apart` instead of `--apart`" in refused.stderr


def test_a_file_with_stored_moves_shows_the_assembly_that_has_them(tmp_path: Path) -> None:
    puzzle = load("soma/castle")
    assert isinstance(puzzle, Puzzle)
    third = list(disassemble(puzzle))[2]
    path = tmp_path / "castle.xmpuzzle"
    path.write_text(burrtools_text(puzzle, [third], 5))
    made = run("draw", "castle.xmpuzzle", "-o", "castle.svg", "--explode", "1", cwd=tmp_path)
    assert made.stderr == "assembly 1 of the file is shown: its moves are stored\n"
    found = subject(str(path))
    assert found.shown is not None
    assert covered(found.shown) == covered(third.solution) != covered(next(iter(disassemble(puzzle))).solution)
    every = subject(str(path), 100)  # a page or a game has each solution once
    assert (len(every.solutions), every.number, every.loose) == (5, 5, ())
    plain = run("draw", "castle.xmpuzzle", "-o", "plain.svg", "--no-comes-apart", cwd=tmp_path)
    assert "warning[PZ261]: ignoring a stored assembly, stored moves" in plain.stderr
    assert "is shown" not in plain.stderr


def test_stored_moves_of_another_problem_or_of_a_changed_puzzle_are_not_used(tmp_path: Path) -> None:
    puzzle = load(BURR)
    assert isinstance(puzzle, Puzzle)
    best = compared(compile(puzzle)).best
    assert best is not None
    text = burrtools_text(puzzle, [best], 144)
    stored = stored_solution(compile(parse(text, format="xmpuzzle"), stage="fitting"))
    assert stored is not None
    (problem,) = re.findall(r"(?s)<problem\b.*?</problem>", text)
    bare = re.sub(r"(?s)<solutions>.*?</solutions>", "", problem)
    for first, second, number in ((bare, problem, 1), (problem, bare, 0)):
        both = text.replace(problem, first + second)
        known = [
            stored_solution(compile(parse(both, format="xmpuzzle", problem=str(k)), stage="fitting")) for k in (1, 2)
        ]
        assert [each is not None for each in known] == [k == number for k in (0, 1)]
    moved = re.sub(r"<assembly>(\d+) ", lambda found: f"<assembly>{int(found[1]) + 1} ", text)
    assert moved != text
    assert stored_solution(compile(parse(moved, format="xmpuzzle"), stage="fitting")) is None


def covered(solution: Solution) -> set[tuple[str, frozenset[tuple[int, ...]]]]:
    """The cells of each piece of a solution, from the least corner of the board."""
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    cells = cells_of(puzzle)
    low = [min(axis) for axis in zip(*cells, strict=True)]
    moved = [tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells]
    return {
        (solution.fitting.piece_name(placed.number), frozenset(moved[number] for number in placed.locations))
        for placed in solution.placements
    }


def test_a_comparison_without_time_is_not_followed_by_a_second_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_searched", lambda *_: pytest.fail("a second search"))
    found = subject(BURR, seconds=0.0)
    assert (found.solutions, found.remark) == ((), "none found in 0 s, there may be more")


def test_every_function_that_makes_something_of_a_solution_takes_comes_apart() -> None:
    makes: tuple[Callable[..., object], ...] = (draw, view, play, model, cut)
    for make in makes:
        words = {*inspect.signature(make).parameters, *(get_type_hints(Chosen) if make is draw else ())}
        assert "comes_apart" in words, make


@pytest.mark.long
def test_a_model_that_comes_apart_is_that_of_the_best_assembly() -> None:
    pytest.importorskip("manifold3d")
    notes: list[str] = []
    best = model(BURR, layout="solution", comes_apart=True, remarks=notes)
    assert best == model(BURR, layout="solution")
    assert best != model(BURR, layout="solution", comes_apart=False)
    assert "is shown" in notes[0]
    tray, laid = "boxes/tray-5x5-level-5", Cutting(layout="solution")
    assert cut(tray, cutting=laid, comes_apart=True) == cut(tray, cutting=laid)
    assert cut(tray, cutting=laid) != cut(tray, cutting=laid, comes_apart=False)


def test_comes_apart_is_refused_if_no_solution_is_searched_for(tmp_path: Path) -> None:
    for made in (lambda: model(BURR, comes_apart=True), lambda: cut("pentominoes/6x10", comes_apart=True)):
        with pytest.raises(ValueError, match=r"^comes_apart chooses a solution to show: set the layout 'solution'$"):
            made()
    given = subject("soma")
    makes: tuple[Callable[..., object], ...] = (draw, view, play)
    for make in makes:
        with pytest.raises(ValueError, match=r"^comes_apart chooses among the solutions of a puzzle"):
            make(given, comes_apart=True)
    with pytest.raises(ValueError, match=r"^comes_apart chooses among the solutions of a puzzle"):
        draw(given, animate=True, comes_apart=True)
    said = run("model", BURR, "-o", "m.stl", "--comes-apart", cwd=tmp_path).stderr
    assert "--layout solution" in said
