from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.phrase import say
from puzzlec.formats.catalogue import Entry
from puzzlec.ir import Fitting, Placements, Puzzle
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import place
from puzzlec.lower.impossibility import impossible
from puzzlec.lower.linear_invariants import annihilator, holds, judge, lots, plain, proofs, sparse
from puzzlec.lower.parity import ParityProof, _difference, _listed, _signs, find_proof, parity
from tests import brute
from tests.catalogue_share import share
from tests.strategies import puzzles

#: Two triangles of three locations, and pieces along their sides: a triangle has an odd number of corners.
TRIANGLES = "lattice none\nlocations names a b c d e f\npiece p x3 covers {a b} {b c} {a c} {d e} {e f} {d f}"


def fitting_of(text: str) -> Fitting:
    return puzzlec.compile(puzzlec.parse('puzzle "P"\n' + text), stage="fitting")


def proof_of(text: str) -> ParityProof:
    fitting = fitting_of(text)
    proof = find_proof(fitting)
    assert proof is not None
    assert holds(fitting, proof.witness.weights, proof.witness.modulus)
    return proof


def message_of(text: str) -> str:
    reason = parity(fitting_of(text))
    assert reason is not None
    return reason.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "locations box 8x8 - cells (0,0) (7,7)\npiece D x31 { xx }",
            "on a checkerboard the pieces cover 31 dark cells, but there are 30",
        ),
        (
            "locations box 8x8 - cells (0,0) (7,7)\npiece D x* { xx }\npiece O x* { xx/xx }",
            "on a checkerboard the pieces cover as many dark cells as light ones, "
            "but there are 30 dark and 32 light ones",
        ),
        (
            "locations box 4x5\npieces tetrominoes",
            "on a checkerboard the pieces cover an odd number of dark cells, but there are 10",
        ),
        (
            "locations box 2x10\npieces tetrominoes",
            "on a checkerboard the pieces cover an odd number of dark cells, but there are 10",
        ),
        (
            "locations box 10x10\npiece I x25 { xxxx }",
            "on a checkerboard of 2x2 blocks the pieces cover 50 dark cells, but there are 52",
        ),
        (
            "locations box 6x6\npiece I x9 { xxxx }",
            "on a checkerboard of 2x2 blocks the pieces cover 18 dark cells, but there are 20",
        ),
        (
            "locations box 10x10\npiece T x25 { xxx/.x. }",
            "on a checkerboard the pieces cover an odd number of dark cells, but there are 50",
        ),
        (
            "lattice cubic\nlocations box 6x6x6\npiece B x27 { xxxx/xxxx }",
            "on a checkerboard of 2x2x2 blocks the pieces cover 108 dark cells, but there are 112",
        ),
        (
            "lattice cubic\nlocations box 5x5x5 - cells (0,0,0) (1,0,0)\npiece I x41 { xxx }",
            "the pieces cover 41 cells with x + y + z a multiple of 3, but there are 40",
        ),
        (
            "locations box 8x8 - cells (0,1)\npiece I x21 { xxx }",
            "the pieces cover 21 cells with x - y a multiple of 3, but there are 22",
        ),
        (
            "locations box 10x6\npiece L x15 { xxx/x.. }",
            "the pieces cover an odd number of cells with x even, but there are 30",
        ),
        (
            "locations box 7x7 - cells (0,0)\npiece L x* { xxxx/x... }\npiece P x* { xxx/xx. }",
            "the pieces cover a multiple of 5 cells, but there are 48",
        ),
        (TRIANGLES, "the pieces cover an even number of certain locations, but there are 3"),
    ],
)
def test_an_impossible_puzzle_of_the_books_is_explained_by_the_colouring_of_the_books(text: str, message: str) -> None:
    assert message_of(text) == "no solution: " + message
    proof_of(text)


def test_the_notes_give_the_marks_what_each_piece_covers_and_the_sum() -> None:
    reason = parity(fitting_of("locations box 4x5\npieces tetrominoes"))
    assert reason is not None
    assert reason.notes == (
        "call every cell with x + y even dark: 10 of 20 cells, drawn as `#` (`o` is any other cell)\n"
        "#o#o\no#o#\n#o#o\no#o#\n#o#o",
        "wherever it lies, piece `T` covers an odd number of dark cells, each other piece an even number",
        "together they cover an odd number",
    )


def test_without_geometry_the_marked_locations_are_named() -> None:
    reason = parity(fitting_of(TRIANGLES))
    assert reason is not None
    assert reason.notes[0] == "mark locations `a`, `b` and `c`: 3 of 6 locations"


