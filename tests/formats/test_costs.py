"""Costs in the formats of exact covers: read again, or compared with the results of another program."""

from __future__ import annotations

import re

import pytest

import puzzlec
from puzzlec.engine import ExactCover
from puzzlec.engine.search.cheapest import Cheapest
from puzzlec.formats.solvers.answers import Model, SourceLines, read_answer
from puzzlec.formats.writing import write
from puzzlec.solving.lifting import known_names
from tests.engine.test_cheapest import random_problem

PROBLEMS = [random_problem(seed) for seed in range(40)]


def least(cover: ExactCover) -> int | None:
    """The lowest cost of a cover."""
    found = Cheapest(cover).find()
    return cover.cost(found[0]) if found else None


def test_dlx_and_json_keep_costs() -> None:
    for cover in PROBLEMS:
        again = puzzlec.parse(write(cover, "dlx"), format="dlx")
        assert isinstance(again, ExactCover)
        assert list(again.costs[: len(cover)]) == list(cover.costs)
        assert not any(again.costs[len(cover) :])  # options that force an item that is never covered
        assert puzzlec.parse(write(cover, "json"), format="json") == cover


def test_costs_of_zero_are_costs() -> None:
    cover = ExactCover.from_rows([[0], [0]], 1).with_costs([0, 0])
    for format in ("dlx", "json"):
        again = puzzlec.parse(write(cover, format), format=format)
        assert isinstance(again, ExactCover)
        assert list(again.costs) == [0, 0]
    assert "min: +0 x1 ;" in write(cover, "opb")


def test_opb_and_minizinc_have_the_costs() -> None:
    for cover in PROBLEMS:
        line = re.findall(r"(?m)^min: (.*) ;$", write(cover, "opb"))
        terms = {int(x): int(cost) for cost, x in re.findall(r"([-+][0-9]+) x([0-9]+)", line[0])}
        assert [terms.get(option, 0) for option in range(1, len(cover) + 1)] == list(cover.costs)
        text = write(cover, "mzn")
        listed = re.findall(r"of int: costs = \[([^]]*)\];", text)
        assert list(map(int, listed[0].split(","))) == list(cover.costs)
        assert "solve minimize sum" in text
    plain = PROBLEMS[0].with_costs([])
    assert "min:" not in write(plain, "opb")
    assert "solve satisfy;" in write(plain, "mzn")


def test_a_maxsat_solver_finds_the_least_cost_in_wcnf() -> None:
    formula = pytest.importorskip("pysat.formula")
    solver = pytest.importorskip("pysat.examples.rc2")
    for cover in PROBLEMS:
        text = write(cover, "wcnf")
        offset = int((re.findall(r"(?m)^c offset (-[0-9]+)", text) or ["0"])[0])
        with solver.RC2(formula.WCNF(from_string=text)) as search:
            model = search.compute()
            wanted = least(cover)
            assert (model is None) == (wanted is None)
            if model is not None and wanted is not None:
                assert search.cost + offset == wanted
                chosen = {number for number in model if number > 0}
                assert cover.cost([number - 1 for number in chosen if number <= len(cover)]) == wanted


def test_a_model_of_bits_is_read() -> None:
    cover = ExactCover.from_rows([[0], [1], [0, 1]], 2).with_costs([1, 1, 3])
    encoding = puzzlec.compile(cover)
    for text in ("o 2\ns OPTIMUM FOUND\nv 110\n", "s OPTIMUM FOUND\nv 11000\n", "v 1 2 -3 0\n", "v 1\nv 2 0\n"):
        lines = SourceLines("a", text.splitlines(keepends=True))
        models = [
            event.options for event in read_answer(lines, known_names(encoding), "sat") if isinstance(event, Model)
        ]
        assert models == [(0, 1)], text
