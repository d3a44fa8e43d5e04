from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import problem as cover_module
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import AT_MOST_ONE, WriterChoices
from puzzlec.formats.solvers import cnf, linear
from puzzlec.formats.solvers.cnf import write_cnf
from puzzlec.formats.writing import labelled
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled
from tests import brute
from tests.engine.test_kernels import problems

FORMS = pytest.mark.parametrize("form", AT_MOST_ONE)


class Formula(NamedTuple):
    """The content of a text: comments, number of variables, clauses."""

    comments: list[str]
    variables: int
    clauses: list[tuple[int, ...]]


def parsed(text: str) -> Formula:
    """Read DIMACS CNF as strictly as any program does: comments first, a clause on each line, all numbers exact."""
    assert text.endswith("\n")
    lines = text[:-1].split("\n")
    start = next(number for number, line in enumerate(lines) if not line.startswith("c "))
    head = re.fullmatch(r"p cnf (\d+) (\d+)", lines[start])
    assert head
    found = []
    for line in lines[start + 1 :]:
        assert re.fullmatch(r"(-?[1-9]\d* )*0", line), line
        clause = tuple(map(int, line.split()[:-1]))
        assert len({abs(literal) for literal in clause}) == len(clause)
        assert all(1 <= abs(literal) <= int(head[1]) for literal in clause)
        found.append(clause)
    assert len(found) == int(head[2])
    return Formula(lines[:start], int(head[1]), found)


def text_of(cover: ExactCover, form: str = "auto") -> str:
    return "".join(write_cnf(Labelled(cover), WriterChoices(form)))  # type: ignore[arg-type]


