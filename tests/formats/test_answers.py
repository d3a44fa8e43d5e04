"""Output of solvers is read: samples from the programs, for three dominoes in a frame of 3x2.

Unless a test says otherwise, the samples are the output of the named program for the file that puzzlec wrote.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats.solvers.answers import (
    KINDS,
    Ending,
    EndingClaim,
    Model,
    SourceLines,
    guess_kind,
    lines_of,
    read_answer,
)
from puzzlec.lower import Encoding
from puzzlec.solving.lifting import known_names

#: Three dominoes in 3x2: options 1 to 4 are horizontal, 5 to 7 are vertical.
DOMINOES = 'puzzle "Dominoes"\nlocations box 3x2\npiece domino x3 { xx }\n'

#: The three solutions, as numbers of variables.
LEFT, RIGHT, STANDING = (1, 3, 7), (2, 4, 5), (5, 6, 7)


def encoding(text: str = DOMINOES) -> Encoding:
    return compile(puzzlec.parse(text))


def read(
    text: str, kind: str | None = None, puzzle: str = DOMINOES
) -> tuple[list[tuple[int, ...]], list[tuple[Ending, int]]]:
    """The models of an answer as numbers of variables, and the ends with their lines."""
    models, endings = [], []
    for event in read_answer(SourceLines("answer", text.splitlines(True)), known_names(encoding(puzzle)), kind):
        if isinstance(event, EndingClaim):
            endings.append((event.ending, event.span.source.position(event.span.start)[0]))
        else:
            assert isinstance(event, Model)
            assert not event.faults, list(map(str, event.faults))
            models.append(tuple(option + 1 for option in event.options))
    return models, endings


MINISAT = "SAT\n1 -2 3 -4 -5 -6 7 0\n"

CADICAL = "s SATISFIABLE\nv 1 -2 3 -4 -5 -6 7 8 -9 10 11 -12 13 14 -15 16 17\nv -18 19 20 -21 0\n"

CRYPTOMINISAT = """s SATISFIABLE
v -1 -2 -3 -4 5 6 7 -8 -9 -10 -11 -12 -13 -14 -15 16 -17 -18 19 20 -21 0
s SATISFIABLE
v -1 2 -3 4 5 -6 -7 8 -9 10 -11 -12 13 14 -15 16 17 18 19 20 21 0
s SATISFIABLE
v 1 -2 3 -4 -5 -6 7 8 -9 10 11 -12 13 14 -15 16 17 -18 19 20 -21 0
s UNSATISFIABLE
"""

PICOSAT = """s SATISFIABLE
v -1 2 -3 4 5 -6 -7 0
s SATISFIABLE
v 1 -2 3 -4 -5 -6 7 0
s SOLUTIONS 2
"""

CLASP = """c clasp version 3.3.5
c Reading from D.cnf
c Solving...
c Answer: 1
v -1 -2 -3 -4 5 6 7 -8 -9 -10 -11 -12 -13 -14 -15 16 -17 -18 19 20 -21 0
c Answer: 2
v 1 -2 3 -4 -5 -6 7 8 -9 10 11 -12 13 14 -15 16 17 -18 19 20 -21 0
s SATISFIABLE
c
c Models         : 2
"""

PYTHON_SAT = "[-1, -2, -3, -4, 5, 6, 7, -8, -9]\n[1, -2, 3, -4, -5, -6, 7, 8, -9]\n"

MINISATPLUS = "s SATISFIABLE\nv -x1 x2 -x3 x4 x5 -x6 -x7\n"

HIGHS_RAW = """Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns 7
x1_domino_0.0_1.0 0
x2_domino_1.0_2.0 0
x3_domino_0.1_1.1 0
x4_domino_1.1_2.1 0
x5_domino_0.0_0.1 1
x6_domino_1.0_1.1 1
x7_domino_2.0_2.1 1
# Rows 7
c1_domino 3
c2_0.0 1
c3_1.0 1
c4_2.0 1
c5_0.1 1
c6_1.1 1
c7_2.1 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
"""

HIGHS_PRETTY = """Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1            0               Integer     x1_domino_0.0_1.0
        1                   0            1            0               Integer     x2_domino_1.0_2.0
        2                   0            1            0               Integer     x3_domino_0.1_1.1
        3                   0            1            0               Integer     x4_domino_1.1_2.1
        4                   0            1            1               Integer     x5_domino_0.0_0.1
        5                   0            1            1               Integer     x6_domino_1.0_1.1
        6                   0            1            1               Integer     x7_domino_2.0_2.1
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   3            3            3               c1_domino