def test_weights_other_than_marks_are_listed_with_the_locations() -> None:
    text = "lattice none\nlocations names a b c d\npiece p x0..9 covers {a d} {b d}\npiece q x0..9 covers {c d}"
    assert proof_of(text).witness.weights == (1, 1, 1, -1)
    reason = parity(fitting_of(text))
    assert reason is not None
    assert reason.message == (
        "no solution: the locations can be given weights so that the pieces weigh 0 together, "
        "but what they are to cover weighs 2"
    )
    assert reason.notes[0] == "location `d` weighs -1; locations `a`, `b` and `c` weigh 1"


def test_every_drawing_is_cut_to_a_readable_size() -> None:
    reason = parity(fitting_of("locations box 100x40 - cells (0,0) (99,39)\npiece D x1999 { xx }"))
    assert reason is None  # more locations than are examined
    reason = parity(fitting_of("lattice square\nlocations box 90x27 - cells (0,0) (89,25)\npiece D x1214 { xx }"))
    assert reason is not None
    lines = reason.notes[0].split("\n")[1:]
    assert lines[-1] == "..."
    assert len(lines) == 25
    assert max(map(len, lines)) == 83


def test_locations_that_may_stay_empty_make_the_argument_void() -> None:
    board = "locations box 4x4 - cells (0,0) (3,3)"
    assert find_proof(fitting_of(board + "\npiece D x7 { xx }")) is not None
    board += " - cells (1,0) (0,1)\noptional locations cells (1,0) (0,1)"
    assert find_proof(fitting_of(board + "\npiece D x6 { xx }")) is None


def test_locations_that_may_stay_empty_do_not_matter_if_none_is_marked() -> None:
    assert "3 light cells, but there are 4" in message_of("locations { ?x?/x?x/?x? }\npiece D x3 { xx }")


def test_a_known_number_of_empty_locations_is_part_of_the_sum() -> None:
    reason = parity(fitting_of("locations { ?x?/x?x/?x? }\nempty 3\npiece D x3 { xx }"))
    assert reason is not None
    assert "3 dark cells, but 2 are to be covered" in reason.message
    assert "each of the 3 cells that stay empty is one of the dark cells" in reason.notes


def test_a_puzzle_that_demands_nothing_has_no_proof() -> None:
    assert find_proof(fitting_of("optional locations box 4x1\npiece M x0..1 { x }\nplace M inside box 1x1")) is None
    assert find_proof(fitting_of("optional locations box 2x1\nempty 0\npiece M x* { x }")) is None


def test_copies_that_follow_from_the_volume_are_known() -> None:
    reason = parity(fitting_of("locations box 10x10\npiece T x* { xxx/.x. }"))
    assert reason is not None
    assert "to fill the board, it takes 25 copies of `T`" in reason.notes


