"""Proofs of impossibility in words: the sentence, the rule with its drawing, the pieces, and the sum."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower.parity import ParityProof, ParityReason, find_proof, parity


def fitting_of(text: str) -> Fitting:
    return puzzlec.compile(puzzlec.parse(text), stage="fitting")


def piece(name: str, *rows: list[int], low: int = 0, high: int = 9) -> FittingPiece:
    return FittingPiece(Placements(rows), low, high, name=name)


def on(board: str, *pieces: FittingPiece, drawing: str = "x") -> Fitting:
    """Return a fitting on a board that can be drawn, with placements that no shape has."""
    return replace(fitting_of(f"{board}\npiece A {{ {drawing} }}"), pieces=pieces)


def lines(reason: ParityReason | None) -> str:
    assert reason is not None
    return "\n".join([reason.message, *reason.notes])


#: Puzzles without a solution, each with its proof.
PROOFS = [
    (
        """\
locations box 4x4 - cells (0,0) (3,3)
piece D x5 { xx }
piece I { xxxx }""",
        """\
on a checkerboard the pieces cover 7 dark cells, but there are 6
call every cell with x + y even dark: 6 of 14 cells, drawn as `#` (`o` is any other cell, `.` is outside the board)
.o#o
o#o#
#o#o
o#o.
wherever it lies, piece `D` covers 1 dark cell, piece `I` 2
together: 5 x 1 + 1 x 2 = 7""",
    ),
    (
        """\
locations box 4x4 - cells (0,0) (3,3)
piece D x7 { xx }
piece I x* { xxxx }""",
        """\
on a checkerboard the pieces cover 7 dark cells, but there are 6
call every cell with x + y even dark: 6 of 14 cells, drawn as `#` (`o` is any other cell, `.` is outside the board)
.o#o
o#o#
#o#o
o#o.
wherever it lies, piece `D` covers 1 dark cell, piece `I` 2
to fill the board, it takes 0 copies of `I`
together: 7 x 1 = 7""",
    ),
    (
        """\
locations box 4x4 - cells (0,0) (3,3)
piece D x5 { xx }
piece I x* { xxxx }""",
        """\
on a checkerboard the pieces cover 7 dark cells, but there are 6
call every cell with x + y even dark: 6 of 14 cells, drawn as `#` (`o` is any other cell, `.` is outside the board)
.o#o
o#o#
#o#o
o#o.
wherever it lies, piece `D` covers 1 dark cell, piece `I` 2
to fill the board, it takes 1 copy of `I`
together: 5 x 1 + 1 x 2 = 7""",
    ),
    (
        """\
locations box 4x4 - cells (0,0) (3,3)
piece D x5 { xx }
piece A { x.x }
piece B { x.x/... }""",
        """\
on a checkerboard the pieces cover an odd number of dark cells, but there are 6
call every cell with x + y even dark: 6 of 14 cells, drawn as `#` (`o` is any other cell, `.` is outside the board)
.o#o
o#o#
#o#o
o#o.
wherever it lies, piece `D` covers an odd number of dark cells, each other piece an even number
5 pieces cover an odd number each, so together they cover an odd number""",
    ),
    (
        """\
locations box 2x2 + cells (2,0) (0,2)
piece D x* { xx }
piece E x2 { xx }""",
        """\
on a checkerboard the pieces cover 3 dark cells, but there are 4
call every cell with x + y even dark: 4 of 6 cells, drawn as `#` (`o` is any other cell, `.` is outside the board)
#o#
o#.
#..
wherever it lies, each piece covers 1 dark cell
to fill the board, it takes 3 copies of `D` and `E`
together: 3 x 1 = 3""",
    ),
    (
        """\
locations box 4x2
piece O { xx/xx }
piece T { xxx/.x. }""",
        """\
on a checkerboard the pieces cover an odd number of dark cells, but there are 4
call every cell with x + y even dark: 4 of 8 cells, drawn as `#` (`o` is any other cell)
#o#o
o#o#
wherever it lies, piece `T` covers an odd number of dark cells, piece `O` an even number
together they cover an odd number""",
    ),
    (
        """\
locations box 5x3
piece A x6 fixed { x.x }
piece B fixed { x.x.x }""",
        """\
with stripes along x, 2 cells wide, alternately dark and light, the pieces cover 8 dark cells, but there are 9
draw stripes along x, 2 cells wide, the first one dark: dark are 9 of 15 cells, drawn as `#` (`o` is any other cell)
##oo#
##oo#
##oo#
wherever it lies, piece `A` covers 1 dark cell, piece `B` 2
together: 6 x 1 + 1 x 2 = 8""",
    ),
    (
        """\
