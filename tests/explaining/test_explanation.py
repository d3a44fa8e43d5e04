from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.explaining.explanation import explain
from puzzlec.explaining.explanation_data import explanation_data
from puzzlec.explaining.understanding import understood
from puzzlec.formats.catalogue import Entry
from puzzlec.ir import Puzzle
from puzzlec.lower import place
from tests.catalogue_share import share
from tests.formats.test_stages import TILES
from tests.strategies import puzzles

GEOMETRY = """puzzle "Rules"
colours r b
allow r on b
locations { xxxxr/xxxxr/bbbb? }
empty 1
pieces trominoes x0..5
piece A { rx }
piece B { rx }
piece N x* { x }
place I inside box 3x3
place V off { ..x/.../... }
fix A at cells (3,0) (4,0)
forbid V at cells (1,0) (2,0) (1,1)
"""


def sections(text: str, format: str = "puzzle") -> dict[str, list[str]]:
    """The sections of an explanation by the first word of their headings, without indentation."""
    what = puzzlec.compile(puzzlec.parse(text, format=format), stage="fitting")
    blocks = (block.split("\n") for block in explain(what, 100).split("\n\n"))
    return {head.split(" ")[0]: [head, *(line.strip() for line in lines)] for head, *lines in blocks}


def test_rules_and_colours_are_explained_in_words() -> None:
    assert sections(GEOMETRY)["puzzle"][2:] == [
        "locations  15, 1 of which may stay empty; just 1 do",
        "by colour b: 4, r: 2, plain: 9",
        "pieces     5, used at least 2 times in all; together they cover at least 4 locations",
        "colours    r b: a cell fits its own colour and plain locations",
        "a cell of colour r also fits b",
        "rules      `I` lies inside the box 3x3 at (0,0)",
        "`V` keeps off (2,0)",
        "`A` lies exactly on (3,0) (4,0)",
        "`V` does not lie exactly on (1,0) (2,0) (1,1)",
    ]


MEETINGS = """locations box 4x4
piece D x0..8 { xx }
piece I x0..4 { xxx }
no crossroads inside box 3x3
no faults across x
apart D I with corners
symmetric half-turn
"""


def test_rules_about_how_pieces_meet_are_explained() -> None:
    told = sections(MEETINGS)
    assert (told.get("puzzle") or told["no"])[-4:] == [
        "rules      no crossroads inside the box 3x3 at (0,0)",
        "no faults across x",
        "apart D I with corners",
        "symmetric half-turn",
    ]
    data = explanation_data(understood(puzzlec.parse(MEETINGS)))
    assert [rule["rule"] for rule in data["rules"]] == [
        "no crossroads inside", "no faults across x", "apart D I with corners", "symmetric half-turn"
    ]  # fmt: skip
    assert [len(rule["locations"]) for rule in data["rules"]] == [9, 0, 0, 0]


def test_the_rule_that_leaves_no_solution_is_named() -> None:
    narrow = "locations box 10x2\npiece D x10 { xx }\nno crossroads\nno faults"
    assert sections(narrow)["no"][-1] == "`no faults` leaves no solution"
    square = "locations box 6x6\npiece D x18 { xx }\nplace D on box 6x6\nno faults"
    assert sections(square)["grade"][-1] == "solutions  0 raw: `no faults` leaves none"
    two = "locations box 6x5\npiece D x15 { xx }\nno crossroads\nno faults"
    assert sections(two)["grade"][-1] == "solutions  0 raw: `no crossroads` and `no faults` together leave none"
    assert "leave" not in explain(
        puzzlec.compile(puzzlec.parse("locations box 5x1\npiece D x2 { xx }"), stage="fitting")
    )


def test_the_table_of_pieces_shows_what_the_rules_removed() -> None:
    table = sections(GEOMETRY)["pieces"]
    assert table[1].split() == ["piece", "copies", "cells", "freedom", "orientations", "placements", "by", "rules"]
    rows = {line.split()[0]: line.split()[1:] for line in table[2:7]}
    assert rows["A"] == ["1", "2", "free", "4", "2", "-42"]
    assert rows["B"] == ["1", "2", "free", "4", "44", "0"]
    assert rows["N"] == ["*", "1", "free", "1", "15", "0"]
    assert table[7] == "93 placements in all; the rules remove 56 of 149"
    assert not any("same shape" in line for line in table)  # a rule distinguishes A and B


def test_pieces_that_agree_share_a_line_and_empty_columns_are_left_out() -> None:
    table = sections('puzzle "P"\nlocations box 6x10\npieces pentominoes')["pieces"]
    assert table[1].split() == ["piece", "cells", "freedom", "orientations", "placements"]
    assert "T, V, W, Z      5  free                4         128" in table


@pytest.mark.parametrize(
    ("pieces", "remark"),
    [
        ("piece A { xx }\npiece B { x/x }", "`A` and `B` have the same shape: solutions that swap them count twice"),
        ("piece A { xx }\npiece B x0..3 { xx }", "count as different ones; write one piece x1..4 for copies"),
        ("piece A { xx }\npiece B { xx }\npiece C { xx }", "`A`, `B` and `C` have the same shape"),
        ("piece A fixed { xx }\npiece B { xx }", None),
        ("piece A covers {(0,0) (1,0)}\npiece B covers {(0,0) (1,0)}", "have the same placements"),
    ],
)
def test_pieces_that_could_be_copies_are_noted(pieces: str, remark: str | None) -> None:
    text = " ".join(sections(f'puzzle "P"\nlocations box 3x2\n{pieces}\n')["pieces"])
    assert remark in text if remark else "remark" not in text


