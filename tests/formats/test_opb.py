from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given

import puzzlec
from puzzlec.engine import Search
from puzzlec.engine import problem as cover_module
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.solvers import linear
from puzzlec.formats.solvers.opb import write_opb
from puzzlec.formats.writing import labelled
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled
from tests import brute
from tests.engine.test_kernels import problems
from tests.formats.test_cnf import coloured

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {"=": operator.eq, ">=": operator.ge}


class Model(NamedTuple):
    """The content of a text: its comments, the number of variables, and constraints (terms, relation, right side)."""

    comments: list[str]
    variables: int
    constraints: list[tuple[list[tuple[int, int]], str, int]]


def parsed(text: str) -> Model:
    """Read a text as strictly as the grammar of the competitions; all numbers must be exact."""
    assert text.endswith("\n")
    head, *lines = text[:-1].split("\n")
    told = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", head)
    assert told
    variables, number = map(int, told.groups())
    comments = [line for line in lines if line.startswith("* ")]
    found = []
    for line in lines:
        if not line.startswith("*"):
            match = re.fullmatch(r"((?:[+-]\d+ x[1-9]\d* )+)(=|>=) (-?\d+) ;", line)
            assert match, line
            words = match[1].split()
            terms = [(int(factor), int(name[1:])) for factor, name in zip(words[::2], words[1::2], strict=True)]
            assert len({variable for _, variable in terms}) == len(terms)
            assert all(variable <= variables for _, variable in terms)
            found.append((terms, match[2], int(match[3])))
    assert len(found) == number
    return Model(comments, variables, found)


def text_of(cover: ExactCover) -> str:
    return "".join(write_opb(Labelled(cover), WriterChoices()))


def solutions(model: Model) -> list[tuple[int, ...]]:
    """Return all solutions, over all variables, each as the variables that are true; found by CP-SAT."""
    cp = pytest.importorskip("ortools.sat.python.cp_model")
    problem = cp.CpModel()
    variables = [problem.new_bool_var(f"x{number}") for number in range(1, model.variables + 1)]
    for terms, relation, right in model.constraints:
        problem.add(RELATIONS[relation](sum(factor * variables[number - 1] for factor, number in terms), right))
    found = []

    class Collect(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
        def on_solution_callback(self) -> None:
            found.append(tuple(number for number, variable in enumerate(variables, 1) if self.value(variable)))

    solver = cp.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    assert solver.solve(problem, Collect()) in (cp.OPTIMAL, cp.INFEASIBLE)
    return sorted(found)


def lifted(model: Model, options: int) -> list[tuple[int, ...]]:
    return sorted(tuple(number - 1 for number in literals if number <= options) for literals in solutions(model))


@given(problems())
def test_the_solutions_over_all_variables_are_the_covers_one_to_one(cover: ExactCover) -> None:
    assert lifted(parsed(text_of(cover)), len(cover)) == brute.covers(cover)


def test_comments_use_the_names_of_colours() -> None:
    rows: list[list[int | tuple[int, int]]] = [[0, (1, 2)], [0, (1, 2)], [0, (1, 1)]]
    cover = ExactCover.from_rows(rows, 1, 1, item_names=["p", "X"], colour_names=["1", "deep\nred"])
    assert "* x4 = colour deep red of X\n" in text_of(cover)
    assert "* item X, colour deep red\n" in text_of(cover)


@given(coloured())
def test_options_agree_on_an_item_if_all_give_it_the_same_colour(cover: ExactCover) -> None:
    assert lifted(parsed(text_of(cover)), len(cover)) == brute.covers(cover)


@pytest.mark.long
def test_a_packing_has_the_solutions_that_the_engine_finds() -> None:
    puzzle = puzzlec.parse("locations box 5x4\npieces tetrominoes x0..2\n", format="puzzle")
    what = labelled(puzzlec.compile(puzzle))
    found = lifted(parsed("".join(write_opb(what, WriterChoices()))), len(what.cover))
    assert found == sorted(tuple(sorted(cover)) for cover in Search(what.cover))
    assert found


def test_an_exact_cover_is_written_in_the_form_of_the_competitions() -> None:
    rows = [["p", "x:red"], ["p", "x:red"], ["q", "x"], ["q"]]
    cover = ExactCover.from_names(["p", "q"], dict(zip("abcd", rows, strict=True)), ["x"], {"q": (1, 2), "p": (0, 1)})
    assert text_of(cover) == (
        "* #variable= 5 #constraint= 6\n"
        "* x1 = a\n* x2 = b\n* x3 = c\n* x4 = d\n* x5 = colour red of x\n"
        "* item p\n-1 x1 -1 x2 >= -1 ;\n"
        "* item q\n+1 x3 +1 x4 >= 1 ;\n"
        "* item x\n-1 x3 -1 x5 >= -1 ;\n"
        "* item x, colour red\n+1 x1 +1 x2 -1 x5 >= 0 ;\n+1 x5 -1 x1 >= 0 ;\n+1 x5 -1 x2 >= 0 ;\n"
    )


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        (ExactCover.from_rows([], 0), "* #variable= 0 #constraint= 0\n"),
        (ExactCover.from_rows([], 1, bounds=[(0, ANY)]), "* #variable= 0 #constraint= 0\n"),
        (
            ExactCover.from_rows([], 1),
            "* #variable= 1 #constraint= 1\n* item 0\n+1 x1 >= 2 ;\n",
        ),
        (
            ExactCover.from_rows([[0]], 1, bounds=[(0, 0)]),
            "* #variable= 1 #constraint= 1\n* x1 = 0\n* item 0\n-1 x1 >= 0 ;\n",
        ),
        (
            ExactCover.from_rows([[0]], 1, bounds=[(3, 4)]),
            "* #variable= 1 #constraint= 1\n* x1 = 0\n* item 0\n+1 x1 >= 3 ;\n",
        ),
    ],
)
def test_problems_without_options_or_items_are_valid(cover: ExactCover, expected: str) -> None:
    assert text_of(cover) == expected
    assert lifted(parsed(expected), len(cover)) == brute.covers(cover)


def test_comments_have_the_title_and_the_meaning_of_each_variable() -> None:
    puzzle = puzzlec.parse('puzzle "Two  lines"\nlocations box 2x2\npiece D x2 { xx }\n', format="puzzle")
    what = labelled(puzzlec.compile(puzzle))
    model = parsed("".join(write_opb(what, WriterChoices())))
    title, *meanings = model.comments[: len(what.cover) + 1]
    assert title == "* title Two lines"
    assert meanings == [f"* x{number} = {label}" for number, label in enumerate(what.labels(), 1)]
    assert model.comments[len(what.cover) + 1 :] == [f"* item {label}" for label in what.items]
    assert meanings[0].startswith("* x1 = D ")


@given(problems())
def test_a_large_problem_is_written_in_the_same_way_as_a_small_one(cover: ExactCover) -> None:
    usual, entries = cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART
    text = text_of(cover)
    try:
        cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART = 0, 3
        assert text_of(cover) == text
    finally:
        cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART = usual, entries


def test_chunks_are_moderate() -> None:
    cover = ExactCover.from_rows([[0]] * 90_000, 1)
    sizes = [len(chunk) for chunk in write_opb(Labelled(cover), WriterChoices())]
    assert len(sizes) > 10
    assert max(sizes) < 200_000