Model status: Optimal

Objective value: 0
"""

HIGHS_SPARSE = """Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns -3
x5_domino_0.0_0.1 1 4
x6_domino_1.0_1.1 1 5
x7_domino_2.0_2.1 1 6
"""

GLPK_PRINTED = """Problem:
Rows:       7
Columns:    7 (7 integer, 7 binary)
Non-zeros:  21
Status:     INTEGER OPTIMAL
Objective:  obj = 0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 c1_domino                   3             3             =
     2 c2_0.0                      1             1             =

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 x1_domino_0.0_1.0
                    *              0             0             1
     2 x2_domino_1.0_2.0
                    *              0             0             1
     3 x3_domino_0.1_1.1
                    *              0             0             1
     4 x4_domino_1.1_2.1
                    *              0             0             1
     5 x5_domino_0.0_0.1
                    *              1             0             1
     6 x6_domino_1.0_1.1
                    *              1             0             1
     7 x7_domino_2.0_2.1
                    *              1             0             1

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
"""

GLPK_RAW = """c Problem:
c Rows:       7
c Columns:    7
c Non-zeros:  21
c Status:     INTEGER OPTIMAL
c Objective:  obj = 0 (MINimum)
c
s mip 7 7 o 0
i 1 3
i 2 1
i 3 1
i 4 1
i 5 1
i 6 1
i 7 1
j 1 0
j 2 0
j 3 0
j 4 0
j 5 1
j 6 1
j 7 1
e o f
"""

CBC = """Optimal - objective value 0.00000000
      0 x1_domino_0.0_1.0               0                       0
      1 x2_domino_1.0_2.0               0                       0
      2 x3_domino_0.1_1.1               0                       0
      3 x4_domino_1.1_2.1               0                       0
      4 x5_domino_0.0_0.1               1                       0
      5 x6_domino_1.0_1.1               1                       0
      6 x7_domino_2.0_2.1               1                       0
"""

MINIZINC = """x1 domino 0,0 1,0
x3 domino 0,1 1,1
x7 domino 2,0 2,1
----------
x2 domino 1,0 2,0
x4 domino 1,1 2,1
x5 domino 0,0 0,1
----------
x5 domino 0,0 0,1
x6 domino 1,0 1,1
x7 domino 2,0 2,1
----------
==========
"""

MINIZINC_DATA = """x = [true, false, true, false, false, false, true];
----------
x = [false, true, false, true, true, false, false];
----------
==========
"""

MINIZINC_JSON = """{
  "x" : [true, false, true, false, false, false, true]
}
----------
==========
"""

MINIZINC_STREAM = """\
{"type": "warning", "message": "included file \\"count.mzn\\" overrides a global constraint file"}
{"type": "solution", "output": {"dzn": "x = [true, false, true, false, false, false, true];\\n"}, "sections": ["dzn"]}
{"type": "solution", "output": {"default": "x2 domino 1,0 2,0\\nx4 domino 1,1 2,1\\nx5 domino 0,0 0,1\\n"}}
{"type": "status", "status": "ALL_SOLUTIONS"}
"""

Z3 = """sat
((|x1 domino 0,0 1,0| true)
 (|x2 domino 1,0 2,0| false)
 (|x3 domino 0,1 1,1| true)
 (|x4 domino 1,1 2,1| false)
 (|x5 domino 0,0 0,1| false)
 (|x6 domino 1,0 1,1| false)
 (|x7 domino 2,0 2,1| true))
"""

Z3_MODEL = """sat
(
  (define-fun |x6 domino 1,0 1,1| () Bool
    false)
  (define-fun |x1 domino 0,0 1,0| () Bool
    true)
  (define-fun |x7 domino 2,0 2,1| () Bool
    true)
  (define-fun |x3 domino 0,1 1,1| () Bool
    true)
)
"""

CVC5 = """sat
((|x1 domino 0,0 1,0| false) (|x2 domino 1,0 2,0| true) (|x3 domino 0,1 1,1| false) (|x4 domino 1,1 2,1| true)\
 (|x5 domino 0,0 0,1| true) (|x6 domino 1,0 1,1| false) (|x7 domino 2,0 2,1| false))
