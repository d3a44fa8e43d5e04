"""Solutions are lifted from installed solvers and from their files, and each is judged."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.compiler import Compiled, compile
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solvers.answers import Ending, SourceLines
from puzzlec.lower import Encoding
from puzzlec.solving import lifting
from puzzlec.solving.lifting import Count, Lifted, SolverEnd, lifted
from tests.formats.test_answers import CADICAL, CRYPTOMINISAT, DOMINOES, MINIZINC

#: A small packing in space.
SOMA_LITE = """
puzzle "Half a Soma cube"
lattice cubic
locations box 3x3x2
piece L { xxx/x.. }
piece T { xxx/.x. }
piece Z { xx./.xx }
piece V { xx/x. }
piece W { xx/x. }
"""

#: Some locations stay empty: options choose them.
BOUNDED = """
puzzle "Some stay empty"
optional locations box 3x3
empty 1..3
piece I x0..4 { xx }
"""


def encoded(what: Compiled | str) -> Encoding:
    return compile(what)


def back(what: Compiled | str, text: str, kind: str | None = None) -> list[Lifted]:
    return [
        model
        for model in lifted(encoded(what), SourceLines("answer", text.splitlines(True)), kind)
        if isinstance(model, Lifted)
    ]


def right(found: list[Lifted]) -> set[tuple[tuple[int, ...], ...]]:
    """Return the lifted solutions; all must be right."""
    assert not [str(fault) for model in found for fault in model.faults]
    return {model.solution.orientations for model in found if model.solution is not None}


def own(what: Compiled | str) -> set[tuple[tuple[int, ...], ...]]:
    return {solution.orientations for solution in puzzlec.solve(what, symmetry="none")}


@pytest.mark.parametrize("text", [SOMA_LITE, DOMINOES, BOUNDED])
def test_all_models_of_the_clauses_are_lifted_to_all_solutions(text: str) -> None:
    formula, solvers = pytest.importorskip("pysat.formula"), pytest.importorskip("pysat.solvers")
    puzzle = puzzlec.parse(text)
    for how in ("pairwise", "sequential"):
        clauses = formula.CNF(from_string=puzzlec.convert(puzzle, "cnf", at_most_one=how)).clauses
        with solvers.Solver("glucose4", bootstrap_with=clauses) as solver:
            answer = "".join(f"v {' '.join(map(str, model))} 0\n" for model in solver.enum_models())
        found = back(puzzle, answer)
        assert right(found) == own(puzzle)
        assert len(found) == len(own(puzzle))


@pytest.mark.parametrize("name", ["new/copies", "queens/8", "new/tiles"])
@pytest.mark.long
def test_puzzles_of_the_catalogue_are_lifted_from_clauses(name: str) -> None:
    formula, solvers = pytest.importorskip("pysat.formula"), pytest.importorskip("pysat.solvers")
    clauses = formula.CNF(from_string=puzzlec.convert(name, "cnf")).clauses
    with solvers.Solver("cadical153", bootstrap_with=clauses) as solver:
        answer = "".join(f"{model}\n" for model in solver.enum_models())
    assert right(back(name, answer)) == own(name)


#: HiGHS cannot be in one process with OR-Tools, which includes another HiGHS.
HIGHS = """
import sys
import highspy
solver = highspy.Highs()
solver.setOptionValue("output_flag", False)
solver.readModel(sys.argv[1])
solver.run()
for style, answer in zip(sys.argv[2::2], sys.argv[3::2]):
    solver.writeSolution(answer, int(style))
