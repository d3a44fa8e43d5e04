"""Certificates of a best cost that belong to other costs than those of the puzzle: none proves anything about it.

Each forgery has a right proof for its costs. Only the puzzle, or the demand for costs, can refuse it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import puzzlec
from puzzlec.certificates.writing import write_best
from puzzlec.compiler import compile, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.search.cheapest import Cheapest
from tests.certificates.tampering import lines_of, save
from tests.commands import run

#: The least cost is 12, and so is the greatest one without the last statement. Two solutions cost 2 more with it.
PUZZLE = (
    "locations box 5x1\npiece A { xx }\npiece B { xx }\npiece C { x }\n"
    "cost A = 3\ncost B = 4\ncost C = 5\ncost C per cells (2,0) = 2\n"
)

#: Other costs of the options, from those of the puzzle.
FORGED: dict[str, Callable[[list[int]], list[int]]] = {
    "zero": lambda costs: [0] * len(costs),
    "other units": lambda costs: [10 * cost for cost in costs],
    "the other sign": lambda costs: [-cost for cost in costs],
    "one more": lambda costs: [cost + 1 for cost in costs],
    "one is other": lambda costs: [costs[0] - 1, *costs[1:]],
    "in another order": lambda costs: costs[::-1],
}


def written(path: Path, costs: list[int] | None, greatest: bool) -> list[Any]:
    """Return the lines of a certificate for other costs, with the puzzle in its head; None: the right ones."""
    encoding = compile(parse(PUZZLE))
    if costs is not None:
        encoding = replace(encoding, cover=encoding.cover.with_costs(costs))
    best = Cheapest(encoding.cover, greatest=greatest).find()
    assert best
    write_best(encoding, best[0], greatest, path, packed=False)
    return lines_of(path)


def right_costs() -> list[int]:
    return list(compile(parse(PUZZLE)).cover.costs)


def verdicts(path: Path) -> set[str]:
    """Return the codes with which Python and the command refuse a certificate, with its puzzle and a given one."""
    found = set()
    puzzle = path.with_name("cost.puzzle")
    puzzle.write_text(PUZZLE, encoding="utf-8")
    for what in (None, parse(PUZZLE)):
        try:
            puzzlec.check_certificate(path, what)
            found.add("accepted in Python")
        except PuzzleError as error:
            found.add(error.diagnostics[0].code)
    for words in ([], [str(puzzle)]):
        for form in ([], ["--json"]):
            done = run("check", *words, "--certificate", str(path), *form, together=True)
            code = re.search(r"PZ\d+", done.stdout)
            found.add(code[0] if code and done.returncode == 1 else f"status {done.returncode} with {words} {form}")
    return found


@pytest.mark.parametrize("greatest", [False, True], ids=("least", "greatest"))
@pytest.mark.parametrize("forgery", FORGED)
def test_a_best_cost_under_other_costs_is_refused(forgery: str, greatest: bool, tmp_path: Path) -> None:
    path = tmp_path / "forged.cert"
    written(path, FORGED[forgery](right_costs()), greatest)
    assert verdicts(path) == {"PZ634"}


@pytest.mark.parametrize("greatest", [False, True], ids=("least", "greatest"))
@pytest.mark.parametrize("forgery", [*FORGED, "none"])
def test_a_best_cost_without_costs_is_refused(forgery: str, greatest: bool, tmp_path: Path) -> None:
    path = tmp_path / "forged.cert"
    values = written(path, FORGED[forgery](right_costs()) if forgery in FORGED else None, greatest)
    del values[0]["cover"]["costs"]
    assert verdicts(save(path, values)) == {"PZ633"}
    values[0]["cover"]["costs"] = None
    assert verdicts(save(path, values)) == {"PZ633"}
    del values[0]["puzzle"], values[0]["fitting"]
    with pytest.raises(PuzzleError, match="needs the costs"):
        puzzlec.check_certificate(save(path, values))


@pytest.mark.parametrize("change", ["shorter", "longer", "price", "best", "claim", "fraction", "text", "units"])
def test_a_best_cost_with_one_other_value_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "forged.cert"
    values = written(path, None, False)
    assert puzzlec.check_certificate(path, parse(PUZZLE)).claims == {"least": 12}
    costs, section = values[0]["cover"]["costs"], values[1]
    if change == "shorter":
        costs.pop()
    elif change == "longer":
        costs.append(0)
    elif change == "price":
        section["prices"][0] += 1
    elif change == "best":
        section["best"] = next(
            list(cover) for cover in ([0, 5, 10], [0, 6, 11], [1, 7, 12], [2, 4, 8]) if cover != section["best"]
        )
    elif change == "claim":
        values[-1]["claims"] = {"least": 11}
    elif change == "fraction":
        costs[0] += 0.0
    elif change == "text":
        costs[0] = str(costs[0])
    else:
        section["units"] = 1 << 31
    assert verdicts(save(path, values)) <= {"PZ632", "PZ633"}


def test_a_puzzle_without_costs_has_no_proof_of_a_best_cost(tmp_path: Path) -> None:
    path = tmp_path / "forged.cert"
    written(path, [0] * len(right_costs()), False)
    without = "\n".join(line for line in PUZZLE.splitlines() if not line.startswith("cost"))
    with pytest.raises(PuzzleError, match="another puzzle"):
        puzzlec.check_certificate(path, parse(without))


def test_a_count_needs_no_costs_and_brought_ones_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "count.cert"
    claims = puzzlec.write_certificate(parse(PUZZLE), path)
    assert puzzlec.check_certificate(path).claims == claims
    values = lines_of(path)
    assert "costs" not in values[0]["cover"]
    values[0]["cover"]["costs"] = right_costs()
    assert puzzlec.check_certificate(save(path, values)).claims == claims
    values[0]["cover"]["costs"] = [0] * len(right_costs())
    assert verdicts(save(path, values)) == {"PZ634"}


def test_members_of_the_head_that_are_missing_claim_nothing(tmp_path: Path) -> None:
    path = tmp_path / "count.cert"
    puzzlec.write_certificate(parse("locations box 3x2\npiece A { xxx }\npiece B { xxx }"), path)
    values = lines_of(path)
    del values[0]["symmetry"]  # two solutions are one only up to the symmetry that it names
    assert values[-1]["claims"]["distinct"] == 1
    with pytest.raises(PuzzleError, match="leave 2 distinct solutions, not 1"):
        puzzlec.check_certificate(save(path, values))
    values = lines_of(path)
    values[0] |= {"puzzle": None, "fitting": None, "symmetry": "all"}
    bare = puzzlec.check_certificate(save(path, values))
    assert (bare.puzzle, bare.symmetry, bare.solutions, bare.placements) == (False, None, None, None)
    for name in ("certificate", "cover"):
        fewer = {key: value for key, value in values[0].items() if key != name}
        with pytest.raises(PuzzleError, match="not a certificate, or damaged"):
            puzzlec.check_certificate(save(path, [fewer, *values[1:]]))