locations box 4x4
piece I x3 { xxxx }
piece O { xx/xx }""",
        """\
on a checkerboard of 3x3 blocks the pieces cover an odd number of dark cells, but there are 10
colour 3x3 blocks like a checkerboard, dark at (0,0): dark are 10 of 16 cells, drawn as `#` (`o` is any other cell)
###o
###o
###o
ooo#
wherever it lies, piece `I` covers an odd number of dark cells, piece `O` an even number
3 pieces cover an odd number each, so together they cover an odd number""",
    ),
    (
        """\
locations { .xxx/xxxx/xxxx/xxx. }
piece D x* { xx }
piece O x* { xx/xx }""",
        """\
on a checkerboard the pieces cover as many dark cells as light ones, but there are 6 dark and 8 light ones
dark cells are drawn as `+`, light cells as `-` (`.` is outside the board)
.-+-
-+-+
+-+-
-+-.
wherever it lies, each piece covers as many dark cells as light ones""",
    ),
    (
        """\
lattice hypercubic
locations box 2x2x2x2 - cells (0,0,0,0) (1,1,0,0)
piece D x* cells (0,0,0,0) (1,0,0,0)
piece E x* cells (0,0,0,0) (1,0,0,0) (0,1,0,0) (1,1,0,0)""",
        """\
on a checkerboard the pieces cover as many dark cells as light ones, but there are 6 dark and 8 light ones
call every cell with x + y + z + w even dark
wherever it lies, each piece covers as many dark cells as light ones""",
    ),
    (
        """\
lattice prism
locations box 2x1x3
piece D x* cells (0,0,0,0) (0,0,1,0)
piece E x* cells (0,0,0,0) (0,0,1,0) (0,0,0,1) (0,0,1,1)""",
        """\
the pieces cover as many cells with z even as cells with z odd, but there are 8 cells with z even and 4 cells with z odd
wherever it lies, each piece covers as many cells with z even as cells with z odd""",
    ),
    (
        """\
locations box 7x7
piece P x* { xxx/xx. }
piece M { x }""",
        """\
the pieces cover 1 more than a multiple of 5 cells, but there are 49
wherever it lies, piece `M` covers 1 more than a multiple of 5 cells, piece `P` a multiple of 5""",
    ),
    (
        """\
locations box 7x7
piece P x* { xxx/xx. }
piece M x7 { x }""",
        """\
the pieces cover 2 more than a multiple of 5 cells, but there are 49
wherever it lies, piece `M` covers 1 more than a multiple of 5 cells, piece `P` a multiple of 5
together: 7 x 1 = 7, which is 2 modulo 5""",
    ),
    (
        """\
locations box 7x7
piece P x* { xxx/xx. }
piece M x3 { x }""",
        """\
the pieces cover 3 more than a multiple of 5 cells, but there are 49
wherever it lies, piece `M` covers 1 more than a multiple of 5 cells, piece `P` a multiple of 5
together: 3 x 1 = 3""",
    ),
    (
        """\
lattice none
locations names a b c d e
piece p x0..9 covers {a b c} {a d} {b d} {c d} {e}""",
        """\
the locations can be given weights so that the pieces weigh 0 together, but what they are to cover weighs 2 (modulo 3)
location `d` weighs -1; locations `a`, `b` and `c` weigh 1; every other location weighs 0
wherever it lies, piece `p` weighs 0 (modulo 3)""",
    ),
    (
        """\
lattice none
locations names a b c d
piece p x0..9 covers {a d} {b d}
piece q x0..9 covers {c d}""",
        """\
the locations can be given weights so that the pieces weigh 0 together, but what they are to cover weighs 2
location `d` weighs -1; locations `a`, `b` and `c` weigh 1
wherever it lies, each piece weighs 0""",
    ),
    (
        """\
lattice none
locations names a b c d
piece p x0..9 covers {a b} {a c} {a d}""",
        """\
the pieces cover 2 of certain locations, but there is 1
mark location `a`: 1 of 4 locations
wherever it lies, piece `p` covers 1 marked location
to fill the board, it takes 2 copies of `p`
together: 2 x 1 = 2""",
    ),
    (
        """\
lattice none
locations names a b c d e f g
piece k covers {a b}
piece l covers {a c}
piece m covers {d} {e}
piece n covers {f} {g}""",
        """\
the pieces cover 6 locations, but there are 7
wherever it lies, each of the pieces `k` and `l` covers 2 locations, each other piece 1
together: 2 x 1 + 2 x 2 = 6""",
    ),
    (
        """\
