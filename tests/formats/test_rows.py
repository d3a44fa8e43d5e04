"""Rows of 0 and 1, and rows of columns: reading, writing, and features of other covers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.engine import Search, count, solve
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.writing import write, write_chunks
from puzzlec.ir import ANY
from tests.covers import brute_covers, covers

BOTH = ("rows", "numeric")
#: The example of https://en.wikipedia.org/wiki/Exact_cover in small: covers {P, Q, S} and {R, T}.
ROWS = "1000 Q\n1100 R\n0101 P\n0010 S\n0011 T\n"
NUMERIC = "0 Q\n0,1 R\n1,3 P\n2 S\n2,3 T\n"


def cover(text: str, format: str) -> ExactCover:
    found = read(Source(f"text.{format}", text), format, Report())
    assert isinstance(found, ExactCover)
    found.verify()
    return found


@pytest.mark.parametrize(("text", "format"), [(ROWS, "rows"), (NUMERIC, "numeric")])
def test_rows_are_options_and_names_are_kept(text: str, format: str) -> None:
    found = cover(text, format)
    assert set(solve(found)) == {("Q", "P", "S"), ("R", "T")}
    assert write(found, format) == text
    assert guess_format(Source("<stdin>", text)) == format


def test_both_forms_mean_the_same() -> None:
    assert cover(ROWS, "rows") == cover(NUMERIC, "numeric")
    assert write(cover(ROWS, "rows"), "numeric") == NUMERIC
    assert write(cover(NUMERIC, "numeric"), "rows") == ROWS


@pytest.mark.parametrize(
    ("text", "format"),
    [("\n# a remark\n\t110  big F \n// another\n001\n", "rows"), ("\n# r\n 0,1\tbig F \n//\n2\n", "numeric")],
)
def test_comments_and_spaces_are_ignored_and_rows_without_a_name_have_numbers(text: str, format: str) -> None:
    found = cover(text, format)
    assert found.option_names == ("big F", "1")
    assert [found.row(0), found.row(1)] == [(0, 1), (2,)]


def test_columns_may_be_in_any_order_and_with_leading_zeros() -> None:
    assert [cover("3,1,02,0\n", "numeric").row(0)] == [(3, 1, 2, 0)]


@given(covers(shades=()), st.sampled_from(BOTH))
def test_a_written_text_has_the_same_covers_and_is_stable(what: ExactCover, format: str) -> None:
    try:
        text = write(what, format)
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ501"}
        return
    found = cover(text, format)
    assert write(found, format) == text
    mine = brute_covers(what)
    theirs = [tuple(option for option in chosen if option < len(what)) for chosen in Search(found)]
    assert len(theirs) == len(set(theirs))
    assert set(theirs) == mine


@pytest.mark.parametrize("format", BOTH)
def test_items_that_need_not_be_covered_get_a_separate_row(format: str) -> None:
    what = ExactCover.from_rows(
        [[0, 1, 4], [0, 2, 5], [1, 2], [0, 3]],
        4,
        2,
        bounds={1: (0, 1), 2: (0, ANY), 3: 0},
        item_names=["a", "b", "c", "d", "x", "y"],
        option_names=["A", "B", "C", "D"],
    )
    text = write(what, format)
    names = [line.split()[1] for line in text.splitlines()]
    assert names == ["A", "B", "C", "D", "not_b", "not_x", "not_y", "no_d"]
    found = cover(text, format)
    assert {tuple(o for o in chosen if o < 4) for chosen in Search(found)} == brute_covers(what)


@pytest.mark.parametrize("format", BOTH)
@pytest.mark.parametrize(
    ("bounds", "rows", "secondary", "words"),
    [
        ({0: 2}, [[0]], 0, "covering `0` 2 times"),
        ({0: (0, 2)}, [[0], [0], [0]], 0, "covering `0` 0..2 times"),
        ({0: (1, ANY)}, [[0], [0]], 0, "covering `0` 1.. times"),
        ({0: (0, ANY)}, [[0], [0]], 0, "the free option `0`"),
        ({}, [[0, (1, 2)], [0, (2, 1)]], 2, "colours: item `1`, and 1 more"),
    ],
)
def test_features_that_rows_lack_are_refused_before_writing(
    format: str, bounds: dict[int, int | tuple[int, int]], rows: list[list[int]], secondary: int, words: str
) -> None:
    what = ExactCover.from_rows(rows, 1, secondary, bounds)
    with pytest.raises(PuzzleError, match="PZ501") as caught:
        write_chunks(what, format, WriterChoices())
    assert words in str(caught.value)


def test_an_item_without_options_can_be_written_in_rows_but_not_after_the_last_column() -> None:
    what = ExactCover.from_rows([[0], [2]], 4)
    assert count(cover(write(what, "rows"), "rows")) == 0
    with pytest.raises(PuzzleError, match="item `3` without options"):
        write(what, "numeric")
    between = ExactCover.from_rows([[0], [2]], 3)
    assert cover(write(between, "numeric"), "numeric") == between


@pytest.mark.parametrize("format", BOTH)
def test_a_cover_without_options_is_refused(format: str) -> None:
    with pytest.raises(PuzzleError, match="without options"):
        write(ExactCover.from_rows([], 0), format)


@pytest.mark.parametrize("format", BOTH)
def test_the_soma_cube_keeps_its_solutions_and_the_meaning_of_its_options(format: str) -> None:
    what = puzzlec.compile("soma")
    text = write(what, format)
    assert text.splitlines()[0].split()[1].startswith("V_0,0,0_")
    found = cover(text, format)
    assert (len(found), count(found)) == (688, 11520)


@pytest.mark.parametrize("format", BOTH)
def test_names_are_one_word_without_the_bar_of_answers(format: str) -> None:
    what = ExactCover.from_rows([[0], [1]], 2, option_names=["a | b", "c  d"])
    assert [line.split()[1] for line in write(what, format).splitlines()] == ["a_/_b", "c_d"]


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("0,2 Q\n 0 1   R \n# 1 2\n2 3 S\n", ["did you mean `0,1 R`?"]),
        ("0 1\n1 2\n0 2\n", ["did you mean `0,1`?"]),
        ("0 1\n1 2\n0,1 3\n", []),
        ("0 1_0,0\n1 2x\n", []),
    ],
)
def test_a_space_in_place_of_a_comma_gets_a_warning(text: str, hints: list[str]) -> None:
    report = Report()
    read(Source("x.numeric", text), "numeric", report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ268"] * len(hints)
    assert [line for diagnostic in report.diagnostics for line in diagnostic.helps] == hints


#: The matrix {0, 2}, {1}, {0, 1} in the forms of several programs, always with the one cover {0, 2}, {1}.
MATRICES = {
    "spaces": "1 0 1\n0 1 0\n1 1 0\n",
    "tabs": "1\t0\t1\n0\t1\t0\n1\t1\t0\n",
    "commas": "1,0,1\n0,1,0\n1,1,0\n",
    "semicolons and spaces": "1; 0; 1\n0; 1; 0\n1; 1; 0\n",
    "a comma at the end": "1,0,1,\n0,1,0,\n1,1,0,\n",
    "floats": "1.0 0.000e+00 1.00\n0. 1.0 0.0\n1.000000000000000000e+00 1 0\n",
    "names": "1,0,1,F\n0,1,0,G\n1,1,0,H\n",
    "a line of names of columns": "a,b,c\n1,0,1\n0,1,0\n1,1,0\n",
    "numbered columns": "0 1 2\n1 0 1\n0 1 0\n1 1 0\n",
    "names of columns and of rows": ",a,b,c\n0,1,0,1\n1,0,1,0\n2,1,1,0\n",
    "columns by a comment": "# 3 columns\n1 0 1 0\n0 1 0 1\n1 1 0 1\n",
    "joined columns by a comment": "# 3 columns\n101 0\n010 1\n110 1\n",
}


@pytest.mark.parametrize("form", MATRICES)
def test_a_matrix_is_read_with_any_separators_of_digits(form: str) -> None:
    found = cover(MATRICES[form], "rows")
    assert found == cover("101\n010\n110\n", "rows")
    assert guess_format(Source("a.csv", MATRICES[form])) == "rows"


def test_a_matrix_of_spaces_is_not_a_single_column_with_names() -> None:
    assert count(cover("1 0 1\n1 1 0\n", "rows")) == 0


def test_names_of_columns_and_of_rows_are_kept() -> None:
    found = cover(",a,b\nF,1,0\nG,0,1\n", "rows")
    assert (found.item_names, found.option_names) == (("a", "b"), ("F", "G"))


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t"])
def test_a_matrix_is_recognised_without_an_extension(separator: str) -> None:
    text = "".join(separator.join(row) + "\n" for row in ("101", "010", "110"))
    assert guess_format(Source("<stdin>", text)) == "rows"


def test_two_columns_or_lists_of_columns_are_refused_and_chosen_by_the_format() -> None:
    text = "0,1\n1,0\n"
    with pytest.raises(PuzzleError, match="PZ227"):
        guess_format(Source("<stdin>", text))
    assert (count(cover(text, "rows")), count(cover(text, "numeric"))) == (1, 2)
    assert guess_format(Source("a.csv", "3,1\n0,2\n")) == "numeric"


@pytest.mark.parametrize("names", [["0", "1"], ["10", "01"], ["1", "a"]])
@pytest.mark.parametrize("columns", [1, 2])
def test_names_of_0_and_1_are_written_so_that_they_are_not_columns(names: list[str], columns: int) -> None:
    what = ExactCover.from_rows([[0], [columns - 1]], columns, option_names=names)
    text = write(what, "rows")
    assert cover(text, "rows") == what
    assert write(cover(text, "rows"), "rows") == text


#: The matrix {0, 2}, {1}, {0, 1}, {2, 3} in brackets, as programs print it: its one cover is {0, 1}, {2, 3}.
BRACKETS = {
    "Python and JSON": "[[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]",
    "numpy": "[[1 0 1 0]\n [0 1 0 0]\n [1 1 0 0]\n [0 0 1 1]]\n",
    "numpy with fractions": "array([[1., 0., 1., 0.],\n       [0., 1., 0., 0.],\n [1., 1., 0., 0.], [0., 0., 1., 1.]])",
    "numpy with a type": "m = np.array([[1,0,1,0],[0,1,0,0],[1,1,0,0],[0,0,1,1]], dtype=np.int8)",
    "truth values": "[[ True False  True False]\n [False True False False]\n [True True False False]\n [0 0 1 1]]",
    "C": "int m[4][4] = {\n  {1, 0, 1, 0},\n  {0, 1, 0, 0},\n  {1, 1, 0, 0},\n  {0, 0, 1, 1},\n};\n",
    "C#": "var m = new[,] {\n {1, 0, 1, 0},\n {0, 1, 0, 0},\n {1, 1, 0, 0},\n {0, 0, 1, 1}\n};",
    "C# with lists": "new List<int[]> { new[] {1,0,1,0}, new[] {0,1,0,0}, new[] {1,1,0,0}, new[] {0,0,1,1} }",
    "rows alone": "{1, 0, 1, 0},\n{0, 1, 0, 0},\n{1, 1, 0, 0},\n{0, 0, 1, 1}\n",
    "tuples": "((1,0,1,0),(0,1,0,0),(1,1,0,0),(0,0,1,1,),)",
}


@pytest.mark.parametrize("form", BRACKETS)
@pytest.mark.parametrize("name", ["<stdin>", "a.txt", "a.json", "a.rows"])
def test_a_matrix_in_brackets_is_read_as_programs_print_it(form: str, name: str) -> None:
    source = Source(name, BRACKETS[form])
    assert guess_format(source) == "rows"
    assert read(source, None, Report()) == cover("1010\n0100\n1100\n0011\n", "rows")


def test_a_matrix_with_repeated_rows_is_not_a_list_of_cells() -> None:
    rows = [
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 1],
        [0, 0, 1],
        [0, 0, 1],
        [1, 0, 1],
        [0, 1, 0],
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 0],
    ]
    found = read(Source("x.txt", str(rows)), None, Report())
    assert isinstance(found, ExactCover)
    assert count(found) == 13


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("[[0,0,1],[0,1,1],[0,1,0]]", ["cells", "rows"]),
        ("int[][] F = { {1,0,0,1}, {1,0,1,1} };", ["offsets", "rows"]),
        ("[[0,0,0],[0,0,1],[0,1,0]]", ["cells"]),  # a matrix has no row of zeros
        ("[[0,0,1],[0,1,0],[1,0,0]]", ["cells", "rows"]),
        ("[[1,0],[0,1]]", ["cells"]),
    ],
)
def test_brackets_with_two_readings_are_refused_and_others_are_chosen(text: str, formats: list[str]) -> None:
    if len(formats) == 1:
        assert guess_format(Source("<stdin>", text)) == formats[0]
        return
    with pytest.raises(PuzzleError, match="PZ223") as caught:
        guess_format(Source("<stdin>", text))
    assert list(caught.value.diagnostics[0].helps) == [f"choose with `--from {format}`" for format in formats]


@pytest.mark.parametrize("text", ["[[2, 0, 1], [0, 1, 0]]", "x = {a: [1, 0, 0]}", "[[0,1,1],[1,0]]"])
def test_other_lists_are_not_matrices(text: str) -> None:
    with pytest.raises(PuzzleError):
        read(Source("<stdin>", text), "rows", Report())


#: The matrix {0, 1}, {2}, {1, 2}, {0} with its sizes on the first line.
SIZES = {"columns": "3\n", "no secondary columns": "3 0\n", "rows and columns": "4 3\n", "commas": "4, 3\n"}


@pytest.mark.parametrize("first", SIZES)
@pytest.mark.parametrize(
    "rows", ["1 1 0\n0 0 1\n0 1 1\n1 0 0\n", "110\n001\n011\n100\n", "1,1,0\n0,0,1\n0,1,1\n1,0,0\n"]
)
@pytest.mark.parametrize("name", ["<stdin>", "a.txt", "a.rows"])
def test_a_first_line_may_give_the_sizes(first: str, rows: str, name: str) -> None:
    found = read(Source(name, SIZES[first] + rows), None, Report())
    assert found == cover("110\n001\n011\n100\n", "rows")


def test_the_first_columns_are_secondary_if_the_first_line_says_so() -> None:
    found = read(Source("a.txt", "3 1\n0 1 1\n"), None, Report())
    assert isinstance(found, ExactCover)
    assert (found.primary, found.secondary, found.item_names) == (2, 1, ("1", "2", "0"))
    assert count(found) == 1
    two = cover("4 2\n1 0 1 0\n1 0 0 1\n0 1 0 1\n", "rows")
    assert set(solve(two)) == {(0, 2)}
    assert [two.item_name(item) for item in two.row(0)] == ["0", "2"]


def test_a_wrong_number_of_columns_on_the_first_line_is_refused() -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.rows", "4 1\n1 0 1 0\n1 0 0\n"), None, Report())
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [
        "this row has 3 digits, the first line says 4 columns"
    ]


def test_a_header_of_one_name_is_counted_in_the_singular() -> None:
    with pytest.raises(PuzzleError, match="this line names 1 column, the first row has 3 digits"):
        read(Source("a.rows", "a\n1,0,1\n0,1,0\n"), None, Report())
