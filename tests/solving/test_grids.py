"""Puzzles without geometry are drawn as a grid if their names describe one.

Others are listed, in columns if they fit.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.ir import Solution
from puzzlec.show.palette import EMPTY, INK, mixed
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_grid, draw_solution, in_columns
from puzzlec.solving.grids import _area_numbers, grid_board, task_board


def first(name: str, **given: int) -> Solution:
    return next(iter(puzzlec.solve(puzzlec.load(name, parameters=given), symmetry="none")))


def test_a_sudoku_is_a_grid_with_its_blocks() -> None:
    drawn = draw_solution(first("new/sudoku"), Style(ascii=True)).split("\n")
    assert drawn[:4] == [
        "+-----------+-----------+-----------+",
        "| 5   3   4 | 6   7   8 | 9   1   2 |",
        "|           |           |           |",
        "| 6   7   2 | 1   9   5 | 3   4   8 |",
    ]
    assert len(drawn) == 19
    assert "\033[" in draw_solution(first("new/sudoku"), Style(colour=True))


@pytest.mark.parametrize("name", ["new/latin", "latin/order-4"])
def test_a_latin_square_has_each_number_once_in_each_row_and_column(name: str) -> None:
    rows = [line.strip("│ ").split() for line in draw_solution(first(name)).split("\n")[1:-1:2]]
    assert len(rows) == 4
    assert all(sorted(line) == list("1234") for line in [*rows, *zip(*rows, strict=True)])


@pytest.mark.parametrize("name", ["queens/8"])
def test_queens_are_on_a_chessboard(name: str) -> None:
    rows = [line.strip("│ ").split() for line in draw_solution(first(name, n=6)).split("\n")[1:-1:2]]
    places = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "Q"]
    assert len(rows) == len(places) == 6
    for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
        assert len({right * x + down * y for x, y in places}) == 6


def knuth(size: int) -> str:
    """A sudoku as Knuth writes it: p for cells, r, c and b for digits in rows, columns and boxes."""
    digits = range(size * size)
    options = []
    for i in digits:
        for j in digits:
            for k in digits:
                box = i // size * size + j // size
                options.append(f"p{i}{j} r{i}{k + 1} c{j}{k + 1} b{box}{k + 1}")
    items = " ".join(dict.fromkeys(name for option in options for name in option.split()))
    return "\n".join([items, *options]) + "\n"


def test_an_exact_cover_with_names_of_digits_alone_is_also_a_grid() -> None:
    solution = next(iter(puzzlec.solve(puzzlec.parse(knuth(2), format="dlx"), symmetry="none")))
    drawn = draw_solution(solution, Style(ascii=True)).split("\n")
    assert drawn[0] == "+-------+-------+"
    rows = [line.replace("|", " ").split() for line in (drawn[1], drawn[3], drawn[5], drawn[7])]
    assert all(sorted(line) == list("1234") for line in [*rows, *zip(*rows, strict=True)])


def test_a_grid_that_does_not_fit_is_a_list() -> None:
    assert not draw_solution(first("new/sudoku"), Style(width=18)).startswith("┌")
    assert draw_solution(first("new/sudoku"), Style(width=19)).startswith("┌─────┬")


def test_numbers_of_two_digits_have_room() -> None:
    drawn = draw_solution(first("new/latin", n=10), Style(width=80))
    assert " 10 " in drawn
    assert not draw_solution(first("new/latin", n=10), Style(width=30)).startswith("┌")


@pytest.mark.parametrize(
    "name", ["designs/fano-planes", "designs/nine-schoolgirls", "langford/pairs", "new/cutting", "cover/items"]
)
def test_names_without_a_grid_make_a_list(name: str) -> None:
    solution = first(name)
    drawn = draw_solution(solution, Style(width=200))
    assert drawn == solution.listing()


def test_ambiguous_names_make_no_grid() -> None:
    # Rooks: one in each row and column, but diagonals are not covered; a grid of nine cells with no value.
    rooks = "lattice none\nlocations names column[j] for j in 1..4\n"
    rooks += "for i in 1..4 { piece r[i] covers {column[j]} for j in 1..4 }"
    every = "for x in 1..3, y in 1..3"
    cells = f"lattice none\nlocations names at[x,y] {every}\n{every} {{ piece c[x,y] covers {{at[x,y]}} }}"
    for text in (rooks, cells):
        solution = next(iter(puzzlec.solve(puzzlec.parse(text), symmetry="none")))
        assert draw_solution(solution) == solution.listing()


def test_many_short_lines_are_in_columns() -> None:
    text = "lattice none\nlocations names l[i] for i in 1..40\nfor i in 1..20 { piece p[i] covers {l[2*i-1] l[2*i]} }"
    solution = next(iter(puzzlec.solve(puzzlec.parse(text))))
    drawn = draw_solution(solution, Style(width=80)).split("\n")
    assert len(drawn) == 7
    assert drawn[0] == "p[1]: l[1] l[2]       p[8]: l[15] l[16]     p[15]: l[29] l[30]"
    assert sorted(word for line in drawn for word in line.split()) == sorted(solution.listing().split())
    assert draw_solution(solution, Style(width=30)) == solution.listing()


@given(st.lists(st.text("ab ", min_size=1, max_size=12).map(str.strip).filter(bool)), st.integers(20, 60))
def test_columns_lose_nothing_and_fit(lines: list[str], width: int) -> None:
    shown = in_columns(lines, width)
    assert sorted(" ".join(shown).split()) == sorted(" ".join(lines).split())
    assert all(len(line) <= width and line == line.rstrip() for line in shown)


@pytest.mark.parametrize("name", ["latin/sudoku-4x4", "new/sudoku"])
def test_blocks_that_touch_have_an_even_and_an_odd_number(name: str) -> None:
    """Pictures shade the odd ones, as on a chessboard."""
    board = grid_board(first(name))
    assert board is not None
    pairs = {(x, y): ((x + 1, y), (x, y + 1)) for x, y in board.areas}
    touching = {
        (board.areas[cell], board.areas[other])
        for cell, others in pairs.items()
        for other in others
        if other in board.areas and board.areas[cell] != board.areas[other]
    }
    assert touching
    assert all((one + other) % 2 == 1 for one, other in touching)


def test_only_blocks_are_shaded_in_a_picture() -> None:
    grey = mixed(EMPTY, INK, 0.13)
    assert puzzlec.draw("latin/sudoku-4x4").count(f'fill="{grey}"') == 8
    assert grey not in puzzlec.draw("latin/order-4")


def test_a_puzzle_is_shown_as_its_empty_grid_with_the_given_values() -> None:
    fitting = puzzlec.compile(puzzlec.load("new/sudoku"), stage="fitting")
    assert draw_grid(task_board(fitting), Style(ascii=True)).split("\n")[1] == "| 5   3   . | .   7   . | .   .   . |"
    assert draw_grid(task_board(fitting), Style(width=9)) == ""


def test_three_areas_that_touch_each_other_keep_their_order() -> None:
    assert _area_numbers({(0, 0): 4, (1, 0): 5, (0, 1): 4, (1, 1): 6}) == {4: 0, 5: 1, 6: 2}
    assert _area_numbers({(0, 0): 1, (1, 0): 2, (0, 1): 3, (1, 1): 4}) == {1: 0, 2: 1, 3: 3, 4: 2}