def models(formula: Formula) -> Iterator[tuple[int, ...]]:
    """Yield every model over all variables of the first line, as the variables that are true."""
    solvers = pytest.importorskip("pysat.solvers")
    with solvers.Solver(name="cadical195", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            yield tuple(sorted(true))
            other = [-variable if variable in true else variable for variable in range(1, formula.variables + 1)]
            if not other:
                return
            solver.add_clause(other)


def lifted(formula: Formula, options: int) -> list[tuple[int, ...]]:
    """Return the cover of each model."""
    return sorted(tuple(variable - 1 for variable in model if variable <= options) for model in models(formula))


@FORMS
@given(cover=problems())
def test_the_models_over_all_variables_are_the_covers_one_to_one(form: str, cover: ExactCover) -> None:
    assert lifted(parsed(text_of(cover, form)), len(cover)) == brute.covers(cover)


@st.composite
def one_item(draw: st.DrawFn) -> tuple[int, int, int]:
    """A number of options, and bounds that may exceed it."""
    number, low = draw(st.integers(0, 9)), draw(st.integers(0, 10))
    return number, low, draw(st.one_of(st.integers(low, 11), st.just(ANY)))


@FORMS
@given(asked=one_item())
def test_bounds_of_an_item_allow_exactly_the_sets_of_options_within_them(
    form: str, asked: tuple[int, int, int]
) -> None:
    number, low, high = asked
    cover = ExactCover.from_rows([[0]] * number, primary=1, bounds=[(low, high)])
    formula = parsed(text_of(cover, form))
    expected = [chosen for size in range(number + 1) for chosen in combinations(range(number), size)]
    assert lifted(formula, number) == sorted(chosen for chosen in expected if low <= len(chosen) <= high)


@pytest.mark.parametrize("number", range(13))
def test_the_numbers_of_clauses_for_bounds_are_known_before_writing(number: int) -> None:
    literals = range(1, number + 1)
    for form, low, high in product(AT_MOST_ONE, range(number + 2), range(number + 2)):
        if low <= high:
            size = cnf.size_of_bounds(number, low, high, form)
            text = "".join(cnf.bounds(literals, low, high, number + 1, form))
            assert text.count("\n") == size.clauses
            used = {abs(int(word)) for word in text.split()} - {0}
            assert used - set(literals) == set(range(number + 1, number + 1 + size.variables))


@st.composite
def coloured(draw: st.DrawFn) -> ExactCover:
    """Options that share one secondary item, most of them with a colour."""
    colours = draw(st.lists(st.integers(0, 3), max_size=9))
    rows: list[list[int | tuple[int, int]]] = [[0, (1, colour)] for colour in colours]
    return ExactCover.from_rows(rows, 1, 1, [(draw(st.integers(0, 2)), ANY)])


@FORMS
@given(cover=coloured())
def test_options_agree_on_an_item_if_all_give_it_the_same_colour(form: str, cover: ExactCover) -> None:
    assert lifted(parsed(text_of(cover, form)), len(cover)) == brute.covers(cover)


def test_a_colour_has_a_variable_if_that_takes_fewer_clauses() -> None:
    few = ExactCover.from_rows([(0, (1, 1))] * 2 + [(0, (1, 2))] * 2, 1, 1)
    assert parsed(text_of(few, "pairwise")).variables == 4
    many = ExactCover.from_rows([(0, (1, colour)) for colour in (1, 2, 3) for _ in range(5)], 1, 1, [(1, ANY)])
    formula = parsed(text_of(many, "pairwise"))
    assert formula.variables == 15 + 3
    assert len(formula.clauses) == 1 + 3 * 6 + 3
    assert len(lifted(formula, 15)) == 3 * (2**5 - 1) == len(brute.covers(many))


def test_comments_use_the_names_of_colours() -> None:
    rows: list[list[int | tuple[int, int]]] = [[0, (1, colour)] for colour in (1, 2) for _ in range(5)]
    names = ["red\nhot", "0"]
    cover = ExactCover.from_rows([*rows, [0, 1]], 1, 1, item_names=["p", "X"], colour_names=names)
    comments = [line for line in text_of(cover, "pairwise").split("\n") if line.startswith("c colour")]
    assert comments == ["c colour red hot of X: variable 12", "c colour 0 of X: variable 13"]
    assert ", variables 12..13\n" in text_of(cover, "pairwise")


def test_auto_takes_the_form_with_fewer_clauses() -> None:
    for number in range(2, 30):
        cover = ExactCover.from_rows([[0]] * number, 1)
        auto, *others = (parsed(text_of(cover, form)) for form in AT_MOST_ONE)
        assert len(auto.clauses) == min(len(other.clauses) for other in others)


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        (ExactCover.from_rows([], 0), "p cnf 0 0\n"),
        (ExactCover.from_rows([], 1, bounds=[(0, ANY)]), "c item 0: no clauses\np cnf 0 0\n"),
        (ExactCover.from_rows([], 1), "c item 0: clauses 1..1\np cnf 0 1\n0\n"),
        (ExactCover.from_rows([[0]], 1, bounds=[(2, 2)]), "c x 1 = 0\nc item 0: clauses 1..1\np cnf 1 1\n0\n"),
        (ExactCover.from_rows([[0]], 1, bounds=[(0, 0)]), "c x 1 = 0\nc item 0: clauses 1..1\np cnf 1 1\n-1 0\n"),
        (ExactCover.from_rows([[0]], 1, bounds=[(0, ANY)]), "c x 1 = 0\nc item 0: no clauses\np cnf 1 0\n"),
    ],
)  # fmt: skip
def test_problems_without_options_or_items_are_valid(cover: ExactCover, expected: str) -> None:
    assert text_of(cover) == expected
    assert lifted(parsed(expected), len(cover)) == brute.covers(cover)


def test_comments_name_the_title_each_option_and_the_clauses_of_each_item() -> None:
    text = 'puzzle "Two  lines"\nlocations box 2x2\npiece D x2 { xx }\n'
    what = labelled(puzzlec.compile(puzzlec.parse(text, format="puzzle")))
    formula = parsed("".join(write_cnf(what, WriterChoices("sequential"))))
    title, *rest = formula.comments
    assert title == "c title Two lines"
    options = len(what.cover)
    assert rest[:options] == [f"c x {number} = {what.option(number - 1)}" for number in range(1, options + 1)]
    assert rest[0].split(" = ")[1].startswith("D ")
    found = [re.fullmatch(r"c item (.*): clauses (\d+)\.\.(\d+)(?:, variables (\d+)\.\.(\d+))?", comment) for comment in
             rest[options : options + len(what.items)]]  # fmt: skip
    assert [match and match[1] for match in found] == list(what.items)
    begin = 1
    for item, match in enumerate(found):
        assert match
        assert int(match[2]) == begin
        begin = int(match[3]) + 1
        own = {abs(literal) for clause in formula.clauses[int(match[2]) - 1 : int(match[3])] for literal in clause}
        allowed = {option + 1 for option in range(options) if item in what.cover.row(option)}
        if match[4]:
            allowed |= set(range(int(match[4]), int(match[5]) + 1))
        assert own == allowed
    assert begin == len(formula.clauses) + 1