"""

DLX3 = """1:
 0,0 1,0 domino (1 of 2)
 2,0 2,1 domino (1 of 1)
 domino 0,1 1,1 (1 of 1)
2:
 0,0 0,1 domino (2 of 2)
 1,0 2,0 domino (1 of 2)
 domino 1,1 2,1 (1 of 1)
3:
 0,0 0,1 domino (2 of 2)
 1,0 1,1 domino (2 of 2)
 domino 2,0 2,1 (1 of 1)
(7 options, 7+0 items, 28 entries successfully read)
Altogether 3 solutions, 679+827 mems, 45 updates, 0 cleansings, 780 bytes, 9 nodes, ccost 7%.
"""

#: The paths of these three solutions, in a diagram as DLX6 prints it.
DLX6 = """2: (~7?0:1)
3: (~3?0:2)
4: (~6?0:2)
5: (~4?0:1)
6: (~2?4:5)
7: (~1?0:3)
8: (~5?7:6)
9: (~0?0:8)
"""

#: Not from the program, which is not free, but written from its documentation.
CPLEX = """<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolutions version="1.0">
 <CPLEXSolution version="1.2">
  <header problemName="dominoes.lp" solutionName="incumbent" solutionIndex="-1" objectiveValue="0"
    solutionStatusValue="101" solutionStatusString="integer optimal solution" solutionMethodString="mip"/>
  <linearConstraints>
   <constraint name="c1_domino" index="0" slack="0"/>
  </linearConstraints>
  <variables>
   <variable name="x1_domino_0.0_1.0" index="0" value="1"/>
   <variable name="x3_domino_0.1_1.1" index="2" value="0.99999999999"/>
   <variable name="x5_domino_0.0_0.1" index="4" value="0"/>
   <variable name="x7_domino_2.0_2.1" index="6" value="1"/>
  </variables>
 </CPLEXSolution>
 <CPLEXSolution version="1.2">
  <header solutionName="p1" solutionStatusString="integer feasible solution"/>
  <variables>
   <variable index="4" value="1"/>
   <variable index="5" value="1"/>
   <variable index="6" value="1"/>
  </variables>
 </CPLEXSolution>