locations { ?x?/x?x/?x? }
empty 3
piece D x3 { xx }""",
        """\
on a checkerboard the pieces cover 3 dark cells, but 2 are to be covered
call every cell with x + y even dark: 5 of 9 cells, drawn as `#` (`o` is any other cell)
#o#
o#o
#o#
wherever it lies, piece `D` covers 1 dark cell
each of the 3 cells that stay empty is one of the dark cells
together: 3 x 1 = 3""",
    ),
    (
        """\
locations { x?x/?x?/x?x }
empty 1
piece D x4 { xx }""",
        """\
on a checkerboard the pieces cover 4 dark cells, but there are 5
call every cell with x + y even dark: 5 of 9 cells, drawn as `#` (`o` is any other cell)
#o#
o#o
#o#
wherever it lies, piece `D` covers 1 dark cell
the cell that stays empty is not one of the dark cells
together: 4 x 1 = 4""",
    ),
    (
        """\
lattice none
locations names a b c d
optional locations names e f
empty 1
piece p x0..9 covers {a b c} {a d} {b d} {c d} {e}""",
        """\
the locations can be given weights so that the pieces weigh 0 together, but what they are to cover weighs 2 (modulo 3)
location `d` weighs -1; locations `a`, `b` and `c` weigh 1; every other location weighs 0
wherever it lies, piece `p` weighs 0 (modulo 3)
the location that stays empty weighs 0""",
    ),
    (
        """\
lattice none
locations names a b c d
optional locations names e f
empty 2
piece p x0..9 covers {a b c} {a d} {b d} {c d}""",
        """\
the locations can be given weights so that the pieces weigh 0 together, but what they are to cover weighs 2 (modulo 3)
location `d` weighs -1; locations `a`, `b` and `c` weigh 1; every other location weighs 0
wherever it lies, piece `p` weighs 0 (modulo 3)
each of the 2 locations that stay empty weighs 0""",
    ),
    (
        """\
lattice none
locations names a b c d
optional locations names e f g
empty 1
piece p x0..9 covers {a b c} {a d} {b d} {c d} {e d} {f d} {g d}""",
        """\
the locations can be given weights so that the pieces weigh 0 together, but what they are to cover weighs 1 (modulo 3)
location `d` weighs -1; locations `a`, `b`, `c`, `e`, `f` and `g` weigh 1
wherever it lies, piece `p` weighs 0 (modulo 3)
the location that stays empty weighs 1""",
    ),
    (
        """\
locations box 4x4 - cells (0,0) (3,3)
piece D x* { xx }
piece O x* { xx/xx }
piece M x2 { x }
place M inside cells (1,1) (2,2)""",
        """\
