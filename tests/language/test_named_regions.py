"""Regions with names: everywhere a region can be, in all formats, in conditions and in messages."""

from __future__ import annotations

import json

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Puzzle
from puzzlec.solving.conditions import numbers_of_locations, understood
from tests.solving.formulas import holds

CORE = "(box 2x2 at (1,1))"
LINES = (
    "locations box 4x4 - {}",
    "locations {} + cells (0,0) (3,3)",
    "locations box 4x4\npiece A { xxx/x.. }\nplace A inside ({} + box 4x1 at (0,1))",
    "locations box 4x4\npiece A { xxx/x.. }\nplace A on {}",
    "locations box 4x4\npiece A { xxx/x.. }\nplace A off {} at (1,0)",
    "locations box 4x4\npiece A { xx/xx }\nfix A at {}",
    "locations box 4x4\npiece A { xx/xx }\nforbid A at {}",
    "locations box 4x4\npiece A { xx/xx }\ncost A at {} = 2\ncost per {} & box 2x2 = 3",
    "locations box 4x4\ncolours 1 2\npiece A { 12/21 }\npiece B x* { 1 }\nrule {} sum > 4\nrule {} all equal",
    "locations box 4x4 - {}\nwall {}",
    "optional locations {}\nlocations box 1x1",
)