"""


def solved_by_highs(problem: Path, answers: dict[int, Path]) -> None:
    """Let HiGHS solve a file in a separate process, and write its solution in some of its styles."""
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    words = [word for style, answer in answers.items() for word in (str(style), str(answer))]
    subprocess.run([sys.executable, "-c", HIGHS, str(problem), *words], check=True, timeout=60)


@pytest.mark.parametrize("style", range(5))
@pytest.mark.parametrize("format", ["lp", "mps"])
def test_every_style_of_the_files_of_highs_is_lifted(format: str, style: int, tmp_path: Path) -> None:
    puzzle = puzzlec.parse(SOMA_LITE)
    problem, answer = tmp_path / f"problem.{format}", tmp_path / "answer.sol"
    problem.write_text(puzzlec.convert(puzzle, format), encoding="utf-8")
    solved_by_highs(problem, {style: answer})
    if not answer.exists() or not answer.read_text(encoding="utf-8"):
        pytest.skip("this version of HiGHS has no such style")
    (found,) = right(back(puzzle, answer.read_text(encoding="utf-8")))
    assert found in own(puzzle)


def test_highs_reports_that_there_is_no_solution(tmp_path: Path) -> None:
    puzzle = puzzlec.parse(DOMINOES.replace("x3", "x2"))
    problem = tmp_path / "problem.lp"
    problem.write_text(puzzlec.convert(puzzle, "lp"), encoding="utf-8")
    answers = {style: tmp_path / f"answer{style}" for style in range(4)}
    solved_by_highs(problem, answers)
    for style, answer in answers.items():
        events = list(
            lifted(encoded(puzzle), SourceLines("answer", answer.read_text(encoding="utf-8").splitlines(True)))
        )
        assert [event.ending for event in events if isinstance(event, SolverEnd)] == [Ending.COMPLETE], style
        assert len(events) == 1


@pytest.mark.parametrize("text", [SOMA_LITE, BOUNDED])
def test_answers_of_z3_are_lifted(text: str) -> None:
    z3 = pytest.importorskip("z3")
    puzzle = puzzlec.parse(text)
    solver = z3.Solver()
    solver.from_string("\n".join(
        line for line in puzzlec.convert(puzzle, "smt2").splitlines() if not line.startswith(("(check", "(exit"))
    ).split("(get-value")[0])  # fmt: skip
    assert str(solver.check()) == "sat"
    model = solver.model()
    (found,) = right(back(puzzle, f"sat\n{model.sexpr()}\n" if "define-fun" in model.sexpr() else ""))
    assert found in own(puzzle)


def test_covers_with_colours_and_bounds_are_lifted_to_their_options() -> None:
    cover = ExactCover.from_names(
        ["A", "B", "C"],
        {"p": ["A", "B", "X:1"], "q": ["A", "C", "X:2"], "r": ["C", "X:1"], "s": ["B", "X:2"], "t": ["C", "Y:2"]},
        ["X", "Y"],
        {"C": (1, 2)},
    )
    answers = {frozenset(map(frozenset, [solution.orientations])) for solution in puzzlec.solve(cover, symmetry="none")}
    found = back(cover, "v 2 4 0\nv 1 3 0\nv 1 5 0\nv 1 3 5 0\nv 2 4 5 0\n")
    assert {frozenset(map(frozenset, [choice])) for choice in right(found)} == answers
    wrong = back(cover, "v 2 3 4 0\nv 1 2 0\nv 1 0\nv 2 4 5 3 0\n")
    assert [[fault.code for fault in model.faults] for model in wrong] == [["PZ617"]] * 4
    assert "different colours" in wrong[0].faults[0].message


@pytest.mark.parametrize(
    ("answer", "what", "kind"),
    [
        ("v 1 2 0\n", "a location is covered twice", "cover a location twice"),
        ("v 1 3 0\n", "piece domino is used 2 times", "use a piece too often or too seldom"),
        ("v -1 -3 0\n", "piece domino is used 0 times", "use a piece too often or too seldom"),
        ("v 1 2 3 0\n", "a location is covered twice: 1,0", "cover a location twice"),
    ],
)
def test_a_wrong_model_is_refused_with_a_reason(answer: str, what: str, kind: str) -> None:
    (found,) = back(puzzlec.parse(DOMINOES), answer)
    assert found.solution is None
    assert [fault.code for fault in found.faults] == ["PZ617"]
    if "used" in what:
        assert what in found.faults[0].message
        assert found.kind == kind
    assert "" not in (*found.faults[0].notes, *found.faults[0].helps)


@pytest.mark.parametrize(
    ("values", "code", "words"),
    [
        ([1, -2, -3], "PZ619", "the answer has values of 3 variables, but the puzzle has 7 options"),
        ([1, -2, -3, -4, -5, -6, -7, -8, -9], "PZ617", "values of 9 variables, and the first 7 are options"),
    ],
)
def test_a_wrong_model_of_another_number_of_variables_says_so(values: list[int], code: str, words: str) -> None:
    (found,) = back(puzzlec.parse(DOMINOES), f"v {' '.join(map(str, values))} 0\n")
    (fault,) = found.faults
    assert fault.code == code
    assert words in " ".join((fault.message, *fault.notes))
    assert any("same" in help for help in fault.helps)


def test_a_covered_location_cannot_be_claimed_empty() -> None:
    encoding = encoded(puzzlec.parse(BOUNDED))
    answers = _covers(encoding)
    numbers = sorted(answers[0])
    empties = [option for option in range(len(encoding.cover)) if encoding.piece[option] < 0]
    more = next(option for option in empties if option not in numbers)
    good = "v " + " ".join(str(option + 1) for option in numbers) + " 0\n"
    bad = "v " + " ".join(str(option + 1) for option in [*numbers, more]) + " 0\n"
    found = back(encoding, good + bad)
    assert found[0].solution is not None
    assert found[1].solution is None
    assert found[1].kind == "are no exact cover"


def _covers(encoding: Encoding) -> list[tuple[int, ...]]:
    from puzzlec.engine import Search

    return list(map(tuple, Search(encoding.cover)))


def test_a_solution_after_the_end_is_a_contradiction() -> None:
    found = back(puzzlec.parse(DOMINOES), "s UNSATISFIABLE\nv 1 3 7 0\n")
    assert [[fault.code for fault in model.faults] for model in found] == [["PZ615"]]
    assert found[0].faults[0].notes == ("the answer ends on line 1",)


def test_the_totals_have_right_wrong_repeated_and_distinct_models() -> None:
    encoding = encoded(puzzlec.parse(DOMINOES))
    count = Count(encoding)
    news = [
        count.add(model)
        for model in back(encoding, CADICAL + CRYPTOMINISAT.replace("s UNSATISFIABLE\n", "") + "v 1 2 0\n")
    ]
    assert news == [True, True, True, False, False]
    assert (count.models, count.right, count.twice, count.wrong) == (
        5,
        4,
        1,
        {"use a piece too often or too seldom": 1},
    )
    assert count.distinct() == 2  # left and right are mirror images


def test_repeated_solutions_are_not_found_among_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifting, "MAX_SOLUTIONS_REMEMBERED", 2)
    encoding = encoded(puzzlec.parse(DOMINOES))
    count = Count(encoding)
    for model in back(encoding, MINIZINC):
        count.add(model)
    assert count.forgot
    assert count.right == 3
    assert count.distinct() is None


def test_models_are_lifted_one_by_one_before_the_next_is_read() -> None:
    """A file of a million models is read line by line, as needed."""
    asked: list[int] = []

    def endless() -> object:
        number = 0
        while True:
            number += 1
            asked.append(number)
            yield "v 1 -2 3 7 0\n"

    events = lifted(encoded(puzzlec.parse(DOMINOES)), SourceLines("answer", endless()), "sat")  # type: ignore[arg-type]
    for _ in range(5):
        assert isinstance(next(events), Lifted)
    assert len(asked) == 5


def test_the_figure_of_a_soma_cube_is_lifted_to_its_solution() -> None:
    solution = next(iter(puzzlec.solve("soma")))
    fitting = solution.fitting
    assert fitting.puzzle is not None
    on = {location.at: name for location, name in zip(fitting.puzzle.locations, solution.names_on, strict=True)}
    rows = ["/" + "/".join("".join(str(on[x, y, z]) for x in range(3)) for z in range(3)) for y in range(3)]
    (found,) = right(back("soma", "/SOMA001\n;Cube\n" + "\n".join(rows) + "\n"))
    assert found == solution.orientations
    broken = back("soma", "/SOMA001\n;Cube\n" + "\n".join([*rows[:2], rows[0]]) + "\n")
    assert [fault.code for model in broken for fault in model.faults] == ["PZ617"]
    other = back("soma", "/SOMA002\n;Sofa\n" + "\n".join(rows[:2]) + "\n")
    assert [fault.code for model in other for fault in model.faults] == ["PZ619"]


def test_answers_of_the_names_of_options_are_those_of_their_items() -> None:
    puzzle = puzzlec.parse(DOMINOES)
    by_items = back(puzzle, "domino 0,0 1,0|0,1 domino 1,1|domino 2,1 2,0\n")
    assert right(by_items) == right(back(puzzle, "v 1 3 7 0\n"))


@given(st.lists(st.booleans(), min_size=7, max_size=7))
def test_the_judges_agree_on_any_choice_of_options(chosen: list[bool]) -> None:
    """The checker of puzzles and the checker of covers are independent. A model is right for both or for none."""
    encoding = encoded(puzzlec.parse(DOMINOES))
    options = [option for option, one in enumerate(chosen) if one]
    (found,) = back(encoding, "v " + " ".join(str(o + 1 if one else -o - 1) for o, one in enumerate(chosen)) + " 0\n")
    try:
        check_cover(encoding.cover, options)
    except WrongCoverError:
        assert found.solution is None
    else:
        assert found.solution == encoding.lift(options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([0, 6], "item A is covered twice"),
        ([1], "item B is covered by no option"),
        ([3, 3], "option 4 is chosen twice"),
        ([9], "unknown option 10"),
        ([0, 4], "item X is covered twice, by options 1 and 5"),
        ([0, 4, 5], "item X is covered twice"),
        ([1, 6, 6], "option 7 is chosen twice"),
        ([1, 2, 3], "item X has different colours, from options 2 and 3"),
    ],
)
def test_a_wrong_cover_is_refused_with_the_reason(options: list[int], reason: str) -> None:
    cover = ExactCover.from_names(
        ["A", "B", "C"],
        [["A", "B", "X"], ["A", "X:1"], ["B", "X:2"], ["C"], ["C", "X"], ["C"], ["A"]],
        ["X"],
        {"C": (0, 2)},
    )
    with pytest.raises(WrongCoverError) as error:
        check_cover(cover, options)
    assert reason in str(error.value)


def test_the_checker_accepts_exactly_the_covers() -> None:
    """All sets of options of a problem with colours and bounds, compared with the search."""
    cover = ExactCover.from_names(
        ["A", "B"],
        [["A", "X:1"], ["A", "X:2"], ["B", "X:1"], ["B", "Y"], ["A", "B", "Y"], ["B"]],
        ["X", "Y"],
        {"B": (1, 3)},
    )
    from puzzlec.engine import Search

    found = {tuple(sorted(choice)) for choice in Search(cover)}
    right = set()
    for bits in range(1 << len(cover)):
        options = tuple(option for option in range(len(cover)) if bits >> option & 1)
        try:
            check_cover(cover, options)
        except WrongCoverError:
            continue
        right.add(options)
    assert right == found
    assert len(right) > 3


#: Programs that may be on the machine: their commands with a problem and a file for the answer, and whether they
#: answer with all solutions.
PROGRAMS = [
    ("minisat", "cnf", "minisat -verb=0 {problem} {answer}", "one"),
    ("cadical", "cnf", "cadical -q {problem} > {answer}", "one"),
    ("cryptominisat5", "cnf", "cryptominisat5 --verb 0 --maxsol 100 {problem} > {answer}", "all"),
    ("picosat", "cnf", "picosat --all {problem} > {answer}", "all"),
    ("clasp", "cnf", "clasp 0 {problem} > {answer}", "all"),
    ("clasp", "opb", "clasp 0 {problem} > {answer}", "one"),
    ("minisat+", "opb", "minisat+ -v0 {problem} > {answer}", "one"),
    ("glpsol", "lp", "glpsol --lp {problem} -o {answer}", "one"),
    ("glpsol", "mps", "glpsol --freemps {problem} -w {answer}", "one"),
    ("cbc", "lp", "cbc {problem} solve solu {answer}", "one"),
    ("minizinc", "mzn", "minizinc -a {problem} > {answer}", "all"),
    ("minizinc", "mzn", "minizinc -a --output-mode json {problem} > {answer}", "all"),
    ("z3", "smt2", "z3 {problem} > {answer}", "one"),
    ("cvc5", "smt2", "cvc5 {problem} > {answer}", "one"),
]


@pytest.mark.parametrize(("program", "format", "call", "many"), PROGRAMS)
def test_a_program_that_is_on_the_machine_is_asked(
    program: str, format: str, call: str, many: str, tmp_path: Path
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    puzzle = puzzlec.parse(BOUNDED)
    problem, answer = tmp_path / f"problem.{format}", tmp_path / "answer"
    problem.write_text(puzzlec.convert(puzzle, format), encoding="utf-8")
    subprocess.run(
        call.format(problem=problem, answer=answer), shell=True, capture_output=True, timeout=60, check=False
    )
    text = answer.read_text(encoding="utf-8")
    found = back(puzzle, text)
    expected = own(puzzle)
    assert right(found) <= expected
    assert len(found) == (len(expected) if many == "all" else 1)


def test_assemblies_that_burrtools_stored_are_lifted(tmp_path: Path) -> None:
    """Two dominoes in a row of four: the numbers of an assembly are the places of the hot spots, and the rotations."""
    text = """<puzzle version="2"><gridType type="0"/><colors/>
<shapes><voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="4" y="1" z="1" type="0">####</voxel></shapes>
<problems><problem state="2" assemblies="2" solutions="2"><shapes><shape id="0" count="2"/></shapes><result id="1"/>
<solutions><solution><assembly>0 0 0 0 2 0 0 0</assembly></solution>
<solution><assembly>1 0 0 0 2 0 0 0</assembly></solution></solutions></problem></problems></puzzle>
"""
    file = tmp_path / "row.xmpuzzle"
    file.write_text(text, encoding="utf-8")
    good, wrong = puzzlec.lift(str(file), str(file))
    assert isinstance(good, Lifted)
    assert isinstance(wrong, Lifted)
    assert good.solution is not None
    assert good.solution.names_on == ("S1",) * 4
    assert [fault.code for fault in wrong.faults] == ["PZ617"]
