"""`check --certificate` reports only what it compared, in text, with --quiet and as JSON."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from puzzlec.certificates import writing
from puzzlec.certificates.writing import OutOfTimeError
from puzzlec.lower.symmetries import SymmetryKind
from tests.certificates.tampering import lines_of, save
from tests.cli.test_manners_json import agrees
from tests.commands import command

BARS = 'puzzle "Two bars"\nlocations box 3x2\npiece A { xxx }\npiece B { xxx }\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a puzzle of one distinct solution and two raw solutions, and with its certificate."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bars.puzzle").write_text(BARS, encoding="utf-8")
    command(capsys, monkeypatch, "count", "bars.puzzle", "--certificate", "bars.cert")
    return tmp_path


def claim_two_distinct(path: Path, symmetry: SymmetryKind) -> None:
    """Change a certificate of two raw solutions so that it claims two distinct solutions, without a symmetry."""
    values = lines_of(path)
    values[0]["symmetry"] = symmetry
    next(value for value in values if "symmetries" in value)["symmetries"] = []
    values[-1]["claims"]["distinct"] = 2
    save(path, values)


def test_a_number_of_distinct_solutions_without_a_compared_puzzle_is_reported_as_a_claim(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "bars.cert"
    claim_two_distinct(path, "all")
    assert command(capsys, monkeypatch, "check", "--certificate", "bars.cert")[0] == 1  # the puzzle contradicts this
    values = lines_of(path)
    del values[0]["puzzle"], values[0]["fitting"]
    save(path, values)
    own = "bars.cert: this proves 2 raw solutions of the exact cover in the file, "
    own += "2 of them distinct under the symmetries in the file\n"
    why = "not compared with a puzzle: the certificate names none, and you gave none\n"
    for words, said in (((), why), (("-q",), "")):
        assert command(capsys, monkeypatch, "check", "--certificate", "bars.cert", *words) == (0, own, said)
    status, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "bars.cert", "--json")
    found = json.loads(shown)
    agrees(found, "certificate")
    assert (status, found["puzzle"], found["title"], found["symmetry"]) == (0, None, None, None)
    assert command(capsys, monkeypatch, "check", "bars.puzzle", "--certificate", "bars.cert")[0] == 1


@pytest.mark.parametrize("key", ["puzzle", "fitting"])
def test_a_stored_puzzle_that_is_too_large_for_its_cover_is_refused_before_it_is_compiled(
    key: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "bars.cert"
    values = lines_of(path)
    board = [[x, 0] for x in range(9)] if key == "puzzle" else [f"{x},0" for x in range(9)]
    values[0][key]["locations"] = board
    if key == "fitting":
        del values[0]["puzzle"]
    save(path, values)
    monkeypatch.setattr("puzzlec.certificates.reading.compile", None)
    status, printed, said = command(capsys, monkeypatch, "check", "--certificate", "bars.cert")
    assert (status, printed) == (1, "")
    assert said.startswith("error[PZ634]: the stored puzzle has 9 locations, but its exact cover has 8 items\n")


def test_json_names_the_puzzle_that_a_certificate_was_compared_with(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, which in (((), "carried"), (("bars.puzzle",), "given")):
        found = json.loads(command(capsys, monkeypatch, "check", *words, "--certificate", "bars.cert", "--json")[1])
        agrees(found, "certificate")
        assert (found["puzzle"], found["title"], found["symmetry"]) == (which, "Two bars", "all")


def test_solutions_that_are_distinct_under_no_symmetry_are_reported_as_that(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    claim_two_distinct(folder / "bars.cert", "none")
    status, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "bars.cert")
    told = "bars.cert: this proves 2 raw solutions, 2 of them distinct under no symmetry\n"
    assert (status, shown) == (0, told)


def test_an_error_of_the_puzzle_in_a_certificate_names_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    values = lines_of(folder / "bars.cert")
    values[0]["puzzle"]["pieces"][0]["cells"] = "some"
    save(folder / "bars.cert", values)
    status, shown, said = command(capsys, monkeypatch, "check", "--certificate", "bars.cert")
    assert (status, shown) == (1, "")
    assert said.splitlines() == [
        'error[PZ275]: expected a list of cells in `pieces[0].cells`, found the text `"some"`',
        " --> bars.cert",
        "  = note: see `puzzle`, on line 1 of the certificate",
        "",
    ]


def test_a_certificate_of_any_name_is_decompressed_also_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = (folder / "bars.cert").read_bytes()
    (folder / "packed.cert").write_bytes(gzip.compress(plain))
    (folder / "plain.gz").write_bytes(plain)
    of = ": this proves 2 raw solutions, 1 of them distinct\n"
    for name in ("packed.cert", "plain.gz"):
        for words in (("--certificate", name), ("bars.puzzle", name)):
            status, shown, _ = command(capsys, monkeypatch, "check", *words)
            assert (status, shown) == (0, name + of)
    before = os.dup(0)
    try:
        for name in ("packed.cert", "plain.gz"):
            file = os.open(name, os.O_RDONLY)
            os.dup2(file, 0)
            os.close(file)
            status, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "-")
            assert (status, shown) == (0, "<stdin>" + of)
    finally:
        os.dup2(before, 0)
        os.close(before)


@pytest.mark.parametrize("words", [("count",), ("solve", "--all", "--to", "list")])
def test_a_certificate_that_is_not_done_in_time_ends_like_a_search_at_a_limit(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OutOfTimeError("after less than was asked for, as the search took its part")

    monkeypatch.setattr(writing, "write_count", fails)
    words = (words[0], "bars.puzzle", *words[1:], "--time-limit", "3", "--certificate", "late.cert")
    status, shown, said = command(capsys, monkeypatch, *words)
    assert (status, bool(shown)) == (4, True)
    assert "error[PZ635]: the search and its certificate took longer than 3 s" in said
    assert "= help: leave --time-limit out, give it more, or use `puzzlec solve --limit N" in said
    assert not (folder / "late.cert").exists()
