"""The relations between a piece and a region mean the same in statements, costs and conditions."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Puzzle
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.elaborate.statements import STATEMENTS, WORDS
from puzzlec.language.fixing import applied
from puzzlec.language.upgrade import upgraded
from puzzlec.solving.conditions import understood
from tests.docs_blocks import DOCS
from tests.solving.formulas import holds as is_true

BOARD = "locations box 4x3\npiece A { xxx/x.. }\npiece B x0..1 { xx }\npiece C x* { xx }\n"
TILE = "colours r b\npiece U x0..1 sides r r r b\n"
REGION = "{ xx../x... }"
CELLS = {(0, 0), (1, 0), (0, 1)}


def solutions(text: str) -> list[dict[str, list[set[tuple[int, ...]]]]]:
    """Return for each raw solution the cells of the copies of each piece."""
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    at = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    found = []
    for solution in puzzlec.solve(puzzle, symmetry="none"):
        copies: dict[str, list[set[tuple[int, ...]]]] = {}
        for placement in solution.placements:
            name = puzzle.pieces[placement.number].name
            copies.setdefault(name, []).append({at[place] for place in placement.locations})
        found.append(copies)
    return found


#: The relations, as sentences about sets.
HOLDS = {
    "inside": lambda piece: piece <= CELLS,
    "on": lambda piece: bool(piece & CELLS),
    "off": lambda piece: not piece & CELLS,
    "at": lambda piece: piece == CELLS,
}


@pytest.mark.parametrize("piece", ["A", "B", "C"])
@pytest.mark.parametrize("relation", HOLDS)
def test_a_relation_means_the_same_in_statements_costs_and_conditions(relation: str, piece: str) -> None:
    every = solutions(BOARD)
    holds = HOLDS[relation]
    if relation != "at":
        kept = [one for one in every if all(map(holds, one.get(piece, ())))]
        assert puzzlec.count(puzzlec.parse(f"{BOARD}place {piece} {relation} {REGION}\n"), symmetry="none") == len(kept)
    one_copy = relation in ("on", "at")  # in a condition; `inside` and `off` are about every copy
    used = [one for one in every if one.get(piece) and (any if one_copy else all)(map(holds, one[piece]))]
    encoding = compile(puzzlec.parse(BOARD))
    condition = understood(f"{piece} {relation} {REGION}", encoding)
    assert sum(is_true(condition.formula, options) for options in puzzlec.engine.Search(encoding.cover)) == len(used)
    costs = sorted(3 * sum(map(holds, one.get(piece, ()))) for one in every)
    priced = puzzlec.parse(f"{BOARD}cost {piece} {relation} {REGION} = 3\n")
    assert sorted(solution.cost or 0 for solution in puzzlec.solve(priced, symmetry="none")) == costs


def test_per_counts_the_locations_of_the_region() -> None:
    priced = puzzlec.parse(f"{BOARD}cost A per {REGION} = 2\n")
    costs = sorted(2 * len(one["A"][0] & CELLS) for one in solutions(BOARD))
    assert sorted(solution.cost or 0 for solution in puzzlec.solve(priced, symmetry="none")) == costs


def test_a_piece_that_must_be_on_an_empty_region_is_impossible() -> None:
    with pytest.raises(PuzzleError, match="PZ404"):
        puzzlec.check(puzzlec.parse(f"{BOARD}place A on cells (0,0) - cells (0,0)\n"))


@pytest.mark.parametrize("format", ["puzzle", "json"])
def test_each_relation_survives_a_round_trip(format: str) -> None:
    lines = (
        f"place A on {REGION}",
        "place C off cells (0,0)",
        "place B inside box 4x2",
        "fix A at cells (0,0) (1,0) (2,0) (0,1)",
        "forbid C at cells (2,1) (3,1)",
        f"cost A on {REGION} = 1",
        f"cost A at {REGION} = 2",
        f"cost per {REGION} = 3",
        f"cost empty per {REGION} = 4",
        f"cost C inside {REGION} = 5",
    )
    text = BOARD + "".join(f"{line}\n" for line in lines)
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    again = puzzlec.parse(puzzlec.convert(puzzle, format), format=format)
    assert isinstance(again, Puzzle)
    assert [(rule.kind, rule.piece, set(rule.region)) for rule in again.rules.pieces] == [
        (rule.kind, rule.piece, set(rule.region)) for rule in puzzle.rules.pieces
    ]
    assert [(cost.where, cost.name, set(cost.region), cost.value) for cost in again.costs] == [
        (cost.where, cost.name, set(cost.region), cost.value) for cost in puzzle.costs
    ]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("place A in box 2x2", "inside"),
        ("place A within box 2x2", "inside"),
        ("place A touches box 2x2", "on"),
        ("fix A in cells (0,0) (1,0) (2,0) (0,1)", "at"),
        ("forbid A in cells (0,0) (1,0) (2,0) (0,1)", "at"),
        ("cost A in box 2x2 = 3", "inside"),
        ("cost empty on box 2x2 = 3", "per"),
        ("piece T edges r r b b", "sides"),
        ("piece T x2 one-sided edges r r b b", "sides"),
        ("fix U edges r r r b at cells (3,2)", "sides"),
        ("forbid U edges r r r b at cells (3,2)", "sides"),
    ],
)
def test_an_old_word_names_the_new_one_which_works(line: str, word: str) -> None:
    board = BOARD + TILE
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(f"{board}{line}\n")
    (error,) = caught.value.diagnostics
    assert error.span is not None
    (fix,) = syntax_of(error.span.source).fixes(error)
    fixed = applied(f"{board}{line}\n", list(fix.edits))
    assert re.search(rf"\b{word}\b", fixed[len(board) :])
    puzzlec.parse(fixed)


@pytest.mark.parametrize(
    "region",
    [
        "sides of box 2x2",
        "sides of { xx }",
        "sides of cells (0,0)",
        "sides of (box 2x2)",
        "(sides of box 2x2)",
        "box 3x3 - sides of box 2x2",
        "box 1x1 + sides of { xx }",
    ],
)
def test_old_sides_of_names_the_new_word_which_works(region: str) -> None:
    text = f"lattice sticks\nlocations {region}\npiece A cells (0,0,0)\n"
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    (error,) = caught.value.diagnostics
    assert error.helps == (f"write `locations {region.replace('sides', 'edges')}`",)
    assert error.span is not None
    (change,) = upgraded(text)[1]
    assert change.rewrite.new == "edges of"
    puzzlec.parse(upgraded(text)[0])


def test_no_word_of_the_language_has_two_meanings_as_a_relation() -> None:
    relations = {word: WORDS[word].meaning for word in ("inside", "on", "off", "per")}
    assert all(meaning.startswith(("The piece covers", "Each location")) for meaning in relations.values())
    assert "region" not in WORDS["in"].meaning


def test_each_word_of_the_language_is_described_once() -> None:
    described = Counter(word for statement in STATEMENTS for word in (statement.word, *statement.words))
    assert [word for word, number in described.items() if number > 1] == ["at"], "it begins `at most`"


def test_each_word_of_the_glossary_has_one_meaning() -> None:
    rows = re.findall(r"^\| (?!word \|)([^|]+) \|", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    words = Counter(word for row in rows if not row.startswith("-") for word in row.split(", "))
    assert len(words) > 40
    assert [word for word, number in words.items() if number > 1] == []


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("place P off cells (5,0)", "place P off cells (0,0)"),
        ("place P inside cells (4,0) (5,0)", "place P inside cells (4,0) (0,0)"),
        ("fix P at cells (4,0) (5,0)", "fix P at cells (0,0) (4,0)"),
        ("cost P per cells (5,0) (-1,0) = 5", "cost P per cells (0,0) (4,0) = 5"),
    ],
)
def test_a_cell_beyond_a_side_that_wraps_around_is_the_location_there(line: str, same: str) -> None:
    board = "locations box 5x1\nwrap x\npiece P { xx }\npiece Q { xxx }\n"
    one, other = puzzlec.parse(f"{board}{line}\n"), puzzlec.parse(f"{board}{same}\n")
    assert isinstance(one, Puzzle)
    assert isinstance(other, Puzzle)
    assert [set(rule.region) for rule in one.rules.pieces] == [set(rule.region) for rule in other.rules.pieces]
    assert [set(cost.region) for cost in one.costs] == [set(cost.region) for cost in other.costs]
    assert puzzlec.count(one, symmetry="none") == puzzlec.count(other, symmetry="none") > 0
