from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Severity, Source, listed, near, render
from puzzlec.diagnostics.error import MAX_DIAGNOSTICS_KEPT
from puzzlec.diagnostics.files import open_source
from puzzlec.diagnostics.suggest import distance

TEXT = "colours r b\n\npiece L { xx./.xx }\npiece\tM { xxx }\npiece L { xxx }\n"


def report_of(code: str, at: str, label: str = "", **rest: object) -> str:
    source = Source("cube.puzzle", TEXT)
    start = TEXT.index(at)
    report = Report()
    report.add(code, "something is wrong", source.span(start, start + len(at)), label, **rest)  # type: ignore[arg-type]
    return render(report.diagnostics[0])


def test_a_diagnostic_has_the_documented_form() -> None:
    source = Source("cube.puzzle", TEXT)
    second = TEXT.rindex("L {")
    report = Report()
    report.add(
        "PZ301", "piece `L` is defined twice", source.span(second), "second definition",
        others=[(source.span(TEXT.index("L {")), "first defined here")],
        help="rename one of them, or write `piece L x2` for two copies",
    )  # fmt: skip
    assert render(report.diagnostics[0]).split("\n") == [
        "error[PZ301]: piece `L` is defined twice",
        " --> cube.puzzle:5:7",
        "  |",
        "3 | piece L { xx./.xx }",
        "  |       - first defined here",
        "5 | piece L { xxx }",
        "  |       ^ second definition",
        "  |",
        "  = help: rename one of them, or write `piece L x2` for two copies",
    ]


def test_a_tab_moves_the_caret_as_it_moves_the_text() -> None:
    lines = report_of("PZ301", "M {").split("\n")
    assert lines[3].index("M {") == lines[4].index("^^^")


def test_control_characters_of_a_text_never_reach_the_terminal() -> None:
    source = Source("evil\033.puzzle", "piece \033[31m\007")
    report = Report()
    report.add("PZ101", "no \033 here", source.span(6), file="x")
    assert "\033" not in render(report.diagnostics[0])
    assert "\007" not in render(report.diagnostics[0])


def test_a_long_line_is_cropped_around_the_error() -> None:
    source = Source("x", "x" * 5000 + "!" + "y" * 5000)
    report = Report()
    report.add("PZ101", "m", source.span(5000))
    lines = render(report.diagnostics[0]).split("\n")
    assert all(len(line) < 130 for line in lines)
    assert lines[3][lines[4].index("^")] == "!"


def test_colours_change_nothing_but_colours() -> None:
    import re

    source = Source("x", TEXT)
    report = Report()
    report.add("PZ301", "m", source.span(3), "l", note="n", help="h")
    painted = render(report.diagnostics[0], colour=True)
    assert re.sub(r"\033\[\d+m", "", painted) == render(report.diagnostics[0])
    assert painted != render(report.diagnostics[0])


def test_positions_count_lines_and_columns_from_one_to_the_end_of_the_text() -> None:
    source = Source("x", "ab\ncd\n")
    assert [source.position(offset) for offset in range(7)] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)]
    assert str(source.end) == "x:2:3"


def test_warnings_do_not_stop_and_errors_do() -> None:
    report = Report()
    report.add("PZ208", "a warning")
    report.stop_on_errors()
    report.add("PZ301", "an error")
    with pytest.raises(PuzzleError) as caught:
        report.stop_on_errors()
    assert [diagnostic.severity for diagnostic in caught.value.diagnostics] == [Severity.WARNING, Severity.ERROR]


def test_equal_diagnostics_are_reported_once_and_too_many_end_the_work() -> None:
    report = Report()
    for _ in range(3):
        report.add("PZ301", "the same")
    assert len(report.diagnostics) == 1
    for number in range(MAX_DIAGNOSTICS_KEPT - 2):
        report.add("PZ301", f"error {number}")
    with pytest.raises(PuzzleError):
        report.add("PZ301", "one too many")


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [("piece", "piece", 0), ("peice", "piece", 1), ("pice", "piece", 1), ("pieces", "piece", 1), ("pxexe", "piece", 2)],
)
def test_the_edit_distance_counts_typing_mistakes(left: str, right: str, edits: int) -> None:
    assert distance(left, right) == distance(right, left) == edits


def test_only_the_nearest_names_are_suggested() -> None:
    assert near("pentominos", ["pentominoids", "soma", "pentominoes"]) == ["pentominoes"]
    assert near("frobnicate", ["cubic"]) == []


def test_an_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("puzzle {")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.diagnostics) == (str(caught.value), caught.value.diagnostics)


@pytest.mark.parametrize(
    ("word", "name", "edits", "is_near"),
    [
        ("x", "F", 1, False),
        ("f", "F", 0, True),
        ("sama", "soma", 1, True),
        ("cube", "cubic", 2, False),
        ("cubes", "cubic", 2, True),
        ("squrae", "square", 1, True),
        ("sqarre", "square", 2, True),
        ("hexagno", "hexagons", 2, True),
        ("sqarr", "square", 2, True),
        ("pntmnoes", "pentominoes", 3, False),
    ],
)
def test_words_of_five_letters_or_more_may_have_two_edits(word: str, name: str, edits: int, is_near: bool) -> None:
    assert distance(word.lower(), name.lower(), 5) == edits
    assert near(word, [name]) == [name] * is_near


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("ok.puz", "did you mean `{}ok.puzzle`?"),
        ("ko.puzzle", "did you mean `{}ok.puzzle`?"),
        ("OK", "did you mean `{}ok.puzzle`?"),
        ("", "give a file in it, such as `{}ok.puzzle`"),
        ("other", None),
        ("missing/ok.puzzle", None),
    ],
)
def test_a_file_that_cannot_be_read_gets_the_one_that_may_be_meant(tmp_path: Path, name: str, help: str | None) -> None:
    (tmp_path / "ok.puzzle").write_text("locations box 2x1\npiece A { xx }\n")
    (tmp_path / "other").mkdir()
    with pytest.raises(PuzzleError) as caught:
        open_source(str(tmp_path / name))
    (found,) = caught.value.diagnostics
    assert found.code == "PZ001"
    assert found.helps == (() if help is None else (help.format(f"{tmp_path}/"),))


def test_a_list_is_shortened_if_that_leaves_out_at_least_two() -> None:
    assert listed(["a", "b", "c"], most=2) == "a, b and c"
    assert listed(["a", "b", "c", "d"], most=2) == "a, b and 2 others"
    assert listed(["a"], most=1) == "a"
    assert listed([]) == ""