def test_a_piece_that_fits_nowhere_is_noted() -> None:
    assert "remark     `I` fits nowhere" in sections("locations box 2x2\npiece I x0..1 { xxx }")["pieces"]


def test_small_groups_are_listed_with_formulas_and_the_pieces_that_they_swap() -> None:
    told = sections(
        "locations box 4x3\npiece S one-sided { xx./.xx }\npiece Z one-sided { .xx/xx. }\n"
        "piece M { x }\npiece O { xxx }"
    )
    assert told["symmetries"] == [
        "symmetries of its locations and pieces: 4",
        "identity                x,y -> x,y",
        "half turn               x,y -> -x,-y",
        "mirrored left to right  x,y -> -x,y   S and Z swap",
        "mirrored top to bottom  x,y -> x,-y   S and Z swap",
    ]


def test_large_groups_are_listed_by_kind_and_add_up_to_their_order() -> None:
    lines = sections('puzzle "S"\nlattice cubic\nlocations box 3x3x3\npieces soma')["symmetries"]
    assert sum(int(line.split()[0]) for line in lines[1:]) == 48
    assert sum(int(line.split()[0]) for line in lines[1:] if line.endswith("A and B swap")) == 24


def test_forced_placements_are_explained_with_the_reason() -> None:
    assert sections("6 3 2 2 0 1 2 2 3 3 2 0 2 2 2 4 2 4 5 2 2 1 3 2 3 5", "dpf")["forced"] == [
        "forced",
        "0 on 0 1: it can lie nowhere else",
        "1 on 2 4: it can lie nowhere else",
        "2 on 3 5: it can lie nowhere else",
        "impossible: 4 of 7 placements cannot be in any solution (0: 1, 1: 2, 2: 1)",
        "no other placement is left: this is the only solution",
    ]
    assert sections("locations box 4x1\npiece D x2 { xx }")["forced"][1:3] == [
        "D on 0,0 1,0: nothing else covers 0,0",
        "D on 2,0 3,0: nothing else covers 2,0",
    ]
    refuted = sections("locations box 5x1\npiece D x2 { xx }")
    assert refuted["no"][-1] == "no solution after this: location 4,0 cannot be covered"
    assert list(refuted) == ["no", "puzzle", "pieces"]
    bare = sections("locations { xxx? }\nempty 1\npiece D { xxx }")["forced"]
    assert "location 3,0 stays empty: no placement reaches it" in bare
    assert "location 4,2 stays empty: this many must stay empty" in sections(GEOMETRY)["forced"]


@pytest.mark.long
def test_a_puzzle_that_is_too_large_to_examine_is_reported() -> None:
    assert (
        "the check of a puzzle this large is incomplete"
        in sections("locations box 60x60\npiece D x1800 { xx }")["forced"][1]
    )


def test_redundant_items_are_named() -> None:
    text = "lattice none\nlocations names a b c\noptional locations names d e\n"
    text += "piece P covers {a b d}\npiece Q covers {c} {c e}\n"
    lines = sections(text)["exact"]
    assert lines[1] == "items      5 primary (2 pieces and 3 locations), 2 secondary (locations that may stay empty)"
    assert lines[3:] == [
        "redundant  locations d and e neither forbid nor demand anything",
        "piece P and locations a and b have the same options: one of them is enough",
        "piece Q and location c have the same options: one of them is enough",
    ]


def test_the_rest_of_the_search_is_explained_with_reasons() -> None:
    corner = "locations { xxxx/xxxx/xx../xx.. }\npiece I { xxxx }\npiece L { xxx/x.. }\npiece J { xxx/..x }\n"
    assert sections(corner + "place I off cells (1,1)")["left"] == [
        "left to search",
        "options    10 of 42",
        "items      8, of 15",
        "equal      piece I and location 0,0; locations 1,0, 2,0 and 3,0; locations 1,1, 2,1 and 1,2;",
        "locations 0,1, 0,2 and 0,3",
    ]
    spare = sections("locations box 3x2\npiece I x0..1 { xxx }\npiece D x* { xx }")["left"]
    assert spare[1:] == ["items      6, of 7", "optional   piece I: may be left out, so not branched on"]
    sticks = sections("lattice sticks\nlocations box 2x2\npieces tetrasticks x0..1")
    assert any("crossing" in line for line in sticks["exact"])


def test_a_puzzle_that_keeps_all_options_and_items_has_no_lines_about_them() -> None:
    assert "left" not in sections('puzzle "S"\nlattice cubic\nlocations box 3x3x3\npieces soma')
    assert "left" not in sections("locations box 4x1\npiece D x2 { xx }")  # everything is forced
    assert "left" not in sections("locations box 5x1\npiece D x2 { xx }")  # this puzzle has no solution


def test_the_demands_of_the_sides_of_tiles_are_explained() -> None:
    told = sections(TILES)
    assert "sides      where tiles meet, their sides have the same colour; but b meets r" in told["puzzle"]
    assert "sides at the border have the colour g" in told["puzzle"]
    assert told["exact"][1] == "items      4 primary (2 pieces and 2 locations), 1 secondary (sides between tiles)"


@given(puzzles())
def test_every_puzzle_can_be_explained_placed_or_not(puzzle: Puzzle) -> None:
    fitting = place(puzzle)
    assert explain(puzzle).split("\n\n")[0] in explain(fitting).split("\n\n")[:2]
    assert all(line == line.rstrip() for line in explain(fitting).split("\n"))


@pytest.mark.parametrize("entry", share(lambda entry: not entry.slow, most=2))
def test_every_puzzle_of_the_catalogue_is_explained_in_lines_that_fit(entry: Entry) -> None:
    text = puzzlec.explain(entry.name)
    assert max(map(len, text.split("\n"))) <= 100
    assert "entrys" not in text
