"""`puzzlec check PUZZLE ANSWER --to FORMAT`: it prints right solutions, reports errors, and ends with a status."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlec
from tests.commands import command
from tests.formats.test_answers import CRYPTOMINISAT, DLX3, DOMINOES, HIGHS_RAW, MINIZINC

DRAWN = """\
+-------+---+
| d   d | d |
+-------+   |
| d   d | d |
+-------+---+
d domino
"""


class Lift:
    """Run the command on the three dominoes in 3x2, or on another puzzle."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch
        (folder / "dominoes.puzzle").write_text(DOMINOES, encoding="utf-8")

    def __call__(self, answer: str, *words: str, puzzle: str = "dominoes.puzzle") -> tuple[int, str, str]:
        (self.folder / "answer").write_text(answer, encoding="utf-8")
        return command(
            self.capsys,
            self.monkeypatch,
            "check",
            puzzle,
            "answer",
            *(() if "--to" in words else ("--to", "text")),
            *words,
        )


@pytest.fixture
def lift(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Lift:
    monkeypatch.chdir(tmp_path)
    return Lift(tmp_path, capsys, monkeypatch)


def test_a_solution_is_drawn_as_solve_draws_it(lift: Lift) -> None:
    status, out, err = lift("v 1 -2 3 -4 -5 -6 7 0\ns SATISFIABLE\n", "--ascii")
    assert (status, out) == (0, DRAWN)
    assert err == "1 solution, and it is right\n"


def test_several_solutions_are_drawn_with_remarks_of_the_answer_about_others(lift: Lift) -> None:
    status, out, err = lift(CRYPTOMINISAT, "--ascii")
    assert status == 0
    assert out.count("d domino") == 3
    assert out.endswith("\n\n" + DRAWN)
    assert err == "3 solutions: 3 right\nof the right ones: 2 distinct\nthe answer claims that there are no more\n"


@pytest.mark.parametrize("format", ["jsonl", "list", "orientations", "locations"])
def test_every_format_of_solve_is_printed_and_can_be_lifted_again(lift: Lift, format: str) -> None:
    status, out, _ = lift(MINIZINC, "--to", format)
    assert status == 0
    status, again, err = lift(out, "--to", format)
    assert (status, again) == (0, out)
    assert err.splitlines()[-2].startswith("3 solutions: 3 right")


def test_a_limit_ends_the_reading_with_a_remark(lift: Lift) -> None:
    status, out, err = lift(DLX3, "--limit", "2", "--to", "orientations")
    assert (status, out) == (4, "0,2,6\n1,3,4\n")
    assert err.endswith("the rest of the answer was not read\n")


def test_solutions_that_repeat_others_can_be_left_out(lift: Lift) -> None:
    twice = "0,2,6\n0,2,6\n4,5,6\n"
    assert lift(twice, "--to", "orientations")[1] == twice
    status, out, err = lift(twice, "--to", "orientations", "--unique")
    assert (status, out) == (0, "0,2,6\n4,5,6\n")
    assert "2 distinct, 1 repeated" in err


def test_a_wrong_solution_is_reported_with_the_reason_and_its_place(lift: Lift) -> None:
    status, out, err = lift("v 1 -2 3 -4 -5 -6 7 0\nv 1 2 7 0\n", "--to", "list")
    assert status == 1
    assert out.count("domino: ") == 3
    assert "error[PZ617]: not a solution: a location is covered twice: 1,0, by domino and domino" in err
    assert " --> answer:2:1" in err
    assert err.splitlines()[-2] == "2 solutions: 1 right, 1 covers a location twice"


def test_unreadable_answers_are_reported_and_counted(lift: Lift) -> None:
    status, out, err = lift(HIGHS_RAW.replace("x7_domino_2.0_2.1 1", "x7_domino_2.0_2.1 0.5"))
    assert (status, out) == (1, "")
    assert "error[PZ614]: the value must be 0 or 1, found 0.5" in err
    assert " --> answer:14:19" in err
    assert err.splitlines()[-1] == "1 solution: 0 right, 1 cannot be read"


def test_only_the_first_of_very_many_errors_are_shown(lift: Lift) -> None:
    status, _, err = lift("v 1 2 0\n" * 70)
    assert status == 1
    assert err.count("error[PZ617]") == 50
    assert "20 more errors" in err


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ("s UNSATISFIABLE\n", 3, "the answer claims that there are no solutions"),
        ("=====UNSATISFIABLE=====\n", 3, "the answer claims that there are no solutions"),
        ("s UNKNOWN\n", 4, "the other program found no result"),
        ("unknown\n", 4, "the other program found no result"),
        (MINIZINC.replace("==========", "% Time limit exceeded!"), 4, "according to the answer there may be more"),
    ],
)
def test_the_exit_status_depends_on_the_end(lift: Lift, answer: str, status: int, words: str) -> None:
    found = lift(answer, "--to", "list")
    assert found[0] == status
    assert words in found[2].splitlines()


