"""Knuth's DLX, XCC and MCC texts: their meaning, and published examples with their numbers of solutions."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.engine import count, solve
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.dlx import COLOUR_CHARACTERS, MAX_COLOUR, number_of, word_of
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.writing import write


def dlx(text: str, report: Report | None = None) -> ExactCover:
    found = read(Source("text.dlx", text), "dlx", report if report is not None else Report())
    assert isinstance(found, ExactCover)
    found.verify()
    return found


#: Sources: the introductions of DLX1, DLX2 and DLX3, https://www-cs-faculty.stanford.edu/~knuth/programs.html;
#: Knuth, "Dancing links" (arXiv:cs/0011047), formula (3), and TAOCP 7.2.2.1, (49).
PUBLISHED = {
    "DLX1": ("| A simple example\nA B C D E | F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G\n", [(0, 3, 4)]),
    "Dancing links (3)": ("A B C D E F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G\n", [(0, 3, 4)]),
    "TAOCP 7.2.2.1 (49)": ("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n", [(1, 3)]),
    "DLX2": (
        "A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n",
        [("1", "3")],
    ),
    "DLX3": ("A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n", [(1, 3, 4)]),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_example_has_its_published_solutions(name: str) -> None:
    text, solutions = PUBLISHED[name]
    assert sorted(solve(dlx(text))) == solutions


def langford(n: int) -> str:
    """Return the problem of Langford pairs: TAOCP 7.2.2.1."""
    items = [*map(str, range(1, n + 1)), *(f"s{slot}" for slot in range(1, 2 * n + 1))]
    options = [f"{i} s{j} s{j + i + 1}" for i in range(1, n + 1) for j in range(1, 2 * n - i)]
    return "\n".join([" ".join(items), *options, ""])


@pytest.mark.parametrize(("n", "pairs"), [(3, 1), (4, 1), (5, 0), (6, 0), (7, 26), (8, 150)])
def test_langford_pairs_have_the_counts_of_oeis_a014552(n: int, pairs: int) -> None:
    assert count(dlx(langford(n))) == 2 * pairs  # each has its mirror image in the count


def queens(n: int) -> str:
    """Return the n queens problem with secondary items for the diagonals: TAOCP 7.2.2.1."""
    lines = [f"r{i} c{j} a{i + j} b{i - j}" for i, j in product(range(n), repeat=2)]
    sides = [f"r{i}" for i in range(n)] + [f"c{i}" for i in range(n)]
    diagonals = [f"a{k}" for k in range(2 * n - 1)] + [f"b{k}" for k in range(1 - n, n)]
    return "\n".join([" ".join([*sides, "|", *diagonals]), *lines])


@pytest.mark.parametrize(("n", "number"), [(4, 2), (6, 4), (8, 92), (9, 352)])
def test_queens_have_the_counts_of_oeis_a000170(n: int, number: int) -> None:
    assert count(dlx(queens(n))) == number


Square = tuple[int, ...]


def attacks(a: Square, b: Square) -> bool:
    """Whether a queen on one square attacks the other, or is on it."""
    return a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1])


def domination(n: int, m: int) -> str:
    """Return the problem of m queens that attack or occupy all squares of an n x n board, as queendom-dlx writes it."""
    squares = list(product(range(n), repeat=2))
    items = [f"1:{m}|{x}{y}" for x, y in squares] + [f"{m}|Q"]
    options = [" ".join(["Q", *(f"{x}{y}" for x, y in squares if attacks(a, (x, y)))]) for a in squares]
    return "\n".join([" ".join(items), *options, ""])


def test_counts_of_dominating_queens_agree_with_trying_all_sets() -> None:
    squares = list(product(range(5), repeat=2))
    number = sum(all(any(attacks(a, s) for a in three) for s in squares) for three in combinations(squares, 3))
    assert number > 0
    assert count(dlx(domination(5, 3))) == number


@pytest.mark.slow
def test_five_queens_dominate_a_chessboard_in_4860_ways() -> None:
    # Count of puzzlec, confirmed by DLX3.
    assert count(dlx(domination(8, 5))) == 4860


def test_bounds_secondary_items_and_colours_are_read() -> None:
    cover = dlx("a 3|b 0:2|c | x y\n a x:1\n\n| a remark\nb c x:2 y\n")
    assert (list(cover.low), list(cover.high)) == ([1, 3, 0], [1, 3, 2])
    assert (cover.primary, cover.secondary, cover.item_names) == (3, 2, ("a", "b", "c", "x", "y"))
    assert [cover.entries(0), cover.entries(1)] == [[(0, 0), (3, 1)], [(1, 0), (2, 0), (3, 2), (4, 0)]]


def test_a_bar_may_touch_the_first_secondary_item_as_in_knuths_programs() -> None:
    assert dlx("a |x y\na x\n").secondary == 2


def test_colours_of_one_character_keep_their_meaning_and_others_get_free_numbers() -> None:
    cover = dlx("a | x\na x:red\na x:1\na x:b\na x:blue\na x:300\na x:12\n")
    assert list(cover.colours)[1::2] == [2, 1, 11, 3, 300, 4]


def test_each_colour_has_a_word_that_means_it() -> None:
    assert all(number_of(word_of(number)) == number for number in (*range(1, 200), MAX_COLOUR))
    assert sorted(map(number_of, COLOUR_CHARACTERS), key=str) == sorted(range(1, len(COLOUR_CHARACTERS) + 1), key=str)
    assert set(COLOUR_CHARACTERS) == {chr(code) for code in range(33, 127)} - {":", "|"}


def test_remarks_may_name_options() -> None:
    cover = dlx("a b\n| option: first one\na\n| just a remark\nb\n| option:\na b\n")
    assert cover.option_names == ("first one", "1", "")
    assert dlx("a\na\n").option_names == ()


def test_costs_of_an_option_are_added() -> None:
    report = Report()
    cover = dlx(f"a b\na |3\nb |1 |{2:030}\na b |-7\na b\n", report)
    assert not report.diagnostics
    assert list(cover.costs) == [3, 3, -7, 0]
    assert not dlx("a\na\n").costs


def faults(text: str) -> list[str]:
    with pytest.raises(PuzzleError) as caught:
        dlx(text)
    return list(map(str, caught.value.diagnostics))


def test_all_errors_of_a_text_are_reported_in_one_run() -> None:
    text = "a b | x\na z\nb b\nx\na:1\nb x:\na x\n"
    assert sorted(line.split(": ")[0] + line.split("[")[1][:5] for line in faults(text)) == [
        "text.dlx:2:3PZ282",
        "text.dlx:3:3PZ283",
        "text.dlx:4:1PZ285",
        "text.dlx:5:1PZ284",
        "text.dlx:6:3PZ284",
    ]


def test_an_unknown_item_is_reported_once() -> None:
    told = faults("alpha beta\n" + "alpha betta\n" * 1000)
    assert len(told) == 1
    assert "text.dlx:2:7" in told[0]


def test_very_many_errors_are_bounded() -> None:
    assert len(faults("a\n" + "".join(f"x{k}\n" for k in range(100_000)))) == 50
    assert len(faults("a b\n" + "a a\n" * 100_000)) == 50


@pytest.mark.parametrize("text", [case[0] for case in PUBLISHED.values()])
def test_a_published_text_is_recognised_and_keeps_its_meaning_when_written(text: str) -> None:
    assert guess_format(Source("<stdin>", text)) == "dlx"
    first = write(dlx(text), "dlx")
    assert dlx(first) == dlx(text)
    assert write(dlx(first), "dlx") == first