</CPLEXSolutions>
"""

#: These also follow the documentation of the programs.
GUROBI = """# Solution for model obj
# Objective value = 0
x1_domino_0.0_1.0 0
x2_domino_1.0_2.0 0
x3_domino_0.1_1.1 0
x4_domino_1.1_2.1 -1e-9
x5_domino_0.0_0.1 1
x6_domino_1.0_1.1 9.9999999999e-01
x7_domino_2.0_2.1 1
"""

SCIP = """solution status: optimal solution found
objective value:                                    0
x5_domino_0.0_0.1                                   1 \t(obj:0)
x6_domino_1.0_1.1                                   1 \t(obj:0)
x7_domino_2.0_2.1                                   1 \t(obj:0)
"""

COMPLETE = Ending.COMPLETE


@pytest.mark.parametrize(
    ("text", "kind", "models", "endings"),
    [
        (MINISAT, "sat", [LEFT], []),
        (CADICAL, "sat", [LEFT], []),
        (CRYPTOMINISAT, "sat", [STANDING, RIGHT, LEFT], [(COMPLETE, 7)]),
        (PICOSAT, "sat", [RIGHT, LEFT], [(COMPLETE, 5)]),
        (CLASP, "sat", [STANDING, LEFT], []),
        (PYTHON_SAT, "sat", [STANDING, LEFT], []),
        (MINISATPLUS, "pb", [RIGHT], []),
        (HIGHS_RAW, "highs", [STANDING], []),
        (HIGHS_PRETTY, "highs", [STANDING], []),
        (HIGHS_SPARSE, "highs", [STANDING], []),
        (GLPK_PRINTED, "glpk", [STANDING], []),
        (GLPK_RAW, "glpk", [STANDING], []),
        (CBC, "cbc", [STANDING], []),
        (MINIZINC, "minizinc", [LEFT, RIGHT, STANDING], [(COMPLETE, 13)]),
        (MINIZINC_DATA, "minizinc", [LEFT, RIGHT], [(COMPLETE, 5)]),
        (MINIZINC_JSON, "minizinc", [LEFT], [(COMPLETE, 5)]),
        (MINIZINC_STREAM, "minizinc", [LEFT, RIGHT], [(COMPLETE, 4)]),
        (Z3, "smt2", [LEFT], []),
        (Z3_MODEL, "smt2", [LEFT], []),
        (CVC5, "smt2", [RIGHT], []),
        (DLX3, "dlx", [LEFT, RIGHT, STANDING], [(COMPLETE, 14)]),
        (DLX6, "zdd", [RIGHT, STANDING, LEFT], [(COMPLETE, 8)]),
        (CPLEX, "cplex", [LEFT, STANDING], []),
        (GUROBI, "gurobi", [STANDING], []),
        (SCIP, "scip", [STANDING], []),
    ],
)
def test_the_output_of_a_solver_is_recognised_and_read(
    text: str, kind: str, models: list[tuple[int, ...]], endings: list[tuple[Ending, int]]
) -> None:
    assert guess_kind(SourceLines("answer", text.splitlines(True)), known_names(encoding())) == kind
    assert read(text) == read(text, kind) == (models, endings)


@pytest.mark.parametrize(
    ("text", "kind", "ending"),
    [
        ("UNSAT\n", "sat", Ending.COMPLETE),
        ("s UNSATISFIABLE\n", "sat", Ending.COMPLETE),
        ("c a remark\nc UNKNOWN\n", "sat", Ending.UNKNOWN),
        ("INDET\n", "sat", Ending.UNKNOWN),
        ("None\n", "sat", Ending.UNKNOWN),
        ("False\n", "sat", Ending.COMPLETE),
        ("Model status\nInfeasible\n\n# Primal solution values\nNone\n", "highs", Ending.COMPLETE),
        ("Model status\nTime limit reached\n\n# Primal solution values\nNone\n", "highs", Ending.UNKNOWN),
        (HIGHS_PRETTY.replace("Optimal", "Infeasible"), "highs", Ending.COMPLETE),
        ("Infeasible - objective value 0.00000000\n      0 x1_domino_0.0_1.0   0   0\n", "cbc", Ending.COMPLETE),
        ("Stopped on time (no integer solution - continuous used) - objective value 0.00000000\n"
         "      5 x6_domino_1.0_1.1              0.60952381                       0\n", "cbc", Ending.UNKNOWN),
        (GLPK_RAW.replace(" o 0", " n 0"), "glpk", Ending.COMPLETE),
        (GLPK_RAW.replace(" o 0", " u 0"), "glpk", Ending.UNKNOWN),
        (GLPK_RAW.replace(" o 0", " i 0"), "glpk", Ending.UNKNOWN),
        (GLPK_PRINTED.replace("INTEGER OPTIMAL", "INFEASIBLE (FINAL)"), "glpk", Ending.COMPLETE),
        (GLPK_PRINTED.replace("INTEGER OPTIMAL", "INFEASIBLE (INTERMEDIATE)"), "glpk", Ending.UNKNOWN),
        (GLPK_PRINTED.replace("OPTIMAL", "EMPTY"), "glpk", Ending.COMPLETE),
        (GLPK_PRINTED.replace("OPTIMAL", "UNDEFINED"), "glpk", Ending.UNKNOWN),
        ("solution status: infeasible\nno solution available\n", "scip", Ending.COMPLETE),
        ("solution status: time limit reached\nno solution available\n", "scip", Ending.UNKNOWN),
        ('<CPLEXSolution><header solutionStatusString="infeasible"/></CPLEXSolution>', "cplex", Ending.COMPLETE),
        ("=====UNSATISFIABLE=====\n", "minizinc", Ending.COMPLETE),
        ("=====UNKNOWN=====\n", "minizinc", Ending.UNKNOWN),
        ('{"type": "status", "status": "UNKNOWN"}\n', "minizinc", Ending.UNKNOWN),
        ('unsat\n(error "line 16 column 35: model is not available")\n', "smt2", Ending.COMPLETE),
        ("unknown\n", "smt2", Ending.UNKNOWN),
        ("cvc5 interrupted by timeout.\n", "smt2", Ending.UNKNOWN),
        ("(7 options, 7+0 items, 28 entries successfully read)\nAltogether 0 solutions, 1+2 mems.\n", "dlx",
         Ending.COMPLETE),
    ],
)  # fmt: skip
def test_an_answer_without_a_solution_is_read(text: str, kind: str, ending: Ending) -> None:
    assert guess_kind(SourceLines("answer", text.splitlines(True)), known_names(encoding())) == kind
    models, endings = read(text)
    assert models == []
    assert [reported for reported, _ in endings] == [ending]


def test_a_solution_that_was_found_before_the_time_was_over_is_read() -> None:
    stopped = HIGHS_RAW.replace("Optimal", "Time limit reached")
    assert read(stopped) == ([STANDING], [(Ending.UNKNOWN, 2)])
    assert read(CBC.replace("Optimal", "Stopped on time")) == ([STANDING], [(Ending.UNKNOWN, 1)])
    assert read(MINIZINC.split("x2")[0] + "% Time limit exceeded!\n") == ([LEFT], [(Ending.UNKNOWN, 5)])


@pytest.mark.parametrize(
    ("text", "kind", "models"),
    [
        ("v 1 -2 3 -4\nv -5 -6 7 0\n", None, [LEFT]),
        ("1 -2 3 -4 -5 -6 7 0 -1 2 4 5 0\n", None, [LEFT, RIGHT]),
        ("[[1, -2, 3, 7],\n [2, -1, 4, 5]]\n", None, [LEFT, RIGHT]),
        ("[1,\n -2, 3,\n 7]\n", None, [LEFT]),
        ("v x1 x3\nv x7 -x2\nc Answer: 2\nv x2 x4 x5\n", None, [LEFT, RIGHT]),
        ("s OPTIMUM FOUND\no 0\nv x1 x3 x7 -x2\n", None, [LEFT]),
        ("1 3 7\n2 4 5\n", "variables", [LEFT, RIGHT]),
        ("0 2 6\n1 3 4\n", "options", [LEFT, RIGHT]),
        ("[0, 2, 6]\n", "options", [LEFT]),
        ("domino 0,0 1,0 | 1,1 domino 0,1|2,0 2,1 domino\n", None, [LEFT]),
        ("domino 1,0 0,0\ndomino 0,1 1,1\n2,0 2,1 domino\n\n0,0 0,1 domino\n", None, [LEFT, (5,)]),
        ("1:\n 0,0 1,0 domino\n domino 0,1 1,1\n2:\n", None, [(1, 3), ()]),
        ("x1\t1\nx3 1.0\nx7 1e0\nx2 0\n", None, [LEFT]),
        ("=obj= 0\nx1 1\nx3 1\nx7 1\n", None, [LEFT]),
        ("x = array1d(1..7, [1, 0, 1, 0, 0, 0, 1]);\n----------\n", None, [LEFT]),
        ('{"_output": {"x": [true, false, 1, 0, 0, 0, 1]}}\n----------\n', None, [LEFT]),
        ("sat\n(model (define-fun x1 () Bool true) (define-fun n1 () Int 1))\nsat\n((x2 true))\n", None, [(1,), (2,)]),
        ('<variables><variable name="x1" value="1"/></variables>', None, [(1,)]),
    ],
)
def test_other_forms_of_the_same_are_read(text: str, kind: str | None, models: list[tuple[int, ...]]) -> None:
    assert read(text, kind)[0] == models


def test_the_notations_of_puzzlec_are_read() -> None:
    claims = [
        event.claim
        for event in read_answer(SourceLines("answer", ["0,2,6\n", "4,5,6\n"]), known_names(encoding()))
        if isinstance(event, Model)
    ]
    assert [[placement.index for placement in claim.laid or ()] for claim in claims if claim] == [[0, 2, 6], [4, 5, 6]]


def test_equal_options_are_distinguished_by_their_order() -> None:
    from puzzlec.engine.problem import ExactCover

    found = compile(ExactCover.from_rows([[0], [0], [1]], primary=2, bounds=[(2, 2), (1, 1)]))
    events = list(
        read_answer(
            SourceLines("answer", ["1:\n", " 0 (1 of 2)\n", " 0 (2 of 2)\n", " 1 (1 of 1)\n"]), known_names(found)
        )
    )
    assert [event.options for event in events if isinstance(event, Model)] == [(0, 1, 2)]


def test_colours_are_read_as_knuths_programs_print_them() -> None:
    """DLX2 printed this for the example at its beginning,
    <https://www-cs-faculty.stanford.edu/~knuth/programs.html>."""
    cover = puzzlec.ExactCover.from_names(
        ["A", "B", "C"],
        [["A", "B", "X:1", "Y:1"], ["A", "C", "X:2", "Y"], ["B", "X:2"], ["B", "X:1"], ["C", "Y:2"]],
        ["X", "Y"],
    )
    found = compile(cover)
    text = " C A X:2 Y (1 of 1)\n B X:2 (1 of 1)\n"
    events = list(read_answer(SourceLines("answer", text.splitlines(True)), known_names(found)))
    assert [event.options for event in events if isinstance(event, Model)] == [(1, 2)]