def test_an_exact_cover_with_colours_is_printed_by_its_options(lift: Lift, tmp_path: Path) -> None:
    """The example at the beginning of DLX2, <https://www-cs-faculty.stanford.edu/~knuth/programs.html>."""
    text = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n"
    (tmp_path / "colours.dlx").write_text(text, encoding="utf-8")
    status, out, err = lift("1:\n q x:A (1 of 1)\n p r x:A y (1 of 1)\n", puzzle="colours.dlx")
    assert status == 0, err
    assert [set(line.partition(": ")[2].split()) for line in out.splitlines()] == [
        {"p", "r", "x:A", "y"},
        {"q", "x:A"},
    ]
    wrong = lift("1:\n p q x y:A (1 of 1)\n r y:B (1 of 1)\n", puzzle="colours.dlx")
    assert wrong[0] == 1
    assert "item y has different colours" in wrong[2]


def test_an_answer_is_read_from_standard_input(
    lift: Lift, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lift("")[0] == 1
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"v 1 3 7 0\n")))
    status, out, _ = command(capsys, monkeypatch, "check", "--to", "text", "dominoes.puzzle", "-", "--ascii")
    assert (status, out) == (0, DRAWN)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--solutions-from", "sta"], "--solutions-from"),
        (["--to", "picture"], "--to"),
        (["--limit", "0"], "--limit"),
    ],
)
def test_wrong_options_are_refused(lift: Lift, words: list[str], what: str) -> None:
    status, _, err = lift("v 1 3 7 0\n", *words)
    assert status == 2
    assert what in err


def test_puzzle_and_answer_cannot_both_be_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = command(capsys, monkeypatch, "check", "--to", "text", "-", "-")
    assert status == 2
    assert "one of them can be standard input" in err


def test_a_wrong_kind_of_answer_is_reported_at_the_error(lift: Lift) -> None:
    status, _, err = lift("v 1 3 7 0\n", "--solutions-from", "smt2")
    assert status == 1
    assert "error[PZ612]: unexpected `v` in an answer of an SMT solver" in err


def test_it_starts_without_numpy_and_numba(lift: Lift, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("v 1 3 7 0\n", encoding="utf-8")
    probe = (
        "import sys\nsys.argv = ['puzzlec', 'check', '--to', 'text', 'dominoes.puzzle', 'answer']\n"
        "from puzzlec.cli.app import main\n"
        "main()\nsys.exit(bool(set(sys.modules) & {'numpy', 'numba', 'scipy', 'yaml'}))\n"
    )
    assert lift.folder == tmp_path
    assert subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, timeout=60).returncode == 0


