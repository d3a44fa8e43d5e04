"""A condition has the same meaning for the options of a puzzle and for the pieces of a solution."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Puzzle, Solution
from puzzlec.language.condition_text import ConditionName, Is, Join, Lies, Not, Written, read_condition
from puzzlec.lower import Encoding
from puzzlec.solving.conditions import Any, Every, Some, all_understood, named_place, understood
from puzzlec.solving.every import SolutionsWhere, TooManyCasesError
from tests.solving.formulas import holds
from tests.solving.test_every import loose_puzzles, placements

LATTICES = ("line", "square", "cubic", "sticks")


def compiled(what: Puzzle | str) -> Encoding:
    return puzzlec.compile(puzzlec.parse(what) if isinstance(what, str) else what)


def place_of(name: ConditionName, solution: Solution) -> set[int]:
    """Return the locations of a place, from its words alone."""
    fitting, found = solution.fitting, set[int]()
    for word in name.words:
        known = [number for number in range(fitting.locations) if fitting.location_name(number) == word.strip("()")]
        found.update(known or named_place(fitting, word))
    return found


def is_so(written: Written, solution: Solution) -> bool:
    """Return whether a condition holds for placed pieces, from its words alone."""
    if isinstance(written, Join):
        return (all if written.every else any)([is_so(part, solution) for part in written.parts])
    if isinstance(written, Not):
        return not is_so(written.of, solution)
    named = {
        placement.locations: solution.fitting.piece_name(placement.number) for placement in solution.placements
    }  # no two cover the same locations
    if isinstance(written, Lies):
        own = [set(at) for at, name in named.items() if name == written.piece.text]
        place = place_of(written.place, solution)
        related = {
            "inside": [not at - place for at in own],
            "on": [any(one in place for one in at) for at in own],
            "off": [not any(one in place for one in at) for at in own],
            "at": [at == place for at in own],
        }
        return bool(own) and (any if written.relation in ("on", "at") else all)(related[written.relation])
    if written.state == "used":
        return written.what.text in named.values()
    pieces = [solution.pieces_on[at] for at in place_of(written.what, solution)]
    return all((piece is None) == (written.state == "empty") for piece in pieces)


@st.composite
def conditions(draw: st.DrawFn, puzzle: Puzzle, depth: int = 2) -> str:
    """A random condition on a puzzle, as a text."""
    if depth and draw(st.booleans()):
        one, two = draw(conditions(puzzle, depth - 1)), draw(conditions(puzzle, depth - 1))
        return draw(st.sampled_from([f"({one}) and {two}", f"{one} or {two}", f"not ({one})", f"not not ({two})"]))
    names = ["corner", "border", "centre", "center", "corners"]
    cells = [",".join(map(str, location.at)) for location in puzzle.locations]
    cell, other = draw(st.sampled_from(cells)), draw(st.sampled_from(cells))
    place = draw(st.sampled_from([*names, cell, f"({cell}) {other}", f"{cell} corner"]))
    piece = draw(st.sampled_from([candidate.name for candidate in puzzle.pieces]))
    verb = draw(st.sampled_from(["inside", "on", "off", "at", "not on", "not inside"]))
    return draw(st.sampled_from([f"{piece} {verb} {place}", f"{piece} used", f"{place} empty", f"{place} not covered"]))


@given(st.data(), loose_puzzles(LATTICES))
def test_a_condition_holds_for_a_solution_when_it_holds_for_its_options(data: st.DataObject, puzzle: Puzzle) -> None:
    encoding = compiled(puzzle)
    text = data.draw(conditions(puzzle))
    written, formula = read_condition(text), understood(text, encoding).formula
    for options in puzzlec.engine.Search(encoding.cover):
        assert holds(formula, options) == is_so(written, encoding.lift(options)), text


@settings(max_examples=15)
@given(st.data(), loose_puzzles(LATTICES))
def test_cases_of_a_diagram_have_the_solutions_for_which_a_condition_holds(data: st.DataObject, puzzle: Puzzle) -> None:
    encoding = compiled(puzzle)
    text = data.draw(conditions(puzzle))
    written = read_condition(text)
    every = puzzlec.every_solution(encoding)
    left = SolutionsWhere(every, understood(text, encoding).formula)
    wanted = [solution for solution in every if is_so(written, solution)]
    assert (left.count, bool(left)) == (len(wanted), bool(wanted))
    assert sorted((solution.placements for solution in left), key=repr) == placements(wanted)
    if wanted:
        drawn = left.sample(3, seed=5)
        assert {solution.placements for solution in drawn} <= {solution.placements for solution in wanted}
        often = [[0] * len(piece.placements) for piece in encoding.fitting.pieces]
        for solution in wanted:
            for placement in solution.placements:
                often[placement.number][placement.index] += 1
        assert left.occurrences == tuple(map(tuple, often))
        bare = [sum(solution.pieces_on[at] is None for solution in wanted) for at in range(len(puzzle.locations))]
        assert left.empty == tuple(bare)
        assert [sum(on) + at for on, at in zip(zip(*left.coverage, strict=True), bare, strict=True)] == [
            len(wanted)
        ] * len(bare)


@cache
def garden() -> Encoding:
    return compiled('locations box 4x3\npiece "long bar" x0..4 { xxx }\npiece on x0..6 { xx }')


def test_several_conditions_hold_together_where_each_of_them_holds() -> None:
    texts = ("on on corner", "long bar on corner")
    together = all_understood(texts, garden())
    assert together is not None
    assert together.words == "; and ".join(understood(text, garden()).words for text in texts)
    each = [understood(text, garden()).formula for text in texts]
    outcomes = set()
    for options in puzzlec.engine.Search(garden().cover):
        whether = [holds(formula, options) for formula in each]
        assert holds(together.formula, options) == all(whether)
        outcomes.add(tuple(whether))
    assert outcomes == {(True, False), (False, True), (True, True)}
    assert all_understood((), garden()) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("long bar on corner", "long bar covers some of `corner` (4 locations)"),
        ('"long bar" inside box 3x1 + box 1x3', "is wholly inside `box 3x1 + box 1x3` (5 locations)"),
        ("on on border", "on covers some of `border` (10 locations)"),
        ("on not at (0,0) 1,0", "not (on covers exactly `(0,0) 1,0` (2 locations))"),
        ("on off corner", "on covers none of `corner` (4 locations)"),
        ('on inside "(box 2x1) at (1,1)"', "on is wholly inside"),
        ("{xx} at (1,1) covered", "all of `{xx} at (1,1)` (2 locations) is covered"),
        ("on used and (long bar used or centre empty)", "on is used and (long bar is used or all of `centre`"),
        ("cells (0,0) (1,1) covered", "(2 locations) is covered"),
        ("box 4x3 - box 2x1 at (1,1) & box 4x2 covered", "(6 locations) is covered"),
    ],
)
def test_the_meaning_of_a_condition_is_printed(text: str, told: str) -> None:
    assert told in understood(text, garden()).words


@pytest.mark.parametrize(
    ("text", "column", "message", "help"),
    [
        ("", 1, "expected a condition such as `X on corner`, but the condition ends", ""),
        ("on", 3, "expected `inside`, `on`, `off`, `at`, `used`, `empty` or `covered`", ""),
        ("bar on corner", 1, "unknown piece `bar`", "there are long bar, on"),
        ("on on cornr", 7, "unknown location `cornr`", "did you mean `corner`?"),
        ("on on top", 7, "unknown location `top`", "write a cell, `corner`, `border` or `centre`"),
        ("on on 9,9", 7, "unknown location `9,9`", "the cells go from 0,0 to 3,2"),
        ("on on box 2x2x2", 7, "invalid region: box has 3 sizes", "lattice cubic"),
        ("on on box 0x0", 7, "this does not name a location", ""),
        ("on on corner && on used", 17, "expected `and` or `or`", "write `and`, `or` and `not`"),
        ("(on on corner", 14, "expected `)`", ""),
        ("box 2x2 on corner", 9, "expected `empty` or `covered`, found `on`", ""),
        ('"on on corner', 1, 'found `"`', 'write `"` after the name'),
        ("on on (box 2x2 + {x})", 7, "expected a place", "in double quotes"),
        ("on@0,0", 7, "the condition ends", "write `PIECE on WHERE`"),
        ("(" * 60 + "on used" + ")" * 60, 51, "brackets are nested too deeply", ""),
        ("on used and " * 1000 + "on used", 0, "condition is too long", ""),
    ],
)
def test_an_error_in_a_condition_has_its_place(text: str, column: int, message: str, help: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        understood(text, garden())
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PZ630"
    assert message in diagnostic.message
    assert help in " ".join(diagnostic.helps)
    if column:
        assert diagnostic.span is not None
        assert diagnostic.span.source.position(diagnostic.span.start) == (1, column)


@given(st.text(st.sampled_from('Xon ()"{}+-&,0at not or'), max_size=30))
def test_any_text_is_understood_or_refused(text: str) -> None:
    encoding = garden()
    try:
        understood(text, encoding)
    except PuzzleError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics] == ["PZ630"]


def words(text: str, name: str) -> set[str]:
    fitting = compiled(text).fitting
    return {fitting.location_name(number) for number in named_place(fitting, name)}


def test_corners_edges_and_centres_are_at_the_expected_places() -> None:
    rectangle = "locations box 6x10\npiece A { x }"
    assert words(rectangle, "corner") == {"0,0", "5,0", "0,9", "5,9"}
    assert words(rectangle, "centre") == {"2,4", "3,4", "2,5", "3,5"}
    assert len(words(rectangle, "border")) == 28
    cross = "locations box 3x1 at (0,1) + box 1x3 at (1,0)\npiece A { x }"
    assert words(cross, "corners") == words(cross, "border") == {"1,0", "0,1", "2,1", "1,2"}
    ring = "locations box 5x5 - {x} at (2,2)\npiece A { x }"
    assert {"2,1", "1,2"} <= words(ring, "border")
    assert "1,1" not in words(ring, "border")
    assert len(words("lattice cubic\nlocations box 2x3x4\npiece A { x }", "corner")) == 8
    assert words("lattice line\nlocations box 5\npiece A { x }", "corner") == {"0", "4"}
    triangle = "lattice triangle\nlocations cells (0,0,0) (0,0,1) (0,1,1) (-1,0,1)\npiece A cells (0,0,0)"
    assert words(triangle, "corner") == {"0,0,1", "0,1,1", "-1,0,1"}
    assert words(triangle, "center") == {"0,0,0"}
    seven = "lattice hex\nlocations cells (1,1) (0,1) (2,1) (1,0) (1,2) (2,0) (0,2)\npiece A cells (0,0)"
    assert words(seven, "centre") == {"1,1"}
    assert words(seven, "corner") == words(seven, "border") == {"0,1", "2,1", "1,0", "1,2", "2,0", "0,2"}


def test_missing_places_are_refused_and_names_of_locations_come_first() -> None:
    for text, fault in [
        ("lattice none\nlocations names a b\npiece A covers {a b}", "this puzzle has no corner, as it has no geometry"),
        ("locations box 3x3\nwrap x\npiece A x9 { x }", "a board that wraps around has no corners"),
    ]:
        with pytest.raises(PuzzleError, match=fault):
            understood("A on corner", compiled(text))
    torus = compiled("locations box 3x3\nwrap x\npiece A x9 { x }")
    assert "(6 locations)" in understood("A on border", torus).words
    named = compiled("lattice none\nlocations names corner b\npiece A covers {corner b}")
    assert "(1 location)" in understood("A on corner", named).words


def test_a_condition_of_very_many_cases_is_refused() -> None:
    encoding = compiled("locations box 2x16\npiece D x16 { xx }")
    every = puzzlec.every_solution(encoding)
    options = range(len(encoding.cover))
    pairs = [Every((Some(frozenset({a})), Some(frozenset({b})))) for a, b in pairwise(options)]
    with pytest.raises(TooManyCasesError):
        SolutionsWhere(every, Any(tuple(pairs)))


def test_a_state_is_known_by_its_word() -> None:
    written = read_condition("0,0 not empty")
    assert isinstance(written, Not)
    assert isinstance(written.of, Is)
    assert written.of.state == "empty"


@pytest.mark.parametrize(
    ("text", "wrong", "fault", "help"),
    [
        ("I covers 0,0", "covers", "unknown relation `covers`", "`I on 0,0`"),
        ("I ON CORNER", "ON", "unknown relation `ON`", "did you mean `on`?"),
        ("I in corner", "in", "unknown relation `in`", "write `on` (covers some of it)"),
        ("I usd", "usd", "unknown relation `usd`", "did you mean `used`?"),
        ("I = corner", "=", "unknown relation `=`", "write `I on corner`"),
        ("I near corner", "near", "unknown relation `near`", "write `I on corner`"),
        ("I near", "near", "unknown relation `near`", "write `I used`"),
        ("I on corner or border", "border", "complete condition after `or`, such as `I on border`", ""),
        ("I or P on corner", "or", "found `or`", "write a complete condition"),
        ("I on box 3x3 at 1,1", "at", "found `at`", "in brackets: `box 3x3 at (1,1)`"),
        ("X on corner)", ")", "unmatched `)`", ""),
        ("I on corner, X on corner", "on", "found `on`", "write `and`"),
        ("(not I covers 0,0) and I on corner", "covers", "unknown relation `covers`", ""),
    ],
)
def test_an_error_in_a_condition_marks_the_wrong_word(text: str, wrong: str, fault: str, help: str) -> None:
    with pytest.raises(PuzzleError) as error:
        read_condition(text)
    told = error.value.diagnostics[0]
    assert told.span is not None
    assert told.span.text == wrong
    assert fault in told.message
    assert help in " ".join(told.helps)
    if suggested := re.fullmatch(r"write `(I [^`]*)`", help):
        assert read_condition(suggested[1])
