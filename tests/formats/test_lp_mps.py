from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.engine import Search
from puzzlec.engine import problem as cover_module
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.cheapest import Cheapest
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.solvers import linear
from puzzlec.formats.solvers.linear import MAX_NAME_CHARACTERS
from puzzlec.formats.solvers.lp import write_lp
from puzzlec.formats.solvers.mps import write_mps
from puzzlec.formats.writing import labelled, write
from puzzlec.ir import ANY
from puzzlec.lower.labels import Labelled
from tests import brute
from tests.engine.test_cheapest import random_problem
from tests.engine.test_kernels import problems

FORMATS = pytest.mark.parametrize("format", ["lp", "mps"])

#: Names with a meaning in some format.
ODD = (
    *("0,0", "-1,2", "e1", "st", "bounds", "free", "inf", "a b", "a|b", "a\\b", 'q"t', "é", "x1", "1.5", "$a", "*b"),
    *("=", ">=3", "'MARKER'", "\\(x)", "%", ";", "obj", "none", "RHS", "(or", "y", "long" * 90, "ENDATA"),
)

DOMINOES = 'puzzle "Dominoes"\nlattice square\nlocations box {}\npiece domino x{} {{ xx }}\n'

#: Every feature at once: a range, an item that no option has but need not be covered, colours that options share.
MIXED = ExactCover.from_rows(
    [[0], [0, (3, 2)], [0, 1, (3, 2)], [0, (3, 3), 4], [1, 3], [1, 4], [1, (4, 1)]], 3, 2, [(1, 2), (0, ANY), (0, 1)]
)

#: No option; an item that must be covered and cannot be; options without limits.
EXTREME = (
    ExactCover.from_rows([], 0),
    ExactCover.from_rows([], 1),
    ExactCover.from_rows([], 2, bounds=[(0, 1), (0, 0)]),
    ExactCover.from_rows([[0]], 2),
    ExactCover.from_rows([[0], [0]], 1, bounds=[(0, ANY)]),
    ExactCover.from_rows([[0], [0, 1]], 2, bounds=[(0, ANY), (0, 1)]),
    ExactCover.from_rows([[0], [0]], 1, bounds=[(3, 3)]),
    ExactCover.from_rows([[0], [0]], 1, bounds=[(0, 0)]),
    ExactCover.from_rows([[0, (1, 1)], [0, (1, 1)]], 1, 1, [(0, 2)]),
)


@st.composite
def named_problems(draw: st.DrawFn) -> ExactCover:
    """A small problem with every feature, and with names that are hard for formats."""
    cover = draw(problems())
    items = cover.primary + cover.secondary
    names = st.sampled_from(ODD)
    most = max(cover.colours, default=0)
    return replace(
        cover,
        item_names=tuple(draw(st.lists(names, min_size=items, max_size=items))),
        option_names=tuple(draw(st.lists(names, min_size=len(cover), max_size=len(cover)))),
        colour_names=tuple(draw(st.lists(names, min_size=most, max_size=most))),
    )


NAMED_COLOURS = ("0", "red", "red", "deep red", "long" * 30, "")


@FORMATS
def test_columns_and_rows_use_the_names_of_colours(format: str) -> None:
    rows: list[list[int | tuple[int, int]]] = [[0, (1, colour)] for colour in range(1, 7) for _ in range(2)]
    cover = ExactCover.from_rows(rows, 1, 1, item_names=["p", "X"], colour_names=NAMED_COLOURS)
    text = text_of(cover, format)
    columns = [f"y{number}.{word}_X" for number, word in enumerate(
        ["0", "red", "red~3", "deepred~4", f"{'long' * 5}~5", "~6"], 13)]  # fmt: skip
    assert list(dict.fromkeys(re.findall(r"\by\S+_X", text))) == columns
    assert set(re.findall(r"\bc2\.\S+?_X", text)) >= {"c2.0_X", "c2.red_X", "c2.red.x3_X", "c2.red~3_X", "c2.~6.x11_X"}


class Program(NamedTuple):
    """An integer program as a solver reads it; all columns are 0 or 1."""

    columns: list[str]
    rows: list[str]
    matrix: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]


def text_of(cover: ExactCover, format: str) -> str:
    return "".join({"lp": write_lp, "mps": write_mps}[format](Labelled(cover), WriterChoices()))


#: HiGHS reads files by name and reports their content. It cannot share a process with OR-Tools, which contains another
#: HiGHS. Some versions print a banner in spite of `output_flag`, so the answers go to a separate file.
SERVER = """
import json, os, sys
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import highspy
for line in sys.stdin:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    status = highs.readModel(line.strip())
    lp = highs.getLp()
    highs.run()
    print(json.dumps({
        "status": str(status), "model": str(highs.getModelStatus()),
        "columns": lp.col_names_, "rows": lp.row_names_, "cost": list(lp.col_cost_),
        "least": list(lp.col_lower_), "most": list(lp.col_upper_),
        "integer": [kind == highspy.HighsVarType.kInteger for kind in lp.integrality_],
        "low": list(lp.row_lower_), "high": list(lp.row_upper_), "format": str(lp.a_matrix_.format_),
        "starts": list(lp.a_matrix_.start_), "indices": list(lp.a_matrix_.index_), "values": list(lp.a_matrix_.value_),
        "solution": list(highs.getSolution().col_value),
    }), file=answers, flush=True)
"""