def test_in_python_each_model_is_a_solution_or_has_errors(tmp_path: Path) -> None:
    file = tmp_path / "answer"
    file.write_text("v 1 3 7 0\nv 1 0\ns UNSATISFIABLE\n", encoding="utf-8")
    good, bad, end = puzzlec.lift(puzzlec.parse(DOMINOES), str(file))
    assert good.solution is not None  # type: ignore[union-attr]
    assert json.dumps(good.solution.as_dict())  # type: ignore[union-attr]
    assert [fault.code for fault in bad.faults] == ["PZ617"]  # type: ignore[union-attr]
    assert end.ending.value == "complete"  # type: ignore[union-attr]


TWO_ROWS = """<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="4" y="1" z="1" type="0">####</voxel>
<voxel x="6" y="1" z="1" type="0">######</voxel></shapes><problems>
<problem name="Row" state="2"><shapes><shape id="0" count="2"/></shapes><result id="1"/>
<solutions><solution><assembly>0 0 0 0 2 0 0 0</assembly></solution></solutions></problem>
<problem name="Long" state="2"><shapes><shape id="0" count="3"/></shapes><result id="2"/>
<solutions><solution><assembly>0 0 0 0 2 0 0 0 4 0 0 0</assembly></solution></solutions></problem>
<problem state="0"><shapes><shape id="0" count="1"/></shapes><result id="0"/></problem></problems></puzzle>
"""


def test_a_problem_may_be_that_of_the_answer(lift: Lift, tmp_path: Path) -> None:
    (tmp_path / "rows.xmpuzzle").write_text(TWO_ROWS, encoding="utf-8")
    long = 'puzzle "Long"\nlattice cubic\nlocations box 6x1x1\npiece S1 x3 { xx }\n'
    (tmp_path / "long.puzzle").write_text(long, encoding="utf-8")
    for words in (["--problem", "2"], ["--problem", "Long", "--solutions-from", "xmpuzzle"]):
        status, _, err = lift(TWO_ROWS, *words, puzzle="long.puzzle")
        assert (status, err) == (0, "1 solution, and it is right\n"), err
    status, _, err = lift(TWO_ROWS, puzzle="long.puzzle")
    assert status == 1
    assert "the assemblies of the first of 3 problems: add `--problem` for another" in err
    status, _, err = lift(TWO_ROWS, "--problem", "3", puzzle="rows.xmpuzzle")
    assert status == 1
    assert "missing stored assemblies for problem 3" in err
    assert "problem 1 has 1; problem 2 has 1" in err


def test_a_problem_is_refused_if_neither_the_puzzle_nor_the_answer_has_several(lift: Lift) -> None:
    for words in ([], ["--solutions-from", "sat"]):
        status, _, err = lift("v 1 -2 3 -4 -5 -6 7 0\n", "--problem", "2", *words)
        assert status == 1
        assert "error[PZ331]" in err


def test_an_invalid_sign_in_a_drawing_is_reported_with_its_position(lift: Lift) -> None:
    good = "/SOMA001\n;Cube\n/ZZV/PTV/TTT\n/PZZ/PPV/ABB\n/LLL/LAB/AAB\n"
    assert lift(good, puzzle="soma")[0] == 0
    assert lift(good, "--problem", "001", puzzle="soma")[0] == 0
    status, _, err = lift(good.replace("/PZZ", "/LZZ"), puzzle="soma")
    assert status == 1
    assert err.count("error[") == 1
    assert "the sign `P` is on 3 cells" in err
    assert "the sign `L` is on 5 cells" in err


@pytest.mark.parametrize("answer", ["c nothing\n", "c\nc CaDiCaL\n", "# x\n"])
def test_an_incomplete_answer_is_not_a_proof(lift: Lift, answer: str) -> None:
    status, out, err = lift(answer)
    assert (status, out) == (1, "")
    assert err.startswith("error[PZ6")
    assert "the answer claims that there are no solutions" not in err


def test_an_answer_is_read_from_a_pipe_with_a_name(lift: Lift, tmp_path: Path) -> None:
    assert lift.folder == tmp_path
    script = "puzzlec check --to text dominoes.puzzle <(printf 'v 1 3 7 0\\n') --to orientations"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        timeout=60,
        text=True,
    )
    assert done.stdout == "0,2,6\n", done.stderr


