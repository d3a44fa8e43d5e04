from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given

import puzzlec
from puzzlec.engine import Search
from puzzlec.engine import problem as cover_module
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import WriterChoices
from puzzlec.formats.solvers import linear
from puzzlec.formats.solvers.mzn import write_mzn
from puzzlec.formats.writing import labelled, write
from puzzlec.lower.labels import Labelled
from tests import brute
from tests.formats.test_lp_mps import DOMINOES, EXTREME, MIXED, ODD, named_problems

_STRING = r'"((?:[^"\\]|\\["\\])*)"'
_TERM = r"(sum|exists)\(o in (\d+\.\.\d+|\{[\d,\s]*\})\)\(x\[o\]\)"


class Model(NamedTuple):
    """The content of a text: the words of each option, and the name, sums and bounds of each constraint."""

    words: list[str]
    names: list[str]
    parts: list[list[tuple[str, frozenset[int]]]]
    within: list[str]


def text_of(cover: ExactCover, title: str = "") -> str:
    return "".join(write_mzn(Labelled(cover, title), WriterChoices()))


def parsed(text: str) -> Model:
    """Read only the part of MiniZinc that puzzlec writes."""
    body = re.fullmatch(
        r"(?:% [^\n]*\n)+int: options = (?P<options>\d+);\n"
        rf"array\[1\.\.options\] of string: words = \[\n(?P<words>(?:  {_STRING},\n)*)\];\n"
        r"array\[1\.\.options\] of var bool: x;\n\n"
        rf"(?P<constraints>(?:constraint :: {_STRING} [^;]*;\n)*)\n"
        r"solve satisfy;\n"
        r'output \["x\\\(o\) " \+\+ words\[o\] \+\+ "\\n" \| o in 1\.\.options where fix\(x\[o\]\)\];\n',
        text,
    )
    assert body
    model = Model([_plain(word) for word in re.findall(_STRING, body["words"])], [], [], [])
    assert len(model.words) == int(body["options"])
    bounds = r"(?:=|<=|>=) \d+|in \d+\.\.\d+"
    for name, left, within in re.findall(
        rf"constraint :: {_STRING} (.*?)\s({bounds});\n", body["constraints"], re.DOTALL
    ):
        parts = re.findall(_TERM, left)
        assert re.fullmatch(rf"{_TERM}(?:\s+\+ {_TERM})*", left)
        model.names.append(_plain(name))
        model.parts.append([(what, frozenset(_numbers(numbers))) for what, numbers in parts])
        model.within.append(within)
    assert len(model.names) == body["constraints"].count("constraint ::")
    return model


def _plain(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word)


def _numbers(numbers: str) -> Iterator[int]:
    if ".." in numbers:
        first, last = map(int, numbers.split(".."))
        yield from range(first, last + 1)
    else:
        yield from map(int, re.findall(r"\d+", numbers))


def solutions(model: Model) -> list[tuple[int, ...]]:
    """Return the solutions of a model, by trying every set of options."""
    found = []
    for chosen in product((0, 1), repeat=len(model.words)):
        used = {option for option, one in enumerate(chosen, 1) if one}
        times = [
            sum(len(used & options) if what == "sum" else bool(used & options) for what, options in parts)
            for parts in model.parts
        ]
        if all(_is_within(number, within) for number, within in zip(times, model.within, strict=True)):
            found.append(tuple(sorted(option - 1 for option in used)))
    return sorted(found)


def _is_within(number: int, within: str) -> bool:
    relation, *bounds = re.split(r" |\.\.", within)
    low, high = int(bounds[0]), int(bounds[-1])
    return {"=": number == low, "<=": number <= low, ">=": number >= low, "in": low <= number <= high}[relation]


@given(cover=named_problems())
def test_the_solutions_of_a_written_problem_are_the_covers(cover: ExactCover) -> None:
    assert solutions(parsed(text_of(cover))) == brute.covers(cover)


@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_extreme_problems_are_also_written_exactly(cover: ExactCover) -> None:
    assert solutions(parsed(text_of(cover))) == brute.covers(cover)


@given(cover=named_problems())
def test_names_are_kept_complete(cover: ExactCover) -> None:
    what = Labelled(cover)
    model = parsed(text_of(cover))
    assert model.words == list(what.labels())
    assert len(set(model.names)) == len(model.names)
    assert set(model.names) <= {re.sub(r'["\\]', "'", name) for name in what.items} | {
        name for name in model.names if name.endswith("'")
    }