def test_parity_is_reported_only_if_there_is_no_other_reason() -> None:
    report = Report()
    impossible(fitting_of("locations box 4x5\npieces tetrominoes"), report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ405"]
    report = Report()
    impossible(fitting_of("locations box 4x5 - cells (0,0)\npieces tetrominoes"), report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ401"]


@given(puzzles())
def test_a_puzzle_with_a_proof_has_no_solution_and_the_proof_holds(puzzle: Puzzle) -> None:
    fitting = place(puzzle)
    proof = find_proof(fitting)
    if proof is not None:
        assert holds(fitting, proof.witness.weights, proof.witness.modulus)
        assert not brute.solutions(puzzle)
        reason = parity(fitting)
        assert reason is not None
        assert reason.message == reason.message.strip(". ")


@given(puzzles(), st.randoms(use_true_random=False), st.sampled_from((0, 2, 3, 4, 5)))
def test_weights_that_hold_prove_it_wherever_they_come_from(
    puzzle: Puzzle, chance: random.Random, modulus: int
) -> None:
    fitting = place(puzzle)
    solvable = bool(brute.solutions(puzzle))
    for weights in [tuple(chance.choice((-1, 0, 1)) for _ in puzzle.locations) for _ in range(20)]:
        witness = judge(lots(fitting), weights)
        void = fitting.optional if puzzle.rules.empty is None or puzzle.rules.empty[0] < puzzle.rules.empty[1] else ()
        if witness is not None and not any(weights[at] for at in void):
            assert holds(fitting, weights, witness.modulus)
        assert not (solvable and holds(fitting, weights, modulus))


@pytest.mark.parametrize("entry", share(lambda entry: bool(entry.raw or entry.distinct)))
def test_a_puzzle_of_the_catalogue_with_a_solution_has_no_proof_that_it_has_none(entry: Entry) -> None:
    fitting = puzzlec.compile(puzzlec.load(str(entry.path)), stage="fitting")
    assert find_proof(fitting) is None
    assert proofs(fitting, lots(fitting)) in (None, (0, []))


@pytest.mark.parametrize(("prime", "modulus"), [(2, 2), (2, 4), (2, 8), (3, 3), (3, 9), (5, 5), (7, 7)])
@pytest.mark.parametrize("seed", range(12))
def test_the_elimination_finds_all_weightings_that_brute_force_finds(prime: int, modulus: int, seed: int) -> None:
    chance = random.Random(seed)
    items = 5 if modulus < 4 else 4 if modulus < 6 else 3
    options = [tuple(chance.sample(range(items), chance.randint(1, items))) for _ in range(chance.randint(0, items))]
    if seed % 3 == 0:  # items may occur twice: then a multiple of the prime annuls a generator
        options = [(*option, *option) for option in options]
    demand = [chance.randint(0, modulus - 1) for _ in range(items)]

    def product_with(vector: tuple[int, ...], other: tuple[int, ...]) -> int:
        return sum(vector[item] for item in other) % modulus

    found = {
        (*y, sum(a * b for a, b in zip(y, demand, strict=True)) % modulus)
        for y in product(range(modulus), repeat=items)
        if not any(product_with(y, option) for option in options)
    }
    generators = annihilator(options, demand, prime, modulus)
    if not any(generator[-1] for generator in found):
        assert generators == []
        return
    spanned = {(0,) * (items + 1)}
    for generator in generators:
        spanned = {
            tuple((a + factor * b) % modulus for a, b in zip(row, generator, strict=True))
            for row in spanned
            for factor in range(modulus)
        }
    assert spanned == found
    assert tuple(sparse(modulus, generators)) in found


def test_options_longer_than_a_byte_can_sum_are_summed_in_parts() -> None:
    everything = tuple(range(300))
    generators = annihilator([everything], [1] * 299 + [2], 7, 7)
    assert generators
    assert all(sum(generator[:300]) % 7 == 0 for generator in generators)


def test_plain_weights_are_small_ones_with_signs() -> None:
    assert plain(7, [3, 4, 0, 3]) == [1, -1, 0, 1]


def once(*rows: list[int], low: int = 1, high: int = 1) -> FittingPiece:
    return FittingPiece(Placements(rows), low, high)


def test_weights_prove_nothing_if_the_empty_location_may_have_either_weight() -> None:
    # Location 1 stays empty; if it were location 0, the rest would weigh more.
    fitting = Fitting(3, (once([2]), once([0])), optional=frozenset({0, 1}), empty=(1, 1))
    assert not holds(fitting, [1, 2, 0], 0)
    assert not holds(fitting, [2, 1, 0], 0)


def test_weights_prove_nothing_if_placements_of_a_piece_differ_in_weight() -> None:
    fitting = Fitting(2, (once([0], [1]), once([0], [1])))
    assert not holds(fitting, [1, 2], 0)


def test_weights_prove_nothing_if_copies_of_two_weights_are_unknown() -> None:
    # One copy of each, or two of one: the volume gives only the sum of copies.
    fitting = Fitting(2, (once([0], low=0, high=2), once([1], low=0, high=2)))
    assert not holds(fitting, [0, 1], 0)
    assert not holds(fitting, [3, 1], 0)


def test_a_piece_with_unknown_copies_weighs_what_the_volume_gives() -> None:
    # Four locations of one sort and two of the other; a copy covers one of each, so there would be three.
    fitting = Fitting(6, (once([0, 4], [1, 5], [2, 4], [3, 5], low=0, high=9),))
    assert holds(fitting, [1, 1, 1, 1, 0, 0], 0)
    assert holds(fitting, [1, 1, 1, 1, 0, 0], 2)
    assert not holds(Fitting(4, (once([0, 1], [2, 3], low=0, high=4),)), [1, 0, 0, 1], 0)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "as many dark cells as light ones"),
        (1, "1 more dark cell than light ones"),
        (2, "2 more dark cells than light ones"),
        (-1, "1 more light cell than dark ones"),
    ],
)
def test_a_difference_is_stated_from_the_larger_side(number: int, words: str) -> None:
    assert str(_difference(number, say("dark cells"), say("light cells"))) == words


@pytest.mark.parametrize(
    ("weights", "signs"),
    [
        ([0, 1, 1], {0: "o", 1: "#"}),
        ([1, 1], {0: "o", 1: "#"}),
        ([-1, 1], {-1: "-", 0: "0", 1: "+"}),
        ([-1, 0, 1], {-1: "-", 0: "0", 1: "+"}),
        ([0, 2], {0: "0", 2: "2"}),
        ([0, 10], {0: "  0", 10: " 10"}),
    ],
)
def test_weights_have_a_character_each_if_they_are_few(weights: list[int], signs: dict[int, str]) -> None:
    assert _signs(weights) == signs


def test_a_list_is_shortened_if_that_leaves_out_at_least_two() -> None:
    assert str(_listed(["a", "b", "c"], 2)) == "a, b and c"
    assert str(_listed(["a", "b", "c", "d"], 2)) == "a, b and 2 others"
    assert str(_listed(["a"], 1)) == "a"
