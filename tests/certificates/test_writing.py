"""Written certificates prove known facts: published counts, and the absence of solutions."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

from puzzlec.certificates import writing
from puzzlec.certificates.writing import UnfinishedCertificateError, reason, write_best, write_count, write_solutions
from puzzlec.compiler import compile, parse
from puzzlec.engine import Search
from puzzlec.engine.certificate.checker import Certificate
from puzzlec.engine.certificate.subproblems import Subproblems
from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding
from tests import brute
from tests.certificates.tampering import best_of
from tests.covers import brute_covers, covers
from tests.engine.test_cheapest import all_costs, random_problem
from tests.strategies import puzzles
from tests.tools.bench.instances import edge_matching


def encoded(what: Any) -> Encoding:
    return compile(what)


def proved(path: Path) -> dict[str, int]:
    certificate = Certificate()
    certificate.check(str(path))
    return certificate.proved


@pytest.mark.parametrize(
    ("name", "raw", "distinct"),
    [
        ("dominoes/4x4", 36, 9),  # P. W. Kasteleyn, 1961; OEIS A004003
        ("langford/pairs", 52, None),  # OEIS A014552, twice 26
        ("designs/fano-planes", 30, None),  # 7! over the order of the group of the plane, 168
        ("queens/8", 92, None),
        ("new/sudoku", 1, None),
        ("new/torus", 640, 8),
    ],
)
def test_certificates_prove_known_counts(name: str, raw: int, distinct: int | None, tmp_path: Path) -> None:
    path = tmp_path / "known.cert.gz"
    written = write_count(encoded(name), path, packed=True)
    expected = {"raw": raw, "listed": raw} | ({} if distinct is None else {"distinct": distinct})
    assert written.claims == proved(path) == expected
    assert written.rows > 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("name", "raw", "distinct"),
    [
        ("pentominoes/3x20", 8, 2),  # C. B. and Jenifer Haselgrove, 1960
        ("pentominoes/6x10", 9356, 2339),
        ("pentominoes/8x8-hole", 520, 65),  # Dana Scott, 1958
        ("dominoes/6x6", 6728, 930),
        ("soma", 11520, 240),  # J. H. Conway and M. J. T. Guy, 1961
    ],
)
def test_certificates_prove_large_known_counts(name: str, raw: int, distinct: int, tmp_path: Path) -> None:
    write_count(encoded(name), path := tmp_path / "known.cert.gz", packed=True)
    assert proved(path) == {"raw": raw, "listed": raw, "distinct": distinct}


@given(puzzles())
def test_certificates_of_random_puzzles_prove_what_brute_force_counts(
    tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle
) -> None:
    path = tmp_path_factory.getbasetemp() / "random.cert"
    solutions = set(brute.solutions(puzzle))
    write_count(encoded(puzzle), path, packed=False)
    found = proved(path)
    assert found["raw"] == len(solutions)
    if "distinct" in found:
        assert found["distinct"] == brute.orbits(puzzle)
    assert not solutions or reason(encoded(puzzle)) is None


def test_certificates_of_the_best_cost_prove_what_brute_force_finds(tmp_path: Path) -> None:
    path, proofs = tmp_path / "best.cert", 0
    for seed in range(60):
        cover = random_problem(seed)
        for greatest in (False, True):
            values = best_of(cover, greatest, path)
            costs = all_costs(cover)
            assert (values is None) == (not costs)
            if values is not None:
                assert proved(path) == ({"greatest": costs[-1]} if greatest else {"least": costs[0]})
                proofs += 1
    assert proofs > 60


def test_prices_of_colours_prove_the_best_cost_of_edges_that_match(tmp_path: Path) -> None:
    random, path = Random(1), tmp_path / "edges.cert"
    cover = edge_matching(4, 4, 2)
    cover = cover.with_costs([random.randint(0, 99) for _ in range(len(cover))])
    values = best_of(cover, False, path)
    assert values is not None
    assert values[1]["exchanges"]
    assert proved(path) == {"least": min(sum(cover.costs[option] for option in options) for options in Search(cover))}


def test_a_cover_that_is_not_the_best_gets_no_certificate(tmp_path: Path) -> None:
    cover = ExactCover.from_rows([[0], [1], [0, 1]], primary=2).with_costs([3, 4, 5])
    with pytest.raises(ValueError, match="costs less"):
        write_best(encoded(cover), [0, 1], False, tmp_path / "wrong.cert", packed=False)


@pytest.mark.parametrize("order", ["mrv", "sweep"])
@given(cover=covers())
def test_both_orders_of_branching_count_all(order: str, cover: ExactCover) -> None:
    table = Subproblems(cover, order)
    while not table.finished:
        assert 0.0 <= table.share <= 1.0
        table.advance(1)
    ways = writing._ways(table)
    assert (ways[table.root] if table.root >= 0 else 0) == len(brute_covers(cover))


def test_an_unknown_order_of_branching_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown order"):
        Subproblems(ExactCover.from_rows([[0]], primary=1), "best")


NO_SOLUTION = {
    # T tetrominoes on a checkerboard cover an odd number of dark cells each: S. W. Golomb, "Polyominoes".
    "a colouring": "locations box 6x6\npiece T x9 { xxx/.x. }\n",
    "copies given by the volume": "locations box 4x4 - cells (0,0) (3,3)\npiece I x0..9 { xx }\n",
    "too large": "locations box 3x3\noptional locations box 4x3 - box 3x3\npiece A x4 { xx/xx }\n",
    "too small": "locations box 3x3\npiece A { xxx }\npiece B { xx }\n",
    "no option": "locations box 2x2\nlocations cells (4,4)\npiece A { xx }\npiece B { xxx }\n",
}


@pytest.mark.parametrize("name", NO_SOLUTION)
def test_a_reason_why_there_is_no_solution_is_written_as_weights(name: str, tmp_path: Path) -> None:
    encoding = encoded(parse(f'puzzle "None"\n{NO_SOLUTION[name]}'))
    path = tmp_path / "none.cert"
    written = write_count(encoding, path, packed=False)
    assert (written.claims, written.rows) == ({"raw": 0}, 0)
    assert written.weights
    assert proved(path) == {"raw": 0}
    second = json.loads(path.read_text(encoding="utf-8").splitlines()[1])
    assert second.keys() == {"weights", "modulus"}


def test_without_weights_the_table_proves_that_there_is_no_solution(tmp_path: Path) -> None:
    written = write_count(encoded("soma/w-wall"), path := tmp_path / "none.cert", packed=False)
    assert (written.claims, written.weights) == ({"raw": 0}, "")
    assert written.rows > 0
    assert proved(path) == {"raw": 0}


def test_an_exact_cover_without_items_has_one_cover(tmp_path: Path) -> None:
    write_count(encoded(ExactCover.from_rows([], primary=0)), path := tmp_path / "nothing.cert", packed=False)
    assert proved(path) == {"raw": 1, "listed": 1}


def test_some_solutions_are_listed_once_each(tmp_path: Path) -> None:
    encoding = encoded(ExactCover.from_rows([[0, 1], [2, 3], [0, 2], [1, 3], [0, 3]], primary=4))
    path = tmp_path / "some.cert"
    assert write_solutions(encoding, [(1, 0), (0, 1)], path, packed=False).claims == {"listed": 1}
    assert proved(path) == {"listed": 1}


def test_the_same_puzzle_gives_the_same_bytes_compressed_or_not(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.gz", "two.gz")]
    for file in files:
        write_count(encoded("new/copies"), file, packed=True)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_limits_end_the_writing_of_a_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.cert"
    encoding = encoded("new/torus")
    with pytest.raises(UnfinishedCertificateError, match="incomplete after 0 s"):
        write_count(encoding, path, packed=False, seconds=0)
    monkeypatch.setattr(writing, "MAX_TABLE_ROWS", 10)
    monkeypatch.setattr(writing, "FIRST_TURN_ROWS", 10)
    with pytest.raises(UnfinishedCertificateError, match="more than 10 rows"):
        write_count(encoding, path, packed=False)


def test_many_solutions_are_counted_and_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MAX_LISTED_SOLUTIONS", 35)
    asked: list[int] = []
    write_count(encoded("dominoes/4x4"), path := tmp_path / "many.cert", packed=False, progress=asked.append)
    assert proved(path) == {"raw": 36}
    assert asked
