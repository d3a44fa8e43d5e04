"""Answers that people print from Python, files that are not answers, and empty answers, which are never a proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solvers.answers import (
    FORMATS,
    KINDS,
    Ending,
    EndingClaim,
    Model,
    SourceLines,
    guess_kind,
    kinds_called,
    read_answer,
)
from puzzlec.solving.lifting import Lifted, known_names, lifted
from tests.formats import test_answers
from tests.formats.test_answers import DLX3, DOMINOES, LEFT, PICOSAT, RIGHT, encoding, read

#: The first solution of three dominoes in 3x2, as indexes of the options from 0, and as a vector.
PLACES, VECTOR = [0, 2, 6], [1, 0, 1, 0, 0, 0, 1]

KNOWN = known_names(encoding())

NAMES = [KNOWN.label(option) for option in PLACES]
COLUMNS = ["x1_domino_0.0_1.0", "x3_domino_0.1_1.1", "x7_domino_2.0_2.1"]
NODES = ["n0", "n2", "n6"]


def lines(text: str) -> SourceLines:
    return SourceLines("answer", text.splitlines(True))


def faults(text: str, kind: str | None = None, puzzle: str = DOMINOES) -> list[Diagnostic]:
    """The errors of an answer, and of its models as solutions."""
    found: list[Diagnostic] = []
    try:
        for event in lifted(encoding(puzzle), lines(text), kind):
            found += event.faults if isinstance(event, Lifted) else ()
    except PuzzleError as error:
        found += error.diagnostics
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("".join(f"{value:.18e}\n" for value in VECTOR), "vector"),  # numpy.savetxt
        (" ".join(map(str, VECTOR)) + "\n", "vector"),
        (str(VECTOR), "vector"),
        (str(list(map(float, VECTOR))), "vector"),
        (str(list(map(bool, VECTOR))), "vector"),
        ("[1. 0. 1.\n 0. 0. 0. 1.]\n", "vector"),
        ("array([1, 0, 1, 0, 0, 0, 1])", "vector"),
        (str([*VECTOR, 0, 1, 1]), "vector"),  # with auxiliary variables after the options
        ("\n".join(NAMES), "names"),
        (str(NAMES), "names"),
        (str(NAMES).replace("'", '"'), "names"),
        (str(COLUMNS), "names"),
        ("\n".join(COLUMNS), "names"),
        (str(dict.fromkeys(COLUMNS, 1.0) | {"x2_domino_1.0_2.0": 0.0}), "names"),
        (str(dict.fromkeys(COLUMNS, 1)).replace("'", '"').replace(",", ",\n"), "names"),
        ("{" + ", ".join(f"'{column}': np.float64(1.0)" for column in COLUMNS) + "}", "names"),
        (str([(column, 1.0) for column in COLUMNS]), "names"),
        ("\n".join(NODES), "names"),
        (str(NODES), "names"),
        ("{'n6', 'n0', 'n2'}", "names"),
        ("0 2 6\n", "options"),
        ("0\n2\n6\n", "options"),
        (str(PLACES), "options"),
        ("[np.int64(0), np.int64(2), np.int64(6)]", "options"),
        ("array([0, 2, 6])", "options"),
        ("1 3 7\n", "variables"),
        ("1\n3\n7\n", "variables"),
        ("[1, 3, 7]", "sat"),
        ("[1, 3, 7, 8, 30]", "sat"),  # with auxiliary variables
        ("domino 0,0 1,0|domino 0,1 1,1|domino 2,0 2,1", "bars"),
    ],
)
def test_output_of_python_is_recognised_and_read(text: str, kind: str) -> None:
    assert guess_kind(lines(text), KNOWN) == kind
    found = [event.options for event in read_answer(lines(text), KNOWN) if isinstance(event, Model)]
    assert found == [tuple(PLACES)]


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 2, 6], [1, 3, 4]]",
        "[[1, 3, 7],\n [2, 4, 5]]",
        "[0, 2, 6]\n[1, 3, 4]\n",
        "0 2 6\n1 3 4\n",
        "0\n2\n6\n\n1\n3\n4\n",
        "1 0 1 0 0 0 1\n0 1 0 1 1 0 0\n",
        "[[1, 0, 1, 0, 0, 0, 1],\n [0, 1, 0, 1, 1, 0, 0]]",
        "\n".join("1010001") + "\n\n" + "\n".join("0101100") + "\n",
        "[['n0', 'n2', 'n6'], ['n1', 'n3', 'n4']]",
        "n0\nn2\nn6\n\nn1\nn3\nn4\n",
        "[{'x1': 1, 'x3': 1, 'x7': 1}, {'x2': 1.0, 'x4': 0.9999999, 'x5': 1}]",
    ],
)
def test_several_solutions_may_follow_one_another(text: str) -> None:
    found = [event.options for event in read_answer(lines(text), KNOWN) if isinstance(event, Model)]
    assert found == [tuple(number - 1 for number in LEFT), tuple(number - 1 for number in RIGHT)]


def test_names_of_options_show_that_bars_separate_them() -> None:
    """The examples of rows and numbers in the docs, in which items have numbers."""
    rows = {"Q": [0], "R": [0, 1], "P": [1, 3], "S": [2], "T": [2, 3]}
    cover = ExactCover.from_rows(list(rows.values()), primary=4)
    named = ExactCover.from_names(list("0123"), {name: list(map(str, row)) for name, row in rows.items()})
    for what, text in [(named, "R|T"), (named, "T | R"), (named, "0 1|2 3"), (cover, "0 1|2 3")]:
        found = compile(what)
        known = known_names(found)
        assert guess_kind(lines(text), known) == "bars", text
        assert [model.options for model in read_answer(lines(text), known) if isinstance(model, Model)] == [(1, 4)]


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("[1, 0, 1]", "vector", "PZ619"),
        ("1\n0\n1\n", "vector", "PZ619"),
        ("[1, 0, 0.5, 0, 0, 0, 1]", "vector", "PZ614"),
        ("[1, 0, 2, 0, 0, 0, 1]", "vector", "PZ614"),
        ("[1, 0, maybe, 0, 0, 0, 1]", "vector", "PZ612"),
        ("[1 0 1 ... 0 0 1]", "vector", "PZ616"),
        ("[1, 0, 1, 0, 0, 0, 1", "vector", "PZ616"),
        ("[0, 2, 6", "options", "PZ616"),
        ("['n0', 'n2', 'n7']", "names", "PZ613"),
        ("n0\nn99\n", "names", "PZ613"),
        ("['x1', 'x8']", "names", "PZ613"),
        ("['x1_domino_0.0_0.1']", "names", "PZ619"),
        ("['n0', 'n0']", "names", "PZ615"),
        ("['n0', 'n2'", "names", "PZ616"),
        ("['n0', n2]", "names", "PZ612"),
        ("{'x1': 0.5}", "names", "PZ614"),
        ("{'x1': one}", "names", "PZ612"),
        ("['domino 9,9']", "names", "PZ613"),
        ("['domino 0,0 2,0']", "names", "PZ618"),
        ("domino 0,0 2,0\n", "names", "PZ618"),
    ],
)
def test_broken_lists_are_refused_with_a_position(text: str, kind: str, code: str) -> None:
    found = faults(text, kind)
    assert {fault.code for fault in found} == {code}, list(map(str, found))
    assert all(fault.span is not None and fault.span.source.name == "answer" for fault in found)


@pytest.mark.parametrize("text", ["1 2 3 4\n", "[1, 2]", "0 5\n"])
def test_numbers_without_a_meaning_as_a_solution_are_not_guessed(text: str) -> None:
    (fault,) = faults(text)
    assert fault.code == "PZ611"
    assert "`sat` (literals), `variables`" in fault.helps[0]


# No proof without a statement


@pytest.mark.parametrize("kind", [None, *KINDS, *FORMATS])
@pytest.mark.parametrize("text", ["# x\n", "c nothing\n", "c\nc\n", "% x\n", "* x\n", "hello\n", "<a/>\n", "{}\n"])
def test_an_empty_answer_is_not_a_proof(text: str, kind: str | None) -> None:
    events: list[object] = []
    try:
        events += read_answer(lines(text), KNOWN, kind)
    except PuzzleError as error:
        assert error.diagnostics
        return
    assert events
    assert not any(isinstance(event, EndingClaim) for event in events), events


#: The statement of each sample that there are no (more) solutions.
SAID = ("UNSAT", "SOLUTIONS 2", "=====", "ALL_SOLUTIONS", "Altogether 3", "(~0?", "infeasible", "Infeasible")


@given(
    st.sampled_from(
        [answer for answer in vars(test_answers).values() if isinstance(answer, str) and answer.count("\n") > 4]
    ),
    st.integers(0, 2000),
    st.sampled_from([None, *KINDS]),
)
def test_the_beginning_of_an_answer_is_not_a_proof_without_a_statement(text: str, cut: int, kind: str | None) -> None:
    part = text[:cut]
    if any(word in part for word in SAID):
        return
    try:
        for event in read_answer(lines(part), KNOWN, kind):
            assert not (isinstance(event, EndingClaim) and event.ending is Ending.COMPLETE)
    except PuzzleError as error:
        assert error.diagnostics


def test_in_python_an_empty_answer_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text("c a banner\nc\n", encoding="utf-8")
    with pytest.raises(PuzzleError) as error:
        list(puzzlec.lift(puzzlec.parse(DOMINOES), str(file)))
    (fault,) = error.value.diagnostics
    assert fault.code == "PZ616"
    assert "this was read as `sat`" in fault.helps[0]


@pytest.mark.parametrize("text", ["0 solutions\n", "# found by hand\nno solution\n"])
def test_a_line_about_no_solutions_is_a_statement(text: str) -> None:
    for kind in (None, "list", "bars", "options"):
        assert read(text, kind) == ([], [(Ending.COMPLETE, text.count("\n"))])


def test_a_total_without_the_solutions_is_not_a_proof() -> None:
    total = DLX3.splitlines()[-1] + "\n"
    (fault,) = faults(total)
    assert fault.code == "PZ616"
    assert "m1" in fault.helps[0]
    assert read(DLX3[DLX3.index("3:") :]) == ([(5, 6, 7)], [(Ending.UNKNOWN, 6)])
    assert read(PICOSAT.replace("SOLUTIONS 2", "SOLUTIONS 3"))[1] == [(Ending.UNKNOWN, 5)]


# One mistake, one error


@pytest.mark.parametrize("format", ["cnf", "opb", "lp", "mps", "mzn", "smt2", "dlx", "json"])
@pytest.mark.parametrize("kind", [None, "sat", "gurobi", "dlx", "smt2", "list"])
def test_a_problem_is_distinguished_from_an_answer(format: str, kind: str | None) -> None:
    (fault,) = faults(puzzlec.convert(puzzlec.parse(DOMINOES), format), kind)
    assert fault.code == "PZ611"
    assert f"a problem in the format `{format}`" in fault.message


def test_a_graph_is_distinguished_from_an_answer() -> None:
    puzzle = "locations box 3x2\npiece I { xxx }\npiece J { xxx }\n"
    (fault,) = faults(puzzlec.convert(puzzlec.parse(puzzle), "graphml"), None, puzzle)
    assert "a problem in the format `graphml`" in fault.message


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("Welcome to the CBC MILP Solver\nVersion: 2.10.8\nBuild Date: May  9 2022\n\n" + "Cbc0001I x\n" * 300, "CBC"),
        ("GLPSOL--GLPK LP/MIP Solver 5.0\nParameter(s) specified in the command line:\n --lp a.lp\n", "GLPK"),
        ("Running HiGHS 1.7.0\nCopyright (c) 2024\nx1 x2\n", "HiGHS"),
        ("bad.mzn:1.5-7:\nfoo bar\n    ^^^\nError: syntax error, unexpected identifier\n", "MiniZinc"),
        ("Gurobi Optimizer version 11.0\nModel fingerprint: 0x1\n" + "     0     0  0.0 \n" * 200, "Gurobi"),
    ],
)
def test_the_log_of_a_solver_is_one_error_that_names_the_right_file(text: str, program: str) -> None:
    for kind in (None, "gurobi"):
        (fault,) = faults(text, kind)
        assert fault.code == "PZ611"
        assert f"a log of {program}" in fault.message
        assert fault.helps


def test_an_answer_of_another_kind_is_one_error_that_names_the_kind() -> None:
    for text, kind in [("a: b\n\n" * 300, None), ("x y z\n" * 300, "gurobi"), ("{ x\n" * 2000, "jsonl")]:
        (fault,) = faults(text, kind)
        said = " ".join((*fault.notes, *fault.helps))
        assert f"`{kind or 'list'}`" in said
    assert "add `--solutions-from`" in " ".join(faults("a: b\n\n" * 300)[0].helps)


def test_lines_without_meaning_are_ignored_before_and_after_models() -> None:
    chat = "Reading problem\nv 1 -2 3 -4 -5 -6 7 0\nall done\n"
    assert read(chat) == ([LEFT], [])


def test_a_model_of_another_size_belongs_to_another_puzzle() -> None:
    (short,) = faults("s SATISFIABLE\nv -1 2 -3 4 0\n")
    assert short.code == "PZ619"
    assert "4 variables, but the puzzle has 7 options" in short.message
    (long,) = faults("s SATISFIABLE\nv 1 2 -3 4 -5 6 7 8 9 0\n")
    assert long.code == "PZ617"
    assert "9 variables, and the first 7 are options" in " ".join(long.notes)
    assert "with the same `-p`" in " ".join(long.helps)


def test_kinds_may_have_the_names_of_the_solved_formats() -> None:
    called = {"cnf": "sat", "OPB": "pb", "mzn": "minizinc", "xmpuzzle": "burrtools", "lp": "gurobi", "SAT": "sat"}
    assert {name: next(iter(kinds_called(name))) for name in called} == called
    assert kinds_called("sta") == ()
    for text in (test_answers.HIGHS_RAW, test_answers.CBC, test_answers.GLPK_RAW, test_answers.SCIP):
        for name in ("lp", "mps"):
            assert read(text, name) == ([(5, 6, 7)], [])
    assert read("x1 1\nx3 1\nx7 1\n", "LP") == ([LEFT], [])


def test_a_graph_numbers_its_nodes_like_options() -> None:
    """Vertex n5 is option 5 counted from 0, for every placement of the soma cube."""
    text = puzzlec.convert("soma", "graphml")
    labels = re.findall(r'<node id="n\d+"><data key="label">([^<]*)<', text)
    cover = compile("soma")
    found = known_names(cover)
    assert [re.sub(r"[^\w,]+", " ", label).strip() for label in labels] == [
        found.label(option) for option in range(found.options)
    ]