def test_the_format_of_the_problem_may_name_the_kind_of_answer(lift: Lift) -> None:
    assert lift("v 1 3 7 0\n", "--solutions-from", "cnf")[0] == 0
    assert lift("v x1 x3 x7\n", "--solutions-from", "OPB")[0] == 0
    assert lift(HIGHS_RAW, "--solutions-from", "lp")[0] == 0
    status, _, err = lift("v 1 3 7 0\n", "--solutions-from", "opbb")
    assert status == 2
    assert "opb" in err


def test_names_in_a_text_of_options_are_printed_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Items in the order of the text, not in that of pieces and locations.
    monkeypatch.chdir(tmp_path)
    Path("a.dlx").write_text("a b c d\nd a\nc b\na b\n")
    Path("a.sol").write_text("x1_d_a 1\nx2_c_b 1\nx3_a_b 0\n")
    assert "x1_d_a" in command(capsys, monkeypatch, "convert", "a.dlx", "--to", "lp")[1]
    status, out, err = command(capsys, monkeypatch, "check", "--to", "text", "a.dlx", "a.sol")
    assert status == 0, err
    assert out.split() == ["0:", "a", "d", "1:", "b", "c"]


def test_a_name_that_begins_like_a_comment_is_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.dlx").write_text("#1 #2\n#1\n#2\n#1 #2\n")
    Path("a.out").write_text("# a remark\n1:\n #1 (1 of 2)\n #2 (1 of 1)\n")
    Path("b.out").write_text("# a remark\n#1|#2\n")
    Path("c.out").write_text("1:\n #1 (1 of 2)\n #2 (1 of 1)\n #1 #2 (1 of 1)\n")
    for kind, name, right in (("dlx", "a.out", 0), ("bars", "b.out", 0), ("dlx", "c.out", 1)):
        assert (
            command(capsys, monkeypatch, "check", "--to", "text", "a.dlx", name, "--solutions-from", kind)[0] == right
        ), name


def test_only_items_that_texts_of_puzzlec_add_are_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.dlx").write_text("a b\na\nb\na b\n")
    Path("a.out").write_text("1:\n a no-such (1 of 2)\n b no-thing\n")
    status, _, err = command(capsys, monkeypatch, "check", "--to", "text", "a.dlx", "a.out", "--solutions-from", "dlx")
    assert status == 1
    assert "unknown item `no-such`" in err


def test_an_unknown_name_is_an_error_and_items_may_have_names_of_variables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.dlx").write_text("x1 p | a\nx1 p a:b\nx1\np\n")
    Path("a.out").write_text("['x1', '']\n")
    status, _, err = command(
        capsys, monkeypatch, "check", "--to", "text", "a.dlx", "a.out", "--solutions-from", "names"
    )
    assert status == 1
    assert "PZ612" in err
    Path("b.out").write_text("x1 p a:b\n")
    assert command(capsys, monkeypatch, "check", "--to", "text", "a.dlx", "b.out")[0] == 0


def test_a_puzzle_that_stores_solutions_is_its_own_answer(lift: Lift, tmp_path: Path) -> None:
    (tmp_path / "rows.xmpuzzle").write_text(TWO_ROWS, encoding="utf-8")
    status, out, err = command(
        lift.capsys, lift.monkeypatch, "check", "--to", "text", "rows.xmpuzzle", "--problem", "1"
    )
    assert (status, err) == (0, "1 solution, and it is right\n")
    assert out.endswith("S s: copies of S1\n")


@pytest.mark.parametrize("puzzle", ["dominoes.puzzle", "soma"])
def test_a_puzzle_without_stored_solutions_needs_an_answer(lift: Lift, puzzle: str) -> None:
    status, out, err = command(lift.capsys, lift.monkeypatch, "check", "--to", "text", puzzle)
    assert (status, out) == (2, "")
    assert "also give the answer: `puzzlec check PUZZLE ANSWER`" in err
