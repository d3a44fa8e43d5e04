"""Questions about many covers at once have the same answers as for each cover."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import Search
from puzzlec.engine.cover_rows import rows_of
from puzzlec.lower import symmetry
from puzzlec.solving.conditions import Any, Every, Formula, Some, Without, understood
from puzzlec.solving.orbits import CoverQuestion
from tests.jobs.kept import GARDEN, compiled
from tests.solving.formulas import holds

atoms = st.frozensets(st.integers(0, 9), max_size=4).map(Some)
formulas = st.recursive(
    atoms,
    lambda inner: (
        inner.map(Without)
        | st.lists(inner, max_size=3).map(lambda parts: Every(tuple(parts)))
        | st.lists(inner, max_size=3).map(lambda parts: Any(tuple(parts)))
    ),
    max_leaves=6,
)
covers = st.lists(st.sets(st.integers(0, 9), max_size=5).map(sorted).map(tuple), max_size=6)


@given(formulas, covers)
def test_a_formula_is_answered_for_each_row(formula: Formula, some: list[tuple[int, ...]]) -> None:
    rows = rows_of(some, 10)
    assert CoverQuestion(formula, 10).holds(rows).tolist() == [holds(formula, cover) for cover in some]


@given(formulas, covers, st.permutations(range(10)))
def test_a_rotated_question_is_about_the_images(
    formula: Formula, some: list[tuple[int, ...]], permutation: list[int]
) -> None:
    question = CoverQuestion(formula, 10)
    turned = question.turned(array("i", permutation))
    images = [tuple(permutation[option] for option in cover) for cover in some]
    assert turned.holds(rows_of(some, 10)).tolist() == [holds(formula, image) for image in images]
    assert turned == turned.turned(array("i", range(10)))


def test_rotations_keep_corners_and_edges() -> None:
    encoding = compiled("locations box 4x3\npiece I x0..6 { xx }\npiece L x1..4 { xx/x. }\n")
    number = len(encoding.cover)
    rows = rows_of(Search(encoding.cover), number)
    for text, same in (("I on centre and L on corner", True), ("I on 0,0", False)):
        question = CoverQuestion(understood(text, encoding).formula, number)
        turned = [question.turned(options) for options in symmetry(encoding).options]
        assert all(other == question for other in turned) is same
        answers = {int(other.holds(rows).sum()) for other in turned}
        assert len(answers) == 1  # the number among all solutions equals that among their images
        assert 0 < answers.pop() < len(rows)


def test_a_covered_region_needs_each_optional_location() -> None:
    encoding = compiled(GARDEN)
    formula = understood("0,3 1,3 0,0 covered", encoding).formula
    found = [cover for cover in Search(encoding.cover) if holds(formula, cover)]
    wanted = [
        cover
        for cover in Search(encoding.cover)
        if all(
            on is not None
            for name, on in zip(encoding.fitting.names, encoding.lift(cover).pieces_on, strict=False)
            if name in ("0,3", "1,3")
        )
    ]
    assert found == wanted
    assert 0 < len(found) < len(list(Search(encoding.cover)))
