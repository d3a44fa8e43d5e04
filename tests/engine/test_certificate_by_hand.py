"""Certificates made by hand that try to prove false claims, or to fill the memory with a small file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from puzzlec.engine.certificate import checker
from puzzlec.engine.certificate.checker import Certificate
from tests.certificates.tampering import brute

#: An item that one option covers, its table, and the proved claims.
ONE: dict[str, Any] = {"items": [[1, 1]], "options": [[0, 0]]}
TABLE = ({"table": 1, "root": 1}, [0, 0])


def proved(path: Path, cover: Any, lines: Any, claims: Any) -> dict[str, int]:
    """Return the claims that a certificate of these lines proves. A text is a literal line."""
    values = [{"certificate": 1, "cover": cover}, *lines]
    text = "".join((value if isinstance(value, str) else json.dumps(value)) + "\n" for value in values)
    digest = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(text + json.dumps({"claims": claims, "sha256": digest}) + "\n", encoding="utf-8")
    certificate = Certificate()
    certificate.check(str(path))
    return certificate.proved


def test_the_one_option_is_one_cover(tmp_path: Path) -> None:
    assert proved(tmp_path / "one.cert", ONE, TABLE, {"raw": 1}) == {"raw": 1}


@pytest.mark.parametrize("options", [[[0, 0], []], [[], [0, 0]], [[0, 0], [], []]])
def test_an_option_of_no_item_is_refused(options: Any, tmp_path: Path) -> None:
    # Each of them may be chosen or not. This doubles the number of covers, but no row can branch on it.
    assert len(brute(ONE | {"options": options})) == 2 ** options.count([])
    with pytest.raises(checker.RefusedCertificateError, match="an item twice, or none"):
        proved(tmp_path / "empty.cert", ONE | {"options": options}, TABLE, {"raw": 1})


@pytest.mark.parametrize(
    ("cover", "lines", "raw"),
    [
        ({"items": [[1, 1]], "options": [[0, 0], [0, 0]]}, [{"table": 1, "root": 1}, [0, 0, 0]], 2),
        ({"items": [[0, 0]], "options": [[0, 0]]}, [{"table": 0, "root": 0}], 1),
        ({"items": [], "options": []}, [{"table": 0, "root": 0}], 1),
        ({"items": [[1 << 31, 1 << 31]], "options": [[0, 0]]}, [{"table": 0, "root": -1}], 0),
        ({"items": [None], "options": [[0, 0], [0, 0]]}, [{"table": 1, "root": 1}, [0, 0, 0, 0]], 3),
        ({"items": [None], "options": [[0, 1]]}, [{"table": 1, "root": 1}, [0, 0, 0]], 2),
    ],
)
def test_unusual_but_valid_certificates_are_accepted(cover: Any, lines: Any, raw: int, tmp_path: Path) -> None:
    assert len(brute(cover)) == raw
    assert proved(tmp_path / "odd.cert", cover, lines, {"raw": raw}) == {"raw": raw}


@pytest.mark.parametrize(
    "cover",
    [
        {"items": [[1, 1]], "options": [[0, 0, 0, 0]]},
        {"items": [[1, 1]], "options": [[0]]},
        {"items": [[1, 1]], "options": [[1, 0]]},
        {"items": [[1, 1]], "options": [[-1, 0]]},
        {"items": [[1, 1]], "options": [[False, 0]]},
        {"items": [[1, 1]], "options": [[0, -1]]},
        {"items": [[True, 1]], "options": [[0, 0]]},
        {"items": [[1.0, 1]], "options": [[0, 0]]},
        {"items": [[float("nan"), 1]], "options": [[0, 0]]},
        {"items": [[1, float("inf")]], "options": [[0, 0]]},
        {"items": [[2, 1]], "options": [[0, 0]]},
        {"items": [[-1, 1]], "options": [[0, 0]]},
        {"items": [[1]], "options": [[0, 0]]},
        {"items": [[1, 1]], "options": [[0, 0]], "more": []},
    ],
)
def test_an_invalid_exact_cover_is_refused(cover: Any, tmp_path: Path) -> None:
    with pytest.raises((checker.RefusedCertificateError, ValueError, IndexError, TypeError)):
        proved(tmp_path / "no.cert", cover, TABLE, {"raw": 1})


@pytest.mark.parametrize(
    "lines",
    [
        ('{"table":1,"root":0,"root":1}', [0, 0]),
        ({"table": 1, "leaf": 1}, [0, 0]),
        ({"table": 1, "root": 1, "symmetries": []}, [0, 0]),
        ({"root": 1, "table": 1}, [0, 0]),
    ],
)
def test_a_line_has_only_one_meaning(lines: Any, tmp_path: Path) -> None:
    with pytest.raises((checker.RefusedCertificateError, TypeError, KeyError)):
        proved(tmp_path / "keys.cert", ONE, lines, {"raw": 1})


@pytest.mark.parametrize("items", [[[1, 1]], [None]])
@pytest.mark.parametrize("modulus", [1, 0, -1, True, 2, 7])
@pytest.mark.parametrize("weight", [1, 0, -1, 7])
def test_weights_cannot_exclude_an_existing_cover(items: Any, modulus: Any, weight: int, tmp_path: Path) -> None:
    lines = [{"weights": [weight], "modulus": modulus}]
    with pytest.raises((checker.RefusedCertificateError, ValueError)):
        proved(tmp_path / "weights.cert", ONE | {"items": items}, lines, {"raw": 0})


def test_a_symmetry_that_merges_two_colours_is_refused(tmp_path: Path) -> None:
    cover = {"items": [None, [0, 1]], "options": [[0, 1], [0, 2], [0, 2, 1, 0]]}
    covers = sorted(brute(cover))
    assert covers == [(), (0,), (1,), (1, 2), (2,)]
    rows = [{"table": 2, "root": 1}, [0, 0, 2, 0, 0], [0, 0, 0]]
    listed: list[Any] = [{"covers": 5, "symmetries": [[[0, 1], [1, 0, 2]]]}, *covers]
    with pytest.raises(checker.RefusedCertificateError, match="a symmetry changes an option"):
        proved(tmp_path / "merged.cert", cover, [*rows, *listed], {"raw": 5, "listed": 5, "distinct": 4})
    listed[0]["symmetries"] = []
    claims = {"raw": 5, "listed": 5, "distinct": 5}
    assert proved(tmp_path / "apart.cert", cover, [*rows, *listed], claims) == claims


def test_items_and_subproblems_of_many_bits_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The last of many options has many items. A few bytes of the file make a set of many bits for each.
    cover = {"items": [[0, 9]] * 100, "options": [[0, 0]] * 99 + [[entry for at in range(100) for entry in (at, 0)]]}
    monkeypatch.setattr(checker, "MAX_SET_BITS", 100 * 200 - 1)
    with pytest.raises(checker.RefusedCertificateError, match="too many options, or items for them"):
        proved(tmp_path / "items.cert", cover, TABLE, {"raw": 1})
    # Each branch is another waiting subproblem.
    wide = {"items": [[0, 100]], "options": [[0, 0]] * 100}
    row = [{"table": 101, "root": 1}, [0, *range(2, 102), 0]]
    monkeypatch.setattr(checker, "MAX_SET_BITS", 20 * 108)
    with pytest.raises(checker.RefusedCertificateError, match="too many subproblems"):
        proved(tmp_path / "waiting.cert", wide, row, {"raw": 1})


def test_branches_are_counted_before_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = {"items": [[0, 1]], "options": [[0, 0]] * 1000}
    monkeypatch.setattr(checker.CertificateProblem, "choose", None)  # this would make one
    with pytest.raises(checker.RefusedCertificateError, match="expected 1001 branches"):
        proved(tmp_path / "wide.cert", wide, [{"table": 1, "root": 1}, [0, 0]], {"raw": 1})


def best_of_two(costs: list[int], best: int, units: int, row: list[int], claims: dict[str, int]) -> tuple[Any, ...]:
    """Return a certificate that one of two options for one item has the best cost."""
    cover = {"items": [[1, 1]], "options": [[0, 0], [0, 0]], "costs": costs}
    sign = 1 if "least" in claims else -1
    section = {"best": [best], "sign": sign, "units": units, "prices": [min(0, *costs, *[-c for c in costs]) * units]}
    return cover, [section | {"exchanges": []}, {"table": 1, "root": 1}, row], claims


@pytest.mark.parametrize("row", [[0, 0, 0], [0, -2, 0], [0, 0, -2]], ids=("a cover", "a branch", "the claimed cover"))
@pytest.mark.parametrize("units", [1, 3])
@pytest.mark.parametrize("word", ["least", "greatest"])
def test_a_cover_that_is_better_by_exactly_one_is_enough_to_refuse(
    word: str, units: int, row: list[int], tmp_path: Path
) -> None:
    costs = [0, 1] if word == "least" else [1, 0]
    path = tmp_path / "best.cert"
    with pytest.raises(checker.RefusedCertificateError, match="a better cover"):
        proved(path, *best_of_two(costs, 1, units, row, {word: costs[1]}))


@pytest.mark.parametrize("costs", [[0, 0], [0, 1], [1, 0]])
@pytest.mark.parametrize("word", ["least", "greatest"])
def test_a_cover_of_the_same_or_a_worse_cost_refutes_nothing(word: str, costs: list[int], tmp_path: Path) -> None:
    right = (min if word == "least" else max)(costs)
    best = costs.index(right)
    claims = {word: right}
    assert proved(tmp_path / "best.cert", *best_of_two(costs, best, 1, [0, 0, 0], claims)) == claims
