"""``--certificate``: `solve` and `count` write it, `check` verifies it, and no file of the user is overwritten."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlec.certificates import writing
from puzzlec.certificates.writing import UnfinishedCertificateError
from tests.commands import command

BARS = 'puzzle "Two bars"\nlocations box 3x2\npiece A { xxx }\npiece B { xxx }\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bars.puzzle").write_text(BARS, encoding="utf-8")
    (tmp_path / "other.puzzle").write_text(BARS.replace("3x2", "3x3"), encoding="utf-8")
    (tmp_path / "none.puzzle").write_text(BARS.replace("{ xxx }", "{ xx/x. }", 1), encoding="utf-8")
    return tmp_path


def test_solve_certifies_what_it_shows_and_check_verifies_it(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, said = command(capsys, monkeypatch, "solve", "bars.puzzle", "--certificate", "one.cert")
    assert (status, said.splitlines()[0]) == (0, "one.cert: a certificate of 1 solution")
    of_puzzle = (("bars.puzzle", "one.cert"), ("bars.puzzle", "--certificate", "one.cert"))
    for words in (*of_puzzle, ("--certificate", "one.cert")):
        status, shown, said = command(capsys, monkeypatch, "check", *words)
        assert (status, shown) == (0, "one.cert: this proves 1 solution\n")
        which = "the puzzle" if words in of_puzzle else "the stored puzzle 'Two bars'"
        assert said.splitlines() == [
            f"its exact cover is that of {which}",
            "each listed solution is a solution of the puzzle",
            "an independent derivation of its 4 placements agrees",
        ]


@pytest.mark.parametrize("words", [("solve", "--all"), ("solve", "--limit", "9"), ("count",), ("count", "--raw")])
def test_a_search_that_is_complete_certifies_the_count(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command(capsys, monkeypatch, words[0], "bars.puzzle", *words[1:], "--certificate", "all.cert.gz")
    assert (folder / "all.cert.gz").read_bytes().startswith(b"\x1f\x8b")
    status, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "all.cert.gz", "--json")
    raw = "--raw" in words
    assert status == 0
    assert json.loads(shown) == {
        "certificate": "all.cert.gz",
        "puzzle": "carried",
        "title": "Two bars",
        "proved": {"raw": 2, "listed": 2} | ({} if raw else {"distinct": 1}),
        "symmetry": "none" if raw else "all",
        "lines": 9,
        "solutions": True,
        "placements": True,
    }


def test_an_exact_cover_from_a_file_is_certified(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "few.dlx").write_text("a b c\na b\nc\na\nb c\n", encoding="utf-8")
    assert command(capsys, monkeypatch, "count", "few.dlx", "--certificate", "few.cert")[0] == 0
    status, shown, said = command(capsys, monkeypatch, "check", "--certificate", "few.cert")
    assert (status, shown) == (0, "few.cert: this proves 2 raw solutions of the exact cover in the file\n")
    assert said == "not compared with a puzzle: the certificate names none, and you gave none\n"
    status, shown, said = command(capsys, monkeypatch, "check", "few.dlx", "--certificate", "few.cert")
    assert (status, said.splitlines()[0]) == (0, "its exact cover is that of the puzzle")


@pytest.mark.parametrize("name", ["solve", "count"])
def test_the_absence_of_solutions_is_certified(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, _ = command(capsys, monkeypatch, name, "none.puzzle", "--certificate", "none.cert")
    assert status == command(capsys, monkeypatch, name, "none.puzzle")[0] != 0
    status, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "none.cert")
    assert (status, shown) == (0, "none.cert: this proves no solution\n")


def test_a_certificate_of_another_puzzle_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command(capsys, monkeypatch, "solve", "bars.puzzle", "--certificate", "one.cert")
    status, shown, said = command(capsys, monkeypatch, "check", "other.puzzle", "one.cert")
    assert (status, shown) == (1, "")
    assert "error[PZ634]" in said
    words = ("other.puzzle", "one.cert", "--json")
    status, shown, _ = command(capsys, monkeypatch, "check", *words)
    assert (status, json.loads(shown)["code"]) == (1, "PZ634")


def test_an_existing_file_is_kept_without_force(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mine.cert").write_text("mine", encoding="utf-8")
    status, shown, said = command(capsys, monkeypatch, "solve", "bars.puzzle", "--certificate", "mine.cert")
    assert (status, shown) == (1, "")
    assert "error[PZ005]" in said
    assert (folder / "mine.cert").read_text(encoding="utf-8") == "mine"
    status, _, _ = command(capsys, monkeypatch, "solve", "bars.puzzle", "--certificate", "mine.cert", "--force")
    assert status == 0
    assert (folder / "mine.cert").read_bytes().startswith(b'{"certificate":1')


def test_a_stopped_search_certifies_its_solutions(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", "pentominoes/6x10", "--all", "--nodes", "3000", "--kernel", "python", "--to", "list")
    status, shown, _ = command(capsys, monkeypatch, *words, "--certificate", "some.cert")
    number = shown.count("X: ")
    assert (status, number > 0) == (4, True)
    status, shown, _ = command(capsys, monkeypatch, "check", "6x10", "some.cert", "--json")
    assert (status, json.loads(shown)["proved"]) == (0, {"listed": number})


def test_a_stopped_search_leaves_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, said = command(capsys, monkeypatch, "count", "soma", "--nodes", "1", "--certificate", "soma.cert")
    assert status == 4
    first, why = said.split("error[PZ635]")
    assert "stopped at the limit of nodes" in first
    assert "= help: leave --nodes out, or use `puzzlec solve --limit N" in why
    assert not list(folder.glob("*.cert*"))


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("bars.puzzle", "other.puzzle", "--certificate", "one.cert"),
        ("--certificate", "one.cert", "one.cert"),
        ("--certificate", "one.cert", "--save-valid", "out"),
        ("--certificate", "one.cert", "--solutions-from", "list"),
        ("bars.puzzle", "--certificate", "one.cert", "--force"),
        ("--certificate", "one.cert", "-p", "n=6"),
        ("--certificate", "one.cert", "--from", "dlx"),
        ("-", "--certificate", "-"),
        ("--certificate", "one.cert", "--board", "box 3x2"),
    ],
)
def test_contradictory_options_are_refused(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(capsys, monkeypatch, "check", *words)[0] == 2


def test_the_symmetry_of_distinct_solutions_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("count", "dominoes/4x4", "--symmetry", "rotations", "--certificate", "turned.cert")
    _, shown, said = command(capsys, monkeypatch, *words)
    assert shown == "12\n"
    assert "turned.cert: a certificate of 36 raw solutions, 12 of them distinct under rotations, by" in said
    _, shown, _ = command(capsys, monkeypatch, "check", "--certificate", "turned.cert")
    assert shown == "turned.cert: this proves 36 raw solutions, 12 of them distinct under rotations\n"


@pytest.mark.parametrize("fault", [UnfinishedCertificateError("the certificate was not done"), KeyboardInterrupt()])
def test_a_count_is_printed_although_its_certificate_cannot_be_made(
    fault: BaseException, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        (folder / "begun.part").touch()
        raise fault

    monkeypatch.setattr(writing, "write_count", fails)
    for words in (("count",), ("solve", "--all", "--to", "list")):
        status, shown, said = command(
            capsys, monkeypatch, words[0], "bars.puzzle", *words[1:], "--certificate", "lost.cert"
        )
        assert (folder / "begun.part").exists()
        assert status == (130 if isinstance(fault, KeyboardInterrupt) else 1)
        assert shown.startswith("1\n" if words == ("count",) else "A: ")
        assert "1 distinct solution" in said
        assert not (folder / "lost.cert").exists()


def test_a_certificate_with_another_number_than_the_search_is_not_kept(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for claims in ({"raw": 2, "listed": 2, "distinct": 2}, {"raw": 0}):
        monkeypatch.setattr(writing, "write_count", lambda *_, claims=claims: writing.Written(claims))
        status, _, said = command(capsys, monkeypatch, "count", "bars.puzzle", "--certificate", "other.cert")
        assert status == 1
        assert f"the search found 1 distinct solution, its certificate has {claims.get('distinct', 0)}" in said
        assert not (folder / "other.cert").exists()


def test_an_empty_file_name_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, said = command(capsys, monkeypatch, "check", "--certificate", "")
    assert status == 1
    assert "None" not in said


def test_a_search_with_a_checkpoint_has_no_certificate(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", "bars.puzzle", "--checkpoint", "job", "--certificate", "one.cert")
    status, _, said = command(capsys, monkeypatch, *words)
    assert status == 2
    assert "not available with --checkpoint" in said


def test_checking_a_certificate_starts_without_numba_and_numpy(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command(capsys, monkeypatch, "solve", "bars.puzzle", "--certificate", "one.cert")
    code = (
        "import sys\nfrom puzzlec.cli.app import main\nsys.argv = ['puzzlec', 'check', '--certificate', 'one.cert']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint({'numba', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=folder)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


def _strip(folder: Path, more: str = "cost A per box 2x2 at (0,0) = -1\n") -> None:
    text = f"locations box 6x2\npiece A x0..4 {{ xx }}\npiece B x0..4 {{ xx/x. }}\ncost A = 3\ncost B = 5\n{more}"
    (folder / "strip.puzzle").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("option", "word", "cost"), [("--min-cost", "lowest", 15), ("--max-cost", "highest", 20)])
def test_the_best_cost_has_a_certificate(
    option: str,
    word: str,
    cost: int,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _strip(folder)
    status, _, said = command(capsys, monkeypatch, "solve", "strip.puzzle", option, "--certificate", "best.cert")
    assert status == 0
    assert f"best.cert: a certificate of a {word} cost of {cost}" in said
    status, shown, said = command(capsys, monkeypatch, "check", "strip.puzzle", "--certificate", "best.cert")
    assert (status, shown) == (0, f"best.cert: this proves a {word} cost of {cost}\n")
    assert "each listed solution is a solution of the puzzle" in said
    _strip(folder, "")
    status, _, said = command(capsys, monkeypatch, "check", "strip.puzzle", "--certificate", "best.cert")
    assert (status, "PZ634" in said) == (1, True)
    status, _, said = command(capsys, monkeypatch, "solve", "strip.puzzle", "--best", "2", "--certificate", "b.cert")
    assert (status, "use `--min-cost`" in said) == (2, True)
    assert not (folder / "b.cert").exists()


def test_the_certificate_of_a_best_solution_that_is_too_large_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MAX_TABLE_ROWS", 2)
    monkeypatch.setattr(writing, "FIRST_TURN_ROWS", 1)
    _strip(folder)
    words = ("solve", "strip.puzzle", "--min-cost", "--certificate", "best.cert")
    status, shown, said = command(capsys, monkeypatch, *words)
    assert (status, "cost 15" in shown, "PZ635" in said) == (1, True, True)
    assert not (folder / "best.cert").exists()