def test_names_contain_the_piece_and_its_locations() -> None:
    text = write(puzzlec.parse(DOMINOES.format("3x2", 3)), "mzn")
    model = parsed(text)
    assert model.words[0] == "domino 0,0 1,0"
    assert model.names == ["domino", "0,0", "1,0", "2,0", "0,1", "1,1", "2,1"]
    assert 'constraint :: "domino" sum(o in 1..7)(x[o]) = 3;\n' in text
    assert 'constraint :: "0,0" sum(o in {1, 5})(x[o]) = 1;\n' in text


def test_a_model_looks_as_its_documentation_shows() -> None:
    shown = Path(__file__).parents[2].joinpath("docs", "formats", "solvers.md").read_text(encoding="utf-8")
    text = write(puzzlec.parse('puzzle "Two dominoes"\nlattice square\nlocations box 2x2\npiece I x2 { xx }\n'), "mzn")
    assert f"```minizinc\n{text}```\n" in shown


def test_a_title_is_a_comment_of_one_line() -> None:
    assert text_of(MIXED, "Two\nlines % and  more") == "% Two lines % and more\n" + text_of(MIXED)


def test_a_large_problem_is_written_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    covers = [MIXED, labelled(puzzlec.parse(DOMINOES.format("6x6", 18))).cover]
    small = list(map(text_of, covers))
    monkeypatch.setattr(cover_module, "MIN_ENTRIES_OF_NUMPY", 0)
    monkeypatch.setattr(linear, "_ENTRIES_IN_PART", 7)
    assert list(map(text_of, covers)) == small


def test_a_long_text_comes_in_chunks_of_moderate_size() -> None:
    what = labelled(puzzlec.parse(DOMINOES.format("80x80", 3200)))
    sizes = [len(chunk) for chunk in write_mzn(what, WriterChoices())]
    assert len(sizes) > 5
    assert max(sizes) < 1 << 17


def printed_by_minizinc(text: str, folder: Path) -> str:
    """Return the output of MiniZinc for all solutions."""
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    (folder / "a.mzn").write_text(text, encoding="utf-8")
    command = ["minizinc", "--solver", "gecode", "--all-solutions", "a.mzn"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("names", [(), ODD, ODD[9:]], ids=["numbers", "odd names", "other odd names"])
@pytest.mark.parametrize("cover", [MIXED, *EXTREME], ids=str)
def test_minizinc_finds_every_cover_once(cover: ExactCover, names: tuple[str, ...], tmp_path: Path) -> None:
    items = cover.primary + cover.secondary
    what = ExactCover(*cover.arrays, names[:items], names[-len(cover) :] if names and len(cover) else ())
    printed = printed_by_minizinc(text_of(what), tmp_path)
    *found, end = printed.split("----------\n")
    covers = brute.covers(cover)
    assert end == ("==========\n" if covers else "=====UNSATISFIABLE=====\n")
    labels = [f"x{option} {label}" for option, label in enumerate(Labelled(what).labels(), 1)]
    assert sorted(found) == sorted("".join(f"{labels[option]}\n" for option in chosen) for chosen in covers)


def test_minizinc_finds_every_tiling_of_a_square_by_dominoes(tmp_path: Path) -> None:
    # 36 ways to tile the square of side 4: https://oeis.org/A004003
    puzzle = puzzlec.parse(DOMINOES.format("4x4", 8))
    printed = printed_by_minizinc(write(puzzle, "mzn"), tmp_path)
    found = [
        re.findall(r"(?m)^x(\d+) domino \d,\d \d,\d$", solution) for solution in printed.split("----------\n")[:-1]
    ]
    assert len(found) == 36
    covers = [tuple(sorted(int(number) - 1 for number in numbers)) for numbers in found]
    assert sorted(covers) == sorted(Search(labelled(puzzle).cover))


@pytest.mark.filterwarnings("ignore:included file")  # from the library of MiniZinc
def test_the_driver_of_python_finds_every_solution(tmp_path: Path) -> None:
    minizinc: Any = pytest.importorskip("minizinc")
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    path = tmp_path / "a.mzn"
    path.write_text(text_of(MIXED))
    instance = minizinc.Instance(minizinc.Solver.lookup("gecode"), minizinc.Model(path))
    result = instance.solve(all_solutions=True)
    found = [tuple(option for option, used in enumerate(result[number, "x"]) if used) for number in range(len(result))]
    assert sorted(found) == brute.covers(MIXED)
