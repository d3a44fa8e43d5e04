from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import puzzlec
from puzzlec.engine import Search
from puzzlec.engine import problem as cover_module
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.solvers import linear
from puzzlec.formats.solvers.smt2 import write_smt2
from puzzlec.formats.writing import labelled, write
from puzzlec.lower.labels import Labelled
from tests.formats.test_lp_mps import DOMINOES, EXTREME, MIXED, named_problems


def text_of(cover: ExactCover, title: str = "") -> str:
    return "".join(write_smt2(Labelled(cover, title), WriterChoices()))


def models(text: str) -> list[tuple[int, ...]]:
    """Return the options of every model of a script: z3 finds them one by one, and each found model is excluded."""
    z3: Any = pytest.importorskip("z3")
    context = z3.Context()
    solver = z3.SolverFor("QF_LIA", ctx=context)
    solver.from_string(text)
    names = re.findall(r"(?m)^\(declare-fun \|?([^|]*?)\|? \(\) Bool\)$", text)
    variables = [z3.Bool(name, context) for name in names]
    found = []
    while solver.check() == z3.sat:
        model = solver.model()
        true = [bool(model.eval(variable, model_completion=True)) for variable in variables]
        found.append(tuple(option for option, one in enumerate(true) if one))
        if not variables:
            break
        solver.add(z3.Or([z3.Not(v) if one else v for v, one in zip(variables, true, strict=True)]))
    for option, name in enumerate(names, 1):
        assert re.match(rf"x{option}\b", name)
    return sorted(found)


@given(cover=named_problems())
@settings(max_examples=50)
def test_the_models_correspond_to_the_covers_one_to_one(cover: ExactCover) -> None:
    assert models(text_of(cover)) == sorted(Search(cover))


@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_extreme_problems_are_also_written_exactly(cover: ExactCover) -> None:
    assert models(text_of(cover)) == sorted(Search(cover))


def test_all_tilings_of_a_square_by_dominoes_are_models() -> None:
    # 36 ways to tile the square of side 4: https://oeis.org/A004003
    puzzle = puzzlec.parse(DOMINOES.format("4x4", 8))
    found = models(write(puzzle, "smt2"))
    assert len(found) == 36
    assert found == sorted(Search(labelled(puzzle).cover))


def arguments(tokens: list[str]) -> int:
    """Return the number of terms before the closing bracket."""
    depth = number = 0
    for token in tokens:
        number += depth == 0
        depth += (token == "(") - (token == ")")
        if depth < 0:
            break
    return number - 1


@given(cover=named_problems())
def test_a_script_follows_the_standard(cover: ExactCover) -> None:
    """Brackets close, symbols contain only allowed characters, and every symbol is declared once, before its use."""
    depth = 0
    known: set[str] = set()
    before = ""
    text = text_of(cover)
    tokens = re.findall(r";[^\n]*|\|[^|\\]*\||[()]|[^\s()|;]+|\S", text)
    for number, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        assert depth >= 0
        if before in ("declare-fun", "define-fun", ":named"):
            assert token not in known
            known.add(token)
        elif re.match(r"\||[xn]\d", token):
            assert token in known, token
        if token == "+":
            assert arguments(tokens[number + 1 :]) > 1, "a sum needs two terms"
        before = token
    assert depth == 0
    assert text.index("produce-models") < text.index("set-logic")


def test_names_contain_the_piece_and_its_locations() -> None:
    text = write(puzzlec.parse(DOMINOES.format("3x2", 3)), "smt2")
    assert "(declare-fun |x1 domino 0,0 1,0| () Bool)\n" in text
    assert "(assert (! (= (+ n1 n5) 1) :named |s2 0,0|))\n" in text
    assert text.startswith("; Dominoes\n")


def test_a_script_looks_as_its_documentation_shows() -> None:
    shown = Path(__file__).parents[2].joinpath("docs", "formats", "solvers.md").read_text(encoding="utf-8")
    text = write(puzzlec.parse('puzzle "Two dominoes"\nlattice square\nlocations box 2x2\npiece I x2 { xx }\n'), "smt2")
    assert f"```smt2\n{text}```\n" in shown


def test_a_title_is_a_comment_of_one_line() -> None:
    assert text_of(MIXED, "Two\nlines | and  more") == "; Two lines | and more\n" + text_of(MIXED)


def test_a_large_problem_is_written_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    covers = [MIXED, labelled(puzzlec.parse(DOMINOES.format("6x6", 18))).cover]
    small = list(map(text_of, covers))
    monkeypatch.setattr(cover_module, "MIN_ENTRIES_OF_NUMPY", 0)
    monkeypatch.setattr(linear, "_ENTRIES_IN_PART", 7)
    assert list(map(text_of, covers)) == small


def test_a_long_text_comes_in_chunks_of_moderate_size() -> None:
    what = labelled(puzzlec.parse(DOMINOES.format("60x60", 1800)))
    sizes = [len(chunk) for chunk in write_smt2(what, WriterChoices())]
    assert len(sizes) > 5
    assert max(sizes) < 1 << 17


@pytest.mark.parametrize("program", ["z3", "cvc5"])
@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_programs_answer_with_a_cover(program: str, cover: ExactCover, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    (tmp_path / "a.smt2").write_text(text_of(cover))
    answer = subprocess.run([program, "a.smt2"], cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout
    covers = list(Search(cover))
    assert answer.split()[0] == ("sat" if covers else "unsat")
    if covers:
        values = re.findall(r"\(\|?x(\d+)(?: [^|]*)?\|? (true|false)\)", answer)
        assert len(values) == len(cover)
        assert tuple(int(number) - 1 for number, value in values if value == "true") in covers
