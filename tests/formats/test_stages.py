from __future__ import annotations

import puzzlec
from puzzlec.formats.stages import write_cover, write_fitting


def fitting(text: str, format: str = "puzzle") -> list[str]:
    what = puzzlec.compile(puzzlec.parse(text, format=format), stage="fitting")
    return write_fitting(what).splitlines()


def cover(text: str, format: str = "puzzle") -> list[str]:
    what = puzzlec.compile(puzzlec.parse(text, format=format))
    return write_cover(what).splitlines()


NAMED = 'puzzle "A title"\nlattice none\nlocations names a "b c"\noptional locations names d\nempty 0..1\n'


def test_a_fitting_lists_every_placement_by_the_names_of_its_locations() -> None:
    assert fitting(NAMED + "piece P x0..2 covers {a} {a d}\npiece Q x* covers {\"b c\"}\n") == [
        'fitting "A title"', 'locations a "b c"', "optional d", "empty 0..1",
        "piece P x0..2", "  a", "  a d", "piece Q x*", '  "b c"',
    ]  # fmt: skip


def test_a_placement_without_locations_is_a_dash() -> None:
    assert fitting("2 2 2 0 1 0 1 1 1", "dpf")[2:] == ["piece 0 x1", "  -", "  0", "piece 1 x1", "  1"]


def test_a_cover_has_bounds_secondary_items_and_names_without_spaces() -> None:
    assert cover(NAMED + "piece P x0..1 covers {a} {a d}\npiece Q covers {\"b c\"}\n") == [
        "0:1|P Q a b_c d 0:1|empty", "P a", "P a d", "Q b_c", "empty d",
    ]  # fmt: skip
    text = "lattice none\nlocations names a\noptional locations names d e\npiece P x* covers {a} {d}\n"
    assert cover(text) == ["0:2|P a | d e", "P a", "P d"]


def test_pieces_with_the_names_of_locations_are_distinguished() -> None:
    assert cover("3 2 1 1 0 1 2 1 2", "dpf") == ["piece-0 piece-1 0 1 2", "piece-0 0", "piece-1 1 2"]


def test_names_that_become_equal_get_a_final_sign() -> None:
    assert cover('lattice none\nlocations names "b c" b_c\npiece P covers {"b c"} {b_c}\n') == [
        "P b_c b_c'",
        "P b_c",
        "P b_c'",
    ]


TILES = """puzzle "Tiles"
colours r g b
locations box 2x1
frame g
match r b
piece A sides g r g g
piece B sides g g g b
"""


def test_tiles_show_the_colours_of_their_sides_and_colour_the_joints_between() -> None:
    lines = fitting(TILES)
    assert lines[2:5] == ["mates r-b b-r", "neighbours 0,0: - 1,0 - -", "neighbours 1,0: - - - 0,0"]
    assert "  0,0 sides g r g g" in lines
    assert cover(TILES)[0] == "A B 0,0 1,0 | 0,0_1,0"
    assert all(":" in line for line in cover(TILES)[1:])