def parsed(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def facts(puzzle: Puzzle) -> tuple[object, ...]:
    """Return all that regions of a puzzle decide, without their names."""
    return (
        [(location.at, location.optional) for location in puzzle.locations],
        [(rule.kind, set(rule.region)) for rule in puzzle.rules.pieces],
        [(cost.where, set(cost.region), cost.value) for cost in puzzle.costs],
        [(rule.kind, set(rule.region), rule.low) for rule in puzzle.rules.regions],
        set(puzzle.movement.walls),
    )


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("first", [True, False])
def test_a_name_means_the_region_everywhere(line: str, first: bool) -> None:
    written = line.replace("{}", CORE) + "\npiece M x* { x }\n"
    named = line.replace("{}", "core") + "\npiece M x* { x }\n"
    definition = f"region core = {CORE}\n"
    puzzle = parsed(definition + named if first else named + definition)
    assert facts(puzzle) == facts(parsed(written))
    assert [(region.name, len(region.cells)) for region in puzzle.regions] == [("core", 4)]
    assert puzzlec.convert(puzzle, to="json") != puzzlec.convert(parsed(written), to="json")  # it keeps the name


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("format", ["puzzle", "json"])
def test_names_of_regions_survive_a_round_trip(line: str, format: str) -> None:
    puzzle = parsed(f"region core = {CORE}\n" + line.replace("{}", "core") + "\npiece M x* { x }\n")
    again = puzzlec.parse(puzzlec.convert(puzzle, to=format), format=format)
    assert isinstance(again, Puzzle)
    assert facts(again) == facts(puzzle)
    assert [(region.name, set(region.cells)) for region in again.regions] == [
        (region.name, set(region.cells)) for region in puzzle.regions
    ]


def test_the_writer_of_the_language_uses_the_names() -> None:
    text = puzzlec.convert(
        parsed(f"region core = {CORE}\nlocations box 4x4\npiece A {{ xx/xx }}\nfix A at core\n"), "puzzle"
    )
    assert "region core = cells (1,1) (2,1) (1,2) (2,2)" in text
    assert "fix A at core" in text


def test_letters_of_drawings_are_regions_also_without_a_rule() -> None:
    puzzle = parsed("regions A B\nlocations { AABB }\npiece D x2 { xx }\nplace D inside A + B\n")
    text = puzzlec.convert(puzzle, to="puzzle")
    assert "regions A B" in text
    again = parsed(text)
    assert {region.name: set(region.cells) for region in again.regions} == {
        region.name: set(region.cells) for region in puzzle.regions
    }


def test_json_takes_the_name_of_a_region_instead_of_its_cells() -> None:
    text = f"region core = {CORE}\nlocations box 4x4\npiece A {{ xx/xx }}\nfix A at core\ncost A at core = 2\n"
    data = json.loads(puzzlec.convert(parsed(text), to="json"))
    for rule in (*data["rules"], *data["costs"]):
        rule["region"] = "core"
    again = puzzlec.parse(json.dumps(data), format="json")
    assert isinstance(again, Puzzle)
    assert facts(again) == facts(parsed(text))
    data["rules"][0]["region"] = "cor"
    with pytest.raises(PuzzleError, match="PZ362") as caught:
        puzzlec.parse(json.dumps(data), format="json")
    assert caught.value.diagnostics[0].helps == ("did you mean `core`?",)


@pytest.mark.parametrize(
    ("condition", "cells"),
    [
        ("A on core", CORE),
        ("A on core + cells (0,0)", f"{CORE} + cells (0,0)"),
        ("A on core at (1,0)", f"({CORE}) at (1,0)"),
        ("A on cells (0,0) + core", f"cells (0,0) + {CORE}"),
        ("A on core - cells (1,1) + row[0]", f"{CORE} - cells (1,1) + box 4x1"),
        ("A on row[0]", "box 4x1"),
        ("A on core 0,0", f"{CORE} + cells (0,0)"),
    ],
)
def test_conditions_on_solutions_know_the_names(condition: str, cells: str) -> None:
    board = "locations box 4x4\npiece A { xxx/x.. }\npiece M x* { x }\n"
    named = f"region core = {CORE}\nfor y in 0..3 {{ region row[y] = box 4x1 at (0,y) }}\n{board}"
    encoding = compile(parsed(named), stage="cover")
    formula = understood(condition, encoding).formula
    number = sum(holds(formula, options) for options in puzzlec.engine.Search(encoding.cover))
    assert number == puzzlec.count(parsed(f"{board}place A on {cells}\n"), symmetry="none") > 0


def test_python_takes_the_name_of_a_region_as_locations() -> None:
    encoding = compile(parsed(f"region core = {CORE}\nlocations box 4x4\npiece M x16 {{ x }}\n"), stage="cover")
    assert numbers_of_locations(encoding.fitting, "core") == {5, 6, 9, 10}
    assert numbers_of_locations(encoding.fitting, "core - cells (1,1)") == {6, 9, 10}
    with pytest.raises(PuzzleError) as caught:
        understood("M on cor", encoding)
    assert "core" in caught.value.diagnostics[0].helps[0]


@pytest.mark.parametrize(
    ("text", "code", "at", "help"),
    [
        ("region a = a\n", "PZ372", "a\n", ""),
        ("region a = b\nregion b = box 1x1 + a\n", "PZ372", "a\n", ""),
        ("region M = box 1x1\n", "PZ371", "M =", "rename one of them"),
        ("region core = box 1x1\nregion core = box 2x1\n", "PZ371", "core = box 2", "rename one of them"),
        ("for i in 0..1 { region r = cells (i,0) }\n", "PZ371", "r =", "write an index for each variable"),
        ("region border = box 1x1\n", "PZ371", "border", "choose another name"),
        ("region core = box 1x1\nplace M on cor\n", "PZ362", "cor\n", "did you mean `core`?"),
        ("place M on middle\n", "PZ362", "middle", "write `centre`"),
        ("place M on edge\n", "PZ362", "edge", "write `border`"),
        ("place M on M\n", "PZ362", "M\n", "write a region, not a piece"),
        ("place M on 2x2\n", "PZ362", "2x2", "write `box 2x2`"),
        ("region core = box 1x1 - box 1x1\n", "PZ363", "box 1x1 - box", ""),
        ("optional locations border + box 1x1 at (9,9)\n", "PZ372", "border", ""),
        ("region core = box 1x2x3\n", "PZ312", "1x2x3", "write 2 sizes: `1x2`"),
        ("region core = cells (0,0) (n,0)\nplace M on core\n", "PZ326", "n,0", "add `param n = 1`"),
        ("region box\n", "PZ101", "\n", ""),
    ],
)
def test_a_wrong_region_is_one_error_at_its_place(text: str, code: str, at: str, help: str) -> None:
    board = "locations box 3x3\npiece M x9 { x }\n"
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(board + text)
    (error,) = caught.value.diagnostics
    assert error.code == code
    assert error.span is not None
    assert (board + text)[error.span.start :].startswith(at)
    assert bool(error.helps) == bool(help)
    assert " ".join(error.helps).startswith(help)


def test_a_name_of_a_piece_and_a_region_shows_both_places() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("locations box 3x3\npiece M x9 { x }\nregion M = box 1x1\n")
    (error,) = caught.value.diagnostics
    assert error.span is not None
    assert str(error.span).startswith("<text>:3:")
    assert [str(other.span)[:9] for other in error.others] == ["<text>:2:"]


def test_a_long_chain_of_regions_is_refused_without_a_traceback() -> None:
    chain = "".join(f"region r{i} = r{i + 1}\n" for i in range(2000)) + "region r2000 = box 1x1\n"
    with pytest.raises(PuzzleError, match="PZ106"):
        puzzlec.parse(f"{chain}locations r0\npiece M {{ x }}\n")
    backwards = "".join(f"region r{i + 1} = r{i}\n" for i in range(2000)) + "region r0 = box 1x1\n"
    with pytest.raises(PuzzleError, match="PZ106"):
        puzzlec.parse(f"{backwards}locations r2000\npiece M {{ x }}\n")


@pytest.mark.long
def test_many_uses_of_a_large_region_are_refused() -> None:
    text = "region big = box 900x900\nlocations box 2x1\npiece D { xx }\nfor i in 1..100000 { place D on big }\n"
    with pytest.raises(PuzzleError, match="PZ321"):
        puzzlec.parse(text)


def test_an_unreadable_definition_is_the_only_error() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("region core = box\nlocations box 3x3 - core\npiece M x8 { x }\nplace M off core\n")
    assert [error.code for error in caught.value.diagnostics] == ["PZ101"]


@pytest.mark.parametrize("lattice", ["hex", "triangle", "cubic", "sticks"])
def test_the_border_is_the_same_in_statements_and_conditions(lattice: str) -> None:
    cells = {"cubic": "box 3x3x3", "sticks": "edges of box 3x2"}.get(lattice, "box 4x4")
    one = {"hex": "(0,0)", "triangle": "(0,0,0)", "cubic": "(0,0,0)", "sticks": "(0,0,0)"}[lattice]
    board = f"lattice {lattice}\nlocations cells {one}\noptional locations {cells} - cells {one}\n"
    board += f"piece M x1..2 cells {one}\n"
    for place in ("border", "corner", "centre"):
        encoding = compile(parsed(board), stage="cover")
        formula = understood(f"M inside {place}", encoding).formula
        number = sum(holds(formula, options) for options in puzzlec.engine.Search(encoding.cover))
        assert number == puzzlec.count(parsed(f"{board}place M inside {place}\n"), symmetry="none"), place


def test_the_border_of_a_board_that_wraps_around_has_no_cells_inside() -> None:
    board = "locations box 4x3\nwrap x\npiece M x12 { x }\n"
    puzzle = parsed(f"{board}place M inside border\n")
    assert {at for rule in puzzle.rules.pieces for at in rule.region} == {(x, y) for x in range(4) for y in (0, 2)}
    with pytest.raises(PuzzleError, match="a board that wraps around has no corners"):
        puzzlec.parse(f"{board}place M inside corner\n")


def test_an_old_border_of_colours_names_the_new_word_which_works() -> None:
    text = "colours r\nborder r\nlocations box 1x1\npiece T sides r r r r\n"
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    (error,) = caught.value.diagnostics
    assert error.helps == ("write `frame r`",)
    assert parsed(puzzlec.fmt(text)).colours.frame == ("r",)
    names = "lattice none\nlocations names (\n  a\n  border x\n)\npiece A covers {a border x}\n"
    assert puzzlec.fmt(names) == names


def test_json_with_an_old_key_names_the_new_one() -> None:
    text = puzzlec.convert(parsed("colours r\nframe r\nlocations box 1x1\npiece T sides r r r r\n"), to="json")
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text.replace('"frame"', '"border"'), format="json")
    assert caught.value.diagnostics[0].helps == ("write `frame`",)


