"""Marks report the same lines of a function as tracing."""

from __future__ import annotations

import ast
from itertools import pairwise
from textwrap import dedent

import pytest

pytest.importorskip("coverage")
from coverage.parser import PythonParser

from tests.tools.coverage.marked import MARK, Marked

TEXT = dedent('''\
    @jit
    def sums(numbers, most):
        """Has a loop of each kind, and leaves them in each way."""
        total = 0
        for number in numbers:
            if number < 0:
                continue
            elif number == 99:
                break
            total += number
        else:
            total += 1000
        while total > most:
            total -= most
        if total == 7:
            return -1
        return total

    @inner
    def nothing(numbers):
        for number in numbers:
            pass

    def plain(numbers):
        return numbers
    ''')


def marked(name: str, *arguments: object) -> set[tuple[int, int]]:
    """Return the pairs of lines that a call marks."""
    marks = Marked(0)
    tree = marks.visit(ast.parse(TEXT))
    found = set()

    def mark(before: int, now: int) -> int:
        if before != now:
            found.add((marks.lines[before], marks.lines[now]))
        return now

    names: dict[str, object] = {MARK: mark, "jit": lambda decorated: decorated, "inner": lambda decorated: decorated}
    exec(compile(tree, "text", "exec"), names)
    function = names[name]
    assert callable(function)
    function(*arguments)
    return found


@pytest.mark.parametrize(
    ("name", "arguments", "lines"),
    [
        ("sums", ([], 5000), [-1, 4, 5, 12, 13, 15, 17, -1]),
        ("sums", ([-1, 7], 5000), [-1, 4, 5, 6, 7, 5, 6, 8, 10, 5, 12, 13, 15, 17, -1]),
        ("sums", ([7, 99], 5), [-1, 4, 5, 6, 8, 10, 5, 6, 8, 9, 13, 14, 13, 15, 17, -1]),
        ("sums", ([7, 99], 50), [-1, 4, 5, 6, 8, 10, 5, 6, 8, 9, 13, 15, 16, -1]),
        ("nothing", ([1, 2],), [-19, 21, 22, 21, 22, 21, -19]),
        ("plain", ([1],), []),
    ],
)
def test_a_call_marks_its_lines_in_order(name: str, arguments: tuple[object, ...], lines: list[int]) -> None:
    assert marked(name, *arguments) == set(pairwise(lines))


def test_every_pair_is_one_that_coverage_expects() -> None:
    parser = PythonParser(text=TEXT)
    parser.parse_source()
    pairs = marked("sums", [-1, 7, 3], 9) | marked("sums", [7, 99], 50) | marked("nothing", [1])
    assert {(before, now) for before, now in pairs if before > 0} <= parser.arcs()
