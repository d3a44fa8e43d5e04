"""Soma figures: the meaning of their rows, and that figures of their original pages are read as solutions.

The figures are from https://www.fam-bundgaard.dk/SOMA (SOMA1/SOMANOTA.HTM, FIGURES/D001025.HTM, NEWS/N000814.HTM).
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.soma_figure import SIGNS, figures, signs_of
from puzzlec.ir import Puzzle
from puzzlec.lower import place

CUBE = "/SOMA000\n;the cube\n/452/755/776\n/412/465/766\n/112/432/333\n"

SENTRY = """Here is a neat way: 6333/2227
6637/2677

/SOMA006
;Sentry tower
/22...../266..../2544.../75544../333755./1113336
/22...../264..../2644.../77545../737756./1117366

Alternative
|22...../266..../2544.../75544../333755./1113336
"""

SEPTEMPARTITE = """/SOMA001
;septempartite
/4...../44..../L4..../LLL.../33377./11VVP7
/....../22..../2Z..../2ZZ.../B3ZP7./1TVPP.
/....../....../....../BB6.../B66.../TTT...
/....../....../....../....../A6..../AA....
/....../....../....../....../55..../5A....
/....../....../....../....../....../5.....
"""

PLUS = "/SP001 ; The 2,4,5 Base\n/BSSTP/BZZPP\n/DSSTT/BBZZP\n/DVVTL/AALLL\n/AVIII/AQQQQ\n"

FIGURES = {"cube": CUBE, "sentry tower": SENTRY, "septempartite": SEPTEMPARTITE, "the 2,4,5 base": PLUS}


def figure(text: str, problem: str | None = None, report: Report | None = None) -> Puzzle:
    what = read(Source("a.soma", text), "soma", report or Report(), problem=problem)
    assert isinstance(what, Puzzle)
    return what


@pytest.mark.parametrize(
    ("problem", "title"),
    [
        ("SOMA006", "SOMA006 Sentry tower"),
        ("soma006", "SOMA006 Sentry tower"),
        ("sentry TOWER", "SOMA006 Sentry tower"),
        ("006", "SOMA006 Sentry tower"),
        ("6", "SOMA006 Sentry tower"),
        ("000", "soma000 the cube"),
        ("0", "soma000 the cube"),
        ("01", "SOMA001 septempartite"),
        ("001", "SOMA001 septempartite"),
        ("1", "SOMA006 Sentry tower"),
        ("2", "soma000 the cube"),
    ],
)
def test_a_figure_is_found_by_its_place_its_number_or_its_name(problem: str, title: str) -> None:
    assert figure(SENTRY + "\n" + CUBE.replace("SOMA", "soma") + "\n" + SEPTEMPARTITE, problem).title == title


def test_errors_of_a_problem_are_reported_without_a_position() -> None:
    with pytest.raises(PuzzleError) as caught:
        figure(CUBE + "\n" + SEPTEMPARTITE, "SOMA002")
    (told,) = caught.value.diagnostics
    assert (told.code, told.span, told.file) == ("PZ299", None, "a.soma")
    assert told.notes == ("the figures of this text are 1 `SOMA000`, 2 `SOMA001`",)


def test_the_cube_has_its_solutions() -> None:
    puzzle = figure(CUBE)
    assert puzzle.title == "SOMA000 the cube"
    assert [piece.name for piece in puzzle.pieces] == list("VLTZABP")
    assert puzzlec.count(puzzle) == 240
    assert puzzlec.count(puzzle, symmetry="none") == 11520


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "septempartite"])
def test_the_letters_of_a_figure_are_a_solution_of_its_puzzle(name: str) -> None:
    """The cells of each sign are placements of its piece, one for each copy; A and B are not confused."""
    puzzle = figure(FIGURES[name])
    source = Source("a.soma", FIGURES[name])
    signs = signs_of(figures(source)[0], source, Report())
    fitting = place(puzzle)
    number = {location.at: at for at, location in enumerate(puzzle.locations)}
    for piece, own in enumerate(puzzle.pieces):
        cells = {number[cell] for cell, (sign, _) in signs.items() if SIGNS[sign] == own.name}
        inside = [set(placement) for placement in fitting.pieces[piece].placements if set(placement) <= cells]
        assert len(cells) == own.low * len(own.cells)
        assert set().union(*inside) == cells


def test_a_mistake_in_a_solution_gets_a_warning_and_the_figure_is_read() -> None:
    report = Report()
    puzzle = figure(SEPTEMPARTITE, None, report)  # as on the page: one 7 is separate from the three others
    assert {diagnostic.code for diagnostic in report.diagnostics} == {"PZ297"}
    assert len(puzzle.locations) == 54


def test_two_sets_are_copies_whether_they_have_one_sign_or_two() -> None:
    for text in (SENTRY, SEPTEMPARTITE):
        assert [(piece.low, piece.high) for piece in figure(text).pieces] == [(2, 2)] * 7


def test_rows_run_to_the_front_and_layers_downwards() -> None:
    puzzle = figure("/8/V.".replace("/8", "/..") + "\n/../VV\n")
    assert [location.at for location in puzzle.locations] == [(0, 0, 1), (0, 1, 1), (1, 1, 1)]


def test_pieces_of_soma_plus_have_numbers_and_letters() -> None:
    letters, numbers = (
        figure("/DD.\n/III\n/SS.\n/SS.\n/Q..\n/Q..\n/Q..\n/Q..\n"),
        figure("/00-\n/888\n/$$-\n/$$-\n/9--\n/9--\n/9--\n/9--\n"),
    )
    assert letters.pieces == numbers.pieces
    assert [piece.name for piece in letters.pieces] == list("DIQS")


def test_a_figure_is_chosen_by_number_or_name_and_the_first_one_with_a_warning() -> None:
    text = CUBE + "\n" + SENTRY
    report = Report()
    assert figure(text, None, report).title == "SOMA000 the cube"
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ230", "PZ298"]
    assert "SOMA006" in report.diagnostics[1].notes[0]
    for problem in ("2", "SOMA006", "Sentry tower"):
        report = Report()
        assert figure(text, problem, report).title == "SOMA006 Sentry tower"
        assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ230"], "the prose around it"
    with pytest.raises(PuzzleError, match="PZ299"):
        figure(text, "3")


def test_figures_without_a_header_are_separated_by_other_lines() -> None:
    text = "/VV\n/V.\n\n/.V\n/VV\nprose\n/V\n/V\n"
    assert [len(drawing.rows) for drawing in figures(Source("a", text))] == [2, 2, 2]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_recognised_by_its_rows(name: str) -> None:
    assert guess_format(Source("pasted", FIGURES[name])) == "soma"


@given(st.text("/|.-;V12$ \nSOMA0x<", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        puzzle = figure(text)
    except PuzzleError as error:
        assert all(diagnostic.span for diagnostic in error.diagnostics)
    else:
        assert sum(piece.low * len(piece.cells) for piece in puzzle.pieces) == len(puzzle.locations)