class Highs:
    """HiGHS in a separate process."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process, self.folder = process, folder

    def run(self, text: str, format: str) -> dict[str, Any]:
        """Let HiGHS read and solve a text; return its report."""
        path = self.folder / f"a.{format}"
        path.write_text(text, encoding="utf-8")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(path, file=self.process.stdin, flush=True)
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert found["status"] == "HighsStatus.kOk"
        return found

    def read(self, text: str, format: str) -> Program:
        """Return the problem that HiGHS reads in a text; check that every column is 0 or 1 and has no cost."""
        found = self.run(text, format)
        columns, rows = found["columns"], found["rows"]
        assert not any(found["cost"])
        assert all(found["integer"]) or columns == ["y0"]
        assert set(found["least"]) <= {0}
        assert set(found["most"]) <= {1} or columns == ["y0"]
        assert found["format"] == "MatrixFormat.kColwise"
        matrix = np.zeros((len(rows), len(columns)))
        for column in range(len(columns)):
            for entry in range(found["starts"][column], found["starts"][column + 1]):
                matrix[found["indices"][entry], column] = found["values"][entry]
        return Program(columns, rows, matrix, np.array(found["low"]), np.array(found["high"]))


@pytest.fixture(scope="module")
def highs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Highs]:
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Highs(process, tmp_path_factory.mktemp("highs"))


def solutions(program: Program) -> list[tuple[int, ...]]:
    """Return the options of every solution, by trying all values of all columns, as a list without repetitions."""
    names = [re.fullmatch(r"x(\d+)_.*", name) for name in program.columns]
    points = np.array(list(product((0, 1), repeat=len(names)))).T
    if program.columns == ["y0"]:
        points = points[:, :1]  # it is 0
    values = program.matrix @ points if len(program.rows) else np.zeros((0, points.shape[1]))
    fits = np.all((values >= program.low[:, None]) & (values <= program.high[:, None]), axis=0)
    return sorted(
        tuple(sorted(int(name[1]) - 1 for name, one in zip(names, point, strict=True) if name and one))
        for point in points[:, fits].T
    )


@FORMATS
@given(cover=named_problems())
def test_the_solutions_in_highs_correspond_to_the_covers_one_to_one(
    highs: Highs, format: str, cover: ExactCover
) -> None:
    assert solutions(highs.read(text_of(cover, format), format)) == brute.covers(cover)


@FORMATS
def test_highs_finds_the_least_cost(highs: Highs, format: str) -> None:
    for seed in range(20):
        cover = random_problem(seed)
        found = highs.run(text_of(cover, format), format)
        best = Cheapest(cover).find()
        assert found["cost"][: len(cover)] == list(cover.costs)
        assert (found["model"] == "HighsModelStatus.kOptimal") == bool(best)
        if best:
            chosen = [option for option in range(len(cover)) if found["solution"][option] > 0.5]
            assert cover.cost(chosen) == cover.cost(best[0])


@FORMATS
@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_extreme_problems_are_also_written_exactly(highs: Highs, format: str, cover: ExactCover) -> None:
    assert solutions(highs.read(text_of(cover, format), format)) == brute.covers(cover)


@given(cover=named_problems())
def test_both_formats_have_the_same_columns_in_the_order_of_the_options(highs: Highs, cover: ExactCover) -> None:
    columns = highs.read(text_of(cover, "lp"), "lp").columns
    assert columns == highs.read(text_of(cover, "mps"), "mps").columns
    for option, name in enumerate(columns[: len(cover)], 1):
        assert name.startswith(f"x{option}_")


@FORMATS
@given(cover=named_problems())
def test_names_and_lines_suit_every_reader(highs: Highs, format: str, cover: ExactCover) -> None:
    text = text_of(cover, format)
    program = highs.read(text, format)
    names = [*program.columns, *program.rows]
    for name in names:
        assert re.fullmatch(
            r"([cxy]\d+([.]([A-Za-z0-9]{0,20}(~\d+)?|x\d+|least|most)){0,3}(_[A-Za-z0-9_.~]*)?)", name
        ), name
        assert len(name) <= MAX_NAME_CHARACTERS
    assert len(set(names)) == len(names) - ("y0" in program.rows)
    assert text.isascii()
    assert max(map(len, text.split("\n"))) < 255


@FORMATS
def test_names_contain_the_piece_and_its_locations(highs: Highs, format: str) -> None:
    program = highs.read(write(puzzlec.parse(DOMINOES.format("3x2", 3)), format), format)
    assert {"x1_domino_0.0_1.0", "x5_domino_0.0_0.1"} <= set(program.columns)
    assert program.rows == ["c1_domino", "c2_0.0", "c3_1.0", "c4_2.0", "c5_0.1", "c6_1.1", "c7_2.1"]


def test_an_lp_file_looks_as_its_documentation_shows() -> None:
    shown = Path(__file__).parents[2].joinpath("docs", "formats", "solvers.md").read_text(encoding="utf-8")
    text = write(puzzlec.parse('puzzle "Two dominoes"\nlattice square\nlocations box 2x2\npiece I x2 { xx }\n'), "lp")
    assert f"```lp\n{text}```\n" in shown


@FORMATS
def test_a_title_is_a_comment_of_one_line(format: str) -> None:
    write = {"lp": write_lp, "mps": write_mps}[format]
    title, *rest = "".join(write(Labelled(MIXED, "Two\nlines \\ and  more"), WriterChoices())).split("\n")
    assert rest == text_of(MIXED, format).split("\n")
    assert title[2:] == "Two lines \\ and more"


@FORMATS
def test_a_large_problem_is_written_as_a_small_one(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    covers = [MIXED, labelled(puzzlec.parse(DOMINOES.format("6x6", 18))).cover]
    small = [text_of(cover, format) for cover in covers]
    monkeypatch.setattr(cover_module, "MIN_ENTRIES_OF_NUMPY", 0)
    monkeypatch.setattr(linear, "_ENTRIES_IN_PART", 7)
    assert [text_of(cover, format) for cover in covers] == small


@FORMATS
def test_a_long_text_comes_in_chunks_of_moderate_size(format: str) -> None:
    what = labelled(puzzlec.parse(DOMINOES.format("60x60", 1800)))
    sizes = [len(chunk) for chunk in {"lp": write_lp, "mps": write_mps}[format](what, WriterChoices())]
    assert len(sizes) > 5
    assert max(sizes) < 1 << 17


@FORMATS
def test_highs_finds_a_packing(highs: Highs, format: str) -> None:
    puzzle = puzzlec.parse("lattice square\nlocations box 5x4\npieces pentominoes x0..1\n")
    found = highs.run(write(puzzle, format), format)
    assert found["model"] == "HighsModelStatus.kOptimal"
    values = zip(found["columns"], found["solution"], strict=True)
    chosen = tuple(sorted(int(name[1:].split("_")[0]) - 1 for name, value in values if value > 0.5))
    assert chosen in set(Search(labelled(puzzle).cover))


@FORMATS
def test_highs_reports_that_there_is_no_solution(highs: Highs, format: str) -> None:
    # A T-tetromino covers 1 or 3 black cells of a chessboard, five of them an odd number: never 10.
    puzzle = puzzlec.parse("lattice square\nlocations box 5x4\npiece T x5 { xxx/.x. }\n")
    assert highs.run(write(puzzle, format), format)["model"] == "HighsModelStatus.kInfeasible"


@pytest.mark.long
def test_or_tools_finds_all_solutions_of_an_mps_file_one_after_the_other(tmp_path: Path) -> None:
    builder = pytest.importorskip("ortools.linear_solver.python.model_builder")
    # 36 ways to tile the square of side 4: https://oeis.org/A004003
    puzzle = puzzlec.parse(DOMINOES.format("4x4", 8))
    path = tmp_path / "a.mps"
    path.write_text(write(puzzle, "mps"))
    model = builder.Model()
    assert model.import_from_mps_file(str(path))
    found = set()
    while True:
        solver = builder.Solver("SAT")
        if solver.solve(model) != builder.SolveStatus.OPTIMAL:
            break
        chosen = [variable for variable in model.get_variables() if solver.value(variable) > 0.5]
        found.add(tuple(sorted(int(variable.name[1:].split("_")[0]) - 1 for variable in chosen)))
        model.add(sum(chosen) <= len(chosen) - 1)
    assert len(found) == 36
    assert found == set(Search(labelled(puzzle).cover))


@FORMATS
@pytest.mark.parametrize("program", ["glpsol", "cbc"])
@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_programs_with_separate_parsers_read_every_problem(
    program: str, format: str, cover: ExactCover, tmp_path: Path
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    items = cover.primary + cover.secondary
    cover = replace(cover, item_names=ODD[:items], option_names=ODD[-len(cover) :] if len(cover) else ())
    (tmp_path / f"a.{format}").write_text(text_of(cover, format))
    if program == "glpsol":
        command = ["glpsol", "--lp" if format == "lp" else "--freemps", f"a.{format}", "-o", "answer"]
        value = r"(?m)^ +\d+ x(\d+)_\S*\s+\*\s+1 "
    else:
        command = ["cbc", f"a.{format}", "solve", "solu", "answer"]
        value = r"(?m)^ *\d+ x(\d+)_\S* +1 "
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert not re.search(r"(?i)error|invalid|bad image", told.replace("with 0 errors", "")), told
    chosen = tuple(sorted(int(number) - 1 for number in re.findall(value, (tmp_path / "answer").read_text())))
    covers = brute.covers(cover)
    assert chosen in covers or (not covers and not re.search("Optimal solution found|OPTIMAL SOLUTION FOUND", told))