def test_a_comment_for_model_counters_names_the_variables_of_options_if_there_are_others() -> None:
    cover = ExactCover.from_rows([[0]] * 2500, 1)
    shown = [comment for comment in parsed(text_of(cover)).comments if comment.startswith("c p show ")]
    numbers = [list(map(int, comment.split()[3:])) for comment in shown]
    assert all(several.pop() == 0 for several in numbers)
    assert [number for several in numbers for number in several] == list(range(1, 2501))
    assert "show" not in text_of(ExactCover.from_rows([[0]] * 5, 1))


@given(problems(), st.sampled_from(AT_MOST_ONE))
def test_a_large_problem_is_written_in_the_same_way_as_a_small_one(cover: ExactCover, form: str) -> None:
    usual, entries = cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART
    text = text_of(cover, form)
    try:
        cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART = 0, 3
        assert text_of(cover, form) == text
    finally:
        cover_module.MIN_ENTRIES_OF_NUMPY, linear._ENTRIES_IN_PART = usual, entries


def test_chunks_are_moderate_and_many() -> None:
    cover = ExactCover.from_rows([[0]] * 1500, 1)
    for form, least in (("pairwise", 100), ("sequential", 2)):
        sizes = [len(chunk) for chunk in write_cnf(Labelled(cover), WriterChoices(form))]  # type: ignore[arg-type]
        assert len(sizes) >= least
        assert max(sizes) < 500_000


def test_more_clauses_than_solvers_count_are_refused_before_anything_is_written() -> None:
    number = 70_000
    cover = ExactCover.from_arrays(range(number + 1), [0] * number, primary=1, item_names=["all"])
    with pytest.raises(PuzzleError) as error:
        next(write_cnf(Labelled(cover, "large"), WriterChoices("pairwise")))
    (found,) = error.value.diagnostics
    assert found.code == "PZ503"
    assert "`all`" in found.message
    assert found.file == "large"
    assert "sequential" in found.helps[0]
    assert next(write_cnf(Labelled(cover), WriterChoices("auto")))
    half = ExactCover.from_arrays(range(number + 1), [0] * number, primary=1, bounds=[(1, number // 2)])
    with pytest.raises(PuzzleError) as error:
        next(write_cnf(Labelled(half), WriterChoices("sequential")))
    assert "opb" in error.value.diagnostics[0].helps[0]


@pytest.mark.long
@FORMS
def test_a_packing_has_as_many_models_as_solutions_and_they_are_the_same(form: str) -> None:
    solvers = pytest.importorskip("pysat.solvers")
    puzzle = puzzlec.parse("locations box 6x4\npieces tetrominoes x0..2\npiece V x0..1 { xx/x. }\n", format="puzzle")
    what = labelled(puzzlec.compile(puzzle))
    formula = parsed("".join(write_cnf(what, WriterChoices(form))))  # type: ignore[arg-type]
    with solvers.Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        found = [frozenset(v - 1 for v in model if 0 < v <= len(what.cover)) for model in solver.enum_models()]
    assert len(found) == len(set(found))
    assert set(found) == set(map(frozenset, puzzlec.engine.Search(what.cover)))
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("form", AT_MOST_ONE[1:])
def test_all_models_of_soma_are_its_11520_solutions(form: str) -> None:
    solvers = pytest.importorskip("pysat.solvers")
    what = labelled(puzzlec.compile(puzzlec.load("soma/soma")))
    options = len(what.cover)
    formula = parsed("".join(write_cnf(what, WriterChoices(form))))  # type: ignore[arg-type]
    meaning = dict(re.findall(r"^c x (\d+) = (.*)$", "\n".join(formula.comments), re.MULTILINE))
    found = set()
    with (
        solvers.Solver(name="cadical195", bootstrap_with=formula.clauses) as solver,
        solvers.Solver(name="glucose4", bootstrap_with=formula.clauses) as other,
    ):
        while solver.solve():
            model = solver.get_model()
            chosen = [variable for variable in model[:options] if variable > 0]
            # The other variables follow from those of the options: each choice has one model.
            consistent, followed = other.propagate(assumptions=model[:options])
            assert consistent
            assert sorted(followed, key=abs) == model
            # Each is a solution according to the comments: seven pieces, twenty-seven cells.
            words = [meaning[str(variable)].split() for variable in chosen]
            assert len({piece for piece, *_ in words}) == len(words) == 7
            assert len({cell for _, *cells in words for cell in cells}) == sum(len(word) - 1 for word in words) == 27
            found.add(tuple(chosen))
            solver.add_clause([-variable for variable in chosen])
    assert len(found) == 11520
