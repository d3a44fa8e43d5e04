"""The checker accepts exactly the right certificates."""

from __future__ import annotations

import ast
import gzip
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from puzzlec.engine.certificate import checker
from puzzlec.engine.certificate.checker import Certificate, RefusedCertificateError
from puzzlec.engine.problem import ExactCover
from tests.certificates.tampering import best_of, brute, certificate_of, save, small, tampered, true_claims
from tests.covers import brute_covers, covers

FILE = Path(checker.__file__)

#: Two symmetric ways to cover four items, and an unused option.
COVER = ExactCover.from_rows([[0, 1], [2, 3], [0, 2], [1, 3], [0, 3]], primary=4)

#: The first line of its table, its rows, and the first line of its list.
TABLE, LIST = 1, 5


def proved(path: Path) -> dict[str, int]:
    certificate = Certificate()
    certificate.check(str(path))
    return certificate.proved


def refused(path: Path) -> str:
    """Return the reason why a certificate is refused."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - a damaged file may raise anything
        proved(path)
    return str(caught.value)


@pytest.fixture
def sound(tmp_path: Path) -> tuple[Path, list[Any]]:
    """A valid certificate with a table, a list and symmetries: its file, and its lines."""
    path = tmp_path / "sound.cert"
    values = certificate_of(COVER, path)
    assert proved(path) == {"raw": 2, "listed": 2, "distinct": 1}
    # This table is made by hand, with other branches.
    values[TABLE : TABLE + 4] = [{"table": 3, "root": 1}, [0, 3, 2, -2], [1, 0], [2, 0]]
    assert proved(save(path, values)) == {"raw": 2, "listed": 2, "distinct": 1}
    return path, values


def test_the_checker_is_one_file_that_imports_only_modules_of_python() -> None:
    text = FILE.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_file_alone_checks_certificates(sound: tuple[Path, list[Any]], tmp_path: Path) -> None:
    path, values = sound
    alone = tmp_path / "alone.py"
    alone.write_bytes(FILE.read_bytes())
    done = subprocess.run([sys.executable, "-I", "-S", alone, path], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "proved: {'raw': 2, 'listed': 2, 'distinct': 1}\n")
    values[-1]["claims"]["raw"] = 3
    done = subprocess.run(
        [sys.executable, "-I", "-S", alone, save(path, values)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert f"refused in line {len(values)}" in done.stderr


@given(covers())
def test_a_certificate_proves_the_counts_of_brute_force(
    tmp_path_factory: pytest.TempPathFactory, cover: ExactCover
) -> None:
    path = tmp_path_factory.getbasetemp() / "brute.cert"
    values = certificate_of(cover, path)
    expected = brute_covers(cover)
    found = proved(path)
    assert found["raw"] == len(expected)
    assert found.get("listed", 0) == len(expected)
    assert brute(values[0]["cover"]) == expected


def tamper(seed: int, number: int, path: Path) -> int:
    """Tamper with certificates of small covers; return the number of accepted ones, which must be true."""
    draw, taken = random.Random(seed), 0
    for turn in range(number):
        cover = small(draw)
        values = certificate_of(cover, path)
        if turn % 2:
            costs = [draw.randint(-5, 9) for _ in range(len(cover))]
            values = best_of(cover.with_costs(costs), draw.random() < 0.5, path) or values
        for _ in range(25):
            other = tampered(values, draw)
            try:
                found = proved(save(path, other))
            except Exception:
                continue
            taken += 1
            true = true_claims(other)
            assert found == {name: true[name] for name in found}, other
    return taken


def test_a_tampered_certificate_proves_only_true_claims(tmp_path: Path) -> None:
    # Some changes leave a true proof, such as one of another exact cover. Most do not.
    assert 0 < tamper(2026, 20, tmp_path / "tampered.cert") < 250


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("seed", range(8))
def test_many_tampered_certificates_prove_only_true_claims(seed: int, tmp_path: Path) -> None:
    assert tamper(seed, 400, tmp_path / "tampered.cert") > 0


def test_every_other_claim_is_refused(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    many: tuple[Any, ...] = (
        {"raw": 3, "listed": 2, "distinct": 1},
        {"raw": 2, "listed": 2, "distinct": 2},
        {"raw": 2, "listed": 1, "distinct": 1},
        {"raw": 2},
        {"raw": 2, "listed": 2, "distinct": 1, "more": 1},
        {"raw": 2.0, "listed": 2, "distinct": True},
        {},
        None,
        [],
    )
    for claims in many:
        assert "claims" in refused(save(path, [*values[:-1], {"claims": claims}]))
    assert "claims" in refused(save(path, [values[0], {"claims": {}}]))


def rows(values: list[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, list)]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([0, 3, 2], "expected 3 branches"),  # a missing option
        ([0, 3, -2], "expected 3 branches"),
        ([0, 3, 2, -2, -2], "expected 3 branches"),
        ([0, 3, 0, -2], "not a cover"),
        ([0, 3, 2, 0], "not a cover"),
        ([0, 3, -3, -2], "has enough"),
        ([0, 3, 2, -1], "has enough"),
        ([0, 3, 2, 1], "leads elsewhere, or back"),  # a loop
        ([0, 3, 3, -2], "leads elsewhere, or back"),  # two subproblems as one
        ([0, 2, 3, -2], "not a cover"),  # exchanged: the branch of item 1 has another option
        ([1, 3, 2, -2], "expected 2 branches"),
        ([4, 3, 2, -2], "unknown item"),
        ([-1, 3, 2, -2], "unknown item"),
        ([0, 3, 2, -5], "between"),
        ([0, 3, 4, -2], "between"),
        ([0, 3, 2.0, -2], "between"),
        ([True, 3, 2, -2], "between"),
        ([], ""),
        ({}, "between"),
    ],
)
def test_a_table_with_another_row_is_refused(row: Any, reason: str, sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    values[TABLE + 1] = row
    assert reason in refused(save(path, values))


def test_a_table_with_one_row_for_two_subproblems_is_refused(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    values[TABLE : TABLE + 4] = [{"table": 2, "root": 1}, [0, 2, 2, -2], [1, 0]]
    assert "leads elsewhere" in refused(save(path, values))


def test_a_table_that_ends_before_its_last_subproblem_is_refused(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    values[TABLE] = {"table": 3, "root": 1}
    values[TABLE + 1 : TABLE + 4] = [[0, 3, 2, -2], [1, 0]]
    assert "between" in refused(save(path, values))  # the line after the table is read as a row
    values[TABLE : TABLE + 3] = [{"table": 0, "root": 1}]
    assert "between" in refused(save(path, values))


def test_an_unreachable_row_is_refused(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    values[TABLE : TABLE + 4] = [{"table": 4, "root": 1}, [0, 3, 2, -2], [1, 0], [2, 0], [2, 0]]
    assert "unreachable row" in refused(save(path, values))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "unexpected end of file"),
        (b"{}\n", "certificate"),
        (b'{"certificate": 1}\n', "cover"),
        (b'{"certificate": 2}\n', "version"),
        (b"[" * 100_000 + b"\n", ""),
        (b'{"certificate": 1' + b"0" * 5000 + b"}\n", ""),
        (b'{"certificate": NaN}\n', "version"),
        (b"\xff\xfe\n", ""),
        (b'{"certificate": 1, "cover": {"items": [[1, 1]], "options": []}}\n{"table": 1e9, "root": 0}\n', "between"),
        (b'{"certificate": 1, "cover": {"items": [[1, 1]], "options": [[0, 0]]}}\n{"table": 1, "root": 1}\n[]\n', ""),
    ],
)
def test_other_files_are_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.cert"
    path.write_bytes(content)
    assert reason in refused(path)


def test_a_damaged_file_is_refused_wherever_it_is_damaged(sound: tuple[Path, list[Any]]) -> None:
    path, _ = sound
    content = path.read_bytes()
    packed = path.with_suffix(".gz")
    for at in range(0, len(content), 31):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        refused(path)
        path.write_bytes(content[:at])
        refused(path)
        packed.write_bytes(gzip.compress(content)[:at])
        if at < len(gzip.compress(content)):
            refused(packed)
    path.write_bytes(content + b"\n")
    assert "data after its end" in refused(path)
    # Its first bytes show whether it is compressed, not its name.
    packed.write_bytes(content)
    path.write_bytes(gzip.compress(content))
    assert proved(packed) == proved(path) == {"raw": 2, "listed": 2, "distinct": 1}


def test_a_gzip_bomb_is_refused_before_it_is_decompressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MAX_LINE_BYTES", 1 << 16)
    bomb = tmp_path / "bomb.cert.gz"
    with gzip.open(bomb, "wb") as file:
        file.write(b'{"certificate": ')
        for _ in range(100):
            file.write(b" " * (1 << 16))
    certificate = Certificate()
    with pytest.raises(RefusedCertificateError, match="too long"):
        certificate.check(str(bomb))
    assert certificate.line == 1


def test_too_many_options_and_subproblems_that_wait_are_refused(
    sound: tuple[Path, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = sound
    monkeypatch.setattr(checker, "MAX_WAITING_SUBPROBLEMS", 1)
    assert "too many subproblems" in refused(path)
    monkeypatch.setattr(checker, "MAX_OPTIONS", 4)
    assert "too many options" in refused(path)


@pytest.mark.parametrize(
    ("weights", "modulus", "reason"),
    [
        ([1, 0, 0], 0, "an option weighs"),  # 1 for the items of an option
        ([0, 0, 0], 0, "can weigh"),
        ([1, 0, 0], 2, "an option weighs"),
        ([1, 1, 0], 2, "can weigh"),
        ([0, 0, 1], 2, "needs weight 0"),
        ([1, 1], 2, ""),
        ([1, 1, 0.0], 2, "between"),
        ([1, 1, 0], 2.0, "between"),
        ([1, 1, 0], -2, "between"),
    ],
)
def test_weights_that_prove_nothing_are_refused(weights: Any, modulus: Any, reason: str, tmp_path: Path) -> None:
    head = {
        "certificate": 1,
        "cover": {"items": [[1, 1], [1, 1], [0, 1]], "options": [[0, 0, 1, 0], [1, 0, 0, 0, 2, 0]]},
    }
    values = [head, {"weights": weights, "modulus": modulus}, {"claims": {"raw": 0}}]
    assert reason in refused(save(tmp_path / "weights.cert", values))


def test_weights_that_exclude_every_cover_are_accepted(tmp_path: Path) -> None:
    # Each option covers two of the three items, and three is odd.
    odd = {"items": [[1, 1]] * 3, "options": [[0, 0, 1, 0], [1, 0, 2, 0], [0, 0, 2, 0]]}
    for weights, modulus in (([1, 1, 1], 2), ([5, -3, 1], 2)):
        values = [{"certificate": 1, "cover": odd}, {"weights": weights, "modulus": modulus}, {"claims": {"raw": 0}}]
        assert proved(save(tmp_path / "odd.cert", values)) == {"raw": 0}
    # Two pieces of size 2 on three locations: 4 > 3. One location may stay empty.
    large = {"items": [[2, 2], [1, 1], [1, 1], [0, 1]], "options": [[0, 0, 1, 0, 2, 0], [0, 0, 2, 0, 3, 0]]}
    values = [{"certificate": 1, "cover": large}, {"weights": [2, -1, -1, -1], "modulus": 0}, {"claims": {"raw": 0}}]
    assert proved(save(tmp_path / "large.cert", values)) == {"raw": 0}


def test_invalid_symmetries_are_refused(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    for symmetry in (
        [[0, 1, 2, 3], [1, 0, 2, 3, 4]],  # only the options are exchanged
        [[1, 0, 2, 3], [0, 1, 2, 3, 4]],
        [[0, 1, 2, 2], [0, 1, 2, 3, 4]],
        [[0, 1, 2], [0, 1, 2, 3, 4]],
        [[0, 1, 2, 3], [0, 1, 2, 3, 3]],
        [[0, 1, 2, 3]],
    ):
        values[LIST]["symmetries"] = [symmetry]
        refused(save(path, values))
    values[LIST]["symmetries"] = []
    values[-1]["claims"]["distinct"] = 2
    assert proved(save(path, values))["distinct"] == 2


def test_distinct_solutions_are_not_counted_if_some_are_not_listed(sound: tuple[Path, list[Any]]) -> None:
    path, values = sound
    values[LIST]["covers"] = 1
    del values[LIST + 1]
    assert "not all covers" in refused(save(path, values))


def test_the_program_distinguishes_unreadable_files_from_wrong_proofs(sound: tuple[Path, list[Any]]) -> None:
    path, _ = sound
    text = path.read_bytes()

    def said(*words: str, given: bytes = b"") -> tuple[int, str]:
        done = subprocess.run([sys.executable, str(FILE), *words], input=given, capture_output=True, check=False)
        return done.returncode, (done.stdout + done.stderr).decode().strip()

    usage = "usage: python checker.py FILE, or - for standard input"
    assert said() == said(str(path), str(path)) == (1, usage)
    assert said(str(path) + "none") == (1, f"cannot read {path}none: No such file or directory")
    assert said("-", given=text) == (0, "proved: {'raw': 2, 'listed': 2, 'distinct': 1}")
    assert said("-", given=gzip.compress(text)) == said("-", given=text)
    status, told = said("-", given=text[:-1])
    assert status == 1
    assert told.startswith("refused in line ")


#: Pairs of options for four items; the pairs cost 7 and 5.
COSTS = [3, 4, 2, 3, 9]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"best": [0, 1]}, "there is a better cover|may have a better cover"),
        ({"best": [0, 2]}, "conflicts"),
        ({"sign": 0}, "no sign or price"),
        ({"sign": 1.0}, "list of integers"),
        ({"units": 0}, "list of integers"),
        ({"prices": [9999, 9999, 9999, 9999]}, "exceed its cost"),
        ({"prices": [1, 1, 1]}, "no sign or price"),
        ({"exchanges": [[0, 0, 1, 0, 5]]}, "cannot exchange"),
        ({"exchanges": [[0, -1, 1, 0, 5]]}, "list of integers"),
    ],
)
def test_prices_that_prove_nothing_are_refused(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "best.cert"
    values = best_of(COVER.with_costs(COSTS), False, path)
    assert values is not None
    assert proved(path) == {"least": 5}
    values[1] |= change
    with pytest.raises((RefusedCertificateError, ValueError), match=reason):
        proved(save(path, values))