CAGES = "locations box 4x4\nvalues 1..4\nfor i in 0..1, j in 0..1 { region cage[i,j] = box 2x2 at (2*i,2*j) }\n"


def test_each_takes_regions_by_name_and_all_regions_of_a_name_with_indices() -> None:
    boxes = parsed(CAGES + "rule each row, column, box 2x2 all different")
    cages = parsed(CAGES + "rule each row column cage all different")
    listed = parsed(CAGES + "rule each row, column, cage[0,0], cage[1,0] cage[0,1] cage[1,1] all different")
    regions = [{frozenset(rule.region) for rule in puzzle.rules.regions} for puzzle in (boxes, cages, listed)]
    assert regions[0] == regions[1] == regions[2]
    assert [rule.name for rule in cages.rules.regions[-4:]] == ["cage[0,0]", "cage[0,1]", "cage[1,0]", "cage[1,1]"]
    assert puzzlec.count(cages, symmetry="none") == 288
    again = parsed(puzzlec.convert(cages, "puzzle"))
    assert {frozenset(rule.region) for rule in again.rules.regions} == regions[0]


def test_each_takes_regions_of_named_locations() -> None:
    text = "lattice none\nlocations names a b c\nregion r[1] = names a b\nregion r[2] = names b c\nempty 0.."
    text = text.replace("locations", "optional locations") + "\npiece X x2 covers {a} {b} {c}\nrule each r at most 1"
    assert puzzlec.count(parsed(text)) == 1


@pytest.mark.parametrize(
    ("line", "message", "help"),
    [
        ("rule each cages all different", "unknown region `cages`", "did you mean `cage`?"),
        ("rule each region all different", "missing regions with letters", "write `each cage`"),
        ("rule each cage and row all different", "expected", "write `rule each cage, row all different`"),
    ],
)
def test_a_wrong_name_after_each_has_a_suggestion(line: str, message: str, help: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        parsed(CAGES + line)
    (error,) = caught.value.diagnostics
    assert message in error.message
    assert error.helps == (help,)


def test_a_region_beside_the_board_after_each_is_refused() -> None:
    with pytest.raises(PuzzleError, match="unknown location"):
        parsed(CAGES + "region out = box 1x1 at (9,9)\nrule each out sum = 3")


def test_a_board_of_numbers_or_names_without_a_lattice_gets_both_statements() -> None:
    for board, names in (("5", "0..4"), ("a b c", "a b c")):
        with pytest.raises(PuzzleError) as caught:
            parsed(f"locations {board}\npiece A covers {{{'0 1' if board == '5' else 'a b'}}}")
        assert caught.value.diagnostics[0].helps == (f"write `lattice none` and `locations names {names}`",)
