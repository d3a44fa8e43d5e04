"""Broken answers: each is refused with a reason and a position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import MAX_DIAGNOSTICS_KEPT
from puzzlec.formats.solvers.answers import KINDS, EndingClaim, Model, SourceLines, read_answer
from puzzlec.solving.lifting import known_names
from tests.formats import test_answers
from tests.formats.test_answers import CADICAL, CBC, CPLEX, GLPK_PRINTED, GLPK_RAW, HIGHS_PRETTY, HIGHS_RAW, encoding

#: Seven options, as in tests/formats/test_answers.py.
KNOWN = known_names(encoding())

HEAD = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 0\n"

STATUS = "solution status: optimal\nobjective value: 0\n"


def faults(text: str, kind: str | None) -> list[Diagnostic]:
    """The errors of an answer, each with a position."""
    found: list[Diagnostic] = []
    try:
        for event in read_answer(SourceLines("answer", text.splitlines(True)), KNOWN, kind):
            if isinstance(event, Model):
                found += event.faults
            else:
                assert isinstance(event, EndingClaim)
    except PuzzleError as error:
        found += error.diagnostics
    for fault in found:
        assert fault.span is not None, fault
        assert fault.span.source.name == "answer", fault
        line, column = fault.span.source.position(fault.span.start)
        lines = text.splitlines() or [""]
        assert line <= len(lines), fault
        assert column <= len(lines[line - 1]) + 1, fault
    return found


BROKEN: dict[str, list[tuple[str, str, str]]] = {
    "sat": [  # the answer, the code, and its position: line:column
        ("v 1 -2 3\n", "PZ616", "1:1"),
        ("v 1 -2\nv 3 7\n", "PZ616", "2:1"),
        ("SAT\n", "PZ616", "1:1"),
        ("s SATISFIABLE\n", "PZ616", "1:3"),
        ("s SATISFIABLE\nc no model\ns UNSATISFIABLE\n", "PZ616", "1:3"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 1 3 7 0\n", "PZ616", "1:3"),
        ("v 1 2 3\ns SATISFIABLE\n", "PZ616", "1:1"),
        ("s SATISFIED\nv 1 0\n", "PZ612", "1:3"),
        ("s\n", "PZ612", "1:1"),
        ("v 1 two 3 0\n", "PZ612", "1:5"),
        ("v 1 2.5 3 0\n", "PZ612", "1:5"),
        ("v 1 --2 3 0\n", "PZ612", "1:5"),
        ("v 1 - 3 0\n", "PZ612", "1:5"),
        ("v 1 +2 3 0\n", "PZ612", "1:5"),
        ("v 1 1e3 0\n", "PZ612", "1:5"),
        ("v 1 99999999999999999999 0\n", "PZ612", "1:5"),
        ("v 1 -1 0\n", "PZ615", "1:5"),
        ("v 1 2 3\nv 4 -2 0\n", "PZ615", "2:5"),
        ("Segmentation fault\n", "PZ612", "1:1"),
        ("Segmentation fault\ncore dumped\n", "PZ612", "1:1"),
        ("v 1 2\nthe rest is prose\nv 3 0\n", "PZ612", "2:1"),
        ("[1, -2, 3\n", "PZ616", "1:1"),
        ("[1, -2, 0]\n", "PZ612", "1:9"),
        ("[1, two]\n", "PZ612", "1:5"),
        ("[1, -2, 2]\n", "PZ615", "1:9"),
        (CADICAL[:-4], "PZ616", "3:1"),
        ("v 1 0\nv 3 7\n", "PZ616", "2:1"),
    ],
    "pb": [
        ("s SATISFIABLE\nv x1 y2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 x\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 xx2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 -x1\n", "PZ615", "2:6"),
        ("s SATISFIABLE\nv x1 x2\nv -x2\n", "PZ615", "3:3"),
        ("s SATISFIABLE\nv x1 ~x1\n", "PZ615", "2:6"),
        ("s SATISFIABLE\nv x0\n", "PZ612", "2:3"),
        ("s SATISFIABLE\nv x1 x2=1\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 --x2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 x-2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 x1.0\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 x9999999999999999\n", "PZ612", "2:6"),
        ("s OPTIMUM FOUND\n", "PZ616", "1:3"),
        ("s OPTIMUM\nv x1\n", "PZ612", "1:3"),
        ("o 0\ns SATISFIABLE\n", "PZ616", "2:3"),
        ("s SATISFIABLE\nv x1 X2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nv x1 (x2\nv !x3\n", "PZ612", "3:3"),
        ("s SATISFIABLE\nv x1 ¬x2\n", "PZ612", "2:6"),
        ("s SATISFIABLE\nx = 1\n", "PZ616", "1:3"),
        ("x = 1\nterminated\n", "PZ612", "1:1"),
    ],
    "gurobi": [
        ("# Objective value = 0\n", "PZ616", "1:22"),
        ("x1\n", "PZ612", "1:1"),
        ("x1 1 1\n", "PZ612", "1:6"),
        ("x1 one\n", "PZ612", "1:4"),
        ("x1 0.5\n", "PZ614", "1:4"),
        ("x1 2\n", "PZ614", "1:4"),
        ("x1 -1\n", "PZ614", "1:4"),
        ("x1 0.99\n", "PZ614", "1:4"),
        ("x1 nan\n", "PZ612", "1:4"),
        ("x1 inf\n", "PZ612", "1:4"),
        ("x1 1e999\n", "PZ614", "1:4"),
        ("x1 1e99999\n", "PZ612", "1:4"),
        ("x1 0x1\n", "PZ612", "1:4"),
        ("x1 1,0\n", "PZ612", "1:4"),
        ("x8 1\n", "PZ613", "1:1"),
        ("x0 1\n", "PZ613", "1:1"),
        ("x99999999999 1\n", "PZ613", "1:1"),
        ("placement 1\n", "PZ613", "1:1"),
        ("X1 1\n", "PZ613", "1:1"),
        ("x1 1\nx1 0\n", "PZ615", "2:1"),
        ("x1_square_0.0_1.0 1\n", "PZ619", "1:1"),
        ("x1_domino_5.0_6.0 1\n", "PZ619", "1:1"),
    ],
    "highs": [
        (HEAD + "# Columns 7\nx1_domino_0.0_1.0\n", "PZ612", "8:1"),
        (HEAD + "# Columns 7\nx1_domino_0.0_1.0 one\n", "PZ612", "8:19"),
        (HEAD + "# Columns 7\nx1 0.3333\n", "PZ614", "8:4"),
        (HEAD + "# Columns 7\nfoo 1\n", "PZ613", "8:1"),
        (HEAD + "# Columns 7\nx8 1\n", "PZ613", "8:1"),
        (HEAD, "PZ616", "6:12"),
        ("Model status\n", "PZ616", "1:13"),
        ("Model status: Optimal\n", "PZ616", "1:22"),
        (HIGHS_RAW.replace("_0.1 1", "_0.1 1\nx5 0"), "PZ615", "13:1"),
        (HIGHS_RAW.replace("x5_domino_0.0_0.1", "x5_domino_0.0_1.0"), "PZ619", "12:1"),
        (HIGHS_PRETTY.replace("Primal", "Secondary"), "PZ612", "2:1"),
        (HIGHS_PRETTY.replace("1               Integer     x6", "0.25            Integer     x6"), "PZ614", "8:55"),
        (HIGHS_PRETTY.replace("x7_domino", "x9_domino"), "PZ613", "9:83"),
    ],
    "scip": [
        ("solution status: optimal\n", "PZ616", "1:25"),
        (STATUS + "x1\n", "PZ612", "3:1"),
        (STATUS + "x1 one (obj:0)\n", "PZ612", "3:4"),
        (STATUS + "x1 0.5 (obj:0)\n", "PZ614", "3:4"),
        (STATUS + "t_x1 1 (obj:0)\n", "PZ613", "3:1"),
        (STATUS + "x12 1 (obj:0)\n", "PZ613", "3:1"),
        (STATUS + "x1_V_1 1 (obj:0)\n", "PZ619", "3:1"),
        (STATUS + "x1 1 (obj:0)\nx1 0 (obj:0)\n", "PZ615", "4:1"),
    ],
    "cbc": [
        ("Optimal - objective value 0\n      0 x1\n", "PZ612", "2:1"),
        ("Optimal - objective value 0\n      0 x1 half 0\n", "PZ612", "2:12"),
        ("Optimal - objective value 0\n      0 x1 0.5 0\n", "PZ614", "2:12"),
        ("Optimal - objective value 0\n      0 C0000001 1 0\n", "PZ613", "2:9"),
        ("Optimal - objective value 0\n** 0 x1 3 0\n", "PZ614", "2:9"),
        (CBC.replace("x5_domino_0.0", "x5_domino_9.9"), "PZ619", "6:9"),
        (CBC + CBC.splitlines()[5].replace("   1   ", "   0   "), "PZ615", "9:9"),
    ],
    "glpk": [
        ("c Problem:\n", "PZ616", "1:11"),
        ("s mip 7 7 x 0\ne o f\n", "PZ612", "1:11"),
        ("s mip 7 7 o 0\nj 1 1\n", "PZ616", "2:6"),
        ("s mip 7 7 o 0\nj one 1\ne o f\n", "PZ612", "2:3"),
        ("s mip 7 7 o 0\nj 1 x\ne o f\n", "PZ612", "2:5"),
        ("s mip 7 7 o 0\nj 1 0.5\ne o f\n", "PZ614", "2:5"),
        ("s mip 7 7 o 0\nj 0 1\ne o f\n", "PZ612", "2:3"),
        ("s mip 7 7 o 0\nj 8 1\ne o f\n", "PZ613", "2:3"),
        ("s mip 7 7 o 0\nj 1 1\nj 1 0\ne o f\n", "PZ615", "3:3"),
        ("s mip 7 7 o 0\nk 1 1\ne o f\n", "PZ612", "2:1"),
        ("s mip 7 7 o 0\ni 1\ne o f\n", "PZ612", "2:1"),
        (GLPK_RAW[:-7], "PZ616", "22:6"),
        ("Problem:\n", "PZ616", "1:9"),
        (GLPK_PRINTED.replace("End of output", ""), "PZ616", "36:1"),
        (GLPK_PRINTED.replace("     1 x1", "  one x1"), "PZ612", "15:1"),
        (GLPK_PRINTED.replace("*              1 ", "*            0.5 "), "PZ614", "24:34"),
        (GLPK_PRINTED.replace("x2_domino", "u2_domino"), "PZ613", "17:8"),
        (GLPK_PRINTED.replace("x2_domino_1.0_2.0", "x3_domino_0.1_1.1"), "", ""),
        (GLPK_PRINTED.replace("x6_domino_1.0_1.1", "x6_domino_1.0_7.1"), "PZ619", "25:8"),
    ],
    "cplex": [
        ("<CPLEXSolution>", "PZ616", "1:16"),
        ("<CPLEXSolution></CPLEX>", "PZ612", "1:18"),
        ("<CPLEXSolutions></CPLEXSolutions>", "PZ616", "1:34"),
        ("<CPLEXSolution><variables><variable/></variables></CPLEXSolution>", "PZ612", "1:27"),
        ('<CPLEXSolution><variable name="x1"/></CPLEXSolution>', "PZ612", "1:16"),
        ('<CPLEXSolution><variable value="1"/></CPLEXSolution>', "PZ612", "1:16"),
        ('<CPLEXSolution><variable name="x1" value="one"/></CPLEXSolution>', "PZ612", "1:16"),
        ('<CPLEXSolution><variable name="x1" value="0.5"/></CPLEXSolution>', "PZ614", "1:16"),
        ('<CPLEXSolution><variable name="x8" value="1"/></CPLEXSolution>', "PZ613", "1:16"),
        ('<CPLEXSolution><variable name="C1" value="1"/></CPLEXSolution>', "PZ613", "1:16"),
        ('<CPLEXSolution><variable index="-1" value="1"/></CPLEXSolution>', "PZ612", "1:16"),
        (
            '<CPLEXSolution><variable name="x1" value="1"/>\n<variable name="x1" value="0"/></CPLEXSolution>',
            "PZ615",
            "2:1",
        ),
        ('<!DOCTYPE a [<!ENTITY b "c">]><CPLEXSolution/>', "PZ612", "1:1"),
        ("<CPLEXSolution & />", "PZ612", "1:16"),
        ("<a>" * 60, "PZ612", "1:151"),
        (CPLEX.replace('"x1_domino_0.0_1.0"', '"x1_domino_1.1_1.0"'), "PZ619", "10:4"),
        (CPLEX.replace("0.99999999999", "0.9"), "PZ614", "11:4"),
        (CPLEX.replace("</variables>", "", 1), "PZ612", "15:4"),
        (CPLEX[:400], "PZ612", "7:53"),
        ('<CPLEXSolution><variable name="x1" name="x2" value="1"/></CPLEXSolution>', "PZ612", "1:36"),
    ],
    "minizinc": [
        ("x1 domino 0,0 1,0\n", "PZ616", "1:1"),
        ("x1\nx3\nx7\n==========\n", "PZ616", "3:1"),
        ("x8 domino\n----------\n", "PZ613", "1:1"),
        ("x0\n----------\n", "PZ613", "1:1"),
        ("x1 domino 0,0 0,1\n----------\n", "PZ619", "1:1"),
        ("% a remark\nx1\n% another\nx2 square\n----------\n", "PZ619", "4:1"),
        ("placed 5\n----------\n", "PZ613", "1:1"),
        ("x = [true, false];\n----------\n", "PZ619", "1:5"),
        ("x = [true, false, maybe, false, false, false, true];\n----------\n", "PZ612", "1:19"),
        ("x = [1, 0, 2, 0, 0, 0, 1];\n----------\n", "PZ612", "1:12"),
        ("x = [1, 0, 1, 0, 0, 0, 1]\n----------\n", "PZ616", "1:1"),
        ("x = [1, 0, 1, 0, 0, 0, 1;\n----------\n", "PZ612", "1:5"),
        ("x = {1, 3, 7};\n----------\n", "PZ612", "1:5"),
        ("x = array2d(1..1, 1..7, [1, 0, 1, 0, 0, 0, 1]);\n----------\n", "PZ612", "1:5"),
        ("place = [1];\n----------\n", "PZ613", "1:1"),
        ('{"y": []}\n----------\n', "PZ612", "1:1"),
        ('{"x": [true}\n----------\n', "PZ612", "1:12"),
        ('{"x": [1, 0]}\n----------\n', "PZ619", "1:1"),
        ('{"x": [1, 0, 1, "no", 0, 0, 1]}\n----------\n', "PZ612", "1:1"),
        ('{"x": true}\n----------\n', "PZ612", "1:1"),
        ('{"type": "solution", "output": {"dzn": "x = [1];"}}\n', "PZ619", "1:1"),
        ('{"type": "solution", "output": {}}\n', "PZ612", "1:1"),
        ('{"type": "solution", "output": \n', "PZ612", "1:32"),
        ('{"type": "error", "message": "no solver"}\n', "PZ612", "1:1"),
        ("x = [1, 0, 1, 0, 0, 0, 1];\nx2\nx1\nx3\nx4\n----------\n", "PZ615", "2:1"),
    ],
    "smt2": [
        ("sat\n", "PZ616", "1:1"),
        ("sat\nunsat\n", "PZ616", "1:1"),
        ("sat\n((x1 true)\n", "PZ616", "2:1"),
        ("sat\n((x1 true)))\n", "PZ612", "2:12"),
        (")\n", "PZ612", "1:1"),
        ("satisfied\n", "PZ612", "1:1"),
        ("sat\n((x1 maybe))\n", "PZ614", "2:6"),
        ("sat\n((x1 1))\n", "PZ614", "2:6"),
        ("sat\n((x1 (not false)))\n", "PZ614", "2:6"),
        ("sat\n((x1))\n", "PZ612", "2:2"),
        ("sat\n((x1 true false))\n", "PZ612", "2:2"),
        ("sat\n(x1 true)\n", "PZ612", "2:2"),
        ("sat\n((x8 true))\n", "PZ613", "2:3"),
        ("sat\n((|x0 a| true))\n", "PZ613", "2:3"),
        ("sat\n((|y 1| true) (foo true))\n", "PZ613", "2:16"),
        ("sat\n((|x1 domino 0,0 1,0| true) (|x1| false))\n", "PZ615", "2:30"),
        ("sat\n((|x1 square| true))\n", "PZ619", "2:3"),
        ("sat\n((|x1 domino true))\n", "PZ616", "2:3"),
        ('sat\n(error "no model)\n', "PZ616", "2:8"),
        ('sat\n(error "model is not available")\n', "PZ616", "2:1"),
        ("sat\n(model (define-fun x1 () Bool))\n", "PZ614", "2:26"),
        ("sat\n(model (define-fun))\n", "PZ612", "2:8"),
        ("(" * 300, "PZ612", "1:201"),
        ("sat\n(() ())\n", "PZ612", "2:2"),
    ],
    "dlx": [
        ("1:\n A B (1 of 2)\n", "PZ613", "2:2"),
        ("1:\n domino 0,0 9,9 (1 of 2)\n", "PZ613", "2:13"),
        ("1:\n domino 0,0 2,0 (1 of 2)\n", "PZ618", "2:2"),
        ("1:\n domino 0,0 (1 of 2)\n", "PZ618", "2:2"),
        ("1:\n 0,0 1,0 (1 of 2)\n", "PZ618", "2:2"),
        ("1:\n domino 0,0 1,0 2,0 (1 of 2)\n", "PZ618", "2:2"),
        ("1:\n domino 0,0 0,0 (1 of 2)\n", "PZ615", "2:13"),
        ("1:\n domino 0,0 1,0 (1 of 2)\n 0,0 domino 1,0 (1 of 1)\n", "PZ615", "3:2"),
        ("1:\n domino 0,0:a 1,0 (1 of 2)\n", "PZ618", "2:2"),
        ("1:\n (1 of 2)\n", "PZ612", "2:1"),
        ("1:\n domino 0,0 1,0 (1 from 2)\n", "PZ613", "2:17"),
        ("1:\n Domino 0,0 1,0 (1 of 2)\n", "PZ613", "2:2"),
        ("1:\n domino,0,0,1,0\n", "PZ613", "2:2"),
    ],
    "zdd": [
        ("2: (~7?0:1)\n", "PZ616", "1:12"),
        ("2: (~8?0:1)\n3: (~0?0:2)\n", "PZ613", "1:6"),
        ("2: (~7?0:3)\n3: (~0?0:2)\n", "PZ613", "1:1"),
        ("2: (~7?0:1)\n2: (~6?0:1)\n3: (~0?0:2)\n", "PZ615", "2:1"),
        ("2: (~7?0:1\n3: (~0?0:1)\n", "PZ612", "1:1"),
        ("2: (~x?0:1)\n3: (~0?0:1)\n", "PZ612", "1:1"),
        ("1: (~7?0:1)\n3: (~0?0:1)\n", "PZ615", "1:1"),
    ],
    "bars": [
        ("domino 0,0 1,0 | domino 0,1 9,9\n", "PZ613", "1:29"),
        ("domino 0,0 1,0 | domino 0,1 2,1\n", "PZ618", "1:18"),
        ("domino 0,0 1,0 || domino 0,1 1,1\n", "PZ612", "1:17"),
        ("domino 0,0 1,0 | domino 1,0 0,0\n", "PZ615", "1:18"),
    ],
    "options": [
        ("0 2 seven\n", "PZ612", "1:5"),
        ("0 2 7\n", "PZ613", "1:5"),
        ("0 -2 6\n", "PZ612", "1:3"),
        ("0 2 2\n", "PZ615", "1:5"),
        ("0 2.0 6\n", "PZ612", "1:3"),
        ("0 2 6\n9999999999999999\n", "PZ612", "2:1"),
    ],
    "variables": [("0 2 6\n", "PZ613", "1:1"), ("1 3 8\n", "PZ613", "1:5"), ("1 3 3\n", "PZ615", "1:5")],
}


@pytest.mark.parametrize(
    ("kind", "text", "code", "place"),
    [(kind, *broken) for kind, several in BROKEN.items() for broken in several if broken[1]],
)
def test_a_broken_answer_is_refused_where_it_is_broken(kind: str, text: str, code: str, place: str) -> None:
    found = faults(text, kind)
    assert {fault.code for fault in found} == {code}, list(map(str, found))
    span = found[0].span
    assert span is not None
    assert "{}:{}".format(*span.source.position(span.start)) == place, str(found[0])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("there is no solution here\n", "1:1"),
        ("1 2 3 4\n", "1:1"),
        ("*** picosat: can not read input file\n", "1:1"),
    ],
)
def test_an_answer_of_an_unknown_kind_is_refused(text: str, place: str) -> None:
    found = faults(text, None)
    assert [fault.code for fault in found] == ["PZ611"], list(map(str, found))
    span = found[0].span
    assert span is not None
    assert "{}:{}".format(*span.source.position(span.start)) == place


def test_an_unknown_kind_is_refused_with_a_suggestion() -> None:
    with pytest.raises(PuzzleError) as error:
        read_answer(SourceLines("answer", ["v 1 0\n"]), KNOWN, "saat")
    (fault,) = error.value.diagnostics
    assert fault.code == "PZ611"
    assert fault.helps == ("did you mean `sat`?",)


def test_all_errors_of_a_model_are_reported_and_the_next_model_is_read() -> None:
    events = list(read_answer(SourceLines("answer", ["v 1 a b 0\n", "v 1 3 7 0\n"]), KNOWN))
    assert [[fault.code for fault in event.faults] for event in events if isinstance(event, Model)] == [
        ["PZ612"] * 2,
        [],
    ]
    assert isinstance(events[1], Model)
    assert events[1].options == (0, 2, 6)


@pytest.mark.parametrize("kind", ["sat", "minizinc", "dlx", "smt2", "cplex", "gurobi", "glpk", "highs", "options"])
def test_only_the_first_of_very_many_errors_of_a_model_are_reported(kind: str) -> None:
    try:
        events = list(
            read_answer(SourceLines("answer", [" strange &\n"] * 3000 + ["v " + "? " * 3000 + "0\n"]), KNOWN, kind)
        )
        several = [event.faults for event in events if isinstance(event, Model)]
    except PuzzleError as error:
        several = [error.diagnostics]
    assert 1 <= max(map(len, several)) <= MAX_DIAGNOSTICS_KEPT


def test_a_diagram_of_dead_ends_does_not_hang() -> None:
    """There are 2^60 dead ends here, and none is visited."""
    nodes = [
        "2: (~1?0:0)\n",
        *(f"{number:x}: (~{number % 7 + 1}?{number - 1:x}:{number - 1:x})\n" for number in range(3, 63)),
    ]
    events = list(read_answer(SourceLines("answer", [*nodes, f"3f: (~0?0:{62:x})\n"]), KNOWN))
    assert list(map(type, events)) == [EndingClaim]


SAMPLES = [
    test_answers.CRYPTOMINISAT,
    test_answers.CLASP,
    test_answers.PYTHON_SAT,
    test_answers.MINISATPLUS,
    test_answers.HIGHS_RAW,
    test_answers.HIGHS_PRETTY,
    test_answers.GLPK_PRINTED,
    test_answers.GLPK_RAW,
    test_answers.CBC,
    test_answers.MINIZINC,
    test_answers.MINIZINC_DATA,
    test_answers.MINIZINC_JSON,
    test_answers.MINIZINC_STREAM,
    test_answers.Z3,
    test_answers.Z3_MODEL,
    test_answers.DLX3,
    test_answers.DLX6,
    test_answers.CPLEX,
    test_answers.GUROBI,
    test_answers.SCIP,
    "/SOMA001\n/VVL/L.\n",
    '{"placements":[{"piece":"domino","placement":0}]}\n',
]


@given(
    st.sampled_from(SAMPLES),
    st.lists(
        st.tuples(st.integers(0, 700), st.integers(0, 40), st.text(" \n01-x[](){}<>|:=.,\"'vsj;é", max_size=6)),
        max_size=3,
    ),
    st.sampled_from([None, *KINDS]),
)
def test_a_changed_answer_is_read_or_refused(text: str, cuts: list[tuple[int, int, str]], kind: str | None) -> None:
    for start, length, instead in cuts:
        text = text[:start] + instead + text[start + length :]
    try:
        for event in read_answer(SourceLines("answer", text.splitlines(True)), KNOWN, kind):
            if isinstance(event, Model):
                assert not (event.faults and event.options)
                assert all(0 <= option < KNOWN.options for option in event.options)
    except PuzzleError as error:
        assert error.diagnostics