def test_items_that_dlx3_no_longer_covers_are_ignored() -> None:
    """DLX3 printed this for a problem with bounds 2:3 of C and 0:1 of D."""
    cover = puzzlec.ExactCover.from_names(
        ["A", "B", "C", "D"],
        [
            ["A", "B", "X:1", "Y:1"],
            ["A", "C", "X:2", "Y:2"],
            ["C", "X:1"],
            ["B", "X:2"],
            ["C", "Y:2"],
            ["D", "C", "Y:2"],
        ],
        ["X", "Y"],
        {"C": (2, 3), "D": (0, 1)},
    )
    found = compile(cover)
    text = "2:\n A C X:2 Y:2 (2 of 2)\n B X:2 (1 of 1)\n C Y:2 (1 of 2)\n null C (2 of 2)\n null D (1 of 1)\n"
    events = list(read_answer(SourceLines("answer", text.splitlines(True)), known_names(found)))
    assert [event.options for event in events if isinstance(event, Model)] == [(1, 3, 4)]


def test_lines_have_their_numbers_in_the_file() -> None:
    lines = SourceLines("answer", ["one\n", "two\r\n", "three"])
    assert list(map(str, lines.peek(2))) == ["answer:1:1", "answer:2:1"]
    spans = list(lines)
    assert [span.source.text for span in spans] == ["one", "two", "three"]
    assert spans[1].source.line(2) == "two"
    assert spans[2].source.position(3) == (3, 4)


