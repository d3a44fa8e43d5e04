"""The display of objects in a notebook: quick, small, and without a search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from puzzlec import (
    Limits,
    Solutions,
    check_solutions,
    clues,
    compile,
    count,
    disassemble,
    draw,
    every_solution,
    generate,
    load,
    parse,
    solve,
    view,
)
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats import catalogue
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.shapes import find_library
from puzzlec.ir import Piece, Puzzle
from puzzlec.show import notebook
from puzzlec.shown import mimebundle

SMALL = 'puzzle "Dominoes"\nlocations box 3x2\npiece D x3 { xx }\n'


def shown(thing: Any) -> dict[str, str]:
    """Return the display for a notebook; a picture must be well-formed SVG with a title, or be missing."""
    bundle: dict[str, str] = thing._repr_mimebundle_()
    assert "text/plain" in bundle
    if "image/svg+xml" in bundle:
        root = ElementTree.fromstring(bundle["image/svg+xml"])
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(bundle["image/svg+xml"]) <= notebook.MOST_CHARACTERS
    return bundle


def test_a_puzzle_shows_its_board_pieces_and_printed_text() -> None:
    puzzle = parse(SMALL)
    bundle = shown(puzzle)
    assert bundle["text/plain"] == str(puzzle)
    assert "Dominoes" in bundle["image/svg+xml"]


def test_a_fitting_shows_its_puzzle() -> None:
    fitting = compile(parse(SMALL), stage="fitting")
    bundle = shown(fitting)
    assert bundle["text/plain"] == str(fitting)
    assert bundle["image/svg+xml"] == shown(parse(SMALL))["image/svg+xml"]


def test_pieces_of_a_puzzle_know_their_lattice_and_show_themselves() -> None:
    puzzle = load("soma")
    assert isinstance(puzzle, Puzzle)
    for piece in puzzle.pieces:
        assert piece.lattice is puzzle.lattice
        assert "image/svg+xml" in shown(piece)
    assert shown(parse(SMALL).pieces[0])["text/plain"] == "piece D\nxx"


def test_a_piece_takes_the_lattice_of_its_puzzle_and_is_the_same_piece() -> None:
    puzzle = parse(SMALL)
    (piece,) = puzzle.pieces
    alone = replace(piece, lattice=None)
    assert alone == piece
    assert hash(alone) == hash(piece)
    assert "lattice" not in repr(piece)
    assert "image/svg+xml" not in shown(alone)
    moved = replace(puzzle, pieces=(alone,))
    assert moved == puzzle
    assert moved.pieces[0].lattice is puzzle.lattice
    assert alone.lattice is None  # a piece with another reference is unchanged
    assert replace(puzzle).pieces[0] is piece


def test_a_solution_shows_the_places_of_its_pieces() -> None:
    solution = next(iter(solve(parse(SMALL))))
    bundle = shown(solution)
    assert bundle["text/plain"] == str(solution)
    assert bundle["image/svg+xml"] == draw(solution)


def test_solutions_show_known_facts_without_a_search() -> None:
    solutions = solve(parse(SMALL))
    assert shown(solutions)["text/plain"] == 'solutions of "Dominoes": no search yet'
    assert (solutions.number, solutions.nodes) == (0, 0)
    found = iter(solutions)
    next(found)
    assert shown(solutions)["text/plain"] == '1 distinct solution of "Dominoes" so far'
    assert len(list(found)) == 1
    bundle = shown(solutions)
    assert bundle["text/plain"] == '2 distinct solutions of "Dominoes"'
    assert bundle["image/svg+xml"] == draw(solutions.subject())


def test_solutions_of_a_limited_search_are_not_a_complete_number() -> None:
    solutions = Solutions("pentominoes/6x10", limits=Limits(3))
    assert len(list(solutions)) == 3
    assert str(solutions).endswith("so far")
    assert len(solutions.first) == 3
    assert solutions.subject().number is None


def test_only_the_first_of_many_solutions_are_kept() -> None:
    solutions = solve(parse('puzzle "p"\nlocations box 6x4\npiece D x12 { xx }\n'), symmetry="none")
    assert (
        len(list(solutions))
        == count(parse('puzzle "p"\nlocations box 6x4\npiece D x12 { xx }\n'), symmetry="none")
        == 281
    )
    assert len(solutions.first) == 12
    shown(solutions)


def test_a_count_is_shown_with_the_puzzle() -> None:
    solutions = solve(parse(SMALL), symmetry="none")
    solutions.count()
    assert shown(solutions)["text/plain"] == '3 raw solutions of "Dominoes"'


def test_all_solutions_show_their_number_and_some_of_them() -> None:
    pytest.importorskip("numba")
    every = every_solution(parse('puzzle "p"\nlocations box 4x4\npiece D x8 { xx }\n'))
    bundle = shown(every)
    assert bundle["text/plain"].startswith("<EverySolution: 36 raw solutions")
    assert "image/svg+xml" in bundle
    none = every.without_piece("D")
    assert shown(none)["text/plain"].startswith("<EverySolution: 0 raw")


def test_lattices_and_libraries_show_themselves() -> None:
    for name in lattice_names():
        assert "image/svg+xml" in shown(find_lattice(name))
    for name in ("tetrahexes", "tetracubes", "tetrasticks"):
        bundle = shown(find_library(name))
        assert bundle["text/plain"].startswith(name)
        assert "image/svg+xml" in bundle


def test_an_error_shows_its_lines_and_how_to_fix_it() -> None:
    with pytest.raises(PuzzleError) as raised:
        parse('puzzle "p"\nlocations box 3x2\npiece D { xx }\npiece D { xx }\n')
    error = raised.value
    text = shown(error)["text/plain"]
    assert text.startswith("error[PZ301]")
    assert "help:" in text
    assert shown(error.diagnostics[0])["text/plain"] == text
    printed = "\n".join(error._render_traceback_())
    assert "\033[" in printed
    assert "PZ301" in printed


def test_ipython_prints_the_same_for_an_error_and_a_page() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    with pytest.raises(PuzzleError) as raised:
        parse('puzzle "p"\nlocations box 3x2\npiece D { xx }\npiece D { xx }\n')
    assert pretty(raised.value) == shown(raised.value)["text/plain"]
    assert pretty(draw(parse(SMALL), limit=0)).startswith("a picture of ")


def test_a_page_shows_itself_in_a_frame_that_reaches_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    page: Any = view(parse(SMALL))
    assert page.startswith("<!DOCTYPE html>")
    bundle = page._repr_mimebundle_()
    frame = ElementTree.fromstring(bundle["text/html"].replace(" allowfullscreen", ""))
    assert frame.get("srcdoc", "").split() == page.split()
    assert frame.get("sandbox") == "allow-scripts allow-downloads"
    monkeypatch.setattr(notebook, "MOST_OF_A_PAGE", 10)
    assert list(page._repr_mimebundle_()) == ["text/plain"]


@pytest.mark.parametrize(
    "text",
    [
        'puzzle "big"\noptional locations box 300x300\npiece I x* { xx }\n',
        'puzzle "big"\nlattice cubic\nlocations box 30x30x30\npiece I x* cells (0,0,0) (1,0,0)\n',
        'puzzle "p"\nlattice hypercubic\nlocations box 2x2x2x2\npiece I x8 cells (0,0,0,0) (1,0,0,0)\n',
        'puzzle "p"\nlattice none\nlocations names a b c\npiece I covers {a b} {b c}\npiece J covers {a} {c}\n',
    ],
)
def test_huge_puzzles_and_those_without_geometry_have_a_small_display(text: str) -> None:
    bundle = shown(parse(text))
    assert sum(map(len, bundle.values())) < 100_000


def test_the_number_of_shown_lines_is_limited() -> None:
    pieces = "".join(f"piece p{number} {{ x }}\n" for number in range(400))
    bundle = shown(parse(f'puzzle "p"\noptional locations box 20x20\n{pieces}'))
    assert bundle["text/plain"].count("\n") <= notebook.MOST_LINES
    assert bundle["text/plain"].endswith("more lines")


def test_a_notebook_may_ask_for_some_kinds_only() -> None:
    puzzle = parse(SMALL)
    assert list(mimebundle(puzzle, include={"text/plain"})) == ["text/plain"]
    assert "image/svg+xml" not in mimebundle(puzzle, exclude=["image/svg+xml"])
    assert mimebundle(puzzle, None, None).keys() == {"text/plain", "image/svg+xml"}


def _families() -> dict[str, str]:
    """Return the first puzzle of each family of the catalogue."""
    found: dict[str, str] = {}
    for entry in catalogue.entries():
        found.setdefault(entry.name.split("/")[0], entry.name)
    return found


@pytest.mark.parametrize("name", [name for family, name in _families().items() if family != "eternity"])
def test_the_first_puzzle_of_each_family_shows_itself(name: str) -> None:
    puzzle = load(name)
    if not isinstance(puzzle, ExactCover):
        shown(puzzle)
        if isinstance(puzzle, Puzzle):
            assert all(isinstance(shown(piece), dict) for piece in puzzle.pieces[:2])


def test_a_piece_whose_placements_are_listed_is_text() -> None:
    piece = Piece("A", covers=(("a", "b"),))
    assert list(shown(piece)) == ["text/plain"]


def test_a_placement_shows_its_piece_on_the_board() -> None:
    solution = next(iter(solve(parse(SMALL))))
    pictures = {shown(placement)["image/svg+xml"] for placement in solution.placements}
    assert len(pictures) == 3
    assert shown(solution)["image/svg+xml"] not in pictures


def test_results_show_their_solution_or_their_puzzle(tmp_path: Path) -> None:
    puzzle = parse(SMALL)
    file = tmp_path / "solutions.txt"
    file.write_text("D: 0,0 1,0\nD: 2,0 2,1\nD: 0,1 1,1\n\nD: 0,0 1,0\n")
    right, wrong = check_solutions(puzzle, file)
    assert right.solution is not None
    assert shown(right)["image/svg+xml"] == shown(right.solution)["image/svg+xml"]
    assert list(shown(wrong)) == ["text/plain"]
    taken = next(disassemble(puzzle))
    assert shown(taken)["image/svg+xml"] == shown(taken.solution)["image/svg+xml"]
    [clued] = clues(parse("locations box 4x4\npiece L x4 { xxx/x.. }"))
    made = generate("dominosa", seed=1)
    for result in (clued, made):
        assert shown(result)["image/svg+xml"] == shown(result.puzzle)["image/svg+xml"]


def test_one_solution_is_singular() -> None:
    pytest.importorskip("numba")
    bundle = shown(every_solution(parse('puzzle "p"\nlocations box 2x1\npiece D { xx }\n')))
    assert bundle["text/plain"] == "<EverySolution: 1 raw solution in 2 nodes>"
    assert "1 raw solutions" not in bundle["image/svg+xml"]