on a checkerboard the pieces cover 2 more dark cells than light ones, but there are 6 dark and 8 light ones
dark cells are drawn as `+`, light cells as `-` (`.` is outside the board)
.-+-
-+-+
+-+-
-+-.
wherever it lies, piece `M` covers 1 more dark cell than light ones, each other piece as many dark cells as light ones
together: 2 x 1 = 2""",
    ),
]


@pytest.mark.parametrize(("text", "words"), PROOFS)
def test_a_proof_is_written_step_by_step(text: str, words: str) -> None:
    assert lines(parity(fitting_of(text))) == "no solution: " + words


#: Of locations 0 to 4: 0, 1 and 2 weigh 1, 3 weighs -1, and 4 nothing; each placement weighs 0 modulo 3.
SIGNED = ([0, 1, 2], [0, 3], [1, 3], [2, 3], [4])


def test_weights_of_cells_are_drawn_as_signs_or_as_numbers() -> None:
    assert lines(parity(on("locations box 5x1", piece("p", *SIGNED)))).split("\n")[1:] == [
        "weigh each cell as drawn (`+` is 1, `-` is -1)",
        "+++-0",
        "wherever it lies, piece `p` weighs 0 (modulo 3)",
    ]
    rows = ([0, 1, 3], [0, 2], [1, 2], *([2, cell] for cell in range(4, 9)))
    assert lines(parity(on("locations box 3x3", piece("p", *rows)))).split("\n")[1:] == [
        "weigh each cell as drawn",
        "  1  1 -1",
        " -2  1  1",
        "  1  1  1",
        "wherever it lies, piece `p` weighs 0",
    ]
    triangles = on("lattice triangle\nlocations box 5x1 - cells (0,0,0)", piece("p", *rows))
    assert lines(parity(triangles)).split("\n")[1:3] == ["weigh each cell as drawn", "  1  1 -1 -2  1  1  1  1  1"]


def test_marked_cells_are_drawn_as_the_lattice_draws_cells() -> None:
    from_two = [[first, other] for first in (0, 1) for other in range(2, 8)]
    assert lines(parity(on("locations box 8x1", piece("p", *from_two)))).split("\n")[:3] == [
        "no solution: the pieces cover 4 of certain cells, but there are 2",
        "mark the cells drawn as `#`: 2 of 8 cells (`o` is any other cell)",
        "##oooooo",
    ]
    star = piece("p", [0, 1], [0, 2], [0, 3])
    found = lines(parity(on("lattice sticks\nlocations grid 1x1", star, drawing="-")))
    assert found.split("\n")[2:5] == ["+ # +", "o   o", "+ o +"]


def test_weights_modulo_a_number_count_from_0_unless_they_are_signs() -> None:
    rows = ([0, 1, 2], [0, 3], [1, 4], [2, 4], [3, 5], [0, 4, 5])
    assert lines(parity(Fitting(6, (piece("p", *rows),)))).split("\n") == [
        "no solution: the locations can be given weights so that the pieces weigh 0 together, "
        "but what they are to cover weighs 3 (modulo 5)",
        "locations `0` and `5` weigh 1; locations `1` and `2` weigh 2; location `4` weighs 3; location `3` weighs 4",
        "wherever it lies, piece `p` weighs 0 (modulo 5)",
    ]


def test_of_very_many_locations_of_a_weight_24_are_named() -> None:
    def named(number: int) -> str:
        rows = (*SIGNED, *([3, other] for other in range(5, number + 2)))
        return lines(parity(Fitting(number + 2, (piece("p", *rows),)))).split("\n")[1]

    first = ", ".join(f"`{number}`" for number in (0, 1, 2, *range(5, 25)))
    start, end = f"location `3` weighs -1; locations {first}", "weigh 1; every other location weighs 0"
    assert named(24) == f"{start} and `25` {end}"
    assert named(26) == f"{start}, `25` and 2 others {end}"


def test_a_difference_of_dark_and_light_is_stated_only_if_all_placements_agree() -> None:
    # The cross covers 3 more cells of one shade, either dark or light: modulo 3 the shades are equal.
    proof = find_proof(fitting_of("locations box 3x3\npiece X x* { .x./xxx/.x. }\npiece D x* { xx }"))
    assert proof is not None
    assert (proof.colouring, proof.witness.modulus) == (None, 3)


def test_several_odd_pieces_are_counted() -> None:
    pairs = piece("p", [0, 1], [1, 2], [2, 3], [3, 4])

    def last(*pieces: FittingPiece) -> str:
        return lines(parity(Fitting(7, (pairs, *pieces)))).split("\n")[-1]

    assert last(piece("q", [5], [6], low=2, high=2)) == (
        "2 pieces cover an odd number each, so together they cover an even number"
    )
    assert last(piece("q", [5, 6], low=1, high=1)) == "together they cover an even number"


def test_pieces_without_weight_are_in_no_sum_whatever_their_number() -> None:
    rows = piece("p", [0, 1], [0, 2], low=2, high=2)
    found = lines(parity(Fitting(6, (rows, piece("q", [3], [4], [5])))))
    assert found.split("\n") == [
        "no solution: the pieces cover 2 of certain locations, but there is 1",
        "mark location `0`: 1 of 6 locations",
        "wherever it lies, piece `p` covers 1 marked location, piece `q` none",
        "together: 2 x 1 = 2",
    ]


def test_the_reason_is_shown_at_the_puzzle() -> None:
    text = "piece D x7 { xx }\nlocations box 4x4 - cells (0,0) (3,3)"
    reason = parity(fitting_of(text))
    assert reason is not None
    assert str(reason.span) == "<text>:2:1"
    reason = parity(replace(fitting_of(text), puzzle=None))
    assert reason is not None
    assert reason.span is None


def test_pieces_with_a_weight_are_listed_first_and_summed() -> None:
    pair, single = ([0, 1], [0, 2], [1, 2]), [3]
    fitting = on("locations box 5x1", piece("p", *SIGNED), piece("q", *pair, low=2, high=2))
    assert lines(parity(fitting)).split("\n")[-2:] == [
        "wherever it lies, piece `q` weighs 2, piece `p` 0 (modulo 3)",
        "together: 2 x 2 = 4, which is 1 modulo 3",
    ]
    once = (piece("q", *pair, low=1, high=1), piece("r", single, low=1, high=1))
    fitting = on("locations box 5x1", piece("p", *SIGNED), *once)
    assert lines(parity(fitting)).split("\n")[-2:] == [
        "wherever it lies, piece `p` weighs 0, each other piece 2 (modulo 3)",
        "together: 2 x 2 = 4, which is 1 modulo 3",
    ]


def test_messages_about_a_cover_that_was_read_name_items_and_options() -> None:
    star = Fitting(4, (piece("p", [0, 1], [0, 2], [0, 3]),))
    several = Fitting(
        7,
        (
            *(piece(name, row, low=1, high=1) for name, row in (("k", [0, 1]), ("l", [0, 2]))),
            *(piece(name, *rows, low=1, high=1) for name, rows in (("m", ([3], [4])), ("n", ([5], [6])))),
        ),
    )
    assert lines(parity(star, "item")).split("\n") == [
        "no cover: the options cover 2 of certain items, but there is 1",
        "mark item `0`: 1 of 4 items",
        "each option covers 1 marked item",
        "to cover all items, it takes 2 options with `p`",
        "together: 2 x 1 = 2",
    ]
    assert lines(parity(several, "item")).split("\n") == [
        "no cover: the options cover 6 items, but there are 7",
        "each option with one of `k` and `l` covers 2 items, each other option 1",
        "together: 2 x 1 + 2 x 2 = 6",
    ]
    assert lines(parity(star, "option")).split("\n")[3] == "to cover all items, it takes 2 options"
    assert lines(parity(several, "option")).split("\n")[1].startswith("each of the options `k` and `l` covers 2")


def test_a_drawing_shows_all_of_24_rows_and_80_columns() -> None:
    high = lines(parity(fitting_of("locations box 2x24 - cells (0,0) (1,23)\npiece D x23 { xx }")))
    assert len([line for line in high.split("\n") if set(line) <= set("#o.")]) == 24
    wide = lines(parity(fitting_of("locations box 80x2 - cells (0,0) (79,1)\npiece D x79 { xx }"))).split("\n")
    assert wide[2:4] == ["." + "o#" * 39 + "o", "o" + "#o" * 39 + "."]
    wider = lines(parity(fitting_of("locations box 81x2 - cells (0,0) (80,0)\npiece D x80 { xx }"))).split("\n")
    assert wider[2] == "." + "o#" * 39 + "o" + "..."


def test_no_reason_is_given_unless_a_second_check_confirms_it(monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = fitting_of("locations box 4x4 - cells (0,0) (3,3)\npiece D x7 { xx }")
    weighed = Fitting(5, (piece("p", *SIGNED),))
    assert find_proof(coloured) is not None
    assert find_proof(weighed) is not None
    monkeypatch.setattr("puzzlec.lower.parity.holds", lambda *_: False)
    assert find_proof(coloured) is None
    assert find_proof(weighed) is None


def test_known_colourings_are_tried_even_if_an_elimination_is_too_much_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("puzzlec.lower.linear_invariants.MOST_ITEMS", 3)
    assert find_proof(fitting_of("locations box 4x4 - cells (0,0) (3,3)\npiece D x7 { xx }")) is not None
    assert find_proof(fitting_of("locations box 4x4\npiece D x8 { xx }")) is None
    assert find_proof(Fitting(5, (piece("p", *SIGNED),))) is None


def test_on_large_boards_no_colouring_is_tried_and_of_very_many_placements_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def proof() -> ParityProof | None:
        return find_proof(fitting_of("locations box 3x3 - cells (1,0)\npiece D x* { xx }"))

    monkeypatch.setattr("puzzlec.lower.parity.MOST_LOCATIONS", 8)
    monkeypatch.setattr("puzzlec.lower.parity.MOST_ENTRIES", 18)
    coloured = proof()
    assert coloured is not None
    assert coloured.colouring is not None
    monkeypatch.setattr("puzzlec.lower.parity.MOST_LOCATIONS", 7)
    weighed = proof()
    assert weighed is not None
    assert weighed.colouring is None
    monkeypatch.setattr("puzzlec.lower.parity.MOST_ENTRIES", 17)
    assert proof() is None


def test_a_fitting_without_locations_has_no_proof() -> None:
    assert find_proof(Fitting(0, ())) is None
    assert find_proof(Fitting(0, (piece("p", [], low=1, high=1),))) is None


def test_pieces_without_a_placement_weigh_nothing() -> None:
    # This is not a reason of this kind: an earlier reason reports that they fit nowhere.
    assert find_proof(Fitting(2, (piece("p", [0], [1], low=2, high=2), piece("q", low=1, high=1)))) is None