def test_a_compressed_answer_is_read(tmp_path: Path) -> None:
    file = tmp_path / "answer.gz"
    file.write_bytes(gzip.compress(CADICAL.encode()))
    assert [line.source.text for line in lines_of(str(file))] == CADICAL.splitlines()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "PZ003"),
        (b" \n\n", "PZ003"),
        (b"s SAT\n\xff\n", "PZ002"),
        (b"v 1\0 0\n", "PZ002"),
        (b"\x1f\x8b rubbish", "PZ001"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, code: str, tmp_path: Path) -> None:
    file = tmp_path / "answer"
    file.write_bytes(content)
    with pytest.raises(PuzzleError) as error:
        list(lines_of(str(file)))
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == [code]


def test_every_kind_has_a_description() -> None:
    assert all(name == kind.name and kind.summary for name, kind in KINDS.items())


def test_xml_that_is_not_in_utf_8_is_taken_for_latin_1(tmp_path: Path) -> None:
    file = tmp_path / "answer"
    file.write_bytes("<?xml version='1.0'?>\n<!-- Röver -->\n".encode("latin-1"))
    assert [line.source.text for line in lines_of(str(file))][1] == "<!-- Röver -->"


def test_only_the_columns_of_a_file_have_values() -> None:
    rows = HIGHS_RAW.replace("c1_domino 3", "x5_domino_0.0_0.1 0")
    assert read(rows) == ([STANDING], [])


@pytest.mark.parametrize("status", ["INTEGER UNDEFINED", "UNBOUNDED", "something else"])
def test_values_of_glpk_count_only_if_its_status_is_that_of_a_solution(status: str) -> None:
    assert read(GLPK_PRINTED.replace("INTEGER OPTIMAL", status)) == ([], [(Ending.UNKNOWN, 5)])


def test_each_list_on_a_line_has_its_position() -> None:
    text = "[['n0', 'n2', 'n6'], ['n1', 'n3', 'n4']]"
    events = list(read_answer(SourceLines("answer", [text]), known_names(encoding())))
    assert [event.span.start for event in events] == [1, text.rindex("[")]
