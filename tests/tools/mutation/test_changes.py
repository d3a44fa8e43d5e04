"""Bugs match their descriptions, and a sample includes all files."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from puzzlec.engine.reduction import forcing
from tests.tools.mutation.changes import changes
from tests.tools.mutation.putting import Alive, put
from tests.tools.mutation.sample import CODE, faults_of, places, sample
from tests.tools.mutation.score import same
from tests.tools.mutation.trying import _nearness, _planned


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a < b", {"a <= b", "a >= b"}),
        ("a < b == c", {"a <= b == c", "a >= b == c", "a < b != c"}),
        ("a and b", {"a or b", "a", "b"}),
        ("a + 1", {"a - 1"}),
        ("3", {"4", "2"}),
        ("True", {"False"}),
        ("not a", {"a"}),
        ("a[1:]", set()),
        ("min(a, key=b)", {"max(a, key=b)", "min(a)"}),
        ("a if b else c", {"a if True else c", "a if False else c"}),
        ("'text'", set()),
    ],
)
def test_an_expression_changes_in_one_place(text: str, changed: set[str]) -> None:
    assert {ast.unparse(other) for other in changes(ast.parse(text, mode="eval").body)} == changed


def test_a_statement_changes_in_one_place() -> None:
    block = ast.parse("for a in b:\n    a[0] = 1\n    c += 1\n    f(c)\n    continue").body[0]
    assert isinstance(block, ast.For)
    found = [[ast.unparse(other) for other in changes(statement)] for statement in block.body]
    assert found == [["pass"], ["c -= 1", "pass"], ["pass"], ["break", "pass"]]


def test_a_sample_has_its_share_of_each_file_and_begins_with_the_smaller_one() -> None:
    files = ["puzzlec/engine/reduction/forcing.py", "puzzlec/lower/labels.py", "puzzlec/solving/distinct.py"]
    numbers = {file: len(faults_of(Path(file))) for file in files}
    few, many = sample(files, 40, 1), sample(files, 100, 1)
    assert few == many[:40]
    assert few != sample(files, 40, 2)
    shares = Counter(fault.file for fault in many)
    assert all(abs(shares[file] - 100 * number / sum(numbers.values())) <= 2 for file, number in numbers.items())


@pytest.mark.long
def test_a_bug_is_in_the_function_as_soon_as_it_is_injected() -> None:
    file = "puzzlec/engine/reduction/forcing.py"
    fault = next(made for made in faults_of(Path(file)) if made.within == "members")
    code = forcing.members.__code__
    try:
        put(fault, Alive([file]))
        assert forcing.members.__code__.co_code != code.co_code or (
            forcing.members.__code__.co_consts != code.co_consts
        )
    finally:
        forcing.members.__code__ = code
    assert list(forcing.members(0b1010)) == [1, 3]


@pytest.mark.long
def test_every_bug_listed_as_harmless_exists() -> None:
    files = {fault.split()[0] for fault in same()}
    assert files <= set(CODE)
    assert same().keys() <= {fault.name for file in files for fault in faults_of(Path(file))}


def test_compiled_functions_are_left_alone_because_a_change_would_not_reach_them() -> None:
    faults = faults_of(Path("puzzlec/motion/kernel.py"))
    assert faults
    assert not [fault for fault in faults if fault.within == "_is_separable"]


def test_types_are_left_alone() -> None:
    tree = ast.parse("Steps: TypeAlias = int | None\nNUMBER: int = 3")
    assert {place.within for place, _ in places(tree)} == {"NUMBER"}


def test_tests_of_the_lines_come_before_those_of_the_file_and_those_of_the_folder() -> None:
    file, other = "puzzlec/motion/straight.py", "puzzlec/motion/gaps.py"
    fault = next(fault for fault in faults_of(Path(file)) if fault.within == "obstacles")
    line = fault.lines[0]
    names = [
        "tests/motion/test_a.py::a",
        "tests/solving/test_b.py::b",
        "tests/solving/test_b.py::c",
        "tests/ir/d.py::d",
    ]
    runs = {(file, line): [1], (file, line + 50): [1, 2], (other, line): [0, 3]}
    ranks = _nearness(fault, names, runs)
    assert ranks == {1: 0, 2: 1, 0: 2}
    assert _planned(ranks, names, [1.0, 4.0, 2.0, 1.0], 6.5) == [1, 2]


def test_a_case_of_each_test_comes_before_second_cases_and_the_time_is_used_up() -> None:
    names = ["a.py::a[1]", "a.py::a[2]", "a.py::a[3]", "a.py::b", "a.py::c"]
    assert _planned(dict.fromkeys(range(5), 0), names, [0.2, 0.1, 0.3, 2.0, 0.5], 1.0) == [1, 4, 0]
    assert _planned(dict.fromkeys(range(5), 0), names, [0.2, 0.1, 0.3, 2.0, 0.5], 3.0) == [1, 4, 3, 0]
    assert _planned({1: 1, 2: 0, 3: 1}, names, [0.2, 0.1, 0.3, 2.0, 0.5], 3.0) == [2, 1, 3]
